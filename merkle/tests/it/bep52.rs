//! BitTorrent v2: files and their piece layers, by the definitions of BEP 52.

use merkle_lanes::bep52::{
    BLOCK_BYTES, Bep52, FileHasher, FileHashes, LayerError, PieceError, PieceLength,
    PieceLengthError, hash_blocks,
};
use merkle_lanes::{Backend, RootBuilder, root};
use proptest::prelude::*;

use crate::oracle::{Hash, sha256, ssz};

/// Bytes in which no two blocks are equal.
fn content(bytes: usize) -> Vec<u8> {
    let block = |i: u64| [&i.to_le_bytes()[..], &[i as u8; 243]].concat();
    (0..).flat_map(block).take(bytes).collect()
}

fn height(leaves: usize) -> u32 {
    leaves.next_power_of_two().ilog2()
}

fn leaves_of(content: &[u8]) -> Vec<Hash> {
    content.chunks(BLOCK_BYTES).map(|block| sha256(&[block])).collect()
}

/// The pieces root and piece layer of a file of `bytes` bytes.
fn oracle(leaves: &[Hash], bytes: usize, piece_length: usize) -> (Option<Hash>, Vec<Hash>) {
    let root = (!leaves.is_empty()).then(|| ssz(leaves, height(leaves.len())));
    if bytes <= piece_length {
        return (root, Vec::new());
    }
    let blocks = piece_length / BLOCK_BYTES;
    (root, leaves.chunks(blocks).map(|leaves| ssz(leaves, height(blocks))).collect())
}

fn length(bytes: usize) -> PieceLength {
    PieceLength::new(bytes as u64).unwrap()
}

fn hashed(hasher: Bep52, content: &[u8], piece_length: usize, part: usize) -> FileHashes {
    let mut hasher = FileHasher::new(hasher, length(piece_length));
    for part in content.chunks(part) {
        hasher.update(part);
    }
    assert_eq!(hasher.length(), content.len() as u64);
    let file = hasher.finish();
    assert_eq!((file.length(), file.piece_length()), (content.len() as u64, length(piece_length)));
    file
}

/// Three backends cover all block counts. The others differ only in how they hash leaves, and cover
/// the counts around the widths of the lanes and the pieces.
#[test]
fn roots_and_layers_match_the_definition() {
    let is_covered =
        |nth, blocks: usize| nth < 3 || blocks < 35 || (63..=66).contains(&blocks) || blocks > 126;
    let content = content(131 * BLOCK_BYTES);
    let piece_lengths = [1, 2, 4, 16, 64, 256].map(|blocks| blocks * BLOCK_BYTES);
    for (nth, backend) in Backend::available().into_iter().enumerate() {
        let hasher = Bep52::new().with_backend(backend);
        for blocks in (0..=130).filter(|&blocks| is_covered(nth, blocks)) {
            // The last block is short or whole.
            let bytes = (blocks * BLOCK_BYTES).saturating_sub(blocks * 37 % 113);
            let content = &content[..bytes];
            let leaves = leaves_of(content);
            assert_eq!(hash_blocks(&hasher, content), leaves, "{blocks} blocks");
            // Each backend covers a third of them, so three backends cover them all.
            for &piece_length in piece_lengths.iter().skip((blocks + nth) % 3).step_by(3) {
                let (pieces_root, layer) = oracle(&leaves, bytes, piece_length);
                let file = hashed(hasher, content, piece_length, 700_001);
                assert_eq!(
                    file.pieces_root(),
                    pieces_root,
                    "{blocks} blocks, pieces of {piece_length}"
                );
                assert_eq!(file.piece_layer(), layer, "{blocks} blocks, pieces of {piece_length}");
                assert_eq!(file.pieces(), bytes.div_ceil(piece_length) as u64);

                let bytes = bytes as u64;
                let verified = FileHashes::verified(
                    &hasher,
                    length(piece_length),
                    bytes,
                    pieces_root,
                    &layer.concat(),
                );
                assert_eq!(verified.as_ref(), Ok(&file));
                let pieces: Vec<_> = (0..).zip(content.chunks(piece_length)).collect();
                assert_eq!(file.verify_pieces(&hasher, &pieces), vec![Ok(()); pieces.len()]);
                for (index, leaves) in leaves.chunks(piece_length / BLOCK_BYTES).enumerate() {
                    assert_eq!(file.verify_blocks(&hasher, index as u64, leaves), Ok(()));
                }
            }
            if let (Some(expected), _) = oracle(&leaves, bytes, BLOCK_BYTES) {
                assert_eq!(root(&hasher, &leaves), expected);
                let mut builder = RootBuilder::new(hasher);
                builder.extend(&leaves);
                assert_eq!(builder.root(), expected);
            }
        }
    }
}

#[test]
fn more_leaves_than_are_buffered() {
    // Leaves are hashed into subtrees in batches of 4096.
    // The last block is 5 bytes short, or the file is exactly one piece of 64 MiB.
    for (blocks, missing) in [(4096, 0), (4096, 5), (4097, 5), (8200, 5)] {
        let content = content(blocks * BLOCK_BYTES - missing);
        let leaves = leaves_of(&content);
        for (piece_blocks, part) in [
            (1, content.len()),
            (64, 1_000_003),
            (4096, content.len()),
            (8192, 1_000_003),
            (16384, content.len()),
        ] {
            let (pieces_root, layer) = oracle(&leaves, content.len(), piece_blocks * BLOCK_BYTES);
            let file = hashed(Bep52::new(), &content, piece_blocks * BLOCK_BYTES, part);
            assert_eq!(
                file.pieces_root(),
                pieces_root,
                "{blocks} blocks, pieces of {piece_blocks}"
            );
            assert_eq!(file.piece_layer(), layer, "{blocks} blocks, pieces of {piece_blocks}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn parts_of_any_length_give_the_same_result(
        lengths in prop::collection::vec(0_usize..800_000, 0..5),
        pieces in 0..7,
    ) {
        let content = content(lengths.iter().sum());
        let piece_length = BLOCK_BYTES << pieces;
        let mut hasher = FileHasher::new(Bep52::new(), length(piece_length));
        let mut rest = content.as_slice();
        for bytes in lengths {
            hasher.update(&rest[..bytes]);
            rest = &rest[bytes..];
        }
        let file = hasher.finish();
        let (pieces_root, layer) = oracle(&leaves_of(&content), content.len(), piece_length);
        prop_assert_eq!((file.pieces_root(), file.piece_layer()), (pieces_root, layer.as_slice()));
    }
}

#[test]
fn piece_lengths() {
    for bytes in [0, 1, 8 << 10, 24 << 10, (16 << 10) + 1, u64::MAX] {
        assert_eq!(PieceLength::new(bytes), Err(PieceLengthError(bytes)));
    }
    for bytes in [16 << 10, 1 << 20, 1 << 63] {
        let piece_length = PieceLength::try_from(bytes).unwrap();
        assert_eq!((piece_length.bytes(), piece_length.blocks()), (bytes, bytes >> 14));
    }
}

#[test]
fn wrong_layers_are_refused() {
    let hasher = Bep52::new();
    let content = content(100_000);
    let file = hashed(hasher, &content, 32 << 10, 100_000);
    let layer = file.piece_layer().concat();
    let verified = |length, bytes, root, layer: &[u8]| {
        FileHashes::verified(&hasher, length, bytes, root, layer)
    };
    let (short, root) = (length(32 << 10), file.pieces_root());
    assert!(verified(short, 100_000, root, &layer).is_ok());

    for (bytes, layer, expected) in [
        (100_000, &layer[..127], 128),
        (100_000, &layer[..96], 128),
        (100_000, &[], 128),
        (98_304, &layer[..], 96),
        (32 << 10, &layer[..], 0),
        (u64::MAX, &layer[..], 1 << 54),
    ] {
        let error = LayerError::WrongLength { expected, got: layer.len() };
        assert_eq!(verified(short, bytes, root, layer), Err(error));
    }
    for bit in 0..8 * layer.len() {
        let mut layer = layer.clone();
        layer[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(verified(short, 100_000, root, &layer), Err(LayerError::WrongRoot));
    }
    assert_eq!(verified(short, 100_000, None, &layer), Err(LayerError::Root { length: 100_000 }));
    assert_eq!(verified(short, 0, root, &[]), Err(LayerError::Root { length: 0 }));
    assert!(verified(short, 0, None, &[]).is_ok());
    // Another level of the tree is not the piece layer of longer pieces.
    assert!(verified(length(64 << 10), 100_000, root, &layer[..64]).is_err());
    // Longer than fits into the memory of a 32-bit machine.
    let longest = PieceLength::new(1 << 63).unwrap();
    assert_eq!(verified(longest, u64::MAX, root, &layer[..64]), Err(LayerError::WrongRoot));
}

#[test]
fn wrong_pieces_are_found() {
    let hasher = Bep52::new();
    let content = content(300_000);
    let piece = 64 << 10;
    let file = hashed(hasher, &content, piece, 300_000);
    let mut pieces: Vec<_> = (0_u64..).zip(content.chunks(piece).map(<[u8]>::to_vec)).collect();
    // In arbitrary order, some repeated, with the short one in between.
    pieces.swap(4, 1);
    pieces.push(pieces[0].clone());
    assert!(file.verify_pieces(&hasher, &pieces).iter().all(Result::is_ok));

    pieces[2].1[70] ^= 1;
    pieces[1].1.pop();
    pieces[3].1.push(0);
    pieces.push((5, vec![0; 10]));
    pieces.push((0, Vec::new()));
    pieces.push((1, pieces[0].1.clone()));
    assert_eq!(
        file.verify_pieces(&hasher, &pieces),
        [
            Ok(()),
            Err(PieceError::WrongLength { index: 4, expected: 37_856, got: 37_855 }),
            Err(PieceError::WrongHash { index: 2 }),
            Err(PieceError::WrongLength { index: 3, expected: 65_536, got: 65_537 }),
            Ok(()),
            Ok(()),
            Err(PieceError::NoSuchPiece { index: 5, pieces: 5 }),
            Err(PieceError::WrongLength { index: 0, expected: 65_536, got: 0 }),
            Err(PieceError::WrongHash { index: 1 }),
        ]
    );

    let leaves = hash_blocks(&hasher, &content[..piece]);
    assert_eq!(file.verify_blocks(&hasher, 0, &leaves), Ok(()));
    assert_eq!(file.verify_blocks(&hasher, 1, &leaves), Err(PieceError::WrongHash { index: 1 }));
    let error = PieceError::WrongBlocks { index: 0, expected: 4, got: 3 };
    assert_eq!(file.verify_blocks(&hasher, 0, &leaves[..3]), Err(error));
    assert!(file.verify_blocks(&hasher, 5, &leaves).is_err());
    assert_eq!(file.hash_of_piece(5), Err(PieceError::NoSuchPiece { index: 5, pieces: 5 }));
    // A file no larger than a piece has no layer, but still one piece.
    let small = hashed(hasher, &content[..piece], piece, piece);
    assert_eq!(small.verify_blocks(&hasher, 0, &leaves), Ok(()));
    assert_eq!(small.hash_of_piece(0).ok(), small.pieces_root());
    assert_eq!(small.hash_of_piece(1), Err(PieceError::NoSuchPiece { index: 1, pieces: 1 }));
    let empty = hashed(hasher, &[], piece, 1);
    assert_eq!(
        empty.verify_blocks(&hasher, 0, &[]),
        Err(PieceError::NoSuchPiece { index: 0, pieces: 0 })
    );
}
