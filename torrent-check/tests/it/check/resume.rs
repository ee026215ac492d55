//! What a check takes over from an earlier one.

use std::fs::File;
use std::time::SystemTime;

use torrent_check::{Check, PieceVerdict, Report, Resume, ResumeError};

use super::download::{Download, pieces, ragged, three_mib};
use crate::make::{FORMATS, Format};

fn check<'d>(download: &'d Download, resume: &'d Resume) -> Report<'d> {
    Check::new(&download.torrent, download.path()).resume(resume).run().unwrap()
}

fn written_and_read(download: &Download, report: &Report<'_>) -> Resume {
    Resume::read(&download.torrent, &report.resume().to_bytes()).unwrap()
}

fn trusted(report: &Report<'_>) -> Vec<u64> {
    pieces(report, |verdict| verdict == PieceVerdict::Trusted)
}

#[test]
fn unchanged_files_are_not_read_again() {
    for format in FORMATS {
        let download = three_mib(format);
        download.change("b.bin", |data| data[0] ^= 1);
        let first = download.check();
        let resume = written_and_read(&download, &first);
        let second = check(&download, &resume);
        assert_eq!(trusted(&second).len(), 47);
        // The bad piece is looked at again.
        assert_eq!(second.bytes_checked(), 64 << 10);
        assert_eq!(second.bitfield(), first.bitfield());
        assert_eq!(second.counts().good, 47);

        // What is trusted goes on to be.
        let resume = written_and_read(&download, &second);
        download.change("a.bin", |data| data[70_000] ^= 1);
        let third = check(&download, &resume);
        assert_eq!(trusted(&third).len(), 31);
        assert_eq!(pieces(&third, |verdict| matches!(verdict, PieceVerdict::Bad(_))), [1, 16]);
    }
}

#[test]
fn pieces_of_changed_and_unchanged_files_are_read() {
    let download = ragged(Format::V1);
    let resume = written_and_read(&download, &download.check());
    download.change("c", |_| ());
    File::options()
        .write(true)
        .open(download.place("c"))
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH)
        .unwrap();
    let report = check(&download, &resume);
    assert!(report.is_complete());
    let own = report.pieces_of(download.index("c"));
    assert_eq!(
        trusted(&report),
        (0..report.counts().total()).filter(|piece| !own.contains(piece)).collect::<Vec<_>>()
    );
}

/// The time of modification can be put back, that of the change cannot.
#[test]
#[cfg(unix)]
fn changes_that_are_hidden_are_noticed() {
    for format in FORMATS {
        let download = three_mib(format);
        let resume = written_and_read(&download, &download.check());
        // Until the file system's clock has gone on.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let file = File::options().write(true).open(download.place("b.bin")).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, b"x", 0).unwrap();
        file.set_modified(modified).unwrap();
        let report = check(&download, &resume);
        assert_eq!(trusted(&report).len(), 32);
        assert_eq!(pieces(&report, |verdict| matches!(verdict, PieceVerdict::Bad(_))), [16]);
    }
}

/// A later write may leave the time of one that has just been.
#[test]
fn files_written_just_now_are_not_trusted() {
    for format in FORMATS {
        let download = three_mib(format);
        let file = File::options().write(true).open(download.place("a.bin")).unwrap();
        file.set_modified(SystemTime::now()).unwrap();
        let resume = written_and_read(&download, &download.check());
        assert_eq!(trusted(&check(&download, &resume)).len(), 32);
    }
}

#[test]
fn what_is_not_checked_is_remembered() {
    let only = |name: &'static str| move |file: &torrent_check::File| file.path().to_text() == name;
    let (only_b, only_c) = (only("b.bin"), only("c.bin"));
    for format in FORMATS {
        let download = three_mib(format);
        let check = |files, resume: Option<&Resume>| {
            let mut check = Check::new(&download.torrent, download.path()).files(files);
            if let Some(resume) = resume {
                check = check.resume(resume);
            }
            written_and_read(&download, &check.run().unwrap())
        };
        let resume = check(&only_b, None);
        let resume = check(&only_c, Some(&resume));
        let report = Check::new(&download.torrent, download.path()).resume(&resume).run().unwrap();
        assert_eq!(trusted(&report), (16..48).collect::<Vec<_>>());
        // Nor does a check that is cancelled forget.
        let cancel = std::sync::atomic::AtomicBool::new(true);
        let all = written_and_read(&download, &report);
        download.change("c.bin", |data| data[0] ^= 1);
        let report = Check::new(&download.torrent, download.path())
            .cancel(&cancel)
            .resume(&all)
            .run()
            .unwrap();
        assert!(report.is_cancelled());
        let resume = written_and_read(&download, &report);
        let report = Check::new(&download.torrent, download.path()).resume(&resume).run().unwrap();
        assert_eq!(trusted(&report), (0..32).collect::<Vec<_>>());
    }
}

/// The flag may be set when all has been done.
#[test]
fn a_check_that_has_nothing_left_is_not_cancelled() {
    let download = three_mib(Format::V1);
    let resume = written_and_read(&download, &download.check());
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let check = Check::new(&download.torrent, download.path()).cancel(&cancel).resume(&resume);
    let report = check.run().unwrap();
    assert!(report.is_complete() && !report.is_cancelled());
}

#[test]
fn other_resume_files_are_refused() {
    let [v1, v2] = [Format::V1, Format::V2].map(three_mib);
    let bytes = v1.check().resume().to_bytes();
    assert!(matches!(Resume::read(&v2.torrent, &bytes), Err(ResumeError::OtherTorrent)));
    for bytes in [&b""[..], b"{}", b"[]", &bytes[..bytes.len() - 1], b"\xff"] {
        assert!(
            matches!(Resume::read(&v1.torrent, bytes), Err(ResumeError::Malformed(_))),
            "{bytes:?}"
        );
    }
    let text = String::from_utf8(bytes).unwrap();
    let other = text.replace("torrent-check resume 1", "torrent-check resume 2");
    assert!(matches!(Resume::read(&v1.torrent, other.as_bytes()), Err(ResumeError::Format(_))));
    for (from, to) in [
        ("ffffffffffff", "ffffffffffffff"),
        ("ffffffffffff", ""),
        ("\"files\":[", "\"files\":[null,"),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text);
        assert!(
            matches!(
                Resume::read(&v1.torrent, damaged.as_bytes()),
                Err(ResumeError::Damaged { .. })
            ),
            "{damaged}"
        );
    }
    // Other characters than digits stand for no good pieces.
    let odd = text.replacen("ffffffffffff", "zzzzzzéé", 1);
    let odd = Resume::read(&v1.torrent, odd.replacen("éé", "ézz", 1).as_bytes());
    if let Ok(odd) = odd {
        assert!(trusted(&check(&v1, &odd)).is_empty());
    }
}
