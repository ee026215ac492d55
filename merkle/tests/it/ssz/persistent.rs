//! Lists that share subtrees with their clones, against plain vectors.

use std::cell::Cell;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use merkle_lanes::ssz::{ChunkIndex, Packed, PersistentList, Ssz, pack};
use merkle_lanes::{Backend, NoSuchLeafError, NodeHasher, Tree, VerifyError};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::extremes::assert_panics;
use crate::oracle::{self, Hash};

/// The depth of a list with a limit.
const DEPTH: u32 = 38;

/// The root by definition, without the length.
fn naive_root(bytes: &[u8], limited: bool) -> Hash {
    let chunks = pack(bytes);
    let depth = if limited { DEPTH } else { Ssz::new().depth(chunks.len() as u64) };
    oracle::ssz(&chunks, depth)
}

fn families() -> [(Ssz, bool); 2] {
    [(Ssz::new(), false), (Ssz::with_limit(1 << DEPTH), true)]
}

/// Lists of every size: hashed after every push, and only at the end.
fn check_sizes<T: Packed + Debug + PartialEq>(values: &[T], bytes: impl Fn(&T) -> Vec<u8>) {
    for (ssz, limited) in families() {
        let mut pushed = PersistentList::new(ssz);
        for size in 0..=values.len() {
            let values = &values[..size];
            if let Some(&last) = values.last() {
                pushed.push(last);
            }
            let all: Vec<u8> = values.iter().flat_map(&bytes).collect();
            let expected = naive_root(&all, limited);
            assert_eq!(pushed.root(), expected, "{size}");
            assert_eq!((pushed.len(), pushed.is_empty()), (size as u64, size == 0));

            let mut at_once = PersistentList::new(ssz);
            at_once.extend(values.iter().copied());
            assert_eq!(at_once.root(), expected, "{size}");
            assert_eq!(at_once.iter().len(), size);
            assert!(at_once.iter().eq(values.iter().copied()), "{size}");
            for list in [&pushed, &at_once] {
                let last = size.checked_sub(1).map(|last| values[last]);
                assert_eq!(list.get((size as u64).saturating_sub(1)), last);
                assert_eq!((list.get(size as u64), list.get(u64::MAX)), (None, None));
            }
        }
    }
}

/// A few blocks of each type, and more blocks than a branch has.
#[test]
fn of_every_size_and_type() {
    let words = |count: usize| (0..count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let chunk = |word: u64| oracle::sha256(&[&word.to_le_bytes()]);
    check_sizes(&words(600).map(|i| i as u8).collect::<Vec<_>>(), |byte| vec![*byte]);
    check_sizes(&words(600).map(|i| i % 3 == 0).collect::<Vec<_>>(), |&is| vec![is.into()]);
    check_sizes(&words(300).map(|i| i as u16).collect::<Vec<_>>(), |i| i.to_le_bytes().into());
    check_sizes(&words(200).map(|i| i as u32).collect::<Vec<_>>(), |i| i.to_le_bytes().into());
    check_sizes(&words(600).collect::<Vec<_>>(), |i| i.to_le_bytes().into());
    let wide: Vec<u128> = words(100).map(|i| u128::from(i) << 50).collect();
    check_sizes(&wide, |i| i.to_le_bytes().into());
    check_sizes(&words(150).map(chunk).collect::<Vec<_>>(), |chunk| chunk.to_vec());
}

/// Around the numbers of chunks where a tree becomes higher, with every backend.
#[test]
fn of_large_sizes() {
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        for (ssz, limited) in families() {
            let mut list = PersistentList::<Hash>::new(ssz.with_backend(backend));
            let mut chunks = Vec::new();
            for size in [511, 512, 513, 4095, 4097, 5000] {
                let more = (chunks.len()..size).map(|i| [i as u8 ^ (i >> 8) as u8; 32]);
                chunks.extend(more.clone());
                list.extend(more);
                let expected = naive_root(chunks.as_flattened(), limited);
                assert_eq!(list.root(), expected, "{backend}: {size}");
            }
            // So many changes that several calls hash the blocks, and one.
            for step in [1, 3, 4999] {
                let before = list.clone();
                for index in (0..chunks.len()).step_by(step) {
                    chunks[index] = [step as u8; 32];
                    list.set(index as u64, chunks[index]).unwrap();
                }
                let expected = naive_root(chunks.as_flattened(), limited);
                assert_eq!(list.root(), expected, "{backend}: every {step}");
                assert_ne!(before.clone().root(), expected);
            }
        }
    }
}

#[test]
fn limits() {
    for limit in 1..=20 {
        let mut list = PersistentList::<u64>::new(Ssz::with_limit(limit));
        let mut bytes = Vec::new();
        for number in 0..4 * limit {
            list.push(number);
            bytes.extend(number.to_le_bytes());
            let expected = Ssz::with_limit(limit).merkleize(&pack(&bytes));
            assert_eq!(Ok(list.root()), expected, "{number} of {limit}");
        }
        let (values, root) = (4 * limit + 1, list.root());
        assert_panics(
            &format!("a list of {values} values exceeds the capacity of {limit} chunks of 4"),
            || list.push(0),
        );
        assert_eq!((list.len(), list.root()), (values - 1, root));
    }
    let mut none = PersistentList::<Hash>::new(Ssz::with_limit(0));
    assert_eq!(none.root(), [0; 32]);
    assert_panics("a list of 1 values exceeds the capacity of 0 chunks of 1", || {
        none.push([0; 32]);
    });
}

#[test]
fn an_invalid_index_changes_nothing() {
    let mut list = PersistentList::<u32>::new(Ssz::new());
    for size in 0..200 {
        let root = list.root();
        for index in [size, size + 1, size + 64, u64::MAX] {
            assert_eq!(list.set(index, 7), Err(NoSuchLeafError { index, size }));
        }
        assert_eq!(list.root(), root);
        list.push(size as u32);
    }
}

#[test]
fn truncating_large_lists() {
    // Within a chunk, and across the heights of larger trees.
    let mut list: PersistentList<u64> = (0..40_000).collect();
    for len in [39_999, 20_000, 16_385, 16_384, 16_383, 2049, 2048, 2047, 257, 33, 32, 31, 1, 0] {
        list.truncate(len);
        let bytes: Vec<u8> = (0..len).flat_map(u64::to_le_bytes).collect();
        assert_eq!(list.root(), naive_root(&bytes, false), "{len}");
        assert!(list == (0..len).collect(), "{len}");
    }
}

#[test]
fn equal_lists_have_equal_values() {
    // Zeros have the same root as missing values.
    assert_ne!([0_u64; 8].into_iter().collect::<PersistentList<_>>(), [0; 9].into_iter().collect());
    let mut sum = 0;
    for value in &(0..1000_u32).collect::<PersistentList<_>>() {
        sum += value;
    }
    assert_eq!(sum, 999 * 500);
}

/// Lists with the same values are equal, whether and at which length they were hashed before.
#[test]
fn equal_lists_hashed_at_different_lengths() {
    for blocks in [1_u64, 7, 8, 9, 15, 17, 63, 64, 65, 70] {
        for tail in [0, 1, 5] {
            let (before, after) = (32 * blocks, 32 * blocks + tail);
            let mut one: PersistentList<u64> = (0..before).collect();
            one.root();
            one.extend(before..after);
            let mut two: PersistentList<u64> = (0..after).collect();
            two.root();
            assert_eq!((one == two, two == one), (true, true), "{blocks} blocks and {tail} values");
            one.root();
            assert_eq!((one == two, two == one), (true, true), "{blocks} blocks and {tail} values");
        }
    }
}

/// One different value in any block, the last whole one and the tail included.
#[test]
fn lists_that_differ_in_one_block() {
    for blocks in [1_u64, 8, 9, 10, 16, 17, 64, 65] {
        for is_hashed in [false, true] {
            let mut one: PersistentList<u64> = (0..32 * blocks + 3).collect();
            if is_hashed {
                one.root();
            }
            for block in 0..=blocks {
                let mut two = one.clone();
                two.set(32 * block + 1, u64::MAX).unwrap();
                assert_eq!((one == two, two == one), (false, false), "block {block} of {blocks}");
                if is_hashed {
                    two.root();
                }
                assert_eq!((one == two, two == one), (false, false), "block {block} of {blocks}");
            }
        }
    }
}

/// The proofs are those of a tree of the chunks.
#[test]
fn proofs_of_values() {
    for (ssz, _) in families() {
        for size in [1, 3, 4, 5, 31, 32, 33, 255, 256, 257, 2049, 5000] {
            let mut list = PersistentList::<u64>::new(ssz);
            list.extend(0..size);
            let bytes: Vec<u8> = (0..size).flat_map(u64::to_le_bytes).collect();
            let tree = Tree::from_leaves(ssz, pack(&bytes));
            assert_eq!(list.head(), tree.head());
            let indices: Vec<u64> = (0..size).step_by(1 + size as usize / 50).collect();
            for &index in indices.iter().chain([&(size - 1)]) {
                let (chunk_index, chunk) = list.chunk_of(index).unwrap();
                assert_eq!(chunk_index, ChunkIndex::of_value::<u64>(index));
                let proof = list.prove(chunk_index).unwrap();
                assert_eq!(proof, tree.prove(index / 4).unwrap(), "{index} of {size}");
                assert_eq!(proof.verify(&ssz, &tree.head(), chunk_index.get(), &chunk), Ok(()));
            }
            let mut chunks: Vec<u64> = indices.iter().map(|index| index / 4).collect();
            chunks.dedup();
            let several: Vec<_> = chunks.iter().copied().map(ChunkIndex::new).collect();
            assert_eq!(list.prove_many(&several), tree.prove_many(&chunks), "{size}");
            // After a change, of the changed list.
            list.set(size / 2, u64::MAX).unwrap();
            let (index, chunk) = list.chunk_of(size / 2).unwrap();
            let proof = list.prove(index).unwrap();
            assert_eq!(proof.verify(&ssz, &list.head(), index.get(), &chunk), Ok(()));

            assert_eq!(list.chunk_of(size), None);
            let size = size.div_ceil(4);
            let (first, beyond) = (ChunkIndex::new(0), ChunkIndex::new(size));
            assert_eq!(list.prove(beyond), Err(NoSuchLeafError { index: size, size }));
            let error = VerifyError::NoSuchLeaf { index: size, size };
            assert_eq!(list.prove_many(&[first, beyond]), Err(error));
            let error = VerifyError::Unsorted { index: 0, before: 0 };
            assert_eq!(list.prove_many(&[first, first]), Err(error));
        }
    }
    assert_eq!(PersistentList::<u8>::new(Ssz::new()).prove_many(&[]), Err(VerifyError::NoLeaves));
}

thread_local! {
    /// The number of values that can be encoded before one panics.
    static ENCODABLE: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A value whose encoding panics at a given call, half written.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fragile(u64);

impl Packed for Fragile {
    const BYTES: usize = 8;

    fn encode(&self, bytes: &mut [u8]) {
        let left = ENCODABLE.get();
        ENCODABLE.set(left.wrapping_sub(1));
        if left == 0 {
            bytes[..4].fill(0xff);
            panic!("not encodable");
        }
        self.0.encode(bytes);
    }

    fn decode(bytes: &[u8]) -> Self {
        Self(u64::decode(bytes))
    }
}

/// Calls a method whose `encode` panics at each call in turn, until none does. Each time, the list
/// must have the values that `expected` returns for the number of encoded values.
fn check_panics(
    list: &PersistentList<Fragile>,
    call: impl Fn(&mut PersistentList<Fragile>),
    expected: impl Fn(usize) -> Vec<u64>,
) {
    for encodable in 0.. {
        let (mut list, before) = (list.clone(), list.clone());
        ENCODABLE.set(encodable);
        let called = catch_unwind(AssertUnwindSafe(|| call(&mut list)));
        let is_whole = called.is_ok();
        ENCODABLE.set(usize::MAX);

        let mut values = expected(encodable);
        for last in [None, Some(7), Some(8)] {
            if let Some(last) = last {
                list.push(Fragile(last));
                values.push(last);
            }
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            assert_eq!(list.root(), naive_root(&bytes, false), "{encodable}, then {last:?}");
            assert!(list.iter().map(|value| value.0).eq(values.iter().copied()));
            assert!(list == values.iter().map(|&value| Fragile(value)).collect());
        }
        drop(before);
        if is_whole {
            return;
        }
    }
}

/// If `encode` panics, the list is as before the value.
#[test]
#[cfg_attr(panic = "abort", ignore = "catches panics")]
fn encodings_that_panic() {
    for (size, hashed) in
        [0, 1, 3, 31, 32, 33, 300].into_iter().flat_map(|n| [(n, false), (n, true)])
    {
        let mut list: PersistentList<Fragile> = (0..size).map(Fragile).collect();
        if hashed {
            list.root();
        }
        let values = || (0..size).collect::<Vec<_>>();
        let with = |more: &[u64], encoded: usize| {
            [&values()[..], &more[..encoded.min(more.len())]].concat()
        };
        check_panics(&list, |list| list.push(Fragile(100)), |encoded| with(&[100], encoded));
        let more: Vec<u64> = (500..570).collect();
        let extend = |list: &mut PersistentList<_>| list.extend(more.iter().copied().map(Fragile));
        check_panics(&list, extend, |encoded| with(&more, encoded));
        for index in [0, size / 2, size.saturating_sub(1)].into_iter().filter(|&i| i < size) {
            let set = |list: &mut PersistentList<_>| list.set(index, Fragile(u64::MAX)).unwrap();
            check_panics(&list, set, |encoded| {
                let mut values = values();
                values[index as usize] = if encoded > 0 { u64::MAX } else { index };
                values
            });
        }
        // The other methods do not encode.
        check_panics(
            &list,
            |list| {
                let mut other = list.clone();
                other.root();
                other.rebase_on(list);
                list.rebase_on(&other);
                list.truncate(size + 1);
                assert!(other == *list && list.set(size, Fragile(0)).is_err());
                assert_eq!(list.prove(ChunkIndex::new(0)).is_ok(), size > 0);
            },
            |_| values(),
        );
    }
    ENCODABLE.set(3);
    let collected = catch_unwind(|| (0..9).map(Fragile).collect::<PersistentList<_>>());
    ENCODABLE.set(usize::MAX);
    assert!(collected.is_err());
}

/// A clone and its first changes take up no more than their documentation says.
#[test]
fn clones_share_memory() {
    let mut list = PersistentList::<u64>::new(Ssz::new());
    let all = allocation_counter::measure(|| list.extend(0..100_000));
    let chunks = 100_000 / 4;
    assert!(all.bytes_current <= 43 * chunks, "{all:?}");
    list.root();
    let mut next = None;
    let cloned = allocation_counter::measure(|| next = Some(list.clone()));
    assert_eq!(cloned.bytes_total, 0);
    let mut next = next.unwrap();
    let changed = allocation_counter::measure(|| next.set(50_000, 1).unwrap());
    // 25,000 chunks are 3125 blocks, fewer than 8^4.
    assert!(changed.bytes_total <= 272 + 4 * 416, "{changed:?}");
    let again = allocation_counter::measure(|| next.set(50_001, 1).unwrap());
    assert_eq!(again.bytes_total, 0);
}

/// The end of the list is copied only if it changed.
#[test]
fn hashing_a_clone_copies_only_what_changed() {
    let mut list = PersistentList::<u64>::new(Ssz::new());
    list.extend(0..100_001);
    list.root();
    let mut next = list.clone();
    next.set(50_000, 1).unwrap();
    let hashed = allocation_counter::measure(|| {
        next.root();
    });
    assert!(hashed.bytes_current <= 0, "{hashed:?}");
    next.set(100_000, 1).unwrap();
    assert_ne!(next.root(), list.root());
}

/// Rebasing frees what is equal, whether the lists are hashed or not.
#[test]
fn rebased_lists_share_memory() {
    const SIZE: u64 = 100_000;
    let list = |numbers: &mut dyn Iterator<Item = u64>| {
        let mut list = PersistentList::<u64>::new(Ssz::new());
        list.extend(numbers);
        list
    };
    for hashed in [[false, false], [false, true], [true, false], [true, true]] {
        for (own, changes) in [(SIZE, 0), (SIZE, 1), (SIZE + 1, 1), (SIZE / 9, 1), (9 * SIZE, 1)] {
            let mut base = list(&mut (0..SIZE));
            let numbers = || (0..own).map(|i| if i == 77 && changes > 0 { 0 } else { i });
            let mut rebased = list(&mut (0..0));
            let before = allocation_counter::measure(|| rebased.extend(numbers())).bytes_current;
            let root = rebased.clone().root();
            if hashed[0] {
                rebased.root();
            }
            if hashed[1] {
                base.root();
            }
            let used = allocation_counter::measure(|| rebased.rebase_on(&base));
            // A block and its ancestors differ, and those at the end of the shorter list.
            let alone = before * own.saturating_sub(SIZE) as i64 / own as i64;
            // Branches are kept if only they are hashed.
            let branches = if hashed == [true, false] { before / 5 } else { 0 };
            let most = alone + branches + 272 + 5 * 416 + 5 * 8 * 416;
            assert!(before + used.bytes_current <= most, "{own}: {before} bytes, {used:?}");
            assert!(rebased.iter().eq(numbers()));
            assert_eq!(rebased.root(), root, "{own} numbers, {changes} changes, {hashed:?}");
            // The values of the base are not affected by later changes.
            rebased.set(0, 1).unwrap();
            assert!(base.iter().eq(0..SIZE));
            let zero = list(&mut (0..SIZE)).root();
            assert_eq!(base.root(), zero);
        }
    }
    // Nothing is equal.
    let (mut own, base) = (list(&mut (0..SIZE)), list(&mut (1..=SIZE)));
    let used = allocation_counter::measure(|| own.rebase_on(&base));
    assert_eq!(used.bytes_total, 0);
    own.rebase_on(&own.clone());
    own.rebase_on(&list(&mut (0..0)));
    assert!(own.iter().eq(0..SIZE));
}

/// Roots computed before a change are not used to compare the changed values.
#[test]
fn rebasing_after_a_change() {
    let [mut own, mut base] = [(); 2].map(|()| {
        let mut list = PersistentList::<u64>::new(Ssz::new());
        list.extend(0..5000);
        list.root();
        list
    });
    own.set(9, 1).unwrap();
    base.set(4000, 2).unwrap();
    own.rebase_on(&base);
    assert_eq!([9, 4000].map(|index| own.get(index)), [Some(1), Some(4000)]);
}

/// Zero values have the same roots as missing ones.
#[test]
fn rebasing_lists_of_zeros() {
    let sizes = [0, 1, 7, 8, 9, 64, 65, 100, 511, 512, 513, 1000];
    for (one, other) in sizes.iter().flat_map(|one| sizes.map(|other| (*one, other))) {
        let [mut own, mut base] = [one, other].map(|size| {
            let mut list = PersistentList::<Hash>::new(Ssz::with_limit(1 << DEPTH));
            list.extend((0..size).map(|_| [0; 32]));
            list
        });
        assert_eq!(own.root(), base.root());
        own.rebase_on(&base);
        assert_eq!(own.iter().len(), one);
        own.push([1; 32]);
        base.push([2; 32]);
        let expected = |size: usize, last: u8| {
            let mut chunks = vec![[0; 32]; size];
            chunks.push([last; 32]);
            naive_root(chunks.as_flattened(), true)
        };
        assert_eq!((own.root(), base.root()), (expected(one, 1), expected(other, 2)));
        assert!(own.iter().take(one).all(|value| value == [0; 32]));
    }
}

/// What to do with one or two of the lists.
#[derive(Clone, Debug)]
enum Step {
    Push(u16),
    Extend(usize),
    Set(Index, u16),
    SetMany(Vec<(Index, u16)>),
    Truncate(Index),
    Clone(usize),
    Rebase(usize),
    Root,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        any::<u16>().prop_map(Step::Push),
        prop_oneof![0..130_usize, 0..3000_usize].prop_map(Step::Extend),
        (any::<Index>(), any::<u16>()).prop_map(|(index, value)| Step::Set(index, value)),
        proptest::collection::vec((any::<Index>(), any::<u16>()), 0..30).prop_map(Step::SetMany),
        any::<Index>().prop_map(Step::Truncate),
        (0..LISTS).prop_map(Step::Clone),
        (0..LISTS).prop_map(Step::Rebase),
        Just(Step::Root),
    ]
}

const LISTS: usize = 3;

type Lists = [(PersistentList<u16>, Vec<u16>); LISTS];

fn assert_equal((list, expected): &mut (PersistentList<u16>, Vec<u16>), limited: bool) {
    let bytes: Vec<u8> = expected.iter().flat_map(|value| value.to_le_bytes()).collect();
    let new: PersistentList<u16> = expected.iter().copied().collect();
    assert!(*list == new);
    assert_eq!(list.root(), naive_root(&bytes, limited));
    assert!(list.iter().eq(expected.iter().copied()));
    assert!(*list == new);
}

fn apply(step: &Step, lists: &mut Lists, at: usize, limited: bool) {
    let mut set = |index: Index, value| {
        let (list, expected) = &mut lists[at];
        if !expected.is_empty() {
            let index = index.index(expected.len());
            list.set(index as u64, value).unwrap();
            expected[index] = value;
        }
    };
    match step {
        Step::Set(index, value) => set(*index, *value),
        Step::SetMany(values) => values.iter().for_each(|(index, value)| set(*index, *value)),
        Step::Truncate(size) => {
            let size = size.index(lists[at].1.len() + 1);
            lists[at].0.truncate(size as u64);
            lists[at].1.truncate(size);
        }
        Step::Push(value) => {
            lists[at].0.push(*value);
            lists[at].1.push(*value);
        }
        Step::Extend(count) => {
            // Lists that are extended at the same place get the same values, so that they can
            // share them.
            let size = lists[at].1.len();
            let values = (size..size + count).map(|i| i as u16 / 3);
            lists[at].0.extend(values.clone());
            lists[at].1.extend(values);
        }
        Step::Clone(from) => lists[at] = lists[*from].clone(),
        Step::Rebase(on) => {
            let base = lists[*on].0.clone();
            lists[at].0.rebase_on(&base);
        }
        Step::Root => assert_equal(&mut lists[at], limited),
    }
}

fn in_any_order(steps: &[(usize, Step)]) {
    for (ssz, limited) in families() {
        let mut lists: Lists = core::array::from_fn(|_| (PersistentList::new(ssz), Vec::new()));
        for (at, step) in steps {
            apply(step, &mut lists, *at, limited);
        }
        for (one, other) in [(0, 1), (1, 2), (2, 0)] {
            assert_eq!(lists[one].0 == lists[other].0, lists[one].1 == lists[other].1);
        }
        for list in &mut lists {
            assert_equal(list, limited);
        }
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn lists_in_any_order(steps in proptest::collection::vec((0..LISTS, step()), 1..40)) {
        in_any_order(&steps);
    }
}

proptest! {
    #![proptest_config(config(5000))]

    #[test]
    #[ignore = "takes long"]
    fn lists_in_any_order_long(steps in proptest::collection::vec((0..LISTS, step()), 1..80)) {
        in_any_order(&steps);
    }
}
