//! The command-line tool: what it prints where, and its exit status.

#![cfg(feature = "cli")]

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const SHORT: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
const ADDRESS: &str = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
const TWO: &str = "1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz";

/// The tool, in a folder where it may leave files.
fn tool() -> Command {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_addr-recover"));
    tool.current_dir(env!("CARGO_TARGET_TMPDIR"));
    tool
}

fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    tool().args(arguments).output().unwrap()
}

fn run_with_input<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>, input: &[u8]) -> Output {
    let pipes = || Stdio::piped();
    let mut child =
        tool().args(arguments).stdin(pipes()).stdout(pipes()).stderr(pipes()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

/// The JSON objects on stdout, by line number.
fn reports(output: &Output) -> Vec<Value> {
    let mut reports: Vec<Value> =
        stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    reports.sort_by_key(|report| report["line"].as_u64());
    reports
}

/// Writes a file, under a name that only one test uses.
fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

#[test]
fn the_address_goes_to_stdout_and_its_odds_to_stderr() {
    for arguments in
        [vec![SHORT], vec!["--threads", "2", SHORT], vec!["--kind", "bitcoin-p2pkh", SHORT]]
    {
        let output = run(arguments);
        assert_eq!(code(&output), 0);
        assert_eq!(stdout(&output), format!("{ADDRESS}\n"));
        assert!(
            stderr(&output).starts_with(&format!("{ADDRESS}: Bitcoin P2PKH, version 0\n1 found"))
        );
        assert!(stderr(&output).contains("512 to 1 that the input was an address (1118736 hashes"));
    }
    let quiet = run([SHORT, "--quiet"]);
    assert_eq!((stdout(&quiet), stderr(&quiet)), (&*format!("{ADDRESS}\n"), ""));
}

#[test]
fn every_backend_can_be_selected() {
    for backend in addr_recover::Backend::available() {
        let output = run(["--json", "--backend", backend.name(), SHORT]);
        let report = &reports(&output)[0];
        assert_eq!(report["backend"], backend.name());
        assert_eq!(report["hits"][0]["address"], ADDRESS);
    }
}

/// The schema in the README.
#[test]
fn json_is_one_object_on_one_line() {
    let output = run([SHORT, "--json"]);
    let mut report = reports(&output).remove(0);
    assert!(report["seconds"].take().as_f64().unwrap() > 0.0);
    let probability = report["hits"][0]["probability"].take().as_f64().unwrap();
    assert!((probability - 512.0 / 513.0).abs() < 1e-9);
    let expected = json!({
        "input": SHORT,
        "status": "unique",
        "hits": [{
            "address": ADDRESS,
            "version": "0",
            "kinds": ["Bitcoin P2PKH"],
            "known": false,
            "probability": null,
        }],
        "from_known": false,
        "candidates": "8388608",
        "expected_by_chance": 1.0 / 512.0,
        "likelihood_ratio": 512.0,
        "hashes": 1_118_736,
        "seconds": null,
        "backend": addr_recover::Backend::detect().name(),
    });
    assert_eq!(report, expected);
}

#[test]
fn no_hit_is_reported_as_certain() {
    let output = run([SHORT.replace("71", "72")]);
    assert_eq!((code(&output), stdout(&output)), (1, ""));
    // Except that an l may have been a 1.
    assert_eq!(
        stderr(&output),
        "not found: no such address exists (all 8388608 candidates were tried), if every l is a \
         letter; --confuse also tries 1 and its look-alikes\n"
    );
    let report = reports(&run([&SHORT.replace("71", "72"), "--json"])).remove(0);
    assert_eq!((&report["status"], &report["untried_look_alike"]), (&json!("none"), &json!("l")));
    let output = run(["1blogc9ln4opdcrunz3qo1ysa133e9agg9", "--confuse"]);
    assert!(stderr(&output).ends_with("candidates were tried)\n"), "{}", stderr(&output));

    let output = run(["4j98t1wpez73cnmqviecrnyiwrnqrhwnly"]);
    assert_eq!((code(&output), stdout(&output)), (1, ""));
    assert!(
        stderr(&output).contains("no address of these kinds has this length"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_valid_address_is_not_searched() {
    let output = run([ADDRESS]);
    assert_eq!((code(&output), stdout(&output)), (0, &*format!("{ADDRESS}\n")));
    assert!(stderr(&output).ends_with("the input is already a valid address\n"));
    assert_eq!(stderr(&run([ADDRESS, "--quiet"])), "");
    let searched = reports(&run([ADDRESS, "--json", "--search-anyway"])).remove(0);
    assert_eq!((&searched["status"], &searched["hashes"]), (&json!("unique"), &json!(1_118_736)));
    // 26 bytes whose checksum is correct by chance, and whose two-byte version no network uses.
    let chance = run(["1TiTf2kHsa65m4CHAgvz8h3XA6obz8cyuM3"]);
    assert_eq!((code(&chance), stdout(&chance)), (1, ""));
    let asked_for = run(["1TiTf2kHsa65m4CHAgvz8h3XA6obz8cyuM3", "--version-byte", "0x0042"]);
    assert_eq!(code(&asked_for), 0);
    // An address of an unknown network.
    let unknown = run(["q43UiZUN55iMqgP4gFe5E1iEUihobG9Lsp"]);
    assert!(stderr(&unknown).contains("version 119, unknown network"));
}

#[test]
fn several_addresses_exit_with_three() {
    let output = run([TWO]);
    assert_eq!(code(&output), 3);
    assert_eq!(
        stdout(&output),
        "1GVgBo6WVFZRRGcR9spduYYTSrTFjVFtTz\n1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ\n"
    );
    assert!(stderr(&output).contains("the checksum cannot tell which of them was meant"));
}

#[test]
fn known_addresses_answer_without_a_search_and_rank_first() {
    let list = file("known.txt", "# mine\n1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ\nnonsense\n");
    let list = list.to_str().unwrap();
    let output = run([TWO, "--known", list]);
    assert_eq!((code(&output), stdout(&output)), (0, "1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ\n"));
    assert!(
        stderr(&output).contains("skipped 1 line without an address, first at line 3"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).ends_with("found in the list of known addresses, without a search\n"));
    let report = reports(&run([TWO, "--known", list, "--json"])).remove(0);
    assert_eq!((&report["from_known"], &report["hashes"]), (&json!(true), &json!(0)));

    let report = reports(&run([TWO, "--known", list, "--json", "--search-anyway"])).remove(0);
    assert_eq!(report["status"], "several");
    assert_eq!(report["hits"][0]["address"], "1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ");
    assert_eq!(
        (&report["hits"][0]["known"], &report["hits"][1]["probability"]),
        (&json!(true), &json!(0.0))
    );
    assert_eq!(code(&run([SHORT, "--known", "/no/such/file"])), 2);
}

#[test]
fn noise_is_refused() {
    let noise = SHORT.replace("htmt", "????");
    let output = run([&noise]);
    assert_eq!((code(&output), stdout(&output)), (4, ""));
    assert!(
        stderr(&output).contains("the answer would be noise: about 1381 addresses fit by chance"),
        "{}",
        stderr(&output)
    );
    let report = reports(&run([&noise, "--json"])).remove(0);
    assert_eq!((&report["status"], &report["hits"]), (&json!("refused"), &json!([])));
    assert!(report["error"]["message"].as_str().unwrap().contains("noise"));
    // Six unknown characters at the end cost next to nothing, and nine addresses fit by chance.
    let cheap = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK??????";
    assert_eq!(code(&run([cheap, "--kind", "bitcoin-p2pkh"])), 4);
    let output = run([cheap, "--kind", "bitcoin-p2pkh", "--force"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stdout(&output).lines().any(|line| line == ADDRESS));
}

#[test]
fn damage_of_all_kinds_is_undone() {
    for (text, options) in [
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?", vec![]),
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4[7ZT]nX71", vec![]),
        ("1lbcfr7sahtd9cgdqo3htmtkv8lk4[7zt]nx71", vec![]),
        ("1Lbcfr7sAHTD9CgdQ03HTMTkV8lK4ZnX71", vec!["--case", "kept"]),
        ("ILbcfr7sAHTD9CgdQo3HTMTkV8IK4ZnX7I", vec!["--case", "kept"]),
        ("1ibcfr7sahtd9cgdqo3htmtkv8lk4znx7l", vec!["--confuse"]),
        // The case of other letters may be wrong, but l is not a Base58 character.
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7l", vec![]),
        ("lLbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", vec![]),
        ("1LBcfr7sAHTD9CgdQ03HTMTkV8LK4ZnX7I", vec!["--case", "lost"]),
        ("1Lbcfr7sAHTD9CgdQ03HTMTkV8LK4ZnX71", vec!["--confuse=8B"]),
        ("1lbcfr7sahtd9cgdqo3htmtkvblk4znx71", vec!["--confuse=8B"]),
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271", vec!["--typos", "1"]),
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn71", vec!["--missing"]),
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnXX71", vec!["--surplus"]),
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4nZX71", vec!["--swapped"]),
        (" bitcoin:1LBCFR7SAHTD9CGDQO3HTMTKV8LK4ZNX71?amount=1\n", vec![]),
        ("bitcoincash:1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", vec![]),
        ("127.0.0.1:43110/1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71/a-page", vec![]),
        ("BTC: \u{201c}1lbc fr7s ahtd 9cgd qo3h tmtk v8lk 4znx 71\u{201d},", vec![]),
    ] {
        let output = run([text].into_iter().chain(options.clone()));
        assert_eq!(
            stdout(&output),
            format!("{ADDRESS}\n"),
            "{text} {options:?}: {}",
            stderr(&output)
        );
    }
}

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

#[test]
fn a_batch_is_answered_in_the_order_of_its_lines() {
    let lines = [
        "\u{feff}# from the old disk",
        &format!("  {TWO}  "),
        "",
        "\u{a0}\t",
        &format!("\u{201c}{ADDRESS}\u{201d},"),
        "  # the next is unreadable",
        "1lbc!",
        &format!("{SHORT} # mine"),
    ];
    for line_end in ["\n", "\r\n"] {
        let output = run_with_input(["batch"], lines.join(line_end).as_bytes());
        assert_eq!(code(&output), 2);
        let columns = |line: &'_ str| {
            let mut columns = line.split('\t').map(str::to_owned);
            (columns.next().unwrap(), columns.next().unwrap())
        };
        let answers: Vec<(String, String)> = stdout(&output).lines().map(columns).collect();
        let expected = [("2", "several"), ("5", "valid"), ("7", "malformed"), ("8", "unique")];
        assert_eq!(answers, expected.map(|(line, status)| (line.to_owned(), status.to_owned())));
        let notes: Vec<&str> =
            stderr(&output).lines().filter(|line| line.starts_with("note")).collect();
        let expected =
            [format!("note: line 5 read as {ADDRESS}"), format!("note: line 8 read as {SHORT}")];
        assert_eq!(notes, expected);
    }
}

#[test]
fn an_estimate_says_what_a_search_would_cost() {
    let output = run(["estimate", SHORT]);
    assert_eq!(code(&output), 0);
    for line in [
        "candidates      8388608",
        "ambiguous       23 of 34 characters",
        "Bitcoin P2PKH",
        "hashes          1118736",
        "512 to 1",
    ] {
        assert!(stdout(&output).contains(line), "{line}: {}", stdout(&output));
    }
    let report = reports(&run(["estimate", SHORT, "--json", "--threads", "3"])).remove(0);
    assert_eq!(
        (&report["verdict"], &report["hashes"]),
        (&json!("worthwhile"), &json!(1_118_736.0))
    );
    assert_eq!(report["exact"], true);
    assert_eq!((&report["candidates"], &report["threads"]), (&json!("8388608"), &json!(3)));
    assert_eq!(
        report["versions"],
        json!([{ "version": "0", "kinds": ["Bitcoin P2PKH"], "candidates": 8_388_608.0 }])
    );
    assert_eq!(code(&run(["estimate", &SHORT.replace("htmt", "????")])), 4);
    assert_eq!(code(&run(["estimate", "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"])), 0);
    assert_eq!(code(&run(["estimate", "4j98t1wpez73cnmqviecrnyiwrnqrhwnly"])), 1);
    assert_eq!(code(&run(["estimate", "1!"])), 2);
    // Inputs that need no search.
    let valid = run(["estimate", ADDRESS]);
    assert!(stdout(&valid).ends_with("already a valid address: no search is needed\n"));
    let list = file("known-of-estimate.txt", &format!("{ADDRESS}\n"));
    let known = ["estimate", SHORT, "--json", "--known", list.to_str().unwrap()];
    assert_eq!(reports(&run(known))[0]["verdict"], "known");
    assert_eq!(code(&run(["estimate", SHORT, "--known", "/no/such/file"])), 2);
    for option in
        [vec!["--shard", "1/2"], vec!["--save", "x"], vec!["--search-anyway"], vec!["--force"]]
    {
        let output = run(["estimate", SHORT].iter().chain(&option));
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{option:?}");
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

const BATCH: &[u8] = b"1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71\r\n\n1lbc!fr\n\xff\xfe\n1lbcfr7sahtd9cgdqo3htmtkv8lk4znx72\n\
    1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n1lbcfr7sahtd9cgdqo3????kv8lk4znx71\n1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz\n\
    bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n1blogc9ln4opdcrunz3qo1ysa133e9agg8";

const STATUSES: &[(u64, &str)] = &[
    (1, "unique"),
    (3, "malformed"),
    (4, "malformed"),
    (5, "none"),
    (6, "valid"),
    (7, "refused"),
    (8, "several"),
    (9, "malformed"),
    (10, "unique"),
];

fn statuses(reports: &[Value]) -> Vec<(u64, &str)> {
    reports
        .iter()
        .map(|report| (report["line"].as_u64().unwrap(), report["status"].as_str().unwrap()))
        .collect()
}

#[test]
fn a_batch_continues_after_bad_lines() {
    let output = run_with_input(["batch", "-", "--json"], BATCH);
    assert_eq!(code(&output), 2);
    assert_eq!(statuses(&reports(&output)), STATUSES);
    let summary = stderr(&output).lines().last().unwrap();
    assert!(
        summary.starts_with(
            "9 lines: 2 unique, 1 valid, 1 several, 1 none, 1 refused, 3 malformed. 0.13 of"
        ),
        "{summary}"
    );

    let path = file("batch.txt", str::from_utf8(&BATCH[..34]).unwrap());
    let output = run(["batch", path.to_str().unwrap(), "--quiet"]);
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    assert_eq!(stdout(&output), format!("1\tunique\t{SHORT}\t{ADDRESS}\n"));
    // Windows line endings are not part of the line.
    let output = run_with_input(["batch", "-"], format!("{SHORT}\r\n1lbc!\r\n").as_bytes());
    let error = "2\tmalformed\t1lbc!\t'!' at position 5 is not a Base58 character\n";
    assert_eq!(stdout(&output), format!("1\tunique\t{SHORT}\t{ADDRESS}\n{error}"));
    let report = reports(&run_with_input(["batch", "-", "--json"], b"1lbc!\r\n")).remove(0);
    assert_eq!(report["input"], "1lbc!");
}

#[test]
fn a_batch_without_a_search_says_so() {
    let output = run_with_input(["batch", "-"], format!("{ADDRESS}\n").as_bytes());
    assert_eq!(stderr(&output), "1 line: 1 valid. No search was needed.\n");
    for empty in ["", "\n\r\n"] {
        let output = run_with_input(["batch", "-"], empty.as_bytes());
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        assert_eq!(stderr(&output), "error: the batch is empty: expected one address per line\n");
    }
}

#[test]
fn merged_shards_equal_the_whole() {
    let without_time = |mut reports: Vec<Value>| {
        reports.iter_mut().for_each(|report| report["seconds"] = json!(0));
        reports
    };
    let whole = without_time(reports(&run_with_input(["batch", "-", "--json"], BATCH)));
    let mut names = vec!["merge".to_owned(), "--json".to_owned()];
    for index in 1..=3 {
        let shard = format!("{index}/3");
        let output = run_with_input(["batch", "-", "--shard", &shard], BATCH);
        let (ends, parts): (Vec<Value>, Vec<Value>) =
            reports(&output).into_iter().partition(|report| report["status"] == "end");
        assert_eq!(parts.len(), STATUSES.len());
        let end = json!({
            "status": "end",
            "shard": shard,
            "format": concat!("addr-recover ", env!("CARGO_PKG_VERSION")),
            "lines": STATUSES.len(),
            "hits": parts.iter().map(|part| part["hits"].as_array().unwrap().len()).sum::<usize>(),
        });
        assert_eq!(ends, [end]);
        let hits = parts.iter().filter(|part| part["status"] == "part");
        let mut hits = hits.flat_map(|part| part["hits"].as_array().unwrap());
        assert!(hits.all(|hit| hit.get("probability").is_none()));
        let name = format!("shard-{index}-of-3.jsonl");
        names.push(file(&name, stdout(&output)).to_str().unwrap().to_owned());
    }
    let merged = run(&names);
    assert_eq!(code(&merged), 2);
    assert_eq!(without_time(reports(&merged)), whole);
    let missing = run(&names[..names.len() - 1]);
    assert_eq!(code(&missing), 2);
    assert!(stderr(&missing).contains("shard 3/3 is missing"), "{}", stderr(&missing));
    names.push(names[2].clone());
    assert!(stderr(&run(&names)).contains("appears twice"));
    let single: Vec<String> = (1..=2)
        .map(|index| {
            let output = run([TWO, "--shard", &format!("{index}/2")]);
            assert_eq!(code(&output), 0);
            file(&format!("single-{index}.json"), stdout(&output)).to_str().unwrap().to_owned()
        })
        .collect();
    let merged = run(["merge", &single[0], &single[1]]);
    assert_eq!(code(&merged), 3);
    assert_eq!(stdout(&merged).lines().count(), 2);
}

/// The outputs of both shards of a search space.
fn two_shards(text: &str, options: &[&str]) -> [String; 2] {
    ["1/2", "2/2"].map(|shard| {
        stdout(&run([text, "--shard", shard, "--quiet"].iter().chain(options))).to_owned()
    })
}

fn merged(parts: &[&str]) -> Output {
    run_with_input(["merge", "-"], parts.concat().as_bytes())
}

/// A part must not pass for the whole.
#[test]
fn only_whole_shards_of_one_search_space_are_merged() {
    let [first, second] = two_shards(SHORT, &[]);
    let [of_first, of_second] = [&first, &second].map(|part| {
        let line: Value = serde_json::from_str(part.lines().next().unwrap()).unwrap();
        line["question"].clone()
    });
    assert!(of_first.is_string());
    assert_eq!(of_first, of_second);
    let output = merged(&[&first, &second]);
    assert_eq!((code(&output), stdout(&output)), (0, &*format!("{ADDRESS}\n")));
    let [_, dash] = two_shards(SHORT, &["--kind", "dash-p2pkh"]);
    let [_, typo] = two_shards(SHORT, &["--case", "kept"]);
    let [_, other] = two_shards(&SHORT.replace("71", "72"), &[]);
    let without_end = first.split_inclusive('\n').next().unwrap();
    let only_end = &first[without_end.len()..];
    let without_hits = |part: &str| -> String {
        let mut objects: Vec<Value> =
            part.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        objects[0]["hits"] = json!([]);
        objects.iter().map(|object| format!("{object}\n")).collect()
    };
    let removed = [&first, &second].map(|part| without_hits(part));
    let older = first.replace(env!("CARGO_PKG_VERSION"), "0.0.1");
    let whole = run([SHORT, "--json"]);
    for (parts, message) in [
        (vec![], "nothing to merge: the input contains no shards"),
        (vec!["\n"], "nothing to merge: the input contains no shards"),
        (vec![&*first], "shard 2/2 is missing"),
        (vec![&first, &second, &first], "shard 1/2 appears twice"),
        (vec![without_end, &second], "shard 1/2 is truncated after 1 line"),
        (vec![only_end, &second], "shard 1/2 is incomplete: found 0 of 1 line"),
        (vec![&first, &dash], "searched for different addresses or with different options"),
        (vec![&first, &typo], "searched for different addresses or with different options"),
        (vec![&first, &other], "searched for different addresses or with different options"),
        (
            vec![&removed[0], &removed[1]],
            "was changed: it has 0 hits instead of the 1 that were found",
        ),
        (vec![&older, &second], "-, line 1: written by addr-recover 0.0.1"),
        (vec![stdout(&whole)], "not the output of a shard"),
    ] {
        let output = merged(&parts);
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{message}");
        assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
    }
}

#[test]
fn too_many_hits_in_one_shard_are_too_many_for_all() {
    let [mut first, second] = two_shards("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK??????", &["--force"]);
    assert_eq!(code(&merged(&[&first, &second])), 3);
    // Forged, instead of searching for a hundred thousand hits.
    let mut report: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    report["status"] = json!("refused");
    report["hits"] = json!([]);
    report["error"] = json!({ "message": "more than 100000 addresses fit" });
    let mut end: Value = serde_json::from_str(first.lines().nth(1).unwrap()).unwrap();
    end["hits"] = json!(0);
    first = format!("{report}\n{end}\n");
    for parts in [[&*first, &*second], [&*second, &*first]] {
        let output = merged(&parts);
        assert_eq!((code(&output), stdout(&output)), (4, ""));
        assert_eq!(stderr(&output), "error: more than 100000 addresses fit\n");
    }
}

#[test]
fn only_reports_are_merged() {
    for content in ["{}\n", "nonsense\n", "{\"input\":1}\n"] {
        let path = file("no-report.json", content);
        let output = run(["merge", path.to_str().unwrap()]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("line 1: not a report"), "{}", stderr(&output));
    }
}

/// An empty folder, under a name that only one test uses.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The content of a resume file.
fn saved(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap();
    serde_json::from_str(text.split_once('\n').unwrap().1).unwrap()
}

/// Writes a resume file with this content and a correct checksum.
fn forged(name: &str, content: &Value) -> PathBuf {
    let content = content.to_string();
    let sum = hex::encode(Sha256::digest(&content));
    file(name, &format!("addr-recover {} {sum}\n{content}", env!("CARGO_PKG_VERSION")))
}

fn assert_not_resumed(file: &Path, message: &str) {
    let output = run([OsStr::new("--resume"), file.as_os_str()]);
    assert_eq!((code(&output), stdout(&output)), (2, ""), "{message}");
    assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
}

#[test]
fn only_resume_files_are_resumed() {
    for content in ["{}", "", "[1", "{}\n{}\n", "addr-recover\n{}"] {
        assert_not_resumed(&file("no-resume", content), "not a resume file");
    }
    assert_not_resumed(
        &file("other-resume", "addr-recover 0.0.1 00\n{}"),
        "written by addr-recover 0.0.1",
    );
    assert_not_resumed(&forged("empty-resume", &json!({})), "not a resume file");
}

/// A process, which is killed if the test fails.
#[cfg(unix)]
struct Running(Child);

#[cfg(unix)]
impl Running {
    /// Starts a search on one slow thread, which saves its progress often.
    fn search(folder: &Path, arguments: &[&str], input: &[u8]) -> Self {
        let mut command = tool();
        command.args(arguments).args(SLOWLY).current_dir(folder);
        Self::of(&mut command, input)
    }

    fn of(command: &mut Command, input: &[u8]) -> Self {
        let pipes = || Stdio::piped();
        let mut child = command.stdin(pipes()).stdout(pipes()).stderr(pipes()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Self(child)
    }

    /// Waits until something is the case, however long that takes.
    fn wait_until(&mut self, mut is_so: impl FnMut() -> bool) {
        while !is_so() {
            assert_eq!(self.0.try_wait().unwrap(), None, "ended too early");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    fn output(mut self) -> Output {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        self.0.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
        self.0.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
        Output { status: self.0.wait().unwrap(), stdout, stderr }
    }
}

#[cfg(unix)]
impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
const SLOWLY: [&str; 6] = ["--threads", "1", "--backend", "portable", "--save-every", "0.02"];

/// Starts a long search, waits until it has saved some progress, and sends a signal.
#[cfg(unix)]
fn stopped_by(signal: &str, file: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let before = saved_hashes(file);
    let mut search = Running::search(file.parent().unwrap(), arguments, input);
    search.wait_until(|| saved_hashes(file) > before);
    search.signal(signal);
    search.output()
}

/// The hashes in a resume file, if there is one.
fn saved_hashes(file: &Path) -> u64 {
    if !file.exists() {
        return 0;
    }
    let saved = saved(file);
    let lines = saved["lines"].as_array().unwrap();
    lines.iter().map(|line| line["hashes"].as_u64().unwrap()).sum()
}

/// 29 ambiguous letters: takes a second or more.
const LONG: &str = "1ldeddtiflprwizqkzymwwvuupudhrgz4f";

#[cfg(unix)]
#[test]
fn progress_is_saved_and_resumed() {
    let whole = reports(&run([LONG, "--json"])).remove(0);
    for signal in ["-INT", "-TERM", "-HUP", "-KILL"] {
        let folder = folder(&format!("single{signal}"));
        let name = "addr-recover.resume";
        let save = folder.join(name);
        let output = stopped_by(signal, &save, &[LONG], b"");
        assert_eq!(stdout(&output), "");
        if signal == "-KILL" {
            assert_eq!(output.status.code(), None);
        } else {
            assert_eq!(code(&output), 130, "{signal}");
            assert_eq!(
                stderr(&output),
                format!("interrupted; resume with: addr-recover --resume {name}\n")
            );
            assert_eq!(names(&folder), [name]);
        }
        if signal == "-HUP" {
            continue;
        }
        let by_name = signal != "-TERM";
        let output = if by_name {
            run([OsStr::new("--resume"), save.as_os_str(), OsStr::new("--json")])
        } else {
            run_with_input(["--resume", "-", "--json"], &fs::read(&save).unwrap())
        };
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let report = reports(&output).remove(0);
        assert_eq!(report["hits"].as_array().unwrap().len(), 2);
        assert_eq!(report["hashes"], whole["hashes"]);
        assert_eq!(report["hits"], whole["hits"]);
        // Only a file given by name can be removed.
        assert_eq!(save.exists(), !by_name);
    }
}

#[cfg(unix)]
#[test]
fn only_the_resumed_file_is_overwritten() {
    let folder = folder("many-resumes");
    let other = "addr-recover.resume.part";
    fs::write(folder.join(other), "of another program").unwrap();
    for (name, arguments) in [
        ("addr-recover.resume", vec![LONG]),
        ("addr-recover-2.resume", vec![LONG]),
        ("addr-recover.1-of-2.resume", vec![LONG, "--shard", "1/2"]),
        ("own.saved.json", vec![LONG, "--save", "own.saved.json"]),
    ] {
        assert_eq!(code(&stopped_by("-INT", &folder.join(name), &arguments, b"")), 130);
    }
    let expected = [
        "addr-recover-2.resume",
        "addr-recover.1-of-2.resume",
        "addr-recover.resume",
        other,
        "own.saved.json",
    ];
    assert_eq!(names(&folder), expected);
    let file = folder.join(expected[0]);
    let output = stopped_by("-INT", &file, &["--resume", expected[0]], b"");
    assert_eq!(code(&output), 130);
    assert_eq!(names(&folder), expected);
    assert_eq!(fs::read_to_string(folder.join(other)).unwrap(), "of another program");
}

#[test]
fn a_file_that_cannot_be_written_is_noticed_before_the_search() {
    for arguments in [vec!["batch", "-"], vec![SHORT]] {
        let save = ["--save", "/no/such/folder/x.resume"];
        let output = run_with_input(arguments.iter().chain(&save), format!("{SHORT}\n").as_bytes());
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        let message = "error: cannot save progress: /no/such/folder/x.resume: No such file";
        assert!(stderr(&output).starts_with(message), "{}", stderr(&output));
    }
    // The file of a search that ends is gone.
    let folder = folder("saved-and-ended");
    let output = tool().args([SHORT, "--save", "x"]).current_dir(&folder).output().unwrap();
    assert_eq!((code(&output), names(&folder)), (0, vec![]), "{}", stderr(&output));
}

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_empty_files() {
    use std::io::{BufRead, BufReader};

    let folder = folder("full");
    let full = |arguments: &[&str]| {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]);
        command.arg(env!("CARGO_BIN_EXE_addr-recover")).args(arguments).args(SLOWLY);
        command.current_dir(&folder);
        Running::of(&mut command, b"")
    };
    let mut search = full(&[LONG]);
    let mut warning = String::new();
    BufReader::new(search.0.stderr.as_mut().unwrap()).read_line(&mut warning).unwrap();
    let message = "cannot save progress: addr-recover.resume: ";
    assert!(warning.starts_with(&format!("warning: {message}")), "{warning}");
    search.signal("-TERM");
    let output = search.output();
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with(&format!("error: {message}")), "{}", stderr(&output));
    assert_eq!(names(&folder), [""; 0]);

    let output = full(&[LONG, "--save", "x"]).output();
    assert_eq!((code(&output), names(&folder)), (2, vec![]), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_file_in_use_is_not_resumed() {
    let folder = folder("twice");
    let file = folder.join("addr-recover.resume");
    for arguments in [vec![LONG], vec!["--resume", "addr-recover.resume"]] {
        let before = saved_hashes(&file);
        let mut first = Running::search(&folder, &arguments, b"");
        first.wait_until(|| saved_hashes(&file) > before);
        assert_not_resumed(&file, "addr-recover.resume: another process is continuing this search");
        first.signal("-INT");
        assert_eq!(code(&first.output()), 130);
        assert_eq!(names(&folder), ["addr-recover.resume"]);
    }
}

/// The processor time of a process, in ticks of the clock, and whether it has ended.
#[cfg(target_os = "linux")]
fn processor_time(process: &Child) -> (u64, bool) {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    // The name, in parentheses, may contain spaces.
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks = |field: usize| fields[field].parse::<u64>().unwrap();
    (ticks(11) + ticks(12), fields[0] == "Z")
}

/// To read 150 lines takes seconds, and they are read before the first search. After a signal no
/// further line is read.
#[cfg(target_os = "linux")]
#[test]
fn a_batch_of_long_searches_stops_at_once() {
    let folder = folder("long-batch");
    let file = folder.join("addr-recover.resume");
    let batch = format!("{LONG}\n").repeat(150);
    let mut search = Running::search(&folder, &["batch", "-"], batch.as_bytes());
    search.wait_until(|| saved_hashes(&file) > 0);
    let (before, _) = processor_time(&search.0);
    search.signal("-TERM");
    // Not with `wait`, after which the times are gone.
    let after = loop {
        match processor_time(&search.0) {
            (after, true) => break after,
            _ => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    };
    assert!(after - before < before / 4, "{before} ticks before the signal, {after} at the end");
    assert_eq!(code(&search.output()), 130);
    assert_eq!(saved(&file)["lines"].as_array().unwrap().len(), 150);
}

#[test]
fn too_many_threads_are_not_started() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let output = run(["estimate", SHORT, "--json", "--threads", "2000"]);
    assert_eq!(reports(&output)[0]["threads"], cores * 4);
    let note = format!("note: --threads 2000 was reduced to {}, 4 per core", cores * 4);
    assert!(stderr(&output).starts_with(&note), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn too_many_threads_do_not_search() {
    let folder = folder("threads");
    let file = folder.join("addr-recover.resume");
    let mut command = tool();
    command.args([LONG, "--threads", "2000", "--backend", "portable", "--save-every", "0.02"]);
    let mut search = Running::of(command.current_dir(&folder), b"");
    let tasks = format!("/proc/{}/task", search.0.id());
    // Besides: the main thread and those for signals, for saving and for the progress bar.
    let max = 4 * std::thread::available_parallelism().unwrap().get() + 4;
    search.wait_until(|| {
        let tasks = fs::read_dir(&tasks).map_or(0, Iterator::count);
        assert!(tasks <= max, "{tasks} threads");
        saved_hashes(&file) > 0
    });
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_an_error() {
    for arguments in [vec![SHORT], vec!["estimate", SHORT], vec![ADDRESS, "--quiet"]] {
        let with_output = |redirection: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("exec \"$@\" {redirection}"), "sh"]);
            command.arg(env!("CARGO_BIN_EXE_addr-recover")).args(&arguments);
            command.output().unwrap()
        };
        let output = with_output(">&-");
        assert_eq!(code(&output), 2);
        assert!(
            stderr(&output).starts_with("error: standard output is closed"),
            "{}",
            stderr(&output)
        );
        assert_eq!(code(&with_output(">/dev/null")), 0);
    }
}

#[cfg(unix)]
#[test]
fn damaged_and_foreign_resume_files_are_refused() {
    let folder = folder("damaged-resume");
    let save = folder.join("addr-recover.resume");
    stopped_by("-INT", &save, &[LONG, "--kind", "bitcoin-p2pkh"], b"");
    let text = fs::read_to_string(&save).unwrap();
    let damaged = text.replace("\"hashes\":", "\"hashes\":1");
    assert_ne!(damaged, text);
    assert_not_resumed(&file("damaged.resume", &damaged), "its checksum is wrong");
    assert_not_resumed(&file("short.resume", &text[..text.len() - 1]), "its checksum is wrong");

    let content = saved(&save);
    for (field, value, message) in [
        ("/lines/0/done", json!([[0, 1_000_000_000]]), "more units than the search space"),
        ("/lines/0/done", json!([[3, 4], [0, 1]]), "not in order"),
        ("/lines/0/hits", json!([ADDRESS]), "an address that the search space does not allow"),
        ("/lines/0/hits", json!(["1Lbc"]), "\"1Lbc\" is not an address"),
        ("/damage/kind", json!(["bitcoin-p2tr"]), "unknown kind \"bitcoin-p2tr\""),
        ("/damage/version_byte", json!(["256"]), "a version is a number from 0 to 255"),
        ("/shard", json!("3/2"), "a shard is K/N"),
    ] {
        let mut content = content.clone();
        *content.pointer_mut(field).unwrap() = value;
        assert_not_resumed(&forged("forged.resume", &content), message);
    }
}

#[cfg(unix)]
#[test]
fn a_resumed_batch_prints_no_line_twice() {
    let folder = folder("batch-resume");
    let batch = format!("1lbc!\n{LONG}\n1lbc?\n{SHORT}\n");
    let save = folder.join("addr-recover.resume");
    let first = stopped_by("-INT", &save, &["batch", "-", "--json"], batch.as_bytes());
    assert_eq!(code(&first), 130, "{}", stderr(&first));
    // The third line is answered, but it is not its turn.
    assert_eq!(statuses(&reports(&first)), [(1, "malformed")]);
    assert_eq!(saved(&save)["lines"][2]["report"]["status"], "malformed");
    let second = run([OsStr::new("--resume"), save.as_os_str(), OsStr::new("--json")]);
    assert_eq!(code(&second), 2);
    assert_eq!(statuses(&reports(&second)), [(2, "several"), (3, "malformed"), (4, "unique")]);
}

/// The output before and after an interruption adds up to the output of a shard.
#[cfg(unix)]
#[test]
fn an_interrupted_shard_can_be_merged() {
    let folder = folder("shard-resume");
    let batch = format!("1lbc!\n{LONG}\n");
    let save = folder.join("addr-recover.1-of-1.resume");
    let first = stopped_by("-TERM", &save, &["batch", "-", "--shard", "1/1"], batch.as_bytes());
    assert_eq!(code(&first), 130, "{}", stderr(&first));
    let incomplete = merged(&[stdout(&first)]);
    assert!(
        stderr(&incomplete).contains("shard 1/1 is truncated after 1 line"),
        "{}",
        stderr(&incomplete)
    );
    let second = run([OsStr::new("--resume"), save.as_os_str()]);
    let whole = run_with_input(["merge", "--json", "-"], &[first.stdout, second.stdout].concat());
    assert_eq!(statuses(&reports(&whole)), [(1, "malformed"), (2, "several")]);
}

/// A broken pipe, as after `head`.
#[test]
fn unprinted_answers_are_saved_after_a_broken_pipe() {
    let folder = folder("closed-output");
    let batch = format!("1lbc!\n{SHORT}\n{TWO}\n");
    for (arguments, lines) in [(vec!["batch", "-"], 3), (vec![SHORT], 1)] {
        let mut child = tool()
            .args(&arguments)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let _ = child.stdin.take().unwrap().write_all(batch.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 141);
        assert_eq!(
            stderr(&output),
            "interrupted; resume with: addr-recover --resume addr-recover.resume\n"
        );
        let save = folder.join("addr-recover.resume");
        let output = run([OsStr::new("--resume"), save.as_os_str()]);
        assert_eq!(stdout(&output).lines().count(), lines, "{}", stderr(&output));
        assert_eq!(names(&folder), [""; 0]);
    }
    // Here there is nothing to save.
    for arguments in [vec!["estimate", SHORT], vec![ADDRESS, "--shard", "1/1"]] {
        let mut child =
            tool().args(&arguments).current_dir(&folder).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(141));
    }
}

/// A full disk does not make a finished search run again.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_kept() {
    let folder = folder("full-disk");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = tool().arg(SHORT).current_dir(&folder).stdout(full).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("error: cannot write the result: No space left"),
        "{}",
        stderr(&output)
    );
    let save = folder.join("addr-recover.resume");
    assert_eq!(saved(&save)["lines"][0]["report"]["hits"][0]["address"], ADDRESS);
    let output = run([OsStr::new("--resume"), save.as_os_str()]);
    assert_eq!((code(&output), stdout(&output)), (0, &*format!("{ADDRESS}\n")));
}
