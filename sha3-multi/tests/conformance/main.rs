//! Runs the tests of `hash-lanes-testing` that fit a sponge. The package excludes them, because
//! that crate is not published.

#![allow(missing_docs, reason = "the name of a test describes it")]

mod array;
mod cavp;
mod doors;

#[cfg(any(feature = "sha3", feature = "sha3-0_10"))]
use sha3_multi::DigestMany;

hash_lanes_testing::law_tests!(crate::doors::doors, "../../api.txt");

/// The tests of `DigestMany` for each type of one generation of the digest traits.
macro_rules! generation {
    ($module:ident, $krate:ident) => {
        mod $module {
            use super::*;

            hash_lanes_testing::digest_many_tests!(keccak224, $krate, Keccak224);
            hash_lanes_testing::digest_many_tests!(keccak256, $krate, Keccak256);
            hash_lanes_testing::digest_many_tests!(keccak384, $krate, Keccak384);
            hash_lanes_testing::digest_many_tests!(keccak512, $krate, Keccak512);
            hash_lanes_testing::digest_many_tests!(sha3_224, $krate, Sha3_224);
            hash_lanes_testing::digest_many_tests!(sha3_256, $krate, Sha3_256);
            hash_lanes_testing::digest_many_tests!(sha3_384, $krate, Sha3_384);
            hash_lanes_testing::digest_many_tests!(sha3_512, $krate, Sha3_512);
        }
    };
}

#[cfg(feature = "sha3")]
generation!(of_0_12, sha3);
#[cfg(feature = "sha3-0_10")]
generation!(of_0_10, sha3_0_10);

#[cfg(any(feature = "shake", feature = "sha3-0_10"))]
mod xof_many {
    //! `XofMany` for each type of both generations of the digest traits.

    use hash_lanes_testing::painted;
    use sha3_multi::{XofLanes, XofMany};

    fn check<X: XofMany>(xof: &XofLanes, reference: impl Fn(&[u8], &mut [u8])) {
        assert_eq!(X::lanes(), *xof);
        let messages: Vec<_> = (0..70).map(|i| painted(i, 7 * i)).collect();
        let expected = messages.iter().enumerate().map(|(i, message)| {
            let mut output = vec![0; 40 + 5 * i];
            reference(message, &mut output);
            output
        });
        let expected: Vec<Vec<u8>> = expected.collect();
        let mut outputs: Vec<Vec<u8>> = expected.iter().map(|it| vec![0; it.len()]).collect();
        X::xof_many_into(&messages, &mut outputs);
        assert_eq!(outputs, expected);
        let first = X::xof_many::<40>(&messages);
        assert!(first.iter().zip(&expected).all(|(output, it)| output[..] == it[..40]));
    }

    #[test]
    #[cfg(feature = "shake")]
    fn of_shake() {
        use shake::digest::ExtendableOutput as _;
        use shake::{Shake128, Shake256};

        check::<Shake128>(&XofLanes::shake128(), |message, output| {
            Shake128::digest_xof(message, output);
        });
        check::<Shake256>(&XofLanes::shake256(), |message, output| {
            Shake256::digest_xof(message, output);
        });
    }

    #[test]
    #[cfg(feature = "sha3-0_10")]
    fn of_sha3_0_10() {
        use sha3_0_10::digest::ExtendableOutput as _;
        use sha3_0_10::{Shake128, Shake256};

        check::<Shake128>(&XofLanes::shake128(), |message, output| {
            Shake128::digest_xof(message, output);
        });
        check::<Shake256>(&XofLanes::shake256(), |message, output| {
            Shake256::digest_xof(message, output);
        });
    }
}

mod extremes {
    //! Iterators that end late, early or never, and hints that lie.

    use hash_lanes_testing::extremes::{Lying, assert_panics};
    use hash_lanes_testing::painted;
    use sha3_multi::{KtLanes, XofLanes, keccak256};

    #[test]
    fn hints_that_lie() {
        for yielded in [0, 1, 2, 69, 71, 130] {
            for hint in [0, 1, 2, 70, 128, isize::MAX as usize, usize::MAX] {
                if yielded == hint {
                    continue;
                }
                for length in [|_| 32, |_| 100, |i| 64 * (i % 7)] {
                    let messages: Vec<_> = (0..yielded).map(|i| painted(i, length(i))).collect();
                    let lying = || Lying { messages: messages.iter(), len: hint };
                    assert_eq!(keccak256::hash_many(lying()), keccak256::hash_many(&messages));
                    let xof = XofLanes::shake128();
                    assert_eq!(xof.xof_many::<9>(lying()), xof.xof_many::<9>(&messages));
                    let message =
                        format!("{hint} messages cannot be hashed into {yielded} digests");
                    let mut digests = vec![[0; 32]; yielded];
                    assert_panics(&message, || keccak256::hash_many_into(lying(), &mut digests));
                    assert_panics(&message, || xof.xof_many_into(lying(), &mut digests));
                }
            }
        }
    }

    #[test]
    fn endless_iterators() {
        let message = format!("{} messages cannot be hashed into 3 digests", usize::MAX);
        assert_panics(&message, || {
            keccak256::hash_many_into(std::iter::repeat("again"), &mut [[0; 32]; 3]);
        });
        assert_panics(&message, || {
            XofLanes::shake256().xof_many_into(std::iter::repeat("again"), &mut [[0; 32]; 3]);
        });
    }

    #[test]
    fn nothing_to_hash() {
        assert!(keccak256::hash_many([""; 0]).is_empty());
        keccak256::hash_many_into([""; 0], &mut []);
        assert!(XofLanes::shake128().xof_many::<200>([""; 0]).is_empty());
        assert!(XofLanes::shake128().readers([""; 0]).is_empty());
        assert!(KtLanes::kt128().xof_many::<200>([""; 0], b"").is_empty());
    }
}

mod stack {
    //! Functions keep to the stack that the README promises.

    use hash_lanes_testing::stack::on_each_backend;
    use sha3_multi::{Keccak256Lanes, KtLanes, Sha3_512Lanes, XofLanes};

    #[test]
    fn functions() {
        on_each_backend(|backend| {
            let data = vec![7; 70 * 200];
            let mut batches: Vec<Vec<Vec<u8>>> = [32, 33, 65, 200]
                .map(|len| data.chunks_exact(len).take(70).map(<[u8]>::to_vec).collect())
                .into();
            batches.push((0..70).map(|i| data[..i * 199].to_vec()).collect());
            batches.push((0..70).map(|i| data[..i].to_vec()).collect());
            let (short, long) = (Keccak256Lanes::on(backend), Sha3_512Lanes::on(backend));
            for batch in &batches {
                let _ = (short.hash_many(batch), long.hash_many(batch));
                let _ = short.hash_concat_many(batch.iter().map(|message| (message, "suffix")));
                let xof = XofLanes::shake128().with_backend(backend);
                let _ = xof.xof_many::<50>(batch);
                let mut readers = xof.readers(batch);
                readers.read_into(&mut vec![vec![0; 700]; 70]);
                let mut hasher = xof.many_hasher(70);
                hasher.update_all(batch);
                hasher.update(3, &data);
                let _ = hasher.finalize();
            }
            let _ = short.hash_many((0..70_u8).map(|i| [i; 1024]));
            let _ = KtLanes::kt256().with_backend(backend).xof_many::<64>([&data], b"");
        });
    }
}
