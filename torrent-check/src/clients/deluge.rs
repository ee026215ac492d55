//! Deluge: `torrents.fastresume` has the resume data of libtorrent by info hash, as strings, beside
//! `HASH.torrent`. `torrentmanager.py` writes it.

use super::{Client, Mark, Resume, Row, qbittorrent};

pub(super) const ROW: Row = Row {
    client: Client::Deluge,
    name: "deluge",
    folders: &[
        "CONFIG/deluge/state",
        "HOME/.var/app/org.deluge_torrent.deluge/config/deluge/state",
        "ROOT/var/lib/deluged/config/state",
    ],
    inside: &["state"],
    marks: &[Mark::Files("torrents.fastresume")],
    torrents: "",
    resume: Resume::All { file: "torrents.fastresume" },
    database: None,
    read: qbittorrent::read,
    key: "save_path",
    counts_padding: true,
};
