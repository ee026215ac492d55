//! Tests of each kind of damage, in each kind of torrent.

use std::fs::{self, File};
#[cfg(target_os = "linux")]
use std::os::unix::fs::{FileExt, MetadataExt};

#[cfg(target_os = "linux")]
use torrent_check::{Check, Place};
use torrent_check::{FileVerdict, PieceVerdict, WrongHash};

use super::download::{Download, KIB, pieces, ragged, three_mib, verdicts};
use crate::make::{FORMATS, Format, Maker, content};

const BAD: PieceVerdict = PieceVerdict::Bad(WrongHash::All);

#[test]
fn single_files_are_judged_alike() {
    let data = content(9, 100_001);
    for format in FORMATS {
        let download = Download::single(format, 32 * KIB, &data);
        download.change("single.bin", |data| data[99_000] ^= 0x80);
        let report = download.check();
        assert_eq!(pieces(&report, |verdict| verdict == BAD), [3], "{format:?}");

        download.write("single.bin", &data[..40_000]);
        let report = download.check();
        assert_eq!(verdicts(&report), [FileVerdict::TooShort { by: 60_001 }]);
        let counts = report.counts();
        assert_eq!((counts.good, counts.unverifiable, counts.missing), (1, 1, 2));

        download.change("single.bin", |file| *file = [&data[..], &[0]].concat());
        assert_eq!(verdicts(&download.check()), [FileVerdict::TooLong { by: 1 }]);

        download.remove("single.bin");
        let report = download.check();
        assert_eq!(verdicts(&report), [FileVerdict::Missing]);
        assert_eq!(report.counts().missing, 4);
    }
}

#[test]
fn pieces_that_span_files_name_the_missing_one() {
    let download = ragged(Format::V1);
    // With pieces of 32768 bytes, a/first ends in piece 3, a/second in piece 7 and c in piece 9.
    download.remove("a/second");
    let report = download.check();
    let unverifiable = pieces(&report, |verdict| verdict == PieceVerdict::Unverifiable);
    assert_eq!(unverifiable, [3, 7]);
    assert_eq!(pieces(&report, |verdict| verdict == PieceVerdict::Missing), [4, 5, 6]);
    for piece in unverifiable {
        assert_eq!(report.causes(piece).collect::<Vec<_>>(), [download.index("a/second")]);
    }
    let verdicts = verdicts(&report);
    assert_eq!(verdicts[0], FileVerdict::Unverifiable);
    assert_eq!(verdicts[1], FileVerdict::Missing);
    assert_eq!(verdicts[2], FileVerdict::Good, "an empty file has no pieces");
    assert_eq!(verdicts[3], FileVerdict::Unverifiable);
    assert_eq!(verdicts[5], FileVerdict::Good);
    let damage = report.damage(download.index("c"));
    assert_eq!(damage.len(), 1);
    assert_eq!(damage[0].bytes, 0..262_144 - 250_001);

    // In v2 and hybrid torrents no piece spans files.
    for format in [Format::V2, Format::Hybrid] {
        let download = ragged(format);
        download.remove("a/second");
        let report = download.check();
        assert_eq!((report.counts().missing, report.counts().unverifiable), (5, 0));
    }
}

#[test]
fn a_bad_piece_that_spans_files_is_reported_for_each() {
    let download = ragged(Format::V1);
    download.change("a/second", |data| data[0] ^= 1);
    let report = download.check();
    assert_eq!(pieces(&report, |verdict| verdict == BAD), [3]);
    assert_eq!(verdicts(&report)[..2], [FileVerdict::Bad, FileVerdict::Bad]);
    let parts: Vec<_> =
        report.torrent.parts(3).map(|part| (part.file, part.offset, part.length)).collect();
    assert_eq!(parts, [(0, 98_304, 1_696), (1, 0, 31_072)]);
    assert_eq!(report.damage(0)[0].bytes, 98_304..100_000);
    assert_eq!(report.damage(1)[0].bytes, 0..31_072);
}

/// Zeros in holes are good without being read. Holes in place of data were never
/// written.
#[test]
#[cfg(target_os = "linux")]
fn holes_are_not_read() {
    for format in FORMATS {
        let zeros = vec![0; 300_000];
        let files = [("zeros", zeros), ("data", content(1, 300_000))];
        let download = Download::folder(format, 64 * KIB, &files);
        for name in ["zeros", "data"] {
            let file = File::create(download.place(name)).unwrap();
            file.set_len(300_000).unwrap();
            if file.metadata().unwrap().blocks() > 0 {
                eprintln!("skipped: this file system does not support holes");
                return;
            }
        }
        let report = download.check();
        let expected = if download.index("zeros") == 0 {
            [FileVerdict::Good, FileVerdict::Unfinished]
        } else {
            [FileVerdict::Unfinished, FileVerdict::Good]
        };
        // Only in v1 do the two files share a piece.
        if format != Format::V1 {
            assert_eq!(verdicts(&report), expected);
        }
        assert_eq!(
            (report.counts().good, report.counts().missing),
            if format == Format::V1 { (4, 6) } else { (5, 5) }
        );
        assert_eq!(report.bytes_in_holes, report.bytes_checked);

        // Data around a hole has to be read.
        let file = File::options().write(true).open(download.place("data")).unwrap();
        file.write_all_at(&content(1, 64 * KIB + 5_000), 0).unwrap();
        let report = download.check();
        assert!(report.bytes_in_holes < report.bytes_checked);
    }
}

/// Clients leave holes in pieces that they have only begun to write.
#[test]
#[cfg(target_os = "linux")]
fn pieces_with_holes_are_not_downloaded_yet() {
    const LENGTH: usize = 1024 * KIB;
    let data = content(1, LENGTH);
    for format in FORMATS {
        let download = Download::single(format, 64 * KIB, &data);
        for allocates in [false, true] {
            download.remove("single.bin");
            let file = File::create_new(download.place("single.bin")).unwrap();
            file.set_len(LENGTH as u64).unwrap();
            if file.metadata().unwrap().blocks() > 0 {
                eprintln!("skipped: this file system does not support holes");
                return;
            }
            let flags = rustix::fs::FallocateFlags::empty();
            if allocates && rustix::fs::fallocate(&file, flags, 0, LENGTH as u64).is_err() {
                eprintln!("skipped: this file system does not support allocation");
                return;
            }
            // Two pieces, and the first half of the next one.
            file.write_all_at(&data[..160 * KIB], 0).unwrap();
            // The second check finds what the first one has read in the page cache.
            for _ in 0..2 {
                let report = download.check();
                let counts = report.counts();
                assert_eq!((counts.good, counts.missing, counts.bad), (2, 14, 0), "{format:?}");
                assert_eq!(verdicts(&report), [FileVerdict::Unfinished]);
            }

            // A piece without a hole is bad.
            file.write_all_at(b"x", 5).unwrap();
            let report = download.check();
            let counts = report.counts();
            assert_eq!((counts.good, counts.missing, counts.bad), (1, 14, 1), "{format:?}");
            assert_eq!(verdicts(&report), [FileVerdict::Bad]);

            // A hole is good where the torrent has zeros.
            file.write_all_at(&data, 0).unwrap();
            assert!(download.check().is_complete());
        }
        let zeros =
            Download::single(format, 64 * KIB, &[&data[..100 * KIB], &[0; LENGTH]].concat());
        let file = File::create(zeros.place("single.bin")).unwrap();
        file.set_len((LENGTH + 100 * KIB) as u64).unwrap();
        file.write_all_at(&data[..100 * KIB], 0).unwrap();
        assert!(zeros.check().is_complete(), "{format:?}");
    }
}

/// Only a piece that is a hole from its first byte to its last is known without reading.
#[test]
#[cfg(target_os = "linux")]
fn data_beside_a_hole_is_read() {
    const LENGTH: usize = 512 * KIB;
    for format in FORMATS {
        let download = Download::single(format, 128 * KIB, &vec![0; LENGTH]);
        // Data in one place of the second piece: at its beginning, in its middle, at its end.
        for at in [128, 128 + 32, 128 + 64, 256 - 4] {
            let file = File::create(download.place("single.bin")).unwrap();
            file.set_len(LENGTH as u64).unwrap();
            if file.metadata().unwrap().blocks() > 0 {
                eprintln!("skipped: this file system does not support holes");
                return;
            }
            file.write_all_at(b"x", (at * KIB) as u64).unwrap();
            let report = download.check();
            let is_good: Vec<bool> = report.pieces.iter().map(|piece| piece.is_good()).collect();
            assert_eq!(is_good, [true, false, true, true], "{format:?} {at}");
            assert_eq!(report.bytes_in_holes, 384 << 10);
        }
    }
}

/// The check reads a regular system file that has a length but cannot be read.
#[test]
#[cfg(target_os = "linux")]
fn a_file_with_a_read_error_is_unreadable() {
    let unreadable = std::path::Path::new("/sys/class/net/lo/speed");
    if fs::metadata(unreadable).map_or(0, |metadata| metadata.len()) != 4096
        || fs::read(unreadable).is_ok()
    {
        eprintln!("skipped: {} does not exist, or can be read", unreadable.display());
        return;
    }
    for format in FORMATS {
        let torrent = Maker::single("speed", 16 << 10, content(1, 4096)).bytes(format);
        let torrent = torrent_check::Torrent::parse(&torrent).unwrap();
        let report = Check::new(&torrent, Place::Content(unreadable)).run().unwrap();
        assert!(
            matches!(verdicts(&report)[0], FileVerdict::Unreadable(_)),
            "{:?}",
            verdicts(&report)[0]
        );
        assert_eq!(report.pieces, [PieceVerdict::Unverifiable]);
    }
}

#[test]
fn a_folder_in_a_files_place_is_not_a_file() {
    for format in FORMATS {
        let download = three_mib(format);
        download.remove("a.bin");
        fs::create_dir(download.place("a.bin")).unwrap();
        let report = download.check();
        assert_eq!(verdicts(&report)[0], FileVerdict::NotAFile("a folder"));
        // The pieces are not missing, because the path exists.
        assert_eq!((report.counts().missing, report.counts().unverifiable), (0, 16));
        // A file in place of a folder has nothing below it.
        let download = ragged(format);
        fs::remove_dir_all(download.place("a")).unwrap();
        fs::write(download.place("a"), "x").unwrap();
        assert_eq!(verdicts(&download.check())[..2], [FileVerdict::Missing, FileVerdict::Missing]);
    }
}
