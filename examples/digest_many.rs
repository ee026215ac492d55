//! Hashes many messages at once with RustCrypto's digest types.

use hash_lanes::HashMany;
use sha2::{Digest, Sha256, Sha512};
use sha256_multi::{DigestMany, Sha256Lanes};

fn main() {
    let messages: Vec<String> = (0..100).map(|i| format!("message {i}")).collect();

    // One message, as usual.
    let mut hasher = Sha256::new();
    hasher.update(&messages[0]);
    let one = hasher.finalize();

    // All messages, one per lane. The digests have the type that `finalize` returns.
    let all = Sha256::digest_many(&messages);
    assert_eq!(all[0], one);
    for (message, digest) in messages.iter().zip(&all) {
        assert_eq!(*digest, Sha256::digest(message));
    }
    println!("{} digests; the first is {}", all.len(), hex::encode(one));

    // `distinct` takes any hash with lanes, or a function that hashes one message.
    let repeated = [&messages[..], &messages[..10]].concat();
    assert_eq!(distinct(Sha256Lanes::default(), &repeated), 100);
    assert_eq!(distinct(|message: &[u8]| Sha512::digest(message), &repeated), 100);
    println!("{} messages, of which 100 are distinct", repeated.len());
}

/// Counts the distinct messages by their digests.
fn distinct<H: HashMany<Output: Ord>>(hash: H, messages: &[String]) -> usize {
    let mut digests = hash.hash_many(messages);
    digests.sort_unstable();
    digests.dedup();
    digests.len()
}
