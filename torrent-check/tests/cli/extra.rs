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
