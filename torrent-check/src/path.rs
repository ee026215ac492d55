//! Paths from a torrent, validated before anything is opened.

mod saved;

use std::fmt::{self, Display, Formatter, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use saved::{DROPPED, UNFINISHED, saved_name};

/// The maximum length of a component in bytes: the limit of Unix file systems.
const MAX_COMPONENT_BYTES: usize = 255;

/// The maximum length of a path in bytes, including separators.
const MAX_BYTES: usize = 4096;

/// A relative path of at least one component that does not lead out of its folder.
///
/// A component is not empty, `.` or `..`, contains no separator of the operating system and no NUL,
/// and has at most 255 bytes. On Unix it may be any other bytes; elsewhere it must be UTF-8.
/// Windows also rejects its reserved names. `\` is a separator everywhere but on Unix. Even there,
/// no component begins with it or has a `..` between two of them.
///
/// [`Display`] joins the components with `/` and escapes what could deceive a reader or a terminal:
/// control characters, characters that change the text direction, bytes outside UTF-8, and `\`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TorrentPath {
    /// The components with `/` between them.
    joined: Box<[u8]>,
}

/// Why a component or a path is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// An empty component, or a path without components.
    #[error("it is empty")]
    Empty,
    /// A component that is `.`.
    #[error("it is `.`")]
    Dot,
    /// A component that is `..` or has a `..` between separators, which would lead out of the
    /// folder.
    #[error("it has a `..`, which leads out of the folder")]
    DotDot,
    /// A component that begins with a separator.
    #[error("it begins with a separator, like an absolute path")]
    Absolute,
    /// A component that contains a separator: `/`, or outside Unix `\`.
    #[error("it contains a separator")]
    Separator,
    /// A component that contains a byte of value 0.
    #[error("it contains a NUL byte")]
    Nul,
    /// A component of more than 255 bytes.
    #[error("it has {bytes} bytes, more than {MAX_COMPONENT_BYTES}")]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// A path of more than 4096 bytes.
    #[error("the path has more than {MAX_BYTES} bytes")]
    PathTooLong,
    /// On Windows, a name that is reserved, or an alias of another name.
    #[error("it is not a valid file name on Windows")]
    Reserved,
    /// Outside Unix, bytes that are not UTF-8.
    #[error("it is not UTF-8, which file names on this system must be")]
    NotUtf8,
}

impl TorrentPath {
    /// Creates a path from its components.
    ///
    /// # Errors
    ///
    /// Returns [`PathError`] for the first invalid component, if there is no component, or if the
    /// path is too long.
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

    /// The components joined with `/`.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.joined
    }

    /// The path in the form of the operating system.
    #[must_use]
    pub fn to_path_buf(&self) -> PathBuf {
        #[cfg(unix)]
        let path_of =
            |component| <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(component);
        #[cfg(not(unix))]
        let path_of =
            |component| str::from_utf8(component).expect("components are UTF-8 outside Unix");
        self.components().map(path_of).collect()
    }

    /// The components joined with `/`, for programs: bytes that are not UTF-8 are written `\xNN`,
    /// and a `\` is written `\x5c`. Replacing each `\xNN` by its byte recovers the path.
    #[must_use]
    pub fn to_text(&self) -> String {
        text_of(&self.joined)
    }

    /// The other paths under which clients save a file of this path.
    pub(crate) fn saved_as(&self) -> impl Iterator<Item = Self> + '_ {
        let path = move |is_dropped: &fn(char) -> bool| {
            let components: Vec<_> =
                self.components().map(|component| saved_name(component, is_dropped)).collect();
            Self::new(components.iter().map(Vec::as_slice)).ok().filter(|path| path != self)
        };
        DROPPED.iter().filter_map(path)
    }

    /// All other paths that clients give a file of this path, also until it is complete.
    pub(crate) fn alternatives(&self) -> Vec<Self> {
        let mut others: Vec<Self> = self.saved_as().collect();
        let unfinished: Vec<Self> =
            iter::once(self).chain(&others).flat_map(Self::unfinished).collect();
        others.extend(unfinished);
        others
    }

    /// The paths that clients give a file until it is complete.
    fn unfinished(&self) -> impl Iterator<Item = Self> + '_ {
        let path = |suffix: &&str| [&self.joined, suffix.as_bytes()].concat();
        UNFINISHED.iter().map(path).map(|joined| Self { joined: joined.into() })
    }
}

/// A name in a torrent that is not a valid component of a path, but does not lead elsewhere either.
///
/// The path of its file has the name that libtorrent gives to such a file on Unix. See
/// [`File::invalid_name`](crate::File::invalid_name).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid path component \"{component}\": {error}")]
#[non_exhaustive]
pub struct InvalidName {
    /// The component, escaped, and truncated if it is long.
    pub component: String,
    /// What is wrong with it.
    pub error: PathError,
}

/// Displays a path of the operating system with deceptive characters escaped.
///
/// Like that of [`TorrentPath`], [`Display`] escapes what could deceive a reader or a terminal. It
/// also escapes a `\` that is not a separator.
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
    /// The path for programs: bytes that are not UTF-8 are written `\xNN`, and a `\` that is not a
    /// separator is written `\x5c`. Replacing each `\xNN` by its byte recovers the path. On
    /// Windows, only unpaired surrogates are not UTF-8.
    #[must_use]
    pub fn to_text(&self) -> String {
        text_of(self.0.as_os_str().as_encoded_bytes())
    }
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        escape(self.0.as_os_str().as_encoded_bytes(), f, is_deceptive)
    }
}

/// Builds a path component by component.
#[derive(Debug, Default)]
pub(crate) struct PathBuilder {
    joined: Vec<u8>,
    /// The first component that was replaced, and the length of the path before it.
    invalid: Option<(usize, Arc<InvalidName>)>,
}

impl PathBuilder {
    pub(crate) fn push(&mut self, component: &[u8]) -> Result<(), PathError> {
        check(component)?;
        self.append(component)
    }

    /// Appends the name under which clients save a component that is not valid.
    pub(crate) fn push_saved(
        &mut self,
        component: &[u8],
        error: PathError,
    ) -> Result<(), PathError> {
        if self.invalid.is_none() {
            let component = shown(component);
            let invalid = Arc::new(InvalidName { component, error });
            self.invalid = Some((self.joined.len(), invalid));
        }
        let saved = saved_name(component, &DROPPED[0]);
        // On some systems even that name is not valid.
        self.append(if check(&saved).is_ok() { &saved } else { b"_" })
    }

    fn append(&mut self, component: &[u8]) -> Result<(), PathError> {
        let separator = usize::from(!self.joined.is_empty());
        if self.joined.len() + separator + component.len() > MAX_BYTES {
            return Err(PathError::PathTooLong);
        }
        self.joined.extend(&b"/"[..separator]);
        self.joined.extend_from_slice(component);
        Ok(())
    }

    /// The length of the path so far, in bytes.
    pub(crate) fn len(&self) -> usize {
        self.joined.len()
    }

    /// Goes back to a former length.
    pub(crate) fn truncate(&mut self, bytes: usize) {
        self.joined.truncate(bytes);
        self.invalid.take_if(|(before, _)| *before >= bytes);
    }

    /// The first component that was replaced.
    pub(crate) fn invalid(&self) -> Option<&Arc<InvalidName>> {
        self.invalid.as_ref().map(|(_, invalid)| invalid)
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

/// Bytes of a torrent for display, escaped, and truncated if they are many.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const MAX_SHOWN: usize = 80;
    let mut text = String::new();
    escape(&bytes[..bytes.len().min(MAX_SHOWN)], &mut text, is_deceptive)
        .expect("writing to a string does not fail");
    if bytes.len() > MAX_SHOWN {
        text.push_str("...");
    }
    text
}

/// Bytes for programs, from which they can be recovered.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for (index, part) in bytes.split(is_odd_separator).enumerate() {
        text.push_str(if index > 0 { "\\x5c" } else { "" });
        escape(part, &mut text, |_| false).expect("writing to a string does not fail");
    }
    text
}

/// Whether a character is a control character, invisible, changes the text direction, or could be
/// the beginning of an escape.
fn is_deceptive(character: char) -> bool {
    character.is_control()
        || (cfg!(not(windows)) && character == '\\')
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether a byte is `\` on a system where it is not a separator: it must be told from an escape.
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

impl PathError {
    /// Whether the name could lead out of the folder, so that the whole torrent is refused.
    pub(crate) fn is_hostile(self) -> bool {
        matches!(self, Self::DotDot | Self::Absolute | Self::Nul)
    }
}

fn check(component: &[u8]) -> Result<(), PathError> {
    // What is a name here may be a path on another system.
    let is_separator_somewhere = |byte: &u8| matches!(byte, b'/' | b'\\');
    let is_separator = |byte: &u8| *byte == b'/' || (cfg!(not(unix)) && *byte == b'\\');
    if component.split(is_separator_somewhere).any(|part| part == b"..") {
        return Err(PathError::DotDot);
    }
    match component {
        [] => return Err(PathError::Empty),
        b"." => return Err(PathError::Dot),
        [first, ..] if is_separator_somewhere(first) => return Err(PathError::Absolute),
        _ => {}
    }
    if component.contains(&0) {
        Err(PathError::Nul)
    } else if component.iter().any(is_separator) {
        Err(PathError::Separator)
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

/// Whether Windows resolves a name to a device, or to the name without its last character.
fn is_reserved(component: &[u8]) -> bool {
    if component.ends_with(b".") || component.ends_with(b" ") {
        return true;
    }
    // `NUL.txt` and `nul .txt` are also the device.
    let stem = component.split(|&byte| byte == b'.').next().unwrap_or(component).trim_ascii_end();
    let is = |name: &str| stem.eq_ignore_ascii_case(name.as_bytes());
    let port = |name: &str| {
        let (Some(start), Some(number)) = (stem.get(..3), stem.get(3..)) else { return false };
        // The superscript digits of Latin-1 count as digits.
        start.eq_ignore_ascii_case(name.as_bytes())
            && matches!(number, [b'0'..=b'9'] | [0xc2, 0xb9 | 0xb2 | 0xb3])
    };
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].into_iter().any(is)
        || ["COM", "LPT"].into_iter().any(port)
}

/// Whether Windows forbids a character in names. A colon separates the name of an alternate stream.
fn is_forbidden_on_windows(byte: &u8) -> bool {
    matches!(byte, 0..0x20 | b'<' | b'>' | b':' | b'"' | b'|' | b'?' | b'*')
}
