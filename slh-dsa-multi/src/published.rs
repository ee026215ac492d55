//! Values that are computed from secrets, and that keys and signatures publish.
//!
//! Signing branches on them: the digits of a root say how long chains are. A tool that looks for
//! branches on secrets has to be told that they are public, by the hook of the feature
//! `declassify`.

#[cfg(feature = "declassify")]
static HOOK: std::sync::OnceLock<fn(&mut [u8])> = std::sync::OnceLock::new();

/// Calls `hook` with each value that was computed from secrets and is public: the randomizer of a
/// signature, the public keys of FORS and the roots that it signs, and the root of a key.
///
/// For tools that check that no branch and no address depends on a secret, such as Valgrind, whose
/// hook marks the bytes as defined. It must not change them.
///
/// # Panics
///
/// Panics if there is a hook.
#[cfg(feature = "declassify")]
pub fn declassify_with(hook: fn(&mut [u8])) {
    assert!(HOOK.set(hook).is_ok(), "there is a hook");
}

/// Says that these bytes are public.
#[inline]
pub(crate) fn publish(bytes: &mut [u8]) {
    #[cfg(feature = "declassify")]
    if let Some(hook) = HOOK.get() {
        hook(bytes);
    }
    #[cfg(not(feature = "declassify"))]
    let _ = bytes;
}
