//! Tests of parsing a pattern.

use super::*;
use damage::LookAlikes;
use foreign::{instead_of_address, recognise};
use plain::{GAP, HOMOGLYPHS, characters, homoglyph, joined, with_gaps};

const SMALL: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";

fn spelled(pattern: &Pattern) -> Vec<String> {
    pattern.places().iter().map(|digits| digits.characters().collect()).collect()
}

fn read(text: &str, damage: Damage) -> Vec<String> {
    spelled(&Pattern::with_damage(text, damage).unwrap())
}

#[test]
fn lost_case_is_ignored() {
    let small = Pattern::parse(SMALL).unwrap();
    assert_eq!(spelled(&small), spelled(&Pattern::parse(&SMALL.to_ascii_uppercase()).unwrap()));
    assert_eq!(small.ambiguous_places(), 23);
    assert_eq!(spelled(&small)[..6], ["1", "L", "Bb", "Cc", "Ff", "Rr"]);
}

#[test]
fn mixed_case_is_kept_if_there_is_other_damage() {
    let mixed = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?71";
    assert_eq!(read(mixed, Damage::default())[2..4], ["b", "c"]);
    assert_eq!(read(mixed, Damage::default().case(Case::Lost))[2..4], ["Bb", "Cc"]);
    assert_eq!(read(&mixed.replace('?', "x"), Damage::default())[2..4], ["Bb", "Cc"]);
    assert_eq!(read(&mixed.replace('?', "x"), Damage::default().typos(1))[2..4], ["b", "c"]);
    assert_eq!(read(&mixed.to_ascii_lowercase(), Damage::default().typos(1))[2..4], ["Bb", "Cc"]);
}

#[test]
fn sets_and_wildcards() {
    let places = read("1[7ZT][b]?bcfr7sahtd9cgdqo3htmtkv8l", Damage::default());
    assert_eq!(places[1..3], ["7TZtz", "Bb"]);
    assert_eq!(places[3].len(), 58);
    let places = read("1[7ZT][b]?Bcfr7sahtd9cgdqo3htmtkv8L", Damage::default());
    assert_eq!(places[1..3], ["7TZ", "b"]);
}

#[test]
fn a_gap_hides_one_or_more_characters() {
    let pattern = Pattern::parse("1Lbcfr...71").unwrap();
    assert_eq!((pattern.hidden(), pattern.lengths(MAX_LENGTH)), (Some(26), 9..=36));
    assert_eq!((pattern.address(), &*spelled(&pattern)[1]), ("1Lbcfr…71", "L"));
    let nearly_whole = format!("{}…{}", &SMALL[..17], &SMALL[18..]);
    assert_eq!(Pattern::parse(&nearly_whole).unwrap().hidden(), Some(1));
    assert_eq!(Pattern::parse(SMALL).unwrap().hidden(), None);
}

#[test]
fn look_alikes_stand_for_characters_outside_the_alphabet() {
    let text = "10IlOoLi111111111111111111111111?A";
    assert_eq!(read(text, Damage::default())[..8], ["1", "o", "1Li", "1Li", "o", "o", "L", "i"]);
    let lost = Damage::default().case(Case::Lost);
    assert_eq!(read(text, lost.clone())[..8], ["1", "o", "1Li", "1Li", "o", "o", "L", "i"]);
    let everywhere = lost.look_alikes(LookAlikes::everywhere("0oO,1IlLi,,5s"));
    assert_eq!(
        read(text, everywhere.clone())[..8],
        ["1Li", "o", "1Li", "1Li", "o", "o", "1Li", "1Li"]
    );
    assert_eq!(read(&text.replace('A', "5"), everywhere)[33], "5Ss");
}

#[test]
fn in_single_case_text_l_and_capital_i_are_letters_whose_case_was_lost() {
    let digit = |text: &str, damage: &Damage| read(text, damage.clone())[1].clone();
    let lost = Damage::default();
    for (text, read) in [
        (SMALL.to_owned(), "L"),
        (SMALL.replacen('l', "i", 1).to_ascii_uppercase(), "i"),
        (SMALL.to_ascii_uppercase(), "L"),
        (SMALL.replace('l', "o").to_ascii_uppercase(), "o"),
        (SMALL.replace('x', "X"), "1Li"),
    ] {
        assert_eq!(digit(&text, &lost), read, "{text}");
    }
}

/// `8` and `B` are added and do not replace the default groups.
#[test]
fn custom_groups_keep_the_default_ones() {
    let text = "0Il8b1111111111111111111111111111A";
    let damage = Damage::default().look_alikes(LookAlikes::everywhere("8B"));
    assert_eq!(read(text, damage)[..5], ["o", "1Li", "1Li", "8Bb", "8Bb"]);
}

#[test]
fn groups_ignore_case_if_the_text_does() {
    let last = |text: &str, groups: &str, case: Case| {
        let damage = Damage::default().case(case).look_alikes(LookAlikes::everywhere(groups));
        read(text, damage)[33].clone()
    };
    for (character, groups, case, digits) in [
        ("s", "5S", Case::Auto, "5Ss"),
        ("S", "5s", Case::Auto, "5Ss"),
        ("5", "5S", Case::Auto, "5Ss"),
        ("s", "5S", Case::Lost, "5Ss"),
        ("s", "5S", Case::Kept, "s"),
        ("S", "5S", Case::Kept, "5S"),
        ("z", "5S", Case::Auto, "Zz"),
    ] {
        let text = SMALL.replace("71", &format!("7{character}"));
        assert_eq!(last(&text, groups, case), digits, "{character} {groups} {case:?}");
    }
}

#[test]
fn errors_name_the_first_wrong_position_in_the_given_text() {
    let error = |text: &str| Pattern::parse(text).unwrap_err();
    let found = |found, position| ParseError::Character { found, position };
    assert_eq!(error("1lbcfr!"), found('!', 7));
    assert_eq!(error("1é!"), found('é', 2));
    assert_eq!(error("bitcoin:1a~b"), found('~', 11));
    assert_eq!(error("  1a b!"), found('!', 7));
    assert_eq!(error("1[a-z]"), found('-', 4));
    assert_eq!(error("1[a[b]]"), found('[', 4));
    for (text, position) in [("1ab[cd", 4), ("1ab[]cd", 4), ("1ab]cd", 4), ("1...a...b", 6)] {
        assert!(matches!(error(text), ParseError::Syntax { position: at, .. } if at == position));
    }
    assert_eq!(error("\n"), ParseError::Empty);
    assert_eq!(
        Pattern::from_utf8(b"1ab\xff", Damage::default()),
        Err(ParseError::NotUtf8 { byte: 0xff, position: 4 })
    );
    assert_eq!(
        Pattern::from_utf8("1ä".as_bytes().split_last().unwrap().1, Damage::default()),
        Err(ParseError::NotUtf8 { byte: 0xc3, position: 2 })
    );
    assert_eq!(
        Pattern::from_utf8(b"1\xc3\xa4\xff", Damage::default()),
        Err(ParseError::NotUtf8 { byte: 0xff, position: 3 })
    );
}

#[test]
fn only_possible_lengths_are_accepted() {
    let lengths = |damage: &Damage| {
        let parses =
            |&length: &usize| Pattern::with_damage(&"1".repeat(length), damage.clone()).is_ok();
        let accepted: Vec<usize> = (0..60).filter(parses).collect();
        (accepted[0], accepted[accepted.len() - 1])
    };
    // Three characters may be extra although nobody said so.
    assert_eq!(lengths(&Damage::default()), (26, 39));
    assert_eq!(lengths(&Damage::default().missing(1)), (25, 39));
    // 40 of them may be those of Ethereum.
    assert_eq!(lengths(&Damage::default().surplus(2)), (26, 41));
    assert_eq!(Pattern::parse("111"), Err(ParseError::Length { given: 3 }));
}

#[test]
fn spellings_that_are_like_others_stay() {
    for (given, plain) in [
        ("1ab..yz", "1ab..yz"),
        ("1ab. .yz", "1ab. .yz"),
        ("1(7 and Z)a", "1(7 and Z)a"),
        ("> 1ab\n>> cd > e", "  1ab\n   cd > e"),
        ("1[A-Z]a", "1[A-Z]a"),
        ("(1ab)", "(1ab)"),
        ("see (a/b) or [c]", "see (a/b) or [c]"),
        ("1[7ZT", "1[7ZT"),
        ("1[abcdefghijkmnopqrstuvwxyz123]a", "1[abcdefghijkmnopqrstuvwxyz123]a"),
        ("1a=\r\nb\\\nc=d\\e", "1abc=d\\e"),
        ("1a<br/>b</b>c<1ab", "1a b c<1ab"),
        ("1a\x1b[1;31mb\x1b[", "1ab\x1b["),
        ("1a\\nb\\r\\n\\tc\\u00add\\u0430\\u12", "1a b   cda\\u12"),
        ("C:\\name\\u0061\\1ab", "C:\\name\\u0061\\1ab"),
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
        for buffer in [&characters, &with_gaps(&characters), &joined(&characters).into()] {
            assert!(buffer.capacity() <= text.chars().count(), "{set}");
        }
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
            assert_eq!(homoglyph(pair[0]), Some(pair[1]));
        }
    }
    assert_eq!(homoglyph('A'), None);
    assert_eq!(homoglyph('ж'), None);
}

#[test]
fn formats_are_told_apart() {
    // Examples from BIP 173, the CashAddr specification, EIP-55, and the documentation of
    // Solana and Bitcoin.
    for (scheme, text, foreign) in [
        ("", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", Some(Foreign::Bech32)),
        ("", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", Some(Foreign::Bech32)),
        ("", "via1qw508d6qejxtdg4y5r3zarvary0c5xw7kxzdzsn", Some(Foreign::Bech32)),
        ("bitcoincash", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", Some(Foreign::CashAddr)),
        ("", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", Some(Foreign::CashAddr)),
        ("", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", Some(Foreign::Ethereum)),
        (
            "",
            "vines1vzrybzlpmrxzdwy3jwwv7nxb1mfyhbs8kkjfz",
            Some(Foreign::Unsupported("a Solana address")),
        ),
        ("", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", Some(Foreign::PrivateKey)),
        ("bitcoin", "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", None),
        ("bitcoincash", "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", None),
        // With a missing or a wrong character.
        ("", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t", Some(Foreign::Bech32)),
        ("", "bc1qw508d6qejxtdg4y5r3zarvaryoc5xw7kv8f3t4", Some(Foreign::Bech32)),
        ("", "bc1qw508d6qejxtdg4y5r3zarvary?c5xw7kv8f3t4", Some(Foreign::Bech32)),
        ("bitcoincash", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6", Some(Foreign::CashAddr)),
        ("", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdxb6a", Some(Foreign::CashAddr)),
        ("", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", Some(Foreign::Ethereum)),
        ("", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", Some(Foreign::Ethereum)),
        // From EOSIO's documentation.
        (
            "",
            "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
            Some(Foreign::Unsupported("a public key of EOS")),
        ),
        (
            "",
            "eos6mryajqq8ud7hvnycfnvpjqcvpscn5so8bhthugyqet5gdw5cv",
            Some(Foreign::Unsupported("a public key of EOS")),
        ),
        ("", "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT", None),
        ("", "", None),
    ] {
        assert_eq!(recognise(&format!("{scheme}:{text}"), text), foreign, "{text}");
    }
    assert_eq!(recognise("", &"4".repeat(95)), Some(Foreign::Unsupported("a Monero address")));
    assert_eq!(instead_of_address(&"1".repeat(32)), Some(Foreign::Unsupported("a Solana address")));
    assert_eq!(instead_of_address("4j98t1wpez73cnmqviecrnyiwrnqrhwnly"), None);
}

/// The hash of the list in the repository of BIP 39.
#[test]
fn the_words_of_seed_phrases_are_those_of_bip_39() {
    use sha2::{Digest, Sha256};

    let words = include_str!("bip39-english.txt");
    assert_eq!(words.lines().count(), 2048);
    assert_eq!(Sha256::digest(words)[..4], [0x2f, 0x5e, 0xed, 0x53]);
}
