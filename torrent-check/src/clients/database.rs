//! qBittorrent's `torrents.db`, as `dbresumedatastorage.cpp` writes it: an SQLite database whose
//! table `torrents` has, by info hash, the resume data of libtorrent and, unless it is still being
//! fetched for a magnet link, the torrent.
//!
//! Nothing is written, neither to the database nor beside it. If there is no journal, the database
//! is opened as immutable, and a change meanwhile is an error. Otherwise qBittorrent runs or has
//! crashed: then what is in its write-ahead log counts, too.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::DatabaseError;
use crate::MAX_TORRENT_BYTES;
use crate::folders::with_suffix;

/// The maximum number of torrents. It ends the walk through a damaged table without an end.
const MAX_TORRENTS: usize = 1 << 20;

/// What is percent-encoded in paths in URIs.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b':').remove(b'.').remove(b'-');

/// The info hashes of all torrents, and whether the torrent itself is there.
pub(super) fn torrents(path: &Path) -> Result<Vec<(String, bool)>, DatabaseError> {
    let all = read(path, |connection| {
        let query = "SELECT torrent_id, COALESCE(LENGTH(metadata), 0) > 0 FROM torrents LIMIT ?1";
        let mut query = connection.prepare(query)?;
        let rows = query.query_map([MAX_TORRENTS as i64 + 1], |row| Ok((row.get(0)?, row.get(1)?)));
        rows?.collect::<rusqlite::Result<Vec<(String, bool)>>>()
    })?;
    let is_hash = |id: &str| id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if all.len() > MAX_TORRENTS {
        return Err(DatabaseError::TooMany(MAX_TORRENTS));
    }
    match all.iter().find(|(id, _)| !is_hash(id)) {
        Some((id, _)) => Err(DatabaseError::NotAnInfoHash(id.clone())),
        None => Ok(all),
    }
}

/// The resume data of the torrent with this info hash.
pub(super) fn resume_data(path: &Path, hash: &str) -> Result<Option<Vec<u8>>, DatabaseError> {
    blob(path, "SELECT libtorrent_resume_data FROM torrents WHERE torrent_id = ?1", hash)
}

/// The torrent with this info hash.
pub(super) fn torrent(path: &Path, hash: &str) -> Result<Option<Vec<u8>>, DatabaseError> {
    let torrent = blob(path, "SELECT metadata FROM torrents WHERE torrent_id = ?1", hash)?;
    Ok(torrent.filter(|bytes| !bytes.is_empty()))
}

fn blob(path: &Path, query: &str, hash: &str) -> Result<Option<Vec<u8>>, DatabaseError> {
    let found = read(path, |connection| {
        connection.query_row(query, [hash], |row| row.get::<_, Option<Vec<u8>>>(0)).optional()
    })?;
    Ok(found.flatten())
}

/// Asks the database.
fn read<T>(
    path: &Path,
    query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> Result<T, DatabaseError> {
    // SQLite would follow links, and wait at pipes.
    let before = regular(path)?.ok_or(DatabaseError::Absent)?;
    let mut has_journal = false;
    for suffix in ["-wal", "-journal", "-shm"] {
        has_journal |= regular(&with_suffix(path, suffix))?.is_some() && suffix != "-shm";
    }
    // Only a connection that may write to the index of the log (`-shm`) does so.
    let mode = if has_journal { "readonly_shm=1" } else { "immutable=1" };
    let result = open(path, mode).and_then(|connection| query(&connection));
    let result = result
        .map_err(|error| DatabaseError::Sqlite { error: Box::new(error), is_in_use: has_journal });
    if has_journal {
        return result;
    }
    let is_same = regular(path)?.is_some_and(|after| {
        after.len() == before.len() && after.modified().ok() == before.modified().ok()
    });
    if is_same { result } else { Err(DatabaseError::Changed) }
}

/// The metadata of a regular file, if there is something at this path.
fn regular(path: &Path) -> Result<Option<Metadata>, DatabaseError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Some(metadata)),
        Ok(_) => Err(DatabaseError::NotAFile(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn open(path: &Path, mode: &str) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_PRIVATE_CACHE;
    let connection = Connection::open_with_flags(uri(path, mode), flags)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_TORRENT_BYTES as i32)?;
    for (option, is_on) in [
        // Closing must not move the log into the database.
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
        // A hostile schema could make the query run for ever.
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    ] {
        connection.set_db_config(option, is_on)?;
    }
    Ok(connection)
}

/// The URI of a file. See <https://sqlite.org/uri.html>.
fn uri(path: &Path, mode: &str) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut bytes = path.into_os_string().into_encoded_bytes();
    if cfg!(windows) {
        bytes.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
    }
    // The path of a drive begins with its letter.
    let root = if bytes.starts_with(b"/") { "" } else { "/" };
    format!("file://{root}{}?mode=ro&{mode}", percent_encode(&bytes, RESERVED))
}
