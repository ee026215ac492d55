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

#[test]
fn networks_that_are_not_searched_for_are_explained() {
    for (kind, reason) in [
        ("groestlcoin", "Grøstl instead of SHA-256"),
        ("decred", "BLAKE-256"),
        ("ethereum", "without --kind"),
        ("bitcoin-cash", "those of bitcoin"),
        ("solana", "no checksum"),
    ] {
        for command in [vec![], vec!["estimate"], vec!["batch"]] {
            let output = run(command.into_iter().chain(["--kind", kind, SHORT]));
            assert_eq!((code(&output), stdout(&output)), (2, ""));
            assert!(stderr(&output).contains(reason), "{kind}: {}", stderr(&output));
        }
    }
}
