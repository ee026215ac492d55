//! Every length up to 16 blocks, through every interface.

use sumhash512::Backend;

use crate::reference::Reference;
use crate::{assert_hashed, painted, tables};

#[test]
fn every_length() {
    let reference = Reference::new();
    let tables = tables();
    for length in 0..=1024 {
        let message = painted(length, length);
        let expected = reference.digest(&message);
        assert_hashed(&tables, &message, &expected);
        assert_digest_types(&message, &expected);
    }
}

/// Asserts that the digest types of both generations return the expected digest.
fn assert_digest_types(message: &[u8], expected: &[u8; 64]) {
    for backend in Backend::available() {
        #[cfg(feature = "digest")]
        {
            use sumhash512::Sumhash512;
            use sumhash512::digest::{FixedOutput, Update};

            let plain = Sumhash512::default().with_backend(backend).chain(message);
            assert_eq!(plain.finalize_fixed()[..], *expected, "{backend}");
        }
        #[cfg(feature = "digest-0_10")]
        {
            use sumhash512::Sumhash512Core;
            use sumhash512::digest_0_10::Sumhash512;
            use sumhash512::digest_0_10::digest::{FixedOutput, Update};

            let core = Sumhash512Core::new().with_backend(backend);
            let digest = Sumhash512::from_core(core).chain(message).finalize_fixed();
            assert_eq!(digest[..], *expected, "0.10, {backend}");
        }
        let _ = (backend, message, expected);
    }
}
