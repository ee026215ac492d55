//! Keys: published ones, damaged in every way, and counts by brute force.

use addr_recover::{
    Backend, Damage, Hit, KEY_KINDS, KeyFormat, KeyKind, LookAlikes, Outcome, ParseError, Pattern,
    Search, SearchError, SearchSpace,
};
use sha2::{Digest, Sha256};

/// From BIP 38, the wiki of Bitcoin ("Wallet import format"), Bitcoin Core's `key_io_valid.json`,
/// BIP 32 and SLIP-132.
const KEYS: &[(&str, &str)] = &[
    ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "wif-bitcoin"),
    ("5KcrFZvJ2p4dM6QVUPu53cKXcCfozA1PJLHm1mNAxkDYhgThLu4", "wif-bitcoin"),
    ("L195WBrf2G3nCnun4CLxrb8XKk9LbCqH43THh4n4QrL5SzRzpq9j", "wif-bitcoin"),
    ("KwYgW8gcxj1JWJXhPSu4Fqwzfhp5Yfi42mdYmMa4XqK7NJxXUSK7", "wif-bitcoin"),
    ("92z6HnMQR4tWqjfVA3UaUN5EuUMgoVMdCa5rZFYZfmgyD7wxYCw", "wif-testnet"),
    (
        "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU\
         3TGtRBeJgk33yuGBxrMPHi",
        "xprv",
    ),
    (
        "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu\
         4trkrX7x7DogT5Uv6fcLW5",
        "xpub",
    ),
    (
        "yprvAHwhK6RbpuS3dgCYHM5jc2ZvEKd7Bi61u9FVhYMpgMSuZS613T1xxQeKTffhrHY79hZ5PsskBjcc6C2V7Drns\
         MsNaGDaWev3GLRQRgV7hxF",
        "yprv",
    ),
    (
        "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf\
         31mGDtKsAYz2oz2AGutZYs",
        "zpub",
    ),
    ("6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg", "bip38"),
    ("6PYNKZ1EAgYgmQfmNVamxyXVWHzK5s6DGhwP4J5o44cvXdoY7sRzhtpUeo", "bip38"),
    ("6PfQu77ygVyJLZjfvMLyhLMQbYnu5uguoJJ4kMCLqWwPEdfpwANVS76gTX", "bip38"),
];

fn space(text: &str, damage: Damage) -> SearchSpace<KeyKind> {
    SearchSpace::new(&Pattern::key(text, damage).unwrap(), KEY_KINDS).unwrap()
}

fn recover(text: &str, damage: Damage) -> Outcome<KeyKind> {
    Search::new(&space(text, damage)).run().unwrap()
}

fn keys(outcome: &Outcome<KeyKind>) -> Vec<&str> {
    outcome.hits.iter().map(|hit| hit.text.as_str()).collect()
}

/// The text with another character at a place.
fn replaced(text: &str, at: usize, with: &str) -> String {
    format!("{}{with}{}", &text[..at], &text[at + 1..])
}

#[test]
fn published_keys_are_found_as_they_are() {
    for &(key, id) in KEYS {
        let hit = Hit::<KeyKind>::of(key).unwrap();
        assert_eq!(hit.format.id, id);
        assert_eq!(hit.bytes()[..], bs58::decode(key).with_check(None).into_vec().unwrap());
        let outcome = recover(key, Damage::default());
        assert_eq!((keys(&outcome), outcome.hashes), (vec![key], 1));
        assert!(!format!("{hit:?}{outcome:?}").contains(&key[1..9]));
    }
}

#[test]
fn keys_are_recovered_from_every_kind_of_damage() {
    for &(key, _) in KEYS {
        let last = key.len() - 1;
        let other = |at: usize| if &key[at..=at] == "z" { "y" } else { "z" };
        let kept = Damage::default;
        let mut cases = vec![
            (replaced(&replaced(key, 20, "?"), last, "?"), kept()),
            (replaced(key, last - 2, "?").replace(&key[last - 1..], "??"), kept()),
            (replaced(key, 30, &format!("[{}z2]", &key[30..31])), kept()),
            (replaced(key, 25, other(25)), Damage { typos: 1, ..kept() }),
            (replaced(key, last, other(last)), Damage { typos: 1, ..kept() }),
            (format!("{}{}", &key[..33], &key[34..]), Damage { missing: 1, ..kept() }),
            (format!("{}z{}", &key[..33], &key[33..]), Damage { surplus: 1, ..kept() }),
            (format!("\u{201c}key: {} {}\u{201d}", &key[..20], &key[20..]), kept()),
            (format!("private key {key}"), kept()),
        ];
        let swapped = (5..last).find(|&at| key[at..=at] != key[at + 1..at + 2]).unwrap();
        let pair = format!("{}{}", &key[swapped + 1..swapped + 2], &key[swapped..=swapped]);
        let text = format!("{}{pair}{}", &key[..swapped], &key[swapped + 2..]);
        cases.push((text, Damage { swapped: 1, ..kept() }));
        for (text, damage) in cases {
            let outcome = recover(&text, damage.clone());
            assert_eq!(keys(&outcome), [key], "{text} {damage:?}");
        }
    }
}

/// All texts with two unreadable characters, checked one by one. From the wiki of Bitcoin.
#[test]
fn mini_keys_that_pass_their_check_are_found() {
    let digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let texts = |text: &str| -> Vec<String> {
        digits.chars().map(|digit| text.replacen('?', &digit.to_string(), 1)).collect()
    };
    for key in ["SzavMBLoXU6kDrqtUVmffv", "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy"] {
        for (first, second) in [(9, key.len() - 1), (1, 2)] {
            let text = replaced(&replaced(key, first, "?"), second, "?");
            let passes = |text: &String| Sha256::digest(format!("{text}?"))[0] == 0;
            let expected: Vec<String> =
                texts(&text).iter().flat_map(|text| texts(text)).filter(passes).collect();
            let outcome = recover(&text, Damage::default());
            assert_eq!(
                (keys(&outcome), outcome.hashes),
                (expected.iter().map(|key| &**key).collect(), 58 * 58)
            );
            assert!(keys(&outcome).contains(&key));
            assert!(
                (space(&text, Damage::default()).estimate().expected_by_chance
                    - 58.0 * 58.0 / 256.0)
                    .abs()
                    < 1e-9
            );
        }
        let hit = Hit::<KeyKind>::of(key).unwrap();
        assert_eq!((hit.format.id, &hit.bytes()[..]), ("mini", &Sha256::digest(key)[..]));
        assert_eq!(Hit::<KeyKind>::of(&replaced(key, 9, "z")), None);
        // Its first character is known.
        assert!(
            keys(&recover(&replaced(key, 0, "?"), Damage::default()))
                .iter()
                .all(|found| *found == key)
        );
        for damage in
            [Damage { typos: 1, ..Damage::default() }, Damage { swapped: 1, ..Damage::default() }]
        {
            assert!(keys(&recover(key, damage)).contains(&key));
        }
        let longer = format!("{}z{}", &key[..9], &key[9..]);
        assert!(keys(&recover(&longer, Damage { surplus: 1, ..Damage::default() })).contains(&key));
        let backends = Backend::available().into_iter().map(|backend| {
            Search::new(&space(&key[1..], Damage { missing: 1, ..Damage::default() }))
                .backend(backend)
                .run()
                .unwrap()
        });
        let outcomes: Vec<Outcome<KeyKind>> = backends.collect();
        assert!(
            outcomes.iter().all(|outcome| keys(outcome).contains(&key) && *outcome == outcomes[0])
        );
    }
}

#[test]
fn a_lost_case_is_restored_in_part_of_a_key() {
    let key = KEYS[2].0;
    let either = |c: char| match c {
        'i' | 'o' | 'L' | '1'..='9' => c.to_string(),
        c => format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase()),
    };
    let text: String =
        key[..34].chars().map(String::from).chain(key[34..].chars().map(either)).collect();
    let space = space(&text, Damage::default());
    assert_eq!(space.estimate().candidates, f64::from(1_u32 << text.matches('[').count()));
    assert_eq!(keys(&Search::new(&space).run().unwrap()), [key]);
}

/// All texts with these sets, tried one by one with another decoder.
#[test]
fn every_candidate_counts_once_and_every_key_is_found() {
    let key = KEYS[2].0;
    let digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    // The first digits that the version allows, and a carry into the byte before the checksum.
    for (first, at, second) in [("?", 44, digits), ("[5KLM]", 45, digits), ("?", 51, digits)] {
        let text = replaced(key, at, "?").replacen('L', first, 1);
        let (mut candidates, mut prefixes, mut found) = (0, Vec::new(), Vec::new());
        let first = if first == "?" { digits } else { "5KLM" };
        for (one, two) in first.chars().flat_map(|one| second.chars().map(move |two| (one, two))) {
            let text = replaced(key, at, &two.to_string()).replacen('L', &one.to_string(), 1);
            let bytes = bs58::decode(&text).into_vec().unwrap();
            let is_wif = bytes.len() == 38 && [0x80, 0xef, 0xb0, 0x9e, 0xcc].contains(&bytes[0]);
            candidates += u64::from(is_wif);
            if is_wif && bytes[33] == 1 {
                prefixes.push(bytes[..34].to_vec());
                let checksum = Sha256::digest(Sha256::digest(&bytes[..34]));
                if checksum[..4] == bytes[34..] {
                    found.push(text);
                }
            }
        }
        prefixes.sort();
        prefixes.dedup();
        let space = space(&text, Damage::default());
        assert_eq!(space.estimate().candidates, candidates as f64, "{text}");
        let legal = space.estimate().expected_by_chance * 2_f64.powi(32);
        for backend in Backend::available() {
            let outcome = Search::new(&space).backend(backend).run().unwrap();
            assert_eq!(keys(&outcome), found, "{text}");
            assert_eq!(outcome.hashes, prefixes.len() as u64, "{text}");
        }
        assert!(legal >= prefixes.len() as f64 && legal <= candidates as f64, "{legal}");
    }
}

/// The last five digits make more than the checksum, so the smallest ones make another prefix.
#[test]
fn tails_that_carry_into_the_prefix_are_found() {
    let keys_of = |secret: u8| {
        [&[][..], &[1]].map(|end| {
            bs58::encode([&[0x80][..], &[secret; 32], end].concat()).with_check().into_string()
        })
    };
    let carries = |key: &String| {
        let bytes = bs58::decode(key).into_vec().unwrap();
        let checksum = u32::from_be_bytes(*bytes.last_chunk().unwrap());
        let tail = bs58::decode(&key[key.len() - 5..]).into_vec().unwrap();
        let tail = tail.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        u64::from(checksum) < tail
    };
    let keys: Vec<String> = (1..200).flat_map(keys_of).filter(carries).collect();
    assert!(keys.len() > 10, "{}", keys.len());
    for key in keys {
        let outcome = recover(&format!("{}?????", &key[..key.len() - 5]), Damage::default());
        assert!(outcome.hits.iter().any(|hit| *hit.text == key), "{key}");
    }
}

/// There is an answer at once, even if there are more candidates than can be counted.
#[test]
fn hopeless_searches_are_told_at_once() {
    for length in [51, 52, 58, 111] {
        let space = space(&"?".repeat(length), Damage::default());
        assert!(space.estimate().expected_by_chance > 1e30, "{length}");
        assert!(space.estimate().hashes > 1e30, "{length}");
    }
    let cancelled = std::sync::atomic::AtomicBool::new(true);
    let space = space("xprv…", Damage::default());
    assert!(matches!(Search::new(&space).cancel(&cancelled).run(), Err(SearchError::Cancelled(_))));
}

#[test]
fn a_marker_makes_chance_hits_rarer() {
    let key = KEYS[2].0;
    // Six characters in the middle: 2^35 candidates, of which one in 256 ends in the right byte.
    let text = format!("{}??????{}", &key[..20], &key[26..]);
    let space = space(&text, Damage::default());
    let expected = 58_f64.powi(6) / 2_f64.powi(32) / 256.0;
    assert!((space.estimate().expected_by_chance / expected - 1.0).abs() < 0.4);
    // The last characters do not change the byte.
    let space = self::space(&format!("{}????", &key[..48]), Damage::default());
    let expected = 58_f64.powi(4) / 2_f64.powi(32);
    assert!((space.estimate().expected_by_chance / expected - 1.0).abs() < 1e-3);
}

#[test]
fn only_keys_with_legal_bytes_are_keys() {
    // BIP 32, test vector 5: their checksums are right.
    for invalid in [
        "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZaf\
         Ez7mnzBBsz4wKY5fTtTQBm",
        "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGTQQD3dC4H2D5GBj7vWvSQaaBv5c\
         xi9gafk7NF3pnBju6dwKvH",
        "xprv9s2SPatNQ9Vc6GTbVMFPFo7jsaZySyzk7L8n2uqKXJen3KUmvQNTuLh3fhZMBoG3G4ZW1N2kZuHEPY53qmbZz\
         CHshoQnNf4GvELZfqTUrcv",
    ] {
        assert!(bs58::decode(invalid).with_check(None).into_vec().is_ok());
        assert_eq!(Hit::<KeyKind>::of(invalid), None);
        assert!(recover(invalid, Damage::default()).hits.is_empty());
    }
    let of = |bytes: &[u8]| Hit::<KeyKind>::of(&bs58::encode(bytes).with_check().into_string());
    let mut wif = vec![0x80; 33];
    assert_eq!(of(&wif).unwrap().format.format, KeyFormat::Wif);
    wif.push(1);
    assert_eq!(of(&wif).unwrap().format.name, "Bitcoin WIF, compressed");
    wif[33] = 2;
    assert_eq!(of(&wif), None);
    assert_eq!(of(&[&[0x80][..], &[0; 32]].concat()), None);
    assert_eq!(of(&[&[0x80][..], &[0xff; 32]].concat()), None);
    let mut master = vec![0x04, 0x88, 0xad, 0xe4];
    master.resize(78, 0);
    master[77] = 1;
    assert!(of(&master).is_some());
    master[5] = 1;
    assert_eq!(of(&master), None, "a master key with a parent");
    master[4] = 1;
    assert!(of(&master).is_some());
    assert_eq!(Hit::<KeyKind>::of(&format!("1{}", KEYS[0].0)), None);
    assert_eq!(Hit::<KeyKind>::of(""), None);
}

#[test]
fn kinds_select_keys_and_errors_name_the_problem() {
    let key = KEYS[0].0;
    let pattern = Pattern::key(key, Damage::default()).unwrap();
    for (id, hits) in [("wif", 1), ("wif-bitcoin", 1), ("wif-testnet", 0), ("bip38", 0)] {
        let space = SearchSpace::new(&pattern, &KeyKind::matching(id)).unwrap();
        assert_eq!(Search::new(&space).run().unwrap().hits.len(), hits, "{id}");
    }
    let error = |text: &str| Pattern::key(text, Damage::default()).unwrap_err();
    assert_eq!(error(" "), ParseError::Empty);
    assert_eq!(error(&key[..40]), ParseError::KeyLength { given: 40 });
    assert_eq!(error(&format!("{}...a...", &key[..9])), ParseError::SecondGap { position: 14 });
    // A character that is no digit is an unreadable one.
    assert_eq!(keys(&recover(&key.replacen('8', "!", 1), Damage::default())), [key]);
    assert!(!format!("{pattern:?}").contains("5Hue"));
    let alike = Damage { look_alikes: LookAlikes::everywhere("8B"), ..Damage::default() };
    assert_eq!(keys(&recover(&key.replacen('8', "B", 1), alike)), [key]);
    assert_eq!(keys(&recover(&format!("{}…{}", &key[..48], &key[49..]), Damage::default())), [key]);
}

#[test]
fn a_search_can_be_filtered_and_watched() {
    use std::sync::atomic::{AtomicU64, Ordering};

    let key = KEYS[2].0;
    let space = space(&format!("{}???{}", &key[..20], &key[23..]), Damage::default());
    let tried = AtomicU64::new(0);
    let watch = |hashes| {
        tried.fetch_max(hashes, Ordering::Relaxed);
    };
    let outcome = Search::new(&space).progress(&watch).run().unwrap();
    let expected = space.estimate().hashes;
    assert_eq!(keys(&outcome), [key]);
    // One in 256 has the right last byte. The others are tried without a hash.
    assert!((tried.into_inner() as f64 / expected - 1.0).abs() < 1e-3);
    assert!((outcome.hashes as f64) < expected / 100.0);
    assert!(Search::new(&space).keep(&|_| false).run().unwrap().hits.is_empty());
}
