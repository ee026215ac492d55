//! Names under which clients save files.

/// How a client makes a path of the names in a torrent.
type Rule = fn(&[&[u8]]) -> Vec<u8>;

/// How clients make a path on Unix of the names in a torrent. The names are joined with `/`, and
/// need not be valid.
const RULES: [Rule; 8] = [
    |names| libtorrent_path(names, DROPPED[0]),
    |names| libtorrent_path(names, DROPPED[1]),
    |names| transmission_4(names),
    transmission_3,
    |names| transmission_4(&replaced(names)),
    |names| transmission_3(&split(&from_latin(names, false))),
    |names| transmission_3(&split(&from_latin(names, true))),
    aria2,
];

/// The other paths under which clients save a file with these names in its path.
pub(super) fn saved_paths(names: &[&[u8]]) -> impl Iterator<Item = Vec<u8>> {
    // Transmission 3 and 4 convert what is not UTF-8 before anything else.
    RULES.iter().map(move |rule| rule(names))
}

/// The paths under which versions of libtorrent save a file with these names in its path.
pub(super) fn libtorrent_paths(names: &[&[u8]]) -> [Vec<u8>; 2] {
    DROPPED.map(|is_dropped| libtorrent_path(names, is_dropped))
}

fn libtorrent_path(names: &[&[u8]], is_dropped: fn(char) -> bool) -> Vec<u8> {
    let names: Vec<_> = names.iter().map(|name| libtorrent_name(name, is_dropped)).collect();
    names.join(&b'/')
}

/// The path that libtorrent gives a file whose path another file or folder has, for the nth time:
/// with a number before the extension.
pub(super) fn numbered(path: &[u8], nth: usize) -> Vec<u8> {
    let name = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    let dot = path[name..].iter().rposition(|&byte| byte == b'.').map(|dot| name + dot);
    // A dot at the beginning of the whole path is no extension.
    let (base, extension) = path.split_at(dot.unwrap_or(path.len()));
    [base, format!(".{nth}").as_bytes(), extension].concat()
}

/// The name under which libtorrent 2.1 saves a file or folder on Unix.
pub(super) fn usual_name(component: &[u8]) -> Vec<u8> {
    libtorrent_name(component, DROPPED[0])
}

/// The characters that versions of libtorrent, and so of qBittorrent and Deluge, drop from names:
/// since 2.1, and before.
const DROPPED: [fn(char) -> bool; 2] = [
    |character| {
        let is_invisible = matches!(
            character,
            '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2064}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
        );
        is_invisible || matches!(character, '/' | '\\' | '\0')
    },
    |character| {
        let is_mark = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}');
        is_mark || matches!(character, '/' | '\\' | '\0')
    },
];

/// What clients append to the name of a file until it is complete.
pub(super) const UNFINISHED: [&str; 4] = [
    ".!qB",  // qBittorrent
    ".part", // Transmission and others
    ".!ut",  // µTorrent
    ".bc!",  // BitComet
];

/// The folder beside a file in which qBittorrent keeps it while it is not wanted.
pub(super) const UNWANTED: &[u8] = b".unwanted";

/// The length in bytes from which libtorrent keeps only the extension of a name.
const MAX_SAVED_BYTES: usize = 240;

/// The name under which a version of libtorrent saves a file or folder on Unix.
///
/// Control characters and sequences that are not UTF-8 become `_`. The beginning of a long name and
/// an extension of up to nine bytes are kept.
fn libtorrent_name(component: &[u8], is_dropped: fn(char) -> bool) -> Vec<u8> {
    let mut saved = Vec::new();
    let (mut at, mut has_extension) = (0, false);
    while at < component.len() {
        let (character, bytes) = first_character(&component[at..]);
        let end = at + bytes;
        at = match character {
            Some(character) if is_dropped(character) => end,
            Some(character) if !character.is_control() => {
                saved.extend_from_slice(&component[at..end]);
                if saved.len() < MAX_SAVED_BYTES || has_extension {
                    end
                } else {
                    has_extension = true;
                    let begin = component.len().saturating_sub(9).max(at + 1).min(component.len());
                    let dot = component[begin..].iter().rposition(|&byte| byte == b'.');
                    dot.map_or(component.len(), |dot| begin + dot)
                }
            }
            _ => {
                saved.push(b'_');
                end
            }
        };
    }
    if matches!(&saved[..], b"" | b"." | b"..") { b"_".to_vec() } else { saved }
}

/// The first character, unless it is not UTF-8, and the number of bytes that libtorrent reads for
/// it: as many as the first byte announces, even if those after it do not belong to it.
fn first_character(bytes: &[u8]) -> (Option<char>, usize) {
    let announced = match bytes[0].leading_ones() {
        0 => 1,
        ones @ 2..=5 => ones as usize,
        _ => return (None, 1),
    };
    let announced = announced.min(bytes.len());
    let text = str::from_utf8(&bytes[..announced]).ok();
    (text.and_then(|text| text.chars().next()), announced)
}

/// The names in a path.
fn split(path: &[u8]) -> Vec<&[u8]> {
    path.split(|&byte| byte == b'/').collect()
}

/// Names with U+FFFD for what is not UTF-8, as Transmission 4 has them.
fn replaced(names: &[&[u8]]) -> Vec<Vec<u8>> {
    names.iter().map(|name| String::from_utf8_lossy(name).into_owned().into_bytes()).collect()
}

/// A path that Transmission 3 takes for ISO 8859-15 or 8859-1 because it is not UTF-8 as a whole.
/// Its names are joined with `/`.
fn from_latin(names: &[&[u8]], is_15: bool) -> Vec<u8> {
    let path = names.join(&b'/');
    if str::from_utf8(&path).is_ok() {
        return path;
    }
    let character = |&byte: &u8| match byte {
        0xa4 if is_15 => '€',
        0xa6 if is_15 => 'Š',
        0xa8 if is_15 => 'š',
        0xb4 if is_15 => 'Ž',
        0xb8 if is_15 => 'ž',
        0xbc if is_15 => 'Œ',
        0xbd if is_15 => 'œ',
        0xbe if is_15 => 'Ÿ',
        byte => char::from(byte),
    };
    path.iter().map(character).collect::<String>().into_bytes()
}

/// The path that aria2 gives a file: names that are not UTF-8 are percent-encoded.
fn aria2(names: &[&[u8]]) -> Vec<u8> {
    let encoded = |name: &&[u8]| match str::from_utf8(name) {
        Ok(_) => name.to_vec(),
        Err(_) => name.iter().flat_map(percent_encoded).collect(),
    };
    names.iter().map(encoded).collect::<Vec<_>>().join(&b'/')
}

/// A byte as in URLs, unless it is an unreserved character of RFC 3986.
fn percent_encoded(&byte: &u8) -> Vec<u8> {
    if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
        vec![byte]
    } else {
        format!("%{byte:02X}").into_bytes()
    }
}

/// The path that Transmission gives a file since version 4.
///
/// `/` separates names there, and names of nothing but spaces and dots are left out.
fn transmission_4(names: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let parts = names.iter().flat_map(|name| name.as_ref().split(|&byte| byte == b'/'));
    let parts = parts.map(|part| {
        let part = part.trim_ascii();
        let part = trim_end(part, b".");
        let prefix = if device_bytes(part) > 0 { &b"_"[..] } else { b"" };
        let replaced = part.iter().map(|&byte| if is_replaced(byte) { b'_' } else { byte });
        prefix.iter().copied().chain(replaced).collect::<Vec<u8>>()
    });
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(&b'/')
}

/// The path that Transmission gave a file until version 3.
fn transmission_3(names: &[&[u8]]) -> Vec<u8> {
    let parts = names.iter().map(|name| {
        let part = trim_end(name, b" .");
        let part = &part[part.iter().take_while(|&&byte| byte == b' ').count()..];
        let is_replaced = |byte: u8| is_replaced(byte) || byte < 0x20;
        let mut saved: Vec<u8> =
            part.iter().map(|&byte| if is_replaced(byte) { b'_' } else { byte }).collect();
        if let device @ 1.. = device_bytes(part) {
            saved.insert(device, b'_');
        }
        saved
    });
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(&b'/')
}

/// Whether Transmission replaces a byte by `_`, because Windows forbids it in names.
fn is_replaced(byte: u8) -> bool {
    b"<>:\"/\\|?*".contains(&byte)
}

/// The length in bytes of the name of a device of Windows with which a name begins, either alone or
/// before a dot. It is 0 if there is none.
fn device_bytes(name: &[u8]) -> usize {
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name);
    match stem.to_ascii_uppercase().as_slice() {
        b"CON" | b"PRN" | b"AUX" | b"NUL" => stem.len(),
        [b'C', b'O', b'M', b'1'..=b'9'] | [b'L', b'P', b'T', b'1'..=b'9'] => stem.len(),
        _ => 0,
    }
}

fn trim_end<'b>(bytes: &'b [u8], trimmed: &[u8]) -> &'b [u8] {
    let end = bytes.iter().rposition(|byte| !trimmed.contains(byte));
    &bytes[..end.map_or(0, |last| last + 1)]
}
