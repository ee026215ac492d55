//! Tests the SHA instructions on blocks that are already padded.

use sha256_multi::hazmat::double_hash_blocks;

use crate::{double_sha256, painted};

#[test]
fn double_hashes_of_blocks() {
    let Some(sha) = hash_lanes::engine::ShaExtensions::detect() else { return };
    for count in 0..=9 {
        let messages: Vec<Vec<u8>> = (0..count).map(|i| painted(i, 21 + i)).collect();
        let block = |message: &Vec<u8>| {
            let mut bytes = [0; 64];
            bytes[..message.len()].copy_from_slice(message);
            bytes[message.len()] = 0x80;
            bytes[56..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
            let (words, _) = bytes.as_chunks();
            core::array::from_fn(|i| u32::from_be_bytes(words[i]))
        };
        let blocks: Vec<[u32; 16]> = messages.iter().map(block).collect();
        let mut first_words = vec![0; count];
        double_hash_blocks(sha, &blocks, &mut first_words);
        for (message, word) in messages.iter().zip(first_words) {
            assert_eq!(word.to_be_bytes(), double_sha256(message)[..4], "{} bytes", message.len());
        }
    }
}

#[test]
#[should_panic(expected = "2")]
fn more_first_words_than_blocks() {
    if let Some(sha) = hash_lanes::engine::ShaExtensions::detect() {
        double_hash_blocks(sha, &[[0; 16]; 2], &mut [0; 3]);
    } else {
        panic!("2: no SHA instructions");
    }
}
