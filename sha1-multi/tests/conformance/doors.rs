//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::hmac::Keyed;
use hash_lanes_testing::laws::{Door, KEY};
use hash_lanes_testing::{
    hash_doors, hasher_doors, hmac_doors, pbkdf2_doors, prefix_and_key_doors, try_door,
};
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
    let mut doors = Vec::new();

    doors.extend(hash_doors!("", _on, [sha1_multi::], 20, 64, hash));
    doors.push(try_door!("", _on, [sha1_multi::], 64, hash));
    doors.extend(hmac_doors!("", _on, [sha1_multi::], 20, 64, mac));
    doors.extend(pbkdf2_doors!("", _on, [sha1_multi::], 64, derive));

    doors.extend(hash_doors!("Sha1Lanes::", on, [Sha1Lanes::on(on).], 20, 64, hash));
    doors.push(try_door!("Sha1Lanes::", on, [Sha1Lanes::on(on).], 64, hash));
    doors.extend(hmac_doors!("Sha1Lanes::", on, [Sha1Lanes::on(on).], 20, 64, mac));
    doors.extend(pbkdf2_doors!("Sha1Lanes::", on, [Sha1Lanes::on(on).], 64, derive));
    doors.extend(prefix_and_key_doors!(on, Sha1Lanes::on(on), 20, 64, hash, mac));
    let new = hasher_doors!(
        "ManyHasher",
        on,
        count,
        Sha1Lanes::on(on).many_hasher(count),
        64,
        hash,
        |digests| digests
    );
    doors.extend(new);
    doors
}
