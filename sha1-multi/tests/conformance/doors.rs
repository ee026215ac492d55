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
    let doors = function_doors!("", [sha1_multi::], Sha1Lanes, 20, 64, hash)
        .chain(keyed_doors!("", [sha1_multi::], Sha1Lanes, 20, 64, mac))
        .chain(pbkdf2_doors!("", _on, [sha1_multi::], 64, derive))
        .chain(pbkdf2_doors!("Lanes::", on, [Sha1Lanes::on(on).], 64, derive));
    #[cfg(feature = "collision-detection")]
    let doors = doors.chain(checked_doors());
    doors.collect()
}

/// The doors of collision detection.
#[cfg(feature = "collision-detection")]
fn checked_doors() -> Vec<Door> {
    use hash_lanes_testing::hasher_doors;
    use hash_lanes_testing::laws::{Message, outputs};
    use sha1_multi::checked::{self, Checked, CheckedLanes};

    fn hash(message: &[u8]) -> Vec<u8> {
        subject::checked_reference(message).as_mut().to_vec()
    }

    let prefixed = |message: &[u8]| hash(&[&[7; 200], message].concat());
    let mut doors = vec![
        Door::new("checked::hash_many", 64, hash, |_, messages, _| {
            outputs(checked::hash_many(messages))
        }),
        Door::new("checked::hash_many_into", 64, hash, |_, messages, count| {
            let mut digests = vec![Checked::default(); count];
            checked::hash_many_into(messages, &mut digests);
            outputs(digests)
        })
        .counted(),
        Door::new("checked::try_hash_many", 64, hash, |_, messages, _| {
            outputs(checked::try_hash_many(messages.map(Ok::<_, ()>)).unwrap())
        }),
        Door::new("checked::hash_concat_many", 64, hash, |_, messages, _| {
            outputs(checked::hash_concat_many(messages.map(Message::in_two)))
        }),
        Door::new("checked::hash_concat_many_into", 64, hash, |_, messages, count| {
            let mut digests = vec![Checked::default(); count];
            checked::hash_concat_many_into(messages.map(Message::in_four), &mut digests);
            outputs(digests)
        })
        .counted(),
        Door::new("checked::CheckedLanes::hash_many", 64, hash, |on, messages, _| {
            outputs(CheckedLanes::on(on).hash_many(messages))
        }),
        Door::new("checked::Prefix::hash_many", 64, prefixed, |on, messages, _| {
            let prefix = CheckedLanes::on(on).prefix(&[7; 200]);
            outputs(prefix.hash_many(messages.map(Message::in_two)))
        }),
    ];
    doors.extend(hasher_doors!(
        "checked::ManyHasher",
        on,
        count,
        CheckedLanes::on(on).many_hasher(count),
        64,
        hash,
        |digests| digests
    ));
    doors
}
