//! Deterministic signatures of Falcon-1024: their encodings, and their verification.
//!
//! Everything here is public, so nothing runs in constant time.

use alloc::vec;
use alloc::vec::Vec;

use shake::{ExtendableOutput, Shake256, Update, XofReader};

use super::{FALCON_KEY_BYTES, Signed};

/// The header of a compressed signature: deterministic, and 2^10 coefficients.
const COMPRESSED: u8 = 0xba;

/// The header of a signature of constant length.
const CONSTANT_LENGTH: u8 = 0xda;

/// The header of a public key: 2^10 coefficients.
const KEY: u8 = LOG_COEFFICIENTS;

const LOG_COEFFICIENTS: u8 = 10;

/// The number of coefficients.
const COEFFICIENTS: usize = 1 << LOG_COEFFICIENTS;

/// The maximum absolute value of a coefficient.
const MAX_MAGNITUDE: u32 = 2047;

/// The modulus of the coefficients: `q` of the Falcon specification.
const Q: u32 = 12_289;

/// The greatest squared norm of a signature: `⌊β²⌋` of Falcon-1024.
const MAX_NORM: u64 = 70_265_242;

/// What the salt of a deterministic signature is filled with after its version and the logarithm
/// of the number of coefficients.
const SALT: &[u8] = b"FALCON_DET";

/// The number of bytes of a salt.
const SALT_BYTES: usize = 40;

impl Signed<'_> {
    /// Verifies the signature, as `falcon_det1024_verify_compressed` of Algorand's Falcon does.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.squared_norm().is_some_and(|norm| norm <= MAX_NORM)
    }

    /// The squared norm of both halves of the signature. `None` if the key or the signature is
    /// malformed.
    fn squared_norm(&self) -> Option<u64> {
        let mut key = public_key(self.key)?;
        let values = coefficients(self.signature)?;
        let salt_version = *self.signature.get(1)?;
        let hashed = hash_to_point(salt_version, self.message);
        // s1 = c - s2 * h
        let mut product: Vec<u32> =
            values.iter().map(|&value| i64::from(value).rem_euclid(Q.into()) as u32).collect();
        transform(&mut key);
        transform(&mut product);
        for (value, key) in product.iter_mut().zip(&key) {
            *value = *value * key % Q;
        }
        transform_back(&mut product);
        let first = hashed.iter().zip(&product).map(|(hashed, product)| {
            let value = i64::from((hashed + Q - product) % Q);
            if value > i64::from(Q / 2) { value - i64::from(Q) } else { value }
        });
        let both = first.chain(values.iter().map(|&value| value.into()));
        Some(both.map(|value| (value * value) as u64).sum())
    }
}

/// The coefficients of a public key, 14 bits each.
fn public_key(key: &[u8; FALCON_KEY_BYTES]) -> Option<Vec<u32>> {
    let (&header, coefficients) = key.split_first()?;
    // Seven bytes have four coefficients.
    let (groups, _) = coefficients.as_chunks::<7>();
    let values: Vec<u32> = (groups.iter())
        .flat_map(|group| {
            let bits = group.iter().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
            [42, 28, 14, 0].map(|shift| (bits >> shift & 0x3fff) as u32)
        })
        .collect();
    (header == KEY && values.iter().all(|&value| value < Q)).then_some(values)
}

/// Hashes a message to coefficients: `HashToPoint` of the specification.
fn hash_to_point(salt_version: u8, message: &[u8]) -> Vec<u32> {
    let mut salt = [0; SALT_BYTES];
    salt[..2].copy_from_slice(&[salt_version, LOG_COEFFICIENTS]);
    salt[2..2 + SALT.len()].copy_from_slice(SALT);
    let mut hash = Shake256::default();
    hash.update(&salt);
    hash.update(message);
    let mut reader = hash.finalize_xof();
    let mut values = Vec::with_capacity(COEFFICIENTS);
    while values.len() < COEFFICIENTS {
        let mut bytes = [0; 2];
        reader.read(&mut bytes);
        let value = u32::from(u16::from_be_bytes(bytes));
        if value < 5 * Q {
            values.push(value % Q);
        }
    }
    values
}

/// A root of unity of order 2048 modulo `q`: 11 generates all 12,288.
const ROOT: u32 = power(11, (Q - 1) / (2 * COEFFICIENTS as u32));

const fn power(base: u32, mut exponent: u32) -> u32 {
    let (mut square, mut result) = (base, 1);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * square % Q;
        }
        square = square * square % Q;
        exponent /= 2;
    }
    result
}

/// The powers of [`ROOT`], in the order in which the transforms use them: by reversed bits.
const ROOTS: [u32; COEFFICIENTS] = {
    let mut roots = [1; COEFFICIENTS];
    let mut i = 1;
    while i < COEFFICIENTS {
        roots[i] = power(ROOT, (i as u32).reverse_bits() >> (u32::BITS - LOG_COEFFICIENTS as u32));
        i += 1;
    }
    roots
};

/// The number-theoretic transform: products of polynomials modulo x^1024 + 1 become products of
/// coefficients.
fn transform(values: &mut [u32]) {
    let (mut half, mut root) = (COEFFICIENTS / 2, 1);
    while half > 0 {
        for pair in values.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (left, right) in left.iter_mut().zip(right) {
                let turned = ROOTS[root] * *right % Q;
                (*left, *right) = ((*left + turned) % Q, (*left + Q - turned) % Q);
            }
            root += 1;
        }
        half /= 2;
    }
}

/// The inverse of [`transform`].
fn transform_back(values: &mut [u32]) {
    let (mut half, mut root) = (1, COEFFICIENTS);
    while half < COEFFICIENTS {
        for pair in values.chunks_exact_mut(2 * half) {
            // The inverse of a root is the negative of the one that mirrors it in its level.
            root -= 1;
            let (left, right) = pair.split_at_mut(half);
            for (left, right) in left.iter_mut().zip(right) {
                let difference = *right + Q - *left;
                (*left, *right) = ((*left + *right) % Q, ROOTS[root] * (difference % Q) % Q);
            }
        }
        half *= 2;
    }
    let inverse = const { power(COEFFICIENTS as u32, Q - 2) };
    for value in values {
        *value = *value * inverse % Q;
    }
}

/// The coefficients of a compressed signature. `None` if it is not the one compressed form of such
/// coefficients.
fn coefficients(compressed: &[u8]) -> Option<Vec<i32>> {
    let [COMPRESSED, _, coefficients @ ..] = compressed else { return None };
    let mut bits = Bits { bytes: coefficients, taken: 0 };
    let mut values = vec![0; COEFFICIENTS];
    for value in &mut values {
        // A sign, the low seven bits, and the high bits in unary, ended by a one.
        let is_negative = bits.next()?;
        let mut magnitude = 0;
        for _ in 0..7 {
            magnitude = magnitude << 1 | u32::from(bits.next()?);
        }
        while !bits.next()? {
            magnitude += 1 << 7;
            if magnitude > MAX_MAGNITUDE {
                return None;
            }
        }
        if is_negative && magnitude == 0 {
            return None;
        }
        *value = if is_negative { -(magnitude as i32) } else { magnitude as i32 };
    }
    bits.are_used_up().then_some(values)
}

/// Encodes the coefficients of a compressed signature in 12 bits each, as they are hashed. `None`
/// if it is not the one compressed form of such coefficients.
pub(super) fn constant_length(compressed: &[u8]) -> Option<Vec<u8>> {
    let values = coefficients(compressed)?;
    let mut bytes = Vec::from([CONSTANT_LENGTH, *compressed.get(1)?]);
    for pair in values.as_chunks().0 {
        let [first, second] = (*pair).map(|value: i32| value as u32 & 0xfff);
        bytes.extend_from_slice(&(first << 12 | second).to_be_bytes()[1..]);
    }
    Some(bytes)
}

/// The bits of bytes, the most significant of each first.
struct Bits<'a> {
    bytes: &'a [u8],
    taken: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.taken / 8)?;
        let bit = byte >> (7 - self.taken % 8) & 1;
        self.taken += 1;
        Some(bit == 1)
    }

    /// Whether no byte is left, and only zeros of the last one.
    fn are_used_up(&mut self) -> bool {
        if self.taken.div_ceil(8) != self.bytes.len() {
            return false;
        }
        while !self.taken.is_multiple_of(8) {
            if self.next() != Some(false) {
                return false;
            }
        }
        true
    }
}
