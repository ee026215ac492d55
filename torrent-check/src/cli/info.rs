//! Describes a torrent, as text and as JSON.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use humantime::format_rfc3339_seconds;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use torrent_check::{Escaped, FileKind, Torrent, Version};

use super::json::{self, line};

/// All characters but those that RFC 3986, section 2.3, calls unreserved.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The first date with a year of five digits, since 1970.
const MAX_DATE: Duration = Duration::from_secs(253_402_300_800);

/// Writes the output of `torrent-check info`.
pub(super) fn write(torrent: &Torrent, json: bool, to: &mut impl Write) -> io::Result<()> {
    if json { write_json(torrent, to) } else { to.write_all(text(torrent).as_bytes()) }
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

fn write_json(torrent: &Torrent, to: &mut impl Write) -> io::Result<()> {
    let about = torrent.about();
    line(to, |json| {
        json::identity(json, torrent)?;
        json.field("pieces_v1", pieces_v1(torrent))?;
        json.field("length", content(torrent))?;
        json.field("single_file", torrent.is_single_file())?;
        json.field("trackers", &about.trackers)?;
        json.field("web_seeds", &about.web_seeds)?;
        json.field("creation_date", about.creation_date)?;
        json.field("created_by", &about.created_by)?;
        json.field("comment", &about.comment)?;
        json.field("source", &about.source)?;
        json.field("private", about.is_private)?;
        json.field("magnet", magnet(torrent))?;
        json.list("files", torrent.files(), u64::MAX, |json, file| {
            let (kind, target) = match file.kind() {
                FileKind::Data => ("data", None),
                FileKind::Pad => ("pad", None),
                FileKind::Symlink(target) => ("symlink", Some(target.to_text())),
            };
            json.object(|json| {
                json.field("path", file.path().to_text())?;
                json.field("length", file.length())?;
                json.field("kind", kind)?;
                json.optional("target", target)?;
                json.optional("pieces_root", file.pieces_root().map(hex::encode))
            })
        })?;
        json::warnings(json, torrent)
    })
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

fn text(torrent: &Torrent) -> String {
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
