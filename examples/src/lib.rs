//! Hash **many messages at once, one per SIMD lane**. This page says which crate to start from; the
//! crate itself is empty and not published.
//!
//! | for | start from |
//! |---|---|
//! | SHA-256 of many messages: [`hash_many`](../sha256_multi/fn.hash_many.html), [`DigestMany`](../sha256_multi/trait.DigestMany.html) for `sha2::Sha256`, tree nodes, HMAC, PBKDF2 | [`sha256_multi`](../sha256_multi/index.html) |
//! | SHA-1: torrent pieces, git objects | [`sha1_multi`](../sha1_multi/index.html) |
//! | RIPEMD-160 and HASH160: Bitcoin addresses from public keys | [`ripemd_multi`](../ripemd_multi/index.html) |
//! | SLH-DSA: hash-based signatures | [`slh_dsa_multi`](../slh_dsa_multi/index.html) |
//! | sumhash512: Algorand's state proofs | [`sumhash512`](../sumhash512/index.html) |
//! | roots, trees and proofs of Ethereum, Bitcoin, Certificate Transparency, BitTorrent v2 and Algorand | [`merkle_lanes`](../merkle_lanes/index.html) |
//! | recovering a damaged address, as a library | [`addr_recover`](../addr_recover/index.html) |
//! | verifying torrents, as a library | [`torrent_check`](../torrent_check/index.html) |
//! | code that is generic over these hashes: [`HashMany`](../hash_lanes/trait.HashMany.html); choosing kernels: [`Backend`](../hash_lanes/struct.Backend.html); your own hash in lanes | [`hash_lanes`](../hash_lanes/index.html) |
//!
//! ```
//! use sha2::{Digest, Sha256};
//! use sha256_multi::DigestMany;
//!
//! let messages: Vec<_> = (0..1000).map(|i| format!("message {i}")).collect();
//! let digests = Sha256::digest_many(&messages);
//! assert_eq!(digests[7], Sha256::digest("message 7"));
//! ```
//!
//! [`DigestMany`](../hash_lanes/trait.DigestMany.html) is the same trait for all hashes:
//!
//! ```
//! use hash_lanes::DigestMany;
//! use sha2::digest::{Digest, Output};
//! // A crate must be named for its implementations to be seen.
//! use {sha1_multi as _, sha256_multi as _};
//!
//! fn fingerprints<D, L>(files: &[Vec<u8>]) -> Vec<Output<D>>
//! where
//!     D: Digest + DigestMany<L, Output = Output<D>>,
//! {
//!     D::digest_many(files)
//! }
//!
//! let files = [vec![1], vec![2, 3]];
//! assert_eq!(fingerprints::<sha1::Sha1, _>(&files)[0], sha1::Sha1::digest([1]));
//! assert_eq!(fingerprints::<sha2::Sha256, _>(&files)[1], sha2::Sha256::digest([2, 3]));
//! let sums = fingerprints::<sumhash512::Sumhash512, _>(&files);
//! assert_eq!(sums[0], sumhash512::Sumhash512::digest([1]));
//! ```

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
