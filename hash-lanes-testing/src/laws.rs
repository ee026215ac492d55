//! The laws that every door of every hash keeps. A *door* is a function that takes messages.
//!
//! A hash crate lists its doors and calls [`law_tests!`](crate::law_tests). The list is checked
//! against the crate's `api.txt`: a public function that takes an iterator and is not in the list
//! fails a test.

use std::cell::Cell;
use std::hint::black_box;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use hash_lanes::{Backend, WrongMacs};

use crate::freed::{allocated_by, secrets_freed_by};
use crate::{backends, painted};

/// What a door does with a backend, messages, and the number that it is told to expect.
pub type Hash = Box<dyn Fn(Backend, &mut dyn Iterator<Item = Message>, usize) -> Vec<Vec<u8>>>;

/// The output for one message.
pub type Reference = Box<dyn Fn(&[u8]) -> Vec<u8>>;

/// A function that takes messages.
pub struct Door {
    /// As in `api.txt`, without the name of the crate.
    pub name: String,
    /// Whether it takes a list that the caller already has, not an iterator.
    pub takes_list: bool,
    /// Whether it is told how many messages there are, and refuses other numbers.
    pub is_counted: bool,
    /// The bytes of a block.
    pub block: usize,
    /// The function.
    pub hash: Hash,
    /// The output for one message, by another implementation.
    pub reference: Reference,
    /// What must not stay in freed memory, beside messages and outputs.
    pub secrets: Vec<Vec<u8>>,
}

impl Door {
    /// A door that takes an iterator and returns an output for each message.
    pub fn new(
        name: impl Into<String>,
        block: usize,
        reference: impl Fn(&[u8]) -> Vec<u8> + 'static,
        hash: impl Fn(Backend, &mut dyn Iterator<Item = Message>, usize) -> Vec<Vec<u8>> + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            takes_list: false,
            is_counted: false,
            block,
            hash: Box::new(hash),
            reference: Box::new(reference),
            secrets: Vec::new(),
        }
    }

    /// It is told how many messages there are.
    #[must_use]
    pub fn counted(mut self) -> Self {
        self.is_counted = true;
        self
    }

    /// It takes a list.
    #[must_use]
    pub fn of_list(mut self) -> Self {
        self.takes_list = true;
        self
    }

    /// With a key, which is secret, too.
    #[must_use]
    pub fn with_key(mut self, key: &[u8]) -> Self {
        let pads = [0, 0x36, 0x5c].map(|pad| key.iter().map(|byte| byte ^ pad).collect());
        self.secrets.extend(pads);
        self
    }

    fn call(&self, backend: Backend, source: &mut Source) -> Vec<Vec<u8>> {
        let expected = source.messages.len();
        (self.hash)(backend, source, expected)
    }

    /// The outputs for messages, or `None` if the door panics.
    fn try_call(&self, backend: Backend, source: &mut Source) -> Option<Vec<Vec<u8>>> {
        catch_unwind(AssertUnwindSafe(|| self.call(backend, source))).ok()
    }

    fn expected(&self, messages: &[Message]) -> Vec<Vec<u8>> {
        messages.iter().map(|message| (self.reference)(&message.bytes)).collect()
    }
}

/// Copies outputs, and erases them: they are the caller's.
pub fn outputs<D: AsMut<[u8]>>(mut outputs: Vec<D>) -> Vec<Vec<u8>> {
    let copies = outputs.iter_mut().map(|output| output.as_mut().to_vec()).collect();
    outputs.iter_mut().for_each(|output| output.as_mut().fill(0));
    black_box(&mut outputs);
    copies
}

thread_local! {
    /// The number of times that bytes of messages were asked for.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// A message, or a part of one, that counts how often its bytes are asked for.
#[derive(Clone, Debug)]
pub struct Message {
    bytes: Arc<[u8]>,
    range: Range<usize>,
    /// If its bytes change: how often they were asked for.
    changes: Option<Cell<usize>>,
}

impl Message {
    fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into(), range: 0..bytes.len(), changes: None }
    }

    /// The message in two parts.
    #[must_use]
    pub fn in_two(self) -> (Self, Self) {
        let at = self.range.len() * 3 / 7;
        (self.part(0..at), self.part(at..self.range.end))
    }

    /// The message in four parts.
    #[must_use]
    pub fn in_four(self) -> (Self, Self, Self, Self) {
        let (begin, end) = (self.range.len() / 5, self.range.len() * 4 / 5);
        let parts = [0..begin, begin..begin, begin..end, end..self.range.end];
        let [a, b, c, d] = parts.map(|range| self.part(range));
        (a, b, c, d)
    }

    fn part(&self, range: Range<usize>) -> Self {
        Self { range, ..self.clone() }
    }
}

impl AsRef<[u8]> for Message {
    fn as_ref(&self) -> &[u8] {
        ASKED.set(ASKED.get() + 1);
        let bytes = &self.bytes[self.range.clone()];
        let Some(asked) = &self.changes else { return bytes };
        asked.set(asked.get() + 1);
        &bytes[..[bytes.len(), bytes.len() / 3, 0, bytes.len() / 2][asked.get() % 4]]
    }
}

/// Yields messages, then `None` once, then more.
struct Source {
    messages: Vec<Message>,
    at: usize,
    hint: (usize, Option<usize>),
    is_endless: bool,
    /// The number of calls, and of those after `None`.
    calls: usize,
    late_calls: usize,
}

impl Source {
    fn new(messages: &[Message]) -> Self {
        let hint = (0, None);
        let messages = messages.to_vec();
        Self { messages, at: 0, hint, is_endless: false, calls: 0, late_calls: 0 }
    }

    fn with_hint(mut self, len: usize) -> Self {
        self.hint = (len, Some(len));
        self
    }
}

impl Iterator for Source {
    type Item = Message;

    fn next(&mut self) -> Option<Message> {
        self.calls += 1;
        assert!(self.calls < 1 << 20, "an endless iterator is read for ever");
        let count = self.messages.len();
        self.at += 1;
        if self.at <= count {
            return Some(self.messages[self.at - 1].clone());
        }
        if !self.is_endless && self.at == count + 1 {
            return None;
        }
        self.late_calls += usize::from(!self.is_endless);
        Some(Message::new(b"more"))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.hint
    }
}

fn messages(count: usize, length: impl Fn(usize) -> usize) -> Vec<Message> {
    (0..count).map(|i| Message::new(&painted(3 * i, length(i)))).collect()
}

/// Lengths around blocks, and where the padding needs another one.
fn lengths(block: usize) -> Vec<usize> {
    let around = (1..=3).flat_map(|blocks| {
        [17, 16, 9, 8, 1].map(|less| blocks * block - less).into_iter().chain([blocks * block])
    });
    [0, 1, 31, 32, 33]
        .into_iter()
        .chain(around)
        .chain([3 * block + 1, 9 * block, 10 * block, 30 * block, 1000])
        .collect()
}

/// All lengths around blocks, alone, equal and mixed, are hashed as one at a time, on each backend.
pub fn equal_to_one_at_a_time(doors: &[Door]) {
    for door in doors {
        let lengths = lengths(door.block);
        let mut batches: Vec<_> = [1, 2, 9, 40]
            .iter()
            .flat_map(|&n| lengths.iter().map(move |&l| messages(n, |_| l)))
            .collect();
        batches.push(messages(2 * door.block + 2, |i| i));
        batches.push(messages(150, |i| i * i * 7919 % 700));
        batches.push(messages(70, |i| lengths[i * 5 % lengths.len()]));
        for batch in &batches {
            let expected = door.expected(batch);
            for backend in backends() {
                let outputs = door.call(backend, &mut Source::new(batch));
                let lengths: Vec<_> = batch.iter().map(|it| it.range.len()).collect();
                assert!(outputs == expected, "{}, {backend}: {lengths:?}", door.name);
            }
        }
    }
}

/// An iterator is not asked again after `None`, and one message too many is enough.
pub fn ends_with_its_messages(doors: &[Door]) {
    for door in doors.iter().filter(|door| !door.takes_list) {
        for length in [|_| 32, |_| 100, |i| 64 * (i % 7)] {
            for count in [0, 1, 2, 63, 64, 65, 200] {
                let messages = messages(count, length);
                let mut source = Source::new(&messages);
                let outputs = door.call(Backend::detect(), &mut source);
                assert!(outputs == door.expected(&messages), "{}: {count}", door.name);
                assert_eq!(source.late_calls, 0, "{}: {count}", door.name);
                // A counted door panics, which ends the program where a panic aborts.
                if !door.is_counted || cfg!(panic = "abort") {
                    continue;
                }
                for hint in [(0, None), (count, None), (1, Some(1)), (usize::MAX, None)] {
                    let mut source = Source { is_endless: true, hint, ..Source::new(&messages) };
                    let outputs = door.try_call(Backend::detect(), &mut source);
                    assert!(outputs.is_none(), "{}: {count} of an endless iterator", door.name);
                    assert!(source.calls <= count + 1, "{}: {} calls", door.name, source.calls);
                }
            }
        }
    }
}

/// A wrong hint neither changes an output nor decides how much is allocated.
pub fn hints_do_not_matter(doors: &[Door]) {
    for door in doors.iter().filter(|door| !door.takes_list) {
        for count in [0, 1, 2, 69, 130] {
            let messages = messages(count, |i| 64 * (i % 5));
            let expected = door.expected(&messages);
            for hint in [0, 1, 2, 70, 1 << 24, isize::MAX as usize, usize::MAX] {
                // A counted door may panic. Where that aborts, as in WebAssembly, it is left out.
                if cfg!(panic = "abort") && door.is_counted && hint != count {
                    continue;
                }
                let mut source = Source::new(&messages).with_hint(hint);
                let (allocated, outputs) =
                    allocated_by(|| door.try_call(Backend::detect(), &mut source));
                let (name, largest) = (&door.name, allocated.largest);
                // To show where it was, a panic reads the symbols of the program.
                let reads_symbols = outputs.is_none() && shows_backtraces();
                let is_small = reads_symbols || largest <= 16 << 20;
                assert!(is_small, "{name}: a block of {largest} bytes for {hint}");
                match outputs {
                    Some(outputs) => assert!(outputs == expected, "{name}: {count}, not {hint}"),
                    None => assert!(door.is_counted && hint != count, "{name}: {hint}"),
                }
            }
        }
    }
}

/// Whether panics show where they were.
fn shows_backtraces() -> bool {
    std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0")
}

/// Twice as many messages, or bytes, cost twice as much.
pub fn linear(doors: &[Door]) {
    for door in doors {
        let cost = |count: usize, length: usize| {
            // The plans are made first.
            let messages = messages(count, |i| length + i % 3);
            let run = || door.call(Backend::detect(), &mut Source::new(&messages));
            run();
            ASKED.set(0);
            let (allocated, _) = allocated_by(run);
            (ASKED.get(), allocated.bytes)
        };
        // So long that messages in parts are copied to the heap, and not so long that they are not.
        let (asked, bytes) = cost(500, 600);
        for (twice, twice_bytes) in [cost(1000, 600), cost(500, 1200)] {
            let name = &door.name;
            assert!(twice <= 2 * asked + 64, "{name}: asked {asked}, then {twice} times");
            assert!(twice_bytes <= 2 * bytes + (64 << 10), "{name}: {bytes}, {twice_bytes} bytes");
        }
        assert!(asked <= 500 * 16, "{}: asked {asked} times", door.name);
    }
}

/// Messages whose bytes change give some output, without a panic.
pub fn changing_messages(doors: &[Door]) {
    for door in doors {
        for (seed, length) in [32, 64, 100, 200, 500, 3000].into_iter().enumerate() {
            for count in [1, 9, 70] {
                let mut messages = messages(count, |i| length + i % 5 * 40);
                for (i, message) in messages.iter_mut().enumerate() {
                    message.changes = Some(Cell::new(i + seed));
                }
                let outputs = door.try_call(Backend::detect(), &mut Source::new(&messages));
                let count = outputs.map(|outputs| outputs.len());
                assert_eq!(count, Some(messages.len()), "{}: {length}", door.name);
            }
        }
    }
}

/// Nothing of messages, keys and outputs stays in freed memory.
pub fn nothing_stays_in_freed_memory(doors: &[Door]) {
    let shapes: [fn(usize) -> usize; 6] =
        [|_| 32, |_| 64, |_| 150, |_| 700, |i| 40 + i * 37 % 900, |i| 8200 + i];
    for door in doors {
        for length in shapes {
            for count in [1, 5, 70] {
                let messages = messages(count, length);
                let mut secrets = door.secrets.clone();
                for message in &messages {
                    let bytes = &message.bytes;
                    let rest = bytes.len() / door.block * door.block;
                    for at in [0, 16, rest.min(bytes.len() - 16), bytes.len() - 16] {
                        secrets.push(bytes[at..].to_vec());
                    }
                    let output = (door.reference)(bytes);
                    secrets.extend((output.len() >= 16).then_some(output));
                }
                for backend in [Backend::detect(), "portable".parse().unwrap()] {
                    let mut source = Source::new(&messages);
                    door.call(backend, &mut Source::new(&messages));
                    let (found, _) = secrets_freed_by(&secrets, || door.call(backend, &mut source));
                    let name = &door.name;
                    assert_eq!(found, 0, "{name}: {count} messages of {} bytes", length(0));
                }
            }
        }
    }
}

/// Each public function that takes an iterator of messages, of these lists of public items, has a
/// door.
pub fn every_door_is_here(doors: &[Door], lists: &[&str]) {
    let mut missing = Vec::new();
    for line in lists.iter().flat_map(|list| list.lines()) {
        let Some((name, _)) = line.strip_prefix("pub fn ").and_then(|line| line.split_once('('))
        else {
            continue;
        };
        let Some((owner, name)) = name.split_once("::") else { continue };
        let name = name.replace("<F>", "").replace("<N>", "");
        let name = name.split('<').next().unwrap_or(&name);
        // Traits hand on to the values of the hash crates, which have doors.
        let hands_on = ["engine", "hazmat", "HashMany", "DigestMany", "XofMany"];
        let is_public = (owner == "hash_lanes" || owner.ends_with("_multi"))
            && !hands_on.iter().any(|it| name.split("::").next() == Some(it));
        let takes_messages = line.contains("IntoIterator") || name.contains("ManyHasher::update");
        if is_public && takes_messages && !doors.iter().any(|door| door.name == name) {
            missing.push(name.to_owned());
        }
    }
    assert!(missing.is_empty(), "no law says what these doors do: {missing:#?}");
    println!("{} doors", doors.len());
}

/// The key of the doors that have one. It fits into a block.
pub const KEY: &[u8] = b"the key of all doors of keyed hashes";

/// The doors that every hash has: the functions of the module `$path`, whose names begin with
/// `$name`, and what its value `$Lanes` offers.
#[macro_export]
macro_rules! function_doors {
    (
        $name:expr, [$($path:tt)+], $Lanes:ty, $N:literal, $block:literal, $reference:expr
    ) => {{
        let after = move |message: &[u8]| $reference(&[&[7; 200], message].concat());
        $crate::hash_doors!($name, _on, [$($path)+], $N, $block, $reference)
            .into_iter()
            .chain([
                $crate::try_door!($name, _on, [$($path)+], $block, $reference),
                $crate::try_door!("Lanes::", on, [<$Lanes>::on(on).], $block, $reference),
            ])
            .chain($crate::concat_doors!(
                $name, _on, [$($path)+], hash_concat_many, hash_concat_many_into, $N, $block,
                $reference
            ))
            .chain($crate::hash_doors!("Lanes::", on, [<$Lanes>::on(on).], $N, $block, $reference))
            .chain($crate::concat_doors!(
                "Lanes::", on, [<$Lanes>::on(on).], hash_concat_many, hash_concat_many_into, $N,
                $block, $reference
            ))
            .chain($crate::concat_doors!(
                "Prefix::", on, [<$Lanes>::on(on).prefix(&[7; 200]).], hash_many, hash_many_into,
                $N, $block, after
            ))
            .chain($crate::hasher_doors!(
                "ManyHasher", on, count, <$Lanes>::on(on).many_hasher(count), $block, $reference,
                |digests| digests
            ))
    }};
}

/// The doors `hash_many` and `hash_many_into`, whose names begin with `$name`. Before the name of
/// the function stands `$path`, in which `$on` is the backend.
#[macro_export]
macro_rules! hash_doors {
    ($name:expr, $on:ident, [$($path:tt)+], $N:literal, $block:literal, $reference:expr) => {
        [
            $crate::laws::Door::new(
                format!("{}hash_many", $name), $block, $reference,
                |$on, messages, _| $crate::laws::outputs($($path)+ hash_many(messages)),
            ),
            $crate::laws::Door::new(
                format!("{}hash_many_into", $name), $block, $reference,
                |$on, messages, count| {
                    let mut digests = vec![[0; $N]; count];
                    $($path)+ hash_many_into(messages, &mut digests);
                    $crate::laws::outputs(digests)
                },
            )
            .counted(),
        ]
    };
}

/// The door `try_hash_many`; see [`hash_doors!`](crate::hash_doors).
#[macro_export]
macro_rules! try_door {
    ($name:expr, $on:ident, [$($path:tt)+], $block:literal, $reference:expr) => {
        $crate::laws::Door::new(
            format!("{}try_hash_many", $name), $block, $reference,
            |$on, messages, _| {
                let messages = messages.map(Ok::<_, ()>);
                $crate::laws::outputs($($path)+ try_hash_many(messages).unwrap())
            },
        )
    };
}

/// The doors of messages in parts, `$many` and `$into`; see [`hash_doors!`](crate::hash_doors).
#[macro_export]
macro_rules! concat_doors {
    (
        $name:expr, $on:ident, [$($path:tt)+], $many:ident, $into:ident, $N:literal, $block:literal,
        $reference:expr
    ) => {
        [
            $crate::laws::Door::new(
                format!("{}{}", $name, stringify!($many)), $block, $reference,
                |$on, messages, _| {
                    let messages = messages.map($crate::laws::Message::in_two);
                    let digests: Vec<[u8; $N]> = $($path)+ $many(messages);
                    $crate::laws::outputs(digests)
                },
            ),
            $crate::laws::Door::new(
                format!("{}{}", $name, stringify!($into)), $block, $reference,
                |$on, messages, count| {
                    let messages = messages.map($crate::laws::Message::in_four);
                    let mut digests = vec![[0; $N]; count];
                    $($path)+ $into(messages, &mut digests);
                    $crate::laws::outputs(digests)
                },
            )
            .counted(),
        ]
    };
}

/// The doors of a hasher of messages in parts, `$new`: all first parts, then the others, one by one
/// or together.
#[macro_export]
macro_rules! hasher_doors {
    (
        $name:literal, $on:ident, $count:ident, $new:expr, $block:literal, $reference:expr,
        $read:expr
    ) => {
        [false, true].map(|together| {
            let name = if together { "::update_all" } else { "::update" };
            let hash = move |$on, messages: &mut dyn Iterator<Item = $crate::laws::Message>, _| {
                let (first, second): (Vec<_>, Vec<_>) =
                    messages.map($crate::laws::Message::in_two).unzip();
                let $count = first.len();
                let mut hasher = $new;
                for parts in [first, second] {
                    if together {
                        hasher.update_all(&parts);
                        continue;
                    }
                    for (i, part) in parts.iter().enumerate() {
                        hasher.update(i, part.as_ref());
                    }
                }
                $crate::laws::outputs($read(hasher.finalize()))
            };
            $crate::laws::Door::new(format!("{}{name}", $name), $block, $reference, hash).of_list()
        })
    };
}

/// The doors of HMAC; see [`hash_doors!`](crate::hash_doors). `$mac` is that of a message with
/// [`KEY`](crate::laws::KEY).
#[macro_export]
macro_rules! hmac_doors {
    ($name:expr, $on:ident, [$($path:tt)+], $N:literal, $block:literal, $mac:expr) => {
        [
            $crate::laws::Door::new(
                format!("{}hmac_many", $name), $block, $mac,
                |$on, messages, count| {
                    let keys = std::iter::repeat_n($crate::laws::KEY, count);
                    $crate::laws::outputs($($path)+ hmac_many(keys, messages))
                },
            ),
            $crate::laws::Door::new(
                format!("{}hmac_many_into", $name), $block, $mac,
                |$on, messages, count| {
                    let keys = std::iter::repeat_n($crate::laws::KEY, count);
                    let mut macs = vec![[0; $N]; count];
                    $($path)+ hmac_many_into(keys, messages, &mut macs);
                    $crate::laws::outputs(macs)
                },
            ),
            $crate::laws::Door::new(
                format!("{}verify_hmac_many", $name), $block, $crate::laws::is_wrong,
                |$on, messages, count| {
                    let keys = std::iter::repeat_n($crate::laws::KEY, count);
                    let macs = std::iter::repeat_n([0; $N], count);
                    $crate::laws::wrong($($path)+ verify_hmac_many(keys, messages, macs))
                },
            ),
        ]
        .map(|door| door.counted().with_key($crate::laws::KEY))
    };
}

/// The doors of a hash with HMAC: the functions of the module `$path`, whose names begin with
/// `$name`, and what its value `$Lanes` offers.
#[macro_export]
macro_rules! keyed_doors {
    ($name:expr, [$($path:tt)+], $Lanes:ty, $N:literal, $block:literal, $mac:expr) => {
        $crate::hmac_doors!($name, _on, [$($path)+], $N, $block, $mac)
            .into_iter()
            .chain($crate::hmac_doors!("Lanes::", on, [<$Lanes>::on(on).], $N, $block, $mac))
            .chain([
                $crate::laws::Door::new(
                    "HmacKey::hmac_many", $block, $mac,
                    |on, messages, _| {
                        let key = <$Lanes>::on(on).hmac_key($crate::laws::KEY);
                        $crate::laws::outputs(key.hmac_many(messages))
                    },
                )
                .with_key($crate::laws::KEY),
                $crate::laws::Door::new(
                    "HmacKey::hmac_many_into", $block, $mac,
                    |on, messages, count| {
                        let mut macs = vec![[0; $N]; count];
                        let key = <$Lanes>::on(on).hmac_key($crate::laws::KEY);
                        key.hmac_many_into(messages, &mut macs);
                        $crate::laws::outputs(macs)
                    },
                )
                .counted()
                .with_key($crate::laws::KEY),
                $crate::laws::Door::new(
                    "HmacKey::verify_many", $block, $crate::laws::is_wrong,
                    |on, messages, count| {
                        let macs = std::iter::repeat_n([0; $N], count);
                        let key = <$Lanes>::on(on).hmac_key($crate::laws::KEY);
                        $crate::laws::wrong(key.verify_many(messages, macs))
                    },
                )
                .counted()
                .with_key($crate::laws::KEY),
            ])
    };
}

/// What a door says of a message whose MAC is wrong.
pub fn is_wrong(_: &[u8]) -> Vec<u8> {
    vec![1]
}

/// An output for each wrong MAC.
pub fn wrong(result: Result<(), WrongMacs>) -> Vec<Vec<u8>> {
    result.map_or_else(|wrong| vec![vec![1]; wrong.messages().len()], |()| Vec::new())
}

/// The doors of PBKDF2; see [`hash_doors!`](crate::hash_doors). Messages are passwords. `$derive`
/// gives the 40 bytes after two rounds with the salt `b"salt"`.
#[macro_export]
macro_rules! pbkdf2_doors {
    ($name:expr, $on:ident, [$($path:tt)+], $block:literal, $derive:expr) => {
        [
            $crate::laws::Door::new(
                format!("{}pbkdf2_many", $name), $block, $derive,
                |$on, messages, count| {
                    let salts = std::iter::repeat_n("salt", count);
                    let keys: Vec<[u8; 40]> = $($path)+ pbkdf2_many(messages, salts, 2);
                    $crate::laws::outputs(keys)
                },
            ),
            $crate::laws::Door::new(
                format!("{}pbkdf2_many_into", $name), $block, $derive,
                |$on, messages, count| {
                    let salts = std::iter::repeat_n("salt", count);
                    let mut keys = vec![[0; 40]; count];
                    $($path)+ pbkdf2_many_into(messages, salts, 2, &mut keys);
                    $crate::laws::outputs(keys)
                },
            ),
        ]
        .map($crate::laws::Door::counted)
    };
}

/// Generates a `#[test]` function for each law. `$doors` is a function that returns the doors, and
/// `$list` the lists of public items, if all of them are compiled. It also watches what is freed.
#[macro_export]
macro_rules! law_tests {
    ($doors:path $(, $list:literal)*) => {
        mod laws {
            $crate::watch_freed_memory!();

            $crate::law_tests!(@ $doors; changing_messages, ends_with_its_messages,
                equal_to_one_at_a_time, hints_do_not_matter, linear,
                nothing_stays_in_freed_memory);

            #[test]
            fn every_door_is_here() {
                $crate::laws::every_door_is_here(&$doors(), &[$(include_str!($list)),*]);
            }
        }
    };
    (@ $doors:path; $($law:ident),+) => {$(
        #[test]
        fn $law() {
            $crate::laws::$law(&$doors());
        }
    )+};
}
