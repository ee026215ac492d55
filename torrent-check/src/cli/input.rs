//! Reads the files that the user names.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether stdin is being read, which may take for ever: then Ctrl-C ends the program at once.
pub(super) static READS_STDIN: AtomicBool = AtomicBool::new(false);

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
        Err(ErrorKind::IsADirectory.into())
    } else {
        Err(io::Error::other("it is not a regular file; to read from a pipe, pass - for stdin"))
    }
}
