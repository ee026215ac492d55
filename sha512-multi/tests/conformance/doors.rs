//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::hmac::Keyed;
use hash_lanes_testing::laws::{Door, KEY};
use hash_lanes_testing::{
    hash_doors, hasher_doors, hmac_doors, pbkdf2_doors, prefix_and_key_doors, try_door,
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha384, Sha512, Sha512_256};
use sha512_multi::{Sha384Lanes, Sha512_256Lanes, Sha512Lanes};

use crate::subject;

fn derive(password: &[u8]) -> Vec<u8> {
    let mut key = vec![0; 40];
    <subject::Sha512 as Keyed<64>>::pbkdf2(password, b"salt", 2, &mut key);
    key
}

pub(crate) fn doors() -> Vec<Door> {
    let hash = |message: &[u8]| Sha512::digest(message).to_vec();
    let mac = |message: &[u8]| <subject::Sha512 as Keyed<64>>::hmac(KEY, message).to_vec();
    let mut doors = Vec::new();

    doors.extend(hash_doors!("", _on, [sha512_multi::], 64, 128, hash));
    doors.push(try_door!("", _on, [sha512_multi::], 128, hash));
    doors.extend(hmac_doors!("", _on, [sha512_multi::], 64, 128, mac));
    doors.extend(pbkdf2_doors!("", _on, [sha512_multi::], 128, derive));

    doors.extend(hash_doors!("Sha512Lanes::", on, [Sha512Lanes::on(on).], 64, 128, hash));
    doors.push(try_door!("Sha512Lanes::", on, [Sha512Lanes::on(on).], 128, hash));
    doors.extend(hmac_doors!("Sha512Lanes::", on, [Sha512Lanes::on(on).], 64, 128, mac));
    doors.extend(pbkdf2_doors!("Sha512Lanes::", on, [Sha512Lanes::on(on).], 128, derive));
    doors.extend(prefix_and_key_doors!(on, Sha512Lanes::on(on), 64, 128, hash, mac));
    let new = hasher_doors!(
        "ManyHasher",
        on,
        count,
        Sha512Lanes::on(on).many_hasher(count),
        128,
        hash,
        |digests| digests
    );
    doors.extend(new);

    macro_rules! truncated {
        ($Lanes:ident, $Digest:ident, $N:literal) => {
            let name = concat!(stringify!($Lanes), "::");
            let hash = |message: &[u8]| $Digest::digest(message).to_vec();
            let mac = |message: &[u8]| {
                let mac = Hmac::<$Digest>::new_from_slice(KEY).unwrap();
                mac.chain_update(message).finalize().into_bytes().to_vec()
            };
            doors.extend(hash_doors!(name, on, [$Lanes::on(on).], $N, 128, hash));
            doors.push(try_door!(name, on, [$Lanes::on(on).], 128, hash));
            doors.extend(hmac_doors!(name, on, [$Lanes::on(on).], $N, 128, mac));
        };
    }
    truncated!(Sha384Lanes, Sha384, 48);
    truncated!(Sha512_256Lanes, Sha512_256, 32);
    doors
}
