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
    for groups in ["", ",", "a", "0o,", "0o,,1l"] {
        let output = run([SHORT, &format!("--confuse={groups}")]);
        assert_prints(&output, 2, "");
        assert_says(&output, "expected groups of at least two characters, such as 0oO,1IlLi");
    }
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
