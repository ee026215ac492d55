//! Tests on a terminal.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::make::{Format, Maker, content};
use crate::place::Place;

/// The keyboard of a new terminal, and the terminal itself.
fn terminal() -> (File, File) {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&keyboard).unwrap();
    unlockpt(&keyboard).unwrap();
    let name = ptsname(&keyboard, Vec::new()).unwrap();
    let mut terminal = File::options();
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        terminal.read(true).write(true),
        OpenptFlags::NOCTTY.bits() as i32,
    );
    let terminal = terminal.open(std::ffi::OsStr::from_bytes(name.as_bytes())).unwrap();
    (keyboard.into(), terminal)
}

/// A path that does not fit has its own line.
#[test]
fn bars_are_aligned_on_a_narrow_terminal() {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    fs::create_dir_all(place.path("downloads/content")).unwrap();
    let mut maker = Maker::folder("content", 16 << 10);
    let names = ["a".repeat(30), "b".repeat(31), "\u{65e5}".repeat(15), "\u{672c}".repeat(16)];
    for name in &names {
        maker = maker.file(name, content(1, 16 << 10));
        fs::write(place.path("downloads/content").join(name), content(1, 16 << 10)).unwrap();
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    let (mut screen, terminal) = terminal();
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).unwrap();
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"))
        .current_dir(place.folder.path())
        .args(["it.torrent", "downloads", "--color", "never"])
        .stdin(Stdio::null())
        .stdout(terminal)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut shown = Vec::new();
    // Reading ends with an error when no terminal is open.
    let _ = screen.read_to_end(&mut shown);
    assert_eq!(tool.wait().unwrap().code(), Some(0));
    let shown = String::from_utf8(shown).unwrap();
    let lines: Vec<&str> = shown.lines().skip(4).take(6).collect();
    let rest = "   16.00 KiB  [████████████████████████]  good";
    let [a, b, c, d] = names;
    let spaces = " ".repeat(30);
    let expected = [
        format!("{a}{rest}"),
        b,
        format!("{spaces}{rest}"),
        format!("{c}{rest}"),
        d,
        format!("{spaces}{rest}"),
    ];
    assert_eq!(lines, expected, "{shown}");
}

/// Above the bar.
#[test]
fn many_torrents_are_named_beside_their_bar() {
    let place = Place::new(Format::V1);
    fs::copy(place.path("it.torrent"), place.path("other.torrent")).unwrap();
    let (mut screen, terminal) = terminal();
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).unwrap();
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"))
        .current_dir(place.folder.path())
        .args(["it.torrent", "other.torrent", "--root", "downloads", "--limit", "1K"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(terminal)
        .spawn()
        .unwrap();
    let (mut shown, mut bytes) = (Vec::new(), [0; 1000]);
    while !shown.contains(&b'%') {
        let count = screen.read(&mut bytes).unwrap();
        shown.extend(&bytes[..count]);
    }
    tool.kill().unwrap();
    tool.wait().unwrap();
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains("torrent 1 of 2, it.torrent"), "{shown:?}");
}
