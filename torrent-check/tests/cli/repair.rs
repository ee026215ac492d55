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

/// Transmission renames files, but does not move them to other folders.
#[test]
fn clients_are_named_only_if_they_can_use_the_content() {
    for (path, expected) in [
        ("two/it/sub/other", &["qbittorrent", "transmission", "deluge"][..]),
        ("two/it/other", &["qbittorrent", "deluge"]),
    ] {
        let place = empty();
        for (file, data) in torrent(&place, "it", 1, Format::V1) {
            let path = if file == "sub/b" { path.to_owned() } else { format!("two/it/{file}") };
            write(&place, &path, &data);
        }
        let (status, all) = repair(&place, &[]);
        assert_eq!(status, 0, "{all:?}");
        let clients = all[0]["clients"].as_array().unwrap().iter();
        let clients: Vec<&str> = clients.map(|it| it["client"].as_str().unwrap()).collect();
        assert_eq!(clients, expected, "{path}");
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

/// A session of many torrents without its resume data. A third of the torrents, which are of v1,
/// have files of one length under other names in no order, across all folders; a third have
/// renamed folders; the others, of v2 and hybrid, are spread over two roots. All files of two
/// thirds have one length, and the same names in each torrent.
fn lost_session(place: &Place, torrents: usize, files: usize, length: usize) {
    fs::create_dir(place.path("torrents")).unwrap();
    for nth in 0..torrents {
        let name = format!("release {nth}");
        let mut maker = Maker::folder(&name, (16 << 10) << (nth / 3 % 3));
        let format = [Format::V1, Format::V1, [Format::V2, Format::Hybrid][nth / 3 % 2]][nth % 3];
        for file in 0..files {
            let id = nth * files + file;
            // The last file is short, as that of an archive in parts.
            let length = if file + 1 == files { length / 3 + nth } else { length };
            let mut data = content(id as u8, length);
            for (at, byte) in data.iter_mut().enumerate() {
                *byte ^= (id.wrapping_mul(2_654_435_761) >> (8 * (at % 3) + 4)) as u8;
            }
            let listed = format!("it.part{file:03}");
            let shuffled = id.wrapping_mul(48_271) % 99_991;
            let path = match nth % 3 {
                0 => format!("{}/{}/{shuffled:05}.bin", ["one", "two"][id % 2], shuffled % 20),
                1 => format!("one/moved/Renamed {nth}/{listed}"),
                _ => format!("{}/{name}/{listed}", ["one", "two"][file % 2]),
            };
            write(place, &path, &data);
            maker = maker.file(&listed, data);
        }
        let path = place.path("torrents").join(format!("{name}.torrent"));
        fs::write(path, maker.bytes(format)).unwrap();
    }
}

/// The bytes read stay in proportion to the bytes there.
#[test]
fn a_lost_session_is_found_with_few_reads() {
    for (torrents, files) in [(12, 10), (24, 20)] {
        let place = empty();
        lost_session(&place, torrents, files, 100_000);
        let (status, all) = repair(&place, &[]);
        let summary = &all.last().unwrap()["repair"];
        assert_eq!((status, &summary["complete"]), (0, &json!(torrents)), "{summary}");
        let [read, there] = ["bytes_read", "bytes_there"].map(|it| summary[it].as_u64().unwrap());
        assert!(read < 3 * there, "{torrents} torrents: {read} of {there}");
    }
}

#[test]
#[ignore = "takes long"]
fn a_lost_session_is_found_with_few_reads_long() {
    let place = empty();
    lost_session(&place, 200, 100, 100_000);
    let (status, all) = repair(&place, &[]);
    let summary = &all.last().unwrap()["repair"];
    assert_eq!((status, &summary["complete"]), (0, &json!(200)), "{summary}");
    let [read, there] = ["bytes_read", "bytes_there"].map(|it| summary[it].as_u64().unwrap());
    assert!(read < 3 * there, "{read} of {there}");
}

/// A limit that several torrents reach, and that listing and searching reach, is said once.
#[test]
fn a_limit_is_printed_once() {
    let place = empty();
    for (seed, name) in (1..).zip(["a", "b", "c"]) {
        torrent(&place, name, seed, Format::V1);
    }
    write(&place, "one/1/2/3/4/5/6/7/8/9/x", b"x");
    let limit = "searched only 8 folders deep";
    let arguments = ["torrents", "--root", "one", "--root", "two"];
    let output = place.run(["repair"].iter().chain(&arguments));
    assert_eq!(stdout(&output).matches(limit).count(), 1, "{}", stdout(&output));
    let output = place.run(["repair"].iter().chain(&arguments).chain(&["--json"]));
    let all = objects(&output);
    let limits = &all.last().unwrap()["repair"]["search_limits"];
    assert_eq!(limits.as_array().unwrap().len(), 1, "{limits}");

    let single = ["torrents/a.torrent", "one", "--find-renamed"];
    let output = place.run(single);
    assert_eq!(stdout(&output).matches(limit).count(), 1, "{}", stdout(&output));
    let output = place.run(single.iter().chain(&["--json"]));
    let limits = &objects(&output)[0]["search_limits"];
    assert_eq!(limits.as_array().unwrap().len(), 1, "{limits}");
}
