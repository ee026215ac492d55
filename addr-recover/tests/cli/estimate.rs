//! `estimate`.

use serde_json::json;

use crate::{ADDRESS, SHORT, code, file, reports, run, stdout};

#[test]
fn an_estimate_says_what_a_search_would_cost() {
    let output = run(["estimate", SHORT]);
    assert_eq!(code(&output), 0);
    for line in [
        "candidates      8388608",
        "ambiguous       23 of 34 characters",
        "Bitcoin P2PKH",
        "hashes          about 1118",
        "512 to 1",
    ] {
        assert!(stdout(&output).contains(line), "{line}: {}", stdout(&output));
    }
    let report = reports(&run(["estimate", SHORT, "--json", "--threads", "3"])).remove(0);
    assert_eq!(report["verdict"], "worthwhile");
    let hashes = report["hashes"].as_u64().unwrap();
    assert!(hashes.abs_diff(1_118_736) < 1000, "{hashes}");
    assert_eq!((&report["candidates"], &report["threads"]), (&json!("8388608"), &json!(3)));
    assert_eq!(
        report["versions"],
        json!([{ "version": "0", "kinds": ["Bitcoin P2PKH"], "candidates": 8_388_608 }])
    );
    assert_eq!(code(&run(["estimate", &SHORT.replace("htmt", "????")])), 4);
    assert_eq!(code(&run(["estimate", "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"])), 0);
    assert_eq!(code(&run(["estimate", "jj98t1wpez73cnmqviecrnyiwrnqrhwnly"])), 1);
    assert_eq!(code(&run(["estimate", "1!"])), 2);
    // Inputs that need no search.
    let valid = run(["estimate", ADDRESS]);
    assert!(stdout(&valid).ends_with("already a valid address: no search is needed\n"));
    let list = file("known-of-estimate.txt", &format!("{ADDRESS}\n"));
    let known = ["estimate", SHORT, "--json", "--known", list.to_str().unwrap()];
    assert_eq!(reports(&run(known))[0]["verdict"], "known");
    assert_eq!(code(&run(["estimate", SHORT, "--known", "/no/such/file"])), 2);
    for option in [vec!["--save", "x"], vec!["--force"]] {
        let output = run(["estimate", SHORT].iter().chain(&option));
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{option:?}");
    }
}
