//! The report as JSON. The README documents the fields.

use serde::Serialize;
use torrent_check::{
    Content, Counts, Escaped, FileKind, FileVerdict, PieceVerdict, Report, WrongHash,
};

use super::info::version;
use super::{Failure, Run};

#[derive(Serialize)]
struct ReportJson {
    name: String,
    version: &'static str,
    info_hash_v1: Option<String>,
    info_hash_v2: Option<String>,
    piece_length: u64,
    content: String,
    content_found: &'static str,
    complete: bool,
    cancelled: bool,
    pieces: CountsJson,
    files: Vec<FileJson>,
    damaged_pieces: Vec<PieceJson>,
    good_pieces: String,
    bytes_checked: u64,
    bytes_in_holes: u64,
    seconds: f64,
    backend: &'static str,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct CountsJson {
    total: u64,
    good: u64,
    trusted: u64,
    bad: u64,
    missing: u64,
    unverifiable: u64,
    skipped: u64,
    unchecked: u64,
}

#[derive(Serialize)]
struct FileJson {
    path: String,
    length: u64,
    found_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved_as: Option<String>,
    verdict: &'static str,
    detail: Option<String>,
    pieces: CountsJson,
    damage: Vec<DamageJson>,
    found_as: Vec<String>,
}

#[derive(Serialize)]
struct DamageJson {
    verdict: &'static str,
    first_piece: u64,
    last_piece: u64,
    offset: u64,
    length: u64,
}

#[derive(Serialize)]
struct PieceJson {
    piece: u64,
    verdict: &'static str,
    parts: Vec<PartJson>,
    because_of: Vec<String>,
}

#[derive(Serialize)]
struct PartJson {
    path: String,
    offset: u64,
    length: u64,
}

/// The report as one object on one line.
pub(crate) fn json(report: &Report<'_>, run: &Run) -> Result<String, Failure> {
    let mut text = serde_json::to_string(&object(report, run))?;
    text.push('\n');
    Ok(text)
}

fn object(report: &Report<'_>, run: &Run) -> ReportJson {
    let torrent = report.torrent();
    ReportJson {
        name: torrent.name().to_text(),
        version: version(torrent),
        info_hash_v1: torrent.info_hash_v1().map(hex::encode),
        info_hash_v2: torrent.info_hash_v2().map(hex::encode),
        piece_length: torrent.piece_length(),
        content: Escaped(report.content().path()).to_text(),
        content_found: match report.content() {
            Content::FolderItself(_) => "folder_itself",
            Content::Given(_) => "given",
            Content::Absent(_) => "absent",
            Content::Unusable { .. } => "unusable",
            _ => "in_folder",
        },
        complete: report.is_complete(),
        cancelled: report.is_cancelled(),
        pieces: counts(&report.counts()),
        files: files(report),
        damaged_pieces: damaged_pieces(report),
        good_pieces: hex::encode(report.bitfield()),
        bytes_checked: report.bytes_checked(),
        bytes_in_holes: report.bytes_in_holes(),
        seconds: run.seconds,
        backend: run.backend,
        warnings: torrent.warnings().iter().map(ToString::to_string).collect(),
    }
}

fn files(report: &Report<'_>) -> Vec<FileJson> {
    let described = report.torrent().files().iter().zip(report.files()).enumerate();
    described
        .filter(|(_, (file, _))| *file.kind() != FileKind::Pad)
        .map(|(index, (file, found))| FileJson {
            path: file.path().to_text(),
            length: file.length(),
            found_length: found.found_length,
            saved_as: found.saved_as.as_ref().map(|path| Escaped(path).to_text()),
            verdict: file_verdict(&found.verdict),
            detail: match &found.verdict {
                FileVerdict::Unreadable(error) => Some(error.clone()),
                FileVerdict::InvalidName(name) => Some(name.to_string()),
                FileVerdict::NotAFile(what) | FileVerdict::NotALink(what) => {
                    Some((*what).to_owned())
                }
                FileVerdict::WrongLink(target) => Some(Escaped(target).to_text()),
                _ => None,
            },
            pieces: counts(&found.counts),
            damage: report
                .damage(index)
                .into_iter()
                .map(|damage| DamageJson {
                    verdict: piece_verdict(damage.verdict),
                    first_piece: damage.pieces.start,
                    last_piece: damage.pieces.end - 1,
                    offset: damage.bytes.start,
                    length: damage.bytes.end - damage.bytes.start,
                })
                .collect(),
            found_as: found.found_as.iter().map(|path| Escaped(path).to_text()).collect(),
        })
        .collect()
}

/// The bad and unverifiable pieces, each with the files that it touches. Missing pieces are left
/// out: the file reports list them.
fn damaged_pieces(report: &Report<'_>) -> Vec<PieceJson> {
    let path = |file: usize| report.torrent().files()[file].path().to_text();
    (0..)
        .zip(report.pieces())
        .filter(|(_, verdict)| matches!(verdict, PieceVerdict::Bad(_) | PieceVerdict::Unverifiable))
        .map(|(piece, verdict)| PieceJson {
            piece,
            verdict: piece_verdict(*verdict),
            parts: report
                .parts(piece)
                .map(|part| PartJson {
                    path: path(part.file),
                    offset: part.offset,
                    length: part.length,
                })
                .collect(),
            because_of: match verdict {
                PieceVerdict::Unverifiable => report.causes(piece).map(path).collect(),
                _ => Vec::new(),
            },
        })
        .collect()
}

fn counts(counts: &Counts) -> CountsJson {
    CountsJson {
        total: counts.total(),
        good: counts.good,
        trusted: counts.trusted,
        bad: counts.bad,
        missing: counts.missing,
        unverifiable: counts.unverifiable,
        skipped: counts.skipped,
        unchecked: counts.unchecked,
    }
}

fn piece_verdict(verdict: PieceVerdict) -> &'static str {
    match verdict {
        PieceVerdict::Good => "good",
        PieceVerdict::Trusted => "trusted",
        PieceVerdict::Bad(WrongHash::OnlyV1) => "bad_v1",
        PieceVerdict::Bad(WrongHash::OnlyV2) => "bad_v2",
        PieceVerdict::Bad(WrongHash::All) => "bad",
        PieceVerdict::Missing => "missing",
        PieceVerdict::Unverifiable => "unverifiable",
        PieceVerdict::Skipped => "skipped",
        _ => "unchecked",
    }
}

fn file_verdict(verdict: &FileVerdict) -> &'static str {
    match verdict {
        FileVerdict::Good => "good",
        FileVerdict::Bad => "bad",
        FileVerdict::Missing => "missing",
        FileVerdict::InvalidName(_) => "invalid_name",
        FileVerdict::TooShort { .. } => "too_short",
        FileVerdict::TooLong { .. } => "too_long",
        FileVerdict::Unreadable(_) => "unreadable",
        FileVerdict::Changed => "changed",
        FileVerdict::NotAFile(_) => "not_a_file",
        FileVerdict::NotALink(_) => "not_a_link",
        FileVerdict::EscapesRoot => "escapes_root",
        FileVerdict::WrongLink(_) => "wrong_link",
        FileVerdict::Unverifiable => "unverifiable",
        FileVerdict::Skipped => "skipped",
        _ => "unchecked",
    }
}
