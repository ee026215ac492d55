//! Algorand's Merkle trees.
