//! Tests of `--state` with a single torrent.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::make::{Format, Maker, content};
use crate::place::{Place, code, make_old, object, objects, stderr, stdout};

/// The only file in the folder `state`.
fn saved(place: &Place) -> PathBuf {
    let mut entries = fs::read_dir(place.path("state")).unwrap();
    let path = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none(), "no other file is left");
    path
}

#[test]
fn results_are_written_and_trusted() {
    let place = Place::new(Format::V1);
    ["a.bin", "b.bin", "sub/c.bin"].into_iter().for_each(|name| make_old(&place.content(name)));
    let check = || place.check(&["--state", "state", "--json"]);
    assert_eq!(object(&check())["pieces"]["trusted"], 0);
    assert_eq!(object(&check())["pieces"]["trusted"], 48);
    place.change("b.bin", |data| data[0] ^= 1);
    make_old(&place.content("b.bin"));
    let output = check();
    assert_eq!((code(&output), &object(&output)["pieces"]["trusted"]), (1, &json!(32)));
    let output = place.check(&["--state", "state", "--recheck", "0", "--json"]);
    assert_eq!(object(&output)["pieces"]["trusted"], 0);
    // The results of a check of some files add to those of others.
    let output = place.check(&["--state", "state", "--json", "--files", "a.bin"]);
    assert_eq!((code(&output), &object(&output)["pieces"]["trusted"]), (0, &json!(16)));

    // An unusable state is replaced.
    let state = saved(&place);
    let whole = fs::read_to_string(&state).unwrap();
    // The flipped bit calls the bad piece good.
    let flipped = whole.replace("ffff7fff", "ffffffff");
    assert_ne!(flipped, whole);
    // A disk may also lose all of it, or its beginning.
    let zeros = "\0".repeat(whole.len());
    let unusable = [
        "",
        &whole[..20],
        &whole[..100],
        &flipped,
        &whole.replace("state 3", "state 2"),
        &whole.replace("{\"format", "{\"forlat"),
        &whole.replace("torrent-check", "torrent-chack"),
        &zeros,
        "d8:announce",
        &format!("{zeros}{}", &whole[100..]),
    ];
    for unusable in unusable {
        fs::write(&state, unusable).unwrap();
        let output = check();
        assert_eq!((code(&output), &object(&output)["pieces"]["trusted"]), (1, &json!(0)));
        assert!(stderr(&output).starts_with("warning: state/"), "{}", stderr(&output));
        let replaced = fs::read_to_string(saved(&place)).unwrap();
        // The field before has the time of the check.
        let results = |text: &str| {
            text[text.find("good_pieces").unwrap()..text.find("checksum").unwrap()].to_owned()
        };
        assert_eq!(results(&replaced), results(&whole));
    }
    // It is kept if nothing is read, and the warning does not say otherwise.
    fs::write(&state, &whole[..100]).unwrap();
    let output = place.check(&["--state", "state", "--sizes-only"]);
    let end = "; ignored, and replaced if this check reads anything\n";
    assert!(stderr(&output).ends_with(end), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&state).unwrap(), whole[..100]);
    // Any other file is not overwritten.
    fs::write(&state, "{}").unwrap();
    let output = check();
    assert_eq!(code(&output), 2);
    let error = object(&output)["error"].as_str().unwrap().to_owned();
    assert!(error.contains(" is not a saved state and is not overwritten"), "{error}");
    assert_eq!(stderr(&output), format!("error: {error}\n"));
    assert_eq!(fs::read(&state).unwrap(), b"{}");
    // An unwritable folder is an error before the check.
    for (folder, why) in [("it.torrent", "not a directory"), ("/proc", "")] {
        let output = place.check(&["--state", folder]);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        let error = format!("error: cannot write {folder}: {why}");
        assert!(stderr(&output).starts_with(&error), "{}", stderr(&output));
        assert!(!stderr(&output).contains(".torrent-check-"), "{}", stderr(&output));
    }
}

/// It is written under another name, so that neither a reader nor a crash finds half of it. What
/// killed programs left is removed after a day.
#[test]
fn the_state_is_renamed_into_place() {
    let place = Place::new(Format::V1);
    ["a.bin", "b.bin", "sub/c.bin"].into_iter().for_each(|name| make_old(&place.content(name)));
    assert_eq!(code(&place.check(&["--state", "state"])), 0);
    let state = saved(&place);
    let before = fs::read(&state).unwrap();
    fs::hard_link(&state, place.path("link")).unwrap();
    place.change("b.bin", |data| data[0] ^= 1);
    make_old(&place.content("b.bin"));
    let day = Duration::from_secs(24 * 60 * 60);
    for (name, days) in [(".torrent-check-old.tmp", 2), (".torrent-check-new.tmp", 0), ("old", 2)] {
        let file = fs::File::create(place.path("state").join(name)).unwrap();
        file.set_modified(SystemTime::now() - day * days).unwrap();
    }
    assert_eq!(code(&place.check(&["--state", "state"])), 1);
    assert_ne!(fs::read(&state).unwrap(), before);
    assert_eq!(fs::read(place.path("link")).unwrap(), before);
    let left = fs::read_dir(place.path("state")).unwrap();
    let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    let expected = [".torrent-check-new.tmp", state.file_name().unwrap().to_str().unwrap(), "old"];
    assert_eq!(left, expected);
}

/// The report is not lost if the state cannot be written.
#[test]
#[cfg(unix)]
fn the_report_comes_before_the_state() {
    let place = Place::new(Format::V1);
    // Files are limited to one block of 512 bytes or so. With SIGXFSZ ignored, writing more is an
    // error.
    let run = |arguments: &str| {
        let tool = env!("CARGO_BIN_EXE_torrent-check");
        let line = format!("trap '' XFSZ; ulimit -f 1; exec {tool} it.torrent {arguments}");
        let mut shell = Command::new("sh");
        shell.current_dir(place.folder.path()).args(["-c", &line]).output().unwrap()
    };
    let mut maker = Maker::folder("content", 64 << 10);
    for file in 0..100 {
        maker = maker.file(&format!("{file}"), content(file, 1000));
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    for file in 0..100 {
        fs::write(place.content(&format!("{file}")), content(file, 1000)).unwrap();
        make_old(&place.content(&format!("{file}")));
    }
    let output = run("downloads --state state");
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(stdout(&output).contains("complete: 2 of 2 pieces good"), "{}", stdout(&output));
    assert!(stderr(&output).starts_with("error: cannot write state/"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(place.path("state")).unwrap().count(), 0, "no file is left");
    // With many torrents, the verdict on each counts as well.
    let output = run("--root downloads --state state --json");
    let objects = objects(&output);
    assert_eq!((code(&output), objects.len()), (2, 3), "{objects:?}");
    let complete = (&objects[0]["complete"], &objects[2]["summary"]["complete"]);
    assert_eq!(complete, (&json!(true), &json!(1)));
    let error = objects[1]["error"].as_str().unwrap();
    assert!(error.starts_with("cannot write state/"), "{error}");
    assert_eq!(objects[1]["torrent"], "it.torrent");
    assert_eq!(stderr(&output), format!("error: {error}\n"));
    assert!(!stderr(&output).contains(".torrent-check-"), "{}", stderr(&output));
}

/// The times of tmpfs do not show every change, and the report says so.
#[test]
#[cfg(target_os = "linux")]
fn files_on_tmpfs_are_read_again() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else { return };
    if rustix::fs::statfs(folder.path()).is_ok_and(|it| u64::try_from(it.f_type) != Ok(0x0102_1994))
    {
        return;
    }
    let place = Place::new(Format::V1);
    fs::create_dir_all(folder.path().join("content/sub")).unwrap();
    for file in ["a.bin", "b.bin", "sub/c.bin"] {
        fs::copy(place.content(file), folder.path().join("content").join(file)).unwrap();
    }
    let content = folder.path().to_str().unwrap();
    let output = place.run(["it.torrent", content, "--state", "state"]);
    let line = "3 files on tmpfs read again: its times do not show every change\n";
    assert!(stdout(&output).contains(line), "{}", stdout(&output));
    let report = object(&place.run(["it.torrent", content, "--state", "state", "--json"]));
    assert_eq!(report["read_again"][0], json!({ "file_system": "tmpfs", "files": 3 }));
    assert!(!stdout(&place.run(["it.torrent", content])).contains("tmpfs"));
}
