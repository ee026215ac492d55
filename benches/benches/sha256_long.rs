//! SHA-256 of many messages longer or shorter than a node, of equal and mixed lengths.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Long);
}
