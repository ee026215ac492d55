//! Which texts are read, and as what.

use addr_recover::{Certainty, Damage, Foreign, ParseError, Pattern, Reading, repair};
use bech32::{Hrp, segwit};

/// What a text is that has another format, if its checksum restores that.
fn damaged(text: &str) -> Option<&'static str> {
    match Pattern::parse(text) {
        Err(ParseError::Foreign(Foreign::Damaged { what, .. })) => Some(what),
        _ => None,
    }
}

const LIGHTNING: Foreign = Foreign::Caseless("an invoice of Lightning");

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
    assert_eq!(lengths(&Damage { missing: 1, ..Damage::default() }), (25, 39));
    // 40 of them may be those of Ethereum.
    assert_eq!(lengths(&Damage { surplus: 2, ..Damage::default() }), (26, 41));
}

/// Texts of which no part is like an address, so that all of it is read.
#[test]
fn what_was_read_is_read_again() {
    for foreign in ["~".repeat(26), "*".repeat(26), "?".repeat(26), "~*".repeat(13)] {
        for (before, after) in [("*", ""), ("?", "?"), ("", "_"), ("~", "*")] {
            let text = format!("{before}2fLf5TZT4{foreign}ZnX7{after}");
            let read = Pattern::split(&text);
            assert_eq!(Pattern::split(&read[0]), read, "{text}");
        }
    }
}

/// Examples from BIP 173, the CashAddr specification and EIP-55.
#[test]
fn formats_are_told_apart() {
    for (text, foreign) in [
        ("5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", Some(Foreign::Ethereum)),
        ("bitcoincash:1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", None),
        ("TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT", None),
        ("my key: SzavMBLoXU6kDrqtUVmffx", Some(Foreign::MiniKey)),
        ("my key: S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy", Some(Foreign::MiniKey)),
        ("my key: S6c56bnXQiBjk9mqSYE7ykVQ7NzrR?", Some(Foreign::MiniKey)),
        ("I saw SzavMBLoXU6kDrqtUVmffv there", Some(Foreign::MiniKey)),
        // As long as a mini key, whose check fails: it may have a fault. Beside an address, it is
        // left out.
        ("SzavMBLoXU6kDrqtUVmffx: 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", None),
        ("SjzbBTYjFiAUwVtAq4KZLfBYbkzgC6", Some(Foreign::MiniKey)),
        (&"4".repeat(95), Some(Foreign::Unsupported("a Monero address"))),
        (&format!("nano_3{}gi", "t6k35gi1".repeat(7)), Some(Foreign::Caseless("a Nano address"))),
        (&format!("send xpub{} to me", "6D4BDPcP".repeat(13)), Some(Foreign::ExtendedPublicKey)),
        (&format!("pay lnbc{} today", "2500u1pv".repeat(9)), Some(LIGHTNING)),
    ] {
        let error = foreign.map(ParseError::Foreign);
        assert_eq!(Pattern::parse(text).err(), error, "{text}");
    }
    // Of formats whose checksums restore them.
    for (text, what) in [
        ("via1qw508d6qejxtdg4y5r3zarvary0c5xw7kxzdzsn", "a Bech32 address"),
        ("bc1qw508d6qejxtdg4y5r3zarvaryoc5xw7kv8f3t4", "a Bech32 address"),
        ("bc1qw508d6qejxtdg4y5r3zarvary?c5xw7kv8f3t4", "a Bech32 address"),
        ("bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6", "a CashAddr address"),
        ("qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdxb6a", "a CashAddr address"),
        ("GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN?", "a Stellar address"),
    ] {
        assert_eq!(damaged(text), Some(what), "{text}");
    }
}

/// In any format. A list in braces is a set, as in brackets.
#[test]
fn a_number_in_braces_stands_for_as_many_characters() {
    let address = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
    for (text, expected) in [
        ("1Lbcfr7sAHTD{2}gdQo3HTMTkV8LK4ZnX71", "1Lbcfr7sAHTD??gdQo3HTMTkV8LK4ZnX71"),
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn{3}", "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn???"),
        ("1Lbcfr7sAHTD{7,9}CgdQo3HTMTkV8LK4ZnX71", "1Lbcfr7sAHTD[79]CgdQo3HTMTkV8LK4ZnX71"),
        (
            "bc1qw508d6qejxtdg{3}r3zarvary0c5xw7kv8f3t4",
            "bc1qw508d6qejxtdg???r3zarvary0c5xw7kv8f3t4",
        ),
    ] {
        assert_eq!(Pattern::split(text), [expected], "{text}");
    }
    let answer = addr_recover::repair("1Lbcfr7sAHTD{2}gdQo3HTMTkV8LK4ZnX71").unwrap();
    assert_eq!(answer.addresses[0].address, address);
}

/// Characters in groups of a size.
fn in_groups(text: &str, size: usize, separator: &str) -> String {
    let groups: Vec<&str> =
        text.as_bytes().chunks(size).map(|group| str::from_utf8(group).unwrap()).collect();
    groups.join(separator)
}

/// From the specification of CashAddr. Its prefix is in groups, too.
#[test]
fn groups_of_a_prefix_are_joined() {
    let address = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
    for damaged in [
        address.to_owned(),
        address.to_uppercase(),
        address.replacen("hks2", "hkq2", 1),
        address.replacen("hks2", "hk?2", 1),
        address.replacen("hks2", "HkS2", 1),
        address.replacen("hks2", "HkQ2", 1),
    ] {
        for size in 2..=14 {
            for separator in [" ", "-", "\n", "\u{a0}"] {
                for label in ["", "Send to ", "BCH: "] {
                    let text = format!("{label}{}", in_groups(&damaged, size, separator));
                    let found = repair(&text).map(|it| it.addresses[0].address.to_lowercase());
                    assert_eq!(found.as_deref(), Ok(address), "{text:?}");
                }
            }
        }
    }
    // Of other networks, and after the colon.
    let ecash = "e cash: qpm2 qszn hks2 3z76 29mm s6s4 cwef 74vc wva8 7rkuu2";
    assert!(Reading::of(ecash).is_ok_and(|it| it.addresses().count() == 1));
}

/// Whether they are shortened, or with them a damaged address would have the right length.
#[test]
fn words_beside_an_address_are_no_part_of_it() {
    for (words, address) in [
        ("Send to ", "3Nw\u{2026}"),
        ("Send it to ", "1Lb\u{2026}"),
        ("Send to ", "3NwgfGLLBLkSZuDY2nzGcg9AZKPBhqWM"),
        ("to ", "3NwgfGLLBLkSZuDY2nzGcg9AZKPBhqWM"),
        ("Pay ", "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Z"),
        ("look at ", "3NwgfGLLBLkSZuDY2nzGcg9AZKPBhqWM"),
    ] {
        assert_eq!(Pattern::split(&format!("{words}{address}")), [address], "{words}");
    }
}

/// One is intact and one is damaged, and all groups have one size.
#[test]
fn two_addresses_in_groups_are_no_key() {
    let addresses = [
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271"),
        ("TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6s2MW"),
        (
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "bc1qw508d6qejxtdg5y5r3zarvary0c5xw7kv8f3t4",
        ),
        (
            "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
            "bitcoincash:qpm2qsznhks23z7629mms6s4cwqf74vcwvy22gdx6a",
        ),
        (
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Be7ed",
        ),
    ];
    let mut missed = Vec::new();
    for (intact, _) in addresses {
        for (_, damaged) in addresses {
            for size in [3, 4, 5, 6, 7, 8, 10, 12] {
                for between in [" or ", ", ", " / ", "; ", "\n", "\r\n", "\n\n", " | "] {
                    let [one, other] = [intact, damaged].map(|it| in_groups(it, size, " "));
                    for text in [format!("{one}{between}{other}"), format!("{other}{between}{one}")]
                    {
                        let count = Reading::of(&text).map(|it| it.addresses().count());
                        if count != Ok(2) {
                            missed.push(text);
                        }
                    }
                }
            }
        }
    }
    assert!(missed.is_empty(), "{}: {missed:#?}", missed.len());
}

/// Letters in the wrong case and no prefix, in Bech32 and in `CashAddr`.
#[test]
fn an_address_without_its_prefix_may_be_in_mixed_case() {
    for (text, address) in [
        ("qW508D6QEJxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
        (
            "P0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        ),
        (
            "QPM2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
            "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
        ),
    ] {
        let answer = repair(text).unwrap();
        assert_eq!(answer.addresses[0].address, address);
        assert!(answer.note.is_some(), "{text}");
    }
}

/// The prefixes of Bitcoin and its relatives before the `1` of Bech32.
const BECH32_PREFIXES: [&str; 14] = [
    "bc", "tb", "bcrt", "ltc", "nc", "dgb", "vtc", "via", "mona", "btg", "grs", "sys", "qc", "flo",
];

/// Whatever surrounds it, and in capital letters, too. The rest is intact, so that the answer is
/// certain.
fn assert_restored(damaged: &str, address: &str) {
    for text in [
        damaged.to_owned(),
        format!("Send it to {damaged}, please."),
        format!("my address: {damaged}\nThank you"),
        damaged.to_ascii_uppercase(),
    ] {
        let answer = repair(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        let found: Vec<&str> = answer.addresses.iter().map(|it| &*it.address).collect();
        assert_eq!(found, [address], "{text:?}");
        let certainty = answer.evidence().map(|it| it.certainty());
        assert!(certainty.is_none_or(|it| it == Certainty::Certain), "{text:?}: {answer:?}");
    }
}

#[test]
fn a_damaged_prefix_of_bech32_is_restored() {
    for prefix in BECH32_PREFIXES {
        let hrp = Hrp::parse(prefix).unwrap();
        let bytes: Vec<u8> = (0..32).map(|at| (at * 7) ^ prefix.as_bytes()[0]).collect();
        for address in [
            segwit::encode_v0(hrp, &bytes[..20]).unwrap(),
            segwit::encode_v0(hrp, &bytes).unwrap(),
            segwit::encode_v1(hrp, &bytes).unwrap(),
        ] {
            let length = prefix.len() + 1;
            for lost in 1..=length {
                assert_restored(&address[lost..], &address);
            }
            for at in 0..length {
                let (before, after) = (&address[..at], &address[at + 1..]);
                assert_restored(&format!("{before}{after}"), &address);
                // Other networks begin with some of them.
                let wrong = format!("{before}x{after}");
                if !BECH32_PREFIXES.iter().any(|it| wrong.starts_with(&format!("{it}1"))) {
                    assert_restored(&wrong, &address);
                }
            }
        }
    }
}

/// With other damage, it has some of the same candidates, but is repaired as far as these are few.
#[test]
fn other_damage_after_a_damaged_prefix_is_repaired() {
    let address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    for lost in 1..=2 {
        for at in 4..address.len() {
            for other in ["?", "b", "2"] {
                let text = format!("{}{other}{}", &address[lost..at], &address[at + 1..]);
                let found = repair(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert!(
                    found.addresses.iter().any(|it| it.address == address),
                    "{text}: {found:?}"
                );
            }
        }
    }
}

/// From the specification of `CashAddr`. A prefix without its colon is as long as a private key.
#[test]
fn a_damaged_prefix_of_cash_addr_is_restored() {
    for address in [
        "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
        "ecash:qpm2qsznhks23z7629mms6s4cwef74vcwva87rkuu2",
    ] {
        let (prefix, data) = address.split_once(':').unwrap();
        for lost in 0..=prefix.len() - 4 {
            let left = &prefix[lost..];
            for between in [":", "", " "] {
                assert_restored(&format!("{left}{between}{data}"), address);
            }
        }
        let (before, after) = (&data[..20], &data[21..]);
        for damaged in [format!("{before}8{after}"), format!("{before}{after}")] {
            let answer = repair(&format!("{prefix}{damaged}")).unwrap();
            assert_eq!(answer.addresses[0].address, address);
        }
    }
}

/// From SEP-23 and EIP-55.
#[test]
fn a_first_letter_that_was_lost_is_restored() {
    for address in [
        "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
        "CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA",
        "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ",
    ] {
        assert_restored(&address[1..], address);
        // That of the secret seed with the same bytes is another one.
        let seed = "SA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I";
        let error = Pattern::parse(&seed[1..]).unwrap_err();
        assert!(error.may_be_key(), "{error}");
        assert_eq!(Pattern::split(&seed[1..]), [""; 0]);
    }
    let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for text in [&address[1..], &address[2..], &address.replacen("0x", "X", 1)] {
        let answer = repair(&format!("to {text}.")).unwrap();
        assert_eq!(answer.addresses[0].address, address, "{text}");
        assert_eq!(answer.estimate, None, "{text}");
    }
}
