//! SHA-256 of many messages of other lengths than a node, equal and mixed.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Long);
}
