//! RIPEMD-160 of messages longer than one block.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Ripemd160Long);
}
