//! HASH160 of many public keys, compressed and uncompressed.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Hash160Keys);
}
