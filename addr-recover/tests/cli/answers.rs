//! What a search prints where, and its exit status.

use addr_recover::{
    Answer, AskOptions, Known, KnownMatch, Limits, ParseError, Reading, Selection, Verdict, ask,
};
use serde_json::{Value, json};

use crate::keys::KEY;
use crate::{
    ADDRESS, SHORT, TWO, assert_prints, assert_says, code, file, reports, run, run_with_input,
    stderr, stdout,
};

#[test]
fn the_address_goes_to_stdout_and_its_worth_to_stderr() {
    for arguments in
        [vec![SHORT], vec!["--threads", "2", SHORT], vec!["--kind", "bitcoin-p2pkh", SHORT]]
    {
        let output = run(arguments);
        assert_eq!(code(&output), 0);
        assert_eq!(stdout(&output), format!("{ADDRESS}\n"));
        assert!(
            stderr(&output)
                .starts_with(&format!("{ADDRESS}: Bitcoin P2PKH, version 0\n99.8 % likely "))
        );
        assert_says(
            &output,
            "\n99.8 % likely to be right: 1 in 512 random texts of this form would also give an \
             answer (1118736 hashes, ",
        );
    }
    let quiet = run([SHORT, "--quiet"]);
    assert_eq!((stdout(&quiet), stderr(&quiet)), (&*format!("{ADDRESS}\n"), ""));
}

/// The backend that is reported is the default of the process, which nothing may use before it is
/// set.
#[test]
fn every_backend_can_be_selected() {
    let list = file("a-list-for-every-backend", SHORT);
    let unknown = KEY.replacen('U', "?", 1);
    for backend in addr_recover::Backend::available() {
        let name = backend.name();
        let batch = ["batch", list.to_str().unwrap(), "--json", "--backend", name];
        for output in [run(["--json", "--backend", name, SHORT]), run(batch)] {
            let report = &reports(&output)[0];
            assert_eq!(report["backend"], name);
            assert_eq!(report["hits"][0]["address"], ADDRESS);
        }
        let key = run_with_input(["key", "--estimate", "--backend", name], unknown.as_bytes());
        for estimate in [run(["estimate", "--backend", name, SHORT]), key] {
            assert!(stdout(&estimate).contains(&format!("({name}, ")), "{}", stdout(&estimate));
        }
    }
}

/// The fields of `docs/reference.md`.
#[test]
fn json_is_one_object_on_one_line() {
    let output = run([SHORT, "--json"]);
    let mut report = reports(&output).remove(0);
    assert!(report["seconds"].take().as_f64().unwrap() > 0.0);
    let probability = report["hits"][0]["probability"].take().as_f64().unwrap();
    assert!((probability - 512.0 / 513.0).abs() < 1e-9);
    let expected = json!({
        "schema": 1,
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
        "hashes": 1_118_736,
        "seconds": null,
        "backend": addr_recover::Backend::detect().name(),
        "certainty": "likely",
    });
    assert_eq!(report, expected);
}

#[test]
fn worth_and_counts_read_like_a_sentence() {
    let one = run(["1Lbcfr7s[AB]HTD9CgdQo3HTMTkV8LK4ZnX71", "--case", "kept"]);
    assert_says(&one, "certain, over 99.9 % likely to be right: 1 in 2.1 billion random texts");
    assert_says(&one, " would also give an answer (2 hashes, ");
    let tail = run(["1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?", "--exact"]);
    assert_says(&tail, "(1 hash, ");
    // 2^21 candidates; 2^32 checksums.
    let name = run(["1NAME2NXVI1RDPDGF5617UOW7XA6YRHM9F"]);
    assert_says(
        &name,
        "certain, over 99.9 % likely to be right: 1 in 2048 random texts of this form would",
    );
}

#[test]
fn no_hit_names_what_was_tried() {
    let none = SHORT.replace("71", "72");
    let output = run([&*none, "--exact"]);
    assert_prints(&output, 1, "");
    assert_eq!(stderr(&output), "not found: tried the text as written (8388608 candidates)\n");

    let output = run(["jj98t1wpez73cnmqviecrnyiwrnqrhwnly", "--exact"]);
    assert_prints(&output, 1, "");
    assert_says(
        &output,
        "not found: the length is right, but no address of these kinds begins like this text",
    );
    let output = run(["jj98t1wpez73cnmqviecrnyiwrnqr", "--kind", "tron", "--exact"]);
    assert_says(&output, "not found: no address of these kinds has this length");
}

/// Whoever pipes stdout archives it: 1 in 2.6 random texts would give an answer like this one.
#[test]
fn a_guess_that_is_likely_wrong_goes_to_stderr() {
    let text = "12345678abcdefghijklmnopqrstuvwxyz";
    let guess = "1234S678abCdEfGhijKiMnoPqrSTuvwxYz";
    for arguments in [&[text][..], &[text, "--quiet"]] {
        let output = run(arguments);
        assert_prints(&output, 3, "");
        assert_eq!(stderr(&output).lines().next(), Some(&*format!("7 %: {guess}")));
    }
    // Its percentage is in the object.
    let report = reports(&run([text, "--json"])).remove(0);
    assert_eq!(report["hits"][0]["address"], guess);
    // What the text shows is no guess.
    let several = run([TWO]);
    assert_eq!((code(&several), stdout(&several).lines().count()), (3, 2));
}

/// As a whole, or cut off: a prefix that names a format is not searched as another one.
#[test]
fn a_prefix_names_the_format() {
    let data = "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
    for length in 8..=38 {
        for prefix in ["bitcoincash:", "ecash:", "bchtest: "] {
            let output = run([format!("{prefix}{}", &data[..length])]);
            assert_prints(&output, 4, "");
            assert_says(&output, "this begins like a CashAddr address");
        }
    }
    for (text, status, message) in [
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7", 4, "this begins like a Bech32 address"),
        ("TB1QW508D6QEJXTDG4Y5R3ZARVARY0", 4, "this begins like a Bech32 address"),
        ("cosmos1qw508d6qejxtdg4y5r", 4, "this begins like a Bech32 address"),
        ("0x5aAeb6053F3E94C9b9A09f33669435E7", 2, "0x and 40 hexadecimal digits"),
        ("0x5aaeb6053f3e", 2, "0x and 40 hexadecimal digits"),
    ] {
        let output = run([text]);
        assert_prints(&output, status, "");
        assert_says(&output, message);
        let line = run_with_input(["batch"], text.as_bytes());
        assert_eq!(code(&line), status);
    }
    // Old wallets wrote Base58 after it.
    let output = run([format!("bitcoincash:{ADDRESS}")]);
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
}

#[test]
fn a_valid_address_is_not_searched() {
    let output = run([ADDRESS]);
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
    assert!(stderr(&output).ends_with("the input is already a valid address\n"));
    assert_eq!(stderr(&run([ADDRESS, "--quiet"])), "");
    let searched = reports(&run([ADDRESS, "--json", "--force"])).remove(0);
    assert_eq!((&searched["status"], &searched["hashes"]), (&json!("unique"), &json!(1_118_736)));
    // 26 bytes whose checksum is correct by chance, and whose two-byte version no network uses.
    let chance = run(["1TiTf2kHsa65m4CHAgvz8h3XA6obz8cyuM3", "--exact"]);
    assert_prints(&chance, 1, "");
    let asked_for = run(["1TiTf2kHsa65m4CHAgvz8h3XA6obz8cyuM3", "--version-byte", "0x0042"]);
    assert_eq!(code(&asked_for), 0);
    // An address of an unknown network.
    let unknown = run(["q43UiZUN55iMqgP4gFe5E1iEUihobG9Lsp"]);
    assert_says(&unknown, "version 119, unknown network");
}

#[test]
fn several_addresses_exit_with_three() {
    let output = run([TWO]);
    assert_eq!(code(&output), 3);
    assert_eq!(
        stdout(&output),
        "1GVgBo6WVFZRRGcR9spduYYTSrTFjVFtTz\n1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ\n"
    );
    assert_says(
        &output,
        "uncertain, each 47 % likely to be right: 1 in 8 random texts of this form would also \
         give an answer; the checksum cannot tell which address was meant",
    );
}

#[test]
fn known_addresses_answer_without_a_search_and_rank_first() {
    let list = file("known.txt", "# mine\n1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ\nnonsense\n");
    let list = list.to_str().unwrap();
    let output = run([TWO, "--known", list]);
    assert_prints(&output, 0, "1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ\n");
    assert_says(&output, "skipped 1 line without an address, first at line 3");
    assert!(stderr(&output).ends_with("found in the list of known addresses, without a search\n"));
    let report = reports(&run([TWO, "--known", list, "--json"])).remove(0);
    assert_eq!((&report["from_known"], &report["hashes"]), (&json!(true), &json!(0)));

    let report = reports(&run([TWO, "--known", list, "--json", "--force"])).remove(0);
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
    assert_prints(&output, 4, "");
    assert_says(&output, "the answer would be noise: about 1381 addresses fit by chance");
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

/// Texts of all formats: intact, damaged in many ways, keys and parts of them, and no addresses.
const TEXTS: &[&str] = &[
    // Base58Check: valid, a lost case, a wrong character, a swap, two answers, noise, Ripple.
    ADDRESS,
    SHORT,
    "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271",
    "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4nZX71",
    TWO,
    "18ryviovmwfyzhrzkt????ycjkujoxh3k6",
    "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTj",
    // Bech32 and CashAddr.
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3s4",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t",
    "qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0ef",
    "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6b",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8faaa",
    "bc1qw508D6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    // Stellar: valid, in lower case, an unreadable, an extra and a wrong character.
    "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
    "ga7qynf7sowq3glr2bgmzehxavirza4kvwltjjfc7mgxua74p7ujvsgz",
    "GA7QYNF7SOWQ3GLR2BGM?EHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
    "GA7QYNF7SOWQ3GLR2BGMZXEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
    "GA7QYNF7SOWQ3GLR2BGMXEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
    // Ethereum.
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA",
    "0x5aAe?6053F?E94C9b9A09f33?69435E7Ef1BeAed",
    "0x6B175474E89094C44Da98b954EedeAC495331d0F",
    "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
    // No address.
    "hello",
    "76a91489abcdefabbaabbaabbaabbaabbaabbaabbaabba88ac",
    "hello world",
    "?",
    "1111",
    // Base58Check: unreadable characters, sets, an extra and a missing one, shortened ones, words
    // around it, a URL, groups, a label, Cyrillic letters.
    "1Lbcfr7sAHTD9CgdQo3HTMT?V8LK4ZnX71",
    "1Lbcfr7sAHTD9CgdQo3HTMT[kK]V8LK4ZnX71",
    "1Lbcfr7sAHTD9CgdQo3HTMTkkV8LK4ZnX71",
    "1Lbcfr7sAHTD9CgdQo3HTMTV8LK4ZnX71",
    "1Lbcfr7s...8LK4ZnX71",
    "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK...nX71",
    "bnb1grpf0955h0yk...9zkf",
    "Send it to 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71, please.",
    "https://example.org/address/1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271?a=1",
    "1Lbc fr7s AHTD 9Cgd Qo3H TMTk V8LK 4ZnX 71",
    "BTC: 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271",
    "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 0",
    "18ryviovmwfyzhrzktjkqgycjkujo",
    "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
    "tjrywwfs9wtfgzg3jbrvrifbnfcug5tdec",
    // Bech32 in capitals, Bech32m, with a character too many, two in one text.
    "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj1",
    "bc1qw508d6qejxtdg4y5rr3zarvary0c5xw7kv8f3t4",
    "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 and bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    // Ethereum: missing, swapped, many wrong, unreadable, one case and short, a name beside it.
    "0x5aAeb6053F3E94C9b9A09f3369435E7Ef1BeAed",
    "0x5aAeb6053F3E94C9b9A09f33694635E7Ef1BeAed",
    "0x5aaeb6053F3E94c9B9A09f33669435e7eF1bEAED",
    "0x5aAeb6053F3E94C9b9A09f33??9435E7Ef1Be??d",
    "0x5aAeb6053F3E94C9b9????????9435E7Ef1BeAed",
    "0x5aaeb6053f3e94c9b9a09f33669435e7ef1bea",
    "To 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271 TXID: \
     0c28fca386c7a2270c28fca386c7a2270c28fca386c7a2270c28fca386c7a227",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee hash \
     0c28fca386c7a2270c28fca386c7a2270c28fca386c7a2270c28fca386c7a227",
    // Keys from the wiki of Bitcoin, whole and in part; made up ones.
    "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
    "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLveTJ",
    "KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1",
    "KwdMAjGmerYanjeui5SHS7Jkmp",
    "WIF, second half: ZvVipYvB2LJGU1ZxJwYvP98617",
    "0c28fca386c7a2270c28fca386c7a2270c28fca386c7a2270c28fca386c7a227",
    "ETH 0x0c28fca3 86c7a227 0c28fca3 86c7a227 0c28fca3 86c7a227 0c28fca3 86c7a227",
    "private key 0c28fca386c7a2270c28fca386c7a2270c28fca3",
    "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy",
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
    "SAK7KYF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJV6EE",
];

/// Fails unless a report of the tool is what the library answers.
fn assert_same(text: &str, report: &Value, answer: Result<Answer, ParseError>) {
    assert_eq!(report["status"], Verdict::of(&answer).name(), "{text}");
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            // What a line of a batch may be a part of is not told.
            let is_told = report["input"] != "(not shown)" || error.may_be_key();
            assert!(!is_told || report["error"]["message"] == error.to_string(), "{text}");
            return;
        }
    };
    let hits = report["hits"].as_array().unwrap();
    let of_tool: Vec<&str> = hits.iter().map(|hit| hit["address"].as_str().unwrap()).collect();
    let of_library: Vec<&str> = answer.addresses.iter().map(|it| &*it.address).collect();
    assert_eq!(of_tool, of_library, "{text}");
    assert_eq!(report["from_known"], answer.from_known.is_some(), "{text}");
    let is_known = |hit: &Value| hit["known"].as_bool().unwrap();
    let of_library = answer.addresses.iter().map(|it| it.is_known);
    assert!(hits.iter().map(is_known).eq(of_library), "{text}: {hits:?}");
    let evidence = answer.evidence();
    let certainty = evidence.map(|evidence| evidence.certainty().name());
    assert_eq!(report["certainty"].as_str(), certainty, "{text}");
    if let (Some(evidence), Some(hit)) = (evidence, hits.first()) {
        let of_tool = hit["probability"].as_f64().unwrap();
        assert!((of_tool - evidence.probability()).abs() < 1e-9, "{text}: {of_tool}");
    }
    let change = answer.change.as_ref().map(|change| &*change.what);
    assert_eq!(report["change"]["what"].as_str(), change, "{text}");
    let tried = report["tried"].as_array().map_or(Vec::new(), |tried| {
        tried.iter().map(|it| it["damage"].as_str().unwrap()).collect()
    });
    let of_library = answer.tried.iter().filter(|it| !it.is_as_written());
    assert!(tried.iter().copied().eq(of_library.map(|it| it.in_words())), "{text}: {tried:?}");
    let next = answer.next.as_ref().map(|next| next.name);
    assert_eq!(report["next"]["damage"].as_str(), next, "{text}");
    assert_eq!(report["note"].as_str(), answer.note.as_deref(), "{text}");
    assert_eq!(report["left_out"].as_u64().unwrap_or(0), answer.left_out as u64, "{text}");
    let read = report["read"].as_str().or(report["input"].as_str().filter(|it| it == &text));
    assert_eq!(read, answer.read.as_deref(), "{text}");
    if let Some(refusal) = answer.refusal {
        let message = report["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(&refusal.to_string()), "{text}: {message}");
    }
    let words = answer.to_string();
    assert!(of_tool.iter().all(|it| words.contains(it)), "{text}: {words}");
}

/// Fails unless some reports of the tool are what the library answers, one for each address.
fn assert_all_same(text: &str, reports: &[&Value], options: &AskOptions) {
    let [report] = reports else {
        let parts = Reading::of(text).unwrap().split();
        assert_eq!(reports.len(), parts.len(), "{text}");
        for (report, part) in reports.iter().zip(&parts) {
            assert_same(&part.addresses().next().unwrap(), report, part.ask(options));
        }
        return;
    };
    assert_same(text, report, ask(text, options));
}

/// Fails unless the tool prints what the library answers for the lines of a batch.
fn assert_batch_same(texts: &[&str], arguments: &[&str], options: &AskOptions) {
    let mut of_line = options.clone();
    of_line.limits = Limits::of_line();
    // Lines after one another would be parts of one key.
    let lines: Vec<String> = texts.iter().map(|text| format!("{text}\n{ADDRESS}\n")).collect();
    let arguments = [&["batch", "-", "--json"], arguments].concat();
    let reports = reports(&run_with_input(arguments, lines.concat().as_bytes()));
    for (number, text) in (1_u64..).step_by(2).zip(texts) {
        let is_of_line = |it: &&Value| it["line"].as_u64() == Some(number);
        let reports: Vec<&Value> = reports.iter().filter(is_of_line).collect();
        assert_all_same(text, &reports, &of_line);
    }
}

/// The tool prints what the library answers, for an address and for the lines of a batch, whatever
/// the format is.
#[test]
fn the_library_answers_as_the_tool() {
    let options = AskOptions::default();
    for text in TEXTS {
        let reports = reports(&run([text, "--json"]));
        assert_all_same(text, &reports.iter().collect::<Vec<_>>(), &options);
    }
    assert_batch_same(TEXTS, &[], &options);
}

#[test]
fn the_library_selects_kinds_as_the_tool() {
    for kinds in [&["ethereum"][..], &["bitcoin", "cosmos"], &["0x1cb8", "65"], &["any"]] {
        let mut options = AskOptions::default();
        options.selection = Selection::of(kinds.iter().copied()).unwrap();
        options.is_exact = true;
        let kinds = kinds.iter().flat_map(|kind| ["--kind", kind]);
        let arguments: Vec<&str> = kinds.chain(["--exact"]).collect();
        assert_batch_same(TEXTS, &arguments, &options);
    }
    assert!(Selection::of(["bitcoin", "nonsense"]).is_err());
}

/// With a list that has what some texts may have been, and what is near to others.
#[test]
fn the_library_answers_from_a_list_as_the_tool() {
    let list = [
        ADDRESS,
        "1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ",
        "18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    ]
    .join("\n");
    let mut options = AskOptions::default();
    options.known = Known::read(&list).0;
    let list = file("known-by-both.txt", &list);
    let known = ["--known", list.to_str().unwrap()];
    assert_batch_same(TEXTS, &known, &options);
    let (mut fit, mut nearest, mut searched) = (0, 0, 0);
    for text in TEXTS {
        let mut options = options.clone();
        options.limits = Limits::of_line();
        match ask(text, &options).map(|answer| answer.from_known) {
            Ok(Some(KnownMatch::Fits)) => fit += 1,
            Ok(Some(KnownMatch::Nearest { .. })) => nearest += 1,
            _ => searched += 1,
        }
    }
    assert!(fit > 9 && nearest > 3 && searched > 9, "{fit} {nearest} {searched}");
    // Lines of a batch are not searched so far.
    let long = ["1lbcfrsahtd9cgdqo3htmtkv8lk4znx7", "1lxcfr7sahxd9cgxqo3htmtxv8l4znx"];
    for text in
        [ADDRESS, SHORT, TWO, "bc1qw508d6qejxtdg2222zzarvary0c5xw7kv8f3t4"].iter().chain(&long)
    {
        let reports = reports(&run([&[*text, "--json"], &known[..]].concat()));
        assert_all_same(text, &reports.iter().collect::<Vec<_>>(), &options);
    }
    options.is_exact = true;
    assert_batch_same(TEXTS, &[&known[..], &["--exact"]].concat(), &options);
    // Known addresses are found by a search, too.
    options.is_forced = true;
    let texts = [ADDRESS, SHORT, TWO, TEXTS[9], "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee"];
    assert_batch_same(&texts, &[&known[..], &["--exact", "--force"]].concat(), &options);
}
