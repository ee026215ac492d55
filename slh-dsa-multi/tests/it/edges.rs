//! Damaged and foreign input.

use slh_dsa_multi::signature::rand_core::{TryCryptoRng, TryRng};
use slh_dsa_multi::signature::{
    Keypair, MultipartSigner, MultipartVerifier, RandomizedSigner, Signer, Verifier,
};
use slh_dsa_multi::{
    KeyError, ParameterSet, Sha2_128f, Sha2_192f, Shake128f, Signature, SigningKey, VerifyingKey,
};

fn key() -> SigningKey<Sha2_128f> {
    SigningKey::from_seeds(&[1; 16], &[2; 16], &[3; 16]).unwrap()
}

#[test]
fn each_changed_part_of_a_signature_is_noticed() {
    let key = key();
    let signature = key.sign(b"message");
    let verifying = key.verifying_key();
    verifying.verify(b"message", &signature).unwrap();
    verifying.verify(b"massage", &signature).unwrap_err();
    let bytes = signature.as_ref();
    // The randomizer, and parts of FORS and of every layer.
    for at in (0..bytes.len()).step_by(449).chain([bytes.len() - 1]) {
        let mut changed = bytes.to_vec();
        changed[at] ^= 1;
        let changed = Signature::try_from(&changed[..]).unwrap();
        verifying.verify(b"message", &changed).expect_err("a changed byte");
    }
}

#[test]
fn a_changed_verifying_key_verifies_nothing() {
    let key = key();
    let signature = key.sign(b"message");
    for at in 0..32 {
        let mut bytes = key.verifying_key().to_bytes();
        bytes[at] ^= 0x80;
        let other = VerifyingKey::<Sha2_128f>::from_bytes(&bytes).unwrap();
        other.verify(b"message", &signature).expect_err("another key");
    }
}

#[test]
fn lengths_are_checked() {
    let bytes = key().to_bytes();
    assert_eq!(SigningKey::<Sha2_128f>::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    let error = SigningKey::<Sha2_128f>::from_bytes(&bytes[1..]).unwrap_err();
    assert_eq!(error.to_string(), "SLH-DSA-SHA2-128f needs 64 bytes here, not 63");
    VerifyingKey::<Sha2_128f>::from_bytes(&[0; 33]).unwrap_err();
    SigningKey::<Sha2_128f>::from_seeds(&[0; 16], &[0; 15], &[0; 16]).unwrap_err();
    key().sign_internal(&[], Some(&[0; 17])).unwrap_err();
    let len = Sha2_128f::PARAMETERS.signature_len();
    assert_eq!(len, 17_088);
    Signature::<Sha2_128f>::try_from(&vec![0; len - 1][..]).unwrap_err();
}

#[test]
fn a_signing_key_with_another_root_is_refused() {
    let mut bytes = key().to_bytes();
    bytes[63] ^= 1;
    let error = SigningKey::<Sha2_128f>::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, KeyError::Root { set: "SLH-DSA-SHA2-128f" });
}

#[test]
fn a_context_has_at_most_255_bytes() {
    let key = key();
    let signature = key.try_sign_with_context(b"", &[7; 255], None).unwrap();
    key.verifying_key().try_verify_with_context(b"", &[7; 255], &signature).unwrap();
    key.try_sign_with_context(b"", &[7; 256], None).unwrap_err();
    key.verifying_key().try_verify_with_context(b"", &[7; 256], &signature).unwrap_err();
}

#[test]
fn hedged_signatures_differ_and_verify() {
    /// Counts.
    struct Counter(u8);

    impl TryRng for Counter {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(7)
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(7)
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            self.0 += 1;
            bytes.fill(self.0);
            Ok(())
        }
    }

    impl TryCryptoRng for Counter {}

    let key = SigningKey::<Sha2_128f>::new(&mut Counter(0));
    assert_eq!(key.to_bytes(), super::edges::key().to_bytes(), "the seeds in their order");
    let mut rng = Counter(3);
    let [first, second] = [(); 2].map(|()| key.sign_with_rng(&mut rng, b"message"));
    assert_ne!(first, second);
    assert_eq!(first, key.try_sign_with_context(b"message", b"", Some(&[4; 16])).unwrap());
    Keypair::verifying_key(&key).verify(b"message", &second).unwrap();
}

#[test]
fn debug_shows_no_secret() {
    let key = SigningKey::<Sha2_128f>::from_seeds(&[0xab; 16], &[0xcd; 16], &[3; 16]).unwrap();
    let shown = format!("{key:?}");
    assert!(shown.contains("0303") && !shown.contains("abab") && !shown.contains("cdcd"));
}

/// Every signature of a batch counts, whatever the others are: keys with one seed and another root,
/// with several seeds, and more than a group.
#[test]
fn many_signatures_are_verified_as_one_by_one() {
    fn check<P: ParameterSet>() {
        let n = P::PARAMETERS.n;
        let keys: Vec<SigningKey<P>> = [(1, 1), (2, 1), (3, 2)]
            .map(|(secret, public)| {
                let seeds = [secret, secret, public].map(|seed| vec![seed; n]);
                SigningKey::from_seeds(&seeds[0], &seeds[1], &seeds[2]).unwrap()
            })
            .to_vec();
        let verifying: Vec<VerifyingKey<P>> = keys.iter().map(Keypair::verifying_key).collect();
        let signatures: Vec<Signature<P>> =
            (0..6).map(|i: u8| keys[usize::from(i) % 3].sign(&[i])).collect();
        for count in [0, 1, 2, 3, 63, 64, 65, 130] {
            // All right, each place wrong in turn, and some wrong in several ways.
            for wrong in [vec![], vec![0], vec![count / 2], vec![1, 64, 129]] {
                let wrong: Vec<usize> = wrong.into_iter().filter(|&i| i < count).collect();
                let items = (0..count).map(|i| {
                    let message = [if wrong.contains(&i) { 99 } else { (i % 6) as u8 }];
                    (&verifying[i % 3], message, &signatures[i % 6])
                });
                let found = match VerifyingKey::verify_many(items) {
                    Ok(()) => vec![],
                    Err(error) => error.signatures().to_vec(),
                };
                assert_eq!(found, wrong, "{count} of {}", P::PARAMETERS.name);
            }
        }
        // By the key beside it, whose seed is the same.
        let items = [(&verifying[1], [0], &signatures[0])];
        assert_eq!(VerifyingKey::verify_many(items).unwrap_err().signatures(), [0]);
        // Endless iterators end with what was taken of them.
        let changed = (0..signatures[0].as_ref().len()).step_by(977).map(|at| {
            let mut bytes = signatures[0].as_ref().to_vec();
            bytes[at] ^= 0x40;
            Signature::<P>::try_from(&bytes[..]).unwrap()
        });
        let changed: Vec<_> = changed.collect();
        let items = changed.iter().map(|signature| (&verifying[0], [0], signature));
        let error = VerifyingKey::verify_many(items).unwrap_err();
        assert_eq!(error.signatures().len(), changed.len());
        assert!(error.to_string().ends_with("not valid, the first at index 0"), "{error}");
    }
    check::<Sha2_128f>();
    check::<Sha2_192f>();
    check::<Shake128f>();
}

/// A signature that is a byte too long, or whose message has more parts, is another one.
#[test]
fn lengths_and_parts_of_signed_messages_count() {
    let key = key();
    let verifying = key.verifying_key();
    let signature = key.sign(b"one two");
    let long = [signature.as_ref(), &[0]].concat();
    Signature::<Sha2_128f>::try_from(&long[..]).unwrap_err();
    verifying.multipart_verify(&[b"one", b" two"], &signature).unwrap();
    verifying.multipart_verify(&[b"one"], &signature).unwrap_err();
    verifying.multipart_verify(&[b"one two", b"!"], &signature).unwrap_err();
    verifying.multipart_verify(&[b"one two", b""], &signature).unwrap();
    let parts = key.try_multipart_sign(&[b"one", b" two"]).unwrap();
    assert_eq!(parts, signature);
}
