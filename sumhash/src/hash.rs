//! Hashes with any compression function.

use alloc::vec;
use alloc::vec::Vec;

use crate::compressor::Compressor;
use crate::padding::{bits, pad, padded_len};

/// Hashes `message` with a compression function of any size, to a digest of `8 n` bytes.
///
/// For sumhash512, the digest types and [`hash_many`](crate::hash_many) are faster.
///
/// ```
/// use sumhash512::{CompressLookup, Matrix, hash};
///
/// let compress = CompressLookup::new(&Matrix::new(14, 3584, &[0x11, 0x22, 0x33, 0x44])?);
/// let digest = hash(&compress, b"1234567890");
/// assert_eq!(digest.len(), 8 * 14);
/// assert_eq!(digest[..4], [0xfc, 0x91, 0x82, 0x88]);
/// # Ok::<(), sumhash512::SizeError>(())
/// ```
///
/// # Panics
///
/// Panics if `compressor.input_bytes() < compressor.output_bytes() + 16`, or if either exceeds
/// `isize::MAX`.
#[track_caller]
pub fn hash<C: Compressor + ?Sized>(compressor: &C, message: &[u8]) -> Vec<u8> {
    hash_padded(compressor, &[], message, &vec![0; block_bytes(compressor)])
}

/// Hashes `message` with a salt as long as a block, `m / 8 - 8 n` bytes.
///
/// A block of zeros is prepended to the message, and each block is combined with the salt by XOR.
///
/// # Panics
///
/// Panics if `salt` is not as long as a block, if
/// `compressor.input_bytes() < compressor.output_bytes() + 16`, or if either exceeds `isize::MAX`.
#[track_caller]
pub fn hash_salted<C: Compressor + ?Sized>(compressor: &C, salt: &[u8], message: &[u8]) -> Vec<u8> {
    let block = block_bytes(compressor);
    assert!(
        salt.len() == block,
        "the salt is {} bytes long, but must be as long as a block ({block} bytes)",
        salt.len()
    );
    hash_padded(compressor, &vec![0; block], message, salt)
}

#[track_caller]
fn block_bytes<C: Compressor + ?Sized>(compressor: &C) -> usize {
    let (input, state) = (compressor.input_bytes(), compressor.output_bytes());
    let block = input.saturating_sub(state);
    assert!(
        input <= isize::MAX as usize,
        "the compression function takes {input} bytes, which no slice can have"
    );
    assert!(
        block >= 16,
        "the compression function takes blocks of {block} bytes, but at least 16 are needed for \
         the message length"
    );
    block
}

/// Hashes `prefix` and `message`, with each block combined with `mask` by XOR.
fn hash_padded<C: Compressor + ?Sized>(
    compressor: &C,
    prefix: &[u8],
    message: &[u8],
    mask: &[u8],
) -> Vec<u8> {
    let len = prefix.len() + message.len();
    let mut blocks = [prefix, message].concat();
    blocks.resize(padded_len(len, mask.len()), 0);
    pad(&mut blocks, len, bits(len as u128));

    let mut state = vec![0; compressor.output_bytes()];
    let mut input = vec![0; compressor.input_bytes()];
    for block in blocks.chunks_exact(mask.len()) {
        let (input_state, input_block) = input.split_at_mut(state.len());
        input_state.copy_from_slice(&state);
        for ((byte, message), mask) in input_block.iter_mut().zip(block).zip(mask) {
            *byte = message ^ mask;
        }
        compressor.compress(&input, &mut state);
    }
    state
}
