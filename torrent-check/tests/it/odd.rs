//! Tests of torrents that are accepted although something about them is odd.

use sha1::{Digest as _, Sha1};
use torrent_check::{FileKind, Torrent};

use crate::accepted::{folder, parsed, paths};
use crate::make::{FORMATS, Format, Maker, Value, content, dictionary, root_and_layer, strings};

/// What the torrent's warnings say.
fn warnings(torrent: &Torrent) -> Vec<&str> {
    torrent.warnings().iter().map(|warning| &*warning.message).collect()
}

#[test]
fn the_info_hash_covers_the_encoded_bytes() {
    let info = b"d4:name1:a6:lengthi03e12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae";
    let torrent = Torrent::parse(&[b"d4:info", &info[..], b"e\n"].concat()).unwrap();
    assert_eq!(torrent.info_hash_v1(), Some(Sha1::digest(info).into()));
    let found: Vec<_> =
        torrent.warnings().iter().map(|warning| (warning.offset, &*warning.message)).collect();
    // The info dictionary begins at byte 7.
    let expected = [(7 + 10, "unsorted dictionary keys"), (7 + 18, "number with a leading zero")];
    assert_eq!(found, expected);
}

/// Editors append it.
#[test]
fn whitespace_after_the_end_is_ignored() {
    let bytes = folder().bytes(Format::Hybrid);
    let torrent = Torrent::parse(&[&bytes[..], b"\r\n"].concat()).unwrap();
    assert_eq!(torrent, Torrent::parse(&bytes).unwrap());
    assert!(torrent.warnings().is_empty());
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
        assert_eq!(warnings(&torrent), [r#"the name "\xe9t\xe9" is not UTF-8"#]);
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
        assert_eq!(warnings(&torrent), [""; 0], "{name:?}");
        assert_eq!(torrent.files()[0].path().as_bytes(), format!("{name}/file").as_bytes());
    }
}

/// The path is the one that libtorrent 2.1 gives to such a file.
#[test]
fn invalid_names_are_replaced() {
    let long = |bytes: usize, end: &str| "x".repeat(bytes) + end;
    for (name, replaced) in [
        ("a/b", "ab".to_owned()),
        ("c//", "c".to_owned()),
        (".", "_".to_owned()),
        (&long(256, ""), long(240, "")),
        (&long(300, ".flac"), long(240, ".flac")),
        (&long(300, ".notashort"), long(240, "")),
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
        let end = if name.len() > 80 { "..." } else { "" };
        let found = format!("{}{end}", &name[..name.len().min(80)]);
        let what = "is invalid; looking for the name that libtorrent gives it";
        assert_eq!(warnings(&torrent), [format!("the name \"{found}\" {what}")]);
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
    assert_eq!(warnings(&torrent).len(), 1);
    // An empty name, which the tree cannot have.
    let mut made = Maker::folder("", 16 << 10).file("a", [1]).torrent(Format::V1);
    made.set(&["info", "files", "0"], "path", strings(["", "a"]));
    let torrent = parsed(&made);
    assert_eq!((torrent.name().to_text(), paths(&torrent)), ("_".into(), vec!["_/a".into()]));
}

/// Such a file does not spoil the others, not even those in the same folder.
#[test]
fn paths_that_no_file_can_have() {
    let long = |last: &str| format!("{}{last}", format!("{}/", "x".repeat(255)).repeat(16));
    let cut = || long("")[..4095].to_owned();
    for format in FORMATS {
        let maker = Maker::folder("folder", 16 << 10).file("a", content(1, 16 << 10));
        // The path of each file in `y` is too long, too.
        let mut maker = maker.file(&long("y/b"), content(2, 16 << 10)).file(&long("y/c"), [3]);
        maker = maker.symlink("z", &long("yy"));
        let torrent = parsed(&maker.torrent(format));
        let found: Vec<_> = torrent
            .files()
            .iter()
            .filter(|file| *file.kind() != FileKind::Pad)
            .map(|file| file.path().to_text())
            .collect();
        assert_eq!(found, ["a".to_owned(), cut(), cut(), "z".to_owned()], "{format:?}");
        assert!(warnings(&torrent).contains(&"the name \"y\" is in a path that is too long"));
    }
    let mut made =
        Maker::folder("folder", 16 << 10).file("a", [1]).file("b", [2]).torrent(Format::V1);
    made.set(&["info", "files", "0"], "path", strings([]));
    let torrent = parsed(&made);
    assert_eq!(paths(&torrent), ["_", "b"]);
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
        "\"b\" is listed both as a file and as a folder with files in it",
        "the file \"b/c\" is listed twice",
    ];
    assert_eq!(warnings(&torrent), expected);
    // The warning points to the second of the two files.
    assert_eq!(torrent.files()[1].path(), torrent.files()[0].path());
    let second = bytes.windows(12).rposition(|window| window == b"4:pathl1:b1:").unwrap();
    assert!(torrent.warnings()[1].offset < second && second < torrent.warnings()[1].offset + 20);

    let mut made = maker.torrent(Format::V1);
    made.set(&["info"], "file tree", dictionary([]));
    let expected = "the `file tree` is ignored because there is no `meta version`";
    assert!(warnings(&parsed(&made)).contains(&expected));

    // A layer for a file of one piece, and one for no file.
    let small = content(1, 20_000);
    let mut made = Maker::single("a", 32 << 10, small.clone()).torrent(Format::V2);
    let (root, _) = root_and_layer(&small, 32 << 10);
    made.at(&["piece layers"]).entries().insert(root.to_vec(), root.to_vec().into());
    made.at(&["piece layers"]).entries().insert(vec![1; 32], Value::Integer(0));
    assert_eq!(warnings(&parsed(&made)), ["no file in the torrent needs this piece layer"; 2]);
    // If no file needs a layer, `piece layers` is optional.
    made.remove(&[], "piece layers");
    assert_eq!(warnings(&parsed(&made)), [""; 0]);
}

/// torrenttools gives empty files a root.
#[test]
fn roots_of_empty_files_are_ignored() {
    for format in [Format::V2, Format::Hybrid] {
        for root in [vec![0; 32], vec![1; 32], Vec::new()] {
            let mut made = folder().torrent(format);
            made.set(&["info", "file tree", "empty", ""], "pieces root", root);
            let torrent = parsed(&made);
            assert_eq!(warnings(&torrent), ["the `pieces root` of an empty file is ignored"]);
            let empty = torrent.files().iter().find(|file| file.path().to_text() == "empty");
            assert_eq!(empty.unwrap().pieces_root(), None);
        }
    }
}

#[test]
fn lengths_of_links_are_ignored() {
    let ignored = "the length or `pieces root` of a symbolic link is ignored";
    for format in FORMATS {
        let mut made = folder().torrent(format);
        let mut expected = Vec::new();
        if format != Format::V2 {
            let Value::List(files) = made.at(&["info", "files"]) else { panic!("no list") };
            files.last_mut().unwrap().set(&[], "length", 5);
            expected.push(ignored);
        }
        if format != Format::V1 {
            made.set(&["info", "file tree", "z", ""], "length", 5);
            made.set(&["info", "file tree", "z", ""], "pieces root", vec![1; 32]);
            expected.push(ignored);
        }
        let torrent = parsed(&made);
        assert_eq!(warnings(&torrent), expected, "{format:?}");
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
        let whole =
            "`piece layers` has no entry for this file, which can only be checked as a whole";
        assert_eq!(warnings(&torrent), [whole; 2]);
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
    let warnings = warnings(&torrent);
    assert_eq!(warnings.len(), 101);
    assert_eq!(warnings[100], "199 more warnings");
}
