//! Addresses as a search sees them: how they are decoded, which of their numbers are legal, and
//! what hashes them.

use crate::alphabet::Alphabet;
use crate::candidate_hasher::{CandidateHasher, Columns};
use crate::format::{Entry, Format};
use crate::kind::Version;
use crate::number::{MAX_LENGTH, Number};
use crate::pattern::Pattern;

impl Format for Version {
    type Number = Number;
    type Hasher = CandidateHasher;
    type Columns = Columns;

    const IS_SECRET: bool = false;
    const MAX_LENGTH: usize = MAX_LENGTH;

    fn of(text: &str, alphabet: Alphabet) -> Option<Self> {
        Self::decode(text, alphabet)
    }

    fn is_possible(self, pattern: &Pattern, _: usize) -> bool {
        self.alphabet() == Alphabet::Bitcoin || pattern.may_begin_like(self)
    }

    fn alphabet(self) -> Alphabet {
        Self::alphabet(self)
    }

    fn bounds(self, length: usize, leading_ones: usize) -> Option<(Number, Number)> {
        Self::bounds(self, length, leading_ones)
    }

    fn lay_out(entries: &[Entry<Number>], columns: &mut Columns) {
        columns.fill(entries.iter().map(|entry| (entry.smallest, entry.span)));
    }
}
