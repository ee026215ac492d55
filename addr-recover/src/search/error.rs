//! Why a search ended early.

use super::Unfinished;

/// Why a search ended without the whole answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The caller set the flag given to [`Search::cancel`](crate::Search::cancel). What was done
    /// until then can be [continued](crate::Search::resume).
    #[error("the search was cancelled")]
    Cancelled(Box<Unfinished>),

    /// There are more hits than [`Search::max_hits`](crate::Search::max_hits) allows.
    #[error("more than {0} addresses fit: that is noise, not an answer")]
    TooManyHits(usize),

    /// What [`Search::resume`](crate::Search::resume) was given has units that the search space
    /// does not have, or addresses that it does not allow.
    #[error("what was done before is not of this search: {0}")]
    OfAnotherSearch(&'static str),

    /// The number of threads asked for with [`Search::threads`](crate::Search::threads) could not
    /// be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
