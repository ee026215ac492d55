//! The published JSON Schema.
//!
//! `cargo xtask json-schema` validates what these tests make the tool print with `--json`, because
//! a validator would add dozens of crates to the tests.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write as _;

use serde_json::{Value, json};

use crate::make::{self, Format, Maker, content};
use crate::place::{Place, code, object, stderr};

pub(crate) const TEXT: &str = include_str!("../../schema/torrent-check.v1.schema.json");

/// Parses a line that `--json` printed, and appends it to the file that the environment variable
/// names.
pub(crate) fn parse(line: &str) -> Value {
    if let Some(path) = env::var_os("TORRENT_CHECK_JSON_LINES") {
        let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
        // In one call, because tests run in parallel.
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
    serde_json::from_str(line).unwrap()
}

/// The fields that other tests leave out.
#[test]
fn links_and_other_names_are_described() {
    let place = Place::new(Format::V1);
    let maker = Maker::folder("content", 16 << 10).file("file", [1]).symlink("link", "file");
    fs::write(place.path("it.torrent"), maker.bytes(Format::V1)).unwrap();
    fs::write(place.content("file.part"), [1]).unwrap();
    fs::write(place.content("link"), [1]).unwrap();
    let report = object(&place.check(&["--json"]));
    assert_eq!(report["files"][0]["saved_as"], "file.part");
    assert_eq!(report["files"][1]["verdict"], "not_a_link");
    let info = object(&place.run(["info", "it.torrent", "--json"]));
    assert_eq!(info["files"][1]["target"], "file");
}

/// Numbers above 2^53 are integers, and exact.
#[test]
fn large_numbers_match() {
    let place = Place::new(Format::V2);
    let length = (1_i64 << 53) + 1;
    let mut made = Maker::single("large", 1 << 30, content(1, 100)).torrent(Format::V2);
    made.set(&["info", "file tree", "large", ""], "length", make::Value::Integer(length));
    made.set(&[], "creation date", make::Value::Integer(i64::MIN));
    fs::write(place.path("large.torrent"), made.encode()).unwrap();
    let info = object(&place.run(["info", "large.torrent", "--json"]));
    assert_eq!((&info["length"], &info["files"][0]["length"]), (&json!(length), &json!(length)));
    assert_eq!(info["creation_date"], i64::MIN);
}

/// A report and `info` describe the oddities of a torrent alike.
#[test]
fn warnings_have_one_shape() {
    let place = Place::new(Format::V1);
    let mut torrent = fs::read(place.path("it.torrent")).unwrap();
    let end = torrent.len() - 1;
    let expected = json!([{ "offset": end, "message": "unsorted dictionary keys" }]);
    torrent.splice(end.., *b"1:a0:e");
    fs::write(place.path("it.torrent"), torrent).unwrap();
    assert_eq!(object(&place.check(&["--json"]))["warnings"], expected);
    assert_eq!(object(&place.run(["info", "it.torrent", "--json"]))["warnings"], expected);
}

/// So do errors, also in the arguments, and stderr has the same text.
#[test]
fn every_error_is_an_object() {
    let place = Place::new(Format::V1);
    fs::write(place.path("bad.torrent"), "x").unwrap();
    let all: [&[&str]; 9] = [
        &["--json"],
        &["--json", "it.torrent", "downloads", "--threads", "0"],
        &["--json", "it.torrent", "downloads", "--no-such-option"],
        &["it.torrent", "downloads", "--recheck", "1", "--json"],
        &["it.torrent", "nowhere", "--json"],
        &["it.torrent", "--root", "nowhere", "--json"],
        &["bad.torrent", "downloads", "--json"],
        &["info", "bad.torrent", "--json"],
        &["info", "--json"],
    ];
    for arguments in all {
        let output = place.run(arguments);
        let error = object(&output);
        let message = error["error"].as_str().unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert_eq!(stderr(&output).trim_end(), format!("error: {message}"), "{arguments:?}");
    }
}
