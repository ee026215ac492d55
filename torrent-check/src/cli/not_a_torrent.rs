//! Explains what a file that is not a torrent seems to be, and what to do about it.

use std::fmt::Display;
use std::path::Path;

use torrent_check::bencode::FaultKind;
use torrent_check::{TorrentError, TorrentErrorKind};

const MAGNET: &str = "it is a magnet link, which has no hashes of pieces; add it to a client, and \
                      pass the .torrent file that the client saves";

/// Why there is no file at a path that is a link to a torrent.
pub(crate) fn not_a_file(path: &Path) -> Option<&'static dyn Display> {
    let text = path.to_str()?;
    let is_url = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme));
    match () {
        () if text.starts_with("magnet:") => Some(&MAGNET),
        () if is_url => Some(&"it is a URL; download the torrent first, and pass the file"),
        () => None,
    }
}

/// Why the content of a torrent file cannot be used, to follow the path in a message.
pub(crate) fn explain(bytes: &[u8], error: &TorrentError) -> String {
    match &error.kind {
        // A torrent is a dictionary.
        _ if !bytes.starts_with(b"d") => format!(" is not a torrent: {}", guess(bytes, error)),
        TorrentErrorKind::Missing { key: "info" } => {
            " is not a torrent: it has no `info`; pass the .torrent file".to_owned()
        }
        TorrentErrorKind::Bencode(FaultKind::End | FaultKind::StringLength) => {
            format!(": {error}; the file seems to be cut off, download it again")
        }
        _ => format!(": {error}"),
    }
}

/// What bytes that do not begin like a torrent seem to be.
fn guess(bytes: &[u8], error: &TorrentError) -> String {
    let text = bytes.trim_ascii_start();
    if text.is_empty() {
        return "it is empty; download it again".to_owned();
    }
    if text.starts_with(b"magnet:") {
        return MAGNET.to_owned();
    }
    if matches!(text[0], b'<' | b'{') {
        let what = "it looks like a web page or an error message of the server";
        return format!("{what}; download it again");
    }
    format!("{error}; pass the .torrent file")
}
