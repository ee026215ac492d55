//! Tests of `torrent-check info`.

use std::fs;
use std::process::Output;

use serde_json::json;
use torrent_check::Torrent;

use crate::make::{Format, Maker, Value, content, strings};
use crate::place::{Place, code, object, stderr, stdout};

/// Runs `torrent-check info` on a torrent.
fn info(bytes: &[u8], options: &[&str]) -> Output {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    fs::write(place.path("it.torrent"), bytes).unwrap();
    place.run(["info", "it.torrent"].iter().chain(options))
}

fn made() -> Value {
    Maker::folder("folder", 16 << 10)
        .file("a", content(1, 20_000))
        .file("b\u{202e}", content(2, 1))
        .symlink("z", "a")
        .torrent(Format::Hybrid)
}

#[test]
fn as_text() {
    let output = info(&made().encode(), &[]);
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines[..2], ["name          folder", "version       hybrid"]);
    assert_eq!(lines[2].len(), 14 + 40);
    assert_eq!(lines[3].len(), 14 + 64);
    assert_eq!(lines[4..7], ["piece length  16384", "pieces v1     3", "length        20001"]);
    let (v1, v2) = (&lines[2][14..], &lines[3][14..]);
    let magnet = format!("magnet        magnet:?xt=urn:btih:{v1}&xt=urn:btmh:1220{v2}&dn=folder");
    assert_eq!(lines[7], magnet);
    assert_eq!(
        lines[8..],
        [
            "files",
            "  20000  a",
            "  12768  .pad/12768 (padding)",
            r"      1  b\u{202e}",
            "      0  z -> a",
        ]
    );
}

#[test]
fn as_json() {
    let mut torrent = made();
    let output = info(&torrent.encode(), &["--json"]);
    assert_eq!(code(&output), 0);
    let info = torrent.at(&["info"]).encode();
    let [root_a, root_b] = ["a", "b\u{202e}"].map(|name| {
        let root = torrent.at(&["info", "file tree", name, "", "pieces root"]);
        let Value::Bytes(root) = root else { unreachable!("it is a hash") };
        hex::encode(root)
    });
    use sha1::Digest as _;
    assert_eq!(
        object(&output),
        json!({
            "schema": 1,
            "name": "folder",
            "version": "hybrid",
            "info_hash_v1": hex::encode(sha1::Sha1::digest(&info)),
            "info_hash_v2": hex::encode(sha2::Sha256::digest(&info)),
            "piece_length": 16384,
            "pieces_v1": 3,
            "length": 20001,
            "single_file": false,
            "trackers": [],
            "web_seeds": [],
            "creation_date": null,
            "created_by": null,
            "comment": null,
            "source": null,
            "private": false,
            "magnet": format!(
                "magnet:?xt=urn:btih:{}&xt=urn:btmh:1220{}&dn=folder",
                hex::encode(sha1::Sha1::digest(&info)),
                hex::encode(sha2::Sha256::digest(&info)),
            ),
            "files": [
                { "path": "a", "length": 20000, "kind": "data", "pieces_root": root_a },
                { "path": ".pad/12768", "length": 12768, "kind": "pad" },
                { "path": "b\u{202e}", "length": 1, "kind": "data", "pieces_root": root_b },
                { "path": "z", "length": 0, "kind": "symlink", "target": "a" },
            ],
            "warnings": [],
        })
    );
}

/// Fields that a check does not need.
#[test]
fn everything_else_is_shown() {
    let mut torrent = Maker::single("a b&\u{fc}", 16 << 10, content(1, 1)).torrent(Format::V1);
    torrent.set(&["info"], "private", 1);
    torrent.set(&["info"], "source", "tag");
    torrent.set(&[], "announce", "http://unused/");
    let tiers = Value::List(vec![
        strings(["http://a/announce?x=1", "udp://b:6969"]),
        strings([]),
        strings(["", "http://c/\u{1b}"]),
    ]);
    torrent.set(&[], "announce-list", tiers);
    torrent.set(&[], "url-list", "http://seed/");
    torrent.set(&[], "creation date", 1_700_000_000);
    torrent.set(&[], "created by", "a program");
    torrent.set(&[], "comment", "two\u{b}lines");
    let output = info(&torrent.encode(), &[]);
    assert_eq!(code(&output), 0);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    let hash = &lines[2][14..];
    let magnet = format!(
        "magnet        magnet:?xt=urn:btih:{hash}&dn=a%20b%26%C3%BC\
         &tr=http%3A%2F%2Fa%2Fannounce%3Fx%3D1&tr=udp%3A%2F%2Fb%3A6969&tr=http%3A%2F%2Fc%2F%1B\
         &ws=http%3A%2F%2Fseed%2F"
    );
    let expected = [
        "created by    a program",
        r"comment       two\u{b}lines",
        "source        tag",
        "created       2023-11-14T22:13:20Z",
        "private       yes",
        "tracker 1     http://a/announce?x=1",
        "tracker 1     udp://b:6969",
        r"tracker 2     http://c/\u{1b}",
        "web seed      http://seed/",
        &magnet,
    ];
    assert_eq!(lines[6..16], expected);
    let found = object(&info(&torrent.encode(), &["--json"]));
    let trackers = json!([["http://a/announce?x=1", "udp://b:6969"], ["http://c/\u{1b}"]]);
    assert_eq!(found["trackers"], trackers);
    assert_eq!(found["web_seeds"], json!(["http://seed/"]));
    assert_eq!((&found["creation_date"], &found["private"]), (&json!(1_700_000_000), &json!(true)));
    assert_eq!((&found["source"], &found["comment"]), (&json!("tag"), &json!("two\u{b}lines")));

    torrent.set(&[], "announce", "");
    torrent.remove(&[], "announce-list");
    let torrent = Torrent::parse(&torrent.encode()).unwrap();
    assert!(torrent.about().trackers.is_empty());
}

/// Nothing of them is needed for a check.
#[test]
fn fields_of_wrong_types_are_left_out() {
    let mut torrent = Maker::single("a", 16 << 10, content(1, 1)).torrent(Format::V2);
    for key in ["announce-list", "url-list", "created by", "comment"] {
        torrent.set(&[], key, 1);
    }
    torrent.set(&[], "announce", "http://a/");
    torrent.set(&[], "creation date", "today");
    torrent.set(&["info"], "private", "yes");
    let torrent = Torrent::parse(&torrent.encode()).unwrap();
    let about = torrent.about();
    assert_eq!(about.trackers, [["http://a/"]]);
    assert!(about.web_seeds.is_empty() && !about.is_private);
    assert_eq!((about.creation_date, &about.created_by, &about.comment), (None, &None, &None));
}
