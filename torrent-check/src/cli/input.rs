//! Reads the files that the user names, and explains what one that is not a torrent seems to be.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::atomic::Ordering;

use torrent_check::{MAX_TORRENT_BYTES, Torrent, TorrentError};

use super::failure::Failure;
use super::interrupt::READS_STDIN;

/// The bytes of a regular file, or of stdin if the path is `-`. More than `max` bytes are an error.
pub(super) fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        READS_STDIN.store(true, Ordering::Relaxed);
        let read = io::stdin().lock().take(max + 1).read_to_end(&mut bytes);
        READS_STDIN.store(false, Ordering::Relaxed);
        read?;
    } else {
        open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > max {
        return Err(io::Error::other(format!("it has more than {max} bytes")));
    }
    Ok(bytes)
}

/// Opens a regular file. Opening anything else could have side effects, and a pipe could block for
/// ever.
fn open(path: &Path) -> io::Result<File> {
    demand_regular(&fs::metadata(path)?)?;
    let mut options = File::options();
    options.read(true);
    // A pipe may have taken its place.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path)?;
    demand_regular(&file.metadata()?)?;
    Ok(file)
}

fn demand_regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder; name a file in it"))
    } else {
        Err(io::Error::other("it is not a regular file; to read from a pipe, pass - for stdin"))
    }
}

const MAGNET: &str = "it is a magnet link, which has no hashes of pieces; add it to a client, and \
                      pass the .torrent file that the client saves";

/// Why there is no file at a path that is a link to a torrent.
pub(super) fn not_a_file(path: &Path) -> Option<&'static dyn Display> {
    let text = path.to_str()?;
    let is_url = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme));
    match () {
        () if text.starts_with("magnet:") => Some(&MAGNET),
        () if is_url => Some(&"it is a URL; download the torrent first, and pass the file"),
        () => None,
    }
}

const UTF_16: &str = "it was saved as UTF-16 text, which damages it; download it again";

/// How files begin that have a torrent inside, and what to do.
const PACKED: [(&[u8], &str); 12] = [
    (b"\x1f\x8b", "it is compressed with gzip; unpack it (gunzip), and pass the .torrent file"),
    (b"PK\x03\x04", "it is a zip archive; unpack it, and pass the .torrent files in it"),
    (b"BZh", "it is compressed with bzip2; unpack it (bunzip2), and pass the .torrent file"),
    (b"\xfd7zXZ\0", "it is compressed with xz; unpack it (unxz), and pass the .torrent file"),
    (b"LZIP", "it is compressed with lzip; unpack it (lzip -d), and pass the .torrent file"),
    (
        b"\x04\x22\x4d\x18",
        "it is compressed with LZ4; unpack it (unlz4), and pass the .torrent file",
    ),
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
    (b"\x28\xb5\x2f\xfd", "it is compressed with zstd; unpack it, and pass the .torrent file"),
    (b"Rar!", "it is a rar archive; unpack it, and pass the .torrent files in it"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive; unpack it, and pass the .torrent files in it"),
    (
        b"\xef\xbb\xbf",
        "it begins with a byte order mark, so it was saved as text, which damages it; download it \
         again",
    ),
];

/// Why the content of a torrent file cannot be used, to follow the path in a message.
pub(super) fn explain(bytes: &[u8], error: &TorrentError) -> String {
    let packed = PACKED.iter().find(|(beginning, _)| bytes.starts_with(beginning));
    if let Some((_, what)) = packed {
        return format!(" is not a torrent: {what}");
    }
    let what = match bytes.trim_ascii_start() {
        // The first letter of a torrent, and zeros between the letters.
        _ if bytes.starts_with(b"\0d\0") || bytes.starts_with(b"d\0") => UTF_16,
        text if is_encoded(text, b"ZD", |it| {
            it.is_ascii_alphanumeric() || b"+/=".contains(&it)
        }) =>
        {
            "it is encoded in Base64; decode it (base64 -d), and pass the .torrent file"
        }
        text if is_encoded(text, b"64", |it| it.is_ascii_hexdigit()) => {
            "it is encoded in hexadecimal; decode it (xxd -r -p), and pass the .torrent file"
        }
        // A torrent is a dictionary.
        _ if bytes.starts_with(b"d") => return format!(": {error}"),
        [] => "it is empty; download it again",
        [b'<' | b'{', ..] => {
            "it looks like a web page or an error message of the server; download it again"
        }
        text if text.starts_with(b"magnet:") => MAGNET,
        _ => return format!(" is not a torrent: {error}; pass the .torrent file"),
    };
    format!(" is not a torrent: {what}")
}

/// Whether a text begins like a dictionary in some encoding, and has only the characters of that.
fn is_encoded(text: &[u8], beginning: &[u8], is_digit: impl Fn(u8) -> bool) -> bool {
    text.starts_with(beginning)
        && text.len() >= 8
        && text.iter().all(|byte| is_digit(*byte) || byte.is_ascii_whitespace())
}

/// Reads a torrent file, or stdin if the path is `-`.
pub(super) fn read_torrent(path: &Path) -> Result<Torrent, Failure> {
    let bytes = read(path, MAX_TORRENT_BYTES as u64);
    let bytes = bytes.map_err(|error| {
        let why = not_a_file(path).unwrap_or(&error);
        Failure::file("read", path, why.to_string())
    })?;
    parse_torrent(path, &bytes)
}

/// Parses what was read from this path.
pub(super) fn parse_torrent(path: &Path, bytes: &[u8]) -> Result<Torrent, Failure> {
    Torrent::parse(bytes).map_err(|error| {
        let why = explain(bytes, &error);
        Failure::NotATorrent { path: path.to_owned(), why, source: error }
    })
}
