//! Shapes, candidates and timing for the hashlanes benches.
//!
//! [`harness`] has the list of all shapes, and the one way to check and to time their candidates.

#![forbid(unsafe_code)]

pub mod chart;
mod gains;
pub mod harness;
mod lanes;
pub mod machine;
pub mod record;
pub mod report;
mod search;
mod signatures;
mod sumhash;
mod trees;
