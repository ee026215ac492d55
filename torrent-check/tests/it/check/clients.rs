//! Tests of the files of clients: part files and sessions.

use std::fs;
use std::path::Path;

use sha1::{Digest, Sha1};
use torrent_check::{Check, Client, FileVerdict, PieceVerdict, Place, Saved, Session};

use super::download::{Download, pieces, verdicts};
use crate::make::{FORMATS, Format, Value, content};
use crate::naive::decode;

/// The files of the transfers that libtorrent 2.1.1 made, in which `sub/b` was not wanted.
pub(super) fn files() -> [(&'static str, Vec<u8>); 3] {
    [("a", content(1, 20_000)), ("sub/b", content(2, 30_000)), ("c", content(3, 40_000))]
}

/// A download without `sub/b`.
pub(super) fn partial(format: Format) -> Download {
    let download = Download::folder(format, 16 << 10, &files());
    download.remove("sub/b");
    download
}

/// The part file of the v1 torrent, from the description of the format.
pub(super) fn parts() -> Vec<u8> {
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

pub(super) const PARTS: &str = ".ef566044c8da0761c219ea3c07941395b4746398.parts";

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
        let report = Check { list_extra: true, ..download.to_check() }.run().unwrap();
        assert_eq!(verdicts(&report), [FileVerdict::Good, FileVerdict::Missing, FileVerdict::Good]);
        assert_eq!(pieces(&report, |it| it == PieceVerdict::Missing), [2]);
        assert_eq!((report.client_files, report.extra), (vec![place.clone()], vec![]));
        let is_wanted = |file: &torrent_check::File| file.path().to_text() != "sub/b";
        let check = Check { files: Some(&is_wanted), ..download.to_check() };
        assert!(check.run().unwrap().is_complete());
        fs::remove_file(place).unwrap();
    }
    // The part file has what a file lacks at its end.
    let place = download.path().join(PARTS);
    fs::write(&place, parts()).unwrap();
    download.write("sub/b", &content(2, 30_000)[..29_152]);
    assert_eq!(pieces(&download.check(), |it| !it.is_good()), [0; 0]);
    // A part file has no stamp, so what is in it is read again.
    let report = download.check();
    let state = torrent_check::State::read(&download.torrent, &report.state.to_bytes()).unwrap();
    let mut bytes = parts();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&place, bytes).unwrap();
    let report = Check { state: Some(&state), ..download.to_check() }.run().unwrap();
    assert_eq!(pieces(&report, |it| !it.is_good()), [3]);
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

fn session(folder: &Path, files: &[(&str, Vec<u8>)]) -> Session {
    for folder in [folder.join("resume"), folder.join("torrents")] {
        if files[0].0.starts_with("resume/") {
            fs::create_dir_all(folder).unwrap();
        }
    }
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    Session::recognise(folder).unwrap()
}

/// A session in which a client has downloaded all but `sub/b`.
pub(super) struct Real {
    pub(super) client: Client,
    pub(super) format: Format,
    /// The folder that the client names.
    pub(super) folder: &'static str,
    /// The name of the content's folder, and the file `a` in it.
    pub(super) content: [&'static str; 2],
    /// The files that the client wrote, with their names in the session.
    pub(super) files: &'static [(&'static str, &'static [u8])],
}

pub(super) const REAL: [Real; 6] = [
    Real {
        client: Client::QBittorrent,
        format: Format::V1,
        folder: "/tmp/torc/w/qb/dl/v1",
        content: ["top", "A"],
        files: &[(
            "ef566044c8da0761c219ea3c07941395b4746398.fastresume",
            include_bytes!("sessions/qbittorrent-4.5.2-v1.fastresume"),
        )],
    },
    Real {
        client: Client::QBittorrent,
        format: Format::V2,
        folder: "/tmp/torc/w/qb/dl/v2",
        content: ["top", "A"],
        files: &[(
            "1f1a8f245a996556ea9b772aa0482b3d99cb58be.fastresume",
            include_bytes!("sessions/qbittorrent-4.5.2-v2.fastresume"),
        )],
    },
    // What qBittorrent keeps is the resume data of libtorrent, with fields of its own.
    Real {
        client: Client::QBittorrent,
        format: Format::Hybrid,
        folder: "/tmp/torc/w/lt/dl",
        content: ["top", "A"],
        files: &[(
            "ccc86668fe579725fb1c524a97b262d394361628.fastresume",
            include_bytes!("sessions/libtorrent-2.1.1-hybrid.fastresume"),
        )],
    },
    Real {
        client: Client::Deluge,
        format: Format::V1,
        folder: "/tmp/torc/w/de/dl",
        content: ["top", "A"],
        files: &[("torrents.fastresume", include_bytes!("sessions/deluge-2.0.3.fastresume"))],
    },
    Real {
        client: Client::Transmission,
        format: Format::V1,
        folder: "/tmp/torc/w/tr/dl",
        content: ["top", "A"],
        files: &[(
            "resume/ef566044c8da0761c219ea3c07941395b4746398.resume",
            include_bytes!("sessions/transmission-3.00.resume"),
        )],
    },
    Real {
        client: Client::Rtorrent,
        format: Format::V1,
        folder: "/tmp/torc/w/rt/dl2/base",
        content: ["base", "a"],
        files: &[
            (
                "EF566044C8DA0761C219EA3C07941395B4746398.torrent.rtorrent",
                include_bytes!("sessions/rtorrent-0.9.8.rtorrent"),
            ),
            (
                "EF566044C8DA0761C219EA3C07941395B4746398.torrent.libtorrent_resume",
                include_bytes!("sessions/rtorrent-0.9.8.libtorrent_resume"),
            ),
        ],
    },
];

/// Replaces a string, also in strings that are bencoded themselves.
pub(super) fn replace(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::Bytes(bytes) if bytes == from.as_bytes() => *bytes = to.into(),
        Value::Bytes(bytes) => {
            if let Some(mut inner @ Value::Dictionary(_)) = decode(bytes) {
                replace(&mut inner, from, to);
                *bytes = inner.encode();
            }
        }
        Value::List(items) => items.iter_mut().for_each(|item| replace(item, from, to)),
        Value::Dictionary(entries) => {
            entries.values_mut().for_each(|entry| replace(entry, from, to));
        }
        Value::Integer(_) => {}
    }
}

#[test]
fn real_sessions_are_read() {
    for Real { client, format, folder, content: [top, a], files } in &REAL {
        let download = partial(*format);
        fs::write(download.path().join(PARTS), parts()).unwrap();
        fs::rename(download.place("a"), download.place("moved")).unwrap();
        fs::rename(download.place("moved"), download.place(a)).unwrap();
        fs::rename(download.path().join("content"), download.path().join(top)).unwrap();
        let own = download.path().join(if *client == Client::Rtorrent { top } else { "" });
        let moved = |bytes: &[u8]| {
            let mut value = decode(bytes).unwrap();
            replace(&mut value, folder, own.to_str().unwrap());
            value.encode()
        };
        let files: Vec<_> = files.iter().map(|(name, bytes)| (*name, moved(bytes))).collect();
        let place = tempfile::tempdir().unwrap();
        let session = session(place.path(), &files);
        assert_eq!(session.client(), *client);
        let torrents = if *client == Client::Transmission { "torrents" } else { "" };
        assert_eq!(session.torrents(), place.path().join(torrents));
        let saved = session.saved(&download.torrent).unwrap().unwrap();
        assert_eq!(saved.folder(), own);
        let all = 0..download.torrent.files().len();
        let unwanted = all.filter(|&file| !saved.is_wanted(file));
        assert!(unwanted.eq([download.index("sub/b")]), "{client:?}");
        let report = Check::new(&download.torrent, Place::Saved(&saved)).run().unwrap();
        assert!(report.is_complete(), "{client:?}: {report:?}");
        assert_eq!(report.content.path(), download.path().join(top));
        let saved_as = (*a != "a").then_some(Path::new(a));
        assert_eq!(report.files[download.index("a")].saved_as.as_deref(), saved_as);
        // Other torrents are not in the session.
        let other = Download::single(*format, 16 << 10, b"other");
        assert_eq!(session.saved(&other.torrent).unwrap(), None);
        fs::write(place.path().join(files[0].0), "d").unwrap();
        assert!(session.saved(&download.torrent).is_err(), "{client:?}");
    }
}

/// A client in a container sees its folders elsewhere.
#[test]
fn folders_of_clients_may_have_moved() {
    let download = partial(Format::V1);
    let name = download.path().file_name().unwrap();
    let folder = Path::new("/downloads/tv").join(name);
    let resume = dictionary(&[("save_path", text(folder.to_str().unwrap()))]);
    let saved = Saved::read(Client::QBittorrent, &download.torrent, &[&resume]).unwrap();
    assert!(!saved.folder().exists());
    assert_eq!(saved.moved_to(Path::new("nowhere")), None);
    let other = tempfile::tempdir().unwrap();
    assert_eq!(saved.moved_to(other.path()).unwrap().folder(), other.path());
    let moved = saved.moved_to(download.path().parent().unwrap()).unwrap();
    assert_eq!(moved.folder(), download.path());
}

/// Without the top folder, unwanted and other files of the download folder are not extra.
#[test]
fn clients_may_leave_out_the_top_folder() {
    for format in FORMATS {
        let download = partial(format);
        fs::rename(download.place("a"), download.path().join("A")).unwrap();
        fs::rename(download.place("c"), download.path().join("c")).unwrap();
        fs::write(download.path().join(PARTS), parts()).unwrap();
        fs::write(download.path().join("other"), "x").unwrap();
        let mapped = download.torrent.files().iter().map(|file| match file.path().to_text() {
            path if path == "a" => text("A"),
            path => text(&path),
        });
        let mut mapped: Vec<String> = mapped.collect();
        if format == Format::V2 {
            mapped = mapped.into_iter().flat_map(|path| [path, text("")]).collect();
        }
        let resume = dictionary(&[
            ("save_path", text(download.path().to_str().unwrap())),
            ("mapped_files", list(mapped)),
            ("file_priority", priorities(format)),
        ]);
        let saved = Saved::read(Client::QBittorrent, &download.torrent, &[&resume]).unwrap();
        let check = Check::new(&download.torrent, Place::Saved(&saved));
        let check = Check { list_extra: true, ..check };
        let report = check.run().unwrap();
        assert!(report.is_complete() && report.extra.is_empty(), "{format:?}: {report:?}");
    }
}

/// Until version 3, Transmission named the file after the torrent. Unfinished content may be in a
/// folder of its own, and version 4.1 spells its key otherwise.
#[test]
fn unfinished_content_of_transmission_is_found() {
    let download = partial(Format::V1);
    fs::write(download.path().join(PARTS), parts()).unwrap();
    for incomplete in ["incomplete-dir", "incomplete_dir"] {
        let resume = dictionary(&[
            ("destination", text("/nowhere")),
            (incomplete, text(download.path().to_str().unwrap())),
            ("dnd", numbers(&[0, 1, 0])),
        ]);
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path(), &[("resume/content.ef566044c8da0761.resume", resume)]);
        let saved = session.saved(&download.torrent).unwrap().unwrap();
        let report = Check::new(&download.torrent, Place::Saved(&saved)).run().unwrap();
        assert!(report.is_complete(), "{report:?}");
    }
}

#[test]
fn rtorrent_keeps_a_single_file_in_its_folder() {
    let single = Download::single(Format::V1, 16 << 10, &content(1, 20_000));
    let resume = dictionary(&[("directory", text(single.path().to_str().unwrap()))]);
    let saved = Saved::read(Client::Rtorrent, &single.torrent, &[&resume]).unwrap();
    let report = Check::new(&single.torrent, Place::Saved(&saved)).run().unwrap();
    assert!(report.is_complete(), "{report:?}");
}

#[test]
fn wrong_files_of_clients_are_errors() {
    let download = partial(Format::V1);
    let read = |bytes: &[u8]| Saved::read(Client::QBittorrent, &download.torrent, &[bytes]);
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert_eq!(error(b"d"), "unexpected end of data; the file seems to be cut off (byte 1)");
    assert_eq!(error(b"de"), "it has no `save_path`");
    let hash = |byte: char| ("info-hash", text(&byte.to_string().repeat(20)));
    let folder = || ("save_path", text("/x"));
    assert_eq!(error(&dictionary(&[hash('x'), folder()])), "it is about another torrent");
    assert!(read(&dictionary(&[hash('\0'), folder()])).is_ok());
    let paths = ["../a", "/etc/passwd", "/x/content/c"].map(text);
    let saved = read(&dictionary(&[folder(), ("mapped_files", list(paths))])).unwrap();
    let paths = ["/x/../a", "/etc/passwd", "content/c"].map(Path::new);
    assert_eq!([0, 1, 2].map(|file| saved.path(file)), paths.map(Some));
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

/// As the client does: absolute paths, and those with a `..`.
#[test]
fn files_outside_the_folder_of_the_client_are_checked() {
    for (format, is_absolute) in FORMATS.into_iter().flat_map(|f| [(f, false), (f, true)]) {
        let download = Download::folder(format, 16 << 10, &files());
        let other = tempfile::tempdir_in(download.path().parent().unwrap()).unwrap();
        let moved = other.path().join("B");
        fs::rename(download.place("sub/b"), &moved).unwrap();
        // What the torrent says must not be checked instead.
        download.write("sub/b", &[0; 30_000]);
        let outside = match is_absolute {
            true => moved.to_str().unwrap().to_owned(),
            false => format!("../{}/B", other.path().file_name().unwrap().to_str().unwrap()),
        };
        let mapped = download.torrent.files().iter().map(|file| match file.path().to_text() {
            path if path == "sub/b" => text(&outside),
            path => text(&format!("content/{path}")),
        });
        let mut mapped: Vec<String> = mapped.collect();
        if format == Format::V2 {
            mapped = mapped.into_iter().flat_map(|path| [path, text("")]).collect();
        }
        let resume = dictionary(&[
            ("save_path", text(download.path().to_str().unwrap())),
            ("mapped_files", list(mapped)),
        ]);
        let saved = Saved::read(Client::QBittorrent, &download.torrent, &[&resume]).unwrap();
        let check = Check::new(&download.torrent, Place::Saved(&saved));
        let report = check.run().unwrap();
        assert!(report.is_complete(), "{format:?} {is_absolute}: {report:?}");
        let saved_as = report.files[download.index("sub/b")].saved_as.as_deref();
        assert!(saved_as.unwrap().is_absolute() && saved_as.unwrap().ends_with("B"));
        fs::write(&moved, [0; 30_000]).unwrap();
        assert!(!check.run().unwrap().is_complete());
        fs::remove_file(&moved).unwrap();
        let verdict = |report: torrent_check::Report<'_>| {
            report.files[download.index("sub/b")].verdict.clone()
        };
        assert_eq!(verdict(check.run().unwrap()), FileVerdict::Missing);
        drop(other);
        assert_eq!(verdict(check.run().unwrap()), FileVerdict::Missing);
    }
}

#[test]
fn folder_of_the_client_may_be_the_root() {
    let single = Download::single(Format::V1, 16 << 10, &content(1, 20_000));
    let path = single.place("single.bin").to_str().unwrap().to_owned();
    let resume = dictionary(&[("save_path", text("/")), ("mapped_files", list([text(&path)]))]);
    let saved = Saved::read(Client::QBittorrent, &single.torrent, &[&resume]).unwrap();
    assert!(Check::new(&single.torrent, Place::Saved(&saved)).run().unwrap().is_complete());
}

/// A root has the last folders of a path of Windows.
#[test]
#[cfg(unix)]
fn folders_of_windows_may_be_in_a_root() {
    let download = partial(Format::V1);
    fs::write(download.path().join(PARTS), parts()).unwrap();
    fs::rename(download.place("a"), download.place("A")).unwrap();
    let name = download.path().file_name().unwrap().to_str().unwrap();
    for folder in [r"D:\Downloads\", r"\\server\share\", "c:/x/"] {
        let mapped = ["content\\A", "", "content\\c"].map(text);
        let resume = dictionary(&[
            ("save_path", text(&format!("{folder}{name}"))),
            ("mapped_files", list(mapped)),
            ("file_priority", priorities(Format::V1)),
        ]);
        let saved = Saved::read(Client::QBittorrent, &download.torrent, &[&resume]).unwrap();
        let saved = saved.moved_to(download.path().parent().unwrap()).unwrap();
        assert_eq!(saved.folder(), download.path());
        let report = Check::new(&download.torrent, Place::Saved(&saved)).run().unwrap();
        assert!(report.is_complete(), "{folder}: {report:?}");
    }
}

/// Of a magnet link, a client has no torrent file yet. Others may be lost.
#[test]
fn torrents_that_a_session_lacks_are_named() {
    let hash = "ef566044c8da0761c219ea3c07941395b4746398";
    let other = "0".repeat(40);
    let resume = || dictionary(&[("save_path", text("/x"))]);
    let of_all = [hash, &other].map(|hash| {
        let own = String::from_utf8(resume()).unwrap();
        format!("{}{}", text(hash), text(&own))
    });
    let all = format!("d{}{}e", of_all[1], of_all[0]).into_bytes();
    let upper = hash.to_ascii_uppercase();
    type Files = Vec<(String, Vec<u8>)>;
    let cases: [(&str, Files, &str, &str); 4] = [
        (
            "qbittorrent",
            [hash, &other].map(|hash| (format!("{hash}.fastresume"), resume())).into(),
            hash,
            "",
        ),
        ("deluge", vec![("torrents.fastresume".to_owned(), all)], hash, ""),
        (
            "transmission",
            [hash, &other].map(|hash| (format!("resume/{hash}.resume"), resume())).into(),
            hash,
            "torrents",
        ),
        (
            "rtorrent",
            [&*upper, &other].map(|hash| (format!("{hash}.torrent.rtorrent"), resume())).into(),
            &upper,
            "",
        ),
    ];
    for (name, files, hash, torrents) in cases {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<(&str, Vec<u8>)> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
        let session = session(folder.path(), &files);
        assert_eq!(session.client().name(), name);
        let torrents = folder.path().join(torrents);
        fs::write(torrents.join(format!("{hash}.torrent")), "").unwrap();
        let lacking = session.lacking().unwrap();
        assert_eq!(lacking, [torrents.join(format!("{other}.torrent"))], "{name}");
    }
}
