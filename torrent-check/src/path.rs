//! Paths that a torrent names, checked before anything is opened.

use std::fmt::{self, Display, Formatter, Write};
use std::path::{Path, PathBuf};

/// How many bytes a component may have: what file systems of Unix allow.
const MAX_COMPONENT_BYTES: usize = 255;

/// How many bytes a path may have, with the separators.
const MAX_BYTES: usize = 4096;

/// A relative path of one component or more, none of which leads out of the folder that it begins
/// in.
///
/// A component is not empty, not `.` or `..`, has no separator of any system (`/`, `\`) and no NUL,
/// and at most 255 bytes. Else it may be any bytes where the system allows them, and UTF-8
/// elsewhere; names that Windows reserves are refused there.
///
/// [`Display`] joins the components with `/` and escapes what could deceive a reader or a terminal:
/// control characters, characters that change the direction of writing, and bytes that are not
/// UTF-8. No component has a `\`, so that escapes are not ambiguous.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TorrentPath {
    /// The components with `/` between them.
    joined: Box<[u8]>,
}

/// Why bytes are no component of a path, or components no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// A component without bytes, or a path without components.
    #[error("it is empty")]
    Empty,
    /// A component that is `.`.
    #[error("it is `.`")]
    Dot,
    /// A component that is `..`, which would lead out of the folder.
    #[error("it is `..`, which leads out of the folder")]
    DotDot,
    /// A component that begins with a separator.
    #[error("it begins with a separator, as absolute paths do")]
    Absolute,
    /// A component with a separator in it, `/` or `\`.
    #[error("it has a separator in it")]
    Separator,
    /// A component with a byte of value 0.
    #[error("it has a NUL in it")]
    Nul,
    /// A component of more than 255 bytes.
    #[error("it has {bytes} bytes, more than {MAX_COMPONENT_BYTES}")]
    TooLong {
        /// How many bytes it has.
        bytes: usize,
    },
    /// A path of more than 4096 bytes.
    #[error("the path has more than {MAX_BYTES} bytes")]
    PathTooLong,
    /// On Windows: a name that the system reserves, or takes for another one.
    #[error("Windows has no file of that name")]
    Reserved,
    /// Where the system's names are Unicode: bytes that are not UTF-8.
    #[error("it is not UTF-8, as names of files are on this system")]
    NotUtf8,
}

impl TorrentPath {
    /// A path of these components.
    ///
    /// # Errors
    ///
    /// For the first component that cannot be one, or if there is none, or if they are too long
    /// together.
    pub fn new<'a>(components: impl IntoIterator<Item = &'a [u8]>) -> Result<Self, PathError> {
        let mut builder = PathBuilder::default();
        for component in components {
            builder.push(component)?;
        }
        builder.path()
    }

    /// The components, none of which is empty.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.joined.split(|&byte| byte == b'/')
    }

    /// The last component.
    #[must_use]
    pub fn file_name(&self) -> &[u8] {
        self.components().next_back().expect("a path has a component")
    }

    /// The bytes of all components, joined with `/`.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.joined
    }

    /// The same for the system.
    #[must_use]
    pub fn to_path_buf(&self) -> PathBuf {
        #[cfg(unix)]
        let path_of =
            |component| <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(component);
        #[cfg(not(unix))]
        let path_of =
            |component| str::from_utf8(component).expect("it was UTF-8 when the path was made");
        self.components().map(path_of).collect()
    }

    /// The components joined with `/` for programs: bytes that are not UTF-8 are written `\xNN`,
    /// and nothing else is escaped.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::with_capacity(self.joined.len());
        escape(&self.joined, &mut text, |_| false).expect("a string takes everything");
        text
    }
}

/// A path of this system, to be shown.
///
/// [`Display`] is for people: it escapes what could deceive a reader or a terminal, as that of
/// [`TorrentPath`] does, and `\` where it is no separator.
///
/// ```
/// # use std::path::Path;
/// use torrent_check::Escaped;
///
/// let path = Path::new("a\u{202e}gpj.exe");
/// assert_eq!(Escaped(path).to_string(), "a\\u{202e}gpj.exe");
/// assert_eq!(Escaped(path).to_text(), "a\u{202e}gpj.exe");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'p>(pub &'p Path);

impl Escaped<'_> {
    /// The path for programs: bytes that are not UTF-8 are written `\xNN`, and so is `\` where it
    /// is no separator: `\x5c`. To have the path back, put the byte for each `\xNN`. On
    /// Windows, what is not UTF-8 are surrogates without their other half.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::with_capacity(self.0.as_os_str().len());
        for (index, part) in
            self.0.as_os_str().as_encoded_bytes().split(is_odd_separator).enumerate()
        {
            text.push_str(if index > 0 { "\\x5c" } else { "" });
            escape(part, &mut text, |_| false).expect("a string takes everything");
        }
        text
    }
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let escaped =
            |character| is_deceptive(character) || (cfg!(not(windows)) && character == '\\');
        escape(self.0.as_os_str().as_encoded_bytes(), f, escaped)
    }
}

/// A path, component by component.
#[derive(Debug, Default)]
pub(crate) struct PathBuilder {
    joined: Vec<u8>,
}

impl PathBuilder {
    pub(crate) fn push(&mut self, component: &[u8]) -> Result<(), PathError> {
        check(component)?;
        let separator = usize::from(!self.joined.is_empty());
        if self.joined.len() + separator + component.len() > MAX_BYTES {
            return Err(PathError::PathTooLong);
        }
        self.joined.extend(&b"/"[..separator]);
        self.joined.extend_from_slice(component);
        Ok(())
    }

    /// How many bytes the path has so far.
    pub(crate) fn len(&self) -> usize {
        self.joined.len()
    }

    /// Goes back to where the path had so many bytes.
    pub(crate) fn truncate(&mut self, bytes: usize) {
        self.joined.truncate(bytes);
    }

    pub(crate) fn path(&self) -> Result<TorrentPath, PathError> {
        if self.joined.is_empty() {
            return Err(PathError::Empty);
        }
        Ok(TorrentPath { joined: self.joined.as_slice().into() })
    }
}

impl Display for TorrentPath {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        escape(&self.joined, f, is_deceptive)
    }
}

/// Bytes of a torrent for people, cut short where they are many.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const ENOUGH: usize = 80;
    let mut text = String::new();
    escape(&bytes[..bytes.len().min(ENOUGH)], &mut text, is_deceptive)
        .expect("a string takes everything");
    if bytes.len() > ENOUGH {
        text.push_str("...");
    }
    text
}

/// Control characters, and those by which a name can be shown in another order than its bytes have.
fn is_deceptive(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// What separates components on Windows alone, and begins an escape.
fn is_odd_separator(byte: &u8) -> bool {
    cfg!(not(windows)) && *byte == b'\\'
}

fn escape(bytes: &[u8], to: &mut impl Write, escaped: impl Fn(char) -> bool) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if escaped(character) {
                write!(to, "{}", character.escape_default())?;
            } else {
                to.write_char(character)?;
            }
        }
        for byte in chunk.invalid() {
            write!(to, "\\x{byte:02x}")?;
        }
    }
    Ok(())
}

fn check(component: &[u8]) -> Result<(), PathError> {
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    match component {
        [] => return Err(PathError::Empty),
        b"." => return Err(PathError::Dot),
        b".." => return Err(PathError::DotDot),
        [first, ..] if is_separator(first) => return Err(PathError::Absolute),
        _ => {}
    }
    if component.iter().any(is_separator) {
        Err(PathError::Separator)
    } else if component.contains(&0) {
        Err(PathError::Nul)
    } else if component.len() > MAX_COMPONENT_BYTES {
        Err(PathError::TooLong { bytes: component.len() })
    } else if cfg!(windows)
        && (is_reserved(component) || component.iter().any(is_forbidden_on_windows))
    {
        Err(PathError::Reserved)
    } else if cfg!(not(unix)) && str::from_utf8(component).is_err() {
        Err(PathError::NotUtf8)
    } else {
        Ok(())
    }
}

/// Whether Windows takes a name for that of a device, or for the name without its last character.
pub(crate) fn is_reserved(component: &[u8]) -> bool {
    if component.ends_with(b".") || component.ends_with(b" ") {
        return true;
    }
    // `NUL.txt` and `nul .txt` are the device, too.
    let stem = component.split(|&byte| byte == b'.').next().unwrap_or(component).trim_ascii_end();
    let is = |name: &str| stem.eq_ignore_ascii_case(name.as_bytes());
    let port = |name: &str| {
        let (Some(start), Some(number)) = (stem.get(..3), stem.get(3..)) else { return false };
        // Superscript digits count, by those of Latin-1.
        start.eq_ignore_ascii_case(name.as_bytes())
            && matches!(number, [b'0'..=b'9'] | [0xc2, 0xb9 | 0xb2 | 0xb3])
    };
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].into_iter().any(is)
        || ["COM", "LPT"].into_iter().any(port)
}

/// Characters that names on Windows cannot have; the colon names a stream of a file.
fn is_forbidden_on_windows(byte: &u8) -> bool {
    matches!(byte, 0..0x20 | b'<' | b'>' | b':' | b'"' | b'|' | b'?' | b'*')
}
