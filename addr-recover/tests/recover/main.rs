//! Compares the search with known addresses, with a naive search, and with itself.

mod api;
mod calibration;
mod edges;
mod keys;
mod kinds;
mod known;
mod ladder;
#[cfg(feature = "curve")]
mod lost_ends;
mod naive;
mod oracle;
mod pasted;
#[cfg(feature = "curve")]
mod ranges;
mod reading;
mod round_trip;
mod secrecy;
mod surroundings;
mod vectors;

use addr_recover::{Damage, Kind, Outcome, Pattern, Search, SearchSpace, Version};

fn space(text: &str, damage: Damage, versions: &[Version]) -> SearchSpace {
    let pattern =
        Pattern::with_damage(text, damage).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    SearchSpace::new(&pattern, versions).unwrap()
}

fn search(space: &SearchSpace) -> Outcome {
    Search::new(space).run().unwrap()
}

/// Searches for all named kinds.
fn recover(text: &str) -> Outcome {
    search(&space(text, Damage::default(), &Kind::common_versions()))
}

fn addresses(outcome: &Outcome) -> Vec<&str> {
    outcome.hits.iter().map(|hit| hit.text.as_str()).collect()
}

/// The common versions in Bitcoin's alphabet.
fn common_versions() -> Vec<Version> {
    let mut versions = Kind::common_versions();
    versions.retain(|&version| version != Version::RIPPLE);
    versions
}

fn alphabet(version: Version) -> &'static bs58::Alphabet {
    if version == Version::RIPPLE { bs58::Alphabet::RIPPLE } else { bs58::Alphabet::BITCOIN }
}

/// The address of a payload, encoded by a crate that the library does not use.
fn address(version: Version, payload: &[u8; 20]) -> String {
    let mut message = match version.value().to_be_bytes() {
        [0, byte] if version.is_one_byte() => vec![byte],
        bytes => bytes.to_vec(),
    };
    message.extend(payload);
    bs58::encode(message).with_alphabet(alphabet(version)).with_check().into_string()
}
