//! Reads what BitTorrent clients leave on disk: where they keep the content of their torrents and
//! which files they want.
//!
//! | client | folder | files of a torrent | what is read |
//! |---|---|---|---|
//! | qBittorrent | `BT_backup` | `HASH.fastresume`, `HASH.torrent` | `save_path`, `mapped_files` (paths in it), `file_priority` (0: unwanted) |
//! | Transmission | that with `resume` and `torrents` | `HASH.resume`, until version 3 `NAME.16_DIGITS_OF_HASH.resume` | `destination`, `incomplete-dir`, `files` (paths in them), `dnd` (1: unwanted) |
//! | Deluge | `state` | `torrents.fastresume`: by info hash a string that is a fastresume file; `HASH.torrent` | as for qBittorrent |
//! | rtorrent | that of the session | `HASH.torrent.rtorrent`, `HASH.torrent.libtorrent_resume` | `directory` (the content of several files, or the folder of a single one), `priority` in `files` (0: unwanted) |
//!
//! All are bencoded dictionaries. The sources are `write_resume_data.cpp` of libtorrent,
//! `bencoderesumedatastorage.cpp` of qBittorrent, `torrentmanager.py` of Deluge, `resume.cc` of
//! Transmission, and `download_factory.cc` of rtorrent with `resume.cc` of its library.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::{fmt, fs};

use cap_std::fs::Dir;

use crate::bencode::{Document, Fault, Value, read};
use crate::folders::{join, open_folder, to_read};

use crate::{Escaped, File, FileKind, MAX_TORRENT_BYTES, Torrent, TorrentPath, Version};

/// A client whose session can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Client {
    /// qBittorrent, if it keeps its session in files.
    QBittorrent,
    /// Deluge.
    Deluge,
    /// Transmission.
    Transmission,
    /// rtorrent.
    Rtorrent,
}

/// The folder in which a client keeps its torrents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    client: Client,
    folder: PathBuf,
}

/// Where a client keeps the content of a torrent. See [`Place::Saved`](crate::Place::Saved).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The download folders, the one to look in first.
    pub(crate) folders: Vec<PathBuf>,
    /// Whether that folder is itself the content.
    pub(crate) is_content: bool,
    /// The paths of files in the folder, if the client has its own.
    paths: BTreeMap<usize, PathBuf>,
    unwanted: BTreeSet<usize>,
}

/// Why a client's file about a torrent cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SavedError(String);

impl From<Fault> for SavedError {
    fn from(Fault { offset, message }: Fault) -> Self {
        Self(format!("byte {offset}: {message}"))
    }
}

impl Session {
    /// Recognises the folder of a client's session by its files.
    #[must_use]
    pub fn recognise(folder: &Path) -> Option<Self> {
        let session = |client| Some(Self { client, folder: folder.to_owned() });
        if folder.join("resume").is_dir() && folder.join("torrents").is_dir() {
            return session(Client::Transmission);
        }
        let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
        let clients = names.filter_map(|name| match name.as_encoded_bytes() {
            b"torrents.fastresume" => Some(Client::Deluge),
            name if name.ends_with(b".fastresume") => Some(Client::QBittorrent),
            name if name.ends_with(b".torrent.rtorrent") => Some(Client::Rtorrent),
            _ => None,
        });
        { clients }.next().and_then(session)
    }

    /// The client.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client
    }

    /// The folder with a torrent file for each torrent of the session.
    #[must_use]
    pub fn torrents(&self) -> PathBuf {
        match self.client {
            Client::Transmission => self.folder.join("torrents"),
            Client::QBittorrent | Client::Deluge | Client::Rtorrent => self.folder.clone(),
        }
    }

    /// Where the client keeps the content of a torrent, or `None` if it does not have the torrent.
    ///
    /// # Errors
    ///
    /// Returns [`SavedError`] if the client's file about it cannot be read.
    pub fn saved(&self, torrent: &Torrent) -> Result<Option<Saved>, SavedError> {
        let v2 = torrent.info_hash_v2().map(|hash| hex::encode(&hash[..20]));
        let hashes: Vec<String> =
            torrent.info_hash_v1().map(hex::encode).into_iter().chain(v2).collect();
        let dir = open_folder(&self.folder).map_err(|error| SavedError(error.to_string()))?;
        for hash in hashes {
            let mut names = match self.client {
                Client::QBittorrent => vec![format!("{hash}.fastresume")],
                Client::Deluge => vec!["torrents.fastresume".to_owned()],
                Client::Transmission => vec![format!("resume/{hash}.resume")],
                Client::Rtorrent => ["rtorrent", "libtorrent_resume"]
                    .map(|suffix| format!("{}.torrent.{suffix}", hash.to_ascii_uppercase()))
                    .to_vec(),
            };
            if self.client == Client::Transmission && !self.folder.join(&names[0]).exists() {
                names = self.named(&hash[..16]);
            }
            let unusable = |name: &str, error: &dyn fmt::Display| {
                SavedError(format!("cannot read {}: {error}", Escaped(&self.folder.join(name))))
            };
            let mut files = Vec::new();
            for name in &names {
                match read_regular(&dir, Path::new(name)) {
                    Ok(bytes) if self.client == Client::Deluge => {
                        let own = of_deluge(&bytes, &hash).map_err(SavedError::from);
                        files.extend(own.map_err(|error| unusable(name, &error))?);
                    }
                    Ok(bytes) => files.push(bytes),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(unusable(name, &error)),
                }
            }
            if !files.is_empty() {
                let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
                let saved = Saved::read(self.client, torrent, &files);
                return saved.map(Some).map_err(|error| unusable(&names[0], &error));
            }
        }
        Ok(None)
    }

    /// The resume file that Transmission 3 names after the torrent and the beginning of its hash.
    fn named(&self, hash: &str) -> Vec<String> {
        let suffix = format!(".{hash}.resume");
        let entries = fs::read_dir(self.folder.join("resume")).into_iter().flatten().flatten();
        let mut names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let name = names.find(|name| name.ends_with(&suffix));
        name.map(|name| format!("resume/{name}")).into_iter().collect()
    }
}

/// The fastresume file of a torrent in that of all torrents, if it is there.
fn of_deluge(bytes: &[u8], hash: &str) -> Result<Option<Vec<u8>>, Fault> {
    let all = read(bytes)?;
    let own = all.root().get(hash.as_bytes()).and_then(|own| own.bytes());
    Ok(own.map(<[u8]>::to_vec))
}

/// Reads a regular file of limited length. Links are not followed, and pipes not opened.
fn read_regular(dir: &Dir, name: &Path) -> io::Result<Vec<u8>> {
    if !dir.symlink_metadata(name)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    let file = dir.open_with(name, &to_read())?;
    file.take(MAX_TORRENT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Saved {
    /// Reads the files of a client about a torrent, in any order. That of Deluge is the fastresume
    /// file of the torrent alone.
    ///
    /// # Errors
    ///
    /// Returns [`SavedError`] if one is not bencoded or is about another torrent, or if none says
    /// where the content is.
    pub fn read(client: Client, torrent: &Torrent, files: &[&[u8]]) -> Result<Self, SavedError> {
        let documents: Vec<Document<'_>> =
            files.iter().map(|bytes| read(bytes)).collect::<Result<_, _>>()?;
        let get = |key: &str| documents.iter().find_map(|it| it.root().get(key.as_bytes()));
        let is_other = |key, own: &[u8]| {
            let hash = get(key).and_then(|hash| hash.bytes());
            hash.is_some_and(|hash| hash != own && hash.iter().any(|&byte| byte != 0))
        };
        if torrent.info_hash_v1().is_some_and(|own| is_other("info-hash", &own))
            || torrent.info_hash_v2().is_some_and(|own| is_other("info-hash2", &own))
        {
            return Err(SavedError("it is about another torrent".to_owned()));
        }
        let (folder, paths, is_unwanted): (_, _, fn(Value<'_>) -> bool) = match client {
            Client::QBittorrent | Client::Deluge => {
                ("save_path", "mapped_files", |it| it.integer() == Some(0))
            }
            Client::Transmission => ("destination", "files", |it| it.integer() == Some(1)),
            Client::Rtorrent => {
                ("directory", "", |it| it.get(b"priority").and_then(|it| it.integer()) == Some(0))
            }
        };
        let wanted = match client {
            Client::QBittorrent | Client::Deluge => "file_priority",
            Client::Transmission => "dnd",
            Client::Rtorrent => "files",
        };
        let text = |key| get(key).and_then(|it| it.bytes()).filter(|text| !text.is_empty());
        let mut folders: Vec<PathBuf> = text(folder).and_then(path).into_iter().collect();
        if folders.is_empty() {
            return Err(SavedError(format!("it has no `{folder}`")));
        }
        if client == Client::Transmission {
            let incomplete = text("incomplete-dir").or_else(|| text("incomplete_dir"));
            folders.extend(incomplete.and_then(path));
        }
        let list = |key| get(key).and_then(|it| it.items()).into_iter().flatten();
        let indices = indices(torrent, client);
        let own_path = |value: Value<'_>| relative(value.bytes()?, &folders[0]);
        let paths = list(paths)
            .zip(0..)
            .filter_map(|(value, index)| Some((*indices.get(&index)?, own_path(value)?)));
        let unwanted = list(wanted).zip(0..).filter(|(value, _)| is_unwanted(*value));
        Ok(Self {
            paths: paths.collect(),
            unwanted: unwanted.filter_map(|(_, index)| indices.get(&index).copied()).collect(),
            is_content: client == Client::Rtorrent && !torrent.is_single_file(),
            folders,
        })
    }

    /// Whether the client wants a file, given as its index in
    /// [`Torrent::files`](crate::Torrent::files).
    #[must_use]
    pub fn is_wanted(&self, file: usize) -> bool {
        !self.unwanted.contains(&file)
    }

    /// The path that the client gives a file, if that may not be its own: in the folder, with the
    /// name of the content.
    #[must_use]
    pub fn path(&self, file: usize) -> Option<&Path> {
        self.paths.get(&file).map(PathBuf::as_path)
    }

    /// The download folder, or the content itself.
    #[must_use]
    pub fn folder(&self) -> &Path {
        let mut folders = self.folders.iter();
        folders.find(|folder| folder.is_dir()).unwrap_or(&self.folders[0])
    }

    /// The name of the content in the download folder, and the paths in it of the files that do not
    /// have their own. Without a name, paths begin at the download folder.
    pub(crate) fn layout(&self, torrent: &Torrent) -> (Option<PathBuf>, HashMap<usize, PathBuf>) {
        let name = torrent.name().to_path_buf();
        if torrent.is_single_file() {
            return (Some(self.paths.get(&0).cloned().unwrap_or(name)), HashMap::new());
        }
        let files = torrent.files().iter().enumerate();
        let files = files.filter(|(_, file)| *file.kind() != FileKind::Pad);
        let path = |(index, file): (usize, &File)| {
            let usual = || name.join(file.path().to_path_buf());
            (index, self.paths.get(&index).cloned().unwrap_or_else(usual))
        };
        let paths: HashMap<usize, PathBuf> = files.map(path).collect();
        let top = |path: &PathBuf| path.iter().nth(1).and(path.iter().next()).map(PathBuf::from);
        let first = paths.values().next().and_then(top);
        let Some(first) =
            first.filter(|first| paths.values().all(|it| top(it).as_ref() == Some(first)))
        else {
            return (None, paths);
        };
        let inside = |(index, path): (usize, PathBuf)| {
            let path = path.strip_prefix(&first).ok()?.to_owned();
            (path != torrent.files()[index].path().to_path_buf()).then_some((index, path))
        };
        let renamed = paths.into_iter().filter_map(inside).collect();
        (Some(first), renamed)
    }

    /// Replaces the beginning of the client's folder by another folder: a client in a container, or
    /// on another computer, sees its folders elsewhere.
    ///
    /// The longest end of the client's path that exists in the folder is used. Returns `None` if
    /// the folder does not exist.
    #[must_use]
    pub fn moved_to(&self, folder: &Path) -> Option<Self> {
        let names = self.folders[0].components().filter_map(|name| match name {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        let names: Vec<_> = names.collect();
        let mut places =
            (0..=names.len()).map(|at| join(folder, &names[at..].iter().collect::<PathBuf>()));
        let place = places.find(|place| place.is_dir())?;
        Some(Self { folders: vec![place], ..self.clone() })
    }
}

/// The index of each file by its number in a client's lists. libtorrent aligns the files of v2
/// torrents by padding that the torrent does not list.
fn indices(torrent: &Torrent, client: Client) -> BTreeMap<usize, usize> {
    let is_libtorrent = matches!(client, Client::QBittorrent | Client::Deluge);
    let is_padded = is_libtorrent && torrent.version() == Version::V2;
    let mut next = 0;
    let files = torrent.files().iter().enumerate();
    let numbers = files.map(|(index, file)| {
        let has_pad = is_padded && file.length() % torrent.piece_length() != 0;
        let number = next;
        next += 1 + usize::from(has_pad);
        (number, index)
    });
    numbers.filter(|(_, index)| *torrent.files()[*index].kind() != FileKind::Pad).collect()
}

/// The path that these bytes name, if it is relative, or absolute and beneath the folder.
fn relative(bytes: &[u8], folder: &Path) -> Option<PathBuf> {
    let path = path(bytes)?;
    let path = path.strip_prefix(folder).unwrap_or(&path);
    TorrentPath::of(path).map(|path| path.to_path_buf())
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    Some(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    str::from_utf8(bytes).ok().map(PathBuf::from)
}
