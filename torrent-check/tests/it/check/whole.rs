//! Tests of files without a piece layer, and of torrents that contradict themselves.

use torrent_check::{Check, FileVerdict, PieceVerdict, WrongHash};

use super::download::{Download, KIB, pieces, verdicts};
use crate::make::{Format, Maker, content};

const BAD: PieceVerdict = PieceVerdict::Bad(WrongHash::All);

/// Without the piece layer, the root tells whether the file is good as a whole.
#[test]
fn files_without_a_piece_layer_are_judged_as_a_whole() {
    for format in [Format::V2, Format::Hybrid] {
        let is_v2 = format == Format::V2;
        // The last pieces have several lengths, and the piece is one block or several.
        for (piece, last) in [(16, 1), (32, 20_000), (64, 64 * KIB), (128, 5), (16, 16 * KIB)] {
            let piece = piece * KIB;
            let maker = Maker::folder("content", piece as u64)
                .file("a", content(1, 4 * piece + last))
                .file("b", content(2, piece));
            let mut made = maker.torrent(format);
            made.remove(&[], "piece layers");
            let download = Download::empty(&made.encode(), "content");
            let restore = || download.write("a", &content(1, 4 * piece + last));
            restore();
            download.write("b", &content(2, piece));
            let report = download.check();
            assert!(report.is_complete(), "{format:?} {piece} {last}: {report:?}");
            assert_eq!((report.counts().good, report.counts().total()), (6, 6));

            download.change("a", |data| *data.last_mut().unwrap() ^= 1);
            let report = download.check();
            assert_eq!(verdicts(&report), [FileVerdict::Bad, FileVerdict::Good]);
            let bad: Vec<u64> = if is_v2 { (0..5).collect() } else { vec![4] };
            assert_eq!(pieces(&report, |verdict| verdict == BAD), bad);

            download.change("a", |data| data.truncate(2 * piece));
            let report = download.check();
            assert_eq!(
                verdicts(&report)[0],
                FileVerdict::TooShort { by: (2 * piece + last) as u64 }
            );
            let counts = report.counts();
            let expected = if is_v2 { (1, 3, 2) } else { (3, 3, 0) };
            assert_eq!((counts.good, counts.missing, counts.unverifiable), expected);

            // Results are reused only for the whole file.
            restore();
            let state = download.check().state.clone();
            let check = || Check { state: Some(&state), ..download.to_check() }.run().unwrap();
            assert_eq!((check().counts().trusted, check().is_complete()), (6, true));
        }
        // Pieces with right SHA-1, but a root of other content.
        let mut made = Maker::single("a", 16 << 10, content(1, 40_000)).torrent(format);
        made.remove(&[], "piece layers");
        made.set(&["info", "file tree", "a", ""], "pieces root", vec![1; 32]);
        let download = Download::empty(&made.encode(), "");
        download.write("a", &content(1, 40_000));
        let wrong = if is_v2 { WrongHash::All } else { WrongHash::OnlyV2 };
        assert_eq!(download.check().pieces, [PieceVerdict::Bad(wrong); 3]);
    }
}

/// The root cannot tell which of the pieces without holes are good.
#[test]
#[cfg(target_os = "linux")]
fn holes_explain_a_wrong_root() {
    use std::os::unix::fs::{FileExt, MetadataExt};
    for format in [Format::V2, Format::Hybrid] {
        let data = content(1, 5 * 64 * KIB);
        let mut made = Maker::single("a", 64 << 10, data.clone()).torrent(format);
        made.remove(&[], "piece layers");
        let download = Download::empty(&made.encode(), "");
        let file = std::fs::File::create(download.place("a")).unwrap();
        file.set_len(data.len() as u64).unwrap();
        if file.metadata().unwrap().blocks() > 0 {
            eprintln!("skipped: this file system does not support holes");
            return;
        }
        file.write_all_at(&data[..96 * KIB], 0).unwrap();
        let report = download.check();
        let counts = report.counts();
        let (good, unverifiable) = if format == Format::V2 { (0, 1) } else { (1, 0) };
        assert_eq!((counts.good, counts.missing, counts.unverifiable), (good, 4, unverifiable));
        assert_eq!(verdicts(&report), [FileVerdict::Unfinished]);
    }
}

/// The check is cancelled after the first of two batches.
#[test]
fn a_cancelled_check_does_not_judge_a_file_by_some_of_its_pieces() {
    let mut made = Maker::single("a", 16 << 10, content(1, 20 << 14)).torrent(Format::V2);
    made.remove(&[], "piece layers");
    let download = Download::empty(&made.encode(), "");
    download.write("a", &content(1, 20 << 14));
    let cancel = std::sync::atomic::AtomicBool::new(false);
    let progress = |_| cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let (threads, progress) = (Some(std::num::NonZeroUsize::MIN), Some(&progress as _));
    let check = Check { threads, progress, cancel: Some(&cancel), ..download.to_check() };
    let report = check.run().unwrap();
    assert!(report.is_cancelled);
    assert!(report.pieces.iter().all(|verdict| *verdict == PieceVerdict::Unchecked));
}

/// One half of a hybrid torrent describes other data.
#[test]
fn contradictory_hybrids_have_separate_verdicts() {
    let data = content(1, 100_000);
    let download = |changed: &[&str], key, other: Format| {
        let maker = Maker::folder("content", 32 << 10).file("a", data.clone());
        let wrong =
            Maker::folder("content", 32 << 10).file("a", content(2, 100_000)).torrent(other);
        let mut torrent = maker.torrent(Format::Hybrid);
        let value = wrong.clone().at(changed).entries()[key].clone();
        torrent.set(changed, std::str::from_utf8(key).unwrap(), value);
        if other == Format::V2 {
            torrent.set(&[], "piece layers", wrong.clone().at(&["piece layers"]).clone());
        }
        let download = Download::empty(&torrent.encode(), "content");
        download.write("a", &data);
        download
    };
    let v2_bad = download(&["info"], &b"file tree"[..], Format::V2);
    let report = v2_bad.check();
    assert!(report.pieces.iter().all(|verdict| *verdict == PieceVerdict::Bad(WrongHash::OnlyV2)));
    let v1_bad = download(&["info"], &b"pieces"[..], Format::V1);
    let report = v1_bad.check();
    assert!(report.pieces.iter().all(|verdict| *verdict == PieceVerdict::Bad(WrongHash::OnlyV1)));
    assert_eq!(verdicts(&report), [FileVerdict::Bad]);
}
