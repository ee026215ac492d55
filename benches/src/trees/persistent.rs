//! Lists of numbers that share subtrees with their clones: the workloads of milhouse's own benches.

use merkle_lanes::ssz::{PersistentList, Ssz};

use super::data::{Node, Random};
use super::{naive, size};
use crate::harness::{Candidate, Role, Shape};

/// The depth of a `List[uint64, 2^40]`, with four numbers to a chunk.
const DEPTH: u32 = 38;

/// What to do with a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// Append numbers.
    Push,
    /// Read all numbers.
    Iterate,
    /// Append numbers and compute the root.
    Root,
    /// Clone, replace a random 1 % of the numbers, compute the root.
    Update,
    /// Clone, and share subtrees with a list of the same numbers.
    RebaseEqual,
    /// Clone, and share subtrees with a list of the same numbers in reverse.
    RebaseDifferent,
}

impl Work {
    const ALL: [Self; 6] = [
        Self::Push,
        Self::Iterate,
        Self::Root,
        Self::Update,
        Self::RebaseEqual,
        Self::RebaseDifferent,
    ];

    fn operation(self) -> &'static str {
        match self {
            Self::Push => "persistent_push",
            Self::Iterate => "persistent_iterate",
            Self::Root => "persistent_root",
            Self::Update => "persistent_update",
            Self::RebaseEqual => "persistent_rebase_equal",
            Self::RebaseDifferent => "persistent_rebase_different",
        }
    }

    /// How many numbers of `all` count as items.
    fn items(self, all: usize) -> usize {
        if self == Self::Update { all / 100 } else { all }
    }

    /// The indices that an update replaces by their double.
    fn replaced(self, all: usize) -> Vec<usize> {
        let mut random = Random(3);
        (0..self.items(all)).map(|_| random.index(all)).collect()
    }

    /// The numbers of the list to share subtrees with.
    fn base(self, all: u64) -> Vec<u64> {
        let mut numbers: Vec<u64> = (0..all).collect();
        if self == Self::RebaseDifferent {
            numbers.reverse();
        }
        numbers
    }

    fn expected(self, all: usize) -> Vec<u8> {
        let mut numbers: Vec<u64> = (0..all as u64).collect();
        match self {
            Self::Root => root(&numbers).to_vec(),
            Self::Update => {
                for index in self.replaced(all) {
                    numbers[index] = 2 * index as u64;
                }
                root(&numbers).to_vec()
            }
            Self::Iterate => sum(numbers.into_iter()),
            _ => last(Some(numbers[all - 1])),
        }
    }
}

/// The root by definition.
fn root(numbers: &[u64]) -> Node {
    let chunks = |four: &[u64]| {
        let mut chunk = [0; 32];
        for (bytes, number) in chunk.as_chunks_mut().0.iter_mut().zip(four) {
            *bytes = number.to_le_bytes();
        }
        chunk
    };
    let chunks: Vec<Node> = numbers.chunks(4).map(chunks).collect();
    assert!(chunks.len().is_power_of_two(), "the tree must be complete");
    let mut root = naive::root(&chunks, naive::sha256_node);
    let mut zeros = [0; 32];
    for level in 0..DEPTH {
        if level >= chunks.len().ilog2() {
            root = naive::sha256_node(&root, &zeros);
        }
        zeros = naive::sha256_node(&zeros, &zeros);
    }
    let mut length = [0; 32];
    length[..8].copy_from_slice(&(numbers.len() as u64).to_le_bytes());
    naive::sha256_node(&root, &length)
}

fn sum(numbers: impl Iterator<Item = u64>) -> Vec<u8> {
    numbers.fold(0, u64::wrapping_add).to_le_bytes().to_vec()
}

fn last(number: Option<u64>) -> Vec<u8> {
    number.expect("the list is not empty").to_le_bytes().to_vec()
}

/// The workloads on this many numbers.
pub(super) fn shapes(numbers: usize) -> impl Iterator<Item = Shape> {
    Work::ALL.into_iter().map(move |work| {
        let items = work.items(numbers);
        let label = match work {
            Work::Update => format!("{items}-of-{}", size(numbers)),
            _ => size(numbers),
        };
        let names = (work.operation(), label);
        Shape::new("persistent", names, (items, items * size_of::<u64>()), move |then| {
            let all = vec![
                ours(work, numbers),
                #[cfg(feature = "rivals")]
                rival::candidate(work, numbers),
            ];
            then(all, &work.expected(numbers));
        })
    })
}

fn ours(work: Work, all: usize) -> Candidate<'static> {
    let ssz = Ssz::with_limit(1 << DEPTH);
    let list = move |numbers: &mut dyn Iterator<Item = u64>| {
        let mut list = PersistentList::<u64>::new(ssz);
        list.extend(numbers);
        list
    };
    let root =
        move |list: &mut PersistentList<u64>| ssz.mix_in_length(&list.root(), list.len()).to_vec();
    let numbers = all as u64;
    let name = merkle_lanes::Backend::detect().name().to_owned();
    match work {
        Work::Push => Candidate::returning(name, Role::Auto, move || {
            let list = list(&mut (0..numbers));
            last(list.get(list.len() - 1))
        }),
        Work::Root => {
            Candidate::returning(name, Role::Auto, move || root(&mut list(&mut (0..numbers))))
        }
        Work::Iterate => {
            let list = list(&mut (0..numbers));
            Candidate::returning(name, Role::Auto, move || sum(list.iter()))
        }
        Work::Update => {
            let mut before = list(&mut (0..numbers));
            before.root();
            let replaced = work.replaced(all);
            Candidate::returning(name, Role::Auto, move || {
                let mut after = before.clone();
                for &index in &replaced {
                    after.set(index as u64, 2 * index as u64).expect("the index is in range");
                }
                root(&mut after)
            })
        }
        Work::RebaseEqual | Work::RebaseDifferent => {
            let (before, base) =
                (list(&mut (0..numbers)), list(&mut work.base(numbers).into_iter()));
            Candidate::returning(name, Role::Auto, move || {
                let mut after = before.clone();
                after.rebase_on(&base);
                last(after.get(after.len() - 1))
            })
        }
    }
}

#[cfg(feature = "rivals")]
mod rival {
    use tree_hash::TreeHash as _;

    use super::{Candidate, Role, Work, last, sum};
    use crate::machine::label;

    type List = milhouse::List<u64, typenum::U1099511627776>;

    fn list(numbers: impl IntoIterator<Item = u64>) -> List {
        List::try_from_iter(numbers).expect("there is room for the numbers")
    }

    pub(super) fn candidate(work: Work, all: usize) -> Candidate<'static> {
        let numbers = all as u64;
        let name = label("milhouse", "0.9");
        let root = |list: &List| list.tree_hash_root().to_vec();
        match work {
            Work::Push => Candidate::returning(name, Role::Rival, move || {
                let list = list(0..numbers);
                last(list.get(all - 1).copied())
            }),
            Work::Root => Candidate::returning(name, Role::Rival, move || root(&list(0..numbers))),
            Work::Iterate => {
                let list = list(0..numbers);
                Candidate::returning(name, Role::Rival, move || sum(list.iter().copied()))
            }
            Work::Update => {
                let before = list(0..numbers);
                root(&before);
                let replaced = work.replaced(all);
                Candidate::returning(name, Role::Rival, move || {
                    let mut after = before.clone();
                    for &index in &replaced {
                        *after.get_mut(index).expect("the index is in range") = 2 * index as u64;
                    }
                    after.apply_updates().expect("the updates are in range");
                    root(&after)
                })
            }
            Work::RebaseEqual | Work::RebaseDifferent => {
                let (before, base) = (list(0..numbers), list(work.base(numbers)));
                Candidate::returning(name, Role::Rival, move || {
                    let mut after = before.clone();
                    after.rebase_on(&base).expect("both lists are without updates");
                    last(after.get(all - 1).copied())
                })
            }
        }
    }
}
