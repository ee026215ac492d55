//! Tells which components of a path are valid.

/// The maximum length of a component in bytes: the limit of Unix file systems.
const MAX_COMPONENT_BYTES: usize = 255;

/// The maximum length of a path in bytes, including separators.
pub(super) const MAX_BYTES: usize = 4096;

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

impl PathError {
    /// Whether the name could lead out of the folder, so that the whole torrent is refused.
    pub(crate) fn is_hostile(self) -> bool {
        matches!(self, Self::DotDot | Self::Absolute | Self::Nul)
    }
}

/// Checks that a component is valid on this system.
pub(super) fn check(component: &[u8]) -> Result<(), PathError> {
    let is_separator = |byte: &u8| *byte == b'/' || (cfg!(not(unix)) && *byte == b'\\');
    if component.split(is_separator).any(|part| part == b"..") {
        return Err(PathError::DotDot);
    }
    match component {
        [] => return Err(PathError::Empty),
        b"." => return Err(PathError::Dot),
        [first, ..] if is_separator(first) => return Err(PathError::Absolute),
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
