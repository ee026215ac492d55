//! Compares the search with a naive one that tries all texts.

use addr_recover::{Backend, Case, Damage, LookAlikes, Search, Version};
use proptest::prelude::*;

use crate::oracle::{ALPHABET, Answer, Form, answer, either_case};
use crate::{address, addresses, common_versions, space};

/// A search space, for the library and for the oracle.
#[derive(Clone, Debug)]
struct Asked {
    text: String,
    form: Form,
    damage: Damage,
    versions: Vec<Version>,
}

/// Compares candidates, hits and hashes, with every backend and with a split into three shards.
fn assert_agrees(asked: &Asked) -> Answer {
    let expected = answer(&asked.form, &asked.damage, &asked.versions);
    let space = space(&asked.text, asked.damage.clone(), &asked.versions);
    let estimate = space.estimate();
    assert_eq!(estimate.candidates, expected.candidates as f64, "{asked:?}");
    // A prefix that has candidates of two lengths is hashed for each.
    let may_repeat = asked.damage.missing + asked.damage.surplus + asked.damage.cut > 0;
    let hashes = expected.prefixes..=expected.prefixes + 2 * u64::from(may_repeat);
    for backend in Backend::available() {
        let search = Search::new(&space).backend(backend);
        let outcome = search.run().unwrap();
        assert_eq!(addresses(&outcome), expected.addresses, "{asked:?} {backend}");
        assert!(hashes.contains(&outcome.hashes), "{asked:?} {backend}: {hashes:?}");
    }
    let mut hits = Vec::new();
    let mut hashes_of_shards = 0;
    for index in 1..=3 {
        let shard = Search::new(&space).shard(index, 3).run().unwrap();
        hits.extend(shard.hits);
        hashes_of_shards += shard.hashes;
    }
    hits.sort();
    assert!(hits.iter().map(|hit| &*hit.text).eq(&expected.addresses), "{asked:?}");
    assert!(hashes.contains(&hashes_of_shards), "{asked:?}: {hashes:?}");
    expected
}

/// No damage but what the text shows.
fn undamaged() -> Damage {
    Damage { case: Case::Kept, ..Damage::default() }
}

fn both_cases(text: &str, versions: &[Version]) -> Asked {
    in_doubt(text.chars().map(either_case).collect(), undamaged(), versions)
}

fn in_doubt(form: Form, damage: Damage, versions: &[Version]) -> Asked {
    let text = form.iter().map(|digits| format!("[{digits}]")).collect();
    Asked { text, form, damage, versions: versions.to_vec() }
}

fn kept(text: &str, damage: Damage, versions: &[Version]) -> Asked {
    let any = |c: char| if c == '?' { ALPHABET.to_owned() } else { c.to_string() };
    Asked {
        text: text.to_owned(),
        form: text.chars().map(any).collect(),
        damage,
        versions: versions.to_vec(),
    }
}

const BITCOIN: &[Version] = &[Version::byte(0)];

#[test]
fn long_addresses_with_few_letters() {
    // Those with the fewest letters among some 600,000 random addresses.
    for address in [
        "1929o795m6N7oK7DXWA5Kb4N8LF2j57fs9",
        "19sNYqQ1N22d2389s2t47366Q11VnK42h7",
        "1JF2Eo6GzoX375S311ty2x5pL24ZR5fii2",
        "1KL1AiS4QoQoa48CG3R4i8Cnii2EMVL582",
        "12Lp3ipCb3i66iX4iv2K44CzD32yeiT5yZ",
    ] {
        let expected = assert_agrees(&both_cases(address, BITCOIN));
        assert!(expected.addresses.contains(&address.to_owned()), "{address}");
        // A similar text has a wrong checksum.
        assert!(
            assert_agrees(&both_cases(&address.replacen('2', "3", 1), BITCOIN))
                .addresses
                .is_empty()
        );
    }
}

/// The greatest number with this many bytes, with as many leading 1s as it needs and with one less.
/// If its last characters have an upper case, the tail crosses the end of the legal interval, from
/// below and from above.
#[test]
fn tails_across_the_ends_of_the_legal_interval() {
    for bytes in 4..=10 {
        let greatest = bs58::encode(vec![0xff; bytes]).into_string();
        for ones in [25 - bytes, 24 - bytes] {
            assert_agrees(&both_cases(&format!("{}{greatest}", "1".repeat(ones)), BITCOIN));
        }
    }
}

/// Adjacent digits in the sixth place from the right share prefixes. So do digits before it if all
/// places after them are wildcards.
#[test]
fn wildcards_where_candidates_share_prefixes() {
    let address = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
    for places in
        [vec![28], vec![27, 28], vec![28, 29], vec![32, 33], vec![5, 28], vec![26, 28], vec![0, 1]]
    {
        let mut text: Vec<char> = address.chars().collect();
        places.iter().for_each(|&place| text[place] = '?');
        let text: String = text.iter().collect();
        let expected = assert_agrees(&kept(&text, undamaged(), &common_versions()));
        assert!(expected.addresses.contains(&address.to_owned()), "{text}");
    }
}

/// One digit less in one place and the greatest in the next, or the digit itself and the smallest:
/// two heads with one prefix.
#[test]
fn heads_that_share_a_prefix_but_no_digit() {
    let mut tried = 0;
    for payload in 0..1500_u32 {
        let address = address(
            Version::byte(0),
            &std::array::from_fn(|i| (payload >> (i % 4 * 8)) as u8 ^ 0x5a),
        );
        let at = address.len() - 7;
        let digit = ALPHABET.find(&address[at..=at]).unwrap();
        if digit == 0 || &address[at + 1..at + 2] != "1" {
            continue;
        }
        let mut form: Form = address.chars().map(String::from).collect();
        form[at] = ALPHABET[digit - 1..=digit].to_owned();
        form[at + 1] = "1z".to_owned();
        assert!(assert_agrees(&in_doubt(form, undamaged(), BITCOIN)).addresses.contains(&address));
        tried += 1;
    }
    assert!(tried > 10);
}

#[test]
fn edits_at_every_place() {
    let address = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
    let characters: Vec<char> = address.chars().collect();
    for at in [0, 1, 2, 17, 27, 28, 29, 32, 33] {
        let mut typo = characters.clone();
        typo[at] = if typo[at] == '2' { '3' } else { '2' };
        let mut missing = characters.clone();
        missing.remove(at);
        let mut surplus = characters.clone();
        surplus.insert(at, '4');
        let mut swapped = characters.clone();
        let second = if at + 1 < 34 { at + 1 } else { at - 1 };
        swapped.swap(at, second);
        for (characters, damage) in [
            (typo, Damage { typos: 1, ..undamaged() }),
            (missing, Damage { missing: 1, ..undamaged() }),
            (surplus, Damage { surplus: 1, ..undamaged() }),
            (swapped, Damage { swapped: 1, ..undamaged() }),
        ] {
            let text: String = characters.iter().collect();
            let expected = assert_agrees(&kept(&text, damage.clone(), &common_versions()));
            assert!(expected.addresses.contains(&address.to_owned()), "{text} {damage:?}");
        }
    }
}

/// Damage of every other kind, alone and with more.
#[test]
fn damage_of_every_kind() {
    let characters: Vec<char> = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71".chars().collect();
    let text = |order: &[usize]| order.iter().map(|&at| characters[at]).collect::<String>();
    let all: Vec<usize> = (0..34).collect();
    let blocks: Vec<&[usize]> = all.chunks(4).collect();
    let exchanged =
        [&blocks[..1], &[blocks[5]], &blocks[2..5], &[blocks[1]], &blocks[6..]].concat();
    let repeated = [&blocks[..4], &blocks[3..]].concat();
    let swapped = [&[0, 2, 1], &all[3..20], &[21, 20], &all[22..]].concat();
    let alike = LookAlikes::everywhere("2Zz,5Ss,7T,8B");
    let confused =
        |max| Damage { look_alikes: LookAlikes { max: Some(max), ..alike.clone() }, ..undamaged() };
    for (text, damage) in [
        (text(&exchanged.concat()), Damage { blocks: true, ..undamaged() }),
        (text(&repeated.concat()), Damage { blocks: true, ..undamaged() }),
        (text(&repeated.concat()[..37]), Damage { blocks: true, cut: 1, ..undamaged() }),
        (text(&swapped), Damage { swapped: 2, ..undamaged() }),
        (text(&[&all[..], &[3, 4]].concat()), Damage { surplus: 2, ..undamaged() }),
        (text(&all[2..]), Damage { cut: 2, ..undamaged() }),
        (text(&all[1..33]), Damage { cut: 2, ..undamaged() }),
        (text(&all).replace("7s", "TS"), confused(2)),
        (text(&all).replace("LK4Zn", "LK42n"), Damage { typos: 1, ..confused(1) }),
        (text(&swapped[..]).replace("V8", "VB"), Damage { swapped: 2, ..confused(1) }),
    ] {
        let expected = assert_agrees(&kept(&text, damage.clone(), BITCOIN));
        let address = characters.iter().collect::<String>();
        assert!(expected.addresses.contains(&address), "{text} {damage:?}");
    }
}

/// A gap hides one or more digits, here one or two.
#[test]
fn characters_that_are_hidden() {
    let address = address(Version::two_bytes(0x1cb8), &[7; 20]);
    let form = |more: usize| -> Form {
        let any = vec![ALPHABET.to_owned(); more];
        let of = |part: &str| part.chars().map(String::from).collect::<Form>();
        [of(&address[..20]), any, of(&address[21..])].concat()
    };
    let text = format!("{}…{}", &address[..20], &address[21..]);
    let space = space(&text, undamaged(), &common_versions());
    let all = [1, 2].map(|more| answer(&form(more), &undamaged(), &common_versions()));
    let candidates: u64 = all.iter().map(|answer| answer.candidates).sum();
    assert_eq!(space.estimate().candidates, candidates as f64);
    assert_eq!(addresses(&crate::search(&space)), [address]);
}

/// A power of 58 lies within a prefix: numbers below it have one digit less than those above. With
/// a missing or extra character both are candidates.
#[test]
fn prefixes_with_candidates_of_two_lengths() {
    for (ones, digits) in [(21, 5), (20, 6), (19, 7)] {
        for (first, given, damage) in [
            ("2z", digits, Damage { missing: 1, ..undamaged() }),
            ("2y", digits, Damage { missing: 1, ..undamaged() }),
            ("2z", digits + 1, Damage { surplus: 1, ..undamaged() }),
        ] {
            let ones = vec!["1".to_owned(); ones];
            let form: Form =
                [ones, vec![first.to_owned()], vec!["1z".to_owned(); given - 1]].concat();
            assert_agrees(&in_doubt(form, damage, BITCOIN));
        }
    }
}

/// No address is longer, even if a character is missing.
#[test]
fn a_missing_and_a_surplus_character_at_the_maximum_length() {
    let address = address(Version::two_bytes(0x1cb8), &[7; 20]);
    for text in [format!("{address}4"), address[1..].to_owned()] {
        let damage = Damage { missing: 1, surplus: 1, ..undamaged() };
        let form: Form = text.chars().map(String::from).collect();
        assert!(
            assert_agrees(&in_doubt(form, damage, &common_versions())).addresses.contains(&address)
        );
    }
}

/// The 8 and the Z are swapped, with the surplus j between them.
#[test]
fn a_surplus_character_between_two_swapped_ones() {
    let damage = Damage { surplus: 1, swapped: 1, ..undamaged() };
    let expected =
        assert_agrees(&kept("MTxuQDfEVnZj8bVsD8Qxx3RXr8HDZ1d6Qdk", damage, &common_versions()));
    assert_eq!(expected.addresses, ["MTxuQDfEVn8ZbVsD8Qxx3RXr8HDZ1d6Qdk"]);
    assert_eq!((expected.candidates, expected.prefixes), (1086, 814));
}

/// An address with some ambiguous places and some edits.
fn asked() -> impl Strategy<Value = Asked> {
    let versions = prop::sample::select(common_versions());
    let sets = prop::collection::vec((0usize..34, "[1-9A-HJ-NP-Za-km-z]{0,2}"), 0..7);
    let wildcards = prop::collection::vec(0usize..16, 0..2);
    let damage = [(); 4].map(|()| 0..=1_u8).prop_map(|[typos, missing, surplus, swapped]| Damage {
        typos,
        missing,
        surplus,
        swapped,
        ..undamaged()
    });
    let places = any::<[prop::sample::Index; 4]>();
    (versions, 0usize..20, any::<[u8; 20]>(), sets, wildcards, damage, places).prop_map(
        |(version, zeros, mut payload, sets, wildcards, damage, places)| {
            payload[..zeros].fill(0);
            let address = address(version, &payload);
            let length = address.len();
            let mut form: Form = address.chars().map(String::from).collect();
            for (place, more) in sets {
                // Half of the places are near the end, where the search is most intricate.
                let place =
                    if place % 2 == 0 { place % length } else { length - 1 - place / 2 % length };
                let own = form[place].clone();
                let mut digits: Vec<char> =
                    format!("{own}{}{more}", either_case(own.chars().next().unwrap()))
                        .chars()
                        .collect();
                digits.sort_unstable();
                digits.dedup();
                form[place] = digits.into_iter().collect();
            }
            for place in wildcards {
                let place =
                    if place % 2 == 0 { length - 1 - place / 2 % length } else { place % length };
                ALPHABET.clone_into(&mut form[place]);
            }
            // The more texts the edits make, the fewer digits each place has.
            let max_digits = match texts(&damage) {
                1.0 => ALPHABET.len(),
                few if few < 5_000.0 => 3,
                _ => 1,
            };
            for digits in form.iter_mut().filter(|digits| digits.len() > max_digits) {
                digits.truncate(1);
            }
            let at = |edit: usize, form: &Form| places[edit].index(form.len() - 1);
            if damage.missing > 0 {
                form.remove(at(0, &form));
            }
            if damage.typos > 0 {
                let at = at(1, &form);
                form[at] = "z".to_owned();
            }
            if damage.swapped > 0 {
                let at = at(2, &form);
                form.swap(at, at + 1);
            }
            if damage.surplus > 0 {
                form.insert(at(3, &form), "7".to_owned());
            }
            in_doubt(form, damage, &common_versions())
        },
    )
}

/// The approximate number of texts that damage makes of one.
fn texts(damage: &Damage) -> f64 {
    let Damage { typos, missing, surplus, swapped, .. } = *damage;
    let anything = 1.0 + 35.0 * 57.0_f64;
    anything.powi((typos + missing).into()) * 36_f64.powi((surplus + swapped).into())
}

fn size(asked: &Asked) -> f64 {
    let spellings: f64 = asked.form.iter().map(|digits| digits.len() as f64).product();
    spellings * texts(&asked.damage)
}

fn ambiguous_places_and_edits_agree(cases: u32) {
    let config = ProptestConfig {
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..ProptestConfig::with_cases(cases)
    };
    proptest!(config, |(asked in asked())| {
        prop_assume!(size(&asked) < 80_000.0);
        assert_agrees(&asked);
    });
}

#[test]
fn ambiguous_places_and_edits() {
    ambiguous_places_and_edits_agree(12);
}

#[test]
#[ignore = "takes long"]
fn ambiguous_places_and_edits_long() {
    ambiguous_places_and_edits_agree(192);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..ProptestConfig::with_cases(96)
    })]

    #[test]
    fn small_payloads(zeros in 15usize..20, mut payload: [u8; 20]) {
        payload[..zeros].fill(0);
        let address = address(Version::byte(0), &payload);
        let asked = both_cases(&address, BITCOIN);
        prop_assume!(size(&asked) < 5_000.0);
        prop_assert!(assert_agrees(&asked).addresses.contains(&address));
    }
}
