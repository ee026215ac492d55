//! Torrents created by other programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use merkle_lanes::bep52::{Bep52, FileHasher, FileHashes, PieceLength};

use crate::oracle::Hash;

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
