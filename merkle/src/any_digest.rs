//! Trees of any digest.
