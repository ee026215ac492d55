//! Tests with torrents by other creators, in the folder given by the environment variable
//! `HASHLANES_VECTORS`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha1::{Digest as _, Sha1};
use torrent_check::{FileKind, PathError, Torrent, Version};

use crate::bencode::read;
use crate::make::root_and_layer;
use crate::naive::assert_agrees;
use crate::sound::assert_sound;

fn folder() -> PathBuf {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    PathBuf::from(folder).join("torrent")
}

/// The torrents in a folder, sorted by name.
fn torrents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let torrents =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "torrent"));
    let mut torrents: Vec<_> = torrents
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
        })
        .collect();
    torrents.sort();
    torrents
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn info_hashes_that_two_creators_agree_on() {
    let rows = fs::read_to_string(folder().join("v2-made/infohashes.txt")).unwrap();
    let expected: HashMap<&str, Vec<&str>> = rows
        .lines()
        .map(|row| {
            let mut words = row.split_whitespace();
            let name = words.next().unwrap();
            (name, words.filter(|word| word.len() >= 40).collect())
        })
        .collect();
    let mut tried = 0;
    for (file, bytes) in torrents(&folder().join("v2-made")) {
        let torrent = Torrent::parse(&bytes).unwrap();
        let name = file.split('.').next().unwrap();
        let hashes =
            [torrent.info_hash_v1().map(hex::encode), torrent.info_hash_v2().map(hex::encode)];
        assert_eq!(Vec::from_iter(hashes.into_iter().flatten()), expected[name], "{file}");
        let version = if name.contains("hybrid") { Version::Hybrid } else { Version::V2 };
        assert_eq!(torrent.version(), version, "{file}");
        assert_eq!(torrent.is_single_file(), name.starts_with("alice"), "{file}");
        assert_eq!(torrent.warnings(), [], "{file}");
        tried += 1;
    }
    assert_eq!(tried, 17);
}

/// The content of a file, wherever it is among the fixtures.
fn content(torrent: &Torrent, path: &str) -> Vec<u8> {
    let fixtures = folder().join("webtorrent-fixtures");
    if path == "empty.dat" {
        return Vec::new();
    }
    let name = torrent.name().to_text();
    let places = [fixtures.join(name).join(path), fixtures.join(path)];
    let found = places.iter().find_map(|place| fs::read(place).ok());
    found.unwrap_or_else(|| panic!("no fixture has the content of {path}"))
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn hashes_match_the_content() {
    let (mut pieces, mut files) = (0, 0);
    let fixtures = ["alice", "folder", "leaves", "leaves-metadata", "lots-of-numbers", "numbers"];
    let mut all = torrents(&folder().join("webtorrent-fixtures"));
    all.retain(|(name, _)| fixtures.contains(&name.trim_end_matches(".torrent")));
    assert_eq!(all.len(), fixtures.len());
    all.extend(torrents(&folder().join("v2-made")));
    for (name, bytes) in all {
        let torrent = Torrent::parse(&bytes).unwrap();
        assert_sound(&torrent);
        let data: Vec<Vec<u8>> = torrent
            .files()
            .iter()
            .map(|file| match file.kind() {
                FileKind::Pad => vec![0; file.length() as usize],
                _ => content(&torrent, &file.path().to_text()),
            })
            .collect();
        for (file, data) in torrent.files().iter().zip(&data) {
            assert_eq!(file.length(), data.len() as u64, "{name}");
            if let Some(hashes) = file.hashes().filter(|_| !data.is_empty()) {
                let (root, layer) = root_and_layer(data, torrent.piece_length() as usize);
                assert_eq!(
                    (hashes.pieces_root(), hashes.piece_layer()),
                    (Some(root), &layer[..]),
                    "{name}"
                );
                files += 1;
            }
        }
        let map = torrent.pieces();
        for piece in (0..map.count()).filter(|&piece| map.hash(piece).is_some()) {
            let parts = map.segments(piece).map(|segment| {
                &data[segment.file]
                    [segment.offset as usize..(segment.offset + segment.length) as usize]
            });
            let piece_bytes: Vec<u8> = parts.flatten().copied().collect();
            assert_eq!(
                Some(Sha1::digest(&piece_bytes).into()),
                map.hash(piece),
                "{name}, piece {piece}"
            );
            pieces += 1;
        }
    }
    assert!(pieces > 150 && files > 50, "{pieces} pieces, {files} files");
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn other_fixtures() {
    let all: HashMap<String, Vec<u8>> =
        torrents(&folder().join("webtorrent-fixtures")).into_iter().collect();
    // This torrent has no name.
    assert_eq!(Torrent::parse(&all["corrupt.torrent"]).unwrap_err().message, "`name` is missing");
    assert!(Torrent::parse(&all["bunny.torrent"]).is_ok());
    // This torrent contains its own info hash.
    let bytes = &all["leaves-metadata.torrent"];
    let document = read(bytes).unwrap();
    let expected = document.root().get(b"infoHash").unwrap().bytes().unwrap();
    let found = Torrent::parse(bytes).unwrap().info_hash_v1().map(hex::encode);
    assert_eq!(found.unwrap().as_bytes(), expected);
}

const WRONG_ROOT: &str = "the piece layer does not lead to the pieces root";

/// The expected error for torrents that libtorrent accepts but this library refuses.
fn stricter(file: &str) -> Option<String> {
    let path = |component: &str, error: PathError| {
        format!("invalid path component \"{component}\": {error}")
    };
    Some(match file {
        // libtorrent sanitizes names that lead elsewhere, and saves the files under the new names.
        "absolute_filename.torrent" => path("/foobar", PathError::Absolute),
        "invalid_filename2.torrent" => {
            path(if cfg!(unix) { "/" } else { "\\\\est2" }, PathError::Absolute)
        }
        "parent_path.torrent" => path("..", PathError::DotDot),
        "slash_path2.torrent" => path("abc/../../def", PathError::DotDot),
        // libtorrent's own tests expect acceptance, but libtorrent 2.1 also refuses this torrent.
        "v2_invalid_root_hash.torrent" => WRONG_ROOT.to_owned(),
        _ => return None,
    })
}

/// How the error begins for a torrent that libtorrent also refuses.
fn refused(file: &str) -> &'static str {
    match file {
        "bad_name.torrent" => "duplicate dictionary key",
        "invalid_file_size.torrent" => "length is not",
        "invalid_name.torrent" => "name is not",
        "invalid_piece_len.torrent" => "piece length is not",
        "invalid_symlink.torrent" => "`symlink path` is missing",
        "many_pieces.torrent" => "`pieces` must have one hash per piece: 107374183, not 1",
        "missing_piece_len.torrent" => "`piece length` is missing",
        "negative_piece_len.torrent" => "the piece length is -16384 bytes",
        "no_name.torrent" => "`name` is missing",
        "string.torrent" => "the torrent is not",
        "v2_bad_file_alignment.torrent" => "the file starts at byte",
        "v2_invalid_pad_file.torrent" => "the `file tree` has a padding file",
        "v2_invalid_piece_layer_root.torrent" => WRONG_ROOT,
        "v2_large_offset.torrent" => "the files up to this one have more than",
        "v2_missing_file_root_invalid_symlink.torrent" => "`symlink path` is missing",
        "v2_no_power2_piece.torrent" => "the piece length in bytes is 32767;",
        "v2_piece_layer_invalid_file_hash.torrent" => {
            "the length of a key of `piece layers` in bytes is 33, not 32"
        }
        "v2_unordered_files.torrent" => "unsorted dictionary keys",
        "v2_zero_root_small.torrent" => "a `pieces root` is all zeros",
        "zero.torrent" => "all files are empty",
        other => panic!("{other} is not expected to be refused"),
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn verdicts_match_libtorrent() {
    let rows = fs::read_to_string(folder().join("libtorrent/expected.csv")).unwrap();
    let (mut accepted, mut others) = (0, 0);
    for row in rows.lines().skip(1) {
        let (file, verdict) = row.split_once(',').unwrap();
        let bytes = fs::read(folder().join("libtorrent").join(file)).unwrap();
        let found = Torrent::parse(&bytes);
        if let Ok(torrent) = &found {
            assert_sound(torrent);
        }
        match (found, stricter(file)) {
            (Err(error), Some(expected)) => {
                assert!(verdict.starts_with("ok,"), "{file}: libtorrent refuses it, too");
                assert_eq!(error.message, expected, "{file}");
            }
            (Err(error), None) => {
                assert!(!verdict.starts_with("ok,"), "{file}: {error}");
                assert!(error.message.starts_with(refused(file)), "{file}: {error}");
            }
            (Ok(_), exception) => {
                assert!(verdict == "ok,ok" && exception.is_none(), "{file} is accepted");
                accepted += 1;
                continue;
            }
        }
        others += 1;
    }
    assert_eq!((accepted, others), (29, 25));
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn hostile_bencode() {
    let mut tried = 0;
    for entry in fs::read_dir(folder().join("bencode-bad")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert_agrees(&bytes);
        assert!(Torrent::parse(&bytes).is_err(), "{}", path.display());
        tried += 1;
    }
    assert_eq!(tried, 25);
}
