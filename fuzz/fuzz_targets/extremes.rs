//! Calls functions with any sizes, counts and indices. They neither hang nor exhaust memory, and
//! panic only as documented.
#![no_main]

use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use arbitrary::Arbitrary;
use hash_lanes_testing::extremes::Lying;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::algorand::{self, Algorand, VectorCommitment};
use merkle_lanes::ssz::tree_hash::{self, MerkleHasher};
use merkle_lanes::ssz::{self, DepositTree, GeneralizedIndex, NodeProof, Ssz, helper_indices};
use merkle_lanes::{InclusionProof, root};
use sha256_multi::{ManyHasher, hash_many, hmac_many_into, pbkdf2_many_into};

type Hash = [u8; 32];

/// The maximum number of messages that there are, rather than claimed.
const MAX_COUNT: u8 = 100;

/// Claims between this and [`MIN_UNHOLDABLE`] would take as much memory as they say.
const MAX_HELD: usize = 1 << 16;

/// More than any machine has memory for.
const MIN_UNHOLDABLE: usize = 1 << 50;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// The numbers of things.
    counts: [u8; 3],
    /// The size hints of iterators, if not their own.
    claims: [Option<u64>; 3],
    numbers: [u64; 4],
    rounds: u8,
    indices: Vec<u64>,
    bytes: &'a [u8],
}

impl Input<'_> {
    fn count(&self, at: usize) -> usize {
        usize::from(self.counts[at] % (MAX_COUNT + 1))
    }

    fn claim(&self, at: usize) -> usize {
        self.claims[at].map_or(self.count(at), |claim| {
            let claim = claim as usize;
            if (MAX_HELD..MIN_UNHOLDABLE).contains(&claim) { claim % MAX_HELD } else { claim }
        })
    }

    /// As many slices as counted, of a claimed number.
    fn slices(&self, at: usize) -> Lying<impl Iterator<Item = &[u8]>> {
        let slice = move |i| &self.bytes[..i % (self.bytes.len() + 1)];
        Lying { messages: (0..self.count(at)).map(slice), len: self.claim(at) }
    }

    /// Whole nodes.
    fn nodes(&self) -> &[Hash] {
        self.bytes.as_chunks().0
    }

    fn indices(&self) -> Vec<GeneralizedIndex> {
        self.indices.iter().filter_map(|&index| GeneralizedIndex::new(index)).collect()
    }
}

/// The hook of libFuzzer aborts at every panic.
fn call<T>(documented: &[&str], job: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    static MAY_PANIC: AtomicBool = AtomicBool::new(false);
    HOOK.call_once(|| {
        let abort = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !MAY_PANIC.load(Ordering::Relaxed) {
                abort(info);
            }
        }));
    });
    MAY_PANIC.store(true, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(job));
    MAY_PANIC.store(false, Ordering::Relaxed);
    result
        .map_err(|payload| {
            let message = payload.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
            let message = message.expect("panics have messages");
            assert!(
                documented.iter().any(|part| message.contains(part)),
                "undocumented panic: {message}"
            );
        })
        .ok()
}

fuzz_target!(|input: Input<'_>| {
    many_messages(&input);
    keyed(&input);
    places(&input);
    trees(&input);
});

fn many_messages(input: &Input<'_>) {
    let documented = ["the iterator yields more messages than its size hint"];
    if let Some(digests) = call(&documented, || hash_many(input.slices(0))) {
        assert_eq!(digests.len(), input.count(0));
    }
    let claim = input.claim(1);
    let hasher = call(&["do not fit into memory"], || ManyHasher::new(claim));
    let Some(mut hasher) = hasher.filter(|hasher| hasher.len() < 1000) else { return };
    let index = input.numbers[0] as usize;
    let updated = call(&["is out of range for"], || hasher.update(index, input.bytes));
    assert_eq!(updated.is_some(), index < claim);
    let parts: Vec<&[u8]> = input.slices(2).messages.collect();
    let updated = call(&["parts for"], || hasher.update_all(&parts));
    assert_eq!(updated.is_some(), parts.len() == claim);
    assert_eq!(hasher.finalize().len(), claim);
}

fn keyed(input: &Input<'_>) {
    let count = input.count(2);
    let documented = ["cannot be hashed into", "keys do not match"];
    let mut macs = vec![[0; 32]; count];
    if call(&documented, || hmac_many_into(input.slices(0), input.slices(1), &mut macs)).is_some() {
        assert_eq!([input.count(0), input.count(1)], [count; 2]);
    }
    let documented = ["do not match", "at least one round"];
    let mut outputs: Vec<_> = (0..count).map(|i| vec![0; i * usize::from(input.rounds)]).collect();
    let rounds = u32::from(input.rounds % 5);
    let derive = || pbkdf2_many_into(input.slices(0), input.slices(1), rounds, &mut outputs);
    if call(&documented, derive).is_some() {
        assert!(rounds > 0 && [input.count(0), input.count(1)] == [count; 2]);
    }
}

/// Nothing panics at any place of an object.
fn places(input: &Input<'_>) {
    let [a, b, ..] = input.numbers;
    if let Some(place) = GeneralizedIndex::at(a as u32, b) {
        assert_eq!((place.depth(), place.position()), (a as u32, b));
    }
    let (ssz, nodes, indices) = (Ssz::new(), input.nodes(), input.indices());
    for &index in &indices {
        assert_eq!(GeneralizedIndex::at(index.depth(), index.position()), Some(index));
        assert!(index.left().is_none_or(|left| left.sibling() == index.right()));
        let _ = index.concat(indices[0]);
        let branch = InclusionProof::from(nodes.to_vec());
        let is_right = ssz.verify_branch(&[0; 32], index, &[1; 32], &branch).is_ok();
        assert!(!is_right, "a hash of zeros was found");
    }
    let helpers = helper_indices(&indices);
    let proof = NodeProof::from(nodes.to_vec());
    let proven: Vec<_> = indices.iter().map(|&index| (index, [1; 32])).collect();
    if proof.root(&ssz, &proven).is_ok() {
        assert_eq!(helpers.map(|helpers| helpers.len()), Ok(nodes.len()));
    }
}

fn trees(input: &Input<'_>) {
    let [a, b, c, d] = input.numbers;
    let (nodes, bytes) = (input.nodes(), input.bytes);
    let exceeds = ["exceeds the maximum of", "exceeds the capacity of"];
    if let Some(limited) = call(&exceeds, || Ssz::with_limit(a)) {
        let merkleized = limited.merkleize(nodes);
        let by_root = call(&exceeds, || root(&limited, nodes));
        assert_eq!(merkleized.ok(), by_root);
    }
    let minimum = b as usize;
    let expected = call(&exceeds, || tree_hash::merkle_root(bytes, minimum));
    let leaves = bytes.len().div_ceil(32).max(minimum);
    if let Some(mut hasher) = call(&exceeds, || MerkleHasher::with_leaves(leaves)) {
        let (first, second) = bytes.split_at(d as usize % (bytes.len() + 1));
        let written = hasher.write(first).and_then(|()| hasher.write(second));
        assert_eq!(written.and_then(|()| hasher.finish()).ok(), expected);
    }
    assert_eq!(ssz::pack(bytes).len(), bytes.len().div_ceil(32));

    if let Ok(mut deposits) = DepositTree::resume(nodes.to_vec(), c, &[0; 32]) {
        call(&exceeds, || deposits.push([1; 32]));
    }
    let mut deposits = DepositTree::new();
    deposits.extend(nodes);
    let (count, right) = (deposits.len(), deposits.root());
    assert!(DepositTree::resume(deposits.finalized(), count, &right).is_ok());
    assert!(DepositTree::resume(deposits.finalized(), count.wrapping_add(c | 1), &right).is_err());

    let hasher = Algorand::new(algorand::Sha256::new(), b"");
    let vector = VectorCommitment::from_leaves(hasher, nodes);
    assert_eq!(vector.prove(d).is_ok(), d < vector.len());
    let _ = vector.prove_many(&input.indices);
    let depth = c as u32;
    let head = algorand::VectorHead { depth, root: [0; 32] };
    let _ = head.position(d);
    let proof = InclusionProof::from(nodes.to_vec());
    let of_leaf = algorand::verify_element(&hasher, &head, d, &[1; 32], &proof);
    assert!(of_leaf.is_err(), "a hash of zeros was found");
}
