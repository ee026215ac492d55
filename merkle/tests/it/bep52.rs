//! BitTorrent v2: torrents created by other programs, and the definitions of BEP 52.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use merkle_lanes::bep52::{
    BLOCK_BYTES, Bep52, FileHasher, FileHashes, HashRequest, Hashes, LayerError, LayerProofError,
    PayloadError, PieceError, PieceLength, PieceLengthError, answer, hash_blocks,
};
use merkle_lanes::{Backend, RootBuilder, Tree, root};
use proptest::prelude::*;

use crate::oracle::{Hash, sha256};

/// Bytes in which no two blocks are equal.
fn content(bytes: usize) -> Vec<u8> {
    let block = |i: u64| [&i.to_le_bytes()[..], &[i as u8; 243]].concat();
    (0..).flat_map(block).take(bytes).collect()
}

/// The node above `2^height` leaves, padded with zeros.
fn subtree(leaves: &[Hash], height: u32) -> Hash {
    match (leaves, height) {
        ([], 0) => [0; 32],
        ([leaf], 0) => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().min(1 << (height - 1)));
            sha256(&[&subtree(left, height - 1), &subtree(right, height - 1)])
        }
    }
}

fn height(leaves: usize) -> u32 {
    leaves.next_power_of_two().ilog2()
}

fn leaves_of(content: &[u8]) -> Vec<Hash> {
    content.chunks(BLOCK_BYTES).map(|block| sha256(&[block])).collect()
}

/// The pieces root and piece layer of a file of `bytes` bytes.
fn oracle(leaves: &[Hash], bytes: usize, piece_length: usize) -> (Option<Hash>, Vec<Hash>) {
    let root = (!leaves.is_empty()).then(|| subtree(leaves, height(leaves.len())));
    if bytes <= piece_length {
        return (root, Vec::new());
    }
    let blocks = piece_length / BLOCK_BYTES;
    (root, leaves.chunks(blocks).map(|leaves| subtree(leaves, height(blocks))).collect())
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
    check_roots_and_layers(|nth, blocks| {
        nth < 3 || blocks < 35 || (63..=66).contains(&blocks) || blocks > 126
    });
}

/// Every backend covers all block counts.
#[test]
#[ignore = "takes long"]
fn roots_and_layers_match_the_definition_long() {
    check_roots_and_layers(|_, _| true);
}

/// Tests each backend in [`Backend::available`] with the block counts that `takes` selects.
fn check_roots_and_layers(takes: fn(usize, usize) -> bool) {
    let content = content(131 * BLOCK_BYTES);
    let piece_lengths = [1, 2, 4, 16, 64, 256].map(|blocks| blocks * BLOCK_BYTES);
    for (nth, backend) in Backend::available().into_iter().enumerate() {
        let hasher = Bep52::new().with_backend(backend);
        for blocks in (0..=130).filter(|&blocks| takes(nth, blocks)) {
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
    for blocks in [4096, 4097, 8200] {
        let content = content(blocks * BLOCK_BYTES - 5);
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

    #[test]
    fn arbitrary_payloads_are_refused_or_round_trip(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        small in any::<bool>(),
    ) {
        let mut bytes = bytes;
        if small && bytes.len() >= 48 {
            for i in 32..48 {
                bytes[i] = if i % 4 == 3 { bytes[i] & 7 } else { 0 };
            }
        }
        if let Ok(hashes) = Hashes::try_from(bytes.as_slice()) {
            prop_assert_eq!(hashes.to_bytes(), bytes);
            let request = *hashes.request();
            prop_assert!(hashes.verify(&Bep52::new(), &request, 1 << 20).is_err());
        }
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

#[test]
fn every_proof_of_every_layer_leads_to_the_root() {
    let hasher = Bep52::new();
    for blocks in 2..=70_usize {
        let leaves: Vec<Hash> = (0..blocks).map(|i| sha256(&[&[i as u8]])).collect();
        let (bytes, depth) = (blocks as u64 * BLOCK_BYTES as u64, height(blocks));
        let tree = Tree::from_leaves(hasher, &leaves[..]);
        // All nodes, as if the missing blocks had leaves.
        let mut layers = vec![leaves.clone()];
        layers[0].resize(1 << depth, [0; 32]);
        for layer in 0..depth as usize {
            let parents =
                layers[layer].chunks(2).map(|pair| sha256(&[&pair[0], &pair[1]])).collect();
            layers.push(parents);
        }
        let node = |layer: u32, index: usize| layers[layer as usize][index];
        for base_layer in 0..depth {
            for own in 1..=depth - base_layer {
                for index in (0..1_u32 << (depth - base_layer)).step_by(1 << own) {
                    for proof_layers in 0..depth - base_layer {
                        let request = HashRequest {
                            pieces_root: tree.root(),
                            base_layer,
                            index,
                            length: 1 << own,
                            proof_layers,
                        };
                        let hashes = answer(&tree, &request).unwrap();
                        // One uncle for each proof layer whose uncle cannot be computed.
                        let expected: Vec<Hash> = (0..1 << own)
                            .map(|i| node(base_layer, index as usize + i))
                            .chain((own - 1..proof_layers).map(|i| {
                                let layer = base_layer + i + 1;
                                node(layer, (index as usize >> (i + 1)) ^ 1)
                            }))
                            .collect();
                        assert_eq!([hashes.base(), hashes.uncles()].concat(), expected);

                        let payload = hashes.to_bytes();
                        assert_eq!(payload[..48], request.to_bytes());
                        assert_eq!(payload[48..], *expected.concat());
                        assert_eq!(Hashes::try_from(payload.as_slice()).as_ref(), Ok(&hashes));
                        assert_eq!(HashRequest::try_from(&payload[..48]), Ok(request));
                        let ancestor = hashes.ancestor(&hasher);
                        assert_eq!(ancestor.hash, node(ancestor.layer, ancestor.index as usize));
                        let verified = hashes.verify(&hasher, &request, bytes);
                        let is_whole = proof_layers
                            == HashRequest::all_proof_layers(base_layer, bytes)
                            || base_layer + own == depth;
                        if is_whole {
                            assert_eq!(verified, Ok(()));
                        } else {
                            let layer = ancestor.layer;
                            assert_eq!(
                                verified,
                                Err(LayerProofError::BelowRoot { layer, root: depth })
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn hostile_payloads_are_refused() {
    let hasher = Bep52::new();
    let leaves: Vec<Hash> = (0..20_u8).map(|i| sha256(&[&[i]])).collect();
    let (bytes, tree) = (20 * BLOCK_BYTES as u64 - 1, Tree::from_leaves(hasher, leaves));
    let good = HashRequest {
        pieces_root: tree.root(),
        base_layer: 0,
        index: 8,
        length: 4,
        proof_layers: 4,
    };
    let payload = answer(&tree, &good).unwrap().to_bytes();
    assert_eq!(good.check_file(bytes), Ok(()));
    assert_eq!(Hashes::try_from(payload.as_slice()).unwrap().verify(&hasher, &good, bytes), Ok(()));

    let above = |layer| LayerProofError::AboveRoot { layer, root: 5 };
    for (request, error) in [
        (HashRequest { length: 0, ..good }, LayerProofError::Length(0)),
        (HashRequest { length: 1, ..good }, LayerProofError::Length(1)),
        (HashRequest { length: 3, ..good }, LayerProofError::Length(3)),
        (HashRequest { length: 1024, index: 0, ..good }, LayerProofError::Length(1024)),
        (HashRequest { index: 9, ..good }, LayerProofError::Index { index: 9, length: 4 }),
        (HashRequest { proof_layers: 5, ..good }, above(6)),
        (HashRequest { base_layer: 1, ..good }, above(6)),
        (HashRequest { base_layer: 4, proof_layers: 0, ..good }, above(6)),
        (
            HashRequest { index: 32, ..good },
            LayerProofError::BeyondLayer { index: 32, last: 35, hashes: 32 },
        ),
        // A layer has half as many hashes as the one below.
        (
            HashRequest { base_layer: 1, index: 16, proof_layers: 3, ..good },
            LayerProofError::BeyondLayer { index: 16, last: 19, hashes: 16 },
        ),
        (
            HashRequest { index: u32::MAX - 3, ..good },
            LayerProofError::BeyondLayer { index: u32::MAX - 3, last: u32::MAX.into(), hashes: 32 },
        ),
    ] {
        assert_eq!(request.check_file(bytes), Err(error));
        assert_eq!(answer(&tree, &request).unwrap_err(), error);
    }
    let endless = HashRequest { proof_layers: u32::MAX, base_layer: u32::MAX, ..good };
    assert!(matches!(
        endless.check(),
        Err(LayerProofError::AboveRoot { layer: 0x1_ffff_ffff, root: 50 })
    ));
    assert!(matches!(
        HashRequest::try_from(&endless.to_bytes()[..]),
        Err(PayloadError::Request(_))
    ));
    let other = HashRequest { pieces_root: [1; 32], ..good };
    assert_eq!(answer(&tree, &other), Err(LayerProofError::OtherFile));

    for cut in 0..payload.len() {
        let expected = if cut < 48 { 48 } else { payload.len() as u64 };
        let error = PayloadError::WrongLength { expected, got: cut };
        assert_eq!(Hashes::try_from(&payload[..cut]), Err(error));
    }
    let longer = [&payload[..], &[0; 32]].concat();
    assert!(matches!(Hashes::try_from(&longer[..]), Err(PayloadError::WrongLength { .. })));
    for bit in 0..8 * payload.len() {
        let mut payload = payload.clone();
        payload[bit / 8] ^= 1 << (bit % 8);
        let refused = match Hashes::try_from(payload.as_slice()) {
            Ok(hashes) => hashes.verify(&hasher, &good, bytes).is_err(),
            Err(_) => true,
        };
        assert!(refused, "bit {bit}");
        if let (Ok(hashes), true) = (Hashes::try_from(payload.as_slice()), bit >= 8 * 48) {
            assert_eq!(hashes.verify(&hasher, &good, bytes), Err(LayerProofError::WrongRoot));
        }
    }
}

fn folder() -> PathBuf {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    PathBuf::from(folder).join("torrent")
}

/// A bencode value.
#[derive(Debug)]
enum Value {
    Number(i64),
    Bytes(Vec<u8>),
    List,
    Dictionary(BTreeMap<Vec<u8>, Value>),
}

impl Value {
    /// Reads a value from a well-formed torrent.
    fn read(rest: &mut &[u8]) -> Self {
        let until = |rest: &mut &[u8], end: u8| {
            let length = rest.iter().position(|&byte| byte == end).unwrap();
            let number = std::str::from_utf8(&rest[..length]).unwrap().parse::<i64>().unwrap();
            *rest = &rest[length + 1..];
            number
        };
        match rest[0] {
            b'i' => {
                *rest = &rest[1..];
                Self::Number(until(rest, b'e'))
            }
            first @ (b'l' | b'd') => {
                *rest = &rest[1..];
                let mut values = Vec::new();
                while rest[0] != b'e' {
                    values.push(Self::read(rest));
                }
                *rest = &rest[1..];
                if first == b'l' {
                    return Self::List;
                }
                let mut values = values.into_iter();
                let mut entries = BTreeMap::new();
                while let Some(Self::Bytes(key)) = values.next() {
                    entries.insert(key, values.next().unwrap());
                }
                Self::Dictionary(entries)
            }
            _ => {
                let length = until(rest, b':') as usize;
                let (bytes, later) = rest.split_at(length);
                *rest = later;
                Self::Bytes(bytes.to_vec())
            }
        }
    }

    fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Dictionary(entries) => entries.get(key.as_bytes()),
            other => panic!("{key} of {other:?}"),
        }
    }

    fn number(&self) -> u64 {
        match self {
            Self::Number(number) => u64::try_from(*number).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            other => panic!("{other:?}"),
        }
    }

    /// Collects the files of a `file tree` with their paths.
    fn files(&self, path: &Path, found: &mut Vec<(PathBuf, u64, Option<Hash>)>) {
        let Self::Dictionary(entries) = self else { panic!("{self:?}") };
        for (name, entry) in entries {
            if name.is_empty() {
                let root = entry.get("pieces root").map(|root| root.bytes().try_into().unwrap());
                found.push((path.to_owned(), entry.get("length").unwrap().number(), root));
            } else {
                entry.files(&path.join(std::str::from_utf8(name).unwrap()), found);
            }
        }
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn torrents_from_other_programs() {
    let (mut torrents, mut layers) = (0, 0);
    for entry in fs::read_dir(folder().join("v2-made")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "torrent") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let torrent = Value::read(&mut bytes.as_slice());
        let info = torrent.get("info").unwrap();
        let piece_length = PieceLength::new(info.get("piece length").unwrap().number()).unwrap();
        let piece_layers = torrent.get("piece layers").unwrap();
        let mut files = Vec::new();
        info.get("file tree").unwrap().files(Path::new(""), &mut files);
        assert!(!files.is_empty());
        let name = path.file_name().unwrap().to_string_lossy();
        for (file, bytes, pieces_root) in files {
            // A padding file of a hybrid torrent is not part of the file tree.
            let fixtures = folder().join("webtorrent-fixtures");
            let places = [fixtures.join(&file), fixtures.join("lots-of-numbers").join(&file)];
            let content = if bytes == 0 {
                Vec::new()
            } else {
                places
                    .iter()
                    .find_map(|place| fs::read(place).ok())
                    .unwrap_or_else(|| panic!("{name}: {file:?}"))
            };
            assert_eq!(content.len() as u64, bytes, "{name}: {file:?}");
            let layer = match pieces_root {
                Some(root) if bytes > piece_length.bytes() => match piece_layers {
                    Value::Dictionary(layers) => layers[root.as_slice()].bytes(),
                    other => panic!("{other:?}"),
                },
                _ => &[],
            };
            layers += usize::from(!layer.is_empty());
            let hasher = Bep52::new();
            let file =
                FileHashes::verified(&hasher, piece_length, bytes, pieces_root, layer).unwrap();
            let mut made = FileHasher::new(hasher, piece_length);
            content.chunks(50_000).for_each(|part| made.update(part));
            assert_eq!(made.finish(), file, "{name}");
            let pieces: Vec<_> = (0..).zip(content.chunks(piece_length.bytes() as usize)).collect();
            assert!(file.verify_pieces(&hasher, &pieces).iter().all(Result::is_ok), "{name}");
        }
        torrents += 1;
    }
    assert_eq!((torrents, layers), (17, 16));
}
