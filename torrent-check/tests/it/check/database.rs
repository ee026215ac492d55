//! Tests of qBittorrent's `torrents.db`, which SQLite writes here, with the resume data of real
//! sessions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rusqlite::{Connection, params};
use torrent_check::{Check, Client, Place, Session, Torrent};

use super::clients::{PARTS, REAL, Real, files, partial, parts, replace};
use super::download::Download;
use crate::make::{Format, Maker};
use crate::naive::decode;

/// The torrent of a magnet link.
const MAGNET: &str = "0000000000000000000000000000000000000000";

/// A database with the columns of qBittorrent 5, version 8 of its schema, as its
/// `dbresumedatastorage.cpp` describes them.
fn create(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE meta (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value BLOB);
             INSERT INTO meta (name, value) VALUES ('version', 8);
             CREATE TABLE torrents (id INTEGER PRIMARY KEY, torrent_id BLOB NOT NULL UNIQUE,
                 queue_position INTEGER NOT NULL DEFAULT -1, name TEXT, category TEXT, tags TEXT,
                 target_save_path TEXT, download_path TEXT, content_layout TEXT NOT NULL,
                 ratio_limit INTEGER NOT NULL, seeding_time_limit INTEGER NOT NULL,
                 inactive_seeding_time_limit INTEGER NOT NULL,
                 share_limit_action TEXT NOT NULL DEFAULT 'Default',
                 has_outer_pieces_priority INTEGER NOT NULL, has_seed_status INTEGER NOT NULL,
                 operating_mode TEXT NOT NULL, stopped INTEGER NOT NULL,
                 stop_condition TEXT NOT NULL DEFAULT 'None', ssl_certificate TEXT,
                 ssl_private_key TEXT, ssl_dh_params TEXT, libtorrent_resume_data BLOB NOT NULL,
                 metadata BLOB);
             CREATE INDEX torrents_queue_position_INDEX ON torrents (queue_position);",
        )
        .unwrap();
    connection
}

fn insert(connection: &Connection, hash: &str, resume: &[u8], torrent: Option<&[u8]>) {
    let query = "INSERT INTO torrents (torrent_id, content_layout, ratio_limit, seeding_time_limit,
                     inactive_seeding_time_limit, has_outer_pieces_priority, has_seed_status,
                     operating_mode, stopped, libtorrent_resume_data, metadata)
                 VALUES (?1, 'Original', -2000, -2, -2, 0, 1, 'AutoManaged', 0, ?2, ?3)";
    connection.execute(query, params![hash, resume, torrent]).unwrap();
}

/// The names and bytes of everything in a folder.
fn all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file = |entry: fs::DirEntry| {
        let bytes = fs::read(entry.path()).unwrap_or_default();
        (entry.file_name().into_string().unwrap(), bytes)
    };
    entries.map(file).collect()
}

fn torrent(format: Format) -> Vec<u8> {
    let maker = Maker::folder("content", 16 << 10);
    files().into_iter().fold(maker, |maker, (path, data)| maker.file(path, data)).bytes(format)
}

/// The download, its info hash, and the resume data of the real client, whose folder has moved.
fn moved(real: &Real) -> (Download, &'static str, Vec<u8>) {
    let Real { format, folder, content: [top, a], files: [(name, bytes)], .. } = real else {
        panic!("qBittorrent has one file");
    };
    let download = partial(*format);
    let root = download.path().to_owned();
    fs::rename(download.place("a"), download.place("moved")).unwrap();
    fs::rename(download.place("moved"), download.place(a)).unwrap();
    fs::rename(root.join("content"), root.join(top)).unwrap();
    let mut value = decode(bytes).unwrap();
    replace(&mut value, folder, root.to_str().unwrap());
    (download, name.strip_suffix(".fastresume").unwrap(), value.encode())
}

fn reals() -> impl Iterator<Item = &'static Real> {
    REAL.iter().filter(|real| real.client == Client::QBittorrent)
}

#[test]
fn a_session_in_a_database_is_read_and_nothing_is_written() {
    for real in reals() {
        let (download, hash, resume) = moved(real);
        fs::write(download.path().join(PARTS), parts()).unwrap();
        let place = tempfile::tempdir().unwrap();
        // The path is part of a URI.
        let folder = place.path().join("100%25 qB?ittorrent#1é");
        fs::create_dir(&folder).unwrap();
        let database = folder.join("torrents.db");
        let connection = create(&database);
        insert(&connection, MAGNET, b"de", None);
        insert(&connection, hash, &resume, Some(&torrent(real.format)));
        connection.close().unwrap();
        // Files that it no longer uses.
        let backup = folder.join("BT_backup");
        fs::create_dir(&backup).unwrap();
        fs::write(backup.join(format!("{hash}.fastresume")), "d9:save_path3:/oue").unwrap();
        let before = all(&folder);
        assert!(before.keys().eq(["BT_backup", "torrents.db"]));
        for given in [&folder, &backup] {
            let session = Session::recognise(given).unwrap();
            assert_eq!(session.client(), Client::QBittorrent);
            assert_eq!(session.torrents(), database);
            let file = database.join(format!("{hash}.torrent"));
            let magnet = database.join(format!("{MAGNET}.torrent"));
            assert_eq!(session.in_database().unwrap().unwrap(), std::slice::from_ref(&file));
            assert_eq!(session.lacking().unwrap(), std::slice::from_ref(&magnet));
            assert_eq!(session.torrent_file(&magnet).unwrap(), None);
            assert_eq!(session.torrent_file(&database).unwrap(), None);
            let bytes = session.torrent_file(&file).unwrap().unwrap();
            let torrent = Torrent::parse(&bytes).unwrap();
            let saved = session.saved(&torrent).unwrap().unwrap();
            assert_eq!(saved.folder(), download.path());
            let unwanted = |file: &usize| !saved.is_wanted(*file);
            assert!((0..torrent.files().len()).filter(unwanted).eq([download.index("sub/b")]));
            let report = Check::new(&torrent, Place::Saved(&saved)).run().unwrap();
            assert!(report.is_complete(), "{report:?}");
            let moved = report.files[download.index("a")].saved_as.as_deref();
            assert_eq!(moved, Some(Path::new("A")));
            let other = Download::single(real.format, 16 << 10, b"other");
            assert_eq!(session.saved(&other.torrent).unwrap(), None);
        }
        assert!(all(&folder) == before);
    }
}

/// What a client that runs, or has crashed, has not yet moved from the log into the database.
#[test]
fn the_log_of_a_database_is_read() {
    let (download, hash, resume) = moved(reals().next().unwrap());
    let place = tempfile::tempdir().unwrap();
    let database = place.path().join("torrents.db");
    let connection = create(&database);
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    insert(&connection, hash, &resume, Some(&torrent(Format::V1)));
    insert(&connection, MAGNET, b"de", None);
    let before = all(place.path());
    assert!(before.keys().eq(["torrents.db", "torrents.db-shm", "torrents.db-wal"]));
    let session = Session::recognise(place.path()).unwrap();
    assert_eq!(session.saved(&download.torrent).unwrap().unwrap().folder(), download.path());
    assert_eq!(session.lacking().unwrap().len(), 1);
    // Within a process, SQLite shares the index of the log (`-shm`) with the writer.
    let same = |name: &str| all(place.path())[name] == before[name];
    assert!(same("torrents.db") && same("torrents.db-wal"));
    // The files of a client that has crashed.
    let crashed = tempfile::tempdir().unwrap();
    for (name, bytes) in &before {
        fs::write(crashed.path().join(name), bytes).unwrap();
    }
    let session = Session::recognise(crashed.path()).unwrap();
    assert_eq!(session.saved(&download.torrent).unwrap().unwrap().folder(), download.path());
    assert!(all(crashed.path()) == before);
    // Without the index of the log, one would have to be written.
    fs::remove_file(crashed.path().join("torrents.db-shm")).unwrap();
    let error = session.saved(&download.torrent).unwrap_err().to_string();
    assert!(error.contains("torrents.db: ") && error.contains("quit qBittorrent"), "{error}");
    assert_eq!(all(crashed.path()).len(), 2);
}

#[test]
fn damaged_databases_are_errors() {
    let (download, hash, resume) = moved(reals().next().unwrap());
    let place = tempfile::tempdir().unwrap();
    let database = place.path().join("torrents.db");
    let connection = create(&database);
    insert(&connection, hash, &resume, Some(&torrent(Format::V1)));
    connection.close().unwrap();
    let good = fs::read(&database).unwrap();
    let ask = |bytes: &[u8]| {
        fs::write(&database, bytes).unwrap();
        let session = Session::recognise(place.path()).unwrap();
        let listed = session.in_database().map_err(|error| error.to_string());
        let saved = session.saved(&download.torrent).map_err(|error| error.to_string());
        assert!(all(place.path()).keys().eq(["torrents.db"]));
        (listed, saved)
    };
    assert!(ask(&good).1.unwrap().is_some());
    let mut no_pages = good.clone();
    no_pages[100..].fill(0xff);
    for (bytes, expected) in [
        (&b""[..], "no such table: torrents"),
        (b"It is not a database, but long enough to have been one.", "file is not a database"),
        (&good[..good.len() / 2], "database disk image is malformed"),
        (&no_pages, "database disk image is malformed"),
    ] {
        let (listed, saved) = ask(bytes);
        for error in [listed.unwrap_err(), saved.unwrap_err()] {
            assert!(error.starts_with("cannot read "), "{error}");
            assert!(error.contains("torrents.db: ") && error.contains(expected), "{error}");
        }
    }
    // Whatever byte is damaged, there is an answer, and nothing panics.
    for place in (0..good.len()).step_by(61) {
        let mut bytes = good.clone();
        bytes[place] ^= 0x55;
        let _ = ask(&bytes);
    }
    // Resume data that is not bencoded, of another torrent, or too long.
    let with = |change: &str| {
        fs::write(&database, &good).unwrap();
        let connection = Connection::open(&database).unwrap();
        connection.execute_batch(change).unwrap();
        connection.close().unwrap();
        ask(&fs::read(&database).unwrap())
    };
    for (change, expected) in [
        ("UPDATE torrents SET libtorrent_resume_data = x'64'", "(byte 1)"),
        ("UPDATE torrents SET libtorrent_resume_data = x'6465'", "it has no `save_path`"),
        ("UPDATE torrents SET libtorrent_resume_data = 7", "Invalid column type Integer"),
        ("UPDATE torrents SET libtorrent_resume_data = zeroblob(300000000)", "too big"),
    ] {
        let error = with(change).1.unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let error = with("UPDATE torrents SET torrent_id = '../../x'").0.unwrap_err();
    assert!(error.contains("the torrent_id \"../../x\" is not an info hash"), "{error}");
    // A view could take for ever.
    let (listed, saved) = with(
        "DROP TABLE torrents;
         CREATE VIEW torrents AS WITH RECURSIVE endless(n) AS
             (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
             SELECT n AS torrent_id, n AS metadata, n AS libtorrent_resume_data FROM endless
             WHERE n < 0",
    );
    assert!(listed.is_err() && saved.is_err());
    #[cfg(unix)]
    {
        let elsewhere = place.path().join("elsewhere");
        fs::write(&elsewhere, &good).unwrap();
        fs::remove_file(&database).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &database).unwrap();
        let session = Session::recognise(place.path()).unwrap();
        let error = session.in_database().unwrap_err().to_string();
        assert!(error.contains("is not a regular file"), "{error}");
    }
}
