//! Tests of choosing a download folder.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use torrent_check::{Check, CheckError, Folders, Place, Torrent};

use crate::make::{FORMATS, Format, Maker, content};

/// Download folders, each with some files of a torrent named `it`, as names and lengths.
fn folders(all: &[&[(&str, usize)]]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (index, files) in all.iter().enumerate() {
        fs::create_dir(folder.path().join(index.to_string())).unwrap();
        for (name, length) in *files {
            let path = folder.path().join(index.to_string()).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content(1, *length)).unwrap();
        }
    }
    folder
}

/// The index of the folder that has the content.
fn choose(torrent: &[u8], folder: &Path, order: &[&str]) -> Option<usize> {
    let paths: Vec<PathBuf> = order.iter().map(|name| folder.join(name)).collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let torrent = Torrent::parse(torrent).unwrap();
    let folders = Folders::new(&paths);
    let check = Check { lengths_only: true, ..Check::new(&torrent, Place::Folders(&folders)) };
    let content = match check.run() {
        Ok(report) => report.content.path().to_owned(),
        Err(CheckError::Folder { path, .. }) => path,
        Err(error) => panic!("{error}"),
    };
    paths.iter().position(|path| content.starts_with(path))
}

#[test]
fn the_folder_with_the_most_files_is_chosen() {
    for format in FORMATS {
        let maker = Maker::folder("it", 16 << 10).file("a", content(1, 50_000)).pad(100);
        let maker = maker.file("b", content(1, 5)).file("c/d", content(1, 20_000));
        let torrent = maker.file("empty", "").bytes(format);
        let folder = folders(&[
            &[],
            &[("it/a", 49_999), ("it/b", 5)],
            &[("it/a", 50_000), ("it/b", 5)],
            &[("it/a", 50_000), ("it/c/d", 20_000), ("it/b", 6)],
            &[("it/a", 50_000), ("it/b", 5), ("it/c/d", 20_000), ("it/empty", 0)],
            &[("it", 5)],
            &[("other/a", 50_000)],
        ]);
        let choose = |order: &[&str]| choose(&torrent, folder.path(), order);
        assert_eq!(choose(&["0", "1", "2", "3", "4"]), Some(4));
        assert_eq!(choose(&["4", "3", "2", "1", "0"]), Some(0));
        assert_eq!(choose(&["1", "2", "0"]), Some(1));
        assert_eq!(choose(&["3", "2"]), Some(0), "the first of equal folders wins");
        assert_eq!(choose(&["2", "3"]), Some(0), "the first of equal folders wins");
        assert_eq!(choose(&["6", "0"]), Some(0), "neither has the name");
        assert_eq!(choose(&["0", "6", "5"]), Some(2), "a name wins over none");
        assert_eq!(choose(&["5", "1"]), Some(1));
        assert_eq!(choose(&["0", "nowhere"]), Some(1), "an error is reported");
        assert_eq!(choose(&["nowhere", "1"]), Some(1));
        assert_eq!(choose(&["nowhere", "5"]), Some(0));
    }
}

#[test]
fn the_folder_with_a_single_file_of_the_right_length_is_chosen() {
    for format in FORMATS {
        let torrent = Maker::single("it", 16 << 10, content(1, 50_000)).bytes(format);
        let folder = folders(&[&[("it", 50_001)], &[], &[("it", 50_000)], &[("it.part", 50_000)]]);
        let choose = |order: &[&str]| choose(&torrent, folder.path(), order);
        assert_eq!(choose(&["0", "1", "2"]), Some(2));
        assert_eq!(choose(&["1", "0"]), Some(1));
        assert_eq!(choose(&["0", "3", "2"]), Some(1));
    }
}

#[test]
#[cfg(unix)]
fn right_links_count() {
    let maker = Maker::folder("it", 16 << 10).file("a", content(1, 5)).symlink("b", "a");
    let folder = folders(&[&[("it/a", 5)], &[("it/a", 5)]]);
    std::os::unix::fs::symlink("c", folder.path().join("0/it/b")).unwrap();
    std::os::unix::fs::symlink("a", folder.path().join("1/it/b")).unwrap();
    assert_eq!(choose(&maker.bytes(Format::V1), folder.path(), &["0", "1"]), Some(1));
}

/// A root has some of its files, and another the others.
#[test]
fn one_torrent_in_several_roots_is_complete() {
    for format in FORMATS {
        let maker = Maker::folder("it", 16 << 10).file("a", content(1, 50_000));
        let maker = maker.file("b", content(1, 5)).file("c/d", content(1, 20_000));
        let torrent = Torrent::parse(&maker.bytes(format)).unwrap();
        let folder = folders(&[
            &[("it/a", 50_000), ("it/b", 3)],
            &[("it/b", 5), ("it/C/d", 20_000)],
            &[("it/b", 4)],
        ]);
        let paths = ["0", "1", "2"].map(|name| folder.path().join(name));
        let roots: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let folders = Folders::new(&roots);
        let report = Check::new(&torrent, Place::Folders(&folders)).run().unwrap();
        assert!(report.is_complete(), "{format:?} {report:?}");
        let saved = |name: &str| {
            let index = torrent.files().iter().position(|file| file.path().to_text() == name);
            report.files[index.unwrap()].saved_as.clone()
        };
        assert_eq!(report.content.path(), paths[1].join("it"));
        assert_eq!(saved("a"), Some(paths[0].join("it/a")));
        assert_eq!((saved("b"), saved("c/d")), (None, Some("C/d".into())));
        // It is not followed out of its root, either.
        #[cfg(unix)]
        {
            fs::rename(paths[0].join("it/a"), folder.path().join("a")).unwrap();
            std::os::unix::fs::symlink("../../a", paths[0].join("it/a")).unwrap();
            let report = Check::new(&torrent, Place::Folders(&folders)).run().unwrap();
            assert!(!report.is_complete());
            let check = Check::new(&torrent, Place::Folders(&folders));
            let report = Check { follow_links: true, ..check }.run().unwrap();
            assert!(report.is_complete(), "{format:?} {report:?}");
        }
    }
}
