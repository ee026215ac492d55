//! Prints the SHA-256 of many files, hashed at once, in the lines that `sha256sum -c` checks.
//!
//! ```text
//! cargo run --release -p sha256-multi --example hash_files -- DIRECTORY_OR_FILE ... > SHA256SUMS
//! sha256sum -c SHA256SUMS
//! ```
//!
//! A directory stands for the files in it, without subdirectories. Without arguments, the program
//! hashes the sources of this crate, and checks the digests.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sha2::{Digest, Sha256};
use sha256_multi::ManyHasher;

/// The number of files read side by side: several per lane, because files have different lengths.
const FILES_AT_ONCE: usize = 64;

/// The number of bytes read from each file at a time. 64 pieces fit into a second-level cache.
const PIECE_BYTES: u64 = 16 * 1024;

fn main() -> ExitCode {
    let mut arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let is_check = arguments.is_empty();
    if is_check {
        arguments.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
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
            Ok(digest) => {
                if let Err(error) = io::stdout().write_all(&line(&digest, path)) {
                    eprintln!("hash_files: cannot write: {error}");
                    return ExitCode::FAILURE;
                }
                if is_check {
                    let content = fs::read(path).expect("it was read before");
                    assert_eq!(digest, *Sha256::digest(content));
                }
            }
            Err(error) => {
                eprintln!("hash_files: {}: {error}", path.display());
                all_read = false;
            }
        }
    }
    if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A line of `sha256sum`: if the name has a backslash or ends lines, these are escaped, and the line
/// begins with a backslash.
fn line(digest: &[u8; 32], path: &Path) -> Vec<u8> {
    let mut line = format!("{}  ", hex::encode(digest)).into_bytes();
    let start = line.len();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' => line.extend(br"\\"),
            b'\n' => line.extend(br"\n"),
            b'\r' => line.extend(br"\r"),
            _ => line.push(byte),
        }
    }
    if line.len() - start > path.as_os_str().len() {
        line.insert(0, b'\\');
    }
    line.push(b'\n');
    line
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
