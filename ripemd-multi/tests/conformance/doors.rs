//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::laws::{Door, outputs};
use hash_lanes_testing::{concat_doors, hash_doors, hasher_doors, try_door};
use ripemd::{Digest, Ripemd160};
use ripemd_multi::Ripemd160Lanes;

pub(crate) fn doors() -> Vec<Door> {
    let hash = |message: &[u8]| Ripemd160::digest(message).to_vec();
    let hash160 = |message: &[u8]| Ripemd160::digest(sha2::Sha256::digest(message)).to_vec();
    let after = move |message: &[u8]| hash(&[&[7; 200], message].concat());
    let mut doors = Vec::new();

    doors.extend(hash_doors!("", _on, [ripemd_multi::], 20, 64, hash));
    doors.push(try_door!("", _on, [ripemd_multi::], 64, hash));
    doors.push(Door::new("hash160_many", 64, hash160, |_, messages, _| {
        outputs(ripemd_multi::hash160_many(messages))
    }));
    doors.push(
        Door::new("hash160_many_into", 64, hash160, |_, messages, count| {
            let mut digests = vec![[0; 20]; count];
            ripemd_multi::hash160_many_into(messages, &mut digests);
            outputs(digests)
        })
        .counted(),
    );

    let name = "Ripemd160Lanes::";
    doors.extend(hash_doors!(name, on, [Ripemd160Lanes::on(on).], 20, 64, hash));
    doors.push(try_door!(name, on, [Ripemd160Lanes::on(on).], 64, hash));
    doors.push(Door::new("Ripemd160Lanes::hash160_many", 64, hash160, |on, messages, _| {
        outputs(Ripemd160Lanes::on(on).hash160_many(messages))
    }));
    doors.push(
        Door::new("Ripemd160Lanes::hash160_many_into", 64, hash160, |on, messages, count| {
            let mut digests = vec![[0; 20]; count];
            Ripemd160Lanes::on(on).hash160_many_into(messages, &mut digests);
            outputs(digests)
        })
        .counted(),
    );
    doors.extend(concat_doors!(
        "Prefix::", on, [Ripemd160Lanes::on(on).prefix(&[7; 200]).], hash_many, hash_many_into, 20,
        64, after
    ));
    doors.extend(hasher_doors!(
        "ManyHasher",
        on,
        count,
        Ripemd160Lanes::on(on).many_hasher(count),
        64,
        hash,
        |digests| digests
    ));
    doors
}
