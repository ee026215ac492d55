//! Changes trees and lists in any order, and compares their roots with those of plain vectors by
//! the definitions. Clones of a list stay as they were.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::keccak::OpenZeppelin;
use merkle_lanes::ssz::{PersistentList, Ssz, pack};
use merkle_lanes::verity::{Algorithm, FsVerity};
use merkle_lanes::{Backend, NodeHasher, RootBuilder, Tree};

use family::Family;
use oracle::{Definition, Hash, fs_verity, open_zeppelin, ssz};

#[path = "../../merkle/tests/it/family.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod family;
#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

#[derive(Arbitrary, Debug)]
struct Input {
    kind: u8,
    steps: Vec<Step>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    Push(u8),
    /// Appends this many values.
    Extend(u8),
    /// Sets one value.
    Set(u16, u8),
    /// Keeps this many values.
    Truncate(u16),
    /// Compares the root. A tree that was hashed is then changed.
    Hash,
    /// Keeps a clone of a list, or shares subtrees with the one that is kept.
    Clone,
}

/// More takes the definitions too long.
const MAX_STEPS: usize = 30;

/// Made once, because some of them are leaked.
static FAMILIES: LazyLock<Vec<(Family, Definition)>> =
    LazyLock::new(|| Family::all(Backend::detect()));

fuzz_target!(|input: Input| {
    match FAMILIES.get(usize::from(input.kind) % (FAMILIES.len() + 2)) {
        Some(&(hasher, definition)) => tree(&input.steps, hasher, definition),
        None if input.kind % 2 == 0 => list(&input.steps),
        None => blocks(&input.steps),
    }
});

/// fs-verity's tree of all bytes that the steps append, and OpenZeppelin's tree of their leaves.
fn blocks(steps: &[Step]) {
    let mut hasher = FsVerity::new(Algorithm::Sha256)
        .with_block_size(1024)
        .and_then(|verity| verity.with_salt(b"salt"))
        .expect("both are possible")
        .hasher();
    let (mut data, mut leaves) = (Vec::new(), Vec::new());
    for (nth, step) in steps.iter().take(MAX_STEPS).enumerate() {
        let more = match *step {
            Step::Push(byte) => vec![byte; 1 + nth],
            Step::Extend(count) => vec![nth as u8; 40 * usize::from(count)],
            Step::Set(len, byte) => vec![byte; len.into()],
            _ => continue,
        };
        hasher.update(&more);
        data.extend_from_slice(&more);
        leaves.push([more.last().copied().unwrap_or_default(); 32]);
    }
    let root = hasher.finalize().root();
    assert_eq!(root.as_bytes(), fs_verity(&data, 1024, b"salt"));
    if let Some(tree) = OpenZeppelin::new().simple_tree(&leaves) {
        leaves.sort_unstable();
        assert_eq!(tree.root(), open_zeppelin(&leaves));
    }
}

fn tree<H: NodeHasher<Node = Hash> + Copy>(steps: &[Step], hasher: H, definition: Definition) {
    let mut tree = Tree::new(hasher);
    let mut leaves: Vec<Hash> = Vec::new();
    for (nth, step) in steps.iter().take(MAX_STEPS).enumerate() {
        let room = definition.capacity() - tree.len();
        match *step {
            Step::Push(_) if room == 0 => {}
            Step::Extend(count) if room < count.into() => {}
            Step::Push(byte) => {
                tree.push([byte; 32]);
                leaves.push([byte; 32]);
            }
            Step::Extend(count) => {
                let more: Vec<Hash> = (0..count).map(|index| [index ^ nth as u8; 32]).collect();
                tree.extend(&more);
                leaves.extend(more);
            }
            Step::Set(at, byte) => {
                let index = usize::from(at);
                let updated = tree.update(index as u64, [byte; 32]);
                assert_eq!(updated.is_ok(), index < leaves.len());
                if let Some(leaf) = leaves.get_mut(index) {
                    *leaf = [byte; 32];
                }
            }
            Step::Truncate(size) => {
                tree.truncate(size.into());
                leaves.truncate(size.into());
            }
            Step::Hash | Step::Clone => assert_eq!(tree.root(), definition.root(&leaves)),
        }
    }
    assert_eq!(tree.leaves(), leaves);
    let root = definition.root(&leaves);
    assert_eq!(tree.root(), root);

    let mut builder = RootBuilder::new(hasher);
    builder.extend(&leaves);
    assert_eq!(builder.root(), root);
}

fn list(steps: &[Step]) {
    let mut list = PersistentList::<u64>::new(Ssz::new());
    let mut numbers: Vec<u64> = Vec::new();
    let mut kept = (list.clone(), numbers.clone());
    for (nth, step) in (0..).zip(steps.iter().take(MAX_STEPS)) {
        match *step {
            Step::Push(byte) => {
                list.push(byte.into());
                numbers.push(byte.into());
            }
            Step::Extend(count) => {
                let more = (0..u64::from(count)).map(|index| index << 32 | nth);
                list.extend(more.clone());
                numbers.extend(more);
            }
            Step::Set(at, byte) => {
                assert_eq!(
                    list.set(at.into(), byte.into()).is_ok(),
                    usize::from(at) < numbers.len()
                );
                if let Some(number) = numbers.get_mut(usize::from(at)) {
                    *number = byte.into();
                }
            }
            Step::Truncate(size) => {
                list.truncate(size.into());
                numbers.truncate(size.into());
            }
            Step::Hash => assert_list(&mut list, &numbers),
            Step::Clone if nth % 2 == 0 => kept = (list.clone(), numbers.clone()),
            Step::Clone => list.rebase_on(&kept.0),
        }
    }
    assert_list(&mut list, &numbers);
    assert_list(&mut kept.0, &kept.1);
    assert_eq!(list == kept.0, numbers == kept.1);
}

fn assert_list(list: &mut PersistentList<u64>, numbers: &[u64]) {
    assert!(list.iter().eq(numbers.iter().copied()));
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let chunks = pack(&bytes);
    let depth = Definition::Ssz.depth(chunks.len() as u64);
    assert_eq!(list.root(), ssz(&chunks, depth));
}
