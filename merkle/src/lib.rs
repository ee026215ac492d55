#![cfg_attr(
    any(not(doctest), all(feature = "algorand", feature = "keccak")),
    doc = include_str!("../README.md")
)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// Implements `Display` and `Error` with a message for each pattern.
macro_rules! error_messages {
    ($Error:ty { $($pattern:pat => $message:literal $(, $argument:expr)*;)+ }) => {
        impl core::fmt::Display for $Error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $($pattern => write!(f, $message $(, $argument)*),)+
                }
            }
        }

        impl core::error::Error for $Error {}
    };
}

#[cfg(feature = "algorand")]
pub mod algorand;
mod any_digest;
pub mod bep52;
pub mod bitcoin;
mod builder;
mod fold;
mod hasher;
mod hex;
#[cfg(feature = "keccak")]
pub mod keccak;
#[cfg(feature = "rayon")]
mod parallel;
mod proof;
pub mod rfc6962;
mod sha256;
mod shape;
pub mod ssz;
mod staged;
mod subtree;
mod tree;
#[cfg(feature = "verity")]
pub mod verity;

pub use any_digest::AnyDigest;
pub use builder::{FrontierError, RootBuilder};
pub use fold::root;
#[cfg(feature = "rayon")]
/// It is itself a [`NodeHasher`] if `H` is one, and hashes trees of any family on all cores:
///
/// ```
/// use merkle_lanes::{Parallel, Tree, root, ssz::Ssz};
///
/// let leaves = vec![[1; 32]; 10_000];
/// assert_eq!(root(&Parallel(Ssz::new()), &leaves), root(&Ssz::new(), &leaves));
/// let tree = Tree::from_leaves(Parallel(Ssz::new()), leaves);
/// ```
pub use hash_lanes::Parallel;
pub use hash_lanes::{Backend, HashMany};
pub use hasher::{Node, NodeHasher, Odd, levels_above};
pub use proof::{
    Claim, ConsistencyProof, DecodeError, InclusionProof, MultiProof, TreeHead, VerifyError,
    verify_many,
};
pub use subtree::{SubtreeError, SubtreeRoot, subtree_root, subtree_roots};
pub use tree::{NoSuchLeafError, Tree};
