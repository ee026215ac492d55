//! Computes the `pieces root` and the number of pieces of a file in a BitTorrent v2 torrent
//! (BEP 52).
//!
//! ```text
//! cargo run --release -p merkle-lanes --example bep52_file -- FILE
//! ```
//!
//! Without a file, the program hashes 64 MiB of generated data.

use std::fs::File;
use std::io::{self, Read};

use merkle_lanes::bep52::{BLOCK_BYTES, Bep52, FileHasher, FileHashes, PieceLength};

/// Piece length in bytes.
const PIECE: u64 = 1 << 20;

/// The number of bytes read at once: more blocks than there are lanes.
const BYTES_AT_ONCE: usize = 64 * BLOCK_BYTES;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (name, hashes) = match std::env::args_os().nth(1) {
        Some(path) => (path.display().to_string(), file_hashes(File::open(&path)?)?),
        None => ("64 MiB of ones".to_owned(), file_hashes(io::repeat(1).take(64 << 20))?),
    };
    match hashes.pieces_root() {
        Some(root) => println!("{}  {} pieces, {name}", hex::encode(root), hashes.pieces()),
        None => println!("{name}: an empty file has no pieces root"),
    }
    Ok(())
}

/// Hashes a file from front to back. Only the hashes of the pieces are kept.
fn file_hashes(mut file: impl Read) -> io::Result<FileHashes> {
    let piece_length = PieceLength::new(PIECE).map_err(io::Error::other)?;
    let mut hasher = FileHasher::new(Bep52::new(), piece_length);
    let mut buffer = Vec::with_capacity(BYTES_AT_ONCE);
    loop {
        // `update` takes any number of bytes, but copies none if they fill all lanes.
        buffer.clear();
        if file.by_ref().take(BYTES_AT_ONCE as u64).read_to_end(&mut buffer)? == 0 {
            return Ok(hasher.finish());
        }
        hasher.update(&buffer);
    }
}
