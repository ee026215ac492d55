//! HMAC and PBKDF2 with SHA-256, of many messages and passwords.

use hash_lanes::Backend;
use hash_lanes::engine;

use crate::Sha256Lanes;

/// Writes HMAC-SHA-256 (RFC 2104, FIPS 198-1) of the `i`-th message with the `i`-th key to
/// `macs[i]`.
///
/// Keys and messages may have any length. If consecutive keys are the same slice, its two blocks
/// are hashed once. Compare a MAC in constant time, for example with the crate `subtle`.
///
/// ```
/// use std::iter::repeat_n;
///
/// let messages = ["one", "two", "three"];
/// let mut macs = [[0; 32]; 3];
/// sha256_multi::hmac_many(&["key 1", "key 2", "key 3"], &messages, &mut macs);
///
/// // One key for all messages.
/// sha256_multi::hmac_many(repeat_n("key", 3), &messages, &mut macs);
/// ```
///
/// # Panics
///
/// Panics if `keys.len() != macs.len()`, if `messages.len() != macs.len()`, or if an iterator's
/// length is wrong.
#[track_caller]
pub fn hmac_many<'m, I, K, J, M>(keys: I, messages: J, macs: &mut [[u8; 32]])
where
    I: IntoIterator<Item = &'m K, IntoIter: ExactSizeIterator>,
    K: AsRef<[u8]> + ?Sized + 'm,
    J: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hmac_many_with(Backend::detect(), keys, messages, macs);
}

/// [`hmac_many`] with a custom backend.
///
/// # Panics
///
/// Panics like [`hmac_many`] if the lengths do not match.
#[track_caller]
pub fn hmac_many_with<'m, I, K, J, M>(backend: Backend, keys: I, messages: J, macs: &mut [[u8; 32]])
where
    I: IntoIterator<Item = &'m K, IntoIter: ExactSizeIterator>,
    K: AsRef<[u8]> + ?Sized + 'm,
    J: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    engine::hmac_many::<Sha256Lanes, _, _, _, _, _>(backend, keys, messages, macs);
}

/// Derives `outputs[i]` from the `i`-th password and the `i`-th salt with PBKDF2-HMAC-SHA-256 (RFC
/// 8018 §5.2).
///
/// Outputs may have different lengths. One of more than 32 bytes takes as many lanes as it has
/// digests, for all rounds.
///
/// ```
/// let passwords = ["tiger", "letmein"];
/// let salts = [[1; 16], [2; 16]];
/// let mut outputs = [[0; 32]; 2];
/// sha256_multi::pbkdf2_many(&passwords, &salts, 1000, &mut outputs);
/// ```
///
/// # Panics
///
/// Panics if `passwords.len() != outputs.len()`, if `salts.len() != outputs.len()`, if an
/// iterator's length is wrong, if `rounds == 0`, or if an output is longer than 32 (2^32 - 1)
/// bytes.
#[track_caller]
pub fn pbkdf2_many<'m, I, P, J, S, D>(passwords: I, salts: J, rounds: u32, outputs: &mut [D])
where
    I: IntoIterator<Item = &'m P, IntoIter: ExactSizeIterator>,
    P: AsRef<[u8]> + ?Sized + 'm,
    J: IntoIterator<Item = &'m S, IntoIter: ExactSizeIterator>,
    S: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    pbkdf2_many_with(Backend::detect(), passwords, salts, rounds, outputs);
}

/// [`pbkdf2_many`] with a custom backend.
///
/// # Panics
///
/// Panics like [`pbkdf2_many`].
#[track_caller]
pub fn pbkdf2_many_with<'m, I, P, J, S, D>(
    backend: Backend,
    passwords: I,
    salts: J,
    rounds: u32,
    outputs: &mut [D],
) where
    I: IntoIterator<Item = &'m P, IntoIter: ExactSizeIterator>,
    P: AsRef<[u8]> + ?Sized + 'm,
    J: IntoIterator<Item = &'m S, IntoIter: ExactSizeIterator>,
    S: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    engine::pbkdf2_many::<Sha256Lanes, _, _, _, _, _, _>(
        backend, passwords, salts, rounds, outputs,
    );
}
