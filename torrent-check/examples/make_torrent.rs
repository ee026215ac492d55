//! Creates a torrent from a file or a folder, to try `torrent-check` on:
//! `make_torrent v1|v2|hybrid PIECE_LENGTH PATH OUTPUT`.
//!
//! This is the reference creator of the tests: it hashes one message at a time, holds all content
//! in memory, and writes no announce URL.

#[path = "../tests/it/make.rs"]
#[allow(dead_code, reason = "some items are only used by the tests")]
mod make;

use std::error::Error;
use std::fs;
use std::path::Path;

use make::{Format, Maker};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [format, piece_length, path, output] = arguments.as_slice() else {
        return Err("usage: make_torrent v1|v2|hybrid PIECE_LENGTH PATH OUTPUT".into());
    };
    let format = match format.as_str() {
        "v1" => Format::V1,
        "v2" => Format::V2,
        "hybrid" => Format::Hybrid,
        other => return Err(format!("unknown format `{other}`: use v1, v2 or hybrid").into()),
    };
    let path = Path::new(path);
    let name =
        path.file_name().and_then(|name| name.to_str()).ok_or("PATH has no UTF-8 file name")?;
    let maker = if path.is_dir() {
        let folder = Maker::folder(name, piece_length.parse()?);
        files(path, "")?.into_iter().try_fold(folder, |maker, file| {
            Ok::<_, std::io::Error>(maker.file(&file, fs::read(path.join(&file))?))
        })?
    } else {
        Maker::single(name, piece_length.parse()?, fs::read(path)?)
    };
    fs::write(output, maker.bytes(format))?;
    Ok(())
}

/// The paths of all files in a folder, relative to `root` and sorted.
fn files(root: &Path, folder: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry
            .file_name()
            .into_string()
            .map_err(|name| format!("the file name {} is not UTF-8", name.display()))?;
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            files.extend(self::files(root, &path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
