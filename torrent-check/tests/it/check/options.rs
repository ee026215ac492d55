//! Tests of the options of a check: threads, backends, orders and the selection of files.

use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use torrent_check::{Backend, Check, FileVerdict, Order, PieceVerdict, Report};

use super::download::{Download, KIB, pieces, ragged, three_mib, verdicts};
use crate::make::{FORMATS, Format, Maker, content};

/// Asserts that every backend, order and number of threads gives the same report.
///
/// The piece lengths are less than a slice, one slice, several slices and more than a portion of a
/// sequential check. v1 also has lengths that are not powers of two, and one longer than a row of a
/// sequential check.
fn every_way_of_checking_agrees(format: Format, piece_lengths: &[usize]) {
    for &piece_length in piece_lengths {
        let size = if piece_length > KIB * KIB { piece_length + 5 } else { 20 * piece_length + 5 };
        let files =
            [("a", content(1, size)), ("b", content(2, 3)), ("c", content(3, piece_length))];
        let download = Download::folder(format, piece_length, &files);
        download.change("a", |data| {
            data[0] ^= 1;
            *data.last_mut().unwrap() ^= 1;
        });
        let expected = download.check();
        assert!(expected.counts().bad >= 2);
        // The backends hash the same rows whatever the piece length.
        let is_large = piece_length > KIB * KIB;
        let backends = if is_large { vec![Backend::detect()] } else { Backend::available() };
        for backend in backends {
            for order in [Order::Interleaved, Order::Sequential] {
                for threads in [1, 3] {
                    let how = format!("{format:?} {piece_length} {backend} {order:?} {threads}");
                    let threads = NonZeroUsize::new(threads);
                    let check = Check { threads, backend, order, ..download.to_check() };
                    let report = check.run().unwrap();
                    assert_eq!(report.pieces, expected.pieces, "{how}");
                    assert_eq!(report.files, expected.files, "{how}");
                }
            }
        }
    }
}

#[test]
fn every_way_of_checking_v1_agrees() {
    let lengths = [16 * KIB, 64 * KIB, 128 * KIB, 1_000, 70_001, (1 << 20) + 1, (16 << 20) + 1];
    every_way_of_checking_agrees(Format::V1, &lengths);
}

#[test]
fn every_way_of_checking_v2_agrees() {
    every_way_of_checking_agrees(Format::V2, &[16 * KIB, 64 * KIB, 128 * KIB, 2 << 20]);
}

#[test]
fn every_way_of_checking_hybrid_agrees() {
    every_way_of_checking_agrees(Format::Hybrid, &[16 * KIB, 64 * KIB, 128 * KIB, 2 << 20]);
}

/// Starting a thread would take longer than the check.
#[test]
fn little_content_is_checked_on_one_thread() {
    for format in FORMATS {
        let download = Download::single(format, 16 * KIB, &content(1, (2 << 20) - 1));
        let this = thread::current().id();
        let progress = |_| assert_eq!(thread::current().id(), this);
        let (threads, progress) = (NonZeroUsize::new(8), Some(&progress as _));
        let check = Check { threads, progress, ..download.to_check() };
        assert!(check.run().unwrap().is_complete());
    }
}

#[test]
fn only_requested_files_are_checked() {
    for format in FORMATS {
        let download = three_mib(format);
        download.remove("c.bin");
        download.change("b.bin", |data| data[0] ^= 1);
        let only_a = |file: &torrent_check::File| file.path().to_text() == "a.bin";
        let report = Check { files: Some(&only_a), ..download.to_check() }.run().unwrap();
        assert_eq!(
            verdicts(&report),
            [FileVerdict::Good, FileVerdict::Skipped, FileVerdict::Skipped]
        );
        assert!(report.is_complete());
        let counts = report.counts();
        assert_eq!((counts.good, counts.skipped), (16, 32));
        assert_eq!(report.bytes_checked, 1 << 20);
    }
}

/// Files that were not requested are read where they share a piece with a requested one.
#[test]
fn neighbours_of_requested_files_are_read() {
    let download = ragged(Format::V1);
    let only_c = |file: &torrent_check::File| file.path().to_text() == "c";
    let check = || Check { files: Some(&only_c), ..download.to_check() }.run().unwrap();
    let own = check().torrent.pieces().of_file(download.index("c"));
    let report = check();
    assert!(report.is_complete());
    assert_eq!(pieces(&report, |verdict| verdict == PieceVerdict::Good), own.collect::<Vec<_>>());
    download.remove("a/second");
    let report = check();
    assert_eq!(report.files[download.index("c")].verdict, FileVerdict::Unverifiable);
    let second = download.index("a/second");
    assert_eq!(report.files[second].verdict, FileVerdict::Skipped);
    assert_eq!(*report.cause(second), FileVerdict::Missing);
}

/// Each thread looks at a part of so many files.
#[test]
fn very_many_files_are_looked_at_by_several_threads() {
    let count = 5_000;
    let names: Vec<String> = (0..count).map(|file| format!("{}/{file}", file / 100)).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), vec![1; 3])).collect();
    let download = Download::folder(Format::V1, 16 * KIB, &files);
    let expected: Vec<FileVerdict> = (0..count)
        .map(|file| match file % 7 {
            0 => {
                download.remove(&names[file]);
                FileVerdict::Missing
            }
            1 => {
                download.write(&names[file], &vec![1; 4 + file]);
                FileVerdict::TooLong { by: file as u64 + 1 }
            }
            _ => FileVerdict::Unchecked,
        })
        .collect();
    for threads in [1, 3, 64] {
        let limit = NonZeroUsize::new(threads);
        let check = Check { lengths_only: true, threads: limit, ..download.to_check() };
        let report = check.run().unwrap();
        // Pieces that lack a file are unverifiable, which is no verdict on a file of them.
        let found = verdicts(&report).into_iter().map(|verdict| match verdict {
            FileVerdict::Unverifiable => FileVerdict::Unchecked,
            verdict => verdict,
        });
        assert!(found.eq(expected.iter().cloned()), "{threads} threads");
    }
}

/// Limits a check, in bytes per second, and cancels it if it takes too long.
fn run_limited<'t>(check: &Check<'t, '_>, limit: u64, patience: Duration) -> Report<'t> {
    let cancel = &AtomicBool::new(false);
    let (end, has_ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            // This returns when the other end is dropped.
            let _ = has_ended.recv_timeout(patience);
            cancel.store(true, Ordering::Relaxed);
        });
        let limit = NonZeroU64::new(limit);
        let report = Check { limit, cancel: Some(cancel), ..check.clone() }.run().unwrap();
        drop(end);
        report
    })
}

/// Progress follows the limit, even if one read could take all of a small torrent.
#[test]
fn the_limit_paces_the_progress() {
    for format in FORMATS {
        let download = Download::single(format, 64 * KIB, &content(1, 1 << 20));
        for (limit, portion) in [(1, 16 << 10), (1 << 20, 128 << 10), (1 << 30, 1 << 20)] {
            let cancel = AtomicBool::new(false);
            let progress = |progress: torrent_check::Progress| {
                assert_eq!(progress.bytes, portion, "{format:?} {limit}");
                cancel.store(true, Ordering::Relaxed);
            };
            let (threads, limit) = (Some(NonZeroUsize::MIN), NonZeroU64::new(limit));
            let check = Check { threads, limit, ..download.to_check() };
            let check = Check { progress: Some(&progress), cancel: Some(&cancel), ..check };
            check.run().unwrap();
            assert!(cancel.into_inner());
        }
    }
}

/// Padding is not read.
#[test]
fn the_limit_spares_padding() {
    let maker = Maker::folder("content", 1 << 20).file("a", content(1, 100)).pad((1 << 20) - 100);
    let download = Download::empty(&maker.bytes(Format::V1), "content");
    download.write("a", &content(1, 100));
    let check = Check { find_renamed: true, ..download.to_check() };
    let run = || run_limited(&check, 1000, Duration::from_secs(60));
    assert!(run().is_complete());
    fs::rename(download.place("a"), download.place("b")).unwrap();
    assert_eq!(*run().files[0].found_as(), [Path::new("b")]);
}

/// A limit of one byte per second ends a search after its first read.
#[test]
fn the_limit_includes_searches() {
    let moment = Duration::from_millis(200);
    for format in FORMATS {
        let download = Download::folder(format, 16 * KIB, &[("a", content(1, 100_000))]);
        fs::rename(download.place("a"), download.place("b")).unwrap();
        let check = Check { find_renamed: true, ..download.to_check() };
        assert_eq!(check.run().unwrap().files[0].found_as().len(), 1);
        assert!(run_limited(&check, 1, moment).files[0].found_as().is_empty());
    }
}
