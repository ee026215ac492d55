//! PBKDF2 with HMAC-SHA-256 and HMAC-SHA-1 of many passwords.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Pbkdf2);
}
