//! Tests of `torrent-check info`.
#![cfg(feature = "cli")]

use std::process::Command;

use serde_json::json;

use crate::make::{Format, Maker, Value, content};

/// Runs `torrent-check info` on a torrent, and returns its status, stdout and stderr.
fn info(bytes: &[u8], options: &[&str]) -> (Option<i32>, String, String) {
    let file = std::env::temp_dir().join(format!(
        "torrent-check-info-{}-{:?}.torrent",
        std::process::id(),
        std::thread::current().id()
    ));
    std::fs::write(&file, bytes).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_torrent-check"))
        .arg("info")
        .arg(&file)
        .args(options)
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn made() -> Value {
    Maker::folder("folder", 16 << 10)
        .file("a", content(1, 20_000))
        .file("b\u{1b}", content(2, 1))
        .symlink("z", "a")
        .torrent(Format::Hybrid)
}

#[test]
fn as_text() {
    let (status, text, errors) = info(&made().encode(), &[]);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["name          folder", "version       hybrid"]);
    assert_eq!(lines[2].len(), 14 + 40);
    assert_eq!(lines[3].len(), 14 + 64);
    assert_eq!(
        lines[4..],
        [
            "piece length  16384",
            "pieces v1     3",
            "length        20001",
            "files",
            "  20000  a",
            "  12768  .pad/12768 (padding)",
            r"      1  b\u{1b}",
            "      0  z -> a",
        ]
    );
}

#[test]
fn as_json() {
    let mut torrent = made();
    let bytes = [torrent.encode(), b"\n".to_vec()].concat();
    let (status, text, _) = info(&bytes, &["--json"]);
    assert_eq!(status, Some(0));
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    let info = torrent.at(&["info"]).encode();
    let [root_a, root_b] = ["a", "b\u{1b}"].map(|name| {
        let root = torrent.at(&["info", "file tree", name, "", "pieces root"]);
        let Value::Bytes(root) = root else { unreachable!("it is a hash") };
        hex::encode(root)
    });
    use sha1::Digest as _;
    assert_eq!(
        found,
        json!({
            "name": "folder",
            "version": "hybrid",
            "info_hash_v1": hex::encode(sha1::Sha1::digest(&info)),
            "info_hash_v2": hex::encode(sha2::Sha256::digest(&info)),
            "piece_length": 16384,
            "pieces_v1": 3,
            "length": 20001,
            "single_file": false,
            "files": [
                { "path": "a", "length": 20000, "kind": "data", "pieces_root": root_a },
                { "path": ".pad/12768", "length": 12768, "kind": "pad" },
                { "path": "b\u{1b}", "length": 1, "kind": "data", "pieces_root": root_b },
                { "path": "z", "length": 0, "kind": "symlink", "target": "a" },
            ],
            "warnings": [{ "offset": bytes.len() - 1, "message": "trailing whitespace" }],
        })
    );
}

#[test]
fn malformed_torrents_are_refused() {
    let (status, text, errors) = info(b"d4:infodee", &[]);
    assert_eq!((status, text.as_str()), (Some(2), ""));
    assert!(errors.contains("byte 7: `piece length` is missing"), "{errors}");
}
