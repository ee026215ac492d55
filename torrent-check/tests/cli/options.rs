//! Tests of the options.

use std::ffi::OsStr;
use std::fs;

use serde_json::json;

use crate::make::{self, Format, Maker, content};
use crate::place::{Place, code, lines, object, stdout};

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
