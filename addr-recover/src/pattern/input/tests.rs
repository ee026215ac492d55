//! Tests of finding the address in a text.

use super::*;

/// The only address in a text.
fn only(text: &str) -> Input {
    let mut inputs = Input::all(text);
    assert_eq!(inputs.len(), 1, "{inputs:?}");
    inputs.remove(0)
}

#[test]
fn surroundings_of_an_address_are_stripped() {
    for (given, kept, scheme, position) in [
        ("1abc", "1abc", "", 1),
        (" \t1abc\r\n", "1abc", "", 3),
        ("\u{feff}1a\u{200b}bc", "1abc", "", 2),
        ("bitcoin:1abc", "1abc", "bitcoin", 9),
        ("BITCOIN:1ABC?amount=0.1&label=x", "1ABC", "bitcoin", 9),
        ("bitcoin:1a?c", "1a?c", "bitcoin", 9),
        ("bitcoin:1a?c?amount=1", "1a?c", "bitcoin", 9),
        ("http://127.0.0.1/1abcdefghijk/", "1abcdefghijk", "http", 18),
        ("https://x.org/a/1abcdefgh#top", "1abcdefgh", "https", 17),
        ("zero://1abc", "1abc", "zero", 8),
        ("1abc/x", "1abc/x", "", 1),
    ] {
        let input = only(given);
        assert_eq!((input.text().as_str(), input.scheme.as_str()), (kept, scheme), "{given}");
        assert_eq!(input.characters[0].1, position, "{given}");
    }
    for empty in ["", "  ", "\u{200b}", "bitcoin:", "http:///"] {
        assert_eq!(only(empty).text(), "", "{empty:?}");
    }
}

#[test]
fn the_part_of_a_url_that_may_be_an_address_is_kept() {
    let address = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
    let unreadable = "1?bcfr[7zt]sahtd9cgd0o3htmtkv8lk4znx71";
    let other = "some-long-path-of-a-page-that-is-longer-than-that";
    for address in [address, &address[1..], unreadable] {
        for (before, after) in [
            ("http://127.0.0.1:43110/", "/some-long-path-of-a-page-that-is-longer-than-that/x"),
            ("https://www.averylonghostname.example.organisation.com/", ""),
            ("127.0.0.1:43110/", ""),
            ("127.0.0.1:43110/", "/?x=1"),
            ("localhost:43110/", "/index.html"),
            ("http://", ".zero/index.html"),
            ("", ".bit"),
            ("", "/"),
            ("bitcoin:", "?"),
            ("bitcoin:", "?amount=1&label=averylonglabelwithletters"),
            ("bitcoin://", "#averylonglabelwithletters"),
        ] {
            let text = format!("{before}{address}{after}");
            let input = only(&text);
            assert_eq!(input.text(), address, "{text}");
            assert_eq!(input.characters[0].1, before.len() + 1, "{text}");
        }
    }
    // Without such a part, the text is kept whole.
    assert_eq!(only(other).text(), other.replace('-', ""));
    assert_eq!(only("1lbcfr7sahtd9.bit").text(), "1lbcfr7sahtd9.bit");
    assert_eq!(
        only("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7?").text(),
        "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7?"
    );
}
