//! Reads what clients leave beside the content while a download is not finished.

pub(crate) mod aria2;
pub(crate) mod parts;
