//! A state proof of Algorand's network betanet, with all three kinds of trees in it.

use merkle_lanes::algorand::{
    Algorand, Sumhash512, VectorHead, domains, fixed_length_bytes, verify_elements,
};
use merkle_lanes::{Claim, InclusionProof, MultiProof, NodeHasher, verify_many};
use serde_json::Value;

use super::Wide;
use super::go_algorand::{hexadecimal, items, json, node, number, vectors};
use crate::ct::base64;

/// A signature in a state proof and its signer.
struct Reveal {
    position: u64,
    weight: u64,
    key_lifetime: u64,
    key_commitment: Vec<u8>,
    /// The total weight of the signatures before this one.
    signed_before: u64,
    signature: Vec<u8>,
    key: Vec<u8>,
    key_index: u64,
    key_proof: InclusionProof<Wide>,
}

struct StateProof {
    signatures_root: Wide,
    signatures: (u32, MultiProof<Wide>),
    participants: (u32, MultiProof<Wide>),
    reveals: Vec<Reveal>,
}

/// A deterministic compressed Falcon-1024 signature, with its coefficients re-encoded in 12 bits
/// each.
fn constant_length(signature: &[u8]) -> Vec<u8> {
    assert_eq!(signature[0], 0xba);
    let mut bits = signature[2..]
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| u32::from(byte >> bit & 1)));
    let mut bytes = vec![0xda, signature[1]];
    let mut coefficients = (0..1024).map(|_| {
        let is_negative = bits.next().unwrap() == 1;
        let low = (0..7).fold(0, |low, _| low << 1 | bits.next().unwrap());
        let high = bits.by_ref().take_while(|&bit| bit == 0).count() as u32;
        let magnitude = high << 7 | low;
        (if is_negative { magnitude.wrapping_neg() } else { magnitude }) & 0xfff
    });
    while let (Some(first), Some(second)) = (coefficients.next(), coefficients.next()) {
        bytes.extend(&(first << 12 | second).to_be_bytes()[1..]);
    }
    bytes
}

impl Reveal {
    fn participant(&self) -> Vec<u8> {
        [&self.weight.to_le_bytes()[..], &self.key_lifetime.to_le_bytes(), &self.key_commitment]
            .concat()
    }

    fn key(&self, round: u64) -> Vec<u8> {
        [&[0; 2][..], &round.to_le_bytes(), &self.key].concat()
    }

    fn signature_slot(&self) -> Vec<u8> {
        let proof = fixed_length_bytes(&self.key_proof).unwrap();
        let bytes = [
            &self.signed_before.to_le_bytes()[..],
            &[0; 2],
            &constant_length(&self.signature),
            &self.key,
            &self.key_index.to_le_bytes(),
            &proof,
        ]
        .concat();
        assert_eq!(bytes.len(), 4377 - 3);
        bytes
    }
}

impl StateProof {
    /// Verifies all three kinds of trees. Returns the root of the participants.
    fn check(&self, key_round: u64) -> Wide {
        let positions = self.reveals.iter().map(|reveal| reveal.position);
        let leaves = |domain, data: &dyn Fn(&Reveal) -> Vec<u8>| {
            let data: Vec<_> = self.reveals.iter().map(data).collect();
            let mut leaves = vec![[0; 64]; data.len()];
            Algorand::new(Sumhash512::new(), domain).hash_leaves(&data, &mut leaves);
            leaves
        };
        let hasher = Algorand::new(Sumhash512::new(), b"");

        let slots = leaves(domains::SIGNATURE_SLOT, &Reveal::signature_slot);
        let slots: Vec<_> = positions.clone().zip(slots).collect();
        let (depth, proof) = &self.signatures;
        let head = VectorHead { depth: *depth, root: self.signatures_root };
        assert_eq!(verify_elements(&hasher, &head, &slots, proof), Ok(()));

        let keys = leaves(domains::KEY, &|reveal| reveal.key(key_round));
        let of_keys = |reveal: &Reveal| VectorHead {
            depth: reveal.key_proof.nodes().len() as u32,
            root: node(&reveal.key_commitment),
        };
        let heads: Vec<_> =
            self.reveals.iter().map(|reveal| of_keys(reveal).tree_head().unwrap()).collect();
        let claims: Vec<_> = (self.reveals.iter().zip(&keys).zip(&heads))
            .map(|((reveal, leaf), head)| {
                let index = of_keys(reveal).position(reveal.key_index).unwrap();
                Claim { head, index, leaf, proof: &reveal.key_proof }
            })
            .collect();
        assert!(verify_many(&hasher, &claims).iter().all(Result::is_ok));

        let participants = leaves(domains::PARTICIPANT, &Reveal::participant);
        let (depth, proof) = &self.participants;
        // The root is not known.
        let head = VectorHead { depth: *depth, root: [0; 64] };
        let mut participants: Vec<_> =
            positions.map(|i| head.position(i).unwrap()).zip(participants).collect();
        participants.sort_unstable();
        proof.root(&hasher, 1 << depth, &participants).unwrap()
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn a_state_proof_of_betanet() {
    let proof = json("sumhash/stateProof.json");
    let path = |proof: &Value| -> (u32, Vec<Wide>) {
        let path = items(&proof["Path"])
            .iter()
            .map(|item| node(&base64(item.as_str().unwrap_or_default())));
        (number(&proof["TreeDepth"]) as u32, path.collect())
    };
    let array =
        |value: &Value| items(value).iter().map(|byte| number(byte) as u8).collect::<Vec<_>>();
    let many = |proof: &Value| {
        let (depth, path) = path(proof);
        (depth, path.into())
    };
    let reveal = |(position, reveal): (&String, &Value)| {
        let (participant, slot) = (&reveal["Part"], &reveal["SigSlot"]);
        let signature = &slot["Sig"];
        let (depth, key_path) = path(&signature["Proof"]);
        assert_eq!(depth as usize, key_path.len());
        Reveal {
            position: position.parse().unwrap(),
            weight: number(&participant["Weight"]),
            key_lifetime: number(&participant["PK"]["KeyLifetime"]),
            key_commitment: array(&participant["PK"]["Commitment"]),
            signed_before: number(&slot["L"]),
            signature: base64(signature["Signature"].as_str().unwrap()),
            key: array(&signature["VerifyingKey"]["PublicKey"]),
            key_index: number(&signature["VectorCommitmentIndex"]),
            key_proof: key_path.into(),
        }
    };
    let proof = StateProof {
        signatures_root: node(&base64(proof["SigCommit"].as_str().unwrap())),
        signatures: many(&proof["SigProofs"]),
        participants: many(&proof["PartProofs"]),
        reveals: proof["Reveals"].as_object().unwrap().iter().map(reveal).collect(),
    };
    assert_eq!(proof.reveals.len(), 20);

    // The leaves of the keys contain the round.
    let preimages = json("sumhash/betanet_leaf_preimages.json");
    let mut round = None;
    for known in items(&preimages) {
        let preimage = hexadecimal(&known["Preimage"]);
        let reveal = proof
            .reveals
            .iter()
            .find(|reveal| reveal.position == number(&known["Pos"]))
            .expect("it is revealed");
        let (domain, data) = match known["Kind"].as_str().unwrap() {
            "spp" => (domains::PARTICIPANT, reveal.participant()),
            "KP" => {
                let of_key = u64::from_le_bytes(preimage[4..12].try_into().unwrap());
                assert_eq!(*round.get_or_insert(of_key), of_key);
                (domains::KEY, reveal.key(of_key))
            }
            other => panic!("{other}"),
        };
        assert_eq!([domain, &data].concat(), preimage);
        let expected: Wide = node(&hexadecimal(&known["Digest"]));
        assert_eq!(Algorand::new(Sumhash512::new(), domain).hash_leaf(&data), expected);
    }
    let voters: String =
        serde_json::from_slice(&vectors("sumhash/previousVotersCommitment.json")).unwrap();
    assert_eq!(proof.check(round.unwrap()).to_vec(), base64(&voters));
}
