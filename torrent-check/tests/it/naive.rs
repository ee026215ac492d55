//! A recursive bencode reader, written from the definition.

use std::collections::BTreeMap;

use crate::bencode::{self, Kind, read};
use crate::make::Value;

/// The maximum nesting depth of lists and dictionaries.
const DEPTH: usize = 100;

/// Decodes a single value, which only whitespace may follow.
///
/// Integers and lengths may have leading zeros. Keys may be in any order, but not duplicate.
pub(crate) fn decode(bytes: &[u8]) -> Option<Value> {
    let mut rest = bytes;
    let value = value(&mut rest, DEPTH)?;
    rest.trim_ascii().is_empty().then_some(value)
}

fn value(rest: &mut &[u8], depth: usize) -> Option<Value> {
    match *rest.first()? {
        b'i' => {
            *rest = &rest[1..];
            let text = until(rest, b'e')?;
            (!text.starts_with('+')).then_some(Value::Integer(text.parse().ok()?))
        }
        b'l' => {
            *rest = &rest[1..];
            let mut items = Vec::new();
            while !ended(rest)? {
                items.push(value(rest, depth.checked_sub(1)?)?);
            }
            (depth > 0).then_some(Value::List(items))
        }
        b'd' => {
            *rest = &rest[1..];
            let mut entries = BTreeMap::new();
            while !ended(rest)? {
                let key = string(rest)?;
                let value = value(rest, depth.checked_sub(1)?)?;
                if entries.insert(key, value).is_some() {
                    return None;
                }
            }
            (depth > 0).then_some(Value::Dictionary(entries))
        }
        _ => string(rest).map(Value::Bytes),
    }
}

fn ended(rest: &mut &[u8]) -> Option<bool> {
    let ended = *rest.first()? == b'e';
    *rest = &rest[usize::from(ended)..];
    Some(ended)
}

/// Reads a string, whose length has at most 20 digits.
fn string(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let digits =
        until(rest, b':').filter(|digits| digits.len() <= 20 && !digits.starts_with('+'))?;
    let (string, after) = rest.split_at_checked(digits.parse().ok()?)?;
    *rest = after;
    Some(string.to_vec())
}

fn until<'a>(rest: &mut &'a [u8], end: u8) -> Option<&'a str> {
    let (text, after) = rest.split_at(rest.iter().position(|&byte| byte == end)?);
    *rest = &after[1..];
    std::str::from_utf8(text).ok()
}

/// Converts a value that the library has read.
pub(crate) fn converted(value: bencode::Value<'_>) -> Value {
    match value.kind() {
        Kind::Integer => Value::Integer(value.integer().expect("the kind matches")),
        Kind::String => Value::Bytes(value.bytes().expect("the kind matches").to_vec()),
        Kind::List => {
            Value::List(value.items().expect("the kind matches").map(converted).collect())
        }
        Kind::Dictionary => {
            let entries = value.entries().expect("the kind matches");
            let pairs = entries
                .map(|(key, value)| (key.bytes().expect("a key").to_vec(), converted(value)));
            Value::Dictionary(pairs.collect())
        }
    }
}

/// Asserts that the reader agrees with the definition.
pub(crate) fn assert_agrees(bytes: &[u8]) {
    let expected = decode(bytes);
    match read(bytes) {
        Ok(document) => {
            let value = converted(document.root());
            let rest = bytes.strip_prefix(&value.encode()[..]);
            let is_canonical = rest.is_some_and(|rest| rest.trim_ascii().is_empty());
            assert_eq!(document.deviations().is_empty(), is_canonical);
            assert_eq!(Some(value), expected);
        }
        Err(fault) => {
            assert_eq!(expected, None, "{fault:?}");
            assert!(fault.offset <= bytes.len(), "{fault:?}");
        }
    }
}
