//! Tests with content and torrents by other creators, in the folder given by the environment
//! variable `HASHLANES_VECTORS`.

use std::fs;
use std::path::{Path, PathBuf};

use torrent_check::{Check, FileVerdict, Report, Torrent};

use super::download::verdicts;

fn folder() -> PathBuf {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    PathBuf::from(folder).join("torrent")
}

fn torrent(path: &str) -> Torrent {
    Torrent::parse(&fs::read(folder().join(path)).unwrap()).unwrap()
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let name = entry.unwrap().file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn content_of_v1_is_complete() {
    let fixtures = folder().join("webtorrent-fixtures");
    for name in ["alice", "folder", "leaves", "lots-of-numbers", "numbers"] {
        let torrent = torrent(&format!("webtorrent-fixtures/{name}.torrent"));
        let report = Check::new(&torrent, &fixtures).run().unwrap();
        assert!(report.is_complete(), "{name}: {report:?}");
    }
}

/// Checks all v2 and hybrid torrents on intact content, and with a flipped byte in `alice.txt`.
#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn content_of_v2_is_complete_until_it_is_damaged() {
    let fixtures = folder().join("webtorrent-fixtures");
    let downloads = tempfile::tempdir().unwrap();
    let place = |path: &str| downloads.path().join(path);
    fs::create_dir(place("mixed")).unwrap();
    for name in ["alice.txt", "Leaves of Grass by Walt Whitman.epub", "lots-of-numbers"] {
        copy(&fixtures.join(name), &place(name));
        copy(&fixtures.join(name), &place("mixed").join(name));
    }
    fs::write(place("mixed/empty.dat"), "").unwrap();
    let mut tried = 0;
    for entry in fs::read_dir(folder().join("v2-made")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "torrent") {
            continue;
        }
        let torrent = Torrent::parse(&fs::read(&path).unwrap()).unwrap();
        let check = || Check::new(&torrent, downloads.path()).run().unwrap();
        assert!(check().is_complete(), "{}: {:?}", path.display(), check());
        let bad_files = |report: &Report<'_>| {
            verdicts(report).iter().filter(|v| **v == FileVerdict::Bad).count()
        };
        for alice in ["alice.txt", "mixed/alice.txt"] {
            flip(&place(alice));
        }
        let has_alice = torrent.files().iter().any(|file| file.path().to_text() == "alice.txt");
        let report = check();
        assert_eq!(bad_files(&report), usize::from(has_alice), "{}: {report:?}", path.display());
        assert_eq!(report.counts().bad, u64::from(has_alice));
        for alice in ["alice.txt", "mixed/alice.txt"] {
            flip(&place(alice));
        }
        tried += 1;
    }
    assert_eq!(tried, 17);
}

fn flip(path: &Path) {
    let mut data = fs::read(path).unwrap();
    data[20_000] ^= 1;
    fs::write(path, data).unwrap();
}
