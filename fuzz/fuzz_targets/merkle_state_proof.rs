//! Reads any bytes as an Algorand state proof and verifies it. The verifier accepts only what is
//! below a commitment that it was given, so nothing but its own root can be proven.
#![no_main]

use libfuzzer_sys::fuzz_target;
use merkle_lanes::algorand::state_proof::{StateProof, StateProofError, Verifier};

fuzz_target!(|bytes: &[u8]| {
    let Ok(proof) = StateProof::from_msgpack(bytes) else { return };
    let verifier = Verifier::new([7; 64], 0);
    let verdict = verifier.verify(1000, &[1; 32], &proof, |_| true);
    assert!(verdict.is_err(), "no proof leads to this root");
    // Without coins, as far as the trees.
    let mut trees = proof;
    trees.positions.clear();
    let verdict = verifier.with_strength_target(0).verify(1000, &[1; 32], &trees, |_| true);
    assert!(!matches!(verdict, Ok(()) | Err(StateProofError::CoinElsewhere { .. })));
});
