//! Names under which clients save files.

/// The other paths under which clients save a file with these names in its path. They are joined
/// with `/`, and need not be valid.
pub(super) fn saved_paths(names: &[&[u8]]) -> [Vec<u8>; 4] {
    let libtorrent = DROPPED.map(|is_dropped| {
        let names: Vec<_> = names.iter().map(|name| libtorrent_name(name, is_dropped)).collect();
        names.join(&b'/')
    });
    let [since_2_1, before] = libtorrent;
    [since_2_1, before, transmission_4(names), transmission_3(names)]
}

/// The name under which libtorrent 2.1 saves a file or folder on Unix.
pub(super) fn usual_name(component: &[u8]) -> Vec<u8> {
    libtorrent_name(component, DROPPED[0])
}

/// The characters that versions of libtorrent, and so of qBittorrent and Deluge, drop from names:
/// since 2.1, and before.
const DROPPED: [fn(char) -> bool; 2] = [
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

/// The path that Transmission gives a file since version 4.
///
/// `/` separates names there, and names of nothing but spaces and dots are left out.
fn transmission_4(names: &[&[u8]]) -> Vec<u8> {
    let parts = names.iter().flat_map(|name| name.split(|&byte| byte == b'/'));
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
