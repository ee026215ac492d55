//! Tests of torrents that are accepted.

use sha1::{Digest as _, Sha1};
use sha2::Sha256;
use torrent_check::{File, FileKind, Torrent, TorrentPath, Version};

use crate::make::{FORMATS, Format, Maker, Value, content, root_and_layer, strings};

const KIB: usize = 1 << 10;

/// A folder with files of all kinds.
pub(crate) fn folder() -> Maker {
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

pub(crate) fn paths(torrent: &Torrent) -> Vec<String> {
    torrent.files().iter().map(|file| file.path().to_string()).collect()
}

pub(crate) fn parsed(torrent: &Value) -> Torrent {
    Torrent::parse(&torrent.encode()).unwrap()
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

        assert_eq!(torrent.pieces().hash(0).is_some(), v1);
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
    assert_eq!(torrent.pieces().total(), 16_384 + 60);

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
    assert_eq!(parsed(&made).pieces().total(), 16_384);
    // Without this padding the last piece is shorter.
    let made = Maker::folder("a", 16 << 10).file("one", content(1, 100)).torrent(Format::Hybrid);
    assert_eq!(parsed(&made).pieces().total(), 100);
}
