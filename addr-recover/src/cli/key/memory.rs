//! What a search leaves in memory: another process searches for a key, drops what it found, and
//! looks for the key in its heap. It gets a damaged key, and the whole one only masked.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs};

use addr_recover::{KeyQuestion, Outcome};
use clap::Parser;
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

use super::super::args::{Args, Command as Subcommand};
use super::super::ask::Asker;
use super::super::climb::Question;
use super::super::input::text_of;
use super::super::report::SECRET;
use super::super::terminal::{lock, on_threads};
use super::{Keys, options};

/// The name of the test that is the other process.
const NAME: &str = "cli::key::memory::the_other_process";

/// The variables of the other process: the damaged key, the options, its address, and the masked
/// key.
const TEXT: &str = "KEY_TEXT";
const OPTIONS: &str = "KEY_OPTIONS";
const ADDRESS: &str = "KEY_ADDRESS";
const MASKED: &str = "KEY_MASKED";

/// How many keys are found.
const FOUND: &str = "KEY_FOUND";

/// Instead of options, if no key is asked for.
const ADDRESS_MODE: &str = "";

/// No byte of the masked key is as it is in the key.
const MASK: u8 = 0xa5;

/// Arenas of threads other than the first one begin at multiples of this (glibc's `HEAP_MAX_SIZE`).
const ARENA: u64 = 64 << 20;

/// The number of bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Where they are read to. In the heap, it would be among what is searched, and copies in it too.
static BUFFER: Mutex<[u8; CHUNK]> = Mutex::new([0; CHUNK]);

/// How many of them are read again with the next ones: more than a part has.
const OVERLAP: usize = 128;

/// How many bytes of an allocation glibc's `free` overwrites with two pointers.
const FREED: usize = 16;

/// A key, the bytes that its text spells, and the address that tells it.
struct Secret {
    bytes: Vec<u8>,
    text: String,
    address: String,
}

fn with_check(bytes: &[u8]) -> String {
    bs58::encode(bytes).with_check().into_string()
}

/// Keys of all kinds, of private keys that are nowhere else.
fn secrets() -> [Secret; 6] {
    let secret: [u8; 32] = Sha256::digest("a key that is nowhere else").into();
    let address_of = |secret: &[u8; 32]| {
        let hash = addr_recover::KeyHash::Compressed.of(secret).unwrap();
        with_check(&[&[0][..], &hash].concat())
    };
    let address = address_of(&secret);
    let of = |text: String| Secret { bytes: secret.to_vec(), text, address: address.clone() };
    let wif = with_check(&[&[0x80][..], &secret, &[1]].concat());
    let decimal = ethnum::U256::from_be_bytes(secret).to_string();
    let hash = Sha256::digest(Sha256::digest(&address));
    let encrypted = [&[0x01, 0x42, 0xe0][..], &hash[..4], &secret].concat();
    let mini = (0_u32..)
        .map(|at| {
            let digits = bs58::encode(Sha256::digest(at.to_be_bytes())).into_string();
            format!("S{}", &digits[..29])
        })
        .find(|text| Sha256::digest(format!("{text}?"))[0] == 0)
        .unwrap();
    let of_mini: [u8; 32] = Sha256::digest(&mini).into();
    let of_mini = Secret { address: address_of(&of_mini), bytes: of_mini.to_vec(), text: mini };
    let seed = [&[0x21][..], &secret[..16]].concat();
    let seed = bs58::encode(seed).with_alphabet(bs58::Alphabet::RIPPLE).with_check().into_string();
    [of(wif), of(hex::encode(secret)), of_mini, of(with_check(&encrypted)), of(decimal), of(seed)]
}

#[test]
fn a_key_is_wiped_from_memory() {
    let [wif, hexadecimal, mini, encrypted, decimal, seed] = &secrets();
    let replaced = |Secret { text, .. }: &Secret, places: std::ops::Range<usize>| {
        let marks = "?".repeat(places.len());
        format!("{}{marks}{}", &text[..places.start], &text[places.end..])
    };
    let wrong = |Secret { text, .. }: &Secret, at: usize| {
        let other = if text[at..].starts_with('a') { "b" } else { "a" };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    };
    let part = Secret {
        bytes: hexadecimal.bytes.clone(),
        text: hexadecimal.text[..40].to_owned(),
        address: hexadecimal.address.clone(),
    };
    for (secret, text, options, is_found) in [
        (wif, replaced(wif, 43..52), "--exact", true),
        (wif, replaced(wif, 20..22), "--exact", true),
        (hexadecimal, replaced(hexadecimal, 30..32), "--exact", true),
        (mini, replaced(mini, 9..10), "--exact", true),
        (encrypted, replaced(encrypted, 30..32), "--exact", true),
        // What nobody described, what is no key here, and what address mode refuses.
        (wif, wrong(wif, 22), "--typos=1", true),
        (wif, wif.text[..44].to_owned(), "--typos=0", true),
        (hexadecimal, wrong(hexadecimal, 30), "--typos=1", true),
        (mini, wrong(mini, 9), "--typos=1", true),
        (encrypted, wrong(encrypted, 30), "--typos=1", true),
        (decimal, decimal.text.clone(), "--typos=1", false),
        (seed, seed.text.clone(), "--typos=1", false),
        (wif, wif.text.clone(), ADDRESS_MODE, false),
        (hexadecimal, hexadecimal.text.clone(), ADDRESS_MODE, false),
        (&part, part.text.clone(), ADDRESS_MODE, false),
        (mini, mini.text.clone(), ADDRESS_MODE, false),
        (encrypted, encrypted.text.clone(), ADDRESS_MODE, false),
        (decimal, decimal.text.clone(), ADDRESS_MODE, false),
        (seed, seed.text.clone(), ADDRESS_MODE, false),
    ] {
        // Also what the private keys near this one have. `free` overwrites the first bytes of an
        // allocation, so only what follows them is looked for, in either order of bytes.
        let Secret { bytes, text: key, address } = secret;
        let ascending = bytes[FREED..30].to_vec();
        let near: Vec<u8> = bytes[..FREED].iter().rev().copied().collect();
        let given: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let parts = [ascending, near, key.as_bytes()[FREED..].to_vec(), given[FREED..].to_vec()];
        let masked = parts.map(|part| hex::encode(masked(&part)));
        let found = if is_found { "1" } else { "0" };
        let variables = [
            (TEXT, &*text),
            (OPTIONS, options),
            (ADDRESS, address),
            (MASKED, &masked.join(",")),
            (FOUND, found),
        ];
        let output = Command::new(env::current_exe().unwrap())
            .args([NAME, "--exact", "--test-threads", "1"])
            .envs(variables)
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && stdout.contains("1 passed"), "{text}: {stdout}");
    }
}

fn masked(part: &[u8]) -> Vec<u8> {
    part.iter().map(|byte| byte ^ MASK).collect()
}

/// Does nothing unless [`a_key_is_wiped_from_memory`] has started it.
#[test]
fn the_other_process() {
    if env::var_os(FOUND).is_none() {
        return;
    }
    let variable = |name| env::var(name).unwrap();
    let parts: Vec<_> = variable(MASKED).split(',').map(|it| hex::decode(it).unwrap()).collect();
    assert_eq!(left(&parts), [0; 4]);
    // A copy of each part is seen.
    let copies: Vec<_> = parts.iter().map(|part| Zeroizing::new(masked(part))).collect();
    assert_eq!(left(&parts), [1; 4], "copies that were planted");
    drop(copies);
    let text = in_utf16(&Zeroizing::new(variable(TEXT)));
    if variable(OPTIONS) == ADDRESS_MODE {
        let report = Asker::default().question(None, &text).0;
        assert_eq!(*report.input, SECRET);
        drop((text, report));
        assert_eq!(left(&parts), [0; 4], "parts of the key in the heap");
        return;
    }
    let given = ["addr-recover", "key", &variable(OPTIONS), "--address", &variable(ADDRESS)];
    let Some(Subcommand::Key(args)) = Args::parse_from(given).command else { unreachable!() };
    let found = on_threads(1, || {
        let question = KeyQuestion::new(&text, &options(&args)).ok()?;
        drop(text);
        let keys = Keys { args: &args, question };
        let (space, _) = keys.question.described().ok()?;
        keys.search(space, Outcome::default(), &|_| (), &|_| ()).ok()
    });
    let found = found.unwrap();
    let hits = found.as_ref().map_or(0, |found| found.hits.len());
    assert_eq!(hits.to_string(), variable(FOUND));
    assert_eq!(left(&parts), [0, 0, hits, 0], "the key that was found");
    drop(found);
    assert_eq!(left(&parts), [0; 4], "parts of the key in the heap");
}

/// A text that was read as UTF-16, which takes a copy.
fn in_utf16(text: &str) -> Zeroizing<String> {
    let mut bytes = Vec::with_capacity(2 * text.len());
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    text_of(bytes)
}

/// How often each part is in the heap. Stacks are not searched.
fn left(parts: &[Vec<u8>]) -> Vec<usize> {
    let memory = File::open("/proc/self/mem").unwrap();
    let mut chunk = lock(&BUFFER);
    let mut counts = vec![0; parts.len()];
    for line in fs::read_to_string("/proc/self/maps").unwrap().lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (begin, end) = fields[0].split_once('-').unwrap();
        let [begin, end] = [begin, end].map(|it| u64::from_str_radix(it, 16).unwrap());
        let is_arena = fields.len() == 5 && begin % ARENA == 0;
        if !fields[1].starts_with("rw") || !(is_arena || fields.last() == Some(&"[heap]")) {
            continue;
        }
        for at in (begin..end).step_by(CHUNK - OVERLAP) {
            let len = memory.read_at(&mut chunk[..], at).unwrap_or(0).min((end - at) as usize);
            for (count, part) in counts.iter_mut().zip(parts) {
                let is_part = |bytes: &&[u8]| {
                    bytes.iter().zip(part).all(|(&byte, &masked)| byte ^ MASK == masked)
                };
                // A match in the overlap is counted with the next chunk.
                let len = len.min(CHUNK - OVERLAP + part.len() - 1);
                *count += chunk[..len].windows(part.len()).filter(is_part).count();
            }
            chunk.zeroize();
        }
    }
    counts
}
