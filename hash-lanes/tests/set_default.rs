//! Tests the default backend, which is global to the process: this target has a single test.

use std::thread;

use hash_lanes::Backend;

#[test]
fn the_default_is_set_once_for_all_threads() {
    let portable: Backend = "portable".parse().unwrap();
    assert_eq!(portable.set_default(), Ok(()));
    assert_eq!((Backend::detect(), Backend::default()), (portable, portable));
    assert_eq!(thread::spawn(Backend::detect).join().unwrap(), portable);

    assert_eq!(portable.set_default(), Ok(()), "it is the default already");
    let others = Backend::available().into_iter().chain(Backend::single_kernels());
    for backend in others.filter(|&backend| backend != portable) {
        let error = backend.set_default().unwrap_err();
        assert_eq!(error.current, portable);
        assert_eq!(
            error.to_string(),
            "the default backend is already in use: portable; set it before hashing"
        );
    }
    assert_eq!(Backend::detect(), portable);
}
