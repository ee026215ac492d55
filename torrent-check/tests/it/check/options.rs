//! Tests of the options of a check: threads, backends, orders and the selection of files.

use std::num::NonZeroUsize;

use torrent_check::{Backend, Check, FileVerdict, Order, PieceVerdict};

use super::download::{Download, KIB, pieces, ragged, three_mib, verdicts};
use crate::make::{FORMATS, Format, content};

/// Asserts that every backend, order and number of threads gives the same report.
///
/// The piece lengths are less than a slice, one slice, several slices and more than a row of a
/// sequential check. v1 also has lengths that are not powers of two.
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
                    let check = Check::new(&download.torrent, download.path())
                        .backend(backend)
                        .order(order);
                    let report = check.threads(NonZeroUsize::new(threads).unwrap()).run().unwrap();
                    let how = format!("{format:?} {piece_length} {backend} {order:?} {threads}");
                    assert_eq!(report.pieces(), expected.pieces(), "{how}");
                    assert_eq!(report.files(), expected.files(), "{how}");
                }
            }
        }
    }
}

#[test]
fn every_way_of_checking_v1_agrees() {
    let lengths = [16 * KIB, 64 * KIB, 128 * KIB, 8 << 20, 1_000, 70_001, (4 << 20) + 1];
    every_way_of_checking_agrees(Format::V1, &lengths);
}

#[test]
fn every_way_of_checking_v2_agrees() {
    every_way_of_checking_agrees(Format::V2, &[16 * KIB, 64 * KIB, 128 * KIB, 8 << 20]);
}

#[test]
fn every_way_of_checking_hybrid_agrees() {
    every_way_of_checking_agrees(Format::Hybrid, &[16 * KIB, 64 * KIB, 128 * KIB]);
}

#[test]
fn only_requested_files_are_checked() {
    for format in FORMATS {
        let download = three_mib(format);
        download.remove("c.bin");
        download.change("b.bin", |data| data[0] ^= 1);
        let only_a = |file: &torrent_check::File| file.path().to_text() == "a.bin";
        let report = Check::new(&download.torrent, download.path()).files(&only_a).run().unwrap();
        assert_eq!(
            verdicts(&report),
            [FileVerdict::Good, FileVerdict::Skipped, FileVerdict::Skipped]
        );
        assert!(report.is_complete());
        let counts = report.counts();
        assert_eq!((counts.good, counts.skipped), (16, 32));
        assert_eq!(report.bytes_checked(), 1 << 20);
    }
}

/// Files that were not requested are read where they share a piece with a requested one.
#[test]
fn neighbours_of_requested_files_are_read() {
    let download = ragged(Format::V1);
    let only_c = |file: &torrent_check::File| file.path().to_text() == "c";
    let check = || Check::new(&download.torrent, download.path()).files(&only_c).run().unwrap();
    let own = check().pieces_of(download.index("c"));
    let report = check();
    assert!(report.is_complete());
    assert_eq!(pieces(&report, |verdict| verdict == PieceVerdict::Good), own.collect::<Vec<_>>());
    download.remove("a/second");
    let report = check();
    assert_eq!(report.files()[download.index("c")].verdict, FileVerdict::Unverifiable);
    let second = download.index("a/second");
    assert_eq!(report.files()[second].verdict, FileVerdict::Skipped);
    assert_eq!(report.cause(second), FileVerdict::Missing);
}

#[test]
fn more_files_than_may_be_open() {
    for format in FORMATS {
        let names: Vec<String> = (0..1500).map(|i| format!("{i:04}")).collect();
        let files: Vec<_> =
            names.iter().map(|name| (name.as_str(), content(name.len() as u8, 50))).collect();
        let download = Download::folder(format, 64 * KIB, &files);
        let report = download.check();
        assert!(report.is_complete(), "{format:?} {:?}", report.counts());
    }
}
