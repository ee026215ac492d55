//! HASH160 of 1 to 64 compressed public keys, to check that each count uses the cheapest kernel.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Hash160Small);
}
