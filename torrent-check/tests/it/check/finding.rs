//! Tests of where content is looked for, also under other names.

use std::fs;
use std::path::{Path, PathBuf};

use torrent_check::{
    Check, CheckError, Content, FileVerdict, Finding, LayOut, Layout, Link, Outcome, Place, Report,
};

use super::download::{Download, KIB, ragged, three_mib, verdicts};
use crate::make::{FORMATS, Format, Maker, content};

fn found_as(report: &Report<'_>, file: usize) -> Vec<String> {
    let text = |path: &PathBuf| path.to_str().unwrap().replace('\\', "/");
    report.files[file].found_as().iter().map(text).collect()
}

fn lay_out(report: &Report<'_>, folder: &Path, kinds: &[Link]) -> Layout {
    report.lay_out(folder, &LayOut { kinds, likely: false, cancel: None }).unwrap()
}

fn find(download: &Download) -> Report<'_> {
    Check { find_renamed: true, ..download.to_check() }.run().unwrap()
}

#[test]
fn renamed_files_are_found_by_their_roots() {
    for format in [Format::V2, Format::Hybrid] {
        let download = ragged(format);
        fs::create_dir_all(download.place("deep/er")).unwrap();
        fs::rename(download.place("c"), download.place("deep/er/C")).unwrap();
        fs::copy(download.place("deep/er/C"), download.place("copy")).unwrap();
        fs::rename(download.place("d"), download.place("a/dd")).unwrap();
        // The same length, but other content.
        download.write("decoy", &content(77, 40_000));
        download.remove("e");
        let report = find(&download);
        assert_eq!(found_as(&report, download.index("c")), ["copy", "deep/er/C"]);
        assert_eq!(found_as(&report, download.index("d")), ["a/dd"]);
        assert!(found_as(&report, download.index("e")).is_empty());
        assert_eq!(
            report.files[download.index("c")].verdict,
            FileVerdict::Missing,
            "the file is not in its place"
        );
    }
}

/// v1 has no hashes of whole files: pieces inside a file prove it, and pieces at borders prove
/// files together with their neighbours.
#[test]
fn renamed_files_of_v1_are_found_by_their_pieces() {
    // With pieces of 32768 bytes, no piece has bytes of `b`, `d` or `e` alone.
    let download = ragged(Format::V1);
    for (from, to) in [("a/second", "x"), ("d", "y"), ("c", "z")] {
        fs::rename(download.place(from), download.place(to)).unwrap();
    }
    // The same lengths, but other content.
    download.write("decoy", &content(77, 150_001));
    let other = vec![7; download.torrent.files()[download.index("d")].length() as usize];
    download.write("decoy of d", &other);
    download.change("a/first", |data| data[99_000] ^= 1);
    let report = find(&download);
    // The last byte of its neighbour is wrong, so its first piece cannot be verified.
    assert!(found_as(&report, download.index("a/second")).is_empty());
    match &report.files[download.index("a/second")].finding {
        Some(Finding::Likely { path, good: 4, total: 5, unproven, .. }) => {
            assert_eq!((path.as_path(), unproven[0].piece), (Path::new("x"), 3));
            assert!(unproven[0].because_of.is_empty());
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(found_as(&report, download.index("c")), ["z"]);
    assert_eq!(found_as(&report, download.index("d")), ["y"]);
    assert!(found_as(&report, download.index("a/first")).is_empty());
    assert!(report.files.iter().all(|file| !file.is_unsearchable));
    // All but the damaged piece.
    assert_eq!(report.counts().good + report.pieces_found, report.counts().total() - 1);
    assert!(!report.has_all_pieces());
    // Without the file, its neighbours cannot be proven at their borders.
    download.change("y", |data| data[0] ^= 1);
    let report = find(&download);
    assert!(found_as(&report, download.index("d")).is_empty());
    assert!(report.files[download.index("d")].is_unsearchable);
    assert!(download.check().files.iter().all(|file| !file.is_unsearchable));
    // The end of a piece may be padding, and the last piece short.
    let maker = Maker::folder("content", 16 << 10).file("a", content(1, 100)).pad(16_284);
    let maker = maker.file("b", content(2, 50));
    let download = Download::empty(&maker.bytes(Format::V1), "content");
    download.write("sub/b", &content(1, 100));
    download.write("sub/a", &content(2, 50));
    let report = find(&download);
    assert_eq!(found_as(&report, 0), ["sub/b"]);
    assert_eq!(found_as(&report, 2), ["sub/a"]);
}

/// Damaged in different places, they have all pieces together.
#[test]
fn good_pieces_of_damaged_copies_are_found() {
    for format in FORMATS {
        let download = Download::folder(
            format,
            16 * KIB,
            &[("a", content(1, 100_000)), ("b", content(2, 30_000)), ("c", content(3, 90_000))],
        );
        let copies = download.path().join("copies");
        fs::create_dir(&copies).unwrap();
        for (copy, flipped) in [("one", 0), ("two", 70_000), ("three", 99_000)] {
            let mut data = content(1, 100_000);
            data[flipped] ^= 1;
            fs::write(copies.join(copy), data).unwrap();
        }
        download.change("a", |data| data.fill(0));
        let report = find(&download);
        let a = &report.files[download.index("a")];
        assert!(a.found_as().is_empty() && !report.is_complete());
        assert!(report.has_all_pieces(), "{format:?} {a:?}");
        assert_eq!(report.pieces_found, 7);
        let mut pieces: Vec<u64> = Vec::new();
        for copy in &a.copies {
            assert!(copy.path.is_absolute() && copy.path.parent() == Some(&copies), "{copy:?}");
            pieces.extend(copy.pieces.iter().flat_map(Clone::clone));
        }
        pieces.sort_unstable();
        assert_eq!(pieces, download.torrent.pieces().of_file(0).collect::<Vec<_>>());
        // A piece that is damaged in all of them is not found.
        for copy in ["one", "two", "three"] {
            let mut data = fs::read(copies.join(copy)).unwrap();
            data[40_000] ^= 1;
            fs::write(copies.join(copy), data).unwrap();
        }
        let report = find(&download);
        assert_eq!((report.pieces_found, report.has_all_pieces()), (6, false), "{format:?}");
    }
}

/// Loose files, none of which has its name, are found in any folder and laid out for a client.
#[test]
fn loose_files_are_found_and_laid_out() {
    for format in FORMATS {
        let tracks = [100_000, 16_384, 5, 3_000, 3_000, 200_001, 1].map(|length| length as usize);
        let mut maker = Maker::folder("album", 16 << 10);
        for (nth, &length) in (0..).zip(&tracks) {
            maker = maker.file(&format!("disc/{nth:02}"), content(nth as u8 + 1, length));
        }
        maker = maker.file("empty", "");
        let download = Download::empty(&maker.bytes(format), "");
        let folders = ["one", "two/deep"].map(|name| download.path().join(name));
        folders.iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
        for (nth, &length) in (0..).zip(&tracks) {
            let name = format!("{}-{nth}.mp3", nth * 7 % 5);
            let data = content(nth as u8 + 1, length);
            fs::write(folders[nth % 2].join(name), data).unwrap();
        }
        fs::write(folders[0].join("decoy"), vec![9; 3_000]).unwrap();
        let roots = [download.path().join("one"), download.path().join("two")];
        let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
        let roots = torrent_check::Folders::new(&roots);
        let check = Check::new(&download.torrent, Place::Folders(&roots));
        let report = Check { find_renamed: true, ..check.clone() }.run().unwrap();
        assert!(report.has_all_pieces(), "{format:?}: {report:?}");
        let files = download.torrent.files().iter().zip(&report.files);
        let data = files
            .filter(|(file, _)| *file.kind() == torrent_check::FileKind::Data && file.length() > 0);
        assert!({ data.clone() }.all(|(_, found)| found.found_as().len() == 1), "{report:?}");
        // It is laid out, and then complete. Nothing is overwritten, but it may be repeated.
        for kind in [torrent_check::Link::Hard, torrent_check::Link::Symbolic] {
            let seed = tempfile::tempdir_in(download.path()).unwrap();
            for _ in 0..2 {
                let layout = lay_out(&report, seed.path(), &[kind]);
                assert!(layout.is_complete() && layout.files.len() == 8, "{format:?} {layout:?}");
            }
            let check = Check { follow_links: true, ..Check::new(&download.torrent, seed.path()) };
            assert!(check.run().unwrap().is_complete(), "{format:?} {kind:?}");
            let first = seed.path().join("album/disc/00");
            assert_eq!(first.is_symlink(), kind == torrent_check::Link::Symbolic);
            fs::remove_file(&first).unwrap();
            fs::write(&first, "mine").unwrap();
            fs::remove_file(seed.path().join("album/disc/01")).unwrap();
            let layout = lay_out(&report, seed.path(), &[kind]);
            let outcomes: Vec<&Outcome> = layout.files.iter().map(|file| &file.outcome).collect();
            assert!(matches!(outcomes[0], Outcome::Conflict), "{outcomes:?}");
            // The others are laid out all the same.
            assert!(matches!(outcomes[1], Outcome::Linked(_)), "{outcomes:?}");
            assert!(outcomes[2..].iter().all(|it| it.is_there()), "{outcomes:?}");
            assert_eq!(layout.files[0].path, Path::new("album/disc/00"));
            assert_eq!(fs::read(&first).unwrap(), b"mine");
        }
        // A file less.
        fs::remove_file(folders[0].join("0-0.mp3")).unwrap();
        let roots = [download.path().join("one"), download.path().join("two")];
        let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
        let roots = torrent_check::Folders::new(&roots);
        let check = Check { place: Place::Folders(&roots), find_renamed: true, ..check };
        let report = check.run().unwrap();
        assert!(!report.has_all_pieces());
        let seed = tempfile::tempdir_in(download.path()).unwrap();
        let layout = lay_out(&report, seed.path(), &[torrent_check::Link::Hard]);
        let first = &layout.files[0];
        assert!(matches!(first.outcome, Outcome::NotFound), "{format:?} {first:?}");
        assert_eq!(first.file, download.index("disc/00"), "{format:?}");
    }
}

/// A link in the folder does not lead the layout out of it.
#[test]
#[cfg(unix)]
fn the_layout_stays_in_its_folder() {
    let download = three_mib(Format::V1);
    let report = find(&download);
    let (seed, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(other.path(), seed.path().join("content")).unwrap();
    let kinds = [torrent_check::Link::Hard, torrent_check::Link::Symbolic];
    let layout = lay_out(&report, seed.path(), &kinds);
    assert!(layout.files.iter().all(|file| !file.outcome.is_there()), "{layout:?}");
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
}

#[test]
fn identical_files_share_a_root() {
    for format in [Format::V2, Format::Hybrid] {
        let same = content(1, 100_000);
        let files = [("a", same.clone()), ("b", same.clone()), ("c", same)];
        let download = Download::folder(format, 32 * KIB, &files);
        assert!(download.check().is_complete());
        download.remove("a");
        download.change("b", |data| data[0] ^= 1);
        fs::copy(download.place("c"), download.place("other")).unwrap();
        let report = find(&download);
        assert_eq!(verdicts(&report), [FileVerdict::Missing, FileVerdict::Bad, FileVerdict::Good]);
        assert_eq!(found_as(&report, download.index("a")), ["c", "other"]);
        assert_eq!(found_as(&report, download.index("b")), ["c", "other"]);
        let [a, b] = ["a", "b"].map(|name| report.files[download.index(name)].found_as());
        assert!(std::ptr::eq(a, b), "they share the list");
    }
}

#[test]
fn content_is_found_by_name_or_passed() {
    for format in FORMATS {
        let download = three_mib(format);
        let inner = download.path().join("content");
        assert_eq!(download.check().content, Content::InFolder(inner.clone()));

        let report = Check::new(&download.torrent, &inner).run().unwrap();
        assert!(report.is_complete());
        assert_eq!(report.content, Content::Found(inner.clone()));

        let other = download.path().join("other name");
        fs::rename(&inner, &other).unwrap();
        let report = Check::new(&download.torrent, Place::Content(&other)).run().unwrap();
        assert!(report.is_complete());
        assert_eq!(report.content, Content::Given(other.clone()));

        // It is also found. Of several such folders, the first is taken that is complete.
        let report = download.check();
        assert!(report.is_complete());
        assert_eq!(report.content, Content::Found(other.clone()));
        let copy = download.path().join("copy");
        fs::create_dir(&copy).unwrap();
        for file in ["a.bin", "b.bin", "c.bin"] {
            fs::copy(other.join(file), copy.join(file)).unwrap();
        }
        assert_eq!(download.check().content, Content::Found(copy.clone()));
        let flip = |folder: &Path, file: &str| {
            let mut data = fs::read(folder.join(file)).unwrap();
            data[0] ^= 1;
            fs::write(folder.join(file), data).unwrap();
        };
        flip(&copy, "a.bin");
        let report = download.check();
        assert!(report.is_complete());
        assert_eq!(report.content, Content::Found(other.clone()));
        // Or else the one with the most good pieces, if it has any.
        flip(&other, "a.bin");
        flip(&other, "b.bin");
        let report = download.check();
        assert_eq!((report.counts().good, &report.content), (47, &Content::Found(copy.clone())));
        // Their lengths are equal.
        let suggestions = vec![copy.clone(), other.clone()];
        let unsure = Content::Unsure { path: inner.clone(), suggestions };
        let report = Check { lengths_only: true, ..download.to_check() }.run().unwrap();
        assert_eq!((report.counts().missing, &report.content), (48, &unsure));
        for file in ["a.bin", "b.bin", "c.bin"] {
            for folder in [&copy, &other] {
                fs::write(folder.join(file), vec![0; 1 << 20]).unwrap();
            }
        }
        let report = download.check();
        assert_eq!((report.counts().missing, &report.content), (48, &unsure));
        assert_eq!(verdicts(&report), vec![FileVerdict::Missing; 3]);
        // One of them has a file less, or a file of another length.
        fs::write(copy.join("a.bin"), "short").unwrap();
        assert_eq!(download.check().content, Content::Found(other.clone()));
        fs::remove_dir_all(&other).unwrap();
        fs::remove_file(copy.join("b.bin")).unwrap();
        let suggestions = vec![copy.clone()];
        assert_eq!(
            download.check().content,
            Content::Unsure { path: inner.clone(), suggestions },
            "only one of three files has the right length"
        );
        fs::remove_dir_all(&copy).unwrap();
        assert_eq!(download.check().content, Content::Absent(inner));
    }
}

/// As cross-seeding makes them. What has the same inodes is the same content, also if only sizes
/// are checked, and equal roots are no tie, either.
#[test]
#[cfg(unix)]
fn hard_linked_content_is_found() {
    for format in FORMATS {
        let download = three_mib(format);
        let links = download.path().join("links");
        for tracker in ["TrackerA/Alb", "TrackerB/Alb"] {
            fs::create_dir_all(links.join(tracker)).unwrap();
            for file in ["a.bin", "b.bin", "c.bin"] {
                fs::hard_link(download.place(file), links.join(tracker).join(file)).unwrap();
            }
        }
        for lengths_only in [false, true] {
            let check = Check { lengths_only, ..Check::new(&download.torrent, &links) };
            let report = check.run().unwrap();
            assert_eq!(report.content, Content::Found(links.join("TrackerA/Alb")), "{format:?}");
            assert!(lengths_only || report.is_complete());
        }
        // Two roots have files of the right lengths under the torrent's name.
        let other = download.path().join("other");
        fs::create_dir_all(other.join("content")).unwrap();
        for file in ["a.bin", "b.bin", "c.bin"] {
            fs::copy(download.place(file), other.join("content").join(file)).unwrap();
        }
        download.change("b.bin", |data| data[0] ^= 1);
        let folders = torrent_check::Folders::new(&[download.path(), &other]);
        let report = Check::new(&download.torrent, Place::Folders(&folders)).run().unwrap();
        assert!(report.is_complete(), "{format:?}");
        assert_eq!(report.content, Content::InFolder(other.join("content")));
    }
}

/// Beyond them, content may be called missing.
#[test]
fn limits_of_a_search_are_reported() {
    use torrent_check::SearchLimitKind;

    let download = three_mib(Format::V1);
    let search = || Check::new(&download.torrent, download.path()).run().unwrap();
    assert!(search().search_limits.is_empty());
    let deep = download.path().join("1/2/3/4/5/6/7/8");
    fs::create_dir_all(&deep).unwrap();
    fs::rename(download.path().join("content"), deep.join("content")).unwrap();
    let report = search();
    assert!(matches!(report.content, Content::Absent(_)));
    let [limit] = &report.search_limits[..] else { panic!("{:?}", report.search_limits) };
    let found = (limit.kind, limit.max, limit.at.as_path());
    assert_eq!(found, (SearchLimitKind::Depth, 8, &*deep.join("content")));
    fs::rename(deep.join("content"), download.path().join("1/moved")).unwrap();
    fs::remove_dir(&deep).unwrap();
    assert!(search().is_complete());
    // Many files with the name of one of its files.
    for other in 0..1001 {
        let folder = download.path().join(format!("0/{other}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("b.bin"), "x").unwrap();
    }
    let report = search();
    assert!(report.is_complete());
    assert_eq!(report.search_limits[0].kind, SearchLimitKind::SameName);
}

#[test]
fn a_single_file_with_another_name_can_be_passed() {
    for format in FORMATS {
        let download = Download::single(format, 32 * KIB, &content(3, 50_000));
        let other = download.path().join("other");
        fs::rename(download.place("single.bin"), &other).unwrap();
        let path = download.place("single.bin");
        let report = download.check();
        assert_eq!(report.content, Content::Absent(path.clone()), "another extension");
        fs::rename(&other, download.path().join("other.BIN")).unwrap();
        let other = download.path().join("other.BIN");
        let report = download.check();
        assert!(report.is_complete());
        assert_eq!(report.content, Content::Found(other.clone()));
        fs::write(&other, content(4, 50_000)).unwrap();
        let report = download.check();
        assert_eq!(report.content, Content::Unsure { path, suggestions: vec![other.clone()] });
        fs::write(&other, content(3, 50_000)).unwrap();
        let report = Check::new(&download.torrent, Place::Content(&other)).run().unwrap();
        assert!(report.is_complete());
    }
}

#[test]
fn errors_name_the_folder() {
    let folder = three_mib(Format::V1);
    let single = Download::single(Format::V1, 32 * KIB, b"x");
    let nowhere = folder.path().join("nowhere");
    let path_of = |error| match error {
        CheckError::Folder { path, .. } => path,
        other => panic!("{other}"),
    };
    for download in [&folder, &single] {
        let error = Check::new(&download.torrent, &nowhere).run().unwrap_err();
        assert_eq!(path_of(error), nowhere);
    }
    let error = Check::new(&folder.torrent, Place::Content(&nowhere)).run().unwrap_err();
    assert_eq!(path_of(error), nowhere);
    // A folder is not a single file.
    let error = Check::new(&single.torrent, Place::Content(single.path())).run().unwrap_err();
    assert_eq!(path_of(error), single.path());
    // A file is not a folder.
    fs::remove_dir_all(folder.path().join("content")).unwrap();
    fs::write(folder.path().join("content"), "x").unwrap();
    let report = folder.check();
    assert!(matches!(report.content, Content::Unusable { .. }), "{:?}", report.content);
    assert_eq!(report.counts().missing, 48);
}

/// The content may contain a file or folder of its own name. So may the download folder, which may
/// have that name itself.
#[test]
fn content_that_contains_its_own_name() {
    for format in FORMATS {
        for (inside, other) in [("content", "b"), ("content/a", "b")] {
            let files = [(inside, content(1, 50_000)), (other, content(2, 5))];
            let download = Download::folder(format, 32 * KIB, &files);
            let folder = download.path().join("content");
            let report = Check::new(&download.torrent, &folder).run().unwrap();
            assert!(report.is_complete(), "{format:?} {inside}: {report:?}");
            assert_eq!(report.content, Content::Found(folder));
            assert!(download.check().is_complete());
        }
        // A download folder that has the name by chance.
        let download = three_mib(format);
        let outer = download.path().join("outer/content");
        fs::create_dir_all(&outer).unwrap();
        fs::rename(download.path().join("content"), outer.join("content")).unwrap();
        let report = Check::new(&download.torrent, &outer).run().unwrap();
        assert!(report.is_complete());
        assert_eq!(report.content, Content::InFolder(outer.join("content")));
    }
}

#[test]
#[cfg(unix)]
fn a_link_to_a_single_file_can_be_passed() {
    for format in FORMATS {
        let download = Download::single(format, 32 * KIB, &content(3, 50_000));
        let links = tempfile::tempdir().unwrap();
        let link = links.path().join("link");
        std::os::unix::fs::symlink(download.place("single.bin"), &link).unwrap();
        let report = Check::new(&download.torrent, Place::Content(&link)).run().unwrap();
        assert!(report.is_complete());
        assert_eq!(report.content, Content::Given(link));
    }
}

/// As media managers and cross-seeding make it. Links are followed only on demand, and loops end.
#[test]
#[cfg(unix)]
fn content_of_links_is_followed_on_demand() {
    use std::os::unix::fs::symlink;
    for format in FORMATS {
        let download = three_mib(format);
        let store = download.path().join("content");
        let farm = tempfile::tempdir().unwrap();
        let run = |folder: &Path, follow_links| {
            let check = Check { follow_links, ..Check::new(&download.torrent, folder) };
            check.run()
        };
        // Files, under the torrent's name and under another.
        for name in ["content", "sub/other"] {
            let place = farm.path().join(name);
            fs::create_dir_all(&place).unwrap();
            for file in ["a.bin", "b.bin", "c.bin"] {
                symlink(store.join(file), place.join(file)).unwrap();
            }
            symlink(farm.path(), place.join("loop")).unwrap();
            symlink("loop", farm.path().join("loop")).unwrap();
            let report = run(farm.path(), true).unwrap();
            assert!(report.is_complete(), "{format:?} {name}");
            assert_eq!(report.content.path(), place);
            let report = run(farm.path(), false).unwrap();
            assert!(!report.is_complete() && report.counts().bad == 0);
            if name == "content" {
                assert_eq!(verdicts(&report), vec![FileVerdict::EscapesRoot; 3]);
                assert!(report.has_unfollowed_links());
            } else {
                assert!(matches!(report.content, Content::Absent(_)));
            }
            // A link that leads nowhere.
            fs::remove_file(place.join("a.bin")).unwrap();
            symlink(farm.path().join("loop"), place.join("a.bin")).unwrap();
            let report = run(&place, true).unwrap();
            let found = &report.files[download.index("a.bin")].verdict;
            assert!(!report.is_complete(), "{format:?} {name} {found:?}");
            fs::remove_dir_all(&place).unwrap();
            fs::remove_file(farm.path().join("loop")).unwrap();
        }
        // Folders.
        for name in ["content", "other"] {
            symlink(&store, farm.path().join(name)).unwrap();
            assert!(run(farm.path(), true).unwrap().is_complete());
            match (name, run(farm.path(), false)) {
                ("content", found) => {
                    assert!(matches!(found, Err(CheckError::ContentEscapes(_))));
                }
                (_, found) => assert!(matches!(found.unwrap().content, Content::Absent(_))),
            }
            fs::remove_file(farm.path().join(name)).unwrap();
        }
    }
}

#[test]
#[cfg(unix)]
fn links_of_the_torrent_are_compared_and_not_followed() {
    use std::os::unix::fs::symlink;
    for format in FORMATS {
        let maker = Maker::folder("content", 32 << 10)
            .file("data/file", content(1, 40_000))
            .symlink("link/one", "data/file");
        let download = Download::empty(&maker.bytes(format), "content");
        download.write("data/file", &content(1, 40_000));
        let link = download.index("link/one");
        let verdict = || download.check().files[link].verdict.clone();
        assert_eq!(verdict(), FileVerdict::Missing);
        fs::create_dir(download.place("link")).unwrap();
        for (target, expected) in [
            ("../data/file", FileVerdict::Good),
            (".././link/../data/file", FileVerdict::Good),
            ("../data/other", FileVerdict::WrongLink(PathBuf::from("../data/other"))),
            ("/etc/passwd", FileVerdict::WrongLink(PathBuf::from("/etc/passwd"))),
            ("../../../data/file", FileVerdict::WrongLink(PathBuf::from("../../../data/file"))),
        ] {
            symlink(target, download.place("link/one")).unwrap();
            assert_eq!(verdict(), expected, "{target}");
            download.remove("link/one");
        }
        fs::create_dir(download.place("link/one")).unwrap();
        assert_eq!(verdict(), FileVerdict::NotALink("a folder"));
        fs::remove_dir(download.place("link/one")).unwrap();
        fs::copy(download.place("data/file"), download.place("link/one")).unwrap();
        assert_eq!(verdict(), FileVerdict::NotALink("a file"));
    }
}

/// The files of the torrent are not extra, wherever clients save them and whatever is checked.
#[test]
#[cfg(unix)]
fn the_files_of_the_torrent_are_not_extra() {
    use std::os::unix::fs::symlink;

    for format in FORMATS {
        let data = || content(1, 100);
        let maker = Maker::folder("content", 16 << 10);
        let maker = maker.file("a", data()).file("b", data()).file("sub/c", data());
        let maker = maker.file("flat/d", data()).file("leads/e", data());
        let maker = maker.symlink("to\u{200e}a", "a").symlink("wrong", "a");
        let download = Download::empty(&maker.bytes(format), "content");
        // A file in the place of a folder is not a file of the torrent.
        let old = [".part", "b.part.part", "other", "a.part", "flat"];
        for file in ["a", "b.part", "moved/c", "moved/d"].iter().chain(&old) {
            download.write(file, &data());
        }
        for (target, link) in
            [("moved", "sub"), ("a", "toa"), ("other", "wrong"), ("a", "more"), ("a", "leads")]
        {
            symlink(target, download.place(link)).unwrap();
        }
        let is_a = |file: &torrent_check::File| file.path().to_text() == "a";
        for files in [None, Some(&is_a as &(dyn Fn(&torrent_check::File) -> bool + Sync))] {
            let report = Check { files, list_extra: true, ..download.to_check() }.run().unwrap();
            let extra: Vec<&str> = report.extra.iter().map(|path| path.to_str().unwrap()).collect();
            let expected =
                [".part", "a.part", "b.part.part", "flat", "leads", "more", "moved/d", "other"];
            assert_eq!(extra, expected, "{format:?}");
        }
    }
}
