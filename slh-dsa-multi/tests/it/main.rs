//! Tests of keys and signatures, against the crate `slh-dsa` and NIST's vectors.

mod acvp;
mod edges;
mod equality;
mod formats;
#[cfg(feature = "draft-sp800-230")]
mod limited;
