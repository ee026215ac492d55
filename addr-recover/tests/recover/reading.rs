//! Which texts are read, and as what.

use addr_recover::{Damage, Foreign, ParseError, Pattern};

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
