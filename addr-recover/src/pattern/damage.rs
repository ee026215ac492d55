//! What may have happened to an address.

/// Whether the case of letters is to be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// [`Kept`](Self::Kept) when the text has letters of both cases and some other damage is
    /// described as well (a `?`, a set, typos, ...); [`Lost`](Self::Lost) otherwise.
    #[default]
    Auto,
    /// A letter may be of either case, whatever the text says.
    Lost,
    /// A letter is of the case that it has.
    Kept,
}

/// Groups of characters that look alike: [`LookAlikes::outside_the_alphabet`].
pub(crate) const LOOK_ALIKES: [&str; 2] = ["0oO", "1IlLi"];

/// The characters that are taken for one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookAlikes {
    /// Besides those of [`LOOK_ALIKES`], which always stand for what is outside of the alphabet.
    pub(crate) everywhere: Vec<String>,
}

impl LookAlikes {
    /// `0oO` and `1IlLi`, for characters that are no digits of Base58: these stand for their
    /// look-alikes.
    ///
    /// In a text that has both cases, `O`, `I` and `l` are such characters. In a text of one case
    /// they are `o`, `i` and `L`, whose case was lost.
    #[must_use]
    pub fn outside_the_alphabet() -> Self {
        Self { everywhere: Vec::new() }
    }

    /// The characters of a group stand for one another wherever they are. What is outside of the
    /// alphabet goes on standing for its look-alikes as well.
    ///
    /// `groups` are separated by commas: `0oO,1IlLi,5S`.
    #[must_use]
    pub fn everywhere(groups: &str) -> Self {
        let groups = groups.split(',').filter(|group| !group.is_empty());
        Self { everywhere: groups.map(str::to_owned).collect() }
    }
}

impl Default for LookAlikes {
    fn default() -> Self {
        Self::outside_the_alphabet()
    }
}

/// What may have happened to an address, all at once: everything here is combined freely with
/// everything else, and with the `?` and the sets `[7ZT]` of the text.
///
/// ```
/// use addr_recover::{Case, Damage};
///
/// let damage = Damage::default().case(Case::Kept).typos(2);
/// # let _ = damage;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    pub(crate) case: Case,
    pub(crate) look_alikes: LookAlikes,
    pub(crate) typos: u8,
    pub(crate) missing: bool,
    pub(crate) surplus: bool,
    pub(crate) swapped: bool,
}

impl Damage {
    /// Whether the case of letters is to be trusted.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// The characters that are taken for one another.
    #[must_use]
    pub fn look_alikes(self, look_alikes: LookAlikes) -> Self {
        Self { look_alikes, ..self }
    }

    /// Up to this many characters are other ones than they should be.
    #[must_use]
    pub fn typos(self, typos: u8) -> Self {
        Self { typos, ..self }
    }

    /// One character may be missing.
    #[must_use]
    pub fn missing(self, missing: bool) -> Self {
        Self { missing, ..self }
    }

    /// One character may be there that does not belong there.
    #[must_use]
    pub fn surplus(self, surplus: bool) -> Self {
        Self { surplus, ..self }
    }

    /// Two neighbours may have changed places, once.
    #[must_use]
    pub fn swapped(self, swapped: bool) -> Self {
        Self { swapped, ..self }
    }

    /// Whether anything but case and look-alikes is damaged.
    pub(crate) fn is_beyond_case(&self) -> bool {
        self.typos > 0 || self.missing || self.surplus || self.swapped
    }
}
