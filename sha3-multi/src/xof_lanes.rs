//! Functions whose outputs have any length: SHAKE (FIPS 202 §6.2), cSHAKE (SP 800-185 §3) and
//! TurboSHAKE (RFC 9861 §2).

use hash_lanes::Backend;

#[cfg(feature = "alloc")]
use crate::cshake;
use crate::jobs::{Function, Sponge, State};

/// A function whose outputs have any length, on one backend.
///
#[cfg_attr(feature = "alloc", doc = "```")]
#[cfg_attr(not(feature = "alloc"), doc = "```ignore")]
/// use sha3_multi::XofLanes;
///
/// let outputs: Vec<[u8; 100]> = XofLanes::shake128().xof_many(["one", "two"]);
/// let domain = XofLanes::cshake256(b"", b"my protocol");
/// assert_ne!(domain.xof::<16>(b"one"), XofLanes::shake256().xof::<16>(b"one"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XofLanes {
    pub(crate) function: Function,
    /// The state after the prefix of cSHAKE.
    pub(crate) initial: Option<State>,
}

const SHAKE128: Sponge = Sponge { rate: 168, suffix: 0x1f, rounds: 24 };
const SHAKE256: Sponge = Sponge { rate: 136, suffix: 0x1f, rounds: 24 };

impl XofLanes {
    pub(crate) fn new(sponge: Sponge) -> Self {
        Self { function: Function { backend: Backend::detect(), sponge }, initial: None }
    }

    /// SHAKE128.
    #[must_use]
    pub fn shake128() -> Self {
        Self::new(SHAKE128)
    }

    /// SHAKE256.
    #[must_use]
    pub fn shake256() -> Self {
        Self::new(SHAKE256)
    }

    /// cSHAKE128 with these two strings. `name` is for functions that NIST defines. If both are
    /// empty, this is SHAKE128.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn cshake128(name: &[u8], customization: &[u8]) -> Self {
        Self::cshake(SHAKE128, name, customization)
    }

    /// cSHAKE256 with these two strings; see [`Self::cshake128`].
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn cshake256(name: &[u8], customization: &[u8]) -> Self {
        Self::cshake(SHAKE256, name, customization)
    }

    #[cfg(feature = "alloc")]
    fn cshake(shake: Sponge, name: &[u8], customization: &[u8]) -> Self {
        if name.is_empty() && customization.is_empty() {
            return Self::new(shake);
        }
        let mut lanes = Self::new(Sponge { suffix: 0x04, ..shake });
        lanes.initial = Some(cshake::initial_state(lanes.function, name, customization));
        lanes
    }

    /// TurboSHAKE128 with this domain separation byte; RFC 9861 recommends 0x1F where only one is
    /// needed.
    ///
    /// # Panics
    ///
    /// Panics unless `domain` is in `0x01..=0x7f`.
    #[track_caller]
    #[must_use]
    pub fn turboshake128(domain: u8) -> Self {
        Self::turboshake(168, domain)
    }

    /// TurboSHAKE256 with this domain separation byte; see [`Self::turboshake128`].
    ///
    /// # Panics
    ///
    /// Panics unless `domain` is in `0x01..=0x7f`.
    #[track_caller]
    #[must_use]
    pub fn turboshake256(domain: u8) -> Self {
        Self::turboshake(136, domain)
    }

    #[track_caller]
    fn turboshake(rate: usize, domain: u8) -> Self {
        assert!(
            (0x01..=0x7f).contains(&domain),
            "the domain separation byte {domain:#04x} is not in 0x01..=0x7f"
        );
        Self::new(Sponge { rate, suffix: domain, rounds: 12 })
    }

    /// The same function on another backend.
    #[must_use]
    pub const fn with_backend(mut self, backend: Backend) -> Self {
        self.function.backend = backend;
        self
    }

    /// The backend.
    #[must_use]
    pub const fn backend(self) -> Backend {
        self.function.backend
    }

    /// The first `N` bytes of the output for one message.
    #[must_use]
    pub fn xof<const N: usize>(&self, message: impl AsRef<[u8]>) -> [u8; N] {
        #[cfg(feature = "alloc")]
        {
            let mut output = [0; N];
            self.xof_many_into([message], core::slice::from_mut(&mut output));
            output
        }
        #[cfg(not(feature = "alloc"))]
        {
            let [output] = self.xof_array(&[(message.as_ref(),)]);
            output
        }
    }
}
