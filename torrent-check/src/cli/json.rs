//! The report as JSON. The README documents the fields, and [`SCHEMA`] describes them.
//!
//! It is written while it is made: a torrent of 2 MB can have a report of 100 MB.

use std::io::{self, Write};
use std::path::Path;

use serde::{Serialize, Serializer};
use torrent_check::{
    Content, Counts, Damage, Escaped, FileKind, FileVerdict, PieceVerdict, Report, Torrent,
    Version, WrongHash,
};

use super::run::Run;

/// The version of the fields. It changes when a field is removed or changes its meaning.
pub(crate) const VERSION: u32 = 1;

/// The name and the text of the JSON Schema of everything that `--json` prints.
pub(crate) const SCHEMA: (&str, &str) =
    ("torrent-check.v1.schema.json", include_str!("../../schema/torrent-check.v1.schema.json"));

/// A list whose items are made one at a time.
struct Lazy<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Lazy<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

#[derive(Serialize)]
struct ReportJson<F: Serialize, P: Serialize> {
    schema: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    torrent: Option<String>,
    name: String,
    version: &'static str,
    info_hash_v1: Option<String>,
    info_hash_v2: Option<String>,
    piece_length: u64,
    content: String,
    content_found: &'static str,
    complete: bool,
    right_lengths: bool,
    cancelled: bool,
    pieces: CountsJson,
    files: F,
    damaged_pieces: P,
    good_pieces: String,
    bytes_checked: u64,
    bytes_in_holes: u64,
    seconds: f64,
    backend: &'static str,
    warnings: Vec<WarningJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extra: Vec<String>,
}

/// An oddity of a torrent.
#[derive(Serialize)]
pub(super) struct WarningJson {
    offset: usize,
    message: String,
}

#[derive(Serialize)]
struct ErrorJson<'m> {
    schema: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    torrent: Option<String>,
    error: &'m str,
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_copy: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_unfinished_by_aria2: bool,
    verdict: &'static str,
    detail: Option<String>,
    pieces: CountsJson,
    damage: Vec<DamageJson>,
    found_as: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_unsearchable: bool,
}

#[derive(Serialize)]
struct DamageJson {
    verdict: &'static str,
    first_piece: u64,
    last_piece: u64,
    offset: u64,
    length: u64,
}

/// Files are named by their index in `files`. If each part repeated a path, a torrent of 2 MB could
/// have a report of gigabytes.
#[derive(Serialize)]
struct PieceJson<P: Serialize, C: Serialize> {
    piece: u64,
    verdict: &'static str,
    parts: P,
    because_of: C,
}

#[derive(Serialize)]
struct PartJson {
    file: usize,
    offset: u64,
    length: u64,
}

/// Writes why a torrent could not be checked, as one object on one line.
pub(crate) fn write_error(
    torrent: Option<&Path>,
    error: &str,
    to: &mut impl Write,
) -> io::Result<()> {
    let torrent = torrent.map(|path| Escaped(path).to_text());
    serde_json::to_writer(&mut *to, &ErrorJson { schema: VERSION, torrent, error })?;
    to.write_all(b"\n")
}

/// Writes the report as one object on one line, with the path of the torrent if it is one of many.
pub(crate) fn write(
    report: &Report<'_>,
    run: &Run,
    source: Option<&Path>,
    to: &mut impl Write,
) -> io::Result<()> {
    let torrent = report.torrent();
    let places = places(report);
    let object = ReportJson {
        schema: VERSION,
        torrent: source.map(|path| Escaped(path).to_text()),
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
        right_lengths: report.has_right_lengths(),
        cancelled: report.is_cancelled(),
        pieces: counts(&report.counts()),
        files: Lazy(|| {
            let files = report.torrent().files().iter().enumerate();
            files
                .filter(|(_, file)| *file.kind() != FileKind::Pad)
                .map(move |(index, _)| file(report, index))
        }),
        damaged_pieces: Lazy(|| damaged_pieces(report, &places)),
        good_pieces: hex::encode(report.bitfield()),
        bytes_checked: report.bytes_checked(),
        bytes_in_holes: report.bytes_in_holes(),
        seconds: run.seconds,
        backend: run.backend,
        warnings: warnings(torrent),
        extra: report.extra().iter().map(|path| Escaped(path).to_text()).collect(),
    };
    serde_json::to_writer(&mut *to, &object)?;
    to.write_all(b"\n")
}

/// The index of each file in the report, which leaves out padding.
fn places(report: &Report<'_>) -> Vec<usize> {
    let files = report.torrent().files().iter();
    files
        .scan(0, |next, file| {
            let place = *next;
            *next += usize::from(*file.kind() != FileKind::Pad);
            Some(place)
        })
        .collect()
}

fn file(report: &Report<'_>, index: usize) -> FileJson {
    let (file, found) = (&report.torrent().files()[index], &report.files()[index]);
    let damage = |Damage { verdict, pieces, bytes, .. }| DamageJson {
        verdict: piece_verdict(verdict),
        first_piece: pieces.start,
        last_piece: pieces.end - 1,
        offset: bytes.start,
        length: bytes.end - bytes.start,
    };
    FileJson {
        path: file.path().to_text(),
        length: file.length(),
        found_length: found.found_length,
        is_copy: found.is_copy,
        is_unfinished_by_aria2: found.is_unfinished_by_aria2,
        saved_as: found.saved_as.as_ref().map(|path| Escaped(path).to_text()),
        verdict: file_verdict(&found.verdict),
        detail: match &found.verdict {
            FileVerdict::Unreadable(error) => Some(error.clone()),
            FileVerdict::InvalidName(name) => Some(name.to_string()),
            FileVerdict::NotAFile(what) | FileVerdict::NotALink(what) => Some((*what).to_owned()),
            FileVerdict::WrongLink(target) => Some(Escaped(target).to_text()),
            _ => None,
        },
        pieces: counts(&found.counts),
        damage: report.damage(index).into_iter().map(damage).collect(),
        is_unsearchable: found.is_unsearchable,
        found_as: found.found_as.iter().map(|path| Escaped(path).to_text()).collect(),
    }
}

/// The bad and unverifiable pieces, each with the files that it touches. Missing pieces are left
/// out: the file reports list them.
fn damaged_pieces<'r>(
    report: &'r Report<'_>,
    places: &'r [usize],
) -> impl Iterator<Item = impl Serialize + 'r> + 'r {
    (0..)
        .zip(report.pieces())
        .filter(|(_, verdict)| matches!(verdict, PieceVerdict::Bad(_) | PieceVerdict::Unverifiable))
        .map(move |(piece, verdict)| PieceJson {
            piece,
            verdict: piece_verdict(*verdict),
            parts: Lazy(move || {
                report.parts(piece).map(move |part| PartJson {
                    file: places[part.file],
                    offset: part.offset,
                    length: part.length,
                })
            }),
            because_of: Lazy(move || {
                let is_unverifiable = *verdict == PieceVerdict::Unverifiable;
                let causes = is_unverifiable.then(|| report.causes(piece));
                causes.into_iter().flatten().map(move |file| places[file])
            }),
        })
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
        FileVerdict::Unfinished => "unfinished",
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

/// The oddities of a torrent.
pub(super) fn warnings(torrent: &Torrent) -> Vec<WarningJson> {
    let warnings = torrent.warnings().iter();
    warnings
        .map(|warning| WarningJson { offset: warning.offset, message: warning.kind.to_string() })
        .collect()
}

pub(super) fn version(torrent: &Torrent) -> &'static str {
    match torrent.version() {
        Version::V1 => "v1",
        Version::V2 => "v2",
        Version::Hybrid => "hybrid",
    }
}
