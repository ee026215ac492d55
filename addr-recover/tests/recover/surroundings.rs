//! Addresses of several networks in what people and programs write around them, in every spelling,
//! and with foreign characters in them. All are generated: what was put in has to be read.

use addr_recover::{Damage, Foreign, Kind, ParseError, Pattern, Reading, Version};

use crate::address;

/// How the characters of an address are divided.
#[derive(Clone, Copy)]
enum Divided {
    Not,
    /// Into single characters, with a space between them.
    Spaced,
    /// Into two halves, with this between them.
    Halves(&'static str),
    /// Into groups of four, with this between them.
    Groups(&'static str),
}

use Divided::{Groups, Halves, Not, Spaced};

/// What precedes an address, what divides it, and what follows.
const SURROUNDINGS: &[(&str, Divided, &str)] = &[
    // Nothing but white space, punctuation and invisible characters.
    ("", Not, ""),
    ("  ", Not, "\t\r\n"),
    ("\u{feff}", Not, "\u{200b}"),
    ("\"", Not, "\""),
    ("\u{201e}", Not, "\u{201c}"),
    ("(", Not, ")"),
    ("[", Not, "]"),
    ("{", Not, "}"),
    ("<", Not, ">"),
    ("【", Not, "】"),
    ("¿", Not, "?"),
    ("", Not, ","),
    ("", Not, "."),
    ("", Not, "!"),
    ("", Not, "…"),
    ("#", Not, ""),
    ("", Halves("_\n"), ""),
    // JSON.
    ("{\"address\":\"", Not, "\\n\"}"),
    ("my address:\\n", Not, "\\r\\nbye"),
    ("", Halves("\\n"), ""),
    ("", Groups("\\u00ad"), "\\n"),
    ("", Groups("\\x0a"), "\\x0a"),
    ("# ", Not, " #"),
    ("@", Not, ""),
    ("$ ", Not, ""),
    ("1. ", Not, ""),
    ("1) ", Not, ""),
    ("- ", Not, ""),
    ("• ", Not, ""),
    ("> ", Not, "\n"),
    ("\u{1b}[31m", Not, "\u{1b}[0m"),
    // Pictures.
    ("💰", Not, ""),
    ("💰 ", Not, " 🙏"),
    ("", Not, "👍🏽"),
    ("➡️", Not, "⬅️"),
    ("₿", Not, "❤️"),
    // Labels and running text.
    ("BTC: ", Not, ""),
    ("address=", Not, ""),
    ("Bitcoin address ", Not, ""),
    ("Адрес: ", Not, ""),
    ("アドレスは", Not, "です。"),
    ("アドレスは", Groups("-"), "です。"),
    ("Schlüssel für Köln: ", Not, " – über Zürich"),
    ("Zoë ", Groups(" "), " à bientôt"),
    ("Ключ от кошелька=", Not, ""),
    ("Закрытый ключ и адрес ", Halves("\n"), " для счёта"),
    ("η διεύθυνση ", Not, " είναι"),
    ("地址：", Spaced, "。"),
    ("주소는 ", Halves("\n"), " 입니다"),
    ("العنوان ", Not, " شكرا"),
    ("my address is ", Not, ", thanks!"),
    ("please send it to ", Not, " by Friday 2024-05-17"),
    ("is it ", Not, "?"),
    ("", Not, " (my savings)"),
    ("", Not, " # savings of 2014"),
    ("Die Adresse lautet ", Not, ". Viele Grüße"),
    ("tip jar -> ", Not, " <-"),
    ("paid 0.5 BTC to ", Not, " in block 301234"),
    ("> > he wrote:\n> > ", Not, "\n> and I lost it"),
    // Names of files.
    ("wallet_", Not, ".dat"),
    ("wallet-", Not, ".txt"),
    ("IMG-", Not, ".jpg"),
    ("", Not, "_qr.png"),
    ("", Not, ".json"),
    ("qr_", Not, "_2014.png"),
    ("Screenshot_", Not, "_2014.png"),
    ("C:\\Users\\me\\wallets\\", Not, ".dat"),
    ("C:\\", Not, ""),
    ("\\\\server\\share\\", Not, ""),
    ("/home/me/", Not, "/content.json"),
    ("./data/", Not, ""),
    ("~/ZeroNet/data/", Not, "/"),
    // Addresses of pages.
    ("http://127.0.0.1:43110/", Not, "/"),
    ("http://", Not, ".zero/index.html"),
    ("https://example.org/address/", Not, "?page=2#top"),
    ("https://example.org/search?q=", Not, "&x=1"),
    ("https://example.org/qr?data=bitcoin%3A", Not, "%3Famount%3D1"),
    ("https://example.org/#/address/", Not, ""),
    ("bitcoin:", Not, "?amount=0.1&label=two%20words"),
    ("bitcoin:", Not, "?"),
    ("web+bitcoin://", Not, ""),
    // Markup and data.
    ("**", Not, "**"),
    ("*", Not, "*"),
    ("_", Not, "_."),
    ("~~", Not, "~~"),
    ("`", Not, "`"),
    ("[donate](bitcoin:", Not, ")"),
    ("<code>", Not, "</code>"),
    ("<a href=\"bitcoin:", Not, "\">pay</a>"),
    ("&quot;", Not, "&quot;"),
    ("&nbsp;", Not, "&nbsp;"),
    ("%22", Not, "%22"),
    ("| savings | ", Not, " | 0.5 |"),
    ("savings|", Not, "|0.5"),
    ("2014-02-03;", Not, ";0.5"),
    ("{\"address\": \"", Not, "\", \"value\": 1}"),
    ("addr:'", Not, "',"),
    ("to=", Not, "&amount=1"),
    // In two lines.
    ("", Halves("\n"), ""),
    ("please pay to ", Halves("\n"), " today."),
    ("", Halves("-\r\n  "), "\n"),
    ("", Halves("\u{ad}\n"), ""),
    ("", Halves("\u{ad}"), ""),
    ("", Halves("=\r\n"), ""),
    ("Address: ", Halves("=\n"), "\nBalance: 0.5"),
    ("", Halves(" \\\n"), ""),
    ("", Halves("\\\n"), ""),
    ("", Halves("<br>"), ""),
    ("<p>", Halves("<br />\n"), "</p>"),
    ("", Halves("&shy;"), ""),
    ("", Halves("&ZeroWidthSpace;"), ""),
    ("", Halves(" -> "), ""),
    ("", Halves("%0A"), ""),
    ("", Halves("&#10;"), ""),
    ("", Groups("&#173;"), "&#xA0;"),
    ("&#x3c;", Not, "&#62;"),
    ("> ", Halves("\n> "), "\n"),
    ("\"", Halves("\" + \""), "\";"),
    // In groups.
    ("", Groups(" "), ""),
    ("please pay to ", Groups(" "), " today"),
    ("please pay to ", Spaced, " today"),
    ("", Groups("-"), ""),
    ("", Groups("&nbsp;"), ""),
    ("", Groups("%20"), ""),
    ("", Groups("+"), ""),
    ("", Groups(" -> "), ""),
    ("", Groups("\u{a0}"), ""),
    ("", Groups("."), ""),
    ("BTC address:\n\u{201c}", Groups("\u{200b}"), "\u{201d}"),
];

/// What a text has where a character was unreadable.
const UNREADABLE: [&str; 27] = [
    "?", "_", "*", ".", "|", "!", "$", "(", ")", "ß", "é", "@", "~", "#", "%", "□", "�", "¿",
    "(?)", "[?]", "[ ]", "€", "😀", "ж", "ω", "は", "金",
];

/// The generator of Numerical Recipes: the same addresses on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn address(&mut self, version: Version) -> String {
        let payload = std::array::from_fn(|_| self.next() as u8);
        address(version, &payload)
    }
}

/// One address of each kind that most people have.
fn addresses(random: &mut Random) -> Vec<String> {
    let ids = [
        "bitcoin-p2pkh",
        "bitcoin-p2sh",
        "litecoin-p2pkh",
        "dogecoin-p2pkh",
        "dash-p2pkh",
        "zcash-p2pkh",
        "tron",
        "bitcoin-testnet-p2pkh",
    ];
    ids.iter().flat_map(|id| Kind::matching(id)).map(|kind| random.address(kind.version)).collect()
}

fn spellings(address: &str) -> [String; 3] {
    [address.to_owned(), address.to_ascii_lowercase(), address.to_ascii_uppercase()]
}

fn divided(text: &str, divided: Divided) -> String {
    let (size, between) = match divided {
        Not => return text.to_owned(),
        Halves(between) => (text.len() / 2, between),
        Groups(between) => (4, between),
        Spaced => (1, " "),
    };
    let characters: Vec<char> = text.chars().collect();
    let parts: Vec<String> = characters.chunks(size).map(|part| part.iter().collect()).collect();
    match divided {
        // The second half has what does not fit.
        Halves(_) => format!("{}{between}{}", parts[0], parts[1..].concat()),
        _ => parts.join(between),
    }
}

/// How texts were read.
#[derive(Debug, Default)]
struct Counts {
    right: usize,
    refused: Vec<String>,
    false_readings: Vec<String>,
}

impl Counts {
    fn count(&mut self, text: &str, expected: &str) {
        match Pattern::parse(text).map(|pattern| pattern.address().to_owned()) {
            Ok(read) if read == expected => self.right += 1,
            Ok(read) => self.false_readings.push(format!("{text:?}: {read}")),
            Err(error) => self.refused.push(format!("{text:?}: {error}")),
        }
    }

    /// As [`count`](Self::count), also for formats that take no search.
    fn count_split(&mut self, text: &str, expected: &str) {
        match &Pattern::split(text)[..] {
            [read] if read == expected => self.right += 1,
            read => self.false_readings.push(format!("{text:?}: {read:?}")),
        }
    }

    /// Fails unless all texts were read right.
    fn assert_all_right(&self) {
        assert!(
            self.refused.is_empty() && self.false_readings.is_empty(),
            "{} right, {} refused, {} read as something else: {self:#?}",
            self.right,
            self.refused.len(),
            self.false_readings.len()
        );
    }
}

#[test]
fn addresses_are_read_in_all_surroundings() {
    let mut random = Random(1);
    let mut counts = Counts::default();
    for &(before, how, after) in SURROUNDINGS {
        for address in addresses(&mut random) {
            for text in spellings(&address) {
                counts.count(&format!("{before}{}{after}", divided(&text, how)), &text);
            }
        }
    }
    counts.assert_all_right();
}

/// A character that is no digit stands for an unreadable one, wherever it is.
#[test]
fn foreign_characters_are_unreadable_ones() {
    let mut random = Random(2);
    let mut counts = Counts::default();
    for unreadable in UNREADABLE {
        for address in addresses(&mut random) {
            for text in spellings(&address) {
                let at = 2 + random.next() as usize % (text.len() - 4);
                let with = |character| format!("{}{character}{}", &text[..at], &text[at + 1..]);
                let (pasted, read) = (with(unreadable), with("?"));
                counts.count(&pasted, &read);
                counts.count(&format!("my address: {pasted}, thanks"), &read);
                if unreadable.chars().count() == 1 {
                    counts.count(&divided(&pasted, Groups(" ")), &read);
                }
            }
        }
    }
    counts.assert_all_right();
}

/// Nor is one that is near the end, with what follows it, something after the address.
#[test]
fn foreign_characters_near_the_end_are_unreadable_ones() {
    let mut counts = Counts::default();
    for address in [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
    ] {
        for unreadable in UNREADABLE {
            for rest in 1..4 {
                let at = address.len() - 1 - rest;
                let with =
                    |character| format!("{}{character}{}", &address[..at], &address[at + 1..]);
                counts.count_split(&with(unreadable), &with("?"));
            }
        }
    }
    counts.assert_all_right();
}

/// What follows one may be as long as a Base58 address or a key, and what precedes it as long as a
/// shorter address. The addresses are from BIP 173, BIP 350 and the specification of CashAddr.
#[test]
fn foreign_characters_do_not_divide_other_formats() {
    let mut counts = Counts::default();
    for (address, prefix) in [
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 4),
        ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", 4),
        ("tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", 4),
        ("qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", 1),
    ] {
        for at in prefix..address.len() - 1 {
            let with = |character| format!("{}{character}{}", &address[..at], &address[at + 1..]);
            let read = with("?");
            for foreign in ["|", "!", "$", "(", "é", "~", "#", "□", "€"] {
                counts.count_split(&with(foreign), &read);
                counts.count_split(&format!("my address: {}, thanks", with(foreign)), &read);
            }
            counts.count_split(&divided(&read, Groups(" ")), &read);
            counts.count_split(&format!("1. {}", divided(&read, Groups("-"))), &read);
        }
    }
    counts.assert_all_right();
}

/// Many people write a `1` so that programs take it for something else.
#[test]
fn a_first_character_that_is_foreign_is_kept() {
    let mut random = Random(3);
    let mut counts = Counts::default();
    for _ in 0..20 {
        let address = random.address(Version::byte(0));
        if address.len() < 34 {
            continue;
        }
        for text in spellings(&address) {
            for first in ["|", "?", "!", "□"] {
                let read = format!("?{}", &text[1..]);
                counts.count(&format!("{first}{}", &text[1..]), &read);
                counts.count(&format!("send it to {first}{}, please", &text[1..]), &read);
            }
        }
    }
    counts.assert_all_right();
}

/// Prose, numbers and names are no addresses, and do not become part of one.
#[test]
fn other_text_is_not_read_as_an_address() {
    let others = [
        "where all of my savings are until today and tomorrow",
        "like this then from what they gave back when they left",
        "550e8400-e29b-41d4-a716-446655440000",
        "2014-02-03 10:11:12.131415 INFO 127.0.0.1:43110 GET /index.html 200 5.3ms",
        "block 301234 of 2014-05-17 has 512 transactions worth 1234.5678 BTC",
        "0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098",
        "d41d8cd98f00b204e9800998ecf8427e",
        "+49 170 1234567, 10115 Berlin, Lange Str. 12 b, 3rd floor, bell 7 of 9",
        "https://example.org/a/path/of/words/that/is/as/long/as/an-address.html",
        "see page 5... and all the rest of it",
        "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    ];
    for (at, other) in others.iter().enumerate() {
        let mut random = Random(4 + at as u64);
        for address in addresses(&mut random) {
            for text in spellings(&address) {
                for pasted in [format!("{other}\n{text}"), format!("{text} {other}")] {
                    let pattern = Pattern::parse(&pasted);
                    // The digits may be a private key, or a part of one.
                    let is_shown = Reading::of(&pasted).is_ok_and(|it| it.may_show());
                    assert_eq!(is_shown, ![2, 5, 6, 10].contains(&at), "{pasted:?}");
                    let read = pattern.as_ref().map(|pattern| pattern.address());
                    assert_eq!(read, Ok(&*text), "{pasted:?}");
                }
            }
        }
    }
    for other in [0, 1, 3, 4, 5, 7, 8, 9, 10].map(|at| others[at]) {
        assert!(Pattern::parse(other).is_err(), "{other:?}: {:?}", Pattern::parse(other));
    }
}

/// Several addresses are told apart, whatever is between them.
#[test]
fn several_addresses_are_told_apart_in_every_spelling() {
    let mut random = Random(20);
    for between in
        [" ", "\n", ", ", ";", " or ", " / ", "/", " -> ", " and then to ", "|", "\t", "+"]
    {
        for _ in 0..5 {
            let [one, other] = [(); 2].map(|()| random.address(Version::byte(5)));
            for (one, other) in spellings(&one).into_iter().zip(spellings(&other)) {
                let text = format!("{one}{between}{other}");
                assert_eq!(Pattern::split(&text), [one, other], "{text:?}");
                let several = Err(ParseError::Several { count: 2 });
                assert_eq!(Pattern::parse(&text).map(|_| ()), several, "{text:?}");
            }
        }
    }
}

/// From BIP 173, EIP-55, SEP-23 and the specification of CashAddr.
const OF_FORMATS: [&str; 7] = [
    "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
    "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
    "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
];

/// Whatever their formats are, and if one or both have a wrong character.
#[test]
fn two_addresses_of_any_formats_are_told_apart() {
    let damaged = |address: &str, is_damaged: bool| {
        let mut text = address.to_owned();
        let at = text.len() - 9;
        let own = &address[at..=at];
        text.replace_range(
            at..=at,
            if !is_damaged {
                own
            } else if own == "7" {
                "3"
            } else {
                "7"
            },
        );
        text
    };
    for between in ["/", "|", ", ", ","] {
        for (one, other) in OF_FORMATS.iter().flat_map(|one| OF_FORMATS.map(|other| (*one, other)))
        {
            for which in 0..4 {
                let pair = [damaged(one, which & 1 > 0), damaged(other, which & 2 > 0)];
                let [first, second] = &pair;
                if first.ends_with(&**second) || second.ends_with(&**first) {
                    continue;
                }
                let text = format!("{first}{between}{second}");
                // What precedes the colon of CashAddr is no part of what is read.
                let data = pair.map(|it| it.trim_start_matches("bitcoincash:").to_owned());
                assert_eq!(Pattern::split(&text), data, "{text}");
            }
        }
    }
}

/// A part of a private key is not shown either. Those of other networks than Bitcoin begin like
/// many addresses.
#[test]
fn private_keys_are_recognised_in_all_surroundings() {
    let mut random = Random(5);
    for &(before, how, after) in SURROUNDINGS {
        let networks = [0x80, 0xef, 0xb0, 0x9e, 0xcc];
        for (version, compressed) in networks.into_iter().flat_map(|it| [(it, false), (it, true)]) {
            let secret: [u8; 32] = std::array::from_fn(|_| random.next() as u8);
            let mark: &[u8] = if compressed { &[1] } else { &[] };
            let message = [&[version], &secret[..], mark].concat();
            let key = bs58::encode(message).with_check().into_string();
            for length in [40, 45, 46, 47, 49, key.len() - 1, key.len()] {
                if length < 50 && version != 0x80 {
                    continue;
                }
                let text = format!("{before}{}{after}", divided(&key[..length], how));
                let Err(ParseError::Foreign(foreign)) = Pattern::parse(&text) else {
                    panic!("{text:?}: {:?}", Pattern::parse(&text));
                };
                assert!(foreign.is_key(), "{text:?}: {foreign}");
                assert_eq!(Pattern::split(&text), [""; 0], "{text:?}");
                let _ = Pattern::with_damage(&text, Damage { typos: 1, ..Damage::default() })
                    .unwrap_err();
            }
        }
    }
}

/// Nor does a foreign character make an address of it.
#[test]
fn private_keys_with_foreign_characters_are_recognised() {
    let mut random = Random(7);
    for unreadable in ["?", "|", "é", "□", "!", "@"] {
        for _ in 0..20 {
            let secret: [u8; 32] = std::array::from_fn(|_| random.next() as u8);
            let key =
                bs58::encode([&[0x80], &secret[..], &[1]].concat()).with_check().into_string();
            // Fewer characters before it may be a word.
            let at = 13 + random.next() as usize % 26;
            let text = format!("my key: {}{unreadable}{}.", &key[..at], &key[at + 1..]);
            let error = Pattern::parse(&text).err();
            assert_eq!(error, Some(ParseError::Foreign(Foreign::PrivateKey)), "{text:?}");
        }
    }
}

/// Whatever a text has, reading does not panic, and what it reads is read again.
#[test]
fn what_is_read_is_read_again() {
    let mut random = Random(6);
    let parts = [
        "1",
        "Lbcf",
        "r7sA",
        "HTD9Cgd",
        "Qo3HTMTkV8LK4ZnX71",
        "3D2oetdNuZUqQHPJmcMDDHYoqkyNVsFk9r",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "?",
        "_",
        "*",
        "[7Z]",
        "[",
        "]",
        "(",
        ")",
        "(a or b)",
        "{",
        "}",
        "…",
        ". . .",
        ".",
        "/",
        "|",
        "!",
        "é",
        "😀",
        " ",
        " ",
        "\n",
        "-",
        ",",
        ":",
        "://",
        "=",
        "&nbsp;",
        "%20",
        "<br>",
        "\"",
        "\u{ad}",
        "\u{430}",
        "l",
        "0",
        "bcl",
        "to",
        "address:",
        "5Hue",
        "は",
        "¿",
        "=\n",
        "\x1b[1m",
    ];
    for _ in 0..20_000 {
        let count = 1 + random.next() as usize % 14;
        let text: String =
            (0..count).map(|_| parts[random.next() as usize % parts.len()]).collect();
        let Ok(pattern) = Pattern::parse(&text) else { continue };
        let again = Pattern::parse(pattern.address());
        let again = again.as_ref().map(Pattern::address);
        assert_eq!(again, Ok(pattern.address()), "{text:?}");
        assert_eq!(Pattern::split(&text), [pattern.address()]);
    }
}

/// Numbers and words around an address in groups are no parts of it.
#[test]
fn addresses_in_groups_are_read_in_sentences_with_numbers() {
    let mut counts = Counts::default();
    for address in OF_FORMATS {
        let (prefix, data) =
            address.split_once(':').map_or(("", address), |(_, data)| ("bitcoincash:", data));
        for size in [4, 5, 8, 10] {
            // A `0x` is no part of the first group.
            let begin = if data.starts_with("0x") { 2 } else { 0 };
            let groups: Vec<&str> = data.as_bytes()[begin..]
                .chunks(size)
                .map(|group| str::from_utf8(group).unwrap())
                .collect();
            for separator in [" ", "-"] {
                let groups = format!("{}{}", &data[..begin], groups.join(separator));
                for text in [
                    format!("paid 12 to {prefix}{groups} in 2024"),
                    format!("send to {prefix}{groups} today"),
                    format!("2024-01-02: 0.5 to {prefix}{groups}, block 301234"),
                ] {
                    counts.count_split(&text, data);
                }
            }
        }
    }
    counts.assert_all_right();
}

/// A wrong letter in the other case, a lost end, and letters that look like digits make no key of
/// an address.
#[test]
fn damaged_addresses_of_other_formats_are_no_keys() {
    let stellar = OF_FORMATS[6];
    let of_stellar = |text: &str| {
        let error = Reading::of(text).and_then(|it| it.pattern(Damage::default())).unwrap_err();
        assert!(error.to_string().contains("a Stellar address"), "{text}: {error}");
    };
    for at in [2, 20, 40, 55] {
        let wrong = format!("{}h{}", &stellar[..at], &stellar[at + 1..]);
        of_stellar(&wrong);
        let reading = Reading::of(&format!("{wrong} {}", OF_FORMATS[0])).unwrap();
        assert!(reading.addresses().eq([&*wrong, OF_FORMATS[0]]), "{wrong}");
    }
    for lost in 1..=11 {
        let cut = &stellar[..stellar.len() - lost];
        of_stellar(cut);
        let reading = Reading::of(&format!("{cut} {}", OF_FORMATS[0])).unwrap();
        assert!(reading.addresses().any(|it| it == OF_FORMATS[0]), "{cut}");
    }
    // From the specification of CashAddr, with every 8 that another address may have.
    let address = "bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy";
    for count in 0..=8 {
        let data = &address["bitcoincash:".len()..];
        let places = (1..data.len()).step_by(5).take(count);
        let mut text = data.to_owned();
        places.for_each(|at| text.replace_range(at..=at, "B"));
        assert_eq!(Pattern::split(&format!("bitcoincash:{text}")), [text]);
    }
}
