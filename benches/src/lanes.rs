//! The hashes in lanes: their operations, the messages, and the candidates for each.

use std::iter::repeat_n;

use hash_lanes::Backend;
use pbkdf2::pbkdf2_hmac_array;
use ripemd::Ripemd160;
use ripemd_multi::Ripemd160Lanes;
use sha1::Sha1;
use sha1_multi::Sha1Lanes;
use sha2::{Digest as _, Sha256};
use sha256_multi::{DigestMany as _, Sha256Lanes};

use crate::harness::{Candidate, Role, Run, Shape};
use crate::machine::label;

/// The hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sha1,
    Sha256,
    /// SHA-256 of the SHA-256.
    Sha256Double,
    Ripemd160,
    /// RIPEMD-160 of the SHA-256.
    Hash160,
    /// PBKDF2 with HMAC-SHA-256; the messages are passwords.
    Pbkdf2Sha256,
    /// PBKDF2 with HMAC-SHA-1; the messages are passwords.
    Pbkdf2Sha1,
}

impl Function {
    fn digest_bytes(self) -> usize {
        match self {
            Self::Sha256 | Self::Sha256Double | Self::Pbkdf2Sha256 => 32,
            Self::Sha1 | Self::Ripemd160 | Self::Hash160 | Self::Pbkdf2Sha1 => 20,
        }
    }
}

/// The operation on the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// SHA-256 of 64-byte nodes.
    HashPairs,
    /// SHA-256 of messages of any length.
    HashMany,
    /// The same through RustCrypto's type, which allocates the digests.
    DigestMany,
    /// Double SHA-256 of 64-byte nodes, as in Bitcoin's transaction tree.
    DoubleHashPairs,
    /// Double SHA-256 of messages of any length, as for Bitcoin's block headers.
    DoubleHashMany,
    /// SHA-1 of messages of any length.
    Sha1Many,
    /// SHA-1 of one message.
    Sha1One,
    /// RIPEMD-160 of messages of any length.
    Ripemd160Many,
    /// RIPEMD-160 of one message.
    Ripemd160One,
    /// HASH160 of messages of any length, such as public keys.
    Hash160Many,
    /// HASH160 of one message.
    Hash160One,
    /// 1000 rounds of PBKDF2 with HMAC-SHA-256 of many passwords.
    Pbkdf2Sha256Many,
    /// The same with HMAC-SHA-1.
    Pbkdf2Sha1Many,
}

/// Rounds of PBKDF2 for each password.
pub(crate) const PBKDF2_ROUNDS: u32 = 1000;

/// The salt of every password.
pub(crate) const SALT: &[u8] = &[7; 16];

impl Operation {
    /// The name, which is our function for SHA-256, or the hash and its input for the other hashes,
    /// and the hash function that it computes.
    fn parts(self) -> (&'static str, Function) {
        match self {
            Self::HashPairs => ("hash_pairs", Function::Sha256),
            Self::HashMany => ("hash_many", Function::Sha256),
            Self::DigestMany => ("digest_many", Function::Sha256),
            Self::DoubleHashPairs => ("double_hash_pairs", Function::Sha256Double),
            Self::DoubleHashMany => ("double_hash_many", Function::Sha256Double),
            Self::Sha1Many => ("sha1_many", Function::Sha1),
            Self::Sha1One => ("sha1", Function::Sha1),
            Self::Ripemd160Many => ("ripemd160_many", Function::Ripemd160),
            Self::Ripemd160One => ("ripemd160", Function::Ripemd160),
            Self::Hash160Many => ("hash160_many", Function::Hash160),
            Self::Hash160One => ("hash160", Function::Hash160),
            Self::Pbkdf2Sha256Many => ("pbkdf2_sha256_many", Function::Pbkdf2Sha256),
            Self::Pbkdf2Sha1Many => ("pbkdf2_sha1_many", Function::Pbkdf2Sha1),
        }
    }

    /// The hash function that it computes.
    pub(crate) fn function(self) -> Function {
        self.parts().1
    }

    /// Our backends that run it differently from each other. The first is the default.
    fn backends(self) -> Vec<Backend> {
        let default = Backend::detect();
        if self == Self::DigestMany {
            return vec![default];
        }
        let mut all = Backend::available();
        if self.function() == Function::Ripemd160 {
            // RIPEMD-160 does not use SHA instructions, so backends with and without them are
            // alike.
            all.retain(|backend| backend.sha().is_none());
        }
        if matches!(self, Self::Sha1One | Self::Ripemd160One | Self::Hash160One) {
            // A single message uses either SHA instructions or the portable code, so keep the
            // plainest backend of each kind.
            let plainest =
                |has_sha| all.iter().rfind(|backend| backend.sha().is_some() == has_sha).copied();
            let has_sha = default.sha().is_some();
            return [has_sha, !has_sha].into_iter().filter_map(plainest).collect();
        }
        let differs = |backend: &Backend| {
            (backend.widest().kernel() != default.widest().kernel(), *backend != default)
        };
        all.sort_by_key(differs);
        all
    }
}

/// The number of messages and their lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// Messages of one length, in bytes.
    Equal {
        /// The number of messages.
        count: usize,
        /// The length of each in bytes.
        len: usize,
    },
    /// This many messages of 0 to 4096 bytes, in mixed order.
    Ragged(usize),
}

impl Messages {
    /// The length of each message, in bytes.
    fn lengths(self) -> Vec<usize> {
        match self {
            Self::Equal { count, len } => vec![len; count],
            // 1009 and 4097 are coprime: neighbours differ, and no length repeats within 4097
            // messages.
            Self::Ragged(count) => (0..count).map(|i| i * 1009 % 4097).collect(),
        }
    }

    fn label(self) -> String {
        match self {
            Self::Equal { count, len: 64 } => format!("{count}"),
            Self::Equal { count, len } if len >= 1 << 20 => format!("{count}x{}MiB", len >> 20),
            Self::Equal { count, len } if len >= 1 << 10 => format!("{count}x{}KiB", len >> 10),
            Self::Equal { count, len } => format!("{count}x{len}B"),
            Self::Ragged(count) => format!("ragged-{count}"),
        }
    }
}

/// Every shape, set by set.
pub(crate) fn shapes() -> Vec<Shape> {
    use Messages::{Equal, Ragged};
    use Operation::*;
    const KIB: usize = 1 << 10;
    const MIB: usize = 1 << 20;
    /// Lengths of a secp256k1 public key in bytes, compressed and uncompressed.
    const KEYS: [usize; 2] = [33, 65];

    let mut all = Vec::new();
    let mut add = |set, operation, messages: &[Messages]| {
        all.extend(messages.iter().map(|&messages| shape(set, operation, messages, None)));
    };
    let equal = |count, len| Equal { count, len };
    let up_to_64 = |len| -> Vec<_> { (1..=64).map(|count| equal(count, len)).collect() };
    let passwords = [1, 8, 64].map(|count| equal(count, 12));

    add("pairs", HashPairs, &[8, 16, 64, 4096].map(|count| equal(count, 64)));
    add("small", HashPairs, &up_to_64(64));
    add("double", DoubleHashPairs, &[1, 8, 64, 1024].map(|count| equal(count, 64)));
    add("double", DoubleHashMany, &[equal(1000, 80), equal(2048, 21)]);
    let long = [(1000, 32), (64, KIB), (16, 16 * KIB), (16, MIB), (1, MIB)];
    add("long", HashMany, &long.map(|(count, len)| equal(count, len)));
    add("long", HashMany, &[Ragged(256)]);
    add("long", DigestMany, &[equal(1000, 32)]);
    add("sha1-long", Sha1Many, &[equal(64, KIB), equal(16, 16 * KIB), equal(256, 256 * KIB)]);
    add("sha1-long", Sha1Many, &[Ragged(256)]);
    add("sha1-small", Sha1Many, &up_to_64(16 * KIB));
    add("sha1-single", Sha1One, &[equal(1, 64), equal(1, 16 * KIB)]);
    add("ripemd160-digests", Ripemd160Many, &[equal(4096, 32)]);
    add("ripemd160-small", Ripemd160Many, &up_to_64(32));
    add("ripemd160-long", Ripemd160Many, &[equal(64, KIB)]);
    add("ripemd160-single", Ripemd160One, &[equal(1, 32)]);
    add("hash160-keys", Hash160Many, &KEYS.map(|len| equal(4096, len)));
    add("hash160-small", Hash160Many, &up_to_64(KEYS[0]));
    add("hash160-single", Hash160One, &KEYS.map(|len| equal(1, len)));
    add("pbkdf2", Pbkdf2Sha256Many, &passwords);
    add("pbkdf2", Pbkdf2Sha1Many, &passwords);
    all
}

/// An operation on messages, with these backends of ours, or with all that run it differently from
/// each other and the rivals.
#[must_use]
pub fn shape(
    set: &'static str,
    operation: Operation,
    messages: Messages,
    backends: Option<Vec<Backend>>,
) -> Shape {
    let (name, function) = operation.parts();
    // Some of the small batches are also in another set, with more rivals.
    let small = if set.ends_with("small") { "small-" } else { "" };
    let label = format!("{small}{}", messages.label());
    let lengths = messages.lengths();
    let size = (lengths.len(), lengths.iter().sum());

    Shape::new(set, (name, label), size, move |then| {
        let input = Input::new(messages.lengths());
        let batch = input.batch();
        let (reference, mut run) = rust_crypto(function, &batch);
        let mut expected = vec![0; batch.messages.len() * function.digest_bytes()];
        run(&mut expected);

        let default = Backend::detect();
        let (ours, with_rivals) = match &backends {
            Some(backends) => (backends.clone(), false),
            None => (operation.backends(), true),
        };
        let mut all = Vec::new();
        for (at, backend) in ours.into_iter().enumerate() {
            let first_is_default = with_rivals && at == 0;
            let role = if first_is_default { Role::Auto } else { Role::of(&backend, &default) };
            let run = self::ours(operation, backend, &batch);
            all.push(Candidate::new(backend.name().to_owned(), role, run));
        }
        if with_rivals {
            let mut rivals = vec![(reference, run)];
            #[cfg(feature = "rivals")]
            rivals.extend(crate::rivals::rivals(operation, messages, &batch));
            if set == "small" {
                // These results are printed on one line per count, so keep the two that hash pairs
                // in lanes, and one that does not.
                let kept = ["sha2-0.11", "hashtree-rs", "p3-sha256"];
                rivals.retain(|(name, _)| kept.iter().any(|kept| name.starts_with(kept)));
            }
            let rival = |(name, run)| Candidate::new(name, Role::Rival, run);
            all.extend(rivals.into_iter().map(rival));
        }
        then(all, &expected);
    })
}

/// Bytes with a period of 251. It is prime, so no two of the first 251 blocks are equal, and the
/// checks detect swapped messages.
fn painted(len: usize) -> impl Iterator<Item = u8> {
    (0..=250).cycle().take(len)
}

/// Length of a cache line in bytes.
const LINE: usize = 64;

/// Messages end to end in one buffer, for the rivals that do not take slices.
///
/// The buffer is aligned to a cache line, as pages and files in memory are. Otherwise its alignment
/// decides how many lines a block spans, which changes the time by up to a sixth.
struct Input {
    buffer: Vec<u8>,
    begin: usize,
    lengths: Vec<usize>,
}

impl Input {
    fn new(lengths: Vec<usize>) -> Self {
        let len = lengths.iter().sum();
        let mut buffer: Vec<u8> = Vec::with_capacity(len + LINE);
        let begin = buffer.as_ptr().align_offset(LINE);
        buffer.resize(begin, 0);
        buffer.extend(painted(len));
        Self { buffer, begin, lengths }
    }

    fn batch(&self) -> Batch<'_> {
        let bytes = &self.buffer[self.begin..];
        let mut rest = bytes;
        let messages =
            self.lengths.iter().map(|&len| rest.split_off(..len).expect("the buffer holds them"));
        Batch { bytes, messages: messages.collect() }
    }
}

/// Messages in every representation that the candidates take, so that none of them pays for a
/// conversion.
pub(crate) struct Batch<'a> {
    /// All messages, end to end.
    pub(crate) bytes: &'a [u8],
    /// The messages.
    pub(crate) messages: Vec<&'a [u8]>,
}

impl<'a> Batch<'a> {
    /// The messages as nodes of a binary tree.
    ///
    /// # Panics
    ///
    /// Panics unless every message is 64 bytes long.
    pub(crate) fn nodes(&self) -> &'a [[u8; 64]] {
        let (nodes, rest) = self.bytes.as_chunks();
        assert!(
            rest.is_empty() && nodes.len() == self.messages.len(),
            "the messages are not 64 bytes long each"
        );
        nodes
    }
}

/// Erases the digest length from the type of a function that hashes a whole batch.
pub(crate) fn whole<'a, const N: usize>(mut hash: impl FnMut(&mut [[u8; N]]) + 'a) -> Run<'a> {
    Box::new(move |digests| hash(digests.as_chunks_mut().0))
}

/// Hashes the messages one after another, without lanes.
pub(crate) fn each<'a, const N: usize>(
    batch: &'a Batch<'_>,
    once: impl Fn(&[u8]) -> [u8; N] + 'a,
) -> Run<'a> {
    whole(move |digests| {
        for (message, digest) in batch.messages.iter().zip(digests) {
            *digest = once(message);
        }
    })
}

/// Hashes a message, then its digest.
pub(crate) fn twice<const N: usize>(once: impl Fn(&[u8]) -> [u8; N]) -> impl Fn(&[u8]) -> [u8; N] {
    move |message| once(&once(message))
}

fn ours<'a>(operation: Operation, backend: Backend, batch: &'a Batch<'_>) -> Run<'a> {
    let messages = &batch.messages;
    let sha256 = Sha256Lanes::on(backend);
    let sha1 = Sha1Lanes::on(backend);
    let ripemd = Ripemd160Lanes::on(backend);
    match operation {
        Operation::HashPairs => {
            whole(move |digests| sha256.hash_pairs_into(batch.nodes(), digests))
        }
        Operation::HashMany => whole(move |digests| sha256.hash_many_into(messages, digests)),
        Operation::DigestMany => whole(move |digests: &mut [[u8; 32]]| {
            for (digest, hashed) in digests.iter_mut().zip(Sha256::digest_many(messages)) {
                *digest = hashed.into();
            }
        }),
        Operation::DoubleHashPairs => {
            whole(move |digests| sha256.double_hash_pairs_into(batch.nodes(), digests))
        }
        Operation::DoubleHashMany => {
            whole(move |digests| sha256.double_hash_many_into(messages, digests))
        }
        Operation::Sha1Many => whole(move |digests| sha1.hash_many_into(messages, digests)),
        Operation::Sha1One => each(batch, move |message| sha1.hash(message)),
        Operation::Ripemd160Many => whole(move |digests| ripemd.hash_many_into(messages, digests)),
        Operation::Ripemd160One => each(batch, |message: &[u8]| ripemd_multi::hash(message)),
        Operation::Hash160Many => whole(move |hashes| ripemd.hash160_many_into(messages, hashes)),
        Operation::Hash160One => each(batch, move |message| ripemd.hash160(message)),
        Operation::Pbkdf2Sha256Many => whole(move |keys: &mut [[u8; 32]]| {
            let salts = repeat_n(SALT, keys.len());
            sha256.pbkdf2_many_into(messages, salts, PBKDF2_ROUNDS, keys);
        }),
        Operation::Pbkdf2Sha1Many => whole(move |keys: &mut [[u8; 20]]| {
            let salts = repeat_n(SALT, keys.len());
            sha1.pbkdf2_many_into(messages, salts, PBKDF2_ROUNDS, keys);
        }),
    }
}

/// The RustCrypto candidate, whose digests are the reference for all others.
fn rust_crypto<'a>(function: Function, batch: &'a Batch<'_>) -> (String, Run<'a>) {
    let (sha2, ripemd) = (label("sha2", "0.11"), label("ripemd", "0.2"));
    let pbkdf2 = label("pbkdf2", "0.13");
    match function {
        Function::Sha1 => {
            (label("sha1", "0.11"), each(batch, |message| Sha1::digest(message).into()))
        }
        Function::Sha256 => (sha2, each(batch, |message| Sha256::digest(message).into())),
        Function::Sha256Double => {
            (sha2, each(batch, twice(|message| Sha256::digest(message).into())))
        }
        Function::Ripemd160 => (ripemd, each(batch, |message| Ripemd160::digest(message).into())),
        Function::Hash160 => (
            format!("{sha2}+{ripemd}"),
            each(batch, |message| Ripemd160::digest(Sha256::digest(message)).into()),
        ),
        Function::Pbkdf2Sha256 => {
            (pbkdf2, each(batch, |word| pbkdf2_hmac_array::<Sha256, 32>(word, SALT, PBKDF2_ROUNDS)))
        }
        Function::Pbkdf2Sha1 => {
            (pbkdf2, each(batch, |word| pbkdf2_hmac_array::<Sha1, 20>(word, SALT, PBKDF2_ROUNDS)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_aligned_and_contiguous() {
        let input = Input::new(vec![100; 3]);
        let batch = input.batch();
        assert!(batch.bytes.as_ptr().addr().is_multiple_of(LINE));
        assert_eq!(batch.messages.concat(), painted(300).collect::<Vec<_>>());
    }
}
