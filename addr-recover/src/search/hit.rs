//! Addresses found by a search.

use crate::kind::{Kind, Version};

/// An address that the damage allows and whose checksum is correct.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Hit {
    /// The address, with its letter case restored.
    pub address: String,
    /// Its version.
    pub version: Version,
}

impl Hit {
    /// The hit for an address; `None` if the text is not a valid address.
    #[must_use]
    pub fn of(address: &str) -> Option<Self> {
        Some(Self { address: address.to_owned(), version: crate::version_of(address)? })
    }

    /// The names of its version; none if no network here uses it.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        Kind::names(self.version)
    }
}
