//! Shapes, candidates and timing for the hashlanes benches.
//!
//! A *shape* is an operation and its messages. A *candidate* is one of our backends or a rival.
//! Both are data, and the Criterion benches and the `ratios` program differ only in how they time
//! them.

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
