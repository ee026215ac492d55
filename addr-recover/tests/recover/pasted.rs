//! What people paste, and the address that is read from it.

mod inputs;

use addr_recover::{Damage, Foreign, Hit, Kind, ParseError, Pattern, Version};

use crate::{addresses, search, space};
use inputs::{ADDRESS, LONGER, PASTED, SHORTER};

const BASE58: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// From BIP 173 and EIP-55.
const BECH32: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const BECH32_LONG: &str = "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7";
const ETHEREUM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

#[test]
fn the_address_is_found_in_what_is_pasted() {
    for address in [ADDRESS, SHORTER, LONGER] {
        assert!(Hit::<Version>::of(address).is_some(), "{address}");
    }
    for (pasted, expected) in PASTED {
        let expected = expected.unwrap_or(ADDRESS);
        let pattern = Pattern::parse(pasted).unwrap_or_else(|error| panic!("{pasted:?}: {error}"));
        assert_eq!(pattern.address(), expected, "{pasted:?}");
        assert_eq!(pattern.as_str(), *pasted);
        let again = Pattern::parse(pattern.address()).unwrap();
        assert_eq!(again.address(), expected, "{pasted:?}, twice");
    }
}

/// An error is better than the answer to another question.
#[test]
fn what_is_not_one_address_is_refused() {
    for (pasted, error) in [
        ("1Lbc fr7s".to_owned(), ParseError::Length { given: 8 }),
        ("1Lbc-fr7s-AHTD-9Cgd".to_owned(), ParseError::Length { given: 16 }),
        ("address: 1Lbc fr7s".to_owned(), ParseError::Length { given: 8 }),
        ("(\"\")".to_owned(), ParseError::Empty),
        ("address:".to_owned(), ParseError::Empty),
        ("1Lbc...7sAH...71".to_owned(), ParseError::SecondGap { position: 12 }),
    ] {
        assert_eq!(Pattern::parse(&pasted), Err(error), "{pasted:?}");
    }
}

#[test]
fn several_addresses_are_told_apart() {
    let grouped = "1Lbc fr7s AHTD 9Cgd Qo3H TMTk V8LK 4ZnX 71";
    let bech32_damaged = "bc1qw508b6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    let bech32_grouped = "bc1q w508 d6qe jxtd g4y5 r3za rvar y0c5 xw7k v8f3 t4";
    let homoglyph = ADDRESS.replacen('c', "\u{441}", 1);
    let joined = bech32_grouped.replace(' ', "");
    for (pasted, addresses) in [
        (format!("{ADDRESS},{SHORTER}"), vec![ADDRESS, SHORTER]),
        (format!("either {ADDRESS} or {SHORTER}."), vec![ADDRESS, SHORTER]),
        (format!("{ADDRESS}, {SHORTER} {LONGER}"), vec![ADDRESS, SHORTER, LONGER]),
        (format!("{ADDRESS}, {SHORTER} {ADDRESS}"), vec![ADDRESS, SHORTER]),
        (format!("{grouped}, {SHORTER}"), vec![ADDRESS, SHORTER]),
        (format!("{SHORTER}, {grouped}"), vec![SHORTER, ADDRESS]),
        ("1Lbcfr…4ZnX71 or 1dice…xaYDp".to_owned(), vec!["1Lbcfr…4ZnX71", "1dice…xaYDp"]),
        ("1Lbcfr...4ZnX71 or 1dice...".to_owned(), vec!["1Lbcfr…4ZnX71", "1dice…"]),
        (format!("{homoglyph} or {SHORTER}"), vec![ADDRESS, SHORTER]),
        (format!("{BECH32} or {ADDRESS}, {ETHEREUM}"), vec![BECH32, ADDRESS, ETHEREUM]),
        (format!("{ETHEREUM}\n{BECH32_LONG}\n{BECH32}!"), vec![ETHEREUM, BECH32_LONG, BECH32]),
        (format!("{bech32_damaged}, {BECH32}"), vec![bech32_damaged, BECH32]),
        (format!("{bech32_grouped}; {SHORTER}"), vec![&*joined, SHORTER]),
    ] {
        assert_eq!(Pattern::split(&pasted), addresses, "{pasted:?}");
        let count = addresses.len();
        let several = if count > 1 { Err(ParseError::Several { count }) } else { Ok(()) };
        assert_eq!(Pattern::parse(&pasted).map(|_| ()), several, "{pasted:?}");
    }
    assert_eq!(Pattern::split(&format!("see {ADDRESS}!")), [ADDRESS]);
}

#[test]
fn other_formats_are_found_in_what_is_pasted() {
    let groups = |address: &str, between: &str| {
        let groups: Vec<&str> = (0..address.len())
            .step_by(4)
            .map(|at| &address[at..address.len().min(at + 4)])
            .collect();
        groups.join(between)
    };
    for address in [BECH32, BECH32_LONG, ETHEREUM] {
        let line_break = format!("{}\n{}", &address[..30], &address[30..]);
        for text in [
            address.to_owned(),
            groups(address, " "),
            groups(address, "-"),
            line_break.clone(),
            line_break.replace('\n', "-\r\n  "),
            format!("my address: {line_break}"),
            format!("Address {line_break} thanks"),
            groups(address, "\u{200b}"),
            format!("**{address}**"),
            format!("_{address}_,"),
            format!("\u{201c}{address}\u{201d}."),
            format!("pay to {address} today!"),
            format!("pay to {address}!"),
            format!("[donate]({address})"),
            format!("<b>{address}</b>"),
            format!("https://example.org/address/{address}?x=1"),
            format!("bitcoin:{address}?amount=1"),
            address.replacen('a', "\u{430}", 1),
        ] {
            assert_eq!(Pattern::split(&text), [address], "{text:?}");
            let error = Pattern::parse(&text).unwrap_err();
            assert!(matches!(error, ParseError::Foreign(_)), "{text:?}: {error}");
        }
    }
    // Without 0x, only a checksum makes hexadecimal digits an address.
    let commit = "e83c5163316f89bfbde7d9ab23ca2e25604af290";
    assert_eq!(Pattern::parse(&format!("{ADDRESS} since {commit}")).unwrap().address(), ADDRESS);
    assert_eq!(Pattern::split(&format!("{ADDRESS} or {}", &ETHEREUM[2..])).len(), 2);
}

/// The rest may have the length of a private key, or the beginning that of a shorter address.
#[test]
fn a_line_may_end_anywhere_in_a_bech32_address() {
    // From BIP 350.
    let taproot = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";
    for address in [BECH32, BECH32_LONG, taproot] {
        for spelled in [address.to_owned(), address.to_ascii_uppercase()] {
            for at in 4..address.len() {
                let (one, other) = spelled.split_at(at);
                for between in [" ", "\n", "-\n", "<br>", "\n> "] {
                    let text = format!("{one}{between}{other}");
                    assert_eq!(Pattern::split(&text), [&*spelled], "{text:?}");
                }
            }
        }
    }
}

/// A short gap can be searched; one of more than half an address cannot.
#[test]
fn hidden_characters_are_searched() {
    let damage = Damage::default();
    let space = space("1Lbcfr7sAHTD9CgdQ…MTkV8LK4ZnX71", damage.clone(), &Kind::common_versions());
    assert!(space.estimate().expected_by_chance < 0.01);
    assert_eq!(addresses(&search(&space)), [ADDRESS]);
    let hidden = crate::space("1Lbcfr…4ZnX71", damage, &Kind::common_versions());
    assert!(hidden.estimate().expected_by_chance > 1e20);
    assert!(hidden.allows(ADDRESS) && !hidden.allows(SHORTER));
}

/// The keys are from the Bitcoin wiki, and are spent.
#[test]
fn private_keys_are_not_searched() {
    let (long, short) = (
        "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
        "L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ",
    );
    for key in [long, short] {
        let groups_of = |size: usize| -> Vec<&str> {
            let begins = (0..key.len()).step_by(size);
            begins.map(|at| &key[at..key.len().min(at + size)]).collect()
        };
        let groups = groups_of(4);
        for text in [
            key.to_owned(),
            key.to_lowercase(),
            key.replace("V", "?").replace("y", "_"),
            format!("{key}1"),
            format!("{} {}", &key[..34], &key[34..]),
            format!("{} {}", &key[..20], &key[20..]),
            format!("private key {}", groups.join(" ")),
            format!("WIF: {} {}", &key[..30], &key[30..]),
            format!("my key is {key}, thanks"),
            format!("{ADDRESS}: {key}"),
            format!("{key}, {ETHEREUM}"),
            format!("{ADDRESS} {} {}", &key[..26], &key[26..]),
            format!("{ADDRESS} {}", groups.join(" ")),
            format!("my key is {}, thanks", groups.join(" ")),
            format!("2014 {} 10:30", groups.join(" ")),
            format!("savings ({})", groups.join(" ")),
            format!("?{}", &key[1..]),
            format!("_{}", &key[1..]),
            format!("?{}", &groups.join(" ")[1..]),
            format!("[KL5]{}", &key[1..]),
            format!("{}[4Z]{}", &key[..20], &key[21..]),
            format!("bitcoin:{ADDRESS}?label={key}"),
            format!("[[{key}]]"),
            format!("[{key}"),
            format!("{key}'s"),
            format!("x{key}"),
            format!("my key: {}", groups_of(3).join(" ")),
            groups.join(".").replacen('V', "?", 1),
            groups.join(" | ").replacen('V', "?", 1),
            format!("{key}{key}"),
            // Beside what a Bech32 address begins with.
            format!("bc1 {}", key.to_lowercase()),
            format!("{BECH32} {}", groups.join(" ").to_lowercase()),
            format!("bc1qw508d6 {}", &key[..51]),
            format!("??1?{}", &key.to_lowercase()[..41]),
        ] {
            assert_eq!(
                Pattern::parse(&text),
                Err(ParseError::Foreign(Foreign::PrivateKey)),
                "{text}"
            );
            assert_eq!(Pattern::split(&text), [""; 0]);
        }
        let not_utf8 = [key.as_bytes(), b"\xff"].concat();
        assert_eq!(
            Pattern::parse(&String::from_utf8_lossy(&not_utf8)),
            Err(ParseError::Foreign(Foreign::PrivateKey))
        );
    }
    // Damaged and in pieces.
    for key in [long, short] {
        let at = |place: usize, with: &str| format!("{}{with}{}", &key[..place], &key[place + 1..]);
        for damaged in [at(0, "A"), at(0, "é"), at(15, "z"), at(20, "%"), at(20, "")] {
            let divided = |places: &[usize], between: &str| {
                let mut text: Vec<String> = damaged.chars().map(String::from).collect();
                places.iter().for_each(|&place| text[place].insert_str(0, between));
                text.concat()
            };
            for between in [" ", "\n", ".", ", ", " . ", "\n> ", "~", "\"\n\""] {
                for places in [&[7, 16, 29, 41][..], &[30, 46], &[8, 16, 24, 32, 40, 48]] {
                    let text = divided(places, between);
                    for text in [format!("my key is {text}, thanks"), text] {
                        assert_eq!(
                            Pattern::parse(&text),
                            Err(ParseError::Foreign(Foreign::PrivateKey)),
                            "{text}"
                        );
                    }
                }
            }
        }
    }
    // As long as a private key, but an address.
    let hash = "0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098";
    for text in [
        "look at 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 please",
        "look at 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71 please now",
        "lm2wmpr1rp6j3sa59cmxms1spzj9expsto and so on and on",
        "lm2wmpr1rp6j3sa59cmxms1spzj9expsto my old savings 2019",
        "5 btc to 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71 by 2024 please",
        "keep 3 btc at 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71 thanks",
        "like this then from 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71",
        "long lost address 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
        "my old savings 1Lbc fr7s AHTD9 CgdQo 3HTMTkV8 LK4Z nX71",
        "1Lbc fr7s AHTD9 CgdQo 3HTMTkV8 LK4Z nX71 Mt7 Gox9 2fA2 xAc8",
        &format!("{ADDRESS} in {hash}"),
        &ADDRESS.replace('4', &format!("[{BASE58}]")),
        &ADDRESS.replace('4', &format!("[{}]", &BASE58[4..56])),
        &format!("bitcoin:{ADDRESS}?label=old_savings_of_2014_that_i_keep_in_the_box_at_home"),
    ] {
        let parsed = Pattern::parse(text);
        assert!(parsed.is_ok(), "{text}: {parsed:?}");
    }
    // A Taproot address (BIP 350) with a group that begins like a key.
    let taproot = "bc1p 0xlx vlhe mja6 c4dq v22u apct qupf hlxm 9h8z 3k2e 72q4 k9hc z7vq zk5j j0";
    let spaced: Vec<String> = taproot.replace(' ', "").chars().map(String::from).collect();
    let lettered = taproot.replacen("vlhe mja6", "vlhe cja6", 1);
    for text in
        [taproot.to_owned(), taproot.replacen("0xlx", "lxlx", 1), spaced.join(" "), lettered]
    {
        let error = Pattern::parse(&text);
        let is_bech32 = matches!(
            error,
            Err(ParseError::Foreign(Foreign::Damaged { what: "a Bech32 address", .. }))
        );
        assert!(is_bech32, "{text}: {error:?}");
    }
}
