//! Tests published digests, the constants against their definition, and that messages in parts take
//! no memory beyond the hasher, with every backend of this machine.
//!
//! These tests are part of the package. Those in `tests/conformance` need a crate that is not
//! published.

#[cfg(feature = "collision-detection")]
mod checked;
#[cfg(feature = "collision-detection")]
mod collisions;
#[cfg(feature = "collision-detection")]
mod conditions;

use sha1_multi::hazmat::K;
use sha1_multi::{Backend, ManyHasher, Sha1Lanes, hash};

fn digest(digits: &str) -> [u8; 20] {
    hex::FromHex::from_hex(digits).unwrap()
}

/// Messages with their digests.
fn published() -> Vec<(Vec<u8>, [u8; 20])> {
    let text = |text: &str, digits| (text.as_bytes().to_vec(), digest(digits));
    let bytes = |message: &str, digits| (hex::decode(message).unwrap(), digest(digits));
    vec![
        // The examples of FIPS 180-2 Appendix A, and those of NIST with 0 and 896 bits.
        text("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        text(
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
        ),
        text(&"a".repeat(1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        text("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        text(
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmno\
             pqrlmnopqrsmnopqrstnopqrstu",
            "a49b2446a02c645bf419f995b67091253a04a259",
        ),
        // The git objects of an empty file, an empty directory, and the file in chapter 10.2 of
        // "Pro Git".
        text("blob 0\0", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
        text("tree 0\0", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
        text("blob 13\0test content\n", "d670460b4b4aece5915caf5c68d12f560a9fe3e4"),
        // NIST CAVP, SHA1ShortMsg.rsp of CAVS 11.0.
        bytes("36", "c1dfd96eea8cc2b62785275bca38ac261256e278"),
        bytes("7e3d7b3eada98866", "24a2c34b976305277ce58c2f42d5092031572520"),
        bytes(
            "ec6b4a88713df27c0f2d02e738b69db43abda3921317259c864c1c386e9a5a3f533dc05f3beeb2bec2aac\
             8e06db4c6cb3cddcf697e03d5",
            "a7272e2308622ff7a339460adc61efd0ea8dabdc",
        ),
        bytes(
            "0321736beba578e90abc1a90aa56157d871618f6de0d764cc8c91e06c68ecd3b9de3824064503384db67b\
             eb7fe012232dacaef93a000fba7",
            "aef843b86916c16f66c84d83a6005d23fd005c9e",
        ),
        bytes(
            "45927e32ddf801caf35e18e7b5078b7f5435278212ec6bb99df884f49b327c64\
             86feae46ba187dc1cc9145121e1492e6b06e9007394dc33b7748f86ac3207cfe",
            "a70cfbfe7563dd0e665c7c6715a96a8d756950c0",
        ),
    ]
}

/// The constants are the square roots of 2, 3, 5 and 10, with 30 fraction bits.
#[test]
fn constants_are_square_roots() {
    for (k, square) in K.iter().zip([2, 3, 5, 10_u64]) {
        let k = u64::from(*k);
        assert!(k * k <= square << 60 && square << 60 < (k + 1) * (k + 1), "{k:08x}");
    }
}

#[test]
fn all_at_once() {
    let (messages, expected): (Vec<_>, Vec<_>) = published().into_iter().unzip();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let digests = Sha1Lanes::on(backend).hash_many(&messages);
        assert_eq!(digests, expected, "{backend}");
    }
}

#[test]
fn one_message() {
    for (message, expected) in published() {
        assert_eq!(hash(&message), expected, "{} bytes", message.len());
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            assert_eq!(
                Sha1Lanes::on(backend).hash(&message),
                expected,
                "{backend}, {} bytes",
                message.len()
            );
        }
    }
}

/// The first results of NIST's Monte Carlo test (SHAVS §6.4), with the seed and results of
/// SHA1Monte.rsp, CAVS 11.1. Each result is the last of a thousand digests, and each digest is that
/// of the previous three.
///
/// The same chain runs in 17 messages, to cover every lane and a remainder.
#[test]
fn first_monte_carlo_rounds() {
    const CHAINS: usize = 17;
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let mut seed = digest("dd4df644eaf3d85bace2b21accaa22b28821f5cd");
        for expected in [
            "11f5c38b4479d4ad55cb69fadf62de0b036d5163",
            "5c26de848c21586bec36995809cb02d3677423d9",
            "453b5fcf263d01c891d7897d4013990f7c1fb0ab",
        ] {
            let mut last = [[seed; 3]; CHAINS];
            for _ in 0..1000 {
                let messages = last.iter().map(|three| three.as_flattened());
                let digests = Sha1Lanes::on(backend).hash_many(messages);
                for (three, digest) in last.iter_mut().zip(digests) {
                    *three = [three[1], three[2], digest];
                }
            }
            seed = digest(expected);
            assert!(last.iter().all(|three| three[2] == seed), "{backend}: {last:x?}");
        }
    }
}

#[test]
fn update_all_does_not_allocate() {
    let data: Vec<u8> = (0..=250).cycle().take(16 << 10).collect();
    for backend in Backend::available() {
        // All messages, fewer than there are lanes, and one.
        for count in [16, 5, 1] {
            let update = |hasher: &mut ManyHasher| {
                // The third part completes the block that the second one began.
                for length in [16 << 10, 1_000, 10_000] {
                    hasher.update_all(&[&data[..length]; 16][..count]);
                }
            };
            // Plans are made when they are first used.
            update(&mut ManyHasher::with_backend(backend, count));
            let mut hasher = ManyHasher::with_backend(backend, count);
            let used = allocation_counter::measure(|| update(&mut hasher));
            assert_eq!(used.count_total, 0, "{backend}, {count} messages");
            let expected = hash([&data[..], &data[..1_000], &data[..10_000]].concat());
            assert_eq!(hasher.finalize(), vec![expected; count]);
        }
    }
}

#[test]
fn messages_that_are_joined_take_no_memory() {
    let data = [7; 200];
    let messages = [(&data[..200], &data[..42]); 40];
    for backend in Backend::available() {
        let prefix = Sha1Lanes::on(backend).prefix(&data[..70]);
        let mut digests = [[0; 20]; 40];
        // Plans are made when they are first used.
        prefix.hash_many_into(&messages, &mut digests);
        let used = allocation_counter::measure(|| prefix.hash_many_into(&messages, &mut digests));
        assert_eq!(used.count_total, 0, "{backend}");
        assert_eq!(digests, [hash([7; 312]); 40]);
    }
}
