//! Paths from a torrent, validated before anything is opened.

mod component;
mod saved;

use std::fmt::{self, Display, Formatter, Write};
use std::hash::{Hash, Hasher};
use std::iter;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use component::{MAX_BYTES, check};
use saved::{UNFINISHED, UNWANTED, libtorrent_paths, numbered, saved_paths, usual_name};

pub use component::PathError;

/// A relative path of at least one component that does not lead out of its folder.
///
/// A component is not empty, `.` or `..`, contains no separator of the operating system and no NUL,
/// and has at most 255 bytes. On Unix it may be any other bytes; elsewhere it must be UTF-8.
/// Windows also rejects its reserved names. `\` is a separator everywhere but on Unix.
///
/// [`Display`] joins the components with `/` and escapes what could deceive a reader or a terminal:
/// control characters, characters that are invisible, blank, for private use, not assigned or
/// change the text direction, bytes outside UTF-8, and `\`.
///
/// Two paths are equal if they are the same on disk, whatever names the torrent has in place of
/// names that are not valid.
#[derive(Clone, Debug)]
pub struct TorrentPath {
    /// The components with `/` between them.
    joined: Box<[u8]>,
    /// The names in the torrent with a NUL before each, if a component has replaced one of them.
    /// Empty if they are too long: no file can have such a path.
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
            if let Some(error) = builder.push(component)? {
                return Err(error);
            }
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

    /// Whether it is not the path in the torrent, because that is not valid.
    pub(crate) fn is_replaced(&self) -> bool {
        self.names.is_some()
    }

    /// The number of bytes that it keeps.
    pub(crate) fn memory(&self) -> usize {
        self.joined.len() + self.names.as_ref().map_or(0, |names| names.len())
    }

    /// The names in the torrent. None if they are too long: no file can have such a path.
    fn names(&self) -> Vec<&[u8]> {
        match &self.names {
            // The first part is the one before the first NUL.
            Some(names) => names.split(|&byte| byte == 0).skip(1).collect(),
            None => self.components().collect(),
        }
    }

    /// The paths, joined with `/`, under which versions of libtorrent save a file of this path.
    pub(crate) fn libtorrent_paths(&self) -> Option<[Vec<u8>; 2]> {
        Some(self.names()).filter(|names| !names.is_empty()).map(|names| libtorrent_paths(&names))
    }

    /// The path that libtorrent gives a file whose path others have, for the nth time.
    pub(crate) fn numbered(joined: &[u8], nth: usize) -> Option<Self> {
        let joined = numbered(joined, nth);
        Self::new(joined.split(|&byte| byte == b'/')).ok()
    }

    /// The other paths under which clients save a file of this path.
    pub(crate) fn saved_as(&self) -> Vec<Self> {
        let names = self.names();
        if names.is_empty() {
            return Vec::new();
        }
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

/// A name in a torrent.
#[derive(Debug)]
struct Name<'d> {
    /// The length of the path before it.
    before: usize,
    name: &'d [u8],
    /// Whether another name stands for it in the path, or none.
    is_replaced: bool,
}

/// Builds a path component by component.
#[derive(Debug, Default)]
pub(crate) struct PathBuilder<'d> {
    joined: Vec<u8>,
    names: Vec<Name<'d>>,
}

impl<'d> PathBuilder<'d> {
    /// Appends a component. One that is not valid, but does not lead elsewhere either, is replaced
    /// by the name under which libtorrent saves it, and the error is returned in `Ok`. It is left
    /// out if it would make the path too long.
    pub(crate) fn push(&mut self, component: &'d [u8]) -> Result<Option<PathError>, PathError> {
        let (saved, mut error) = match check(component) {
            Ok(()) => (component.to_vec(), None),
            Err(error) if error.is_hostile() => return Err(error),
            Err(error) => (usual_name(component), Some(error)),
        };
        // On some systems even that name is not valid.
        let saved = if error.is_none() || check(&saved).is_ok() { saved } else { b"_".to_vec() };
        let before = self.joined.len();
        let separator = usize::from(before > 0);
        let is_cut = self.names.last().is_some_and(|last| last.before == before);
        if is_cut || before + separator + saved.len() > MAX_BYTES {
            error = Some(PathError::PathTooLong);
        } else {
            self.joined.extend(&b"/"[..separator]);
            self.joined.extend(saved);
        }
        self.names.push(Name { before, name: component, is_replaced: error.is_some() });
        Ok(error)
    }

    /// The number of components so far.
    pub(crate) fn depth(&self) -> usize {
        self.names.len()
    }

    /// Goes back to a former number of components.
    pub(crate) fn truncate(&mut self, depth: usize) {
        if let Some(Name { before, .. }) = self.names.get(depth) {
            self.joined.truncate(*before);
        }
        self.names.truncate(depth);
    }

    /// The path of at least one component.
    pub(crate) fn path(&self) -> TorrentPath {
        let names = || {
            let bytes: usize = self.names.iter().map(|it| it.name.len() + 1).sum();
            let names = self.names.iter().map(|it| it.name).filter(|_| bytes <= MAX_BYTES);
            iter::once(&b""[..]).chain(names).collect::<Vec<_>>().join(&0)
        };
        let is_replaced = self.names.iter().any(|it| it.is_replaced);
        TorrentPath {
            joined: self.joined.as_slice().into(),
            names: is_replaced.then(|| names().into()),
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

/// Whether a character is a control character, looks like nothing, changes the text direction, or
/// could be the beginning of an escape.
fn is_deceptive(character: char) -> bool {
    character.is_control()
        || (cfg!(not(windows)) && character == '\\')
        || INVISIBLE.iter().any(|range| range.contains(&character))
        || !character.is_ascii() && is_unknown(character)
}

/// Whether a character is for private use or not assigned: each font draws it differently, or not
/// at all. The standard library escapes these, and spaces that are common in names.
fn is_unknown(character: char) -> bool {
    // In front, it would also escape a character that combines with the one before it.
    let mut text = String::from("x");
    text.push(character);
    let is_escaped = text.escape_debug().nth(1) == Some('\\');
    is_escaped && !matches!(character, '\u{a0}' | '\u{3000}')
}

/// The characters that look like nothing, or like a space that is none, in ascending order:
/// `Default_Ignorable_Code_Point` of Unicode 17, with which come those that change the text
/// direction, the anchors of annotations, the blanks of other scripts, and the spaces that are
/// rare in names. The no-break and the ideographic space are in many.
const INVISIBLE: [RangeInclusive<char>; 21] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{1680}'..='\u{1680}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{2000}'..='\u{200f}',
    '\u{2028}'..='\u{202f}',
    '\u{205f}'..='\u{206f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{16fe4}'..='\u{16fe4}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d159}'..='\u{1d159}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

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
