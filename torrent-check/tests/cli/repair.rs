//! Tests of `repair`, which finds the content of torrents without a client.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::make::{FORMATS, Format, Maker, content};
use crate::place::{Place, code, objects, stderr, stdout};

/// A torrent of three files with names that begin with its own, written to `torrents`.
fn torrent(place: &Place, name: &str, seed: u8, format: Format) -> [(String, Vec<u8>); 3] {
    let files = [("a", 100_000), ("sub/b", 70_000), ("c", 3_000)];
    let mut maker = Maker::folder(name, 16 << 10);
    let files = files.map(|(file, length)| {
        let data = content(seed + length as u8, length + usize::from(seed));
        (file.to_owned(), data)
    });
    for (file, data) in &files {
        maker = maker.file(file, data.clone());
    }
    fs::create_dir_all(place.path("torrents")).unwrap();
    fs::write(place.path("torrents").join(format!("{name}.torrent")), maker.bytes(format)).unwrap();
    files
}

fn write(place: &Place, path: &str, data: &[u8]) {
    let path = place.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, data).unwrap();
}

fn repair(place: &Place, more: &[&str]) -> (i32, Vec<Value>) {
    let fixed = ["repair", "torrents", "--root", "one", "--root", "two", "--json"];
    let output = place.run(fixed.iter().chain(more));
    (code(&output), objects(&output))
}

fn empty() -> Place {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    fs::create_dir(place.path("one")).unwrap();
    fs::create_dir(place.path("two")).unwrap();
    place
}

/// Each torrent with its own fate: in place, moved, with a renamed folder, split over two disks,
/// with a renamed file, damaged, and lost.
#[test]
fn the_content_of_lost_sessions_is_found() {
    for format in FORMATS {
        let place = empty();
        let names = ["in-place", "moved", "folder", "split", "file", "damaged", "lost"];
        for (seed, name) in (0..).zip(names) {
            let files = torrent(&place, name, seed * 10, format);
            for (nth, (file, data)) in files.into_iter().enumerate() {
                let path = match name {
                    "in-place" => format!("one/{name}/{file}"),
                    "moved" => format!("two/deep/er/{name}/{file}"),
                    "folder" => format!("one/Renamed {name}/{file}"),
                    "split" => format!("{}/{name}/{file}", if nth == 0 { "one" } else { "two" }),
                    "file" if nth == 1 => format!("two/{name}/sub/other"),
                    "file" | "damaged" => format!("two/{name}/{file}"),
                    _ => continue,
                };
                let mut data = data;
                if name == "damaged" && nth == 0 {
                    data[50_000] ^= 1;
                }
                write(&place, &path, &data);
            }
        }
        write(&place, "one/orphan", b"abc");
        write(&place, "two/old/x/y", b"abcd");
        write(&place, "two/old/z", b"ab");
        let before = tree(place.folder.path());
        let (status, all) = repair(&place, &[]);
        assert_eq!(status, 1);
        let of = |name: &str| all.iter().find(|it| it["name"] == name).unwrap();
        let shown = |path: &str| json!(std::path::absolute(place.path(path)).unwrap());
        let clients = |name: &str| -> Vec<&str> {
            let all = of(name)["clients"].as_array().unwrap().iter();
            all.map(|it| it["client"].as_str().unwrap()).collect()
        };
        let four = ["qbittorrent", "transmission", "deluge", "rtorrent"];
        for (name, content, has_name) in [
            ("in-place", "one/in-place", true),
            ("moved", "two/deep/er/moved", true),
            ("folder", "one/Renamed folder", false),
            ("file", "two/file", true),
        ] {
            let it = of(name);
            assert_eq!(it["found"], "complete", "{format:?} {it}");
            assert_eq!((&it["content_path"], &it["has_name"]), (&shown(content), &json!(has_name)));
            let expected = if name == "file" { &four[..3] } else { &four };
            assert_eq!(clients(name), expected, "{it}");
            for client in it["clients"].as_array().unwrap() {
                let is_base = client["setting"] == "d.directory_base.set";
                let parent = Path::new(content).parent().unwrap().to_str().unwrap();
                let value = if is_base { content } else { parent };
                assert_eq!(client["value"], shown(value), "{client}");
                let is_renamed = (!has_name && !is_base) || name == "file";
                assert_eq!(!client["rename"].is_null(), is_renamed, "{client}");
            }
        }
        let file = of("file")["files"].as_array().unwrap().iter();
        let renamed: Vec<&Value> =
            file.map(|it| &it["renamed"]).filter(|it| !it.is_null()).collect();
        assert_eq!(renamed, ["sub/other"]);
        let split = of("split");
        assert_eq!((&split["found"], clients("split").len()), (&json!("complete"), 0), "{split}");
        let elsewhere = split["files"].as_array().unwrap().iter();
        assert_eq!(elsewhere.filter(|it| it["is_elsewhere"] == true).count(), 2, "{split}");
        let damaged = of("damaged");
        assert_eq!(damaged["found"], "partial");
        let at_risk = damaged["files"].as_array().unwrap().iter();
        let at_risk = at_risk.filter(|it| it["is_at_risk"] == true);
        assert!(at_risk.clone().any(|it| it["path"] == "a"), "{damaged}");
        assert!(at_risk.clone().all(|it| it["finding"] != "proven"), "{damaged}");
        assert_eq!(of("lost")["found"], "missing");
        assert!(of("lost")["content_path"].is_null() && clients("lost").is_empty());
        let summary = &all.last().unwrap()["repair"];
        let counts = ["torrents", "complete", "partial", "missing"].map(|it| &summary[it]);
        assert_eq!(counts, [7, 5, 1, 1], "{summary}");
        let unused = json!([
            { "path": shown("one/orphan"), "files": 1, "bytes": 3 },
            { "path": shown("two/old"), "files": 2, "bytes": 6 },
        ]);
        assert_eq!(summary["unused"], unused);
        assert_eq!(tree(place.folder.path()), before, "nothing is written");
        let output = place.run(["repair", "torrents", "--root", "one", "--root", "two"]);
        assert!(stdout(&output).contains("7 torrents: 5 complete, 1 partial, 1 missing\n"));
        assert!(stdout(&output).contains("two/old (2 files, 6 B)\n"), "{}", stdout(&output));
    }
}

/// All paths and lengths beneath a folder.
fn tree(folder: &Path) -> Vec<(std::path::PathBuf, u64)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(tree(&path)),
            false => all.push((path.clone(), path.metadata().unwrap().len())),
        }
    }
    all.sort();
    all
}

/// The same files in several torrents, with other pieces and in other layouts, are read once.
#[test]
fn files_that_torrents_share_are_read_once() {
    let place = empty();
    let files = [("film.mkv", content(1, 900_000)), ("b.nfo", content(2, 900))];
    fs::create_dir(place.path("torrents")).unwrap();
    for (name, piece_length, format) in [
        ("one", 16 << 10, Format::V1),
        ("two", 32 << 10, Format::V1),
        ("three", 64 << 10, Format::V2),
        ("four", 16 << 10, Format::Hybrid),
    ] {
        let mut maker = Maker::folder(name, piece_length);
        for (file, data) in &files {
            maker = maker.file(file, data.clone());
        }
        let path = place.path("torrents").join(format!("{name}.torrent"));
        fs::write(path, maker.bytes(format)).unwrap();
    }
    let single = Maker::single("film.mkv", 64 << 10, files[0].1.clone());
    fs::write(place.path("torrents/single.torrent"), single.bytes(Format::V1)).unwrap();
    for (file, data) in &files {
        write(&place, &format!("one/library/{file}"), data);
    }
    // Another name of the film, as cross-seeding makes them, is not left over.
    fs::hard_link(place.path("one/library/film.mkv"), place.path("two/link.mkv")).unwrap();
    let (status, all) = repair(&place, &[]);
    assert_eq!(status, 0, "{all:?}");
    for it in &all[..5] {
        assert_eq!(
            (&it["found"], it["shares_with"].as_array().unwrap().len()),
            (&json!("complete"), 4)
        );
    }
    let summary = &all[5]["repair"];
    assert_eq!((&summary["unused"], &summary["files_there"]), (&json!([]), &json!(2)));
    let [read, there] = ["bytes_read", "bytes_there"].map(|it| summary[it].as_u64().unwrap());
    assert_eq!(there, 900_900);
    // Beside each file, pieces with bytes of both are read again.
    assert!(read < there + 4 * (64 << 10), "{read} of {there}");
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let place = empty();
    torrent(&place, "it", 1, Format::V1);
    fs::write(place.path("torrents/bad.torrent"), "x").unwrap();
    let (status, all) = repair(&place, &["--root", "three"]);
    assert_eq!((status, all.len()), (2, 4), "{all:?}");
    assert!(all[0]["error"].is_string() && all[1]["error"].is_string());
    assert_eq!((&all[3]["repair"]["errors"], &all[3]["repair"]["missing"]), (&json!(2), &json!(1)));
    let output = place.run(["repair", "torrents", "--root", "three"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot open the root three: "), "{}", stderr(&output));
}
