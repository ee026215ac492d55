//! SHA-256 of tree nodes, in the variants that the families need.

mod parent_hash;
mod prefixed;
mod subtrees;

use core::marker::PhantomData;

use hash_lanes::Backend;
use hash_lanes::engine::{LaneKernel, MAX_LANES};
pub(crate) use parent_hash::{Double, ParentHash, Plain};
pub(crate) use prefixed::Prefixed;
use subtrees::{HashSubtrees, KERNELS, MAX_HEIGHT};

use crate::hasher::{NodeHasher, check_subtrees, level_by_level};

/// The lanes for [`HashSubtrees`], if lanes are the cheapest kernel and `nodes` fill them.
fn kernel<P: ParentHash>(backend: Backend, nodes: usize) -> Option<LaneKernel> {
    P::lanes(backend)
        .filter(|lanes| KERNELS.contains(lanes.kernel()) && nodes >= lanes.lanes::<u32>())
}

/// See [`NodeHasher::subtree_height`]: as high as possible with a subtree in every lane.
pub(crate) fn subtree_height<P: ParentHash>(backend: Backend, nodes: usize) -> u32 {
    if nodes < 2 * MAX_LANES {
        1
    } else if kernel::<P>(backend, nodes).is_some() {
        (nodes / MAX_LANES).ilog2().min(MAX_HEIGHT)
    } else {
        crate::hasher::height_at_once(nodes)
    }
}

/// See [`NodeHasher::hash_subtrees`]: one subtree per lane while they fill the lanes.
#[track_caller]
pub(crate) fn hash_subtrees<P: ParentHash, H: NodeHasher<Node = [u8; 32]>>(
    backend: Backend,
    hasher: &H,
    leaves: &[[u8; 32]],
    height: u32,
    roots: &mut [[u8; 32]],
) {
    check_subtrees(leaves.len(), height, roots.len());
    let mut done = 0;
    if let Some(kernel) = kernel::<P>(backend, roots.len())
        && (2..=MAX_HEIGHT).contains(&height)
    {
        let (pairs, _) = leaves.as_flattened().as_chunks();
        let roots = &mut *roots;
        done = kernel.run(HashSubtrees::<P> { pairs, height, roots, hash: PhantomData });
    }
    level_by_level(hasher, &leaves[done << height..], height, &mut roots[done..]);
}

/// The node-hashing methods of [`NodeHasher`], for a family with a field `backend` and this
/// [`ParentHash`].
macro_rules! levels {
    ($hash:ty) => {
        #[track_caller]
        fn hash_level(&self, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
            <$hash as $crate::sha256::ParentHash>::hash_parents(self.backend, children, parents);
        }

        fn subtree_height(&self, nodes: usize) -> u32 {
            $crate::sha256::subtree_height::<$hash>(self.backend, nodes)
        }

        #[track_caller]
        fn hash_subtrees(&self, leaves: &[[u8; 32]], height: u32, roots: &mut [[u8; 32]]) {
            $crate::sha256::hash_subtrees::<$hash, _>(self.backend, self, leaves, height, roots);
        }
    };
}
pub(crate) use levels;

/// The constructors of a type whose only field is `backend`.
macro_rules! constructors {
    ($Type:ty) => {
        impl $Type {
            /// Uses the best backend of this CPU.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            /// Uses an explicit backend.
            #[must_use]
            pub fn with_backend(self, backend: Backend) -> Self {
                Self { backend }
            }
        }
    };
}
pub(crate) use constructors;
