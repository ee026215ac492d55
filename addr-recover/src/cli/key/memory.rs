//! What a search leaves in memory: another process searches for a key, drops what it found, and
//! looks for the key in its heap. It gets a damaged key, and the whole one only masked.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs};

use addr_recover::{Outcome, Reading};
use clap::Parser;
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

use super::super::args::{Args, Command as Subcommand};
use super::super::ask::Asker;
use super::super::climb::Question;
use super::super::input::text_of;
use super::super::report::SECRET;
use super::super::terminal::{lock, on_threads};
use super::Keys;

/// The name of the test that is the other process.
const NAME: &str = "cli::key::memory::the_other_process";

/// The variables of the other process: the damaged key, the options, its address, and the masked
/// key.
const TEXT: &str = "KEY_TEXT";
const OPTIONS: &str = "KEY_OPTIONS";
const ADDRESS: &str = "KEY_ADDRESS";
const MASKED: &str = "KEY_MASKED";

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

#[test]
fn a_key_is_wiped_from_memory() {
    let secret: [u8; 32] = Sha256::digest("a key that is nowhere else").into();
    let hash = addr_recover::KeyHash::Compressed.of(&secret).unwrap();
    let address = bs58::encode([&[0][..], &hash].concat()).with_check().into_string();
    let wif = bs58::encode([&[0x80][..], &secret, &[1]].concat()).with_check().into_string();
    let hexadecimal = hex::encode(secret);
    let replaced = |key: &str, places: std::ops::Range<usize>| {
        let marks = "?".repeat(places.len());
        format!("{}{marks}{}", &key[..places.start], &key[places.end..])
    };
    let wrong = |key: &str, at: usize, other: &str| {
        let other = if key[at..].starts_with(&other[..1]) { &other[1..] } else { &other[..1] };
        format!("{}{other}{}", &key[..at], &key[at + 1..])
    };
    let part = hexadecimal[..40].to_owned();
    for (key, text, options) in [
        (&wif, replaced(&wif, 43..52), "--exact"),
        (&wif, replaced(&wif, 20..22), "--exact"),
        (&hexadecimal, replaced(&hexadecimal, 30..32), "--exact"),
        // What nobody described, and what address mode refuses.
        (&wif, wrong(&wif, 22, "ab"), "--typos=1"),
        (&wif, wif[..44].to_owned(), "--typos=0"),
        (&hexadecimal, wrong(&hexadecimal, 30, "ab"), "--typos=1"),
        (&wif, wif.clone(), ADDRESS_MODE),
        (&hexadecimal, hexadecimal.clone(), ADDRESS_MODE),
        (&part, part.clone(), ADDRESS_MODE),
    ] {
        // Also what the private keys near this one have. `free` overwrites the first bytes of an
        // allocation, so only what follows them is looked for, in either order of bytes.
        let ascending =
            hex::encode(secret[FREED..30].iter().map(|byte| byte ^ MASK).collect::<Vec<_>>());
        let (mut near, all) = (secret[..FREED].to_vec(), key.as_bytes()[FREED..].to_vec());
        near.reverse();
        let parts = [near, all].map(|part| part.iter().map(|byte| byte ^ MASK).collect::<Vec<_>>());
        let masked = [ascending, hex::encode(&parts[0]), hex::encode(&parts[1])].join(",");
        let output = Command::new(env::current_exe().unwrap())
            .args([NAME, "--exact", "--test-threads", "1"])
            .envs([(TEXT, &*text), (OPTIONS, options), (ADDRESS, &address), (MASKED, &masked)])
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && stdout.contains("1 passed"), "{text}: {stdout}");
    }
}

/// Does nothing unless [`a_key_is_wiped_from_memory`] has started it.
#[test]
fn the_other_process() {
    if env::var_os(TEXT).is_none() {
        return;
    }
    let variable = |name| env::var(name).unwrap();
    let parts: Vec<_> = variable(MASKED).split(',').map(|it| hex::decode(it).unwrap()).collect();
    if variable(OPTIONS) == ADDRESS_MODE {
        let text = Zeroizing::new(variable(TEXT));
        assert!(Reading::of(&text).is_err_and(|error| error.may_be_key()));
        let report = Asker::default().question(None, &text).0;
        assert_eq!(*report.input, SECRET);
        drop((text, report));
        assert_eq!(left(&parts), [0, 0, 0], "parts of the key in the heap");
        return;
    }
    let options = ["addr-recover", "key", &variable(OPTIONS), "--address", &variable(ADDRESS)];
    let Some(Subcommand::Key(args)) = Args::parse_from(options).command else { unreachable!() };
    assert_eq!(left(&parts), [0, 0, 0]);
    let found = on_threads(1, || {
        let text = in_utf16(&Zeroizing::new(variable(TEXT)));
        let (keys, described) = Keys::new(&args, &text).unwrap().described();
        let (space, _) = described.unwrap();
        keys.search(&space, Outcome::default(), &|_| (), &|_| ()).unwrap()
    });
    let found = found.unwrap();
    assert!(found.is_proof);
    assert_eq!(left(&parts), [0, 0, 1], "the key that was found");
    drop(found);
    assert_eq!(left(&parts), [0, 0, 0], "parts of the key in the heap");
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
