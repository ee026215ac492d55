//! What is accepted as an address, and what is refused.

use std::ffi::OsStr;

use serde_json::json;

use crate::{ADDRESS, SHORT, code, reports, run, run_with_input, stderr, stdout};

#[test]
fn an_address_may_be_several_arguments_or_standard_input() {
    let groups = ["1lbc", "fr7s", "ahtd", "9cgd", "qo3h", "tmtk", "v8lk", "4znx", "71"];
    let pasted = format!("Address:\n{}\n", groups.join("\u{a0}"));
    for output in [
        run(groups),
        run(["--json"].iter().chain(&groups)),
        run(["estimate"].iter().chain(&groups)),
        run_with_input(["-"], pasted.as_bytes()),
        run_with_input([""; 0], pasted.as_bytes()),
        run_with_input(["estimate", "-"], pasted.as_bytes()),
        run_with_input(["estimate"], pasted.as_bytes()),
    ] {
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains(ADDRESS) || stdout(&output).contains(SHORT));
    }
    // What was read is shown unless it was typed like that.
    assert!(stderr(&run(groups)).starts_with(&format!("note: read as {SHORT}\n")));
    let quoted = format!("<{ADDRESS}>");
    assert!(stderr(&run([&quoted])).starts_with(&format!("note: read as {ADDRESS}\n")));
    assert_eq!(reports(&run([&*quoted, "--json"]))[0]["read"], ADDRESS);
    assert!(!stderr(&run([SHORT])).contains("read as"));
    assert!(!stderr(&run(["--quiet", &*quoted])).contains("read as"));
    let output = run([ADDRESS, ADDRESS]);
    assert!(stderr(&output).contains("but 68 were given"), "{}", stderr(&output));
}

fn assert_refused(argument: &OsStr, message: &str) {
    let output = run([argument]);
    assert_eq!(code(&output), 2, "{argument:?}");
    assert_eq!(stdout(&output), "", "{argument:?}");
    assert_eq!(stderr(&output).lines().count(), 1, "{argument:?}: {}", stderr(&output));
    assert!(stderr(&output).contains(message), "{argument:?}: {}", stderr(&output));
}

#[test]
fn bad_input_gets_one_line_that_names_the_position() {
    let long = "z".repeat(100_000);
    let unclosed = "[".repeat(100_000);
    for (argument, message) in [
        ("", "no address given"),
        (" \n", "no address given"),
        ("1", "26 to 36 characters, but 1 were given"),
        ("1lbcfr7sahtd9cgdqo3htmtkv", "26 to 36 characters, but 25 were given"),
        ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71111", "26 to 36 characters, but 37 were given"),
        (&long, "26 to 36 characters, but 100000 were given"),
        (&unclosed, "'[' at position 2"),
        ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7!", "'!' at position 34"),
        ("1lbcfr7s ahtd9\ncgd!o3htmtkv8lk4znx71", "'!' at position 19"),
        ("1lbc fr7s ahtd 9cgd", "26 to 36 characters, but 16 were given"),
        ("1lbcfr7sahtd9\u{1b}[31mcgdqo3htmtkv8lk4znx71", r"'\u{1b}' at position 14"),
        ("1lbcfr7sähtd9cgdqo3htmtkv8lk4znx7!", "'ä' at position 9"),
        ("1lbcfr7sahtd9cgdqo3htmt\u{212a}v8lk4znx71", "'\u{212a}' at position 24"),
        ("1lbcfr7s[htd9cgdqo3htmtkv8lk4znx71", "the set at position 9 is not closed"),
        ("1lbcfr7s[]ahtd9cgdqo3htmtkv8lk4znx71", "the set at position 9 is empty"),
        ("1lbcfr7s]ahtd9cgdqo3htmtkv8lk4znx71", "']' at position 9 has no matching '['"),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "a Bech32 address"),
        ("bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "a CashAddr address"),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t", "a Bech32 address"),
        ("vines1vzrybzlpmrxzdwy3jwwv7nxb1mfyhbs8kkjfz", "Solana"),
        ("11111111111111111111111111111111", "Solana"),
        ("rhb9cjawyb4rj91vrwn96dkukg4bwdtyth", "Ripple"),
        ("5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "Ethereum"),
    ] {
        assert_refused(OsStr::new(argument), message);
    }
    let report = reports(&run(["1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7!", "--json"])).remove(0);
    assert_eq!(
        (&report["status"], &report["error"]["position"]),
        (&json!("malformed"), &json!(34))
    );
}

#[cfg(unix)]
#[test]
fn bytes_that_are_not_utf8_are_named() {
    use std::os::unix::ffi::OsStrExt;

    assert_refused(OsStr::from_bytes(b"1lbcfr7\xffsahtd9"), "byte 0xff at position 8");
    assert_refused(OsStr::from_bytes(b"\xc3"), "byte 0xc3 at position 1");
}

#[test]
fn bad_usage_is_refused() {
    for arguments in [
        vec![],
        vec![SHORT, SHORT],
        vec!["--backend", "abacus", SHORT],
        vec!["--threads", "0", SHORT],
        vec!["--threads", "many", SHORT],
        vec!["--no-such-option", SHORT],
        vec!["--kind", "dollar", SHORT],
        vec!["--version-byte", "256", SHORT],
        vec!["--shard", "3/2", SHORT],
        vec!["--save-every", "0", SHORT],
        vec!["--save-every", "-1", SHORT],
        vec!["--save-every", "often", SHORT],
        vec!["--typos", "-1", SHORT],
        vec![SHORT, "--resume", "x"],
        vec!["merge"],
        vec!["merge", "/no/such/file"],
        vec!["batch", "/no/such/file"],
        vec!["--resume", "/no/such/file"],
    ] {
        let output = run(&arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert_eq!(stdout(&output), "");
        assert!(
            !stderr(&output).is_empty() && !stderr(&output).contains("panicked"),
            "{}",
            stderr(&output)
        );
    }
}
