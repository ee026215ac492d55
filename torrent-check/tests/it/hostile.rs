//! Tests that hostile input takes time and memory only in proportion to its size.

use proptest::prelude::*;
use torrent_check::{MAX_PIECES, Torrent};

use crate::make::{FORMATS, Format, Maker, Value, content, dictionary, root_and_layer};
use crate::sound::assert_sound;

const TOO_MANY: &str = "the files up to this one have more than 16777216 pieces";

fn message(bytes: &[u8]) -> String {
    Torrent::parse(bytes).unwrap_err().message
}

#[test]
fn deep_nesting_is_refused() {
    let bomb = b"d4:info".repeat(100_000);
    assert_eq!(message(&bomb), "lists and dictionaries nested more than 100 deep");
    // The deepest file tree.
    let depth = 95;
    let path = ["f"; 95].join("/");
    let made = Maker::folder("a", 16 << 10).file(&path, [1]).torrent(Format::V2);
    let torrent = Torrent::parse(&made.encode()).unwrap();
    assert_eq!(torrent.files()[0].path().components().count(), depth);
}

#[test]
fn lengths_without_content_are_refused() {
    // 2^63 - 1 bytes of padding, then of content.
    for key in ["attr", "x"] {
        let file = dictionary([
            ("length", Value::Integer(i64::MAX)),
            (key, "p".into()),
            ("path", Value::List(vec!["a".into()])),
        ]);
        let files = Value::List(vec![
            dictionary([("length", 0.into()), ("path", Value::List(vec!["b".into()]))]),
            file,
        ]);
        let info = dictionary([
            ("files", files),
            ("name", "a".into()),
            ("piece length", (1 << 30).into()),
            ("pieces", vec![0; 20].into()),
        ]);
        let expected = if key == "attr" {
            "all files are empty, so there is nothing to check"
        } else {
            "`pieces` must have one hash per piece: 8589934592, not 1"
        };
        assert_eq!(message(&dictionary([("info", info)]).encode()), expected);
    }
    // A v2 file of 2^63 - 1 bytes, in pieces of 16 KiB.
    let mut made = Maker::single("a", 16 << 10, content(1, 40_000)).torrent(Format::V2);
    made.set(&["info", "file tree", "a", ""], "length", Value::Integer(i64::MAX));
    assert_eq!(message(&made.encode()), TOO_MANY);
    made.set(&["info", "file tree", "a", ""], "length", MAX_PIECES << 14);
    assert!(message(&made.encode()).contains("piece layer"));
}

/// A torrent with a hand-encoded file tree, which is too large for [`Maker`].
fn with_tree(tree: &[u8], layers: &[u8]) -> Vec<u8> {
    let head = b"d4:infod9:file tree";
    let tail = b"12:meta versioni2e4:name1:a12:piece lengthi16384ee12:piece layers";
    [&head[..], tree, tail, layers, b"e"].concat()
}

#[test]
fn many_files_in_long_folders() {
    // 16 nested folders with names of 250 bytes, and 100,000 files inside: the paths would take
    // 400 MB.
    let folder = [b"d250:", &[b'f'; 250][..]].concat();
    let mut tree = folder.repeat(16);
    tree.push(b'd');
    for file in 0..100_000 {
        tree.extend(format!("5:{file:05}d0:d6:lengthi0eee").into_bytes());
    }
    tree.extend(b"e".repeat(17));
    assert_eq!(
        message(&with_tree(&tree, b"de")),
        "the paths have more than 67108864 bytes in total"
    );
}

#[test]
fn a_large_layer_shared_by_many_files() {
    // All files share a layer of 3 MB. It is not copied for each file, and the number of pieces is
    // limited.
    let layer = content(1, 100_000 * 32);
    let leaves: Vec<_> = layer.as_chunks::<32>().0.to_vec();
    let root = tree_root(&leaves);
    let length = 100_000_u64 * (16 << 10);
    let torrent = |files: u64| {
        let mut tree = b"d".to_vec();
        for file in 0..files {
            tree.extend(format!("5:{file:05}d0:d6:lengthi{length}e11:pieces root32:").into_bytes());
            tree.extend(root);
            tree.extend(b"ee");
        }
        tree.push(b'e');
        let layers =
            [b"d32:", &root[..], format!("{}:", layer.len()).as_bytes(), &layer, b"e"].concat();
        with_tree(&tree, &layers)
    };
    let max = MAX_PIECES / 100_000;
    let crossing = torrent(max + 1);
    let error = Torrent::parse(&crossing).unwrap_err();
    assert_eq!(error.message, TOO_MANY);
    assert!(crossing[error.offset..].starts_with(format!("5:{max:05}").as_bytes()));
    let torrent = Torrent::parse(&torrent(max)).unwrap();
    assert_eq!(torrent.files().len() as u64, max);
    assert!(torrent.files().iter().all(|file| file.hashes().unwrap().pieces_root() == Some(root)));
}

/// The root of a piece layer with pieces of one block, padded with zeros to a power of two.
fn tree_root(nodes: &[[u8; 32]]) -> [u8; 32] {
    use sha2::{Digest as _, Sha256};
    let (mut level, mut zero) = (nodes.to_vec(), [0; 32]);
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| Sha256::digest([pair[0], *pair.get(1).unwrap_or(&zero)].concat()).into())
            .collect();
        zero = Sha256::digest([zero, zero].concat()).into();
    }
    level[0]
}

#[test]
fn many_unsorted_keys() {
    let entries: Vec<u8> =
        (0..200_000).rev().flat_map(|key| format!("6:{key:06}0:").into_bytes()).collect();
    let torrent = Maker::single("a", 16 << 10, [1]).bytes(Format::V1);
    let bytes = [b"d1:xd", &entries[..], b"e", &torrent[1..]].concat();
    assert_eq!(Torrent::parse(&bytes).unwrap().warnings().len(), 2);
}

#[test]
fn many_files_with_the_same_name() {
    let file = b"d6:lengthi0e4:pathl1:aee";
    let files = [b"l", &file.repeat(50_000)[..], b"d6:lengthi1e4:pathl1:beee"].concat();
    let info = [
        &b"d5:files"[..],
        &files,
        b"4:name1:x12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae",
    ]
    .concat();
    let torrent = Torrent::parse(&[b"d4:info", &info[..], b"e"].concat()).unwrap();
    assert_eq!(torrent.files().len(), 50_001);
    assert_eq!(torrent.warnings().len(), 101);
    assert_eq!(torrent.pieces().segments(0).count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_torrents(
        format in prop::sample::select(FORMATS.to_vec()),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..4),
    ) {
        let maker = Maker::folder("folder", 16 << 10)
            .file("a/large", content(1, 40_000))
            .file("b", content(2, 100))
            .symlink("link", "b");
        let mut bytes = maker.bytes(format);
        for (place, byte, edit) in edits {
            let place = place.index(bytes.len());
            match edit {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte % 64 + b'0'),
                _ => drop(bytes.remove(place)),
            }
        }
        match Torrent::parse(&bytes) {
            Ok(torrent) => assert_sound(&torrent),
            Err(error) => prop_assert!(error.offset <= bytes.len(), "{}", error),
        }
    }

    #[test]
    fn created_torrents_are_accepted(
        files in prop::collection::btree_map("[a-c]{1,2}/[a-c]{1,2}", 0_usize..40_000, 1..6),
        piece_length in prop::sample::select(vec![16_u64 << 10, 32 << 10, 64 << 10]),
        format in prop::sample::select(FORMATS.to_vec()),
    ) {
        prop_assume!(files.values().any(|&length| length > 0));
        let maker = Maker::folder("folder", piece_length);
        let maker = files.iter().fold(maker, |maker, (path, &length)| {
            maker.file(path, content(length as u8, length))
        });
        let torrent = Torrent::parse(&maker.bytes(format)).unwrap();
        assert_sound(&torrent);
        prop_assert_eq!(torrent.warnings(), &[]);
        let is_data = |file: &&torrent_check::File| *file.kind() == torrent_check::FileKind::Data;
        let found = torrent.files().iter().filter(is_data);
        let found = found.map(|file| (file.path().to_text(), file.length() as usize));
        let found: Vec<_> = found.collect();
        prop_assert_eq!(found, Vec::from_iter(files.clone()));
        for file in torrent.files() {
            if let Some(hashes) = file.hashes().filter(|_| file.length() > 0) {
                let data = content(file.length() as u8, file.length() as usize);
                let (root, _) = root_and_layer(&data, piece_length as usize);
                prop_assert_eq!(hashes.pieces_root(), Some(root));
            }
        }
    }
}
