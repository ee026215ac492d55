//! Shapes, candidates and timing for the hashlanes benches.
//!
//! A *shape* is an operation and its messages. A *candidate* is one of our backends or a rival.
//! Both are data. The Criterion benches and the programs `ratios` and `record` differ in how they
//! time them and in what they do with the times.

#![forbid(unsafe_code)]

pub mod addr_recover;
pub mod batch;
#[cfg(feature = "adapters")]
pub mod blocks;
mod bounds;
pub mod candidate;
pub mod charts;
pub mod criterion_rows;
mod default_profile;
pub mod fresh;
mod hash;
pub mod interleave;
pub mod machine;
pub mod record;
pub mod report;
#[cfg(feature = "rivals")]
mod rivals;
pub mod shape;
pub mod sumhash;
pub mod trees;
mod versions;
pub mod work;
