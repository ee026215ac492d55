//! The searches for damage that nobody described.

use addr_recover::{Case, Damage, Kind, Ladder, LookAlikes, Pattern, Rung, Version};

use crate::{address, addresses, search};

fn ladder(text: &str, damage: Damage) -> Vec<Rung> {
    let pattern = Pattern::with_damage(text, damage).unwrap();
    Ladder::any_network(&pattern).unwrap().collect()
}

fn names(rungs: &[Rung]) -> Vec<&str> {
    rungs.iter().map(|rung| rung.name).collect()
}

/// What `addr-recover` prints is what it reads.
#[test]
fn damage_displays_as_the_options_that_describe_it() {
    assert_eq!(Damage::default().to_string(), "");
    let all = Damage::default()
        .case(Case::Lost)
        .look_alikes(LookAlikes::everywhere("5S,8B"))
        .typos(2)
        .missing(true)
        .surplus(true)
        .swapped(true);
    let options = "--case lost --confuse=5S,8B --typos 2 --missing --surplus --swapped";
    assert_eq!(all.to_string(), options);
    let one = Damage::default().look_alikes(LookAlikes::everywhere("5S,8B").at_most(1));
    assert_eq!(one.to_string(), "--confuse=5S,8B --max-confused 1");
}

#[test]
fn likely_damage_comes_in_addition_to_what_was_described() {
    let described = Damage::default().look_alikes(LookAlikes::everywhere("5S,1IlLi")).typos(1);
    let options: Vec<String> = described.ladder().map(|(_, damage)| damage.to_string()).collect();
    // A limit would count the groups that were described.
    assert!(options.iter().all(|options| !options.contains("--max-confused")), "{options:?}");
    assert!(options.contains(&"--confuse=5S,1IlLi,0oO --typos 1".to_owned()), "{options:?}");
    assert!(options.contains(&"--confuse=5S,1IlLi --typos 2".to_owned()), "{options:?}");
    // One wrong character was described.
    assert_eq!(Damage::default().ladder().count(), described.ladder().count() + 3);
    let limited = Damage::default().look_alikes(LookAlikes::everywhere("5S").at_most(1));
    let options: Vec<String> = limited.ladder().map(|(_, damage)| damage.to_string()).collect();
    assert_eq!(options[0], "--confuse=5S --max-confused 1 --swapped");
    assert!(options.contains(&"--confuse=5S,0oO,1IlLi".to_owned()), "{options:?}");
}

#[test]
fn the_text_as_written_comes_first() {
    let rungs = ladder("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", Damage::default());
    assert_eq!((rungs[0].name, rungs[0].is_described), ("the text as written", true));
    assert_eq!(rungs[0].space.estimate().candidates(), "8388608");
    assert_eq!(rungs.iter().filter(|rung| rung.is_described).count(), 1);
    let one = "--confuse=0oO,1IlLi,2Zz,5Ss,7T,8B --max-confused 1";
    assert_eq!((rungs[1].name, &*rungs[1].damage.to_string()), ("one look-alike character", one));
    assert_eq!(rungs.last().unwrap().name, "three wrong characters");
}

/// No look-alike of 0 and 1 is in the text, and no address is shorter.
#[test]
fn no_rung_has_the_candidates_of_an_earlier_one() {
    let rungs = ladder("3d2oetdnuzuqqhpjmcmddhyoqkynvsfk9s", Damage::default());
    for absent in ["look-alikes of 0 and 1", "one extra character"] {
        assert!(!names(&rungs).contains(&absent), "{:?}", names(&rungs));
    }
    let mut counts: Vec<_> = rungs.iter().map(|rung| rung.space.estimate().candidates()).collect();
    counts.sort();
    counts.dedup();
    assert_eq!(counts.len(), rungs.len());
}

/// All rungs have the candidates of the first one, which fit by chance only once.
#[test]
fn candidates_of_the_first_rung_count_once() {
    for (text, is_valid) in [
        ("3d2oetdnuzuqqhpjmcmddhyoqkynvsfk9s", false),
        ("1LBCfR7sahtd9CGDqO3HTmTKv8Lk4znx71", false),
        ("1LBCfR7sahtd9CGDqO3HTmTKv8Lk4zn?71", false),
        // Its other spellings are searched, with all cases.
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", true),
    ] {
        let rungs = ladder(text, Damage::default());
        let first = rungs[0].expected_by_chance;
        assert_eq!(first, rungs[0].space.estimate().expected_by_chance());
        for rung in &rungs[1..] {
            let all = rung.space.estimate().expected_by_chance();
            let is_part = !is_valid || rung.is_any_network;
            let counted = all - if is_part { first } else { 0.0 };
            assert_eq!(rung.expected_by_chance, counted, "{text} {}", rung.name);
        }
    }
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
    assert_eq!(rungs[0].space.estimate().candidates(), "1");
    let at = rungs.iter().position(|rung| rung.is_described).unwrap();
    assert_eq!(rungs[at].name, "letters in the wrong case");
    assert_eq!(addresses(&search(&rungs[at].space)), ["1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"]);
    let chances: Vec<f64> =
        rungs.iter().map(|rung| rung.space.estimate().expected_by_chance()).collect();
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
    // Addresses of Bitcoin's test networks begin with m or n, as do those of other networks.
    let of_both = are_any_network(&text(111));
    assert_eq!(of_both.iter().filter(|&&is_any| is_any).count(), 1, "{of_both:?}");
    assert!(of_both[1]);
    // No common network has addresses that begin with 4.
    let uncommon = are_any_network(&text(8));
    assert!(uncommon.len() > 5 && uncommon[1..].iter().all(|&is_any| is_any), "{uncommon:?}");
    let pattern: Pattern = text(111).parse().unwrap();
    let mut selected = Ladder::new(&pattern, &[Version::byte(111)]).unwrap();
    assert!(selected.all(|rung| !rung.is_any_network));
}

#[test]
fn what_was_described_is_never_skipped() {
    for text in ["1LBCfR7sahtd9CGDqO3HTmTKv8Lk4znx71", "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71"] {
        let pattern: Pattern = text.parse().unwrap();
        let mut ladder = Ladder::new(&pattern, &Kind::common_versions()).unwrap();
        let first = ladder.next().unwrap();
        ladder.skip_undescribed();
        let rest: Vec<bool> = ladder.map(|rung| rung.is_described).collect();
        assert_eq!(rest, if first.is_described { vec![] } else { vec![true] }, "{text}");
    }
}
