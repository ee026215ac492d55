//! Computes both hashes of public keys in one kernel; the SHA-256 digest never leaves the
//! registers.

use core::marker::PhantomData;

use hash_lanes::engine::{BatchHash, ShaExtensions};
use hash_lanes::{ByteOrder, KernelSet, Lanes, Words};
use sha256_multi::hazmat;

use crate::costs;
use crate::rounds::{State, compress_32_bytes};

/// Keys of 33 or 65 bytes.
pub(super) struct Keys<'k, const BYTES: usize>(PhantomData<&'k [u8; BYTES]>);

impl<'k, const BYTES: usize> BatchHash for Keys<'k, BYTES> {
    type Input = &'k [u8; BYTES];
    type Output = [u8; 20];

    /// With 4 lanes, SHA-NI or two separate hashes are faster. A second group of 16 lanes takes a
    /// 33-byte key from 32.5 to 28.0 ns on Zen 4, and a 65-byte key from 49.0 to 44.0. A second
    /// group of 8 lanes would be slower.
    const KERNELS: KernelSet = costs::KEYS;

    #[inline(always)]
    fn hash_lanes<V: Lanes>(token: V::Token, keys: &[&'k [u8; BYTES]], hashes: &mut [[u8; 20]]) {
        let first_block = first_block::<V, BYTES>(token, keys);
        let last_block = last_block::<V, BYTES>(token, keys);
        store_digests::<V>(token, hash160::<V, BYTES>(token, first_block, last_block), hashes);
    }

    fn hash_sha(_: ShaExtensions, _: usize, _: &[&'k [u8; BYTES]], _: &mut [[u8; 20]]) {
        unreachable!("no plan has a SHA instruction kernel for both hashes");
    }
}

/// Stores the digest of each lane.
#[inline(always)]
fn store_digests<V: Lanes>(token: V::Token, state: State<V>, digests: &mut [[u8; 20]]) {
    let mut words = [V::splat(token, 0); 8];
    words[..5].copy_from_slice(&state);
    let digests = &mut digests[..V::COUNT];
    V::store_rows(
        words,
        #[inline(always)]
        |lane, words| {
            let (bytes, _) = digests[lane].as_chunks_mut::<4>();
            for i in 0..5 {
                bytes[i] = words[i].to_le_bytes();
            }
        },
    );
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
    let mut block = [V::splat(token, 0); 16];
    let mut last_word = 0;
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
    // The key's last byte and the one bit of the padding.
    block[last_word] = tail[7].shift_left(24) | V::splat(token, 0x80_0000);
    block[15] = V::splat(token, 8 * BYTES as u32);
    block
}
