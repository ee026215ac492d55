#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod candidate_hasher;
mod key;
mod kind;
mod ladder;
mod number;
mod pattern;
mod search;
mod search_space;

pub use hash_lanes::Backend;
pub use key::hit::{KeyHit, KeyOutcome};
pub use key::pattern::KeyPattern;
pub use key::search::KeySearch;
pub use key::space::KeySpace;
pub use key::{KEY_KINDS, KeyFormat, KeyKind};
pub use kind::{Bech32Network, KINDS, Kind, Version, VersionError};
pub use ladder::{Ladder, Rung};
pub use pattern::damage::{Case, Damage, LookAlikes};
pub use pattern::{Foreign, Homoglyph, ParseError, Pattern};
pub use search::verify::version_of;
pub use search::{Hit, Hits, Known, Outcome, Progress, Search, SearchError, Unfinished};
pub use search_space::SearchSpace;
pub use search_space::estimate::{DOUBTFUL, Estimate, NOISE, Odds, Speed};
pub use search_space::unit::{Shard, ShardError};
