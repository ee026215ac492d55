//! Subtrees of Merkle Tree Certificates, against the definitions of the draft.

use merkle_lanes::rfc6962::{InvalidSubtreeError, Rfc6962, Subtree};
use merkle_lanes::{ConsistencyProof, NoSuchLeafError, Tree, TreeHead, VerifyError};

use crate::oracle::{Definition, Hash, rfc6962, sha256};
use crate::{flipped, head, leaves};

fn node(left: &Hash, right: &Hash) -> Hash {
    sha256(&[&[1], left, right])
}

/// A subtree as the draft defines it.
fn is_subtree(start: u64, end: u64) -> bool {
    start <= end && (start == end || start.is_multiple_of((end - start).next_power_of_two()))
}

/// `SUBTREE_SUBPROOF` of the draft.
fn subproof(start: usize, end: usize, leaves: &[Hash], is_known: bool) -> Vec<Hash> {
    let n = leaves.len();
    if start == end {
        return vec![];
    }
    if (start, end) == (0, n) {
        return if is_known { vec![] } else { vec![rfc6962(leaves)] };
    }
    let k = n.next_power_of_two() / 2;
    let (left, right) = leaves.split_at(k);
    if end <= k {
        [subproof(start, end, left, is_known), vec![rfc6962(right)]].concat()
    } else if k <= start {
        [subproof(start - k, end - k, right, is_known), vec![rfc6962(left)]].concat()
    } else {
        [subproof(0, end - k, right, false), vec![rfc6962(left)]].concat()
    }
}

/// The verification procedure of the draft, with its names.
fn is_consistent(
    (start, end): (u64, u64),
    node_hash: &Hash,
    tree: &TreeHead<Hash>,
    proof: &[Hash],
) -> bool {
    if !is_subtree(start, end) || end > tree.size {
        return false;
    }
    if start == end {
        return proof.is_empty() && *node_hash == sha256(&[]);
    }
    let (mut f, mut s, mut t) = (start, end - 1, tree.size - 1);
    while f != s && (s == t || s % 2 == 1) {
        (f, s, t) = (f / 2, s / 2, t / 2);
    }
    let mut proof = proof.iter();
    let first = if f == s { Some(node_hash) } else { proof.next() };
    let Some(&first) = first else { return false };
    let (mut fr, mut sr) = (first, first);
    for c in proof {
        if t == 0 {
            return false;
        }
        if s % 2 == 1 || s == t {
            if f < s {
                fr = node(c, &fr);
            }
            sr = node(c, &sr);
            while s % 2 == 0 {
                (f, s, t) = (f / 2, s / 2, t / 2);
            }
        } else {
            sr = node(&sr, c);
        }
        (f, s, t) = (f / 2, s / 2, t / 2);
    }
    t == 0 && fr == *node_hash && sr == tree.root
}

/// Each subtree of each small log, with each change of its proofs.
#[test]
fn of_every_small_log() {
    let (hasher, all) = (Rfc6962::new(), leaves(40));
    for size in 1..=26_u64 {
        let entries = &all[..size as usize];
        let log = Tree::from_leaves(hasher, entries);
        let tree = log.head();
        for (start, end) in (0..=size).flat_map(|start| (start..=size).map(move |end| (start, end)))
        {
            let Ok(subtree) = Subtree::new(start, end) else {
                assert!(!is_subtree(start, end));
                continue;
            };
            assert!(is_subtree(start, end));
            assert_eq!((subtree.start(), subtree.end()), (start, end));
            let range = &entries[start as usize..end as usize];
            let root = rfc6962(range);
            assert_eq!(subtree.root(&log), Ok(root));

            let proof = subtree.prove_consistency(&log).unwrap();
            let expected = subproof(start as usize, end as usize, entries, true);
            assert_eq!(proof.nodes(), expected, "{start}..{end} of {size}");
            let verify = |root: &Hash, tree: &TreeHead<Hash>, nodes: &[Hash]| {
                let proof = ConsistencyProof::from(nodes.to_vec());
                let verdict = subtree.verify_consistency(&hasher, root, tree, &proof);
                let is_right = is_consistent((start, end), root, tree, nodes);
                assert_eq!(verdict.is_ok(), is_right, "{start}..{end} of {}", tree.size);
                verdict
            };
            assert_eq!(verify(&root, &tree, &expected), Ok(()));
            assert!(verify(&flipped(&root, 3), &tree, &expected).is_err());
            let other = head(size, &flipped(&tree.root, 255));
            // Every log has the entries of an empty subtree.
            assert_eq!(verify(&root, &other, &expected).is_err(), start < end);
            for other_size in [size - 1, size + 1, 2 * size, 0] {
                let _ = verify(&root, &head(other_size, &tree.root), &expected);
            }
            for i in 0..expected.len() {
                let mut changed = expected.clone();
                changed[i] = flipped(&changed[i], 77);
                assert!(verify(&root, &tree, &changed).is_err());
                changed.remove(i);
                assert!(verify(&root, &tree, &changed).is_err());
            }
            assert!(verify(&root, &tree, &[&expected[..], &[[0; 32]]].concat()).is_err());

            for index in start..end {
                let proof = subtree.prove(&log, index).unwrap();
                let leaf = &entries[index as usize];
                let (len, at) = (end - start, index - start);
                let climbed = Definition::Rfc6962.climb(len, at, leaf, proof.nodes());
                assert_eq!(climbed, Some(root));
                assert_eq!(subtree.verify(&hasher, &root, index, leaf, &proof), Ok(()));
                let wrong = subtree.verify(&hasher, &root, index, &flipped(leaf, 9), &proof);
                assert_eq!(wrong, Err(VerifyError::WrongRoot));
            }
            if start == end {
                let error = NoSuchLeafError { index: start, size };
                assert_eq!(subtree.prove(&log, start), Err(error));
                continue;
            }
            let (leaf, proof) = (&entries[start as usize], subtree.prove(&log, start).unwrap());
            for index in [end, start.wrapping_sub(1), u64::MAX] {
                let error = VerifyError::NoSuchLeaf { index, size: end };
                assert_eq!(subtree.verify(&hasher, &root, index, leaf, &proof), Err(error));
                assert_eq!(subtree.prove(&log, index), Err(NoSuchLeafError { index, size }));
            }
        }
    }
}

#[test]
fn beyond_a_log() {
    let log = Tree::from_leaves(Rfc6962::new(), leaves(5));
    let subtree = Subtree::new(4, 6).unwrap();
    let error = NoSuchLeafError { index: 5, size: 5 };
    assert_eq!(subtree.root(&log), Err(error));
    assert_eq!(subtree.prove(&log, 4), Err(error));
    assert_eq!(subtree.prove_consistency(&log), Err(error));
    let none = ConsistencyProof::from(vec![]);
    let verify = |size| {
        let head = head(size, &[0; 32]);
        subtree.verify_consistency(&Rfc6962::new(), &[0; 32], &head, &none)
    };
    assert_eq!(verify(5), Err(VerifyError::Shrunk { old: 6, new: 5 }));
    let error = VerifyError::TooManyLeaves { size: u64::MAX, capacity: 1 << 63 };
    assert_eq!(verify(u64::MAX), Err(error));
    assert_eq!(verify(1 << 63), Err(VerifyError::WrongLength { expected: 62, got: 0 }));
    for (start, end) in
        [(5, 4), (1, 3), (4, 9), (0, (1 << 63) + 1), (0, u64::MAX), (u64::MAX, u64::MAX)]
    {
        assert_eq!(Subtree::new(start, end), Err(InvalidSubtreeError { start, end }));
    }
    assert!(Subtree::new(0, 1 << 63).is_ok());
    assert!(Subtree::new(1 << 63, 1 << 63).is_ok());
    assert!(Subtree::new(6, 6).unwrap().root(&log).is_err());
}

/// The properties that the draft states, and its example.
#[test]
fn two_subtrees_cover_any_entries() {
    let example = Subtree::covering(5, 13).unwrap();
    assert_eq!(example, (Subtree::new(4, 8).unwrap(), Subtree::new(8, 13).unwrap()));
    for start in 0..70 {
        for end in start..=70 {
            let (left, right) = Subtree::covering(start, end).unwrap();
            assert!(is_subtree(left.start(), left.end()));
            assert!(is_subtree(right.start(), right.end()));
            assert_eq!((left.end(), right.end()), (right.start(), end));
            assert!(left.start() <= start);
            assert!(left.is_empty() || start - left.start() < left.end() - start);
            assert_eq!(left.is_empty(), start == end);
            assert_eq!(right.is_empty(), end - start < 2);
        }
    }
    assert!(Subtree::covering(0, 1 << 63).is_ok());
    for (start, end) in [(3, 2), (0, (1 << 63) + 1), (u64::MAX, u64::MAX)] {
        assert_eq!(Subtree::covering(start, end), Err(InvalidSubtreeError { start, end }));
    }
}

/// Appendix C.1 of draft 07: SHA-256 of a line for each case of logs of up to 130 entries, of one
/// byte each.
#[test]
fn appendix_c1_of_the_draft() {
    const MAX: u64 = 130;
    let hasher = Rfc6962::new();
    let mut full = Tree::new(hasher);
    full.extend_data(&(0..MAX).map(|i| [i as u8]).collect::<Vec<_>>());
    let subtrees = |size: u64| {
        let ranges = (0..=size).flat_map(|end| (0..=end).map(move |start| (start, end)));
        ranges.filter_map(|(start, end)| Subtree::new(start, end).ok())
    };
    let line = |text: String, nodes: &[Hash]| {
        let nodes = nodes.iter().map(|node| format!(" {}", hex::encode(node)));
        nodes.fold(text, |text, node| text + &node) + "\n"
    };

    let mut roots = String::new();
    let mut inclusion = String::new();
    for subtree in subtrees(MAX) {
        let (start, end) = (subtree.start(), subtree.end());
        let root = subtree.root(&full).unwrap();
        roots += &line(format!("[{start}, {end})"), &[root]);
        for index in start..end {
            let proof = subtree.prove(&full, index).unwrap();
            inclusion += &line(format!("{index} [{start}, {end})"), proof.nodes());
        }
    }
    let mut consistency = String::new();
    for size in 0..=MAX {
        let log = Tree::from_leaves(hasher, &full.leaves()[..size as usize]);
        for subtree in subtrees(size) {
            let (start, end) = (subtree.start(), subtree.end());
            let proof = subtree.prove_consistency(&log).unwrap();
            let root = subtree.root(&log).unwrap();
            subtree.verify_consistency(&hasher, &root, &log.head(), &proof).unwrap();
            consistency += &line(format!("[{start}, {end}) {size}"), proof.nodes());
        }
    }
    let mut covering = String::new();
    for (start, end) in (0..=MAX).flat_map(|end| (0..=end).map(move |start| (start, end))) {
        let (left, right) = Subtree::covering(start, end).unwrap();
        let [a, b, c, d] = [left.start(), left.end(), right.start(), right.end()];
        // Only the subtrees: the entries that they cover follow from the order.
        covering += &format!("[{a}, {b}) [{c}, {d})\n");
    }
    let digests = [&roots, &inclusion, &consistency].map(|text| sha256(&[text.as_bytes()]));
    assert_eq!(
        digests.map(hex::encode),
        [
            "b82806ad4265bb151c1119c0f4db437bb4d1a1f887b3a7fba1cd4ebf552e3e81",
            "ac2a8f989e44d99e399db448050ff5f19757df53cfb716aa81015d3955d8163f",
            "10fa99b37bf9bf9ffa26b412fbd98bd75363256d0b75d61bc4538b9c9c5a0a74",
        ]
    );
    assert_eq!(
        hex::encode(sha256(&[covering.as_bytes()])),
        "7fd9c8b926e9d2b5cf831560e8ce295a5ef97ad5c5ede4ea0dea28a8c8fc8bb0"
    );
}
