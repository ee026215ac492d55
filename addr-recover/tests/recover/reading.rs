//! Which texts are read, and as what.

use addr_recover::{Damage, Foreign, ParseError, Pattern, Reading, repair};

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
                for between in [" or ", ", ", " / ", "; "] {
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
