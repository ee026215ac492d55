//! Keys in whatever people paste are recognised as keys, before anything is read as an address.

use addr_recover::{Damage, Foreign, ParseError, Pattern, Reading, Role};

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
                    if !Reading::of(&text).is_err_and(|error| error.may_be_key()) {
                        missed.push(text);
                    }
                    cases += 1;
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} of {cases}: {missed:?}", missed.len());
}

/// Of Bitcoin and Tron, without up to two characters at any place. The second lines of keys are
/// those of as many lines.
#[test]
fn shortened_addresses_on_consecutive_lines_are_not_keys() {
    let mut lines = Vec::new();
    for number in 0..60_u8 {
        let version = [0, 5, 0x41][usize::from(number) % 3];
        let mut message = vec![version];
        message.extend((0..20_u8).map(|at| (at + 3).wrapping_mul(number.wrapping_mul(37) | 1)));
        let address = bs58::encode(message).with_check().into_string();
        let end = address.len();
        lines.extend([
            address[2..].to_owned(),
            address[1..].to_owned(),
            address[..end - 2].to_owned(),
            format!("{}{}", &address[..20], &address[21..]),
            format!("{}{}", &address[..15], &address[17..]),
            address,
        ]);
    }
    // Every line is beside each other one of its kind, too.
    let by_kind: Vec<&str> =
        (0..6).flat_map(|kind| lines[kind..].iter().step_by(6)).map(String::as_str).collect();
    let in_turn: Vec<&str> = lines.iter().map(String::as_str).collect();
    for lines in [by_kind, in_turn] {
        let secret = Pattern::secret_lines(&lines);
        let hidden: Vec<&str> =
            lines.iter().zip(secret).filter(|it| it.1).map(|(line, _)| *line).collect();
        assert!(hidden.is_empty(), "{} of {}: {hidden:?}", hidden.len(), lines.len());
    }
    // Beside them, the lines of a key stay secret.
    for key in KEYS {
        for size in [20, 26, 31, 33, 34] {
            let groups = key.as_bytes().chunks(size).map(|it| str::from_utf8(it).unwrap());
            let text: Vec<&str> =
                [&*lines[2]].into_iter().chain(groups).chain([&*lines[8]]).collect();
            let secret = Pattern::secret_lines(&text);
            let last = text.len() - 1;
            assert!(secret[1..last].iter().all(|it| *it), "{text:?}: {secret:?}");
        }
    }
}

/// Each line is as long as an address, and begins like none of that length.
#[test]
fn damaged_addresses_of_several_networks_in_a_list_are_not_keys() {
    let address = |number: u8| {
        let version = [30, 48, 0x41][usize::from(number) % 3];
        let payload = (0..20_u8).map(|at| (at + 5).wrapping_mul(number.wrapping_mul(41) | 1));
        let message: Vec<u8> = [version].into_iter().chain(payload).collect();
        bs58::encode(message).with_check().into_string()
    };
    let surrounded = |number: u8| {
        let around = [
            ("alice: ", ""),
            ("https://example.org/", ""),
            ("My address is ", ", thanks"),
            ("https://example.org/", "?a=1"),
        ];
        let ((before, after), address) = (around[usize::from(number) % 4], address(number));
        format!("{before}{}x{}{after}", &address[..9], &address[9..])
    };
    let of_other_lengths = |number: u8| {
        let address = address(number);
        let at = 12 - usize::from(number) % 2;
        if number.is_multiple_of(2) {
            format!("{}y{}", &address[..at], &address[at..])
        } else {
            address.replacen(&address[at..=at], "", 1)
        }
    };
    for lines in [(0..120).map(surrounded).collect(), (0..120).map(of_other_lengths).collect()] {
        let lines: Vec<String> = lines;
        let secret = Pattern::secret_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let hidden: Vec<&String> =
            lines.iter().zip(secret).filter(|it| it.1).map(|it| it.0).collect();
        assert!(hidden.is_empty(), "{} of {}: {hidden:?}", hidden.len(), lines.len());
    }
}

/// The rest of a key whose first lines are lost, alone and between addresses. A line that is as
/// long as an address of a common network and begins like one is shown: these are one in twenty.
#[test]
fn lines_of_a_key_without_its_first_are_secret() {
    const ADDRESS: &str = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
    let (mut cases, mut shown) = (0, Vec::new());
    for key in KEYS.iter().filter(|it| it.len() > 100).chain(&[&*KEYS[8].repeat(2)]) {
        // From 42 on, they are as long as addresses of Solana.
        for size in 16..=41 {
            let groups = key.as_bytes().chunks(size).map(|it| str::from_utf8(it).unwrap());
            let groups: Vec<&str> = groups.collect();
            for lost in 1..groups.len() {
                let left = &groups[lost..];
                // Fewer are as few as those of half an address.
                if left.concat().len() < 42 {
                    continue;
                }
                for around in [&[][..], &[ADDRESS]] {
                    cases += 1;
                    let lines = [around, left, around].concat();
                    let secret = Pattern::secret_lines(&lines);
                    let of_key = &secret[around.len()..around.len() + left.len()];
                    if !of_key.iter().all(|it| *it) || around.iter().zip(&secret).any(|it| *it.1) {
                        shown.push(format!("{lines:?} {secret:?}"));
                    }
                }
            }
        }
    }
    println!("{} of {cases}", shown.len());
    assert!(20 * shown.len() < cases, "{} of {cases}: {shown:#?}", shown.len());
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
        // Of a damaged address, too.
        let damaged = Reading::of(&text.replace("1Lbc", "1lbc")).unwrap();
        assert_eq!(damaged.addresses().collect::<Vec<_>>(), [address.replace("1Lbc", "1lbc")]);
        assert_eq!((damaged.may_show(), damaged.left_out()), (false, 64));
        assert!(!format!("{damaged:?}").contains(&KEYS[8][..8]));
    }
    assert!(Reading::of(address).unwrap().may_show());
    assert!(Reading::of("some text").unwrap().may_show());
}

/// What may precede a private key in hexadecimal digits, and a half of one.
const LABELS_OF_DIGITS: [&str; 10] = [
    "",
    "ETH ",
    "To: ",
    "my wallet is ",
    "wallet key ",
    "KEY=",
    "private key: ",
    "PRIVATE_KEY=",
    "secret ",
    "the key is ",
];

/// Those that name a key.
const LABELS_OF_KEYS: std::ops::RangeInclusive<usize> = 4..=9;

/// Digits after `0x`, in groups of a size.
fn digits_in_groups(digits: &str, size: usize, separator: &str) -> String {
    let groups: Vec<&str> =
        digits.as_bytes().chunks(size).map(|group| str::from_utf8(group).unwrap()).collect();
    format!("0x{}", groups.join(separator))
}

/// Whether a text has eight digits of a key in a row.
fn shows(key: &str, text: &str) -> bool {
    let small = text.to_ascii_lowercase();
    (0..=key.len() - 8).any(|at| small.contains(&key[at..at + 8].to_ascii_lowercase()))
}

/// No address is read from the digits of a private key, whatever divides them. The first 40 of them
/// would be one.
#[test]
fn no_part_of_a_private_key_is_an_address() {
    let (mut cases, mut leaks) = (0, Vec::new());
    for (at, label) in LABELS_OF_DIGITS.iter().enumerate() {
        for size in 2..=32 {
            for separator in [" ", "-", ".", "/", ",", "\n", ", ", "\r\n", ":"] {
                let number = (at * 31 + size) as u64;
                let key: String = (0..4)
                    .map(|part| {
                        let seed = number * 4 + part + 1;
                        format!("{:016x}", seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                    })
                    .collect();
                let halves = [&key[..40], &key[24..], &key[..32]];
                let halves = halves.into_iter().filter(|_| LABELS_OF_KEYS.contains(&at));
                for digits in [&*key].into_iter().chain(halves) {
                    let text = format!("{label}{}", digits_in_groups(digits, size, separator));
                    cases += 1;
                    // A half of 32 digits may be a damaged address, if it is not hidden.
                    let is_hidden = match Reading::of(&text) {
                        Err(error) => error.may_be_key(),
                        Ok(reading) => {
                            reading.addresses().all(|it| !shows(digits, &it))
                                && !shows(digits, &format!("{reading:?}"))
                        }
                    };
                    let address = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
                    let beside = Reading::of(&format!("{address}\n{text}"));
                    let is_left_out = beside.is_ok_and(|it| {
                        it.addresses().eq([address]) && it.left_out() == digits.len() + 2
                    });
                    if !(is_hidden && is_left_out) {
                        leaks.push(text);
                    }
                }
            }
        }
    }
    println!("{cases} texts, {} leaks", leaks.len());
    assert!(leaks.is_empty(), "{} of {cases}: {:?}", leaks.len(), &leaks[..leaks.len().min(9)]);
}

/// Digits of a private key from a seed.
fn digits(seed: usize, length: usize) -> String {
    let part = |at: usize| ((seed * 8 + at) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..8).map(|at| format!("{:016x}", part(at))).collect::<String>()[..length].to_owned()
}

/// What may precede a part of a private key, none of which names an address, and what does.
const LABELS_OF_PARTS: [&str; 10] = [
    "",
    "half: ",
    "first half\n",
    "half of my key: ",
    "part 1 ",
    "md5 ",
    "KEY=",
    "To: ",
    "from the backup of 2019: ",
    "TXID: ",
];
const LABELS_OF_ADDRESSES: [&str; 3] = ["ETH ", "address: ", "Ethereum address "];

/// Hexadecimal digits that are not read as an address are not shown, however many they are: 32 are
/// a half of a private key, and 40 are an address only if something says so.
#[test]
fn digits_that_are_no_address_are_not_shown() {
    let address = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
    let (mut cases, mut leaks) = (0, Vec::new());
    for length in 24..=80 {
        for (at, label) in LABELS_OF_PARTS.iter().chain(&LABELS_OF_ADDRESSES).enumerate() {
            for (prefix, size) in ["", "0x"]
                .into_iter()
                .flat_map(|it| [2, 4, 5, 8, 10, 16, 32, length].map(|size| (it, size)))
            {
                let key = digits(length * 16 + at, length);
                let separator = [" ", "-", ", ", "\n", ":", "/", "."][(length + at + size) % 7];
                let groups = digits_in_groups(&key, size, separator);
                let groups = if prefix.is_empty() { &groups[2..] } else { &groups };
                let text = format!("{label}{groups}");
                let is_named = LABELS_OF_ADDRESSES.contains(label) || !prefix.is_empty();
                let is_key = ["half of my key: ", "KEY="].contains(label);
                // One group of many is as long.
                let is_address = [length, size].iter().any(|it| (38..=42).contains(it));
                cases += 1;
                if is_address && is_named && !is_key {
                    continue;
                }
                let is_hidden = match Reading::of(&text) {
                    Err(error) => error.may_be_key() && !shows(&key, &error.to_string()),
                    Ok(reading) => !shows(&key, &format!("{reading:?}")) && !reading.may_show(),
                };
                let beside = Reading::of(&format!("{address}\n{text}"));
                let is_left_out = beside.is_ok_and(|it| {
                    it.addresses().eq([address])
                        && it.left_out() >= length + prefix.len()
                        && !shows(&key, &format!("{it:?}"))
                });
                if !(is_hidden && is_left_out) {
                    leaks.push(text);
                }
            }
        }
    }
    println!("{cases} texts, {} leaks", leaks.len());
    assert!(leaks.is_empty(), "{} of {cases}: {:?}", leaks.len(), &leaks[..leaks.len().min(9)]);
}

/// Dates, amounts and words are no digits of a key, and nor is a shortened address.
#[test]
fn words_and_numbers_are_not_digits_of_a_key() {
    let address = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
    for beside in [
        "2024-01-02 03:04:05, fee 0.00012345, add 12.5",
        "dead beef cafe face babe feed bead deaf decade facade",
        "1234 5678 9012 3456 7890 1234 5678",
        "0x5aAeb605...Ef1BeAed",
        "a 1 b 2 c 3 d 4 e 5",
    ] {
        let reading = Reading::of(&format!("{beside} {address}")).unwrap();
        assert!(reading.addresses().any(|it| it == address), "{beside}");
        assert_eq!((reading.left_out(), reading.may_show()), (0, true), "{beside}");
    }
    // In Base58 most of it is `1`, which stands for zeros. Each set is one character.
    let zeros = format!("{}[6][Ee][1][Ee][Bb][Uu][Ee][3]", "[1]".repeat(19));
    assert!(Pattern::parse(&zeros).is_ok());
    let tron = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
    assert_eq!(
        addr_recover::repair(tron).unwrap().addresses[0].address,
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
    );
}

/// Addresses in groups, in lists and beside numbers are no private keys.
#[test]
fn addresses_of_ethereum_are_not_private_keys() {
    let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let other = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    let small = address.to_lowercase();
    let groups = |address: &str| digits_in_groups(&address[2..], 4, " ");
    for (text, count) in [
        (format!("{address} {other}"), 2),
        (format!("{address},{small},{other}"), 3),
        (format!("{small}\n{}", other.to_lowercase()), 2),
        (groups(address), 1),
        (format!("{} 2024", groups(address)), 1),
    ] {
        let reading = Reading::of(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((reading.addresses().count(), reading.left_out()), (count, 0), "{text}");
    }
}

/// From the documentation of Helium, XRP Ledger, NIP-19 and Casascius's wiki.
#[test]
fn other_secrets_are_told_from_addresses() {
    let address = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
    let seed = "sn259rEFXrQrWyx3Q7XneWcwV6dfL";
    let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";
    let mini = "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy";
    // 32 bytes in Base58: an address of Solana, or a private key.
    let bytes = "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw1";
    for secret in [
        seed.to_owned(),
        seed.replace("XrQ", "X?Q"),
        mini.to_owned(),
        mini.replace("Xi", "X?"),
        mini.replace("Xi", "XB"),
        mini.replace("Xi", "X"),
        nsec.to_owned(),
        nsec.replacen("vl029", " vl029 ", 1),
        nsec.replacen('1', "1-", 1),
        [&nsec[..20], &nsec[20..40], &nsec[40..]].join(" / "),
        format!("private key: {bytes}"),
    ] {
        let alone = Reading::of(&secret).map(|it| it.may_show());
        assert!(alone.is_err_and(|error| error.may_be_key()), "{secret}");
        let reading = Reading::of(&format!("{secret}\n{address}"));
        let reading = reading.unwrap_or_else(|error| panic!("{secret}: {error}"));
        assert!(reading.addresses().eq([address]) && reading.left_out() > 0, "{secret}");
        assert!(!shows(&secret[secret.len() - 16..], &format!("{reading:?}")), "{reading:?}");
    }
    // No secrets, or not necessarily. Only the last one is left out.
    let helium = "13buBykFQf5VaQtv7mWj2PBY9Lq4i1DeXhg7C4Vbu3ppzqqNkTH";
    let error = Reading::of(helium).and_then(|it| it.pattern(Damage::default())).unwrap_err();
    assert_eq!(error, ParseError::Foreign(Foreign::Unsupported("a Helium address")));
    for (other, left_out) in [(helium, 0), (bytes, 0), (&bytes.replacen('4', "5", 1), 44)] {
        let reading = Reading::of(&format!("{other} paid {address}")).unwrap();
        assert!(reading.addresses().any(|it| it == address), "{other}");
        assert_eq!(reading.left_out(), left_out, "{other}");
    }
}

/// All characters are explained, each once.
#[test]
fn every_character_is_a_part_of_something() {
    let name = KEYS[8];
    let address = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
    for text in [
        "".to_owned(),
        address.to_owned(),
        format!("To {address}\nTXID: {name}"),
        format!("\u{201e}{address}\u{201c} of 2014, a1b2c3!"),
        format!("{}, {name}, {address}", address.replace('l', "\u{442}")),
    ] {
        let reading = Reading::of(&text).unwrap();
        let mut end = 0;
        for part in reading.parts() {
            assert_eq!(part.range.start, end, "{text}");
            assert!(!part.range.is_empty());
            end = part.range.end;
        }
        assert_eq!(end, text.chars().count(), "{text}");
        let has = |role: Role| reading.parts().iter().filter(|it| it.role == role).count();
        assert_eq!(has(Role::Secret), text.matches(name).count(), "{text}");
        assert_eq!(has(Role::Code), text.matches("a1b2c3").count(), "{text}");
    }
}

/// A secret of each kind: Casascius' wiki and a text of the same form, XRP Ledger,
/// NIP-19, Bitcoin Core, BIP 38, BIP 32, SEP-23, one that begins like an address without its first
/// letters, and the greatest key of BIP 340 in decimal digits.
const SECRETS: [&str; 12] = [
    "SzavMBLoXU6kDrqtUVmffv",
    "S4b3N3oGqDqR5jNuxEvDwf",
    "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy",
    "snoPBrXtMeMyMHUVTgbuqAfg1SUTb",
    "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5",
    KEYS[0],
    KEYS[1],
    KEYS[3],
    KEYS[6],
    "SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHOKR",
    "SCGB6ECGEGO52ILKAI7XSI2W3XYSP7HDOKTS5SNUZWWJRHXFWC2FKOFL",
    "115792089237316195423570985008687907852837564279074904382605163141518161494336",
];

/// Damage to any secret, beyond that of [`damaged`]. Halves are on lines of their own.
fn more_damaged(key: &str) -> [String; 8] {
    let (before, after) = key.split_at(key.len() / 2);
    let typo = if key.starts_with("nsec") { 'q' } else { 'z' };
    [
        key.to_owned(),
        format!("{before}?{}", &after[1..]),
        format!("{before}{typo}{}", &after[1..]),
        format!("{before}{}", &after[1..]),
        key.to_lowercase(),
        key[2..].to_owned(),
        key[..key.len() - 3].to_owned(),
        format!("{before}\n{after}"),
    ]
}

/// The letters and digits of a text, in lower case.
fn bare(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The law of what is repeated: words, numbers and what is like an address, whatever kind of secret
/// is beside it, whatever damaged it, divides it and surrounds it, in a text and in lines.
#[test]
fn only_words_and_addresses_are_repeated() {
    const GROUPS: [(usize, &str); 8] =
        [(usize::MAX, ""), (4, " "), (4, "-"), (5, "\n"), (7, "/"), (8, ", "), (10, "."), (6, "_")];
    const ADDRESSES: [&str; 4] = [
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Znz71",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    ];
    // Words of several scripts, some with letters that look like those of an address, and none.
    const LABELS: [&str; 16] = [
        "Schlüssel für Köln: ",
        "clé privée de Zoë ",
        "Ko\u{308}ln ",
        "Ключ от кошелька: ",
        "Закрытый ключ ",
        "ключ=",
        "κλειδί ",
        "秘密鍵は",
        "秘密鍵：",
        "비밀 키 ",
        "المفتاح ",
        "ｋｅｙ＝",
        "🔑 ",
        "ŚĆIŚLE TAJNE\t",
        "Cl\u{e9} n\u{b0} 2 \u{ab}",
        "export PRIVKEY=\"",
    ];
    let (mut cases, mut leaks) = (0, Vec::new());
    for secret in SECRETS {
        for damaged in more_damaged(secret) {
            for (size, separator) in GROUPS {
                let groups: Vec<&str> = damaged
                    .as_bytes()
                    .chunks(size)
                    .map(|group| str::from_utf8(group).unwrap())
                    .collect();
                // Long groups of small letters cannot be told from words, nor few decimal digits
                // from numbers.
                let is_like_words = size > 4 && damaged == secret.to_lowercase();
                let is_decimal = secret.bytes().all(|c| c.is_ascii_digit());
                let is_half = damaged.contains('\n') && is_decimal;
                if groups.len() > 1 && is_like_words || is_half {
                    continue;
                }
                let (key, address) = (groups.join(separator), ADDRESSES[cases % ADDRESSES.len()]);
                let label = LABELS[cases % LABELS.len()];
                for text in [
                    format!("{label}{key}"),
                    format!("{label}{key}\" {address}"),
                    format!("{address}\n{label}{key}"),
                    key.clone(),
                    format!("KEY={key}"),
                    format!("{address} {key}"),
                    format!("{address}\n{key}"),
                    format!("{key};{address}"),
                    format!("{key}/{address}"),
                    format!("address: {address}\nprivkey: {key}"),
                    format!("{address}{}", if separator == "_" { &damaged } else { &key }),
                ] {
                    cases += 1;
                    let secret = bare(&damaged);
                    let lines: Vec<&str> = text.lines().collect();
                    let hidden = Pattern::secret_lines(&lines);
                    let of_lines = lines.iter().zip(hidden).filter(|it| !it.1);
                    let of_lines: String = of_lines.map(|(line, _)| repeated(line)).collect();
                    for said in [repeated(&text), of_lines] {
                        let said = bare(&said);
                        let shown = (0..=secret.len().saturating_sub(12))
                            .find(|&at| said.contains(&secret[at..(at + 12).min(secret.len())]));
                        if shown.is_some() {
                            leaks.push(format!("{text:?}: {said}"));
                        }
                    }
                }
            }
        }
    }
    println!("{cases} texts, {} leaks", leaks.len());
    assert!(leaks.is_empty(), "{} of {cases}: {:#?}", leaks.len(), &leaks[..leaks.len().min(40)]);
}

/// A gap has more than one byte, wherever it is.
#[test]
fn shortened_keys_are_read_wherever_their_gap_is() {
    for at in 0..SECRETS[4].len() {
        let (before, after) = SECRETS[4].split_at(at);
        for text in [format!("{before}...{after}"), format!("{before}...")] {
            assert!(at < 12 || !repeated(&text).contains(&before[at - 12..]), "{text}");
        }
    }
}

/// What a text is repeated as.
fn repeated(text: &str) -> String {
    match Reading::of(text) {
        // The tool knows nothing else of it.
        Err(ParseError::Foreign(foreign)) if foreign.is_key() => String::new(),
        Err(error) if error.may_be_key() => String::new(),
        Err(_) => text.to_owned(),
        Ok(reading) if reading.may_be_part_of_key() => String::new(),
        Ok(reading) => format!("{reading:?} {}", reading.addresses().collect::<Vec<_>>().join(" ")),
    }
}
