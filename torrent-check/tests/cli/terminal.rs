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

/// What a check prints on a terminal of so many columns.
fn shown_on(place: &Place, columns: u16, code: Option<i32>) -> String {
    let (mut screen, terminal) = terminal();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
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
    assert_eq!(tool.wait().unwrap().code(), code);
    String::from_utf8(shown).unwrap()
}

/// The rows of the table do not wrap.
#[test]
fn the_table_fits_40_columns() {
    let place = Place::new(Format::V1);
    place.change("b.bin", |data| data[0] ^= 1);
    fs::remove_file(place.content("sub/c.bin")).unwrap();
    let shown = shown_on(&place, 40, Some(1));
    let rows: Vec<&str> = shown.lines().skip_while(|it| *it != "a.bin").take(8).collect();
    let expected = [
        "a.bin",
        "    1.00 MiB  [██████████████]  good",
        "b.bin",
        "    1.00 MiB  [×█████████████]",
        "    bad: 15 of 16 pieces good",
        "    bytes 0 to 65535 (piece 16): bad",
        "sub/c.bin",
        "    1.00 MiB  [··············]  missing",
    ];
    assert_eq!(rows, expected, "{shown}");
    assert!(rows.iter().all(|row| row.chars().count() <= 40));
    // Other lines break between words, as the summary does.
    let summary: Vec<&str> = shown.lines().skip_while(|it| !it.starts_with("incomplete")).collect();
    let expected =
        ["incomplete: 31 of 48 pieces good, 1 bad,", "    16 missing; 1 of 3 files good"];
    assert_eq!(summary[..2], expected, "{shown}");
    assert!(summary.iter().all(|line| line.chars().count() <= 40), "{shown}");
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
    let shown = shown_on(&place, 80, Some(0));
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
