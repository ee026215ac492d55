//! Lists the backends that this machine can run, the best first.
//!
//! The first word of each line is the name that `Backend` is parsed from.

use hash_lanes::Backend;

fn main() {
    let detected = Backend::detect();
    for backend in Backend::available() {
        let mark = if backend.name() == detected.name() { " (detected)" } else { "" };
        println!("{backend}{mark}");
    }
}
