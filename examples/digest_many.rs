//! Many messages at once with the digest types of RustCrypto.

use hash_lanes::OneByOne;
use sha2::{Digest, Sha256, Sha512};
// From the crate that supplies the lanes: a crate that no line names is not linked, and its
// implementations are not found.
use sha256_multi::DigestMany;

fn main() {
    let messages: Vec<String> = (0..100).map(|i| format!("message {i}")).collect();

    // One message, as always.
    let mut hasher = Sha256::new();
    hasher.update(&messages[0]);
    let one = hasher.finalize();

    // All messages, one per lane. The digests have the type that `finalize` gives.
    let all = Sha256::digest_many(&messages);
    assert_eq!(all[0], one);
    for (message, digest) in messages.iter().zip(&all) {
        assert_eq!(*digest, Sha256::digest(message));
    }
    println!("{} digests; the first is {}", all.len(), hex(&one));

    // `distinct` takes any digest with lanes; one without is hashed in a loop.
    let repeated = [&messages[..], &messages[..10]].concat();
    assert_eq!(distinct::<Sha256, _>(&repeated), 100);
    assert_eq!(distinct::<OneByOne<Sha512>, _>(&repeated), 100);
    println!("{} messages, of which 100 are distinct", repeated.len());
}

/// How many different messages there are, told apart by their digests.
///
/// `L` says who supplies the lanes. Callers write `_` for it.
fn distinct<D: DigestMany<L, Output: Ord>, L>(messages: &[String]) -> usize {
    let mut digests = D::digest_many(messages);
    digests.sort_unstable();
    digests.dedup();
    digests.len()
}

/// The bytes in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
