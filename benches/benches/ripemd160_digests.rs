//! RIPEMD-160 of many SHA-256 digests, as digests and as messages of any length.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Ripemd160Digests);
}
