//! What the benches of hashlanes share: the shapes that are timed, the candidates that hash them,
//! and the ways of timing.
//!
//! A *shape* is an operation and its messages; a *candidate* is one of our backends or a rival.
//! Both are data here, and the Criterion benches and the `ratios` program only differ in how they
//! time them.

#![forbid(unsafe_code)]

pub mod addr_recover;
pub mod batch;
pub mod candidate;
pub mod criterion_rows;
pub mod interleave;
pub mod machine;
pub mod record;
#[cfg(feature = "rivals")]
mod rivals;
pub mod shape;
pub mod sumhash;
pub mod trees;
mod versions;
