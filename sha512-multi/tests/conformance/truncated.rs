//! Tests the hashes that share the kernels of SHA-512: they begin with another state, and keep
//! fewer bytes.

use ::hmac::{Hmac, KeyInit, Mac};
use hash_lanes_testing::{backends, painted};
use sha2::Digest;

/// Messages of equal lengths, in every number of padding blocks, and of many lengths.
fn batches() -> impl Iterator<Item = Vec<Vec<u8>>> {
    let equal = [0, 1, 63, 64, 111, 112, 127, 128, 129, 240, 300].into_iter().flat_map(|length| {
        [1, 2, 5, 17, 70].map(|count| (0..count).map(|i| painted(i, length)).collect())
    });
    equal.chain([(0..150).map(|i| painted(i, i * 37 % 900)).collect()])
}

macro_rules! truncated {
    ($($_name:literal, $module:ident, $Lanes:ident: $Hash:ident, $_bytes:literal;)+) => {$(
        mod $module {
            use sha512_multi::$Lanes;

            use super::*;

            #[test]
            fn messages() {
                for messages in batches() {
                    let expected: Vec<_> =
                        messages.iter().map(|bytes| sha2::$Hash::digest(bytes).0).collect();
                    for backend in backends() {
                        let lanes = $Lanes::on(backend);
                        assert_eq!(lanes.hash_many(&messages), expected, "{backend}");
                        assert_eq!(lanes.hash(&messages[0]), expected[0], "{backend}");
                        let mut hasher = lanes.many_hasher(messages.len());
                        hasher.update_all(&messages);
                        hasher.update(0, b"more");
                        let more = [&messages[0][..], b"more"].concat();
                        let expected = sha2::$Hash::digest(more).0;
                        assert_eq!(hasher.finalize_one(0), expected, "{backend}");
                        // It begins anew.
                        assert_eq!(hasher.finalize_one(0), sha2::$Hash::digest([]).0, "{backend}");
                    }
                }
            }

            #[test]
            fn macs() {
                for messages in batches() {
                    let keys: Vec<_> = (0..messages.len()).map(|i| painted(i, 3 * i)).collect();
                    let mac = |(key, message): (&Vec<u8>, &Vec<u8>)| {
                        let mac = Hmac::<sha2::$Hash>::new_from_slice(key).unwrap();
                        mac.chain_update(message).finalize().into_bytes().0
                    };
                    let expected: Vec<_> = keys.iter().zip(&messages).map(mac).collect();
                    for backend in backends() {
                        let macs = $Lanes::on(backend).hmac_many(&keys, &messages);
                        assert_eq!(macs, expected, "{backend}");
                    }
                }
            }
        }
    )+};
}

sha512_multi::each_truncated!(truncated);
