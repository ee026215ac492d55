//! Times Merkle trees: roots, proofs and updates.
//!
//! They are separate from the other shapes because a candidate does not get a batch and a digest
//! buffer. Each takes leaves in its own way, and keeps what a program would keep between calls.

#[cfg(feature = "rivals")]
mod blocks;
mod data;
mod naive;
mod ours;
mod persistent;
#[cfg(feature = "rivals")]
mod rivals;

use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use criterion::{BenchmarkId, Criterion, Throughput};
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;

use self::data::{Node, Proofs, Update, random_nodes};
use self::ours::Input;
use self::persistent::Work;
use crate::candidate::{Role, clean_vector_state};
use crate::interleave::{Timing, interleave};
use crate::record::Row;
use crate::sumhash;

/// The number of chunks of a validator.
const VALIDATOR_CHUNKS: usize = 8;

/// The number of proofs verified per call.
const PROOFS: usize = 1000;

/// The same for small batches.
const FEW_PROOFS: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// A set of related shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Set {
    /// Trees of each family against the rivals, proofs, and updates.
    Trees,
    /// Batches of 1 to 16 proofs.
    FewProofs,
    /// Roots of 2^10 to 2^24 leaves: the cost of a leaf by the size of the tree.
    TreeScaling,
    /// Lists that share subtrees with their clones.
    Persistent,
}

/// A tree and the task to do with it.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The set of this shape.
    pub set: Set,
    task: Task,
    /// The number of leaves, or of numbers in a list.
    leaves: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// The root of 32-byte chunks.
    SszRoot,
    /// The root of validators with eight chunks each.
    SszRegistryRoot,
    /// The root of transaction ids.
    BitcoinRoot,
    /// A root of a block, including hashing its transactions.
    #[cfg(feature = "rivals")]
    BlockRoot(blocks::Root),
    /// The root of 32-byte entries, including hashing them into leaves.
    Rfc6962Root,
    /// The root of 64-byte leaves, with the nodes of Algorand's state proofs.
    Sumhash512Root,
    /// This many inclusion proofs of random chunks in one tree.
    SszVerify(usize),
    /// This many inclusion proofs of random entries in one tree, including hashing the entries into
    /// leaves.
    Rfc6962Verify(usize),
    /// Replacing a random 1 % of the leaves of an in-memory tree.
    SszUpdate,
    /// Lists that share subtrees with their clones.
    Persistent(Work),
}

impl Shape {
    /// All shapes.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let shape = |(task, leaves)| Self { set: Set::Trees, task, leaves };
        let trees = [
            (Task::SszRoot, 1 << 10),
            (Task::SszRoot, 1 << 14),
            (Task::SszRoot, 1 << 20),
            (Task::SszRegistryRoot, 1 << 20),
            (Task::BitcoinRoot, 3000),
            #[cfg(feature = "rivals")]
            (Task::BlockRoot(blocks::Root::Transactions), 3000),
            #[cfg(feature = "rivals")]
            (Task::BlockRoot(blocks::Root::Witnesses), 3000),
            (Task::Rfc6962Root, 1 << 16),
            (Task::Sumhash512Root, 1 << 12),
            (Task::SszVerify(PROOFS), 1 << 20),
            (Task::Rfc6962Verify(PROOFS), 1 << 20),
            (Task::SszUpdate, 1 << 20),
        ];
        let few_proofs = FEW_PROOFS
            .into_iter()
            .flat_map(|proofs| [Task::SszVerify(proofs), Task::Rfc6962Verify(proofs)])
            .map(|task| Self { set: Set::FewProofs, task, leaves: 1 << 16 });
        let scaling = (10..=24).map(|log2| Self {
            set: Set::TreeScaling,
            task: Task::SszRoot,
            leaves: 1 << log2,
        });
        let persistent = Work::ALL.map(|work| Self {
            set: Set::Persistent,
            task: Task::Persistent(work),
            leaves: 1 << 20,
        });
        trees.map(shape).into_iter().chain(few_proofs).chain(persistent).chain(scaling).collect()
    }

    /// The name of the task.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        match self.task {
            Task::SszRoot => "ssz_root",
            Task::SszRegistryRoot => "ssz_registry_root",
            Task::BitcoinRoot => "bitcoin_root",
            #[cfg(feature = "rivals")]
            Task::BlockRoot(root) => root.operation(),
            Task::Rfc6962Root => "rfc6962_root",
            Task::Sumhash512Root => "sumhash512_root",
            Task::SszVerify(_) => "ssz_verify",
            Task::Rfc6962Verify(_) => "rfc6962_verify",
            Task::SszUpdate => "ssz_update",
            Task::Persistent(work) => work.operation(),
        }
    }

    fn label(&self) -> String {
        let tree = if self.leaves.is_power_of_two() {
            format!("2^{}", self.leaves.ilog2())
        } else {
            self.leaves.to_string()
        };
        match self.task {
            Task::SszVerify(proofs) | Task::Rfc6962Verify(proofs) => format!("{proofs}-in-{tree}"),
            Task::SszUpdate | Task::Persistent(Work::Update | Work::UpdateOne) => {
                format!("{}-of-{tree}", self.items())
            }
            // Some of these trees are also in the other set, with more rivals.
            _ if self.set == Set::TreeScaling => format!("scaling-{tree}"),
            _ => tree,
        }
    }

    /// Operation and tree, such as `ssz_root/2^20`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.operation(), self.label())
    }

    /// The number of leaves or proofs per call.
    fn items(&self) -> usize {
        match self.task {
            Task::SszRoot
            | Task::SszRegistryRoot
            | Task::BitcoinRoot
            | Task::Rfc6962Root
            | Task::Sumhash512Root => self.leaves,
            Task::SszVerify(proofs) | Task::Rfc6962Verify(proofs) => proofs,
            Task::SszUpdate => self.leaves / 100,
            #[cfg(feature = "rivals")]
            Task::BlockRoot(_) => self.leaves,
            Task::Persistent(work) => work.items(self.leaves),
        }
    }

    /// The length of these in bytes. A proof includes its leaf.
    fn bytes(&self) -> usize {
        let nodes = match self.task {
            Task::SszVerify(_) | Task::Rfc6962Verify(_) => 1 + self.leaves.ilog2() as usize,
            Task::SszRegistryRoot => VALIDATOR_CHUNKS,
            _ => 1,
        };
        let node = match self.task {
            Task::Sumhash512Root => size_of::<Node<64>>(),
            Task::Persistent(_) => size_of::<u64>(),
            _ => size_of::<Node>(),
        };
        self.items() * nodes * node
    }
}

/// Runs the task. Returns the root, or a byte for each proof: 1 if it is valid.
type Run = Box<dyn FnMut() -> Vec<u8>>;

/// Something that can run a task.
struct Candidate {
    name: String,
    role: Role,
    run: Run,
}

impl Candidate {
    fn new(name: String, role: Role, run: impl FnMut() -> Vec<u8> + 'static) -> Self {
        Self { name, role, run: Box::new(run) }
    }

    fn time(&mut self, calls: u64) -> Duration {
        clean_vector_state();
        let start = Instant::now();
        for _ in 0..calls {
            black_box((self.run)());
        }
        start.elapsed()
    }
}

/// The candidates for a shape, ours first, and their expected result.
#[cfg_attr(
    not(feature = "rivals"),
    allow(unused_mut, reason = "some shapes compare with nothing but rivals")
)]
fn candidates(shape: &Shape) -> (Vec<Candidate>, Vec<u8>) {
    let nodes = || -> Rc<[Node]> { random_nodes(shape.leaves).into() };
    match shape.task {
        Task::SszRoot if shape.set == Set::TreeScaling => {
            let leaves = nodes();
            let mut all = best_ssz_roots(&leaves);
            #[cfg(feature = "rivals")]
            all.push(rivals::hashtree_root(&leaves));
            (all, naive::root(&leaves, naive::sha256_node).to_vec())
        }
        Task::SszRoot => {
            let leaves = nodes();
            let mut all =
                ours::roots(|backend| Ssz::new().with_backend(backend), Input::Leaves, &leaves);
            all.push(naive::root_candidate(&leaves, naive::sha256_node));
            #[cfg(feature = "rivals")]
            all.extend(rivals::ssz_roots(&leaves));
            (all, naive::root(&leaves, naive::sha256_node).to_vec())
        }
        Task::SszRegistryRoot => {
            // The chunks of a validator are a complete subtree.
            let chunks: Rc<[Node]> = random_nodes(VALIDATOR_CHUNKS * shape.leaves).into();
            let mut all = best_ssz_roots(&chunks);
            #[cfg(feature = "rivals")]
            all.extend([rivals::hashtree_root(&chunks), rivals::tree_hash_registry(&chunks)]);
            (all, naive::root(&chunks, naive::sha256_node).to_vec())
        }
        Task::BitcoinRoot => {
            let txids = nodes();
            let mut all =
                ours::roots(|backend| Bitcoin::new().with_backend(backend), Input::Leaves, &txids);
            all.push(naive::root_candidate(&txids, naive::sha256d_node));
            #[cfg(feature = "rivals")]
            all.extend(rivals::bitcoin_roots(&txids));
            (all, naive::root(&txids, naive::sha256d_node).to_vec())
        }
        #[cfg(feature = "rivals")]
        Task::BlockRoot(root) => blocks::candidates(root, shape.leaves),
        Task::Rfc6962Root => {
            let entries = nodes();
            let mut all =
                ours::roots(|backend| Rfc6962::new().with_backend(backend), Input::Data, &entries);
            all.push(naive::rfc6962_root_candidate(&entries));
            #[cfg(feature = "rivals")]
            all.extend(rivals::rfc6962_roots(&entries));
            (all, naive::rfc6962_root(&entries).to_vec())
        }
        Task::Sumhash512Root => {
            let leaves: Rc<[Node<64>]> = random_nodes(shape.leaves).into();
            let mut all = ours::sumhash512_roots(&leaves);
            all.push(naive::sumhash512_root_candidate(&leaves));
            sumhash::grow_shared_table();
            (all, naive::root(&leaves, naive::sumhash512_node).to_vec())
        }
        Task::SszVerify(count) => {
            let proofs =
                Rc::new(Proofs::new(random_nodes(shape.leaves), count, naive::sha256_node));
            let mut all =
                ours::verifiers(|backend| Ssz::new().with_backend(backend), Input::Leaves, &proofs);
            all.push(naive::verifier(&proofs, |leaf| *leaf, naive::sha256_node));
            #[cfg(feature = "rivals")]
            all.extend(rivals::ssz_verifiers(&proofs));
            (all, proofs.verdicts())
        }
        Task::Rfc6962Verify(count) => {
            let entries = random_nodes(shape.leaves);
            let proofs = Proofs::of_data(&entries, count, naive::rfc6962_leaf, naive::rfc6962_node);
            let proofs = Rc::new(proofs);
            let mut all = ours::verifiers(
                |backend| Rfc6962::new().with_backend(backend),
                Input::Data,
                &proofs,
            );
            all.push(naive::verifier(&proofs, naive::rfc6962_leaf, naive::rfc6962_node));
            #[cfg(feature = "rivals")]
            all.extend(rivals::rfc6962_verifiers(&proofs));
            (all, proofs.verdicts())
        }
        Task::Persistent(work) => persistent::candidates(work, shape.leaves),
        Task::SszUpdate => {
            let update = Rc::new(Update::new(random_nodes(shape.leaves), shape.items()));
            let mut all = ours::updates(|backend| Ssz::new().with_backend(backend), &update);
            let after: Rc<[Node]> = update.after().into();
            all.push(naive::root_candidate(&after, naive::sha256_node));
            (all, naive::root(&after, naive::sha256_node).to_vec())
        }
    }
}

/// The roots by our best backend, without the tree, which holds a second copy of the leaves in
/// memory.
fn best_ssz_roots(leaves: &Rc<[Node]>) -> Vec<Candidate> {
    let mut all = ours::roots(|backend| Ssz::new().with_backend(backend), Input::Leaves, leaves);
    all.retain(|candidate| candidate.role == Role::Auto || !candidate.name.ends_with(":tree"));
    let default = merkle_lanes::Backend::detect();
    all.retain(|candidate| candidate.name.split(':').next() == Some(default.name()));
    all
}

/// The candidates for a shape, after a check of each.
///
/// # Panics
///
/// Panics if a candidate does not return the expected result.
fn checked(shape: &Shape) -> Vec<Candidate> {
    let (mut all, expected) = candidates(shape);
    for candidate in &mut all {
        assert!(
            (candidate.run)() == expected,
            "{}: wrong result for {}",
            candidate.name,
            shape.name()
        );
    }
    all
}

/// Times the candidates of a shape in interleaved turns.
///
/// # Panics
///
/// Panics if a candidate returns a wrong root or a wrong verdict on a proof.
#[must_use]
pub fn measure(shape: &Shape, budget: Duration) -> Vec<Row> {
    let mut candidates = checked(shape);
    let items = vec![shape.items(); candidates.len()];
    let timings = interleave(&items, |at, calls| candidates[at].time(calls), budget);
    let row = |(candidate, timing): (&Candidate, Timing)| Row {
        shape: shape.name(),
        candidate: candidate.name.clone(),
        role: candidate.role.name().to_owned(),
        messages: shape.items(),
        bytes: shape.bytes(),
        min_ns: timing.min,
        median_ns: timing.median,
    };
    candidates.iter().zip(timings).map(row).collect()
}

/// Times the candidates as Criterion rows, named `merkle-lanes/operation/candidate/shape`.
///
/// # Panics
///
/// Panics if a candidate returns a wrong root or a wrong verdict on a proof.
pub fn bench(criterion: &mut Criterion) {
    for shape in Shape::all().iter().filter(|shape| shape.set != Set::TreeScaling) {
        let mut group = criterion.benchmark_group(format!("merkle-lanes/{}", shape.operation()));
        group.throughput(Throughput::ElementsAndBytes {
            elements: shape.items() as u64,
            bytes: shape.bytes() as u64,
        });
        // Some calls take a third of a second.
        group.sample_size(10);
        for mut candidate in checked(shape) {
            let id = BenchmarkId::new(&candidate.name, shape.label());
            group.bench_function(id, |bencher| bencher.iter_custom(|calls| candidate.time(calls)));
        }
        group.finish();
    }
}
