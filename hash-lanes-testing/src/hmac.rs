//! Tests HMAC and PBKDF2 of many messages against one message at a time.

use std::iter::repeat_n;

use hash_lanes::Backend;

use crate::{backends, painted};

/// A hash with HMAC and PBKDF2, and another implementation of both. `N` is the digest's length.
pub trait Keyed<const N: usize> {
    /// The name of the hash in the names of Wycheproof's files.
    const NAME: &'static str;

    /// HMAC by another implementation.
    fn hmac(key: &[u8], message: &[u8]) -> [u8; N];

    /// PBKDF2 by another implementation.
    fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32, output: &mut [u8]);

    /// The crate's `hmac_many_with`.
    fn hmac_many(backend: Backend, keys: &[&[u8]], messages: &[&[u8]], macs: &mut [[u8; N]]);

    /// The crate's `pbkdf2_many_with`.
    fn pbkdf2_many(
        backend: Backend,
        passwords: &[&[u8]],
        salts: &[&[u8]],
        rounds: u32,
        outputs: &mut [Vec<u8>],
    );
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

/// Keys and messages of lengths around the block size, so many that they span several chunks.
pub fn macs_of_mixed_lengths<K: Keyed<N>, const N: usize>() {
    const LENGTHS: [usize; 11] = [0, 1, 20, 55, 56, 63, 64, 65, 128, 129, 1000];
    let keys: Vec<_> = (0..600).map(|i| painted(i, LENGTHS[i % 11])).collect();
    let messages: Vec<_> = (0..600).map(|i| painted(3 * i, LENGTHS[i % 7 + i % 5])).collect();
    let (keys, messages) = (slices(&keys), slices(&messages));
    let expected = hmacs::<K, N>(&keys, &messages);
    for backend in backends() {
        for count in (0..=33).chain([255, 256, 257, 600]) {
            let mut macs = vec![[0xee; N]; count];
            K::hmac_many(backend, &keys[..count], &messages[..count], &mut macs);
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
        let mut macs = [[0xee; N]; 8];
        K::hmac_many(Backend::detect(), &keys, &messages, &mut macs);
        assert_eq!(macs, *hmacs::<K, N>(&keys, &messages));
    }
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
                K::pbkdf2_many(backend, passwords, salts, rounds, &mut outputs);
                assert_eq!(outputs, expected[..count], "{backend}, {count}, {rounds} rounds");
            }
        }
    }
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
        K::pbkdf2_many(backend, &slices(&passwords), &salts, 4, &mut outputs);
        assert!(outputs == expected, "{backend}");
    }
}

/// No keys, no passwords, no output: no number of rounds takes time then.
pub fn nothing_to_hash<K: Keyed<N>, const N: usize>() {
    for backend in backends() {
        K::hmac_many(backend, &[], &[], &mut []);
        let mut mac = [[0xee; N]];
        K::hmac_many(backend, &[b""], &[b""], &mut mac);
        assert_eq!(mac, [K::hmac(b"", b"")], "{backend}");
        K::pbkdf2_many(backend, &[], &[], u32::MAX, &mut []);
        let mut outputs = vec![Vec::new(); 100];
        K::pbkdf2_many(backend, &[&b""[..]; 100], &[&b""[..]; 100], u32::MAX, &mut outputs);
        let mut output = [vec![0xee; 1]];
        K::pbkdf2_many(backend, &[b""], &[b""], 1, &mut output);
        assert_eq!(output[0], pbkdf2::<K, N>(b"", b"", 1, 1), "{backend}");
    }
}

pub fn a_key_is_missing<K: Keyed<N>, const N: usize>() {
    K::hmac_many(Backend::detect(), &[b"a", b"b"], &[b"1", b"2", b"3"], &mut [[0; N]; 3]);
}

pub fn a_mac_is_missing<K: Keyed<N>, const N: usize>() {
    K::hmac_many(Backend::detect(), &[b"a", b"b", b"c"], &[b"1", b"2", b"3"], &mut [[0; N]; 2]);
}

fn derive<K: Keyed<N>, const N: usize>(passwords: &[&[u8]], salts: &[&[u8]], rounds: u32) {
    K::pbkdf2_many(Backend::detect(), passwords, salts, rounds, &mut vec![vec![0; N]; 3]);
}

pub fn a_password_is_missing<K: Keyed<N>, const N: usize>() {
    derive::<K, N>(&[b"a", b"b"], &[b"1", b"2", b"3"], 1);
}

pub fn a_salt_is_missing<K: Keyed<N>, const N: usize>() {
    derive::<K, N>(&[b"a", b"b", b"c"], &[b"1", b"2"], 1);
}

pub fn no_rounds<K: Keyed<N>, const N: usize>() {
    derive::<K, N>(&[b"a", b"b", b"c"], &[b"1", b"2", b"3"], 0);
}

pub fn no_rounds_of_no_passwords<K: Keyed<N>, const N: usize>() {
    K::pbkdf2_many(Backend::detect(), &[], &[], 0, &mut []);
}
