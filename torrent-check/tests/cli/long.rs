//! A long test of many torrents and killed runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tempfile::tempdir;

use crate::make::{FORMATS, Format, Maker, content};
use crate::place::{Place, code, objects, stderr};

const TORRENTS: usize = 300;

/// Every fifth torrent is damaged.
const DAMAGED: usize = 60;

/// A torrent and its content.
struct Made {
    /// The files with their lengths, in the torrent's order.
    files: Vec<(PathBuf, u64)>,
    damage: Option<Damage>,
}

/// What is wrong with a file, given as its index.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Flipped { file: usize, offset: u64 },
    Truncated { file: usize },
    Extended { file: usize },
    Removed { file: usize },
    Replaced { file: usize },
}

/// Creates a torrent of a kind that depends on its number, and its content.
fn make(place: &Place, number: usize) -> Made {
    let format = FORMATS[number % 3];
    let piece_length = (16 << 10) << (number / 18 % 5);
    let name = format!("{number:03}");
    let length = |file: usize| (number * 7919 + file * 104_729) % 150_000 + 1;
    let data = |file: usize| content((number + file) as u8, length(file));
    let kind = number / 3 % 6;
    let count = [1, 1, 2, 7, 12, 20][kind];
    let mut maker = Maker::folder(&name, piece_length);
    let mut files = Vec::new();
    if kind == 0 {
        maker = Maker::single(&name, piece_length, data(0));
        files.push((place.path("downloads").join(&name), 0));
    } else {
        for file in 0..count {
            let path = if file % 3 == 2 { format!("sub/{file:02}") } else { format!("{file:02}") };
            maker = maker.file(&path, data(file));
            if number.is_multiple_of(4) {
                // Hybrids have their own padding.
                maker =
                    maker.pad(length(file).next_multiple_of(1 << 14) as u64 - length(file) as u64);
            }
            files.push((place.path("downloads").join(&name).join(path), file));
        }
    }
    let torrent = place.path(&format!("torrents/{name}.torrent"));
    fs::write(torrent, maker.bytes(format)).unwrap();
    if format != Format::V1 {
        files.sort();
    }
    for (path, file) in &files {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, data(*file)).unwrap();
        make_old(path);
    }
    let files = files.into_iter().map(|(path, file)| (path, length(file) as u64)).collect();
    Made { files, damage: None }
}

fn make_old(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(1000)).unwrap();
}

/// Damages the content of a torrent in a way that depends on its number.
fn damage(made: &mut Made, number: usize) {
    let file = number % made.files.len();
    let (path, length) = &made.files[file];
    let change = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut data = fs::read(path).unwrap();
        change(&mut data);
        fs::write(path, data).unwrap();
        make_old(path);
    };
    made.damage = Some(match number / 5 % 6 {
        kind @ (0 | 1) => {
            let offset = if kind == 0 { length / 2 } else { length - 1 };
            change(&|data| data[offset as usize] ^= 1);
            Damage::Flipped { file, offset }
        }
        2 => {
            change(&|data| data.truncate(data.len() - 1));
            Damage::Truncated { file }
        }
        3 => {
            change(&|data| data.push(1));
            Damage::Extended { file }
        }
        4 => {
            fs::remove_file(path).unwrap();
            Damage::Removed { file }
        }
        _ => {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
            Damage::Replaced { file }
        }
    });
}

/// Asserts that a report says what was damaged, and nothing else.
fn assert_verdicts(made: &Made, report: &Value) {
    assert_eq!(report["complete"], made.damage.is_none(), "{report}");
    assert_eq!(report["cancelled"], false, "{report}");
    let verdicts: Vec<&str> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts.len(), made.files.len(), "{report}");
    let Some(damage) = made.damage else {
        assert!(verdicts.iter().all(|verdict| *verdict == "good"), "{report}");
        assert_eq!(report["damaged_pieces"], Value::Array(Vec::new()), "{report}");
        return;
    };
    let (damaged, expected) = match damage {
        Damage::Flipped { file, .. } => (file, "bad"),
        Damage::Truncated { file } => (file, "too_short"),
        Damage::Extended { file } => (file, "too_long"),
        Damage::Removed { file } => (file, "missing"),
        Damage::Replaced { file } => (file, "not_a_file"),
    };
    assert_eq!(verdicts[damaged], expected, "{damage:?} {report}");
    // Others suffer only if they share a piece with it.
    let pieces = report["damaged_pieces"].as_array().unwrap();
    let part_of = |file: usize, piece: &Value| {
        let mut parts = piece["parts"].as_array().unwrap().iter();
        parts.find(|part| part["file"] == file).cloned()
    };
    for (file, verdict) in verdicts.iter().enumerate().filter(|(file, _)| *file != damaged) {
        let shares = pieces
            .iter()
            .any(|piece| part_of(file, piece).is_some() && part_of(damaged, piece).is_some());
        let expected = match damage {
            _ if !shares => "good",
            Damage::Flipped { .. } => "bad",
            _ => "unverifiable",
        };
        assert_eq!(*verdict, expected, "{damage:?} {report}");
    }
    if let Damage::Flipped { file, offset } = damage {
        let [piece] = &pieces[..] else { panic!("{report}") };
        let part = part_of(file, piece).unwrap();
        let begin = part["offset"].as_u64().unwrap();
        let end = begin + part["length"].as_u64().unwrap();
        assert!((begin..end).contains(&offset), "{damage:?} {report}");
    }
    if let Damage::Extended { .. } = damage {
        assert!(pieces.is_empty(), "{report}");
    }
}

/// Three runs, of which two are killed, agree with what was damaged. Results that are kept are not
/// read again.
#[test]
#[ignore = "takes long"]
fn many_torrents_and_killed_runs_long() {
    let place = Place { folder: tempdir().unwrap() };
    fs::create_dir_all(place.path("torrents")).unwrap();
    let mut all: Vec<Made> = (0..TORRENTS).map(|number| make(&place, number)).collect();
    for number in (0..TORRENTS).step_by(TORRENTS / DAMAGED) {
        damage(&mut all[number], number);
    }
    assert_eq!(all.iter().filter(|made| made.damage.is_some()).count(), DAMAGED);

    let arguments = ["torrents", "--root", "downloads", "--state", "state", "--json"];
    let kept = || {
        let entries = fs::read_dir(place.path("state")).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned)).collect()
    };
    for enough in [70, 160] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
        tool.current_dir(place.folder.path()).args(arguments).args(["--limit", "8M"]);
        let mut tool = tool.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        loop {
            let kept: BTreeSet<String> = kept();
            if kept.len() >= enough {
                break;
            }
            assert!(tool.try_wait().unwrap().is_none(), "the run ended after {}", kept.len());
            std::thread::sleep(Duration::from_millis(1));
        }
        // SIGKILL on Unix.
        tool.kill().unwrap();
        assert!(!tool.wait().unwrap().success());
    }

    let mut before: BTreeSet<String> = kept();
    assert!(before.len() < TORRENTS, "{}", before.len());
    for is_resumed in [true, false] {
        let output = place.run(arguments);
        assert_eq!((code(&output), stderr(&output)), (1, ""));
        let mut lines = objects(&output);
        let summary = lines.pop().unwrap()["summary"].take();
        let reports: BTreeMap<String, Value> = lines
            .into_iter()
            .map(|report| (report["torrent"].as_str().unwrap().to_owned(), report))
            .collect();
        assert_eq!(reports.len(), TORRENTS);
        let mut read = 0;
        for (number, made) in all.iter().enumerate() {
            let report = &reports[&format!("torrents/{number:03}.torrent")];
            assert_verdicts(made, report);
            let bytes = report["bytes_checked"].as_u64().unwrap();
            read += bytes;
            let hash = report["info_hash_v2"].as_str().or(report["info_hash_v1"].as_str()).unwrap();
            let pieces = &report["pieces"];
            let length: u64 = made.files.iter().map(|(_, length)| length).sum();
            if !before.contains(hash) {
                assert!(is_resumed && (made.damage.is_some() || bytes >= length), "{report}");
            } else if made.damage.is_none() {
                assert_eq!((bytes, &pieces["trusted"]), (0, &pieces["total"]), "{report}");
            } else {
                // Only pieces that are not good are read again.
                let good = pieces["good"].as_u64().unwrap();
                assert!(pieces["trusted"] == good, "{report}");
            }
        }
        assert_eq!(
            (&summary["torrents"], &summary["bytes_checked"]),
            (&TORRENTS.into(), &read.into())
        );
        assert_eq!(summary["complete"], TORRENTS - DAMAGED);
        println!("{} of {TORRENTS} torrents had results, {read} bytes were read", before.len());
        before = kept();
        assert_eq!(before.len(), TORRENTS);
    }
}

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
