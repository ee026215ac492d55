//! Tests of the limits and signals of the system.

use std::fs;
#[cfg(target_os = "linux")]
use std::fs::File;
use std::process::Command;
#[cfg(target_os = "linux")]
use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::make::{self, Format};
use crate::make::{FORMATS, Maker, content};
use crate::place::{Place, code, stderr, stdout};

/// There are more threads than files may be open, and each of them takes pieces of many files.
#[test]
#[cfg(unix)]
fn the_limit_on_open_files_is_respected() {
    for format in FORMATS {
        let place = Place::new(format);
        let mut maker = Maker::folder("many", 16 << 10);
        fs::create_dir(place.path("downloads/many")).unwrap();
        for file in 0..600 {
            let (name, data) = (format!("{file:03}"), content(file as u8, 5000));
            fs::write(place.path("downloads/many").join(&name), &data).unwrap();
            maker = maker.file(&name, data);
        }
        fs::write(place.path("it.torrent"), maker.bytes(format)).unwrap();
        for limit in [20, 40, 100] {
            let tool = env!("CARGO_BIN_EXE_torrent-check");
            let line =
                format!("ulimit -n {limit} && exec {tool} it.torrent downloads --threads 32");
            let output = Command::new("sh")
                .current_dir(place.folder.path())
                .args(["-c", &line])
                .output()
                .unwrap();
            assert_eq!((code(&output), stderr(&output)), (0, ""), "{limit} {}", stdout(&output));
        }
    }
}

/// Creates a torrent of small files with its content in these folders, and returns how many system
/// calls its check takes, with `--state` the second check. `None` if strace is not installed, or not
/// permitted.
#[cfg(target_os = "linux")]
fn system_calls(
    format: Format,
    files: usize,
    folders: &[&str],
    arguments: &[&str],
) -> Option<usize> {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    let mut maker = Maker::folder("many", 16 << 10);
    for folder in folders {
        fs::create_dir_all(place.path(folder).join("many/in/folders")).unwrap();
    }
    for file in 0..files {
        let (name, data) = (format!("in/folders/{file:03}"), content(file as u8, 16 << 10));
        for folder in folders {
            let path = place.path(folder).join("many").join(&name);
            fs::write(&path, &data).unwrap();
            let file = File::options().write(true).open(path).unwrap();
            // Results for files written just now are not kept.
            file.set_modified(std::time::UNIX_EPOCH).unwrap();
        }
        maker = maker.file(&name, data);
    }
    fs::write(place.path("it.torrent"), maker.bytes(format)).unwrap();
    fs::create_dir(place.path("empty")).unwrap();
    fs::write(place.path("map"), "it.torrent\tmapped\n").unwrap();
    let all = ["it.torrent", "--quiet", "--threads", "1"].iter().chain(arguments);
    if arguments.contains(&"--state") {
        assert_eq!(code(&place.run(all.clone())), 0);
    }
    let mut trace = Command::new("strace");
    trace.current_dir(place.folder.path()).args(["-f", "-qq", "-o", "calls"]);
    let output = trace
        .arg(env!("CARGO_BIN_EXE_torrent-check"))
        .args(all)
        .output()
        .ok()
        .filter(|output| code(output) == 0);
    let Some(output) = output else {
        eprintln!("skipped: strace is not installed, or not permitted");
        return None;
    };
    assert_eq!((stdout(&output), stderr(&output)), ("", ""));
    let calls = fs::read_to_string(place.path("calls")).unwrap();
    // Debug builds test descriptors before they close them. Two lines may be about one call.
    let is_counted = |call: &&str| !call.contains(" fcntl(") && !call.contains(" resumed>");
    Some(calls.lines().filter(is_counted).count())
}

/// A file takes four system calls beyond the reads: it is looked at, opened, looked at again and
/// closed.
#[test]
#[cfg(target_os = "linux")]
fn a_file_takes_few_system_calls() {
    for format in FORMATS {
        let calls = |files| system_calls(format, files, &["downloads"], &["downloads"]);
        let (Some(few), Some(many)) = (calls(100), calls(500)) else { return };
        let more = many - few;
        // With one read. The number of calls for memory and between threads varies.
        assert!(more.abs_diff(5 * 400) < 50, "{format:?}: {more}");
    }
}

/// Files with results that are kept are looked at, and nothing else.
#[test]
#[cfg(target_os = "linux")]
fn an_unchanged_file_takes_one_system_call() {
    for format in FORMATS {
        let arguments = ["--root", "downloads", "--state", "state"];
        let calls = |files| system_calls(format, files, &["downloads"], &arguments);
        let (Some(few), Some(many)) = (calls(100), calls(500)) else { return };
        let more = many - few;
        assert!(more.abs_diff(400) < 50, "{format:?}: {more}");
    }
}

/// Files are looked at in roots only if they decide which root is chosen.
#[test]
#[cfg(target_os = "linux")]
fn roots_take_few_system_calls() {
    let roots = ["--root", "empty", "--root", "a", "--root", "b", "--root", "c"];
    // One root has the name, so nothing has to be compared. If several have it, the files of the
    // first are looked at once more, and as it has all, those of the others are not.
    for (folders, per_file) in [(&["a"][..], 5), (&["a", "b", "c"], 6)] {
        for format in FORMATS {
            let calls = |files| {
                let roots = &roots[..2 + 2 * folders.len()];
                system_calls(format, files, folders, roots)
            };
            let (Some(few), Some(many)) = (calls(100), calls(500)) else { return };
            let more = many - few;
            assert!(more.abs_diff(per_file * 400) < 50, "{format:?} {folders:?}: {more}");
        }
    }
}

/// A map tells where the content is, so nothing has to be compared.
#[test]
#[cfg(target_os = "linux")]
fn maps_take_few_system_calls() {
    for format in FORMATS {
        let calls = |files| system_calls(format, files, &["mapped"], &["--map", "map"]);
        let (Some(few), Some(many)) = (calls(100), calls(500)) else { return };
        let more = many - few;
        assert!(more.abs_diff(5 * 400) < 50, "{format:?}: {more}");
    }
}

/// A torrent, and a sparse file of 16 GiB with one byte in each piece, so that all of it has to be
/// hashed. There is none if the file system does not support such large files.
#[cfg(target_os = "linux")]
pub(crate) fn large() -> Option<Place> {
    use std::os::unix::fs::FileExt;

    let place = Place { folder: tempfile::tempdir().unwrap() };
    let (pieces, piece_length) = (16, 1 << 30);
    let mut info =
        make::dictionary([("name", "large".into()), ("piece length", piece_length.into())]);
    info.set(&[], "length", pieces * piece_length);
    info.set(&[], "pieces", vec![0; 20 * pieces as usize]);
    fs::write(place.path("it.torrent"), make::dictionary([("info", info)]).encode()).unwrap();
    fs::create_dir(place.path("downloads")).unwrap();
    let large = File::create(place.path("downloads/large")).unwrap();
    if large.set_len(pieces * piece_length).is_err() {
        eprintln!("skipped: this file system does not support such large files");
        return None;
    }
    for piece in 0..pieces {
        large.write_all_at(b"x", piece * piece_length).unwrap();
    }
    Some(place)
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_check_and_keeps_what_was_done() {
    let Some(place) = large() else { return };
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
    let tool = tool.current_dir(place.folder.path()).args([
        "it.torrent",
        "downloads",
        "--resume-file",
        "resume",
    ]);
    let tool = tool.stdout(std::process::Stdio::piped()).spawn().unwrap();
    // Wait until the tool handles SIGINT, which is bit 1 of the mask.
    let status = format!("/proc/{}/status", tool.id());
    let listens = || {
        let status = fs::read_to_string(&status).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
    };
    while !listens() {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(
        Command::new("kill").args(["-INT", &tool.id().to_string()]).status().unwrap().success()
    );
    let output = tool.wait_with_output().unwrap();
    assert_eq!(code(&output), 130);
    assert!(
        stdout(&output).contains("cancelled: 0 of 16 pieces good, 16 not checked"),
        "{}",
        stdout(&output)
    );
    assert!(place.path("resume").exists());
}
