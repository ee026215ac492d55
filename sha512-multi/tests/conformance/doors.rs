//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::hmac::Keyed;
use hash_lanes_testing::laws::{Door, KEY};
use hash_lanes_testing::{function_doors, keyed_doors, pbkdf2_doors};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha512};
use sha512_multi::{Sha512Lanes, each_truncated};

use crate::subject;

fn derive(password: &[u8]) -> Vec<u8> {
    let mut key = vec![0; 40];
    <subject::Sha512 as Keyed<64>>::pbkdf2(password, b"salt", 2, &mut key);
    key
}

pub(crate) fn doors() -> Vec<Door> {
    let hash = |message: &[u8]| Sha512::digest(message).to_vec();
    let mac = |message: &[u8]| <subject::Sha512 as Keyed<64>>::hmac(KEY, message).to_vec();
    let mut doors: Vec<_> = function_doors!("", [sha512_multi::], Sha512Lanes, 64, 128, hash)
        .chain(keyed_doors!("", [sha512_multi::], Sha512Lanes, 64, 128, mac))
        .chain(pbkdf2_doors!("", _on, [sha512_multi::], 128, derive))
        .chain(pbkdf2_doors!("Lanes::", on, [Sha512Lanes::on(on).], 128, derive))
        .collect();

    macro_rules! truncated {
        ($($_name:literal, $module:ident, $Lanes:ident: $Digest:ident, $N:literal;)+) => {$(
            let hash = |message: &[u8]| sha2::$Digest::digest(message).to_vec();
            let mac = |message: &[u8]| {
                let mac = Hmac::<sha2::$Digest>::new_from_slice(KEY).unwrap();
                mac.chain_update(message).finalize().into_bytes().to_vec()
            };
            let name = concat!(stringify!($module), "::");
            doors.extend(function_doors!(
                name, [sha512_multi::$module::], sha512_multi::$Lanes, $N, 128, hash
            ));
            doors.extend(keyed_doors!(
                name, [sha512_multi::$module::], sha512_multi::$Lanes, $N, 128, mac
            ));
        )+};
    }
    each_truncated!(truncated);
    doors
}
