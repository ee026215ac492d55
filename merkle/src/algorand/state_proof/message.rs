//! The messages that state proofs attest to, and chains of them.

use alloc::vec::Vec;

use rmp::encode::{ByteBuf, write_bin, write_map_len, write_str, write_uint};
use sha256_multi::Sha256Lanes;

use super::decode::{DIGEST, Reader, Result};
use super::{Digest, Signed, StateProof, StateProofDecodeError, StateProofError, Verifier};

/// The domain of the hash of a message: `StateProofMessage` of `protocol/hash.go`.
const DOMAIN: &[u8] = b"spm";

/// The message that a state proof attests to, with the fields of `stateproofmsg.Message` of
/// go-algorand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The root of the vector commitment to the light headers of all blocks, with SHA-256 (`b`).
    pub block_headers_commitment: [u8; 32],
    /// The commitment to the participants of the next state proof (`v`).
    pub voters_commitment: Digest,
    /// The natural logarithm of the weight that the next state proof must prove, times 2^16 and
    /// rounded up (`P`).
    pub ln_proven_weight: u64,
    /// The first round (`f`).
    pub first_round: u64,
    /// The last round (`l`).
    pub last_round: u64,
}

impl Message {
    /// Reads a message in Algorand's canonical `MessagePack`, as transactions carry it.
    ///
    /// # Errors
    ///
    /// Returns a [`StateProofDecodeError`] for a field that is unknown, repeated, of another type
    /// or length, or not in the canonical form or order, and for bytes after the end. Both
    /// commitments must be there; a number that is zero must be left out.
    pub fn from_msgpack(bytes: &[u8]) -> Result<Self> {
        const COMMITMENT: &str = "a commitment of 32 bytes";
        let (mut headers, mut voters) = (None, None);
        let [mut ln_proven_weight, mut first_round, mut last_round] = [0; 3];
        let mut reader = Reader::new(bytes);
        reader.map(|reader, name| {
            match name {
                "P" => ln_proven_weight = reader.integer("a logarithm")?,
                "b" => headers = Some(reader.array(COMMITMENT)?),
                "f" => first_round = reader.integer("a round")?,
                "l" => last_round = reader.integer("a round")?,
                "v" => voters = Some(reader.array(DIGEST)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        reader.end()?;
        let missing = StateProofDecodeError { expected: "both commitments", offset: bytes.len() };
        let message = Self {
            block_headers_commitment: headers.ok_or(missing)?,
            voters_commitment: voters.ok_or(missing)?,
            ln_proven_weight,
            first_round,
            last_round,
        };
        // The hash is that of the canonical form.
        let canonical = message.to_msgpack();
        match canonical.iter().zip(bytes).position(|(one, other)| one != other) {
            None if canonical.len() == bytes.len() => Ok(message),
            difference => Err(StateProofDecodeError {
                expected: "the canonical form",
                offset: difference.unwrap_or(canonical.len().min(bytes.len())),
            }),
        }
    }

    /// The message in canonical `MessagePack`: fields in ascending order, without numbers that are
    /// zero.
    #[must_use]
    pub fn to_msgpack(&self) -> Vec<u8> {
        let numbers =
            [("P", self.ln_proven_weight), ("f", self.first_round), ("l", self.last_round)];
        let fields = 2 + numbers.iter().filter(|&&(_, number)| number != 0).count() as u32;
        let mut buffer = ByteBuf::new();
        write_map_len(&mut buffer, fields).expect(WRITTEN);
        push_number(&mut buffer, numbers[0]);
        write_str(&mut buffer, "b").expect(WRITTEN);
        write_bin(&mut buffer, &self.block_headers_commitment).expect(WRITTEN);
        push_number(&mut buffer, numbers[1]);
        push_number(&mut buffer, numbers[2]);
        write_str(&mut buffer, "v").expect(WRITTEN);
        write_bin(&mut buffer, &self.voters_commitment).expect(WRITTEN);
        buffer.into_vec()
    }

    /// The hash that participants sign: SHA-256 of "spm" and the canonical form.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256Lanes::default().hash([DOMAIN, &self.to_msgpack()].concat())
    }

    /// What the next state proof is verified with. **It can be trusted only if the message can**:
    /// [`Anchor::verify`] returns it for a message that is proven.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        Anchor {
            voters_commitment: self.voters_commitment,
            ln_proven_weight: self.ln_proven_weight,
            last_round: self.last_round,
        }
    }
}

const WRITTEN: &str = "a buffer in memory takes everything";

/// Appends a number unless it is zero.
fn push_number(buffer: &mut ByteBuf, (name, number): (&str, u64)) {
    if number != 0 {
        write_str(buffer, name).expect(WRITTEN);
        write_uint(buffer, number).expect(WRITTEN);
    }
}

/// What is trusted of a chain of state proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The commitment to the participants of the next state proof.
    pub voters_commitment: Digest,
    /// The natural logarithm of the weight that it must prove, times 2^16 and rounded up.
    pub ln_proven_weight: u64,
    /// The last round that is attested to. The next state proof begins after it.
    pub last_round: u64,
}

impl Anchor {
    /// Verifies the next message of the chain, and returns what the one after it is verified with.
    /// See [`Verifier::verify`] for `falcon`.
    ///
    /// # Errors
    ///
    /// Returns a [`StateProofError`] if the message does not continue the chain, or the proof does
    /// not attest to it.
    pub fn verify(
        &self,
        message: &Message,
        proof: &StateProof,
        falcon: impl FnMut(Signed<'_>) -> bool,
    ) -> core::result::Result<Self, StateProofError> {
        let Message { first_round: first, last_round: last, .. } = *message;
        if first.checked_sub(1) != Some(self.last_round) || first > last {
            let expected = self.last_round.saturating_add(1);
            return Err(StateProofError::WrongRounds { expected, first, last });
        }
        let verifier = Verifier::new(self.voters_commitment, self.ln_proven_weight);
        verifier.verify(last, &message.hash(), proof, falcon)?;
        Ok(message.anchor())
    }
}
