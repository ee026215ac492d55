//! Both hashes of public keys in one kernel: the SHA-256 digest never leaves the registers.

use hash_lanes::{ByteOrder, LaneJob, Lanes, Two, Words};
use sha256_multi::hazmat;

use crate::digests::store_digests;
use crate::rounds::{State, hash_digest};

/// The fewest lanes that it is worth having the kernel for. With 4, SHA-NI or the two hashes after one
/// another are quicker.
pub(super) const LEAST_LANES: usize = 8;

/// Keys of 33 or 65 bytes, and a hash for each. To be run with [`LEAST_LANES`] or more.
pub(super) struct Hash160Keys<'a, const BYTES: usize> {
    pub(super) keys: &'a [&'a [u8; BYTES]],
    pub(super) hashes: &'a mut [[u8; 20]],
}

impl<const BYTES: usize> LaneJob for Hash160Keys<'_, BYTES> {
    type Output = ();

    /// Two groups of 16 lanes go through the rounds together, which on Zen 4 takes a key of 33 bytes from
    /// 32.5 to 28.0 ns, and one of 65 bytes from 49.0 to 44.0. With 8 lanes that would be slower.
    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        if V::COUNT < LEAST_LANES {
            unreachable!("a kernel of {} lanes", V::COUNT);
        }
        let mut keys = self.keys;
        let mut hashes = self.hashes;
        while V::COUNT == 16 && keys.len() > V::COUNT {
            let both = keys.len().min(2 * V::COUNT);
            let (now, later) = keys.split_at(both);
            let (into, later_hashes) = hashes.split_at_mut(both);
            let (near, far) = now.split_at(V::COUNT);
            let first_block =
                Two::join(first_block::<V, BYTES>(token, near), first_block::<V, BYTES>(token, far));
            let last_block =
                Two::join(last_block::<V, BYTES>(token, near), last_block::<V, BYTES>(token, far));
            let (near, far) = Two::part(hash160::<Two<V>, BYTES>(token, first_block, last_block));
            store_digests::<V>(token, near, &mut into[..V::COUNT]);
            store_digests::<V>(token, far, &mut into[V::COUNT..]);
            (keys, hashes) = (later, later_hashes);
        }
        for (keys, hashes) in keys.chunks(V::COUNT).zip(hashes.chunks_mut(V::COUNT)) {
            let first_block = first_block::<V, BYTES>(token, keys);
            let last_block = last_block::<V, BYTES>(token, keys);
            store_digests::<V>(token, hash160::<V, BYTES>(token, first_block, last_block), hashes);
        }
    }
}

/// The key of a lane; an idle lane does what the last one at work does.
#[inline(always)]
fn key<'k, const BYTES: usize>(keys: &[&'k [u8; BYTES]], lane: usize) -> &'k [u8; BYTES] {
    keys[lane.min(keys.len() - 1)]
}

/// Both hashes of keys whose blocks are given; those of 33 bytes have only a last block.
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
    hazmat::compress_folding(token, &mut state, last_block);
    for word in &mut state {
        *word = word.swap_bytes();
    }
    hash_digest(token, state)
}

/// The first block of keys of 65 bytes; of shorter keys, nothing.
#[inline(always)]
fn first_block<V: Lanes, const BYTES: usize>(token: V::Token, keys: &[&[u8; BYTES]]) -> [V; 16] {
    if BYTES < 64 {
        return [V::splat(token, 0); 16];
    }
    V::load_blocks(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| key(keys, lane).first_chunk().expect("64 bytes of a longer key"),
    )
}

/// The last block of the keys, padding included, of which all but the words of the key are constants.
#[inline(always)]
fn last_block<V: Lanes, const BYTES: usize>(token: V::Token, keys: &[&[u8; BYTES]]) -> [V; 16] {
    let mut block = [V::splat(token, 0); 16];
    let mut last_word = 0;
    if BYTES < 64 {
        let row = V::load_rows(
            token,
            ByteOrder::Big,
            #[inline(always)]
            |lane| key(keys, lane).first_chunk().expect("32 bytes of a longer key"),
        );
        block[..8].copy_from_slice(&row);
        last_word = 8;
    }
    let tail = V::load_rows(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| key(keys, lane).last_chunk().expect("32 bytes of a longer key"),
    );
    // The key's last byte and the one bit of the padding.
    block[last_word] = tail[7].shift_left(24) | V::splat(token, 0x80_0000);
    block[15] = V::splat(token, 8 * BYTES as u32);
    block
}
