//! `estimate`.

use serde_json::json;

use crate::{ADDRESS, SHORT, code, file, reports, run, stderr, stdout};

#[test]
fn an_estimate_says_what_a_search_would_cost() {
    let output = run(["estimate", SHORT, "--threads", "3"]);
    assert_eq!(code(&output), 0);
    for line in [
        "candidates      8388608\n",
        "  Bitcoin P2PKH                  8388608\n",
        "hashes          about 1118",
        ", 3 threads)\n",
        "worth a search: a single hit is 99.8 % likely to be right\n",
        "if none fits    likely damage is tried, unless --exact: at most 2^28 hashes, about ",
    ] {
        assert!(stdout(&output).contains(line), "{line}: {}", stdout(&output));
    }
    let list = file("known-of-estimate.txt", &format!("{ADDRESS}\n"));
    let list = list.to_str().unwrap();
    for (arguments, status, message) in [
        (&[&*SHORT.replace("htmt", "????")][..], 4, "verdict         noise"),
        (&["1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"], 0, "doubtful"),
        (&["jj98t1wpez73cnmqviecrnyiwrnqrhwnly"], 1, "verdict         the length is right, but no"),
        (&["1!"], 2, "but 1 were given"),
        (&[ADDRESS], 0, "already a valid address\n"),
        (&[SHORT, "--known", list], 0, "found in the list of known addresses"),
        (&[SHORT, "--known", "/no/such/file"], 2, "/no/such/file: "),
        (&[SHORT, "--save", "x"], 2, "unexpected argument '--save'"),
        (&[SHORT, "--force"], 2, "unexpected argument '--force'"),
    ] {
        let output = run(["estimate"].iter().chain(arguments));
        let all = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(code(&output), status, "{arguments:?}: {all}");
        assert!(all.contains(message), "{arguments:?}: {all}");
    }
}

/// `estimate` is an older spelling of `--estimate`.
#[test]
fn an_estimate_is_also_an_object() {
    for spelling in ["--estimate", "estimate"] {
        let output = run([spelling, SHORT, "--threads", "3", "--json"]);
        assert_eq!((code(&output), stderr(&output)), (0, ""), "{spelling}");
        let object = reports(&output).remove(0);
        let figures = &object["estimate"];
        assert_eq!((&object["schema"], &object["input"]), (&json!(1), &json!(SHORT)));
        assert_eq!(figures["candidates"], "8388608");
        let kind = json!({ "version": "0", "kinds": ["Bitcoin P2PKH"], "candidates": "8388608" });
        assert_eq!(figures["kinds"], json!([kind]));
        assert_eq!(figures["expected_by_chance"], 1.0 / 512.0);
        assert_eq!((&figures["certainty"], &figures["threads"]), (&json!("likely"), &json!(3)));
        assert_eq!(figures["ladder"]["hashes"], f64::from(1 << 28));
        assert!(figures["ladder"]["seconds"].as_f64() > figures["seconds"].as_f64());
    }
    // What needs no search is answered.
    let valid = reports(&run(["--estimate", "--json", ADDRESS])).remove(0);
    assert_eq!(valid["status"], "valid");
    assert_eq!(code(&run(["--estimate", "--exact", SHORT])), 2);
}

/// More threads than four on a core only get in each other's way.
#[test]
fn the_number_of_threads_is_bounded() {
    let cores = std::thread::available_parallelism().unwrap().get() as u64;
    let estimate = reports(&run(["estimate", SHORT, "--json", "--threads", "1000"])).remove(0);
    assert_eq!(estimate["estimate"]["threads"].as_u64(), Some(1000.min(4 * cores)));
}
