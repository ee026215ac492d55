//! Paths from a torrent, validated before anything is opened.

mod component;
mod saved;

use std::fmt::{self, Display, Formatter, Write};
use std::hash::{Hash, Hasher};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use component::{MAX_BYTES, check};
use saved::{UNFINISHED, UNWANTED, saved_paths, usual_name};

pub use component::PathError;

/// A relative path of at least one component that does not lead out of its folder.
///
/// A component is not empty, `.` or `..`, contains no separator of the operating system and no NUL,
/// and has at most 255 bytes. On Unix it may be any other bytes; elsewhere it must be UTF-8.
/// Windows also rejects its reserved names. `\` is a separator everywhere but on Unix.
///
/// [`Display`] joins the components with `/` and escapes what could deceive a reader or a terminal:
/// control characters, characters that change the text direction, bytes outside UTF-8, and `\`.
///
/// Two paths are equal if they are the same on disk, whatever names the torrent has in place of
/// names that are not valid.
#[derive(Clone, Debug)]
pub struct TorrentPath {
    /// The components with `/` between them.
    joined: Box<[u8]>,
    /// The names in the torrent with a NUL between them, if a component has replaced one of them.
    names: Option<Box<[u8]>>,
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
        if builder.depth() == 0 { Err(PathError::Empty) } else { Ok(builder.path()) }
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
        return <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(&self.joined).into();
        #[cfg(not(unix))]
        self.components()
            .map(|name| str::from_utf8(name).expect("components are UTF-8 outside Unix"))
            .collect()
    }

    /// The components joined with `/`, for programs: bytes that are not UTF-8 are written `\xNN`,
    /// and a `\` is written `\x5c`. Replacing each `\xNN` by its byte recovers the path.
    #[must_use]
    pub fn to_text(&self) -> String {
        text_of(&self.joined)
    }

    /// The number of bytes that it keeps.
    pub(crate) fn memory(&self) -> usize {
        self.joined.len() + self.names.as_ref().map_or(0, |names| names.len())
    }

    /// The other paths under which clients save a file of this path.
    pub(crate) fn saved_as(&self) -> Vec<Self> {
        let names: Vec<&[u8]> = match &self.names {
            Some(names) => names.split(|&byte| byte == 0).collect(),
            None => self.components().collect(),
        };
        let mut others = Vec::new();
        for joined in saved_paths(&names) {
            match Self::new(joined.split(|&byte| byte == b'/')) {
                Ok(path) if path != *self && !others.contains(&path) => others.push(path),
                _ => {}
            }
        }
        others
    }

    /// All other paths that clients give a file of this path, also until it is complete or while
    /// it is not wanted.
    pub(crate) fn alternatives(&self) -> Vec<Self> {
        let mut others = self.saved_as();
        let unfinished: Vec<Self> =
            iter::once(self).chain(&others).flat_map(Self::unfinished).collect();
        others.extend(unfinished);
        let unwanted =
            [Some(self.unwanted()), self.unfinished().next().map(|path| path.unwanted())];
        others.extend(unwanted.into_iter().flatten());
        others
    }

    /// The path of a path of the operating system, if it is one.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        Self::new(path.iter().map(|name| name.as_encoded_bytes())).ok()
    }

    /// The path that qBittorrent gives a file while it is not wanted.
    fn unwanted(&self) -> Self {
        let name = self.file_name();
        let folder = &self.joined[..self.joined.len() - name.len()];
        Self { joined: [folder, UNWANTED, b"/", name].concat().into(), names: None }
    }

    /// The paths that clients give a file until it is complete.
    fn unfinished(&self) -> impl Iterator<Item = Self> + '_ {
        let path = |suffix: &&str| [&self.joined, suffix.as_bytes()].concat();
        UNFINISHED.iter().map(path).map(|joined| Self { joined: joined.into(), names: None })
    }
}

impl PartialEq for TorrentPath {
    fn eq(&self, other: &Self) -> bool {
        self.joined == other.joined
    }
}

impl Eq for TorrentPath {}

impl Hash for TorrentPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.joined.hash(state);
    }
}

/// A name in a torrent that is not a valid component of a path, but does not lead elsewhere either.
///
/// The path of its file has the name that libtorrent gives to such a file on Unix, or is cut before
/// the name if it would be too long. See [`File::invalid_name`](crate::File::invalid_name).
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
pub(crate) struct PathBuilder<'d> {
    joined: Vec<u8>,
    /// The names in the torrent, and the length of the path before each of them.
    names: Vec<(usize, &'d [u8])>,
    /// The components that were replaced, and the number of names before each of them. From one
    /// that would make the path too long, the path is cut.
    invalid: Vec<(usize, Arc<InvalidName>)>,
}

impl<'d> PathBuilder<'d> {
    pub(crate) fn push(&mut self, component: &'d [u8]) -> Result<(), PathError> {
        check(component)?;
        self.append(component, component)
    }

    /// Appends the name under which clients save a component that is not valid, if the path does
    /// not become too long.
    pub(crate) fn push_saved(&mut self, name: &'d [u8], error: PathError) {
        let saved = usual_name(name);
        // On some systems even that name is not valid.
        let saved = if check(&saved).is_ok() { &saved[..] } else { b"_" };
        let before = self.names.len();
        let error = match error {
            PathError::PathTooLong => error,
            _ => self.append(saved, name).err().unwrap_or(error),
        };
        if error == PathError::PathTooLong {
            self.names.push((self.joined.len(), name));
        }
        self.invalid.push((before, Arc::new(InvalidName { component: shown(name), error })));
    }

    fn append(&mut self, component: &[u8], name: &'d [u8]) -> Result<(), PathError> {
        let separator = usize::from(!self.joined.is_empty());
        if self.cut().is_some() || self.joined.len() + separator + component.len() > MAX_BYTES {
            return Err(PathError::PathTooLong);
        }
        self.names.push((self.joined.len(), name));
        self.joined.extend(&b"/"[..separator]);
        self.joined.extend_from_slice(component);
        Ok(())
    }

    /// The number of components so far.
    pub(crate) fn depth(&self) -> usize {
        self.names.len()
    }

    /// Goes back to a former number of components.
    pub(crate) fn truncate(&mut self, depth: usize) {
        if let Some((bytes, _)) = self.names.get(depth) {
            self.joined.truncate(*bytes);
        }
        self.names.truncate(depth);
        let kept = self.invalid.partition_point(|(before, _)| *before < depth);
        self.invalid.truncate(kept);
    }

    /// The component from which the path is cut, or else the first one that was replaced.
    pub(crate) fn invalid(&self) -> Option<&Arc<InvalidName>> {
        self.cut().or(self.invalid.first().map(|(_, invalid)| invalid))
    }

    fn cut(&self) -> Option<&Arc<InvalidName>> {
        let mut invalid = self.invalid.iter().map(|(_, invalid)| invalid);
        invalid.find(|invalid| invalid.error == PathError::PathTooLong)
    }

    /// The path of at least one component.
    pub(crate) fn path(&self) -> TorrentPath {
        let names = || self.names.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(&0);
        // Files with longer names cannot exist.
        let bytes: usize = self.names.iter().map(|(_, name)| name.len() + 1).sum();
        let has_names = !self.invalid.is_empty() && bytes <= MAX_BYTES;
        TorrentPath {
            joined: self.joined.as_slice().into(),
            names: has_names.then(|| names().into()),
        }
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
