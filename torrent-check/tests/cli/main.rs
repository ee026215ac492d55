//! Tests of the command-line tool: its output and exit status.

#![cfg(feature = "cli")]

#[path = "it/make.rs"]
#[allow(dead_code, reason = "some items are only used by other tests")]
mod make;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use make::{FORMATS, Format, Maker, content, strings};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with `it.torrent` and its content in `downloads`.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(format: Format) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        let mut maker = Maker::folder("content", 64 << 10);
        for (seed, name) in (0..).zip(["a.bin", "b.bin", "sub/c.bin"]) {
            let data = content(seed, 1 << 20);
            let path = place.content(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &data).unwrap();
            maker = maker.file(name, data);
        }
        fs::write(place.path("it.torrent"), maker.bytes(format)).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn content(&self, name: &str) -> PathBuf {
        self.path("downloads/content").join(name)
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut data = fs::read(self.content(name)).unwrap();
        change(&mut data);
        fs::write(self.content(name), data).unwrap();
    }

    /// Runs the tool with the folder as its working directory.
    fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
        tool.current_dir(self.folder.path()).args(arguments).output().unwrap()
    }

    fn check(&self, options: &[&str]) -> Output {
        self.run(["it.torrent", "downloads"].iter().chain(options))
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

fn object(output: &Output) -> Value {
    serde_json::from_str(stdout(output)).unwrap()
}

/// The table's line about a file, with the indented lines below it.
fn lines<'o>(output: &'o Output, file: &str) -> Vec<&'o str> {
    let mut lines = stdout(output).lines().skip_while(|line| !line.starts_with(file));
    let first = lines.next().expect("the file has a line");
    std::iter::once(first).chain(lines.take_while(|line| line.starts_with("    "))).collect()
}

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

#[test]
fn pieces_that_span_files_are_explained() {
    let place = Place::new(Format::V1);
    let torrent = Maker::folder("content", 50_000)
        .file("a.bin", content(0, 120_000))
        .file("b.bin", content(1, 1 << 20));
    fs::write(place.path("it.torrent"), torrent.bytes(Format::V1)).unwrap();
    place.change("a.bin", |data| data.truncate(120_000));
    let output = place.check(&[]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));

    place.change("a.bin", |data| data[110_000] ^= 1);
    let output = place.check(&[]);
    let place_of_b = "    bytes 0 to 29999 (piece 2): bad, here or in a.bin";
    assert_eq!(lines(&output, "b.bin")[1..], [place_of_b]);

    fs::remove_file(place.content("a.bin")).unwrap();
    let output = place.check(&[]);
    let place_of_b =
        "    bytes 0 to 29999 (piece 2): unverifiable, shares a piece with missing a.bin";
    assert_eq!(lines(&output, "b.bin")[1..], [place_of_b]);
}

/// The causes include files that were not requested.
#[test]
fn causes_of_unverifiable_pieces_are_named() {
    let place = Place::new(Format::V1);
    let torrent = Maker::folder("content", 50_000)
        .file("a.bin", content(0, 1 << 20))
        .file("b.bin", content(1, 1 << 20));
    fs::write(place.path("it.torrent"), torrent.bytes(Format::V1)).unwrap();
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

/// Every file lists the same few causes.
#[test]
fn a_piece_of_very_many_files() {
    let place = Place::new(Format::V1);
    let files = 20_000;
    let mut maker = Maker::folder("many", 1 << 20);
    fs::create_dir(place.path("downloads/many")).unwrap();
    for file in 0..files {
        maker = maker.file(&format!("{file:05}"), "x");
        if file < files - 4 {
            fs::write(place.path(&format!("downloads/many/{file:05}")), "x").unwrap();
        }
    }
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    let output = place.check(&[]);
    let cause = "    bytes 0 to 0 (piece 0): unverifiable, shares a piece with missing 19996, missing 19997, missing 19998";
    assert_eq!(lines(&output, "00000")[1..], [cause]);
    assert_eq!(lines(&output, "19995")[1..], [cause]);
    let because = &object(&place.check(&["--json"]))["damaged_pieces"][0]["because_of"];
    assert_eq!(*because, json!([19_996, 19_997, 19_998, 19_999]));
}

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

/// The object matches the schema in the README.
#[test]
fn json_is_one_object_on_one_line() {
    let place = Place::new(Format::Hybrid);
    place.change("a.bin", |data| data[100_000] ^= 1);
    fs::remove_file(place.content("b.bin")).unwrap();
    place.change("sub/c.bin", |data| data.truncate(data.len() - 1));
    let output = place.check(&["--json", "--backend", "portable", "--threads", "2"]);
    assert_eq!((code(&output), stderr(&output), stdout(&output).lines().count()), (1, "", 1));
    let mut object = object(&output);
    assert!(object["seconds"].take().as_f64().unwrap() > 0.0);
    let info: Value =
        serde_json::from_str(stdout(&place.run(["info", "--json", "it.torrent"]))).unwrap();
    let counts = |good, bad, missing, unverifiable| {
        json!({
            "total": good + bad + missing + unverifiable, "good": good, "trusted": 0, "bad": bad, "missing": missing,
            "unverifiable": unverifiable, "skipped": 0, "unchecked": 0,
        })
    };
    let damage = |verdict, first_piece, last_piece, offset, length| {
        json!([{
            "verdict": verdict, "first_piece": first_piece, "last_piece": last_piece, "offset": offset, "length": length,
        }])
    };
    let expected = json!({
        "name": "content",
        "version": "hybrid",
        "info_hash_v1": info["info_hash_v1"],
        "info_hash_v2": info["info_hash_v2"],
        "piece_length": 65_536,
        "content": "downloads/content",
        "content_found": "in_folder",
        "complete": false,
        "cancelled": false,
        "pieces": counts(30, 1, 16, 1),
        "files": [
            {
                "path": "a.bin", "length": 1 << 20, "found_length": 1 << 20, "verdict": "bad", "detail": null,
                "pieces": counts(15, 1, 0, 0), "damage": damage("bad", 1, 1, 65_536, 65_536), "found_as": [],
            },
            {
                "path": "b.bin", "length": 1 << 20, "found_length": null, "verdict": "missing", "detail": null,
                "pieces": counts(0, 0, 16, 0), "damage": damage("missing", 16, 31, 0, 1 << 20), "found_as": [],
            },
            {
                "path": "sub/c.bin", "length": 1 << 20, "found_length": (1 << 20) - 1, "verdict": "too_short", "detail": null,
                "pieces": counts(15, 0, 0, 1), "damage": damage("unverifiable", 47, 47, 15 << 16, 65_536), "found_as": [],
            },
        ],
        "damaged_pieces": [
            {
                "piece": 1, "verdict": "bad",
                "parts": [{ "file": 0, "offset": 65_536, "length": 65_536 }], "because_of": [],
            },
            {
                "piece": 47, "verdict": "unverifiable",
                "parts": [{ "file": 2, "offset": 15 << 16, "length": 65_536 }], "because_of": [2],
            },
        ],
        "good_pieces": "bfff0000fffe",
        "bytes_checked": 31 << 16,
        "bytes_in_holes": 0,
        "seconds": null,
        "backend": "portable",
        "warnings": [],
    });
    assert_eq!(object, expected);
}

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

#[test]
fn content_with_another_name_can_be_passed() {
    let place = Place::new(Format::V2);
    fs::rename(place.path("downloads/content"), place.path("other")).unwrap();
    let output = place.check(&[]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("downloads/content (not found)"));
    assert_eq!(code(&place.run(["it.torrent", "--content", "other"])), 0);
    fs::rename(place.path("other"), place.path("content")).unwrap();
    let output = place.run(["it.torrent", "content"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("the folder itself"));
}

#[test]
fn renamed_files_are_listed() {
    let place = Place::new(Format::V2);
    fs::rename(place.content("b.bin"), place.content("sub/x")).unwrap();
    let output = place.check(&["--find-renamed"]);
    assert_eq!(code(&output), 1);
    assert!(lines(&output, "b.bin")[0].ends_with("missing; found as sub/x"), "{}", stdout(&output));
    assert_eq!(
        object(&place.check(&["--find-renamed", "--json"]))["files"][1]["found_as"],
        json!(["sub/x"])
    );
}

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
    for unusable in ["", &whole[..20], &whole[..100], &whole.replace("resume 1", "resume 2")] {
        fs::write(place.path("resume"), unusable).unwrap();
        let output = check();
        assert_eq!((code(&output), &object(&output)["pieces"]["trusted"]), (1, &json!(0)));
        assert!(stderr(&output).starts_with("warning: resume: "), "{}", stderr(&output));
        assert_eq!(fs::read_to_string(place.path("resume")).unwrap(), whole);
    }
    // Any other file is not.
    fs::write(place.path("resume"), "{}").unwrap();
    let output = check();
    assert_eq!((code(&output), stdout(&output)), (2, ""));
    assert!(stderr(&output).starts_with("error: resume: not a resume file"), "{}", stderr(&output));
    assert_eq!(fs::read(place.path("resume")).unwrap(), b"{}");
    // An unwritable path is an error before the check.
    let output = place.check(&["--resume-file", "no/such/folder"]);
    assert_eq!((code(&output), stdout(&output)), (2, ""));
    assert!(stderr(&output).contains("no/such/folder"), "{}", stderr(&output));
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

#[test]
fn errors_exit_with_2() {
    let place = Place::new(Format::V1);
    fs::write(place.path("bad.torrent"), "d4:infod4:name1:..e").unwrap();
    fs::write(place.path("empty.torrent"), "").unwrap();
    let wrong: [&[&str]; 18] = [
        &[],
        &["it.torrent"],
        &["it.torrent", "downloads", "more"],
        &["it.torrent", "it.torrent", "downloads", "--quiet"],
        &["it.torrent", "downloads", "--content", "downloads/content"],
        &["none.torrent", "downloads"],
        &["downloads", "downloads"],
        &["bad.torrent", "downloads"],
        &["empty.torrent", "downloads"],
        &["it.torrent", "nowhere"],
        &["it.torrent", "--content", "nowhere"],
        &["it.torrent", "downloads", "--threads", "0"],
        &["it.torrent", "downloads", "--backend", "none"],
        &["it.torrent", "downloads", "--order", "none"],
        &["it.torrent", "downloads", "--files", "[a"],
        &["it.torrent", "downloads", "--files", "none*"],
        &["info"],
        &["info", "bad.torrent"],
    ];
    for arguments in wrong {
        let output = place.run(arguments);
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{arguments:?}");
        assert!(
            stderr(&output).starts_with("error: ") || stderr(&output).contains("Usage"),
            "{}",
            stderr(&output)
        );
    }
    let output = place.run(["it.torrent", "it.torrent", "downloads"]);
    let expected = "error: unexpected downloads: one torrent and one DOWNLOAD_DIR are checked at";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    let output = place.run(["it.torrent", "downloads/content/a.bin"]);
    assert!(stderr(&output).contains("pass it with --content"), "{}", stderr(&output));
    // An endless device is not a torrent.
    #[cfg(target_os = "linux")]
    assert_eq!(code(&place.run(["/dev/zero", "downloads"])), 2);
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

/// If nobody reads the report, the exit status is still that of the content.
#[test]
#[cfg(unix)]
fn a_broken_pipe_is_not_an_error() {
    let place = Place::new(Format::V1);
    for (arguments, expected) in [(["it.torrent", "downloads"], 0), (["info", "it.torrent"], 0)] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let tool =
            tool.current_dir(place.folder.path()).args(arguments).stdout(writer).output().unwrap();
        assert_eq!((code(&tool), stderr(&tool)), (expected, ""));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_exits_with_2() {
    let place = Place::new(Format::V1);
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let status = tool
        .current_dir(place.folder.path())
        .args(["it.torrent", "downloads"])
        .stdout(full)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

/// The content is a sparse file of 16 GiB with one byte in each piece, so that all of it has to be
/// hashed.
#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_check_and_keeps_what_was_done() {
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
        return;
    }
    for piece in 0..pieces {
        large.write_all_at(b"x", piece * piece_length).unwrap();
    }

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
