//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::hmac::Keyed;
use hash_lanes_testing::laws::{Door, KEY, Message, outputs};
use hash_lanes_testing::{
    hash_doors, hasher_doors, hmac_doors, pbkdf2_doors, prefix_and_key_doors, try_door,
};
use sha2::{Digest, Sha256};
use sha256_multi::{Midstate, Sha256Lanes};

use crate::subject;

fn derive(password: &[u8]) -> Vec<u8> {
    let mut key = vec![0; 40];
    <subject::Sha256 as Keyed<32>>::pbkdf2(password, b"salt", 2, &mut key);
    key
}

pub(crate) fn doors() -> Vec<Door> {
    let hash = |message: &[u8]| Sha256::digest(message).to_vec();
    let mac = |message: &[u8]| <subject::Sha256 as Keyed<32>>::hmac(KEY, message).to_vec();
    let mut doors = Vec::new();

    doors.extend(hash_doors!("", _on, [sha256_multi::], 32, 64, hash));
    doors.push(try_door!("", _on, [sha256_multi::], 64, hash));
    doors.extend(hmac_doors!("", _on, [sha256_multi::], 32, 64, mac));
    doors.extend(pbkdf2_doors!("", _on, [sha256_multi::], 64, derive));

    doors.extend(hash_doors!("Sha256Lanes::", on, [Sha256Lanes::on(on).], 32, 64, hash));
    doors.push(try_door!("Sha256Lanes::", on, [Sha256Lanes::on(on).], 64, hash));
    doors.extend(hmac_doors!("Sha256Lanes::", on, [Sha256Lanes::on(on).], 32, 64, mac));
    doors.extend(pbkdf2_doors!("Sha256Lanes::", on, [Sha256Lanes::on(on).], 64, derive));
    doors.extend(prefix_and_key_doors!(on, Sha256Lanes::on(on), 32, 64, hash, mac));
    let new = hasher_doors!(
        "ManyHasher",
        on,
        count,
        Sha256Lanes::on(on).many_hasher(count),
        64,
        hash,
        |digests| digests
    );
    doors.extend(new);

    let twice = |message: &[u8]| Sha256::digest(Sha256::digest(message)).to_vec();
    let after = |message: &[u8]| Sha256::digest([&[7; 128], message].concat()).to_vec();
    let midstate = Midstate::new(&[7; 128]);
    macro_rules! pair {
        ($name:literal, $hash:expr, $into:expr, $reference:expr) => {
            doors.push(Door::new($name, 64, $reference, move |on, messages, _| {
                outputs($hash(Sha256Lanes::on(on), messages))
            }));
            let hash = move |on, messages: &mut dyn Iterator<Item = Message>, count| {
                let mut digests = vec![[0; 32]; count];
                $into(Sha256Lanes::on(on), messages, &mut digests[..]);
                outputs(digests)
            };
            doors.push(Door::new(concat!($name, "_into"), 64, $reference, hash).counted());
        };
    }
    type Messages<'m> = &'m mut dyn Iterator<Item = Message>;
    type Digests<'d> = &'d mut [[u8; 32]];
    pair!(
        "double_hash_many",
        |_, messages: Messages<'_>| sha256_multi::double_hash_many(messages),
        |_, messages: Messages<'_>, to: Digests<'_>| {
            sha256_multi::double_hash_many_into(messages, to);
        },
        twice
    );
    pair!(
        "Sha256Lanes::double_hash_many",
        |lanes: Sha256Lanes, messages: Messages<'_>| lanes.double_hash_many(messages),
        |lanes: Sha256Lanes, messages: Messages<'_>, to: Digests<'_>| {
            lanes.double_hash_many_into(messages, to);
        },
        twice
    );
    pair!(
        "Sha256Lanes::hash_many_after",
        |lanes: Sha256Lanes, messages: Messages<'_>| lanes.hash_many_after(&midstate, messages),
        |lanes: Sha256Lanes, messages: Messages<'_>, to: Digests<'_>| {
            lanes.hash_many_after_into(&midstate, messages, to);
        },
        after
    );
    pair!(
        "Midstate::hash_many",
        |_, messages: Messages<'_>| midstate.hash_many(messages),
        |_, messages: Messages<'_>, to: Digests<'_>| midstate.hash_many_into(messages, to),
        after
    );
    doors
}
