//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use blake2::Digest;
use blake2::digest::consts::{U16, U32, U64};
use blake2::digest::{KeyInit, Mac};
use blake2_multi::Backend;
use hash_lanes_testing::laws::{Door, KEY};
use hash_lanes_testing::{concat_doors, function_doors, hash_doors, hasher_doors, try_door};

/// The beginning of the key of all doors, which is longer than a key of BLAKE2s.
const SHORT_KEY: &[u8] = KEY.split_at(17).0;

pub(crate) fn doors() -> Vec<Door> {
    let mut doors = Vec::new();
    macro_rules! functions {
        ($(
            $module:ident, $Lanes:ident, $Hash:ident, $Mac:ident<$Size:ident>: $N:literal,
            $block:literal;
        )+) => {$({
            use blake2_multi::$module::Params;

            let hash = |message: &[u8]| blake2::$Hash::digest(message).to_vec();
            let name = concat!(stringify!($module), "::");
            doors.extend(function_doors!(
                name, [blake2_multi::$module::], blake2_multi::$Lanes, $N, $block, hash
            ));

            fn params(on: Backend) -> Params {
                Params::new().key(SHORT_KEY).on(on)
            }
            let mac = |message: &[u8]| {
                let mac = blake2::$Mac::<$Size>::new_from_slice(SHORT_KEY).unwrap();
                mac.chain_update(message).finalize().into_bytes().to_vec()
            };
            let keyed = hash_doors!("Params::", on, [params(on).], $N, $block, mac)
                .into_iter()
                .chain([try_door!("Params::", on, [params(on).], $block, mac)])
                .chain(concat_doors!(
                    "Params::prefix::", on, [params(on).prefix(&[]).], hash_many, hash_many_into,
                    $N, $block, mac
                ))
                .chain(hasher_doors!(
                    "Params::many_hasher", on, count, params(on).many_hasher(count), $block, mac,
                    |digests| digests
                ))
                .map(|door| door.with_key(SHORT_KEY));
            doors.extend(keyed);
        })+};
    }
    functions! {
        blake2s256, Blake2s256Lanes, Blake2s256, Blake2sMac<U32>: 32, 64;
        blake2s128, Blake2s128Lanes, Blake2s128, Blake2sMac<U16>: 16, 64;
        blake2b512, Blake2b512Lanes, Blake2b512, Blake2bMac<U64>: 64, 128;
        blake2b256, Blake2b256Lanes, Blake2b256, Blake2bMac<U32>: 32, 128;
    }
    doors
}
