//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::function_doors;
use hash_lanes_testing::laws::{Door, outputs};
use ripemd::{Digest, Ripemd160};
use ripemd_multi::{Hash160Lanes, Ripemd160Lanes};

pub(crate) fn doors() -> Vec<Door> {
    let hash = |message: &[u8]| Ripemd160::digest(message).to_vec();
    let hash160 = |message: &[u8]| Ripemd160::digest(sha2::Sha256::digest(message)).to_vec();
    function_doors!("", [ripemd_multi::], Ripemd160Lanes, 20, 64, hash)
        .chain(function_doors!(
            "hash160::", [ripemd_multi::hash160::], Hash160Lanes, 20, 64, hash160
        ))
        .chain([
            Door::new("hash160_many", 64, hash160, |_, messages, _| {
                outputs(ripemd_multi::hash160_many(messages))
            }),
            Door::new("hash160_many_into", 64, hash160, |_, messages, count| {
                let mut digests = vec![[0; 20]; count];
                ripemd_multi::hash160_many_into(messages, &mut digests);
                outputs(digests)
            })
            .counted(),
        ])
        .collect()
}
