//! State proofs: that enough of the online stake has signed a message about a range of rounds.
//!
//! A [`StateProof`] reveals some signature slots and their participants, with a proof of each in a
//! [`VectorCommitment`](super::VectorCommitment). Which ones, the proof cannot choose: coins that
//! are hashed from both commitments and the message fall on the stakes of the signers. Each
//! signature is one of Falcon-1024 (deterministic) with a key for 256 rounds, which is an element
//! of a third vector commitment, that of the participant.
//!
//! The message of each state proof has the commitment to the participants of the next one. An
//! [`Anchor`] is what is trusted of such a chain: of its genesis, of any message that is known to
//! be right, or of the last one that was verified.
//!
//! ```
//! use merkle_lanes::algorand::state_proof::{Anchor, Message, Signed, StateProof};
//!
//! # fn check(
//! #     mut anchor: Anchor, proofs: Vec<(Vec<u8>, Vec<u8>)>,
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! // Each message and its proof, as nodes serve them.
//! for (message, proof) in proofs {
//!     let message = Message::from_msgpack(&message)?;
//!     let proof = StateProof::from_msgpack(&proof)?;
//!     anchor = anchor.verify(&message, &proof, |signed| signed.is_valid())?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`Signed::is_valid`] verifies the Falcon signatures. Another verifier can take its place, such
//! as the crate `falcon-det` with Algorand's C code. `fn-dsa-vrfy` cannot: it hashes messages as
//! the draft of FN-DSA does, and takes signatures of one length.

mod coins;
mod decode;
mod falcon;
mod message;
mod weights;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

pub use decode::StateProofDecodeError;
pub use message::{Anchor, Message};

use self::coins::Coins;
use super::{Algorand, Sumhash512, VectorHead, domains, fixed_length_bytes, verify_elements};
use crate::hasher::NodeHasher;
use crate::proof::{Claim, InclusionProof, MultiProof, VerifyError, verify_many};

/// A node of the trees: a digest of sumhash512.
pub type Digest = [u8; 64];

/// The maximum number of revealed positions: `MaxReveals` of go-algorand.
pub const MAX_REVEALS: usize = 640;

/// The maximum depth of the trees of signatures and of participants: `MaxTreeDepth`.
pub const MAX_TREE_DEPTH: u32 = 20;

/// The number of bytes of a public key of Falcon-1024.
pub const FALCON_KEY_BYTES: usize = 1793;

/// The target of security in bits on Algorand's networks: `StateProofStrengthTarget`.
const STRENGTH_TARGET: u64 = 256;

/// A state proof, with the fields of `stateproof.StateProof` of go-algorand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateProof {
    /// The root of the vector commitment to all signature slots (`c`).
    pub signatures_root: Digest,
    /// The total weight of the signatures (`w`).
    pub signed_weight: u64,
    /// Proves the revealed slots (`S`).
    pub signatures: RevealsProof,
    /// Proves the revealed participants (`P`).
    pub participants: RevealsProof,
    /// The version of the salt of all signatures (`v`).
    pub salt_version: u8,
    /// The revealed slots and their participants, by position (`r`).
    pub reveals: BTreeMap<u64, Reveal>,
    /// The position that each coin falls on, in the order of the coins (`pr`).
    pub positions: Vec<u64>,
}

/// Proves the elements at all revealed positions of a vector commitment (`merklearray.Proof`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevealsProof {
    /// The depth of the tree (`td`).
    pub depth: u32,
    /// The siblings (`pth`).
    pub nodes: MultiProof<Digest>,
}

/// A revealed position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reveal {
    /// The total weight of the signatures before this one (`L`).
    pub signed_before: u64,
    /// The signature.
    pub signature: Signature,
    /// Its signer.
    pub participant: Participant,
}

/// A signature with a key that the signer has committed to (`merklesignature.Signature`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The compressed deterministic signature of Falcon-1024 (`sig`).
    pub falcon: Vec<u8>,
    /// The public key that it is verified with (`vkey`).
    pub key: Box<[u8; FALCON_KEY_BYTES]>,
    /// The index of the key among those of the signer (`idx`).
    pub key_index: u64,
    /// The depth of the tree of keys (`td`).
    pub key_depth: u32,
    /// Proves the key (`pth`).
    pub key_proof: InclusionProof<Digest>,
}

/// A participant (`basics.Participant`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The stake, in microalgos (`w`).
    pub weight: u64,
    /// The number of rounds for which each key signs (`lf`).
    pub key_lifetime: u64,
    /// The root of the vector commitment to the keys (`cmt`).
    pub key_commitment: Digest,
}

/// What a Falcon verifier has to verify.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// The public key.
    pub key: &'a [u8; FALCON_KEY_BYTES],
    /// The hash of the state proof's message.
    pub message: &'a [u8; 32],
    /// The compressed deterministic signature.
    pub signature: &'a [u8],
}

/// Verifies state proofs with what is trusted before: the commitment to the participants, from the
/// message of the previous state proof, and how much of their stake must have signed.
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    participants_root: Digest,
    ln_proven_weight: u64,
    strength_target: u64,
}

impl Verifier {
    /// Creates a verifier from `VotersCommitment` and `LnProvenWeight` of a trusted message. The
    /// latter is the natural logarithm of the proven weight, times 2^16 and rounded up. The
    /// strength is 256 bits, as on Algorand's networks.
    #[must_use]
    pub fn new(participants_root: Digest, ln_proven_weight: u64) -> Self {
        Self { participants_root, ln_proven_weight, strength_target: STRENGTH_TARGET }
    }

    /// Replaces the strength of 256 bits.
    #[must_use]
    pub fn with_strength_target(self, bits: u64) -> Self {
        Self { strength_target: bits, ..self }
    }

    /// Verifies that participants of more than the proven weight have signed the message with this
    /// hash. `round` is the last one that the message attests to.
    ///
    /// `falcon` verifies a signature of Falcon-1024 in its deterministic mode:
    /// [`Signed::is_valid`], or another implementation. **The proof is worth no more than its
    /// answers**: if it accepts everything, anyone can make a proof. It is called once for each
    /// reveal, after everything else was found to be right.
    ///
    /// All leaves of a kind, and all nodes of a level, are hashed together.
    ///
    /// # Errors
    ///
    /// Returns a [`StateProofError`] if the proof does not show this.
    pub fn verify(
        &self,
        round: u64,
        message: &[u8; 32],
        proof: &StateProof,
        mut falcon: impl FnMut(Signed<'_>) -> bool,
    ) -> Result<(), StateProofError> {
        for (tree, max) in
            [(&proof.signatures, MAX_TREE_DEPTH), (&proof.participants, MAX_TREE_DEPTH)]
        {
            if tree.depth > max {
                return Err(StateProofError::TooDeep { depth: tree.depth, max });
            }
        }
        let reveals = proof.positions.len().max(proof.reveals.len());
        if reveals > MAX_REVEALS {
            return Err(StateProofError::TooManyReveals { reveals, max: MAX_REVEALS });
        }
        let (signed, positions) = (proof.signed_weight, proof.positions.len() as u64);
        if !weights::suffice(signed, self.ln_proven_weight, positions, self.strength_target) {
            return Err(StateProofError::TooLittleWeight {
                signed,
                reveals: proof.positions.len(),
            });
        }
        self.check_coins(message, proof)?;
        self.check_trees(round, proof)?;
        for (&position, reveal) in &proof.reveals {
            let Signature { falcon: signature, key, .. } = &reveal.signature;
            if !falcon(Signed { key, message, signature }) {
                return Err(StateProofError::WrongSignature { position });
            }
        }
        Ok(())
    }

    /// Checks that each coin falls on the revealed position.
    fn check_coins(&self, message: &[u8; 32], proof: &StateProof) -> Result<(), StateProofError> {
        let mut coins = Coins::new(self, message, proof);
        for &position in &proof.positions {
            let coin = coins.next();
            let Some(reveal) = proof.reveals.get(&position) else {
                return Err(StateProofError::NotRevealed { position });
            };
            let is_hit = coin
                .checked_sub(reveal.signed_before)
                .is_some_and(|offset| offset < reveal.participant.weight);
            if !is_hit {
                return Err(StateProofError::CoinElsewhere { position, coin });
            }
        }
        Ok(())
    }

    /// Checks the keys of all signers, and both commitments.
    fn check_trees(&self, round: u64, proof: &StateProof) -> Result<(), StateProofError> {
        let (mut keys, mut slots, mut participants) = (Vec::new(), Vec::new(), Vec::new());
        for (&position, reveal) in &proof.reveals {
            let malformed = StateProofError::MalformedSignature { position };
            let Signature { falcon, key, .. } = &reveal.signature;
            if falcon.get(1) != Some(&proof.salt_version) {
                return Err(StateProofError::SaltVersion {
                    position,
                    expected: proof.salt_version,
                });
            }
            let lifetime = reveal.participant.key_lifetime;
            let Some(into_lifetime) = round.checked_rem(lifetime) else {
                return Err(StateProofError::NoKeyLifetime { position });
            };
            let first_round = round - into_lifetime;
            keys.push([&[0; 2], &first_round.to_le_bytes()[..], &key[..]].concat());
            slots.push(reveal.slot().ok_or(malformed)?);
            participants.push(reveal.participant.to_bytes());
        }
        let hasher = Algorand::new(Sumhash512::new(), b"");

        let leaves = hash_leaves(domains::KEY, &keys);
        let mut heads = Vec::new();
        for (&position, reveal) in &proof.reveals {
            let Signature { key_depth, key_index, .. } = reveal.signature;
            let head = VectorHead { depth: key_depth, root: reveal.participant.key_commitment };
            let found = head.tree_head().and_then(|tree| Ok((tree, head.position(key_index)?)));
            heads.push(found.map_err(|error| StateProofError::Key { position, error })?);
        }
        let claims: Vec<_> = (heads.iter().zip(&leaves).zip(proof.reveals.values()))
            .map(|(((head, index), leaf), reveal)| Claim {
                head,
                index: *index,
                leaf,
                proof: &reveal.signature.key_proof,
            })
            .collect();
        for (verdict, &position) in
            verify_many(&hasher, &claims).into_iter().zip(proof.reveals.keys())
        {
            verdict.map_err(|error| StateProofError::Key { position, error })?;
        }

        let check = |tree: &RevealsProof, root, leaves: Vec<Digest>| {
            let head = VectorHead { depth: tree.depth, root };
            let elements: Vec<_> = proof.reveals.keys().copied().zip(leaves).collect();
            verify_elements(&hasher, &head, &elements, &tree.nodes)
        };
        let leaves = hash_leaves(domains::SIGNATURE_SLOT, &slots);
        check(&proof.signatures, proof.signatures_root, leaves)
            .map_err(StateProofError::Signatures)?;
        let leaves = hash_leaves(domains::PARTICIPANT, &participants);
        check(&proof.participants, self.participants_root, leaves)
            .map_err(StateProofError::Participants)
    }
}

fn hash_leaves<M: AsRef<[u8]> + Sync>(domain: &'static [u8], data: &[M]) -> Vec<Digest> {
    let mut leaves = vec![[0; 64]; data.len()];
    Algorand::new(Sumhash512::new(), domain).hash_leaves(data, &mut leaves);
    leaves
}

impl Reveal {
    /// What is hashed for a signature slot: all numbers and proofs have a fixed length. `None` if
    /// the signature has no such form.
    fn slot(&self) -> Option<Vec<u8>> {
        let Signature { falcon, key, key_index, key_proof, .. } = &self.signature;
        let parts = [
            &self.signed_before.to_le_bytes()[..],
            &[0; 2], // the scheme
            &falcon::constant_length(falcon)?,
            &key[..],
            &key_index.to_le_bytes(),
            &fixed_length_bytes(key_proof)?,
        ];
        Some(parts.concat())
    }
}

impl Participant {
    /// What is hashed.
    fn to_bytes(self) -> Vec<u8> {
        let Self { weight, key_lifetime, key_commitment } = self;
        [&weight.to_le_bytes()[..], &key_lifetime.to_le_bytes(), &key_commitment].concat()
    }
}

/// The error for a state proof that is refused. Positions are those of the vector commitments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateProofError {
    /// The tree of signatures or of participants is too deep.
    TooDeep {
        /// The depth of the tree.
        depth: u32,
        /// The maximum depth.
        max: u32,
    },
    /// A message does not begin with the round after the last trusted one, or ends before it
    /// begins.
    WrongRounds {
        /// The first round that was expected.
        expected: u64,
        /// The first round of the message.
        first: u64,
        /// The last round of the message.
        last: u64,
    },
    /// There are too many reveals or positions.
    TooManyReveals {
        /// The greater of both numbers.
        reveals: usize,
        /// The maximum number.
        max: usize,
    },
    /// So many coins do not prove, with the target of security, that the proven weight has signed
    /// if this weight has.
    TooLittleWeight {
        /// The weight that has signed, according to the proof.
        signed: u64,
        /// The number of coins.
        reveals: usize,
    },
    /// A coin has a position that is not revealed.
    NotRevealed {
        /// The position.
        position: u64,
    },
    /// A coin does not fall on the stake at its position.
    CoinElsewhere {
        /// The position.
        position: u64,
        /// The coin, less than the signed weight.
        coin: u64,
    },
    /// A signature has another version of the salt than the proof.
    SaltVersion {
        /// The position of the signature.
        position: u64,
        /// The version of the proof.
        expected: u8,
    },
    /// A signature is not one of Falcon-1024, or the tree of its key is too deep.
    MalformedSignature {
        /// The position of the signature.
        position: u64,
    },
    /// The keys of a participant are for no round.
    NoKeyLifetime {
        /// The position of the participant.
        position: u64,
    },
    /// The key of a signature is not the signer's key for the round.
    Key {
        /// The position of the signature.
        position: u64,
        /// Why not.
        error: VerifyError,
    },
    /// The revealed signatures are not in the commitment to signatures.
    Signatures(VerifyError),
    /// The revealed participants are not in the trusted commitment.
    Participants(VerifyError),
    /// The Falcon verifier refused a signature.
    WrongSignature {
        /// The position of the signature.
        position: u64,
    },
}

error_messages!(StateProofError {
    Self::TooDeep { depth, max } => "a tree of depth {depth} exceeds the maximum depth of {max}";
    Self::WrongRounds { expected, first, last } =>
        "a message about rounds {first} to {last} does not continue at round {expected}";
    Self::TooManyReveals { reveals, max } => "{reveals} reveals exceed the maximum of {max}";
    Self::TooLittleWeight { signed, reveals } =>
        "{reveals} reveals of a signed weight of {signed} do not prove enough weight";
    Self::NotRevealed { position } => "a coin has position {position}, which is not revealed";
    Self::CoinElsewhere { position, coin } =>
        "coin {coin} does not fall on the stake at position {position}";
    Self::SaltVersion { position, expected } =>
        "the signature at position {position} does not have salt version {expected}";
    Self::MalformedSignature { position } =>
        "the signature at position {position} is not one of Falcon-1024";
    Self::NoKeyLifetime { position } =>
        "the participant at position {position} has keys for no round";
    Self::Key { position, error } =>
        "the key at position {position} is not the signer's for the round: {error}";
    Self::Signatures(error) => "the signatures are not those committed to: {error}";
    Self::Participants(error) => "the participants are not those committed to: {error}";
    Self::WrongSignature { position } => "the signature at position {position} is wrong";
});
