//! The proof in a certificate.

use alloc::vec::Vec;

use super::reader::{MtcDecodeError, Reader, Result};
use super::{MAX_ENTRIES, TrustAnchorId};
use crate::hasher::Node;
use crate::proof::InclusionProof;
use crate::rfc6962::Subtree;

/// `MTCProof` (section 6.2): that a log entry is in a subtree, and signatures of that subtree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MtcProof {
    extensions: EntryExtensions,
    subtree: Subtree,
    inclusion_proof: InclusionProof<[u8; 32]>,
    /// In ascending order of their cosigners, each of whom is there once.
    signatures: Vec<SubtreeSignature>,
}

/// The signature of a subtree: `SubtreeSignature`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SubtreeSignature {
    /// Who signed.
    pub cosigner: TrustAnchorId,
    /// The signature of a [`cosigned_message`](super::cosigned_message).
    pub signature: Vec<u8>,
}

impl SubtreeSignature {
    /// Shorter IDs come before longer ones.
    fn order(&self) -> (usize, &[u8]) {
        let id = self.cosigner.as_bytes();
        (id.len(), id)
    }
}

/// The error for parts that are not a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MtcProofError {
    /// The subtree ends after the last possible entry of a log.
    SubtreeTooLate,
    /// The inclusion proof has more than 65,535 bytes.
    InclusionProofTooLong,
    /// Two signatures are of one cosigner.
    RepeatedCosigner,
    /// A signature has more than 65,535 bytes, or all have more than 2^24 - 1 together.
    SignaturesTooLong,
}

error_messages!(MtcProofError {
    Self::SubtreeTooLate => "the subtree ends after entry 2^48 - 1";
    Self::InclusionProofTooLong => "the inclusion proof has more than 65535 bytes";
    Self::RepeatedCosigner => "two signatures are of one cosigner";
    Self::SignaturesTooLong =>
        "a signature has more than 65535 bytes, or all have more than 2^24 - 1 together";
});

impl MtcProof {
    /// Puts a proof together. The signatures can be in any order; a landmark-relative certificate
    /// has none.
    ///
    /// # Errors
    ///
    /// Returns [`MtcProofError`] if a part is too long, or a cosigner has two signatures.
    pub fn new(
        extensions: EntryExtensions,
        subtree: Subtree,
        inclusion_proof: InclusionProof<[u8; 32]>,
        mut signatures: Vec<SubtreeSignature>,
    ) -> core::result::Result<Self, MtcProofError> {
        if subtree.end() > MAX_ENTRIES {
            return Err(MtcProofError::SubtreeTooLate);
        }
        if 32 * inclusion_proof.nodes().len() > usize::from(u16::MAX) {
            return Err(MtcProofError::InclusionProofTooLong);
        }
        signatures.sort_unstable_by(|one, other| one.order().cmp(&other.order()));
        if signatures.windows(2).any(|pair| pair[0].cosigner == pair[1].cosigner) {
            return Err(MtcProofError::RepeatedCosigner);
        }
        let len = |signature: &SubtreeSignature| {
            1 + signature.cosigner.as_bytes().len() + 2 + signature.signature.len()
        };
        let all: usize = signatures.iter().map(len).sum();
        let is_too_long =
            |signature: &SubtreeSignature| signature.signature.len() > usize::from(u16::MAX);
        if signatures.iter().any(is_too_long) || all >= 1 << 24 {
            return Err(MtcProofError::SignaturesTooLong);
        }
        Ok(Self { extensions, subtree, inclusion_proof, signatures })
    }

    /// Reads what [`to_bytes`](Self::to_bytes) returns: the `signatureValue` of a certificate.
    ///
    /// # Errors
    ///
    /// Returns [`MtcDecodeError`] for other bytes, an invalid subtree, cosigners or extensions that
    /// are not in strictly ascending order, and bytes after the end.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::read(Reader::new(bytes))
    }

    pub(super) fn read(mut reader: Reader<'_>) -> Result<Self> {
        let extensions = EntryExtensions::read(reader.vector(2, "extensions of the entry")?)?;
        let invalid = reader.error("the start and the end of a subtree");
        let mut number = || reader.integer(6, invalid.expected);
        let (start, end) = (number()?, number()?);
        let subtree = Subtree::new(start, end).map_err(|_| invalid)?;
        let wrong = reader.error("an inclusion proof of nodes of 32 bytes");
        let nodes = reader.vector(2, wrong.expected)?;
        let inclusion_proof = InclusionProof::try_from(nodes.rest()).map_err(|_| wrong)?;
        let mut rest = reader.vector(3, "signatures")?;
        let mut signatures: Vec<SubtreeSignature> = Vec::new();
        while !rest.is_empty() {
            let wrong = rest.error("the ID of a cosigner after the one before");
            let id = rest.vector(1, wrong.expected)?;
            let cosigner = TrustAnchorId::from_bytes(id.rest()).map_err(|_| wrong)?;
            let signature = rest.vector(2, "a signature")?.rest().to_vec();
            let next = SubtreeSignature { cosigner, signature };
            if signatures.last().is_some_and(|last| last.order() >= next.order()) {
                return Err(wrong);
            }
            signatures.push(next);
        }
        reader.end()?;
        Ok(Self { extensions, subtree, inclusion_proof, signatures })
    }

    /// The bytes of the `signatureValue` of a certificate.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { extensions, subtree, inclusion_proof, signatures } = self;
        let mut bytes = extensions.to_bytes();
        for number in [subtree.start(), subtree.end()] {
            bytes.extend_from_slice(&number.to_be_bytes()[2..]);
        }
        push_vector(&mut bytes, 2, Node::as_bytes(inclusion_proof.nodes()));
        let mut all = Vec::new();
        for SubtreeSignature { cosigner, signature } in signatures {
            push_vector(&mut all, 1, cosigner.as_bytes());
            push_vector(&mut all, 2, signature);
        }
        push_vector(&mut bytes, 3, &all);
        bytes
    }

    /// The extensions of the log entry.
    #[must_use]
    pub fn extensions(&self) -> &EntryExtensions {
        &self.extensions
    }

    /// The subtree.
    #[must_use]
    pub fn subtree(&self) -> &Subtree {
        &self.subtree
    }

    /// The proof that the entry is in the subtree.
    #[must_use]
    pub fn inclusion_proof(&self) -> &InclusionProof<[u8; 32]> {
        &self.inclusion_proof
    }

    /// The signatures, in ascending order of their cosigners. Those of unknown cosigners must be
    /// ignored.
    #[must_use]
    pub fn signatures(&self) -> &[SubtreeSignature] {
        &self.signatures
    }

    /// The signature of a cosigner.
    #[must_use]
    pub fn signature_of(&self, cosigner: &TrustAnchorId) -> Option<&[u8]> {
        let found = self.signatures.iter().find(|signature| signature.cosigner == *cosigner)?;
        Some(&found.signature)
    }
}

/// Appends a vector of TLS, whose length must fit.
fn push_vector(bytes: &mut Vec<u8>, length_bytes: usize, vector: &[u8]) {
    let len = (vector.len() as u64).to_be_bytes();
    bytes.extend_from_slice(&len[len.len() - length_bytes..]);
    bytes.extend_from_slice(vector);
}

/// The extensions of a log entry, which are hashed with it: `MTCLogEntryExtension` (section 5.2.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EntryExtensions(Vec<u8>);

impl EntryExtensions {
    /// Encodes extensions, given as their types and data. `None` if the types are not in strictly
    /// ascending order or all have more than 65,535 bytes.
    #[must_use]
    pub fn new(extensions: &[(u16, &[u8])]) -> Option<Self> {
        let mut bytes = Vec::new();
        for (extension_type, data) in extensions {
            if data.len() > usize::from(u16::MAX) {
                return None;
            }
            bytes.extend_from_slice(&extension_type.to_be_bytes());
            push_vector(&mut bytes, 2, data);
        }
        let is_ascending = extensions.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (is_ascending && bytes.len() <= usize::from(u16::MAX)).then_some(Self(bytes))
    }

    fn read(all: Reader<'_>) -> Result<Self> {
        let (mut rest, mut last) = (all, None);
        while !rest.is_empty() {
            let wrong: MtcDecodeError = rest.error("a type of extension after the one before");
            let extension_type = rest.integer(2, wrong.expected)?;
            rest.vector(2, "the data of an extension")?;
            if last.is_some_and(|last| last >= extension_type) {
                return Err(wrong);
            }
            last = Some(extension_type);
        }
        Ok(Self(all.rest().to_vec()))
    }

    /// The encoding: the number of bytes as two bytes, then the extensions.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        push_vector(&mut bytes, 2, &self.0);
        bytes
    }
}
