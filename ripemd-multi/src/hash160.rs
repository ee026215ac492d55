//! HASH160, the hash in Bitcoin addresses: RIPEMD-160 of the SHA-256 of a public key or script.
//!
//! See docs/rounds.md for the kernel of both hashes.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::marker::PhantomData;

use arrayvec::ArrayVec;
use hash_lanes::Backend;
use hash_lanes::engine::{
    AnyHash, BatchHash, Begun, ByteOrder, CompiledHash, Digests, Erased, GROUP, Group, KernelSet,
    LaneHash, Lanes, Plans, Portable, Row, Scalar, Sink, Start, Words, first_rows, hash_again,
    hash_batch, hash_stream, padding_words, plan_of_batch, store_rows,
};
use sha256_multi::engine::Sha256;
use sha256_multi::{Sha256Lanes, hazmat};

use crate::costs;
use crate::ripemd160::Ripemd160;
use crate::rounds::{State, compress_32_bytes};

/// HASH160, as the engine sees it: SHA-256 with other digests.
#[derive(Clone, Copy, Debug)]
pub enum Hash160 {}

/// HASH160 on one backend: the functions of this module as methods.
pub type Hash160Lanes = hash_lanes::Lanes<Hash160>;

hash_lanes::define_functions!("HASH160", "ripemd_multi::hash160", Hash160, Hash160Lanes, 20);

impl AnyHash for Hash160 {
    type Digest = [u8; 20];
    type State = Row;

    const BLOCK_BYTES: usize = <Sha256 as AnyHash>::BLOCK_BYTES;

    fn initial_state() -> Row {
        Sha256::initial_state()
    }

    fn hash_message(backend: Backend, message: &[u8]) -> [u8; 20] {
        let digest = Sha256Lanes::on(backend).hash(message);
        let words = Sha256::state(&digest).map(|word| Scalar(word.swap_bytes()));
        let state = compress_32_bytes(Portable, words).map(|word| word.0);
        Ripemd160::digest(&Ripemd160::row(&state))
    }

    fn hash_all(
        backend: Backend,
        after: Option<(&Row, u64)>,
        messages: impl Iterator<Item: AsRef<[u8]>>,
        digests: &mut dyn Digests,
    ) {
        let mut again = HashAgain::new(backend, digests);
        if after.is_some() {
            Sha256::hash_all(backend, after, messages, &mut again);
        } else {
            hash_stream::<Sha256, _>(backend, Start::WHOLE, messages, &mut again);
        }
        again.flush();
    }

    fn end<'m>(
        backend: Backend,
        messages: impl Iterator<Item = Begun<'m, Row>>,
        digests: &mut dyn Digests,
    ) {
        let mut again = HashAgain::new(backend, digests);
        Sha256::end(backend, messages, &mut again);
        again.flush();
    }

    fn absorb<'m>(
        backend: Backend,
        parts: impl Iterator<Item = Begun<'m, Row>>,
        sink: &mut dyn Sink<Row>,
    ) {
        Sha256::absorb(backend, parts, sink);
    }

    fn absorb_one(backend: Backend, part: Begun<'_, Row>) -> Row {
        Sha256::absorb_one(backend, part)
    }
}

/// Hashes the SHA-256 of each message with RIPEMD-160.
struct HashAgain<'h> {
    backend: Backend,
    hashes: &'h mut dyn Digests,
    /// The digests of messages that ended alone, and their numbers. On the heap, because the stack
    /// has many other lists.
    rows: Erased<Row>,
    numbers: Vec<usize>,
    /// Where keys are hashed. It grows to as many rows as are used.
    of_keys: ArrayVec<Row, GROUP>,
}

impl<'h> HashAgain<'h> {
    fn new(backend: Backend, hashes: &'h mut dyn Digests) -> Self {
        let of_keys = ArrayVec::new();
        Self { backend, hashes, rows: Erased::new(), numbers: Vec::new(), of_keys }
    }

    fn flush(&mut self) {
        hash_again::<Ripemd160>(self.backend, &mut self.rows);
        for (&number, row) in self.numbers.iter().zip(&*self.rows) {
            self.hashes.store(number, row);
        }
        self.rows.clear();
        self.numbers.clear();
    }

    /// Hashes a group of keys by the kernel for both hashes, if that is faster than two steps.
    fn hash_keys<const BYTES: usize>(&mut self, group: &Group<'_>) -> bool {
        let mut keys: ArrayVec<&[u8; BYTES], GROUP> = ArrayVec::new();
        keys.extend(group.bytes.iter().map_while(|&message| message.try_into().ok()));
        let (backend, count) = (self.backend, keys.len());
        if count < group.bytes.len() {
            return false;
        }
        let cost = plan_of_batch::<Keys<'_, BYTES>>(backend, count).cost(count);
        let cost_of_two_steps =
            Sha256::cost(backend, BYTES, count) + Ripemd160::cost(backend, size_of::<Row>(), count);
        // The costs leave out that the first step stores the digests and the second one copies
        // them: 9 keys of 33 bytes took 15 % longer in two steps on Granite Rapids.
        if cost > cost_of_two_steps + cost_of_two_steps / 8 {
            return false;
        }
        let rows = first_rows(&mut self.of_keys, count);
        hash_batch::<Keys<'_, BYTES>>(backend, &keys, rows);
        store_hashes(self.hashes, group.first, rows);
        true
    }
}

impl Sink for HashAgain<'_> {
    /// Public keys have a kernel for both hashes.
    fn hash_fixed(&mut self, group: &Group<'_>) -> bool {
        match group.bytes.first().map_or(0, |first| first.len()) {
            COMPRESSED => self.hash_keys::<COMPRESSED>(group),
            UNCOMPRESSED => self.hash_keys::<UNCOMPRESSED>(group),
            _ => false,
        }
    }

    fn finished(&mut self, first: usize, rows: &[Row]) {
        if let [row] = rows {
            self.rows.push(*row);
            self.numbers.push(first);
            if self.rows.len() == GROUP {
                self.flush();
            }
            return;
        }
        for (group, rows) in rows.chunks(GROUP).enumerate() {
            let mut twice: ArrayVec<Row, GROUP> = ArrayVec::new();
            twice.extend(rows.iter().copied());
            hash_again::<Ripemd160>(self.backend, &mut twice);
            store_hashes(self.hashes, first + group * GROUP, &twice);
        }
    }
}

/// Reports hashes at the beginnings of rows.
fn store_hashes(hashes: &mut dyn Digests, first: usize, rows: &[Row]) {
    hashes.store_rows(first, rows.as_flattened(), size_of::<Row>());
}

/// The digests of SHA-256 that come as bytes.
impl Digests for HashAgain<'_> {
    fn store(&mut self, number: usize, digest: &[u8]) {
        self.store_rows(number, digest, digest.len());
    }

    fn store_rows(&mut self, first: usize, rows: &[u8], _: usize) {
        self.finished(first, rows.as_chunks::<{ size_of::<Row>() }>().0);
    }
}

/// The length of a compressed secp256k1 public key (SEC 1 §2.3.3).
const COMPRESSED: usize = 33;

/// The length of an uncompressed secp256k1 public key.
const UNCOMPRESSED: usize = 65;

/// Keys of 33 or 65 bytes.
struct Keys<'k, const BYTES: usize>(PhantomData<&'k [u8; BYTES]>);

impl<'k, const BYTES: usize> BatchHash for Keys<'k, BYTES> {
    type Word = u32;
    type Input = &'k [u8; BYTES];
    type Output = Row;
    type Sha = Infallible;

    /// With 4 lanes, two steps are faster. A second group of 16 lanes takes a
    /// 33-byte key from 32.5 to 28.0 ns on Zen 4, and a 65-byte key from 49.0 to 44.0. A second
    /// group of 8 lanes would be slower.
    const KERNELS: KernelSet = costs::KEYS;

    fn sample() -> &'k [u8; BYTES] {
        &[0; BYTES]
    }

    fn plans() -> &'static Plans {
        costs::plans_of_keys::<BYTES>()
    }

    #[inline(always)]
    fn hash_lanes<V: Lanes<Word = u32>>(
        token: V::Token,
        keys: &[&'k [u8; BYTES]],
        rows: &mut [Row],
    ) {
        let first_block = first_block::<V, BYTES>(token, keys);
        let last_block = last_block::<V, BYTES>(token, keys);
        let state = hash_blocks::<V, BYTES>(token, first_block, last_block);
        store_rows::<V, Ripemd160>(token, state, rows);
    }

    fn hash_sha(sha: Infallible, _: usize, _: &[&'k [u8; BYTES]], _: &mut [Row]) {
        match sha {}
    }
}

/// Both hashes of keys, given their blocks; keys of 33 bytes have only a last block.
#[inline(always)]
fn hash_blocks<V: Words<Word = u32>, const BYTES: usize>(
    token: V::Token,
    first_block: [V; 16],
    last_block: [V; 16],
) -> State<V> {
    let mut state = hazmat::initial_state(token);
    if BYTES > 64 {
        hazmat::compress(token, &mut state, first_block);
    }
    hazmat::compress_const_tail(token, &mut state, last_block);
    for word in &mut state {
        *word = word.swap_bytes();
    }
    compress_32_bytes(token, state)
}

/// The first block of 65-byte keys; zeros for shorter keys.
#[inline(always)]
fn first_block<V: Lanes<Word = u32>, const BYTES: usize>(
    token: V::Token,
    keys: &[&[u8; BYTES]],
) -> [V; 16] {
    if BYTES < 64 {
        return [V::splat(token, 0); 16];
    }
    let keys = &keys[..V::COUNT];
    V::load_blocks(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| keys[lane].first_chunk().expect("the key has 65 bytes"),
    )
}

/// The last block of the keys with its padding. All words except those of the key are constants.
#[inline(always)]
fn last_block<V: Lanes<Word = u32>, const BYTES: usize>(
    token: V::Token,
    keys: &[&[u8; BYTES]],
) -> [V; 16] {
    let keys = &keys[..V::COUNT];
    let padding = const { padding_words(ByteOrder::Big, 8 * BYTES as u64) };
    let mut block = [V::splat(token, 0); 16];
    let mut last_word = 0;
    for i in 0..16 {
        block[i] = V::splat(token, padding[i]);
    }
    if BYTES < 64 {
        let row = V::load_rows(
            token,
            ByteOrder::Big,
            #[inline(always)]
            |lane| keys[lane].first_chunk().expect("a key has more than 32 bytes"),
        );
        block[..8].copy_from_slice(&row);
        last_word = 8;
    }
    let tail = V::load_rows(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| keys[lane].last_chunk().expect("a key has more than 32 bytes"),
    );
    // The key's last byte.
    block[last_word] = block[last_word] | tail[7].shift_left(24);
    block
}
