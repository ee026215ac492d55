//! HASH160 of one public key, without lanes.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Hash160Single);
}
