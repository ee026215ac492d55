//! The same bytes as the crate `slh-dsa`.

use slh_dsa_multi::{self as ours, Backend, SigningKey};

/// Keys and signatures of `count` random seeds and messages.
macro_rules! equal {
    ($($name:ident: $Set:ident, $count:literal $(, $ignore:meta)?;)+) => {$(
        #[test]
        $(#[$ignore])?
        fn $name() {
            for case in 0..$count {
                let n = <ours::$Set as ours::ParameterSet>::PARAMETERS.n;
                // Other bytes for each seed and each case.
                let seed = |i: u8| -> Vec<u8> {
                    (0..n).map(|at| (37 * at) as u8 ^ i.wrapping_mul(91) ^ case).collect()
                };
                let (sk_seed, sk_prf, pk_seed, opt_rand) = (seed(1), seed(2), seed(3), seed(4));
                let message: Vec<u8> = (0..usize::from(case) * 151).map(|i| i as u8).collect();
                let (sk_seed, sk_prf, pk_seed) = (&sk_seed, &sk_prf, &pk_seed);
                let key = SigningKey::<ours::$Set>::from_seeds(sk_seed, sk_prf, pk_seed).unwrap();
                type Theirs = slh_dsa::SigningKey<slh_dsa::$Set>;
                let theirs = Theirs::slh_keygen_internal(sk_seed, sk_prf, pk_seed);
                assert_eq!(key.to_bytes()[..], theirs.to_bytes()[..]);
                for opt_rand in [None, Some(&opt_rand[..])] {
                    let signature =
                        key.try_sign_with_context(&message, b"context", opt_rand).unwrap();
                    let expected =
                        theirs.try_sign_with_context(&message, b"context", opt_rand).unwrap();
                    assert!(signature.as_ref() == &expected.to_bytes()[..], "case {case}");
                    let verifying = key.verifying_key();
                    verifying.try_verify_with_context(&message, b"context", &signature).unwrap();
                    verifying.try_verify_with_context(&message, b"other", &signature).unwrap_err();
                }
            }
        }
    )+};
}

equal! {
    sha2_128f: Sha2_128f, 3;
    sha2_192f: Sha2_192f, 1;
    sha2_256f: Sha2_256f, 1;
    shake128f: Shake128f, 1;
    shake192f: Shake192f, 1;
    shake256f: Shake256f, 1;
    sha2_128s_long: Sha2_128s, 2, ignore = "takes long";
    sha2_192s_long: Sha2_192s, 1, ignore = "takes long";
    sha2_256s_long: Sha2_256s, 1, ignore = "takes long";
    shake128s_long: Shake128s, 1, ignore = "takes long";
    shake192s_long: Shake192s, 1, ignore = "takes long";
    shake256s_long: Shake256s, 1, ignore = "takes long";
}

#[test]
fn every_backend() {
    let seeds = [[1; 24], [2; 24], [3; 24]];
    let key = |backend| {
        let [sk_seed, sk_prf, pk_seed] = &seeds;
        SigningKey::<ours::Sha2_192f>::from_seeds_on(backend, sk_seed, sk_prf, pk_seed).unwrap()
    };
    let expected = slh_dsa::SigningKey::<slh_dsa::Sha2_192f>::slh_keygen_internal(
        &seeds[0], &seeds[1], &seeds[2],
    );
    let expected = expected.try_sign_with_context(b"message", b"", None).unwrap().to_bytes();
    for backend in Backend::available() {
        let key = key(backend);
        let signature = key.try_sign_with_context(b"message", b"", None).unwrap();
        assert!(signature.as_ref() == &expected[..], "{backend:?}");
        key.verifying_key().try_verify_with_context(b"message", b"", &signature).unwrap();
    }
}
