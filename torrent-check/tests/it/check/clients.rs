//! Tests of the files of clients: part files and sessions.

use std::fs;
use std::path::Path;

use sha1::{Digest, Sha1};
use torrent_check::{
    Check, Client, FileVerdict, PieceVerdict, Saved, SavedError, Session, Torrent,
};

use super::download::{Download, pieces, verdicts};
use crate::make::{FORMATS, Format, content};

/// The files of the transfers that libtorrent 2.1.1 made, in which `sub/b` was not wanted.
fn files() -> [(&'static str, Vec<u8>); 3] {
    [("a", content(1, 20_000)), ("sub/b", content(2, 30_000)), ("c", content(3, 40_000))]
}

/// A download without `sub/b`.
fn partial(format: Format) -> Download {
    let download = Download::folder(format, 16 << 10, &files());
    download.remove("sub/b");
    download
}

/// The part file of the v1 torrent, from the description of the format.
fn parts() -> Vec<u8> {
    let mut parts: Vec<u8> = [6, 16 << 10, u32::MAX, 0, u32::MAX, 1, u32::MAX, u32::MAX]
        .into_iter()
        .flat_map(u32::to_be_bytes)
        .collect();
    let data = content(2, 30_000);
    // Pieces 1 and 3 begin and end in other files.
    parts.resize(1024 + 3616, 0);
    parts.extend(&data[..12_768]);
    parts.extend(&data[29_152..]);
    parts
}

const PARTS: &str = ".ef566044c8da0761c219ea3c07941395b4746398.parts";

#[test]
fn pieces_of_unwanted_files_are_read_from_part_files() {
    // The bytes that libtorrent wrote.
    let hash = hex::encode(Sha1::digest(parts()));
    assert_eq!(hash, "f559d696e50cc1d3946a1b75668b00fc0f6b1608");
    let download = partial(Format::V1);
    let unverifiable = |report: &_| pieces(report, |it| it == PieceVerdict::Unverifiable);
    assert_eq!(unverifiable(&download.check()), [1, 3]);
    // Beside the content, or in it if its files have no folder of their own.
    for place in [download.path().join(PARTS), download.place(PARTS)] {
        fs::write(&place, parts()).unwrap();
        let report = Check::new(&download.torrent, download.path()).list_extra(true).run().unwrap();
        assert_eq!(verdicts(&report), [FileVerdict::Good, FileVerdict::Missing, FileVerdict::Good]);
        assert_eq!(pieces(&report, |it| it == PieceVerdict::Missing), [2]);
        assert_eq!((report.client_files(), report.extra()), (&[place.clone()][..], &[][..]));
        let is_wanted = |file: &torrent_check::File| file.path().to_text() != "sub/b";
        let check = Check::new(&download.torrent, download.path()).files(&is_wanted);
        assert!(check.run().unwrap().is_complete());
        fs::remove_file(place).unwrap();
    }
    // The part file has what a file lacks at its end.
    let place = download.path().join(PARTS);
    fs::write(&place, parts()).unwrap();
    download.write("sub/b", &content(2, 30_000)[..29_152]);
    assert_eq!(pieces(&download.check(), |it| !it.is_good()), [0; 0]);
    // A piece may not be complete yet, and the whole file may belong to another torrent.
    download.remove("sub/b");
    let mut bytes = parts();
    bytes[1024 + 10_000] ^= 1;
    let wrong: [(&[u8], &[u64]); 5] = [
        (&bytes, &[1]),
        (&bytes[..1024 + (16 << 10)], &[1, 3]),
        (&bytes[..1023], &[1, 3]),
        (&[&[0, 0, 0, 7], &bytes[4..]].concat(), &[1, 3]),
        (&[&bytes[..12], &[0, 0, 0, 6], &bytes[16..]].concat(), &[1]),
    ];
    for (bytes, expected) in wrong {
        fs::write(&place, bytes).unwrap();
        assert_eq!(unverifiable(&download.check()), expected);
    }
    #[cfg(unix)]
    {
        fs::remove_file(&place).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&place).status().unwrap().success());
        assert_eq!(unverifiable(&download.check()), [1, 3]);
    }
}

/// A dictionary of bencoded values.
fn dictionary(entries: &[(&str, String)]) -> Vec<u8> {
    let mut entries: Vec<_> = entries.iter().collect();
    entries.sort();
    let entries = entries.iter().map(|(key, value)| format!("{}{value}", text(key)));
    format!("d{}e", entries.collect::<String>()).into_bytes()
}

fn text(text: &str) -> String {
    format!("{}:{text}", text.len())
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("l{}e", items.into_iter().collect::<String>())
}

fn numbers(numbers: &[i64]) -> String {
    list(numbers.iter().map(|number| format!("i{number}e")))
}

/// The numbers of the files in the lists of libtorrent 2.1.1, which has padding after each of them
/// in v2. Files of v2 are sorted.
fn priorities(format: Format) -> String {
    numbers(if format == Format::V1 { &[4, 0, 4] } else { &[4, 4, 4, 4, 0, 4] })
}

fn session(folder: &Path, client: Client, torrent: &Torrent, files: &[Vec<u8>]) -> Session {
    let hash = torrent.info_hash_v2().map(|hash| hex::encode(&hash[..20]));
    let hash = hash.or(torrent.info_hash_v1().map(hex::encode)).unwrap();
    let names = match client {
        Client::QBittorrent => vec![format!("{hash}.fastresume")],
        Client::Deluge => vec!["torrents.fastresume".to_owned()],
        Client::Transmission => vec![format!("resume/content.{}.resume", &hash[..16])],
        _ => ["rtorrent", "libtorrent_resume"]
            .map(|suffix| format!("{}.torrent.{suffix}", hash.to_uppercase()))
            .to_vec(),
    };
    for folder in [folder.join("resume"), folder.join("torrents")] {
        if client == Client::Transmission {
            fs::create_dir_all(folder).unwrap();
        }
    }
    for (name, bytes) in names.iter().zip(files) {
        fs::write(folder.join(name), bytes).unwrap();
    }
    Session::recognise(folder).unwrap()
}

#[test]
fn files_are_where_qbittorrent_keeps_them() {
    for format in FORMATS {
        let download = partial(format);
        fs::create_dir(download.place("renamed")).unwrap();
        fs::rename(download.place("a"), download.place("renamed/A")).unwrap();
        if format == Format::V1 {
            fs::write(download.path().join(PARTS), parts()).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let check = |top: &str, save_path: &Path| {
            let resume = dictionary(&[
                ("save_path", text(save_path.to_str().unwrap())),
                ("mapped_files", list([text(&format!("{top}renamed/A"))])),
                ("file_priority", priorities(format)),
            ]);
            let session = session(folder.path(), Client::QBittorrent, &download.torrent, &[resume]);
            assert_eq!(session.client(), Client::QBittorrent);
            session.saved(&download.torrent).unwrap().unwrap()
        };
        let saved = check("content/", download.path());
        let report = || Check::new(&download.torrent, Path::new("")).saved(&saved).run().unwrap();
        assert!(report().is_complete(), "{format:?}: {:?}", report());
        assert_eq!(report().files()[0].saved_as.as_deref(), Some(Path::new("renamed/A")));
        let wanted: Vec<bool> = (0..3).map(|file| saved.is_wanted(file)).collect();
        if format != Format::Hybrid {
            assert_eq!(wanted, [true, format != Format::V1, format == Format::V1]);
        }
        // The client may see its folders elsewhere, as from a container.
        let name = download.path().file_name().unwrap();
        let saved = check("content/", &Path::new("/downloads/tv").join(name));
        assert!(!saved.folder().exists());
        assert_eq!(saved.moved_to(Path::new("nowhere")), None);
        assert_eq!(saved.moved_to(folder.path()).unwrap().folder(), folder.path());
        let moved = saved.moved_to(download.path().parent().unwrap()).unwrap();
        assert_eq!(moved.folder(), download.path());
        // Without the top folder, unwanted and other files of the download folder are not extra.
        for file in ["renamed", "c"] {
            fs::rename(download.place(file), download.path().join(file)).unwrap();
        }
        fs::write(download.path().join("other"), "x").unwrap();
        let mapped = download.torrent.files().iter().map(|file| match file.path().to_text() {
            path if path == "a" => text("renamed/A"),
            path => text(&path),
        });
        let mut mapped: Vec<String> = mapped.collect();
        if format == Format::V2 {
            mapped = mapped.into_iter().flat_map(|path| [path, "0:".to_owned()]).collect();
        }
        let resume = dictionary(&[
            ("save_path", text(download.path().to_str().unwrap())),
            ("mapped_files", list(mapped)),
            ("file_priority", priorities(format)),
        ]);
        let saved = Saved::read(Client::QBittorrent, &download.torrent, &[&resume]).unwrap();
        let check = Check::new(&download.torrent, Path::new("")).saved(&saved).list_extra(true);
        let report = check.run().unwrap();
        assert!(report.is_complete() && report.extra().is_empty(), "{format:?}: {report:?}");
    }
}

/// One file has those of all torrents, as strings.
#[test]
fn files_are_where_deluge_keeps_them() {
    let download = partial(Format::V1);
    fs::write(download.path().join(PARTS), parts()).unwrap();
    fs::rename(download.path().join("content"), download.path().join("top")).unwrap();
    let resume = dictionary(&[
        ("save_path", text(download.path().to_str().unwrap())),
        ("mapped_files", list(["top/a", "top/sub/b", "top/c"].map(text))),
        ("file_priority", priorities(Format::V1)),
    ]);
    let resume = text(str::from_utf8(&resume).unwrap());
    let hash = hex::encode(download.torrent.info_hash_v1().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let of = |key: &str| {
        let all = dictionary(&[(key, resume.clone()), (&"f".repeat(40), text("de"))]);
        let session = session(folder.path(), Client::Deluge, &download.torrent, &[all]);
        assert_eq!((session.client(), &*session.torrents()), (Client::Deluge, folder.path()));
        session.saved(&download.torrent).unwrap()
    };
    let saved = of(&hash).unwrap();
    let report = Check::new(&download.torrent, Path::new("")).saved(&saved).run().unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(report.content().path(), download.path().join("top"));
    assert_eq!(of(&"0".repeat(40)), None);
    fs::write(folder.path().join("torrents.fastresume"), "d").unwrap();
    let error = Session::recognise(folder.path()).unwrap().saved(&download.torrent).unwrap_err();
    assert!(matches!(error, SavedError::Bencode(_)), "{error}");
}

#[test]
fn files_are_where_transmission_keeps_them() {
    let download = partial(Format::V1);
    fs::write(download.path().join(PARTS), parts()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let resume = |incomplete: &str| {
        dictionary(&[
            ("destination", text("/nowhere")),
            (incomplete, text(download.path().to_str().unwrap())),
            ("dnd", numbers(&[0, 1, 0])),
            ("files", list(["top/a", "top/sub/b", "top/c"].map(text))),
        ])
    };
    fs::rename(download.path().join("content"), download.path().join("top")).unwrap();
    for incomplete in ["incomplete-dir", "incomplete_dir"] {
        let resume = [resume(incomplete)];
        let session = session(folder.path(), Client::Transmission, &download.torrent, &resume);
        assert_eq!(session.torrents(), folder.path().join("torrents"));
        let saved = session.saved(&download.torrent).unwrap().unwrap();
        let report = Check::new(&download.torrent, Path::new("")).saved(&saved).run().unwrap();
        assert!(report.is_complete(), "{report:?}");
        assert_eq!(report.content().path(), download.path().join("top"));
    }
    let other = Download::single(Format::V1, 16 << 10, b"other");
    let session = Session::recognise(folder.path()).unwrap();
    assert_eq!(session.saved(&other.torrent).unwrap(), None);
}

#[test]
fn files_are_where_rtorrent_keeps_them() {
    let download = partial(Format::V1);
    fs::write(download.path().join(PARTS), parts()).unwrap();
    let single = Download::single(Format::V1, 16 << 10, &content(1, 20_000));
    let priorities = [1, 0, 2].map(|it| format!("d9:completedi1e8:priorityi{it}ee"));
    fs::rename(download.path().join("content"), download.path().join("base")).unwrap();
    let of = |directory: &Path, priorities: &[String]| {
        [
            dictionary(&[("directory", text(directory.to_str().unwrap()))]),
            dictionary(&[("files", list(priorities.iter().cloned()))]),
        ]
    };
    let all = [
        (&download, of(&download.path().join("base"), &priorities)),
        (&single, of(single.path(), &priorities[..1])),
    ];
    for (download, files) in all {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path(), Client::Rtorrent, &download.torrent, &files);
        let saved = session.saved(&download.torrent).unwrap().unwrap();
        let report = Check::new(&download.torrent, Path::new("")).saved(&saved).run().unwrap();
        assert!(report.is_complete(), "{report:?}");
    }
}

#[test]
fn wrong_files_of_clients_are_errors() {
    let download = partial(Format::V1);
    let read = |bytes: &[u8]| Saved::read(Client::QBittorrent, &download.torrent, &[bytes]);
    assert!(matches!(read(b"d"), Err(SavedError::Bencode(_))));
    assert!(matches!(read(b"de"), Err(SavedError::NoFolder { key: "save_path" })));
    let hash = |byte: char| ("info-hash", text(&byte.to_string().repeat(20)));
    let folder = || ("save_path", text("/x"));
    assert!(matches!(read(&dictionary(&[hash('x'), folder()])), Err(SavedError::OtherTorrent)));
    assert!(read(&dictionary(&[hash('\0'), folder()])).is_ok());
    // Paths out of the folder are not followed: these files are where the torrent says.
    let paths = ["../a", "/etc/passwd", "/x/content/c"].map(text);
    let saved = read(&dictionary(&[folder(), ("mapped_files", list(paths))])).unwrap();
    let only =
        read(&dictionary(&[folder(), ("mapped_files", list(["", "", "content/c"].map(text)))]));
    assert_eq!(saved, only.unwrap());
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Session::recognise(folder.path()), None);
    assert_eq!(Session::recognise(&folder.path().join("none")), None);
    // A pipe is not opened.
    #[cfg(unix)]
    {
        let name = format!("{}.fastresume", hex::encode(download.torrent.info_hash_v1().unwrap()));
        let pipe = folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let session = Session::recognise(folder.path()).unwrap();
        let error = session.saved(&download.torrent).unwrap_err();
        assert!(error.to_string().ends_with("it is not a regular file"), "{error}");
    }
}
