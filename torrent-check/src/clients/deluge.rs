//! Deluge: `torrents.fastresume` has the resume data of libtorrent by info hash, as strings, beside
//! `HASH.torrent`, and `torrents.fastresume.bak` what was saved before. `torrentmanager.py` writes
//! them.

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
    lost: &[
        &[Mark::Files("torrents.fastresume.bak")],
        &[Mark::Files("torrents.state"), Mark::Files(".torrent")],
    ],
    torrents: "",
    resume: Resume::All { files: &["torrents.fastresume", "torrents.fastresume.bak"] },
    database: None,
    read: qbittorrent::read,
    key: "save_path",
    counts_padding: true,
};
