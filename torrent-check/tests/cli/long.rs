//! A long test of a killed run.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::make::Format;
use crate::place::{Place, code, make_old, objects};

/// A run that is killed in the middle of a torrent leaves what it saved last.
#[test]
#[ignore = "takes long"]
fn a_torrent_killed_in_its_middle_is_resumed_long() {
    let place = Place::new(Format::Hybrid);
    for name in ["a.bin", "b.bin", "sub/c.bin"] {
        make_old(&place.content(name));
    }
    let arguments = ["it.torrent", "--root", "downloads", "--state", "state"];
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
    // The first sixteen pieces of 64 KiB take more than a minute.
    tool.current_dir(place.folder.path()).args(arguments);
    tool.args(["--threads", "1", "--limit", "16K"]);
    let mut tool = tool.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_kept = |entry: Result<fs::DirEntry, _>| {
        entry.is_ok_and(|entry| entry.path().extension() == Some("json".as_ref()))
    };
    while !fs::read_dir(place.path("state")).into_iter().flatten().any(is_kept) {
        assert!(tool.try_wait().unwrap().is_none(), "the run ended");
        std::thread::sleep(Duration::from_millis(10));
    }
    tool.kill().unwrap();
    assert!(!tool.wait().unwrap().success());

    let output = place.run(arguments.iter().chain(&["--json"]));
    let report = &objects(&output)[0];
    assert_eq!((code(&output), &report["pieces"]["trusted"]), (0, &16.into()), "{report}");
    assert_eq!(report["bytes_checked"], 2 << 20, "{report}");
}
