//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::hmac::Keyed;
use hash_lanes_testing::laws::{Door, KEY};
use hash_lanes_testing::{function_doors, keyed_doors, pbkdf2_doors};
use sha1::{Digest, Sha1};
use sha1_multi::Sha1Lanes;

use crate::subject;

fn derive(password: &[u8]) -> Vec<u8> {
    let mut key = vec![0; 40];
    <subject::Sha1 as Keyed<20>>::pbkdf2(password, b"salt", 2, &mut key);
    key
}

pub(crate) fn doors() -> Vec<Door> {
    let hash = |message: &[u8]| Sha1::digest(message).to_vec();
    let mac = |message: &[u8]| <subject::Sha1 as Keyed<20>>::hmac(KEY, message).to_vec();
    function_doors!("", [sha1_multi::], Sha1Lanes, 20, 64, hash)
        .chain(keyed_doors!("", [sha1_multi::], Sha1Lanes, 20, 64, mac))
        .chain(pbkdf2_doors!("", _on, [sha1_multi::], 64, derive))
        .chain(pbkdf2_doors!("Lanes::", on, [Sha1Lanes::on(on).], 64, derive))
        .collect()
}
