//! The sets of the draft of SP 800-230, against the C reference implementation of SPHINCS+.
//!
//! The vectors are those of xous-core (bao1x-boot/slh-dsa-kat), which built them with the branch
//! `bas/fips205` of sphincsplus: the verifying key, the randomizer, and a digest of the signature.
//! A key and a signature take billions of hashes.

use std::hint::black_box;
use std::ops::ControlFlow::Break;

use allocation_counter::measure;
use sha2::{Digest, Sha256};
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use slh_dsa_multi::{
    CallError, LimitedSet, ParameterSet, Sha2_128_24, Sha2_192_24, Sha2_256_24, Shake128_24,
    Shake192_24, Shake256_24, SigningKey,
};

const MESSAGE: &[u8] = b"NIST SP 800-230 SLH-DSA vector\n";

struct Vector {
    root: &'static str,
    randomizer: &'static str,
    /// Of the signature: SHA-256, or 32 bytes of SHAKE256 for the sets with SHAKE. Empty for the
    /// sets with digits of three bits: their vectors were corrected in September 2026, and those at
    /// hand are older by all signs. The unit tests compare such signatures with FIPS 205 at small
    /// heights.
    digest: &'static str,
}

/// `n` bytes, each one more than the one before.
fn ramp(first: u8, n: usize) -> Vec<u8> {
    (first..).take(n).collect()
}

fn agrees<P: ParameterSet>(vector: &Vector) {
    let set = P::PARAMETERS;
    let [sk_seed, sk_prf, pk_seed, opt_rand] =
        [0, 0x40, 0x80, 0xc0].map(|first| ramp(first, set.n));
    let key = SigningKey::<P>::from_seeds(&sk_seed, &sk_prf, &pk_seed).unwrap();
    let verifying_key = key.verifying_key();
    assert_eq!(hex::encode(&verifying_key.to_bytes()[set.n..]), vector.root, "{}", set.name);
    let signature = key.sign_internal(&[MESSAGE], Some(&opt_rand)).unwrap();
    assert_eq!(hex::encode(&signature.as_ref()[..set.n]), vector.randomizer);
    let digest = if set.name.contains("SHAKE") {
        let mut hasher = Shake256::default();
        hasher.update(signature.as_ref());
        let mut digest = [0; 32];
        hasher.finalize_xof().read(&mut digest);
        digest.to_vec()
    } else {
        Sha256::digest(signature.as_ref()).to_vec()
    };
    if !vector.digest.is_empty() {
        assert_eq!(hex::encode(digest), vector.digest, "{}", set.name);
    }
    verifying_key.verify_internal(&[MESSAGE], &signature).unwrap();
}

macro_rules! vectors {
    ($($name:ident, $Set:ty, $root:literal, $randomizer:literal, $digest:literal;)+) => {$(
        #[test]
        #[ignore = "takes long"]
        fn $name() {
            agrees::<$Set>(&Vector { root: $root, randomizer: $randomizer, digest: $digest });
        }
    )+};
}

vectors! {
    sha2_128_24_long, Sha2_128_24, "a04ad33acb292af0da32f74d3285b014",
        "eabbc67b08a221583636efddfe80483c",
        "10975fa5d31e762cc437eaa13901603c2634453e8d655944d1aac103875c3772";
    sha2_192_24_long, Sha2_192_24, "02b6f334e75c21762c7dda5f3f5b70fef2d9134e39043e77",
        "208167f8f5fcb88fff9332e915d56533906410495645378b",
        "";
    sha2_256_24_long, Sha2_256_24,
        "e7c7dba434c3c465a3477d3b2e40e4ba343ac83062256052928d351cd580d4dc",
        "e72c8468bf5c3f15205cae689ad4dbf52627cf10c704c6b0bec74f848e4985ce",
        "33070e16eb052cc28754b7800b1b9e70315ca7cb3eb865561122f91000bd91ff";
    shake128_24_long, Shake128_24, "2fd8ea24b467bd6ad6a05a39f5efe059",
        "44214339d9a47cd96f24eb5c584f03cb",
        "f8f76ddb599a7fef0cb12e7341aa3f414e46923960def02cc906aa8abcbd0804";
    shake192_24_long, Shake192_24, "a00746f73db89eeb54fa0e34116eb19eea4e7dfbc2ec231b",
        "6253c117136156fb13c9787c4a23a7b8f06631b0d8d89aa1",
        "";
    shake256_24_long, Shake256_24,
        "1f55ef9d8c303eb4dc49b5c7e6e995db5c249a87a9b01c8cbf9e8e539ae0be04",
        "b0c60c6be2ca75f218e949fac552a35df2b00d62a3711a89b648e41c60266d3d",
        "5df4ffa2fab40ce293fba50feebdc9bee1e08a78f88ec9c8fee6d57f7367902f";
}

/// Sizes of table 2 of the draft.
#[test]
fn sizes() {
    assert_eq!(Sha2_128_24::PARAMETERS.signature_len(), 3_856);
    assert_eq!(Shake192_24::PARAMETERS.signature_len(), 7_752);
    assert_eq!(Sha2_256_24::PARAMETERS.signature_len(), 14_944);
}

/// The most memory that a call may use on one thread.
const MAX_MEMORY: u64 = 16 << 20;

/// The peak memory of calls that are stopped after their first part. Later parts are as large.
fn memory_of<P: LimitedSet>() {
    let n = P::PARAMETERS.n;
    let [sk_seed, sk_prf, pk_seed] = [1, 2, 3].map(|byte| vec![byte; n]);
    let of_key = measure(|| {
        let key =
            SigningKey::<P>::from_seeds_with_cache(&sk_seed, &sk_prf, &pk_seed, &|_| Break(()));
        assert_eq!(black_box(key).unwrap_err(), CallError::Stopped);
    });
    let bytes = [sk_seed, sk_prf, pk_seed, vec![4; n]].concat();
    let key = SigningKey::<P>::from_bytes_trusting_root(&bytes).unwrap();
    let of_signature = measure(|| {
        let signature = key.try_sign_with_cache(b"message", b"", None, None, &|_| Break(()));
        assert_eq!(black_box(signature).unwrap_err(), CallError::Stopped);
    });
    let [of_key, of_signature] = [of_key, of_signature].map(|used| used.bytes_max);
    println!("{}: key {of_key} bytes, signature {of_signature} bytes", P::PARAMETERS.name);
    // Without rayon, whose threads are not measured, a part is on this one.
    assert!(of_key <= MAX_MEMORY && of_signature <= MAX_MEMORY, "{of_key}, {of_signature}");
}

/// A whole FORS tree of these sets has 256 MiB to 1 GiB.
#[test]
fn memory_is_that_of_a_part() {
    memory_of::<Sha2_128_24>();
    memory_of::<Sha2_192_24>();
    memory_of::<Sha2_256_24>();
    memory_of::<Shake128_24>();
    memory_of::<Shake192_24>();
    memory_of::<Shake256_24>();
}
