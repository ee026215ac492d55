//! HASH160 of 1 to 64 compressed public keys: whether the kernel chosen for a count is the cheapest
//! one.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Hash160Small);
}
