//! Tests of checking many torrents.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::make::{FORMATS, Format, Maker, content, with_checksum};
use crate::place::{Place, code, make_old, objects, output_of, stderr, stdout};

/// A folder `torrents` with torrents of these names, whose content is in `downloads`, and is old.
pub(crate) fn several(format: Format, names: &[&str]) -> Place {
    let place = Place::new(format);
    fs::create_dir(place.path("torrents")).unwrap();
    for (seed, name) in (0..).zip(names) {
        let files = [("x", content(seed, 6 << 14)), ("y", content(seed + 100, 50_000))];
        let mut maker = Maker::folder(name, 16 << 10);
        fs::create_dir(place.path("downloads").join(name)).unwrap();
        for (file, data) in files {
            let path = place.path("downloads").join(name).join(file);
            fs::write(&path, &data).unwrap();
            make_old(&path);
            maker = maker.file(file, data);
        }
        let path = place.path("torrents").join(format!("{name}.torrent"));
        fs::write(path, maker.bytes(format)).unwrap();
    }
    place
}

fn damage(place: &Place, name: &str) {
    let path = place.path("downloads").join(name).join("x");
    let mut data = fs::read(&path).unwrap();
    data[20_000] ^= 1;
    fs::write(&path, data).unwrap();
    make_old(&path);
}

#[test]
fn every_torrent_is_checked_and_the_worst_status_counts() {
    for format in FORMATS {
        let place = several(format, &["a", "b", "c"]);
        let check =
            |options: &[&str]| place.run(["torrents", "--root", "downloads"].iter().chain(options));
        let output = check(&[]);
        assert_eq!((code(&output), stderr(&output)), (0, ""));
        let rows: Vec<&str> = stdout(&output).lines().collect();
        assert_eq!(rows.len(), 4, "{rows:?}");
        assert!(rows[1].starts_with("complete     144.83 KiB  "), "{}", rows[1]);
        assert!(rows[1].ends_with(" s  torrents/b.torrent"), "{}", rows[1]);
        assert!(rows[3].starts_with("3 torrents: 3 complete; 434.48 KiB checked in "), "{rows:?}");
        let quiet = check(&["--quiet"]);
        assert_eq!((code(&quiet), stdout(&quiet), stderr(&quiet)), (0, "", ""));

        damage(&place, "a");
        fs::remove_dir_all(place.path("downloads/b")).unwrap();
        let output = check(&["--quiet"]);
        assert_eq!((code(&output), stderr(&output)), (1, ""));
        let rows: Vec<&str> = stdout(&output).lines().collect();
        assert_eq!(rows[0], "torrents/a.torrent");
        assert!(rows[1].starts_with("x ") && rows[1].contains("bad: 5 of 6 pieces good"));
        assert_eq!(rows[2], "    bytes 16384 to 32767 (piece 1): bad");
        assert!(rows.iter().any(|row| row.starts_with("damaged     ")), "{rows:?}");
        assert!(rows.iter().any(|row| row.starts_with("missing     ")), "{rows:?}");
        let last = "3 torrents: 1 complete, 1 damaged, 1 missing; ";
        assert!(rows.last().unwrap().starts_with(last), "{rows:?}");

        fs::write(place.path("torrents/aa.torrent"), "no torrent").unwrap();
        fs::write(place.path("torrents/notes.txt"), "not a torrent either").unwrap();
        let output = check(&["--json"]);
        assert_eq!(code(&output), 2);
        assert_eq!(stderr(&output).lines().count(), 1);
        let objects = objects(&output);
        let torrents: Vec<&Value> = objects.iter().map(|object| &object["torrent"]).collect();
        let paths = ["a", "aa", "b", "c"].map(|name| json!(format!("torrents/{name}.torrent")));
        assert_eq!(torrents, [&paths[0], &paths[1], &paths[2], &paths[3], &Value::Null]);
        let complete = objects.iter().map(|object| object["complete"].as_bool());
        let complete: Vec<Option<bool>> = complete.collect();
        assert_eq!(complete, [Some(false), None, Some(false), Some(true), None]);
        let error = objects[1]["error"].as_str().unwrap();
        assert!(error.starts_with("torrents/aa.torrent is not a torrent: "), "{error}");
        let mut summary = objects[4]["summary"].clone();
        assert!(summary["seconds"].take().is_f64());
        let expected = json!({
            "torrents": 4, "complete": 1, "right_sizes": 0, "damaged": 1, "missing": 1,
                "elsewhere": 0,
            "links": 0, "unreadable": 1, "cancelled": 0,
            "bytes_checked": 2 * ((6 << 14) + 50_000), "seconds": null,
        });
        assert_eq!(summary, expected);
    }
}

#[test]
fn torrents_and_content_are_found_in_several_places() {
    let place = several(Format::V2, &["a", "b", "c", "d"]);
    fs::create_dir(place.path("other")).unwrap();
    fs::rename(place.path("downloads/b"), place.path("other/b")).unwrap();
    for name in ["c", "d"] {
        let (from, to) = (format!("torrents/{name}.torrent"), format!("{name}.torrent"));
        fs::rename(place.path(&from), place.path(&to)).unwrap();
    }
    fs::write(place.path("list"), "\u{feff}c.torrent\r\n\nnone.torrent\n").unwrap();
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
    tool.current_dir(place.folder.path()).args(["torrents", "-", "--torrents-from", "list"]);
    tool.args(["--root", "other", "--root", "downloads", "--json"]);
    tool.stdin(Stdio::from(File::open(place.path("d.torrent")).unwrap()));
    let output = output_of(&mut tool);
    assert_eq!(code(&output), 2);
    let found: Vec<_> = objects(&output)
        .iter()
        .map(|object| (object["torrent"].clone(), object["content"].clone()))
        .collect();
    let expected = [
        ("torrents/a.torrent", "downloads/a"),
        ("torrents/b.torrent", "other/b"),
        ("-", "downloads/d"),
        ("c.torrent", "downloads/c"),
    ];
    let expected = expected.map(|(torrent, content)| (json!(torrent), json!(content)));
    assert_eq!(found[..4], expected);
    assert_eq!(found[4], (json!("none.torrent"), Value::Null));
    let summary = &objects(&output)[5]["summary"];
    assert_eq!((&summary["complete"], &summary["unreadable"]), (&json!(4), &json!(1)));
}

/// The state folder has the results of each torrent.
#[test]
fn unchanged_torrents_are_not_read_again() {
    let place = several(Format::Hybrid, &["a", "b"]);
    let check = |options: &[&str]| {
        let fixed = ["torrents", "--root", "downloads", "--state", "new/state", "--json"];
        objects(&place.run(fixed.iter().chain(options)))
    };
    let read = |objects: &[Value]| objects[2]["summary"]["bytes_checked"].as_u64().unwrap();
    let all = read(&check(&[]));
    assert_eq!(all, 2 * ((6 << 14) + 50_000));
    assert_eq!(read(&check(&[])), 0);
    damage(&place, "a");
    assert_eq!(read(&check(&[])), 6 << 14);
    // The bad piece is read again, until it is good.
    assert_eq!(read(&check(&[])), 16 << 10);
    assert_eq!(check(&[])[2]["summary"]["damaged"], 1);

    assert_eq!(read(&check(&["--recheck", "0"])), all);
    assert_eq!(read(&check(&["--recheck", "1"])), 16 << 10);
    // All results are 2 days old.
    for entry in fs::read_dir(place.path("new/state")).unwrap() {
        let path = entry.unwrap().path();
        let mut state: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let oldest = state["oldest"].as_u64().unwrap() - 2 * 24 * 60 * 60;
        let text = fs::read_to_string(&path).unwrap();
        let field = format!("\"oldest\":{}", state["oldest"].take());
        assert!(text.contains(&field), "{text}");
        let text = text.replace(&field, &format!("\"oldest\":{oldest}"));
        fs::write(&path, with_checksum(&text)).unwrap();
    }
    assert_eq!(read(&check(&["--recheck", "3"])), 16 << 10);
    // Results stay as old as the oldest of them.
    assert_eq!(read(&check(&["--recheck", "2"])), all);
    assert_eq!(read(&check(&["--recheck", "2"])), 16 << 10);
}

/// The disk with the content is not mounted, or nothing is read.
#[test]
fn results_outlast_checks_that_read_nothing() {
    let place = several(Format::V1, &["a"]);
    let check = |options: &[&str]| {
        let fixed = ["torrents", "--root", "downloads", "--state", "state", "--json"];
        let objects = objects(&place.run(fixed.iter().chain(options)));
        objects[1]["summary"]["bytes_checked"].as_u64().unwrap()
    };
    assert!(check(&[]) > 0);
    let (mounted, unmounted) = (place.path("downloads"), place.path("unmounted"));
    for is_folder_left in [false, true] {
        fs::rename(&mounted, &unmounted).unwrap();
        fs::create_dir_all(if is_folder_left { mounted.join("a") } else { mounted.clone() })
            .unwrap();
        for options in [&[][..], &["--recheck", "0"]] {
            assert_eq!(check(options), 0);
        }
        fs::remove_dir_all(&mounted).unwrap();
        fs::rename(&unmounted, &mounted).unwrap();
        assert_eq!(check(&[]), 0, "nothing is read again");
    }
    assert_eq!(check(&["--sizes-only", "--recheck", "0"]), 0);
    assert_eq!(check(&[]), 0, "nothing is read again");
}

#[test]
fn a_root_that_cannot_be_opened_is_reported_once() {
    let place = several(Format::V1, &["a", "b"]);
    for (nowhere, why) in [("nowhere", "No such file"), ("it.torrent", "not a directory")] {
        let output = place.run(["torrents", "--root", nowhere, "--root", "downloads", "--json"]);
        assert_eq!(code(&output), 2);
        let found = objects(&output);
        let error = found[0]["error"].as_str().unwrap();
        assert!(error.starts_with(&format!("cannot open the root {nowhere}: ")), "{error}");
        assert!(!cfg!(unix) || error.contains(why), "{error}");
        assert_eq!(stderr(&output), format!("error: {error}\n"));
        assert_eq!(found[3]["summary"]["complete"], 2);
        // Nothing can be checked.
        let output = place.run(["torrents", "--root", nowhere]);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        assert_eq!(stderr(&output), format!("error: {error}\n"));
        let output = place.run(["torrents", "--root", nowhere, "--root", "none"]);
        assert_eq!((code(&output), stderr(&output).lines().count()), (2, 1));
    }
}

/// Collections of torrents are sorted into folders, and some have names in capitals. Reading a pipe
/// would wait for a writer.
#[test]
#[cfg(target_os = "linux")]
fn torrents_in_folders_are_found_and_pipes_ignored() {
    let place = several(Format::V1, &["a", "b"]);
    fs::create_dir_all(place.path("torrents/tv/old")).unwrap();
    fs::rename(place.path("torrents/b.torrent"), place.path("torrents/tv/old/B.TORRENT")).unwrap();
    fs::write(place.path("torrents/tv/notes.txt"), "x").unwrap();
    std::os::unix::fs::symlink("..", place.path("torrents/tv/loop")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.path("torrents/broken.torrent")).unwrap();
    let tool = env!("CARGO_BIN_EXE_torrent-check");
    let script = format!(
        "mkfifo torrents/pipe.torrent
        timeout -s KILL 60 {tool} torrents --root downloads --json"
    );
    let mut shell = Command::new("sh");
    let output = shell.current_dir(place.folder.path()).args(["-c", &script]).output().unwrap();
    let found = objects(&output);
    let torrents: Vec<&Value> = found.iter().map(|object| &object["torrent"]).collect();
    let names = ["a.torrent", "broken.torrent", "tv/old/B.TORRENT"];
    assert_eq!(torrents[..3], names.map(|name| json!(format!("torrents/{name}"))).each_ref());
    let summary = &found[3]["summary"];
    assert_eq!((&summary["complete"], &summary["unreadable"]), (&json!(2), &json!(1)));
}

#[test]
#[cfg(unix)]
fn links_out_of_a_root_are_explained() {
    let place = several(Format::V1, &["a", "b"]);
    fs::rename(place.path("downloads/a"), place.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", place.path("downloads/a")).unwrap();
    for arguments in
        [["torrents", "--root", "downloads"], ["torrents/a.torrent", "downloads", "-q"]]
    {
        let output = place.run(arguments);
        let advice = "a link out of the download folder; --follow-links follows it";
        assert!(stderr(&output).contains(advice), "{}", stderr(&output));
        assert_eq!(code(&output), 2);
        let output = place.run(arguments.iter().chain(&["--follow-links"]));
        assert_eq!((code(&output), stderr(&output)), (0, ""));
    }
    // What is behind links in the content is not known, so it is not called damaged.
    let file = fs::read_dir(place.path("downloads/b")).unwrap().next().unwrap().unwrap().path();
    let store = place.path("store");
    fs::rename(&file, &store).unwrap();
    std::os::unix::fs::symlink(&store, &file).unwrap();
    let arguments = ["torrents/b.torrent", "--root", "downloads"];
    let output = place.run(arguments);
    assert_eq!(code(&output), 2);
    let lines = ["a link, not followed", "links       ", "1 torrent: 0 complete, 1 links;"];
    for line in lines {
        assert!(stdout(&output).contains(line), "{line}: {}", stdout(&output));
    }
    let output = place.run(["torrents/b.torrent", "downloads"]);
    for line in ["\nnot followed: ", "are not followed; --follow-links reads them\n"] {
        assert!(stdout(&output).contains(line), "{line}: {}", stdout(&output));
    }
    assert_eq!(code(&place.run(arguments.iter().chain(&["--follow-links"]))), 0);
}

#[test]
fn right_sizes_are_not_called_complete() {
    let place = several(Format::V2, &["a", "b"]);
    damage(&place, "a");
    let check = |options: &[&str]| {
        place.run(["torrents", "--root", "downloads", "--sizes-only"].iter().chain(options))
    };
    let output = check(&[]);
    assert_eq!(code(&output), 0);
    let rows: Vec<&str> = stdout(&output).lines().collect();
    assert!(rows[0].starts_with("right sizes  "), "{rows:?}");
    assert!(rows[2].starts_with("2 torrents: 0 complete, 2 right sizes; "), "{rows:?}");
    assert_eq!(stdout(&check(&["--quiet"])), "");
    let summary = &objects(&check(&["--json"]))[2]["summary"];
    assert_eq!((&summary["complete"], &summary["right_sizes"]), (&json!(0), &json!(2)));
}

/// A run that is killed loses no more than the result of the current torrent.
#[test]
fn results_outlast_a_killed_run() {
    let names: Vec<String> = (0..30).map(|number| number.to_string()).collect();
    let place = several(Format::V2, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let arguments = ["torrents", "--root", "downloads", "--state", "state", "--json"];
    let count_results = || {
        let Ok(entries) = fs::read_dir(place.path("state")) else { return 0 };
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).count()
    };
    for enough in [1, 2, 10, 20] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
        tool.current_dir(place.folder.path()).args(arguments).args(["--limit", "4M"]);
        let mut tool = tool.stdout(Stdio::null()).spawn().unwrap();
        while count_results() < enough && tool.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        tool.kill().unwrap();
        tool.wait().unwrap();
        assert!(count_results() >= enough);
    }
    let lost = 30 - count_results();
    let summary = &objects(&place.run(arguments))[30]["summary"];
    assert_eq!(summary["complete"], 30);
    assert_eq!(summary["bytes_checked"], lost * ((6 << 14) + 50_000));
}

/// Content that is nowhere under its torrent's name, but that a search has found, is not called
/// missing without a word, and no row says that nothing was read of it.
#[test]
fn what_was_found_where_is_shown_without_verbose() {
    for format in FORMATS {
        let place = several(format, &["a", "b"]);
        let downloads = place.path("downloads");
        fs::create_dir(downloads.join("other")).unwrap();
        for file in ["x", "y"] {
            fs::rename(downloads.join("a").join(file), downloads.join(format!("other/{file}1")))
                .unwrap();
        }
        fs::remove_dir(downloads.join("a")).unwrap();
        fs::remove_dir_all(downloads.join("b")).unwrap();
        let arguments = ["torrents", "--root", "downloads", "--find-renamed"];
        let output = place.run(arguments);
        let text = stdout(&output);
        assert_eq!(code(&output), 1, "{text}");
        let found = |file: &str| text.contains(&format!("found as {file}"));
        let other = std::path::absolute(downloads.join("other")).unwrap();
        for file in ["x1", "y1"] {
            assert!(found(other.join(file).to_str().unwrap()), "{format:?} {text}");
        }
        assert!(
            !text.lines().any(|row| row.starts_with("missing") && row.contains(" 0 B ")),
            "{text}"
        );
        assert!(text.contains("\nelsewhere    "), "{text}");
        assert!(text.contains("\nmissing               -  "), "{text}");
        assert!(text.contains("2 torrents: 0 complete, 1 missing, 1 elsewhere; "), "{text}");
        let output = place.run(arguments.iter().chain(&["--json"]));
        let summary = &objects(&output)[2]["summary"];
        assert_eq!((&summary["missing"], &summary["elsewhere"]), (&json!(2), &json!(1)));
    }
}
