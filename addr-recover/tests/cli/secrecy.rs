//! What of a text that may be a key is shown and saved.

use std::fs;
use std::path::Path;

use crate::keys::{ENCRYPTED, ITS_KEYS, KEY, SECRET, XPRV, XPUB, has_part_of};
use crate::{ADDRESS, SHORT, code, folder, reports, run, run_with_input, stderr, stdout, tool_in};

/// A key with the damage that people do, in the middle.
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

/// Keys with damage in groups of a size: the groups, and a text that has them with a separator and
/// labels. Every `stride`th of all combinations.
fn keys_in_pieces(stride: usize) -> impl Iterator<Item = (String, Vec<String>, String)> {
    const KEYS: [&str; 6] = [ITS_KEYS[0].0, KEY, ENCRYPTED, XPUB, XPRV, SECRET];
    const SIZES: [usize; 9] = [4, 7, 9, 13, 26, 30, 34, 37, 64];
    const SEPARATORS: [&str; 7] = [" ", "\n", "-", ", ", "\t", "\r\n", " | "];
    const LABELS: [[&str; 2]; 3] = [["", ""], ["WIF=", " (cont.) "], ["1/2 ", ", 2/2 "]];
    (0..KEYS.len() * 6 * SIZES.len() * SEPARATORS.len() * LABELS.len()).step_by(stride).map(
        |mut case| {
            let mut next = |count: usize| {
                let index = case % count;
                case /= count;
                index
            };
            let key = damaged(KEYS[next(KEYS.len())])[next(6)].clone();
            let (size, separator) = (SIZES[next(SIZES.len())], SEPARATORS[next(SEPARATORS.len())]);
            let [before, between] = LABELS[next(LABELS.len())];
            let groups: Vec<String> = key
                .as_bytes()
                .chunks(size)
                .map(|group| String::from_utf8(group.to_vec()).unwrap())
                .collect();
            let (first, second) = groups.split_at(groups.len().div_ceil(2));
            let between = if between.is_empty() { separator } else { between };
            let (first, second) = (first.join(separator), second.join(separator));
            let text = format!("{before}{first}{between}{second}\n");
            (key, groups, text)
        },
    )
}

/// In groups and in lines, whatever is around them: on no way out of the program.
fn assert_nothing_shows(name: &str, (key, groups, text): &(String, Vec<String>, String)) {
    let home = folder(name);
    // Few hashes find it.
    let damaged = ADDRESS.replace("nX71", "n?71");
    let lines = format!("# old\n{damaged}\n{}\n\n{damaged}\n", groups.join("\n\n"));
    for (input, arguments) in [
        (text, &["-"][..]),
        (text, &["-", "--json"]),
        (text, &["estimate"]),
        (text, &["-", "--case", "kept", "--typos", "1"]),
        (text, &["batch"]),
        (&lines, &["batch"]),
        (&lines, &["batch", "--json"]),
    ] {
        let output = run_with_input(arguments, input.as_bytes());
        let all = format!("{}{}", stdout(&output), stderr(&output));
        assert!(!has_part_of(key, &all), "{input:?} {arguments:?}: {all}");
        assert_eq!(code(&output), 2, "{input:?} {arguments:?}: {all}");
        if *input == lines {
            let found = stdout(&output).matches(ADDRESS);
            assert_eq!(found.count(), 2, "{input:?}: {all}");
        }
    }
    let saved = saved_of(&home, &lines);
    assert!(!has_bytes_of(key, &saved), "{saved}");
}

/// What is saved of a batch. A disk that is full after the first line of the answers leaves a
/// resume file.
fn saved_of(home: &Path, lines: &str) -> String {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (list, save) = (home.join("list"), home.join("save"));
    let _ = fs::remove_file(&save);
    fs::write(&list, lines).unwrap();
    let mut command = tool_in(home);
    command.arg("batch").arg(&list).arg("--save").arg(&save).stdout(full);
    command.output().unwrap();
    fs::read_to_string(&save).unwrap()
}

/// Whether a resume file has a part of a key, as text or as bytes.
fn has_bytes_of(key: &str, saved: &str) -> bool {
    let bytes = |part: &[u8]| part.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    has_part_of(key, saved) || key.as_bytes().windows(8).any(|part| saved.contains(&bytes(part)))
}

#[test]
fn nothing_shows_a_part_of_a_key_in_pieces() {
    for case in keys_in_pieces(251) {
        assert_nothing_shows("key-in-pieces", &case);
    }
}

/// XRP's family seed of `masterpassphrase`, and the mini keys of Casascius' examples.
const SHORT_SECRETS: [&str; 3] =
    ["snoPBrXtMeMyMHUVTgbuqAfg1SUTb", "SzavMBLoXU6kDrqtUVmffv", "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy"];

#[test]
fn nothing_shows_a_short_secret_in_groups() {
    const SEPARATORS: [&str; 6] = [" ", "-", ".", ", ", " | ", "\n"];
    let cases = (0..3 * 9 * 6 * 4).step_by(7);
    for case in cases {
        let (secret, size) = (SHORT_SECRETS[case % 3], 2 + case / 3 % 9);
        let (separator, around) = (SEPARATORS[case / 27 % 6], case / 162);
        let groups = secret.as_bytes().chunks(size).map(|it| str::from_utf8(it).unwrap());
        let groups = groups.collect::<Vec<_>>().join(separator);
        let text = match around {
            0 => groups,
            1 => format!("Private key: {groups}"),
            2 => format!("{ADDRESS} {groups}"),
            _ => format!("{groups}; {ADDRESS}"),
        };
        let is_line = !text.contains('\n');
        for arguments in [&["-"][..], &["-", "--json"], &["batch"], &["batch", "--json"]] {
            if arguments[0] == "batch" && !is_line {
                continue;
            }
            let output = run_with_input(arguments, text.as_bytes());
            let all = format!("{}{}", stdout(&output), stderr(&output));
            let bare: String = all.chars().filter(char::is_ascii_alphanumeric).collect();
            assert!(!has_part_of(secret, &bare), "{text:?} {arguments:?}: {all}");
            assert_eq!(all.contains(ADDRESS), around > 1, "{text:?} {arguments:?}: {all}");
        }
    }
}

/// A private key after `0x`, in groups of a size, with a label and a separator.
fn keys_after_0x(stride: usize) -> impl Iterator<Item = (String, Vec<String>, String)> {
    const SEPARATORS: [&str; 6] = [" ", "-", ".", "/", ",", "\n"];
    const LABELS: [&str; 4] = ["ETH ", "wallet key ", "KEY=", "To: "];
    (0..31 * SEPARATORS.len() * LABELS.len()).step_by(stride).map(|case| {
        let (size, case) = (2 + case % 31, case / 31);
        let (separator, label) = (SEPARATORS[case % 6], LABELS[case / 6]);
        let key = &SECRET[..if label == "KEY=" && size % 2 == 0 { 40 } else { 64 }];
        let groups = key.as_bytes().chunks(size).map(|it| String::from_utf8(it.to_vec()).unwrap());
        let mut groups: Vec<String> = groups.collect();
        groups[0] = format!("0x{}", groups[0]);
        let text = format!("{label}{}\n", groups.join(separator));
        groups[0] = format!("{label}{}", groups[0]);
        (key.to_owned(), groups, text)
    })
}

#[test]
fn nothing_shows_a_part_of_a_key_after_0x() {
    for case in keys_after_0x(53) {
        assert_nothing_shows("key-after-0x", &case);
    }
}

#[test]
#[ignore = "takes long"]
fn nothing_shows_a_part_of_a_key_after_0x_long() {
    for case in keys_after_0x(3) {
        assert_nothing_shows("key-after-0x-long", &case);
    }
}

/// Hexadecimal digits that are not read as an address: half a key, and more of it.
#[test]
fn nothing_shows_digits_that_are_no_address() {
    let digits = SECRET.repeat(3);
    let mut lines = String::new();
    for (at, length) in (24..=80).enumerate() {
        let label = ["half: ", "", "To ", "first half\t", "md5 ", "0x"][at % 6];
        // That is an address.
        let is_address = label == "0x" && (38..=42).contains(&length);
        let label = if is_address { "half " } else { label };
        let text = format!("{label}{}", &digits[at..at + length]);
        if at % 4 == 0 {
            for arguments in [&["-"][..], &["-", "--json"], &["estimate"], &["-", "--verbose"]] {
                let output = run_with_input(arguments, text.as_bytes());
                let all = format!("{}{}", stdout(&output), stderr(&output));
                assert!(!has_part_of(&digits, &all), "{text:?} {arguments:?}: {all}");
                assert_eq!(code(&output), 2, "{text:?} {arguments:?}: {all}");
            }
        }
        lines.push_str(&format!("{text}\n{ADDRESS}\n"));
    }
    for arguments in [&["batch"][..], &["batch", "--json"]] {
        let output = run_with_input(arguments, lines.as_bytes());
        let all = format!("{}{}", stdout(&output), stderr(&output));
        assert!(!has_part_of(&digits, &all), "{arguments:?}: {all}");
    }
    let saved = saved_of(&folder("digits"), &lines);
    assert!(!has_bytes_of(&digits, &saved), "{saved}");
}

/// The digits may be a private key. The address is answered, and saved without them.
#[test]
fn an_address_beside_a_transaction_is_answered() {
    let wrong = ADDRESS.replace("X71", "271");
    let text = format!("To {wrong}\nTXID: {SECRET}");
    for arguments in [&["-"][..], &["-", "--json"], &["estimate"], &["estimate", "--json"]] {
        let output = run_with_input(arguments, text.as_bytes());
        let all = format!("{}{}", stdout(&output), stderr(&output));
        assert!(!has_part_of(SECRET, &all), "{arguments:?}: {all}");
        assert!(code(&output) == 0, "{arguments:?}: {all}");
    }
    let output = run_with_input(["-"], text.as_bytes());
    assert_eq!(stdout(&output), format!("{ADDRESS}\n"));
    assert!(stderr(&output).contains("64 characters beside the address are left out"));
    let report = reports(&run_with_input(["-", "--json"], text.as_bytes())).remove(0);
    assert_eq!((&report["input"], &report["left_out"]), (&"(not shown)".into(), &64.into()));
    assert_eq!(report["hits"][0]["address"], ADDRESS);
    // Both lines of a batch, with what a full disk leaves.
    let home = folder("beside-a-transaction");
    let lines = format!("{wrong} {SECRET}\n{SECRET} {ADDRESS}\n");
    let output = run_with_input(["batch"], lines.as_bytes());
    assert_eq!(stdout(&output).matches(ADDRESS).count(), 2, "{}", stdout(&output));
    let saved = saved_of(&home, &lines);
    assert!(!has_bytes_of(SECRET, &saved), "{saved}");
    let resumed = tool_in(&home).args(["--resume", "save"]).output().unwrap();
    assert_eq!(stdout(&resumed).matches(ADDRESS).count(), 2, "{}", stderr(&resumed));
}

#[test]
#[ignore = "takes long"]
fn nothing_shows_a_part_of_a_key_in_pieces_long() {
    for case in keys_in_pieces(11) {
        assert_nothing_shows("key-in-pieces-long", &case);
    }
}

/// What `docs/keys.md` says of texts that are as long as an address, or shorter. None of these is
/// an address, so nothing else is shown.
#[test]
fn parts_of_keys_are_shown_as_documented() {
    let home = folder("part-of-key");
    let compressed = ITS_KEYS[1].0;
    // From Bitcoin Core's `key_io_valid.json`.
    let other = "L195WBrf2G3nCnun4CLxrb8XKk9LbCqH43THh4n4QrL5SzRzpq9j";
    let part = |key: &str, from: usize, to: usize| key[from..to].to_owned();
    let labelled = |label: &str, from: usize, to: usize| {
        (format!("{label}{}", &compressed[from..to]), part(compressed, from, to))
    };
    let begin = |key: &str, length: usize| (part(key, 0, length), part(key, 0, length));
    let hidden = [
        begin(compressed, 16),
        begin(compressed, 20),
        begin(compressed, 26),
        begin(compressed, 30),
        begin(compressed, 34),
        begin(compressed, 37),
        begin(ITS_KEYS[0].0, 25),
        begin(ITS_KEYS[0].0, 34),
        begin(other, 26),
        begin(other, 30),
        labelled("WIF: ", 26, 52),
        labelled("the other half of my private key is ", 22, 52),
        labelled("privkey=", 18, 52),
        (format!("{} {}", &compressed[..13], &compressed[13..26]), part(compressed, 0, 26)),
    ];
    for (text, part) in hidden {
        for arguments in [
            &["-", "--exact"][..],
            &["-", "--exact", "--json"],
            &["estimate"],
            &["estimate", "--json"],
            &["batch", "--exact"],
            &["batch", "--exact", "--json"],
        ] {
            let output = run_with_input(arguments, text.as_bytes());
            let all = format!("{}{}", stdout(&output), stderr(&output));
            assert!(!has_part_of(&part, &all), "{text:?} {arguments:?}: {all}");
        }
        let saved = saved_of(&home, &format!("{SHORT}\n{text}\n"));
        assert!(!has_bytes_of(&part, &saved), "{saved}");
    }
    // These may be addresses.
    for text in [&compressed[10..43], &other[..33], SHORT] {
        let output = run([text, "--exact", "--json"]);
        assert_eq!(reports(&output)[0]["input"], *text);
    }
    // An address is found, whatever it begins like.
    let wrong = format!("K{}", &ADDRESS[1..]);
    let output = run([&*wrong, "--json"]);
    let report = reports(&output).remove(0);
    assert_eq!((&report["input"], code(&output)), (&"(not shown)".into(), 0), "{report}");
    assert_eq!(report["hits"][0]["address"], ADDRESS);
}

/// The text is not saved, so nothing is searched for it again.
#[test]
fn a_part_of_a_key_is_not_resumed() {
    let home = folder("part-of-key-resumed");
    let text = format!("{SHORT}\n{}\n", &ITS_KEYS[1].0[..30]);
    let saved = saved_of(&home, &text);
    assert!(saved.contains("lines"), "{saved}");
    let resumed = tool_in(&home).args(["--resume", "save"]).output().unwrap();
    assert_eq!(code(&resumed), 2, "{}", stderr(&resumed));
    let (first, second) = stdout(&resumed).split_once('\n').unwrap();
    assert!(first.contains(ADDRESS), "{first}");
    assert!(second.starts_with("2\tmalformed\t(not shown)\t"), "{second}");
}
