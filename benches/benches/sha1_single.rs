//! SHA-1 of one message, without lanes.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Sha1Single);
}
