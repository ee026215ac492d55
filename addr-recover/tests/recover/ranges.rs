//! Ranges of private keys: published addresses, and each hash one at a time with other crates.

use addr_recover::{AddressHashes, KeyFinder, KeyHash, KeyRange, KeyRangeError};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::sec1::ToEncodedPoint;
use k256::{ProjectivePoint, Scalar};
use proptest::prelude::*;
use ripemd::Ripemd160;
use sha2::{Digest, Sha256};
use sha3::Keccak256;

const HASHES: [KeyHash; 4] =
    [KeyHash::Compressed, KeyHash::Uncompressed, KeyHash::P2shP2wpkh, KeyHash::Ethereum];

/// Another crate's type of a private key.
fn scalar(key: &[u8; 32]) -> Scalar {
    Scalar::from_repr((*key).into()).unwrap()
}

fn key(scalar: Scalar) -> [u8; 32] {
    scalar.to_bytes().into()
}

fn small(number: u64) -> [u8; 32] {
    key(Scalar::from(number))
}

/// The order less a number.
fn negative(number: u64) -> [u8; 32] {
    key(-Scalar::from(number))
}

/// A number with one byte that is not zero.
fn byte(at: usize, value: u8) -> [u8; 32] {
    std::array::from_fn(|it| if it == at { value } else { 0 })
}

fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(bytes)).into()
}

/// The hash of a public key, computed alone.
fn expected(hash: KeyHash, secret: Scalar) -> [u8; 20] {
    let point = (ProjectivePoint::GENERATOR * secret).to_affine();
    let encoded = |is_compressed| point.to_encoded_point(is_compressed);
    match hash {
        KeyHash::Compressed => hash160(encoded(true).as_bytes()),
        KeyHash::Uncompressed => hash160(encoded(false).as_bytes()),
        KeyHash::P2shP2wpkh => {
            hash160(&[&[0, 20][..], &hash160(encoded(true).as_bytes())].concat())
        }
        KeyHash::Ethereum => {
            let digest = Keccak256::digest(&encoded(false).as_bytes()[1..]);
            digest[12..].try_into().unwrap()
        }
        _ => unreachable!("{hash:?}"),
    }
}

/// Compares all hashes of a range.
fn check(first: &[u8; 32], step: &[u8; 32], len: u64) {
    let range = KeyRange::new(first, step, len).unwrap();
    assert_eq!((range.len(), range.is_empty()), (len, len == 0));
    for hash in HASHES {
        let hashes = range.hashes(hash);
        assert_eq!(hashes.size_hint(), (len as usize, Some(len as usize)));
        let hashes: Vec<[u8; 20]> = hashes.collect();
        assert_eq!(hashes.len() as u64, len);
        let mut secret = scalar(first);
        for (at, found) in hashes.iter().enumerate() {
            assert_eq!(*range.key(at as u64), key(secret), "{at}");
            assert_eq!(*found, expected(hash, secret), "{hash:?} {at} of {first:x?} {step:x?}");
            secret += scalar(step);
        }
    }
}

/// From the wiki of Bitcoin ("Technical background of version 1 Bitcoin addresses"), BIP 173, BIP
/// 49, and the first two accounts that wallets of Ethereum list for the private keys 1 and 2.
#[test]
fn published_hashes() {
    let wiki = "18e14a7b6a307f426a94f8114701e7c8e774e7f9a47e2c2035db29a206321725";
    let bip_49 = "c9bdb49cfbaedca21c4b1f3a7803c34636b1d7dc55a717132443fc3f4c5867e8";
    let one = hex::encode(small(1));
    let two = hex::encode(small(2));
    for (secret, hash, expected) in [
        (wiki, KeyHash::Compressed, "f54a5851e9372b87810a8e60cdd2e7cfd80b6e31"),
        (&*one, KeyHash::Compressed, "751e76e8199196d454941c45d1b3a323f1433bd6"),
        (&one, KeyHash::Uncompressed, "91b24bf9f5288532960ac687abb035127b1d28a5"),
        (bip_49, KeyHash::P2shP2wpkh, "336caa13e08b96080a32b5d818d59b4ab3b36742"),
        (&one, KeyHash::Ethereum, "7e5f4552091a69125d5dfcb7b8c2659029395bdf"),
        (&two, KeyHash::Ethereum, "2b5ad5c4795c026514f8317c7a215e218dccd6cf"),
    ] {
        let secret: [u8; 32] = hex::decode(secret).unwrap().try_into().unwrap();
        let range = KeyRange::new(&secret, &[0; 32], 1).unwrap();
        assert_eq!(range.hashes(hash).map(hex::encode).collect::<Vec<_>>(), [expected]);
        assert_eq!(hex::encode(hash.of(&secret).unwrap()), expected);
    }
}

/// Points that the formulas for different points cannot add: equal ones (the first private keys
/// are multiples of the step), opposite ones (the last step would reach the order), the same one
/// again (the step 0), and none.
#[test]
fn the_ends_of_the_curve_and_of_batches() {
    let random = [0x5e; 32];
    for (first, step, len) in [
        (small(1), small(1), 1300),
        (small(1), small(0), 5),
        (random, small(0), 700),
        (random, small(1), 0),
        (random, small(1), 1),
        (random, small(1), 2),
        (random, small(1), 511),
        (random, small(1), 512),
        (random, small(1), 513),
        (random, small(1), 2049),
        (small(3), small(3), 600),
        (small(7), byte(0, 1), 200),
        (byte(0, 1), byte(0, 1), 255),
        (byte(7, 0xff), byte(7, 0xff), 256),
        (negative(1), small(1), 1),
        (negative(1), negative(1), 1),
        (negative(6), small(1), 6),
        (negative(7), small(1), 7),
        (negative(600), small(1), 600),
        (negative(1500), small(3), 500),
        (small(1), negative(2), 2),
    ] {
        check(&first, &step, len);
    }
}

#[test]
fn all_private_keys_of_a_range_are_legal() {
    let order = key(-Scalar::ONE).map(|byte| byte);
    let is_legal = |first, step, len| KeyRange::new(&first, &step, len).is_ok();
    assert_eq!(order, negative(1));
    for (first, step, len) in [
        (small(0), small(1), 1),
        (negative(1), small(1), 2),
        (negative(6), small(1), 7),
        (small(1), negative(1), 2),
        (small(1), [0xff; 32], u64::MAX),
        ([0xff; 32], small(0), 1),
        (small(1), byte(0, 0x10), 18),
    ] {
        let error = KeyRange::new(&first, &step, len).unwrap_err();
        assert_eq!(error, KeyRangeError);
        assert_eq!(error.to_string(), "private keys are from 1 to the order of secp256k1 less 1");
    }
    assert!(is_legal(small(1), byte(0, 0x10), 16));
    assert!(is_legal(small(1), small(1), u64::MAX) && is_legal(small(0), small(0), 0));
    let long = KeyRange::new(&small(1), &small(1), u64::MAX).unwrap();
    assert_eq!(*long.key(u64::MAX - 1), small(u64::MAX));
    assert_eq!(long.hashes(KeyHash::Compressed).nth(99), KeyHash::Compressed.of(&small(100)));
    assert_eq!(KeyHash::Compressed.of(&small(0)), None);
    assert_eq!(KeyHash::Compressed.of(&[0xff; 32]), None);
    assert_eq!(format!("{long:?}"), format!("KeyRange {{ len: {}, .. }}", u64::MAX));
}

#[test]
#[should_panic(expected = "private key 5 of 5")]
fn no_key_follows_the_last_one() {
    let _ = KeyRange::new(&small(1), &small(1), 5).unwrap().key(5);
}

/// Ranges as damaged keys have: many short ones with different steps.
#[test]
fn a_key_is_found_wherever_it_is() {
    let range = |begin: u8, step, len| {
        let first = std::array::from_fn(|at| begin.wrapping_add(at as u8) | 1);
        KeyRange::new(&first, &step, len).unwrap()
    };
    let mut ranges = vec![range(0x60, small(1), 1500), range(0x41, small(0), 1)];
    ranges.extend((0..90).map(|at| range(at, byte(usize::from(at) / 3, 1), 16)));
    ranges.push(KeyRange::new(&small(1), &small(1), 40).unwrap());
    ranges.push(KeyRange::new(&negative(40), &small(1), 40).unwrap());
    for (hash, stride) in HASHES.into_iter().zip([37, 101, 113, 127]) {
        let all = ranges.iter().flat_map(|it| (0..it.len()).map(|at| it.key(at)));
        for key in all.step_by(stride) {
            let wanted = expected(hash, scalar(&key));
            for prepared in [&ranges[..], &[]] {
                let finder = KeyFinder::new(&wanted, &HASHES, prepared);
                let mut found = Vec::new();
                finder.find(&ranges, &mut |key, _| found.push(*key));
                assert!(!found.is_empty() && found.iter().all(|it| *it == *key));
                if !prepared.is_empty() {
                    continue;
                }
            }
        }
    }
    let finder = KeyFinder::new(&[7; 20], &HASHES, &ranges);
    finder.find(&ranges, &mut |key, _| panic!("{key:?}"));
    assert!(!format!("{finder:?}").contains("60"));
}

/// The order of the curve is the first number that is no private key.
#[test]
fn the_order_is_no_private_key() {
    let mut order = negative(1);
    order[31] += 1;
    for (step, len) in [(small(0), 1), (small(1), 1), (small(1), 2)] {
        assert_eq!(KeyRange::new(&order, &step, len), Err(KeyRangeError));
    }
    assert_eq!(KeyHash::Compressed.of(&order), None);
}

/// More ranges than are computed together.
#[test]
fn the_last_of_many_ranges_of_one_key_is_found() {
    let range = |number: u64| KeyRange::new(&small(3 * number + 5), &small(0), 1).unwrap();
    let ranges: Vec<KeyRange> = (0..2049).map(range).collect();
    for at in [0, 2047, 2048] {
        let key = ranges[at].key(0);
        let finder = KeyFinder::new(&KeyHash::Compressed.of(&key).unwrap(), &HASHES, &ranges);
        let mut found = Vec::new();
        finder.find(&ranges, &mut |key, _| found.push(*key));
        assert_eq!(found, [*key]);
    }
}

/// Across many batches.
#[test]
fn every_hash_of_a_long_range() {
    let range = KeyRange::new(&small(9), &small(2), 20_000).unwrap();
    let hashes: Vec<[u8; 20]> = range.hashes(KeyHash::Compressed).collect();
    assert_eq!(hashes.len(), 20_000);
    for at in (0..20_000).step_by(997).chain([19_999]) {
        let expected = KeyHash::Compressed.of(&small(9 + 2 * at)).unwrap();
        assert_eq!(hashes[at as usize], expected, "{at}");
    }
}

/// Random numbers, all of them private keys.
fn random_keys(count: u32) -> Vec<[u8; 32]> {
    let key = |at: u32| {
        let mut key: [u8; 32] = Sha256::digest(at.to_be_bytes()).into();
        key[0] &= 0x7f;
        key
    };
    (0..count).map(key).collect()
}

/// One key in a hundred of a range has an address in the list, in either kind of hash.
#[test]
fn keys_of_many_addresses_are_found() {
    let range = KeyRange::new(&small(1000), &small(7), 3000).unwrap();
    let kinds = [KeyHash::Compressed, KeyHash::Ethereum];
    let mut wanted = Vec::new();
    for at in (0..3000).step_by(100) {
        let kind = kinds[usize::from(at % 200 == 0)];
        let key = *range.key(at);
        wanted.push((key, kind, kind.of(&key).unwrap()));
    }
    let addresses: AddressHashes = wanted.iter().map(|&(_, _, hash)| hash).collect();
    let finder = KeyFinder::new(addresses, &kinds, [&range]);
    let check = |mut found: Vec<([u8; 32], KeyHash)>| {
        found.sort_unstable();
        let expected: Vec<_> = wanted.iter().map(|&(key, kind, _)| (key, kind)).collect();
        assert_eq!(found, expected);
    };
    let mut found = Vec::new();
    finder.find(std::slice::from_ref(&range), &mut |key, kind| found.push((*key, kind)));
    check(found);
    let mut found = Vec::new();
    let keys = (0..range.len()).map(|at| *range.key(at));
    finder.find_keys(keys, &mut |key, kind| found.push((*key, kind)));
    check(found);
}

/// More keys than are computed together, with those that the formulas for different points cannot
/// add: equal ones, neighbours, and the ends of the legal numbers. What is no private key is passed
/// over.
#[test]
fn keys_of_any_value_are_found() {
    let mut order = negative(1);
    order[31] += 1;
    let mut keys = vec![[0; 32], small(1), small(2), small(2), small(3), negative(1), negative(2)];
    keys.extend((0..32).map(|at| byte(at, 1)));
    keys.extend([order, [0xff; 32]]);
    keys.extend(random_keys(2500));
    keys.extend([keys[50], small(1)]);
    let legal: Vec<[u8; 32]> =
        keys.iter().copied().filter(|key| KeyHash::Compressed.of(key).is_some()).collect();
    assert_eq!(keys.len() - legal.len(), 3);
    for hash in [KeyHash::Compressed, KeyHash::Uncompressed] {
        // With the hashes of the numbers that are no private keys, reduced by the order.
        let all = legal.iter().map(|key| expected(hash, scalar(key)));
        let finder = KeyFinder::new(AddressHashes::new(all), &[hash], [] as [&KeyRange; 0]);
        let mut found = Vec::new();
        finder.find_keys(&keys, &mut |key, kind| {
            assert_eq!(kind, hash);
            found.push(*key);
        });
        assert_eq!(found, legal);
    }
    let finder = KeyFinder::new(&[7; 20], &HASHES, [] as [&KeyRange; 0]);
    finder.find_keys(&keys, &mut |key, _| panic!("{key:?}"));
    finder.find_keys([] as [[u8; 32]; 0], &mut |key, _| panic!("{key:?}"));
    let none = KeyFinder::new(AddressHashes::new([]), &HASHES, [] as [&KeyRange; 0]);
    none.find_keys(&keys, &mut |key, _| panic!("{key:?}"));
}

/// Hashes that share their first bits pass the filter, and are told apart by the list.
#[test]
fn address_hashes_are_exact() {
    for count in [0_u32, 1, 2, 100, 5000, 70_000] {
        let hash = |at: u32| -> [u8; 20] {
            let digest = Sha256::digest(at.to_be_bytes());
            std::array::from_fn(|at| digest[at])
        };
        let hashes = AddressHashes::new((0..count).rev().map(hash).chain((0..count).map(hash)));
        assert_eq!((hashes.len(), hashes.is_empty()), (count as usize, count == 0));
        for at in 0..count {
            let hash = hash(at);
            assert!(hashes.contains(&hash), "{at} of {count}");
            for byte in [0, 2, 3, 4, 19] {
                let mut other = hash;
                other[byte] ^= 1;
                assert!(!hashes.contains(&other), "{at} of {count}, another byte {byte}");
            }
        }
        assert!((count..2 * count + 1000).all(|at| !hashes.contains(&hash(at))));
        let mut sorted: Vec<[u8; 20]> = (0..count).map(hash).collect();
        sorted.sort_unstable();
        assert_eq!(AddressHashes::read_sorted(&sorted.concat()[..]).unwrap(), hashes);
        assert!(format!("{hashes:?}").ends_with(&format!("len: {count}, .. }}")));
    }
}

#[test]
fn a_file_that_is_no_sorted_list_is_refused() {
    let hash = |first: u8| [first; 20];
    for (file, error) in [
        (vec![1; 19], "the hash at byte 0 has 19 of 20 bytes"),
        (vec![1; 41], "the hash at byte 40 has 1 of 20 bytes"),
        ([hash(1), hash(2), hash(2)].concat(), "the hash at byte 40 is not greater than"),
        ([hash(2), hash(1)].concat(), "the hash at byte 20 is not greater than"),
    ] {
        let found = AddressHashes::read_sorted(&file[..]).unwrap_err();
        assert_eq!(found.kind(), std::io::ErrorKind::InvalidData);
        assert!(found.to_string().contains(error), "{found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn hashes_are_those_of_single_keys(
        first in any::<[u8; 32]>(),
        step in any::<[u8; 32]>(),
        zeros in 2_usize..32,
        len in 1_u64..700,
    ) {
        let mut first = first;
        first[0] &= 0x7f;
        first[31] |= 1;
        let step = std::array::from_fn(|at| if at < zeros { 0 } else { step[at] });
        check(&first, &step, len);
    }
}
