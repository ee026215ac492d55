//! Roots by the definitions, one node after another.

use sha2::{Digest as _, Sha256};

/// A node of 32 bytes.
pub(crate) type Hash = [u8; 32];

/// The SHA-256 of some bytes after one another.
pub(crate) fn sha256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// RFC 9162 §2.1.1, of leaves that have been hashed.
pub(crate) fn rfc6962(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => sha256(&[]),
        [leaf] => *leaf,
        _ => {
            let split = leaves.len().next_power_of_two() / 2;
            sha256(&[&[1], &rfc6962(&leaves[..split]), &rfc6962(&leaves[split..])])
        }
    }
}

/// Bitcoin's: a level with an odd number of nodes gets its last node once more.
pub(crate) fn bitcoin(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => [0; 32],
        [root] => *root,
        _ => {
            let mut leaves = leaves.to_vec();
            if leaves.len() % 2 == 1 {
                leaves.push(leaves[leaves.len() - 1]);
            }
            let parents: Vec<Hash> =
                leaves.chunks(2).map(|pair| sha256(&[&sha256(&[&pair[0], &pair[1]])])).collect();
            bitcoin(&parents)
        }
    }
}

/// SSZ's `merkleize`: chunks up to a power of two, and zero chunks behind those that there are.
pub(crate) fn ssz(chunks: &[Hash], depth: u32) -> Hash {
    if chunks.is_empty() {
        return (0..depth).fold([0; 32], |zero, _| sha256(&[&zero, &zero]));
    }
    if depth == 0 {
        return chunks[0];
    }
    let split = chunks.len().min(1 << (depth - 1));
    sha256(&[&ssz(&chunks[..split], depth - 1), &ssz(&chunks[split..], depth - 1)])
}
