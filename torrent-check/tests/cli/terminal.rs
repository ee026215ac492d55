//! Tests on a terminal.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::make::{Format, Maker, content};
use crate::place::{Place, code};
use crate::system::large;

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

/// Whether `setsid` can run a program in a session with a terminal.
fn runs_in_a_session(program: &str) -> bool {
    let (_keyboard, terminal) = terminal();
    let mut session = Command::new("setsid");
    let output = session.args(["--ctty", program, "--version"]).stdin(terminal).output();
    let runs = output.is_ok_and(|output| output.status.success());
    if !runs {
        eprintln!("skipped: cannot run `setsid --ctty {program}`");
    }
    runs
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

/// The line editor of a shell has the terminal in raw mode when a background process starts.
#[test]
fn a_background_process_does_not_restore_the_modes_of_its_start() {
    if !runs_in_a_session("bash") {
        return;
    }
    let Some(place) = large() else { return };
    let (mut keyboard, terminal) = terminal();
    let script = format!(
        "set -m; stty -icanon -echo; {} it.torrent downloads & echo $! > pid; read -r _ < go; \
         stty icanon echo; fg",
        env!("CARGO_BIN_EXE_torrent-check")
    );
    assert!(Command::new("mkfifo").arg(place.path("go")).status().unwrap().success());
    let mut shell = Command::new("setsid")
        .current_dir(place.folder.path())
        .env("TERM", "xterm")
        .args(["--ctty", "bash", "-c", &script])
        .stdin(terminal.try_clone().unwrap())
        .stderr(terminal.try_clone().unwrap())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // The bar is drawn after the terminal was looked at.
    let (mut shown, mut bytes) = (Vec::new(), [0; 1000]);
    while !shown.contains(&b'%') {
        let count = keyboard.read(&mut bytes).unwrap();
        shown.extend(&bytes[..count]);
    }
    let pid = fs::read_to_string(place.path("pid")).unwrap();
    fs::write(place.path("go"), "go\n").unwrap();
    // The eighth field is the foreground process group. The name before it has no space.
    let foreground = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap();
        stat.split(' ').nth(7).map(str::to_owned)
    };
    while foreground().as_deref() != Some(pid.trim()) {
        std::thread::sleep(Duration::from_millis(1));
    }
    keyboard.write_all(b"\x03").unwrap();
    // A terminal whose output nobody reads blocks.
    let reader = std::thread::spawn(move || while keyboard.read(&mut bytes).is_ok() {});
    assert_eq!(shell.wait().unwrap().code(), Some(130));
    let modes = tcgetattr(&terminal).unwrap().local_modes;
    let expected = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ECHOCTL;
    assert!(modes.contains(expected), "{modes:?}");
    drop(terminal);
    reader.join().unwrap();
}

/// The terminal would show `^C` after the progress bar, and the bar would stay above the report.
#[test]
fn ctrl_c_leaves_the_terminal_clean() {
    if !runs_in_a_session(env!("CARGO_BIN_EXE_torrent-check")) {
        return;
    }
    let Some(place) = large() else { return };
    let (mut keyboard, terminal) = terminal();
    let shows_ctrl_c = || tcgetattr(&terminal).unwrap().local_modes.contains(LocalModes::ECHOCTL);
    assert!(shows_ctrl_c());

    // The terminal sends signals to a session only.
    let tool = Command::new("setsid")
        .current_dir(place.folder.path())
        .args(["--ctty", env!("CARGO_BIN_EXE_torrent-check"), "it.torrent", "downloads"])
        .stdin(terminal.try_clone().unwrap())
        .stderr(terminal.try_clone().unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while shows_ctrl_c() {
        std::thread::sleep(Duration::from_millis(1));
    }
    keyboard.write_all(b"\x03").unwrap();
    let output = tool.wait_with_output().unwrap();
    assert_eq!(code(&output), 130);
    assert!(shows_ctrl_c());
    // Reading ends with an error when no terminal is open.
    drop(terminal);
    let mut shown = Vec::new();
    let _ = keyboard.read_to_end(&mut shown);
    let shown = String::from_utf8_lossy(&shown);
    assert!(!shown.contains("^C"), "{shown:?}");
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
