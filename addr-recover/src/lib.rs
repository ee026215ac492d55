#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod alphabet;
mod costs;
mod damage;
mod engine;
mod error;
mod estimate;
mod extent;
mod foreign;
mod hit;
mod input;
mod kind;
mod known;
mod language;
mod layout;
mod number;
mod pattern;
mod pending;
mod prefixes;
mod question;
mod search;
mod table;
mod tail;
mod unit;
mod verify;
mod worker;

pub use damage::{Case, Damage, LookAlikes};
pub use error::{ParseError, SearchError};
pub use estimate::{DOUBTFUL, Estimate, NOISE, Odds, Speed};
pub use foreign::Foreign;
pub use hash_lanes::Backend;
pub use hit::Hit;
pub use kind::{KINDS, Kind, Version, VersionError};
pub use known::Known;
pub use pattern::Pattern;
pub use question::Question;
pub use search::{Hits, Outcome, Progress, Search, Unfinished};
pub use unit::{Shard, ShardError};
pub use verify::version_of;
