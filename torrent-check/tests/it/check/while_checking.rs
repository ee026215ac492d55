//! Tests of files that change during a check, of cancelling and of progress.

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::time::Duration;

use torrent_check::{Check, FileVerdict, Order, PieceVerdict, Progress, Report, State};

use super::download::{Download, pieces, three_mib, verdicts};
use crate::make::{FORMATS, Format, Maker, content};

/// A check that reads sixteen pieces in turn.
pub(super) fn in_turn<'d, 'p>(
    download: &'d Download,
    progress: &'p (dyn Fn(Progress) + Sync),
) -> Check<'d, 'p>
where
    'd: 'p,
{
    let (threads, progress) = (Some(NonZeroUsize::MIN), Some(progress));
    Check { threads, order: Order::Interleaved, progress, ..download.to_check() }
}

/// Calls `what` once the first file has been read but not the others, and returns the verdicts on
/// the three files.
fn verdicts_after(download: &Download, changed: &str, what: impl Fn() + Sync) -> Vec<FileVerdict> {
    let once = Once::new();
    let progress = |_| once.call_once(&what);
    let report = in_turn(download, &progress).run().unwrap();
    assert!(once.is_completed());
    // There are no verdicts on the pieces of the changed file.
    let own = report.torrent.pieces().of_file(download.index(changed));
    for piece in own {
        assert_eq!(report.pieces[piece as usize], PieceVerdict::Unverifiable);
    }
    assert_eq!(report.counts().good, 32);
    verdicts(&report)
}

/// On Windows, an open file cannot be replaced.
#[test]
#[cfg(unix)]
fn changes_are_detected() {
    for format in FORMATS {
        let download = three_mib(format);
        // At the time of the change, the first file has been read to its end, and the last one has
        // not been reopened.
        for name in ["a.bin", "c.bin"] {
            let mut expected = [FileVerdict::Good, FileVerdict::Good, FileVerdict::Good];
            expected[download.index(name)] = FileVerdict::Changed;
            let place = download.place(name);
            let same = fs::read(&place).unwrap();
            // Rewritten with the same bytes.
            assert_eq!(
                verdicts_after(&download, name, || fs::write(&place, &same).unwrap()),
                expected
            );
            download.make_old(name);
            let truncate = || File::options().write(true).open(&place).unwrap().set_len(5).unwrap();
            assert_eq!(verdicts_after(&download, name, truncate), expected);
            download.write(name, &same);
            // Replaced by a file with the same content.
            let other = download.place("other");
            fs::write(&other, &same).unwrap();
            assert_eq!(
                verdicts_after(&download, name, || fs::rename(&other, &place).unwrap()),
                expected
            );
            download.make_old(name);
            assert_eq!(
                verdicts_after(&download, name, || fs::remove_file(&place).unwrap()),
                expected
            );
            download.write(name, &same);
        }
    }
}

/// The file becomes a link to itself, because root can read files without permissions.
#[test]
#[cfg(unix)]
fn files_that_can_no_longer_be_opened_are_unreadable() {
    for format in FORMATS {
        let verdict_on = |name| {
            let download = three_mib(format);
            let hide = || {
                download.remove(name);
                std::os::unix::fs::symlink(name, download.place(name)).unwrap();
            };
            verdicts_after(&download, name, hide)[download.index(name)].clone()
        };
        // It is still open.
        assert_eq!(verdict_on("a.bin"), FileVerdict::Changed, "{format:?}");
        let verdict = verdict_on("c.bin");
        assert!(matches!(verdict, FileVerdict::Unreadable(_)), "{format:?}: {verdict:?}");
    }
}

/// The data of the last file of [`folders`].
fn last() -> Vec<u8> {
    content(9, 128 << 10)
}

/// More folders than are kept open, with a file each, and one to put in the place of the last.
fn folders(format: Format, last_found: &[u8], other: &[u8]) -> Download {
    let files: Vec<_> =
        (0..10).map(|seed| (format!("{seed}/file"), content(seed, 128 << 10))).collect();
    let listed: Vec<_> = files.iter().map(|(path, data)| (&path[..], data.clone())).collect();
    let download = Download::folder(format, 16 << 10, &listed);
    download.write("9/file", last_found);
    download.write("../other/file", other);
    download
}

/// Checks [`folders`]. The other folder is in the place of the last one while its file is read, but
/// neither before nor afterwards.
fn check_swapped<'d>(download: &'d Download, save: &(dyn Fn(&State) + Sync)) -> Report<'d> {
    let ours = download.place("9");
    let (aside, other) = (download.path().join("aside"), download.path().join("other"));
    let (swap, restore) = (Once::new(), Once::new());
    let progress = |progress: Progress| {
        swap.call_once(|| {
            fs::rename(&ours, &aside).unwrap();
            fs::rename(&other, &ours).unwrap();
        });
        if progress.bytes == progress.total {
            restore.call_once(|| {
                fs::rename(&ours, &other).unwrap();
                fs::rename(&aside, &ours).unwrap();
            });
        }
    };
    let save_every = Some((Duration::ZERO, save));
    let report = Check { save_every, ..in_turn(download, &progress) }.run().unwrap();
    assert!(restore.is_completed());
    report
}

#[test]
#[cfg(unix)]
fn a_file_in_another_folder_is_not_taken_for_it() {
    for format in FORMATS {
        let download = folders(format, &last(), &[0; 128 << 10]);
        let report = check_swapped(&download, &|_| ());
        assert_eq!(report.counts().bad, 0, "{format:?}");
        let verdicts = verdicts(&report);
        assert_eq!(verdicts[9], FileVerdict::Changed, "{format:?}");
        assert!(verdicts[..9].iter().all(|verdict| *verdict == FileVerdict::Good));
    }
}

/// The content of the other file is good, that of the file itself is not.
#[test]
#[cfg(unix)]
fn a_file_in_another_folder_is_not_saved_as_good() {
    for format in FORMATS {
        let download = folders(format, &[0; 128 << 10], &last());
        let saved = Mutex::new(None);
        check_swapped(&download, &|state| *saved.lock().unwrap() = Some(state.clone()));
        let saved = saved.into_inner().unwrap().expect("results are saved");
        let report = Check { state: Some(&saved), ..download.to_check() }.run().unwrap();
        assert_eq!((report.counts().trusted, report.counts().bad), (72, 8), "{format:?}");
    }
}

/// The file ends early while it is being read.
#[test]
fn a_file_truncated_while_open_has_changed() {
    for format in FORMATS {
        let download = Download::single(format, 64 << 10, &content(1, 3 << 20));
        let once = Once::new();
        let truncate = || {
            let file = File::options().write(true).open(download.place("single.bin")).unwrap();
            file.set_len((1 << 20) + 5).unwrap();
        };
        let progress = |_| once.call_once(truncate);
        let report = Check { progress: Some(&progress), ..download.to_check() }.run().unwrap();
        assert_eq!(verdicts(&report), [FileVerdict::Changed]);
        assert_eq!(report.counts().good, 0);
    }
}

#[test]
fn a_cancelled_check_reports_what_it_checked() {
    for format in FORMATS {
        let download = three_mib(format);
        let cancel = AtomicBool::new(false);
        let progress = |progress: Progress| {
            if progress.bytes >= 1 << 20 {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let check = Check { cancel: Some(&cancel), ..in_turn(&download, &progress) };
        let report = check.run().unwrap();
        assert!(report.is_cancelled && !report.is_complete());
        let unchecked = pieces(&report, |verdict| verdict == PieceVerdict::Unchecked);
        let good = pieces(&report, |verdict| verdict == PieceVerdict::Good);
        // The first batch was read to its end.
        assert_eq!((good.len(), unchecked.len()), (16, 32));
        assert_eq!(verdicts(&report)[2], FileVerdict::Unchecked);
    }
}

/// A sequential check buffers whole pieces, but does not wait for their ends.
#[test]
fn a_sequential_check_is_cancelled_within_a_piece() {
    for format in FORMATS {
        let download = Download::single(format, 4 << 20, &content(1, 4 << 20));
        let cancel = AtomicBool::new(false);
        let progress = |_| cancel.store(true, Ordering::Relaxed);
        let (order, cancelling) = (Order::Sequential, Some(&cancel));
        let check = Check { order, cancel: cancelling, ..in_turn(&download, &progress) };
        let report = check.run().unwrap();
        assert!(report.is_cancelled);
        assert_eq!(report.bytes_checked, 1 << 20, "{format:?}");
    }
}

/// Their v2 verdicts come last, when all pieces of the file are known.
#[test]
fn pieces_with_a_wrong_sha1_are_counted_as_bad_at_once() {
    let data = content(1, 3 << 20);
    let mut made = Maker::single("single.bin", 64 << 10, data.clone()).torrent(Format::Hybrid);
    made.remove(&[], "piece layers");
    let download = Download::empty(&made.encode(), "");
    download.write("single.bin", &data);
    download.change("single.bin", |data| data[0] ^= 1);
    let bad = AtomicU64::new(0);
    let progress = |progress: Progress| {
        bad.fetch_max(progress.bad_pieces, Ordering::Relaxed);
    };
    in_turn(&download, &progress).run().unwrap();
    assert_eq!(bad.into_inner(), 1);
}

#[test]
fn progress_reaches_the_total() {
    for format in FORMATS {
        let download = three_mib(format);
        download.change("a.bin", |data| data[0] ^= 1);
        let last = std::sync::Mutex::new((0, 0, 0));
        let progress = |progress: Progress| {
            let mut last = last.lock().unwrap();
            *last = (*last).max((progress.bytes, progress.total, progress.bad_pieces));
        };
        in_turn(&download, &progress).run().unwrap();
        let (bytes, total, _) = *last.lock().unwrap();
        assert_eq!((bytes, total), (3 << 20, 3 << 20));
    }
}

/// A search that is cancelled is never taken for a whole one, whatever it is doing: listing
/// folders, reading, or listing what does not belong to the torrent.
#[test]
fn a_cancelled_search_is_reported() {
    use torrent_check::{Check, Progress};

    for format in crate::make::FORMATS {
        let download = super::download::ragged(format);
        fs::rename(download.place("c"), download.place("x")).unwrap();
        let when: [fn(&Progress) -> bool; 2] = [|it| it.listed > 2, |it| it.searched > 0];
        for (nth, when) in when.into_iter().enumerate() {
            let cancel = AtomicBool::new(false);
            let progress = |progress: Progress| cancel.fetch_or(when(&progress), Ordering::Relaxed);
            let progress = |it: Progress| _ = progress(it);
            let check =
                Check { find_renamed: true, progress: Some(&progress), ..download.to_check() };
            let check = Check { cancel: Some(&cancel), ..check };
            let report = check.run().unwrap();
            assert!(report.is_cancelled, "{format:?} {nth}");
        }
        // Folders are also listed before the check, to find the content itself.
        fs::rename(download.path().join("content"), download.path().join("other")).unwrap();
        let cancel = AtomicBool::new(false);
        let progress = |it: Progress| cancel.store(it.listed > 0, Ordering::Relaxed);
        let check =
            Check { progress: Some(&progress), cancel: Some(&cancel), ..download.to_check() };
        assert!(check.run().unwrap().is_cancelled, "{format:?}");
        // Everything is good, but what does not belong to the torrent was not listed.
        let download = super::download::ragged(format);
        let cancel = AtomicBool::new(false);
        let progress = |it: Progress| cancel.store(it.bytes == it.total, Ordering::Relaxed);
        let check =
            Check { progress: Some(&progress), cancel: Some(&cancel), ..download.to_check() };
        let check = Check { list_extra: true, ..check };
        let report = check.run().unwrap();
        assert!(report.is_complete() && report.is_cancelled, "{format:?}");
    }
}
