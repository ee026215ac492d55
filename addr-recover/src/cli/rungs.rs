//! The damage that nobody described, but that is tried.

/// The default groups of look-alike characters.
pub(crate) const LOOK_ALIKES: &str = "0oO,1IlLi";

/// Characters that people confuse when they read or type an address.
const MORE_LOOK_ALIKES: &str = "0oO,1IlLi,2Zz,5Ss,7T,8B";

/// One more kind of damage to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rung {
    /// What it assumes.
    pub(crate) name: &'static str,
    pub(crate) look_alikes: Option<&'static str>,
    pub(crate) typos: u8,
    pub(crate) missing: bool,
    pub(crate) surplus: bool,
    pub(crate) swapped: bool,
    /// Not only common networks.
    pub(crate) any_kind: bool,
}

/// Assumes nothing but the case of a text that has both.
pub(crate) const AS_WRITTEN: Rung = Rung {
    name: "",
    look_alikes: None,
    typos: 0,
    missing: false,
    surplus: false,
    swapped: false,
    any_kind: false,
};

/// The name of the damage that a text with letters of both cases may have.
pub(crate) const LOST_CASE: &str = "letters in the wrong case";

/// Searches all networks.
pub(crate) const ANY_KIND: Rung =
    Rung { name: "less common networks", any_kind: true, ..AS_WRITTEN };

/// In order of cost and likelihood.
pub(crate) const RUNGS: [Rung; 12] = [
    ANY_KIND,
    Rung { name: "look-alikes of 0 and 1", look_alikes: Some(LOOK_ALIKES), ..AS_WRITTEN },
    Rung { name: "look-alike characters", look_alikes: Some(MORE_LOOK_ALIKES), ..AS_WRITTEN },
    Rung { name: "two swapped characters", swapped: true, ..AS_WRITTEN },
    Rung { name: "one extra character", surplus: true, ..AS_WRITTEN },
    Rung { name: "one wrong character", typos: 1, ..AS_WRITTEN },
    Rung { name: "one missing character", missing: true, ..AS_WRITTEN },
    Rung {
        name: "one wrong character besides look-alikes",
        look_alikes: Some(MORE_LOOK_ALIKES),
        typos: 1,
        ..AS_WRITTEN
    },
    Rung { name: "one wrong and two swapped characters", typos: 1, swapped: true, ..AS_WRITTEN },
    Rung { name: "one wrong and one extra character", typos: 1, surplus: true, ..AS_WRITTEN },
    Rung { name: "two wrong characters", typos: 2, ..AS_WRITTEN },
    Rung { name: "three wrong characters", typos: 3, ..AS_WRITTEN },
];
