//! Tests the default backend, which belongs to the whole process: there is one test in this target.

use sumhash512::Backend;

#[test]
fn the_default_is_that_of_hash_lanes() {
    let portable: hash_lanes::Backend = "portable".parse().unwrap();
    portable.set_default().unwrap();
    assert_eq!((Backend::detect().name(), Backend::default().name()), ("portable", "portable"));
    let best = Backend::available()[0];
    if best.name() != "portable" {
        assert_ne!(Backend::detect(), best);
    }
}
