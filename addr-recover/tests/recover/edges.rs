//! Edge cases of the search: carries, uniform tails, leading zeros, lengths.

use addr_recover::Version;

use crate::{addresses, recover};

fn address(payload: &[u8; 20]) -> String {
    crate::address(Version::byte(0), payload)
}

/// The prefix of a text, whether or not it is an address.
fn prefix(text: &str) -> Vec<u8> {
    bs58::decode(text).into_vec().unwrap()[..21].to_vec()
}

/// The text with the last five characters in upper case, where the alphabet has them.
fn with_capital_tail(address: &str) -> String {
    let (head, tail) = address.split_at(address.len() - 5);
    let capital =
        |letter: char| if "io".contains(letter) { letter } else { letter.to_ascii_uppercase() };
    head.chars().chain(tail.chars().map(capital)).collect()
}

fn assert_recovered(address: &str) {
    assert_eq!(addresses(&recover(&address.to_ascii_lowercase())), [address]);
}

#[test]
fn tails_that_carry_into_the_prefix() {
    for address in [
        "19s6CYLY1f8tPpNL2w74Kov824252dc9ni",
        "131SG7aEx4HC83oVQU885X61qW2joui9Us",
        "16Y8LL4P8ka72nbYc3oKZt3DGL3fa31wv",
        "1719811VuodwPQiNWT6s5i2A3ApgQu16Y1",
        "195Q4kDt6pfj8b76L6pHL43Qrjv34f9y3A",
        "1o55633Rio7VxRZ525r5aNd5CADWzSk5k",
    ] {
        assert_ne!(
            prefix(address),
            prefix(&with_capital_tail(address)),
            "{address} does not carry"
        );
        assert_recovered(address);
    }
}

#[test]
fn tails_of_one_case_and_without_letters() {
    for address in [
        "12VG5Ld6cn7VPNs1353m1bi37E614PJNNo",
        "16LLnrb26MJi3Lc6o5UboPfE2E5WLBQDoF",
        "195y9rM9i87j6v8J845X2isoGuWwwQ2YYG",
        "1NP653t3T4zGco5FQo578vQ17Gh89PUGK3",
        "17LGYL4k233kJV331Rh2H4A1P7d6smxjfo",
        "1AqdX2n9a773Lo9UGi4Nf2okwG165hpvid",
        "172LM9RELw2sga3p8xnho7rQ14o3Ne3hpn",
        "17vLi5s4Lfj2xX53x5biEJ8iDRj63ybtkw",
        "1KNu5N4QGpU5VUBrW6f5yA9siBbB417i7i",
        "1K8GdFVJYjJMu75J16qEy9EnSbA2f65194",
    ] {
        assert_recovered(address);
    }
}

#[test]
fn every_count_of_leading_zeros_with_the_smallest_and_greatest_payloads() {
    for zeros in 0..20 {
        for fill in [0x00, 0xff] {
            let mut payload = [0; 20];
            payload[zeros..].fill(fill);
            payload[zeros] |= 1;
            let address = address(&payload);
            assert!(address.starts_with(&"1".repeat(zeros + 1)));
            assert!(!address.starts_with(&"1".repeat(zeros + 2)));
            assert!(addresses(&recover(&address)).contains(&address.as_str()), "{address}");
        }
    }
}

#[test]
fn an_all_zero_payload_has_one_address_of_27_characters() {
    let zero = address(&[0; 20]);
    assert_eq!(zero, "1111111111111111111114oLvT2");
    assert_recovered(&zero);
    // No address has as many zero bytes and another checksum, or more zero bytes.
    for text in ["1111111111111111111114oLvT3", "1111111111111111111111oLvT2"] {
        assert_eq!(addresses(&recover(text)), [""; 0], "{text}");
    }
    for ones in 26..=34 {
        assert_eq!(addresses(&recover(&"1".repeat(ones))), [""; 0]);
    }
}

#[test]
fn a_leading_one_too_many_or_too_few() {
    let address = "1ZeroABd9C36y31kQ1UxJ9RJ875EQD7YH";
    assert_recovered(address);
    assert_eq!(addresses(&recover(&format!("1{address}"))), [""; 0]);

    let address = "111177qEEEYpYD98WYnxADCFsY1RBvHTT";
    assert_recovered(address);
    assert_eq!(addresses(&recover(&address[1..])), [""; 0]);
}

#[test]
fn lengths_that_do_not_match_the_leading_ones_need_no_hash() {
    for text in [
        "1zzzzzzzzzzzzzzzzzzzzzzzzz",
        "11111111111111111111zzzzzzzzzz",
        "4J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
    ] {
        let outcome = recover(text);
        assert_eq!((outcome.hits.len(), outcome.hashes), (0, 0), "{text}");
    }
}
