//! One sha2 digest right after a lane kernel: slow if the kernel leaves the upper halves of the
//! vector registers dirty.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::AfterLanes);
}
