//! Describes what may have happened to an address.

/// Whether to trust the case of letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// [`Kept`](Self::Kept) if the text has letters of both cases and other damage is described as
    /// well (a `?`, a set, typos, ...); [`Lost`](Self::Lost) otherwise.
    #[default]
    Auto,
    /// Every letter may have either case, whatever the text says.
    Lost,
    /// Every letter has the case in the text.
    Kept,
}

/// The name of the damage that only the case of letters has.
pub(crate) const WRONG_CASE: &str = "letters in the wrong case";

/// Groups of characters that look alike, of which some are outside Base58.
pub(crate) const LOOK_ALIKES: [&str; 2] = ["0oO", "1IlLi"];

/// Characters that may be confused with each other.
///
/// By default `0oO` and `1IlLi`, only for characters outside Base58: these stand for their
/// look-alikes. In mixed-case text, `O`, `I` and `l` are such characters. In single-case text they
/// are `o`, `i` and `L`, whose case was lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookAlikes {
    /// The groups whose characters stand for each other anywhere, or are exchanged (`y=z`).
    pub everywhere: Vec<String>,
    /// The maximum number of characters that these groups replace; `None` for any. Characters
    /// outside the alphabet do not count.
    pub max: Option<u8>,
}

impl LookAlikes {
    /// The characters of a group stand for each other anywhere. Characters outside the alphabet
    /// still stand for their look-alikes, too.
    ///
    /// Commas separate `groups`: `0oO,1IlLi,5S`. If the case of the text is lost, `5S` also stands
    /// for `5s`.
    ///
    /// `y=z` is for another keyboard: each `y` is read as `z` and each `z` as `y`, in both cases.
    /// `aw=qz` exchanges two pairs.
    #[must_use]
    pub fn everywhere(groups: &str) -> Self {
        let groups = groups.split(',').filter(|group| !group.is_empty());
        Self { everywhere: groups.map(str::to_owned).collect(), max: None }
    }

    /// The groups of letters that are exchanged.
    fn exchanges(&self) -> impl Iterator<Item = (&str, &str)> {
        self.everywhere.iter().filter_map(|group| group.split_once('='))
    }

    /// The character that was typed on another keyboard.
    pub(crate) fn exchanged(&self, found: char) -> char {
        let pairs = self.exchanges().flat_map(|(left, right)| left.chars().zip(right.chars()));
        let mut both = pairs.flat_map(|(left, right)| [(left, right), (right, left)]);
        match both.find(|(from, _)| from.eq_ignore_ascii_case(&found)) {
            Some((_, to)) if found.is_ascii_uppercase() => to.to_ascii_uppercase(),
            Some((_, to)) => to.to_ascii_lowercase(),
            None => found,
        }
    }

    /// Whether a text has letters that are exchanged, if there are any.
    pub(crate) fn can_exchange(&self, text: &str) -> bool {
        self.exchanges().next().is_none() || text.chars().any(|c| self.exchanged(c) != c)
    }

    /// Whether these allow whatever `other` allows.
    fn includes(&self, other: &Self) -> bool {
        let has_max = |max| other.everywhere.is_empty() || other.max.is_some_and(|it| it <= max);
        self.exchanges().eq(other.exchanges())
            && other.everywhere.iter().all(|group| self.everywhere.contains(group))
            && self.max.is_none_or(has_max)
    }
}

/// What may have happened to an address. All kinds of damage can be combined, in any order, with
/// each other and with `?` and sets such as `[7ZT]` in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Whether to trust the case of letters.
    pub case: Case,
    /// The characters that may be confused with each other.
    pub look_alikes: LookAlikes,
    /// The maximum number of wrong characters.
    pub typos: u8,
    /// The maximum number of missing characters.
    pub missing: u8,
    /// The maximum number of extra characters.
    pub surplus: u8,
    /// The maximum number of swaps of two adjacent characters, one of which may be swapped again.
    pub swapped: u8,
    /// The maximum number of characters that are cut off, at the beginning or at the end.
    pub cut: u8,
    /// Whether two blocks of four characters may have been swapped, in a text that was copied in
    /// such blocks, or four characters repeated.
    pub blocks: bool,
}

impl Damage {
    /// The maximum number of each kind of edit, and whether blocks may be in disorder.
    fn counts(&self) -> [u8; 6] {
        let blocks = u8::from(self.blocks);
        [self.typos, self.missing, self.surplus, self.swapped, self.cut, blocks]
    }

    /// Whether there is other damage than case and look-alikes.
    pub(crate) fn is_beyond_case(&self) -> bool {
        self.counts() != [0; 6]
    }

    /// The number of characters by which the text may be longer than the true one.
    pub(crate) fn max_extra(&self) -> usize {
        usize::from(self.surplus) + if self.blocks { BLOCK } else { 0 }
    }

    /// The number of characters by which the text may be shorter than the true one.
    pub(crate) fn max_missing(&self) -> usize {
        usize::from(self.missing) + usize::from(self.cut)
    }

    /// Whether this allows whatever `other` allows.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        (self.case == other.case || self.case == Case::Lost)
            && self.look_alikes.includes(&other.look_alikes)
            && self.counts().iter().zip(other.counts()).all(|(&max, other)| max >= other)
    }
}

/// The number of characters in a block of an address that is written in blocks.
pub(crate) const BLOCK: usize = 4;
