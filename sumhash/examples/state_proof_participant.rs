//! Computes the leaf of a participant in the Merkle tree of an Algorand state proof's signers.

use sumhash512::Sumhash512;
use sumhash512::digest::Digest;

/// The participant's stake in microalgos.
const WEIGHT: u64 = 506_298_128_548_891;

/// Each key signs one state proof, and a state proof is made every 256 rounds.
const KEY_LIFETIME: u64 = 256;

/// The root of the tree of the participant's keys.
const KEY_COMMITMENT: &str = "1237f57b3210681171971b2a448fb291ffef66e31573fda54c977fac2d8fd4dc\
     2908579c45d0ec520e5ea25950861aee5a3ea28c56646321026ea7f80a4cb1a8";

/// The leaf that the network computed (for a participant of betanet).
const EXPECTED: &str = "6f5a2c0d3623d0d514ec9046e90f86a2341e5405224e5bd24c025d70fc112cc0\
     fbf81649fb6c5b5cea70abdee904d4451df46dc9f01468ba48c0655541857d83";

fn main() {
    let commitment = hex::decode(KEY_COMMITMENT).expect("pairs of hexadecimal digits");
    let leaf = Sumhash512::new()
        .chain_update("spp")
        .chain_update(WEIGHT.to_le_bytes())
        .chain_update(KEY_LIFETIME.to_le_bytes())
        .chain_update(commitment)
        .finalize();
    assert_eq!(hex::encode(leaf), EXPECTED);
    println!("the participant's leaf: {EXPECTED}");
}
