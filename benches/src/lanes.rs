//! The hashes in lanes: families of functions, operations and shapes.
//!
//! A family of hashes is a file of `lanes/` and a line of [`FAMILIES`].

mod blake2;
mod keccak;
mod pbkdf2;
mod ripemd;
mod sha1;
mod sha256;
mod sha512;

use ::sha2::digest::array::ArraySize;
use ::sha2::digest::{Digest, Output};
use hash_lanes::engine::{AnyHash, ShaExtensions};
use hash_lanes::{Backend, DigestMany, Lanes};

use crate::harness::{Candidate, Grid, Role, Run, Set, Shape};
use crate::machine;

/// The families.
static FAMILIES: [&Family; 7] = [
    &sha256::FAMILY,
    &sha1::FAMILY,
    &ripemd::FAMILY,
    &keccak::FAMILY,
    &sha512::FAMILY,
    &blake2::FAMILY,
    &pbkdf2::FAMILY,
];

/// What is measured of the hashes of a family.
struct Family {
    sets: &'static [(Set, &'static [Shapes])],
    /// The operations whose plans `regret` measures, with the lengths of their messages in bytes.
    grids: &'static [(&'static Operation, &'static [usize])],
}

/// An operation on several batches.
type Shapes = (&'static Operation, &'static [Messages]);

/// The rivals of a function or an operation: a function of the module `rivals` of its family.
/// Without the feature `rivals`, there are none.
macro_rules! rivals {
    ($name:ident) => {{
        #[cfg(feature = "rivals")]
        let rivals = rivals::$name;
        #[cfg(not(feature = "rivals"))]
        let rivals = $crate::lanes::none;
        rivals
    }};
}
use rivals;

/// A name and what it runs.
type Rival<'a> = (String, Run<'a>);

/// Makes rivals for a batch.
type Rivals = for<'a> fn(&'a Batch<'_>) -> Vec<Rival<'a>>;

/// No other crate offers it.
fn none<'a>(_: &'a Batch<'_>) -> Vec<Rival<'a>> {
    Vec::new()
}

/// Hashes the messages of a batch.
type HashBatch = for<'a> fn(&'a Batch<'_>) -> Run<'a>;

/// A hash function, and RustCrypto's crates for it, which hash one message after another. Their
/// digests are the reference for all candidates.
struct Function {
    digest_bytes: usize,
    /// Whether our backends with these SHA instructions differ from those without.
    uses_sha: fn(ShaExtensions) -> bool,
    /// The crates, each with the beginning of its version.
    crates: &'static [(&'static str, &'static str)],
    hash_batch: HashBatch,
    /// The rivals that hash one message after another.
    rivals: Rivals,
}

impl Function {
    /// A function of one crate, whose type is `D`.
    const fn of<D: Digest, const N: usize>(
        uses_sha: fn(ShaExtensions) -> bool,
        crates: &'static [(&'static str, &'static str)],
        rivals: Rivals,
    ) -> Self
    where
        Output<D>: Into<[u8; N]>,
    {
        Self { digest_bytes: N, uses_sha, crates, hash_batch: one_by_one::<D, N>, rivals }
    }
}

fn one_by_one<'a, D: Digest, const N: usize>(batch: &'a Batch<'_>) -> Run<'a>
where
    Output<D>: Into<[u8; N]>,
{
    each(batch, |message| D::digest(message).into())
}

/// CPUs have instructions for the hash that all our backends of SHA instructions use.
const SHA: fn(ShaExtensions) -> bool = |_| true;

/// No CPU has instructions for the hash.
const LANES_ONLY: fn(ShaExtensions) -> bool = |_| false;

/// The backends of ours that run an operation differently from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backends {
    /// Those with other kernels.
    Many,
    /// For a single message, which is hashed by SHA instructions or the portable code.
    Single,
    /// Only the default one.
    Default,
}

/// An operation on messages.
struct Operation {
    /// Our function for SHA-256, or the hash and its input for the other hashes.
    name: &'static str,
    function: &'static Function,
    backends: Backends,
    /// Our call of it.
    ours: for<'a> fn(Backend, &'a Batch<'_>) -> Run<'a>,
    /// The rivals with lanes.
    rivals: Rivals,
}

impl Operation {
    /// The digests of messages of any length.
    const fn many<F: AnyHash<Digest = [u8; N]>, const N: usize>(
        name: &'static str,
        function: &'static Function,
        rivals: Rivals,
    ) -> Self {
        Self { name, function, backends: Backends::Many, ours: many::<F, N>, rivals }
    }

    /// The digests of messages of any length, through RustCrypto's type, into its own digests.
    const fn digest_many<D, L, const N: usize>(
        name: &'static str,
        function: &'static Function,
        rivals: Rivals,
    ) -> Self
    where
        D: Digest<OutputSize: ArraySize<ArrayType<u8> = [u8; N]>>
            + DigestMany<L, Output = Output<D>>,
    {
        Self { name, function, backends: Backends::Default, ours: digest_many::<D, L, N>, rivals }
    }

    /// The digest of one message.
    const fn one<F: AnyHash<Digest = [u8; N]>, const N: usize>(
        name: &'static str,
        function: &'static Function,
    ) -> Self {
        Self { name, function, backends: Backends::Single, ours: one::<F, N>, rivals: none }
    }

    /// Our backends that run it differently from each other. The first is the default, or like it.
    fn backends(&self) -> Vec<Backend> {
        let default = Backend::detect();
        if self.backends == Backends::Default {
            return vec![default];
        }
        let mut all = Backend::available();
        all.retain(|backend| backend.sha().is_none_or(self.function.uses_sha));
        if self.backends == Backends::Single {
            // The plainest backend of each kind.
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

fn many<'a, F: AnyHash<Digest = [u8; N]>, const N: usize>(
    backend: Backend,
    batch: &'a Batch<'_>,
) -> Run<'a> {
    let lanes = Lanes::<F>::on(backend);
    whole(move |digests| lanes.hash_many_into(&batch.messages, digests))
}

fn digest_many<'a, D, L, const N: usize>(_: Backend, batch: &'a Batch<'_>) -> Run<'a>
where
    D: Digest<OutputSize: ArraySize<ArrayType<u8> = [u8; N]>> + DigestMany<L, Output = Output<D>>,
{
    whole(move |digests| {
        let digests = Output::<D>::cast_slice_from_core_mut(digests);
        D::digest_many_into(&batch.messages, digests);
    })
}

fn one<'a, F: AnyHash<Digest = [u8; N]>, const N: usize>(
    backend: Backend,
    batch: &'a Batch<'_>,
) -> Run<'a> {
    let lanes = Lanes::<F>::on(backend);
    each(batch, move |message| lanes.hash(message))
}

/// The number of messages and their lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Messages {
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

/// Messages of this length each, in bytes.
const fn equal(count: usize, len: usize) -> Messages {
    Messages::Equal { count, len }
}

/// Each number of messages from 1 to 64.
const fn up_to_64(len: usize) -> [Messages; 64] {
    let mut all = [equal(0, len); 64];
    let mut at = 0;
    while at < all.len() {
        all[at] = equal(at + 1, len);
        at += 1;
    }
    all
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// The sets of all families.
pub(crate) fn sets() -> impl Iterator<Item = &'static Set> {
    FAMILIES.iter().flat_map(|family| family.sets).map(|(set, _)| set)
}

/// Every shape, set by set.
pub(crate) fn shapes() -> Vec<Shape> {
    let mut all = Vec::new();
    for (set, shapes) in FAMILIES.iter().flat_map(|family| family.sets) {
        for (operation, batches) in *shapes {
            all.extend(batches.iter().map(|&batch| shape(set.name, operation, batch, None)));
        }
    }
    all
}

/// The operations whose plans `regret` measures.
pub(crate) fn grids() -> impl Iterator<Item = Grid> {
    FAMILIES.iter().flat_map(|family| family.grids).map(|&(operation, lengths)| {
        Grid::new(operation.name, lengths, |count, len| {
            shape("regret", operation, equal(count, len), Some(Backend::available()))
        })
    })
}

/// An operation on messages, with these backends of ours, or with all that run it differently from
/// each other and the rivals.
fn shape(
    set: &'static str,
    operation: &'static Operation,
    messages: Messages,
    backends: Option<Vec<Backend>>,
) -> Shape {
    let function = operation.function;
    // Some of the small batches are also in another set, with more rivals.
    let small = if set.ends_with("small") { "small-" } else { "" };
    let label = format!("{small}{}", messages.label());
    let lengths = messages.lengths();
    let size = (lengths.len(), lengths.iter().sum());

    Shape::new(set, (operation.name, label), size, move |then| {
        let input = Input::new(messages.lengths());
        let batch = input.batch();
        let mut run = (function.hash_batch)(&batch);
        let mut expected = vec![0; batch.messages.len() * function.digest_bytes];
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
            let run = (operation.ours)(backend, &batch);
            all.push(Candidate::new(backend.name().to_owned(), role, run));
        }
        if with_rivals {
            let crates: Vec<_> = function
                .crates
                .iter()
                .map(|(name, version)| machine::label(name, version))
                .collect();
            let mut rivals = vec![(crates.join("+"), run)];
            rivals.extend((operation.rivals)(&batch));
            rivals.extend((function.rivals)(&batch));
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
struct Batch<'a> {
    /// All messages, end to end.
    bytes: &'a [u8],
    /// The messages.
    messages: Vec<&'a [u8]>,
}

impl<'a> Batch<'a> {
    /// Whether all messages have one length.
    #[cfg(feature = "rivals")]
    fn is_equal(&self) -> bool {
        self.messages.iter().all(|message| message.len() == self.messages[0].len())
    }

    /// The messages as nodes of a binary tree.
    ///
    /// # Panics
    ///
    /// Panics unless every message is 64 bytes long.
    fn nodes(&self) -> &'a [[u8; 64]] {
        let (nodes, rest) = self.bytes.as_chunks();
        assert!(
            rest.is_empty() && nodes.len() == self.messages.len(),
            "the messages are not 64 bytes long each"
        );
        nodes
    }
}

/// Erases the digest length from the type of a function that hashes a whole batch.
fn whole<'a, const N: usize>(mut hash: impl FnMut(&mut [[u8; N]]) + 'a) -> Run<'a> {
    Box::new(move |digests| hash(digests.as_chunks_mut().0))
}

/// Hashes the messages one after another, without lanes.
fn each<'a, const N: usize>(batch: &'a Batch<'_>, once: impl Fn(&[u8]) -> [u8; N] + 'a) -> Run<'a> {
    whole(move |digests| {
        for (message, digest) in batch.messages.iter().zip(digests) {
            *digest = once(message);
        }
    })
}

/// The digest of a crate whose type has any length.
#[cfg(feature = "rivals")]
fn array<const N: usize>(digest: &impl AsRef<[u8]>) -> [u8; N] {
    digest.as_ref().try_into().expect("the digest has the algorithm's length")
}

/// Hashes a message, then its digest.
fn twice<const N: usize>(once: impl Fn(&[u8]) -> [u8; N]) -> impl Fn(&[u8]) -> [u8; N] {
    move |message| once(&once(message))
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
