//! Transmission: `resume/HASH.resume`, until version 3 `resume/NAME.16_DIGITS_OF_HASH.resume`, and
//! torrent files of the same names in `torrents`. `resume.cc` writes it.

use super::{Client, Entry, Facts, Mark, Resume, Row};

pub(super) const ROW: Row = Row {
    client: Client::Transmission,
    name: "transmission",
    folders: &[
        "CONFIG/transmission",
        "CONFIG/transmission-daemon",
        "HOME/.var/app/com.transmissionbt.Transmission/config/transmission",
        "LOCAL/transmission",
        "ROOT/var/lib/transmission-daemon/info",
    ],
    inside: &[],
    marks: &[Mark::Folder("resume"), Mark::Folder("torrents")],
    lost: &[&[Mark::Folder("torrents"), Mark::Files("settings.json")]],
    torrents: "torrents",
    resume: Resume::Each {
        folder: "resume",
        suffixes: &[".resume"],
        is_upper: false,
        old_digits: Some(16),
    },
    database: None,
    read,
    key: "destination",
    counts_padding: false,
};

/// Reads the folders, the paths in them, and which files are not wanted (`dnd` is 1).
fn read(entry: &Entry<'_>) -> Option<Facts> {
    let incomplete = entry.text("incomplete-dir").or_else(|| entry.text("incomplete_dir"));
    Some(Facts {
        folders: [entry.text("destination")?].into_iter().chain(incomplete).collect(),
        paths: entry.texts("files"),
        unwanted: entry.numbers_of("dnd", 1),
        is_content: false,
    })
}
