//! Tests of what is not seen from outside: the digits of each place, spellings, and buffers.

use super::*;
use crate::alphabet;
use crate::damage::LookAlikes;
use plain::{GAP, HOMOGLYPHS, bare, characters, with_gaps, without_sets};

const SMALL: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";

fn read(text: &str, damage: Damage) -> Vec<String> {
    let pattern = Pattern::with_damage(text, damage).unwrap();
    pattern.places.digits.iter().map(|digits| alphabet::characters(digits[0]).collect()).collect()
}

#[test]
fn places_allow_what_their_characters_stand_for() {
    let auto = Damage::default;
    let lost = || Damage { case: Case::Lost, ..auto() };
    let confused = |groups| Damage { look_alikes: LookAlikes::everywhere(groups), ..auto() };
    let mixed = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?71";
    let outside = "10IlOoLi111111111111111111111111?A";
    let ending = |last: char| format!("{}{last}", &SMALL[..33]);
    for (text, damage, at, digits) in [
        // Case is lost unless there is other damage to a text with letters of both cases.
        (SMALL, auto(), 0, "1 L Bb Cc Ff Rr"),
        (&SMALL.to_ascii_uppercase(), auto(), 0, "1 L Bb Cc Ff Rr"),
        (mixed, auto(), 2, "b c"),
        (mixed, lost(), 2, "Bb Cc"),
        (&mixed.replace('?', "x"), auto(), 2, "Bb Cc"),
        (&mixed.replace('?', "x"), Damage { typos: 1, ..auto() }, 2, "b c"),
        (SMALL, Damage { typos: 1, ..auto() }, 2, "Bb Cc"),
        // Sets say nothing about the case of a text.
        ("1[7ZT][bc]?bcfr7sahtd9cgdqo3htmtkv8l", auto(), 1, "7TZtz BCbc"),
        ("1[7ZT][bc]?Bcfr7sahtd9cgdqo3htmtkv8L", auto(), 1, "7TZ bc"),
        // Characters outside the alphabet stand for their look-alikes.
        (outside, auto(), 0, "1 o 1Li 1Li o o L i"),
        (outside, lost(), 0, "1 o 1Li 1Li o o L i"),
        (
            outside,
            Damage { case: Case::Lost, ..confused("0oO,1IlLi,,5s") },
            0,
            "1Li o 1Li 1Li o o 1Li 1Li",
        ),
        // Other groups do not replace these.
        ("0Il8b1111111111111111111111111111A", confused("8B"), 0, "o 1Li 1Li 8Bb 8Bb"),
        // In single-case text, `l` and `I` are letters whose case was lost.
        (&SMALL.replacen('l', "i", 1).to_ascii_uppercase(), auto(), 1, "i"),
        (&SMALL.replace('l', "o").to_ascii_uppercase(), auto(), 1, "o"),
        (&SMALL.replace('x', "X"), auto(), 1, "1Li"),
        // Groups ignore case if the text does.
        (&ending('s'), confused("5S"), 33, "5Ss"),
        (&ending('S'), confused("5s"), 33, "5Ss"),
        (&ending('5'), confused("5S"), 33, "5Ss"),
        (&ending('s'), Damage { case: Case::Kept, ..confused("5S") }, 33, "s"),
        (&ending('S'), Damage { case: Case::Kept, ..confused("5S") }, 33, "5S"),
        (&ending('z'), confused("5S"), 33, "Zz"),
    ] {
        let digits: Vec<&str> = digits.split(' ').collect();
        assert_eq!(read(text, damage.clone())[at..at + digits.len()], digits, "{text} {damage:?}");
    }
    assert_eq!(read(mixed, auto())[31].len(), 58);
}

#[test]
fn a_gap_hides_one_or_more_characters() {
    let pattern = Pattern::parse("1Lbcfr...71").unwrap();
    assert_eq!((pattern.hidden(), pattern.lengths(MAX_LENGTH)), (Some(26), 9..=36));
    let nearly_whole = format!("{}…{}", &SMALL[..17], &SMALL[18..]);
    assert_eq!(Pattern::parse(&nearly_whole).unwrap().hidden(), Some(1));
    assert_eq!(Pattern::parse(SMALL).unwrap().hidden(), None);
}

#[test]
fn spellings_that_are_like_others_stay() {
    for (given, plain) in [
        ("1ab..yz", "1ab..yz"),
        ("1ab. .yz", "1ab. .yz"),
        ("1(7 and Z) a", "1(7 and Z) a"),
        ("1[a-z]a[]b", "1?a?b"),
        ("(1ab)", "(1ab)"),
        ("see (a/b) or [c]", "see (a/b) or {c}"),
        ("1[7ZT", "1{7ZT"),
        ("1[abcdefghijkmnopqrstuvwxyz123]a", "1[abcdefghijkmnopqrstuvwxyz123]a"),
        ("1[abcdefghijkmnopqrstuvwxyz121]a", "1{abcdefghijkmnopqrstuvwxyz121}a"),
        ("1a=\r\nb\\\nc=d\\e", "1abc=d\\e"),
        ("1a<br/>b</b>c<1ab", "1a b c<1ab"),
        ("1a\x1b[1;31mb\x1b[", "1ab\x1b{"),
        ("1a\\nb\\r\\n\\tc\\u00add\\u0430\\u12", "1a b   cda\\u12"),
        ("C:\\name\\u0061\\1ab", "C:\\name\\u0061\\1ab"),
        ("1a?b=c?d", "1a&b=c?d"),
    ] {
        let text: String = characters(given).iter().map(|(c, _)| c).collect();
        assert_eq!(text, plain, "{given}");
    }
    assert_eq!(characters("\u{200b}1...b")[..], [('1', 2), (GAP, 3), ('b', 6)]);
    assert_eq!(characters("1(7/Z)")[..], [('1', 1), ('[', 2), ('7', 3), ('Z', 5), (']', 6)]);
    assert_eq!(characters("1&shy;é%20a")[..], [('1', 1), ('é', 7), (' ', 8), ('a', 11)]);
}

/// A buffer that grows leaves a copy of what may be a key.
#[test]
fn buffers_do_not_grow() {
    for set in ["KwDiBf8", "[Kw]", "{K,w,D}", "(K/w)", "[...]", "{KwD}", "......", "Ｋw", "-К "] {
        let text = set.repeat(20);
        let characters = characters(&text);
        for buffer in
            [&characters, &with_gaps(&characters), &bare(&characters), &without_sets(&characters)]
        {
            assert!(buffer.capacity() <= text.chars().count(), "{set}");
        }
    }
}

/// A text has as many labels as it likes: each is looked at a few times, and none takes stack.
#[test]
fn many_labels_are_left_out() {
    for label in ["key: ", "key ", "a:", "BTC address ", "мой ключ: ", "key key: "] {
        let text = label.repeat(100_000) + "1Lbcfr";
        assert_eq!(*spelled(&bare(&characters(&text))), "1Lbcfr", "{label}");
    }
}

#[test]
fn letters_of_a_word_are_not_digits() {
    for (given, plain) in [
        ("Закрытый", "Зakpыtый"),
        ("1Зa", "13a"),
        ("За", "3a"),
        ("m²ñ", "m2ñ"),
        ("Zoe\u{308}", "Zoe"),
    ] {
        assert_eq!(*spelled(&characters(given)), plain, "{given}");
    }
}

#[test]
fn homoglyphs_are_not_ascii_and_keep_their_case() {
    for pairs in HOMOGLYPHS {
        let pairs: Vec<char> = pairs.chars().collect();
        for pair in pairs.chunks(2) {
            assert!(!pair[0].is_ascii() && pair[1].is_ascii_alphanumeric(), "{pair:?}");
            let is_letter = pair[1].is_ascii_alphabetic();
            assert!(!is_letter || pair[0].is_lowercase() == pair[1].is_lowercase(), "{pair:?}");
            assert_eq!(characters(&pair[0].to_string())[..], [(pair[1], 1)]);
        }
    }
    assert_eq!(characters("жA")[..], [('ж', 1), ('A', 2)]);
}

/// The hash of the list in the repository of BIP 39.
#[test]
fn the_words_of_seed_phrases_are_those_of_bip_39() {
    use sha2::{Digest, Sha256};

    let words = include_str!("bip39-english.txt");
    assert_eq!(words.lines().count(), 2048);
    assert_eq!(Sha256::digest(words)[..4], [0x2f, 0x5e, 0xed, 0x53]);
}
