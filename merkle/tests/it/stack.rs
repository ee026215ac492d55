//! Tests that every function keeps to the stack that the README promises: an overflow aborts the
//! test program.

use std::thread;

use merkle_lanes::bep52::{Bep52, FileHasher, PieceLength};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::{GeneralizedIndex, NodeAt, PersistentList, Ssz, SszMultiProof, pack};
use merkle_lanes::{
    AnyDigest, Backend, Claim, Node, NodeHasher, RootBuilder, Tree, root, verify_many,
};
use sha256_multi::Sha256Lanes;

/// The promised 32 KiB, and 16 KiB for the thread itself and the hashers and builders that [`run`]
/// holds. Without optimisation, or with debug assertions, 1 MiB.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { (32 + 16) << 10 };

/// More than a builder hashes at once, and odd on many levels.
const SIZE: usize = (1 << 12) + (1 << 10) + 77;

fn in_a_small_stack(job: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK).spawn(job).unwrap().join().unwrap();
}

/// Roots, trees and proofs of any family.
fn run<H: NodeHasher + Clone>(hasher: &H) {
    let data: Vec<_> = (0..SIZE).map(|i| vec![i as u8; i % 150]).collect();
    let mut leaves = vec![H::Node::ZERO; SIZE];
    hasher.hash_leaves(&data, &mut leaves);
    let expected = root(hasher, &leaves);

    let mut builder = RootBuilder::new(hasher.clone());
    builder.extend(&leaves[..100]);
    builder.extend_data(&data[100..]);
    assert_eq!(builder.root(), expected);

    let mut tree = Tree::from_leaves(hasher.clone(), leaves.as_slice());
    tree.truncate(SIZE as u64 / 2);
    let old = tree.head();
    tree.extend_data(&data[SIZE / 2..SIZE - 1]);
    tree.push(leaves[SIZE - 1]);
    let updates: Vec<_> = (0..SIZE).step_by(3).map(|i| (i as u64, leaves[i])).collect();
    tree.update_many(&updates).unwrap();
    assert_eq!(tree.root(), expected);

    let head = tree.head();
    let consistent = tree.prove_consistency(old.size).unwrap();
    consistent.verify(hasher, &old, &head).unwrap();
    let indices: Vec<u64> = (0..head.size).step_by(37).collect();
    let several = tree.prove_many(&indices).unwrap();
    let proven: Vec<_> = indices.iter().map(|&i| (i, leaves[i as usize])).collect();
    several.verify(hasher, &head, &proven).unwrap();
    let proofs: Vec<_> = indices.iter().map(|&index| tree.prove(index).unwrap()).collect();
    let claims: Vec<_> = proven
        .iter()
        .zip(&proofs)
        .map(|(&(index, ref leaf), proof)| {
            proof.verify(hasher, &head, index, leaf).unwrap();
            Claim { head: &head, index, leaf, proof }
        })
        .collect();
    assert!(verify_many(hasher, &claims).iter().all(Result::is_ok));
}

/// What single families add.
fn run_own(backend: Backend) {
    let leaves: Vec<_> = (0..1000_u32).map(|i| sha256_multi::hash(i.to_le_bytes())).collect();

    let bitcoin = Bitcoin::new().with_backend(backend);
    let block = Tree::from_leaves(bitcoin, leaves.as_slice());
    assert_eq!(bitcoin.block_root(&leaves).root, block.root());
    let partial = PartialMerkleTree::new(&block, &[3, 500]).unwrap();
    assert_eq!(partial.verify(&bitcoin, &block.root()).unwrap().len(), 2);

    let mut list = PersistentList::<[u8; 32]>::new(Ssz::with_limit(1 << 38).with_backend(backend));
    list.extend(leaves.iter().copied().cycle().take(SIZE));
    let (root, mut changed) = (list.root(), list.clone());
    changed.set(0, [0; 32]).unwrap();
    list.rebase_on(&changed);
    let (index, chunk) = list.chunk_of(SIZE as u64 / 2).unwrap();
    let proof = list.prove(index).unwrap();
    proof.verify(list.hasher(), &list.clone().head(), index.get(), &chunk).unwrap();
    let indices = [2, 1 << 38].map(|place| GeneralizedIndex::new(place).unwrap());
    let proof = SszMultiProof::new(&list.hashed(), &indices).unwrap();
    let nodes = indices.map(|place| (place, list.hashed().node_at(place).unwrap()));
    proof.verify(list.hasher(), &root, &nodes).unwrap();
    changed.truncate(SIZE as u64 / 3);
    assert_ne!(list, changed);
    assert_ne!((changed.root(), list.root()), (root, changed.root()));
    Ssz::with_limit(5000).merkleize(&pack(&leaves.as_flattened()[..31_999])).unwrap();

    let piece_length = PieceLength::new(32 << 10).unwrap();
    let content = vec![7; 2_000_000];
    let mut file = FileHasher::new(Bep52::new().with_backend(backend), piece_length);
    file.update(&content);
    let file = file.finish();
    let pieces: Vec<_> = (0..).zip(content.chunks(32 << 10)).collect();
    let bep52 = Bep52::new().with_backend(backend);
    assert!(file.verify_pieces(&bep52, &pieces).iter().all(Result::is_ok));
}

#[test]
fn every_function_in_a_small_stack() {
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        in_a_small_stack(move || run(&Ssz::new().with_backend(backend)));
        in_a_small_stack(move || run(&Ssz::with_limit(1 << 40).with_backend(backend)));
        in_a_small_stack(move || run(&Bitcoin::new().with_backend(backend)));
        in_a_small_stack(move || run(&Rfc6962::new().with_backend(backend)));
        in_a_small_stack(move || run(&Bep52::new().with_backend(backend)));
        let any = move || AnyDigest::<_, 32>::new(Sha256Lanes::on(backend));
        in_a_small_stack(move || run(&any().node_prefix(&[1])));
        in_a_small_stack(move || run(&any().padded_with_subtrees_of([0; 32])));
        in_a_small_stack(move || run_own(backend));
    }
}

#[cfg(feature = "algorand")]
#[test]
fn algorand_in_a_small_stack() {
    use merkle_lanes::algorand::{
        Algorand, HashFunction, Sha256, Sha512_256, Sumhash512, VectorCommitment, verify_element,
    };

    fn of<F: HashFunction>(function: F) {
        in_a_small_stack(move || {
            let hasher = Algorand::new(function, b"MX");
            run(&hasher);
            let vector = VectorCommitment::from_data(hasher, &["first", "second", "third"]);
            let (third, proof) = (hasher.hash_leaf(b"third"), vector.prove(2).unwrap());
            verify_element(&hasher, &vector.head(), 2, &third, &proof).unwrap();
        });
    }
    of(Sha512_256::new());
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        of(Sha256::new().with_backend(backend));
    }
    for backend in sumhash512::Backend::available() {
        of(Sumhash512::new().with_backend(backend));
    }
}

#[cfg(feature = "keccak")]
#[test]
fn keccak_in_a_small_stack() {
    use merkle_lanes::keccak::{CHUNK_BYTES, Chunk, OpenZeppelin, Swarm};

    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        in_a_small_stack(move || {
            let values: Vec<_> = (0..1000_u32).map(|i| [i.to_le_bytes(); 16]).collect();
            let values: Vec<_> = values.iter().map(|value| value.as_flattened()).collect();
            let hasher = OpenZeppelin::new().with_backend(backend);
            let tree = hasher.standard_tree(&values).unwrap();
            let proof = tree.prove(7).unwrap();
            let leaf = hasher.standard_leaf(values[7]);
            hasher.verify(&tree.root(), &leaf, &proof).unwrap();
            assert_eq!(hasher.process_proofs(&[(&leaf, &proof); 100]), [tree.root(); 100]);
            let (order, several) = tree.prove_many(&(0..500).collect::<Vec<_>>()).unwrap();
            let leaves: Vec<_> = order.iter().map(|&index| *tree.leaf(index).unwrap()).collect();
            several.verify(&hasher, &tree.root(), &leaves).unwrap();

            let swarm = Swarm::new().with_backend(backend);
            let payload = vec![7; CHUNK_BYTES];
            let chunk = Chunk::new(&payload);
            let address = swarm.addresses(&[chunk; 70]).unwrap()[69];
            let proof = swarm.tree(&chunk).unwrap().prove(3).unwrap();
            swarm.verify_segment(&address, chunk.span, 3, &[7; 32], &proof).unwrap();
        });
    }
}
