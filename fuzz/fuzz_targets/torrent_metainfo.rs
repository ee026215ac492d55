//! Parses torrents with arbitrary changes. They are rejected, or the result is consistent.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use make::Value;
use torrent_check::Torrent;

#[path = "../../torrent-check/src/torrent/bencode.rs"]
#[allow(dead_code, reason = "the library needs more of it")]
mod bencode;
#[path = "../../torrent-check/tests/it/make.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod make;
#[path = "../../torrent-check/tests/it/naive.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod naive;
#[path = "../../torrent-check/tests/it/sound.rs"]
mod sound;

fuzz_target!(|bytes: &[u8]| {
    let torrent = Torrent::parse(bytes);
    if let Ok(torrent) = &torrent {
        sound::assert_sound(torrent);
        let end = bytes.trim_ascii_end().len();
        for cut in [0, end / 2, end - 1] {
            assert!(Torrent::parse(&bytes[..cut]).is_err());
        }
    }
    // A trailing line break, as editors add, does not change the verdict.
    assert_eq!(Torrent::parse(&[bytes, b"\n"].concat()).is_ok(), torrent.is_ok());
});

// Random byte changes seldom produce valid bencode, so half of the mutations change values.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0
        && let Some(mut value) = naive::decode(&data[..size])
    {
        let mut nodes = 0;
        visit(&mut value, &mut |_| nodes += 1);
        let (chosen, other) = (seed as usize / 2 % nodes, seed as usize / 7 % nodes);
        let other = nth(&mut value, other).clone();
        change(nth(&mut value, chosen), other, seed / 64);
        let bytes = value.encode();
        if bytes.len() <= max_size {
            data[..bytes.len()].copy_from_slice(&bytes);
            return bytes.len();
        }
    }
    fuzzer_mutate(data, size, max_size)
});

/// Calls a function with each value, in pre-order.
fn visit(value: &mut Value, with: &mut dyn FnMut(&mut Value)) {
    with(value);
    match value {
        Value::List(items) => items.iter_mut().for_each(|item| visit(item, with)),
        Value::Dictionary(entries) => entries.values_mut().for_each(|entry| visit(entry, with)),
        Value::Integer(_) | Value::Bytes(_) => {}
    }
}

fn nth(value: &mut Value, mut index: usize) -> &mut Value {
    // Pre-order counts a parent before its children, so their sizes show which child to descend
    // into.
    let mut at = value;
    while index > 0 {
        index -= 1;
        let children: Vec<&mut Value> = match at {
            Value::List(items) => items.iter_mut().collect(),
            Value::Dictionary(entries) => entries.values_mut().collect(),
            Value::Integer(_) | Value::Bytes(_) => unreachable!("a leaf value has no children"),
        };
        let mut down = None;
        for child in children {
            let mut nodes = 0;
            visit(child, &mut |_| nodes += 1);
            if index < nodes {
                down = Some(child);
                break;
            }
            index -= nodes;
        }
        at = down.expect("the index is less than the number of values");
    }
    at
}

fn change(value: &mut Value, other: Value, choice: u32) {
    match value {
        Value::Integer(number) => {
            *number = match choice % 8 {
                0 => number.wrapping_add(1),
                1 => number.wrapping_sub(1),
                2 => number.wrapping_mul(2),
                3 => number.wrapping_neg(),
                4 => 0,
                5 => i64::MAX,
                6 => 1 << (choice / 8 % 63),
                _ => return *value = other,
            };
        }
        Value::Bytes(bytes) => match choice % 6 {
            0 => bytes.clear(),
            1 => bytes.extend_from_within(..),
            2 => *bytes = b"..".to_vec(),
            3 => bytes.push(b'/'),
            4 => drop(bytes.pop()),
            _ => *value = other,
        },
        Value::List(items) => match choice % 4 {
            0 => drop(items.pop()),
            1 => items.push(other),
            2 => items.reverse(),
            _ => *value = other,
        },
        Value::Dictionary(entries) => {
            let count = entries.len().max(1);
            let key = entries.keys().nth(choice as usize / 4 % count).cloned();
            match (choice % 4, key) {
                (0, Some(key)) => drop(entries.remove(&key)),
                (1, Some(key)) => drop(entries.insert(key, other)),
                (2, Some(key)) => drop(entries.insert([&key[..], b"!"].concat(), other)),
                (3, _) => drop(entries.insert(Vec::new(), other)),
                _ => {}
            }
        }
    }
}
