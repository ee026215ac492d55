//! A reference creator of torrents, written from BEP 3, 47 and 52 without code of the library. It
//! hashes one message at a time.

use std::collections::BTreeMap;

use sha1::{Digest as _, Sha1};
use sha2::Sha256;

/// A bencode value. Keys are sorted, so its encoding is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Integer(i64),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Dictionary(BTreeMap<Vec<u8>, Value>),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Integer(number.try_into().expect("lengths have 63 bits"))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Bytes(text.into())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

/// A dictionary with these entries.
pub(crate) fn dictionary<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Dictionary(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

/// A list of these strings.
pub(crate) fn strings<'a>(items: impl IntoIterator<Item = &'a str>) -> Value {
    Value::List(items.into_iter().map(Value::from).collect())
}

impl Value {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append(&mut bytes);
        bytes
    }

    fn append(&self, to: &mut Vec<u8>) {
        let string = |bytes: &[u8], to: &mut Vec<u8>| {
            to.extend(bytes.len().to_string().into_bytes());
            to.push(b':');
            to.extend(bytes);
        };
        match self {
            Self::Integer(number) => to.extend(format!("i{number}e").into_bytes()),
            Self::Bytes(bytes) => string(bytes, to),
            Self::List(items) => {
                to.push(b'l');
                items.iter().for_each(|item| item.append(to));
                to.push(b'e');
            }
            Self::Dictionary(entries) => {
                to.push(b'd');
                for (key, value) in entries {
                    string(key, to);
                    value.append(to);
                }
                to.push(b'e');
            }
        }
    }

    /// The entries of a dictionary.
    #[track_caller]
    pub(crate) fn entries(&mut self) -> &mut BTreeMap<Vec<u8>, Value> {
        match self {
            Self::Dictionary(entries) => entries,
            other => panic!("not a dictionary: {other:?}"),
        }
    }

    /// The value at a path of dictionary keys and list indices.
    #[track_caller]
    pub(crate) fn at(&mut self, path: &[&str]) -> &mut Value {
        path.iter().fold(self, |value, key| match value {
            Self::Dictionary(entries) => entries.get_mut(key.as_bytes()).expect("the key exists"),
            Self::List(items) => &mut items[key.parse::<usize>().expect("an index")],
            other => panic!("{other:?} has no {key}"),
        })
    }

    /// Sets an entry of the dictionary at a path, and replaces an existing one.
    #[track_caller]
    pub(crate) fn set(&mut self, path: &[&str], key: &str, value: impl Into<Value>) {
        self.at(path).entries().insert(key.into(), value.into());
    }

    /// Removes an entry from the dictionary at a path.
    #[track_caller]
    pub(crate) fn remove(&mut self, path: &[&str], key: &str) -> Value {
        self.at(path).entries().remove(key.as_bytes()).expect("the key exists")
    }
}

/// The protocol versions that a torrent is created for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    V1,
    V2,
    Hybrid,
}

pub(crate) const FORMATS: [Format; 3] = [Format::V1, Format::V2, Format::Hybrid];

/// The content at a path.
#[derive(Clone, Debug)]
enum Content {
    Data(Vec<u8>),
    /// Zeros, which v1 torrents list like files.
    Pad(u64),
    Symlink(Vec<String>),
}

impl Content {
    fn length(&self) -> u64 {
        match self {
            Self::Data(data) => data.len() as u64,
            Self::Pad(length) => *length,
            Self::Symlink(_) => 0,
        }
    }
}

/// A builder of torrents.
#[derive(Clone, Debug)]
pub(crate) struct Maker {
    name: String,
    piece_length: u64,
    is_single: bool,
    entries: Vec<(Vec<String>, Content)>,
}

fn components(path: &str) -> Vec<String> {
    path.split('/').map(str::to_owned).collect()
}

impl Maker {
    /// Starts with an empty folder.
    pub(crate) fn folder(name: &str, piece_length: u64) -> Self {
        Self { name: name.to_owned(), piece_length, is_single: false, entries: Vec::new() }
    }

    /// Starts with a single file.
    pub(crate) fn single(name: &str, piece_length: u64, data: impl Into<Vec<u8>>) -> Self {
        let mut maker = Self::folder(name, piece_length).file(name, data);
        maker.is_single = true;
        maker
    }

    /// Adds a file at a path in the folder.
    pub(crate) fn file(mut self, path: &str, data: impl Into<Vec<u8>>) -> Self {
        self.entries.push((components(path), Content::Data(data.into())));
        self
    }

    /// Adds a symbolic link. The target is also relative to the folder.
    pub(crate) fn symlink(mut self, path: &str, target: &str) -> Self {
        self.entries.push((components(path), Content::Symlink(components(target))));
        self
    }

    /// Adds padding to v1 torrents. Hybrid torrents have padding where they need it instead.
    pub(crate) fn pad(mut self, length: u64) -> Self {
        self.entries.push((vec![".pad".to_owned(), length.to_string()], Content::Pad(length)));
        self
    }

    /// The encoded torrent.
    pub(crate) fn bytes(&self, format: Format) -> Vec<u8> {
        self.torrent(format).encode()
    }

    /// The torrent as a value that a test can change.
    pub(crate) fn torrent(&self, format: Format) -> Value {
        let mut info = dictionary([
            ("name", self.name.as_str().into()),
            ("piece length", self.piece_length.into()),
        ]);
        let mut torrent = BTreeMap::new();
        let mut entries = self.entries.clone();
        if format != Format::V1 {
            entries.retain(|(_, content)| !matches!(content, Content::Pad(_)));
            entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            let (tree, layers) = self.v2(&entries);
            info.set(&[], "meta version", 2);
            info.set(&[], "file tree", tree);
            torrent.insert(b"piece layers".to_vec(), layers);
        }
        if format != Format::V2 {
            if format == Format::Hybrid {
                entries = self.aligned(&entries);
            }
            self.v1(&entries, &mut info);
        }
        torrent.insert(b"info".to_vec(), info);
        Value::Dictionary(torrent)
    }

    /// Aligns files to piece boundaries by padding, as BEP 52 requires in hybrid torrents.
    fn aligned(&self, entries: &[(Vec<String>, Content)]) -> Vec<(Vec<String>, Content)> {
        let mut aligned: Vec<(Vec<String>, Content)> = Vec::new();
        let mut at = 0_u64;
        for (path, content) in entries {
            let missing = at.next_multiple_of(self.piece_length) - at;
            if content.length() > 0 && missing > 0 {
                aligned.push((vec![".pad".to_owned(), missing.to_string()], Content::Pad(missing)));
                at += missing;
            }
            at += content.length();
            aligned.push((path.clone(), content.clone()));
        }
        aligned
    }

    fn v1(&self, entries: &[(Vec<String>, Content)], info: &mut Value) {
        let mut all = Vec::new();
        for (_, content) in entries {
            match content {
                Content::Data(data) => all.extend_from_slice(data),
                Content::Pad(length) => all.resize(all.len() + *length as usize, 0),
                Content::Symlink(_) => {}
            }
        }
        let pieces: Vec<u8> =
            all.chunks(self.piece_length as usize).flat_map(Sha1::digest).collect();
        info.set(&[], "pieces", pieces);
        if self.is_single {
            return info.set(&[], "length", entries[0].1.length());
        }
        let files = entries.iter().map(|(path, content)| {
            let path = strings(path.iter().map(String::as_str));
            let mut file = dictionary([("length", content.length().into()), ("path", path)]);
            match content {
                Content::Data(_) => {}
                Content::Pad(_) => file.set(&[], "attr", "p"),
                Content::Symlink(target) => {
                    file.set(&[], "attr", "l");
                    file.set(&[], "symlink path", strings(target.iter().map(String::as_str)));
                }
            }
            file
        });
        info.set(&[], "files", Value::List(files.collect()));
    }

    /// The `file tree` and the `piece layers`.
    fn v2(&self, entries: &[(Vec<String>, Content)]) -> (Value, Value) {
        let (mut tree, mut layers) = (dictionary([]), BTreeMap::new());
        for (path, content) in entries {
            let mut file = dictionary([("length", content.length().into())]);
            match content {
                Content::Data(data) if !data.is_empty() => {
                    let (root, layer) = root_and_layer(data, self.piece_length as usize);
                    file.set(&[], "pieces root", root.to_vec());
                    if !layer.is_empty() {
                        layers.insert(root.to_vec(), layer.concat().into());
                    }
                }
                Content::Data(_) | Content::Pad(_) => {}
                Content::Symlink(target) => {
                    file.set(&[], "attr", "l");
                    file.set(&[], "symlink path", strings(target.iter().map(String::as_str)));
                }
            }
            let folder = path.iter().fold(&mut tree, |folder, component| {
                folder
                    .entries()
                    .entry(component.as_bytes().into())
                    .or_insert_with(|| dictionary([]))
            });
            folder.set(&[], "", file);
        }
        (tree, Value::Dictionary(layers))
    }
}

type Hash = [u8; 32];

const BLOCK_BYTES: usize = 16 << 10;

/// The pieces root of a non-empty file, and its piece layer if the file is longer than a piece
/// (BEP 52).
pub(crate) fn root_and_layer(data: &[u8], piece_length: usize) -> (Hash, Vec<Hash>) {
    let leaves: Vec<Hash> =
        data.chunks(BLOCK_BYTES).map(|block| Sha256::digest(block).into()).collect();
    let blocks = piece_length / BLOCK_BYTES;
    let layer = leaves.chunks(blocks).map(|leaves| subtree(leaves, blocks));
    let layer = if data.len() > piece_length { layer.collect() } else { Vec::new() };
    (subtree(&leaves, leaves.len().next_power_of_two()), layer)
}

/// The root of a tree with `width` leaves. Missing leaves are zeros.
fn subtree(leaves: &[Hash], width: usize) -> Hash {
    if width == 1 {
        return leaves.first().copied().unwrap_or([0; 32]);
    }
    let (left, right) = leaves.split_at(leaves.len().min(width / 2));
    let children = [subtree(left, width / 2), subtree(right, width / 2)];
    Sha256::digest(children.concat()).into()
}

/// The text of a saved state with the checksum that it should have.
pub(crate) fn with_checksum(text: &str) -> String {
    let object = &text[..text.find(",\"checksum\"").expect("a state has a checksum")];
    let sum = Sha256::digest(format!("{object}}}"));
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{object},\"checksum\":\"{sum}\"}}")
}

/// Bytes without repeated parts: there is a counter in every 251 bytes.
pub(crate) fn content(seed: u8, bytes: usize) -> Vec<u8> {
    let part = |i: u64| [&i.to_le_bytes()[..], &[seed; 243]].concat();
    (0..).flat_map(part).take(bytes).collect()
}
