//! Computes HASH160 of public keys, messages of 33 or 65 bytes. In lanes the SHA-256 digest never
//! leaves the registers.

use core::marker::PhantomData;

use arrayvec::ArrayVec;
use hash_lanes::Backend;
use hash_lanes::engine::{
    BatchHash, ByteOrder, GROUP, KernelSet, LaneHash as _, Lanes, Plans, Row, Words, hash_batch,
    padding_words, plan_of_batch, store_rows,
};
use sha256_multi::engine::Sha256;
use sha256_multi::hazmat;

use crate::costs;
use crate::ripemd160::Ripemd160;
use crate::rounds::{State, compress_32_bytes};

/// The length of a compressed secp256k1 public key (SEC 1 §2.3.3).
const COMPRESSED: usize = 33;

/// The length of an uncompressed secp256k1 public key.
const UNCOMPRESSED: usize = 65;

/// Hashes up to [`GROUP`] messages of equal length if they have the length of a key, and one kernel
/// for both hashes is faster than two steps.
pub(super) fn hash_keys(backend: Backend, messages: &[&[u8]], rows: &mut [Row]) -> bool {
    match messages[0].len() {
        COMPRESSED => hash::<COMPRESSED>(backend, messages, rows),
        UNCOMPRESSED => hash::<UNCOMPRESSED>(backend, messages, rows),
        _ => false,
    }
}

fn hash<const BYTES: usize>(backend: Backend, messages: &[&[u8]], rows: &mut [Row]) -> bool {
    let count = messages.len();
    let cost = plan_of_batch::<Keys<'_, BYTES>>(backend, count).cost(count);
    let cost_of_two_steps =
        Sha256::cost(backend, BYTES, count) + Ripemd160::cost(backend, size_of::<Row>(), count);
    let is_faster = cost <= cost_of_two_steps;
    if is_faster {
        let keys: ArrayVec<&[u8; BYTES], GROUP> =
            messages.iter().map_while(|message| (*message).try_into().ok()).collect();
        hash_batch::<Keys<'_, BYTES>>(backend, &keys, rows);
    }
    is_faster
}

/// Keys of 33 or 65 bytes.
struct Keys<'k, const BYTES: usize>(PhantomData<&'k [u8; BYTES]>);

impl<'k, const BYTES: usize> BatchHash for Keys<'k, BYTES> {
    type Input = &'k [u8; BYTES];
    type Output = Row;

    /// With 4 lanes, two steps are faster. A second group of 16 lanes takes a
    /// 33-byte key from 32.5 to 28.0 ns on Zen 4, and a 65-byte key from 49.0 to 44.0. A second
    /// group of 8 lanes would be slower.
    const KERNELS: KernelSet = costs::KEYS;

    const SAMPLE: &'k [u8; BYTES] = &[0; BYTES];

    fn plans() -> &'static Plans {
        costs::plans_of_keys::<BYTES>()
    }

    #[inline(always)]
    fn hash_lanes<V: Lanes>(token: V::Token, keys: &[&'k [u8; BYTES]], rows: &mut [Row]) {
        let first_block = first_block::<V, BYTES>(token, keys);
        let last_block = last_block::<V, BYTES>(token, keys);
        let state = hash160::<V, BYTES>(token, first_block, last_block);
        store_rows::<V, Ripemd160, 5>(token, state, rows);
    }
}

/// Both hashes of keys, given their blocks; keys of 33 bytes have only a last block.
#[inline(always)]
fn hash160<V: Words, const BYTES: usize>(
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
fn first_block<V: Lanes, const BYTES: usize>(token: V::Token, keys: &[&[u8; BYTES]]) -> [V; 16] {
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
fn last_block<V: Lanes, const BYTES: usize>(token: V::Token, keys: &[&[u8; BYTES]]) -> [V; 16] {
    let keys = &keys[..V::COUNT];
    let padding = const { padding_words(ByteOrder::Big, BYTES) };
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
