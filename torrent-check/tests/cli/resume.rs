//! Tests of the resume file.

use std::fs::{self, File};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::make::{Format, Maker, content};
use crate::place::{Place, code, object, stderr, stdout};

#[test]
fn a_resume_file_is_written_and_trusted() {
    let place = Place::new(Format::V1);
    for name in ["a.bin", "b.bin", "sub/c.bin"] {
        let file = File::options().write(true).open(place.content(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(1000)).unwrap();
    }
    let check = || place.check(&["--resume-file", "resume", "--json"]);
    assert_eq!(object(&check())["pieces"]["trusted"], 0);
    assert_eq!(object(&check())["pieces"]["trusted"], 48);
    place.change("b.bin", |data| data[0] ^= 1);
    let output = check();
    assert_eq!((code(&output), &object(&output)["pieces"]["trusted"]), (1, &json!(32)));
    assert_eq!(fs::read_dir(place.folder.path()).unwrap().count(), 3, "no other file is left");

    // An unusable resume file is replaced.
    let whole = fs::read_to_string(place.path("resume")).unwrap();
    for unusable in ["", &whole[..20], &whole[..100], &whole.replace("resume 2", "resume 3")] {
        fs::write(place.path("resume"), unusable).unwrap();
        let output = check();
        assert_eq!((code(&output), &object(&output)["pieces"]["trusted"]), (1, &json!(0)));
        assert!(stderr(&output).starts_with("warning: resume: "), "{}", stderr(&output));
        let replaced = fs::read_to_string(place.path("resume")).unwrap();
        // The field before has the time of the check.
        let results = |text: &str| text[text.find("good_pieces").unwrap()..].to_owned();
        assert_eq!(results(&replaced), results(&whole));
    }
    // It is kept if nothing is read, and the warning does not say otherwise.
    fs::write(place.path("resume"), &whole[..100]).unwrap();
    let output = place.check(&["--resume-file", "resume", "--sizes-only"]);
    let end = "; ignored, and replaced if this check reads anything\n";
    assert!(stderr(&output).ends_with(end), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(place.path("resume")).unwrap(), whole[..100]);
    // Any other file is not.
    fs::write(place.path("resume"), "{}").unwrap();
    let output = check();
    assert_eq!(code(&output), 2);
    let error = object(&output)["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("resume is not a resume file"), "{error}");
    assert_eq!(stderr(&output), format!("error: {error}\n"));
    assert_eq!(fs::read(place.path("resume")).unwrap(), b"{}");
    // An unwritable path is an error before the check.
    let output = place.check(&["--resume-file", "no/such/folder"]);
    assert_eq!((code(&output), stdout(&output)), (2, ""));
    assert!(stderr(&output).starts_with("error: cannot write no/such/folder: "));
    assert!(!stderr(&output).contains(".torrent-check-"), "{}", stderr(&output));
}

/// Other programs have files beside the resume file, such as unfinished downloads, which
/// Transmission gives the suffix `.part`.
#[test]
fn no_other_file_is_touched_by_resuming() {
    let place = Place::new(Format::V1);
    for name in ["resume.part", "other", "a.bin.part"] {
        fs::write(place.path(name), name).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("other", place.path("linked.part")).unwrap();
    for resume in ["resume", "linked"] {
        assert_eq!(code(&place.check(&["--resume-file", resume])), 0);
    }
    // A file that is not a resume file is refused before anything is written.
    fs::write(place.path("a.bin"), "content").unwrap();
    let entries = || {
        let entries = fs::read_dir(place.folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = entries();
    let output = place.check(&["--resume-file", "a.bin"]);
    assert_eq!((code(&output), stdout(&output)), (2, ""));
    assert_eq!(entries(), before);
    for name in ["resume.part", "other", "a.bin.part"] {
        assert_eq!(fs::read_to_string(place.path(name)).unwrap(), name);
    }
}

/// The report is not lost if the resume file cannot be written.
#[test]
#[cfg(unix)]
fn the_report_comes_before_the_resume_file() {
    let place = Place::new(Format::V1);
    // Files are limited to one block of 512 bytes or so. With SIGXFSZ ignored, writing more is an
    // error.
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} it.torrent downloads --resume-file resume",
        env!("CARGO_BIN_EXE_torrent-check")
    );
    let mut maker = Maker::folder("content", 64 << 10);
    for file in 0..100 {
        maker = maker.file(&format!("{file}"), content(file, 1000));
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    for file in 0..100 {
        fs::write(place.content(&format!("{file}")), content(file, 1000)).unwrap();
        let file = File::options().write(true).open(place.content(&format!("{file}"))).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(1000)).unwrap();
    }
    let output =
        Command::new("sh").current_dir(place.folder.path()).args(["-c", &line]).output().unwrap();
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(stdout(&output).contains("complete: 2 of 2 pieces good"), "{}", stdout(&output));
    assert!(stderr(&output).starts_with("error: cannot write resume: "), "{}", stderr(&output));
    assert_eq!(fs::read_dir(place.folder.path()).unwrap().count(), 2, "no other file is left");
}
