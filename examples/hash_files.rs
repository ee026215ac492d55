//! SHA-256 of many files at once, printed as `sha256sum` prints it.
//!
//! ```text
//! cargo run --release -p hashlanes-examples --example hash_files -- DIRECTORY OR FILE ...
//! ```
//!
//! Directories stand for the files in them, not for those further down. Without arguments the
//! program makes a thousand files of its own, hashes them, and removes them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, process};

use sha2::{Digest, Sha256};
use sha256_multi::ManyHasher;

/// How many files are read side by side: some for each lane, because files end at different places.
const FILES_AT_ONCE: usize = 64;

/// How much of each file is read at a time. 64 pieces together fit into a second-level cache.
const PIECE_BYTES: u64 = 16 * 1024;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    if arguments.is_empty() {
        return match hash_own_files() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("hash_files: own files: {error}");
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

/// The SHA-256 of each of a few files, all of which are open at once.
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
        // A file that has ended, or could not be read, adds nothing.
        if pieces.iter().all(Vec::is_empty) {
            break;
        }
        // All pieces in one call, so that there are enough for all lanes. `update` with one large
        // piece after another would hash one file after another.
        hasher.update_all(&pieces);
    }
    files.into_iter().zip(hasher.finalize()).map(|(file, digest)| file.map(|_| digest)).collect()
}

/// Adds the files in a directory, by name. What cannot be looked at is kept, so that it is
/// complained of when it is opened.
fn list_directory(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(directory)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    entries.retain(|path| fs::metadata(path).map_or(true, |found| found.is_file()));
    entries.sort_unstable();
    files.append(&mut entries);
    Ok(())
}

/// A line of `sha256sum`.
fn sum_line(digest: &[u8; 32], path: &Path) -> String {
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{hex}  {}", path.display())
}

/// Hashes a thousand files made for it, and checks the digests.
fn hash_own_files() -> io::Result<()> {
    let directory = OwnDirectory::new()?;
    let mut contents = Vec::new();
    let mut paths = Vec::new();
    for i in 0..1000_usize {
        // Lengths of 0 to 100 kB; a period of 251 bytes, so that no two blocks are alike.
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

/// A new directory, removed with all that is in it when the program is done with it.
struct OwnDirectory(PathBuf);

impl OwnDirectory {
    fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("hashlanes-hash-files-{}", process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for OwnDirectory {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("hash_files: {}: {error}", self.0.display());
        }
    }
}
