//! Describes a torrent, as text and as JSON.

use serde::Serialize;
use torrent_check::{FileKind, Torrent, Version};

/// The object that `--json` prints.
#[derive(Serialize)]
struct Info {
    name: String,
    version: &'static str,
    info_hash_v1: Option<String>,
    info_hash_v2: Option<String>,
    piece_length: u64,
    pieces_v1: Option<u64>,
    length: u64,
    single_file: bool,
    files: Vec<FileInfo>,
    warnings: Vec<WarningInfo>,
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

#[derive(Serialize)]
struct WarningInfo {
    offset: usize,
    message: String,
}

/// The output of `torrent-check info`, with a final newline.
pub(crate) fn info(torrent: &Torrent, json: bool) -> String {
    if json { as_json(torrent) } else { as_text(torrent) }
}

pub(super) fn version(torrent: &Torrent) -> &'static str {
    match torrent.version() {
        Version::V1 => "v1",
        Version::V2 => "v2",
        Version::Hybrid => "hybrid",
    }
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
    let warnings = torrent
        .warnings()
        .iter()
        .map(|warning| WarningInfo { offset: warning.offset, message: warning.kind.to_string() });
    let info = Info {
        name: torrent.name().to_text(),
        version: version(torrent),
        info_hash_v1: torrent.info_hash_v1().map(hex::encode),
        info_hash_v2: torrent.info_hash_v2().map(hex::encode),
        piece_length: torrent.piece_length(),
        pieces_v1: torrent.v1().map(|pieces| pieces.pieces()),
        length: content(torrent),
        single_file: torrent.is_single_file(),
        files: files.collect(),
        warnings: warnings.collect(),
    };
    let mut text = serde_json::to_string(&info).expect("strings and numbers always serialize");
    text.push('\n');
    text
}

fn as_text(torrent: &Torrent) -> String {
    let mut lines = vec![
        format!("name          {}", torrent.name()),
        format!("version       {}", version(torrent)),
    ];
    let mut hash = |name: &str, hash: Option<String>| {
        lines.extend(hash.map(|hash| format!("{name:<14}{hash}")));
    };
    hash("info hash v1", torrent.info_hash_v1().map(hex::encode));
    hash("info hash v2", torrent.info_hash_v2().map(hex::encode));
    lines.push(format!("piece length  {}", torrent.piece_length()));
    lines.extend(torrent.v1().map(|pieces| format!("pieces v1     {}", pieces.pieces())));
    lines.push(format!("length        {}", content(torrent)));

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
