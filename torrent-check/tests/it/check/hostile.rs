//! Tests of folders that try to lead the check out of them, or to block it.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use torrent_check::{Check, CheckError, FileVerdict, Place};

use super::download::{Download, KIB, three_mib, verdicts};
use crate::make::{FORMATS, Format, content};

/// The right content is outside the folder: the report must not reveal that it matches.
#[test]
fn links_that_lead_out_are_not_followed() {
    for format in FORMATS {
        let download = three_mib(format);
        let outside = download.path().join("outside");
        fs::rename(download.place("a.bin"), &outside).unwrap();
        for target in ["../outside".into(), outside.clone()] {
            symlink(&target, download.place("a.bin")).unwrap();
            let report = download.check();
            assert_eq!(verdicts(&report)[0], FileVerdict::EscapesRoot, "{}", target.display());
            assert_eq!(report.counts().good, 32);
            download.remove("a.bin");
        }
        // A linked parent folder is not followed either.
        let download = Download::folder(
            format,
            32 * KIB,
            &[("sub/a", content(1, 50_000)), ("z", content(2, 5))],
        );
        fs::rename(download.place("sub"), download.path().join("outside")).unwrap();
        symlink("../outside", download.place("sub")).unwrap();
        assert_eq!(verdicts(&download.check())[0], FileVerdict::EscapesRoot);
    }
}

#[test]
fn links_within_the_folder_are_followed() {
    for format in FORMATS {
        let download = three_mib(format);
        fs::rename(download.place("a.bin"), download.place("moved")).unwrap();
        symlink("moved", download.place("a.bin")).unwrap();
        assert!(download.check().is_complete());
    }
}

#[test]
fn content_that_links_out_has_to_be_passed() {
    let download = three_mib(Format::V1);
    let elsewhere = tempfile::tempdir().unwrap();
    let moved = elsewhere.path().join("moved");
    fs::rename(download.path().join("content"), &moved).unwrap();
    symlink(&moved, download.path().join("content")).unwrap();
    let error = Check::new(&download.torrent, download.path()).run().unwrap_err();
    assert!(matches!(error, CheckError::ContentEscapes(_)), "{error}");
    let link = download.path().join("content");
    assert!(Check::new(&download.torrent, Place::Content(&link)).run().unwrap().is_complete());
}
