//! Batch verification gives each proof the same verdict as alone.

use merkle_lanes::{
    Backend, Claim, InclusionProof, NodeHasher, Tree, TreeHead, VerifyError, verify_many,
};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::oracle::{Definition, Hash};
use crate::{each_family, each_family_on, flipped, leaves};

/// A claim that owns its data.
#[derive(Clone, Debug)]
struct Owned {
    head: TreeHead<Hash>,
    index: u64,
    leaf: Hash,
    proof: InclusionProof<Hash>,
}

impl Owned {
    fn of<H: NodeHasher<Node = Hash>>(tree: &Tree<H>, index: u64) -> Self {
        let (head, leaf) = (tree.head(), tree.leaves()[index as usize]);
        Self { head, index, leaf, proof: tree.prove(index).unwrap() }
    }

    fn claim(&self) -> Claim<'_, Hash> {
        let Self { head, index, leaf, proof } = self;
        Claim { head, index: *index, leaf, proof }
    }

    fn verdict<H: NodeHasher<Node = Hash>>(&self, hasher: &H) -> Result<(), VerifyError> {
        self.proof.verify(hasher, &self.head, self.index, &self.leaf)
    }
}

fn assert_as_one_by_one<H: NodeHasher<Node = Hash>>(
    hasher: &H,
    definition: Definition,
    claims: &[Owned],
) {
    let borrowed: Vec<_> = claims.iter().map(Owned::claim).collect();
    let verdicts = verify_many(hasher, &borrowed);
    let expected: Vec<_> = claims.iter().map(|claim| claim.verdict(hasher)).collect();
    assert_eq!(verdicts, expected, "{definition:?}: {claims:?}");
    for (claim, verdict) in claims.iter().zip(verdicts) {
        let Owned { head, index, leaf, proof } = claim;
        let climbed = definition.climb(head.size, *index, leaf, proof.nodes());
        let is_right = head.size <= hasher.capacity() && climbed == Some(head.root);
        assert_eq!(verdict.is_ok(), is_right, "{definition:?}: {claim:?}");
    }
}

#[test]
fn of_all_leaves_with_every_backend() {
    let leaves = leaves(130);
    for backend in Backend::available() {
        for size in 0..=leaves.len() {
            let leaves = &leaves[..size];
            each_family_on(backend, |hasher, definition| {
                let tree = Tree::from_leaves(hasher, leaves);
                let claims: Vec<_> = (0..tree.len()).map(|index| Owned::of(&tree, index)).collect();
                let borrowed: Vec<_> = claims.iter().map(Owned::claim).collect();
                assert_eq!(
                    verify_many(&hasher, &borrowed),
                    vec![Ok(()); leaves.len()],
                    "{definition:?}"
                );
            });
        }
    }
}

/// What a hostile claim changes.
#[derive(Clone, Debug)]
enum Change {
    None,
    Bit(Index, usize),
    Leaf(usize),
    Root(usize),
    LeafOfAnother(Index),
    ProofOfAnother(Index),
    NodeOfAnother(Index, Index),
    RootOfAnother(Index),
    Index(u64),
    Size(u64),
    Shorter,
    Longer,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => Just(Change::None),
        2 => (any::<Index>(), 0..256_usize).prop_map(|(at, bit)| Change::Bit(at, bit)),
        1 => (0..256_usize).prop_map(Change::Leaf),
        1 => (0..256_usize).prop_map(Change::Root),
        1 => any::<Index>().prop_map(Change::LeafOfAnother),
        1 => any::<Index>().prop_map(Change::ProofOfAnother),
        1 => (any::<Index>(), any::<Index>())
            .prop_map(|(other, at)| Change::NodeOfAnother(other, at)),
        1 => any::<Index>().prop_map(Change::RootOfAnother),
        1 => prop_oneof![0..40_u64, Just(u64::MAX)].prop_map(Change::Index),
        1 => prop_oneof![0..40_u64, Just(u64::MAX), Just(1 << 63), Just(1 << 20)]
            .prop_map(Change::Size),
        1 => Just(Change::Shorter),
        1 => Just(Change::Longer),
    ]
}

fn changed(claims: &[Owned], position: usize, change: &Change) -> Owned {
    let mut claim = claims[position].clone();
    let another = |index: &Index| &claims[index.index(claims.len())];
    let mut nodes = claim.proof.nodes().to_vec();
    match change {
        Change::None => {}
        Change::Bit(at, bit) if !nodes.is_empty() => {
            let at = at.index(nodes.len());
            nodes[at] = flipped(&nodes[at], *bit);
        }
        Change::NodeOfAnother(other, at) if !nodes.is_empty() => {
            let at = at.index(nodes.len());
            nodes[at] =
                another(other).proof.nodes().get(at).copied().unwrap_or(another(other).leaf);
        }
        Change::Bit(..) | Change::NodeOfAnother(..) => {}
        Change::Leaf(bit) => claim.leaf = flipped(&claim.leaf, *bit),
        Change::Root(bit) => claim.head.root = flipped(&claim.head.root, *bit),
        Change::LeafOfAnother(other) => claim.leaf = another(other).leaf,
        Change::ProofOfAnother(other) => nodes = another(other).proof.nodes().to_vec(),
        Change::RootOfAnother(other) => claim.head.root = another(other).head.root,
        Change::Index(index) => claim.index = *index,
        Change::Size(size) => claim.head.size = *size,
        Change::Shorter => drop(nodes.pop()),
        Change::Longer => nodes.push(claim.head.root),
    }
    claim.proof = nodes.into();
    claim
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(200)
    })]

    /// Trees with a common prefix of leaves share nodes, so proofs for different trees could be
    /// mistaken for proofs for one.
    #[test]
    fn mixed_batches(
        sizes in proptest::collection::vec(1_usize..40, 1..5),
        picks in proptest::collection::vec((any::<Index>(), any::<Index>(), change()), 0..80),
    ) {
        each_family(|hasher, definition| {
            let trees: Vec<_> =
                sizes.iter().map(|&size| Tree::from_leaves(hasher, leaves(size))).collect();
            let pick = |(tree, leaf, _): &(Index, Index, Change)| {
                let tree = &trees[tree.index(trees.len())];
                Owned::of(tree, leaf.index(tree.leaves().len()) as u64)
            };
            let good: Vec<_> = picks.iter().map(pick).collect();
            assert_as_one_by_one(&hasher, definition, &good);
            assert!(good.iter().all(|claim| claim.verdict(&hasher).is_ok()));
            let mixed: Vec<_> =
                (0..).zip(&picks).map(|(i, (.., change))| changed(&good, i, change)).collect();
            assert_as_one_by_one(&hasher, definition, &mixed);
        });
    }
}

impl Owned {
    /// Changes the nodes of the proof.
    fn edit(&mut self, edit: impl FnOnce(&mut Vec<Hash>)) {
        let mut nodes = self.proof.nodes().to_vec();
        edit(&mut nodes);
        self.proof = nodes.into();
    }
}

/// What an attack changes in one claim, and the error.
type Attack = (&'static str, fn(&mut Owned), VerifyError);

/// One attack of each kind on the proof of leaf 3 of 8.
const ATTACKS: [Attack; 12] = [
    ("a leaf that is not in the tree", |claim| claim.leaf[0] ^= 1, VerifyError::WrongRoot),
    ("the leaf of another claim", |claim| claim.leaf = leaves(8)[2], VerifyError::WrongRoot),
    ("the index of another claim", |claim| claim.index = 2, VerifyError::WrongRoot),
    ("another root", |claim| claim.head.root[31] ^= 1, VerifyError::WrongRoot),
    ("another first sibling", |claim| claim.edit(|it| it[0][5] ^= 1), VerifyError::WrongRoot),
    ("another shared sibling", |claim| claim.edit(|it| it[1][5] ^= 1), VerifyError::WrongRoot),
    ("another last sibling", |claim| claim.edit(|it| it[2][5] ^= 1), VerifyError::WrongRoot),
    ("siblings in another order", |claim| claim.edit(|it| it.swap(1, 2)), VerifyError::WrongRoot),
    (
        "a node in place of a leaf",
        |claim| {
            claim.leaf = claim.proof.nodes()[1];
            claim.index = 0;
            claim.edit(|it| drop(it.drain(..2)));
        },
        VerifyError::WrongLength { expected: 3, got: 1 },
    ),
    (
        "a leaf below the leaves",
        |claim| claim.edit(|it| it.insert(0, [7; 32])),
        VerifyError::WrongLength { expected: 3, got: 4 },
    ),
    (
        "an index with the same path",
        |claim| claim.index = 3 + 8,
        VerifyError::NoSuchLeaf { index: 11, size: 8 },
    ),
    (
        "a tree that is too large",
        |claim| claim.head.size = (1 << 63) + 1,
        VerifyError::TooManyLeaves { size: (1 << 63) + 1, capacity: 1 << 63 },
    ),
];

/// Each attack on one claim is found, and the verdicts of the others stay, whether they come before
/// or after it and share its nodes or not.
#[test]
fn each_attack_is_found() {
    each_family(|hasher, definition| {
        if matches!(definition, Definition::SszOfDepth(_)) {
            return; // The lengths of its proofs are others.
        }
        let tree = Tree::from_leaves(hasher, leaves(8));
        for others in [&[][..], &[2], &[0, 2, 3, 7], &[0, 1, 2, 4, 5, 6, 7], &[3, 3]] {
            for place in 0..=others.len() {
                for (name, attack, error) in &ATTACKS {
                    let mut claims: Vec<_> =
                        others.iter().map(|&index| Owned::of(&tree, index)).collect();
                    let mut attacked = Owned::of(&tree, 3);
                    attack(&mut attacked);
                    claims.insert(place, attacked);
                    let borrowed: Vec<_> = claims.iter().map(Owned::claim).collect();
                    let mut expected = vec![Ok(()); claims.len()];
                    expected[place] = Err(*error);
                    let context = format!("{definition:?}, {name}: at {place} of {others:?}");
                    assert_eq!(verify_many(&hasher, &borrowed), expected, "{context}");
                }
            }
        }
    });
}
