//! Tests the state after a common prefix.

use sha256_multi::{Midstate, hazmat};

use crate::{UNWRITTEN, painted, sha256};

/// Compiles only if `Midstate` is `Send` and `Sync`.
const _: () = {
    const fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Midstate>();
};

#[test]
fn prefixes_of_every_number_of_blocks() {
    for blocks in 0..=20 {
        let prefix = painted(blocks, blocks * 64);
        let midstate = Midstate::new(&prefix);
        assert_eq!(midstate.prefix_len(), blocks as u64 * 64);
        let messages: Vec<Vec<u8>> = (0..18).map(|i| painted(i, i * 13)).collect();
        let digests = midstate.hash_many(&messages);
        for (digest, message) in digests.iter().zip(&messages) {
            assert_eq!(*digest, sha256([&prefix[..], message].concat()), "{blocks} blocks before");
        }
    }
}

#[test]
fn empty_prefix_gives_the_initial_hash_value() {
    let midstate = Midstate::new(&[]);
    assert_eq!((midstate.words(), midstate.prefix_len()), (hazmat::IV, 0));
    let mut digests = [UNWRITTEN];
    midstate.hash_many_into(["abc"], &mut digests);
    assert_eq!(digests, [sha256("abc")]);
}

#[test]
fn words_of_another_implementation() {
    let midstate = Midstate::new(&painted(9, 640));
    assert_eq!(Midstate::from_words(midstate.words(), midstate.prefix_len()), midstate);
    assert_ne!(Midstate::from_words(midstate.words(), 64), midstate);
}

/// If the prefix is a message of 55 bytes with its padding, the state is the digest of the message.
#[test]
fn words_are_the_hash_value() {
    let mut block = painted(3, 55);
    block.push(0x80);
    block.extend(440_u64.to_be_bytes());
    let words: Vec<u8> =
        Midstate::new(&block).words().iter().flat_map(|word| word.to_be_bytes()).collect();
    assert_eq!(words, sha256(&block[..55]));
}

#[test]
fn prefixes_of_any_length_can_be_tried() {
    assert_eq!(Midstate::try_new(&[7; 128]), Ok(Midstate::new(&[7; 128])));
    let error = Midstate::try_new(&[0; 127]).unwrap_err();
    let message = "the length of a prefix must be a multiple of 64 bytes, not 127";
    assert_eq!((error.prefix_len, error.to_string()), (127, message.to_owned()));
    assert!(Midstate::try_from_words([u32::MAX; 8], u64::MAX - 63).is_ok());
    assert!(Midstate::try_from_words([0; 8], u64::MAX).is_err());
}

/// The length of such messages is taken modulo 2^64 bits.
#[test]
fn the_longest_prefix() {
    let messages = [vec![1; 3], vec![2; 64], vec![3; 3000]];
    let midstate = |len| Midstate::from_words([7; 8], len);
    let longest = midstate(0_u64.wrapping_sub(64)).hash_many(&messages);
    assert_eq!(longest, midstate((1 << 61) - 64).hash_many(&messages));
    let mut hasher = midstate(0_u64.wrapping_sub(64)).many_hasher(3);
    hasher.update_all(&messages);
    assert_eq!(hasher.finalize(), longest);
}

#[test]
#[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
fn more_messages_than_digests() {
    Midstate::new(&[0; 64]).hash_many_into(["a", "b"], &mut [UNWRITTEN]);
}
