//! Describes a torrent, as text and as JSON.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use humantime::format_rfc3339_seconds;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;
use torrent_check::{Escaped, FileKind, Torrent, Version};

use super::json;

/// All characters but those that RFC 3986, section 2.3, calls unreserved.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The first date with a year of five digits, since 1970.
const MAX_DATE: Duration = Duration::from_secs(253_402_300_800);

/// The object that `--json` prints.
#[derive(Serialize)]
struct Info<'t> {
    schema: u32,
    name: String,
    version: &'static str,
    info_hash_v1: Option<String>,
    info_hash_v2: Option<String>,
    piece_length: u64,
    pieces_v1: Option<u64>,
    length: u64,
    single_file: bool,
    trackers: &'t [Vec<String>],
    web_seeds: &'t [String],
    creation_date: Option<i64>,
    created_by: Option<&'t str>,
    comment: Option<&'t str>,
    source: Option<&'t str>,
    private: bool,
    magnet: String,
    files: Vec<FileInfo>,
    warnings: Vec<json::WarningJson>,
}

#[derive(Serialize)]
struct FileInfo {
    path: String,
    length: u64,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces_root: Option<String>,
}

/// The output of `torrent-check info`, with a final newline.
pub(crate) fn info(torrent: &Torrent, json: bool) -> String {
    if json { as_json(torrent) } else { as_text(torrent) }
}

/// The length of all files in bytes, without padding.
fn content(torrent: &Torrent) -> u64 {
    torrent
        .files()
        .iter()
        .filter(|file| *file.kind() == FileKind::Data)
        .map(|file| file.length())
        .sum()
}

/// The number of pieces of v1.
fn pieces_v1(torrent: &Torrent) -> Option<u64> {
    (torrent.version() != Version::V2).then(|| torrent.pieces().count())
}

fn as_json(torrent: &Torrent) -> String {
    let files = torrent.files().iter().map(|file| {
        let (kind, target) = match file.kind() {
            FileKind::Data => ("data", None),
            FileKind::Pad => ("pad", None),
            FileKind::Symlink(target) => ("symlink", Some(target.to_text())),
        };
        FileInfo {
            path: file.path().to_text(),
            length: file.length(),
            kind,
            target,
            pieces_root: file.pieces_root().map(hex::encode),
        }
    });
    let about = torrent.about();
    let info = Info {
        schema: json::VERSION,
        name: torrent.name().to_text(),
        version: json::version(torrent),
        info_hash_v1: torrent.info_hash_v1().map(hex::encode),
        info_hash_v2: torrent.info_hash_v2().map(hex::encode),
        piece_length: torrent.piece_length(),
        pieces_v1: pieces_v1(torrent),
        length: content(torrent),
        single_file: torrent.is_single_file(),
        trackers: &about.trackers,
        web_seeds: &about.web_seeds,
        creation_date: about.creation_date,
        created_by: about.created_by.as_deref(),
        comment: about.comment.as_deref(),
        source: about.source.as_deref(),
        private: about.is_private,
        magnet: magnet(torrent),
        files: files.collect(),
        warnings: json::warnings(torrent),
    };
    let mut text = serde_json::to_string(&info).expect("strings and numbers always serialize");
    text.push('\n');
    text
}

/// A link by which clients find the torrent.
fn magnet(torrent: &Torrent) -> String {
    let mut link = "magnet:?".to_owned();
    let mut add = |key: &str, value: &str| {
        let separator = if link.ends_with('?') { "" } else { "&" };
        link.extend([separator, key, "=", value]);
    };
    if let Some(hash) = torrent.info_hash_v1() {
        add("xt", &format!("urn:btih:{}", hex::encode(hash)));
    }
    if let Some(hash) = torrent.info_hash_v2() {
        // A multihash: SHA-256, of 32 bytes.
        add("xt", &format!("urn:btmh:1220{}", hex::encode(hash)));
    }
    let encode = |bytes| percent_encode(bytes, UNRESERVED).to_string();
    add("dn", &encode(torrent.name().as_bytes()));
    for tracker in torrent.about().trackers.iter().flatten() {
        add("tr", &encode(tracker.as_bytes()));
    }
    for seed in &torrent.about().web_seeds {
        add("ws", &encode(seed.as_bytes()));
    }
    link
}

/// The lines about the fields that a check does not need.
fn about(torrent: &Torrent) -> Vec<String> {
    let about = torrent.about();
    let mut lines = Vec::new();
    let mut add = |name: &str, text: &str| {
        // Escapes what could deceive a terminal.
        lines.push(format!("{name:<14}{}", Escaped(Path::new(text))));
    };
    for (name, text) in
        [("created by", &about.created_by), ("comment", &about.comment), ("source", &about.source)]
    {
        if let Some(text) = text {
            add(name, text);
        }
    }
    let created = about.creation_date.and_then(|date| u64::try_from(date).ok());
    let created = created.and_then(|date| UNIX_EPOCH.checked_add(Duration::from_secs(date)));
    // Only years of four digits can be written.
    if let Some(created) = created.filter(|created| *created < UNIX_EPOCH + MAX_DATE) {
        add("created", &format_rfc3339_seconds(created).to_string());
    }
    if about.is_private {
        add("private", "yes");
    }
    for (tier, urls) in (1..).zip(&about.trackers) {
        for url in urls {
            add(&format!("tracker {tier}"), url);
        }
    }
    for url in &about.web_seeds {
        add("web seed", url);
    }
    add("magnet", &magnet(torrent));
    lines
}

fn as_text(torrent: &Torrent) -> String {
    let mut lines = vec![
        format!("name          {}", torrent.name()),
        format!("version       {}", json::version(torrent)),
    ];
    let mut hash = |name: &str, hash: Option<String>| {
        lines.extend(hash.map(|hash| format!("{name:<14}{hash}")));
    };
    hash("info hash v1", torrent.info_hash_v1().map(hex::encode));
    hash("info hash v2", torrent.info_hash_v2().map(hex::encode));
    lines.push(format!("piece length  {}", torrent.piece_length()));
    lines.extend(pieces_v1(torrent).map(|pieces| format!("pieces v1     {pieces}")));
    lines.push(format!("length        {}", content(torrent)));

    lines.extend(about(torrent));
    let digits = |length: u64| length.to_string().len();
    let width = torrent.files().iter().map(|file| digits(file.length())).max().unwrap_or(0);
    lines.push("files".to_owned());
    for file in torrent.files() {
        let (length, path) = (file.length(), file.path());
        lines.push(match file.kind() {
            FileKind::Data => format!("  {length:>width$}  {path}"),
            FileKind::Pad => format!("  {length:>width$}  {path} (padding)"),
            FileKind::Symlink(target) => format!("  {length:>width$}  {path} -> {target}"),
        });
    }
    lines.extend(torrent.warnings().iter().map(|warning| format!("warning: {warning}")));
    lines.push(String::new());
    lines.join("\n")
}
