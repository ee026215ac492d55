//! `key` prints what the library answers.

use std::process::Output;

use addr_recover::{KeyAnswer, KeyError, KeyOptions, KeyOwner, KeyQuestion, Refusal, ask_key};

use crate::keys::{ENCRYPTED, ITS_KEYS, KEY, MINI_KEYS, SECRET, XPUB, has_part_of};
use crate::{code, run_with_input, stderr, stdout};

/// Addresses of the private key 1, of a mini key and of an encrypted one, and one of none of them.
const ITS_ADDRESS: &str = "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH";
const OF_MINI: &str = "1CC3X2gu58d6wXUWMffpuzN9JAfTUWu4Kj";
const OF_ENCRYPTED: &str = "1PE6TQi6HTVNz5DLwB1LcpMBALubfuN2z2";
const OTHER: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

/// The ways to damage a key. The first leaves it whole.
fn damaged(key: &str) -> Vec<String> {
    let length = key.len();
    let part = |range: std::ops::Range<usize>| &key[range];
    let replaced = |at: usize, with: &str| [&key[..at], with, &key[at + 1..]].concat();
    vec![
        key.to_owned(),
        replaced(length / 2, "?"),
        replaced(length / 2, if key[length / 2..].starts_with('4') { "5" } else { "4" }),
        [part(0..9), part(10..length)].concat(),
        [part(0..9), "7", part(9..length)].concat(),
        [part(0..9), &key[10..11], &key[9..10], part(11..length)].concat(),
        part(0..length / 2).to_owned(),
        part(length / 2..length).to_owned(),
        part(0..length - 4).to_owned(),
        format!("{}...", part(0..length - 4)),
        format!("{}{}{}", part(0..3), "?".repeat(14), part(17..length)),
        format!("{}???", part(0..length - 3)),
        format!("my key is {key}, of 2014"),
    ]
}

/// The text is no key, whatever its address.
const OTHER_TEXTS: [&str; 9] = [
    "",
    "hello",
    "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
    "????????????????????????????????????????????????????",
    "K...",
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
    "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5",
    "sn259rEFXrQrWyx3Q7XneWcwV6dfL",
    "0c28fca386c7w227600b2fe5wb7cae11ec86wwbf1fbe471be8wwwwe19d72aa1d",
];

/// Fails unless the tool prints what the library answers.
fn assert_same(text: &str, output: &Output, answer: &Result<KeyAnswer, KeyError>) {
    let said = stderr(output);
    let says = |what: &str| assert!(said.contains(what), "{text}: {what:?} is not in {said:?}");
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            assert_eq!((code(output), stdout(output)), (2, ""), "{text}: {said}");
            says(&format!("error: {error}\n"));
            return;
        }
    };
    let words = answer.to_string();
    assert_eq!(code(output), i32::from(answer.verdict().exit_code()), "{text}: {words}: {said}");
    let keys: String = answer.keys.iter().map(|key| format!("{}\n", *key.text)).collect();
    assert_eq!(stdout(output), keys, "{text}");
    answer.keys.iter().for_each(|key| says(key.kind));
    match (&answer.proof, answer.evidence()) {
        (Some(address), _) => says(&format!("{} found for {address}", answer.keys.len())),
        (None, Some(evidence)) => says(&evidence.in_words("keys")),
        (None, None) => {}
    }
    let refusal = answer.refusal.map(|refusal| match refusal {
        // Both measure the machine.
        Refusal::Long { .. } => "the search would take ".to_owned(),
        refusal => refusal.to_string(),
    });
    let other = answer.other.as_ref().map(ToString::to_string);
    let damage = answer.damage.map(|damage| format!("assumes {damage}\n"));
    let next = answer.next.as_ref().map(|next| format!("({}: ", next.name));
    let parts = [refusal, other, damage, next, answer.reading.in_words(), answer.note.clone()];
    parts.iter().flatten().for_each(|part| says(part));
    if answer.keys.is_empty() && answer.refusal.is_none() {
        says("not found");
        let tried = answer.tried.iter().filter(|it| it.candidates > 0.0);
        tried.for_each(|it| says(&format!("{} ({:.0} ", it.name, it.candidates)));
    }
    for key in &answer.keys {
        let shown = format!("{words}{answer:?}");
        assert!(!has_part_of(&key.text, &shown), "{shown}");
    }
}

/// Keys of all kinds, whole and damaged in each way, without an address, with theirs, and with
/// another one.
#[test]
fn the_library_answers_for_keys_as_the_tool() {
    let base58 = bs58::encode(hex::decode(SECRET).unwrap()).into_string();
    let texts = [
        (KEY, Some(ITS_ADDRESS)),
        (ITS_KEYS[0].0, Some(ITS_KEYS[0].1)),
        (SECRET, Some(ITS_KEYS[1].1)),
        (&base58, Some(ITS_KEYS[1].1)),
        (MINI_KEYS[0], Some(OF_MINI)),
        (ENCRYPTED, Some(OF_ENCRYPTED)),
        (XPUB, None),
    ];
    // What nobody described is searched for where that is quick.
    let mut asked: Vec<(String, Option<&str>, bool)> = Vec::new();
    for (key, address) in texts {
        for (damage, text) in damaged(key).into_iter().enumerate() {
            let is_exact = matches!(damage, 6 | 7) || text.len() < 20;
            asked.extend(address.map(|address| (text.clone(), Some(address), is_exact)));
            if damage < 2 {
                asked.push((text.clone(), Some(OTHER), true));
            }
            asked.push((text, None, false));
        }
    }
    let others = OTHER_TEXTS.iter().flat_map(|text| [(text, None), (text, Some(OTHER))]);
    asked.extend(others.map(|(text, address)| ((*text).to_owned(), address, true)));
    let mut verdicts = [0; 4];
    for (text, address, is_exact) in &asked {
        let mut options = KeyOptions::default();
        options.owner = address.map(|address| address.parse().unwrap());
        options.is_exact = *is_exact;
        let mut arguments = vec!["key", "--verbose"];
        arguments.extend(address.iter().flat_map(|address| ["--address", address]));
        arguments.extend(options.is_exact.then_some("--exact"));
        let output = run_with_input(&arguments, text.as_bytes());
        let answer = ask_key(text, &options);
        assert_same(text, &output, &answer);
        verdicts[answer.map_or(2, |answer| usize::from(answer.verdict().exit_code().min(3)))] += 1;
    }
    assert!(verdicts.iter().all(|&count| count > 5), "{verdicts:?} of {}", asked.len());
}

/// Before a search, which may take long: the addresses of a whole key of another address. Keys of
/// all kinds are told apart in the same words.
#[test]
fn the_addresses_of_a_key_of_another_one_are_said_before_the_search() {
    let base58 = bs58::encode(hex::decode(SECRET).unwrap()).into_string();
    let (of_key, of_secret) = ([ITS_ADDRESS, ""], [ITS_KEYS[0].1, ITS_KEYS[1].1]);
    let encrypted = ["only its passphrase tells its addresses", ""];
    for (key, name, addresses) in [
        (KEY, "Bitcoin WIF, compressed; its checksum is right", of_key),
        (ITS_KEYS[0].0, "Bitcoin WIF, uncompressed; its checksum is right", [ITS_KEYS[0].1, ""]),
        (SECRET, "64 hexadecimal digits; no checksum proves it", of_secret),
        (&base58, "32 bytes in Base58; no checksum proves it", of_secret),
        (MINI_KEYS[0], "mini key (Casascius); no checksum proves it", [OF_MINI, ""]),
        (ENCRYPTED, "BIP 38 encrypted key, EC multiplied; its checksum is right", encrypted),
    ] {
        let mut options = KeyOptions::default();
        options.owner = Some(OTHER.parse().unwrap());
        let question = KeyQuestion::new(key, &options).unwrap();
        assert!(question.other().is_some_and(|it| it.address == OTHER), "{key}");
        let output = run_with_input(["key", "--exact", "--address", OTHER], key.as_bytes());
        let said = stderr(&output);
        assert_eq!((code(&output), stdout(&output)), (1, ""), "{said}");
        let how = "note: reads the text as the 32 bytes of a private key in Base58, without a \
                   checksum\n";
        let said = said.strip_prefix(how).unwrap_or(said);
        let whole = "note: the key is whole as it is written";
        let other = format!("{whole} ({name}), but it is not the key of {OTHER}; ");
        let (other, answer) = said.strip_prefix(&other).expect(said).split_once('\n').unwrap();
        assert!(addresses.iter().all(|it| other.contains(it)), "{said}");
        let undamaged = "not found: a key whose checksum is right is not searched for damage";
        let searched = "not found: tried the text as written (1 candidate)";
        let is_undamaged = question.other().unwrap().is_undamaged;
        assert!(answer.starts_with(if is_undamaged { undamaged } else { searched }), "{said}");
    }
}

/// A key in a sentence, before and after any punctuation.
#[test]
fn any_punctuation_divides_a_key_from_words() {
    let words = [
        ("key,", ",2014"),
        ("key;", ";2014"),
        ("key (", ") of 2014"),
        ("key(", ")of 2014"),
        ("a \"", "\", b"),
        ("a\"", "\"b"),
        ("wallets/", "/2014"),
        ("a|b|", "|c"),
        ("a\n", "\nb"),
        ("a,\r\n", ",\r\nb"),
        ("1.,", ""),
        ("name,date,", ",balance"),
        ("<key>", "</key>"),
        ("{\"key\":\"", "\"}"),
        ("a#", "&b=c"),
        ("it is—", "—that"),
    ];
    let damaged = |key: &str| [&key[..30], "?", &key[31..]].concat();
    for (key, address) in [(KEY, None), (XPUB, None), (SECRET, Some(ITS_KEYS[0].1))] {
        let options = address.map_or(vec![], |address| vec!["--address", address]);
        for (before, after) in words {
            for text in [key.to_owned(), damaged(key)] {
                let text = format!("{before}{text}{after}");
                let output = run_with_input([&["key"], &options[..]].concat(), text.as_bytes());
                let found = (code(&output), stdout(&output));
                assert_eq!(found, (0, &*format!("{key}\n")), "{text}: {}", stderr(&output));
            }
        }
    }
}

/// The addresses of the specification of CashAddr are those of one hash: they have the same key.
#[test]
fn a_cash_addr_address_tells_its_key() {
    let address = "bitcoincash:qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2h";
    let hash = addr_recover::KeyHash::Compressed.of(&{
        let mut one = [0; 32];
        one[31] = 1;
        one
    });
    let of_one = cash_addr(0, &hash.unwrap());
    let text = [&KEY[..30], "?", &KEY[31..]].concat();
    for address in [&*of_one, &of_one[12..], &of_one.to_uppercase(), &cash_addr(2, &hash.unwrap())]
    {
        let output = run_with_input(["key", "--address", address], text.as_bytes());
        assert_eq!((code(&output), stdout(&output)), (0, &*format!("{KEY}\n")), "{address}");
        assert!(stderr(&output).contains(&format!("1 found for {address}")), "{address}");
    }
    let script = "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq";
    let damaged = address.replace("qp63", "qp64");
    for (address, why) in [
        (script, "this is the address of a script (P2SH), and no single key has it"),
        (&*damaged, "not a valid address of Base58Check, Bech32, CashAddr or Ethereum"),
    ] {
        let output = run_with_input(["key", "--address", address], text.as_bytes());
        assert_eq!(code(&output), 2, "{address}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    // An encrypted key has the hash of the P2PKH address.
    let encrypted: KeyOwner = OF_ENCRYPTED.parse().unwrap();
    let hash = bs58::decode(encrypted.address()).with_check(None).into_vec().unwrap();
    let address = cash_addr(0, hash[1..].try_into().unwrap());
    let text = [&ENCRYPTED[..9], "?", &ENCRYPTED[10..]].concat();
    let output = run_with_input(["key", "--address", &address], text.as_bytes());
    assert_eq!(stdout(&output), format!("{ENCRYPTED}\n"), "{}", stderr(&output));
}

/// A CashAddr address of a type and a hash (specification of CashAddr).
fn cash_addr(kind: u8, hash: &[u8; 20]) -> String {
    let bits: String = [kind << 3].iter().chain(hash).map(|byte| format!("{byte:08b}")).collect();
    let symbols: Vec<u8> = (format!("{bits}00").as_bytes().chunks(5))
        .map(|it| it.iter().fold(0, |value, bit| value << 1 | (bit & 1)))
        .collect();
    let prefix = b"bitcoincash".iter().map(|letter| letter & 31).chain([0]);
    let checked = prefix.chain(symbols.iter().copied()).chain([0; 8]);
    let checksum = checked.fold(1_u64, |sum, symbol| {
        let generators =
            [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470_u64];
        let top = sum >> 35;
        let sum = (sum & 0x7_ffff_ffff) << 5 ^ u64::from(symbol);
        let of_top = generators.iter().enumerate().filter(|(bit, _)| top >> bit & 1 == 1);
        of_top.fold(sum, |sum, (_, generator)| sum ^ generator)
    }) ^ 1;
    let checksum = (0..8).rev().map(|at| (checksum >> (5 * at) & 31) as u8);
    let character =
        |symbol: u8| char::from(b"qpzry9x8gf2tvdw0s3jn54khce6mua7l"[usize::from(symbol)]);
    let data: String = symbols.iter().copied().chain(checksum).map(character).collect();
    format!("bitcoincash:{data}")
}

/// Texts that are as long as mini keys.
#[test]
fn advice_fits_the_text() {
    for (text, message) in [
        // From the documents of the XRP Ledger, and a made-up one.
        ("sn259rEFXrQrWyx3Q7XneWcwV6dfL", "the form of a family seed of XRP: keep it secret"),
        ("sEdTM1uX8pu2do5XvTnutH6HsouMaM2", "the form of a family seed of XRP: keep it secret"),
        ("sn259rEFXrQrWy?3Q7XneWcwV6dfL", "the form of a family seed of XRP: keep it secret"),
        (&KEY[..30], "begins like a private key in the wallet import format, which has 51 or 52 "),
        (&KEY[..22], "but 22 were given; write ... where characters are lost"),
        (&ITS_KEYS[0].0[..30], "but 30 were given; write ... where characters are lost"),
        (&"1234567890".repeat(8)[..77], "the form of a private key in decimal digits"),
    ] {
        let output = run_with_input(["key"], text.as_bytes());
        let said = stderr(&output);
        assert!(code(&output) == 2 && said.contains(message), "{text}: {said}");
        assert!(!said.contains("to recover a mini key"), "{said}");
    }
    let mini = [&MINI_KEYS[0][..9], "z", &MINI_KEYS[0][10..]].concat();
    for (text, is_mini) in [(&*mini, true), (&ITS_KEYS[0].0[9..39], false)] {
        let output = run_with_input(["key"], text.as_bytes());
        assert_eq!(code(&output), 1, "{}", stderr(&output));
        let said = stderr(&output).contains("to recover a mini key (S...), pass --address");
        assert_eq!(said, is_mini, "{text}");
    }
}
