//! Commits to the participants of an Algorand state proof, and proves one of them.

use merkle_lanes::algorand::{
    Algorand, Sumhash512, VectorCommitment, domains, fixed_length_bytes, verify_element,
};
use merkle_lanes::{InclusionProof, NodeHasher};
use sumhash512::digest::Digest;

/// A participant: its stake in microalgos, the lifetime of its keys in rounds, and the root of the
/// tree of its keys.
struct Participant {
    weight: u64,
    key_lifetime: u64,
    key_commitment: Vec<u8>,
}

impl Participant {
    /// The bytes that its leaf commits to, after the domain.
    fn to_bytes(&self) -> Vec<u8> {
        let numbers = [self.weight.to_le_bytes(), self.key_lifetime.to_le_bytes()];
        [numbers.as_flattened(), &self.key_commitment].concat()
    }
}

/// A participant of betanet, with the leaf that the network computed.
const KEY_COMMITMENT: &str = "1237f57b3210681171971b2a448fb291ffef66e31573fda54c977fac2d8fd4dc\
     2908579c45d0ec520e5ea25950861aee5a3ea28c56646321026ea7f80a4cb1a8";
const LEAF: &str = "6f5a2c0d3623d0d514ec9046e90f86a2341e5405224e5bd24c025d70fc112cc0\
     fbf81649fb6c5b5cea70abdee904d4451df46dc9f01468ba48c0655541857d83";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The participant, and others with invented keys.
    let mut participants = vec![Participant {
        weight: 506_298_128_548_891,
        key_lifetime: 256,
        key_commitment: hex::decode(KEY_COMMITMENT)?,
    }];
    participants.extend((1..10_u64).map(|nth| Participant {
        weight: nth * 1_000_000,
        key_lifetime: 256,
        key_commitment: sumhash512::Sumhash512::digest(nth.to_le_bytes()).to_vec(),
    }));

    // The network commits to all of them. Their leaves are hashed in one call.
    let hasher = Algorand::new(Sumhash512::new(), domains::PARTICIPANT);
    let data: Vec<Vec<u8>> = participants.iter().map(Participant::to_bytes).collect();
    let commitment = VectorCommitment::from_data(hasher, &data);
    println!("commitment to {} participants: {}", commitment.len(), hex::encode(commitment.root()));

    // Whoever knows the commitment can check a participant.
    let head = commitment.head();
    let proof = commitment.prove(0)?;
    let sent = fixed_length_bytes(&proof).ok_or("the tree is too deep for a state proof")?;
    println!("a proof of {} nodes, {} bytes at a fixed length", proof.nodes().len(), sent.len());
    let leaf = hasher.hash_leaf(&data[0]);
    assert_eq!(hex::encode(leaf), LEAF);
    verify_element(&hasher, &head, 0, &leaf, &proof)?;
    println!("participant 0 has {} microalgos", participants[0].weight);

    // A participant with more stake has another leaf.
    participants[0].weight += 1;
    let richer = hasher.hash_leaf(&participants[0].to_bytes());
    let proof = InclusionProof::from(proof.into_nodes());
    let error = verify_element(&hasher, &head, 0, &richer, &proof).expect_err("the stake is wrong");
    println!("with one microalgo more, it is rejected: {error}");
    Ok(())
}
