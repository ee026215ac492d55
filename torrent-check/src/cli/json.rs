//! The report as JSON. The README documents the fields, and [`SCHEMA`] describes them.
//!
//! It is streamed, and its lists end at a number of bytes: a hostile torrent of 2 MB could have a
//! report of 100 MB.

use std::cell::Cell;
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

/// The maximum size of the lists of files and of damaged pieces, in bytes, after which the rest is
/// only counted. 16 MiB is enough for 100,000 files.
const MAX_FILES_BYTES: u64 = 16 << 20;
const MAX_PIECES_BYTES: u64 = 4 << 20;

/// The maximum number of files named per damaged piece.
const MAX_PARTS: usize = 100;

/// A list whose items are made one at a time.
struct Lazy<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Lazy<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// A list that ends when the output has grown by `max` bytes.
struct Bounded<'w, F> {
    items: F,
    max: u64,
    written: &'w Cell<u64>,
    /// The number of items that were left out.
    left_out: &'w Cell<u64>,
}

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Bounded<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = (self.items)();
        let end = self.written.get() + self.max;
        let listed =
            std::iter::from_fn(|| if self.written.get() < end { items.next() } else { None });
        let result = serializer.collect_seq(listed);
        self.left_out.set(items.count() as u64);
        result
    }
}

/// A writer that counts bytes.
struct Counted<'w, W> {
    to: W,
    written: &'w Cell<u64>,
}

impl<W: Write> Write for Counted<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.written.set(self.written.get() + count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn is_zero(count: &Cell<u64>) -> bool {
    count.get() == 0
}

#[derive(Serialize)]
struct ReportJson<'w, F: Serialize, P: Serialize> {
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<String>,
    complete: bool,
    right_lengths: bool,
    cancelled: bool,
    pieces: CountsJson,
    files: F,
    #[serde(skip_serializing_if = "is_zero")]
    files_not_listed: &'w Cell<u64>,
    damaged_pieces: P,
    #[serde(skip_serializing_if = "is_zero")]
    damaged_pieces_not_listed: &'w Cell<u64>,
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

/// Most counts of most files are 0, and are left out.
#[derive(Serialize)]
struct CountsJson {
    total: u64,
    good: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bad: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unverifiable: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unchecked: Option<u64>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished_by: Option<&'static str>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    pieces: CountsJson,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damage: Vec<DamageJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
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
    let written = &Cell::new(0);
    let (more_files, more_pieces) = (Cell::new(0), Cell::new(0));
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
            Content::Found(_) => "found",
            Content::Absent(_) => "absent",
            Content::Unsure { .. } => "unsure",
            Content::Unusable { .. } => "unusable",
            _ => "in_folder",
        },
        suggestions: match report.content() {
            Content::Unsure { suggestions, .. } => {
                suggestions.iter().map(|path| Escaped(path).to_text()).collect()
            }
            _ => Vec::new(),
        },
        complete: report.is_complete(),
        right_lengths: report.has_right_lengths(),
        cancelled: report.is_cancelled(),
        pieces: counts(&report.counts(), true),
        files: Bounded {
            items: || {
                let files = report.torrent().files().iter().enumerate();
                files
                    .filter(|(_, file)| *file.kind() != FileKind::Pad)
                    .map(move |(index, _)| file(report, index))
            },
            max: MAX_FILES_BYTES,
            written,
            left_out: &more_files,
        },
        files_not_listed: &more_files,
        damaged_pieces: Bounded {
            items: || damaged_pieces(report, &places),
            max: MAX_PIECES_BYTES,
            written,
            left_out: &more_pieces,
        },
        damaged_pieces_not_listed: &more_pieces,
        good_pieces: hex::encode(report.bitfield()),
        bytes_checked: report.bytes_checked(),
        bytes_in_holes: report.bytes_in_holes(),
        seconds: run.seconds,
        backend: run.backend,
        warnings: warnings(torrent),
        extra: report.extra().iter().map(|path| Escaped(path).to_text()).collect(),
    };
    serde_json::to_writer(Counted { to: &mut *to, written }, &object)?;
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
        unfinished_by: found.unfinished_by,
        saved_as: found.saved_as.as_ref().map(|path| Escaped(path).to_text()),
        verdict: file_verdict(&found.verdict),
        detail: match &found.verdict {
            FileVerdict::Unreadable(error) => Some(error.clone()),
            FileVerdict::InvalidName(name) => Some(name.to_string()),
            FileVerdict::NotAFile(what) | FileVerdict::NotALink(what) => Some((*what).to_owned()),
            FileVerdict::WrongLink(target) => Some(Escaped(target).to_text()),
            _ => None,
        },
        pieces: counts(&found.counts, false),
        damage: report.damage(index).into_iter().map(damage).collect(),
        is_unsearchable: found.is_unsearchable,
        found_as: found.found_as.iter().map(|path| Escaped(path).to_text()).collect(),
    }
}

/// The bad and unverifiable pieces, each with the first files that it touches. Missing pieces are left
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
                report.torrent().parts(piece).take(MAX_PARTS).map(move |part| PartJson {
                    file: places[part.file],
                    offset: part.offset,
                    length: part.length,
                })
            }),
            because_of: Lazy(move || {
                let is_unverifiable = *verdict == PieceVerdict::Unverifiable;
                let causes = is_unverifiable.then(|| report.causes(piece));
                causes.into_iter().flatten().take(MAX_PARTS).map(move |file| places[file])
            }),
        })
}

/// Counts, with those that are 0 if `all`.
fn counts(counts: &Counts, all: bool) -> CountsJson {
    let listed = |count| Some(count).filter(|count| all || *count > 0);
    CountsJson {
        total: counts.total(),
        good: counts.good,
        trusted: listed(counts.trusted),
        bad: listed(counts.bad),
        missing: listed(counts.missing),
        unverifiable: listed(counts.unverifiable),
        skipped: listed(counts.skipped),
        unchecked: listed(counts.unchecked),
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

pub(super) fn file_verdict(verdict: &FileVerdict) -> &'static str {
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
