//! Keys in whatever people paste are recognised as keys, before anything is read as an address.

use addr_recover::{ParseError, Pattern, Reading};

/// From BIP 38, BIP 32, SLIP-132, the wiki of Bitcoin and Bitcoin Core's `key_io_valid.json`.
pub(crate) const KEYS: [&str; 9] = [
    "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
    "L195WBrf2G3nCnun4CLxrb8XKk9LbCqH43THh4n4QrL5SzRzpq9j",
    "92z6HnMQR4tWqjfVA3UaUN5EuUMgoVMdCa5rZFYZfmgyD7wxYCw",
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU\
     3TGtRBeJgk33yuGBxrMPHi",
    "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu\
     4trkrX7x7DogT5Uv6fcLW5",
    "zprvAWgYBBk7JR8Gjrh4UJQ2uJdG1r3WNRRfURiABBE3RvMXYSrRJL62XuezvGdPvG6GFBZduosCc1YP5wixPox7z\
     htBxTKSDHyBK8mNL8ekmBw",
    "6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg",
    "6PfQu77ygVyJLZjfvMLyhLMQbYnu5uguoJJ4kMCLqWwPEdfpwANVS76gTX",
    "0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d",
];

const SEPARATORS: [&str; 13] =
    [" ", "\t", "\n", "-", ", ", "\r\n", " | ", "; ", "/", ".", "\u{a0}", " then ", " (cont.) "];

/// What is before the first group, between the halves and after the last one.
const LABELS: [[&str; 3]; 6] = [
    ["", "", ""],
    ["private key: ", "", ""],
    ["WIF=", "", " (from the old disk)"],
    ["my key is ", " (cont.) ", " and nothing else"],
    ["1/2 ", ", 2/2 ", "\n"],
    ["first half: ", "\nsecond half: ", ""],
];

/// The damage that people do, in the middle.
fn damaged(key: &str) -> [String; 6] {
    let (before, after) = key.split_at(20);
    [
        key.to_owned(),
        format!("{before}?{}", &after[1..]),
        format!("{before}z{}", &after[1..]),
        format!("{before}{}", &after[1..]),
        format!("{before}x{after}"),
        key.to_lowercase(),
    ]
}

/// The key in groups of a size, with something between its halves.
fn grouped(key: &str, size: usize, separator: &str, [before, between, after]: [&str; 3]) -> String {
    let groups: Vec<&str> =
        key.as_bytes().chunks(size).map(|group| str::from_utf8(group).unwrap()).collect();
    let (first, second) = groups.split_at(groups.len().div_ceil(2));
    let second = second.join(separator);
    let between = if between.is_empty() { separator } else { between };
    format!("{before}{}{between}{second}{after}", first.join(separator))
}

/// Every combination of a key, its damage, the size of its groups and a separator, with each label
/// in turn.
#[test]
fn keys_in_pieces_are_keys() {
    let (mut cases, mut missed) = (0, Vec::new());
    for key in KEYS {
        for key in damaged(key) {
            let halves = [key.len().div_ceil(2), key.len().div_ceil(3)];
            for size in (3..=13).chain([17, 20]).chain(halves) {
                for case in 0..SEPARATORS.len() {
                    let (separator, labels) =
                        (SEPARATORS[case % SEPARATORS.len()], LABELS[(case + size) % LABELS.len()]);
                    let text = grouped(&key, size, separator, labels);
                    let error = Pattern::parse(&text).err();
                    let is_key = error.as_ref().is_some_and(ParseError::may_be_key);
                    if !is_key
                        || !Pattern::split(&text).is_empty()
                        || Reading::of(&text).is_ok_and(|it| it.may_show())
                    {
                        missed.push(text);
                    }
                    cases += 1;
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} of {cases}: {missed:?}", missed.len());
}

/// A key that is spelled, and words between its groups that are often as long as these.
#[test]
fn spelled_keys_are_keys() {
    for key in &KEYS[..2] {
        let spelled = grouped(key, 1, " ", ["", "", ""]);
        for text in [format!("k={spelled}"), format!("key: {spelled} (old)"), spelled] {
            assert!(Pattern::parse(&text).unwrap_err().may_be_key(), "{text}");
        }
        let text = grouped(key, 13, " then ", ["WIF= ", "", ""]);
        assert!(Pattern::parse(&text).unwrap_err().may_be_key(), "{text}");
    }
}

/// The digits may be the name of a transaction, so the address is read, but not the text shown.
#[test]
fn hexadecimal_digits_beside_an_address_are_not_shown() {
    let address = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
    for size in [8, 16, 64] {
        let text = grouped(KEYS[8], size, " ", ["1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 ", "", ""]);
        assert_eq!(Pattern::parse(&text).unwrap().address(), address);
        assert!(!Reading::of(&text).is_ok_and(|it| it.may_show()));
        assert!(Pattern::parse(&text.replace("1Lbc", "1lbc")).unwrap_err().may_be_key());
    }
    assert!(Reading::of(address).unwrap().may_show());
    assert!(Reading::of("some text").unwrap().may_show());
}
