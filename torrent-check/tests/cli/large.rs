//! Tests with sparse files of many GiB, which take long to read and to copy.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use sha1::{Digest, Sha1};

use crate::make::{Value, dictionary, strings};
use crate::place::{Place, code, objects, stdout};

const PIECE: u64 = 16 << 20;

/// A torrent of v1 whose files are zeros but for their last bytes, with these lengths, and its
/// content in `downloads`. There is none if the file system does not support such large files.
fn zeros(files: &[(&str, u64)]) -> Option<Place> {
    const LAST: &[u8] = b"the last bytes";
    let place = Place { folder: tempfile::tempdir().unwrap() };
    fs::create_dir_all(place.path("downloads/large")).unwrap();
    let (mut ends, mut end) = (Vec::new(), 0);
    for (name, length) in files {
        let file = File::create(place.path("downloads/large").join(name)).unwrap();
        if file.set_len(*length).is_err() {
            eprintln!("skipped: this file system does not support such large files");
            return None;
        }
        file.write_all_at(LAST, length - LAST.len() as u64).unwrap();
        end += length;
        ends.push(end);
    }
    let zeros = vec![0; PIECE as usize];
    let of_zeros: [u8; 20] = Sha1::digest(&zeros).into();
    let hash = |start: u64| -> [u8; 20] {
        let bytes = start..end.min(start + PIECE);
        let is_near = |end: &u64| (bytes.start..bytes.end + PIECE).contains(end);
        if bytes.end - bytes.start == PIECE && !ends.iter().any(is_near) {
            return of_zeros;
        }
        let mut piece = zeros[..(bytes.end - bytes.start) as usize].to_vec();
        for (end, nth) in ends.iter().flat_map(|end| (0..LAST.len()).map(move |nth| (end, nth))) {
            let at = end - LAST.len() as u64 + nth as u64;
            if bytes.contains(&at) {
                piece[(at - start) as usize] = LAST[nth];
            }
        }
        Sha1::digest(&piece).into()
    };
    let pieces: Vec<u8> = (0..end).step_by(PIECE as usize).flat_map(hash).collect();
    let file = |(name, length): &(&str, u64)| {
        dictionary([("length", (*length).into()), ("path", strings([*name]))])
    };
    let info = dictionary([
        ("files", Value::List(files.iter().map(file).collect())),
        ("name", "large".into()),
        ("piece length", PIECE.into()),
        ("pieces", pieces.into()),
    ]);
    fs::write(place.path("it.torrent"), dictionary([("info", info)]).encode()).unwrap();
    Some(place)
}

fn start(place: &Place, arguments: &[&str]) -> Child {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
    tool.current_dir(place.folder.path()).args(arguments).stdout(Stdio::piped()).spawn().unwrap()
}

fn interrupt(tool: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &tool.id().to_string()]).status();
    assert!(status.unwrap().success());
}

/// Offsets of more than 32 bits, in the torrent and in a file.
#[test]
fn a_file_of_more_than_4_gib_is_checked() {
    let length = (4 << 30) + 12_345;
    let Some(place) = zeros(&[("a", length), ("b", 100_000)]) else { return };
    let output = place.run(["it.torrent", "downloads", "--json"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    let changed = (4 << 30) + 5;
    let file = File::options().write(true).open(place.path("downloads/large/a")).unwrap();
    file.write_all_at(b"x", changed).unwrap();
    let output = place.run(["it.torrent", "downloads", "--json"]);
    let report = &objects(&output)[0];
    assert_eq!(code(&output), 1);
    let damage = &report["files"][0]["damage"];
    assert_eq!(damage[0]["first_piece"], json!(changed / PIECE), "{damage}");
    // A piece with a hole is called missing.
    assert_eq!(damage.as_array().unwrap().len(), 1, "{damage}");
    // A file that is found elsewhere is read beyond 4 GiB, too.
    file.write_all_at(&[0], changed).unwrap();
    fs::rename(place.path("downloads/large"), place.path("downloads/other")).unwrap();
    let output = place.run(["repair", "it.torrent", "--root", "downloads", "--json"]);
    let summary = &objects(&output)[1]["repair"];
    assert_eq!((code(&output), &summary["complete"]), (0, &json!(1)), "{}", stdout(&output));
}

#[test]
fn an_interrupted_repair_has_its_own_status() {
    for signal in ["-INT", "-TERM"] {
        let Some(place) = zeros(&[("a", 40 << 30)]) else { return };
        let tool = start(&place, &["repair", "it.torrent", "--root", "downloads", "--json"]);
        // Wait until the tool handles SIGINT, which is bit 1 of the mask. Reading takes seconds.
        let status = format!("/proc/{}/status", tool.id());
        let listens = || {
            let status = fs::read_to_string(&status).unwrap();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
        };
        while !listens() {
            std::thread::sleep(Duration::from_millis(1));
        }
        interrupt(&tool, signal);
        let output = tool.wait_with_output().unwrap();
        assert_eq!(code(&output), 130, "{signal}: {}", stdout(&output));
        let all = objects(&output);
        let summary = &all[1]["repair"];
        // What was not searched is not called unused.
        assert_eq!((&summary["cancelled"], &summary["unused"]), (&json!(true), &json!([])));
        assert_eq!(summary["complete"], json!(0));
    }
}

#[test]
fn an_interrupted_layout_has_its_own_status() {
    for signal in ["-INT", "-TERM"] {
        let Some(place) = zeros(&[("a", 40 << 30), ("b", 1000)]) else { return };
        fs::create_dir(place.path("seed")).unwrap();
        let arguments = ["it.torrent", "downloads", "--link", "seed", "--link-kind", "copy"];
        let mut tool = start(&place, &[&arguments[..], &["--json"]].concat());
        while !place.path("seed/large/a").exists() {
            assert!(tool.try_wait().unwrap().is_none(), "it ended before it copied");
            std::thread::sleep(Duration::from_millis(1));
        }
        interrupt(&tool, signal);
        let output = tool.wait_with_output().unwrap();
        assert_eq!(code(&output), 130, "{signal}: {}", stdout(&output));
        let layout = &objects(&output)[0]["layout"];
        assert_eq!((&layout["cancelled"], &layout["complete"]), (&json!(true), &json!(false)));
        assert!(!place.path("seed/large/a").exists(), "half a copy is left");
    }
}
