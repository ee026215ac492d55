//! Trees of Keccak-256, against the packages that define them.

mod open_zeppelin;
mod swarm;

use serde_json::Value;
use sha3::{Digest as _, Keccak256};

use crate::oracle::Hash;

/// The Keccak-256 of concatenated parts.
fn keccak256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Keccak256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn hash(value: &Value) -> Hash {
    hex::decode(value.as_str().unwrap()).unwrap().try_into().unwrap()
}

fn hashes(value: &Value) -> Vec<Hash> {
    value.as_array().unwrap().iter().map(hash).collect()
}

fn integers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).collect()
}
