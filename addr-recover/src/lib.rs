#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod alphabet;
mod batch;
mod damaged;
mod error;
mod interval;
mod number;
mod search;
mod tail;
mod verify;
mod walk;

pub use damaged::DamagedAddress;
pub use error::{ParseError, SearchError};
pub use search::{Outcome, Progress, Search};
pub use sha256_multi::Backend;
pub use verify::is_valid;
