//! Tests of errors and exit statuses.

use std::fs::{self, File};
use std::process::Command;

use crate::make::Format;
use crate::place::{Place, code, stderr, stdout};

#[test]
fn errors_exit_with_2() {
    let place = Place::new(Format::V1);
    fs::write(place.path("bad.torrent"), "d4:infod4:name1:..e").unwrap();
    fs::write(place.path("empty.torrent"), "").unwrap();
    let wrong: [&[&str]; 18] = [
        &[],
        &["it.torrent"],
        &["it.torrent", "downloads", "more"],
        &["it.torrent", "it.torrent", "downloads", "--quiet"],
        &["it.torrent", "downloads", "--content", "downloads/content"],
        &["none.torrent", "downloads"],
        &["downloads", "downloads"],
        &["bad.torrent", "downloads"],
        &["empty.torrent", "downloads"],
        &["it.torrent", "nowhere"],
        &["it.torrent", "--content", "nowhere"],
        &["it.torrent", "downloads", "--threads", "0"],
        &["it.torrent", "downloads", "--backend", "none"],
        &["it.torrent", "downloads", "--order", "none"],
        &["it.torrent", "downloads", "--files", "[a"],
        &["it.torrent", "downloads", "--files", "none*"],
        &["info"],
        &["info", "bad.torrent"],
    ];
    for arguments in wrong {
        let output = place.run(arguments);
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{arguments:?}");
        assert!(
            stderr(&output).starts_with("error: ") || stderr(&output).contains("Usage"),
            "{}",
            stderr(&output)
        );
    }
    let output = place.run(["it.torrent", "it.torrent", "downloads"]);
    let expected = "error: unexpected downloads: one torrent and one DOWNLOAD_DIR are checked at";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    let output = place.run(["it.torrent", "downloads/content/a.bin"]);
    assert!(stderr(&output).contains("pass it with --content"), "{}", stderr(&output));
    // An endless device is not a torrent.
    #[cfg(target_os = "linux")]
    assert_eq!(code(&place.run(["/dev/zero", "downloads"])), 2);
}

/// If nobody reads the report, the exit status is still that of the content.
#[test]
#[cfg(unix)]
fn a_broken_pipe_is_not_an_error() {
    let place = Place::new(Format::V1);
    for (arguments, expected) in [(["it.torrent", "downloads"], 0), (["info", "it.torrent"], 0)] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let tool =
            tool.current_dir(place.folder.path()).args(arguments).stdout(writer).output().unwrap();
        assert_eq!((code(&tool), stderr(&tool)), (expected, ""));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_exits_with_2() {
    let place = Place::new(Format::V1);
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let status = tool
        .current_dir(place.folder.path())
        .args(["it.torrent", "downloads"])
        .stdout(full)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}
