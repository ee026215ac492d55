//! The address within what people copy: URLs, schemes, white space.

/// A character, and its place in the text as it was given, counted from 1.
pub(crate) type Placed = (char, usize);

/// What is left of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// What stood before the colon, in small letters.
    pub(crate) scheme: String,
    pub(crate) characters: Vec<Placed>,
}

impl Input {
    /// Finds the address: white space around it goes, and with it characters that cannot be seen; `bitcoin:` and its like go; of a
    /// URL the longest part between slashes stays.
    pub(crate) fn of(text: &str) -> Self {
        let visible = text.chars().zip(1..).filter(|&(character, _)| !is_invisible(character));
        let mut characters: Vec<Placed> = visible.collect();
        let begin = characters.iter().take_while(|(character, _)| character.is_whitespace()).count();
        characters.drain(..begin);
        while characters.last().is_some_and(|(character, _)| character.is_whitespace()) {
            characters.pop();
        }

        let scheme = scheme(&characters);
        if scheme.is_empty() {
            return Self { scheme, characters };
        }
        characters.drain(..=scheme.len());
        if let Some(end) = (0..characters.len()).find(|&at| begins_query(&characters[at..])) {
            characters.truncate(end);
        }
        // Not `max_by_key`: of parts of one length the first is meant.
        let mut longest: &[Placed] = &[];
        for part in characters.split(|&(character, _)| character == '/') {
            if part.len() > longest.len() {
                longest = part;
            }
        }
        Self { scheme, characters: longest.to_vec() }
    }

    pub(crate) fn text(&self) -> String {
        self.characters.iter().map(|&(character, _)| character).collect()
    }
}

/// Letters before a colon, in small letters; empty if there are none.
fn scheme(characters: &[Placed]) -> String {
    let letters = characters.iter().map(|&(character, _)| character);
    let scheme: String = letters.take_while(char::is_ascii_alphabetic).collect();
    match characters.get(scheme.len()) {
        Some((':', _)) => scheme.to_ascii_lowercase(),
        _ => String::new(),
    }
}

/// Whether `#` or `?key=` stands here. A lone `?` is a character that could not be read.
fn begins_query(characters: &[Placed]) -> bool {
    let mut rest = characters.iter().map(|&(character, _)| character);
    match rest.next() {
        Some('#') => true,
        Some('?') => {
            let mut key = rest.skip_while(|&c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            key.next() == Some('=')
        }
        _ => false,
    }
}

/// Zero-width characters, which come along when text is copied from web pages.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_around_an_address_goes() {
        for (given, left, scheme, position) in [
            ("1abc", "1abc", "", 1),
            (" \t1abc\r\n", "1abc", "", 3),
            ("\u{feff}1a\u{200b}bc", "1abc", "", 2),
            ("bitcoin:1abc", "1abc", "bitcoin", 9),
            ("BITCOIN:1ABC?amount=0.1&label=x", "1ABC", "bitcoin", 9),
            ("bitcoin:1a?c", "1a?c", "bitcoin", 9),
            ("bitcoin:1a?c?amount=1", "1a?c", "bitcoin", 9),
            ("http://127.0.0.1/1abcdefghijk/", "1abcdefghijk", "http", 18),
            ("https://x.org/a/1abcdefgh#top", "1abcdefgh", "https", 17),
            ("zero://1abc", "1abc", "zero", 8),
            ("1abc/x", "1abc/x", "", 1),
        ] {
            let input = Input::of(given);
            assert_eq!((input.text().as_str(), input.scheme.as_str()), (left, scheme), "{given}");
            assert_eq!(input.characters[0].1, position, "{given}");
        }
        for empty in ["", "  ", "\u{200b}", "bitcoin:", "http:///"] {
            assert_eq!(Input::of(empty).text(), "", "{empty:?}");
        }
    }
}
