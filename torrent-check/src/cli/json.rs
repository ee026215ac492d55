//! The report as JSON. `docs/reference.md` documents the fields, and [`SCHEMA`] describes them.

mod object;

use std::io::{self, Write};
use std::path::Path;

use torrent_check::{
    Content, Counts, Escaped, FileKind, FileVerdict, Finding, Layout, Link, Outcome, PieceVerdict,
    Report, SearchLimit, SearchLimitKind, Torrent, Unproven, Version, WrongHash,
};

use super::outcome::Run;
pub(super) use object::{Json, line};

/// The name and the text of the JSON Schema of everything that `--json` prints.
pub(crate) const SCHEMA: (&str, &str) =
    ("torrent-check.v1.schema.json", include_str!("../../schema/torrent-check.v1.schema.json"));

/// The maximum size of the lists of files and of damaged pieces, in bytes, after which the rest is
/// only counted. 16 MiB is enough for 100,000 files.
const MAX_FILES_BYTES: u64 = 16 << 20;
const MAX_PIECES_BYTES: u64 = 4 << 20;

/// The maximum number of files named per damaged piece.
const MAX_PARTS: usize = 100;

/// Writes why a torrent could not be checked, as one object on one line.
pub(crate) fn write_error(
    torrent: Option<&Path>,
    error: &str,
    to: &mut impl Write,
) -> io::Result<()> {
    line(to, |json| {
        json.optional("torrent", torrent.map(text))?;
        json.field("error", error)
    })
}

/// Writes the report as one object on one line, with the path of the torrent if it is one of many.
pub(crate) fn write(
    report: &Report<'_>,
    run: &Run,
    source: Option<&Path>,
    to: &mut impl Write,
) -> io::Result<()> {
    let torrent = report.torrent;
    let places = places(torrent);
    let files = (0..places.len()).filter(|&file| *torrent.files()[file].kind() != FileKind::Pad);
    let is_listed = |verdict: &PieceVerdict| {
        matches!(verdict, PieceVerdict::Bad(_) | PieceVerdict::Unverifiable)
    };
    let pieces = (0..).zip(&report.pieces).filter(|(_, verdict)| is_listed(verdict));
    line(to, |json| {
        json.optional("torrent", source.map(text))?;
        identity(json, torrent)?;
        json.field("content", text(report.content.path()))?;
        json.field("content_found", content_found(&report.content))?;
        if let Content::Unsure { suggestions, .. } = &report.content {
            json.field("suggestions", texts(suggestions))?;
        }
        json.field("complete", report.is_complete())?;
        json.field("right_lengths", report.has_right_lengths())?;
        json.field("cancelled", report.is_cancelled)?;
        counts(json, &report.counts(), true)?;
        let more = json.list("files", files, MAX_FILES_BYTES, |json, index| {
            file(json, report, index, &places)
        })?;
        json.optional("files_not_listed", (more > 0).then_some(more))?;
        // Missing pieces are left out: the file reports list them.
        let more =
            json.list("damaged_pieces", pieces, MAX_PIECES_BYTES, |json, (piece, verdict)| {
                damaged_piece(json, report, piece, *verdict, &places)
            })?;
        json.optional("damaged_pieces_not_listed", (more > 0).then_some(more))?;
        json.field("good_pieces", hex::encode(report.bitfield()))?;
        let found = Some(report.pieces_found).filter(|found| *found > 0);
        json.optional("pieces_found", found)?;
        json.optional("all_pieces_exist", found.map(|_| report.has_all_pieces()))?;
        json.field("bytes_checked", report.bytes_checked)?;
        json.field("bytes_in_holes", report.bytes_in_holes)?;
        let searched = Some(report.bytes_searched).filter(|bytes| *bytes > 0);
        json.optional("bytes_searched", searched)?;
        json.field("seconds", run.seconds)?;
        json.field("backend", run.backend)?;
        if run.keeps_state && !report.without_times.is_empty() {
            json.list("read_again", &report.without_times, u64::MAX, |json, (system, files)| {
                json.object(|json| {
                    json.field("file_system", system)?;
                    json.field("files", files)
                })
            })?;
        }
        warnings(json, torrent)?;
        if !report.search_limits.is_empty() {
            json.list("search_limits", &report.search_limits, u64::MAX, search_limit)?;
        }
        json.optional("extra", filled(texts(&report.extra)))?;
        run.layout.iter().try_for_each(|layout| write_layout(json, layout, &places))
    })
}

/// What `--link` has done.
fn write_layout(json: &mut Json<'_>, layout: &Layout, places: &[usize]) -> io::Result<()> {
    json.key("layout")?;
    json.object(|json| {
        json.field("folder", text(&layout.folder))?;
        json.field("complete", layout.is_complete())?;
        json.field("cancelled", layout.is_cancelled)?;
        let there = layout.files.iter().filter(|file| file.outcome.is_there()).count();
        json.field("laid_out", there)?;
        let more = json.list("files", &layout.files, MAX_FILES_BYTES, |json, file| {
            json.object(|json| {
                json.field("file", places[file.file])?;
                json.field("path", text(&file.path))?;
                json.optional("source", file.source.as_deref().map(text))?;
                json.field("outcome", outcome(&file.outcome))?;
                let error = match &file.outcome {
                    Outcome::Failed(error) => Some(error.to_string()),
                    _ => None,
                };
                json.optional("detail", error)
            })
        })?;
        json.optional("files_not_listed", (more > 0).then_some(more))
    })
}

pub(super) fn outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Linked(Link::Reflink) => "reflink",
        Outcome::Linked(Link::Hard) => "hard",
        Outcome::Linked(Link::Symbolic) => "symbolic",
        Outcome::Linked(_) => "copy",
        Outcome::Created => "created",
        Outcome::AlreadyThere => "already_there",
        Outcome::NotFound => "not_found",
        Outcome::OnlyLikely => "only_likely",
        Outcome::Conflict => "conflict",
        _ => "failed",
    }
}

/// The result of a search for a file.
pub(super) fn finding(json: &mut Json<'_>, finding: &Finding, places: &[usize]) -> io::Result<()> {
    let (verdict, path, counts, unproven): (_, _, _, &[Unproven]) = match finding {
        Finding::Proven { .. } => ("proven", None, None, &[]),
        Finding::Likely { path, good, total, unproven } => {
            ("likely", Some(path), Some((good, total)), unproven)
        }
        Finding::Disproven { path, good, total } => {
            ("disproven", Some(path), Some((good, total)), &[])
        }
        _ => return Ok(()),
    };
    json.field("finding", verdict)?;
    json.optional("found_path", path.map(|path| text(path)))?;
    json.optional("pieces_verified", counts.map(|(good, _)| good))?;
    if unproven.is_empty() {
        return Ok(());
    }
    json.list("unproven_pieces", unproven, u64::MAX, |json, unproven| {
        json.object(|json| {
            json.field("piece", unproven.piece)?;
            let because = unproven.because_of.iter().take(MAX_PARTS);
            json.field("because_of", because.map(|file| places[*file]).collect::<Vec<_>>())
        })
    })
    .map(drop)
}

/// A limit of the search for the content.
pub(super) fn search_limit(json: &mut Json<'_>, limit: &SearchLimit) -> io::Result<()> {
    json.object(|json| {
        json.field(
            "kind",
            match limit.kind {
                SearchLimitKind::Depth => "depth",
                SearchLimitKind::SameName => "same_name",
                SearchLimitKind::SameLength => "same_length",
                SearchLimitKind::Combinations => "combinations",
                SearchLimitKind::Bytes => "bytes",
                _ => "entries",
            },
        )?;
        json.field("max", limit.max)?;
        json.field("at", text(&limit.at))
    })
}

/// The first fields about a torrent.
pub(super) fn identity(json: &mut Json<'_>, torrent: &Torrent) -> io::Result<()> {
    json.field("name", torrent.name().to_text())?;
    json.field("version", version(torrent))?;
    json.field("info_hash_v1", torrent.info_hash_v1().map(hex::encode))?;
    json.field("info_hash_v2", torrent.info_hash_v2().map(hex::encode))?;
    json.field("piece_length", torrent.piece_length())
}

/// The oddities of a torrent.
pub(super) fn warnings(json: &mut Json<'_>, torrent: &Torrent) -> io::Result<()> {
    let write = |json: &mut Json<'_>, warning: &torrent_check::Warning| {
        json.object(|json| {
            json.field("offset", warning.offset)?;
            json.field("message", &warning.message)
        })
    };
    json.list("warnings", torrent.warnings(), u64::MAX, write).map(drop)
}

/// The index of each file in the report, which leaves out padding: damaged pieces refer to files by
/// it. If each part repeated a path, a torrent of 2 MB could have a report of gigabytes.
pub(super) fn places(torrent: &Torrent) -> Vec<usize> {
    let files = torrent.files().iter();
    files
        .scan(0, |next, file| {
            let place = *next;
            *next += usize::from(*file.kind() != FileKind::Pad);
            Some(place)
        })
        .collect()
}

fn file(
    json: &mut Json<'_>,
    report: &Report<'_>,
    index: usize,
    places: &[usize],
) -> io::Result<()> {
    let (file, found) = (&report.torrent.files()[index], &report.files[index]);
    let detail = match &found.verdict {
        FileVerdict::Unreadable(error) => Some(error.clone()),
        FileVerdict::NotAFile(what) | FileVerdict::NotALink(what) => Some((*what).to_owned()),
        FileVerdict::WrongLink(target) => Some(text(target)),
        _ => None,
    };
    json.object(|json| {
        json.field("path", file.path().to_text())?;
        json.field("length", file.length())?;
        json.field("found_length", found.found_length)?;
        json.optional("saved_as", found.saved_as.as_deref().map(text))?;
        json.optional("expected_at", found.expected_at.as_deref().map(text))?;
        json.optional("unfinished_by", found.unfinished_by)?;
        json.field("verdict", file_verdict(&found.verdict))?;
        json.optional("detail", detail)?;
        counts(json, &found.counts, false)?;
        let damage = report.damage(index);
        if !damage.is_empty() {
            json.list("damage", damage, u64::MAX, |json, damage| {
                json.object(|json| {
                    json.field("verdict", piece_verdict(damage.verdict))?;
                    json.field("first_piece", damage.pieces.start)?;
                    json.field("last_piece", damage.pieces.end - 1)?;
                    json.field("offset", damage.bytes.start)?;
                    json.field("length", damage.bytes.end - damage.bytes.start)
                })
            })?;
        }
        json.optional("found_as", filled(texts(found.found_as())))?;
        let more = match &found.finding {
            Some(Finding::Proven { more, .. }) => Some(*more).filter(|more| *more > 0),
            _ => None,
        };
        json.optional("found_as_not_listed", more)?;
        found.finding.iter().try_for_each(|it| finding(json, it, places))?;
        if !found.copies.is_empty() {
            json.list("copies", &found.copies, u64::MAX, |json, copy| {
                json.object(|json| {
                    json.field("path", text(&copy.path))?;
                    json.list("pieces", &copy.pieces, u64::MAX, |json, run| {
                        json.object(|json| {
                            json.field("first_piece", run.start)?;
                            json.field("last_piece", run.end - 1)
                        })
                    })
                    .map(drop)
                })
            })?;
        }
        json.optional("is_unsearchable", found.is_unsearchable.then_some(true))
    })
}

/// A piece with the first files that it touches.
fn damaged_piece(
    json: &mut Json<'_>,
    report: &Report<'_>,
    piece: u64,
    verdict: PieceVerdict,
    places: &[usize],
) -> io::Result<()> {
    let is_unverifiable = verdict == PieceVerdict::Unverifiable;
    let causes = is_unverifiable.then(|| report.causes(piece)).into_iter().flatten();
    let causes: Vec<usize> = causes.take(MAX_PARTS).map(|file| places[file]).collect();
    json.object(|json| {
        json.field("piece", piece)?;
        json.field("verdict", piece_verdict(verdict))?;
        let parts = report.torrent.parts(piece).take(MAX_PARTS);
        json.list("parts", parts, u64::MAX, |json, part| {
            json.object(|json| {
                json.field("file", places[part.file])?;
                json.field("offset", part.offset)?;
                json.field("length", part.length)
            })
        })?;
        json.field("because_of", causes)
    })
}

/// Counts, with those that are 0 if `all`: most counts of most files are.
fn counts(json: &mut Json<'_>, counts: &Counts, all: bool) -> io::Result<()> {
    let others = [
        ("trusted", counts.trusted),
        ("bad", counts.bad),
        ("missing", counts.missing),
        ("unverifiable", counts.unverifiable),
        ("skipped", counts.skipped),
        ("unchecked", counts.unchecked),
    ];
    json.key("pieces")?;
    json.object(|json| {
        json.field("total", counts.total())?;
        json.field("good", counts.good)?;
        let mut listed = others.iter().filter(|(_, count)| all || *count > 0);
        listed.try_for_each(|(name, count)| json.field(name, count))
    })
}

fn text(path: &Path) -> String {
    Escaped(path).to_text()
}

pub(super) fn texts(paths: &[std::path::PathBuf]) -> Vec<String> {
    paths.iter().map(|path| text(path)).collect()
}

/// A list, unless it is empty.
pub(super) fn filled(list: Vec<String>) -> Option<Vec<String>> {
    Some(list).filter(|list| !list.is_empty())
}

fn content_found(content: &Content) -> &'static str {
    match content {
        Content::Given(_) => "given",
        Content::Found(_) => "found",
        Content::Absent(_) => "absent",
        Content::Unsure { .. } => "unsure",
        Content::Unusable { .. } => "unusable",
        _ => "in_folder",
    }
}

fn piece_verdict(verdict: PieceVerdict) -> &'static str {
    match verdict {
        PieceVerdict::Bad(WrongHash::OnlyV1) => "bad_v1",
        PieceVerdict::Bad(WrongHash::OnlyV2) => "bad_v2",
        PieceVerdict::Bad(WrongHash::All) => "bad",
        PieceVerdict::Missing => "missing",
        _ => "unverifiable",
    }
}

pub(super) fn file_verdict(verdict: &FileVerdict) -> &'static str {
    match verdict {
        FileVerdict::Good => "good",
        FileVerdict::Bad => "bad",
        FileVerdict::Unfinished => "unfinished",
        FileVerdict::Missing => "missing",
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

pub(super) fn version(torrent: &Torrent) -> &'static str {
    match torrent.version() {
        Version::V1 => "v1",
        Version::V2 => "v2",
        Version::Hybrid => "hybrid",
    }
}
