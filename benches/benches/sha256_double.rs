//! Double SHA-256, as in Bitcoin's transaction tree and block headers.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Double);
}
