//! The search against addresses that are known, against a naive search, and against itself.

mod api;
mod edges;
mod known;
mod naive;
mod round_trip;
mod vectors;

use addr_recover::{DamagedAddress, Outcome, Search};

fn recover(text: &str) -> Outcome {
    let damaged = DamagedAddress::parse(text).unwrap();
    Search::new(&damaged).run().unwrap()
}

/// The address of a payload, by a crate that the library does not use.
fn address(payload: &[u8; 20]) -> String {
    bs58::encode(payload).with_check_version(0).into_string()
}
