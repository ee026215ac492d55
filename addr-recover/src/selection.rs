//! Which addresses to search for.

use crate::kind::{Kind, Version};

/// Which addresses to search for: those of some networks, kinds and versions. By default, common
/// ones and then any.
///
/// ```
/// use addr_recover::{AskOptions, ParseError, Selection, ask};
///
/// let mut options = AskOptions::default();
/// options.selection = Selection::of(["litecoin", "65"])?;
/// let error = ask("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3s4", &options).unwrap_err();
/// assert!(matches!(error, ParseError::OtherKind { .. }));
/// # Ok::<(), addr_recover::UnknownKind>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    names: Vec<String>,
    versions: Vec<Version>,
}

/// A name that is neither a network, nor a kind, nor a version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind {0:?}")]
pub struct UnknownKind(String);

impl Selection {
    /// Selects by name: a network such as `bitcoin` or `ethereum`, a kind such as `bitcoin-p2sh`, a
    /// [`Version`] such as `65`, or `any`. No names select the default.
    ///
    /// # Errors
    ///
    /// Returns the first name that is unknown.
    pub fn of<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Result<Self, UnknownKind> {
        let mut selection = Self::default();
        for name in names {
            let name = name.into();
            let kinds = Kind::matching(&name);
            selection.versions.extend(kinds.iter().map(|kind| kind.version));
            // No version is that of a network without Base58Check.
            if kinds.is_empty() && !Kind::other_networks().any(|it| it == name) {
                let Ok(version) = name.parse() else { return Err(UnknownKind(name)) };
                selection.versions.push(version);
            }
            selection.names.push(name);
        }
        Ok(selection)
    }

    /// The selected versions of Base58Check; none if nothing is selected, or only networks without
    /// any.
    #[must_use]
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// The names that were selected.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether addresses of a network are selected that are not of Base58Check.
    #[must_use]
    pub fn has_network(&self, network: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == network || name == "any")
    }

    /// Whether addresses of Base58Check are selected.
    #[must_use]
    pub fn has_base58(&self) -> bool {
        self.names.is_empty() || !self.versions.is_empty()
    }
}
