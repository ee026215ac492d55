//! What BitTorrent clients leave on disk beside the content, and in their own folders.

pub(crate) mod aria2;
pub(crate) mod parts;
mod session;

pub use session::{Client, Saved, SavedError, Session};
