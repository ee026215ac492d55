//! The merkle-lanes candidates for each task.

use std::borrow::Cow;
use std::rc::Rc;

use merkle_lanes::algorand::{Algorand, Sumhash512};
use merkle_lanes::{
    Backend, Claim, InclusionProof, NodeHasher, Parallel, RootBuilder, Tree, TreeHead, root,
    verify_many,
};

use super::data::{Node, Proof, Proofs, Update};
use crate::harness::{Candidate, Role};
use crate::sumhash::distinct_backends;

/// The input that a tree is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Leaves.
    Leaves,
    /// Data that is first hashed into leaves.
    Data,
}

impl Input {
    fn leaves<'n, H: NodeHasher<Node = Node>>(
        self,
        hasher: &H,
        nodes: &'n [Node],
    ) -> Cow<'n, [Node]> {
        match self {
            Self::Leaves => Cow::Borrowed(nodes),
            Self::Data => {
                let mut leaves = vec![[0; 32]; nodes.len()];
                hasher.hash_leaves(nodes, &mut leaves);
                Cow::Owned(leaves)
            }
        }
    }
}

/// A candidate for each backend.
pub(super) fn on_backends<'a, T: AsRef<[u8]>, R: FnMut() -> T + 'a>(
    run: impl Fn(Backend) -> R,
) -> Vec<Candidate<'a>> {
    let candidate = |backend: Backend| {
        let role = Role::of(&backend, &Backend::detect());
        Candidate::returning(backend.name().to_owned(), role, run(backend))
    };
    Backend::available().into_iter().map(candidate).collect()
}

/// Another way to call the default backend.
fn variant<'a, T: AsRef<[u8]>>(name: &str, run: impl FnMut() -> T + 'a) -> Candidate<'a> {
    Candidate::returning(format!("{}:{name}", Backend::detect().name()), Role::Backend, run)
}

/// Computes a root with each backend of sumhash512.
pub(super) fn sumhash512_roots(leaves: &[Node<64>]) -> Vec<Candidate<'_>> {
    use sumhash512::Backend;
    let candidate = |backend: Backend| {
        // The leaves are given, so the domain is not used.
        let hasher = Algorand::new(Sumhash512::new().with_backend(backend), b"");
        let role = Role::of(&backend, &Backend::detect());
        Candidate::returning(backend.name().to_owned(), role, move || root(&hasher, leaves))
    };
    distinct_backends().into_iter().map(candidate).collect()
}

/// Computes a root with each backend, on all cores, with a builder, and with an in-memory tree,
/// which copies the leaves.
pub(super) fn roots<H>(
    with: impl Fn(Backend) -> H,
    input: Input,
    nodes: &[Node],
) -> Vec<Candidate<'_>>
where
    H: NodeHasher<Node = Node> + Copy + Sync + 'static,
{
    let mut all = on_backends(|backend| {
        let hasher = with(backend);
        move || root(&hasher, &input.leaves(&hasher, nodes))
    });
    let hasher = with(Backend::detect());
    // The number of threads, because a process may be pinned to one core.
    let parallel = format!("parallel-{}", rayon::current_num_threads());
    all.push(variant(&parallel, move || {
        let hasher = Parallel(hasher);
        root(&hasher, &input.leaves(&hasher, nodes))
    }));
    all.push(variant("builder", move || {
        let mut builder = RootBuilder::new(hasher);
        match input {
            Input::Leaves => builder.extend(nodes),
            Input::Data => builder.extend_data(nodes),
        }
        builder.root()
    }));
    all.push(variant("tree", move || {
        Tree::from_leaves(hasher, input.leaves(&hasher, nodes).into_owned()).root()
    }));
    all
}

/// Verifies proofs in one call with each backend, and one after another.
pub(super) fn verifiers<H>(
    with: impl Fn(Backend) -> H,
    input: Input,
    proofs: &Proofs,
) -> Vec<Candidate<'_>>
where
    H: NodeHasher<Node = Node> + Copy + 'static,
{
    let decoded: Rc<[InclusionProof<Node>]> =
        proofs.all.iter().map(|proof| proof.path.clone().into()).collect();
    let data: Rc<[Node]> = proofs.all.iter().map(|proof| proof.data).collect();
    let head = TreeHead { size: proofs.size as u64, root: proofs.root };

    let mut all = on_backends(|backend| {
        let (hasher, decoded, data) = (with(backend), Rc::clone(&decoded), Rc::clone(&data));
        move || -> Vec<u8> {
            let leaves = input.leaves(&hasher, &data);
            let both = proofs.all.iter().zip(&*decoded).zip(&*leaves);
            let claims: Vec<_> = both
                .map(|((of, proof), leaf)| Claim {
                    head: &head,
                    index: of.index as u64,
                    leaf,
                    proof,
                })
                .collect();
            verify_many(&hasher, &claims).iter().map(|result| u8::from(result.is_ok())).collect()
        }
    });
    let hasher = with(Backend::detect());
    all.push(variant("one-by-one", move || -> Vec<u8> {
        let verdict = |(of, proof): (&Proof, &InclusionProof<Node>)| {
            let leaf = if input == Input::Data { hasher.hash_leaf(&of.data) } else { of.data };
            u8::from(proof.verify(&hasher, &head, of.index as u64, &leaf).is_ok())
        };
        proofs.all.iter().zip(&*decoded).map(verdict).collect()
    }));
    all
}

/// Replaces leaves with each backend, and rebuilds the tree, which copies the leaves.
pub(super) fn updates<H>(
    with: impl Fn(Backend) -> H,
    update: &Update,
    after: Vec<Node>,
) -> Vec<Candidate<'_>>
where
    H: NodeHasher<Node = Node> + Copy + 'static,
{
    let mut all = on_backends(|backend| {
        let mut tree = Tree::from_leaves(with(backend), update.leaves.as_slice());
        move || {
            tree.update_many(&update.replaced).expect("every index is that of a leaf");
            tree.root()
        }
    });
    let hasher = with(Backend::detect());
    all.push(variant("rebuild", move || Tree::from_leaves(hasher, after.as_slice()).root()));
    all
}
