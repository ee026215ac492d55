//! Ranges of private keys, and the hashes of their public keys that addresses have.
//!
//! Consecutive points of the curve are computed together, and hashed in lanes.

mod addresses;
mod curve;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::{fmt, iter};

use hash_lanes::Backend;
use k256::elliptic_curve::Curve;
use k256::elliptic_curve::bigint::Encoding;
use k256::{Secp256k1, U256};
use ripemd_multi::Hash160Lanes;
use sha3_multi::Keccak256Lanes;
use zeroize::{Zeroize, Zeroizing};

pub use addresses::AddressHashes;
use curve::{Block, Point, PublicKey};

/// The maximum number of steps before or after a private key whose point is computed anew.
const MAX_STEPS: usize = 256;

/// The maximum number of private keys of a block.
const BLOCK: usize = 2 * MAX_STEPS;

/// The number of private keys that share an inversion, and that are hashed together.
const BATCH: usize = 4 * BLOCK;

/// The number of private keys of blocks whose middles are computed together.
const GROUP: usize = 8 * BATCH;

/// Private keys of secp256k1 at equal distances: `first`, `first + step`, `first + 2 * step` and so
/// on.
///
/// The first one is wiped from memory when the range is dropped. The step counts as known.
///
/// ```
/// use addr_recover::{KeyHash, KeyRange};
///
/// let number = |number: u8| std::array::from_fn(|at| if at == 31 { number } else { 0 });
/// // The private keys 1, 3, 5, ...
/// let range = KeyRange::new(&number(1), &number(2), 1000)?;
/// let hashes: Vec<[u8; 20]> = range.hashes(KeyHash::Compressed).collect();
/// assert_eq!(hashes.len(), 1000);
/// // BIP 173 has the hash of the public key of 1.
/// assert_eq!(hashes[0][..4], [0x75, 0x1e, 0x76, 0xe8]);
/// assert_eq!(*range.key(1), number(3));
/// # Ok::<(), addr_recover::KeyRangeError>(())
/// ```
///
/// Nothing here takes constant time: the time and the memory accesses depend on the private keys.
/// It is for keys that you recover on a machine of your own.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyRange {
    first: U256,
    step: U256,
    len: u64,
}

/// Some private keys of a range are not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("private keys are from 1 to the order of secp256k1 less 1")]
pub struct KeyRangeError;

/// A hash of a public key: the 20 bytes that an address has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum KeyHash {
    /// HASH160 (RIPEMD-160 of SHA-256) of the compressed public key: P2PKH and P2WPKH.
    Compressed,
    /// HASH160 of the uncompressed public key: P2PKH.
    Uncompressed,
    /// HASH160 of the script of P2WPKH: P2WPKH within P2SH (BIP 141).
    P2shP2wpkh,
    /// The last 20 bytes of Keccak-256 of the public key: Ethereum, Tron.
    Ethereum,
}

impl KeyRange {
    /// A range of `len` private keys, which are big-endian numbers.
    ///
    /// # Errors
    ///
    /// Returns [`KeyRangeError`] if some are zero, or not less than the order of the curve.
    pub fn new(first: &[u8; 32], step: &[u8; 32], len: u64) -> Result<Self, KeyRangeError> {
        let range = Self { first: number(first), step: number(step), len };
        let (all_steps, excess) = range.step.mul_wide(&U256::from_u64(len.saturating_sub(1)));
        // What is left for the steps.
        let rest = Secp256k1::ORDER.saturating_sub(&U256::ONE).saturating_sub(&range.first);
        let is_legal = range.first != U256::ZERO
            && range.first < Secp256k1::ORDER
            && excess == U256::ZERO
            && all_steps <= rest;
        (is_legal || len == 0).then_some(range).ok_or(KeyRangeError)
    }

    /// The number of private keys.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no private keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The private key at an index, which is wiped from memory when it is dropped.
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[must_use]
    pub fn key(&self, index: u64) -> Zeroizing<[u8; 32]> {
        assert!(index < self.len, "private key {index} of {}", self.len);
        Zeroizing::new(self.at(index).to_be_bytes())
    }

    /// Iterates over a hash of each public key, computed some thousand at a time.
    #[must_use]
    pub fn hashes(&self, hash: KeyHash) -> KeyHashes {
        let steps = self.steps();
        let (rest, keys, hashes) = (self.clone(), Vec::new(), Vec::new());
        KeyHashes { hash, backend: Backend::detect(), rest, steps, keys, hashes, next: 0 }
    }

    fn at(&self, index: u64) -> U256 {
        self.first.wrapping_add(&self.step.wrapping_mul(&U256::from_u64(index)))
    }

    /// Divides off the first private keys.
    fn take(&mut self, len: u64) -> Self {
        let taken = Self { len: len.min(self.len), ..self.clone() };
        self.first = self.at(taken.len);
        self.len -= taken.len;
        taken
    }

    /// The points that blocks need.
    fn steps(&self) -> Vec<Point> {
        curve::multiples(self.step, MAX_STEPS.min((self.len / 2) as usize))
    }

    /// Divides it into blocks.
    fn blocks<'a>(&self, steps: &'a [Point]) -> impl Iterator<Item = Block<'a>> {
        let mut rest = self.clone();
        iter::from_fn(move || {
            let block = rest.take(BLOCK as u64);
            let (len, step, middle) = (block.len as usize, block.step, block.at(block.len / 2));
            (len > 0).then_some(Block { middle, step, len, steps })
        })
    }
}

impl Drop for KeyRange {
    fn drop(&mut self) {
        self.first.zeroize();
    }
}

/// Shows only the number of private keys.
impl fmt::Debug for KeyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRange").field("len", &self.len).finish_non_exhaustive()
    }
}

impl KeyHash {
    /// The hash of one private key; `None` if it is not legal. It is computed by other code than
    /// the hashes of ranges.
    #[must_use]
    pub fn of(self, key: &[u8; 32]) -> Option<[u8; 20]> {
        let hashes = self.of_all(Backend::detect(), &[curve::public_key(key)?]);
        hashes.first().copied()
    }

    /// The hashes of some public keys.
    fn of_all(self, backend: Backend, keys: &[PublicKey]) -> Vec<[u8; 20]> {
        let lanes = Hash160Lanes::on(backend);
        match self {
            Self::Compressed => lanes.hash_many(keys.iter().map(compressed)),
            Self::Uncompressed => lanes.hash_many(keys),
            Self::P2shP2wpkh => {
                let hashes = Self::Compressed.of_all(backend, keys);
                lanes.hash_many(hashes.iter().map(script))
            }
            Self::Ethereum => {
                let digests = Keccak256Lanes::on(backend).hash_many(keys.iter().map(|it| &it[1..]));
                digests.iter().map(|digest| std::array::from_fn(|at| digest[12 + at])).collect()
            }
        }
    }
}

/// The script of P2WPKH: version 0, and a push of 20 bytes (BIP 141).
fn script(hash: &[u8; 20]) -> [u8; 22] {
    std::array::from_fn(|at| if at < 2 { [0, 20][at] } else { hash[at - 2] })
}

/// A public key as SEC 1 compresses it: 2 or 3, and x.
fn compressed(key: &PublicKey) -> [u8; 33] {
    let mut compressed = [2 + (key[64] & 1); 33];
    compressed[1..].copy_from_slice(&key[1..33]);
    compressed
}

/// Iterates over a hash of each public key of a range. See [`KeyRange::hashes`].
///
/// The private keys in it are wiped from memory when it is dropped.
#[derive(Clone)]
pub struct KeyHashes {
    hash: KeyHash,
    backend: Backend,
    /// What follows the hashes.
    rest: KeyRange,
    steps: Vec<Point>,
    keys: Vec<PublicKey>,
    hashes: Vec<[u8; 20]>,
    /// The index of the next hash.
    next: usize,
}

impl KeyHashes {
    fn refill(&mut self) {
        let batch = self.rest.take(BATCH as u64);
        let mut blocks = Zeroizing::new(Vec::with_capacity(BATCH / BLOCK));
        blocks.extend(batch.blocks(&self.steps));
        curve::write_public_keys(&blocks, &curve::middles(&blocks), &mut self.keys);
        (self.hashes, self.next) = (self.hash.of_all(self.backend, &self.keys), 0);
    }
}

impl Iterator for KeyHashes {
    type Item = [u8; 20];

    fn next(&mut self) -> Option<[u8; 20]> {
        if self.next == self.hashes.len() {
            self.refill();
        }
        let hash = self.hashes.get(self.next).copied()?;
        self.next += 1;
        Some(hash)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = usize::try_from(self.rest.len).ok();
        let rest = rest.and_then(|rest| rest.checked_add(self.hashes.len() - self.next));
        (rest.unwrap_or(usize::MAX), rest)
    }
}

impl fmt::Debug for KeyHashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyHashes").field("hash", &self.hash).finish_non_exhaustive()
    }
}

/// Finds the private keys of your addresses in many ranges, or among any private keys.
///
/// What ranges with the same step share is computed once. Short ranges are computed together.
///
/// It is for addresses of your own: who has lost track of which of them a damaged key is for passes
/// all of them. No search finds the key of an address of which nothing is known, because there are
/// 2^160 addresses.
///
/// ```
/// use addr_recover::{AddressHashes, KeyFinder, KeyHash, KeyRange};
///
/// let number = |number: u8| std::array::from_fn(|at| if at == 31 { number } else { 0 });
/// let hash = KeyHash::Compressed;
/// let mine: AddressHashes = [3, 5].iter().filter_map(|&it| hash.of(&number(it))).collect();
/// let ranges = [KeyRange::new(&number(1), &number(1), 100)?];
/// let finder = KeyFinder::new(mine, &[hash], &ranges);
///
/// let mut keys = Vec::new();
/// finder.find(&ranges, &mut |key, _| keys.push(*key));
/// assert_eq!(keys, [number(3), number(5)]);
///
/// keys.clear();
/// finder.find_keys([number(9), number(5)], &mut |key, _| keys.push(*key));
/// assert_eq!(keys, [number(5)]);
/// # Ok::<(), addr_recover::KeyRangeError>(())
/// ```
#[derive(Clone)]
pub struct KeyFinder {
    addresses: AddressHashes,
    hashes: Vec<KeyHash>,
    backend: Backend,
    /// For each step.
    steps: BTreeMap<U256, Vec<Point>>,
}

impl KeyFinder {
    /// Prepares to find private keys of which one of `hashes` is in `addresses`, in these ranges,
    /// or in parts of them. A single hash also is `addresses`.
    #[must_use]
    pub fn new<R: Borrow<KeyRange>>(
        addresses: impl Into<AddressHashes>,
        hashes: &[KeyHash],
        ranges: impl IntoIterator<Item = R>,
    ) -> Self {
        let mut longest: BTreeMap<U256, R> = BTreeMap::new();
        for range in ranges {
            let len = |range: &R| range.borrow().len;
            match longest.entry(range.borrow().step) {
                Entry::Vacant(entry) => _ = entry.insert(range),
                Entry::Occupied(mut entry) if len(&range) > len(entry.get()) => {
                    entry.insert(range);
                }
                Entry::Occupied(_) => {}
            }
        }
        let steps = longest.iter().map(|(&step, range)| (step, range.borrow().steps())).collect();
        let (addresses, hashes) = (addresses.into(), hashes.to_vec());
        Self { addresses, hashes, backend: Backend::detect(), steps }
    }

    /// Passes each private key in some ranges that has one of the hashes to a function, and which
    /// hash that is. Ranges that [`new`](Self::new) did not get take longer.
    ///
    /// What is found has been checked with [`KeyHash::of`].
    pub fn find(&self, ranges: &[KeyRange], found: &mut dyn FnMut(&[u8; 32], KeyHash)) {
        let (mut blocks, mut keys) = (Zeroizing::new(Vec::with_capacity(BATCH)), Vec::new());
        let mut len = 0;
        for range in ranges {
            let steps = self.steps.get(&range.step).map_or(&[][..], |steps| steps);
            for block in range.blocks(steps) {
                if len + block.len > GROUP || blocks.len() == BATCH {
                    self.find_in_blocks(&blocks, &mut keys, found);
                    blocks.clear();
                    len = 0;
                }
                len += block.len;
                blocks.push(block);
            }
        }
        self.find_in_blocks(&blocks, &mut keys, found);
    }

    /// Passes each of some private keys that has one of the hashes to a function, and which hash
    /// that is. Numbers that are not private keys have no hash, so they are passed over.
    ///
    /// A key takes 23 to 55 times as long as one of a range. The first call in a process also makes
    /// a table of 7 MB, in some 0.1 s. What is found has been checked with [`KeyHash::of`].
    pub fn find_keys<K: Borrow<[u8; 32]>>(
        &self,
        keys: impl IntoIterator<Item = K>,
        found: &mut dyn FnMut(&[u8; 32], KeyHash),
    ) {
        let mut secrets = keys.into_iter().filter_map(|key| curve::legal(key.borrow()));
        let mut batch = Zeroizing::new(Vec::with_capacity(BATCH));
        let mut public_keys = Vec::with_capacity(BATCH);
        loop {
            batch.clear();
            batch.extend(secrets.by_ref().take(BATCH));
            if batch.is_empty() {
                return;
            }
            curve::write_public_keys_of(&batch, &mut public_keys);
            self.find_in_keys(&|at| batch[at], &public_keys, found);
        }
    }

    fn find_in_blocks(
        &self,
        mut blocks: &[Block<'_>],
        keys: &mut Vec<PublicKey>,
        found: &mut dyn FnMut(&[u8; 32], KeyHash),
    ) {
        let all_middles = curve::middles(blocks);
        let mut middles = &all_middles[..];
        while !blocks.is_empty() {
            let mut len = 0;
            let fits = |block: &&Block<'_>| {
                len += block.len;
                len <= BATCH
            };
            // No block is longer.
            let count = blocks.iter().take_while(fits).count();
            let (batch, of_batch);
            (batch, blocks) = blocks.split_at(count);
            (of_batch, middles) = middles.split_at(count);
            curve::write_public_keys(batch, of_batch, keys);
            self.find_in_keys(&|at| key_at(batch, at), keys, found);
        }
    }

    /// `secret` has the private key of each public key.
    fn find_in_keys(
        &self,
        secret: &dyn Fn(usize) -> U256,
        keys: &[PublicKey],
        found: &mut dyn FnMut(&[u8; 32], KeyHash),
    ) {
        for &hash in &self.hashes {
            let hashes = hash.of_all(self.backend, keys);
            for (at, found_hash) in hashes.iter().enumerate() {
                if self.addresses.contains(found_hash) {
                    let key = Zeroizing::new(secret(at).to_be_bytes());
                    if hash.of(&key).as_ref() == Some(found_hash) {
                        found(&key, hash);
                    }
                }
            }
        }
    }
}

impl fmt::Debug for KeyFinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyFinder").field("hashes", &self.hashes).finish_non_exhaustive()
    }
}

/// The private key of a public key in the list that blocks make.
fn key_at(blocks: &[Block<'_>], mut index: usize) -> U256 {
    for block in blocks {
        if index < block.len {
            return block.key(index);
        }
        index -= block.len;
    }
    unreachable!("{index} more public keys than private keys")
}

fn number(bytes: &[u8; 32]) -> U256 {
    U256::from_be_bytes(*bytes)
}
