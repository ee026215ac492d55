//! The digest types in code that is generic over the traits of `digest`: HMAC, trait objects and
//! `Update`.

use crate::painted;
use crate::reference::Reference;

/// Keys and messages with their HMAC by go-sumhash 0.1.0 and Go's `crypto/hmac`.
fn published_hmacs() -> [(Vec<u8>, Vec<u8>, &'static str); 4] {
    let bytes: Vec<u8> = (0..100).collect();
    [
        (
            b"key".to_vec(),
            b"The quick brown fox jumps over the lazy dog".to_vec(),
            "9455fc6f02897c46b86b02b528f2d51884c1279cd42b02b7baf5fc3881aefcc23fe8888c77237624f12af6fae6300f28\
             23fa2f044a7bd5c2ff3c59d2051513f8",
        ),
        (
            vec![],
            vec![],
            "aa6d9d77e9fe27bc0c9d030f03bbf7203e5bfd2ed75044eda075bf5885a350884d580535f740a9fa1a6837a795110858\
             2c21db8dd4c1e93711a9eb7605da864f",
        ),
        (
            bytes[..64].to_vec(),
            b"block-sized key".to_vec(),
            "4ece4067633bf4dfea3e69607ceb03ede4a7a45a30f43edcbbb62267f180e672745531780afaac092e2c5d9ab45145d2\
             e8b2d24b1608781aac3d0a7c90c846bb",
        ),
        (
            bytes.clone(),
            bytes,
            "96715306b0cc24e6a917ebccd70dcd1578b3f338c507ce0721ad31bb14a71bdae7a55e0ac07ff7bbf1c98c35bc35e970\
             c1db063f23dfcda484dec01fda03db4a",
        ),
    ]
}

/// HMAC as RFC 2104 §2 defines it, over the reference.
fn hmac_by_definition(reference: &Reference, key: &[u8], message: &[u8]) -> [u8; 64] {
    let mut block = [0; 64];
    if key.len() > block.len() {
        block = reference.digest(key);
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let (ipad, opad) = (block.map(|byte| byte ^ 0x36), block.map(|byte| byte ^ 0x5c));
    let inner = reference.digest(&[&ipad, message].concat());
    reference.digest(&[opad, inner].concat())
}

/// Tests one digest type of one generation.
macro_rules! digest_type {
    ($feature:literal, $module:ident, $digest:ident, $hmac:ident, $Type:path) => {
        #[cfg(feature = $feature)]
        mod $module {
            use $Type as Hash;
            use $digest::{Digest, DynDigest, FixedOutput, Update};
            use $hmac::digest::KeyInit;
            use $hmac::{Hmac, Mac, SimpleHmac};

            use super::*;

            fn mac<M: Mac + KeyInit + Clone>(key: &[u8], message: &[u8]) -> Vec<u8> {
                let mut mac = <M as KeyInit>::new_from_slice(key).unwrap();
                let (first, second) = message.split_at(message.len() / 3);
                mac.update(first);
                mac.update(second);
                let tag = mac.clone().finalize().into_bytes().to_vec();
                mac.clone().verify_slice(&tag).unwrap();
                assert!(mac.verify_slice(&[0; 64]).is_err());
                tag
            }

            #[test]
            fn published_hmacs() {
                for (key, message, expected) in super::published_hmacs() {
                    assert_eq!(hex::encode(mac::<Hmac<Hash>>(&key, &message)), expected);
                    assert_eq!(hex::encode(mac::<SimpleHmac<Hash>>(&key, &message)), expected);
                }
            }

            #[test]
            fn hmacs_by_definition() {
                let reference = Reference::sumhash512();
                for key_len in [0, 1, 63, 64, 65, 200] {
                    for len in [0, 1, 46, 47, 48, 63, 64, 65, 300] {
                        let (key, message) = (painted(key_len, key_len), painted(len, len));
                        assert_eq!(
                            mac::<Hmac<Hash>>(&key, &message),
                            hmac_by_definition(&reference, &key, &message),
                            "a key of {key_len} bytes, a message of {len} bytes"
                        );
                    }
                }
            }

            #[test]
            fn trait_objects() {
                let reference = Reference::sumhash512();
                let mut hasher: Box<dyn DynDigest> = Box::new(<Hash as Digest>::new());
                assert_eq!(hasher.output_size(), 64);
                for len in [0, 1, 47, 48, 64, 200] {
                    let message = painted(len, len);
                    let expected = reference.digest(&message);
                    let (first, second) = message.split_at(len / 2);
                    hasher.update(first);
                    let mut copy = hasher.clone();
                    hasher.update(second);
                    copy.update(second);
                    assert_eq!(*copy.finalize(), expected, "{len} bytes");
                    assert_eq!(*hasher.finalize_reset(), expected, "{len} bytes");

                    hasher.update(&message);
                    hasher.reset();
                    hasher.update(&message);
                    let mut digest = [0; 64];
                    hasher.finalize_into_reset(&mut digest).unwrap();
                    assert_eq!(digest, expected, "{len} bytes, after a reset");
                }
                assert!(hasher.finalize_into_reset(&mut [0; 63]).is_err());
                assert!(hasher.finalize_into_reset(&mut [0; 65]).is_err());
            }

            /// Feeds parts with their lengths to anything that takes bytes.
            fn feed<H: Update + ?Sized>(hasher: &mut H, parts: &[&[u8]]) {
                for part in parts {
                    hasher.update(&part.len().to_le_bytes());
                    hasher.update(part);
                }
            }

            fn digest_of<H: Update + FixedOutput>(mut hasher: H, parts: &[&[u8]]) -> Vec<u8> {
                feed(&mut hasher, parts);
                hasher.finalize_fixed().to_vec()
            }

            #[test]
            fn generic_over_update() {
                let reference = Reference::sumhash512();
                let message = painted(3, 300);
                let parts = [&message[..], &[], &message[..64], &message[..5]];
                for parts in [&parts[..0], &parts[1..2], &parts] {
                    let mut expected = reference_input(parts);
                    assert_eq!(digest_of(Hash::default(), parts), reference.digest(&expected));

                    let mut hasher = Hash::default();
                    feed::<dyn Update>(&mut hasher, parts);
                    feed::<dyn Update>(&mut hasher, parts);
                    expected.extend(reference_input(parts));
                    assert_eq!(hasher.finalize_fixed()[..], reference.digest(&expected));
                }
            }
        }
    };
}
digest_type!("digest", of_0_11, digest, hmac, sumhash512::Sumhash512);
digest_type!("digest", ct_of_0_11, digest, hmac, sumhash512::Sumhash512Ct);
digest_type!("digest-0_10", of_0_10, digest_0_10, hmac_0_12, sumhash512::digest_0_10::Sumhash512);
digest_type!(
    "digest-0_10",
    ct_of_0_10,
    digest_0_10,
    hmac_0_12,
    sumhash512::digest_0_10::Sumhash512Ct
);

/// What `feed` hashes.
fn reference_input(parts: &[&[u8]]) -> Vec<u8> {
    parts.iter().flat_map(|part| [&part.len().to_le_bytes(), *part].concat()).collect()
}
