//! Every function with a digest of one length, on every kernel.

use digest_of::*;

use super::{backends, messages, scattered};

/// The implementations to compare with.
mod digest_of {
    pub(super) use sha3::{
        Digest, Keccak224, Keccak256, Keccak384, Keccak512, Sha3_224, Sha3_256, Sha3_384, Sha3_512,
    };
}

/// Runs a block for each function: `$Lanes` hashes, `$Digest` is what to compare with.
macro_rules! each_function {
    (|$Lanes:ident, $Digest:ident| $block:block) => {
        each_function!(@ $Lanes $Digest $block:
            Keccak224Lanes Keccak224, Keccak256Lanes Keccak256, Keccak384Lanes Keccak384,
            Keccak512Lanes Keccak512, Sha3_224Lanes Sha3_224, Sha3_256Lanes Sha3_256,
            Sha3_384Lanes Sha3_384, Sha3_512Lanes Sha3_512);
    };
    (@ $Lanes:ident $Digest:ident $block:block: $($L:ident $D:ident),+) => {$({
        use sha3_multi::$L as $Lanes;
        use $D as $Digest;
        $block
    })+};
}

#[test]
fn every_length_to_600_alone_and_in_full_lanes() {
    for backend in backends() {
        each_function!(|Lanes, Digest| {
            let hash = Lanes::on(backend);
            for length in 0..=600 {
                let messages = messages(std::iter::repeat_n(length, 9));
                let expected: Vec<_> = messages.iter().map(Digest::digest).collect();
                let digests = hash.hash_many(&messages);
                assert!(
                    digests.iter().zip(&expected).all(|(digest, it)| digest[..] == it[..]),
                    "{length} bytes, {backend}"
                );
                assert_eq!(digests.len(), messages.len());
                assert_eq!(hash.hash(&messages[0])[..], expected[0][..], "{length}, {backend}");
            }
        });
    }
}

#[test]
fn every_count_to_150_of_mixed_lengths() {
    let all = messages(scattered(150, 601));
    for backend in backends() {
        each_function!(|Lanes, Digest| {
            let expected: Vec<_> = all.iter().map(Digest::digest).collect();
            for count in (0..20).chain([31, 63, 64, 65, 72, 127, 128, 129, 150]) {
                let mut digests = vec![[0xee; _]; count];
                Lanes::on(backend).hash_many_into(&all[..count], &mut digests);
                assert!(
                    digests.iter().zip(&expected).all(|(digest, it)| digest[..] == it[..]),
                    "{count} messages, {backend}"
                );
            }
        });
    }
}

#[test]
fn runs_of_equal_lengths_and_of_equally_many_blocks() {
    // Account leaves of 70 to 110 bytes take one block; the others change the shape in a group.
    let lengths = (0..40).map(|i| 70 + i).chain([32; 30]).chain([532; 20]).chain(200..240);
    let all = messages(lengths);
    for backend in backends() {
        each_function!(|Lanes, Digest| {
            let digests = Lanes::on(backend).hash_many(&all);
            for (message, digest) in all.iter().zip(digests) {
                assert_eq!(digest[..], Digest::digest(message)[..], "{}", message.len());
            }
        });
    }
}

#[test]
fn two_parts_are_one_message() {
    let all = messages(scattered(200, 701));
    for backend in backends() {
        each_function!(|Lanes, Digest| {
            let cut = |(i, message): (usize, &Vec<u8>)| {
                let (a, b) = message.split_at(i * 31 % (message.len() + 1));
                (a.to_vec(), b.to_vec())
            };
            let digests = Lanes::on(backend).hash_concat_many(all.iter().enumerate().map(cut));
            assert_eq!(digests.len(), all.len());
            for (message, digest) in all.iter().zip(digests) {
                assert_eq!(digest[..], Digest::digest(message)[..], "{}", message.len());
            }
        });
    }
}

#[test]
fn parts_of_every_number() {
    let all = messages(scattered(150, 500));
    for backend in backends() {
        each_function!(|Lanes, Digest| {
            let hash = Lanes::on(backend);
            let cut = |(i, message): (usize, &'_ Vec<u8>)| {
                let at = i * 31 % (message.len() + 1);
                (message[..at / 2].to_vec(), message[at / 2..at].to_vec(), message[at..].to_vec())
            };
            let three: Vec<_> = all.iter().enumerate().map(cut).collect();
            let four = three.iter().map(|(a, b, c)| [&a[..], &b[..], &[], &c[..]]);
            let one = all.iter().map(|message| (message,));
            let expected: Vec<_> = all.iter().map(Digest::digest).collect();
            for digests in [
                hash.hash_concat_many(one),
                hash.hash_concat_many(&three),
                hash.hash_concat_many(four),
            ] {
                assert!(digests.iter().zip(&expected).all(|(digest, it)| digest[..] == it[..]));
                assert_eq!(digests.len(), expected.len());
            }
            assert_eq!(hash.hash_concat_many([[]; 3])[2][..], Digest::digest(b"")[..]);
        });
    }
}

#[test]
fn two_short_parts_fill_the_lanes() {
    let pairs: Vec<([u8; 32], [u8; 32])> = (0..100).map(|i| ([i; 32], [!i; 32])).collect();
    for backend in backends() {
        let digests = sha3_multi::Keccak256Lanes::on(backend).hash_concat_many(pairs.clone());
        for ((a, b), digest) in pairs.iter().zip(digests) {
            assert_eq!(digest[..], Keccak256::digest([*a, *b].concat())[..]);
        }
    }
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn counts_that_differ() {
    sha3_multi::keccak256::hash_many_into(["one", "two", "three"], &mut [[0; 32]; 2]);
}

#[test]
#[should_panic(expected = "messages cannot be hashed into 4 digests")]
fn counts_that_differ_behind_a_hint_that_lies() {
    struct Liar(u8);
    impl Iterator for Liar {
        type Item = [u8; 1];
        fn next(&mut self) -> Option<[u8; 1]> {
            self.0 = self.0.checked_sub(1)?;
            Some([self.0])
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (4, Some(4))
        }
    }
    sha3_multi::sha3_512::hash_many_into(Liar(200), &mut [[0; 64]; 4]);
}
