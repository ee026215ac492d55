//! Tests of progress lines and rates. They do not wait.

use std::fs;
use std::time::Duration;

use crate::make::{FORMATS, Format};
use crate::place::{Place, code, stderr, stdout};

#[path = "../../src/cli/terminal/progress_lines.rs"]
mod progress_lines;

#[path = "../../src/cli/terminal/style.rs"]
#[allow(dead_code, reason = "only rates are tested here")]
mod style;

use progress_lines::{Schedule, line, search_line};

#[test]
fn lines_are_ten_seconds_apart() {
    let mut schedule = Schedule::default();
    let due: Vec<u64> = (0..=600)
        .map(|tenths| 100 * tenths)
        .filter(|&milliseconds| schedule.is_due(Duration::from_millis(milliseconds)))
        .collect();
    assert_eq!(due, [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
    // Nothing was read for a while.
    assert!(schedule.is_due(Duration::from_secs(95)));
    assert!(!schedule.is_due(Duration::from_secs(104)));
    assert!(schedule.is_due(Duration::from_secs(105)));
}

#[test]
fn lines_have_what_the_bar_has() {
    assert_eq!(line("x", 1 << 20, 3 << 20, 0), "x: 33%, 1.00 MiB of 3.00 MiB");
    assert_eq!(line("x", 5, 5, 2), "x: 100%, 5 B of 5 B, bad pieces: 2");
    assert_eq!(line("x", 0, 0, 0), "x: 100%, 0 B of 0 B");
    let searching = "searching: 12 files and folders listed";
    assert_eq!(search_line("x", 12, 0), format!("x: {searching}"));
    assert_eq!(search_line("", 12, 1 << 20), format!("{searching}, 1.00 MiB read"));
    // The longest torrent.
    let all = (1 << 63) - 1;
    assert!(line("x", all, all, 0).starts_with("x: 100%, 8"));
}

/// Tiny checks have none.
#[test]
fn rates_have_a_fitting_unit() {
    let rate = |bytes, seconds| style::rate(bytes, seconds).unwrap_or_default();
    assert_eq!(rate(3 << 30, 2.0), "1.50 GiB/s");
    assert_eq!(rate(3 << 20, 2.0), "1.50 MiB/s");
    assert_eq!(rate(5, 1.0), "5 B/s");
    for (bytes, seconds) in [(0, 1.0), (5, 0.0), (5, 0.0099)] {
        assert_eq!(style::rate(bytes, seconds), None);
    }
}

#[test]
fn progress_is_printed_if_asked() {
    for format in FORMATS {
        let place = Place::new(format);
        let output = place.check(&["--progress", "--threads", "1"]);
        assert_eq!((code(&output), stderr(&output)), (0, "content: 33%, 1.00 MiB of 3.00 MiB\n"));
        assert!(stdout(&output).contains("complete: "), "{}", stdout(&output));
    }
    let place = Place::new(Format::V1);
    place.change("a.bin", |data| data[0] ^= 1);
    fs::copy(place.path("it.torrent"), place.path("other.torrent")).unwrap();
    let run = |options: &[&str]| {
        let fixed = ["it.torrent", "other.torrent", "--root", "downloads", "--threads", "1"];
        place.run(fixed.iter().chain(options))
    };
    assert_eq!(stderr(&run(&[])), "");
    // The second torrent is checked soon after the first.
    let output = run(&["--progress"]);
    let first = "torrent 1 of 2, it.torrent: 33%, 1.00 MiB of 3.00 MiB\n";
    assert!(stderr(&output).starts_with(first), "{}", stderr(&output));
    assert_eq!(code(&run(&["--progress", "--quiet"])), 2);
}
