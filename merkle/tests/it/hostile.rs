//! Modified proofs verify only where the definitions accept them.

use merkle_lanes::{ConsistencyProof, InclusionProof, MultiProof, NodeHasher, Tree};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::oracle::{Definition, Hash, NaiveTree, rfc9162_consistent};
use crate::{each_family, flipped, head, leaves};

/// A change to the nodes of a proof.
#[derive(Clone, Debug)]
enum Edit {
    Flip(Index, usize),
    Remove(Index),
    Twice(Index),
    Swap(Index, Index),
    /// Puts a leaf in place of a node.
    Leaf(Index, Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        (any::<Index>(), 0..256_usize).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        any::<Index>().prop_map(Edit::Remove),
        any::<Index>().prop_map(Edit::Twice),
        (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Edit::Swap(one, other)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, leaf)| Edit::Leaf(at, leaf)),
    ];
    proptest::collection::vec(edit, 0..4)
}

fn edited(mut nodes: Vec<Hash>, edits: &[Edit], leaves: &[Hash]) -> Vec<Hash> {
    for edit in edits {
        let count = nodes.len();
        if count == 0 {
            break;
        }
        match edit {
            Edit::Flip(at, bit) => nodes[at.index(count)] = flipped(&nodes[at.index(count)], *bit),
            Edit::Remove(at) => drop(nodes.remove(at.index(count))),
            Edit::Twice(at) => nodes.insert(at.index(count), nodes[at.index(count)]),
            Edit::Swap(one, other) => nodes.swap(one.index(count), other.index(count)),
            Edit::Leaf(at, leaf) => nodes[at.index(count)] = leaves[leaf.index(leaves.len())],
        }
    }
    nodes
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(300)
    })]

    /// There is only one valid proof for some leaves.
    #[test]
    fn multiproofs(
        size in 1..70_usize,
        chosen in proptest::collection::vec(any::<Index>(), 1..20),
        edits in edits(),
        leaf_bit in proptest::option::weighted(0.2, (any::<Index>(), 0..256_usize)),
    ) {
        let leaves = leaves(size);
        let mut indices: Vec<usize> = chosen.iter().map(|index| index.index(size)).collect();
        indices.sort_unstable();
        indices.dedup();
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves.as_slice());
            let good = NaiveTree::new(definition, &leaves).multiproof(&indices);
            let nodes = edited(good.clone(), &edits, &leaves);
            let is_good = nodes == good && leaf_bit.is_none();
            let mut proven: Vec<_> = indices.iter().map(|&i| (i as u64, leaves[i])).collect();
            if let Some((at, bit)) = leaf_bit {
                let leaf = &mut proven[at.index(indices.len())].1;
                *leaf = flipped(leaf, bit);
            }
            let verdict = MultiProof::from(nodes).verify(&hasher, &tree.head(), &proven);
            assert_eq!(verdict.is_ok(), is_good, "{definition:?}: {verdict:?}");
        });
    }

    /// There is only one valid proof between two sizes.
    #[test]
    fn consistency_proofs(
        new in 1..70_usize,
        old in any::<Index>(),
        edits in edits(),
        root_bits in proptest::option::weighted(0.2, (any::<bool>(), 0..256_usize)),
    ) {
        let (leaves, old) = (leaves(new), 1 + old.index(new));
        each_family(|hasher, definition| {
            let good = NaiveTree::new(definition, &leaves).consistency(old);
            let mut heads = [old, new]
                .map(|size| head(size as u64, &definition.root(&leaves[..size])));
            if let Some((of_old, bit)) = root_bits {
                let head = &mut heads[usize::from(!of_old)];
                head.root = flipped(&head.root, bit);
            }
            let nodes = edited(good.clone(), &edits, &leaves);
            let is_good = nodes == good && root_bits.is_none();
            if let Definition::Rfc6962 = definition {
                let [old, new] = heads.each_ref().map(|head| (head.size, &head.root));
                assert_eq!(rfc9162_consistent(old, new, &nodes), is_good);
            }
            let verdict = ConsistencyProof::from(nodes).verify(&hasher, &heads[0], &heads[1]);
            assert_eq!(verdict.is_ok(), is_good, "{definition:?}: {verdict:?}");
        });
    }

    /// Sizes, indices and nodes that have nothing to do with each other.
    #[test]
    fn of_any_numbers(
        size in prop_oneof![0..80_u64, any::<u64>(), Just(1 << 63), Just(u64::MAX)],
        index in prop_oneof![0..80_u64, any::<u64>()],
        nodes in proptest::collection::vec(prop::array::uniform32(any::<u8>()), 0..66),
        steps in proptest::collection::vec(0..4_u64, 0..5),
    ) {
        let leaf = [1; 32];
        each_family(|hasher, definition| {
            let expected = if size > hasher.capacity() {
                None
            } else {
                definition.climb(size, index, &leaf, &nodes)
            };
            let climbed = InclusionProof::from(nodes.clone()).root(&hasher, size, index, &leaf);
            assert_eq!(climbed.ok(), expected, "{definition:?}");
            let multi = MultiProof::from(nodes.clone());
            let climbed = multi.root(&hasher, size, &[(index, leaf)]);
            assert_eq!(climbed.ok(), expected, "{definition:?}");
            let several: Vec<_> =
                steps.iter().map(|step| (index.wrapping_add(*step), leaf)).collect();
            let _ = multi.root(&hasher, size, &several);
            let (old, new) = (head(index, &leaf), head(size, &[2; 32]));
            let verdict = ConsistencyProof::from(nodes.clone()).verify(&hasher, &old, &new);
            // No known input hashes to such a root.
            assert!(verdict.is_err(), "{definition:?}");
        });
    }
}

/// Padding cannot be chosen freely, even if another tree with such a node has the same root.
#[test]
fn wrong_padding_is_refused() {
    use merkle_lanes::VerifyError::NotMissing;

    each_family(|hasher, definition| {
        if matches!(definition, Definition::Rfc6962 | Definition::AnyPromoted) {
            return;
        }
        let (five, six) = (leaves(5), leaves(6));
        let longer = Tree::from_leaves(hasher, six.as_slice());
        let (longer, proof, several) = (
            head(5, &longer.root()),
            longer.prove(4).unwrap(),
            longer.prove_many(&[1, 4]).unwrap(),
        );
        let verdict = proof.verify(&hasher, &longer, 4, &five[4]);
        assert_eq!(verdict, Err(NotMissing { position: 0 }), "{definition:?}");
        let verdict = several.verify(&hasher, &longer, &[(1, six[1]), (4, six[4])]);
        assert_eq!(verdict, Err(NotMissing { position: 1 }), "{definition:?}");

        let mut nodes = Tree::from_leaves(hasher, five.as_slice()).prove(4).unwrap().into_nodes();
        nodes[1] = [7; 32];
        let verdict = InclusionProof::from(nodes).root(&hasher, 5, 4, &five[4]);
        assert_eq!(verdict, Err(NotMissing { position: 1 }), "{definition:?}");
    });
}
