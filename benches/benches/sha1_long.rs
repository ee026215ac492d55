//! SHA-1 of messages of several lengths, including torrent pieces.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Sha1Long);
}
