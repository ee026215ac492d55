//! Prints the SHA-256 of many files, hashed at once, in lines like those of `sha256sum`. Names are
//! not escaped.
//!
//! ```text
//! cargo run --release -p sha256-multi --example hash_files -- DIRECTORY_OR_FILE ...
//! ```
//!
//! A directory stands for the files in it, without subdirectories. Without arguments, the program
//! hashes a thousand temporary files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, process};

use sha2::{Digest, Sha256};
use sha256_multi::ManyHasher;

/// The number of files read side by side: several per lane, because files have different lengths.
const FILES_AT_ONCE: usize = 64;

/// The number of bytes read from each file at a time. 64 pieces fit into a second-level cache.
const PIECE_BYTES: u64 = 16 * 1024;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    if arguments.is_empty() {
        return match hash_temporary_files() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("hash_files: temporary files: {error}");
                ExitCode::FAILURE
            }
        };
    }

    let mut all_read = true;
    let mut files = Vec::new();
    for argument in arguments {
        if !argument.is_dir() {
            files.push(argument);
        } else if let Err(error) = list_directory(&argument, &mut files) {
            eprintln!("hash_files: {}: {error}", argument.display());
            all_read = false;
        }
    }
    for (path, result) in files.iter().zip(hash_files(&files)) {
        match result {
            Ok(digest) => println!("{}", sum_line(&digest, path)),
            Err(error) => {
                eprintln!("hash_files: {}: {error}", path.display());
                all_read = false;
            }
        }
    }
    if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The SHA-256 of each file.
fn hash_files(paths: &[PathBuf]) -> Vec<io::Result<[u8; 32]>> {
    paths.chunks(FILES_AT_ONCE).flat_map(hash_side_by_side).collect()
}

/// The SHA-256 of each of a few files, which are all open at once.
fn hash_side_by_side(paths: &[PathBuf]) -> Vec<io::Result<[u8; 32]>> {
    let mut files: Vec<io::Result<File>> = paths.iter().map(File::open).collect();
    let mut pieces = vec![Vec::new(); paths.len()];
    let mut hasher = ManyHasher::new(paths.len());
    loop {
        for (file, piece) in files.iter_mut().zip(&mut pieces) {
            piece.clear();
            if let Ok(open) = file
                && let Err(error) = open.take(PIECE_BYTES).read_to_end(piece)
            {
                *file = Err(error);
            }
        }
        // A file that has ended or could not be read adds nothing.
        if pieces.iter().all(Vec::is_empty) {
            break;
        }
        // One call with all pieces fills the lanes. Calling `update` for each file would hash one
        // file after another.
        hasher.update_all(&pieces);
    }
    files.into_iter().zip(hasher.finalize()).map(|(file, digest)| file.map(|_| digest)).collect()
}

/// Adds the files in a directory, sorted by name. A file without readable metadata is kept, so that
/// opening it reports the error.
fn list_directory(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(directory)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    entries.retain(|path| fs::metadata(path).map_or(true, |found| found.is_file()));
    entries.sort_unstable();
    files.append(&mut entries);
    Ok(())
}

/// A line like those of `sha256sum`, without escapes.
fn sum_line(digest: &[u8; 32], path: &Path) -> String {
    format!("{}  {}", hex::encode(digest), path.display())
}

/// Hashes a thousand temporary files, and checks the digests.
fn hash_temporary_files() -> io::Result<()> {
    let directory = TemporaryDirectory::new()?;
    let mut contents = Vec::new();
    let mut paths = Vec::new();
    for i in 0..1000_usize {
        // Lengths of 0 to 100 kB. With a period of 251 bytes, any 251 consecutive blocks differ.
        let content: Vec<u8> = (i..i + i * i % 100_003).map(|byte| (byte % 251) as u8).collect();
        let path = directory.0.join(format!("{i:03}"));
        fs::write(&path, &content)?;
        paths.push(path);
        contents.push(content);
    }

    let start = Instant::now();
    let digests = hash_files(&paths).into_iter().collect::<io::Result<Vec<_>>>()?;
    let time = start.elapsed();

    for (content, digest) in contents.iter().zip(&digests) {
        assert_eq!(*digest, *Sha256::digest(content));
    }
    for (path, digest) in paths.iter().zip(&digests).take(3) {
        println!("{}", sum_line(digest, path));
    }
    let bytes: usize = contents.iter().map(Vec::len).sum();
    println!("... {} files, {} MB, read and hashed in {time:.0?}", paths.len(), bytes / 1_000_000);
    Ok(())
}

/// A new directory, removed with its contents on drop.
struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("hashlanes-hash-files-{}", process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("hash_files: {}: {error}", self.0.display());
        }
    }
}
