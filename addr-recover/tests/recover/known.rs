//! Published addresses, with their sources.

use addr_recover::{Damage, Kind, Version};

use crate::{addresses, recover, space};

struct Known {
    damaged: &'static str,
    addresses: &'static [&'static str],
    source: &'static str,
}

const KNOWN: &[Known] = &[
    Known {
        damaged: "16S8BFCT6TV2YZ5TZ45U3JSTHP8EM5KZFF",
        addresses: &["16S8bFct6tV2Yz5tz45u3JsTHP8eM5kZFf"],
        source: "github.com/bitpay/wallet issue 7855: capitals, from a QR code",
    },
    Known {
        damaged: "1HeLLo4uzjaLetFx6NH3PMwFP3qbRbTf3d",
        addresses: &["1HeLLo4uzjaLetFx6NH3PMwFP3qbRbTf3D"],
        source: "github.com/HelloZeroNet/ZeroNet issue 2206: one letter in the wrong case",
    },
    Known {
        damaged: "1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz",
        addresses: &["1GVgBo6WVFZRRGcR9spduYYTSrTFjVFtTz", "1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ"],
        source: "a ZeroNet site (the second); the first fits by chance",
    },
    // The last letters are all upper case, or there are none.
    Known {
        damaged: "1zeroabd9c36y31kq1uxj9rj875eqd7yh",
        addresses: &["1ZeroABd9C36y31kQ1UxJ9RJ875EQD7YH"],
        source: "a ZeroNet site",
    },
    Known {
        damaged: "1lfve91zf18jdg3ww62dw7ntftzh737kpl",
        addresses: &["1LfvE91ZF18jdG3wW62Dw7NtfTZh737KPL"],
        source: "a ZeroNet site, purplesyringa/btccaserestore main.c",
    },
    Known {
        damaged: "138r53t3zw7kdfsfxvpwusmxgwunsdnxlp",
        addresses: &["138R53t3ZW7KDfSfxVpWUsMXgwUnsDNXLP"],
        source: "a ZeroNet site",
    },
    // Not an address, although a careless decoder finds one.
    Known {
        damaged: "1o2567qz6n7ccomvwtprhikbu14q2xe4m2",
        addresses: &[],
        source: "made: 1o2567qZ6n7ccomvwTPRhikBU14q2xe4m2 is 26 bytes, the last 25 of them valid",
    },
    Known {
        damaged: "136zwpz7z5uzazavhy8yyonh3wfekiu76",
        addresses: &[],
        source: "made: an address without one of its two leading 1s, so 24 bytes",
    },
    Known {
        damaged: "txykmwwahrpffepurnsqyngrji6vxxhkx9",
        addresses: &["TXYkMwWaHrPFfepurnsqYngrji6vxxHkX9"],
        source: "ultrasoundlabs/base58bruteforce README: Tron",
    },
    Known {
        damaged: "3cmzznaihvqgiaksakf864ojmxn2bp1elc",
        addresses: &["3CmZZnAiHVQgiAKSakf864oJMxN2BP1eLC"],
        source: "Bitcoin Core src/test/data/key_io_valid.json: P2SH",
    },
    Known {
        damaged: "MPOMIA7WQDNMCXANLC23EBUXAB4U6H4ZQW",
        addresses: &["mpomiA7wqDnMcxaNLC23eBuXAb4U6H4ZqW"],
        source: "Bitcoin Core src/test/data/key_io_valid.json: testnet P2PKH",
    },
    Known {
        damaged: "2NBZRN3PV56K3JUVSHIFAHYZJGHV7ZS9FZZ",
        addresses: &["2NBzRN3pV56k3JUvSHifaHyzjGHv7ZS9FZZ"],
        source: "Bitcoin Core src/test/data/key_io_valid.json: testnet P2SH, 35 characters",
    },
    Known {
        damaged: "bitcoin:1BLOGC9LN4OPDCRUNZ3QO1YSA133E9AGG8?amount=0.01",
        addresses: &["1BLogC9LN4oPDcruNz3qo1ysa133E9AGg8"],
        source: "the payment address of a ZeroNet site",
    },
    Known {
        damaged: "rHb9CJAWyB4rj91VRWn96DkukG4b?dtyTh",
        addresses: &["rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
        source: "xrpl.org, the genesis account: Ripple",
    },
    Known {
        damaged: "http://127.0.0.1:43110/1name2nxvi1rdpdgf5617uow7xa6yrhm9f/",
        addresses: &["1Name2NXVi1RDPDgf5617UoW7xA6YrhM9F"],
        source: "a ZeroNet site",
    },
];

#[test]
fn known_addresses_are_recovered_and_nothing_else() {
    for Known { damaged, addresses: expected, source } in KNOWN {
        assert_eq!(addresses(&recover(damaged)), *expected, "{damaged}: {source}");
    }
}

#[test]
fn a_version_without_a_network_is_found_if_all_are_searched() {
    let damaged = "q43uizun55imqgp4gfe5e1ieuihobg9lsp";
    assert_eq!(recover(damaged).hits, []);
    let any: Vec<Version> = (0..=255).map(Version::byte).collect();
    let outcome = crate::search(&space(damaged, Damage::default(), &any));
    assert_eq!(addresses(&outcome), ["q43UiZUN55iMqgP4gFe5E1iEUihobG9Lsp"]);
    assert_eq!(outcome.hits[0].format, Version::byte(0x77));
    assert_eq!(Kind::names(outcome.hits[0].format).count(), 0);
}

/// Another program counted the distinct prefixes of the spellings with 25 bytes.
#[test]
fn no_prefix_is_hashed_twice_or_needlessly() {
    for (text, address, prefixes) in [
        // Bitcoin's first block. Half of the spellings have 26 bytes.
        ("1a1zp1ep5qgefi2dmptftl5slmv7divfna", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", 262_402_u32),
        // purplesyringa's article on restoring addresses, 2024: the short and the long example.
        ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", 1_118_736),
        ("18ryviovmwfyzhrzktjkqgycjkujoxh3k6", "18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6", 17_900_709),
        // bitcoin.stackexchange.com/q/30008
        ("1dice8emzmqkvrge4qc9buff9px3xaydp", "1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp", 2_237_472),
    ] {
        let estimate = space(text, Damage::default(), &Kind::common_versions()).estimate();
        assert!((estimate.hashes / f64::from(prefixes) - 1.0).abs() < 1e-3, "{text}");
        let outcome = recover(text);
        assert_eq!(addresses(&outcome), [address]);
        assert_eq!(outcome.hashes, u64::from(prefixes), "{text}");
    }
}
