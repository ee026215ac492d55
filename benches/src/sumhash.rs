//! sumhash512 and the crate `sumhash`.
//!
//! The messages roll: each call takes the next of a few hundred. A message hashed repeatedly would
//! keep its columns of the table in the first-level cache.

use digest_0_10::Digest as _;
use digest_0_10::core_api::CoreWrapper;
use sumhash::compress::{Compressor as _, LookupTable, Matrix};
use sumhash::sumhash512core::AlgorandSumhash512Core;
use sumhash512::{Backend, Sumhash512, Sumhash512Core, Sumhash512Lanes};

use crate::harness::{Candidate, Grid, LENGTHS, Role, Run, Set, Shape};
use crate::machine::label;

type Digest = [u8; 64];

pub(crate) type Rival = CoreWrapper<AlgorandSumhash512Core>;

/// The number of messages to roll through.
const MESSAGES: usize = 256;

pub(crate) static SETS: [Set; 1] = [Set::new("sumhash512", "sumhash512", "sumhash512")];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// The blocks of a message in a chain, without the padding: the time of a compression.
    Compress,
    /// One message.
    Digest,
    /// A batch of messages.
    HashMany,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Self::Compress => "sumhash512_compress",
            Self::Digest => "sumhash512_digest",
            Self::HashMany => "sumhash512_hash_many",
        }
    }
}

/// All shapes: compressions, the 600 bytes of well-known benches, a participant and a node of a
/// state proof, and batches of nodes and of keys.
pub(crate) fn shapes() -> Vec<Shape> {
    use Operation::*;
    vec![
        shape("sumhash512", Compress, (1, 64 * 64), None),
        shape("sumhash512", Digest, (1, 600), None),
        shape("sumhash512", Digest, (1, 83), None),
        shape("sumhash512", Digest, (1, 130), None),
        shape("sumhash512", HashMany, (64, 130), None),
        shape("sumhash512", HashMany, (64, 1805), None),
    ]
}

/// Batches with each backend.
///
/// Without the empty message, which is a single lookup: its regret, 1.15 on Zen 3 and 1.08 to 1.10
/// on Zen 4 (23 and 21 ns), is the 2 ns that choosing a table takes. The choice pays from a few
/// bytes on.
pub(crate) fn grid() -> Grid {
    Grid::new(Operation::HashMany.name(), &LENGTHS[1..], |count, len| {
        shape("regret", Operation::HashMany, (count, len), Some(Backend::available()))
    })
}

fn shape(
    set: &'static str,
    operation: Operation,
    (count, len): (usize, usize),
    backends: Option<Vec<Backend>>,
) -> Shape {
    let (label, items) = match operation {
        Operation::Compress => ("chain".to_owned(), len / 64),
        _ => (format!("{count}x{len}B"), count),
    };
    Shape::new(set, (operation.name(), label), (items, count * len), move |then| {
        let messages = &random_messages(len);
        let candidate = |name, role, hash| rolling(messages, count, name, role, hash);
        let mut expected = vec![[0; 64]; count];
        rival(operation)(&messages[..count], &mut expected);

        let ours_of = |backend: Backend| {
            let role = Role::of(&backend, &Backend::detect());
            candidate(backend.name().to_owned(), role, ours(operation, backend))
        };
        let mut all: Vec<Candidate<'_>>;
        if let Some(backends) = &backends {
            all = backends.iter().copied().map(ours_of).collect();
        } else {
            all = distinct_backends().into_iter().map(ours_of).collect();
            all.push(candidate(rival_label(), Role::Rival, rival(operation)));
        }
        grow_shared_table();
        then(all, expected.as_flattened());
    })
}

/// A candidate that hashes the next `count` messages with each call.
fn rolling<'a>(
    messages: &'a [Vec<u8>],
    count: usize,
    name: String,
    role: Role,
    mut hash: Hash<'a>,
) -> Candidate<'a> {
    let mut rest = messages.chunks_exact(count).cycle();
    let run: Run<'_> = Box::new(move |output| {
        let batch = rest.next().expect("there are enough messages for a batch");
        hash(batch, output.as_chunks_mut().0);
    });
    Candidate::new(name, role, run)
}

/// Hashes some messages, or compresses the blocks of one.
type Hash<'a> = Box<dyn FnMut(&[Vec<u8>], &mut [Digest]) + 'a>;

/// Xorshift64: a periodic pattern would look up the same rows of the table repeatedly.
fn random_messages(len: usize) -> Vec<Vec<u8>> {
    let mut word = 88_172_645_463_325_252_u64;
    let mut byte = || {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        word as u8
    };
    (0..MESSAGES).map(|_| (0..len).map(|_| byte()).collect()).collect()
}

/// Hashes enough blocks to make the shared table grow to its final size.
pub(crate) fn grow_shared_table() {
    let _ = sumhash512::hash_many([vec![7; 64 << 14]]);
}

/// Our backends that run it differently from each other: it does not use SHA instructions.
pub(crate) fn distinct_backends() -> Vec<Backend> {
    let mut all = Backend::available();
    let default = Backend::detect();
    all.retain(|backend| *backend == default || backend.sha().is_none());
    all
}

fn ours(operation: Operation, backend: Backend) -> Hash<'static> {
    match operation {
        Operation::Compress => Box::new(move |messages, digests| {
            digests[0] = chain(Sumhash512Core::new().with_backend(backend), &messages[0]);
        }),
        // The call that users with a single message make.
        Operation::Digest if backend == Backend::detect() => Box::new(|messages, digests| {
            use sumhash512::digest::Digest as _;
            digests[0] = Sumhash512::digest(&messages[0]).into();
        }),
        _ => Box::new(move |messages, digests| {
            Sumhash512Lanes::default().on(backend).hash_many_into(messages, digests);
        }),
    }
}

/// The state after the whole blocks of a message.
fn chain(mut core: Sumhash512Core<'_>, message: &[u8]) -> Digest {
    core.update_blocks(message.as_chunks().0);
    *core.state()
}

/// The rival's name and version.
pub(crate) fn rival_label() -> String {
    label("sumhash", "0.1")
}

fn rival(operation: Operation) -> Hash<'static> {
    if operation == Operation::Compress {
        let table: LookupTable = Matrix::random_from_seed(b"Algorand", 8, 1024).lookup_table();
        return Box::new(move |messages, digests| {
            let mut input = [0; 128];
            for block in messages[0].as_chunks::<64>().0 {
                input[64..].copy_from_slice(block);
                table.compress(&mut digests[0], &input);
                input[..64].copy_from_slice(&digests[0]);
            }
        });
    }
    Box::new(|messages, digests| {
        for (message, digest) in messages.iter().zip(digests) {
            *digest = Rival::digest(message).as_slice().try_into().expect("a digest has 64 bytes");
        }
    })
}
