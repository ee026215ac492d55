//! Prints the SHA-256 of many files, hashed at once, in the lines that `sha256sum -c` checks.
//!
//! ```text
//! cargo run --release -p sha256-multi --features files --example hash_files -- \
//!     DIRECTORY_OR_FILE ... > SHA256SUMS
//! sha256sum -c SHA256SUMS
//! ```
//!
//! A directory stands for the files in it, without subdirectories. Without arguments, the program
//! hashes the sources of this crate, and checks the digests.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sha2::{Digest, Sha256};
use sha256_multi::ManyHasher;

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
    for (path, result) in files.iter().zip(ManyHasher::hash_files(&files)) {
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
                eprintln!("hash_files: {error}");
                all_read = false;
            }
        }
    }
    if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A line of `sha256sum`: if the name has a backslash or ends lines, these are escaped, and the
/// line begins with a backslash.
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
