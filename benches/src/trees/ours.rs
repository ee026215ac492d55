//! The merkle-lanes candidates for each task.

use std::rc::Rc;

use merkle_lanes::algorand::{Algorand, Sumhash512};
use merkle_lanes::{
    Backend, Claim, InclusionProof, LeafPosition, NodeHasher, Parallel, RootBuilder, Tree, root,
    verify_many,
};

use super::Candidate;
use super::data::{Node, Proofs, Update};
use crate::candidate::Role;

/// The input that a tree is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Leaves.
    Leaves,
    /// Data that is first hashed into leaves.
    Data,
}

impl Input {
    fn root<const N: usize, H: NodeHasher<Node = Node<N>>>(
        self,
        hasher: &H,
        nodes: &[Node<N>],
    ) -> Node<N> {
        match self {
            Self::Leaves => root(hasher, nodes),
            Self::Data => root(hasher, &self.leaves(hasher, nodes)),
        }
    }

    fn leaves<const N: usize, H: NodeHasher<Node = Node<N>>>(
        self,
        hasher: &H,
        nodes: &[Node<N>],
    ) -> Vec<Node<N>> {
        match self {
            Self::Leaves => nodes.to_vec(),
            Self::Data => {
                let mut leaves = vec![[0; N]; nodes.len()];
                hasher.hash_leaves(nodes, &mut leaves);
                leaves
            }
        }
    }
}

/// Our backends with their roles.
fn backends() -> impl Iterator<Item = (Backend, Role)> {
    with_roles(Backend::available(), Backend::detect())
}

/// Backends with their roles.
fn with_roles<B: PartialEq>(backends: Vec<B>, default: B) -> impl Iterator<Item = (B, Role)> {
    backends.into_iter().map(move |backend| {
        let role = if backend == default { Role::Auto } else { Role::Backend };
        (backend, role)
    })
}

/// The name of a variant on the default backend.
fn variant(name: &str) -> String {
    format!("{}:{name}", Backend::detect().name())
}

/// The row name of [`Parallel`]. It includes the number of threads, because a process may be pinned
/// to one core.
fn parallel() -> String {
    variant(&format!("parallel-{}", rayon::current_num_threads()))
}

/// Computes a root in one call.
fn root_candidate<const N: usize, H>(
    name: String,
    role: Role,
    hasher: H,
    input: Input,
    nodes: &Rc<[Node<N>]>,
) -> Candidate
where
    H: NodeHasher<Node = Node<N>> + 'static,
{
    let nodes = Rc::clone(nodes);
    Candidate::new(name, role, move || input.root(&hasher, &nodes).to_vec())
}

/// Computes a root with each backend of sumhash512.
pub(super) fn sumhash512_roots(leaves: &Rc<[Node<64>]>) -> Vec<Candidate> {
    let candidate = |(backend, role): (sumhash512::Backend, Role)| {
        // The leaves are given, so the domain is not used.
        let hasher = Algorand::new(Sumhash512::new().with_backend(backend), b"");
        root_candidate(backend.name().to_owned(), role, hasher, Input::Leaves, leaves)
    };
    use sumhash512::Backend;
    with_roles(Backend::available(), Backend::detect()).map(candidate).collect()
}

/// Computes a root with each backend, on all cores, with a builder, and with an in-memory tree,
/// which copies the leaves.
pub(super) fn roots<H>(
    with: impl Fn(Backend) -> H,
    input: Input,
    nodes: &Rc<[Node]>,
) -> Vec<Candidate>
where
    H: NodeHasher<Node = Node> + Copy + Sync + 'static,
{
    let mut all: Vec<Candidate> = backends()
        .map(|(backend, role)| {
            root_candidate(backend.name().to_owned(), role, with(backend), input, nodes)
        })
        .collect();

    let hasher = with(Backend::detect());
    all.push(root_candidate(parallel(), Role::Backend, Parallel(hasher), input, nodes));
    let of = Rc::clone(nodes);
    all.push(Candidate::new(variant("builder"), Role::Backend, move || {
        let mut builder = RootBuilder::new(hasher);
        match input {
            Input::Leaves => builder.extend(&of),
            Input::Data => builder.extend_data(&of),
        }
        builder.root().to_vec()
    }));
    let of = Rc::clone(nodes);
    all.push(Candidate::new(variant("tree"), Role::Backend, move || {
        Tree::from_leaves(hasher, input.leaves(&hasher, &of)).root().to_vec()
    }));
    all
}

/// Verifies proofs in one call with each backend, and one after another.
pub(super) fn verifiers<H>(
    with: impl Fn(Backend) -> H,
    input: Input,
    proofs: &Rc<Proofs>,
) -> Vec<Candidate>
where
    H: NodeHasher<Node = Node> + Copy + 'static,
{
    let decoded: Rc<[InclusionProof<Node>]> =
        proofs.all.iter().map(|proof| proof.path.clone().into()).collect();
    let data: Rc<[Node]> = proofs.all.iter().map(|proof| proof.data).collect();
    let size = proofs.size as u64;

    let mut all = Vec::new();
    for (backend, role) in backends() {
        let (hasher, data) = (with(backend), Rc::clone(&data));
        let (proofs, decoded) = (Rc::clone(proofs), Rc::clone(&decoded));
        all.push(Candidate::new(backend.name().to_owned(), role, move || {
            let leaves = input.leaves(&hasher, &data);
            let both = proofs.all.iter().zip(&*decoded).zip(&leaves);
            let claims: Vec<_> = both
                .map(|((of, proof), leaf)| Claim {
                    root: &proofs.root,
                    position: LeafPosition { index: of.index as u64, size },
                    leaf,
                    proof,
                })
                .collect();
            verify_many(&hasher, &claims).iter().map(|result| u8::from(result.is_ok())).collect()
        }));
    }

    let (hasher, proofs) = (with(Backend::detect()), Rc::clone(proofs));
    all.push(Candidate::new(variant("one-by-one"), Role::Backend, move || {
        let verdict = |(of, proof): (&super::data::Proof, &InclusionProof<Node>)| {
            let leaf = if input == Input::Data { hasher.hash_leaf(&of.data) } else { of.data };
            let position = LeafPosition { index: of.index as u64, size };
            u8::from(proof.verify(&hasher, &proofs.root, position, &leaf).is_ok())
        };
        proofs.all.iter().zip(&*decoded).map(verdict).collect()
    }));
    all
}

/// Replaces leaves with each backend, and rebuilds the tree, which copies the leaves.
pub(super) fn updates<H>(with: impl Fn(Backend) -> H, update: &Rc<Update>) -> Vec<Candidate>
where
    H: NodeHasher<Node = Node> + Copy + 'static,
{
    let mut all = Vec::new();
    for (backend, role) in backends() {
        let update = Rc::clone(update);
        let mut tree = Tree::from_leaves(with(backend), update.leaves.as_slice());
        all.push(Candidate::new(backend.name().to_owned(), role, move || {
            tree.update_many(&update.replaced).expect("every index is that of a leaf");
            tree.root().to_vec()
        }));
    }
    let (hasher, after) = (with(Backend::detect()), update.after());
    all.push(Candidate::new(variant("rebuild"), Role::Backend, move || {
        Tree::from_leaves(hasher, after.as_slice()).root().to_vec()
    }));
    all
}
