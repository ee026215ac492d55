//! Tests of `--extra` with roots.

use std::fs;

use serde_json::{Value, json};

use crate::make::{Format, Maker, content};
use crate::place::{Place, code, objects, stdout};

/// Two torrents in `torrents`: a folder, and a single file with the suffix of an unfinished one.
fn two() -> Place {
    let place = Place::new(Format::V1);
    fs::create_dir(place.path("torrents")).unwrap();
    fs::rename(place.path("it.torrent"), place.path("torrents/it.torrent")).unwrap();
    let single = Maker::single("single", 16 << 10, content(1, 10)).bytes(Format::V1);
    fs::write(place.path("torrents/single.torrent"), single).unwrap();
    fs::write(place.path("downloads/single.part"), content(1, 10)).unwrap();
    place
}

/// What the summary of a check with these arguments lists, and what the table does.
fn extra(place: &Place, arguments: &[&str]) -> (Value, Vec<String>) {
    let fixed = ["torrents", "--extra"];
    let mut all = objects(&place.run(fixed.iter().chain(arguments).chain(&["--json"])));
    let table = place.run(fixed.iter().chain(arguments));
    let ending = ": not in any of the torrents";
    let lines = stdout(&table).lines().filter_map(|line| line.strip_suffix(ending));
    (all.pop().unwrap()["summary"]["extra"].take(), lines.map(str::to_owned).collect())
}

#[test]
fn files_beside_the_content_of_all_torrents_are_listed() {
    let place = two();
    assert_eq!(extra(&place, &["--root", "downloads"]), (json!(null), vec![]));
    fs::write(place.path("downloads/orphan"), "x").unwrap();
    fs::create_dir_all(place.path("downloads/old/sub")).unwrap();
    fs::create_dir_all(place.path("other/content")).unwrap();
    let expected = ["downloads/old", "downloads/orphan"];
    let found = extra(&place, &["--root", "downloads"]);
    assert_eq!(found, (json!(expected), expected.map(str::to_owned).to_vec()));
    let output = place.run(["torrents", "--root", "downloads", "--extra", "--quiet"]);
    assert_eq!((code(&output), stdout(&output).lines().count()), (0, 3), "{}", stdout(&output));
    assert!(place.path("downloads/orphan").exists(), "nothing is deleted");
    let without = objects(&place.run(["torrents", "--root", "downloads", "--json"]));
    assert_eq!(without[2]["summary"]["extra"], json!(null));

    // A second copy, which was not checked.
    let expected = ["downloads/old", "downloads/orphan", "other/content"];
    assert_eq!(extra(&place, &["--root", "downloads", "--root", "other"]).0, json!(expected));
    // The torrents, the state and another root are known, and so are folders with content.
    let expected = ["./other", "downloads/old", "downloads/orphan"];
    let roots = ["--root", "downloads", "--root", ".", "--root", "downloads"];
    let found = extra(&place, &[&roots[..], &["--state", "state"]].concat()).0;
    assert_eq!(found, json!(expected));

    // The torrent of the content is not checked.
    fs::write(place.path("torrents/it.torrent"), "bad").unwrap();
    let expected = ["downloads/content", "downloads/old", "downloads/orphan"];
    assert_eq!(extra(&place, &["--root", "downloads"]).0, json!(expected));
}

/// Whoever deletes what is listed must not lose content that was just found.
#[test]
fn content_that_was_found_is_not_extra() {
    for arguments in [&["--root", "downloads"][..], &["--root", "downloads", "--root", "other"]] {
        let place = two();
        fs::create_dir_all(place.path("other")).unwrap();
        fs::rename(place.content("a.bin"), place.path("other/moved")).unwrap();
        fs::rename(place.content("b.bin"), place.path("downloads/renamed")).unwrap();
        fs::rename(place.content("sub/c.bin"), place.path("downloads/content/inside")).unwrap();
        fs::write(place.path("downloads/orphan"), "x").unwrap();
        fs::write(place.path("downloads/content/orphan"), "x").unwrap();
        let all = [arguments, &["--find-renamed"]].concat();
        assert_eq!(extra(&place, &all).0, json!(["downloads/orphan"]));
        let output = place.run(["torrents", "--extra", "--json"].iter().chain(&all));
        assert_eq!(objects(&output)[0]["extra"], json!(["orphan"]));
    }
}

/// Content without a folder of its own is not all that is in the folder of downloads.
#[test]
fn content_without_a_folder_leaves_the_others_extra() {
    let place = two();
    for file in ["a.bin", "b.bin"] {
        fs::rename(place.content(file), place.path("downloads").join(file)).unwrap();
    }
    fs::rename(place.path("downloads/content/sub"), place.path("downloads/sub")).unwrap();
    fs::remove_dir(place.path("downloads/content")).unwrap();
    fs::write(place.path("downloads/orphan"), "x").unwrap();
    fs::write(place.path("downloads/sub/orphan"), "x").unwrap();
    let expected = json!(["downloads/orphan", "downloads/sub/orphan"]);
    assert_eq!(extra(&place, &["--root", "downloads"]).0, expected);
    // Nor is it if a client says so.
    let session = place.path("BT_backup");
    fs::create_dir(&session).unwrap();
    let info = crate::place::object(&place.run(["info", "torrents/it.torrent", "--json"]));
    let hash = info["info_hash_v1"].as_str().unwrap();
    fs::rename(place.path("torrents/it.torrent"), session.join(format!("{hash}.torrent"))).unwrap();
    let downloads = place.path("downloads");
    let path = downloads.to_str().unwrap();
    let names = "l5:a.bin5:b.bin9:sub/c.bine";
    let resume = format!("d12:mapped_files{names}9:save_path{}:{path}e", path.len());
    fs::write(session.join(format!("{hash}.fastresume")), resume).unwrap();
    fs::remove_file(place.path("downloads/single.part")).unwrap();
    let output = place.run(["--client", "BT_backup", "--root", "downloads", "--extra", "--json"]);
    let all = objects(&output);
    assert_eq!(all[1]["summary"]["complete"], 1, "{all:?}");
    assert_eq!(all[1]["summary"]["extra"], expected, "{all:?}");
    assert_eq!(all[0]["extra"], json!(null));
}
