//! Tests of the table.

use std::ffi::OsStr;
use std::fs;

use serde_json::json;

use crate::make::{self, FORMATS, Format, Maker, content, strings};
use crate::place::{Place, code, lines, object, stderr, stdout};

#[test]
fn complete_content_exits_with_0() {
    for format in FORMATS {
        let place = Place::new(format);
        let output = place.check(&[]);
        assert_eq!((code(&output), stderr(&output)), (0, ""));
        let text = stdout(&output);
        assert!(text.starts_with("content: "), "{text}");
        assert!(text.contains("3 files, 3.00 MiB, 48 pieces of 64.00 KiB\n"), "{text}");
        assert_eq!(text.contains("info hash v1"), format != Format::V2);
        assert_eq!(text.contains("info hash v2"), format != Format::V1);
        assert_eq!(
            lines(&output, "sub/c.bin"),
            ["sub/c.bin    1.00 MiB  [████████████████████████]  good"]
        );
        assert!(text.contains("complete: 48 of 48 pieces good; 3 of 3 files good\n"), "{text}");

        let quiet = place.check(&["--quiet"]);
        assert_eq!((code(&quiet), stdout(&quiet), stderr(&quiet)), (0, "", ""));
    }
}

#[test]
fn damaged_content_exits_with_1_and_is_explained() {
    for format in FORMATS {
        let place = Place::new(format);
        place.change("a.bin", |data| data[100_000] ^= 1);
        place.change("b.bin", |data| data.extend(*b"excess"));
        fs::remove_file(place.content("sub/c.bin")).unwrap();
        let output = place.check(&[]);
        assert_eq!((code(&output), stderr(&output)), (1, ""));
        let a = lines(&output, "a.bin");
        assert!(
            a[0].ends_with("[██×█████████████████████]  bad: 15 of 16 pieces good"),
            "{}",
            a[0]
        );
        assert_eq!(a[1..], ["    bytes 65536 to 131071 (piece 1): bad"]);
        let b = lines(&output, "b.bin");
        assert!(b[0].ends_with("6 bytes too long, all pieces good"), "{}", b[0]);
        let c = lines(&output, "sub/c.bin");
        assert!(c[0].ends_with("[························]  missing"), "{}", c[0]);
        let summary = "incomplete: 31 of 48 pieces good, 1 bad, 16 missing; 0 of 3 files good\n";
        assert!(stdout(&output).contains(summary), "{}", stdout(&output));
        // Only lines about files that are not good, and the summary.
        let quiet = place.check(&["--quiet", "--files", "*.bin"]);
        assert_eq!((code(&quiet), stdout(&quiet).lines().count()), (1, 5));
        let quiet = place.check(&["--quiet", "--files", "sub/*"]);
        assert_eq!((code(&quiet), stdout(&quiet).lines().count()), (1, 2));
    }
}

/// The last of 48 pieces is not downloaded, and another one is bad.
#[test]
fn downloads_that_aria2_has_not_finished_are_explained() {
    let place = Place::new(Format::V1);
    place.change("a.bin", |data| data[100_000] ^= 1);
    place.change("sub/c.bin", |data| data[983_040..].fill(0));
    let mut control = vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    control.extend((64_u32 << 10).to_be_bytes());
    control.extend((3_u64 << 20).to_be_bytes());
    control.extend(0_u64.to_be_bytes());
    control.extend(6_u32.to_be_bytes());
    control.extend([255, 255, 255, 255, 255, 254, 0, 0, 0, 0]);
    fs::write(place.path("downloads/content.aria2"), control).unwrap();
    let output = place.check(&[]);
    assert_eq!(code(&output), 1);
    assert!(lines(&output, "a.bin")[0].ends_with("  bad: 15 of 16 pieces good"));
    let c = lines(&output, "sub/c.bin");
    let end = "6 % not downloaded yet, 15 of 16 pieces good; aria2 has not finished this file";
    assert!(c[0].ends_with(end), "{}", c[0]);
    assert_eq!(c[1..], ["    bytes 983040 to 1048575 (piece 47): missing"]);
    let files = object(&place.check(&["--json"]))["files"].clone();
    let marks = [0, 1, 2].map(|file| files[file].get("unfinished_by").cloned());
    assert_eq!(marks, [None, None, Some(json!("aria2"))]);
    // Without reading, the control file tells.
    let output = place.check(&["--sizes-only"]);
    assert_eq!(code(&output), 0);
    let end = "not checked; aria2 has not finished this file";
    assert!(lines(&output, "sub/c.bin")[0].ends_with(end), "{}", stdout(&output));
    assert!(!stdout(&output).contains("\na.bin"), "{}", stdout(&output));
}

/// The causes include files that were not requested.
#[test]
fn pieces_that_span_files_are_explained() {
    let place = Place::new(Format::V1);
    let torrent = Maker::folder("content", 50_000)
        .file("a.bin", content(0, 1 << 20))
        .file("b.bin", content(1, 1 << 20));
    fs::write(place.path("it.torrent"), torrent.bytes(Format::V1)).unwrap();
    assert_eq!(code(&place.check(&[])), 0);
    place.change("a.bin", |data| data[1_048_000] ^= 1);
    let bad = "    bytes 0 to 1423 (piece 20): bad, here or in a.bin";
    assert_eq!(lines(&place.check(&[]), "b.bin")[1..], [bad]);
    place.change("a.bin", |data| data.truncate(1_030_000));
    let own =
        "    bytes 1000000 to 1048575 (piece 20): unverifiable, the file ends at byte 1030000";
    assert_eq!(lines(&place.check(&[]), "a.bin")[1..], [own]);
    let shared =
        "    bytes 0 to 1423 (piece 20): unverifiable, shares a piece with truncated a.bin";
    assert_eq!(lines(&place.check(&["--files", "b.bin"]), "b.bin")[1..], [shared]);
    fs::remove_file(place.content("a.bin")).unwrap();
    let shared = "    bytes 0 to 1423 (piece 20): unverifiable, shares a piece with missing a.bin";
    assert_eq!(lines(&place.check(&["--files", "b.bin"]), "b.bin")[1..], [shared]);
    // So is a file with an invalid name, which would be saved as `a.bin`.
    let mut made = torrent.torrent(Format::V1);
    made.set(&["info", "files", "0"], "path", strings(["a/.bin"]));
    fs::write(place.path("it.torrent"), made.encode()).unwrap();
    assert_eq!(lines(&place.check(&["--files", "b.bin"]), "b.bin")[1..], [shared]);
    fs::write(place.path("it.torrent"), torrent.bytes(Format::V1)).unwrap();
    // A link to itself is unreadable.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.bin", place.content("a.bin")).unwrap();
        place.change("b.bin", |data| data.truncate(1_000));
        let own = "    bytes 0 to 1048575 (pieces 0 to 20): unverifiable";
        assert_eq!(lines(&place.check(&[]), "a.bin")[1..], [own]);
    }
}

/// Every file lists the same few causes, and not every file is listed.
#[test]
fn a_piece_of_very_many_files() {
    let place = Place::new(Format::V1);
    let files = 2_000;
    let mut maker = Maker::folder("many", 1 << 20);
    fs::create_dir(place.path("downloads/many")).unwrap();
    for file in 0..files {
        maker = maker.file(&format!("{file:04}"), "x");
        if file < files - 4 {
            fs::write(place.path(&format!("downloads/many/{file:04}")), "x").unwrap();
        }
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    let output = place.check(&[]);
    let cause = "    bytes 0 to 0 (piece 0): unverifiable, shares a piece with missing 1996, \
                 missing 1997, missing 1998";
    assert_eq!(lines(&output, "0000")[1..], [cause]);
    assert_eq!(lines(&output, "0099")[1..], [cause]);
    assert_eq!(
        lines(&output, "1896 more files not listed: unverifiable; --verbose lists all").len(),
        1
    );
    assert_eq!(stdout(&output).matches("unverifiable, shares").count(), 100);
    assert_eq!(stdout(&place.check(&["--quiet"])).matches("unverifiable, shares").count(), 100);
    let because = &object(&place.check(&["--json"]))["damaged_pieces"][0]["because_of"];
    assert_eq!(*because, json!([1996, 1997, 1998, 1999]));
}

#[test]
fn many_good_files_are_counted() {
    let place = Place::new(Format::V1);
    let mut maker = Maker::folder("many", 16 << 10);
    fs::create_dir(place.path("downloads/many")).unwrap();
    for file in 0..101 {
        maker = maker.file(&format!("{file:03}"), content(file, 16 << 10));
        let path = place.path(&format!("downloads/many/{file:03}"));
        fs::write(path, content(file, 16 << 10)).unwrap();
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    let output = place.check(&[]);
    assert!(stdout(&output).lines().count() < 10, "{}", stdout(&output));
    assert!(stdout(&output).contains("\n101 files are good and not listed"));
    fs::remove_file(place.path("downloads/many/050")).unwrap();
    let output = place.check(&[]);
    assert_eq!(lines(&output, "050").len(), 1);
    assert_eq!(stdout(&output).lines().filter(|line| line.contains("[████")).count(), 100);
}

/// They are all missing.
#[test]
fn files_of_missing_content_are_counted() {
    let place = Place::new(Format::V2);
    fs::remove_dir_all(place.path("downloads/content")).unwrap();
    for options in [&[][..], &["--quiet"]] {
        let output = place.check(options);
        assert_eq!(code(&output), 1);
        let line = "3 missing files: there is no downloads/content; --verbose lists all";
        assert_eq!(lines(&output, line).len(), 1);
        assert!(!stdout(&output).contains("a.bin"), "{}", stdout(&output));
    }
    // A single file has a line of its own.
    let output = place.check(&["--files", "a.bin"]);
    assert!(lines(&output, "a.bin")[0].ends_with("  missing"), "{}", stdout(&output));
}

/// However many files have a verdict, a hundred of them are listed.
#[test]
fn every_verdict_is_summarised() {
    let place = Place::new(Format::V2);
    let mut maker = Maker::folder("many", 16 << 10);
    fs::create_dir(place.path("downloads/many")).unwrap();
    for file in 0..500 {
        maker = maker.file(&format!("{file:03}"), "x");
        fs::write(place.path(&format!("downloads/many/{file:03}")), "y").unwrap();
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V2)).unwrap();
    let check = |options: &[&str], line: &str, names: usize| {
        let output = place.check(options);
        let found = stdout(&output);
        assert_eq!(found.lines().filter(|other| *other == line).count(), 1, "{line}: {found}");
        assert_eq!(found.matches("1 B  [").count(), names, "{found}");
        assert!(found.lines().count() < 2 * names + 10, "{found}");
    };
    let rest = "400 more files not listed: bad; --verbose lists all";
    check(&["-q"], rest, 100);
    // Sixteen pieces are checked together.
    let unchecked = "384 more files not listed: unchecked; --verbose lists all";
    check(&["--fail-fast", "-j1"], unchecked, 116);
    let summary = "incomplete: 0 of 500 pieces good, 16 bad, 484 not checked; 0 of 500 files good";
    check(&["-q", "--fail-fast", "-j1"], summary, 16);
    fs::write(place.path("downloads/many/extra"), "x").unwrap();
    check(&["--verbose", "--extra"], "extra: not in the torrent", 500);
    for file in 0..500 {
        let path = place.path(&format!("downloads/many/{file:03}"));
        match file % 4 {
            0 => fs::remove_file(path).unwrap(),
            1 => fs::write(path, "").unwrap(),
            2 => fs::write(path, "xy").unwrap(),
            _ => {
                fs::remove_file(&path).unwrap();
                fs::create_dir(path).unwrap();
            }
        }
    }
    for verdict in ["missing", "too short", "too long", "not a file"] {
        let rest = format!("25 more files not listed: {verdict}; --verbose lists all");
        check(&[], &rest, 400);
    }
    let extra = |number| fs::write(place.path(&format!("downloads/many/x{number}")), "x").unwrap();
    (0..150).for_each(extra);
    check(&["--extra"], "51 more not in the torrent; --verbose lists all", 400);
}

/// A torrent has the name of a folder once, and JSON has it with each file.
#[test]
#[cfg(unix)]
fn the_lists_of_json_are_bounded() {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    fs::create_dir(place.path("downloads")).unwrap();
    let mut file = make::dictionary([("length", 1.into()), ("pieces root", vec![1; 32].into())]);
    file = make::dictionary([("", file)]);
    let files = 2_000_u64;
    let names = (0..files).map(|name| (name.to_string().into_bytes(), file.clone())).collect();
    let mut tree = make::Value::Dictionary(names);
    for _ in 0..15 {
        tree = make::dictionary([(&*"\u{1b}".repeat(250), tree)]);
    }
    let info = make::dictionary([
        ("file tree", tree),
        ("meta version", 2.into()),
        ("name", "content".into()),
        ("piece length", (16_u64 << 10).into()),
    ]);
    let torrent = make::dictionary([("info", info), ("piece layers", make::dictionary([]))]);
    fs::write(place.path("it.torrent"), torrent.encode()).unwrap();
    let output = place.check(&["--json"]);
    assert!((16 << 20..21 << 20).contains(&output.stdout.len()), "{}", output.stdout.len());
    let object = object(&output);
    let listed = object["files"].as_array().unwrap().len() as u64;
    assert_eq!(listed + object["files_not_listed"].as_u64().unwrap(), files);
}

/// A long path is in the torrent once, however many pieces and files share pieces with its file.
#[test]
fn reports_are_not_much_larger_than_torrents() {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    let long = || make::strings(["\u{1b}"; 15].map(|name| name.repeat(250)).iter().map(|s| &**s));
    // A missing file with one byte in each piece of other files, and one with very many pieces.
    let mut files = Vec::new();
    let file = |path: make::Value, length: u64| {
        make::dictionary([("length", length.into()), ("path", path)])
    };
    for index in 0..2_000 {
        files.push(file(make::strings([index.to_string().as_str()]), 3));
    }
    files.push(file(long(), 20_000));
    let pieces = 26_000_u64.div_ceil(2);
    let info = make::dictionary([
        ("files", make::Value::List(files)),
        ("name", "large".into()),
        ("piece length", 2.into()),
        ("pieces", vec![0; 20 * pieces as usize].into()),
    ]);
    let torrent = make::dictionary([("info", info)]).encode();
    fs::write(place.path("it.torrent"), &torrent).unwrap();
    let path = place.path("downloads/large");
    fs::create_dir_all(&path).unwrap();
    for index in 0..2_000 {
        fs::write(path.join(index.to_string()), "xyz").unwrap();
    }
    let folder = path.join(["\u{1b}"; 14].map(|name| name.repeat(250)).join("/"));
    // The system may not permit such long paths.
    if fs::create_dir_all(&folder).is_ok() {
        fs::write(folder.join("\u{1b}".repeat(250)), vec![0; 20_000]).ok();
    }
    for options in [&["--json"][..], &[]] {
        let output = place.check(options);
        assert_eq!(code(&output), 1);
        let (report, torrent) = (output.stdout.len(), torrent.len());
        assert!(report < 10 * torrent, "{options:?}: {report} bytes of {torrent}");
    }
}

/// Names in the torrent and on disk cannot send control sequences to the terminal.
#[test]
#[cfg(target_os = "linux")]
fn names_are_escaped() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new(Format::V2);
    let name = OsStr::from_bytes(b"\x1b[31m\xff\\x41\xe2\x80\xae");
    fs::rename(place.content("a.bin"), place.content("").join(name)).unwrap();
    let shown = "found as \\u{1b}[31m\\xff\\\\x41\\u{202e}";
    let output = place.check(&["--find-renamed"]);
    assert!(lines(&output, "a.bin")[0].ends_with(shown), "{}", stdout(&output));
    // In JSON, each `\xNN` is a byte of the name.
    let object = object(&place.check(&["--find-renamed", "--json"]));
    assert_eq!(object["files"][0]["found_as"], json!(["\u{1b}[31m\\xff\\x5cx41\u{202e}"]));

    let torrent = Maker::folder("\u{1b}]0;name\u{7}", 16 << 10).file("a", content(0, 10));
    fs::write(place.path("\u{1b}.torrent"), torrent.bytes(Format::V1)).unwrap();
    fs::create_dir(place.path("inner")).unwrap();
    std::os::unix::fs::symlink("../../..", place.path("inner/\u{1b}]0;name\u{7}")).unwrap();
    for arguments in
        [["\u{1b}.torrent", "inner"], ["\u{1b}.torrent", "\u{1b}"], ["\u{1b}", "inner"]]
    {
        let output = place.run(arguments);
        assert_eq!(code(&output), 2);
        assert!(
            stderr(&output).contains("\\u{1b}") && !stderr(&output).contains('\u{1b}'),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn verdicts_can_be_coloured() {
    let place = Place::new(Format::V1);
    fs::remove_file(place.content("a.bin")).unwrap();
    assert!(!stdout(&place.check(&[])).contains('\u{1b}'));
    assert!(!stdout(&place.check(&["--color", "never"])).contains('\u{1b}'));
    let output = place.check(&["--color", "always"]);
    assert!(lines(&output, "a.bin")[0].ends_with("\u{1b}[31mmissing\u{1b}[0m"));
    assert!(lines(&output, "sub/c.bin")[0].ends_with("\u{1b}[32mgood\u{1b}[0m"));
    assert!(stdout(&output).contains("\n\u{1b}[31mincomplete\u{1b}[0m: "), "{}", stdout(&output));
}

/// Characters of two columns, and marks of none.
#[test]
#[cfg(not(windows))]
fn columns_are_aligned() {
    let place = Place::new(Format::V1);
    let mut maker = Maker::folder("wide", 16 << 10);
    fs::create_dir(place.path("downloads/wide")).unwrap();
    let names = ["a\u{301}", "abcdef", "\u{65e5}\u{672c}"];
    for name in names {
        maker = maker.file(name, content(1, 16 << 10));
        fs::write(place.path("downloads/wide").join(name), content(1, 16 << 10)).unwrap();
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    let output = place.check(&[]);
    for (name, spaces) in names.into_iter().zip([5, 0, 2]) {
        let expected = format!("{name}{}   16.00 KiB  [", " ".repeat(spaces));
        assert!(lines(&output, name)[0].starts_with(&expected), "{}", stdout(&output));
    }
}

/// Where stdout is not a terminal, a file has one line.
#[test]
fn a_long_name_does_not_widen_the_other_rows() {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    fs::create_dir_all(place.path("downloads/content")).unwrap();
    let long = "l".repeat(200);
    let maker = Maker::folder("content", 16 << 10).file(&long, [1]).file("short", [2]);
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    let output = place.check(&[]);
    assert!(lines(&output, "short")[0].starts_with("short         1 B  ["), "{}", stdout(&output));
    assert!(lines(&output, "lll")[0].starts_with(&format!("{long}         1 B  [")));
}

/// The client has made the file as long as it will be, and written some of it.
#[test]
#[cfg(target_os = "linux")]
fn what_was_never_written_is_told_apart() {
    use std::os::unix::fs::{FileExt, MetadataExt};
    for format in FORMATS {
        let place = Place::new(format);
        let whole = fs::read(place.content("b.bin")).unwrap();
        let file = fs::File::create(place.content("b.bin")).unwrap();
        file.set_len(1 << 20).unwrap();
        file.write_all_at(&whole[..10 << 16], 0).unwrap();
        if file.metadata().unwrap().blocks() * 512 >= 1 << 20 {
            eprintln!("skipped: this file system does not support holes");
            return;
        }
        let output = place.check(&[]);
        assert_eq!(code(&output), 1);
        let found = lines(&output, "b.bin");
        let expected = "  37 % not downloaded yet, 10 of 16 pieces good";
        assert!(found[0].ends_with(expected), "{found:?}");
        assert_eq!(found[1..], ["    bytes 655360 to 1048575 (pieces 26 to 31): missing"]);
        let report = object(&place.check(&["--json"]));
        assert_eq!(report["files"][1]["verdict"], "unfinished");
        // Others are damaged.
        file.write_all_at(b"x", 5).unwrap();
        let found = place.check(&[]);
        let expected = "  bad: 37 % not downloaded yet, 9 of 16 pieces good";
        assert!(lines(&found, "b.bin")[0].ends_with(expected), "{found:?}");
    }
}

/// A search that ended early is no proof that there is nothing.
#[test]
fn the_limits_of_a_search_are_said() {
    let place = Place::new(Format::V1);
    let deep = place.path("downloads/1/2/3/4/5/6/7/8");
    fs::create_dir_all(&deep).unwrap();
    fs::rename(place.path("downloads/content"), deep.join("content")).unwrap();
    let output = place.check(&[]);
    let line = "searched only 8 folders deep, not downloads/1/2/3/4/5/6/7/8/content\n";
    assert!(stdout(&output).contains(line), "{}", stdout(&output));
    let limits = &object(&place.check(&["--json"]))["search_limits"];
    let at = "downloads/1/2/3/4/5/6/7/8/content";
    assert_eq!(*limits, serde_json::json!([{ "kind": "depth", "max": 8, "at": at }]));
}
