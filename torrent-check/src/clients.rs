//! Reads what BitTorrent clients leave on disk: where they keep the content of their torrents and
//! which files they want.
//!
//! [`ROWS`] has a row for each client, which its module describes. All their files are bencoded
//! dictionaries, also in the database that qBittorrent may use in place of files.

#[cfg(feature = "sqlite")]
mod database;
mod deluge;
mod qbittorrent;
mod rtorrent;
mod transmission;

/// Refuses databases in a build without SQLite.
#[cfg(not(feature = "sqlite"))]
mod database {
    use std::path::Path;

    use super::DatabaseError;

    fn refuse<T>() -> Result<T, DatabaseError> {
        Err(DatabaseError::Unsupported)
    }

    pub(super) fn torrents(_: &Path) -> Result<Vec<(String, bool)>, DatabaseError> {
        refuse()
    }

    pub(super) fn resume_data(_: &Path, _: &str) -> Result<Option<Vec<u8>>, DatabaseError> {
        refuse()
    }

    pub(super) fn torrent(_: &Path, _: &str) -> Result<Option<Vec<u8>>, DatabaseError> {
        refuse()
    }
}

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use cap_std::fs::Dir;

use crate::folders::{join, open_folder, parent, to_read};
use crate::torrent::bencode::{Document, Fault, Value, read};
use crate::{
    CheckError, Escaped, File, FileKind, MAX_TORRENT_BYTES, Torrent, TorrentPath, Version,
};

/// A client whose session can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Client {
    /// qBittorrent. A session in its database `torrents.db` needs the feature `sqlite`.
    QBittorrent,
    /// Deluge.
    Deluge,
    /// Transmission.
    Transmission,
    /// rtorrent.
    Rtorrent,
}

/// What is known of a client.
struct Row {
    client: Client,
    /// Its name in lower case.
    name: &'static str,
    /// Where its session may be. [`Client::folders`] says what the first names stand for.
    folders: &'static [&'static str],
    /// Where its session may be in the folder of all its files.
    inside: &'static [&'static str],
    /// The files and folders that a session has.
    marks: &'static [Mark],
    /// What is left of a session whose files about torrents are lost: all of one of these lists.
    lost: &'static [&'static [Mark]],
    /// The folder of the torrent files in the session.
    torrents: &'static str,
    /// The files that say where the content of a torrent is.
    resume: Resume,
    /// The database that the client may use in place of files, beside the folder of its session.
    database: Option<&'static str>,
    /// Reads them.
    read: fn(&Entry<'_>) -> Option<Facts>,
    /// The key without which they say nothing.
    key: &'static str,
    /// Whether its lists of files count padding that v2 torrents do not list, as libtorrent does.
    counts_padding: bool,
}

/// What a session has in its folder.
enum Mark {
    /// A folder with this name.
    Folder(&'static str),
    /// Files whose names end like this.
    Files(&'static str),
    /// The folder itself has this name.
    Name(&'static str),
}

/// The files that say where the content of a torrent is.
enum Resume {
    /// Files of each torrent in a folder, named after its info hash in lower or upper case.
    Each {
        folder: &'static str,
        suffixes: &'static [&'static str],
        is_upper: bool,
        /// The number of digits of the hash in the old names `NAME.DIGITS`, if there were such.
        old_digits: Option<usize>,
    },
    /// One file of all torrents, with their own bencoded dictionaries by info hash, and its backup.
    All { files: &'static [&'static str] },
}

/// The row of each client. If a folder has the marks of several, the first counts.
const ROWS: [Row; 4] = [deluge::ROW, qbittorrent::ROW, transmission::ROW, rtorrent::ROW];

/// The files of a client about a torrent.
struct Entry<'d> {
    documents: &'d [Document<'d>],
}

/// What they say. The numbers of files are those of the client.
#[derive(Default)]
struct Facts {
    /// The download folders, the one to look in first.
    folders: Vec<Vec<u8>>,
    /// Whether the first is itself the content of a torrent of several files.
    is_content: bool,
    paths: Vec<(usize, Vec<u8>)>,
    unwanted: Vec<usize>,
}

impl<'d> Entry<'d> {
    fn get(&self, key: &str) -> Option<Value<'d>> {
        self.documents.iter().find_map(|it| it.root().get(key.as_bytes()))
    }

    /// A string that is not empty.
    fn text(&self, key: &str) -> Option<Vec<u8>> {
        self.get(key)?.bytes().filter(|text| !text.is_empty()).map(<[u8]>::to_vec)
    }

    /// The values of a list with their numbers.
    fn list(&self, key: &str) -> impl Iterator<Item = (usize, Value<'d>)> + use<'d> {
        (0..).zip(self.get(key).and_then(|it| it.items()).into_iter().flatten())
    }

    /// The strings of a list that are not empty, with their numbers.
    fn texts(&self, key: &str) -> Vec<(usize, Vec<u8>)> {
        let texts = self.list(key).filter_map(|(nth, value)| {
            let text = value.bytes().filter(|text| !text.is_empty())?;
            Some((nth, text.to_vec()))
        });
        texts.collect()
    }

    /// The numbers of the values of a list that are this integer.
    fn numbers_of(&self, key: &str, integer: i64) -> Vec<usize> {
        let equal = self.list(key).filter(|(_, value)| value.integer() == Some(integer));
        equal.map(|(nth, _)| nth).collect()
    }
}

impl Client {
    /// All clients whose sessions can be read.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.client)
    }

    /// The name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Where the client may keep its session, relative to what the first name stands for: `HOME`,
    /// `DATA` and `CONFIG` (as in the XDG Base Directory Specification), `LOCAL` (of Windows, or
    /// the `Library/Application Support` of macOS) or `ROOT`.
    #[must_use]
    pub fn folders(self) -> &'static [&'static str] {
        self.row().folders
    }

    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.client == self).expect("each client has a row")
    }
}

/// The folder in which a client keeps its torrents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    client: Client,
    folder: PathBuf,
    /// What it has in place of files.
    database: Option<PathBuf>,
}

/// Where a client keeps the content of a torrent. See [`Place::Saved`](crate::Place::Saved).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The download folders, the one to look in first.
    pub(crate) folders: Vec<PathBuf>,
    /// Whether that folder is itself the content.
    pub(crate) is_content: bool,
    /// The paths of files, if the client has its own: in the folder, or absolute.
    paths: BTreeMap<usize, PathBuf>,
    unwanted: BTreeSet<usize>,
}

/// Why a client's file about a torrent cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedError {
    /// This file or database cannot be used.
    #[error("cannot read {}: {error}", Escaped(path))]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: Box<SavedError>,
    },
    /// The error of the operating system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The folder of the session cannot be opened.
    #[error(transparent)]
    Folder(#[from] CheckError),
    /// It has no bytes: the client was interrupted while it wrote it, or the disk was full.
    #[error("it is empty")]
    Empty,
    /// It is not bencoded.
    #[error("{message} (byte {offset})")]
    Malformed {
        /// The offset in the file.
        offset: usize,
        /// What is wrong.
        message: String,
    },
    /// It is about another torrent.
    #[error("it is about another torrent")]
    OtherTorrent,
    /// It does not say where the content is.
    #[error("it has no `{0}`")]
    Lacks(
        /// The key.
        &'static str,
    ),
    /// The database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Why a client's database cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// This build lacks the feature `sqlite`.
    #[error(
        "this build does not read SQLite databases; build torrent-check with `--features sqlite`, \
         or choose fastresume files in the client's advanced settings (Resume data storage type), \
         and restart it"
    )]
    Unsupported,
    /// It does not exist.
    #[error("there is no such file")]
    Absent,
    /// It, or its journal, is not a regular file.
    #[error("{} is not a regular file", Escaped(.0))]
    NotAFile(
        /// The path.
        PathBuf,
    ),
    /// The error of the operating system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The error of SQLite.
    #[error("{error}{}", advice(*.is_in_use))]
    Sqlite {
        /// The error.
        #[source]
        error: Box<dyn std::error::Error + Send + Sync>,
        /// Whether it has a journal, as while the client runs or after a crash.
        is_in_use: bool,
    },
    /// It has more torrents than any client.
    #[error("it has more than {0} torrents")]
    TooMany(
        /// The maximum.
        usize,
    ),
    /// A torrent is not named by its info hash.
    #[error("the torrent_id {0:?} is not an info hash")]
    NotAnInfoHash(
        /// Its name.
        String,
    ),
    /// The client wrote to it meanwhile.
    #[error("it changed while it was read; try again")]
    Changed,
}

fn advice(is_in_use: bool) -> &'static str {
    match is_in_use {
        true => "; quit qBittorrent (after a crash, start and quit it), and try again",
        false => "",
    }
}

impl From<Fault> for SavedError {
    fn from(Fault { offset, message }: Fault) -> Self {
        Self::Malformed { offset, message }
    }
}

impl Session {
    /// Recognises the folder of a client's session by its files, or the folder of all files of a
    /// client. If there is a database, the files are out of date: qBittorrent leaves them where
    /// they are when it begins to use one, and removes the database when it uses files again.
    #[must_use]
    pub fn recognise(folder: &Path) -> Option<Self> {
        let insides = ROWS.iter().flat_map(|row| row.inside);
        let mut folders: Vec<PathBuf> = insides.map(|inside| folder.join(inside)).collect();
        folders.insert(0, folder.to_owned());
        let databases = ROWS.iter().filter_map(|row| Some((row, row.database?)));
        let session = databases.flat_map(|(row, name)| {
            let is_own = |folder: &&PathBuf| row.inside.iter().any(|it| folder.ends_with(it));
            folders.iter().filter(is_own).filter_map(move |folder| {
                let database = join(parent(folder), Path::new(name));
                let session = || Self {
                    client: row.client,
                    folder: folder.clone(),
                    database: Some(database.clone()),
                };
                database.is_file().then(session)
            })
        });
        if let Some(session) = session.into_iter().next() {
            return Some(session);
        }
        folders.iter().find_map(|folder| {
            let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
            let names: Vec<_> = names.collect();
            let has = |mark: &Mark| match mark {
                Mark::Folder(name) => folder.join(name).is_dir(),
                Mark::Files(suffix) => {
                    names.iter().any(|name| name.as_encoded_bytes().ends_with(suffix.as_bytes()))
                }
                Mark::Name(name) => folder.file_name() == Some(name.as_ref()),
            };
            let is_lost = |row: &&Row| row.lost.iter().any(|marks| marks.iter().all(has));
            let row = ROWS.iter().find(|row| row.marks.iter().all(has));
            let row = row.or_else(|| ROWS.iter().find(is_lost))?;
            Some(Self { client: row.client, folder: folder.clone(), database: None })
        })
    }

    /// The folder of a client's session that has torrents, but nothing else that tells the client.
    #[must_use]
    pub fn of(client: Client, folder: &Path) -> Option<Self> {
        let session = Self { client, folder: folder.to_owned(), database: None };
        let mut names = fs::read_dir(session.torrents()).ok()?.flatten();
        names.any(|entry| entry.path().extension() == Some("torrent".as_ref())).then_some(session)
    }

    /// The existing folders in which the client keeps content, as far as its files say so.
    #[must_use]
    pub fn download_folders(&self) -> Vec<PathBuf> {
        let row = self.client.row();
        let mut documents: Vec<Vec<u8>> = Vec::new();
        match (&self.database, &row.resume) {
            (Some(database), _) => {
                let all = database::torrents(database).unwrap_or_default();
                let resume = |hash: &str| database::resume_data(database, hash).ok()?;
                documents.extend(all.iter().filter_map(|(hash, _)| resume(hash)));
            }
            (None, Resume::Each { folder, suffixes, .. }) => {
                let folder = join(&self.folder, Path::new(folder));
                let Ok(dir) = open_folder(&folder) else { return Vec::new() };
                for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                    let name = entry.file_name();
                    let is_own = name.as_encoded_bytes().ends_with(suffixes[0].as_bytes());
                    let bytes = is_own.then(|| read_regular(&dir, Path::new(&name)));
                    documents.extend(bytes.and_then(Result::ok));
                }
            }
            (None, Resume::All { files }) => {
                let Ok(dir) = open_folder(&self.folder) else { return Vec::new() };
                for file in *files {
                    let Ok(bytes) = read_regular(&dir, Path::new(file)) else { continue };
                    let Ok(all) = read(&bytes) else { continue };
                    let own = all.root().entries().into_iter().flatten();
                    documents.extend(own.filter_map(|(_, own)| own.bytes()).map(<[u8]>::to_vec));
                }
            }
        }
        let mut folders: Vec<PathBuf> = Vec::new();
        for bytes in &documents {
            let Ok(document) = read(bytes) else { continue };
            let Some(facts) = (row.read)(&Entry { documents: &[document] }) else { continue };
            for folder in facts.folders.iter().filter_map(|folder| path(folder)) {
                // The folder may be that of a single file, or the content itself.
                if facts.is_content {
                    folders.push(parent(&folder).to_owned());
                }
                folders.push(folder);
            }
        }
        folders.sort();
        folders.dedup();
        folders.retain(|folder| folder.is_absolute() && folder.is_dir());
        folders
    }

    /// The client.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client
    }

    /// The folder with a torrent file for each torrent of the session, or its database.
    #[must_use]
    pub fn torrents(&self) -> PathBuf {
        if let Some(database) = &self.database {
            return database.clone();
        }
        join(&self.folder, Path::new(self.client.row().torrents))
    }

    /// The torrents in the session's database, sorted, or `None` if they are files in the folder
    /// [`torrents`](Self::torrents). They are named after the database and their info hash, as in
    /// `torrents.db/HASH.torrent`; [`torrent_file`](Self::torrent_file) reads them.
    ///
    /// # Errors
    ///
    /// Returns [`SavedError`] if the database cannot be read.
    pub fn in_database(&self) -> Result<Option<Vec<PathBuf>>, SavedError> {
        self.database.as_ref().map(|database| self.listed(database, true)).transpose()
    }

    /// The content of a torrent file that [`in_database`](Self::in_database) names, or `None` if
    /// the database does not have it.
    ///
    /// # Errors
    ///
    /// Returns [`SavedError`] if the database cannot be read.
    pub fn torrent_file(&self, file: &Path) -> Result<Option<Vec<u8>>, SavedError> {
        let Some(database) = &self.database else { return Ok(None) };
        let name = file.strip_prefix(database).ok().and_then(Path::to_str);
        let Some(hash) = name.and_then(|name| name.strip_suffix(".torrent")) else {
            return Ok(None);
        };
        database::torrent(database, hash).map_err(|error| cannot_read(database, error))
    }

    /// The torrents of the database that it has, or those that are still to be fetched.
    fn listed(&self, database: &Path, is_there: bool) -> Result<Vec<PathBuf>, SavedError> {
        let all = database::torrents(database).map_err(|error| cannot_read(database, error))?;
        let all = all.into_iter().filter(|(_, has_torrent)| *has_torrent == is_there);
        let mut files: Vec<PathBuf> =
            all.map(|(hash, _)| database.join(format!("{hash}.torrent"))).collect();
        files.sort();
        Ok(files)
    }

    /// The torrent files that the session should have but does not, sorted: the client may still be
    /// fetching them for a magnet link, or they are lost.
    ///
    /// # Errors
    ///
    /// Returns [`SavedError`] if the client's file about all torrents cannot be read.
    pub fn lacking(&self) -> Result<Vec<PathBuf>, SavedError> {
        if let Some(database) = &self.database {
            return self.listed(database, false);
        }
        let names: Vec<String> = match &self.client.row().resume {
            Resume::Each { folder, suffixes, .. } => {
                let folder = join(&self.folder, Path::new(folder));
                let entries = fs::read_dir(folder).into_iter().flatten().flatten();
                let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
                names.filter_map(|name| Some(name.strip_suffix(suffixes[0])?.to_owned())).collect()
            }
            Resume::All { files } => {
                let dir = open_folder(&self.folder)?;
                let bytes = |file: &&str| read_regular(&dir, Path::new(file)).ok();
                // If the file is lost, nobody knows what the session lacks.
                let usable = |bytes: &Vec<u8>| read(bytes).is_ok();
                let Some(bytes) = files.iter().filter_map(bytes).find(usable) else {
                    return Ok(Vec::new());
                };
                let all = read(&bytes)?;
                let keys = all.root().entries().into_iter().flatten().map(|(key, _)| key);
                let keys = keys.filter_map(|key| String::from_utf8(key.bytes()?.to_vec()).ok());
                keys.filter(|key| key.len() == 40).collect()
            }
        };
        let files = names.iter().map(|name| self.torrents().join(format!("{name}.torrent")));
        let mut lacking: Vec<PathBuf> = files.filter(|file| !file.exists()).collect();
        lacking.sort();
        Ok(lacking)
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
        if let Some(database) = &self.database {
            for hash in hashes {
                let resume = database::resume_data(database, &hash);
                if let Some(bytes) = resume.map_err(|error| cannot_read(database, error))? {
                    let saved = Saved::read(self.client, torrent, &[&bytes]);
                    let place = database.join(hash);
                    return saved.map(Some).map_err(|error| cannot_read(&place, error));
                }
            }
            return Ok(None);
        }
        let dir = open_folder(&self.folder)?;
        let mut unusable = None;
        for hash in hashes {
            let names = self.files_about(&hash);
            let mut files = Vec::new();
            for name in &names {
                let bytes = match read_regular(&dir, Path::new(name)) {
                    Ok(bytes) => bytes,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => {
                        unusable.get_or_insert(self.unusable(name, error));
                        continue;
                    }
                };
                if !matches!(self.client.row().resume, Resume::All { .. }) {
                    files.push(bytes);
                    continue;
                }
                // The backup counts if the file itself is lost.
                match of_all(&bytes, &hash) {
                    Ok(own) => files.extend(own),
                    Err(fault) => _ = unusable.get_or_insert(self.unusable(name, fault)),
                }
                if !files.is_empty() {
                    break;
                }
            }
            if !files.is_empty() {
                let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
                let saved = Saved::read(self.client, torrent, &files);
                return saved.map(Some).map_err(|error| self.unusable(&names[0], error));
            }
        }
        unusable.map_or(Ok(None), Err)
    }

    /// The names of the files about the torrent with this info hash.
    fn files_about(&self, hash: &str) -> Vec<String> {
        let (folder, suffixes, is_upper, old_digits) = match self.client.row().resume {
            Resume::All { files } => return files.iter().map(|&file| file.to_owned()).collect(),
            Resume::Each { folder, suffixes, is_upper, old_digits } => {
                (folder, suffixes, is_upper, old_digits)
            }
        };
        let hash = if is_upper { hash.to_ascii_uppercase() } else { hash.to_owned() };
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let names: Vec<String> =
            suffixes.iter().map(|suffix| format!("{prefix}{hash}{suffix}")).collect();
        let Some(digits) = old_digits.filter(|_| !self.folder.join(&names[0]).exists()) else {
            return names;
        };
        let suffix = format!(".{}{}", &hash[..digits], suffixes[0]);
        let entries = fs::read_dir(self.folder.join(folder)).into_iter().flatten().flatten();
        let mut old = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let old = old.find(|name| name.ends_with(&suffix));
        old.map_or(names, |name| vec![format!("{prefix}{name}")])
    }

    fn unusable(&self, name: &str, error: impl Into<SavedError>) -> SavedError {
        cannot_read(&self.folder.join(name), error)
    }
}

fn cannot_read(path: &Path, error: impl Into<SavedError>) -> SavedError {
    SavedError::File { path: path.to_owned(), error: Box::new(error.into()) }
}

/// The dictionary of a torrent in that of all torrents, if it is there.
fn of_all(bytes: &[u8], hash: &str) -> Result<Option<Vec<u8>>, Fault> {
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
        if files.iter().all(|bytes| bytes.is_empty()) {
            return Err(SavedError::Empty);
        }
        let documents: Vec<Document<'_>> =
            files.iter().map(|bytes| read(bytes)).collect::<Result<_, _>>()?;
        let entry = Entry { documents: &documents };
        let is_other = |key, own: &[u8]| {
            let hash = entry.get(key).and_then(|hash| hash.bytes());
            hash.is_some_and(|hash| hash != own && hash.iter().any(|&byte| byte != 0))
        };
        if torrent.info_hash_v1().is_some_and(|own| is_other("info-hash", &own))
            || torrent.info_hash_v2().is_some_and(|own| is_other("info-hash2", &own))
        {
            return Err(SavedError::OtherTorrent);
        }
        let row = client.row();
        let lacks = || SavedError::Lacks(row.key);
        let facts = (row.read)(&entry).ok_or_else(lacks)?;
        let is_windows = is_of_windows(&facts.folders[0]);
        let native = |bytes: &[u8]| {
            let slashed = |byte: &u8| if is_windows && *byte == b'\\' { b'/' } else { *byte };
            path(&bytes.iter().map(slashed).collect::<Vec<u8>>())
        };
        let folders: Vec<PathBuf> = facts.folders.iter().filter_map(|it| native(it)).collect();
        if folders.is_empty() {
            return Err(lacks());
        }
        let indices = indices(torrent, row.counts_padding);
        let own_path = |bytes: &[u8]| in_folder(&native(bytes)?, &folders[0]);
        let paths = facts.paths.iter().filter_map(|(nth, bytes)| {
            let index = *indices.get(nth)?;
            Some((index, own_path(bytes)?))
        });
        let unwanted = facts.unwanted.iter().filter_map(|nth| indices.get(nth).copied());
        Ok(Self {
            paths: paths.collect(),
            unwanted: unwanted.collect(),
            is_content: facts.is_content && !torrent.is_single_file(),
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
    /// name of the content, or outside the folder. Only the latter may be absolute or have a `..`.
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
    /// have their own. Without a name, paths begin at the download folder. Files outside of it have
    /// absolute paths.
    pub(crate) fn layout(&self, torrent: &Torrent) -> (Option<PathBuf>, HashMap<usize, PathBuf>) {
        let name = torrent.name().to_path_buf();
        let is_outside = |path: &PathBuf| path.is_absolute();
        if torrent.is_single_file() {
            let own = self.paths.get(&0).cloned();
            let outside = own.iter().filter(|path| is_outside(path)).map(|path| (0, path.clone()));
            let outside = outside.collect();
            return (Some(own.filter(|path| !is_outside(path)).unwrap_or(name)), outside);
        }
        let files = torrent.files().iter().enumerate();
        let files = files.filter(|(_, file)| *file.kind() != FileKind::Pad);
        let path = |(index, file): (usize, &File)| {
            let usual = || name.join(file.path().to_path_buf());
            (index, self.paths.get(&index).cloned().unwrap_or_else(usual))
        };
        let (outside, paths): (HashMap<usize, PathBuf>, HashMap<usize, PathBuf>) =
            files.map(path).partition(|(_, path)| is_outside(path));
        let top = |path: &PathBuf| path.iter().nth(1).and(path.iter().next()).map(PathBuf::from);
        let first = paths.values().next().and_then(top);
        let Some(first) =
            first.filter(|first| paths.values().all(|it| top(it).as_ref() == Some(first)))
        else {
            return (None, paths.into_iter().chain(outside).collect());
        };
        let inside = |(index, path): (usize, PathBuf)| {
            let path = path.strip_prefix(&first).ok()?.to_owned();
            (path != torrent.files()[index].path().to_path_buf()).then_some((index, path))
        };
        let renamed = paths.into_iter().filter_map(inside).chain(outside).collect();
        (Some(first), renamed)
    }

    /// Replaces the beginning of the client's folders by another folder: a client in a container,
    /// or on another computer, sees its folders elsewhere. Paths of Windows are understood, too.
    ///
    /// The longest end of the client's path that exists in the folder is used. Returns `None` if
    /// the folder does not exist, or the path is that of the content and no end of it exists.
    #[must_use]
    pub fn moved_to(&self, folder: &Path) -> Option<Self> {
        let place = longest_end(&self.folders[0], folder).filter(|place| place.is_dir())?;
        // A folder of downloads has the name of none of them, so it is not the content.
        if self.is_content && std::path::absolute(folder).is_ok_and(|folder| folder == place) {
            return None;
        }
        let outside = |path: &PathBuf| match path.is_absolute() && !path.exists() {
            true => longest_end(path, folder).filter(|place| place.is_file()),
            false => None,
        };
        let moved = |(&file, path): (&usize, &PathBuf)| {
            (file, outside(path).unwrap_or_else(|| path.clone()))
        };
        let paths = self.paths.iter().map(moved).collect();
        Some(Self { folders: vec![place], paths, ..self.clone() })
    }
}

/// The longest end of a path that exists in a folder, which may be the folder itself.
fn longest_end(path: &Path, folder: &Path) -> Option<PathBuf> {
    let names = path.components().filter_map(|name| match name {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let names: Vec<_> = names.collect();
    let mut places =
        (0..=names.len()).map(|at| join(folder, &names[at..].iter().collect::<PathBuf>()));
    places.find(|place| place.exists()).and_then(|place| std::path::absolute(place).ok())
}

/// The index of each file by its number in a client's lists. libtorrent aligns the files of v2
/// torrents by padding that the torrent does not list.
fn indices(torrent: &Torrent, counts_padding: bool) -> BTreeMap<usize, usize> {
    let is_padded = counts_padding && torrent.version() == Version::V2;
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

/// A path of a file relative to a folder if it is beneath it, or else as the client resolves it,
/// which may be anywhere.
fn in_folder(path: &Path, folder: &Path) -> Option<PathBuf> {
    let inside = path.strip_prefix(folder).unwrap_or(path);
    match TorrentPath::of(inside) {
        Some(inside) => Some(inside.to_path_buf()),
        None => std::path::absolute(folder.join(path)).ok(),
    }
}

/// Whether a path has a drive or a server of Windows.
fn is_of_windows(path: &[u8]) -> bool {
    matches!(path, [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
        || path.starts_with(br"\\")
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    Some(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    str::from_utf8(bytes).ok().map(PathBuf::from)
}
