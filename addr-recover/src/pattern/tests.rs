//! Tests of parsing a pattern.

use super::*;
use damage::LookAlikes;

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
    let untried = |text: &str, damage: &Damage| {
        Pattern::with_damage(text, damage.clone()).unwrap().untried_look_alike()
    };
    let lost = Damage::default();
    let everywhere = Damage::default().look_alikes(LookAlikes::everywhere("0oO,1IlLi"));
    for (text, read, alike) in [
        (SMALL.to_owned(), "L", Some('l')),
        (SMALL.replacen('l', "i", 1).to_ascii_uppercase(), "i", Some('I')),
        (SMALL.to_ascii_uppercase(), "L", None),
        (SMALL.replace('l', "o").to_ascii_uppercase(), "o", None),
        (SMALL.replace('x', "X"), "1Li", None),
    ] {
        assert_eq!((&*digit(&text, &lost), untried(&text, &lost)), (read, alike), "{text}");
        assert_eq!(untried(&text, &everywhere), None, "{text}");
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
    assert_eq!(error("1...a...b"), ParseError::SecondGap { position: 6 });
    assert_eq!(error("  1a b!"), found('!', 7));
    assert_eq!(error("1[a-z]"), found('-', 4));
    assert_eq!(error("1[a[b]]"), found('[', 4));
    assert_eq!(error("1ab[cd"), ParseError::UnclosedSet { position: 4 });
    assert_eq!(error("1ab[]cd"), ParseError::EmptySet { position: 4 });
    assert_eq!(error("1ab]cd"), ParseError::StrayBracket { position: 4 });
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
    assert_eq!(lengths(&Damage::default()), (26, 36));
    assert_eq!(lengths(&Damage::default().missing(true)), (25, 36));
    assert_eq!(lengths(&Damage::default().surplus(true)), (26, 37));
    assert_eq!(Pattern::parse("111"), Err(ParseError::Length { given: 3 }));
}
