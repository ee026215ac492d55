//! `key --address`: the address that proves which key is right.

use sha2::{Digest, Sha256};

use crate::keys::{
    ENCRYPTED, ITS_ADDRESSES, ITS_KEYS, KEY, MINI_KEYS, SECRET, XPUB, has_part_of, recover,
    replaced,
};
use crate::{assert_prints, assert_says, code, stderr, stdout};

/// The address of the encrypted key, from BIP 38.
const ENCRYPTED_ADDRESS: &str = "1PE6TQi6HTVNz5DLwB1LcpMBALubfuN2z2";

/// The key with unreadable characters from one place to another.
fn replaced_by_marks(key: &str, first: usize, end: usize) -> String {
    format!("{}{}{}", &key[..first], "?".repeat(end - first), &key[end..])
}

#[test]
fn an_address_singles_out_its_key() {
    let text = format!("{}????????", &KEY[..44]);
    let noise = recover(&text, &["--exact"]);
    assert_prints(&noise, 4, "");
    assert_says(&noise, "--address");
    let text = format!("{}?????????{}", &KEY[..20], &KEY[29..]);
    assert_eq!(code(&recover(&text, &[])), 4);

    let text = format!("{}??????", &KEY[..46]);
    for address in ITS_ADDRESSES {
        let output = recover(&text, &["--address", address]);
        assert_prints(&output, 0, &format!("{KEY}\n"));
        assert_says(&output, &format!("1 found for {address} ("));
    }
    // Nine of the uncompressed keys that begin like this fit by chance, or some more or fewer.
    let uncompressed = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
    let text = format!("{}??????", &uncompressed[..45]);
    assert_eq!(code(&recover(&text, &[])), 4);
    let several = recover(&text, &["--force"]);
    assert_eq!(code(&several), 3, "{}", stderr(&several));
    assert!(stdout(&several).lines().any(|line| line == uncompressed));
    assert_says(&several, "--address tells which");

    let output = recover(&replaced(ENCRYPTED, 9, "?"), &["--address", ENCRYPTED_ADDRESS]);
    assert_eq!(stdout(&output), format!("{ENCRYPTED}\n"));
    let other = recover(KEY, &["--address", ENCRYPTED_ADDRESS, "--exact"]);
    assert_prints(&other, 1, "");
    for options in
        [&["--address", "1BgGZ9tcN4"][..], &["--address", ITS_ADDRESSES[0], "--kind", "xprv"]]
    {
        let output = recover(XPUB, options);
        assert_prints(&output, 2, "");
    }
}

/// Encrypted keys and their addresses, of no private key. The bytes are those of BIP 38.
fn encrypted_keys() -> impl Iterator<Item = (String, String)> {
    (0..20_u32).map(|number| {
        let random = Sha256::digest(number.to_be_bytes());
        let payload = [&[0], &Sha256::digest(random)[..20]].concat();
        let address = bs58::encode(payload).with_check().into_string();
        let hash = Sha256::digest(Sha256::digest(&address));
        let begin = if number % 2 == 0 { [0x01, 0x42, 0xe0] } else { [0x01, 0x43, 0x20] };
        let key = [&begin, &hash[..4], &random].concat();
        (bs58::encode(key).with_check().into_string(), address)
    })
}

/// Six unreadable characters leave nine keys that fit, and the text says as much about the address
/// as it did. Five leave one in six times another key.
#[test]
fn an_address_makes_no_encrypted_key_certain() {
    for (number, (key, address)) in encrypted_keys().enumerate() {
        let damaged = |places: &[usize]| {
            let text = places.iter().fold(key.clone(), |text, &at| replaced(&text, at, "?"));
            recover(&text, &["--exact", "--force", "--address", &address])
        };
        let places = [15 + number, 36, 52, 54, 56, 57];
        let output = damaged(&places);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stdout(&output).lines().any(|found| found == key), "{}", stdout(&output));
        assert_says(&output, "only its passphrase tells");
        assert!(!stderr(&output).contains("--address"), "{}", stderr(&output));
        let output = damaged(&places[1..]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        // Four are few enough, and so are any that the address tells.
        for places in [&places[2..], &[4, 5, 6, 7, 8, 9]] {
            let output = damaged(places);
            assert_prints(&output, 0, &format!("{key}\n"));
        }
        let text = replaced(&key, 20, "?");
        let other = recover(&text, &["--exact", "--address", ITS_ADDRESSES[0]]);
        assert_prints(&other, 1, "");
    }
    let text = "6PYNRNSJYoQT8cmZdYyrPZXP?tQahGiN?vAbZ2cMqmxsVWQgavPUW?A???";
    let output = recover(text, &["--exact", "--address", "1APnf7e3FihpDgY89Trjqu8L5LGUwXDVPE"]);
    assert_prints(&output, 4, "");
    // It has no hash of such an address.
    let output = recover(ENCRYPTED, &["--address", ITS_ADDRESSES[2], "--kind", "bip38"]);
    assert_prints(&output, 2, "");
    assert_says(&output, "P2PKH address (1...): pass that one");
}

/// Its last characters hold little more than the checksum, so private keys are compared with the
/// address.
#[test]
fn a_key_whose_end_is_lost_is_found_by_its_address() {
    let (key, address) = ITS_KEYS[1];
    let kept = &key[..43];
    for text in [format!("{kept}?????????"), format!("{kept}...")] {
        let output = recover(&text, &["--address", address]);
        assert_eq!((code(&output), stdout(&output)), (0, &*format!("{key}\n")), "{text}");
        assert_says(&output, " private keys, ");
        assert!(!has_part_of(key, stderr(&output)), "{}", stderr(&output));
    }
    // A set before the end.
    let text = format!("{}?????????", replaced(kept, 30, "[Ap]"));
    let output = recover(&text, &["--address", address]);
    assert_eq!((code(&output), stdout(&output)), (0, &*format!("{key}\n")), "{text}");
    let output = recover(&format!("{kept}?????????"), &["--exact", "--address", ITS_KEYS[0].1]);
    assert_eq!(code(&output), 0, "the same private key");
    let output = recover(&format!("{kept}?????????"), &["--exact", "--address", ITS_ADDRESSES[0]]);
    assert_prints(&output, 1, "");
}

#[test]
fn a_hexadecimal_private_key_is_found_by_its_address() {
    let changed = |at: usize, with: &str| replaced(SECRET, at, with);
    let cut = |at: usize| format!("{}{}", &SECRET[..at], &SECRET[at + 1..]);
    let texts = [
        changed(20, "?"),
        format!("{}?????{}", &SECRET[..9], &SECRET[14..]),
        format!("0x{}??", SECRET[..62].to_uppercase()),
        changed(40, "Z"),
        SECRET.replace('0', "o"),
        SECRET
            .as_bytes()
            .chunks(8)
            .map(|group| str::from_utf8(group).unwrap())
            .collect::<Vec<_>>()
            .join(" "),
        changed(40, if &SECRET[40..41] == "1" { "2" } else { "1" }),
        [5, 15, 25, 35].iter().fold(SECRET.to_owned(), |text, &at| replaced(&text, at, "?")),
        cut(0),
        cut(33),
        format!("{}0{}", &SECRET[..33], &SECRET[33..]),
        format!("{}{}{}{}", &SECRET[..11], &SECRET[12..13], &SECRET[11..12], &SECRET[13..]),
    ];
    for (_, address) in ITS_KEYS {
        for text in &texts {
            let output = recover(text, &["--address", address]);
            let found = format!("{SECRET}\n");
            assert_eq!(
                (code(&output), stdout(&output)),
                (0, &*found),
                "{text}: {}",
                stderr(&output)
            );
            assert!(!has_part_of(SECRET, stderr(&output)), "{}", stderr(&output));
        }
        let output = recover(&changed(20, "?"), &["--address", address, "--estimate"]);
        assert!(stdout(&output).contains("worth a search"), "{}", stdout(&output));
    }
    let output = recover(&changed(20, "?"), &["--address", ITS_ADDRESSES[0], "--exact"]);
    assert_prints(&output, 1, "");
    let output = recover(SECRET, &[]);
    assert_prints(&output, 2, "");
    assert_says(&output, "--address");
    let hopeless = format!("{}{}{}", &SECRET[..9], "?".repeat(30), &SECRET[39..]);
    assert_eq!(code(&recover(&hopeless, &["--address", ITS_KEYS[0].1])), 4);
}

#[test]
fn sets_of_hexadecimal_digits_are_read() {
    let address = ITS_KEYS[1].1;
    let of = |set: &str, mark: &str| {
        let text = replaced(&replaced(SECRET, 50, mark), 20, set);
        recover(&text, &["--address", address, "--exact"])
    };
    let digit = &SECRET[20..21];
    let sets = [format!("[{digit}1]"), format!("{{2,{digit}}}"), format!("(e/{digit})")];
    for set in sets {
        let output = of(&set, "?");
        assert_prints(&output, 0, &format!("{SECRET}\n"));
        assert!(!has_part_of(SECRET, stderr(&output)), "{}", stderr(&output));
    }
    assert_prints(&of("[xy]", "[0123]"), 1, "");
    // What cannot be read is no proof that there is no key.
    let illegible = [3, 9, 15, 21, 27, 33].iter();
    let illegible = illegible.fold(SECRET.to_owned(), |text, &at| replaced(&text, at, "w"));
    let output = recover(&illegible, &["--address", address]);
    assert_prints(&output, 2, "");
    assert_says(&output, "the characters at 4, 10, 16, 22, 28, 34 are no such digits");
    assert!(!has_part_of(SECRET, stderr(&output)), "{}", stderr(&output));
}

/// As many characters as 32 bytes have in Base58, and more.
#[test]
fn a_lost_end_of_any_length_is_assumed() {
    for (key, address) in ITS_KEYS {
        for length in 43..=47 {
            let output = recover(&key[..length], &["--address", address]);
            assert_prints(&output, 0, &format!("{key}\n"));
            assert_says(&output, "a key whose end is lost");
        }
    }
    // Little more than the checksum is lost, so it takes no address.
    let (key, _) = ITS_KEYS[1];
    for (length, status) in [(48, 0), (47, 3)] {
        let output = recover(&key[..length], &[]);
        assert_prints(&output, status, &format!("{key}\n"));
        assert_says(&output, "a key whose end is lost");
    }
    assert_prints(&recover(&key[..44], &[]), 2, "");
}

#[test]
fn an_undamaged_key_of_another_address_is_told_apart() {
    let (key, address) = ITS_KEYS[1];
    let output = recover(&format!("key: {key}"), &["--address", ITS_ADDRESSES[0]]);
    assert_prints(&output, 1, "");
    assert_says(
        &output,
        "(Bitcoin WIF, compressed; its checksum is right), but it is not the key of",
    );
    assert_says(&output, address);
    assert!(!has_part_of(key, stderr(&output)), "{}", stderr(&output));
    let output = recover(ITS_KEYS[0].0, &["--address", ITS_ADDRESSES[0]]);
    assert_says(&output, &format!("it has other addresses: {}", ITS_KEYS[0].1));
}

/// A text without a checksum may have a wrong digit, so it is searched all the same. The addresses
/// are those of the wiki of Bitcoin, of BIP 173 and of the documents of Ethereum.
#[test]
fn a_whole_key_of_another_address_gets_its_own_ones() {
    let (one, other) = (format!("{:064}", 1), ["--address", "1CC3X2gu58d6wXUWMffpuzN9JAfTUWu4Kj"]);
    let base58 = |key: &str| bs58::encode(hex::decode(key).unwrap()).into_string();
    let of_one = [&ITS_ADDRESSES[..], &["0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"]].concat();
    let litecoin = [&[0xb0][..], &hex::decode(SECRET).unwrap(), &[1]].concat();
    let litecoin = bs58::encode(litecoin).with_check().into_string();
    for (key, name, addresses, is_searched) in [
        (&*one, "64 hexadecimal digits", &of_one[..], true),
        (&format!("key: 0x{one}"), "64 hexadecimal digits", &of_one, true),
        (&base58(SECRET), "32 bytes in Base58", &[ITS_KEYS[0].1, ITS_KEYS[1].1], true),
        (MINI_KEYS[1], "mini key (Casascius)", &["1PE6TQi6HTVNz5DLwB1LcpMBALubfuN2z2"][..0], true),
        (KEY, "Bitcoin WIF, compressed", &ITS_ADDRESSES[..1], false),
        (&litecoin, "Litecoin WIF, compressed", &["Lf3h"][..0], false),
        (ENCRYPTED, "BIP 38 encrypted key", &["only its passphrase tells"], false),
    ] {
        for force in [&[][..], &["--force"]] {
            let output = recover(key, &[&other[..], &["--exact"], force].concat());
            assert_prints(&output, 1, "");
            assert_says(&output, &format!("({name}"));
            assert_says(&output, &format!(", but it is not the key of {}; ", other[1]));
            addresses.iter().for_each(|address| assert_says(&output, address));
            let tried = stderr(&output).contains("tried the text as written (1 candidate)");
            assert_eq!(tried, is_searched || !force.is_empty() && key != ENCRYPTED, "{key}");
            assert!(!has_part_of(key, stderr(&output)), "{}", stderr(&output));
        }
    }
    // With a digit that is wrong or missing, it is another key.
    for text in [replaced(SECRET, 9, "?"), SECRET[1..].to_owned()] {
        let output = recover(&text, &[&other[..], &["--exact"]].concat());
        assert!(!stderr(&output).contains("it has other addresses"), "{}", stderr(&output));
    }
    // Its own address.
    assert_prints(&recover(SECRET, &["--address", ITS_KEYS[0].1]), 0, &format!("{SECRET}\n"));
}

#[test]
fn half_a_private_key_is_not_searched() {
    for (part, lost) in [(&SECRET[..32], 32), (&SECRET[24..], 24), (&SECRET[..40], 24)] {
        let output = recover(part, &["--address", ITS_KEYS[0].1]);
        assert_prints(&output, 4, "");
        assert_says(&output, &format!("first or last {lost} hexadecimal digits are lost"));
        assert_says(&output, "a kangaroo solver may");
        assert!(!has_part_of(part, stderr(&output)), "{}", stderr(&output));
        assert_prints(&recover(part, &[]), 2, "");
    }
    for part in [&SECRET[..59], &SECRET[5..]] {
        let output = recover(part, &["--address", ITS_KEYS[0].1]);
        assert_prints(&output, 0, &format!("{SECRET}\n"));
    }
}

/// Without its checksum, a key has 44 characters. In Base58, 32 bytes have 43 or 44.
#[test]
fn a_key_without_its_checksum_is_found_by_its_address() {
    let (key, address) = ITS_KEYS[1];
    for length in [42, 44, 46] {
        let output = recover(&key[..length], &["--address", address]);
        assert_prints(&output, 0, &format!("{key}\n"));
        assert_says(&output, "a key whose end is lost");
        assert!(!has_part_of(key, stderr(&output)), "{}", stderr(&output));
    }
    let exact = recover(&key[..44], &["--address", address, "--exact"]);
    assert_prints(&exact, 2, "");
    let bytes = bs58::encode(hex::decode(SECRET).unwrap()).into_string();
    let output = recover(&bytes, &["--address", address]);
    assert_prints(&output, 0, &format!("{SECRET}\n"));
    let other = recover(&bytes, &["--address", ITS_ADDRESSES[0], "--exact"]);
    assert_prints(&other, 1, "");
    // Damaged, with and without a mark, and in one case in some places.
    let swapped = [&bytes[..9], &bytes[10..11], &bytes[9..10], &bytes[11..]].concat();
    let missing = [&bytes[..30], &bytes[31..]].concat();
    for text in [
        replaced(&bytes, 7, "?"),
        replaced(&replaced(&bytes, 7, "?"), 40, "?"),
        replaced(&bytes, 20, if bytes[20..].starts_with('z') { "y" } else { "z" }),
        swapped,
        missing,
        format!("key: {bytes}"),
    ] {
        let output = recover(&text, &["--address", address]);
        assert_prints(&output, 0, &format!("{SECRET}\n"));
        assert_says(&output, "the 32 bytes of a private key in Base58");
        assert!(!has_part_of(&bytes, stderr(&output)), "{}", stderr(&output));
    }
}

/// The first account that wallets of Ethereum list for the private key 1, and the same as an
/// address of Tron.
#[test]
fn a_private_key_of_ethereum_is_found_by_its_address() {
    let key = format!("{:064}", 1);
    let ethereum = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";
    let tron = bs58::encode([&[65][..], &hex::decode(&ethereum[2..]).unwrap()].concat());
    let tron = tron.with_check().into_string();
    for address in [ethereum, &ethereum.to_lowercase(), &tron] {
        for text in [replaced(&key, 20, "?"), replaced(&key, 41, "5"), format!("0x{}", &key[1..])] {
            let output = recover(&text, &["--address", address]);
            assert_prints(&output, 0, &format!("{key}\n"));
        }
    }
    // The letter case is a checksum.
    let wrong = ethereum.replace("0x7E", "0x7e");
    let output = recover(&key, &["--address", &wrong]);
    assert_prints(&output, 2, "");
    assert_says(&output, "not a valid address of Base58Check, Bech32, CashAddr or Ethereum");
}

#[test]
fn a_mini_key_is_recovered_with_its_address() {
    let key = MINI_KEYS[0];
    let address = ["--address", "1CC3X2gu58d6wXUWMffpuzN9JAfTUWu4Kj"];
    for text in
        [key.to_lowercase(), replaced(key, 9, "z"), replaced(&replaced(key, 3, "?"), 4, "?")]
    {
        let output = recover(&text, &address);
        assert_eq!((code(&output), stdout(&output)), (0, &*format!("{key}\n")), "{text}");
        assert!(!has_part_of(key, stderr(&output)), "{}", stderr(&output));
    }
    // Without it, too many would fit by chance.
    let output = recover(key, &["--kind", "mini"]);
    assert_prints(&output, 2, "");
    assert_says(&output, "without its --address");
    let output = recover(&replaced(key, 9, "z"), &[]);
    assert_prints(&output, 1, "");
    assert_says(&output, "to recover a mini key (S...), pass --address");
}

/// An address does not make a hopeless search possible, nor does a text have any length.
#[test]
fn hopeless_texts_are_refused_with_an_address_too() {
    let output = recover(&"?".repeat(52), &["--address", ITS_ADDRESSES[0], "--exact"]);
    assert_prints(&output, 4, "");
    let (key, address) = ITS_KEYS[1];
    let digits = |unknown: usize| format!("{}{}", &SECRET[unknown..], "?".repeat(unknown));
    // In as many places, between known digits.
    let scattered = SECRET.as_bytes().chunks(2).map(|pair| format!("{}?", char::from(pair[0])));
    for (text, unknown) in [
        (replaced_by_marks(key, 2, 14), 12),
        (digits(16), 16),
        (digits(33), 33),
        (digits(64), 64),
        (scattered.collect(), 32),
    ] {
        let output = recover(&text, &["--address", address]);
        assert_prints(&output, 4, "");
        assert_says(&output, &format!(" years, for {unknown} unknown characters; this machine "));
        assert!(!has_part_of(SECRET, stderr(&output)), "{}", stderr(&output));
        // What it names is feasible.
        let said = stderr(&output).split("tries ").nth(1).unwrap();
        let in_a_month: usize = said.split(" and ").nth(1).unwrap()[..2].trim().parse().unwrap();
        assert!((5..unknown).contains(&in_a_month), "{said}");
    }
    let output = recover(&"K".repeat(70_000), &[]);
    assert_prints(&output, 2, "");
    let message = "error: the input has more than 65536 bytes: pass the text of one key\n";
    assert_eq!(stderr(&output), message);
}

/// The private key 1 is the first of a billion, which would take minutes.
#[test]
fn a_search_ends_once_the_key_of_the_address_is_found() {
    let output = recover(&format!("{}...", &KEY[..40]), &["--address", ITS_ADDRESSES[0]]);
    assert_prints(&output, 0, &format!("{KEY}\n"));
    assert!(stderr(&output).starts_with("note: this takes about "), "{}", stderr(&output));
}
