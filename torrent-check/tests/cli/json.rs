//! Tests of the JSON report.

use std::fs;

use serde_json::{Value, json};

use crate::make::Format;
use crate::place::{Place, code, object, stderr, stdout};

/// The object has the fields of `docs/reference.md`.
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
            "total": good + bad + missing + unverifiable, "good": good, "trusted": 0, "bad": bad,
            "missing": missing, "unverifiable": unverifiable, "skipped": 0, "unchecked": 0,
        })
    };
    let damage = |verdict, first_piece, last_piece, offset, length| {
        json!([{
            "verdict": verdict, "first_piece": first_piece, "last_piece": last_piece,
            "offset": offset, "length": length,
        }])
    };
    let expected = json!({
        "schema": 1,
        "name": "content",
        "version": "hybrid",
        "info_hash_v1": info["info_hash_v1"],
        "info_hash_v2": info["info_hash_v2"],
        "piece_length": 65_536,
        "content": "downloads/content",
        "content_found": "in_folder",
        "complete": false,
        "right_lengths": false,
        "cancelled": false,
        "pieces": counts(30, 1, 16, 1),
        "files": [
            {
                "path": "a.bin", "length": 1 << 20, "found_length": 1 << 20, "verdict": "bad",
                "pieces": { "total": 16, "good": 15, "bad": 1 },
                "damage": damage("bad", 1, 1, 65_536, 65_536),
            },
            {
                "path": "b.bin", "length": 1 << 20, "found_length": null, "verdict": "missing",
                "pieces": { "total": 16, "good": 0, "missing": 16 },
                "damage": damage("missing", 16, 31, 0, 1 << 20),
            },
            {
                "path": "sub/c.bin", "length": 1 << 20, "found_length": (1 << 20) - 1,
                "verdict": "too_short",
                "pieces": { "total": 16, "good": 15, "unverifiable": 1 },
                "damage": damage("unverifiable", 47, 47, 15 << 16, 65_536),
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
