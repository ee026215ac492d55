//! Saves and restores states.

use digest::common::hazmat::SerializableState;
use digest::{FixedOutput, Update};
use sumhash512::Sumhash512;

use crate::painted;
use crate::reference::Reference;

#[test]
fn restored_hashers_continue() {
    let message = painted(7, 300);
    let expected = Sumhash512::default().chain(&message).finalize_fixed();
    for split in [0, 1, 63, 64, 65, 128, 200, 300] {
        let (first, second) = message.split_at(split);
        let saved = Sumhash512::default().chain(first).serialize();
        let restored = Sumhash512::deserialize(&saved).unwrap();
        assert_eq!(restored.chain(second).finalize_fixed(), expected, "after {split} bytes");
    }
}

/// A saved state is the state, the number of blocks and the serialized buffer, here of 3 bytes.
#[test]
fn saved_states_have_a_fixed_layout() {
    let mut message = [0; 67];
    message[64..].copy_from_slice(b"abc");
    let saved = Sumhash512::default().chain(message).serialize();
    assert_eq!(saved.len(), 64 + 8 + 64);
    assert_eq!(saved[..64], [0; 64]);
    assert_eq!(saved[64..72], 1_u64.to_le_bytes());
    assert_eq!(saved[72..76], *b"\x03abc");
    assert_eq!(saved[76..], [0; 60]);
}

#[test]
fn invalid_positions_are_rejected() {
    let mut saved = Sumhash512::default().serialize();
    saved[72] = 64;
    assert!(Sumhash512::deserialize(&saved).is_err());
}

#[test]
fn invalid_block_counts_are_rejected() {
    let mut saved = Sumhash512::default().chain([7; 64]).serialize();
    // A nonzero state before the first block, and more blocks than the maximum.
    for blocks in [0, (1 << 58) + 1, u64::MAX] {
        saved[64..72].copy_from_slice(&u64::to_le_bytes(blocks));
        assert!(Sumhash512::deserialize(&saved).is_err(), "{blocks} blocks");
    }
    saved[..64].fill(0);
    saved[64..72].fill(0);
    assert!(Sumhash512::deserialize(&saved).is_ok());
}

/// The longest message that can be restored, of 2^64 bytes, and a few more. Its length in bits
/// takes nine bytes.
#[test]
fn the_maximum_number_of_blocks() {
    let reference = Reference::new();
    let (state, rest): ([u8; 64], _) = (painted(9, 64).try_into().unwrap(), painted(10, 3));
    let last = |blocks: u128| {
        let mut last = [0; 64];
        last[..3].copy_from_slice(&rest);
        last[3] = 1;
        last[48..].copy_from_slice(&(8 * (64 * blocks + 3)).to_le_bytes());
        last
    };

    let mut saved = Sumhash512::default().serialize();
    saved[..64].copy_from_slice(&state);
    saved[64..72].copy_from_slice(&(1_u64 << 58).to_le_bytes());
    let expected = reference.compress(&state, &last(1 << 58));
    let digest = Sumhash512::deserialize(&saved).unwrap().chain(&rest).finalize_fixed();
    assert_eq!(digest[..], expected);

    let next = reference.compress(&state, &[5; 64]);
    let expected = reference.compress(&next, &last((1 << 58) + 1));
    let hasher = Sumhash512::deserialize(&saved).unwrap().chain([5; 64]);
    assert_eq!(hasher.clone().chain(&rest).finalize_fixed()[..], expected);
    // It is too long to be restored once more.
    assert!(Sumhash512::deserialize(&hasher.serialize()).is_err());
}
