//! Tests of what a search calls proven, likely and disproven, and of how much it reads.

use std::fs;
use std::path::{Path, PathBuf};

use torrent_check::{
    Check, FileVerdict, Finding, Folders, LayOut, Layout, Link, Outcome, Place, Report, Torrent,
};

use super::download::Download;
use crate::make::{FORMATS, Format, Maker, content};

const ALL: [Link; 3] = [Link::Reflink, Link::Hard, Link::Symbolic];

/// Searches a library for the content of a torrent, of which nothing is in place.
fn find<'t>(torrent: &'t Torrent, library: &Path) -> Report<'t> {
    let empty = tempfile::tempdir().unwrap();
    let folders = Folders::new(&[library]);
    let check = Check::new(torrent, empty.path());
    let check = Check { find_renamed: true, find_in: Some(&folders), ..check };
    check.run().unwrap()
}

fn lay_out(report: &Report<'_>, kinds: &[Link], likely: bool) -> (tempfile::TempDir, Layout) {
    let seed = tempfile::tempdir().unwrap();
    let layout = report.lay_out(seed.path(), &LayOut { kinds, likely, cancel: None }).unwrap();
    (seed, layout)
}

fn write(path: PathBuf, data: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, data).unwrap();
}

/// A film with a description, and the film alone with a wrong first byte.
#[test]
fn a_film_with_a_wrong_first_byte_is_not_proven() {
    for format in FORMATS {
        let maker = Maker::folder("film", 32 << 10);
        let maker = maker.file("a.nfo", content(1, 1000)).file("film.mkv", content(2, 300_000));
        let download = Download::empty(&maker.bytes(format), "");
        let library = tempfile::tempdir().unwrap();
        let mut film = content(2, 300_000);
        film[0] ^= 1;
        write(library.path().join("x.mkv"), &film);
        let report = find(&download.torrent, library.path());
        let index = download.index("film.mkv");
        let finding = report.files[index].finding.as_ref().unwrap();
        let total = report.files[index].counts.total();
        match finding {
            Finding::Likely { path, good, unproven, .. } if format == Format::V1 => {
                assert_eq!(*path, library.path().join("x.mkv"));
                assert_eq!((*good, unproven.len(), unproven[0].piece), (total - 1, 1, 0));
                assert_eq!(unproven[0].because_of, [download.index("a.nfo")]);
            }
            Finding::Disproven { good, .. } if format != Format::V1 => assert_eq!(*good, total - 1),
            other => panic!("{format:?}: {other:?}"),
        }
        assert!(report.files[index].found_as().is_empty());
        let (seed, layout) = lay_out(&report, &ALL, false);
        assert!(layout.files.iter().all(|file| !file.outcome.is_there()), "{layout:?}");
        assert_eq!(fs::read_dir(seed.path()).unwrap().count(), 0);
        // A likely file is copied, if asked: a client that mends it leaves the library as it is.
        let (seed, layout) = lay_out(&report, &[Link::Hard, Link::Symbolic, Link::Copy], true);
        let outcome = &layout.files.iter().find(|file| file.file == index).unwrap().outcome;
        let place = seed.path().join("film/film.mkv");
        if format == Format::V1 {
            assert!(matches!(outcome, Outcome::Linked(Link::Copy)), "{outcome:?}");
            assert!(!layout.is_complete());
            fs::write(&place, content(2, 300_000)).unwrap();
            assert_eq!(fs::read(library.path().join("x.mkv")).unwrap(), film);
            let (_, layout) = lay_out(&report, &[Link::Hard, Link::Symbolic], true);
            let outcome = &layout.files.iter().find(|file| file.file == index).unwrap().outcome;
            assert!(matches!(outcome, Outcome::OnlyLikely), "{outcome:?}");
        } else {
            assert!(matches!(outcome, Outcome::NotFound), "{outcome:?}");
        }
    }
}

/// Six tracks whose tags were changed: all neighbours are there, and no border is right.
#[test]
fn an_album_with_changed_tags_is_not_proven() {
    for format in FORMATS {
        let tracks: Vec<(String, Vec<u8>)> = (1..=6)
            .map(|nth| (format!("{nth}.mp3"), content(nth, 100_003 + 7 * nth as usize)))
            .collect();
        let mut maker = Maker::folder("album", 16 << 10);
        for (name, data) in &tracks {
            maker = maker.file(name, data.clone());
        }
        let torrent = Torrent::parse(&maker.bytes(format)).unwrap();
        for is_at_end in [false, true] {
            let library = tempfile::tempdir().unwrap();
            for (name, data) in &tracks {
                let mut data = data.clone();
                let tag = if is_at_end { data.len() - 700..data.len() } else { 0..700 };
                data[tag].fill(7);
                write(library.path().join("music").join(name), &data);
            }
            let report = find(&torrent, library.path());
            for found in report.files.iter().filter(|it| it.verdict != FileVerdict::Pad) {
                assert!(found.found_as().is_empty(), "{format:?}: {:?}", found.finding);
                assert!(found.finding.is_some(), "{format:?}: {found:?}");
            }
            let (_, layout) = lay_out(&report, &ALL, false);
            assert!(layout.files.iter().all(|file| !file.outcome.is_there()), "{layout:?}");
            // With the right neighbours, the others are disproven.
            let right = library.path().join("right");
            for (name, data) in &tracks[2..] {
                write(right.join(name), data);
            }
            let report = find(&torrent, library.path());
            let (_, layout) = lay_out(&report, &ALL, false);
            for file in layout.files.iter().filter(|file| file.outcome.is_there()) {
                let name = file.path.file_name().unwrap();
                let expected = tracks.iter().find(|(track, _)| **track == *name).unwrap();
                assert_eq!(fs::read(file.source.as_ref().unwrap()).unwrap(), expected.1);
            }
            let is_there = |name: &str| {
                layout.files.iter().any(|it| it.path.ends_with(name) && it.outcome.is_there())
            };
            assert!(!is_there("1.mp3") && !is_there("2.mp3"));
            assert!(is_there("4.mp3") && is_there("5.mp3") && is_there("6.mp3"), "{format:?}");
        }
    }
}

/// A copy with a wrong first byte has the same name, and comes first.
#[test]
fn a_decoy_is_not_taken_for_the_right_file() {
    for format in FORMATS {
        let (nfo, film) = (content(1, 1000), content(2, 300_000));
        let maker = Maker::folder("film", 32 << 10);
        let maker = maker.file("a.nfo", nfo.clone()).file("film.mkv", film.clone());
        let mut decoy = film.clone();
        decoy[0] ^= 1;
        // The right file is in the library, with its name or another one, or in its place.
        for place in ["b/film.mkv", "b/other.mkv", "film/film.mkv"] {
            let download = Download::empty(&maker.bytes(format), "");
            write(download.path().join("a/film.mkv"), &decoy);
            write(download.path().join("c/d.txt"), &nfo);
            write(download.path().join(place), &film);
            write(download.path().join("film/other"), b"");
            let content = download.path().join("film");
            let folders = Folders::new(&[download.path()]);
            let check = Check::new(&download.torrent, Place::Content(&content));
            let check = Check { find_renamed: true, find_in: Some(&folders), ..check };
            let report = check.run().unwrap();
            let (_, layout) = lay_out(&report, &ALL, false);
            assert!(layout.is_complete(), "{format:?} {place} {layout:?} {report:?}");
            let source = layout
                .files
                .iter()
                .find_map(|file| file.path.ends_with("film.mkv").then_some(file.source.as_ref()?));
            assert_eq!(*source.unwrap(), download.path().join(place), "{format:?}");
            // Without its neighbour, nobody knows which of them is right in v1.
            fs::remove_file(download.path().join("c/d.txt")).unwrap();
            let report = check.run().unwrap();
            let index = download.index("film.mkv");
            let is_likely = matches!(report.files[index].finding, Some(Finding::Likely { .. }));
            assert_eq!(is_likely, format == Format::V1, "{place} {:?}", report.files[index]);
        }
    }
}

/// What a client keeps there may have other bytes than the files that were found.
#[test]
fn a_layout_can_be_repeated_and_names_conflicts() {
    for format in FORMATS {
        let download = super::download::three_mib(format);
        let report = download.check();
        let seed = tempfile::tempdir().unwrap();
        let kinds = [Link::Copy];
        let how = LayOut { kinds: &kinds, likely: false, cancel: None };
        let first = report.lay_out(seed.path(), &how).unwrap();
        assert!(first.is_complete());
        assert!(first.files.iter().all(|it| matches!(it.outcome, Outcome::Linked(Link::Copy))));
        let again = report.lay_out(seed.path(), &how).unwrap();
        assert!(again.files.iter().all(|it| matches!(it.outcome, Outcome::AlreadyThere)));
        let mut data = fs::read(seed.path().join("content/b.bin")).unwrap();
        data[1_000_000] ^= 1;
        fs::write(seed.path().join("content/b.bin"), &data).unwrap();
        fs::remove_file(seed.path().join("content/c.bin")).unwrap();
        fs::create_dir(seed.path().join("content/c.bin")).unwrap();
        let again = report.lay_out(seed.path(), &how).unwrap();
        let conflicts = again.files.iter().filter(|it| matches!(it.outcome, Outcome::Conflict));
        let conflicts: Vec<&Path> = conflicts.map(|it| it.path.as_path()).collect();
        assert_eq!(conflicts, [Path::new("content/b.bin"), Path::new("content/c.bin")]);
        assert_eq!(fs::read(seed.path().join("content/b.bin")).unwrap(), data);
        // A file in the place of the folder, too.
        let seed = tempfile::tempdir().unwrap();
        fs::write(seed.path().join("content"), "mine").unwrap();
        let layout = report.lay_out(seed.path(), &how).unwrap();
        assert!(layout.files.iter().all(|it| matches!(it.outcome, Outcome::Conflict)));
    }
}

/// The parts of an archive have one length. Reading them is linear in their number.
#[test]
fn parts_of_an_archive_are_read_once() {
    const LENGTH: usize = 60_000;
    for count in [20_u8, 40, 80] {
        let parts = (0..count).map(|nth| (format!("it.r{nth:02}"), content(nth, LENGTH)));
        let parts: Vec<(String, Vec<u8>)> = parts.collect();
        let mut maker = Maker::folder("archive", 16 << 10);
        for (name, data) in &parts {
            maker = maker.file(name, data.clone());
        }
        let torrent = Torrent::parse(&maker.bytes(Format::V1)).unwrap();
        let total = u64::from(count) * LENGTH as u64;
        // Under the same names in three folders, renamed in order, and renamed out of order.
        let reversed = |nth: usize| format!("x{:03}", (nth * 7 + 3) % parts.len());
        type Names<'n> = &'n dyn Fn(usize) -> Vec<String>;
        let cases: [(Names<'_>, f64); 3] = [
            (&|nth| ["a", "b", "c"].map(|folder| format!("{folder}/{}", parts[nth].0)).into(), 1.6),
            (&|nth| vec![format!("other.{nth:03}")], 1.6),
            (&|nth| vec![reversed(nth)], 2.6),
        ];
        for (names, factor) in cases {
            let library = tempfile::tempdir().unwrap();
            for (nth, (_, data)) in parts.iter().enumerate() {
                for name in names(nth) {
                    write(library.path().join(name), data);
                }
            }
            let report = find(&torrent, library.path());
            assert!(report.files.iter().all(|file| file.found_as().len() == 1), "{report:?}");
            let read = report.bytes_searched as f64 / total as f64;
            assert!(read < factor, "{count} files, {factor}: each byte is read {read} times");
        }
    }
}

/// A bad file of an earlier root does not hide a good one of a later root, though neither root has
/// all files.
#[test]
fn a_bad_copy_does_not_hide_a_good_one() {
    for format in FORMATS {
        let files = [("a", 100_000), ("b", 70_000), ("c", 50_000)];
        let mut maker = Maker::folder("content", 16 << 10);
        for (seed, (name, length)) in (1..).zip(files) {
            maker = maker.file(name, content(seed, length));
        }
        let torrent = Torrent::parse(&maker.bytes(format)).unwrap();
        let roots = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        for (seed, (name, length)) in (1..).zip(files) {
            let mut data = content(seed, length);
            let places = roots.each_ref().map(|root| root.path().join("content").join(name));
            match name {
                "a" => {
                    write(places[1].clone(), &data);
                    data[60_000] ^= 1;
                    write(places[0].clone(), &data);
                }
                // Worse than in the first root.
                "b" => {
                    write(places[0].clone(), &data);
                    data.fill(1);
                    write(places[1].clone(), &data);
                }
                _ => write(places[0].clone(), &data),
            }
        }
        let folders = [roots[0].path(), roots[1].path()];
        let folders = Folders::new(&folders);
        let report = Check::new(&torrent, Place::Folders(&folders)).run().unwrap();
        assert!(report.is_complete(), "{format:?} {report:?}");
        let saved = report.files.iter().filter_map(|file| file.saved_as.clone());
        assert_eq!(saved.collect::<Vec<_>>(), [roots[1].path().join("content/a")], "{format:?}");
    }
}

/// Searches a library, and follows links out of it.
#[cfg(unix)]
fn find_following<'t>(torrent: &'t Torrent, library: &Path) -> Report<'t> {
    let empty = tempfile::tempdir().unwrap();
    let folders = Folders::new(&[library]);
    let check = Check { follow_links: true, ..Check::new(torrent, empty.path()) };
    Check { find_renamed: true, find_in: Some(&folders), ..check }.run().unwrap()
}

/// The layout has the file that a link leads to, not the link, which may be relative.
#[test]
#[cfg(unix)]
fn a_found_source_that_is_a_symbolic_link_is_resolved() {
    use std::os::unix::fs::{MetadataExt, symlink};

    for format in FORMATS {
        let maker = Maker::folder("film", 32 << 10).file("film.mkv", content(2, 300_000));
        let torrent = Torrent::parse(&maker.bytes(format)).unwrap();
        let place = tempfile::tempdir().unwrap();
        let library = place.path().join("library");
        let real = place.path().join("elsewhere/real");
        write(real.clone(), &content(2, 300_000));
        fs::create_dir(&library).unwrap();
        symlink("../elsewhere/real", library.join("x.mkv")).unwrap();
        let report = find_following(&torrent, &library);
        assert_eq!(report.files[0].found_as(), [library.join("x.mkv")], "{format:?}");
        let (seed, layout) = lay_out(&report, &[Link::Hard], false);
        assert!(layout.is_complete(), "{layout:?}");
        let file = seed.path().join("film/film.mkv").symlink_metadata().unwrap();
        assert!(file.is_file());
        assert_eq!(file.ino(), real.metadata().unwrap().ino());
        let (seed, layout) = lay_out(&report, &[Link::Symbolic], false);
        assert!(layout.is_complete(), "{layout:?}");
        let target = fs::read_link(seed.path().join("film/film.mkv")).unwrap();
        assert_eq!(target, real.canonicalize().unwrap());
    }
}

/// A hard link cannot lead to another file system, but a symbolic one can.
#[test]
#[cfg(target_os = "linux")]
fn a_symbolic_link_follows_a_hard_one_that_fails() {
    use std::os::unix::fs::MetadataExt;

    let Ok(library) = tempfile::tempdir_in("/dev/shm") else { return };
    let seed = tempfile::tempdir().unwrap();
    let devices = [&library, &seed].map(|folder| folder.path().metadata().unwrap().dev());
    if devices[0] == devices[1] {
        eprintln!("skipped: both folders are on one file system");
        return;
    }
    let maker = Maker::folder("film", 32 << 10).file("film.mkv", content(2, 300_000));
    let torrent = Torrent::parse(&maker.bytes(Format::V1)).unwrap();
    write(library.path().join("x.mkv"), &content(2, 300_000));
    let report = find(&torrent, library.path());
    for (kinds, is_there) in [(&[Link::Hard, Link::Symbolic][..], true), (&[Link::Hard][..], false)]
    {
        let seed = tempfile::tempdir().unwrap();
        let how = LayOut { kinds, likely: false, cancel: None };
        let layout = report.lay_out(seed.path(), &how).unwrap();
        let outcome = &layout.files[0].outcome;
        match is_there {
            true => assert!(matches!(outcome, Outcome::Linked(Link::Symbolic)), "{outcome:?}"),
            false => assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}"),
        }
        assert_eq!(seed.path().join("film/film.mkv").is_file(), is_there);
    }
}

/// What is in the place of an empty file stays as it is.
#[test]
fn a_file_in_place_of_an_empty_one_is_a_conflict() {
    for format in FORMATS {
        let maker = Maker::folder("it", 16 << 10).file("a", content(1, 50_000)).file("empty", "");
        let torrent = Torrent::parse(&maker.bytes(format)).unwrap();
        let library = tempfile::tempdir().unwrap();
        write(library.path().join("x"), &content(1, 50_000));
        let report = find(&torrent, library.path());
        let seed = tempfile::tempdir().unwrap();
        write(seed.path().join("it/empty"), b"not empty");
        let how = LayOut { kinds: &ALL, likely: false, cancel: None };
        let layout = report.lay_out(seed.path(), &how).unwrap();
        for file in &layout.files {
            let is_empty = file.path.ends_with("empty");
            assert_eq!(
                matches!(file.outcome, Outcome::Conflict),
                is_empty,
                "{format:?} {layout:?}"
            );
        }
        assert!(!layout.is_complete());
        assert_eq!(fs::read(seed.path().join("it/empty")).unwrap(), b"not empty");
        // An empty one is right.
        fs::write(seed.path().join("it/empty"), "").unwrap();
        assert!(report.lay_out(seed.path(), &how).unwrap().is_complete());
    }
}

/// Three files in a piece, each with more candidates than can be combined, of which none is right.
#[test]
fn the_limit_of_combinations_is_reported() {
    use torrent_check::SearchLimitKind;

    let files = [("a", 100), ("b", 200), ("c", 300)];
    let mut maker = Maker::folder("it", 16 << 10);
    for (name, length) in files {
        maker = maker.file(name, content(length as u8, length));
    }
    let torrent = Torrent::parse(&maker.bytes(Format::V1)).unwrap();
    for (candidates, is_cut) in [(10_u8, false), (11, true)] {
        let library = tempfile::tempdir().unwrap();
        for (seed, (_, length)) in (0..candidates).flat_map(|seed| files.map(|file| (seed, file))) {
            write(library.path().join(format!("{length}/{seed:02}")), &content(seed, length));
        }
        let report = find(&torrent, library.path());
        let limits = report.search_limits.iter().map(|limit| (limit.kind, limit.max));
        let expected = is_cut.then_some((SearchLimitKind::Combinations, 1024));
        assert_eq!(limits.collect::<Vec<_>>(), Vec::from_iter(expected), "{candidates}");
        assert!(report.files.iter().all(|file| file.found_as().is_empty()));
    }
}
