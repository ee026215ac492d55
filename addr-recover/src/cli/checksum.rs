//! Detects damaged files.

use sha2::{Digest, Sha256};

/// SHA-256 in hexadecimal.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
