//! HASH160, the hash of Bitcoin's addresses: RIPEMD-160 of the SHA-256 of a public key or a script.

mod fused;
mod general;
mod keys;
mod single;

use hash_lanes::{Backend, MAX_LANES, check_counts};

pub use single::{hash160, hash160_with};

/// How many messages are looked at together.
const GROUP: usize = 4 * MAX_LANES;

/// Bytes of a compressed public key of secp256k1 (SEC 1 §2.3.3).
const COMPRESSED: usize = 33;

/// Bytes of an uncompressed one.
const UNCOMPRESSED: usize = 65;

/// HASH160 of each message, into the hash at its own place.
///
/// Messages are taken by 64. Where all of these have 33 bytes, or all 65, as public keys have, they are
/// hashed by a kernel for that length.
///
/// ```
/// let keys = [[2; 33], [3; 33]];
/// let mut hashes = [[0; 20]; 2];
/// ripemd_multi::hash160_many(&keys, &mut hashes);
/// assert_eq!(hashes[1], ripemd_multi::hash160(&keys[1]));
/// ```
///
/// # Panics
///
/// If there are not as many hashes as messages.
#[track_caller]
pub fn hash160_many<'m, I, M>(messages: I, hashes: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash160_many_with(Backend::detect(), messages, hashes);
}

/// [`hash160_many`] with a backend of one's choice.
///
/// # Panics
///
/// If there are not as many hashes as messages.
#[track_caller]
pub fn hash160_many_with<'m, I, M>(backend: Backend, messages: I, hashes: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    let mut messages = messages.into_iter();
    check_counts(messages.len(), hashes.len());
    for hashes in hashes.chunks_mut(GROUP) {
        if let [hash] = hashes {
            *hash = hash160_with(backend, messages.next().expect("a message for each hash").as_ref());
            continue;
        }
        let mut group: [&[u8]; GROUP] = [&[]; GROUP];
        for (place, message) in group.iter_mut().zip(messages.by_ref().take(hashes.len())) {
            *place = message.as_ref();
        }
        hash_group(backend, &group[..hashes.len()], hashes);
    }
}

/// Hashes up to [`GROUP`] messages, more than one.
fn hash_group(backend: Backend, messages: &[&[u8]], hashes: &mut [[u8; 20]]) {
    if backend.widest().lanes() == 1 && backend.sha().is_none() {
        return single::one_by_one(backend, messages, hashes);
    }
    let length = messages[0].len();
    let are_equal = messages.iter().all(|message| message.len() == length);
    match length {
        COMPRESSED if are_equal => keys::hash::<COMPRESSED>(backend, messages, hashes),
        UNCOMPRESSED if are_equal => keys::hash::<UNCOMPRESSED>(backend, messages, hashes),
        _ => general::hash(backend, messages, hashes),
    }
}
