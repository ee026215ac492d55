//! Tests of torrents that are refused because one change makes them inconsistent or invalid.

mod v2;

use torrent_check::{PathError, Torrent, TorrentError};

use crate::make::{FORMATS, Format, Maker, Value, content, dictionary, strings};

fn folder() -> Maker {
    Maker::folder("folder", 16 << 10)
        .file("a/large", content(1, 40_000))
        .file("b", content(2, 100))
        .symlink("link", "b")
}

fn error(bytes: &[u8]) -> TorrentError {
    let error = Torrent::parse(bytes).unwrap_err();
    assert!(error.to_string().ends_with(&format!(" (byte {})", error.offset)), "{error}");
    error
}

/// Changes a torrent, and expects this error at the offset of the bytes `at`.
#[track_caller]
fn refused(format: Format, change: impl FnOnce(&mut Value), message: &str, at: &str) {
    let mut torrent = folder().torrent(format);
    change(&mut torrent);
    let bytes = torrent.encode();
    let error = error(&bytes);
    assert_eq!(error.message, message, "{format:?}");
    let found = &bytes[error.offset..];
    assert!(
        found.starts_with(at.as_bytes()),
        "{format:?}: {}",
        found[..found.len().min(40)].escape_ascii()
    );
}

/// A torrent of a single file of 40,000 bytes.
fn single(format: Format) -> Value {
    Maker::single("single", 16 << 10, content(1, 40_000)).torrent(format)
}

const WITH_V1: &[Format] = &[Format::V1, Format::Hybrid];
const WITH_V2: &[Format] = &[Format::V2, Format::Hybrid];

/// The formats, the path and key of a value, another value for it, the error and where it is.
type WrongType<'c> = (&'c [Format], &'c [&'c str], &'c str, Value, String, &'c str);

/// The formats, the path and key to remove, the key that is missing then, and from where.
type MissingKey<'c> = (&'c [Format], &'c [&'c str], &'c str, &'static str, &'c str);

#[test]
fn wrong_types() {
    let wrong = |what: &str, expected: &str| format!("{what} is not {expected}");
    assert_eq!(error(b"le").to_string(), "the torrent is not a dictionary (byte 0)");
    let file: &[&str] = &["info", "files", "0"];
    let in_tree: &[&str] = &["info", "file tree", "b", ""];
    let component = Value::List(vec![7.into()]);
    let all: [WrongType<'_>; 15] = [
        (&FORMATS, &["info"], "name", strings(["x"]), wrong("name", "a string"), "l1:xe"),
        (
            &FORMATS,
            &["info"],
            "piece length",
            "x".into(),
            wrong("piece length", "an integer"),
            "1:x",
        ),
        (&FORMATS, &[], "info", 1.into(), wrong("info", "a dictionary"), "i1e"),
        (WITH_V1, &["info"], "pieces", 3.into(), wrong("pieces", "a string"), "i3e"),
        (WITH_V1, &["info"], "files", 3.into(), wrong("files", "a list"), "i3e"),
        (WITH_V1, file, "length", "9".into(), wrong("length", "an integer"), "1:9"),
        (WITH_V1, file, "attr", 9.into(), wrong("attr", "a string"), "i9e"),
        (WITH_V1, file, "path", "a/b".into(), wrong("path", "a list"), "3:a/b"),
        (WITH_V1, file, "path", component, wrong("a component of a path", "a string"), "i7e"),
        (
            WITH_V2,
            &["info"],
            "meta version",
            "2".into(),
            wrong("meta version", "an integer"),
            "1:2",
        ),
        (WITH_V2, &["info"], "file tree", "x".into(), wrong("file tree", "a dictionary"), "1:x"),
        (
            WITH_V2,
            &in_tree[..2],
            "b",
            1.into(),
            wrong("an entry of the `file tree`", "a dictionary"),
            "i1e",
        ),
        (
            WITH_V2,
            &in_tree[..3],
            "",
            1.into(),
            wrong("a file of the `file tree`", "a dictionary"),
            "i1e",
        ),
        (WITH_V2, in_tree, "pieces root", 1.into(), wrong("pieces root", "a string"), "i1e"),
        (WITH_V2, &[], "piece layers", 1.into(), wrong("piece layers", "a dictionary"), "i1e"),
    ];
    for (formats, path, key, value, message, at) in all {
        for &format in formats {
            refused(format, |torrent| torrent.set(path, key, value.clone()), &message, at);
        }
    }
    for &format in WITH_V1 {
        let entry = |torrent: &mut Value| *torrent.at(&["info", "files", "1"]) = "x".into();
        refused(format, entry, &wrong("an entry of `files`", "a dictionary"), "1:x");
    }
    for &format in WITH_V2 {
        let layer = |torrent: &mut Value| {
            let layers = torrent.at(&["piece layers"]).entries();
            layers.values_mut().for_each(|layer| *layer = Value::Integer(5));
        };
        refused(format, layer, &wrong("a piece layer", "a string"), "i5e");
    }
}

#[test]
fn missing_keys() {
    let missing = |key: &str| format!("`{key}` is missing");
    let message = "`info` is missing, so this is not a torrent (byte 0)";
    assert_eq!(error(b"de").to_string(), message);
    let file: &[&str] = &["info", "files", "0"];
    let in_tree: &[&str] = &["info", "file tree", "b", ""];
    let all: [MissingKey<'_>; 12] = [
        (&FORMATS, &["info"], "name", "name", "d"),
        (&FORMATS, &["info"], "piece length", "piece length", "d"),
        // A hybrid without `pieces` is a v2 torrent.
        (&[Format::V1], &["info"], "pieces", "pieces", "d5:files"),
        (WITH_V1, &["info"], "files", "files", "d"),
        (WITH_V1, file, "path", "path", "d6:length"),
        (WITH_V1, file, "length", "length", "d4:path"),
        (&[Format::V1], &["info", "files", "2"], "symlink path", "symlink path", "d4:attr1:l"),
        (&[Format::Hybrid], &["info", "files", "3"], "symlink path", "symlink path", "d4:attr1:l"),
        (WITH_V2, &["info"], "file tree", "file tree", "d"),
        (WITH_V2, in_tree, "length", "length", "d11:pieces root"),
        (WITH_V2, in_tree, "pieces root", "pieces root", "1:b"),
        // Without `meta version`, a v2 torrent is read as v1.
        (&[Format::V2], &["info"], "meta version", "files", "d9:file tree"),
    ];
    for (formats, path, key, lacks, at) in all {
        for &format in formats {
            refused(format, |torrent| drop(torrent.remove(path, key)), &missing(lacks), at);
        }
    }
}

#[test]
fn versions() {
    for version in [0, 1, 3, u64::MAX >> 1] {
        let change = |torrent: &mut Value| torrent.set(&["info"], "meta version", version);
        for format in FORMATS {
            let message = format!("`meta version` is {version}, not 2");
            refused(format, change, &message, &format!("i{version}e"));
        }
    }
    // The version is checked before anything else.
    let change =
        |torrent: &mut Value| *torrent.at(&["info"]) = dictionary([("meta version", 3.into())]);
    refused(Format::V2, change, "`meta version` is 3, not 2", "i3e");
}

#[test]
fn piece_lengths() {
    for format in FORMATS {
        for length in [0, -1, i64::MIN, (1 << 30) + 1, i64::MAX] {
            let change = |torrent: &mut Value| {
                torrent.set(&["info"], "piece length", Value::Integer(length));
            };
            let message =
                format!("the piece length is {length} bytes, not between 1 and 1073741824");
            refused(format, change, &message, &format!("i{length}e"));
        }
    }
    for format in [Format::V2, Format::Hybrid] {
        for length in [1, 8 << 10, 16_383, 24 << 10] {
            let change = |torrent: &mut Value| torrent.set(&["info"], "piece length", length);
            let rule = "v2 requires a power of two of at least 16 KiB";
            let message = format!("the piece length in bytes is {length}; {rule}");
            refused(format, change, &message, &format!("i{length}e"));
        }
    }
}

#[test]
fn lengths() {
    for length in [-1, i64::MIN] {
        let message = format!("negative file length {length}");
        let at = format!("i{length}e");
        for format in [Format::V1, Format::Hybrid] {
            let change = |torrent: &mut Value| {
                torrent.set(&["info", "files", "0"], "length", Value::Integer(length));
            };
            refused(format, change, &message, &at);
        }
        let change = |torrent: &mut Value| {
            torrent.set(&["info", "file tree", "b", ""], "length", Value::Integer(length));
        };
        refused(Format::V2, change, &message, &at);
        let mut torrent = single(Format::V1);
        torrent.set(&["info"], "length", Value::Integer(length));
        assert_eq!(error(&torrent.encode()).message, message);
    }
    let largest = || Value::Integer(i64::MAX);
    let overflow = "the lengths up to this file add up to more than 2^63 - 1 bytes";
    let change = |torrent: &mut Value| torrent.set(&["info", "files", "0"], "length", largest());
    refused(Format::V1, change, overflow, "d6:lengthi100e");
    let change = |torrent: &mut Value| {
        torrent.set(&["info", "file tree", "a", "large", ""], "length", largest());
    };
    refused(Format::V2, change, overflow, "1:b");

    let no_content = "all files are empty, so there is nothing to check";
    for format in FORMATS {
        let empty = Maker::folder("a", 16 << 10).file("b", []).symlink("c", "b").bytes(format);
        assert_eq!(error(&empty).message, no_content);
        assert_eq!(error(&Maker::folder("a", 16 << 10).bytes(format)).message, no_content);
        assert_eq!(error(&Maker::single("a", 16 << 10, []).bytes(format)).message, no_content);
    }
    assert_eq!(error(&Maker::folder("a", 16 << 10).pad(5).bytes(Format::V1)).message, no_content);

    let both = |torrent: &mut Value| torrent.set(&["info"], "length", 40_100);
    refused(Format::V1, both, "`info` has both `length` and `files`", "ld6:length");
}

#[test]
fn piece_counts() {
    for format in [Format::V1, Format::Hybrid] {
        let pieces = folder().torrent(format).at(&["info", "pieces"]).encode().len() - 3;
        assert!(pieces == 60 || pieces == 80);
        for bytes in [0, pieces - 20, pieces + 20] {
            let counts = format!("{}, not {}", pieces / 20, bytes / 20);
            let message = format!("`pieces` must have one hash per piece: {counts}");
            let change = |torrent: &mut Value| torrent.set(&["info"], "pieces", vec![1; bytes]);
            refused(format, change, &message, &format!("{bytes}:"));
        }
        for bytes in [1, pieces - 1, pieces + 19] {
            let change = |torrent: &mut Value| torrent.set(&["info"], "pieces", vec![1; bytes]);
            let message = format!(
                "the length of `pieces` in bytes is {bytes}, which is not a multiple of 20"
            );
            refused(format, change, &message, &format!("{bytes}:"));
        }
    }
}

#[test]
fn invalid_paths() {
    let bad = |component: &str, error: PathError| {
        format!("invalid path component \"{component}\": {error}")
    };
    for (component, error) in [
        ("..", PathError::DotDot),
        ("/etc", PathError::Absolute),
        ("a/../..", PathError::DotDot),
        #[cfg(not(unix))]
        ("a\\..\\b", PathError::DotDot),
        #[cfg(not(unix))]
        ("\\a", PathError::Absolute),
        ("a\0", PathError::Nul),
    ] {
        let shown = component.replace('\0', r"\u{0}");
        let (message, at) = (bad(&shown, error), format!("{}:{component}", component.len()));
        for format in FORMATS {
            refused(format, |torrent| torrent.set(&["info"], "name", component), &message, &at);
        }
        refused(
            Format::V1,
            |torrent| torrent.set(&["info"], "name.utf-8", component),
            &message,
            &at,
        );
        for format in [Format::V1, Format::Hybrid] {
            for path in [[component, "x"], ["x", component]] {
                let change = |torrent: &mut Value| {
                    torrent.set(&["info", "files", "0"], "path", strings(path));
                };
                refused(format, change, &message, &at);
            }
            let link = if format == Format::V1 { "2" } else { "3" };
            let change = |torrent: &mut Value| {
                torrent.set(&["info", "files", link], "symlink path", strings(["a", component]));
            };
            refused(format, change, &message, &at);
        }
        let change = |torrent: &mut Value| {
            torrent.set(
                &["info", "file tree", "link", ""],
                "symlink path",
                strings([component, "a"]),
            );
        };
        refused(Format::V2, change, &message, &at);
        let change = |torrent: &mut Value| {
            let file = torrent.remove(&["info", "file tree"], "b");
            torrent.set(&["info", "file tree", "a"], component, file);
        };
        refused(Format::V2, change, &message, &at);
    }
    let long = "\u{1b}".repeat(300) + "\0";
    let shown = format!("{}...", r"\u{1b}".repeat(80));
    let change = |torrent: &mut Value| torrent.set(&["info"], "name", long.as_str());
    refused(Format::V1, change, &bad(&shown, PathError::Nul), "301:");
}

#[test]
fn non_canonical_bencode() {
    let folder = folder();
    for format in [Format::V2, Format::Hybrid] {
        let bytes = folder.bytes(format);
        let at = bytes.windows(16).position(|window| window == b"12:piece lengthi").unwrap() + 15;
        let zero = [&bytes[..=at], b"0", &bytes[at + 1..]].concat();
        let rule = "v2 torrents must be canonical bencode";
        let message = format!("number with a leading zero; {rule} (byte {at})");
        assert_eq!(error(&zero).to_string(), message);
        // The same holds outside the info dictionary.
        let unsorted = [&bytes[..bytes.len() - 1], b"1:a0:e"].concat();
        let message = format!("unsorted dictionary keys; {rule} (byte {})", bytes.len() - 1);
        assert_eq!(error(&unsorted).to_string(), message);
    }
    for format in FORMATS {
        let bytes = folder.bytes(format);
        let twice = [&bytes[..bytes.len() - 1], b"4:info0:e"].concat();
        let message = format!("duplicate dictionary key (byte {})", bytes.len() - 1);
        assert_eq!(error(&twice).to_string(), message);
        for cut in (0..bytes.len()).step_by(7) {
            let message = error(&bytes[..cut]).message;
            let is_explained = message.ends_with("; the file seems to be cut off");
            assert!(is_explained, "{format:?}, {cut}: {message}");
        }
        let message = format!("data after the end of the value (byte {})", bytes.len());
        assert_eq!(error(&[&bytes[..], b"x"].concat()).to_string(), message);
    }
}
