//! Why a search ended early.

use super::Unfinished;

/// Why a search ended without the whole answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The flag given to [`Search::cancel`](crate::Search::cancel) was set. The search can be
    /// [resumed](crate::Search::resume).
    #[error("the search was cancelled")]
    Cancelled(Box<Unfinished>),

    /// There are more hits than [`Search::max_hits`](crate::Search::max_hits) allows.
    #[error("more than {0} addresses fit: that is noise, not an answer")]
    TooManyHits(usize),

    /// The progress given to [`Search::resume`](crate::Search::resume) has units that the search
    /// space does not have, or addresses that it does not allow.
    #[error("cannot resume, because the saved progress is from another search: {0}")]
    OfAnotherSearch(&'static str),

    /// The threads requested with [`Search::threads`](crate::Search::threads) could not be started.
    #[error("cannot start threads: {0}")]
    Threads(
        /// The cause.
        String,
    ),
}
