//! `key`: what it prints where, and that it keeps keys secret.

use std::process::Output;

use sha2::{Digest, Sha256};

use crate::{
    SHORT, assert_prints, assert_says, code, folder, names, reports, run, run_with_input, stderr,
    stdout, tool_in,
};

/// The private key 1, whose addresses many wallets list (BIP 173 has one).
pub(crate) const KEY: &str = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";
const ITS_ADDRESSES: [&str; 4] = [
    "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
    "1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm",
    "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
];

/// From BIP 38 and BIP 32.
pub(crate) const ENCRYPTED: &str = "6PfQu77ygVyJLZjfvMLyhLMQbYnu5uguoJJ4kMCLqWwPEdfpwANVS76gTX";
const ENCRYPTED_ADDRESS: &str = "1PE6TQi6HTVNz5DLwB1LcpMBALubfuN2z2";
#[cfg(target_os = "linux")]
pub(crate) const XPRV: &str = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChk\
                    VvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
pub(crate) const XPUB: &str = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ2\
                    9ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";

fn recover(text: &str, options: &[&str]) -> Output {
    run_with_input(["key"].iter().chain(options), text.as_bytes())
}

/// Whether a text has a part of a key: eight characters in a row.
pub(crate) fn has_part_of(key: &str, text: &str) -> bool {
    key.as_bytes().windows(8).any(|part| text.contains(str::from_utf8(part).unwrap()))
}

/// The key with another character at a place.
fn replaced(key: &str, at: usize, with: &str) -> String {
    format!("{}{with}{}", &key[..at], &key[at + 1..])
}

/// The key with unreadable characters from one place to another.
fn replaced_by_marks(key: &str, first: usize, end: usize) -> String {
    format!("{}{}{}", &key[..first], "?".repeat(end - first), &key[end..])
}

#[test]
fn a_key_goes_to_stdout_and_nowhere_else() {
    let home = folder("key-nowhere-else");
    for (key, kind) in [
        (KEY, "Bitcoin WIF, compressed\n"),
        (ENCRYPTED, "BIP 38 encrypted key, EC multiplied\n"),
        (XPUB, "BIP 32 extended public key (xpub)\n"),
    ] {
        for text in [replaced(key, 30, "?"), replaced(key, 30, "z"), format!("key: \"{key}\"\n")] {
            let output = recover(&text, &[]);
            assert_eq!((code(&output), stdout(&output)), (0, &*format!("{key}\n")), "{text}");
            assert!(stderr(&output).starts_with(kind), "{}", stderr(&output));
            assert_says(&output, "certain, right with over 99.9 %: ");
            assert_says(&output, " would also give an answer (");
            assert!(!has_part_of(key, stderr(&output)), "{}", stderr(&output));
        }
        let mut command = tool_in(&home);
        command.args(["key", "--quiet"]).arg(replaced(key, 30, "?"));
        let quiet = command.output().unwrap();
        assert_eq!((stdout(&quiet), stderr(&quiet)), (&*format!("{key}\n"), ""));
    }
    assert_eq!(names(&home), [""; 0]);
}

/// From the wiki of Bitcoin. No key has as many characters as these texts.
#[test]
fn a_key_with_a_character_too_few_or_too_many_is_not_refused_by_its_length() {
    let key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
    let output = recover(&format!("{}{}", &key[..20], &key[21..]), &[]);
    assert_prints(&output, 0, &format!("{key}\n"));
    assert_says(&output, "\nassumes one missing character\n");
    let mini = "SzavMBLoXU6kDrqtUVmffv";
    let options = ["--address", "1CC3X2gu58d6wXUWMffpuzN9JAfTUWu4Kj"];
    let output = recover(&format!("{}7{}", &mini[..9], &mini[9..]), &options);
    assert_prints(&output, 0, &format!("{mini}\n"));
}

#[test]
fn a_key_on_the_command_line_gets_a_warning() {
    let output = run(["key", &KEY[..26], &KEY[26..]]);
    assert_prints(&output, 0, &format!("{KEY}\n"));
    assert!(stderr(&output).starts_with("warning: other users"), "{}", stderr(&output));
    assert!(!has_part_of(KEY, stderr(&output)));
    let output = recover(KEY, &["-"]);
    assert_prints(&output, 0, &format!("{KEY}\n"));
    assert!(!stderr(&output).contains("warning"));
}

#[test]
fn an_estimate_for_a_key_shows_no_part_of_it() {
    let unknown = replaced(KEY, 20, "?");
    let illegible = format!("{}{}{}", &KEY[..20], "?".repeat(12), &KEY[32..]);
    for (text, options, status, lines) in [
        (&*unknown, &[][..], 0, ["candidates      6\n", "hashes          about 6\n"]),
        (
            &unknown,
            &["--typos", "1"],
            0,
            ["hashes          about ", "a single hit is certain, right with over 99.9 %"],
        ),
        (&illegible, &[], 4, ["keys expected to fit", "verdict         noise"]),
        (
            &illegible,
            &["--address", ITS_ADDRESSES[0]],
            4,
            ["keys expected to fit", "verdict         the search would take "],
        ),
        (
            &KEY[1..],
            &[],
            1,
            ["candidates      0\n", "verdict         the length is right, but no key"],
        ),
    ] {
        let output = recover(text, &[&["--estimate", "--threads", "1"], options].concat());
        assert_eq!((code(&output), stderr(&output)), (status, ""), "{text}");
        for line in lines {
            assert!(stdout(&output).contains(line), "{line}: {}", stdout(&output));
        }
        assert!(stdout(&output).contains(", 1 thread)\n"), "{}", stdout(&output));
        assert!(!has_part_of(KEY, stdout(&output)), "{}", stdout(&output));
    }
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

/// From the wiki of Bitcoin ("Private key", "Wallet import format").
pub(crate) const SECRET: &str = "0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d";
pub(crate) const ITS_KEYS: [(&str, &str); 2] = [
    ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "1GAehh7TsJAHuUAeKZcXf5CnwuGuGgyX2S"),
    ("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617", "1LoVGDgRs9hTfTNJNuXKSpywcbdvwRXpmK"),
];

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

/// What is beside it neither hides a key nor becomes a part of it.
#[test]
fn a_key_is_found_in_what_surrounds_it() {
    let digits = ["--address", ITS_KEYS[0].1];
    let texts = |key: &str| {
        [
            format!("my key is {key}"),
            format!("Private key (WIF): {key}\n"),
            format!("“{key}” – clé"),
            format!("{key}\n{}\n", ITS_ADDRESSES[0]),
            format!("{}, {key}.", ITS_ADDRESSES[3]),
            format!("{key}\n{key}\n"),
            format!("wallet = <{key}>;"),
        ]
    };
    for (key, options) in
        [(KEY, &[][..]), (ITS_KEYS[0].0, &[]), (XPUB, &[]), (ENCRYPTED, &[]), (SECRET, &digits)]
    {
        for damaged in [key.to_owned(), replaced(key, 30, "?")] {
            for text in texts(&damaged) {
                // Only a whole key is the same one twice.
                if damaged == key && key != SECRET || text.matches(&damaged).count() == 1 {
                    let output = recover(&text, options);
                    assert_prints(&output, 0, &format!("{key}\n"));
                    assert!(!has_part_of(key, stderr(&output)), "{}", stderr(&output));
                }
            }
        }
    }
    let output = recover(&format!("{KEY} {}", ITS_KEYS[0].0), &[]);
    assert_prints(&output, 2, "");
    assert_says(&output, "error: the text has 2 keys: give one at a time\n");
    // Groups are no words.
    for cut in [1, 2, 26, 50] {
        let output = recover(&format!("{} {}", &KEY[..cut], &KEY[cut..]), &[]);
        assert_prints(&output, 0, &format!("{KEY}\n"));
    }
    for address in ITS_ADDRESSES {
        let output = recover(address, &[]);
        assert_prints(&output, 2, "");
        assert_says(&output, "error: this is an address, and no key can be computed from it");
    }
    let output = recover(XPUB, &["--address", ITS_ADDRESSES[0]]);
    assert_prints(&output, 2, "");
    assert_says(&output, "error: --address cannot single out an extended key: leave it out\n");
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

/// As PowerShell writes a file with `>`, and as old editors do.
#[test]
fn a_key_in_another_encoding_is_read() {
    let text = replaced(KEY, 30, "?");
    let utf16: Vec<u8> =
        [0xfeff_u16].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let windows = [b"\x84", text.as_bytes(), b"\x93\r\n"].concat();
    for bytes in [utf16, windows] {
        let output = run_with_input(["key"], &bytes);
        assert_prints(&output, 0, &format!("{KEY}\n"));
    }
}

/// Nobody writes to the pipe, and nothing is found yet: a single signal ends the wait.
#[cfg(target_os = "linux")]
#[test]
fn one_signal_ends_the_wait_for_an_open_pipe() {
    use std::io::Write;
    use std::process::{Child, Command, Stdio};

    let pipes = || Stdio::piped();
    let mut command = tool_in(&folder("key-open-pipe"));
    let mut child: Child =
        command.arg("key").stdin(pipes()).stdout(pipes()).stderr(pipes()).spawn().unwrap();
    let written = 1 << 15;
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&vec![b' '; written]).unwrap();
    let read = |child: &Child| {
        let io = std::fs::read_to_string(format!("/proc/{}/io", child.id())).unwrap();
        io.lines().next().unwrap().trim_start_matches("rchar: ").parse::<usize>().unwrap()
    };
    while read(&child) < written {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let ended = (0..1000).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        child.try_wait().unwrap()
    });
    child.kill().unwrap();
    child.wait().unwrap();
    drop(stdin);
    assert!(ended.is_some_and(|status| !status.success()), "{ended:?}");
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

/// From the wiki of Bitcoin.
pub(crate) const MINI_KEYS: [&str; 2] =
    ["SzavMBLoXU6kDrqtUVmffv", "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy"];

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

#[test]
fn keys_are_only_recovered_if_asked_for() {
    let wif = ITS_KEYS[0].0;
    let mini = MINI_KEYS[0];
    let public = "extended public key (BIP 32)";
    for (key, text, message) in [
        (KEY, KEY.to_owned(), "private key"),
        (ENCRYPTED, ENCRYPTED.to_owned(), "private key"),
        (XPUB, XPUB.to_owned(), public),
        (wif, wif.replace("D5", "??"), "keep it secret"),
        (wif, format!("{} {}", &wif[..26], &wif[26..]), "keep it secret"),
        (wif, format!("key: {wif}0"), "keep it secret"),
        (wif, format!("{} {wif}", ITS_ADDRESSES[0]), "keep it secret"),
        (mini, mini.to_owned(), "a mini key (Casascius): keep it secret"),
        (mini, format!("key: {} {}", &mini[..9], &mini[9..]), "a mini key"),
        (MINI_KEYS[1], replaced(MINI_KEYS[1], 5, "?"), "a mini key"),
        (mini, format!("casascius {mini}"), "a mini key"),
    ] {
        for output in [
            run([&text]),
            run([&*text, "--json"]),
            run(["estimate", &text]),
            run_with_input(["batch"], text.as_bytes()),
            run_with_input(["batch", "--json"], text.as_bytes()),
        ] {
            let all = format!("{}{}", stdout(&output), stderr(&output));
            assert_eq!(code(&output), 2, "{text}");
            assert!(all.contains(message) && all.contains("`addr-recover key"), "{all}");
            assert!(!has_part_of(key, &all), "{all}");
        }
    }
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

#[test]
fn undescribed_damage_is_tried_unless_told_not_to() {
    let wrong = replaced(&replaced(KEY, 9, "z"), 33, "z");
    let output = recover(&wrong, &[]);
    assert_prints(&output, 0, &format!("{KEY}\n"));
    assert_says(&output, "\nassumes two wrong characters\n");
    let output = recover(&wrong, &["--verbose"]);
    assert_says(
        &output,
        "found with two wrong characters (--typos 2); nothing was found as written",
    );
    let exact = recover(&wrong, &["--exact"]);
    assert_prints(&exact, 1, "");
    assert_eq!(stderr(&exact), "not found: tried the text as written (1 candidate)\n");
    // Kinds may overlap.
    let kinds = ["--kind", "wif", "--kind", "wif-bitcoin"];
    let described = recover(&wrong, &[&["--typos", "2", "--exact"], &kinds[..]].concat());
    assert_eq!(stdout(&described), format!("{KEY}\n"));
    let other = recover(&wrong, &["--typos", "2", "--exact", "--kind", "wif-testnet"]);
    assert!(stderr(&other).starts_with("not found: "), "{}", stderr(&other));
    assert_eq!(code(&recover(KEY, &["--kind", "dollar"])), 2);
}

#[test]
fn errors_do_not_repeat_the_key() {
    for text in [&KEY[..40], &format!("{}...2...", &KEY[..45]), ""] {
        let output = recover(text, &[]);
        assert_prints(&output, 2, "");
        assert!(stderr(&output).starts_with("error: "), "{}", stderr(&output));
        assert!(!stderr(&output).contains("an address"), "{}", stderr(&output));
        assert!(!has_part_of(KEY, stderr(&output)), "{}", stderr(&output));
    }
}

#[test]
fn a_seed_phrase_is_not_taken_for_a_key() {
    let output = recover(&("abandon ".repeat(11) + "about"), &["--address", ITS_ADDRESSES[0]]);
    assert_prints(&output, 2, "");
    assert_says(
        &output,
        "error: this looks like a seed phrase (BIP 39 or Electrum): keep it secret",
    );
}

/// Nor are texts that may have the parts of one, but that are read as nothing.
#[test]
fn long_texts_without_an_address_are_not_repeated() {
    let hexadecimal = "1) 0c28fca3 86c7a227 600b2fe5 0b7cae11 ec86d3bf 1fbe471b e89827e1 9d72aa1d";
    let groups = KEY.as_bytes().chunks(4).map(|group| str::from_utf8(group).unwrap());
    let groups = groups.collect::<Vec<_>>().join("|x|");
    for text in [hexadecimal, &groups] {
        let output = run([text, "--json"]);
        let report = reports(&output).remove(0);
        assert_eq!((code(&output), &report["input"]), (2, &"(not shown)".into()), "{report}");
        let output = run_with_input(["batch"], format!("{text}\n").as_bytes());
        assert!(stdout(&output).starts_with("1\tmalformed\t(not shown)\t"), "{output:?}");
    }
}

/// Whatever is typed in place of an option or its value may be the key.
#[test]
fn errors_of_usage_do_not_repeat_the_key() {
    for mini in MINI_KEYS {
        let output = run([SHORT, "--kind", mini]);
        assert!(!has_part_of(mini, stderr(&output)), "{}", stderr(&output));
    }
    let group = &KEY[..10];
    let illegible = format!("{}{}{}", &KEY[..20], "?".repeat(12), &KEY[32..]);
    for (arguments, message) in [
        (vec!["key", "--kind", KEY], "'(not shown)' for '--kind <KIND>': no such format"),
        (vec!["key", "--typos", group], "'(not shown)' for '--typos <N>'"),
        (vec!["key", "--case", group], "[possible values: auto, lost, kept]"),
        (vec!["key", "--address", KEY], "'--address <ADDRESS>': not a valid address"),
        (vec!["key", &format!("--{KEY}")], "unexpected argument '(not shown)' found"),
        (vec!["key", &format!("--quiet={KEY}")], "'--quiet'"),
        (vec![&format!("-{group}"), "key"], "unexpected argument '(not shown)' found"),
        (vec!["--kind", KEY, "1abc"], "'(not shown)' for '--kind <KIND>'"),
        (vec!["--version-byte", KEY, "1abc"], "'(not shown)' for '--kind <KIND>'"),
        (vec![&format!("--{KEY}"), "1abc"], "unexpected argument '(not shown)' found"),
        (vec!["batch", KEY], "(os error 2); this has the form of a private key"),
        (vec!["batch", &illegible], "(os error 2); this has the form of a private key"),
        (vec!["batch", &SECRET[1..]], "(not shown): "),
        (vec!["--known", KEY, "1abc"], "(os error 2); this has the form of a private key"),
        (vec!["--resume", KEY], "(os error 2); this has the form of a private key"),
        (vec!["--save", &format!("{KEY}/x"), SHORT], "cannot save progress: (not shown)"),
    ] {
        let output = run(&arguments);
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{arguments:?}");
        assert_says(&output, message);
        assert!(!has_part_of(KEY, stderr(&output)), "{}", stderr(&output));
        assert!(!has_part_of(SECRET, stderr(&output)), "{}", stderr(&output));
    }
    // Other values are shown, and so is advice.
    let output = run(["--kind", "bitcoins", "1abc"]);
    assert_says(&output, "'bitcoins' for '--kind <KIND>'");
    let output = run(["--typo", "1abc"]);
    assert_says(&output, "'--typos'");
}

#[test]
fn kinds_of_keys_are_listed() {
    let output = run(["kinds", "--keys"]);
    assert_eq!(stdout(&output).lines().count(), addr_recover::KEY_KINDS.len());
    assert!(stdout(&output).starts_with("wif-bitcoin   wif    Bitcoin WIF, uncompressed\n"));
}

/// Nothing of a key can be seen of a running process, and nothing is left of an interrupted one.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_leaves_nothing() {
    use crate::running::Running;
    use std::fs;

    let home = folder("key-interrupted");
    let text = format!("{}???????????{}", &KEY[..10], &KEY[21..]);
    let mut command = tool_in(&home);
    command.args(["key", "--address", ITS_ADDRESSES[0], "--threads", "2", "--force"]);
    let mut running = Running::of(&mut command, text.as_bytes());
    let process = format!("/proc/{}", running.0.id());
    // The main thread, that of the signals, and those that search.
    running.wait_until(|| fs::read_dir(format!("{process}/task")).unwrap().count() >= 4);
    for file in ["cmdline", "environ"] {
        let seen =
            String::from_utf8_lossy(&fs::read(format!("{process}/{file}")).unwrap()).into_owned();
        assert!(!has_part_of(&text, &seen), "{file}");
    }
    assert_eq!(names(&home), [""; 0]);
    running.signal("-TERM");
    let output = running.output();
    assert_prints(&output, 130, "");
    let (note, end) = stderr(&output).split_once('\n').expect("two lines");
    assert!(note.starts_with("note: this takes about "), "{note}");
    assert_eq!(end, "interrupted; the search for a key keeps no progress\n");
    assert_eq!(names(&home), [""; 0]);
}

/// Four wrong digits of 64 are 11 million texts.
#[cfg(target_os = "linux")]
#[test]
fn damage_with_too_many_texts_is_refused_before_they_are_made() {
    use crate::running::Running;

    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 600000; exec \"$@\"", "sh"]);
    command.arg(env!("CARGO_BIN_EXE_addr-recover"));
    command.args(["key", "--typos", "4", "--threads", "1", "--address", ITS_KEYS[0].1]);
    let output = Running::of(&mut command, SECRET.as_bytes()).output();
    assert_prints(&output, 2, "");
    assert!(stderr(&output).starts_with("error: the combined damage "), "{}", stderr(&output));
}

/// A core file would have the key.
#[cfg(target_os = "linux")]
#[test]
fn a_search_for_a_key_leaves_no_core_file() {
    use crate::running::Running;

    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -c $(ulimit -Hc); exec \"$@\"", "sh"]);
    command.args([env!("CARGO_BIN_EXE_addr-recover"), "key", "--force"]);
    command.args(["--address", ITS_ADDRESSES[0], "--threads", "2"]);
    let text = format!("{}???????????{}", &KEY[..10], &KEY[21..]);
    let mut running = Running::of(&mut command, text.as_bytes());
    let process = format!("/proc/{}", running.0.id());
    running.wait_until(|| std::fs::read_dir(format!("{process}/task")).unwrap().count() >= 4);
    let limits = std::fs::read_to_string(format!("{process}/limits")).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"]);
}

/// A hundred million keys fit by chance. They do not fill the memory.
#[test]
fn a_search_for_noise_ends() {
    let text = format!("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhT{}", "?".repeat(10));
    let output = recover(&text, &["--force"]);
    assert_prints(&output, 4, "");
    assert_says(&output, "error: more than 100000 fit: that is noise");
}

/// The private key 1 is the first of a billion, which would take minutes.
#[test]
fn a_search_ends_once_the_key_of_the_address_is_found() {
    let output = recover(&format!("{}...", &KEY[..40]), &["--address", ITS_ADDRESSES[0]]);
    assert_prints(&output, 0, &format!("{KEY}\n"));
    assert!(stderr(&output).starts_with("note: this takes about "), "{}", stderr(&output));
}

/// From NIP-19 and SEP-5. A key that is not recovered is not said to have the wrong length.
#[test]
fn other_kinds_of_keys_are_named() {
    for (key, what) in [
        (
            "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5",
            "a private key in Bech32",
        ),
        (
            "NSEC1VL029MGPSPEDVA04G90VLTKH6FVH240ZQTV9K0T9AF8935KE9LAQSNLFE?",
            "a private key in Bech32",
        ),
        ("SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHXL7", "a secret seed of Stellar"),
    ] {
        let output = run_with_input(["key"], key.as_bytes());
        assert_eq!(code(&output), 2);
        assert_says(&output, &format!("the form of {what}: keep it secret"));
        let said = stderr(&output).to_lowercase() + stdout(&output);
        assert!(!said.contains(&key.to_lowercase()[6..12]), "{said}");
    }
}
