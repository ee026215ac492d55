//! Compares Keccak in lanes with the crates that its users have: `alloy-primitives` for Ethereum
//! and `ml-kem`.

use alloy_primitives::{Address, B256, U256, keccak256};
use ml_kem::kem::KeyExport as _;
use sha3_multi::{XofLanes, sha3_512};

/// What `keccak256` of `alloy-primitives` gives, for many messages: an adapter is a conversion.
fn keccak256_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<B256> {
    sha3_multi::keccak256::hash_many(messages).into_iter().map(B256::from).collect()
}

#[test]
fn many_messages_of_alloy() {
    let messages: Vec<Vec<u8>> = (0..200).map(|i| vec![i as u8; i * 7 % 600]).collect();
    let expected: Vec<B256> = messages.iter().map(keccak256).collect();
    assert_eq!(keccak256_many(&messages), expected);
}

#[test]
fn addresses_of_public_keys() {
    let keys: Vec<[u8; 64]> = (0..100).map(|i| [i; 64]).collect();
    let digests = sha3_multi::keccak256::hash_many(&keys);
    for (key, digest) in keys.iter().zip(digests) {
        assert_eq!(Address::from_slice(&digest[12..]), Address::from_raw_public_key(key));
    }
}

#[test]
fn checksummed_addresses() {
    let addresses: Vec<Address> = (0..100).map(Address::repeat_byte).collect();
    let lower: Vec<String> = addresses.iter().map(|it| format!("{it:x}")).collect();
    let digests = sha3_multi::keccak256::hash_many(lower.iter().map(|it| &it[it.len() - 40..]));
    for ((address, lower), digest) in addresses.iter().zip(&lower).zip(digests) {
        let digits = lower[lower.len() - 40..].char_indices().map(|(i, digit)| {
            let nibble = digest[i / 2] >> (4 * (1 - i % 2)) & 0xf;
            if nibble >= 8 { digit.to_ascii_uppercase() } else { digit }
        });
        assert_eq!(format!("0x{}", digits.collect::<String>()), address.to_checksum(None));
    }
}

#[test]
fn slots_of_mappings() {
    let slot = U256::from(3).to_be_bytes::<32>();
    let keys: Vec<[u8; 32]> = (0..100_u64).map(|i| U256::from(i).to_be_bytes()).collect();
    let slots = sha3_multi::keccak256::hash_concat_many(keys.iter().map(|key| (key, slot)));
    for (key, digest) in keys.iter().zip(slots) {
        assert_eq!(B256::from(digest), keccak256([*key, slot].concat()));
    }
}

/// The modulus of ML-KEM (FIPS 203 §2.3), and the rank of ML-KEM-768.
const Q: u32 = 3329;
const K: usize = 3;

type Polynomial = [u32; 256];

/// 17 to the power of `exponent`.
fn power(exponent: u32) -> u32 {
    (0..exponent).fold(1, |power, _| power * 17 % Q)
}

fn reverse_7(bits: usize) -> u32 {
    (bits as u32).reverse_bits() >> 25
}

/// The matrix (FIPS 203, algorithm 13, lines 3 to 7): nine outputs of SHAKE128 in lanes, of three
/// blocks at first, and more for those whose coefficients are rejected too often.
fn matrix(rho: [u8; 32]) -> [[Polynomial; K]; K] {
    let cells = (0..K).flat_map(|i| (0..K).map(move |j| [j as u8, i as u8]));
    let mut readers = XofLanes::shake128().readers_concat(cells.map(|cell| (rho, cell)));
    let mut coefficients = vec![Vec::new(); K * K];
    while coefficients.iter().any(|coefficients| coefficients.len() < 256) {
        for (coefficients, bytes) in coefficients.iter_mut().zip(readers.read::<504>()) {
            // SampleNTT (algorithm 7).
            for &[a, b, c] in bytes.as_chunks::<3>().0 {
                let [a, b, c] = [a, b, c].map(u32::from);
                let pair = [a + 256 * (b % 16), b / 16 + 16 * c];
                coefficients.extend(pair.into_iter().filter(|&coefficient| coefficient < Q));
            }
        }
    }
    std::array::from_fn(|i| {
        std::array::from_fn(|j| *coefficients[K * i + j].first_chunk().unwrap())
    })
}

/// `SamplePolyCBD` with eta = 2 (algorithm 8).
fn centred(bytes: &[u8; 128]) -> Polynomial {
    std::array::from_fn(|i| {
        let nibble = bytes[i / 2] >> (4 * (i % 2));
        (Q + (nibble & 3).count_ones() - (nibble >> 2 & 3).count_ones()) % Q
    })
}

/// The number-theoretic transform (algorithm 9).
fn transform(mut f: Polynomial) -> Polynomial {
    let mut i = 1;
    for len in [128, 64, 32, 16, 8, 4, 2] {
        for start in (0..256).step_by(2 * len) {
            let zeta = power(reverse_7(i));
            i += 1;
            for j in start..start + len {
                let t = zeta * f[j + len] % Q;
                f[j + len] = (f[j] + Q - t) % Q;
                f[j] = (f[j] + t) % Q;
            }
        }
    }
    f
}

/// Adds the product of two transformed polynomials (algorithms 11 and 12).
fn add_product(sum: &mut Polynomial, f: &Polynomial, g: &Polynomial) {
    for i in 0..128 {
        let gamma = power(2 * reverse_7(i) + 1);
        let ([a0, a1], [b0, b1]) = ([f[2 * i], f[2 * i + 1]], [g[2 * i], g[2 * i + 1]]);
        sum[2 * i] = (sum[2 * i] + a0 * b0 + a1 * b1 % Q * gamma) % Q;
        sum[2 * i + 1] = (sum[2 * i + 1] + a0 * b1 + a1 * b0) % Q;
    }
}

/// The public key of ML-KEM-768 for this seed (K-PKE.KeyGen, algorithm 13).
fn encapsulation_key(seed: [u8; 32]) -> Vec<u8> {
    let mut input = seed.to_vec();
    input.push(K as u8);
    let (rho, sigma) = sha3_512::hash(&input).split_at(32).into_arrays();
    let matrix = matrix(rho);
    let noise = (0..2 * K as u8).map(|n| (sigma, [n]));
    let noise: Vec<[u8; 128]> = XofLanes::shake256().xof_concat_many(noise);
    let noise: Vec<Polynomial> = noise.iter().map(|bytes| transform(centred(bytes))).collect();
    let (secrets, errors) = noise.split_at(K);
    let mut key = Vec::new();
    for (row, error) in matrix.iter().zip(errors) {
        let mut sum = *error;
        row.iter().zip(secrets).for_each(|(cell, secret)| add_product(&mut sum, cell, secret));
        for &[a, b] in sum.as_chunks::<2>().0 {
            key.extend_from_slice(&(a | b << 12).to_le_bytes()[..3]);
        }
    }
    key.extend_from_slice(&rho);
    key
}

/// The two halves of 64 bytes.
trait IntoArrays {
    fn into_arrays(self) -> ([u8; 32], [u8; 32]);
}

impl IntoArrays for (&[u8], &[u8]) {
    fn into_arrays(self) -> ([u8; 32], [u8; 32]) {
        (self.0.try_into().unwrap(), self.1.try_into().unwrap())
    }
}

#[test]
fn keys_of_ml_kem() {
    for seed in 0..5 {
        let seed = [seed; 64];
        let expected = ml_kem::DecapsulationKey768::from_seed(seed.into());
        let expected = expected.encapsulation_key().to_bytes();
        assert_eq!(encapsulation_key(*seed.first_chunk().unwrap())[..], expected[..]);
    }
}
