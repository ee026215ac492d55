//! Tests of sessions of clients whose resume data are lost.

use std::fs;
use std::path::{Path, PathBuf};

use crate::make::{Format, Maker, content};
use crate::place::{Place, code, object, objects, stderr, stdout};

/// A client, with what its file about a torrent says of a folder.
struct Session {
    name: &'static str,
    folder: PathBuf,
    torrents: PathBuf,
    resume: PathBuf,
    is_upper: bool,
    bytes: Vec<u8>,
    hash: String,
}

fn text(text: &str) -> String {
    format!("{}:{text}", text.len())
}

/// The sessions of all clients, with the torrent of a place whose content is in `downloads`.
fn sessions(place: &Place) -> Vec<Session> {
    let info = object(&place.run(["info", "it.torrent", "--json"]));
    let hash = info["info_hash_v1"].as_str().unwrap().to_owned();
    let downloads = place.path("downloads");
    let downloads = downloads.to_str().unwrap();
    let names = ["BT_backup", "state", "transmission", "session"];
    let clients = ["qbittorrent", "deluge", "transmission", "rtorrent"];
    clients
        .into_iter()
        .zip(names)
        .map(|(name, folder)| {
            let folder = place.path(name).join(folder);
            let is_transmission = name == "transmission";
            let torrents = if is_transmission { folder.join("torrents") } else { folder.clone() };
            fs::create_dir_all(&torrents).unwrap();
            let is_upper = name == "rtorrent";
            let shown = if is_upper { hash.to_uppercase() } else { hash.clone() };
            fs::copy(place.path("it.torrent"), torrents.join(format!("{shown}.torrent"))).unwrap();
            let entry = |key: &str, path: &str| format!("d{}{}e", text(key), text(path));
            let (resume, bytes) = match name {
                "qbittorrent" => (format!("{hash}.fastresume"), entry("save_path", downloads)),
                "deluge" => {
                    let own = entry("save_path", downloads);
                    let all = format!("d{}{}e", text(&hash), text(&own));
                    ("torrents.fastresume".to_owned(), all)
                }
                "transmission" => {
                    fs::create_dir_all(folder.join("resume")).unwrap();
                    (format!("resume/{hash}.resume"), entry("destination", downloads))
                }
                _ => {
                    let content = format!("{downloads}/content");
                    (format!("{shown}.torrent.rtorrent"), entry("directory", &content))
                }
            };
            let resume = folder.join(resume);
            // What else the client has there.
            let other = match name {
                "deluge" => "torrents.state",
                "transmission" => "settings.json",
                "rtorrent" => "rtorrent.dht_cache",
                _ => "queue",
            };
            fs::write(folder.join(other), "x").unwrap();
            fs::write(&resume, &bytes).unwrap();
            let (bytes, hash) = (bytes.into_bytes(), hash.clone());
            Session { name, folder, torrents, resume, is_upper, bytes, hash }
        })
        .collect()
}

/// Resume data that are gone, empty, cut or garbage: the content is looked for in the roots.
#[test]
fn content_is_found_without_resume_data() {
    let place = Place::new(Format::V1);
    for session in sessions(&place) {
        let folder = session.folder.to_str().unwrap();
        let run = |more: &[&str]| place.run(["--client", folder].iter().chain(more));
        assert_eq!(code(&run(&[])), 0, "{}: {}", session.name, stderr(&run(&[])));
        let cut = session.bytes[..session.bytes.len() / 2].to_vec();
        let damages: [Option<&[u8]>; 4] = [None, Some(b""), Some(&cut), Some(b"garbage")];
        for damage in damages {
            match damage {
                None => fs::remove_file(&session.resume).unwrap(),
                Some(bytes) => fs::write(&session.resume, bytes).unwrap(),
            }
            let alone = run(&[]);
            let what = format!("{} {damage:?}: {}", session.name, stderr(&alone));
            assert_eq!(code(&alone), 2, "{what}");
            assert!(stderr(&alone).contains("--root"), "{what}");
            for folder in ["downloads", "."] {
                let output = run(&["--root", folder]);
                assert_eq!(code(&output), 0, "{what} {} {}", stdout(&output), stderr(&output));
                assert!(stderr(&output).contains("the content is searched for"), "{what}");
            }
            // The folder of another torrent of the client is as good.
            if session.name != "deluge" {
                let maker = Maker::single("single", 16 << 10, content(1, 10)).bytes(Format::V1);
                let other = place.path("other.torrent");
                fs::write(&other, maker).unwrap();
                fs::write(place.path("downloads/single"), content(1, 10)).unwrap();
                let info = object(&place.run(["info", "other.torrent", "--json"]));
                let hash = info["info_hash_v1"].as_str().unwrap().to_owned();
                let hash = if session.is_upper { hash.to_uppercase() } else { hash };
                let own = session.hash.to_uppercase();
                let own = if session.is_upper { own } else { session.hash.clone() };
                fs::copy(&other, session.torrents.join(format!("{hash}.torrent"))).unwrap();
                let resume = session.resume.to_str().unwrap().replace(&own, &hash);
                fs::write(&resume, &session.bytes).unwrap();
                let both = run(&[]);
                if session.name != "rtorrent" {
                    assert_eq!(code(&both), 0, "{what} {} {}", stdout(&both), stderr(&both));
                }
                fs::remove_file(resume).unwrap();
                fs::remove_file(session.torrents.join(format!("{hash}.torrent"))).unwrap();
                fs::remove_file(place.path("downloads/single")).unwrap();
            }
        }
        // Deluge keeps what it saved before.
        if session.name == "deluge" {
            let backup = session.folder.join("torrents.fastresume.bak");
            fs::write(&backup, &session.bytes).unwrap();
            assert_eq!(code(&run(&[])), 0);
            fs::remove_file(&session.resume).unwrap();
            assert_eq!(code(&run(&[])), 0);
        }
    }
}

/// A client's folder that was renamed is not the root itself.
#[test]
fn a_renamed_folder_is_found_in_a_root() {
    let place = Place::new(Format::V1);
    fs::create_dir_all(place.path("disk/deep")).unwrap();
    let sessions = sessions(&place);
    fs::rename(place.path("downloads/content"), place.path("disk/deep/renamed")).unwrap();
    fs::remove_dir(place.path("downloads")).unwrap();
    for session in sessions {
        let folder = session.folder.to_str().unwrap();
        let output = place.run(["--client", folder, "--root", "disk", "--find-renamed", "--json"]);
        let report = &objects(&output)[0];
        let is_content = session.name == "rtorrent";
        let expected = if is_content { "disk/deep/renamed" } else { "disk/content" };
        let expected = place.path(expected);
        let content = Path::new(report["content"].as_str().unwrap());
        assert!(expected.ends_with(content), "{} {}: {report}", session.name, stderr(&output));
        let all = if is_content { &report["complete"] } else { &report["all_pieces_exist"] };
        assert_eq!(*all, true, "{}: {report}", session.name);
    }
}

/// A file that a client keeps outside its folder, and that is not there, is named.
#[test]
fn missing_files_outside_the_folder_are_named() {
    let place = Place::new(Format::V1);
    let session = sessions(&place).remove(0);
    let (downloads, away) = (place.path("downloads"), place.path("away/b.bin"));
    let (downloads, away) = (downloads.to_str().unwrap(), away.to_str().unwrap());
    let names = ["content/a.bin", away, "content/sub/c.bin"].map(text).concat();
    let key = text("mapped_files");
    let resume = format!("d{key}l{names}e{}{}e", text("save_path"), text(downloads));
    fs::write(&session.resume, resume).unwrap();
    let folder = session.folder.to_str().unwrap();
    let output = place.run(["--client", folder]);
    let line = format!("missing: there is no {away}\n");
    assert!(stdout(&output).contains(&line), "{}", stdout(&output));
    let report = &objects(&place.run(["--client", folder, "--json"]))[0];
    assert_eq!(report["files"][1]["expected_at"], away);
}

/// The session of `BiglyBT` is not read, and the error says what to do instead.
#[test]
fn the_session_of_biglybt_is_explained() {
    for (file, name) in [("biglybt.config", "BiglyBT"), ("azureus.config", "Vuze")] {
        let place = Place::new(Format::V1);
        fs::create_dir_all(place.path("session/torrents")).unwrap();
        fs::create_dir_all(place.path("session/active")).unwrap();
        fs::write(place.path("session").join(file), "d").unwrap();
        fs::copy(place.path("it.torrent"), place.path("session/torrents/it.torrent")).unwrap();
        for folder in ["session", "session/torrents", "session/active"] {
            let output = place.run(["--client", folder]);
            assert_eq!((code(&output), stdout(&output)), (2, ""), "{folder}");
            let text = stderr(&output);
            assert!(text.contains(&format!("{name} keeps its session beside")), "{folder}: {text}");
            assert!(
                text.contains("pass its folder torrents, and that of its downloads with --root")
            );
        }
        // What it says works.
        let output = place.run(["session/torrents", "--root", "downloads"]);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
    }
}
