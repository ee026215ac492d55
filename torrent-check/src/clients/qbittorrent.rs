//! qBittorrent: `HASH.fastresume` beside `HASH.torrent`, as `write_resume_data.cpp` of libtorrent
//! and `bencoderesumedatastorage.cpp` of qBittorrent write it. Beside the folder of these files, it
//! may use the database `torrents.db` in their place.

use super::{Client, Entry, Facts, Mark, Resume, Row};

pub(super) const ROW: Row = Row {
    client: Client::QBittorrent,
    name: "qbittorrent",
    folders: &[
        "DATA/qBittorrent/BT_backup",
        "DATA/data/qBittorrent/BT_backup",
        "HOME/.var/app/org.qbittorrent.qBittorrent/data/qBittorrent/BT_backup",
        "LOCAL/qBittorrent/BT_backup",
    ],
    inside: &["BT_backup", "data/BT_backup"],
    marks: &[Mark::Files(".fastresume")],
    lost: &[&[Mark::Name("BT_backup"), Mark::Files(".torrent")]],
    torrents: "",
    resume: Resume::Each {
        folder: "",
        suffixes: &[".fastresume"],
        is_upper: false,
        old_digits: None,
    },
    database: Some("torrents.db"),
    read,
    key: "save_path",
    counts_padding: true,
};

/// Reads the resume data of libtorrent. Files of priority 0 are not wanted.
pub(super) fn read(entry: &Entry<'_>) -> Option<Facts> {
    Some(Facts {
        folders: vec![entry.text("save_path")?],
        paths: entry.texts("mapped_files"),
        unwanted: entry.numbers_of("file_priority", 0),
        is_content: false,
    })
}
