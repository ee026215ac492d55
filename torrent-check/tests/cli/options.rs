//! Tests of the options.

use std::ffi::OsStr;
use std::fs;

use serde_json::json;

use crate::make::{self, FORMATS, Format, Maker, content};
use crate::place::{Place, code, lines, object, stderr, stdout};

/// The backend that is reported is the default of the process, which nothing may use before it is
/// set.
#[test]
fn every_backend_and_order_can_be_selected() {
    let place = Place::new(Format::V1);
    for backend in torrent_check::Backend::available() {
        let output = place.check(&["--json", "--backend", backend.name(), "--order", "sequential"]);
        assert_eq!((code(&output), object(&output)["backend"].as_str()), (0, Some(backend.name())));
    }
    assert_eq!(code(&place.check(&["--order", "interleaved", "--threads", "3"])), 0);
}

/// Files can be selected by the names that the table and JSON print.
#[test]
#[cfg(target_os = "linux")]
fn printed_names_select_files() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new(Format::V1);
    let names = [&b"caf\xe9.txt"[..], b"[a", b"b\\c", b"e\x1b"];
    let mut made = Maker::folder("odd", 16 << 10);
    fs::create_dir(place.path("downloads/odd")).unwrap();
    for (index, name) in names.iter().enumerate() {
        made = made.file(&index.to_string(), content(index as u8, 16 << 10));
        let path = place.path("downloads/odd").join(OsStr::from_bytes(name));
        fs::write(path, content(index as u8, 16 << 10)).unwrap();
    }
    let mut made = made.torrent(Format::V1);
    for (index, name) in names.iter().enumerate() {
        let path = make::Value::List(vec![name.to_vec().into()]);
        made.set(&["info", "files", &index.to_string()], "path", path);
    }
    fs::write(place.path("it.torrent"), made.encode()).unwrap();
    let all = place.check(&[]);
    assert_eq!(code(&all), 0, "{}", stdout(&all));
    let printed: Vec<&str> =
        stdout(&all).lines().skip(4).take(4).map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(printed, [r"caf\xe9.txt", "[a", r"b\\c", r"e\u{1b}"]);
    for name in printed.into_iter().chain([r"b\x5cc"]) {
        let output = place.check(&["--files", name]);
        assert!(stdout(&output).contains("1 of 1 file good"), "{name}: {}", stdout(&output));
    }
}

/// In v1, most small files have no piece of their own.
#[test]
fn files_that_cannot_be_searched_for_are_counted() {
    let place = Place::new(Format::V1);
    let mut maker = Maker::folder("content", 16 << 10);
    for (seed, name) in (1..).zip(["b", "c", "d", "e"]) {
        maker = maker.file(name, content(seed, 1000));
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    fs::write(place.content("b"), content(1, 1000)).unwrap();
    fs::write(place.content("c"), content(2, 999)).unwrap();
    let output = place.check(&["--find-renamed"]);
    let expected = "4 files cannot be checked alone: every piece of them also covers a file that \
                    is missing or wrong; --json names them";
    assert_eq!(lines(&output, "4 files "), [expected], "{}", stdout(&output));
    assert!(!stdout(&place.check(&[])).contains("alone"));
    let report = object(&place.check(&["--find-renamed", "--json"]));
    assert_eq!(report["files"][1]["is_unsearchable"], true);
    assert_eq!(object(&place.check(&["--json"]))["files"][1]["is_unsearchable"], json!(null));
}

#[test]
fn files_that_are_not_in_the_torrent_are_listed() {
    let place = Place::new(Format::Hybrid);
    assert_eq!(object(&place.check(&["--extra", "--json"]))["extra"], json!(null));
    fs::create_dir_all(place.content("sub/new")).unwrap();
    fs::write(place.content("sub/new/d.bin"), "d").unwrap();
    fs::write(place.content("e"), "e").unwrap();
    let output = place.check(&["--extra"]);
    assert_eq!(code(&output), 0);
    assert_eq!(lines(&output, "e: "), ["e: not in the torrent"]);
    let extra = ["e", "sub/new/d.bin"];
    assert_eq!(object(&place.check(&["--extra", "--json"]))["extra"], json!(extra));
    assert!(place.content("e").exists(), "nothing is deleted");

    // A single file has no folder of its own.
    let torrent = Maker::single("single", 16 << 10, content(1, 10)).bytes(Format::V1);
    fs::write(place.path("it.torrent"), torrent).unwrap();
    fs::write(place.path("downloads/single"), content(1, 10)).unwrap();
    assert_eq!(object(&place.check(&["--extra", "--json"]))["extra"], json!(null));
}

#[test]
fn sizes_can_be_checked_alone() {
    for format in FORMATS {
        let place = Place::new(format);
        place.change("a.bin", |data| data[0] ^= 1);
        let sizes = |options: &[&str]| place.check(&[&["--sizes-only"], options].concat());
        let output = sizes(&[]);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
        let text = stdout(&output);
        assert!(text.ends_with("content\n\nall sizes are right: 3 of 3 files right\n"), "{text}");
        let report = object(&sizes(&["--json"]));
        let found = [&report["right_lengths"], &report["complete"], &report["bytes_checked"]];
        assert_eq!(found, [&json!(true), &json!(false), &json!(0)]);

        place.change("b.bin", |data| data.truncate(5));
        let output = sizes(&["--quiet"]);
        assert_eq!(code(&output), 1);
        assert!(lines(&output, "b.bin")[0].ends_with("1048571 bytes too short"));
        assert!(
            stdout(&output).contains("wrong sizes: 2 of 3 files right\n"),
            "{}",
            stdout(&output)
        );
        fs::remove_file(place.content("b.bin")).unwrap();
        assert_eq!(object(&sizes(&["--json"]))["right_lengths"], false);
    }
}

#[test]
fn the_first_damage_can_end_the_check() {
    for format in FORMATS {
        let place = Place::new(format);
        let fast = || object(&place.check(&["--fail-fast", "--threads", "1", "--json"]));
        assert_eq!(fast()["complete"], true);
        place.change("a.bin", |data| data[0] ^= 1);
        let output = place.check(&["--fail-fast", "--threads", "1"]);
        assert_eq!(code(&output), 1, "the check is not cancelled");
        assert!(stdout(&output).contains("]  not checked\n"), "{}", stdout(&output));
        // Files that were not begun are only counted.
        let quiet = place.check(&["--fail-fast", "--threads", "1", "--quiet"]);
        let lines: Vec<&str> = stdout(&quiet).lines().collect();
        assert!(lines.len() == 3 && lines[0].starts_with("a.bin"), "{lines:?}");
        assert!(lines[2].starts_with("incomplete: 15 of 48 pieces good, 1 bad, 32 not checked"));
        let report = fast();
        // The first 16 pieces are read together.
        assert_eq!(report["bytes_checked"], 1 << 20);
        let counts = &report["pieces"];
        assert_eq!((&counts["bad"], &counts["unchecked"]), (&json!(1), &json!(32)));
        // The lengths show that it is not complete.
        fs::remove_file(place.content("sub/c.bin")).unwrap();
        assert_eq!(fast()["bytes_checked"], 0);
    }
}

#[test]
fn the_rate_can_be_limited() {
    let place = Place::new(Format::V1);
    for (unit, bits) in [("", 0), ("K", 10), ("M", 20), ("G", 30)] {
        let check = |rate: u128| code(&place.check(&["--limit", &format!("{rate}{unit}")]));
        let too_fast = (1 << 64) >> bits;
        assert_eq!([too_fast - 1, too_fast, 0].map(check), [0, 2, 2], "{unit}");
    }
}

/// Only the limit delays the check.
#[test]
#[cfg(target_os = "linux")]
fn a_limited_check_waits() {
    let place = Place::new(Format::V1);
    let mut tool = std::process::Command::new("timeout");
    tool.current_dir(place.folder.path()).args(["--preserve-status", "-s", "INT", "1"]);
    tool.args([env!("CARGO_BIN_EXE_torrent-check"), "it.torrent", "downloads", "--limit", "1"]);
    assert_eq!(code(&tool.output().unwrap()), 130);
}

/// JSON names the first places of a file, and the pieces in damaged copies.
#[test]
fn copies_are_listed() {
    let place = Place::new(Format::Hybrid);
    fs::create_dir(place.path("loose")).unwrap();
    let (whole, mut damaged) =
        (fs::read(place.content("a.bin")).unwrap(), fs::read(place.content("b.bin")).unwrap());
    for copy in 0..20 {
        fs::write(place.path("loose").join(copy.to_string()), &whole).unwrap();
    }
    damaged[0] ^= 1;
    fs::write(place.path("loose/damaged"), damaged).unwrap();
    fs::remove_file(place.content("a.bin")).unwrap();
    fs::remove_file(place.content("b.bin")).unwrap();
    let report = object(&place.run(["it.torrent", "loose", "--find-renamed", "--json"]));
    let files = &report["files"];
    assert_eq!(files[0]["found_as"].as_array().unwrap().len(), 16);
    assert_eq!(files[0]["found_as_not_listed"], 4);
    assert!(files[1]["copies"][0]["path"].as_str().unwrap().ends_with("damaged"));
    let good = json!([{ "first_piece": 17, "last_piece": 31 }]);
    assert_eq!(files[1]["copies"][0]["pieces"], good);
    assert_eq!(report["all_pieces_exist"], false);
}

/// An album of loose files with other names is laid out with links, and then complete.
#[test]
fn loose_files_are_laid_out() {
    for format in FORMATS {
        let place = Place::new(format);
        fs::create_dir_all(place.path("loose/deep")).unwrap();
        for (from, to) in
            [("a.bin", "loose/1"), ("b.bin", "loose/deep/2"), ("sub/c.bin", "loose/3")]
        {
            fs::rename(place.content(from), place.path(to)).unwrap();
        }
        let check = |arguments: &[&str]| place.run(["it.torrent"].iter().chain(arguments));
        let output = check(&["loose", "--find-renamed"]);
        assert_eq!(code(&output), 1);
        let line = "all pieces exist: 48 pieces found elsewhere; --link DIR lays out";
        assert!(stdout(&output).contains(line), "{}", stdout(&output));
        let report = object(&check(&["loose", "--find-renamed", "--json"]));
        assert_eq!(
            (&report["pieces_found"], &report["all_pieces_exist"]),
            (&json!(48), &json!(true))
        );
        let output = check(&["loose", "--link", "seed"]);
        let line = "laid out in seed: 3 of 3 files (3 hard links)\n";
        let line = if stdout(&output).contains("reflink") { "(3 reflinks)" } else { line };
        assert!(stdout(&output).contains(line), "{}", stdout(&output));
        assert_eq!((code(&output), stderr(&output)), (0, ""));
        assert_eq!(code(&check(&["seed"])), 0);
        assert_eq!(code(&check(&["--root", "loose", "--link", "seed", "-q"])), 0);
        let output = check(&["loose", "--link", "other", "--link-kind", "symbolic"]);
        assert_eq!(code(&output), 0);
        #[cfg(unix)]
        assert!(place.path("other/content/a.bin").is_symlink());
        assert_eq!(code(&check(&["other"])), 2);
        assert_eq!(code(&check(&["other", "--follow-links"])), 0);
        // Nothing is overwritten.
        fs::remove_file(place.path("seed/content/b.bin")).unwrap();
        fs::write(place.path("seed/content/b.bin"), "mine").unwrap();
        let output = check(&["loose", "--link", "seed"]);
        assert_eq!(code(&output), 1);
        let line = "not laid out: content/b.bin: something else is in its place\n";
        assert!(stdout(&output).contains(line), "{}", stdout(&output));
        assert!(stdout(&output).contains("laid out in seed: 2 of 3 files (2 already there)"));
        let layout = object(&check(&["loose", "--link", "seed", "--json"]))["layout"].clone();
        assert_eq!((&layout["complete"], &layout["laid_out"]), (&json!(false), &json!(2)));
        let outcomes = ["already_there", "conflict", "already_there"];
        for (file, outcome) in layout["files"].as_array().unwrap().iter().zip(outcomes) {
            assert_eq!(file["outcome"], *outcome, "{layout}");
        }
        assert_eq!(fs::read(place.path("seed/content/b.bin")).unwrap(), b"mine");
    }
}

/// A film without the description beside it is likely right, and the pieces that are not verified
/// are listed with the reason.
#[test]
fn likely_files_are_explained() {
    let place = Place::new(Format::V1);
    let maker = Maker::folder("film", 16 << 10).file("a.nfo", content(1, 100));
    let maker = maker.file("film.mkv", content(2, 100_000));
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    fs::create_dir(place.path("loose")).unwrap();
    fs::write(place.path("loose/x"), content(2, 100_000)).unwrap();
    let file =
        object(&place.run(["it.torrent", "loose", "--link", "seed", "--json"]))["files"][1].take();
    assert_eq!((&file["finding"], &file["pieces_verified"]), (&json!("likely"), &json!(6)));
    assert_eq!(file["unproven_pieces"], json!([{ "piece": 0, "because_of": [0] }]));
    let output = place.run(["it.torrent", "loose", "--link", "seed"]);
    let line = "6 of 7 pieces verified: shares a piece with a.nfo, not found\n";
    assert!(stdout(&output).contains(line), "{}", stdout(&output));
}
