//! The searches for damage that nobody described.

use addr_recover::{
    Case, Damage, KeyKind, Kind, Ladder, LookAlikes, Pattern, Rung, Search, SearchSpace, Version,
};

use crate::{address, addresses, search};

fn ladder(text: &str, damage: Damage) -> Vec<Rung> {
    let pattern = Pattern::with_damage(text, damage).unwrap();
    any_network(&pattern).collect()
}

fn any_network(pattern: &Pattern) -> Ladder<'static> {
    Ladder::new(pattern, &SearchSpace::any_network(pattern).unwrap(), None)
}

fn names(rungs: &[Rung]) -> Vec<&str> {
    rungs.iter().map(|rung| rung.name).collect()
}

#[test]
fn likely_damage_comes_in_addition_to_what_was_described() {
    let described =
        Damage { look_alikes: LookAlikes::everywhere("5S,1IlLi"), typos: 1, ..Damage::default() };
    let all: Vec<Damage> = described.ladder().map(|(_, damage)| damage).collect();
    let groups = |damage: &Damage| damage.look_alikes.everywhere.join(",");
    // A limit would count the groups that were described.
    assert!(all.iter().all(|damage| damage.look_alikes.max.is_none()), "{all:?}");
    assert!(all.iter().all(|damage| groups(damage).starts_with("5S,1IlLi") && damage.typos >= 1));
    assert!(all.iter().any(|damage| groups(damage) == "5S,1IlLi,0oO" && damage.typos == 1));
    assert!(all.iter().any(|damage| groups(damage) == "5S,1IlLi" && damage.typos == 2));
    // One wrong character was described.
    assert_eq!(Damage::default().ladder().count(), all.len() + 3);
    let limited = Damage {
        look_alikes: LookAlikes { max: Some(1), ..LookAlikes::everywhere("5S") },
        ..Damage::default()
    };
    let (_, first) = limited.ladder().next().unwrap();
    assert_eq!(first, Damage { swapped: 1, ..limited.clone() });
    assert!(limited.ladder().any(|(_, damage)| groups(&damage) == "5S,0oO,1IlLi"));
}

#[test]
fn the_text_as_written_comes_first() {
    let rungs = ladder("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", Damage::default());
    assert_eq!((rungs[0].name, rungs[0].is_described), ("the text as written", true));
    assert_eq!(rungs[0].space.estimate().candidates, 8_388_608.0);
    assert_eq!(rungs.iter().filter(|rung| rung.is_described).count(), 1);
    let one = LookAlikes { max: Some(1), ..LookAlikes::everywhere("0oO,1IlLi,2Zz,5Ss,7T,8B") };
    assert_eq!((rungs[1].name, &rungs[1].damage.look_alikes), ("one look-alike character", &one));
    assert_eq!(rungs.last().unwrap().name, "three wrong characters");
}

/// No look-alike of 0 and 1 is in the text, and no address is shorter.
#[test]
fn no_rung_has_the_candidates_of_an_earlier_one() {
    let rungs = ladder("3d2oetdnuzuqqhpjmcmddhyoqkynvsfk9s", Damage::default());
    for absent in ["look-alikes of 0 and 1", "one extra character"] {
        assert!(!names(&rungs).contains(&absent), "{:?}", names(&rungs));
    }
    let count = |rung: &Rung| rung.space.estimate().candidates.to_string();
    let mut seen = std::collections::BTreeMap::new();
    // One missing character at any place and those cut off have as many candidates, and so has the
    // text with other letters.
    let is_alike =
        |name: &str| name == "characters cut off at an end" || name.ends_with("keyboard");
    for rung in rungs.iter().filter(|rung| !is_alike(rung.name)) {
        if let Some(earlier) = seen.insert(count(rung), rung.name) {
            panic!("{} and {} have {} candidates", earlier, rung.name, count(rung));
        }
    }
}

/// All rungs without exchanged letters have the candidates of the first one, which fit by chance
/// only once.
#[test]
fn candidates_of_the_first_rung_count_once() {
    for text in [
        "3d2oetdnuzuqqhpjmcmddhyoqkynvsfk9s",
        "1LBCfR7sahtd9CGDqO3HTmTKv8Lk4znx71",
        "1LBCfR7sahtd9CGDqO3HTmTKv8Lk4zn?71",
    ] {
        let rungs = ladder(text, Damage::default());
        let first = rungs[0].expected_by_chance;
        assert_eq!(first, rungs[0].space.estimate().expected_by_chance);
        for rung in &rungs[1..] {
            let all = rung.space.estimate().expected_by_chance;
            let of_first = if rung.name.ends_with("keyboard") { 0.0 } else { first };
            assert_eq!(rung.expected_by_chance, all - of_first, "{text} {}", rung.name);
        }
    }
}

/// A text without such letters has no rung for them.
#[test]
fn letters_of_another_keyboard_are_exchanged_everywhere() {
    for (text, names_of_rungs) in [
        ("3hhx1hatkzwz8e6cgeixaxdzcs556fvf9x", &["a German", "a French"][..]),
        ("3hhx1hatkbwb8e6cgeixaxdbcs556fvf9x", &["a French"]),
        ("3hhx1hbtkbcb8e6cgeixbxdbcs556fvf9x", &[]),
    ] {
        let rungs = ladder(text, Damage::default());
        let names: Vec<_> =
            names(&rungs).into_iter().filter(|it| it.ends_with("keyboard")).collect();
        let expected: Vec<_> =
            names_of_rungs.iter().map(|it| format!("letters of {it} keyboard")).collect();
        assert_eq!(names, expected, "{text}");
    }
    let rungs = ladder("3hhx1hatkzwz8e6cgeixaxdzcs556fvf9x", Damage::default());
    let german = rungs.iter().find(|rung| rung.name == "letters of a German keyboard").unwrap();
    assert!(german.space.allows("3Hhx1hAtKyWY8E6cGEiXAXDYCS556fVf9x"));
    assert!(!german.space.allows("3Hhx1hAtKyWZ8E6cGEiXAXDYCS556fVf9x"));
}

#[test]
fn one_look_alike_in_lower_case_text_is_a_rung() {
    let rungs = ladder("3ah5tesj57vmda4qz3vyqxrsmzpqg3attb", Damage::default());
    let rung = rungs.iter().find(|rung| rung.name == "one look-alike character").unwrap();
    assert!(rung.space.allows("3Ah5tESJ5TvmDA4QZ3vyQxrSmzpQG3aTTb"));
    assert!(!rung.space.allows("3Ah5tE5J5TvmDA4QZ3vyQxrSmzpQG3aTTb"));
    let two = rungs.iter().find(|rung| rung.name == "two look-alike characters").unwrap();
    assert!(two.space.allows("3Ah5tE5J5TvmDA4QZ3vyQxrSmzpQG3aTTb"));
    assert!(rung.expected_by_chance < 0.2, "{}", rung.expected_by_chance);
}

/// Damage that is less likely to fit by chance than letters in any case is tried before them.
#[test]
fn letters_in_the_wrong_case_come_after_less_damage() {
    let rungs = ladder("1LBCfR7sahtd9CGDqO3HTmTKv8Lk4znx71", Damage::default());
    assert_eq!((rungs[0].name, rungs[0].is_described), ("the text as written", false));
    assert_eq!(rungs[0].space.estimate().candidates, 1.0);
    let at = rungs.iter().position(|rung| rung.is_described).unwrap();
    assert_eq!(rungs[at].name, "letters in the wrong case");
    assert_eq!(addresses(&search(&rungs[at].space)), ["1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"]);
    let chances: Vec<f64> =
        rungs.iter().map(|rung| rung.space.estimate().expected_by_chance).collect();
    assert!(at > 3 && at + 1 < rungs.len(), "{:?}", names(&rungs));
    assert!(chances[..at].iter().all(|&chance| chance < chances[at]), "{chances:?}");
    assert!(chances[at + 1..].iter().all(|&chance| chance >= chances[at]), "{chances:?}");
    // The case of a valid address is right.
    let rungs = ladder("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", Damage::default());
    assert!(rungs[0].is_described, "{:?}", names(&rungs));
}

#[test]
fn all_networks_are_tried_after_the_common_ones() {
    let text = |version| address(Version::byte(version), &[7; 20]).to_lowercase();
    let are_any_network = |text: &str| {
        let rungs = ladder(text, Damage::default());
        rungs.iter().map(|rung| rung.is_any_network).collect::<Vec<_>>()
    };
    // No common network has addresses that begin with 4.
    let uncommon = are_any_network(&text(8));
    assert!(uncommon.len() > 5 && uncommon[1..].iter().all(|&is_any| is_any), "{uncommon:?}");
    let pattern = Pattern::parse(&text(111)).unwrap();
    let versions = [Version::byte(111)];
    let space = SearchSpace::new(&pattern, &versions).unwrap();
    let mut selected = Ladder::new(&pattern, &space, Some(&versions));
    assert!(selected.all(|rung| !rung.is_any_network));
}

/// A text of the wrong length has the form of no address as written. Damage that makes it one of a
/// common network must not hide an uncommon one.
#[test]
fn all_networks_are_tried_for_a_text_of_the_wrong_length() {
    for version in [8, 35, 53, 56, 62, 98] {
        let address = address(Version::byte(version), &[7; 20]);
        let rungs = ladder(&format!("{}{}", &address[..20], &address[21..]), Damage::default());
        let rung = rungs.iter().find(|rung| rung.name == "one missing character").unwrap();
        assert!(rung.is_any_network && rung.space.allows(&address), "{address}");
    }
}

/// The case is kept because of the unreadable character.
#[test]
fn letters_in_the_wrong_case_are_tried_beside_an_unreadable_character() {
    let rungs = ladder("1LBCfR7sahtd9CGDqO3HTmTKv8Lk4zn?71", Damage::default());
    assert_eq!((rungs[0].damage.case, rungs[0].is_described), (Case::Kept, true));
    let lost = rungs.iter().find(|rung| rung.name == "letters in the wrong case").unwrap();
    assert_eq!(lost.damage.case, Case::Lost);
    assert!(lost.space.allows("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"));
    // A phone put the capital letter there.
    let rungs = ladder("Dl669eiuo1f3ukc6chnc6bzapfgcj7p?nf", Damage::default());
    assert!(rungs[0].space.allows("DL669EiUo1F3UKc6chnC6bzAPFgcJ7P4nf"), "{:?}", rungs[0]);
}

/// All networks are searched at once if many addresses of common ones fit by chance.
#[test]
fn uncertain_answers_count_all_networks() {
    let first =
        |text: &str| any_network(&Pattern::parse(text).unwrap()).next().expect("a first rung");
    let has_neblio =
        |rung: &Rung| rung.space.kinds().iter().any(|(it, ..)| *it == Version::byte(53));
    let mut seen = [0, 0];
    for payload in 0..=255 {
        let text = address(Version::byte(52), &[payload; 20]).to_lowercase();
        let common =
            SearchSpace::new(&Pattern::parse(&text).unwrap(), &Kind::common_versions()).unwrap();
        let is_uncertain = common.estimate().expected_by_chance > 0.05;
        let all = SearchSpace::new(&Pattern::parse(&text).unwrap(), &Kind::all_versions()).unwrap();
        let are_all = first(&text).space.kinds() == all.kinds();
        let differ = all.kinds() != common.kinds();
        assert!(!differ || are_all == is_uncertain, "{text}");
        seen[usize::from(is_uncertain)] +=
            usize::from(differ && has_neblio(&first(&text)) == is_uncertain);
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn a_key_has_a_ladder_too() {
    let key = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";
    let (damaged, kinds) = (key.replace('Z', "z"), KeyKind::matching("wif"));
    let build = |damage: &Damage| {
        let space = SearchSpace::new(&Pattern::key(&damaged, damage.clone())?, &kinds)?;
        let estimate = space.estimate();
        Ok((space, estimate))
    };
    let damage = Damage::default();
    let mut exact = Ladder::exact(&damage, build(&damage).ok());
    assert!(exact.next().is_some_and(|rung| rung.is_described && rung.is_as_written()));
    assert!(exact.next().is_none());
    let mut names = Vec::new();
    for rung in Ladder::of(&damage, build(&damage).ok(), build) {
        names.push(rung.name);
        let hits = Search::new(&rung.space).run().unwrap().hits;
        if let [hit] = &hits[..] {
            assert_eq!(hit.text.as_str(), key);
            break;
        }
    }
    assert_eq!(names, ["the text as written", "one look-alike character"]);
}
