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
    let wrong: [&[&str]; 26] = [
        &[],
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
        &["it.torrent", "downloads", "--limit", "0"],
        &["it.torrent", "downloads", "--limit", "1T"],
        &["it.torrent", "downloads", "--limit", "17179869184G"],
        &["it.torrent", "--root", "downloads", "--recheck", "1"],
        &["it.torrent", "--root", "downloads", "--files", "a"],
        &["it.torrent", "--root", "downloads", "--content", "downloads/content"],
        &["--root", "downloads"],
        &["downloads", "--root", "downloads"],
        &["it.torrent", "downloads", "--link", "it.torrent"],
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
    let expected = "error: unexpected downloads: to check several torrents, pass the folder of";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    let output = place.run(["downloads", "downloads"]);
    let expected = "error: downloads is a folder, not a TORRENT: to check the torrents in it, pass";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    let output = place.run(["it.torrent", "downloads/content/a.bin"]);
    let expected = "error: cannot open downloads/content/a.bin: ";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    let output = place.run(["it.torrent", "downloads", "--link", "it.torrent"]);
    let expected = "error: it.torrent is a file: --link takes a folder";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    let output = place.run(["info", "downloads"]);
    let expected = "error: cannot read downloads: it is a folder";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    // An endless device is not a torrent.
    #[cfg(target_os = "linux")]
    assert_eq!(code(&place.run(["/dev/zero", "downloads"])), 2);
}

#[test]
fn files_that_are_not_torrents_are_recognised() {
    let place = Place::new(Format::V1);
    let torrent = fs::read(place.path("it.torrent")).unwrap();
    let cut_off = &torrent[..torrent.len() / 2];
    let files: [(&[u8], &str); 20] = [
        (
            b"\x1f\x8b\x08",
            " is not a torrent: it is compressed with gzip; unpack it (gunzip), and pass the \
             .torrent file",
        ),
        (
            b"PK\x03\x04",
            " is not a torrent: it is a zip archive; unpack it, and pass the .torrent files in it",
        ),
        (
            b"\xef\xbb\xbfd4:info",
            " is not a torrent: it begins with a byte order mark, so it was saved as \
             text, which damages it; download it again",
        ),
        (b"", " is not a torrent: it is empty; download it again"),
        (b" \r\n", " is not a torrent: it is empty; download it again"),
        (
            b"\n<!DOCTYPE html><html><title>403 Forbidden</title></html>",
            " is not a torrent: it looks like a web page or an error message of the server; \
             download it again",
        ),
        (
            b"{\"error\": \"login required\"}",
            " is not a torrent: it looks like a web page or an error message of the server; \
             download it again",
        ),
        (
            b"magnet:?xt=urn:btih:0123456789012345678901234567890123456789",
            " is not a torrent: it is a magnet link, which has no hashes of pieces; add it to a \
             client, and pass the .torrent file that the client saves",
        ),
        (
            b"\0\x01\x02",
            " is not a torrent: byte 0x00 cannot begin a value (byte 0); pass the .torrent file",
        ),
        (
            b"d11:file-format22:libtorrent resume filee",
            ": `info` is missing, so this is not a torrent (byte 0)",
        ),
        (
            b"BZh91AY&SY",
            " is not a torrent: it is compressed with bzip2; unpack it (bunzip2), and pass the \
             .torrent file",
        ),
        (
            b"\xfd7zXZ\0\0",
            " is not a torrent: it is compressed with xz; unpack it (unxz), and pass the .torrent \
             file",
        ),
        (
            b"LZIP\x01",
            " is not a torrent: it is compressed with lzip; unpack it (lzip -d), and pass the \
             .torrent file",
        ),
        (
            b"\x04\x22\x4d\x18",
            " is not a torrent: it is compressed with LZ4; unpack it (unlz4), and pass the \
             .torrent file",
        ),
        (
            b"ZDg6YW5ub3VuY2UzNTpodHRwOi8v\nZDg6\n",
            " is not a torrent: it is encoded in Base64; decode it (base64 -d), and pass the \
             .torrent file",
        ),
        (
            b"64383a616e6e6f756e6365\n",
            " is not a torrent: it is encoded in hexadecimal; decode it (xxd -r -p), and pass the \
             .torrent file",
        ),
        (
            b"\xff\xfed\08\0:\0",
            " is not a torrent: it was saved as UTF-16 text, which damages it; download it again",
        ),
        (
            b"\0d\08\0:\0a",
            " is not a torrent: it was saved as UTF-16 text, which damages it; download it again",
        ),
        (
            b"d\08\0:\0a\0",
            " is not a torrent: it was saved as UTF-16 text, which damages it; download it again",
        ),
        (cut_off, "; the file seems to be cut off (byte 169)"),
    ];
    for (bytes, expected) in files {
        fs::write(place.path("x"), bytes).unwrap();
        let output = place.run(["x", "downloads"]);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        let found = stderr(&output).strip_prefix("error: x").unwrap();
        assert!(found.ends_with(&format!("{expected}\n")), "{found}");
        assert_eq!(found.starts_with(" is not"), expected.starts_with(" is not"), "{found}");
    }
}

/// Nobody reads the report.
#[test]
#[cfg(unix)]
fn a_broken_pipe_ends_quietly() {
    let place = Place::new(Format::V1);
    let all: [&[&str]; 3] = [
        &["it.torrent", "downloads", "--state", "alone"],
        &["it.torrent", "it.torrent", "--root", "downloads", "--json", "--state", "state"],
        &["info", "it.torrent"],
    ];
    for arguments in all {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let tool =
            tool.current_dir(place.folder.path()).args(arguments).stdout(writer).output().unwrap();
        assert_eq!((code(&tool), stderr(&tool)), (141, ""), "{arguments:?}");
    }
    // What was checked is kept.
    assert_eq!(fs::read_dir(place.path("alone")).unwrap().count(), 1);
    assert_eq!(fs::read_dir(place.path("state")).unwrap().count(), 1);
}

/// The standard library opens `/dev/null` in place of a stream that is closed.
#[test]
#[cfg(unix)]
fn a_closed_stdout_exits_with_2() {
    let place = Place::new(Format::V1);
    let run = |line: &str| {
        let line = line.replace("TOOL", env!("CARGO_BIN_EXE_torrent-check"));
        let mut shell = Command::new("sh");
        shell.current_dir(place.folder.path()).args(["-c", &line]).output().unwrap()
    };
    for arguments in ["it.torrent downloads", "it.torrent downloads --json", "info it.torrent"] {
        let output = run(&format!("TOOL {arguments} >&-"));
        let expected = "error: cannot write the result: stdout is closed\n";
        assert_eq!((code(&output), stderr(&output)), (2, expected), "{arguments}");
        assert_eq!(code(&run(&format!("TOOL {arguments} >&- 2>&-"))), 2, "{arguments}");
        // A daemon has its own `/dev/null`, whichever way it is open.
        for null in [">/dev/null", "1<>/dev/null"] {
            let output = run(&format!("TOOL {arguments} {null}"));
            assert_eq!((code(&output), stderr(&output)), (0, ""), "{arguments} {null}");
        }
    }
    assert_eq!(code(&run("TOOL --help >&-")), 2);
    // Nothing is printed to stdout, or everything.
    assert_eq!(code(&run("TOOL it.torrent downloads --quiet >&-")), 0);
    let output = run("TOOL it.torrent downloads 2>&-");
    assert!(stdout(&output).contains("complete: 48 of 48 pieces good"), "{}", stdout(&output));
    assert_eq!(code(&output), 0);
    assert_eq!(code(&run("TOOL none.torrent downloads 2>&-")), 2);
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
