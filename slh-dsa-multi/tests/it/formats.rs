//! Pre-hashed messages, PKCS#8 and SPKI, and a program of the crate `slh-dsa`.

use std::collections::HashSet;

use sha2::{Digest, Sha256, Sha384, Sha512, Sha512_256};
use sha3::{Sha3_256, Sha3_384, Sha3_512};
use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};
use slh_dsa_multi::{
    FIPS_SETS, ParameterSet, PreHash, PreHashError, Sha2_128f, Sha2_192f, Shake128f, SigningKey,
    with_fips_set,
};

fn key<P: ParameterSet>() -> SigningKey<P> {
    let [a, b, c] = [1, 2, 3].map(|seed| vec![seed; P::PARAMETERS.n]);
    SigningKey::from_seeds(&a, &b, &c).unwrap()
}

fn xof<H: Default + Update + ExtendableOutput>(len: usize) -> Vec<u8> {
    let mut hasher = H::default();
    hasher.update(b"abc");
    let mut digest = vec![0; len];
    hasher.finalize_xof().read(&mut digest);
    digest
}

/// SHA-256 of deterministic signatures that @noble/post-quantum 0.7.1 made of `abc` with the
/// context `ctx`.
#[test]
fn prehashed_messages() {
    fn check<P: ParameterSet>(hash: PreHash, digest: &[u8], expected: &str) {
        let signature = key::<P>().try_sign_prehash(hash, digest, b"ctx", None).unwrap();
        assert_eq!(hex::encode(Sha256::digest(signature.as_ref())), expected, "{hash:?}");
        let verifying_key = key::<P>().verifying_key();
        verifying_key.try_verify_prehash(hash, digest, b"ctx", &signature).unwrap();
        verifying_key.try_verify_prehash(hash, digest, b"", &signature).unwrap_err();
        // Not a signature of the digest as a message.
        verifying_key.try_verify_with_context(digest, b"ctx", &signature).unwrap_err();
    }
    let digests: [(PreHash, Vec<u8>, &str); 9] = [
        (
            PreHash::Sha256,
            Sha256::digest("abc").to_vec(),
            "29137f3b01524aeaa43ea4799369cb7f06b9da2cf9a2725a2fb0c0a592cb3ab8",
        ),
        (
            PreHash::Sha384,
            Sha384::digest("abc").to_vec(),
            "c940f90188fa62ddc0e38c1e934f863818d36587628c22969717d7342aa735a9",
        ),
        (
            PreHash::Sha512,
            Sha512::digest("abc").to_vec(),
            "b9e639c1ced0cddd68fd90d996213e235f9e3df8316fa799eb7e1278e1bbb963",
        ),
        (
            PreHash::Sha512_256,
            Sha512_256::digest("abc").to_vec(),
            "917cd1c8fe1a6fc65aa96154a48fc7274bda1f1c64b9f0d7468d9da3a873e75c",
        ),
        (
            PreHash::Sha3_256,
            Sha3_256::digest("abc").to_vec(),
            "3a08811053ee82308000e96c9add4f67819df31aed272b80552e2d3f32b86030",
        ),
        (
            PreHash::Sha3_384,
            Sha3_384::digest("abc").to_vec(),
            "371431a1f73c5cadf671b44b98a16cb555fdec89b6481e0b81b24ff7a1253b80",
        ),
        (
            PreHash::Sha3_512,
            Sha3_512::digest("abc").to_vec(),
            "6791936648e1862758ae53cb4852389fcb6b0eceb0465a41018a49f62bfe6a76",
        ),
        (
            PreHash::Shake128,
            xof::<Shake128>(32),
            "1a16ed50f9fadc8616d2dca41b14d2f0b028c6d8752a95e2f55a233066363354",
        ),
        (
            PreHash::Shake256,
            xof::<Shake256>(64),
            "3d91e76cd89f0e525c7c7300c1985921ce4401d0e94c8fccdc00d51869d18f9d",
        ),
    ];
    for (hash, digest, expected) in &digests {
        check::<Sha2_128f>(*hash, digest, expected);
    }
    let (shake128, digest) = (PreHash::Shake128, xof::<Shake128>(32));
    let expected = "cf47800bea4d4600d850ab39413ecbf8f53f91f62fc8473396e94064bf87902d";
    check::<Shake128f>(shake128, &digest, expected);
}

#[test]
fn prehashes_that_do_not_fit() {
    let error = |hash, digest: &[u8], context: &[u8]| {
        let error = key::<Sha2_192f>().try_sign_prehash(hash, digest, context, None).unwrap_err();
        std::error::Error::source(&error).unwrap().downcast_ref::<PreHashError>().unwrap().clone()
    };
    let weak = error(PreHash::Sha256, &[0; 32], b"");
    assert_eq!(weak, PreHashError::Weak { hash: PreHash::Sha256, set: "SLH-DSA-SHA2-192f" });
    let short = error(PreHash::Sha512, &[0; 32], b"");
    assert_eq!(short.to_string(), "a digest of Sha512 has 64 bytes, not 32");
    let long = error(PreHash::Sha512, &[0; 64], &[0; 256]);
    assert_eq!(long, PreHashError::Context { len: 256 });
}

#[cfg(feature = "pkcs8")]
#[test]
fn keys_in_pkcs8_and_spki() {
    use pkcs8::spki::SignatureBitStringEncoding;
    use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
    use slh_dsa_multi::signature::Signer;
    use slh_dsa_multi::{FipsSet, VerifyingKey};

    // The same bytes as the crate `slh-dsa` writes.
    let key = key::<Shake128f>();
    let theirs = slh_dsa::SigningKey::<slh_dsa::Shake128f>::slh_keygen_internal(
        &[1; 16], &[2; 16], &[3; 16],
    );
    let der = key.to_pkcs8_der().unwrap();
    assert_eq!(der.as_bytes(), theirs.to_pkcs8_der().unwrap().as_bytes());
    assert!(SigningKey::<Shake128f>::from_pkcs8_der(der.as_bytes()).unwrap() == key);
    SigningKey::<Sha2_128f>::from_pkcs8_der(der.as_bytes()).expect_err("another set");
    let mut damaged = der.as_bytes().to_vec();
    *damaged.last_mut().unwrap() ^= 1;
    SigningKey::<Shake128f>::from_pkcs8_der(&damaged).expect_err("another root");

    let public = key.verifying_key().to_public_key_der().unwrap();
    let expected = AsRef::<slh_dsa::VerifyingKey<_>>::as_ref(&theirs).to_public_key_der().unwrap();
    assert_eq!(public.as_bytes(), expected.as_bytes());
    let read = VerifyingKey::<Shake128f>::from_public_key_der(public.as_bytes()).unwrap();
    assert_eq!(read, key.verifying_key());
    VerifyingKey::<Sha2_128f>::from_public_key_der(public.as_bytes()).expect_err("another set");

    let signature = key.sign(b"message");
    assert_eq!(signature.to_bitstring().unwrap().raw_bytes(), signature.as_ref());
    assert_eq!(Shake128f::OID_ARC, 27);
}

/// A program of the crate `slh-dsa`, but for the line that names it.
macro_rules! program {
    ($name:ident, $crate_:ident) => {
        #[allow(unused_imports, reason = "some methods of one of them need no trait")]
        mod $name {
            use slh_dsa::signature::rand_core::{Infallible, TryCryptoRng, TryRng};
            use slh_dsa::signature::{
                Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier,
            };
            use slh_dsa::{Sha2_128f, Signature, SigningKey, VerifyingKey};
            use $crate_ as slh_dsa;

            /// Counts.
            struct Counter(u8);

            impl TryRng for Counter {
                type Error = Infallible;

                fn try_next_u32(&mut self) -> Result<u32, Infallible> {
                    let mut bytes = [0; 4];
                    self.try_fill_bytes(&mut bytes)?;
                    Ok(u32::from_le_bytes(bytes))
                }

                fn try_next_u64(&mut self) -> Result<u64, Infallible> {
                    let mut bytes = [0; 8];
                    self.try_fill_bytes(&mut bytes)?;
                    Ok(u64::from_le_bytes(bytes))
                }

                fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
                    for byte in bytes {
                        self.0 = self.0.wrapping_add(7);
                        *byte = self.0;
                    }
                    Ok(())
                }
            }

            impl TryCryptoRng for Counter {}

            pub(super) fn run() -> Vec<Vec<u8>> {
                let mut rng = Counter(0);
                let key = SigningKey::<Sha2_128f>::new(&mut rng);
                let hedged = key.sign_with_rng(&mut rng, b"message");
                let signature = key.sign(b"message");
                let with_context = key.try_sign_with_context(b"message", b"context", None).unwrap();
                let internal = key.slh_sign_internal(&[b"mess", b"age"], None);

                let verifying_key = key.verifying_key();
                verifying_key.verify(b"message", &hedged).unwrap();
                verifying_key.slh_verify_internal(&[b"message"], &internal).unwrap();
                let public: [u8; 32] = verifying_key.to_bytes().into();
                let verifying_key = VerifyingKey::<Sha2_128f>::try_from(&public[..]).unwrap();
                verifying_key
                    .try_verify_with_context(b"message", b"context", &with_context)
                    .unwrap();
                let read = Signature::<Sha2_128f>::try_from(&signature.to_vec()[..]).unwrap();
                verifying_key.verify(b"message", &read).unwrap();

                let secret = key.to_bytes();
                let again = SigningKey::<Sha2_128f>::try_from(&secret[..]).unwrap();
                assert!(again == key && AsRef::<VerifyingKey<_>>::as_ref(&key) == &verifying_key);
                let signatures = [hedged, signature, with_context, internal];
                let mut all: Vec<Vec<u8>> = signatures.iter().map(|it| it.to_vec()).collect();
                all.push(secret.to_vec());
                all
            }
        }
    };
}

program!(ours, slh_dsa_multi);
program!(theirs, slh_dsa);

#[test]
fn a_program_changes_one_line() {
    assert!(ours::run() == theirs::run());
}

/// Each set is found by its name, and no other.
#[test]
fn sets_are_known_by_their_names() {
    for set in FIPS_SETS {
        let found = with_fips_set!(set.name, P => P::PARAMETERS);
        assert_eq!(found, Some(set));
    }
    let names: HashSet<&str> = FIPS_SETS.iter().map(|set| set.name).collect();
    assert_eq!(names.len(), 12);
    for name in ["", "SLH-DSA-SHA2-128", "slh-dsa-sha2-128s", "SLH-DSA-SHA2-128s "] {
        assert_eq!(with_fips_set!(name, P => P::PARAMETERS), None, "{name:?}");
    }
}
