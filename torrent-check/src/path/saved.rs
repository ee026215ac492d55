//! Names under which clients save files.

/// The characters that versions of libtorrent, and so of qBittorrent and Deluge, drop from names:
/// since 2.1, and before.
pub(super) const DROPPED: [fn(char) -> bool; 2] = [
    |character| {
        let is_invisible = matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
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

/// The length in bytes from which libtorrent keeps only the extension of a name.
const MAX_SAVED_BYTES: usize = 240;

/// The name under which libtorrent saves a file or folder on Unix.
///
/// Control characters and sequences that are not UTF-8 become `_`. The beginning of a long name and
/// an extension of up to nine bytes are kept.
pub(super) fn saved_name(component: &[u8], is_dropped: &fn(char) -> bool) -> Vec<u8> {
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
