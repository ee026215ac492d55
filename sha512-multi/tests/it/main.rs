//! Tests published digests, and the constants against their definition, with every backend of this
//! machine.
//!
//! These tests are part of the package. Those in `tests/conformance` need a crate that is not
//! published.

mod chains;
mod published;

use hash_lanes::engine::{
    ByteOrder, CompiledHash, Portable, Scalar, Start, Words, padding_words_of_u64,
};
use sha512_multi::engine::Sha512;
use sha512_multi::hazmat::{IV, IV_384, IV_512_256, K, compress};
use sha512_multi::{Backend, ManyHasher, Sha512Lanes, hash};

fn backends() -> impl Iterator<Item = Backend> {
    Backend::available().into_iter().chain(Backend::single_kernels())
}

fn digest<const N: usize>(digits: &str) -> [u8; N] {
    hex::decode(digits).unwrap().try_into().unwrap()
}

/// The first primes.
fn primes() -> impl Iterator<Item = u128> {
    (2..).filter(|n| (2..*n).all(|divisor| n % divisor != 0))
}

/// Whether `root` is the integer part of the root of `prime * 2^shift` of this degree.
fn is_root(root: u128, degree: u32, prime: u128, bits: u32) -> bool {
    // In limbs of 32 bits, because a cube has more than 128.
    let power = |root: u128| (0..degree).fold(vec![1], |product, _| multiplied(&product, root));
    let mut target = vec![0; (degree * bits / 32) as usize];
    target.push(prime);
    let is_at_most = |power: &[u128]| compare(power, &target).is_le();
    is_at_most(&power(root)) && !is_at_most(&power(root + 1))
}

fn multiplied(limbs: &[u128], factor: u128) -> Vec<u128> {
    let mut product = vec![0; limbs.len() + 4];
    for (i, limb) in limbs.iter().enumerate() {
        for j in 0..4 {
            product[i + j] += limb * (factor >> (32 * j) & 0xffff_ffff);
        }
    }
    for i in 0..product.len() - 1 {
        product[i + 1] += product[i] >> 32;
        product[i] &= 0xffff_ffff;
    }
    product
}

fn compare(a: &[u128], b: &[u128]) -> std::cmp::Ordering {
    let limb = |limbs: &[u128], i: usize| limbs.get(i).copied().unwrap_or(0);
    let differing = (0..a.len().max(b.len())).rev().find(|&i| limb(a, i) != limb(b, i));
    differing.map_or(std::cmp::Ordering::Equal, |i| limb(a, i).cmp(&limb(b, i)))
}

/// K(t) are the first 64 bits of the fractional parts of cube roots of primes, and the initial hash
/// values those of square roots (FIPS 180-4 §4.2.3, §5.3.4, §5.3.5).
#[test]
fn constants_are_roots_of_primes() {
    for (k, prime) in K.into_iter().zip(primes()) {
        let integer = (1..8).rev().find(|n| n * n * n <= prime).unwrap();
        assert!(is_root(integer << 64 | u128::from(k), 3, prime, 64), "{prime}: {k:016x}");
    }
    for (word, prime) in IV.into_iter().chain(IV_384).zip(primes()) {
        let integer = (1..8).rev().find(|n| n * n <= prime).unwrap();
        assert!(is_root(integer << 64 | u128::from(word), 2, prime, 64), "{prime}: {word:016x}");
    }
}

/// The initial hash value of SHA-512/t is a digest by SHA-512 with another one (FIPS 180-4 §5.3.6).
#[test]
fn initial_value_of_a_truncated_hash() {
    let mut block = padding_words_of_u64(ByteOrder::Big, 8 * 11);
    block[0] = u64::from_be_bytes(*b"SHA-512/");
    block[1] |= u64::from_be_bytes(*b"256\0\0\0\0\0");
    let mut state = IV.map(|word| Scalar::splat(Portable, word ^ 0xa5a5_a5a5_a5a5_a5a5));
    compress(Portable, &mut state, block.map(Scalar));
    assert_eq!(state.map(|word| word.0), IV_512_256);
}

/// The first results of NIST's Monte Carlo test (SHAVS §6.4), with the seed of SHA512Monte.rsp.
/// Each result is the last of a thousand digests, and each digest is that of the previous three.
///
/// The same chain runs in 17 messages, to cover every lane and a remainder.
#[test]
fn first_monte_carlo_rounds() {
    const CHAINS: usize = 17;
    for backend in backends() {
        let mut seed: [u8; 64] = digest(
            "5c337de5caf35d18ed90b5cddfce001ca1b8ee8602f367e7c24ccca6f893802f\
             b1aca7a3dae32dcd60800a59959bc540d63237876b799229ae71a2526fbc52cd",
        );
        for expected in [
            "ada69add0071b794463c8806a177326735fa624b68ab7bcab2388b9276c036e4\
             eaaff87333e83c81c0bca0359d4aeebcbcfd314c0630e0c2af68c1fb19cc470e",
            "ef219b37c24ae507a2b2b26d1add51b31fb5327eb8c3b19b882fe38049433dbe\
             ccd63b3d5b99ba2398920bcefb8aca98cd28a1ee5d2aaf139ce58a15d71b06b4",
        ] {
            let mut last = [[seed; 3]; CHAINS];
            for _ in 0..1000 {
                let messages = last.iter().map(|three| three.as_flattened());
                let digests = Sha512Lanes::on(backend).hash_many(messages);
                for (three, digest) in last.iter_mut().zip(digests) {
                    *three = [three[1], three[2], digest];
                }
            }
            seed = digest(expected);
            assert!(last.iter().all(|three| three[2] == seed), "{backend}");
        }
    }
}

/// The seed of the first test vector of BIP 39, by 2048 rounds of PBKDF2.
#[test]
fn seed_of_a_mnemonic() {
    let words = ["abandon"; 11].join(" ") + " about";
    let expected: [u8; 64] = digest(
        "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e5349553\
         1f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04",
    );
    for backend in backends() {
        for count in [1, 2, 5, 9] {
            let seeds = Sha512Lanes::on(backend).pbkdf2_many(
                vec![&words; count],
                vec!["mnemonicTREZOR"; count],
                2048,
            );
            assert_eq!(seeds, vec![expected; count], "{backend}, {count}");
        }
    }
}

/// The length of a message has 128 bits, more than fit into a word.
#[test]
fn lengths_beyond_64_bits() {
    let before = u64::MAX - 1023;
    let (state, message) = ([9; 64], [7; 200]);
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(240, 0);
    padded.extend((8 * (u128::from(before) + 200)).to_be_bytes());
    let padded_here = Start::continuing(Some(&state), 0);
    for backend in backends() {
        let expected = Sha512::hash_one(backend, padded_here, &padded);
        for count in [1, 3, 17] {
            let mut hasher = ManyHasher::after_prefix(backend, state, before, count);
            hasher.update_all(&vec![message; count]);
            assert_eq!(hasher.finalize(), vec![expected; count], "{backend}, {count}");
        }
    }
}

#[test]
fn one_message_on_the_default_backend() {
    assert_eq!(hash(b"abc")[..4], [0xdd, 0xaf, 0x35, 0xa1]);
}
