//! Reads any bytes as what clients leave on disk: their files about a torrent, and the part file
//! and the control file beside content in which a file is missing. Relative paths must stay in
//! their folder, and only pieces whose bytes are in the part file may become good.
#![no_main]

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use torrent_check::{Check, Client, PieceVerdict, Saved, Session, Torrent};

#[path = "../../torrent-check/tests/it/make.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod make;

/// A torrent of three files, whose second file shares pieces 1 and 3 with the others, and a
/// folder without it.
static PLACE: LazyLock<(Torrent, PathBuf)> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("torrent_clients-{}", std::process::id()));
    let mut maker = make::Maker::folder("content", 16);
    for (seed, (name, length)) in (1..).zip([("a", 20), ("b", 30), ("c", 40)]) {
        let data = make::content(seed, length);
        fs::create_dir_all(folder.join("content")).expect("the temporary folder can be written");
        if name != "b" {
            fs::write(folder.join("content").join(name), &data).expect("the folder is new");
        }
        maker = maker.file(name, data);
    }
    let torrent = Torrent::parse(&maker.bytes(make::Format::V1)).expect("it is well-formed");
    (torrent, folder)
});

fuzz_target!(|bytes: &[u8]| {
    let (torrent, folder) = &*PLACE;
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let client = match kind % 5 {
        0 => Client::QBittorrent,
        1 => Client::Transmission,
        2 => Client::Rtorrent,
        3 => return session(torrent, folder, bytes),
        _ => return beside(torrent, folder, bytes),
    };
    let (one, other) = bytes.split_at(bytes.len() / 2);
    for files in [&[bytes][..], &[one, other]] {
        if let Ok(saved) = Saved::read(client, torrent, files) {
            let is_inside = |path: &Path| {
                let mut parts = path.components();
                path.is_absolute() || parts.all(|part| matches!(part, Component::Normal(_)))
            };
            assert!((0..3).filter_map(|file| saved.path(file)).all(is_inside));
            assert!((3..9).all(|file| saved.is_wanted(file) && saved.path(file).is_none()));
        }
    }
});

/// Reads these bytes as the file that has all torrents of Deluge.
fn session(torrent: &Torrent, folder: &Path, bytes: &[u8]) {
    let path = folder.join("torrents.fastresume");
    fs::write(&path, bytes).expect("the folder can be written");
    let session = Session::recognise(folder).expect("it has the file of Deluge");
    let _ = session.saved(torrent);
    fs::remove_file(path).expect("it was just written");
}

/// Checks the content with these bytes in the part file, and then in the control file.
fn beside(torrent: &Torrent, folder: &Path, bytes: &[u8]) {
    let hash = torrent.info_hash_v1().expect("the torrent is v1");
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    for name in [format!(".{hash}.parts"), "content.aria2".to_owned()] {
        let path = folder.join(&name);
        fs::write(&path, bytes).expect("the folder can be written");
        let report = Check::new(torrent, folder).run().expect("the folder can be opened");
        fs::remove_file(path).expect("it was just written");
        let b = make::content(2, 30);
        // The bytes of the missing file in pieces 1 to 3.
        for (piece, own) in [(1, &b[..12]), (2, &b[12..28]), (3, &b[28..])] {
            let is_there = name.ends_with(".parts") && bytes.windows(own.len()).any(|it| it == own);
            assert!(is_there || !report.pieces[piece].is_good());
        }
        let others = [0, 4, 5].map(|piece| report.pieces[piece]);
        assert_eq!(others, [PieceVerdict::Good; 3]);
    }
}
