//! Progressive lists and containers, against the definition and published roots.

use merkle_lanes::ssz::{
    ChunkIndex, GeneralizedIndex, ProgressiveList, Ssz, TooManyFieldsError, pack,
};
use merkle_lanes::{Backend, NoSuchLeafError, VerifyError};
use proptest::prelude::*;

use crate::oracle::{self, Hash, sha256};
use crate::{flipped, leaves};

/// `merkleize_progressive` of the specification.
fn progressive(chunks: &[Hash], num_leaves: usize) -> Hash {
    if chunks.is_empty() {
        return [0; 32];
    }
    let (now, later) = chunks.split_at(chunks.len().min(num_leaves));
    let a = oracle::ssz(now, num_leaves.ilog2());
    sha256(&[&a, &progressive(later, 4 * num_leaves)])
}

fn hash(digits: &str) -> Hash {
    hex::FromHex::from_hex(digits).unwrap()
}

/// Computed with ethereum/remerkleable 0.1.31, the reference implementation of EIP-7916, for chunks
/// of 32 equal bytes 1, 2, 3, ...
#[test]
fn roots_of_the_reference_implementation() {
    for (count, expected) in [
        (0, "0000000000000000000000000000000000000000000000000000000000000000"),
        (1, "037d6dfb3a369a41e01100fdd53c35ee3fb69ddec5830d61e1138d066a4c2285"),
        (2, "2dfe47da19ad9ff11afe44dd8de4db8517cefd5a9bddffe6652b26a1b91ea5ac"),
        (5, "3fd53b812118ddea60b9deab5c72d32b0c4dcfd2c94deda753e6e1d548fbc274"),
        (6, "2e2a2abd4d0e28498ec0cdd817c715b246aa15e7b34767061b7632337188429e"),
        (21, "f148f679afbfebfe5616080a45461aee3d1f4ce2cc752ce824c3f067d2707623"),
        (22, "040be60071c540aafc1d44f366239ab6a41bf8740a38f9d52ab0bbd9cd974c45"),
        (85, "24ea21562226364be74fd2696d0824a4347cfac7dd4b2ae28cd0e9cc22bc341d"),
        (86, "b73c4c427974f47c74c2812d353c966f5dadae70c44f6fe9a15e179b86914977"),
    ] {
        let chunks: Vec<Hash> = (1..=count).map(|i| [i; 32]).collect();
        let expected = hash(expected);
        for backend in Backend::available() {
            let ssz = Ssz::new().with_backend(backend);
            assert_eq!(ssz.merkleize_progressive(&chunks), expected, "{backend}: {count}");
        }
        assert_eq!(chunks.into_iter().collect::<ProgressiveList<Hash>>().root(), expected);
    }
    // `mix_in_active_fields`, with the same source.
    let root: Hash = std::array::from_fn(|i| i as u8);
    let sparse: Vec<bool> = (0..18).map(|i| [0, 7, 8, 17].contains(&i)).collect();
    let last: Vec<bool> = (0..256).map(|i| i == 255).collect();
    for (active, expected) in [
        (&[true][..], "e987b42bd50123fe7764ebae4f4155beebd99b9ede2613a632484aa090e270df"),
        (&[true; 18], "e8db024fb74db97de963cb6aa6e34ae26ed3c45b245fbff7c7ef9109e24eaccc"),
        (&sparse, "68ef7766df9e31c60ea4cab1200dc2789a965957f087b321217c1fa3e0846d75"),
        (&last, "21e35a7be0be70b70c352ff4940961f9e2492e4d5af1ed164c83c66259efb9d0"),
    ] {
        assert_eq!(Ssz::new().mix_in_active_fields(&root, active), Ok(hash(expected)));
    }
}

#[test]
fn containers() {
    let ssz = Ssz::new();
    let fields: Vec<_> =
        leaves(40).into_iter().enumerate().map(|(i, leaf)| (i % 3 != 1).then_some(leaf)).collect();
    let chunks: Vec<Hash> = fields.iter().map(|field| field.unwrap_or_default()).collect();
    let mut active = [0; 32];
    for i in (0..40).filter(|i| i % 3 != 1) {
        active[i / 8] |= 1 << (i % 8);
    }
    let expected = sha256(&[&progressive(&chunks, 1), &active]);
    assert_eq!(ssz.progressive_container(&fields), Ok(expected));
    assert!(ssz.progressive_container(&[None; 256]).is_ok());
    let error = TooManyFieldsError { got: 257 };
    assert_eq!(ssz.progressive_container(&[None; 257]), Err(error));
    assert_eq!(ssz.mix_in_active_fields(&[0; 32], &[true; 257]), Err(error));
    assert_eq!(error.to_string(), "257 fields exceed the maximum of 256 fields");
}

#[test]
fn of_every_size() {
    let chunks = leaves(400);
    // A limit, even one that is too low, has no effect.
    for ssz in [Ssz::new(), Ssz::with_limit(2)] {
        let mut list = ProgressiveList::new(ssz);
        for size in 0..=chunks.len() {
            let expected = progressive(&chunks[..size], 1);
            assert_eq!(ssz.merkleize_progressive(&chunks[..size]), expected, "{size}");
            assert_eq!(list.root(), expected, "{size}");
            assert_eq!((list.len(), list.is_empty()), (size as u64, size == 0));
            if let Some(&chunk) = chunks.get(size) {
                list.push(chunk);
            }
        }
    }
}

/// From the root, by the definition: to the right for each subtree before the chunk's, then to the
/// left, then down to the chunk.
#[test]
fn generalized_indices() {
    let (mut chunk, mut rest) = (0, GeneralizedIndex::ROOT);
    for depth in (0..10).step_by(2) {
        for position in 0..1 << depth {
            let below = GeneralizedIndex::at(depth, position).unwrap();
            let expected = rest.left().unwrap().concat(below);
            assert_eq!(GeneralizedIndex::progressive(ChunkIndex::new(chunk)), expected, "{chunk}");
            chunk += 1;
        }
        rest = rest.right().unwrap();
    }
    // Subtree 20 is 61 levels below the root, subtree 21 would be 64.
    let last = ((1_u64 << 42) - 1) / 3 - 1;
    let last = ChunkIndex::new(last);
    assert_eq!(GeneralizedIndex::progressive(last).map(GeneralizedIndex::depth), Some(61));
    for chunk in [last.get() + 1, 1 << 62, u64::MAX] {
        assert_eq!(GeneralizedIndex::progressive(ChunkIndex::new(chunk)), None);
    }
}

#[test]
fn proofs_of_values() {
    let ssz = Ssz::new();
    for len in [1, 4, 5, 20, 21, 84, 85, 341, 700] {
        let mut list: ProgressiveList<u64> = (0..len).collect();
        let bytes: Vec<u8> = (0..len).flat_map(u64::to_le_bytes).collect();
        let (chunks, root) = (pack(&bytes), list.root());
        assert_eq!(root, progressive(&chunks, 1));
        for index in 0..len {
            let (chunk_index, chunk) = list.chunk_of(index).unwrap();
            assert_eq!((chunk_index.get(), chunk), (index / 4, chunks[index as usize / 4]));
            let place = GeneralizedIndex::progressive(chunk_index).unwrap();
            let proof = list.prove(chunk_index).unwrap();
            assert_eq!(ssz.verify_branch(&root, place, &chunk, &proof), Ok(()), "{index} of {len}");
            let other = flipped(&chunk, index as usize % 256);
            let wrong = Err(VerifyError::WrongRoot);
            assert_eq!(ssz.verify_branch(&root, place, &other, &proof), wrong);
        }
        let error = NoSuchLeafError { index: len, size: len };
        assert_eq!(list.set(len, 1), Err(error));
        let size = len.div_ceil(4);
        let error = NoSuchLeafError { index: size, size };
        assert_eq!(list.prove(ChunkIndex::new(size)), Err(error));
        assert_eq!((list.get(len), list.chunk_of(len), list.get(u64::MAX)), (None, None, None));
    }
}

/// Equality and `rebase_on` look at the values of every subtree, the full ones included.
#[test]
fn one_value_in_any_subtree_makes_a_difference() {
    // Subtrees of 4, 16, 64 and 256 numbers, the last of which has 15.
    let values: Vec<u64> = (0..99).collect();
    let list: ProgressiveList<u64> = values.iter().copied().collect();
    let mut roots = vec![list.clone().root()];
    for changed in 0..values.len() {
        let mut other = list.clone();
        other.set(changed as u64, 1000).unwrap();
        assert!(other != list, "{changed}");
        assert!(list != other, "{changed}");
        let expected: Vec<u64> = values
            .iter()
            .map(|&value| if value == changed as u64 { 1000 } else { value })
            .collect();
        other.rebase_on(&list);
        assert!(other.iter().eq(expected.iter().copied()), "{changed}");
        let bytes: Vec<u8> = expected.iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(other.root(), progressive(&pack(&bytes), 1), "{changed}");
        roots.push(other.root());
    }
    roots.sort_unstable();
    roots.dedup();
    assert_eq!(roots.len(), 1 + values.len());
}

/// A list shares what is equal, and keeps its own values and its own length.
#[test]
fn rebased_lists_keep_their_values() {
    for (own, base) in [(0..9, 1..10), (0..9, 0..400), (0..400, 0..9), (5..5, 0..9), (0..9, 5..5)] {
        let mut list: ProgressiveList<u64> = own.clone().collect();
        let mut base_list: ProgressiveList<u64> = base.clone().collect();
        let roots = (list.root(), base_list.root());
        list.rebase_on(&base_list);
        assert!(list.iter().eq(own.clone()), "{own:?} on {base:?}");
        assert_eq!(list.len(), own.end - own.start);
        assert_eq!((list.root(), base_list.root()), roots);
        // A change of one does not reach the other.
        if list.set(0, 77).is_ok() {
            assert!(base_list.iter().eq(base));
            assert_eq!(base_list.root(), roots.1);
        }
    }
}

#[test]
fn a_list_truncated_to_nothing() {
    for len in [0, 1, 4, 5, 20, 21, 300] {
        let mut list: ProgressiveList<u64> = (1..=len).collect();
        let before = list.root();
        list.truncate(0);
        assert_eq!((list.len(), list.is_empty(), list.root()), (0, true, [0; 32]), "{len}");
        assert!(list == ProgressiveList::new(Ssz::new()));
        assert_eq!((list.get(0), list.iter().next()), (None, None));
        list.extend(1..=len);
        assert_eq!(list.root(), before);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(40)
    })]

    /// Against a plain vector, with a clone from before the changes.
    #[test]
    fn lists_that_change(
        len in 0..3000_usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u16>()), 0..20),
        kept in any::<prop::sample::Index>(),
        more in 0..100_usize,
    ) {
        let root = |values: &[u16]| {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            progressive(&pack(&bytes), 1)
        };
        let mut values: Vec<u16> = (0..len).map(|i| i as u16).collect();
        let mut list: ProgressiveList<u16> = values.iter().copied().collect();
        let (mut before, old) = (list.clone(), root(&values));
        assert_eq!(list.root(), old);
        if len > 0 {
            for (index, value) in &changes {
                values[index.index(len)] = *value;
                list.set(index.index(len) as u64, *value).unwrap();
            }
            let kept = kept.index(len + 1);
            values.truncate(kept);
            list.truncate(kept as u64);
            list.truncate(u64::MAX);
        }
        values.extend(0..more as u16);
        list.extend(0..more as u16);
        assert_eq!((list.len(), list.root()), (values.len() as u64, root(&values)));
        assert!(list.iter().eq(values.iter().copied()));
        assert!((0..values.len()).all(|i| list.get(i as u64) == Some(values[i])));
        assert_eq!(before.root(), old);

        let mut again: ProgressiveList<u16> = values.iter().copied().collect();
        assert!(again == list);
        again.rebase_on(&list);
        assert_eq!(again.root(), root(&values));
        again.push(7);
        assert!(again != list);
    }
}
