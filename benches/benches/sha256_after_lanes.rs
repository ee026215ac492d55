//! One digest by sha2 right after a lane kernel: dear if the kernel leaves the upper halves of its
//! registers dirty.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::AfterLanes);
}
