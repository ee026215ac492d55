//! Changes trees and lists in any order, and compares their roots with those of plain vectors by
//! the definitions. Clones of a list stay as they were.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::{PersistentList, Ssz, pack};
use merkle_lanes::{NodeHasher, RootBuilder, Tree};

use oracle::{Definition, Hash, ssz};

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

fuzz_target!(|input: Input| {
    match input.kind % 4 {
        0 => tree(&input.steps, Rfc6962::new(), Definition::Rfc6962),
        1 => tree(&input.steps, Bitcoin::new(), Definition::Bitcoin),
        2 => tree(&input.steps, Ssz::new(), Definition::Ssz),
        _ => list(&input.steps),
    }
});

fn tree<H: NodeHasher<Node = Hash> + Copy>(steps: &[Step], hasher: H, definition: Definition) {
    let mut tree = Tree::new(hasher);
    let mut leaves: Vec<Hash> = Vec::new();
    for (nth, step) in steps.iter().take(MAX_STEPS).enumerate() {
        match *step {
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
