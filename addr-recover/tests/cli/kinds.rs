//! `--kind`.

use crate::{SHORT, code, run, stderr, stdout};

#[test]
fn an_unknown_kind_gets_a_suggestion() {
    for (kind, suggestion) in [
        ("bitcon", "'bitcoin'"),
        ("litecoin-p2phk", "'litecoin-p2pkh'"),
        ("doge", "'dogecoin'"),
        ("Ripple", "'ripple'"),
    ] {
        let output = run(["--kind", kind, SHORT]);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        assert!(stderr(&output).contains(suggestion), "{kind}: {}", stderr(&output));
        assert!(stderr(&output).contains("`addr-recover kinds` lists"), "{}", stderr(&output));
        // Not all names.
        assert!(!stderr(&output).contains("zetacoin"), "{}", stderr(&output));
    }
}
