//! Reads the files that the user names, with a limit: their size is not known before.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;

use addr_recover::{Foreign, ParseError, Pattern, Reading, SearchSpace};
use zeroize::{Zeroize, Zeroizing};

use super::report::SECRET;
use super::terminal::Failure;

/// The maximum size of a text with addresses, in bytes.
pub(crate) const MAX_TEXT: u64 = 1 << 26;

/// The maximum size of a list of known addresses, and of files that the tool has written, in bytes.
pub(crate) const MAX_FILE: u64 = 1 << 32;

/// The maximum size of a line of a batch, in bytes.
const MAX_LINE: usize = 1 << 16;

/// The characters of the bytes 0x80 to 0x9f in Windows-1252. Five of them are not assigned. The
/// other bytes have the value of their character.
const WINDOWS_1252: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";

/// Room after a line for what a reader looks ahead.
const ROOM: usize = 64;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// How UTF-16 joins two bytes.
type Unit = fn([u8; 2]) -> u16;

/// Reads the text of a file, or of standard input if it is `-`. More than `max` bytes are an error.
/// `needs` says what takes the file.
pub(crate) fn read(file: &Path, max: u64, needs: &str) -> Result<Zeroizing<String>, Failure> {
    let bytes = reader(file).and_then(|reader| at_most(reader, max));
    Ok(text_of(bytes.map_err(|error| error_of_file(file, &error, needs))?))
}

/// The text of some bytes, without a byte order mark: in UTF-16, or in UTF-8 with Windows-1252 for
/// what is not UTF-8. All that the tool reads is read so. The text may be a key, so it is wiped.
pub(crate) fn text_of(bytes: Vec<u8>) -> Zeroizing<String> {
    match unit(&bytes) {
        Some(unit) => of_utf16(&Zeroizing::new(bytes), unit),
        None => of_utf8(bytes),
    }
}

/// Reads to the end. More than `max` bytes are an error.
pub(crate) fn at_most(reader: impl Read, max: u64) -> io::Result<Vec<u8>> {
    // A list that grows would leave copies of a key behind.
    let mut bytes = Vec::with_capacity(MAX_LINE.min(max as usize + 1));
    reader.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(io::Error::other(format!("it has more than {max} bytes")));
    }
    Ok(bytes)
}

/// Opens a regular file. Opening anything else could have side effects, and a pipe could block for
/// ever.
pub(crate) fn open(file: &Path) -> io::Result<File> {
    demand_regular(&fs::metadata(file)?)?;
    let mut options = File::options();
    options.read(true);
    // A pipe may have taken its place.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(file)?;
    demand_regular(&file.metadata()?)?;
    Ok(file)
}

fn demand_regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        Err(io::Error::other("not a regular file; to read from a pipe, pass - for standard input"))
    }
}

/// Whether a name is that of standard input.
pub(crate) fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn reader(file: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(if is_stdin(file) {
        Box::new(io::stdin())
    } else if is_open_pipe(file) {
        Box::new(File::open(file)?)
    } else {
        Box::new(open(file)?)
    })
}

/// Whether a name is that of a pipe that is open already, as shells make one for `<(...)`. Reading
/// it blocks no longer than reading standard input.
pub(crate) fn is_open_pipe(file: &Path) -> bool {
    #[cfg(unix)]
    let is_pipe = |it: &fs::Metadata| std::os::unix::fs::FileTypeExt::is_fifo(&it.file_type());
    #[cfg(not(unix))]
    let is_pipe = |_: &fs::Metadata| false;
    let is_open = ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|it| file.starts_with(it));
    is_open && fs::metadata(file).is_ok_and(|metadata| is_pipe(&metadata))
}

/// The lines of a file or of standard input, without their ends. One that is too long is an error.
pub(crate) struct Lines {
    reader: Box<dyn BufRead + Send>,
    unit: Option<Unit>,
    /// The bytes of a line. They have room for the longest: a list that grows would leave copies of
    /// a key behind.
    line: Zeroizing<Vec<u8>>,
    /// The number of lines read.
    pub(crate) number: usize,
}

impl Lines {
    pub(crate) fn of(file: &Path) -> io::Result<Self> {
        let (mut reader, mut begin) = (BufReader::new(reader(file)?), Vec::new());
        reader.by_ref().take(2).read_to_end(&mut begin)?;
        let unit = unit(&begin);
        Ok(Self::new(Box::new(io::Cursor::new(begin).chain(reader)), unit))
    }

    fn new(reader: Box<dyn BufRead + Send>, unit: Option<Unit>) -> Self {
        let line = Zeroizing::new(Vec::with_capacity(MAX_LINE + ROOM));
        Self { reader, unit, line, number: 0 }
    }

    /// The next line, if there is one.
    pub(crate) fn next(&mut self) -> io::Result<Option<Zeroizing<String>>> {
        let Self { reader, unit, line, number } = self;
        line[..].zeroize();
        line.clear();
        *number += 1;
        loop {
            let left = (MAX_LINE + 1).saturating_sub(line.len());
            let read = reader.take(left as u64).read_until(b'\n', line)?;
            if unit.is_some() && !line.len().is_multiple_of(2) {
                reader.take(1).read_to_end(line)?;
            }
            let last = match unit {
                Some(unit) => line.as_chunks().0.last().map(|&pair| unit(pair)),
                None => line.last().copied().map(u16::from),
            };
            if read == 0 || last == Some(b'\n'.into()) {
                break;
            }
            if line.len() > MAX_LINE {
                let message = format!("line {number} has more than {MAX_LINE} bytes");
                return Err(io::Error::other(message));
            }
        }
        if line.is_empty() {
            return Ok(None);
        }
        let mut text = match unit {
            Some(unit) => of_utf16(line, *unit),
            None => of_utf8(line.to_vec()),
        };
        // Lines end in a carriage return and a line feed on Windows.
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let length = line.strip_suffix('\r').unwrap_or(line).len();
        text.truncate(length);
        Ok(Some(text))
    }
}

/// How a text is UTF-16, if it begins with its byte order mark, as PowerShell writes it with `>`,
/// or with an ASCII character in UTF-16.
fn unit(bytes: &[u8]) -> Option<Unit> {
    match bytes {
        [0xff, 0xfe, ..] | [1..=0x7f, 0, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] | [0, 1..=0x7f, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

fn of_utf16(bytes: &[u8], unit: Unit) -> Zeroizing<String> {
    let units = bytes.as_chunks().0.iter().map(move |&pair| unit(pair));
    spelled(char::decode_utf16(units).map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)))
}

fn of_utf8(bytes: Vec<u8>) -> Zeroizing<String> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !text.starts_with(BYTE_ORDER_MARK) => return Zeroizing::new(text),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let bytes = Zeroizing::new(bytes);
    let of_windows = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252.chars().nth(usize::from(byte) - 0x80).unwrap_or_default(),
        _ => char::from(byte),
    };
    let chunks = bytes.utf8_chunks();
    spelled(chunks.flat_map(|it| it.valid().chars().chain(it.invalid().iter().map(of_windows))))
}

/// The characters as a text, without a byte order mark.
fn spelled(characters: impl Iterator<Item = char> + Clone) -> Zeroizing<String> {
    // A string that grows would leave copies of a key behind.
    let length = characters.clone().map(char::len_utf8).sum();
    let mut text = Zeroizing::new(String::with_capacity(length));
    text.extend(characters.skip_while(|it| *it == BYTE_ORDER_MARK));
    text
}

/// What went wrong with a file, and what else its name may be: a key, which is not repeated, or an
/// address. If there is none, `needs` says what takes which file.
pub(crate) fn error_of_file(file: &Path, error: &io::Error, needs: &str) -> Failure {
    let name = file.display().to_string();
    let is_path = name.contains(['.', '/', '\\']);
    let may_be_part = || Reading::of(&name).is_ok_and(|it| it.may_be_part_of_key());
    let message = match Pattern::parse(&name) {
        Err(ParseError::Foreign(key)) if key.is_key() => format!("{SECRET}: {error}; {key}"),
        Err(long) if long.may_be_key() && !is_path => format!("{SECRET}: {error}"),
        Ok(_) if !is_path && may_be_part() => format!("{SECRET}: {error}"),
        _ if error.kind() == io::ErrorKind::NotFound && is_address(file.as_os_str()) => format!(
            "{name}: {error}; this looks like an address, which `addr-recover '{name}'` reads"
        ),
        _ if error.kind() == io::ErrorKind::NotFound => format!("{name}: {error}; {needs}"),
        _ => format!("{name}: {error}"),
    };
    message.into()
}

/// The text of an address, whose groups may be separate arguments. Reads standard input if the
/// address is `-`, or if there is none and standard input is not a terminal.
pub(crate) fn read_address(arguments: &[OsString]) -> Result<Zeroizing<String>, Failure> {
    match given(arguments) {
        None if arguments.is_empty() && io::stdin().is_terminal() => {
            Err("expected an ADDRESS, a command or --resume FILE; see --help".into())
        }
        None => read(Path::new("-"), MAX_TEXT, ""),
        Some(file) if Path::new(&file).is_file() && !is_address(&file) => {
            let name = file.display();
            Err(format!(
                "{name} is a file: `addr-recover batch {name}` answers each of its lines, and \
                 `addr-recover - < {name}` the addresses in its text"
            )
            .into())
        }
        Some(folder) if Path::new(&folder).is_dir() && !is_address(&folder) => {
            Err(format!("{} is a directory: expected an ADDRESS", folder.display()).into())
        }
        Some(address) => Ok(text_of(address.into_encoded_bytes())),
    }
}

/// The text that some arguments are; `None` if it is to be read from standard input.
pub(crate) fn given(arguments: &[OsString]) -> Option<OsString> {
    let is_input = arguments.is_empty() || arguments == ["-"];
    (!is_input).then(|| arguments.join(OsStr::new(" ")))
}

/// Whether a text has what may be an address, or a key, which is not repeated. Words have neither.
fn is_address(text: &OsStr) -> bool {
    match Pattern::parse(&text.to_string_lossy()) {
        Ok(pattern) => SearchSpace::any_network(&pattern).is_ok_and(|it| !it.kinds().is_empty()),
        Err(error) => match error {
            ParseError::Foreign(foreign) => !matches!(foreign, Foreign::Name(_)),
            error => matches!(error, ParseError::Several { .. }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list that grows or shrinks leaves a copy of what may be a key.
    #[test]
    fn lines_are_read_into_one_buffer() {
        let lines = ["K", &"w".repeat(700), "", &"D".repeat(MAX_LINE / 2 - 9), "end"];
        let text = lines.join("\r\n");
        let of_utf16 = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, unit) in
            [(text.clone().into_bytes(), None), (of_utf16, Some(u16::from_le_bytes as Unit))]
        {
            let mut input = Lines::new(Box::new(io::Cursor::new(bytes)), unit);
            let buffer = (input.line.as_ptr(), input.line.capacity());
            for line in lines {
                let read = input.next().unwrap().unwrap();
                assert_eq!(*read, line);
                assert!(read.capacity() <= line.len() + 3, "{}", read.capacity());
                assert_eq!((input.line.as_ptr(), input.line.capacity()), buffer);
            }
            assert!(input.next().unwrap().is_none());
        }
    }
}
