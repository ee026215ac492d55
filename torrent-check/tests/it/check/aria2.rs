//! Tests of downloads that aria2 has not finished.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Once;

use torrent_check::{Check, FileVerdict, PieceVerdict, Place, Report, WrongHash};

use super::download::{Download, KIB, pieces, verdicts};
use crate::make::{Format, content};

const BAD: PieceVerdict = PieceVerdict::Bad(WrongHash::All);

/// Written by aria2 1.36.0 for the torrent of `two_files`, whose pieces 2 and 8 were zeros.
const OF_TWO_FILES: &str = "00010000000100000014\
    3a2e554dda8d8c11b05b80464c9d107430c3bbfc\
    000040000000000000027100000000000000000000000002df4000000000";

/// Written by aria2 1.36.0 for the torrent of `single_file`, whose pieces 0 and 6 were zeros.
const OF_SINGLE_FILE: &str = "00010000000100000014\
    6dff8ec47ace7e7c4bc4028b46c6b54aff2e95d5\
    0000400000000000000186a0000000000000000000000001\
    7c00000000";

fn two_files() -> Download {
    let files = [("a", content(1, 100_000)), ("b", content(2, 60_000))];
    Download::folder(Format::V1, 16 * KIB, &files)
}

fn single_file() -> Download {
    Download::single(Format::V1, 16 * KIB, &content(1, 100_000))
}

/// A control file with these fields, from the format's description.
fn control(info_hash: &[u8], piece_length: u32, total: u64, bitfield: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 1, 0, 0, 0, u8::from(!info_hash.is_empty())];
    bytes.extend((info_hash.len() as u32).to_be_bytes());
    bytes.extend(info_hash);
    bytes.extend(piece_length.to_be_bytes());
    bytes.extend(total.to_be_bytes());
    bytes.extend(77_u64.to_be_bytes());
    bytes.extend((bitfield.len() as u32).to_be_bytes());
    bytes.extend(bitfield);
    bytes.extend(0_u32.to_be_bytes());
    bytes
}

/// Replaces bytes of a file by zeros.
fn zero(download: &Download, file: &str, bytes: std::ops::Range<usize>) {
    download.change(file, |data| data[bytes].fill(0));
}

fn unfinished(report: &Report<'_>) -> Vec<bool> {
    report.files.iter().map(|file| file.unfinished_by == Some("aria2")).collect()
}

#[test]
fn pieces_that_aria2_lacks_are_missing() {
    let download = two_files();
    let path = download.path().join("content.aria2");
    fs::write(&path, hex::decode(OF_TWO_FILES).unwrap()).unwrap();
    let report = download.check();
    assert!(report.is_complete());
    assert_eq!(unfinished(&report), [false, false], "good content is finished");

    zero(&download, "a", 32_768..49_152);
    zero(&download, "b", 31_072..47_456);
    let report = download.check();
    assert_eq!(pieces(&report, |verdict| verdict == PieceVerdict::Missing), [2, 8]);
    assert_eq!(verdicts(&report), [FileVerdict::Unfinished, FileVerdict::Unfinished]);
    assert_eq!(unfinished(&report), [true, true]);
    // aria2 has downloaded piece 4.
    download.change("a", |data| data[70_000] ^= 1);
    let report = download.check();
    assert_eq!(pieces(&report, |verdict| verdict == BAD), [4]);
    assert_eq!(verdicts(&report), [FileVerdict::Bad, FileVerdict::Unfinished]);
    // Lengths tell nothing, the control file does.
    let report = Check { lengths_only: true, ..download.to_check() }.run().unwrap();
    assert!(report.has_right_lengths());
    assert_eq!(unfinished(&report), [true, true]);
    // Only requested files are examined.
    let is_b = |file: &torrent_check::File| file.path().to_text() == "b";
    let report = Check { files: Some(&is_b), ..download.to_check() }.run().unwrap();
    assert_eq!(unfinished(&report), [false, true]);
    // The control file is beside content with any name.
    fs::rename(download.path().join("content"), download.path().join("other")).unwrap();
    fs::rename(&path, download.path().join("other.aria2")).unwrap();
    let other = download.path().join("other");
    fs::create_dir(other.join("sub")).unwrap();
    for content in [other.clone(), other.join("."), other.join("sub/..")] {
        let report = Check::new(&download.torrent, Place::Content(&content)).run().unwrap();
        assert_eq!(unfinished(&report), [true, true], "{content:?}");
    }
    fs::rename(&other, download.path().join("content")).unwrap();
    assert_eq!(pieces(&download.check(), |verdict| verdict == BAD), [2, 4, 8]);
}

#[test]
fn a_single_file_that_aria2_has_not_finished() {
    let download = single_file();
    zero(&download, "single.bin", 0..16_384);
    zero(&download, "single.bin", 98_304..100_000);
    assert_eq!(verdicts(&download.check()), [FileVerdict::Bad]);
    let path = download.path().join("single.bin.aria2");
    fs::write(&path, hex::decode(OF_SINGLE_FILE).unwrap()).unwrap();
    let report = download.check();
    assert_eq!(pieces(&report, |verdict| verdict == PieceVerdict::Missing), [0, 6]);
    assert_eq!(
        (verdicts(&report), unfinished(&report)),
        (vec![FileVerdict::Unfinished], vec![true])
    );
    download.remove("single.bin");
    let report = download.check();
    assert_eq!((verdicts(&report), unfinished(&report)), (vec![FileVerdict::Missing], vec![true]));
    // Neither a link nor a folder is a control file.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(unfinished(&download.check()), [false]);
}

/// aria2 goes on downloading during the check.
#[test]
fn pieces_of_a_file_that_changes_are_not_called_missing() {
    let download = two_files();
    let control = download.path().join("content.aria2");
    fs::write(control, hex::decode(OF_TWO_FILES).unwrap()).unwrap();
    zero(&download, "a", 32_768..49_152);
    zero(&download, "b", 31_072..47_456);
    let once = Once::new();
    let b = content(2, 60_000);
    let progress = |_| once.call_once(|| fs::write(download.place("b"), &b).unwrap());
    let (threads, progress) = (Some(NonZeroUsize::MIN), Some(&progress as _));
    let report = Check { threads, progress, ..download.to_check() }.run().unwrap();
    assert_eq!(pieces(&report, |verdict| verdict == PieceVerdict::Missing), [2]);
    let of_b: Vec<u64> = report.torrent.pieces().of_file(1).collect();
    assert_eq!(pieces(&report, |verdict| verdict == PieceVerdict::Unverifiable), of_b);
    assert_eq!(verdicts(&report), [FileVerdict::Unfinished, FileVerdict::Changed]);
}

/// Its lengths may be anything.
#[test]
fn damaged_control_files_still_say_that_a_download_is_unfinished() {
    let download = two_files();
    zero(&download, "a", 32_768..49_152);
    let whole = hex::decode(OF_TWO_FILES).unwrap();
    let check = |bytes: &[u8], is_known: bool| {
        fs::write(download.path().join("content.aria2"), bytes).unwrap();
        let report = download.check();
        // `b` is good as far as it is read, but aria2 lacks its piece 8.
        assert_eq!(unfinished(&report), [true, false], "{bytes:?}");
        let verdict = if is_known { PieceVerdict::Missing } else { BAD };
        assert_eq!(pieces(&report, |other| other == verdict), [2], "{bytes:?}");
    };
    for length in 30..=whole.len() {
        check(&whole[..length], length >= 56);
    }
    // The length of the pieces, both halves of the total, and the length of the bitfield.
    for field in [30, 34, 38, 50] {
        for value in [0_u32, 1, 2, 3, u32::MAX] {
            let mut bytes = whole.clone();
            bytes[field..field + 4].copy_from_slice(&value.to_be_bytes());
            check(&bytes, bytes == whole);
        }
    }
    // Version 0 has the byte order of the computer that wrote it.
    let mut old = whole.clone();
    old[1] = 0;
    check(&old, false);
    // A sparse file of terabytes takes no memory and no time.
    let huge = control(&[], 1, 1 << 40, &[]);
    fs::write(download.path().join("content.aria2"), &huge).unwrap();
    let file = fs::File::options().write(true).open(download.path().join("content.aria2")).unwrap();
    if file.set_len(1 << 40).is_ok() {
        assert_eq!(unfinished(&download.check()), [true, false]);
    }
}

/// A file of this name may be anything, and says nothing then.
#[test]
fn other_files_are_not_control_files() {
    let download = two_files();
    zero(&download, "a", 32_768..49_152);
    let whole = hex::decode(OF_TWO_FILES).unwrap();
    let check = |bytes: &[u8]| {
        fs::write(download.path().join("content.aria2"), bytes).unwrap();
        let report = download.check();
        assert_eq!(unfinished(&report), [false, false], "{bytes:?}");
        assert_eq!(pieces(&report, |verdict| verdict == BAD), [2], "{bytes:?}");
    };
    for length in 0..30 {
        check(&whole[..length]);
    }
    for seed in 0..50 {
        check(&content(seed, 100));
    }
    // The version, the extension, the length of the info hash, and the hash.
    for (byte, value) in [(0, 1), (1, 2), (2, 1), (4, 1), (6, 1), (9, 19), (9, 21), (29, 0)] {
        let mut bytes = whole.clone();
        bytes[byte] = value;
        check(&bytes);
    }
}

/// Opening a pipe could wait for ever.
#[test]
#[cfg(unix)]
fn control_files_are_regular_files() {
    let download = two_files();
    zero(&download, "a", 32_768..49_152);
    let path = download.path().join("content.aria2");
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    assert_eq!(unfinished(&download.check()), [false, false]);
    fs::remove_file(&path).unwrap();
    fs::write(download.path().join("target"), hex::decode(OF_TWO_FILES).unwrap()).unwrap();
    std::os::unix::fs::symlink("target", &path).unwrap();
    assert_eq!(unfinished(&download.check()), [false, false]);
}
