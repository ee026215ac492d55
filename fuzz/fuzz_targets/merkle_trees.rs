//! Changes trees in any way, and compares their nodes with the definitions.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{Backend, NodeHasher, RootBuilder, Tree, root};

use oracle::{Definition, Hash, NaiveTree, sha256};

#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

/// The maximum number of leaves, which the oracle hashes one by one.
const MAX_LEAVES: usize = 300;

#[derive(Arbitrary, Debug)]
struct Input {
    family: u8,
    backend: u8,
    /// The lowest level to keep above the leaves.
    lowest: u8,
    steps: Vec<Step>,
    /// The numbers of leaves in the parts of the stream.
    parts: Vec<u8>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    Push(u8),
    Extend(u8),
    ExtendData(Vec<u8>),
    Truncate(u16),
    Update(u16, u8),
    UpdateMany(Vec<(u16, u8)>),
}

fuzz_target!(|input: Input| {
    let backends = Backend::available();
    let backend = backends[input.backend as usize % backends.len()];
    match input.family % 4 {
        0 => run(Rfc6962::new().with_backend(backend), Definition::Rfc6962, &input),
        1 => run(Bitcoin::new().with_backend(backend), Definition::Bitcoin, &input),
        2 => run(Ssz::new().with_backend(backend), Definition::Ssz, &input),
        _ => {
            run(Ssz::with_limit(1 << 10).with_backend(backend), Definition::SszOfDepth(10), &input)
        }
    }
});

fn run<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition, input: &Input) {
    let lowest = u32::from(input.lowest) % 12;
    let mut tree = Tree::with_lowest_level(hasher, lowest, []);
    let mut leaves = Vec::new();
    for step in input.steps.iter().take(20) {
        apply(step, &mut tree, &mut leaves);
        assert_eq!(
            (tree.leaves(), tree.root()),
            (leaves.as_slice(), definition.root(&leaves)),
            "{step:?}"
        );
    }
    if !leaves.is_empty() {
        let naive = NaiveTree::new(definition, &leaves);
        for (level, nodes) in (0..).zip(&naive.levels) {
            let is_kept = level == 0 || level >= lowest.min(tree.depth());
            let nodes = if is_kept { nodes.as_slice() } else { &[] };
            assert_eq!(tree.level(level), nodes, "level {level}");
        }
        for index in [0, leaves.len() / 2, leaves.len() - 1] {
            let proof = tree.prove(index as u64).expect("the leaf exists");
            assert_eq!(proof.nodes(), naive.path(index), "leaf {index}");
        }
    }
    assert_eq!(root(&hasher, &leaves), tree.root());

    let mut builder = RootBuilder::new(hasher);
    let mut rest = leaves.as_slice();
    for &part in &input.parts {
        let (now, later) = rest.split_at(rest.len().min(part.into()));
        builder.extend(now);
        assert_eq!(builder.root(), definition.root(&leaves[..leaves.len() - later.len()]));
        builder = RootBuilder::resume(hasher, builder.len(), builder.frontier())
            .expect("a builder accepts its own frontier");
        rest = later;
    }
    builder.extend(rest);
    assert_eq!(builder.root(), tree.root());
}

/// Applies a step to a tree and to the list of its expected leaves.
fn apply<H: NodeHasher<Node = Hash>>(step: &Step, tree: &mut Tree<H>, leaves: &mut Vec<Hash>) {
    let size = leaves.len();
    let room = MAX_LEAVES - size;
    match step {
        Step::Push(byte) if room > 0 => {
            tree.push([*byte; 32]);
            leaves.push([*byte; 32]);
        }
        Step::Extend(count) => {
            let more: Vec<Hash> =
                (0..room.min(usize::from(*count))).map(|i| sha256(&[&i.to_le_bytes()])).collect();
            tree.extend(&more);
            leaves.extend(more);
        }
        Step::ExtendData(bytes) => {
            let data: Vec<_> = bytes.chunks(7).take(room).collect();
            tree.extend_data(&data);
            leaves.extend(data.iter().map(|data| tree.hasher().hash_leaf(data)));
        }
        Step::Truncate(to) => {
            tree.truncate(u64::from(*to));
            leaves.truncate(usize::from(*to));
        }
        Step::Update(index, byte) => {
            let done = tree.update(u64::from(*index), [*byte; 32]);
            assert_eq!(done.is_ok(), usize::from(*index) < size);
            if let Some(leaf) = leaves.get_mut(usize::from(*index)) {
                *leaf = [*byte; 32];
            }
        }
        Step::UpdateMany(updates) => {
            let updates: Vec<_> =
                updates.iter().map(|&(index, byte)| (u64::from(index), [byte; 32])).collect();
            let all_in_range = updates.iter().all(|&(index, _)| index < size as u64);
            assert_eq!(tree.update_many(&updates).is_ok(), all_in_range);
            if all_in_range {
                for (index, leaf) in updates {
                    leaves[index as usize] = leaf;
                }
            }
        }
        Step::Push(_) => {}
    }
}
