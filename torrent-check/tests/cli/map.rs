//! Tests of maps from torrents to their content.

use std::fs;

use serde_json::{Value, json};

use crate::make::{FORMATS, Format, Maker, content};
use crate::many::several;
use crate::place::{Place, code, objects, stderr, stdout};

/// What the check of each torrent says: where its content is, or the error.
fn found(objects: &[Value]) -> Vec<String> {
    let found = objects.iter().filter(|object| object.get("summary").is_none());
    let text = |object: &Value| {
        let text = object.get("error").unwrap_or(&object["content"]);
        text.as_str().unwrap().to_owned()
    };
    found.map(text).collect()
}

#[test]
fn content_is_where_the_map_says() {
    for format in FORMATS {
        let place = several(format, &["a", "b", "c", "d", "e"]);
        let info = place.run(["info", "torrents/c.torrent", "--json"]);
        let info = &objects(&info)[0];
        let hash = if format == Format::V1 { "info_hash_v1" } else { "info_hash_v2" };
        let hash = info[hash].as_str().unwrap().to_uppercase();
        for (from, to) in [("a", "one/a"), ("b", "two/renamed"), ("c", "three/c")] {
            let to = place.path(to);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::rename(place.path("downloads").join(from), to).unwrap();
        }
        // Paths of torrents may be written in several ways, and those of content may have tabs.
        fs::create_dir(place.path("a\ttab")).unwrap();
        fs::rename(place.path("downloads/d"), place.path("a\ttab/d")).unwrap();
        let map = format!(
            "torrents/a.torrent\tone\r\n\n./torrents/../torrents/b.torrent\ttwo/renamed\n\
             {hash}\tthree\ntorrents/d.torrent\ta\ttab"
        );
        fs::write(place.path("map"), map).unwrap();
        let output = place.run(["torrents", "--map", "map", "--root", "downloads", "--json"]);
        let all = objects(&output);
        assert_eq!((code(&output), stderr(&output)), (0, ""), "{all:?}");
        let expected = ["one/a", "two/renamed", "three/c", "a\ttab/d", "downloads/e"];
        assert_eq!(found(&all), expected);
        assert_eq!(all[1]["content_found"], "given");
        assert_eq!(all[5]["summary"]["complete"], 5);

        // Without a root, a torrent without a line is an error. The others are checked.
        let output = place.run(["torrents", "--map", "map", "--state", "state", "--json"]);
        let all = objects(&output);
        assert_eq!(code(&output), 2);
        let error = "torrents/e.torrent: map has no line for it; add one, or pass the folder of \
                     its content with --root";
        assert_eq!(found(&all)[4], error);
        assert_eq!(all[4]["torrent"], "torrents/e.torrent");
        assert_eq!(stderr(&output), format!("error: {error}\n"));
        let summary = &all[5]["summary"];
        assert_eq!((&summary["complete"], &summary["unreadable"]), (&json!(4), &json!(1)));
        // A root that cannot be opened does not stop the torrents that have a line.
        let output = place.run(["torrents", "--map", "map", "--root", "nowhere", "--json"]);
        assert_eq!((code(&output), &objects(&output)[6]["summary"]["complete"]), (2, &json!(4)));
    }
}

/// A single file may be mapped to itself, or to its folder.
#[test]
fn single_files_are_where_the_map_says() {
    for format in FORMATS {
        let place = Place::new(format);
        let data = content(1, 50_000);
        let torrent = Maker::single("single", 16 << 10, data.clone()).bytes(format);
        fs::write(place.path("it.torrent"), torrent).unwrap();
        fs::write(place.path("other"), &data).unwrap();
        fs::write(place.path("downloads/single"), &data).unwrap();
        for (at, expected) in [("other", "other"), ("downloads", "downloads/single")] {
            fs::write(place.path("map"), format!("it.torrent\t{at}\n")).unwrap();
            let output = place.run(["it.torrent", "--map", "map", "--json"]);
            assert_eq!((code(&output), found(&objects(&output))), (0, vec![expected.to_owned()]));
        }
        // Nothing is in the folder.
        fs::create_dir(place.path("empty")).unwrap();
        fs::write(place.path("map"), "it.torrent\tempty\n").unwrap();
        let output = place.run(["it.torrent", "--map", "map", "--json"]);
        assert_eq!((code(&output), &objects(&output)[1]["summary"]["missing"]), (1, &json!(1)));
    }
}

/// Renamed content may have a file or a folder with the torrent's name. A map may begin with a
/// byte order mark.
#[test]
fn renamed_content_with_an_entry_of_its_own_name() {
    for format in FORMATS {
        let place = Place::new(format);
        for (name, first, second) in [("foo", "foo", "sha"), ("album", "album/1", "cover")] {
            let data = content(1, 50_000);
            let maker = Maker::folder(name, 16 << 10);
            let maker = maker.file(first, data.clone()).file(second, data.clone());
            fs::write(place.path("it.torrent"), maker.bytes(format)).unwrap();
            let renamed = format!("renamed {name}");
            for path in [first, second] {
                let path = place.path(&renamed).join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, &data).unwrap();
            }
            fs::write(place.path("map"), format!("\u{feff}it.torrent\t{renamed}\n")).unwrap();
            let output = place.run(["it.torrent", "--map", "map", "--json"]);
            assert_eq!((code(&output), found(&objects(&output))), (0, vec![renamed]));
        }
    }
}

#[test]
fn bad_lines_of_a_map_are_explained() {
    let place = several(Format::V1, &["a", "b"]);
    let check = |map: &[u8]| {
        fs::write(place.path("map"), map).unwrap();
        place.run(["torrents", "--map", "map", "--root", "downloads"])
    };
    let info = place.run(["info", "torrents/a.torrent", "--json"]);
    let hash = objects(&info)[0]["info_hash_v1"].as_str().unwrap().to_owned();
    let twice = format!("{hash}\tx\n{}\ty", hash.to_uppercase());
    let cases = [
        ("torrents/a.torrent downloads", 1, "there is no tab; write the path or info hash"),
        ("torrents/a.torrent\tdownloads\n\n\tdownloads", 3, "there is no torrent before the tab"),
        ("torrents/a.torrent\t", 1, "there is no folder after the tab"),
        (
            "torrents/a.torrent\tx\ntorrents/b.torrent\tx\n./torrents/a.torrent\tx",
            3,
            "the torrent is also on line 1; remove one of the lines",
        ),
        (&twice, 2, "the torrent is also on line 1"),
    ];
    for (map, line, message) in cases {
        let output = check(map.as_bytes());
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{map}");
        let expected = format!("error: map, line {line}: {message}");
        assert!(stderr(&output).starts_with(&expected), "{}", stderr(&output));
    }
    // A torrent that is gone does not stop the others.
    let output = check(b"torrents/a.torrent\tdownloads\ntorrents/gone.torrent\tdownloads\n");
    let warning = "warning: map, line 2: there is no file torrents/gone.torrent; correct the path \
                   or remove the line\n";
    assert_eq!((code(&output), stderr(&output)), (0, warning));
    // Nor does a folder that cannot be opened.
    let output = check(b"torrents/a.torrent\tnowhere\n");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with("error: cannot open nowhere: "), "{}", stderr(&output));
    let end = "; correct line 1 of map or remove it\n";
    assert!(stderr(&output).ends_with(end), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 complete, 1 unreadable"), "{}", stdout(&output));

    let output = place.run(["torrents", "--map", "none"]);
    assert!(stderr(&output).starts_with("error: cannot read none: "), "{}", stderr(&output));
    assert_eq!(code(&output), 2);
}
