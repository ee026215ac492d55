//! Recovers addresses of Bitcoin and its relatives, and keys, that lost their letter case or have
//! unreadable or wrong characters. The search is complete: it finds every address that the damage
//! allows, and no other.
//!
//! ```
//! use addr_recover::{Kind, Pattern, Search, SearchSpace};
//!
//! let pattern = Pattern::parse("1NAME2NXVI1RDPDGF5617UOW7XA6YRHM9F")?;
//! let space = SearchSpace::new(&pattern, &Kind::common_versions())?;
//! let estimate = space.estimate();
//! assert_eq!(estimate.candidates, f64::from(1 << 21));
//!
//! let outcome = Search::new(&space).run()?;
//! assert_eq!(outcome.hits[0].text.as_str(), "1Name2NXVi1RDPDgf5617UoW7xA6YrhM9F");
//! // The odds are 2048 to 1 that the text was this address.
//! assert_eq!(estimate.expected_by_chance, 1.0 / 2048.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | do it in one call, for addresses of all formats | [`ask`]; [`repair`] without options |
//! | search for Ethereum addresses | [`EthereumSpace`] |
//! | describe damage that the text does not show | [`Damage`], [`Pattern::with_damage`] |
//! | know what a search costs, and what its answer is worth | [`SearchSpace::estimate`] |
//! | do it step by step, with searches of your own | [`Reading::question`], [`Climb`] |
//! | search in parts, with progress, cancellation and resuming | [`Search`] |
//! | try likely damage that nobody described | [`Ladder`] |
//! | know how sure an answer is | [`Evidence`] |
//! | hash the public keys of a range of private keys | [`KeyRange`] (feature `curve`) |
//! | find the private keys of addresses of your own | [`KeyFinder`], [`AddressHashes`] (feature `curve`) |
//! | recover a key, of which the address may be known | [`ask_key`] (feature `curve`) |
//! | do that with searches of your own | [`KeyQuestion`], [`Climb`] (feature `curve`) |
//! | search for keys | [`Pattern::key`], [`KeyKind`], [`Ladder::of`], with the same [`SearchSpace`] and [`Search`] |
//!
//! The README introduces the command-line tool; the folder `docs` says how the search works and how
//! fast it is. Library users disable the feature `cli` (default), which only the tool needs. The
//! feature `curve`, a part of it, has ranges of private keys, and searches for the key of an
//! address.
#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod address;
mod address_space;
mod alphabet;
mod answer;
mod candidate_hasher;
mod change;
mod climb;
mod damage;
mod dfa;
mod edits;
mod ethereum_space;
mod evidence;
mod format;
mod formats;
mod key;
mod kind;
mod known;
mod ladder;
mod number;
mod parse_error;
mod pattern;
mod repair;
mod search;
mod search_space;
mod selection;
mod tail;

pub use address_space::AddressSpace;
pub use answer::{
    Answer, FROM_KNOWN, Refusal, Repaired, Verdict, left_out_in_words, time_in_words,
};
pub use change::Change;
pub use climb::{Climb, Next, Tried};
pub use damage::{Case, Damage, LookAlikes};
pub use ethereum_space::EthereumSpace;
pub use evidence::{Certainty, DOUBTFUL, DOUBTFUL_GUESS, Estimate, Evidence, approximately};
pub use format::Hit;
pub use hash_lanes::Backend;
#[cfg(feature = "curve")]
pub use key::question::answer::{KeyAnswer, OtherKey, ask_key};
#[cfg(feature = "curve")]
pub use key::question::owner::{KeyOwner, KeyOwnerError};
#[cfg(feature = "curve")]
pub use key::question::{
    KeyError, KeyHit, KeyOptions, KeyOutcome, KeyQuestion, KeyReading, KeySpace,
};
#[cfg(feature = "curve")]
pub use key::range::{AddressHashes, KeyFinder, KeyHash, KeyHashes, KeyRange, KeyRangeError};
pub use key::secrets::SecretRange;
pub use key::{KEY_KINDS, KeyFormat, KeyKind};
pub use kind::{Bech32Network, KINDS, Kind, Version, VersionError};
pub use known::{Known, KnownMatch};
pub use ladder::{Ladder, Limits, Rung, Skipped};
pub use parse_error::{Foreign, ParseError};
pub use pattern::{Part, Pattern, Reading, Role};
pub use repair::{AskOptions, Open, Question, ask, repair};
pub use search::{Outcome, Search, SearchError};
pub use search_space::{NOISE, SearchSpace};
pub use selection::{Selection, UnknownKind};
