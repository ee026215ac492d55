//! Tests of the limits and signals of the system.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::make::{self, FORMATS, Format, Maker, content};
use crate::place::{Place, code, objects, stderr, stdout};

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
/// calls its check takes, with `--state` the second check. `None` if strace is not installed, or
/// not permitted.
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

/// A file is looked at, opened, written back, read, looked at again and closed. If its results are
/// kept, it is only looked at. If several roots have the torrent's name, the files of the first are
/// looked at once more, and as it has all, those of the others are not.
#[test]
#[cfg(target_os = "linux")]
fn a_file_takes_few_system_calls() {
    let roots = ["--root", "empty", "--root", "a", "--root", "b", "--root", "c"];
    let cases: [(&[&str], &[&str], usize); 4] = [
        (&["a"], &["a"], 6),
        (&["a"], &["--root", "a", "--state", "state"], 1),
        (&["a"], &roots[..4], 6),
        (&["a", "b", "c"], &roots, 7),
    ];
    for (format, (folders, arguments, per_file)) in
        FORMATS.into_iter().flat_map(|format| cases.map(|case| (format, case)))
    {
        let calls = |files| system_calls(format, files, folders, arguments);
        let (Some(few), Some(many)) = (calls(100), calls(500)) else { return };
        let more = many - few;
        // The number of calls for memory and between threads varies.
        assert!(more.abs_diff(per_file * 400) < 50, "{format:?} {arguments:?}: {more}");
    }
}

/// What may not be read is no damage.
#[test]
#[cfg(unix)]
fn unreadable_content_is_told_from_damage() {
    use std::os::unix::fs::PermissionsExt;
    let set_mode = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for (format, single) in FORMATS.into_iter().flat_map(|f| [(f, false), (f, true)]) {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        let maker = if single {
            Maker::single("content", 16 << 10, "abc")
        } else {
            Maker::folder("content", 16 << 10).file("a", "abc").file("empty", "").file("sub/b", "x")
        };
        fs::write(place.path("it.torrent"), maker.bytes(format)).unwrap();
        fs::create_dir_all(place.path("downloads")).unwrap();
        if single {
            fs::write(place.path("downloads/content"), "abc").unwrap();
        } else {
            fs::create_dir_all(place.content("sub")).unwrap();
            for (name, data) in [("a", "abc"), ("empty", ""), ("sub/b", "x")] {
                fs::write(place.content(name), data).unwrap();
            }
        }
        let closed: &[&str] = if single {
            &["downloads", "downloads/content"]
        } else {
            &[
                "downloads",
                "downloads/content",
                "downloads/content/a",
                "downloads/content/empty",
                "downloads/content/sub",
                "downloads/content/sub/b",
            ]
        };
        for closed in closed {
            let path = place.path(closed);
            let mode = path.metadata().unwrap().permissions().mode();
            set_mode(&path, 0);
            let alone = place.run_unprivileged(&["it.torrent", "downloads"]);
            let many = place.run_unprivileged(&["it.torrent", "--root", "downloads", "--json"]);
            set_mode(&path, mode);
            let what = format!("{format:?} {closed}: {}{}", stdout(&alone), stderr(&alone));
            assert_eq!((code(&alone), code(&many)), (2, 2), "{what}");
            let text = format!("{}{}", stdout(&alone), stderr(&alone));
            assert!(text.contains("Permission denied"), "{what}");
            let found = objects(&many);
            let last = found.last().unwrap();
            // A root that cannot be opened is no torrent.
            if *closed == "downloads" && last.get("summary").is_none() {
                assert!(last["error"].as_str().unwrap().contains("Permission denied"), "{last}");
                continue;
            }
            let summary = &last["summary"];
            assert_eq!((&summary["unreadable"], &summary["damaged"]), (&json!(1), &json!(0)));
        }
        let output = place.run_unprivileged(&["it.torrent", "downloads"]);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
    }
}

/// Nothing waits for a pipe that nobody writes to.
#[test]
#[cfg(unix)]
fn pipes_are_refused() {
    let place = Place::new(Format::Hybrid);
    let run = |line: &str| {
        let tool = env!("CARGO_BIN_EXE_torrent-check");
        let line = line.replace("TOOL", &format!("timeout -s KILL 60 {tool}"));
        let mut shell = Command::new("sh");
        shell.current_dir(place.folder.path()).args(["-c", &line]).output().unwrap()
    };
    assert_eq!(code(&run("mkfifo pipe pipe.torrent")), 0);
    for arguments in [
        "pipe downloads",
        "info pipe",
        "pipe.torrent --root downloads",
        "it.torrent --root downloads --torrents-from pipe",
    ] {
        let output = run(&format!("TOOL {arguments}"));
        assert_eq!(code(&output), 2, "{arguments}");
        assert!(stderr(&output).contains("not a regular file"), "{}", stderr(&output));
    }
    let name = "basename state/*";
    assert_eq!(code(&run("TOOL it.torrent --root downloads --state state")), 0);
    assert_eq!(code(&run(&format!("n=$({name}); rm state/$n; mkfifo state/$n"))), 0);
    for place in ["--root downloads", "downloads"] {
        let output = run(&format!("TOOL it.torrent {place} --state state"));
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("not a regular file"), "{}", stderr(&output));
    }
    // Content is not a torrent.
    assert_eq!(code(&run("rm downloads/content/a.bin; mkfifo downloads/content/a.bin")), 0);
    let output = run("TOOL it.torrent downloads --find-renamed --extra");
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("expected a file, found a special file"));
    // Pipes can be read through stdin.
    assert_eq!(code(&run("cat it.torrent | TOOL - --root downloads --sizes-only")), 1);
    let output = run("echo it.torrent | TOOL --torrents-from - --root downloads --json");
    assert_eq!(objects(&output).len(), 2, "{}", stderr(&output));
}

/// Waiting for stdin can be interrupted, even if other torrents were checked before.
#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_waiting_for_stdin() {
    let place = Place::new(Format::V2);
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
    tool.current_dir(place.folder.path()).args(["it.torrent", "-", "--root", "downloads", "-v"]);
    let mut tool =
        tool.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let reads_stdin = || {
        // 0 is the number of the system call on x86-64, 63 on ARMv8.
        let call = fs::read_to_string(format!("/proc/{}/syscall", tool.id())).unwrap();
        call.starts_with("0 0x0 ") || call.starts_with("63 0x0 ")
    };
    for _ in 0..10_000 {
        if reads_stdin() {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    // `wait` would close it.
    let stdin = tool.stdin.take();
    let pid = tool.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(tool.wait().unwrap().code(), Some(130));
    drop(stdin);
}

/// A torrent, and a sparse file of 16 GiB with one byte in each piece, so that all of it has to be
/// hashed. There is none if the file system does not support such large files.
#[cfg(target_os = "linux")]
fn large() -> Option<Place> {
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
    let tool =
        tool.current_dir(place.folder.path()).args(["it.torrent", "downloads", "--state", "state"]);
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
    assert_eq!(fs::read_dir(place.path("state")).unwrap().count(), 1);
}

/// A search that is interrupted ends with the status of interrupted checks.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_search_has_its_own_status() {
    use std::io::BufRead;

    for signal in ["-INT", "-TERM"] {
        for many in [false, true] {
            let place = Place::new(Format::V1);
            fs::create_dir(place.path("loose")).unwrap();
            fs::rename(place.content("a.bin"), place.path("loose/x")).unwrap();
            let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
            tool.current_dir(place.folder.path()).args(["it.torrent", "--find-renamed", "--json"]);
            // The first read takes minutes.
            tool.args(["--progress", "--limit", "1K"]);
            tool.args(if many { &["--root", "loose"][..] } else { &["loose"] });
            tool.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            let mut tool = tool.spawn().unwrap();
            let mut stderr = std::io::BufReader::new(tool.stderr.take().unwrap());
            let mut line = String::new();
            stderr.read_line(&mut line).unwrap();
            assert!(line.contains("searching: "), "{line}");
            let status = Command::new("kill").args([signal, &tool.id().to_string()]).status();
            assert!(status.unwrap().success());
            let output = tool.wait_with_output().unwrap();
            assert_eq!(code(&output), 130, "{signal} {many}");
            assert!(stdout(&output).contains("\"cancelled\":true"), "{}", stdout(&output));
        }
    }
}
