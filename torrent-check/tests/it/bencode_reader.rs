//! Compares the bencode reader with the definition.

use proptest::prelude::*;

use crate::bencode::{Fault, Kind, MAX_BYTES, MAX_VALUES, read};
use crate::make::{Value, dictionary};
use crate::naive::{assert_agrees, converted, decode};

fn fault(bytes: &[u8]) -> (usize, String) {
    let Fault { offset, message } = read(bytes).unwrap_err();
    (offset, message)
}

fn deviations(bytes: &[u8]) -> Vec<(usize, String)> {
    let document = read(bytes).unwrap();
    document.deviations().iter().map(|it| (it.offset, it.message.clone())).collect()
}

#[test]
fn values_and_their_spans() {
    let bytes = b"d1:ali-42e0:d3:key5:valueee1:bi9223372036854775807ee";
    let document = read(bytes).unwrap();
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
    assert_eq!(read(min).unwrap().root().integer(), Some(i64::MIN));
}

#[test]
fn faults_and_their_offsets() {
    const END: &str = "unexpected end of data; the file seems to be cut off";
    const LONG: &str = "string longer than the rest of the data; the file seems to be cut off";
    const RANGE: &str = "integer does not fit into 64 bits";
    const TRAILING: &str = "data after the end of the value";
    for (bytes, offset, message) in [
        (&b""[..], 0, END),
        (b"i12", 3, END),
        (b"i", 1, END),
        (b"i-", 2, END),
        (b"3", 1, END),
        (b"l", 1, END),
        (b"d1:a", 4, END),
        (b"li1ed", 5, END),
        (b"ie", 1, "number without digits"),
        (b"i-e", 2, "number without digits"),
        (b"i+3e", 1, "byte 0x2b in a number"),
        (b"i1.5e", 2, "byte 0x2e in a number"),
        (b"i--1e", 2, "byte 0x2d in a number"),
        (b"1x:a", 1, "byte 0x78 in a number"),
        (b"-1:a", 0, "byte 0x2d cannot begin a value"),
        (b"\0", 0, "byte 0x00 cannot begin a value"),
        (b"e", 0, "byte 0x65 cannot begin a value"),
        (b"lxe", 1, "byte 0x78 cannot begin a value"),
        (b"d:1e", 1, "byte 0x3a cannot begin a value"),
        (b"10:abc", 0, LONG),
        (b"l1:a3:ab", 4, LONG),
        (b"4294967296:abc", 0, LONG),
        (b"99999999999999999999:abc", 0, LONG),
        (b"0000000000000000000000001:a", 0, LONG),
        (b"li9223372036854775808ee", 1, RANGE),
        (b"i-9223372036854775809e", 0, RANGE),
        (b"di1ei2ee", 1, "dictionary key is not a string"),
        (b"dlei2ee", 1, "dictionary key is not a string"),
        (b"d1:ai1edei2ee", 7, "dictionary key is not a string"),
        (b"d1:ae", 4, "dictionary key without a value"),
        (b"d1:ai1e1:ai2ee", 7, "duplicate dictionary key"),
        (b"d1:bi1e1:ai2e1:bi3ee", 13, "duplicate dictionary key"),
        (b"ld2:bbi1e1:a0:2:cc0:1:a0:ee", 20, "duplicate dictionary key"),
        (b"i1eXYZ", 3, TRAILING),
        (b"i1e\n\n2", 5, TRAILING),
        (b"dede", 2, TRAILING),
    ] {
        let shown = bytes.escape_ascii().to_string();
        assert_eq!(fault(bytes), (offset, message.to_owned()), "{shown}");
    }
}

#[test]
fn deviations_and_their_offsets() {
    const ZERO: &str = "number with a leading zero";
    const UNSORTED: &str = "unsorted dictionary keys";
    for (bytes, expected) in [
        (&b"i0e"[..], &[][..]),
        (b"0:", &[]),
        (b"i03e", &[(0, ZERO)]),
        (b"i-03e", &[(0, ZERO)]),
        (b"i00e", &[(0, ZERO)]),
        (b"li-0ee", &[(1, "negative zero")]),
        (b"l04:spam00:e", &[(1, ZERO), (8, ZERO)]),
        (b"d1:bi1e1:ai2ee", &[(7, UNSORTED)]),
        (b"d1:c0:1:b0:1:a0:e", &[(6, UNSORTED)]),
        (b"d1:ad1:z0:1:y0:e0:0:e", &[(10, UNSORTED), (16, UNSORTED)]),
        (b"de\r\n", &[]),
    ] {
        let expected: Vec<_> = expected.iter().map(|&(at, what)| (at, what.to_owned())).collect();
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
    let nested = |levels: usize| [b"l".repeat(levels), b"e".repeat(levels)].concat();
    assert!(read(&nested(100)).is_ok());
    let message = "lists and dictionaries nested more than 100 deep".to_owned();
    for bomb in [nested(101), b"l".repeat(100_000)] {
        assert_eq!(fault(&bomb), (100, message.clone()));
    }
    assert_eq!(fault(&b"d1:a".repeat(100_000)), (400, message));
    // The list itself is a value.
    let list = |values: usize| [b"l", &b"0:".repeat(values - 1)[..], b"e"].concat();
    assert!(read(&list(MAX_VALUES)).is_ok());
    let message = "more than 3000000 values".to_owned();
    assert_eq!(fault(&list(MAX_VALUES + 1)), (1 + 2 * (MAX_VALUES - 1), message));
    let string =
        |bytes: usize| [format!("{}:", bytes - 9).into_bytes(), vec![0; bytes - 9]].concat();
    assert!(read(&string(MAX_BYTES)).is_ok());
    assert_eq!(fault(&string(MAX_BYTES + 1)), (MAX_BYTES, "more than 67108864 bytes".to_owned()));
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
        let document = read(&bytes).unwrap();
        prop_assert_eq!(converted(document.root()), value);
        prop_assert_eq!(document.deviations(), &[]);
        // No proper prefix of a value is a value.
        let cut = cut.index(bytes.len());
        prop_assert!(read(&bytes[..cut]).is_err());
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
