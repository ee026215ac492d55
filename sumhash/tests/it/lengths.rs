//! Every length up to 16 blocks, through every interface, with and without a salt.

use sumhash512::{Backend, Table};

use crate::reference::Reference;
use crate::{assert_hashed, painted, tables};

fn assert_every_length(salt: Option<&[u8; 64]>) {
    let reference = Reference::sumhash512();
    let tables = tables();
    for length in 0..=1024 {
        let message = painted(length, length);
        let expected = reference.hash(salt.map(<[u8; 64]>::as_slice), &message);
        assert_hashed(&tables, salt, &message, &expected);
        assert_digest_types(&tables[0], salt, &message, &expected);
    }
}

/// Asserts that the digest types of both generations return the expected digest.
fn assert_digest_types(table: &Table, salt: Option<&[u8; 64]>, message: &[u8], expected: &[u8]) {
    for backend in Backend::available() {
        #[cfg(feature = "digest")]
        {
            use sumhash512::digest::{FixedOutput, Update};
            use sumhash512::{
                SaltedSumhash512, SaltedSumhash512With, Sumhash512, Sumhash512Ct, Sumhash512With,
            };

            let digests = match salt {
                None => vec![
                    Sumhash512::default().with_backend(backend).chain(message).finalize_fixed(),
                    Sumhash512Ct::default().with_backend(backend).chain(message).finalize_fixed(),
                    Sumhash512With::new(table)
                        .with_backend(backend)
                        .chain(message)
                        .finalize_fixed(),
                ],
                Some(salt) => vec![
                    SaltedSumhash512::new(salt)
                        .with_backend(backend)
                        .chain(message)
                        .finalize_fixed(),
                    SaltedSumhash512With::new(table, salt)
                        .with_backend(backend)
                        .chain(message)
                        .finalize_fixed(),
                ],
            };
            assert!(digests.iter().all(|digest| digest[..] == *expected), "0.11, {backend}");
        }
        #[cfg(feature = "digest-0_10")]
        {
            use sumhash512::digest_0_10::digest::core_api::CoreWrapper;
            use sumhash512::digest_0_10::digest::{FixedOutput, Update};
            use sumhash512::{SaltedSumhash512Core, Sumhash512Core, Sumhash512CtCore};

            macro_rules! digest {
                ($core:expr) => {
                    CoreWrapper::from_core($core.with_backend(backend))
                        .chain(message)
                        .finalize_fixed()
                };
            }
            let digests = match salt {
                None => vec![
                    digest!(Sumhash512Core::new()),
                    digest!(Sumhash512CtCore::new()),
                    digest!(Sumhash512Core::with_table(table)),
                ],
                Some(salt) => vec![
                    digest!(SaltedSumhash512Core::new(salt)),
                    digest!(SaltedSumhash512Core::with_table(table, salt)),
                ],
            };
            assert!(digests.iter().all(|digest| digest[..] == *expected), "0.10, {backend}");
        }
        let _ = (backend, table, message, expected, salt);
    }
}

#[test]
fn every_length() {
    assert_every_length(None);
}

#[test]
fn every_length_with_a_salt() {
    let salt: [u8; 64] = painted(99, 64).try_into().unwrap();
    assert_every_length(Some(&salt));
}

/// A salt of zeros is not the same as no salt.
#[test]
fn every_length_with_a_salt_of_zeros() {
    assert_every_length(Some(&[0; 64]));
}
