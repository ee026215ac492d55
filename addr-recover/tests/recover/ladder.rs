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
}

#[test]
fn likely_damage_comes_in_addition_to_what_was_described() {
    let described = Damage::default().look_alikes(LookAlikes::everywhere("5S,1IlLi")).typos(1);
    let options: Vec<String> = described.ladder().map(|(_, damage)| damage.to_string()).collect();
    assert_eq!(options[0], "--confuse=5S,1IlLi,0oO --typos 1");
    assert!(options.contains(&"--confuse=5S,1IlLi --typos 2".to_owned()), "{options:?}");
    // One wrong character was described.
    assert_eq!(Damage::default().ladder().count(), described.ladder().count() + 1);
}

#[test]
fn the_text_as_written_comes_first() {
    let rungs = ladder("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", Damage::default());
    assert_eq!((rungs[0].name, rungs[0].is_described), ("the text as written", true));
    assert_eq!(rungs[0].space.estimate().candidates(), "8388608");
    assert_eq!(rungs.iter().filter(|rung| rung.is_described).count(), 1);
    assert_eq!(rungs[1].damage.to_string(), "--confuse=0oO,1IlLi");
    assert_eq!(rungs.last().unwrap().name, "three wrong characters");
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
