//! Every public function with the smallest, largest and most mismatched arguments, and the
//! documented panics.
//!
//! A hang, an overflow or an allocation that does not fit the input would end the test program.

use std::panic::{AssertUnwindSafe, catch_unwind};

use merkle_lanes::ssz::{Ssz, TooManyChunksError, ZERO_HASHES};
use merkle_lanes::{
    AnyDigest, Claim, ConsistencyProof, FrontierError, InclusionProof, MultiProof, NoSuchLeafError,
    Node, NodeHasher, RootBuilder, Tree, TreeHead, VerifyError, root, verify_many,
};
use sha256_multi::Sha256Lanes;

use crate::family::Family;
use crate::oracle::Hash;
use crate::{UNWRITTEN, head, leaves};

/// Asserts that a job panics with a message.
pub(crate) fn assert_panics<T>(expected: &str, job: impl FnOnce() -> T) {
    // Where a panic aborts, as in WebAssembly, nothing is left to assert.
    if cfg!(panic = "abort") {
        return;
    }
    let Err(payload) = catch_unwind(AssertUnwindSafe(job)) else { panic!("no panic: {expected}") };
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
    assert_eq!(message, Some(expected));
}

/// A height, level or depth far above that of any tree.
const BILLION: u32 = 1_000_000_000;

/// The capacity of all families without a limit.
const LARGEST: u64 = 1 << 63;

/// The panic of a tree with one leaf more than that.
const BEYOND_LARGEST: &str = "a tree of 9223372036854775809 leaves exceeds the capacity of \
                              9223372036854775808 leaves";

const A: Hash = [1; 32];
const B: Hash = [2; 32];

type Inclusion = InclusionProof<Hash>;
type Multi = MultiProof<Hash>;
type Consistency = ConsistencyProof<Hash>;

#[test]
fn families() {
    for hasher in &Family::unlimited() {
        hasher.hash_leaves::<&[u8]>(&[], &mut []);
        hasher.hash_level(&[], &mut []);
        hasher.hash_subtrees(&[], 1, &mut []);
        hasher.hash_subtrees(&[], 31, &mut []);
        assert_eq!(hasher.hash_leaf(&[]), hasher.hash_leaf(b""));
        assert_eq!(hasher.capacity(), LARGEST);
        assert_eq!([0, 1, LARGEST, u64::MAX].map(|size| hasher.depth(size)), [0, 0, 63, 63]);
        for nodes in [0, 1, 2, usize::MAX] {
            assert!((1..64).contains(&hasher.subtree_height(nodes)));
        }
        for level in 0..63 {
            let _ = hasher.missing(level);
        }
    }
    for missing in [
        |level| Ssz::new().missing(level),
        |level| merkle_lanes::bep52::Bep52::new().missing(level),
    ] {
        let message = "a missing node on level 1000000000 exceeds the maximum level of 63";
        assert_panics(message, || missing(BILLION));
    }
    assert_eq!(AnyDigest::<Sha256Lanes, 32>::default().padded_with(A).missing(BILLION), [0; 32]);
    let message = "a digest of 32 bytes does not fill nodes of 0 bytes";
    assert_panics(message, AnyDigest::<Sha256Lanes, 0>::default);
    let message = "a digest of 32 bytes does not fill nodes of 1000 bytes";
    assert_panics(message, AnyDigest::<Sha256Lanes, 1000>::default);
    assert_eq!(Hash::from_bytes(&[]), (&[][..], &[][..]));
    assert_eq!(Hash::as_bytes(&[]), [0_u8; 0]);
}

#[test]
fn roots_and_builders() {
    for hasher in &Family::unlimited() {
        assert_eq!(root(hasher, &[]), hasher.empty_root());
        assert_eq!(root(hasher, &[A]), A);

        let mut builder = RootBuilder::new(*hasher);
        builder.extend(&[]);
        builder.extend_data::<&[u8]>(&[]);
        assert_eq!((builder.len(), builder.is_empty()), (0, true));
        assert_eq!((builder.root(), builder.frontier()), (hasher.empty_root(), vec![]));

        let resume = |size, nodes| RootBuilder::resume(*hasher, size, vec![A; nodes]);
        let too_many = FrontierError::TooManyLeaves { size: u64::MAX, capacity: LARGEST };
        assert_eq!(resume(u64::MAX, 64).err(), Some(too_many));
        let wrong = |size, expected, got| Some(FrontierError::WrongLength { size, expected, got });
        assert_eq!(resume(0, 1).err(), wrong(0, 0, 1));
        assert_eq!(resume(1, 0).err(), wrong(1, 1, 0));
        assert_eq!(resume(LARGEST - 1, 62).err(), wrong(LARGEST - 1, 63, 62));

        let mut full = resume(LARGEST, 1).unwrap();
        assert_eq!((full.len(), full.root(), full.frontier()), (LARGEST, A, vec![A]));
        assert_panics(BEYOND_LARGEST, || full.push(B));
        assert_panics(BEYOND_LARGEST, || full.extend(&[B]));
        assert_panics(BEYOND_LARGEST, || full.extend_data(&["data"]));
        let mut filled = resume(LARGEST - 1, 63).unwrap();
        filled.push(B);
        assert_eq!((filled.len(), filled.frontier()), (LARGEST, vec![filled.root()]));
    }
}

#[test]
fn trees() {
    for hasher in &Family::unlimited() {
        let no_such = |index, size| VerifyError::NoSuchLeaf { index, size };
        let mut tree = Tree::new(*hasher);
        assert_eq!((tree.root(), tree.depth()), (hasher.empty_root(), 0));
        tree.truncate(0);
        tree.extend(&[]);
        tree.extend_data::<&[u8]>(&[]);
        assert_eq!(tree.prove(0), Err(NoSuchLeafError { index: 0, size: 0 }));
        assert_eq!(tree.prove_many(&[]), Err(VerifyError::NoLeaves));
        assert_eq!(tree.prove_consistency(0), Err(VerifyError::FromEmpty));
        assert_eq!(tree.update_many(&[]), Ok(()));

        tree.push(A);
        tree.truncate(u64::MAX);
        assert_eq!(tree.prove(u64::MAX), Err(NoSuchLeafError { index: u64::MAX, size: 1 }));
        assert_eq!(tree.prove_many(&[0, u64::MAX]), Err(no_such(u64::MAX, 1)));
        let error = VerifyError::Unsorted { index: 0, before: 0 };
        assert_eq!(tree.prove_many(&[0, 0]), Err(error));
        let error = VerifyError::Shrunk { old: u64::MAX, new: 1 };
        assert_eq!(tree.prove_consistency(u64::MAX), Err(error));
        assert_eq!(tree.update_many(&[(0, A), (0, B)]), Ok(()));
        assert_eq!(tree.root(), B);
        tree.truncate(0);
        assert_eq!((tree.len(), tree.root()), (0, hasher.empty_root()));
    }
}

#[test]
fn proofs() {
    for hasher in &Family::unlimited() {
        let at = |index, size| (index, TreeHead { size, root: A });
        let no_such = |index, size| VerifyError::NoSuchLeaf { index, size };
        let too_many = VerifyError::TooManyLeaves { size: u64::MAX, capacity: LARGEST };
        let wrong = |expected, got| VerifyError::WrongLength { expected, got };
        let deep = if hasher.odd() == merkle_lanes::Odd::Promoted { 1 } else { 63 };

        let cases = [
            (at(0, 0), 0, no_such(0, 0)),
            (at(0, 0), 1, no_such(0, 0)),
            (at(u64::MAX, 1), 0, no_such(u64::MAX, 1)),
            (at(0, 1), 1, wrong(0, 1)),
            (at(0, 2), 0, wrong(1, 0)),
            (at(0, LARGEST), 0, wrong(63, 0)),
            (at(LARGEST - 1, LARGEST), 1000, wrong(63, 1000)),
            // The last leaf of a tree of 2^62 + 1 leaves has no sibling below the root.
            (at(LARGEST / 2, LARGEST / 2 + 1), 0, wrong(deep, 0)),
            (at(0, u64::MAX), 64, too_many),
            (at(u64::MAX, u64::MAX), 0, too_many),
        ];
        let proofs = cases.map(|(_, nodes, _)| Inclusion::from(vec![A; nodes]));
        for (((index, head), _, error), proof) in cases.iter().zip(&proofs) {
            assert_eq!(proof.root(hasher, head.size, *index, &A), Err(*error));
            assert_eq!(proof.verify(hasher, head, *index, &A), Err(*error));
        }
        let claims: Vec<_> = cases
            .iter()
            .zip(&proofs)
            .map(|(((index, head), ..), proof)| Claim { head, index: *index, leaf: &A, proof })
            .collect();
        assert_eq!(verify_many(hasher, &claims), cases.map(|(.., error)| Err(error)));
        assert_eq!(verify_many(hasher, &[]), []);
        let nothing = Inclusion::from(vec![]);
        assert_eq!(nothing.verify(hasher, &head(1, &A), 0, &A), Ok(()));
        // The longest proof there is, of the last leaf of the largest tree.
        let longest = Inclusion::from(vec![A; 63]);
        let result = longest.verify(hasher, &head(LARGEST, &A), LARGEST - 1, &A);
        assert_eq!(result, Err(VerifyError::WrongRoot));

        for (size, leaves, nodes, error) in [
            (0, &[][..], 0, VerifyError::NoLeaves),
            (u64::MAX, &[], 0, too_many),
            (u64::MAX, &[(u64::MAX, A)], 0, too_many),
            (0, &[(0, A)], 0, no_such(0, 0)),
            (1, &[(u64::MAX, A)], 0, no_such(u64::MAX, 1)),
            (1, &[(0, A), (0, A)], 0, VerifyError::Unsorted { index: 0, before: 0 }),
            (1, &[(0, A)], 1, wrong(0, 1)),
            (LARGEST, &[(0, A), (LARGEST - 1, A)], 0, wrong(124, 0)),
            (LARGEST, &[(0, A), (LARGEST - 1, A)], 1000, wrong(124, 1000)),
            (LARGEST, &[(0, A), (LARGEST - 1, A)], 124, VerifyError::WrongRoot),
        ] {
            let result = Multi::from(vec![A; nodes]).verify(hasher, &head(size, &A), leaves);
            assert_eq!(result, Err(error), "{size} leaves, {nodes} nodes");
        }

        for (old, new, nodes, error) in [
            (0, 0, 0, VerifyError::FromEmpty),
            (0, LARGEST, 0, VerifyError::FromEmpty),
            (u64::MAX, 1, 0, VerifyError::Shrunk { old: u64::MAX, new: 1 }),
            (1, u64::MAX, 0, too_many),
            (u64::MAX, u64::MAX, 0, too_many),
            (LARGEST, LARGEST, 1, wrong(0, 1)),
            (1, LARGEST, 0, wrong(63, 0)),
            (LARGEST - 1, LARGEST, 1000, wrong(64, 1000)),
            (LARGEST - 1, LARGEST, 64, VerifyError::WrongOldRoot),
        ] {
            let proof = Consistency::from(vec![A; nodes]);
            let result = proof.verify(hasher, &head(old, &A), &head(new, &A));
            assert_eq!(result, Err(error), "from {old} to {new}, {nodes} nodes");
        }
        let largest = head(LARGEST, &A);
        let same = Consistency::from(vec![]).verify(hasher, &largest, &largest);
        assert_eq!(same, Ok(()));
    }
}

#[test]
fn limits() {
    let none = Ssz::with_limit(0);
    assert_eq!((none.capacity(), none.depth(u64::MAX), root(&none, &[])), (0, 0, [0; 32]));
    assert_eq!(none.merkleize(&[]), Ok([0; 32]));
    assert_eq!(none.merkleize(&[A]), Err(TooManyChunksError { limit: 0, got: 1 }));
    let message = "a tree of 1 leaves exceeds the capacity of 0 leaves";
    assert_panics(message, || root(&none, &[A]));
    assert_panics(message, || Tree::new(none).push(A));
    assert_panics(message, || RootBuilder::new(none).push(A));
    assert_eq!(Tree::new(none).root(), [0; 32]);

    let largest = Ssz::with_limit(LARGEST);
    assert_eq!(root(&largest, &[]), ZERO_HASHES[63]);
    let mut tree = Tree::from_leaves(largest, [A]);
    let expected = root(&largest, &[A]);
    assert_eq!((tree.depth(), tree.root(), tree.level(63)), (63, expected, &[expected][..]));
    tree.extend(&[B]);
    assert_eq!(tree.root(), root(&largest, &[A, B]));
    let proof = tree.prove(1).unwrap();
    assert_eq!(proof.verify(&largest, &tree.head(), 1, &B), Ok(()));
    tree.update(0, B).unwrap();
    tree.truncate(1);
    assert_eq!(tree.root(), root(&largest, &[B]));
    let message = "a limit of 18446744073709551615 chunks exceeds the maximum of \
                   9223372036854775808";
    assert_panics(message, || Ssz::with_limit(u64::MAX));
}

#[test]
fn outputs_of_wrong_length() {
    for hasher in &Family::unlimited() {
        for (children, parents) in
            [(0, 1), (1, 0), (1, 1), (2, 0), (2, 2), (3, 1), (3, 2), (64, 31), (2000, 2000)]
        {
            let message = format!("{children} children cannot be hashed into {parents} parents");
            assert_panics(&message, || {
                hasher.hash_level(&leaves(children), &mut vec![UNWRITTEN; parents]);
            });
        }
        let cases = [
            (4, 0, 4),
            (0, 0, 0),
            (4, 2, 2),
            (3, 1, 1),
            (0, 1, 1),
            (0, 63, 2),
            (0, 64, 0),
            (0, u32::MAX, 0),
            (2048, 5, 63),
            (2048, 12, 1),
        ];
        for (count, height, roots) in cases {
            let message =
                format!("{count} leaves cannot be hashed into {roots} subtrees of height {height}");
            assert_panics(&message, || {
                hasher.hash_subtrees(&leaves(count), height, &mut vec![UNWRITTEN; roots]);
            });
        }
        for digests in [0, 2, 4] {
            let message = format!("3 messages cannot be hashed into {digests} digests");
            assert_panics(&message, || {
                hasher.hash_leaves(&["a", "b", "c"], &mut vec![UNWRITTEN; digests]);
            });
        }
    }
}

#[test]
fn too_many_leaves() {
    let hasher = Ssz::with_limit(5);
    let six = leaves(6);
    let message = "a tree of 6 leaves exceeds the capacity of 5 leaves";
    assert_panics(message, || root(&hasher, &six));
    assert_panics(message, || Tree::from_leaves(hasher, six.as_slice()));

    let mut tree = Tree::from_leaves(hasher, &six[..5]);
    let full = tree.root();
    assert_panics(message, || tree.push(six[5]));
    assert_panics(message, || tree.extend(&six[5..]));
    assert_panics(message, || tree.extend_data(&["data"]));
    assert_eq!((tree.len(), tree.root()), (5, full));

    let mut builder = RootBuilder::new(hasher);
    builder.extend(&six[..5]);
    assert_panics(message, || builder.push(six[5]));
    assert_panics(message, || builder.extend(&six[5..]));
    assert_panics(message, || builder.extend_data(&["data"]));
    assert_eq!((builder.len(), builder.root()), (5, full));
}
