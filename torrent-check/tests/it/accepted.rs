//! Tests of torrents that are accepted, with or without warnings.

use sha1::{Digest as _, Sha1};
use sha2::Sha256;
use torrent_check::bencode::DeviationKind;
use torrent_check::{File, FileKind, PathError, Torrent, TorrentPath, Version, WarningKind};

use crate::make::{FORMATS, Format, Maker, Value, content, dictionary, root_and_layer, strings};

const KIB: usize = 1 << 10;

/// A folder with files of all kinds.
fn folder() -> Maker {
    Maker::folder("folder", 32 << 10)
        .file("a/large", content(1, 100 * KIB + 1))
        .file("a/same", content(1, 100 * KIB + 1))
        .file("a/small", content(2, 5))
        .file("empty", [])
        .file("piece", content(3, 32 * KIB))
        .symlink("z", "a/small")
}

fn path(text: &str) -> TorrentPath {
    TorrentPath::new(text.split('/').map(str::as_bytes)).unwrap()
}

fn paths(torrent: &Torrent) -> Vec<String> {
    torrent.files().iter().map(|file| file.path().to_string()).collect()
}

fn parsed(torrent: &Value) -> Torrent {
    Torrent::parse(&torrent.encode()).unwrap()
}

fn kinds(torrent: &Torrent) -> Vec<WarningKind> {
    torrent.warnings().iter().map(|warning| warning.kind.clone()).collect()
}

#[test]
fn a_folder_in_every_format() {
    for format in FORMATS {
        let mut made = folder().torrent(format);
        let torrent = parsed(&made);
        let info = made.at(&["info"]).encode();
        let (v1, v2) = (format != Format::V2, format != Format::V1);
        assert_eq!(torrent.info_hash_v1(), v1.then(|| Sha1::digest(&info).into()));
        assert_eq!(torrent.info_hash_v2(), v2.then(|| Sha256::digest(&info).into()));
        let version = match format {
            Format::V1 => Version::V1,
            Format::V2 => Version::V2,
            Format::Hybrid => Version::Hybrid,
        };
        assert_eq!(torrent.version(), version);
        assert_eq!((torrent.name(), torrent.is_single_file()), (&path("folder"), false));
        assert_eq!(torrent.piece_length(), 32 << 10);
        assert_eq!(torrent.warnings(), []);

        let files: Vec<&File> =
            torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad).collect();
        let expected = [
            ("a/large", 100 * KIB + 1),
            ("a/same", 100 * KIB + 1),
            ("a/small", 5),
            ("empty", 0),
            ("piece", 32 * KIB),
            ("z", 0),
        ];
        let found: Vec<_> =
            files.iter().map(|file| (file.path().to_string(), file.length() as usize)).collect();
        assert_eq!(found, expected.map(|(path, length)| (path.to_owned(), length)));
        assert_eq!(files[5].kind(), &FileKind::Symlink(path("a/small")));

        for (file, data) in files.iter().zip([
            content(1, 100 * KIB + 1),
            content(1, 100 * KIB + 1),
            content(2, 5),
            Vec::new(),
            content(3, 32 * KIB),
        ]) {
            assert_eq!(file.kind(), &FileKind::Data);
            let Some(hashes) = file.hashes().filter(|_| v2) else {
                assert!(!v2 && file.hashes().is_none());
                continue;
            };
            let expected = (!data.is_empty()).then(|| root_and_layer(&data, 32 * KIB));
            assert_eq!(hashes.pieces_root(), expected.as_ref().map(|(root, _)| *root));
            assert_eq!(hashes.piece_layer(), expected.map(|(_, layer)| layer).unwrap_or_default());
        }
        assert!(files[5].hashes().is_none());

        assert_eq!(torrent.v1().is_some(), v1);
        if format == Format::Hybrid {
            let pads = torrent.files().iter().filter(|file| *file.kind() == FileKind::Pad);
            let lengths: Vec<u64> = pads.map(File::length).collect();
            assert_eq!(lengths, [28 * 1024 - 1, 28 * 1024 - 1, 32 * 1024 - 5]);
            assert!(
                torrent
                    .files()
                    .iter()
                    .all(|file| *file.kind() != FileKind::Pad || file.hashes().is_none())
            );
        }
    }
}

/// The content of a v1 piece, assembled from its segments.
fn piece(torrent: &Torrent, piece: u64, data_of: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let segments = torrent.v1().unwrap().segments(piece);
    let part = |segment: torrent_check::Segment| {
        let file = &torrent.files()[segment.file];
        let range = segment.offset as usize..(segment.offset + segment.length) as usize;
        match file.kind() {
            FileKind::Pad => vec![0; range.len()],
            _ => data_of(&file.path().to_string())[range].to_vec(),
        }
    };
    segments.flat_map(part).collect()
}

#[test]
fn segments_match_the_hashes() {
    let data_of = |path: &str| match path {
        "a/large" | "a/same" => content(1, 100 * KIB + 1),
        "a/small" => content(2, 5),
        "piece" => content(3, 32 * KIB),
        _ => Vec::new(),
    };
    for format in [Format::V1, Format::Hybrid] {
        let torrent = parsed(&folder().torrent(format));
        let map = torrent.v1().unwrap();
        for index in 0..map.pieces() {
            let piece = piece(&torrent, index, data_of);
            assert_eq!(
                <[u8; 20]>::from(Sha1::digest(&piece)),
                map.hash(index),
                "{format:?}, piece {index}"
            );
        }
    }
}

#[test]
fn a_single_file_in_every_format() {
    for format in FORMATS {
        let torrent =
            parsed(&Maker::single("a file", 16 << 10, content(1, 40_000)).torrent(format));
        assert!(torrent.is_single_file());
        assert_eq!(torrent.name().to_string(), "a file");
        assert_eq!(paths(&torrent), ["a file"]);
        assert_eq!(torrent.files()[0].length(), 40_000);
    }
    // A folder with one file is not a single file, even if both have the same name.
    let torrent = parsed(&Maker::folder("a", 16 << 10).file("b", [1]).torrent(Format::V2));
    assert!(!torrent.is_single_file());
    let torrent = parsed(&Maker::folder("a", 16 << 10).file("a", [1]).torrent(Format::Hybrid));
    assert!(!torrent.is_single_file());
}

#[test]
fn link_targets_do_not_affect_other_paths() {
    let mut maker = Maker::folder("folder", 16 << 10);
    let files = ["a/b/1", "a/b/3", "a/c/d", "a/c.d", "e"];
    for (nth, path) in files.iter().enumerate() {
        maker = maker.file(path, content(nth as u8, 10));
    }
    let links = [("a/b/2", "x/yy/zzz/long"), ("a/b/4", "x"), ("a/c/a", "x/yy"), ("a/z", "xxx/y")];
    for (path, target) in links {
        maker = maker.symlink(path, target);
    }
    for format in FORMATS {
        let mut found = paths(&parsed(&maker.torrent(format)));
        found.retain(|path| !path.starts_with(".pad"));
        let mut expected: Vec<&str> =
            files.into_iter().chain(links.map(|(path, _)| path)).collect();
        if format != Format::V1 {
            expected.sort_by(|one, other| one.split('/').cmp(other.split('/')));
        }
        assert_eq!(found, expected, "{format:?}");
    }
}

#[test]
fn files_with_the_same_root_share_a_layer() {
    let torrent = parsed(&folder().torrent(Format::V2));
    let [one, other] = [0, 1].map(|nth| torrent.files()[nth].hashes().unwrap().piece_layer());
    assert_eq!(one.as_ptr(), other.as_ptr());
}

#[test]
fn the_info_hash_covers_the_encoded_bytes() {
    let info = b"d4:name1:a6:lengthi03e12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae";
    let torrent = Torrent::parse(&[b"d4:info", &info[..], b"e\n"].concat()).unwrap();
    assert_eq!(torrent.info_hash_v1(), Some(Sha1::digest(info).into()));
    let found: Vec<_> =
        torrent.warnings().iter().map(|warning| (warning.offset, &warning.kind)).collect();
    let [unsorted, zero, space] =
        [DeviationKind::UnsortedKeys, DeviationKind::LeadingZero, DeviationKind::TrailingSpace]
            .map(WarningKind::NotCanonical);
    // The info dictionary begins at byte 7. One byte after it is the newline.
    assert_eq!(found, [(7 + 10, &unsorted), (7 + 18, &zero), (8 + info.len(), &space)]);
}

#[test]
fn v2_accepts_trailing_whitespace() {
    let bytes = [folder().bytes(Format::Hybrid), b"\n".to_vec()].concat();
    let torrent = Torrent::parse(&bytes).unwrap();
    assert_eq!(kinds(&torrent), [WarningKind::NotCanonical(DeviationKind::TrailingSpace)]);
    assert_eq!(torrent.warnings()[0].offset, bytes.len() - 1);
}

#[test]
fn utf_8_names_take_precedence() {
    let mut made =
        Maker::folder("old", 16 << 10).file("one", [1]).file("two", [2]).torrent(Format::V1);
    made.set(&["info"], "name.utf-8", "new");
    made.set(&["info", "files", "0"], "path.utf-8", strings(["été", "1"]));
    made.set(&["info", "files", "1"], "path", Value::List(vec![b"\xe9t\xe9".to_vec().into()]));
    let torrent = parsed(&made);
    assert_eq!(torrent.name().to_string(), "new");
    assert_eq!(torrent.files()[0].path().to_string(), "été/1");
    if cfg!(unix) {
        assert_eq!(torrent.files()[1].path().as_bytes(), b"\xe9t\xe9");
        assert_eq!(kinds(&torrent), [WarningKind::NotUtf8 { component: r"\xe9t\xe9".to_owned() }]);
        assert!(
            torrent.warnings()[0].to_string().ends_with(r#"the name "\xe9t\xe9" is not UTF-8"#)
        );
    }
}

/// Such names are valid on this system.
#[test]
#[cfg(unix)]
fn names_reserved_on_windows_cause_no_warning() {
    for name in ["CON", "nul.txt", "aux .c", "ends.", "ends ", "a:b?", r"a\b"] {
        let torrent = parsed(
            &Maker::folder("a", 16 << 10).file(&format!("{name}/file"), [1]).torrent(Format::V1),
        );
        assert_eq!(kinds(&torrent), [], "{name:?}");
        assert_eq!(torrent.files()[0].path().as_bytes(), format!("{name}/file").as_bytes());
    }
}

/// The path is the one that libtorrent 2.1 gives to such a file.
#[test]
fn invalid_names_are_replaced() {
    let long = |bytes: usize, end: &str| "x".repeat(bytes) + end;
    for (name, replaced, error) in [
        ("a/b", "ab".to_owned(), PathError::Separator),
        ("c//", "c".to_owned(), PathError::Separator),
        (".", "_".to_owned(), PathError::Dot),
        (&long(256, ""), long(240, ""), PathError::TooLong { bytes: 256 }),
        (&long(300, ".flac"), long(240, ".flac"), PathError::TooLong { bytes: 305 }),
        (&long(300, ".notashort"), long(240, ""), PathError::TooLong { bytes: 310 }),
    ] {
        let mut made = Maker::folder("folder", 16 << 10)
            .file("sub/odd", [1])
            .file("sub/odd2", [2])
            .file("z", [3])
            .torrent(Format::Hybrid);
        // The list is sub/odd, a pad, sub/odd2, a pad, z.
        made.set(&["info", "files", "0"], "path", strings(["sub", name]));
        let file = made.remove(&["info", "file tree", "sub"], "odd");
        made.set(&["info", "file tree", "sub"], name, file);
        // The name in the tree has to be the first one.
        let second = made.remove(&["info", "file tree", "sub"], "odd2");
        made.set(&["info", "file tree", "sub"], "y2", second);
        made.set(&["info", "files", "2"], "path", strings(["sub", "y2"]));
        let torrent = parsed(&made);
        let own: Vec<_> =
            torrent.files().iter().filter(|file| *file.kind() == FileKind::Data).collect();
        let expected = if name < "y2" { [0, 1, 2] } else { [1, 0, 2] };
        let odd = own[expected[0]];
        assert_eq!(odd.path().to_text(), format!("sub/{replaced}"));
        let invalid = odd.invalid_name().expect("the name is invalid");
        assert_eq!(invalid.error, error);
        assert!(name.starts_with(invalid.component.trim_end_matches('.')), "{invalid}");
        assert!(own[expected[1]].invalid_name().is_none() && own[2].invalid_name().is_none());
        let component = invalid.component.clone();
        assert_eq!(kinds(&torrent), [WarningKind::InvalidName { component }]);
    }
    // All files of a folder with such a name.
    let mut made = Maker::folder("folder", 16 << 10)
        .file("odd/1", [1])
        .file("odd/2", [2])
        .file("z", [3])
        .torrent(Format::V2);
    let folder = made.remove(&["info", "file tree"], "odd");
    made.set(&["info", "file tree"], "o/d", folder);
    let torrent = parsed(&made);
    assert_eq!(paths(&torrent), ["od/1", "od/2", "z"]);
    assert_eq!(kinds(&torrent).len(), 1);
    let is_invalid: Vec<_> =
        torrent.files().iter().map(|file| file.invalid_name().is_some()).collect();
    assert_eq!(is_invalid, [true, true, false]);
    // An empty name, which the tree cannot have.
    let mut made = Maker::folder("", 16 << 10).file("a", [1]).torrent(Format::V1);
    made.set(&["info", "files", "0"], "path", strings(["", "a"]));
    let torrent = parsed(&made);
    assert_eq!((torrent.name().to_text(), paths(&torrent)), ("_".into(), vec!["_/a".into()]));
}

#[test]
fn padding_and_links_of_bep_47_and_others() {
    let maker = Maker::folder("a", 16 << 10)
        .file("one", content(1, 100))
        .pad(16_284)
        .file("two", content(2, 10));
    let mut made = maker.clone().pad(50).torrent(Format::V1);
    // Padding needs no path.
    made.remove(&["info", "files", "1"], "path");
    // Padding of BitComet has a name but no attribute.
    made.remove(&["info", "files", "3"], "attr");
    made.set(
        &["info", "files", "3"],
        "path",
        strings(["folder", "_____padding_file_7_pad me____"]),
    );
    let torrent = parsed(&made);
    assert_eq!(
        paths(&torrent),
        ["one", ".pad/16284", "two", "folder/_____padding_file_7_pad me____"]
    );
    let is_pad: Vec<bool> =
        torrent.files().iter().map(|file| *file.kind() == FileKind::Pad).collect();
    assert_eq!(is_pad, [false, true, false, true]);
    assert_eq!(torrent.v1().unwrap().total(), 16_384 + 60);

    // Attributes may be combined, and unknown ones are ignored. A link needs no length.
    let mut made = maker.symlink("link", "one").torrent(Format::V1);
    made.set(&["info", "files", "0"], "attr", "xh");
    made.set(&["info", "files", "3"], "attr", "xl");
    made.remove(&["info", "files", "3"], "length");
    let torrent = parsed(&made);
    assert_eq!(torrent.files()[0].kind(), &FileKind::Data);
    assert_eq!(torrent.files()[3].kind(), &FileKind::Symlink(path("one")));
    assert_eq!(torrent.files()[3].length(), 0);

    // In a hybrid torrent, the name of a file does not make it padding.
    let odd = Maker::folder("a", 16 << 10)
        .file("_____padding_file_0", content(1, 20))
        .torrent(Format::Hybrid);
    assert_eq!(parsed(&odd).files()[0].kind(), &FileKind::Data);
}

#[test]
fn padding_after_the_last_file_of_a_hybrid() {
    let maker = Maker::folder("a", 16 << 10).file("one", content(1, 100));
    let mut made = maker.torrent(Format::Hybrid);
    let padded = maker.pad(16_284).torrent(Format::V1);
    for key in ["files", "pieces"] {
        let value = padded.clone().remove(&["info"], key);
        made.set(&["info"], key, value);
    }
    assert_eq!(parsed(&made).v1().unwrap().total(), 16_384);
    // Without this padding the last piece is shorter.
    let made = Maker::folder("a", 16 << 10).file("one", content(1, 100)).torrent(Format::Hybrid);
    assert_eq!(parsed(&made).v1().unwrap().total(), 100);
}

#[test]
fn v1_piece_lengths_need_not_be_powers_of_two() {
    for piece_length in [1, 3, 1000, 16_383, 1 << 30] {
        let torrent = parsed(&Maker::single("a", piece_length, content(1, 40)).torrent(Format::V1));
        assert_eq!(torrent.v1().unwrap().pieces(), 40_u64.div_ceil(piece_length));
    }
}

#[test]
fn oddities_cause_warnings() {
    let maker = Maker::folder("a", 16 << 10)
        .file("b/c", [1])
        .file("b/c", [2])
        .file("b", [3])
        .file("b!", [4]);
    let bytes = maker.bytes(Format::V1);
    let torrent = Torrent::parse(&bytes).unwrap();
    let expected = [
        WarningKind::FileIsFolder { path: "b".to_owned() },
        WarningKind::DuplicatePath { path: "b/c".to_owned() },
    ];
    assert_eq!(kinds(&torrent), expected);
    // The warning points to the second of the two files.
    assert_eq!(torrent.files()[1].path(), torrent.files()[0].path());
    let second = bytes.windows(12).rposition(|window| window == b"4:pathl1:b1:").unwrap();
    assert!(torrent.warnings()[1].offset < second && second < torrent.warnings()[1].offset + 20);

    let mut made = maker.torrent(Format::V1);
    made.set(&["info"], "file tree", dictionary([]));
    assert!(kinds(&parsed(&made)).contains(&WarningKind::TreeWithoutVersion));

    // A layer for a file of one piece, and one for no file.
    let small = content(1, 20_000);
    let mut made = Maker::single("a", 32 << 10, small.clone()).torrent(Format::V2);
    let (root, _) = root_and_layer(&small, 32 << 10);
    made.at(&["piece layers"]).entries().insert(root.to_vec(), root.to_vec().into());
    made.at(&["piece layers"]).entries().insert(vec![1; 32], Value::Integer(0));
    assert_eq!(kinds(&parsed(&made)), [WarningKind::UnknownLayer, WarningKind::UnknownLayer]);
    // If no file needs a layer, `piece layers` is optional.
    made.remove(&[], "piece layers");
    assert_eq!(kinds(&parsed(&made)), []);
}

/// torrenttools gives empty files a root.
#[test]
fn roots_of_empty_files_are_ignored() {
    for format in [Format::V2, Format::Hybrid] {
        for root in [vec![0; 32], vec![1; 32], Vec::new()] {
            let mut made = folder().torrent(format);
            made.set(&["info", "file tree", "empty", ""], "pieces root", root);
            let torrent = parsed(&made);
            assert_eq!(kinds(&torrent), [WarningKind::RootOfEmptyFile]);
            let empty = torrent.files().iter().find(|file| file.path().to_text() == "empty");
            assert_eq!(empty.unwrap().pieces_root(), None);
        }
    }
}

#[test]
fn lengths_of_links_are_ignored() {
    for format in FORMATS {
        let mut made = folder().torrent(format);
        let mut expected = Vec::new();
        if format != Format::V2 {
            let Value::List(files) = made.at(&["info", "files"]) else { panic!("no list") };
            files.last_mut().unwrap().set(&[], "length", 5);
            expected.push(WarningKind::SymlinkWithContent);
        }
        if format != Format::V1 {
            made.set(&["info", "file tree", "z", ""], "length", 5);
            made.set(&["info", "file tree", "z", ""], "pieces root", vec![1; 32]);
            expected.push(WarningKind::SymlinkWithContent);
        }
        let torrent = parsed(&made);
        assert_eq!(kinds(&torrent), expected, "{format:?}");
        let link = torrent.files().last().unwrap();
        assert_eq!((link.length(), link.pieces_root()), (0, None));
        assert_eq!(torrent.files().iter().filter(|file| file.path() == link.path()).count(), 1);
    }
}

#[test]
fn piece_layers_may_be_missing() {
    for format in [Format::V2, Format::Hybrid] {
        let mut made = folder().torrent(format);
        made.remove(&[], "piece layers");
        let torrent = parsed(&made);
        // Two files are longer than a piece.
        assert_eq!(kinds(&torrent), [WarningKind::MissingLayer, WarningKind::MissingLayer]);
        let whole = parsed(&folder().torrent(format));
        for (file, other) in torrent.files().iter().zip(whole.files()) {
            assert_eq!(file.pieces_root(), other.pieces_root());
            assert_eq!(
                file.hashes().is_some(),
                file.length() <= 32 << 10 && other.hashes().is_some()
            );
        }
    }
}

#[test]
fn warnings_are_capped() {
    let maker = (0..300).fold(Maker::folder("a", 16 << 10), |maker, _| maker.file("same", [1]));
    let torrent = parsed(&maker.torrent(Format::V1));
    let kinds = kinds(&torrent);
    assert_eq!(kinds.len(), 101);
    assert_eq!(kinds[100], WarningKind::More(199));
}

/// A small torrent must not keep a check busy without a warning.
#[test]
fn much_padding_causes_a_warning() {
    let piece = 1_u64 << 30;
    let torrent = |pad: u64| {
        let file = |path: &str, length: u64| {
            dictionary([("length", length.into()), ("path", strings([path]))])
        };
        let mut list = Vec::new();
        for name in ["a", "b"] {
            let mut padding = file("pad", pad);
            padding.set(&[], "attr", "p");
            list.extend([padding, file(name, 1)]);
        }
        let pieces = (2 * (pad + 1)).div_ceil(piece);
        let info = dictionary([
            ("files", Value::List(list)),
            ("name", "folder".into()),
            ("piece length", piece.into()),
            ("pieces", vec![0; 20 * pieces as usize].into()),
        ]);
        parsed(&dictionary([("info", info)]))
    };
    assert_eq!(kinds(&torrent(piece / 2 - 1)), []);
    let warning = |padding| WarningKind::MuchPadding { padding, content: 2 };
    assert_eq!(kinds(&torrent(piece - 1)), [warning(2 * piece - 2)]);
    // Pieces of nothing but padding are hashed once, so they do not count.
    assert_eq!(kinds(&torrent(100 * piece)), [warning(4 * piece)]);
    assert_eq!(torrent(100 * piece).warnings()[0].offset, 16);
}
