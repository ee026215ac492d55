//! A torrent and a folder with its content, for tests to change.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use torrent_check::{Check, FileVerdict, PieceVerdict, Report, Torrent};

use crate::make::{Format, Maker, content};

pub(crate) const KIB: usize = 1 << 10;

pub(crate) struct Download {
    pub(crate) torrent: Torrent,
    folder: TempDir,
    /// The name of the content's folder, or empty for a single file.
    name: &'static str,
}

impl Download {
    /// A folder `content` with these files.
    pub(crate) fn folder(format: Format, piece_length: usize, files: &[(&str, Vec<u8>)]) -> Self {
        let mut maker = Maker::folder("content", piece_length as u64);
        for (path, data) in files {
            maker = maker.file(path, data.clone());
        }
        let download = Self::empty(&maker.bytes(format), "content");
        for (path, data) in files {
            download.write(path, data);
        }
        download
    }

    /// A single file `single.bin`.
    pub(crate) fn single(format: Format, piece_length: usize, data: &[u8]) -> Self {
        let torrent = Maker::single("single.bin", piece_length as u64, data).bytes(format);
        let download = Self::empty(&torrent, "");
        download.write("single.bin", data);
        download
    }

    /// A torrent without content on disk.
    pub(crate) fn empty(torrent: &[u8], name: &'static str) -> Self {
        let torrent = Torrent::parse(torrent).expect("the torrent is valid");
        Self { torrent, folder: tempfile::tempdir().unwrap(), name }
    }

    /// The download folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file of the torrent.
    pub(crate) fn place(&self, file: &str) -> PathBuf {
        self.path().join(self.name).join(file)
    }

    /// Writes a file and sets an old modification time, so that later changes are visible.
    pub(crate) fn write(&self, file: &str, data: &[u8]) {
        let place = self.place(file);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, data).unwrap();
        self.make_old(file);
    }

    pub(crate) fn make_old(&self, file: &str) {
        let file = File::options().write(true).open(self.place(file)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(1000)).unwrap();
    }

    /// Changes the content of a file.
    pub(crate) fn change(&self, file: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut data = fs::read(self.place(file)).unwrap();
        change(&mut data);
        self.write(file, &data);
    }

    pub(crate) fn remove(&self, file: &str) {
        fs::remove_file(self.place(file)).unwrap();
    }

    /// A check with default options.
    pub(crate) fn to_check(&self) -> Check<'_, '_> {
        Check::new(&self.torrent, self.path())
    }

    pub(crate) fn check(&self) -> Report<'_> {
        self.to_check().run().unwrap()
    }

    /// The index of a file.
    pub(crate) fn index(&self, file: &str) -> usize {
        self.torrent.files().iter().position(|known| known.path().to_text() == file).unwrap()
    }
}

/// The verdict on each file other than padding.
pub(crate) fn verdicts(report: &Report<'_>) -> Vec<FileVerdict> {
    let verdicts = report.files.iter().map(|file| file.verdict.clone());
    verdicts.filter(|verdict| *verdict != FileVerdict::Pad).collect()
}

/// The pieces whose verdict satisfies a predicate.
pub(crate) fn pieces(report: &Report<'_>, is: impl Fn(PieceVerdict) -> bool) -> Vec<u64> {
    (0..).zip(&report.pieces).filter(|(_, verdict)| is(**verdict)).map(|(piece, _)| piece).collect()
}

/// Three files of 1 MiB each.
pub(crate) fn three_mib(format: Format) -> Download {
    let files = ["a.bin", "b.bin", "c.bin"];
    let files: Vec<_> =
        (0..).zip(files).map(|(seed, path)| (path, content(seed, KIB * KIB))).collect();
    Download::folder(format, 64 * KIB, &files)
}

/// Files that share pieces in v1, some of them in a folder, one of them empty.
pub(crate) fn ragged(format: Format) -> Download {
    let sizes = [
        ("a/first", 100_000),
        ("a/second", 150_001),
        ("b", 0),
        ("c", 70_000),
        ("d", 5),
        ("e", 40_000),
    ];
    let files: Vec<_> =
        (0..).zip(sizes).map(|(seed, (path, size))| (path, content(seed, size))).collect();
    Download::folder(format, 32 * KIB, &files)
}
