//! Times sumhash512 against the crate `sumhash`.
//!
//! The messages roll: each call takes the next of a few hundred. A message hashed repeatedly would
//! keep its columns of the table in the first-level cache. One shape does that, because the benches
//! of other implementations do.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use digest_0_10::Digest as _;
use digest_0_10::core_api::CoreWrapper;
use sumhash::compress::{Compressor as _, LookupTable, Matrix};
use sumhash::sumhash512core::AlgorandSumhash512Core;
use sumhash512::{Backend, Sumhash512, Sumhash512Core, Table};

use crate::candidate::Role;
use crate::interleave::interleave;
use crate::record::Row;
use crate::versions::label;

type Digest = [u8; 64];
pub(crate) type Rival = CoreWrapper<AlgorandSumhash512Core>;

/// The number of messages to roll through.
const MESSAGES: usize = 256;

/// Messages of one length.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    operation: Operation,
    /// Message length in bytes.
    len: usize,
    /// Messages per call.
    count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// The blocks of a message in a chain, without the padding: the time of a compression.
    Compress,
    /// One message.
    Digest,
    /// The same message repeatedly.
    DigestAgain,
    /// A batch of messages.
    HashMany,
}

impl Shape {
    /// All shapes: compressions, the 600 bytes of well-known benches, a participant and a node of a
    /// state proof, and batches of nodes and of keys.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let shape = |operation, count, len| Self { operation, len, count };
        vec![
            shape(Operation::Compress, 1, 64 * 64),
            shape(Operation::Digest, 1, 600),
            shape(Operation::DigestAgain, 1, 600),
            shape(Operation::Digest, 1, 83),
            shape(Operation::Digest, 1, 130),
            shape(Operation::HashMany, 64, 130),
            shape(Operation::HashMany, 64, 1805),
        ]
    }

    /// The name of the operation.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        match self.operation {
            Operation::Compress => "sumhash512_compress",
            Operation::Digest => "sumhash512_digest",
            Operation::DigestAgain => "sumhash512_digest_again",
            Operation::HashMany => "sumhash512_hash_many",
        }
    }

    fn label(&self) -> String {
        match self.operation {
            Operation::Compress => "chain".to_owned(),
            _ => format!("{}x{}B", self.count, self.len),
        }
    }

    /// Operation and messages, such as `sumhash512_digest/1x600B`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.operation(), self.label())
    }

    /// The number of compressions or digests per call.
    fn hashes(&self) -> usize {
        if self.operation == Operation::Compress { self.len / 64 } else { self.count }
    }
}

/// Random messages, from which each call takes the next.
#[derive(Debug)]
struct Messages {
    messages: Vec<Vec<u8>>,
    next: usize,
}

impl Messages {
    fn new(shape: &Shape) -> Self {
        // Xorshift64: a periodic pattern would look up the same rows of the table repeatedly.
        let mut word = 88_172_645_463_325_252_u64;
        let mut byte = || {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            word as u8
        };
        let count = if shape.operation == Operation::DigestAgain { 1 } else { MESSAGES };
        let messages = (0..count).map(|_| (0..shape.len).map(|_| byte()).collect()).collect();
        Self { messages, next: 0 }
    }

    fn take(&mut self, count: usize) -> &[Vec<u8>] {
        let first = self.next;
        self.next = (first + count) % self.messages.len();
        &self.messages[first..first + count]
    }
}

/// Hashes some messages, or compresses the blocks of one.
type Hash = Box<dyn FnMut(&[Vec<u8>], &mut [Digest])>;

/// Something that can hash a shape.
struct Candidate {
    name: String,
    role: Role,
    hash: Hash,
    messages: Messages,
    digests: Vec<Digest>,
    count: usize,
}

impl Candidate {
    fn new(shape: &Shape, name: String, role: Role, hash: Hash) -> Self {
        let digests = vec![[0xa5; 64]; shape.count];
        Self { name, role, hash, messages: Messages::new(shape), digests, count: shape.count }
    }

    fn time(&mut self, calls: u64) -> Duration {
        let start = Instant::now();
        for _ in 0..calls {
            (self.hash)(black_box(self.messages.take(self.count)), black_box(&mut self.digests));
        }
        start.elapsed()
    }

    /// The digests of the first call's messages.
    fn first_digests(&mut self) -> Vec<Digest> {
        (self.hash)(&self.messages.messages[..self.count], &mut self.digests);
        self.digests.clone()
    }
}

/// The candidates for a shape: our backends, the best first, AMX for batches, the constant-time
/// table and the rival.
///
/// # Panics
///
/// Panics if their digests differ.
fn candidates(shape: &Shape) -> Vec<Candidate> {
    let mut all = Vec::new();
    let amx = Backend::amx().filter(|_| shape.operation == Operation::HashMany);
    for backend in Backend::available().into_iter().chain(amx) {
        let role = if backend == Backend::detect() { Role::Auto } else { Role::Backend };
        all.push(Candidate::new(
            shape,
            backend.name().to_owned(),
            role,
            ours(shape.operation, backend),
        ));
    }
    let table: &'static Table = Box::leak(Box::new(Table::constant_time()));
    let constant_time: Hash = match shape.operation {
        Operation::Compress => Box::new(|messages, digests| {
            digests[0] = chain(Sumhash512Core::with_table(table), &messages[0]);
        }),
        _ => Box::new(|messages, digests| table.hash_many(messages, digests)),
    };
    all.push(Candidate::new(shape, "constant-time".to_owned(), Role::Backend, constant_time));
    all.push(Candidate::new(shape, rival_label(), Role::Rival, rival(shape.operation)));

    let expected = all.last_mut().expect("the rival is in the list").first_digests();
    for candidate in &mut all {
        assert!(candidate.first_digests() == expected, "{}: wrong digests", candidate.name);
    }
    grow_shared_table();
    all
}

/// Hashes enough blocks to make the shared table grow to its final size.
pub(crate) fn grow_shared_table() {
    let blocks = vec![[7; 64]; 1 << 14];
    sumhash512::compress_many(&mut vec![[7; 64]; blocks.len()], &blocks);
}

fn ours(operation: Operation, backend: Backend) -> Hash {
    match operation {
        Operation::Compress => Box::new(move |messages, digests| {
            digests[0] = chain(Sumhash512Core::new().with_backend(backend), &messages[0]);
        }),
        // The call that users with a single message make.
        Operation::Digest | Operation::DigestAgain if backend == Backend::detect() => {
            Box::new(|messages, digests| {
                use sumhash512::digest::Digest as _;
                digests[0] = Sumhash512::digest(&messages[0]).into();
            })
        }
        _ => Box::new(move |messages, digests| {
            sumhash512::hash_many_with(backend, messages, digests);
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

fn rival(operation: Operation) -> Hash {
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

/// Times the candidates of a shape in interleaved turns.
///
/// # Panics
///
/// Panics if their digests differ.
#[must_use]
pub fn measure(shape: &Shape, budget: Duration) -> Vec<Row> {
    let mut candidates = candidates(shape);
    let hashes = vec![shape.hashes(); candidates.len()];
    let timings = interleave(&hashes, |at, calls| candidates[at].time(calls), budget);
    let row = |(candidate, timing): (&Candidate, crate::interleave::Timing)| Row {
        shape: shape.name(),
        candidate: candidate.name.clone(),
        role: candidate.role.name().to_owned(),
        messages: shape.hashes(),
        bytes: shape.count * shape.len,
        min_ns: timing.min,
        median_ns: timing.median,
    };
    candidates.iter().zip(timings).map(row).collect()
}

/// Times the candidates as Criterion rows, named `sumhash512/operation/candidate/shape`.
///
/// # Panics
///
/// Panics if the candidates' digests differ.
pub fn bench(criterion: &mut Criterion) {
    for shape in Shape::all() {
        let mut group = criterion.benchmark_group(shape.operation().replacen('_', "/", 1));
        group.throughput(Throughput::ElementsAndBytes {
            elements: shape.hashes() as u64,
            bytes: (shape.count * shape.len) as u64,
        });
        for mut candidate in candidates(&shape) {
            let id = BenchmarkId::new(&candidate.name, shape.label());
            group.bench_function(id, |bencher| bencher.iter_custom(|calls| candidate.time(calls)));
        }
        group.finish();
    }
}
