//! Prints the SHA-1 of each piece of a file, as a torrent lists them.
//!
//! ```text
//! cargo run --release -p sha1-multi --example sha1_pieces -- FILE [PIECE_BYTES]
//! ```
//!
//! Without arguments, the program hashes the pieces of its own file, and checks the digests.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::ExitCode;

use sha1::{Digest, Sha1};
use sha1_multi::ManyHasher;

/// The number of pieces hashed side by side, one per lane.
const LANES: usize = 16;

/// The number of bytes read from each piece at a time, so that memory use does not grow with the
/// piece length.
const SLICE_BYTES: u64 = 32 * 1024;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [] => hash_own_file(),
        [file] => print_pieces(Path::new(file), 256 * 1024),
        [file, bytes] => match bytes.parse() {
            Ok(bytes) if bytes > 0 => print_pieces(Path::new(file), bytes),
            _ => Err(io::Error::other(format!(
                "{bytes:?} is not a piece length; expected a number of bytes greater than 0"
            ))),
        },
        _ => Err(io::Error::other("too many arguments; expected FILE [PIECE_BYTES]")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sha1_pieces: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The SHA-1 of each piece of a file. The last piece may be shorter than the others.
fn hash_pieces(path: &Path, piece_bytes: u64) -> io::Result<Vec<[u8; 20]>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    // No piece is longer than the file, so the sums below cannot overflow.
    let piece_bytes = piece_bytes.min(length);
    let mut digests = Vec::new();
    let mut slices = vec![Vec::new(); LANES];
    let mut hasher = ManyHasher::new(LANES);
    let mut first = 0;
    while first < length {
        let mut begin = 0;
        while begin < piece_bytes {
            let slice_bytes = SLICE_BYTES.min(piece_bytes - begin);
            // A slice of every piece. Slices past the end of the file are empty.
            for (slice, piece) in slices.iter_mut().zip(0..) {
                slice.clear();
                file.seek(SeekFrom::Start(first + piece * piece_bytes + begin))?;
                (&file).take(slice_bytes).read_to_end(slice)?;
            }
            hasher.update_all(&slices);
            begin += slice_bytes;
        }
        let count = (length - first).div_ceil(piece_bytes).min(LANES as u64);
        digests.extend((0..count as usize).map(|piece| hasher.finalize_one(piece)));
        hasher.reset();
        first += LANES as u64 * piece_bytes;
    }
    Ok(digests)
}

fn print_pieces(path: &Path, piece_bytes: u64) -> io::Result<()> {
    let named = |error: io::Error| io::Error::other(format!("{}: {error}", path.display()));
    for (piece, digest) in hash_pieces(path, piece_bytes).map_err(named)?.iter().enumerate() {
        println!("{piece:>8}  {}", hex::encode(digest));
    }
    Ok(())
}

/// Hashes the pieces of this program, and checks the digests.
fn hash_own_file() -> io::Result<()> {
    const PIECE_BYTES: usize = 256 * 1024;
    let path = env::current_exe()?;
    let digests = hash_pieces(&path, PIECE_BYTES as u64)?;
    let content = fs::read(&path)?;
    for (piece, (bytes, digest)) in content.chunks(PIECE_BYTES).zip(&digests).enumerate() {
        assert_eq!(*digest, *Sha1::digest(bytes));
        println!("{piece:>8}  {}", hex::encode(digest));
    }
    assert_eq!(digests.len(), content.len().div_ceil(PIECE_BYTES));
    Ok(())
}
