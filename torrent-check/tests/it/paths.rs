//! Tests of path components.

use std::path::Path;

use torrent_check::{PathError, TorrentPath};

fn path(components: &[&str]) -> Result<TorrentPath, PathError> {
    TorrentPath::new(components.iter().map(|component| component.as_bytes()))
}

#[test]
fn invalid_components_are_refused() {
    for (component, error) in [
        ("", PathError::Empty),
        (".", PathError::Dot),
        ("..", PathError::DotDot),
        ("/", PathError::Absolute),
        ("/etc", PathError::Absolute),
        ("a/b", PathError::Separator),
        ("a/", PathError::Separator),
        ("../a", PathError::DotDot),
        ("a/../..", PathError::DotDot),
        ("a\0", PathError::Nul),
        (&"x".repeat(256), PathError::TooLong { bytes: 256 }),
    ] {
        assert_eq!(path(&[component]), Err(error), "{component:?}");
        assert_eq!(path(&["a", component, "b"]), Err(error), "{component:?}");
    }
    assert_eq!(path(&[]), Err(PathError::Empty));
    let long = &*"x".repeat(255);
    assert!(path(&[long; 16]).is_ok());
    assert_eq!(path(&[long; 17]), Err(PathError::PathTooLong));
}

/// Elsewhere it is a separator.
#[test]
fn backslashes_are_part_of_names_on_unix() {
    for (component, error) in [
        ("\\\\server", PathError::Absolute),
        ("\\a", PathError::Absolute),
        ("a\\..\\b", PathError::DotDot),
        ("..\\a", PathError::DotDot),
        ("a\\b", PathError::Separator),
    ] {
        let path = path(&["a", component]);
        if cfg!(unix) {
            assert_eq!(path.unwrap().file_name(), component.as_bytes());
        } else {
            assert_eq!(path, Err(error));
        }
    }
}

#[test]
fn odd_components_are_accepted() {
    let everywhere = ["..a", "~", "-rf", "a b", "\u{202e}gpj.exe", "päd"];
    let on_unix = if cfg!(unix) { &["...", " ", "*"][..] } else { &[] };
    for &component in everywhere.iter().chain(on_unix) {
        let path = path(&["folder", component]).unwrap();
        assert_eq!(path.components().collect::<Vec<_>>(), [b"folder", component.as_bytes()]);
        assert_eq!(path.file_name(), component.as_bytes());
        assert_eq!(path.as_bytes(), format!("folder/{component}").as_bytes());
        assert_eq!(path.to_path_buf(), Path::new("folder").join(component));
        assert_eq!(path.to_text(), format!("folder/{component}"));
    }
}

/// Windows permits no control characters.
#[test]
#[cfg(unix)]
fn deceptive_characters_are_escaped() {
    let bytes = [&b"a\x1b[2J"[..], b"\xff\xfeb", "c\u{202e}d\u{9b}".as_bytes(), "päd".as_bytes()];
    let path = TorrentPath::new(bytes).unwrap();
    assert_eq!(path.to_string(), r"a\u{1b}[2J/\xff\xfeb/c\u{202e}d\u{9b}/päd");
    assert_eq!(path.to_text(), "a\u{1b}[2J/\\xff\\xfeb/c\u{202e}d\u{9b}/päd");
}

/// Those that Unicode calls ignorable, some that look like a space, and those for private use or
/// not assigned, which look different or like nothing in each font.
#[test]
fn invisible_characters_are_escaped() {
    let ignorable = regex_syntax::parse(r"\p{Default_Ignorable_Code_Point}").unwrap();
    let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) =
        ignorable.into_kind()
    else {
        panic!("it is a class");
    };
    let ignorable = class.iter().flat_map(|range| range.start()..=range.end());
    let others = "\u{2800}\u{fff9}\u{fffa}\u{fffb}\u{2028}\u{2029}\u{2003}\u{1680}\u{205f}";
    let unknown = "\u{e000}\u{f8ff}\u{f0000}\u{10fffd}\u{378}\u{2ffff}\u{fdd0}";
    for character in ignorable.chain(others.chars()).chain(unknown.chars()) {
        let name = format!("a{character}b");
        let escaped = format!("a{}b", character.escape_unicode());
        assert_eq!(torrent_check::Escaped(Path::new(&name)).to_string(), escaped);
        assert_eq!(path(&[&name]).map(|path| path.to_text()), Ok(name));
    }
    for name in ["päd", "e\u{301}", "日本　語", "a\u{a0}b", "🎵", "ﾊﾟ", "한국어"] {
        assert_eq!(torrent_check::Escaped(Path::new(name)).to_string(), name);
    }
}

/// On Unix it is not a separator. It looks like the beginning of an escape.
#[test]
#[cfg(unix)]
fn backslashes_are_escaped() {
    let path = path(&["a\\xff", "b"]).unwrap();
    assert_eq!(path.to_path_buf(), Path::new("a\\xff/b"));
    assert_eq!(path.to_string(), r"a\\xff/b");
    assert_eq!(path.to_text(), r"a\x5cxff/b");
}
