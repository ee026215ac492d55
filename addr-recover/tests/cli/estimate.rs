//! `estimate`.

use crate::{ADDRESS, SHORT, code, file, run, stderr, stdout};

#[test]
fn an_estimate_says_what_a_search_would_cost() {
    let output = run(["estimate", SHORT, "--threads", "3"]);
    assert_eq!(code(&output), 0);
    for line in [
        "candidates      8388608\n",
        "  Bitcoin P2PKH                  8388608\n",
        "hashes          about 1118",
        ", 3 threads)\n",
        "512 to 1",
    ] {
        assert!(stdout(&output).contains(line), "{line}: {}", stdout(&output));
    }
    let list = file("known-of-estimate.txt", &format!("{ADDRESS}\n"));
    let list = list.to_str().unwrap();
    for (arguments, status, message) in [
        (&[&*SHORT.replace("htmt", "????")][..], 4, "verdict         noise"),
        (&["1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"], 0, "doubtful"),
        (&["jj98t1wpez73cnmqviecrnyiwrnqrhwnly"], 1, "verdict         no address of these kinds"),
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
