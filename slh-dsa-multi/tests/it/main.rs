//! Tests of keys and signatures, against the crate `slh-dsa` and NIST's vectors.

mod acvp;
mod edges;
mod equality;
