//! Computes the `pieces root` and the number of pieces of a file in a BitTorrent v2 torrent
//! (BEP 52).
//!
//! ```text
//! cargo run --release -p merkle-lanes --example bep52_file -- FILE
//! cargo run --release -p merkle-lanes --example bep52_file -- --gib
//! ```
//!
//! Without a file, the program hashes 64 MiB, or 1 GiB with `--gib`, of generated data. It compares
//! the root with that of blocks and nodes hashed one after another.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::time::Instant;

use merkle_lanes::bep52::{BLOCK_BYTES, Bep52, FileHasher, FileHashes, PieceLength};
use sha2::{Digest, Sha256};

/// Piece length in bytes.
const PIECE: u64 = 1 << 20;

/// The number of bytes read at once: more blocks than there are lanes.
const BYTES_AT_ONCE: usize = 64 * BLOCK_BYTES;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args_os().nth(1);
    match argument.as_deref() {
        None => hash_generated(64 << 20)?,
        Some(option) if option == OsStr::new("--gib") => hash_generated(1 << 30)?,
        Some(path) => {
            let named = |error: io::Error| format!("{}: {error}", path.display());
            let file = File::open(path).map_err(named)?;
            let hashes = file_hashes(file).map_err(named)?;
            match hashes.pieces_root() {
                Some(root) => {
                    let root = hex::encode(root);
                    println!("{root}  {} pieces, {}", hashes.pieces(), path.display());
                }
                None => println!("{}: an empty file has no pieces root", path.display()),
            }
        }
    }
    Ok(())
}

/// Hashes a file from front to back. Only the hashes of the pieces are kept.
fn file_hashes(mut file: impl Read) -> io::Result<FileHashes> {
    let piece_length = PieceLength::new(PIECE).map_err(io::Error::other)?;
    let mut hasher = FileHasher::new(Bep52::new(), piece_length);
    let mut buffer = vec![0; BYTES_AT_ONCE];
    loop {
        // `update` takes any number of bytes, but copies none if they fill all lanes.
        let read = read_full(&mut file, &mut buffer)?;
        hasher.update(&buffer[..read]);
        if read < buffer.len() {
            break;
        }
    }
    Ok(hasher.finish())
}

/// Fills the buffer until it is full or the input ends. Returns the number of bytes read.
fn read_full(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Hashes data that is generated while it is read, and checks the root.
fn hash_generated(bytes: u64) -> io::Result<()> {
    // The length is not a multiple of the block or piece length.
    let bytes = bytes - 12_345;
    let start = Instant::now();
    let hashes = file_hashes(Pattern::new().take(bytes))?;
    let time = start.elapsed();
    let root = one_by_one(Pattern::new().take(bytes))?;
    assert_eq!(hashes.pieces_root(), Some(root));
    println!(
        "{}  {} pieces, {bytes} bytes, generated and hashed in {time:.0?}",
        hex::encode(root),
        hashes.pieces()
    );
    Ok(())
}

/// The root, straight from the specification.
fn one_by_one(mut file: impl Read) -> io::Result<[u8; 32]> {
    let mut block = vec![0; BLOCK_BYTES];
    let mut nodes: Vec<[u8; 32]> = Vec::new();
    loop {
        match read_full(&mut file, &mut block)? {
            0 => break,
            read => nodes.push(Sha256::digest(&block[..read]).into()),
        }
    }
    nodes.resize(nodes.len().next_power_of_two(), [0; 32]);
    while nodes.len() > 1 {
        nodes = nodes.chunks(2).map(|pair| Sha256::digest(pair.as_flattened()).into()).collect();
    }
    Ok(nodes[0])
}

/// Endless bytes that alternate between a mebibyte of zeros and a mebibyte of a pattern.
///
/// The pattern has a period of 251 bytes, so that no two blocks of a mebibyte are equal.
struct Pattern {
    pattern: Vec<u8>,
    position: usize,
}

impl Pattern {
    fn new() -> Self {
        let mut pattern = vec![0; 1 << 20];
        pattern.extend((0..=250).cycle().take(1 << 20));
        Self { pattern, position: 0 }
    }
}

impl Read for Pattern {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (&self.pattern[self.position..]).read(buffer)?;
        self.position = (self.position + read) % self.pattern.len();
        Ok(read)
    }
}
