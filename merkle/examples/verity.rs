//! The digest of a file as the Linux kernel's fs-verity has it, and the hash device of a disk for
//! its dm-verity:
//!
//! ```text
//! verity digest FILE...               as `fsverity digest FILE...`
//! verity digest-sha512 FILE...        as `fsverity digest --hash-alg=sha512 FILE...`
//! verity format DATA DEVICE SALT      as `veritysetup format DATA DEVICE --salt=SALT`, in
//!                                     hexadecimal; the UUID is zero
//! ```

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};

use merkle_lanes::verity::{Algorithm, DmVerity, FsVerity, Layout, TreeBlock};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &arguments[..] {
        ["digest", files @ ..] => digest(Algorithm::Sha256, files),
        ["digest-sha512", files @ ..] => digest(Algorithm::Sha512, files),
        ["format", data, device, salt] => format(data, device, salt),
        // A file of its own.
        [] => {
            let mut hasher = FsVerity::new(Algorithm::Sha256).hasher();
            hasher.update(&vec![0; 1 << 20]);
            println!("sha256:{}  a MiB of zeros", hasher.finalize().file_digest());
            Ok(())
        }
        _ => {
            Err(Error::new(ErrorKind::InvalidInput, "verity digest FILE | format DATA DEVICE SALT"))
        }
    }
}

fn digest(algorithm: Algorithm, files: &[&str]) -> Result<()> {
    for file in files {
        let mut hasher = FsVerity::new(algorithm).hasher();
        read(file, |bytes| {
            hasher.update(bytes);
            Ok(())
        })?;
        println!("{}:{} {file}", algorithm.name(), hasher.finalize().file_digest());
    }
    Ok(())
}

fn format(data: &str, device: &str, salt: &str) -> Result<()> {
    let invalid = |error: &dyn ToString| Error::new(ErrorKind::InvalidInput, error.to_string());
    let salt = hex::decode(salt.trim_matches('-')).map_err(|error| invalid(&error))?;
    let format =
        DmVerity::new(Algorithm::Sha256).with_salt(&salt).map_err(|error| invalid(&error))?;
    let size = format.parameters().block_size() as u64;
    let len = File::open(data)?.seek(SeekFrom::End(0))?;
    if !len.is_multiple_of(size) || len == 0 {
        return Err(invalid(&format_args!("{data} has {len} bytes: no whole blocks of {size}")));
    }
    let layout = Layout::new(format.parameters(), len);
    let mut device = File::create_new(device)?;
    device.write_all(&format.superblock([0; 16], len / size))?;
    device.set_len(size * (1 + layout.tree_blocks()))?;
    let mut failure = None;
    let mut store = |block: TreeBlock<'_>| {
        let position = layout.position(block.level, block.index).expect("a block of the tree");
        let written = device
            .seek(SeekFrom::Start(size * (1 + position)))
            .and_then(|_| device.write_all(block.bytes));
        failure = failure.take().or(written.err());
    };
    let mut hasher = format.hasher();
    read(data, |bytes| {
        hasher.update(bytes, &mut store);
        Ok(())
    })?;
    let root = hasher.finalize(&mut store);
    match (failure, root) {
        (None, Some(root)) => println!("Root hash: {root}"),
        (Some(error), _) => return Err(error),
        (None, None) => return Err(invalid(&"the data vanished")),
    }
    Ok(())
}

/// Reads a file, or a device, part by part.
fn read(path: &str, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(len) => take(&buffer[..len])?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
