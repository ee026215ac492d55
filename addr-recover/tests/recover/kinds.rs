//! The tables of kinds, and versions.

use addr_recover::{Bech32Network, Hit, KINDS, Kind, Version, VersionError};

fn version_of(text: &str) -> Option<Version> {
    Hit::of(text).map(|hit| hit.format)
}

#[test]
fn ids_are_unique_and_networks_have_all_their_kinds() {
    for kind in KINDS {
        assert_eq!(KINDS.iter().filter(|other| other.id == kind.id).count(), 1, "{kind:?}");
        assert!(Kind::matching(kind.id).contains(kind));
    }
    let ids = |id| Kind::matching(id).iter().map(|kind| kind.id).collect::<Vec<_>>();
    assert_eq!(ids("bitcoin"), ["bitcoin-p2pkh", "bitcoin-p2sh"]);
    assert_eq!(ids("litecoin"), ["litecoin-p2pkh", "litecoin-p2sh", "litecoin-p2sh-old"]);
    assert_eq!(ids("tron"), ["tron"]);
    assert_eq!(ids("any").len(), KINDS.len());
    assert_eq!(ids("dollar"), [""; 0]);
    assert_eq!(Kind::names(Version::byte(5)).count(), 2);
    assert_eq!(Kind::names(Version::byte(0x77)).count(), 0);
}

#[test]
fn bech32_networks_are_those_of_kinds() {
    for prefix in [
        "bc", "tb", "bcrt", "ltc", "nc", "dgb", "vtc", "via", "mona", "btg", "grs", "sys", "qc",
        "flo",
    ] {
        let address = format!("{prefix}1q");
        let (network, data) = Bech32Network::of(&address).unwrap();
        assert_eq!((network.prefix, data), (prefix, "q"));
        let is_other = network.id == "groestlcoin";
        assert_eq!(Kind::matching(network.id).is_empty(), is_other, "{network:?}");
    }
    assert_eq!(Bech32Network::of("bc2q"), None);
}

#[test]
fn common_kinds_come_first() {
    let (common, all) = (Kind::common_versions(), Kind::all_versions());
    assert!(common.iter().all(|version| all.contains(version)));
    assert!(common.len() < all.len());
    let last = KINDS.iter().position(|kind| kind.id == "qtum-p2sh").unwrap();
    assert!(KINDS[..=last].iter().all(|kind| common.contains(&kind.version)));
    assert!(!common.contains(&KINDS[last + 1].version));
}

#[test]
fn versions_parse_and_display() {
    for (text, version) in [
        ("0", Version::byte(0)),
        ("255", Version::byte(255)),
        ("0x41", Version::byte(65)),
        ("0x1cb8", Version::two_bytes(0x1cb8)),
        ("0x0005", Version::two_bytes(5)),
        ("ripple", Version::RIPPLE),
    ] {
        assert_eq!(text.parse(), Ok(version), "{text}");
        assert_eq!(version.to_string().parse(), Ok(version));
    }
    for text in ["", "256", "-1", "0x", "0x100", "0x1cb80", "7f", "+1", "0x+1", " 1"] {
        assert_eq!(text.parse::<Version>(), Err(VersionError), "{text}");
    }
}

#[test]
fn addresses_begin_with_the_first_characters_of_their_version() {
    for (version, characters) in [
        (Version::byte(0), "1"),
        (Version::byte(5), "3"),
        (Version::byte(48), "L"),
        (Version::byte(50), "M"),
        (Version::byte(65), "T"),
        (Version::byte(111), "mn"),
        (Version::byte(196), "2"),
        (Version::two_bytes(0x1cb8), "t"),
        (Version::RIPPLE, "r"),
    ] {
        assert_eq!(version.first_characters(), characters, "{version}");
    }
}

#[test]
fn addresses_have_versions() {
    for (address, version) in [
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", Version::byte(0)),
        ("1111111111111111111114oLvT2", Version::byte(0)),
        ("11111111111111112NYTTzUfv7Wm", Version::byte(0)),
        ("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", Version::byte(5)),
        ("THesVZdaaXXxtdEkaskpTzndHugQnwUHwF", Version::byte(65)),
        ("q43UiZUN55iMqgP4gFe5E1iEUihobG9Lsp", Version::byte(0x77)),
        // A burn address, from Ravencoin's chain parameters.
        ("RXissueAssetXXXXXXXXXXXXXXXXXhhZGt", Version::byte(60)),
        // The first account, from Ripple's documentation.
        ("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", Version::RIPPLE),
        // A founder's address, from zcash.readthedocs.io.
        ("t3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd", Version::two_bytes(0x1cbd)),
    ] {
        assert_eq!(version_of(address), Some(version), "{address}");
    }
}

#[test]
fn invalid_addresses_have_no_version() {
    for (text, why) in [
        ("", "empty"),
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7Divfna", "checksum"),
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0", "not a digit"),
        ("11A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "one leading 1 too many"),
        ("1o2567qZ6n7ccomvwTPRhikBU14q2xe4m2", "26 bytes with the checksum of 25"),
        ("136ZwPz7Z5uzAZavHy8yYonh3WFeKiu76", "24 bytes"),
    ] {
        assert_eq!(version_of(text), None, "{why}: {text}");
    }
}

/// So no address has more leading `1`s than version and payload have bytes.
#[test]
fn checksums_of_zeros_do_not_begin_with_zero() {
    for zeros in [21, 22] {
        let text = bs58::encode(vec![0; zeros]).with_check().into_string();
        assert_eq!(text.chars().take_while(|&digit| digit == '1').count(), zeros);
    }
}
