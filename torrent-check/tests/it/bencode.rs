//! Compares the bencode reader with the definition.

use proptest::prelude::*;
use torrent_check::bencode::{Fault, FaultKind, Kind, Limits, read};

use crate::make::{Value, dictionary};
use crate::naive::{assert_agrees, converted, decode};

fn fault(bytes: &[u8]) -> (usize, FaultKind) {
    let Fault { offset, kind } = read(bytes, &Limits::default()).unwrap_err();
    (offset, kind)
}

fn deviations(bytes: &[u8]) -> Vec<(usize, FaultKind)> {
    let document = read(bytes, &Limits::default()).unwrap();
    document.deviations().iter().map(|deviation| (deviation.offset, deviation.kind)).collect()
}

#[test]
fn values_and_their_spans() {
    let bytes = b"d1:ali-42e0:d3:key5:valueee1:bi9223372036854775807ee";
    let document = read(bytes, &Limits::default()).unwrap();
    let root = document.root();
    assert_eq!((root.kind(), root.raw()), (Kind::Dictionary, &bytes[..]));
    let list = root.get(b"a").unwrap();
    assert_eq!((list.kind(), list.span()), (Kind::List, 4..27));
    let items: Vec<_> = list.items().unwrap().collect();
    assert_eq!(items[0].integer(), Some(-42));
    assert_eq!(items[1].bytes(), Some(&b""[..]));
    assert_eq!(items[2].get(b"key").unwrap().raw(), b"5:value");
    assert_eq!(items[2].raw(), b"d3:key5:valuee");
    assert_eq!(items.len(), 3);
    assert_eq!(root.get(b"b").unwrap().integer(), Some(i64::MAX));
    assert!(root.get(b"c").is_none());

    // Accessors of other kinds return nothing.
    assert!(list.integer().is_none() && list.bytes().is_none() && list.entries().is_none());
    assert!(list.get(b"a").is_none() && root.items().is_none() && root.bytes().is_none());
    assert!(items[0].bytes().is_none() && items[1].integer().is_none());
    let min = b"i-9223372036854775808e";
    assert_eq!(read(min, &Limits::default()).unwrap().root().integer(), Some(i64::MIN));
}

#[test]
fn faults_and_their_offsets() {
    use FaultKind::{
        DuplicateKey, End, IntegerRange, KeyNotAString, KeyWithoutValue, NoDigits, NoValue,
        NotADigit, StringLength, Trailing,
    };
    for (bytes, offset, kind) in [
        (&b""[..], 0, End),
        (b"i12", 3, End),
        (b"i", 1, End),
        (b"i-", 2, End),
        (b"3", 1, End),
        (b"l", 1, End),
        (b"d1:a", 4, End),
        (b"li1ed", 5, End),
        (b"ie", 1, NoDigits),
        (b"i-e", 2, NoDigits),
        (b"i+3e", 1, NotADigit(b'+')),
        (b"i1.5e", 2, NotADigit(b'.')),
        (b"i--1e", 2, NotADigit(b'-')),
        (b"1x:a", 1, NotADigit(b'x')),
        (b"-1:a", 0, NoValue(b'-')),
        (b"\0", 0, NoValue(0)),
        (b"e", 0, NoValue(b'e')),
        (b"lxe", 1, NoValue(b'x')),
        (b"d:1e", 1, NoValue(b':')),
        (b"10:abc", 0, StringLength),
        (b"l1:a3:ab", 4, StringLength),
        (b"4294967296:abc", 0, StringLength),
        (b"99999999999999999999:abc", 0, StringLength),
        (b"0000000000000000000000001:a", 0, StringLength),
        (b"li9223372036854775808ee", 1, IntegerRange),
        (b"i-9223372036854775809e", 0, IntegerRange),
        (b"di1ei2ee", 1, KeyNotAString),
        (b"dlei2ee", 1, KeyNotAString),
        (b"d1:ai1edei2ee", 7, KeyNotAString),
        (b"d1:ae", 4, KeyWithoutValue),
        (b"d1:ai1e1:ai2ee", 7, DuplicateKey),
        (b"d1:bi1e1:ai2e1:bi3ee", 13, DuplicateKey),
        (b"ld2:bbi1e1:a0:2:cc0:1:a0:ee", 20, DuplicateKey),
        (b"i1eXYZ", 3, Trailing),
        (b"i1e\n\n2", 5, Trailing),
        (b"dede", 2, Trailing),
    ] {
        assert_eq!(fault(bytes), (offset, kind), "{:?}", bytes.escape_ascii().to_string());
    }
}

#[test]
fn deviations_and_their_offsets() {
    use FaultKind::{LeadingZero, NegativeZero, TrailingSpace, UnsortedKeys};
    for (bytes, expected) in [
        (&b"i0e"[..], &[][..]),
        (b"0:", &[]),
        (b"i03e", &[(0, LeadingZero)]),
        (b"i-03e", &[(0, LeadingZero)]),
        (b"i00e", &[(0, LeadingZero)]),
        (b"li-0ee", &[(1, NegativeZero)]),
        (b"l04:spam00:e", &[(1, LeadingZero), (8, LeadingZero)]),
        (b"d1:bi1e1:ai2ee", &[(7, UnsortedKeys)]),
        (b"d1:c0:1:b0:1:a0:e", &[(6, UnsortedKeys)]),
        (b"d1:ad1:z0:1:y0:e0:0:e", &[(10, UnsortedKeys), (16, UnsortedKeys)]),
        (b"de\r\n", &[(2, TrailingSpace)]),
    ] {
        assert_eq!(deviations(bytes), expected, "{:?}", bytes.escape_ascii().to_string());
    }
    // Prefixes sort first, and bytes are unsigned.
    assert_eq!(deviations(b"d0:0:1:a0:2:aa0:1:b0:1:\xff0:e"), []);
}

#[test]
fn deviations_are_capped() {
    let bytes = [b"l", &b"i-0e".repeat(1000)[..], b"e"].concat();
    assert_eq!(deviations(&bytes).len(), 100);
}

#[test]
fn limits() {
    let limits = Limits { depth: 2, values: 5, bytes: 20 };
    let kind = |bytes: &[u8]| {
        read(bytes, &limits).map(|_| ()).map_err(|Fault { offset, kind }| (offset, kind))
    };
    assert_eq!(kind(b"ll0:0:0:ee"), Ok(()));
    assert_eq!(kind(b"lllee"), Err((2, FaultKind::Depth(2))));
    assert_eq!(kind(b"d1:adei1:bdeee").unwrap_err().1, FaultKind::KeyNotAString);
    assert_eq!(kind(b"ll0:0:0:0:ee"), Err((8, FaultKind::Values(5))));
    assert_eq!(kind(b"17:12345678901234567"), Ok(()));
    assert_eq!(kind(b"18:123456789012345678"), Err((20, FaultKind::Bytes(20))));
}

#[test]
fn the_default_depth_is_100() {
    let nested = |levels: usize| [b"l".repeat(levels), b"e".repeat(levels)].concat();
    assert!(read(&nested(100), &Limits::default()).is_ok());
    assert_eq!(fault(&nested(101)), (100, FaultKind::Depth(100)));
    for bomb in [b"l".repeat(100_000), b"d1:a".repeat(100_000)] {
        assert!(matches!(fault(&bomb), (_, FaultKind::Depth(100))));
    }
}

/// Bytes that are often valid bencode.
fn nearly_bencode() -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(|number| format!("i{number}e").into_bytes()),
        prop::sample::select(vec![
            "i0e", "i-0e", "i007e", "ie", "0:", "1:a", "01:a", "2:ab", "1:b", "3:ab", "e", "l",
            "d", "i-5e", "x", " ",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let parts = prop::collection::vec(inner, 0..6);
        (prop::sample::select(vec!["l", "d"]), parts)
            .prop_map(|(open, parts)| [open.as_bytes(), &parts.concat(), b"e"].concat())
    })
}

/// Any bencode value.
fn any_value() -> impl Strategy<Value = Value> {
    let string = || prop::collection::vec(any::<u8>(), 0..4);
    let leaf = prop_oneof![any::<i64>().prop_map(Value::Integer), string().prop_map(Value::Bytes)];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            prop::collection::btree_map(string(), inner, 0..6).prop_map(Value::Dictionary),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn near_bencode_is_read_as_defined(bytes in nearly_bencode()) {
        assert_agrees(&bytes);
    }

    #[test]
    fn any_bytes_are_read_as_defined(bytes in "[dleilde0123:a-]{0,24}") {
        assert_agrees(bytes.as_bytes());
    }

    #[test]
    fn values_round_trip(value in any_value(), cut in any::<prop::sample::Index>()) {
        let bytes = value.encode();
        let document = read(&bytes, &Limits::default()).unwrap();
        prop_assert_eq!(converted(document.root()), value);
        prop_assert_eq!(document.deviations(), &[]);
        // No proper prefix of a value is a value.
        let cut = cut.index(bytes.len());
        prop_assert!(read(&bytes[..cut], &Limits::default()).is_err());
    }
}

#[test]
fn unsorted_keys_are_found() {
    let mut value = dictionary([]);
    for number in 0..500 {
        value.set(&[], &number.to_string(), number);
    }
    let bytes = value.encode();
    let reversed: Vec<u8> = (0..500)
        .rev()
        .flat_map(|number| {
            let key = number.to_string();
            format!("{}:{key}i{number}e", key.len()).into_bytes()
        })
        .collect();
    let reversed = [b"d", &reversed[..], b"e"].concat();
    assert_eq!(decode(&reversed), decode(&bytes));
    assert_agrees(&reversed);
    assert_agrees(&[b"d3:123i1e", &reversed[1..]].concat());
}
