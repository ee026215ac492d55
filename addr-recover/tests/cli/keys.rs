//! `key`: what it prints where, and that it keeps keys secret.

use std::process::Output;

use crate::{
    SHORT, assert_prints, assert_says, code, folder, names, reports, run, run_with_input, stderr,
    stdout, tool_in,
};

/// The private key 1, whose addresses many wallets list (BIP 173 has one).
pub(crate) const KEY: &str = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";
pub(crate) const ITS_ADDRESSES: [&str; 4] = [
    "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
    "1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm",
    "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
];

/// From BIP 38 and BIP 32.
pub(crate) const ENCRYPTED: &str = "6PfQu77ygVyJLZjfvMLyhLMQbYnu5uguoJJ4kMCLqWwPEdfpwANVS76gTX";
#[cfg(target_os = "linux")]
pub(crate) const XPRV: &str = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChk\
                    VvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
pub(crate) const XPUB: &str = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ2\
                    9ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";

/// From the wiki of Bitcoin ("Private key", "Wallet import format").
pub(crate) const SECRET: &str = "0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d";
pub(crate) const ITS_KEYS: [(&str, &str); 2] = [
    ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "1GAehh7TsJAHuUAeKZcXf5CnwuGuGgyX2S"),
    ("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617", "1LoVGDgRs9hTfTNJNuXKSpywcbdvwRXpmK"),
];

/// From the wiki of Bitcoin.
pub(crate) const MINI_KEYS: [&str; 2] =
    ["SzavMBLoXU6kDrqtUVmffv", "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy"];

pub(crate) fn recover(text: &str, options: &[&str]) -> Output {
    run_with_input(["key"].iter().chain(options), text.as_bytes())
}

/// Whether a text has a part of a key: eight characters in a row.
pub(crate) fn has_part_of(key: &str, text: &str) -> bool {
    key.as_bytes().windows(8).any(|part| text.contains(str::from_utf8(part).unwrap()))
}

/// The key with another character at a place.
pub(crate) fn replaced(key: &str, at: usize, with: &str) -> String {
    format!("{}{with}{}", &key[..at], &key[at + 1..])
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
            assert_says(&output, "certain, over 99.9 % likely to be right: ");
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
            ["hashes          about ", "a single hit is certain, over 99.9 % likely to be right"],
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
