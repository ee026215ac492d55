//! SHA-1 of 1 to 64 messages, to check that each count uses the cheapest kernel.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Sha1Small);
}
