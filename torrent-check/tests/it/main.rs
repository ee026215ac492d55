//! Torrents made by the specification, changed, and made by others.

mod make;
