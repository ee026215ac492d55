//! rtorrent: `HASH.torrent.rtorrent` and `HASH.torrent.libtorrent_resume` beside `HASH.torrent`, as
//! `download_factory.cc` of rtorrent and `resume.cc` of its library write them.

use super::{Client, Entry, Facts, Mark, Resume, Row};

pub(super) const ROW: Row = Row {
    client: Client::Rtorrent,
    name: "rtorrent",
    folders: &[
        "HOME/.session",
        "HOME/.rtorrent/session",
        "HOME/.rtorrent/.session",
        "HOME/rtorrent/.session",
        "HOME/rtorrent/session",
        "DATA/rtorrent/session",
    ],
    inside: &[],
    marks: &[Mark::Files(".torrent.rtorrent")],
    lost: &[
        &[Mark::Files(".torrent.libtorrent_resume")],
        &[Mark::Files("rtorrent.dht_cache"), Mark::Files(".torrent")],
        &[Mark::Files("rtorrent.lock"), Mark::Files(".torrent")],
    ],
    torrents: "",
    resume: Resume::Each {
        folder: "",
        suffixes: &[".torrent.rtorrent", ".torrent.libtorrent_resume"],
        is_upper: true,
        old_digits: None,
    },
    database: None,
    read,
    key: "directory",
    counts_padding: false,
};

/// Reads the content of several files, or the folder of a single one. Files of priority 0 are not
/// wanted.
fn read(entry: &Entry<'_>) -> Option<Facts> {
    let files = entry.list("files");
    let unwanted = files.filter(|(_, file)| {
        file.get(b"priority").and_then(|priority| priority.integer()) == Some(0)
    });
    Some(Facts {
        folders: vec![entry.text("directory")?],
        paths: Vec::new(),
        unwanted: unwanted.map(|(nth, _)| nth).collect(),
        is_content: true,
    })
}
