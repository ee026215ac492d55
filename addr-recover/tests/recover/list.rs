//! Lists of known addresses.

use addr_recover::{Hit, Kind, Known, Pattern, SearchSpace, Version};

#[test]
fn a_list_answers_without_a_search() {
    let list = "# sites\n1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\r\n\n1lbcfr\n3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n";
    let (known, wrong) = Known::read(list);
    assert_eq!(wrong, [4]);
    let space = |text: &str, versions: &[Version]| {
        SearchSpace::new(&Pattern::parse(text).unwrap(), versions).unwrap()
    };
    let damaged = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
    let answers = known.answers(&space(damaged, &Kind::common_versions()));
    assert_eq!(answers, [Hit::of("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71").unwrap()]);
    assert!(known.contains(&answers[0]));
    assert!(known.answers(&space(damaged, &[Version::byte(5)])).is_empty());
    assert!(known.answers(&space(&damaged.replace('7', "8"), &Kind::common_versions())).is_empty());
    assert!(!known.contains(&Hit::of("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa").unwrap()));
}

#[test]
fn the_nearest_addresses_differ_in_the_fewest_characters() {
    let (known, _) =
        Known::read("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n");
    let nearest = |text| known.nearest(text).map(|(distance, hits)| (distance, hits.len()));
    assert_eq!(nearest("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71"), Some((0, 1)));
    // Two wrong, two missing and an extra one; an unreadable one.
    assert_eq!(nearest("1Lzcfr7sAHTD9CdQoo3HTMTkV8LK4Zn?11"), Some((4, 1)));
    assert_eq!(nearest("1Lzcfr7sHTD9CdQoo3HTMTkV8LK4Zn?11"), Some((5, 1)));
    assert_eq!(nearest("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"), None);
    assert_eq!(Known::default().nearest(""), None);
}
