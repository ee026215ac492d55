//! Addresses that were found.

use crate::kind::{Kind, Version};

/// An address that the damage allows and whose checksum is right.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Hit {
    /// In its true spelling.
    pub address: String,
    /// The bytes before its payload.
    pub version: Version,
}

impl Hit {
    /// The hit that an address is; `None` if it is none.
    #[must_use]
    pub fn of(address: &str) -> Option<Self> {
        Some(Self { address: address.to_owned(), version: crate::version_of(address)? })
    }

    /// The names of its version; none if no network here has it.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        Kind::names(self.version)
    }
}
