//! NIST's vectors of CAVP (SHA3VS, CAVS 19.0), which are in the public domain, on every kernel.

use std::ops::RangeInclusive;

use hash_lanes::Backend;
use hash_lanes_testing::backends;
use sha3_multi::{HashMany, Sha3_224Lanes, Sha3_256Lanes, Sha3_384Lanes, Sha3_512Lanes, XofLanes};

/// The chain of a Monte Carlo test runs in so many messages: in every lane, and in a remainder.
const CHAINS: usize = 9;

/// The results of a Monte Carlo test that a backend must reach: of the default backend all hundred,
/// of the others the first, because each takes 9000 hashes.
fn results(backend: Backend) -> usize {
    if backend == Backend::detect() { 100 } else { 2 }
}

/// The blobs of a file: see `cavp/pack.py`.
fn blobs(file: &[u8]) -> Vec<&[u8]> {
    blobby::parse_into_vec(file).expect("a file of blobs")
}

/// The messages of a file, and what each leads to.
fn pairs(file: &[u8]) -> (Vec<&[u8]>, Vec<&[u8]>) {
    let blobs = blobs(file);
    let (pairs, []) = blobs.as_chunks() else { panic!("an odd number of blobs") };
    assert!(!pairs.is_empty());
    pairs.iter().map(|&[message, result]| (message, result)).unzip()
}

/// The seed of a Monte Carlo test, and its results.
fn chain(file: &[u8]) -> (&[u8], Vec<&[u8]>) {
    let mut blobs = blobs(file);
    let seed = blobs.remove(0);
    assert_eq!(blobs.len(), 100);
    (seed, blobs)
}

fn sha3<H: HashMany<Output = [u8; N]>, const N: usize>(
    on: fn(Backend) -> H,
    backend: Backend,
    short: &[u8],
    monte: &[u8],
) {
    let hash = on(backend);
    let (messages, expected) = pairs(short);
    assert!(hash.hash_many(&messages).iter().eq(expected), "short messages, {N} bytes");

    // Each result is the last of a thousand digests, and each digest is that of the one before.
    let (seed, expected) = chain(monte);
    let mut seed: [u8; N] = seed.try_into().unwrap();
    for (i, expected) in expected.into_iter().take(results(backend)).enumerate() {
        let mut digests = [seed; CHAINS];
        for _ in 0..1000 {
            let messages = digests;
            hash.hash_many_into(messages, &mut digests);
        }
        seed = expected.try_into().unwrap();
        assert_eq!(digests, [seed; CHAINS], "result {i} of {N} bytes");
    }
}

fn shake(
    xof: XofLanes,
    backend: Backend,
    short: &[u8],
    variable: &[u8],
    (monte, lengths): (&[u8], RangeInclusive<usize>),
) {
    let xof = xof.with_backend(backend);
    for file in [short, variable] {
        let (messages, expected) = pairs(file);
        let mut outputs: Vec<Vec<u8>> = expected.iter().map(|it| vec![0; it.len()]).collect();
        xof.xof_many_into(&messages, &mut outputs);
        assert_eq!(outputs, expected);
    }

    // Each message is the first 16 bytes of the output before it, whose last two bytes set the next
    // length (SHA3VS §6.3.3).
    let (shortest, longest) = lengths.into_inner();
    let (seed, expected) = chain(monte);
    let mut last = seed.to_vec();
    let mut next_length = longest;
    for (i, expected) in expected.into_iter().take(results(backend)).enumerate() {
        for _ in 0..1000 {
            let mut message = [0; 16];
            let known = last.len().min(16);
            message[..known].copy_from_slice(&last[..known]);
            let mut outputs = vec![vec![0; next_length]; CHAINS];
            xof.xof_many_into([message; CHAINS], &mut outputs);
            assert!(outputs.iter().all(|output| *output == outputs[0]));
            last = outputs.swap_remove(0);
            let &[.., high, low] = &last[..] else { panic!("an output of under two bytes") };
            let range = longest - shortest + 1;
            next_length = shortest + usize::from(u16::from_be_bytes([high, low])) % range;
        }
        assert_eq!(last, expected, "result {i}");
    }
}

/// The contents of a file.
macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("cavp/", $name, ".blb"))
    };
}

#[test]
fn sha3_of_each_length() {
    for backend in backends() {
        sha3(Sha3_224Lanes::on, backend, file!("SHA3_224ShortMsg"), file!("SHA3_224Monte"));
        sha3(Sha3_256Lanes::on, backend, file!("SHA3_256ShortMsg"), file!("SHA3_256Monte"));
        sha3(Sha3_384Lanes::on, backend, file!("SHA3_384ShortMsg"), file!("SHA3_384Monte"));
        sha3(Sha3_512Lanes::on, backend, file!("SHA3_512ShortMsg"), file!("SHA3_512Monte"));
    }
}

/// The lengths of the Monte Carlo tests are those in the heads of NIST's files, in bytes.
#[test]
fn shake_of_each_strength() {
    for backend in backends() {
        shake(
            XofLanes::shake128(),
            backend,
            file!("SHAKE128ShortMsg"),
            file!("SHAKE128VariableOut"),
            (file!("SHAKE128Monte"), 16..=140),
        );
        shake(
            XofLanes::shake256(),
            backend,
            file!("SHAKE256ShortMsg"),
            file!("SHAKE256VariableOut"),
            (file!("SHAKE256Monte"), 2..=250),
        );
    }
}
