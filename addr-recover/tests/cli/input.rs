//! What is accepted as an address, and what is refused.

use std::ffi::OsStr;
use std::process::Output;

use serde_json::{Value, json};

use crate::{
    ADDRESS, SHORT, assert_prints, assert_says, code, file, reports, run, run_with_input, stderr,
    stdout,
};

#[test]
fn an_address_may_be_several_arguments_or_standard_input() {
    let groups = ["1lbc", "fr7s", "ahtd", "9cgd", "qo3h", "tmtk", "v8lk", "4znx", "71"];
    let pasted = format!("Address:\n{}\n", groups.join("\u{a0}"));
    for output in [
        run(groups),
        run(["--json"].iter().chain(&groups)),
        run(["estimate"].iter().chain(&groups)),
        // An item of a list.
        run([format!("- {SHORT}")]),
        run_with_input(["-"], pasted.as_bytes()),
        run_with_input([""; 0], pasted.as_bytes()),
        run_with_input(["estimate", "-"], pasted.as_bytes()),
        run_with_input(["estimate"], pasted.as_bytes()),
    ] {
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains(ADDRESS) || stdout(&output).contains(SHORT));
    }
    // What was read is shown unless it was typed like that.
    let cyrillic = SHORT.replace('c', "\u{441}");
    for output in [run(groups), run([cyrillic])] {
        assert!(stderr(&output).starts_with(&format!("note: read as {SHORT}\n")));
    }
    let quoted = format!("<{ADDRESS}>");
    assert!(stderr(&run([&quoted])).starts_with(&format!("note: read as {ADDRESS}\n")));
    assert_eq!(reports(&run([&*quoted, "--json"]))[0]["read"], ADDRESS);
    assert!(!stderr(&run([SHORT])).contains("read as"));
    assert!(!stderr(&run(["--quiet", &*quoted])).contains("read as"));
}

#[test]
fn each_of_several_addresses_is_answered() {
    let other = "1blogc9ln4opdcrunz3qo1ysa133e9agg8";
    let solved = "1BLogC9LN4oPDcruNz3qo1ysa133E9AGg8";
    let text = format!("either {ADDRESS} or {other}.");
    for output in [run([&text]), run([ADDRESS, other]), run_with_input(["-"], text.as_bytes())] {
        assert_prints(&output, 0, &format!("{ADDRESS}\n{solved}\n"));
        assert!(stderr(&output).starts_with("note: the text has 2 addresses; each is answered\n"));
    }
    let output = run([&text, "--json", "--quiet"]);
    let reports = reports(&output);
    let of = |at: usize| (&reports[at]["line"], &reports[at]["input"]);
    assert_eq!(of(0), (&json!(1), &json!(ADDRESS)));
    assert_eq!(of(1), (&json!(2), &json!(other)));
    assert_eq!(stderr(&output), "");
    // In a batch, both have the number of its line.
    let batch = run_with_input(["batch"], text.as_bytes());
    let answers =
        format!("1\tvalid\t{ADDRESS}\t{ADDRESS}\t\n1\tunique\t{other}\t{solved}\tover 99.9 %\n");
    assert_prints(&batch, 0, &answers);
}

/// From BIP 173 and EIP-55.
#[test]
fn addresses_of_several_formats_are_answered() {
    let (intact, ethereum) = (
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    );
    let repaired = "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7";
    let text = format!("{} or {intact} or {SHORT}, {ethereum}", repaired.replace("p33", "p3?"));
    let output = run([&text]);
    let answers = [repaired, intact, ADDRESS, ethereum].join("\n");
    assert_prints(&output, 0, &format!("{answers}\n"));
    let restored = "the checksum restores the character at 8,";
    assert_eq!(stderr(&output).matches(restored).count(), 1);
    let (_, after) = stderr(&output).split_once(&format!("{repaired}: ")).unwrap();
    assert!(after.lines().nth(1).unwrap().starts_with(restored), "{after}");
    let reports = reports(&run([&text, "--json"]));
    let is_repaired = |report: &Value| report["note"].to_string().contains(restored);
    assert_eq!(reports.iter().map(is_repaired).collect::<Vec<_>>(), [true, false, false, false]);
    // In a batch, too.
    let batch = run_with_input(["batch"], format!("{text}\n{ADDRESS}\n").as_bytes());
    let column = |line: &str, at: usize| line.split('\t').nth(at).unwrap().to_owned();
    let found: Vec<_> = stdout(&batch).lines().map(|it| (column(it, 0), column(it, 3))).collect();
    let of_line = |line: &str, address: &str| (line.to_owned(), address.to_owned());
    let of_first = [repaired, intact, ADDRESS, ethereum].map(|it| of_line("1", it));
    assert_eq!(found[..4], of_first);
    assert_eq!(found[4..], [of_line("2", ADDRESS)]);
}

/// The digits beside them may be the name of a transaction. From BIP 173 and EIP-55.
#[test]
fn the_same_text_is_read_the_same_everywhere() {
    let name = "0c28fca386c7a227".repeat(4);
    let damaged_segwit = "bc1qw508d6qejxtdg5y5r3zarvary0c5xw7kv8f3t4";
    let ethereum = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for text in [
        format!("To {SHORT} TXID: {name}"),
        format!("TXID: {name} {SHORT}"),
        format!("{damaged_segwit} TXID: {name}"),
        format!("{ADDRESS} TXID: {name}"),
        format!("{ethereum} 0x{name}"),
        format!("{} hash {name}", ethereum.replace('a', "b")),
        format!("To {SHORT}, {damaged_segwit} TXID {name} and {ethereum}"),
        format!("{ADDRESS} or {damaged_segwit}"),
    ] {
        let hits = |report: &Value| (report["hits"].clone(), report["left_out"].clone());
        let of = |output: &Output| reports(output).iter().map(hits).collect::<Vec<_>>();
        let address_mode = run([&*text, "--json"]);
        let expected = of(&address_mode);
        let lines = text.replace(" TXID", "\nTXID");
        for other in [
            run_with_input(["-", "--json"], lines.as_bytes()),
            run_with_input(["batch", "--json"], text.as_bytes()),
        ] {
            assert_eq!(of(&other), expected, "{text}");
            assert_eq!(code(&other), code(&address_mode), "{text}");
            assert!(!stdout(&other).contains(&name[..8]), "{text}");
        }
        assert!(expected.iter().all(|(hits, _)| hits[0]["address"].is_string()), "{expected:?}");
        // Address mode says it, too, of an address that takes no search.
        let has_secret = text.contains(&name);
        let note = "characters beside the address are left out and not shown";
        assert_eq!(stderr(&run([&*text])).contains(note), has_secret, "{text}");
        // The library reads the same addresses.
        let reading = addr_recover::Reading::of(&text).unwrap();
        assert_eq!(reading.addresses().count(), expected.len(), "{text}");
    }
}

#[test]
fn a_shortened_address_gets_the_number_of_hidden_characters() {
    let output = run(["1Lbcfr...4ZnX71"]);
    assert_prints(&output, 4, "");
    assert_says(&output, "error: about 22 characters are hidden: some ");
    let list = file("known-of-gap.txt", &format!("{ADDRESS}\n"));
    let output = run(["1Lbcfr...4ZnX71", "--known", list.to_str().unwrap()]);
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
    let output = run(["1Lbcfr7sAHTD9CgdQ...MTkV8LK4ZnX71"]);
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
}

#[test]
fn shortened_texts_of_other_formats_are_not_searched() {
    for text in
        ["0x5aAeb605...BeAed", "5HueCGU8rMjxEXxi...nchuDf", "xprv9s21ZrQH143K3QTDL4LX...KhiX9s"]
    {
        let output = run([text]);
        assert_prints(&output, 4, "");
        assert_says(&output, "begins and ends like this shortened text");
    }
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
    // Windows permits 32,767 characters.
    let long = "z".repeat(30_000);
    let unclosed = "[".repeat(30_000);
    let long_bech32 = "bc1q".to_owned() + &"z".repeat(30_000);
    for (argument, message) in [
        ("", "no address given"),
        (" \n", "no address given"),
        ("1", "26 to 36 characters, but 1 were given; write ? for an unreadable one"),
        ("1lbcfr7sahtd9cgdqo3htmtkv", "26 to 36 characters, but 25 were given"),
        ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71111111", "26 to 36 characters, but 40 were given"),
        (&long, "26 to 36 characters, but 30000 were given"),
        (&unclosed, "no address given"),
        ("1lbcfr7s!htd9", "26 to 36 characters, but 13 were given"),
        ("1lbc fr7s ahtd 9cgd", "26 to 36 characters, but 16 were given"),
        ("1lb...r7s...d9cgd", "only one can be searched; it is at position 10"),
        ("vines1vzrybzlpmrxzdwy3jwwv7nxb1mfyhbs8kkjfz", "Solana"),
        ("11111111111111111111111111111111", "Solana"),
        ("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae", "like an Ethereum address"),
        // The first commit of git.
        ("e83c5163316f89bfbde7d9ab23ca2e25604af290", "an Ethereum address is 0x and 40 digits"),
        ("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV", "a public key of EOS"),
        ("tz1vsuwmwqcbvzfzo6gbjgh8kqrkwnnxjkee", "a Tezos address"),
        ("nano_1111111111111111111111111111111111111111111111111111hifc8npp", "a Nano address"),
        ("QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG", "an IPFS hash"),
        ("12gx5jbeigwvnpv3bxtqybyxhx4eobqtzmxq35a3hzwfkksz", "a Polkadot address"),
        ("Ae2tdPwUPEZ4YjgvykNpoFeYUxoyhNj2kg8KfKWN2FizsSpLUPv68MpTVDo", "a Cardano address"),
    ] {
        assert_refused(OsStr::new(argument), message);
    }
    // Too much of an address is damaged.
    for (argument, message) in [
        (
            "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvyyyyyyyy",
            "but not the damage of this one",
        ),
        ("bc1qw508d6qejxtdg4y5r3zarvary0cqqqqqqqqqqqq", "a Bech32 address"),
        ("GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH????TGKIN2ER7LBNVKOCCWN7", "a Stellar address"),
        (&long_bech32, "in up to 90 characters, its checksum restores up to two faults"),
    ] {
        let output = run([argument]);
        assert_prints(&output, 4, "");
        assert_says(&output, message);
    }
    let quiet = run(["1lb...r7s...d9cgd", "--json", "--quiet"]);
    assert_eq!((code(&quiet), stderr(&quiet)), (2, ""));
    let report = reports(&run(["1lb...r7s...d9cgd", "--json"])).remove(0);
    assert_eq!(
        (&report["status"], &report["error"]["position"]),
        (&json!("malformed"), &json!(10))
    );
}

/// A wrong statement is worse than none. The names are of the specifications of Nostr (NIP-19) and
/// Lightning (BOLT 11), the phrase is the first of BIP 39.
#[test]
fn other_formats_are_not_taken_for_what_they_are_not() {
    let nprofile =
        "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mg";
    let invoice =
        "lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsy";
    let phrase = "abandon ".repeat(11) + "about";
    let numbered = "1. legal 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. \
                    legal 10. winner 11. thank 12. yelow";
    let digits = "0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098";
    for (text, message, is_shown) in [
        (nprofile, "a name of Nostr", false),
        (invoice, "an invoice of Lightning", true),
        (&phrase, "a seed phrase", false),
        (&phrase.to_uppercase(), "a seed phrase", false),
        (&format!("{ADDRESS}: {phrase}"), "a seed phrase", false),
        (numbered, "a seed phrase", false),
        (digits, "64 hexadecimal digits", false),
        (&format!("0x{digits}"), "64 hexadecimal digits", false),
        (&digits.replace("1f0e", "1f 0e"), "64 hexadecimal digits", false),
        ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvh", "a private key", false),
        ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbT", "a private key", false),
        ("wallet_L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJ.dat", "a private key", false),
        ("cP7v1T9k8fwpELjCQmgVy8fpXSoibafMcdjYNf4wz47FpFj", "a private key", false),
        // The ends of keys.
        ("sKGvjsVGu4ugAPSqQe2gxi1cvvcfm7cWE8Vc7fVC", "but 40 were given", false),
        ("QsKGvjsVGu4ugAPSqQe2gxi1cvvcfm7cWE8Vc7fVC", "but 41 were given", false),
        ("VoGQsKGvjsVGu4ugAPSqQe2gxi1cvvcfm7cWE8Vc7fVC", "a Solana address", false),
    ] {
        for output in [
            run([text, "--json"]),
            run(["estimate", text]),
            run_with_input(["batch", "--json"], text.as_bytes()),
        ] {
            let all = format!("{}{}", stdout(&output), stderr(&output));
            assert_eq!(code(&output), 2, "{text}: {all}");
            assert!(all.contains(message), "{text}: {all}");
            assert_eq!(all.contains(text), is_shown && all.contains('{'), "{text}: {all}");
        }
    }
    // What looked like the `1` of a Bech32 address, and the letters of EIP-55.
    let (bech32, ethereum) = (
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    );
    for (text, answer) in [
        (bech32.replacen('1', "l", 1), bech32),
        (format!("send it to {}, please", bech32.replacen('1', "|", 1)), bech32),
        (ethereum.replace("53F3", "53?3"), ethereum),
        (ethereum.replace("53F3", "53E3"), ethereum),
    ] {
        let output = run([&text]);
        assert_eq!((code(&output), stdout(&output)), (0, &*format!("{answer}\n")), "{text}");
    }
}

#[test]
fn a_file_in_the_place_of_an_address_is_named() {
    let list = file("addresses.txt", &format!("{SHORT}\n"));
    let name = list.to_str().unwrap();
    let output = run([name]);
    assert_prints(&output, 2, "");
    let message = format!("is a file: `addr-recover batch {name}` answers each of its lines");
    assert_says(&output, &message);
    let list = file("my_bitcoin_addresses_backup_2018.csv", "");
    assert_says(&run([list.to_str().unwrap()]), "is a file: `addr-recover batch ");
    // A name that has an address is an address.
    let named = file(&format!("wallet_{ADDRESS}.dat"), "");
    assert_eq!(stdout(&run([named.to_str().unwrap()])), format!("{ADDRESS}\n"));
}

#[test]
fn an_address_in_the_place_of_a_file_is_named() {
    for address in [SHORT, ADDRESS, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"] {
        let output = run(["batch", address]);
        assert_prints(&output, 2, "");
        let message = format!("looks like an address, which `addr-recover '{address}'` reads\n");
        assert_says(&output, &message);
    }
    for name in ["my_bitcoin_addresses_backup_2017.csv", "./old/wallets/addresses-of-2014-list.txt"]
    {
        let output = run(["batch", name]);
        assert_says(&output, &format!("error: {name}: "));
        let end =
            "(os error 2); batch takes a file with one address per line; - is standard input\n";
        assert!(stderr(&output).ends_with(end), "{}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn bytes_that_are_not_utf8_are_unreadable_characters() {
    use std::os::unix::ffi::OsStrExt;

    let in_latin_1 = b"Gr\xfc\xdfe an 1Lbcfr7\xffAHTD9CgdQo3HTMTkV8LK4ZnX71";
    let output = run([OsStr::from_bytes(in_latin_1)]);
    assert_prints(&output, 0, "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n");
    assert_says(&output, "1Lbcfr7?AHTD9CgdQo3HTMTkV8LK4ZnX71");
}

#[test]
fn bad_usage_is_refused() {
    for arguments in [
        vec![],
        vec!["--backend", "abacus", SHORT],
        vec!["--threads", "0", SHORT],
        vec!["--threads", "many", SHORT],
        vec!["--json", "--threads", "2000", SHORT],
        vec!["batch", "--json", "/no/such/file"],
        vec!["--no-such-option", SHORT],
        vec!["--kind", "dollar", SHORT],
        vec!["--version-byte", "256", SHORT],
        vec!["--save-every", "0", SHORT],
        vec!["--save-every", "-1", SHORT],
        vec!["--save-every", "often", SHORT],
        vec!["--typos", "-1", SHORT],
        vec![SHORT, "--resume", "x"],
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

/// Near an end, a foreign character would leave the length of an address of Qtum. From the
/// specification of CashAddr and EIP-55.
#[test]
fn a_prefix_names_the_format_of_a_damaged_address() {
    const CASH_ADDR: &str = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
    for at in 13..CASH_ADDR.len() - 1 {
        for foreign in ['|', '(', '€'] {
            let text = format!("{}{foreign}{}", &CASH_ADDR[..at], &CASH_ADDR[at + 1..]);
            let output = run([&*text, "--exact"]);
            assert_prints(&output, 0, &format!("{CASH_ADDR}\n"));
        }
    }
    for at in 13..CASH_ADDR.len() - 2 {
        let text = format!("{}??{}", &CASH_ADDR[..at], &CASH_ADDR[at + 2..]);
        assert_prints(&run([&*text, "--exact"]), 0, &format!("{CASH_ADDR}\n"));
        assert_prints(&run([&text[12..], "--exact"]), 0, &format!("{CASH_ADDR}\n"));
    }
    let ethereum = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for text in [ethereum.replacen('0', "O", 1), format!("to o{}.", &ethereum[1..])] {
        assert_prints(&run([text]), 0, &format!("{ethereum}\n"));
    }
    // From BIP 173.
    let short = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    let long = "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7";
    for (address, begins) in [
        (short, ["b|1q", "?c1q", "bc?q", "b?lq", "éc1q", "??1q"]),
        (long, ["t|1q", "?b1q", "tb?q", "t?Iq", "éb1q", "??1q"]),
    ] {
        for begin in begins {
            let rest = &address[4..];
            for text in [format!("{begin}{rest}"), format!("send it to {begin}{rest}, please")] {
                let output = run([&*text, "--exact"]);
                assert_eq!(stdout(&output), format!("{address}\n"), "{text}");
            }
        }
    }
    let output = run([short.replacen('c', "?", 1).replace("t4", "t5")]);
    assert_prints(&output, 0, &format!("{short}\n"));
}

/// From BIP 173, EIP-55 and the specification of CashAddr.
#[test]
fn other_formats_are_spelled_right_without_a_search() {
    const BECH32: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    const ETHEREUM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const CASH_ADDR: &str = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
    for (text, address) in [
        (CASH_ADDR.to_ascii_uppercase(), CASH_ADDR),
        (CASH_ADDR[12..].to_owned(), CASH_ADDR),
        (format!("my address is {}, thanks", &CASH_ADDR[12..]), CASH_ADDR),
        (format!("pay to {CASH_ADDR}?amount=1"), CASH_ADDR),
        (BECH32.to_ascii_uppercase(), BECH32),
        (format!("pay to {BECH32}."), BECH32),
        (format!("bitcoin:{BECH32}?amount=1"), BECH32),
        (format!("{} {}", &BECH32[..20], &BECH32[20..]), BECH32),
        (ETHEREUM.to_ascii_lowercase(), ETHEREUM),
        (ETHEREUM[2..].to_owned(), ETHEREUM),
        (format!("ethereum:{ETHEREUM}"), ETHEREUM),
        (format!("**{}\n{}**", &BECH32[..30], &BECH32[30..]), BECH32),
        (BECH32.replace("508", "5\u{200b}0-8"), BECH32),
        (format!("is it {ETHEREUM}?"), ETHEREUM),
        (format!("see [{ETHEREUM}] for it"), ETHEREUM),
        // BIP 321 and BIP 350.
        (format!("bitcoin:?bc={BECH32}"), BECH32),
        (format!("bitcoin:?amount=1&bc={BECH32}&label=x"), BECH32),
        ("send to bc1sw50qgdz25j today".to_owned(), "bc1sw50qgdz25j"),
    ] {
        let output = run([&text]);
        assert_eq!((code(&output), stdout(&output)), (0, &*format!("{address}\n")), "{text}");
        assert!(stderr(&output).ends_with("already a valid address\n"), "{}", stderr(&output));
    }
    let report = reports(&run([&ETHEREUM.to_ascii_lowercase(), "--json"])).remove(0);
    assert_eq!(
        (&report["status"], &report["hits"][0]["kinds"]),
        (&json!("valid"), &json!(["Ethereum"]))
    );
    assert_eq!(
        (report["hits"][0].get("version"), report["hits"][0].get("probability")),
        (None, None)
    );
    for (text, is_checked) in [(ETHEREUM, true), (&ETHEREUM.to_ascii_lowercase(), false)] {
        let output = run([text]);
        assert_eq!(!stderr(&output).contains("it has no checksum"), is_checked, "{text}");
    }
    assert_eq!(code(&run(["estimate", BECH32])), 0);
}

/// Four characters of the example of BIP 173 are wrong, and two changes lead to another address.
#[test]
fn a_repair_is_only_as_sure_as_its_checksum() {
    let damaged = "bc1qw508d6qejxjdh4y5r3zarvary0c5xc7kv883t4";
    let output = run([damaged]);
    assert_eq!(code(&output), 0);
    assert_says(
        &output,
        "\n2 characters were wrong: ...jdh4y5r3zar... -> ...jdhyy5rxzar...\n\
         97 % likely to be right: nobody described this damage, and 1 in 1505 random texts of \
         this form would also give an answer\n",
    );
    let report = reports(&run([damaged, "--json"])).remove(0);
    // Up to two of 39 characters, and a checksum of 30 bits.
    let candidates = 1 + 39 * 31 + 39 * 38 / 2 * 31 * 31;
    let odds = 2_f64.powi(30) / f64::from(candidates);
    assert_eq!(report["candidates"], candidates.to_string());
    assert_eq!(report["expected_by_chance"], 1.0 / odds);
    let probability = report["hits"][0]["probability"].as_f64().unwrap();
    // Few damaged addresses have two wrong characters.
    assert_eq!((&report["likelihood"], &report["certainty"]), (&json!(0.03), &json!("likely")));
    assert!((probability - 0.03 * odds / (1.0 + 0.03 * odds)).abs() < 1e-9);
    // Of the second line, 0.03 addresses are expected by chance. It counts although none is found.
    let lines = format!("{damaged}\n18ryviovmwfyzhrzktjkqgycjkujoxh3k7\n");
    let batch = run_with_input(["batch", "--exact"], lines.as_bytes());
    assert_says(
        &batch,
        "1 unique, 1 none. 0.03 addresses are expected by chance in 2 lines that took a search. ",
    );
    let batch = run_with_input(["batch", "--exact"], lines.lines().last().unwrap().as_bytes());
    assert_says(
        &batch,
        "1 none. 0.03 addresses are expected by chance in 1 line that took a search. ",
    );
}

/// The address of EIP-55 with two wrong digits. Its letters are a short checksum.
#[test]
fn a_wrong_digit_that_is_restored_is_a_guess() {
    let damaged = "0x854f639d2AC899d73381D8eFb39fb710e7A7999c";
    let output = run([damaged]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert_says(&output, "uncertain, ");
    let report = reports(&run([damaged, "--json"])).remove(0);
    let tried = json!([
        { "damage": "two swapped characters", "options": "--swapped", "candidates": "36" },
        { "damage": "one wrong character", "options": "--typos 1", "candidates": "601" },
    ]);
    assert_eq!((&report["status"], &report["tried"]), (&json!("several"), &tried));
    // What is unreadable shows the damage.
    let unreadable = reports(&run(["0x5aAeb6053F3E94C9b9A09f336694?5E7Ef1BeAed", "--json"]));
    assert_eq!(unreadable[0].get("tried"), None);
}

#[test]
fn networks_are_selected_by_name() {
    let found = run([SHORT, "--kind", "bitcoin"]);
    assert_eq!(stdout(&found), format!("{ADDRESS}\n"));
    let other = run([SHORT, "--kind", "litecoin-p2pkh", "--exact"]);
    assert_eq!(code(&other), 1);
    assert_says(&other, "the length is right, but no address of these kinds begins like this text");
    let text = ADDRESS.replacen('1', "3", 1);
    let found = reports(&run([&*text, "--kind", "bitcoin-p2pkh", "--json"])).remove(0);
    assert_eq!((&found["hits"][0]["address"], found.get("note")), (&json!(ADDRESS), None));
    let kinds = run(["kinds"]);
    assert_eq!(stdout(&kinds).lines().count(), addr_recover::KINDS.len());
    assert!(stdout(&kinds).starts_with("bitcoin-p2pkh            0       1   Bitcoin P2PKH\n"));
    let ripple = run(["rHb9CJAWyB4rj91VRWn96DkukG4b?dtyTh", "--kind", "ripple"]);
    assert_eq!(stdout(&ripple), "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh\n");
    assert_says(&ripple, "Ripple (XRP), version ripple\n");
}

#[test]
fn a_kind_excludes_other_formats() {
    let address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    for kind in ["bitcoin", "any"] {
        let output = run([address, "--kind", kind]);
        assert_prints(&output, 0, &format!("{address}\n"));
    }
    let ethereum = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for (address, options, format) in [
        (address, ["--kind", "litecoin"], "Bitcoin, Bech32"),
        (address, ["--kind", "bitcoin-p2pkh"], "Bitcoin, Bech32"),
        (address, ["--kind", "0"], "Bitcoin, Bech32"),
        (ethereum, ["--kind", "bitcoin"], "Ethereum"),
    ] {
        let output = run([&[address], &options[..]].concat());
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{options:?}");
        let message = format!("error: this is an address of another kind ({format})\n");
        assert_eq!(stderr(&output), message);
    }
}

/// Wallets divide addresses into groups of four, some of them after the prefix. A text of such
/// groups is as long as a private key.
#[test]
fn groups_may_begin_after_a_prefix() {
    let (bech32, ethereum, cosmos) = (
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh",
    );
    let grouped = |text: &str, before: usize| {
        let mut groups = vec![text[..before].to_owned()];
        let rest = text.as_bytes()[before..].chunks(4);
        groups.extend(rest.map(|group| String::from_utf8_lossy(group).into_owned()));
        groups.join(" ").trim().to_owned()
    };
    for (address, before) in [(bech32, 3), (bech32, 4), (ethereum, 2), (ethereum, 6), (cosmos, 7)] {
        for text in [grouped(address, before), grouped(address, before).replace(' ', "-")] {
            let output = run([&text]);
            assert_prints(&output, 0, &format!("{address}\n"));
            assert!(stderr(&output).ends_with("already a valid address\n"), "{}", stderr(&output));
        }
    }
    for (address, before, wrong) in [(bech32, 3, "s4"), (ethereum, 6, "ee"), (cosmos, 7, "e7")] {
        let text = format!("{}{wrong}", &address[..address.len() - 2]);
        let output = run([&grouped(&text, before)]);
        assert_prints(&output, 0, &format!("{address}\n"));
        assert_says(&output, "1 character was wrong: ...");
    }
}

#[test]
fn an_unknown_kind_gets_a_suggestion() {
    for (kind, suggestion) in [
        ("bitcon", "'bitcoin'"),
        ("litecoin-p2phk", "'litecoin-p2pkh'"),
        ("doge", "'dogecoin'"),
        ("Ripple", "'ripple'"),
    ] {
        let output = run(["--kind", kind, SHORT]);
        assert_prints(&output, 2, "");
        assert!(stderr(&output).contains(suggestion), "{kind}: {}", stderr(&output));
        assert_says(&output, "`addr-recover kinds` lists");
        // Not all names.
        assert!(!stderr(&output).contains("zetacoin"), "{}", stderr(&output));
    }
}

/// Scripts are from the wiki of Bitcoin and BIP 341, the phrase has the first words of Electrum's
/// old list.
#[test]
fn names_scripts_and_old_seed_phrases_are_told_from_keys() {
    for (text, message, is_shown) in [
        ("hello", "this is a word, not a damaged address", true),
        ("hello world", "this is a phrase, not a damaged address", true),
        ("vitalik.eth", "this is a name, not a damaged address", true),
        ("https://example.com/", "this is a name, not a damaged address", true),
        ("satoshi@example.org", "this is an e-mail address, not", true),
        ("satoshi@mail", "this is an e-mail address, not", true),
        // An account of a validator, an account of CIP-19, and a prefix with an extra letter.
        (
            "cosmosvaloper1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh",
            "network that is not known",
            false,
        ),
        (
            "stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw",
            "a Bech32 address of a network that is not known here",
            false,
        ),
        ("tbp1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "network that is not known here", false),
        ("76a91489abcdefabbaabbaabbaabbaabbaabbaabbaabba88ac", "script of a P2PKH address", true),
        ("a914748284390f9e263a4b766a75d0633c50426eb87587", "script of a P2SH address", true),
        ("0014751e76e8199196d454941c45d1b3a323f1433bd6", "script of a P2WPKH address", true),
        (
            "5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c",
            "script of a Taproot address",
            true,
        ),
        ("lnbc1pvjluezpp5qqqsyqcyq5rqwzqf", "an invoice of Lightning", true),
        ("lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zygqqq", "an invoice of Lightning", true),
        ("5oNDL3swdJJF1g9DzJiZ4ynHXgszjAEpUkxVYejchzrY", "a Solana address, or a part of", false),
        ("like just love know never want time out there make look eye", "a seed phrase", false),
    ] {
        let output = run([text, "--json"]);
        let report = reports(&output).remove(0);
        let error = report["error"]["message"].as_str().unwrap();
        assert_eq!(code(&output), 2, "{text}: {report}");
        assert!(error.contains(message) && !error.contains("private key or"), "{text}: {error}");
        assert_eq!(report["input"] == text, is_shown, "{text}: {report}");
    }
    // From SIP-15 of Sui, and NIP-19: Bech32 may be a private key.
    for text in [
        "suiprivkey1qzwant3kaegmjy4qxex93s0jzvemekkjmyv3r2sjwgnv2y479pgsywhveae",
        "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5",
    ] {
        let output = run([text]);
        assert_prints(&output, 2, "");
        assert_says(&output, "the form of a private key");
        assert!(!stderr(&output).contains(&text[..12]), "{}", stderr(&output));
    }
    // Prose is no seed phrase, and has no address.
    let prose = run(["please send me the address of your new wallet when you have it"]);
    assert!(!stderr(&prose).contains("seed phrase"), "{}", stderr(&prose));
}

/// BIP 173 and the specification of `CashAddr` forbid letters of both cases.
#[test]
fn letters_of_both_cases_are_restored_and_no_valid_address() {
    const BECH32: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    const CASH_ADDR: &str = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
    let texts = [
        BECH32.replacen("508d", "508D", 1),
        BECH32.replacen("bc1", "BC1", 1),
        CASH_ADDR.replacen("qpm2", "qPM2", 1),
        CASH_ADDR.replacen("bitcoincash", "BITCOINCASH", 1),
    ];
    for (text, address) in texts.iter().zip([BECH32, BECH32, CASH_ADDR, CASH_ADDR]) {
        let output = run([text]);
        assert_prints(&output, 0, &format!("{address}\n"));
        assert_says(&output, "letters in the wrong case");
        assert_says(&output, "certain, over 99.9 % likely to be right");
        assert!(!stderr(&output).contains("already"), "{}", stderr(&output));
        let report = reports(&run([text, "--json"])).remove(0);
        assert_eq!(
            (&report["status"], &report["certainty"]),
            (&json!("unique"), &json!("certain"))
        );
        assert_eq!(report["change"]["what"], "letters in the wrong case");
    }
    let batch = texts.join("\n");
    let found = reports(&run_with_input(["batch", "--json"], batch.as_bytes()));
    assert!(found.iter().all(|report| report["status"] == "unique"), "{found:?}");
    // A list of known addresses has none of them either, and they prove no key.
    let list = file("mixed", &texts[0]);
    let output = run([OsStr::new(SHORT), OsStr::new("--known"), list.as_os_str()]);
    assert_says(&output, "no valid address in it: expected one per line");
    let output = run_with_input(["key", "--address", &texts[0]], b"");
    assert_eq!(code(&output), 2);
    assert_says(&output, "not a valid address");
    // A key is one in any case, and is not shown.
    let key = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";
    let output = run([key.replacen("vl029m", "VL029m", 1)]);
    assert_eq!(code(&output), 2);
    let said = stderr(&output).to_lowercase() + &stdout(&output).to_lowercase();
    assert!(!said.contains("vl029m"), "{said}");
}

/// Networks without Base58Check have names, and versions are kinds.
#[test]
fn networks_of_other_formats_and_versions_are_kinds() {
    for (text, kind, answer) in [
        (
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            "bitcoin",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        ),
        (
            "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
            "bitcoin-cash",
            "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
        ),
        (
            "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
            "ethereum",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        ),
        (
            "gaazi4tcr3ty5ojhctjc2a4qsy6cjwjh5iajtgkin2er7lbnvkoccwn7",
            "stellar",
            "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7",
        ),
        (
            "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
            "tron",
            "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        ),
        ("1LBCFR7SAHTD9CGDQO3HTMTKV8LK4ZNX71", "0", ADDRESS),
        ("1LBCFR7SAHTD9CGDQO3HTMTKV8LK4ZNX71", "0x00", ADDRESS),
    ] {
        let output = run([text, "--kind", kind]);
        assert_prints(&output, 0, &format!("{answer}\n"));
        // The old name of the option.
        assert_prints(&run([text, "--version-byte", kind]), 0, &format!("{answer}\n"));
    }
    for kind in ["groestlcoin", "cosmos", "ecash"] {
        let output = run([ADDRESS, "--kind", kind]);
        assert_prints(&output, 2, "");
        let message = format!("this is not an address of {kind} in a format that is repaired");
        assert_says(&output, &message);
    }
}
