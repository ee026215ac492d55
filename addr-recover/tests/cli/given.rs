//! Laws of what is given: in any encoding, in files, and not at all.

use std::path::Path;
use std::process::Output;

use crate::keys::{ITS_KEYS, KEY};
use crate::{
    ADDRESS, SHORT, assert_prints, assert_says, code, file, folder, run, run_with_input, stderr,
    stdout,
};

/// The encodings of a text whose characters Windows-1252 has.
fn encoded(text: &str) -> [Vec<u8>; 5] {
    let units = || std::iter::once(0xfeff).chain(text.encode_utf16());
    let of_windows = |c: char| match c {
        '“' => 0x93,
        '”' => 0x94,
        '–' => 0x96,
        '…' => 0x85,
        c => u8::try_from(c).unwrap(),
    };
    [
        text.into(),
        ["\u{feff}", text].concat().into(),
        units().flat_map(u16::to_le_bytes).collect(),
        units().flat_map(u16::to_be_bytes).collect(),
        text.chars().map(of_windows).collect(),
    ]
}

/// The status, and the words of stdout and stderr without times.
fn answer(output: &Output) -> (i32, [Vec<String>; 2]) {
    let is_time = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let words = |text: &str| {
        let words = text.split([' ', '\n', '(']).filter(|word| !is_time(word));
        words.map(str::to_owned).collect()
    };
    (code(output), [words(stdout(output)), words(stderr(output))])
}

#[test]
fn a_text_has_the_same_answer_in_any_encoding() {
    for text in [
        format!("clé: {KEY}"),
        format!("“{KEY}”"),
        format!("clé privée: {}?{}", &KEY[..20], &KEY[21..]),
        format!("{}…", &KEY[..48]),
        format!("“{SHORT}” – clé"),
        "Größe: 0x5aAeb6053é3E94C9b9A09f33669435E7Ef1BeAed".to_owned(),
        format!("{}…{}", &ADDRESS[..18], &ADDRESS[21..]),
        "clé".to_owned(),
    ] {
        for arguments in [&["key", "--exact"][..], &["-", "--exact"], &["batch", "--exact"]] {
            let of = |bytes: &Vec<u8>| answer(&run_with_input(arguments, bytes));
            let [utf8, others @ ..] = &encoded(&text);
            let expected = of(utf8);
            for bytes in others {
                assert_eq!(of(bytes), expected, "{text}, {arguments:?}, {bytes:x?}");
            }
        }
        // On the command line, in a file, and as a list of known addresses.
        for (number, bytes) in encoded(&text).iter().enumerate() {
            let name = folder("encoded").join(number.to_string());
            std::fs::write(&name, bytes).unwrap();
            let of_file = run(["batch".as_ref(), "--exact".as_ref(), name.as_os_str()]);
            let expected = run_with_input(["batch", "--exact"], text.as_bytes());
            assert_eq!(answer(&of_file), answer(&expected), "{text}");
            #[cfg(unix)]
            if !bytes.contains(&0) {
                use std::os::unix::ffi::OsStrExt;

                let argument = std::ffi::OsStr::from_bytes(bytes);
                assert_eq!(answer(&run([argument])), answer(&run([&text])), "{text}");
            }
        }
    }
    for bytes in encoded(&format!("# clé\n{ADDRESS}\n")) {
        let name = folder("encoded").join("known");
        std::fs::write(&name, bytes).unwrap();
        let output = run([SHORT.as_ref(), "--known".as_ref(), name.as_os_str()]);
        assert_prints(&output, 0, &format!("{ADDRESS}\n"));
        assert_says(&output, "found in the list of known addresses");
    }
}

/// Whatever takes a file, for a text in the place of its name.
fn with_file(name: &str) -> [Vec<&str>; 6] {
    [
        vec!["batch", name],
        vec![SHORT, "--known", name],
        vec!["batch", "--known", name],
        vec!["--resume", name],
        vec!["merge", name],
        vec!["generate", name],
    ]
}

#[test]
fn an_error_of_a_file_says_what_is_so() {
    let empty = folder("of-files");
    let directory = empty.to_str().unwrap();
    for (name, is_address) in [
        ("nosuch", false),
        ("list", false),
        ("my addresses", false),
        ("list.txt", false),
        ("vitalik.eth", false),
        ("/no/such/file", false),
        (ADDRESS, true),
        (SHORT, true),
        ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", true),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", true),
    ] {
        for arguments in with_file(name) {
            let output = run(&arguments);
            assert_prints(&output, 2, "");
            assert_says(&output, &format!("error: {name}: "));
            assert_says(&output, "(os error 2)");
            let says_what = is_address || stderr(&output).contains(" takes ");
            assert!(says_what, "{}", stderr(&output));
            let advice = format!("this looks like an address, which `addr-recover '{name}'` reads");
            assert_eq!(stderr(&output).contains(&advice), is_address, "{}", stderr(&output));
        }
    }
    for arguments in with_file(directory).iter().filter(|it| it[0] != "generate") {
        assert_says(&run(arguments), &format!("error: {directory}: is a directory\n"));
    }
    assert_says(&run([SHORT, "--save", directory]), "is a directory\n");
    assert_says(&run([directory]), "is a directory: expected an ADDRESS\n");
    assert_says(
        &run(["key", file("of-a-key", KEY).to_str().unwrap()]),
        "`addr-recover key < FILE`",
    );
    // A word is the name of a file, if there is one.
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("wallet"), SHORT).unwrap();
    assert_says(&run(["wallet"]), "wallet is a file: `addr-recover batch wallet`");
}

#[test]
fn a_list_without_an_item_is_an_error() {
    for (name, content) in [
        ("empty-list", ""),
        ("blank-list", " \n\n"),
        ("commented-list", "# mine\n#1abc\n"),
        ("wrong-list", "hello\nworld\n"),
    ] {
        let name = file(name, content);
        let name = name.to_str().unwrap();
        let known = format!("error: {name}: no valid address in it: expected one per line\n");
        for arguments in [vec![SHORT, "--known", name], vec!["--estimate", SHORT, "--known", name]]
        {
            let output = run(arguments);
            assert_eq!((stdout(&output), stderr(&output)), ("", &*known));
        }
        let output = run(["merge", name]);
        assert_prints(&output, 2, "");
        if !content.contains("hello") {
            assert_says(&run(["batch", name]), "the batch is empty: expected one address per line");
        }
    }
    let output = run_with_input([SHORT, "--known", "-"], b"");
    assert_prints(&output, 2, "");
    for groups in ["", ",", "a", "0o,", "0o,,1l", "-1", "aa", "é1", "y=", "y=y", "ab=c", "a b"] {
        let output = run([SHORT, &format!("--confuse={groups}")]);
        assert_prints(&output, 2, "");
        assert_says(&output, "expected groups of at least two characters, such as 0oO,1IlLi");
    }
}

/// A number is no secret, unless it is as long as one. A private key has 64 hexadecimal digits, or
/// 77 or 78 decimal ones.
#[test]
fn a_wrong_number_is_shown_with_its_range() {
    for (option, range) in [
        ("--typos", "from 0 to 255"),
        ("--missing", "from 0 to 8"),
        ("--cut", "from 0 to 8"),
        ("--threads", "from 1 to 1024"),
        ("--budget", "above 0 and up to 8760h"),
        ("--save-every", "above 0 and up to 8760h"),
        ("--kind", "a version is a number from 0 to 255"),
    ] {
        for digits in [4, 16, 20, 21, 64, 78] {
            let number = "9".repeat(digits);
            if range.contains("8760h") && digits == 4 {
                continue;
            }
            let output = run([SHORT, &format!("{option}={number}")]);
            assert_prints(&output, 2, "");
            assert_says(&output, range);
            let is_shown = stderr(&output).contains(&number);
            assert_eq!(is_shown, digits <= 20, "{option}: {}", stderr(&output));
        }
    }
    let output = run([SHORT, "--max-confused", "0"]);
    assert_prints(&output, 2, "");
    assert_says(&output, "error: --max-confused limits --confuse: pass --confuse, too");
}

/// Which of several addresses is not found, and what was tried for it, each once.
#[test]
fn what_is_not_found_is_named() {
    let wrong = ["1Lbcfr7sAHTD2CgdQo4HTMTkV8mK4Zn271", "3Lbcfr7sAHTD2CgdQo4HTMTkV8mK4Zn271"];
    let output = run(["--exact", &wrong.join(" or ")]);
    assert_eq!(code(&output), 1);
    for address in wrong {
        assert_says(&output, &format!("not found for {address}: tried "));
    }
    assert_says(&run(["--exact", wrong[0]]), "not found: tried ");
    let tried = run(["--verbose", "--json", wrong[0]]);
    let report = &crate::reports(&tried)[0];
    let tried = report["tried"].as_array().unwrap();
    let names: Vec<&str> = tried.iter().map(|it| it["damage"].as_str().unwrap()).collect();
    let mut once = names.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), names.len(), "{names:?}");
    assert!(names.contains(&"one look-alike character in any letter case"), "{names:?}");
    let ones = run(["--exact", &"1".repeat(34)]);
    assert_says(&ones, "it begins with 34 times `1`");
}

#[test]
fn nothing_gets_the_next_step() {
    for nothing in ["", " \n", "!!!", "\u{feff}", "\"\""] {
        for (arguments, message) in [
            (&["-"][..], "no address given: type or paste one, with ? for"),
            (&["--estimate"], "no address given: type or paste one, with ? for"),
            (&["key"], "no key given: type or paste one at the prompt, or pass it on"),
            (&["key", "--estimate"], "no key given: type or paste one at the prompt"),
            (&["key", "--address", ITS_KEYS[0].1], "no key given: type or paste one"),
        ] {
            let output = run_with_input(arguments, nothing.as_bytes());
            assert_prints(&output, 2, "");
            assert_says(&output, &format!("error: {message}"));
        }
    }
}
