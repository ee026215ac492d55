//! Detects damaged files.

use sha2::{Digest, Sha256};

/// SHA-256 in hexadecimal.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
