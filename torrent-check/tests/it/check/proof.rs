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
