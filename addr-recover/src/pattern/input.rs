//! Finds the address in what people copy: URLs, schemes, white space.

use super::alphabet::DigitSet;
use super::error::MIN_LENGTH;
use crate::number::MAX_LENGTH;

/// A character, and its position in the given text, counted from 1.
pub(crate) type Placed = (char, usize);

/// A text without the surroundings of the address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// What preceded the colon, in lower case.
    pub(crate) scheme: String,
    pub(crate) characters: Vec<Placed>,
}

impl Input {
    /// Finds the address. Strips surrounding white space, invisible characters, and schemes such as
    /// `bitcoin:`. Keeps the part of a URL that may be an address.
    pub(crate) fn of(text: &str) -> Self {
        let visible = text.chars().zip(1..).filter(|&(character, _)| !is_invisible(character));
        let mut characters: Vec<Placed> = visible.collect();
        let begin =
            characters.iter().take_while(|(character, _)| character.is_whitespace()).count();
        characters.drain(..begin);
        while characters.last().is_some_and(|(character, _)| character.is_whitespace()) {
            characters.pop();
        }

        let scheme = scheme(&characters);
        let mut rest = characters.as_slice();
        if !scheme.is_empty() {
            rest = &rest[scheme.len() + 1..];
            // After a scheme, a trailing ? begins an empty query.
            if let [before @ .., ('?', _)] = rest {
                rest = before;
            }
        }
        let end = (0..rest.len()).find(|&at| begins_query(&rest[at..]));
        let rest = &rest[..end.unwrap_or(rest.len())];
        let address = longest(
            rest.split(|&(c, _)| matches!(c, '/' | '.' | ':')).filter(|part| may_be_address(part)),
        );
        let kept = match address {
            Some(address) => address,
            // An error should concern the whole text.
            None if scheme.is_empty() => &characters,
            None => longest(rest.split(|&(c, _)| c == '/')).unwrap_or_default(),
        };
        Self { characters: kept.to_vec(), scheme }
    }

    pub(crate) fn text(&self) -> String {
        self.characters.iter().map(|&(character, _)| character).collect()
    }
}

/// Whether a part of a URL has the characters and the length of a damaged address.
fn may_be_address(part: &[Placed]) -> bool {
    let mut places = 0;
    let mut is_in_set = false;
    for &(character, _) in part {
        match character {
            '[' => is_in_set = true,
            ']' => is_in_set = false,
            '?' | '0' => {}
            _ if DigitSet::in_either_case(character).is_empty() => return false,
            _ => {}
        }
        places += usize::from(!is_in_set);
    }
    // One character may be missing or extra.
    (MIN_LENGTH - 1..=MAX_LENGTH + 1).contains(&places)
}

/// The longest part, and the first if several are equally long, unlike `max_by_key`.
fn longest<'a>(parts: impl Iterator<Item = &'a [Placed]>) -> Option<&'a [Placed]> {
    parts.reduce(|longest, part| if part.len() > longest.len() { part } else { longest })
}

/// The letters before a colon, in lower case; empty if there are none.
fn scheme(characters: &[Placed]) -> String {
    let letters = characters.iter().map(|&(character, _)| character);
    let scheme: String = letters.take_while(char::is_ascii_alphabetic).collect();
    match characters.get(scheme.len()) {
        Some((':', _)) => scheme.to_ascii_lowercase(),
        _ => String::new(),
    }
}

/// Whether `#` or `?key=` starts here. A lone `?` is an unreadable character.
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
    fn surroundings_of_an_address_are_stripped() {
        for (given, kept, scheme, position) in [
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
            assert_eq!((input.text().as_str(), input.scheme.as_str()), (kept, scheme), "{given}");
            assert_eq!(input.characters[0].1, position, "{given}");
        }
        for empty in ["", "  ", "\u{200b}", "bitcoin:", "http:///"] {
            assert_eq!(Input::of(empty).text(), "", "{empty:?}");
        }
    }

    #[test]
    fn the_part_of_a_url_that_may_be_an_address_is_kept() {
        let address = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
        let unreadable = "1?bcfr[7zt]sahtd9cgd0o3htmtkv8lk4znx71";
        let other = "some-long-path-of-a-page-that-is-longer-than-that";
        for address in [address, &address[1..], unreadable] {
            for (before, after) in [
                ("http://127.0.0.1:43110/", "/some-long-path-of-a-page-that-is-longer-than-that/x"),
                ("https://www.averylonghostname.example.organisation.com/", ""),
                ("127.0.0.1:43110/", ""),
                ("127.0.0.1:43110/", "/?x=1"),
                ("localhost:43110/", "/index.html"),
                ("http://", ".zero/index.html"),
                ("", ".bit"),
                ("", "/"),
                ("bitcoin:", "?"),
                ("bitcoin:", "?amount=1&label=averylonglabelwithletters"),
                ("bitcoin://", "#averylonglabelwithletters"),
            ] {
                let text = format!("{before}{address}{after}");
                let input = Input::of(&text);
                assert_eq!(input.text(), address, "{text}");
                assert_eq!(input.characters[0].1, before.len() + 1, "{text}");
            }
        }
        // Without such a part, the text is kept whole.
        assert_eq!(Input::of(other).text(), other);
        assert_eq!(Input::of("1lbcfr7sahtd9.bit").text(), "1lbcfr7sahtd9.bit");
        assert_eq!(
            Input::of("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7?").text(),
            "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7?"
        );
    }
}
