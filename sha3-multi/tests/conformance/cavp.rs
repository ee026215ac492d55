//! NIST's vectors of CAVP (SHA3VS, CAVS 19.0), which are in the public domain, on every kernel.

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

/// The values of the lines `NAME = VALUE`, in order.
fn values<'t>(file: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let lines = file.lines().filter_map(|line| line.split_once(" = "));
    lines.filter(move |(key, _)| *key == name).map(|(_, value)| value)
}

/// The bytes of the values.
fn bytes(file: &str, name: &str) -> Vec<Vec<u8>> {
    values(file, name).map(|digits| hex::decode(digits).unwrap()).collect()
}

/// The messages of a file of short messages.
fn messages(file: &str) -> Vec<Vec<u8>> {
    let lengths = values(file, "Len").map(|bits| bits.parse::<usize>().unwrap() / 8);
    let truncated = bytes(file, "Msg").into_iter().zip(lengths).map(|(mut message, length)| {
        message.truncate(length);
        message
    });
    truncated.collect()
}

fn sha3<H: HashMany<Output = [u8; N]>, const N: usize>(
    on: fn(Backend) -> H,
    backend: Backend,
    short: &str,
    monte: &str,
) {
    let hash = on(backend);
    let (messages, expected) = (messages(short), bytes(short, "MD"));
    assert!(!messages.is_empty() && messages.len() == expected.len());
    let digests: Vec<Vec<u8>> = hash.hash_many(&messages).iter().map(|it| it.to_vec()).collect();
    assert_eq!(digests, expected);

    // Each result is the last of a thousand digests, and each digest is that of the one before.
    let mut seed: [u8; N] = bytes(monte, "Seed").remove(0).try_into().unwrap();
    let expected = bytes(monte, "MD");
    assert_eq!(expected.len(), 100);
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

fn shake(xof: XofLanes, backend: Backend, short: &str, variable: &str, monte: &str) {
    let xof = xof.with_backend(backend);
    for (messages, file) in [(messages(short), short), (bytes(variable, "Msg"), variable)] {
        let expected = bytes(file, "Output");
        assert!(!messages.is_empty() && messages.len() == expected.len());
        let mut outputs: Vec<Vec<u8>> = expected.iter().map(|it| vec![0; it.len()]).collect();
        xof.xof_many_into(&messages, &mut outputs);
        assert_eq!(outputs, expected);
    }

    // Each message is the first 16 bytes of the output before it, whose last two bytes set the next
    // length (SHA3VS §6.3.3).
    let bound = |name| values(monte, name).next().unwrap().trim_end_matches(']').parse::<usize>();
    let shortest = bound("[Minimum Output Length (bits)").unwrap() / 8;
    let longest = bound("[Maximum Output Length (bits)").unwrap() / 8;
    let mut last = bytes(monte, "Msg").remove(0);
    let mut next_length = longest;
    let expected = bytes(monte, "Output");
    assert_eq!(expected.len(), 100);
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
        include_str!(concat!("cavp/", $name, ".rsp"))
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

#[test]
fn shake_of_each_strength() {
    for backend in backends() {
        shake(
            XofLanes::shake128(),
            backend,
            file!("SHAKE128ShortMsg"),
            file!("SHAKE128VariableOut"),
            file!("SHAKE128Monte"),
        );
        shake(
            XofLanes::shake256(),
            backend,
            file!("SHAKE256ShortMsg"),
            file!("SHAKE256VariableOut"),
            file!("SHAKE256Monte"),
        );
    }
}
