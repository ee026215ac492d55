//! Reads state proofs in Algorand's canonical `MessagePack`.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use rmp::decode::{read_array_len, read_bin_len, read_int, read_map_len, read_str_from_slice};

use super::{
    Digest, FALCON_KEY_BYTES, MAX_REVEALS, Participant, Reveal, RevealsProof, Signature, StateProof,
};
use crate::proof::{InclusionProof, MultiProof};

/// sumhash512 as a hash type of `merklearray`.
const SUMHASH: u64 = 1;

/// What is expected of a root.
pub(super) const DIGEST: &str = "a digest of 64 bytes";

/// The error for bytes that are not a state proof, or not its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateProofDecodeError {
    /// What was expected.
    pub expected: &'static str,
    /// The offset, in bytes, of what was found instead.
    pub offset: usize,
}

impl fmt::Display for StateProofDecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.offset)
    }
}

impl core::error::Error for StateProofDecodeError {}

pub(super) type Result<T> = core::result::Result<T, StateProofDecodeError>;

impl StateProof {
    /// Reads a state proof in `MessagePack`, as nodes and indexers serve it. As in go-algorand, a
    /// field that is zero or empty is left out.
    ///
    /// # Errors
    ///
    /// Returns a [`StateProofDecodeError`] for a field that is unknown, repeated or of another
    /// type, for trees of another hash than sumhash512, for more than [`MAX_REVEALS`] reveals, and
    /// for bytes after the end.
    pub fn from_msgpack(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let proof = reader.state_proof()?;
        reader.end()?;
        Ok(proof)
    }
}

pub(super) struct Reader<'a> {
    all: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { all: bytes, rest: bytes }
    }

    /// Checks that nothing is left.
    pub(super) fn end(&self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.error("the end")) }
    }

    fn error(&self, expected: &'static str) -> StateProofDecodeError {
        StateProofDecodeError { expected, offset: self.all.len() - self.rest.len() }
    }

    /// Reads an item, or stays before it.
    fn item<T, E>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&mut &'a [u8]) -> core::result::Result<T, E>,
    ) -> Result<T> {
        let mut rest = self.rest;
        let item = read(&mut rest).map_err(|_| self.error(expected))?;
        self.rest = rest;
        Ok(item)
    }

    pub(super) fn integer<T: TryFrom<u64>>(&mut self, expected: &'static str) -> Result<T> {
        self.item(expected, |rest| {
            let integer: u64 = read_int(rest).map_err(|_| ())?;
            integer.try_into().map_err(|_| ())
        })
    }

    fn bytes(&mut self, expected: &'static str) -> Result<&'a [u8]> {
        self.item(expected, |rest| {
            let len = read_bin_len(rest).map_err(|_| ())? as usize;
            let (bytes, after) = rest.split_at_checked(len).ok_or(())?;
            *rest = after;
            Ok::<_, ()>(bytes)
        })
    }

    pub(super) fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N]> {
        let before = self.error(expected);
        self.bytes(expected)?.try_into().map_err(|_| before)
    }

    /// Reads a map. `field` reads the value of a name, and returns whether it knows that name.
    pub(super) fn map(
        &mut self,
        mut field: impl FnMut(&mut Self, &str) -> Result<bool>,
    ) -> Result<()> {
        let mut seen = Vec::new();
        for _ in 0..self.item("a map", read_map_len)? {
            let unknown = self.error("a field of this map, once");
            let name = self.item("the name of a field", |rest| {
                let (name, after) = read_str_from_slice(*rest).map_err(|_| ())?;
                *rest = after;
                Ok::<_, ()>(name)
            })?;
            if seen.contains(&name) || !field(self, name)? {
                return Err(unknown);
            }
            seen.push(name);
        }
        Ok(())
    }

    fn state_proof(&mut self) -> Result<StateProof> {
        let none = || RevealsProof { depth: 0, nodes: MultiProof(Vec::new()) };
        let mut proof = StateProof {
            signatures_root: [0; 64],
            signed_weight: 0,
            signatures: none(),
            participants: none(),
            salt_version: 0,
            reveals: BTreeMap::new(),
            positions: Vec::new(),
        };
        self.map(|reader, name| {
            match name {
                "c" => proof.signatures_root = reader.array(DIGEST)?,
                "w" => proof.signed_weight = reader.integer("a weight")?,
                "S" => proof.signatures = reader.reveals_proof()?,
                "P" => proof.participants = reader.reveals_proof()?,
                "v" => proof.salt_version = reader.integer("a salt version")?,
                "r" => proof.reveals = reader.reveals()?,
                "pr" => proof.positions = reader.positions()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(proof)
    }

    /// The depth and the nodes of a proof.
    fn proof(&mut self) -> Result<(u32, Vec<Digest>)> {
        let (mut hash_type, mut depth, mut nodes) = (0, 0, Vec::new());
        let start = self.error("a proof with sumhash512, hash type 1");
        self.map(|reader, name| {
            match name {
                "hsh" => reader.map(|reader, name| {
                    hash_type = reader.integer("a hash type")?;
                    Ok(name == "t")
                })?,
                "pth" => nodes = reader.nodes()?,
                "td" => depth = reader.integer("a depth")?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if hash_type == SUMHASH { Ok((depth, nodes)) } else { Err(start) }
    }

    /// The nodes of a proof. An empty one stands for a missing sibling.
    fn nodes(&mut self) -> Result<Vec<Digest>> {
        let mut nodes = Vec::new();
        for _ in 0..self.item("an array of nodes", read_array_len)? {
            let wrong = self.error("a node of 64 bytes");
            nodes.push(match self.bytes(wrong.expected)? {
                [] => [0; 64],
                node => node.try_into().map_err(|_| wrong)?,
            });
        }
        Ok(nodes)
    }

    fn reveals_proof(&mut self) -> Result<RevealsProof> {
        let (depth, nodes) = self.proof()?;
        Ok(RevealsProof { depth, nodes: MultiProof(nodes) })
    }

    fn positions(&mut self) -> Result<Vec<u64>> {
        let start = self.error("at most 640 positions");
        let len = self.item("an array of positions", read_array_len)? as usize;
        if len > MAX_REVEALS {
            return Err(start);
        }
        (0..len).map(|_| self.integer("a position")).collect()
    }

    fn reveals(&mut self) -> Result<BTreeMap<u64, Reveal>> {
        let start = self.error("at most 640 reveals");
        let len = self.item("a map of reveals", read_map_len)? as usize;
        if len > MAX_REVEALS {
            return Err(start);
        }
        let mut reveals = BTreeMap::new();
        for _ in 0..len {
            let repeated = self.error("another position");
            let position = self.integer("a position")?;
            if reveals.insert(position, self.reveal()?).is_some() {
                return Err(repeated);
            }
        }
        Ok(reveals)
    }

    fn reveal(&mut self) -> Result<Reveal> {
        let mut reveal = Reveal {
            signed_before: 0,
            signature: Signature {
                falcon: Vec::new(),
                key: Box::new([0; FALCON_KEY_BYTES]),
                key_index: 0,
                key_depth: 0,
                key_proof: InclusionProof(Vec::new()),
            },
            participant: Participant { weight: 0, key_lifetime: 0, key_commitment: [0; 64] },
        };
        self.map(|reader, name| {
            match name {
                "s" => reader.map(|reader, name| {
                    match name {
                        "l" => reveal.signed_before = reader.integer("a weight")?,
                        "s" => reader.signature(&mut reveal.signature)?,
                        _ => return Ok(false),
                    }
                    Ok(true)
                })?,
                "p" => reader.participant(&mut reveal.participant)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(reveal)
    }

    fn signature(&mut self, signature: &mut Signature) -> Result<()> {
        self.map(|reader, name| {
            match name {
                "sig" => signature.falcon = reader.bytes("a signature")?.to_vec(),
                "idx" => signature.key_index = reader.integer("an index")?,
                "prf" => {
                    let (depth, nodes) = reader.proof()?;
                    (signature.key_depth, signature.key_proof) = (depth, InclusionProof(nodes));
                }
                "vkey" => reader.map(|reader, name| {
                    *signature.key = reader.array("a key of 1793 bytes")?;
                    Ok(name == "k")
                })?,
                _ => return Ok(false),
            }
            Ok(true)
        })
    }

    fn participant(&mut self, participant: &mut Participant) -> Result<()> {
        self.map(|reader, name| {
            match name {
                "w" => participant.weight = reader.integer("a weight")?,
                "p" => reader.map(|reader, name| {
                    match name {
                        "cmt" => participant.key_commitment = reader.array(DIGEST)?,
                        "lf" => participant.key_lifetime = reader.integer("a lifetime")?,
                        _ => return Ok(false),
                    }
                    Ok(true)
                })?,
                _ => return Ok(false),
            }
            Ok(true)
        })
    }
}
