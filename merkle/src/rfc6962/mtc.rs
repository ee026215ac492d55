//! Merkle Tree Certificates: everything that their verifier hashes, so that it needs only a
//! signature crate besides: [draft-ietf-plants-merkle-tree-certs], version 06 and the object
//! identifiers that were allocated after it.
//!
//! An issuance log is a tree of [`Rfc6962`](super::Rfc6962) with SHA-256. A certificate carries an
//! [`MtcProof`]: an inclusion proof of its log entry in a [`Subtree`], and signatures of that
//! subtree by cosigners. A landmark-relative certificate has no signatures: its subtree is one of a
//! [`Landmark`], whose root the relying party already trusts.
//!
//! ```
//! use merkle_lanes::rfc6962::{Rfc6962, Subtree};
//! use merkle_lanes::rfc6962::mtc::{MtcCertificate, TrustAnchorId};
//! # use merkle_lanes::VerifyError;
//! # fn is_signed(_: &TrustAnchorId, _: &[u8], _: &[u8]) -> bool { false }
//!
//! # fn check(
//! #     der: &[u8], ca: &TrustAnchorId, revoked: &[u64],
//! #     trusted: impl Fn(u16, &Subtree) -> Option<[u8; 32]>,
//! # ) -> Result<bool, Box<dyn std::error::Error>> {
//! // Section 7.2 of the draft. Other checks, such as the expiry, are left to the X.509 library.
//! let certificate = MtcCertificate::from_der(der)?;
//! let certified = certificate.certified_subtree(&Rfc6962::new())?;
//! if certified.log.ca != *ca || revoked.contains(&certificate.tbs().serial()) {
//!     return Ok(false);
//! }
//! let log_number = certified.log.number.get();
//! if let Some(root) = trusted(log_number, &certified.subtree) {
//!     return Ok(certified.root == root);
//! }
//! // What a policy requires is up to the relying party: here, the signature of the CA.
//! let signature = certificate.proof().signature_of(ca).ok_or("the CA did not sign")?;
//! let message = certified.message(ca).ok_or("the CA's name is too long")?;
//! Ok(is_signed(ca, &message, signature))
//! # }
//! ```
//!
//! [draft-ietf-plants-merkle-tree-certs]: https://datatracker.ietf.org/doc/draft-ietf-plants-merkle-tree-certs/

mod certificate;
mod landmarks;
mod proof;
mod reader;
mod trust_anchor;

use alloc::format;
use alloc::vec::Vec;
use core::num::NonZeroU16;

pub use certificate::{MtcCertificate, TbsCertificate};
pub use landmarks::{Landmark, Landmarks, LandmarksError};
pub use proof::{EntryExtensions, MtcProof, MtcProofError, SubtreeSignature};
pub use reader::MtcDecodeError;
pub use trust_anchor::{InvalidTrustAnchorIdError, TrustAnchorId};

use super::Subtree;

/// The number of bits of an entry's index, and of the size of a log.
const INDEX_BITS: u32 = 48;

/// The maximum number of entries in a log: `2^48 - 1`.
pub const MAX_ENTRIES: u64 = (1 << INDEX_BITS) - 1;

/// An issuance log of a certification authority.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LogId {
    /// The certification authority.
    pub ca: TrustAnchorId,
    /// The number of the log.
    pub number: NonZeroU16,
}

impl LogId {
    /// The log ID: the CA ID, 0, and the number of the log. `None` if it has more than 255 bytes.
    #[must_use]
    pub fn trust_anchor_id(&self) -> Option<TrustAnchorId> {
        self.ca.join(&[0, self.number.get().into()])
    }

    /// The ID of a landmark of this log: the CA ID, 1, the number of the log, and that of the
    /// landmark. `None` if it has more than 255 bytes.
    #[must_use]
    pub fn landmark_id(&self, landmark: u64) -> Option<TrustAnchorId> {
        self.ca.join(&[1, self.number.get().into(), landmark])
    }
}

/// The number of a log and the index of an entry in it, from the serial number of a certificate.
/// `None` if the number of the log is zero.
#[must_use]
pub fn split_serial(serial: u64) -> Option<(NonZeroU16, u64)> {
    Some((NonZeroU16::new((serial >> INDEX_BITS) as u16)?, serial & MAX_ENTRIES))
}

/// The serial number of a certificate, from the number of a log and the index of an entry in it.
/// `None` if the index is not less than [`MAX_ENTRIES`].
#[must_use]
pub fn join_serial(log_number: NonZeroU16, index: u64) -> Option<u64> {
    (index < MAX_ENTRIES).then(|| u64::from(log_number.get()) << INDEX_BITS | index)
}

/// The subtree that a certificate's entry is in, if somebody trusted vouches for its root.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CertifiedSubtree {
    /// The issuance log.
    pub log: LogId,
    /// The subtree.
    pub subtree: Subtree,
    /// The root of the subtree, according to the certificate's inclusion proof.
    pub root: [u8; 32],
}

impl CertifiedSubtree {
    /// The message that a cosigner's signature in a certificate is for: see [`cosigned_message`],
    /// with a timestamp of zero.
    #[must_use]
    pub fn message(&self, cosigner: &TrustAnchorId) -> Option<Vec<u8>> {
        cosigned_message(cosigner, 0, &self.log, &self.subtree, &self.root)
    }
}

/// The message that a cosigner signs: `CosignedMessage` (section 5.3.1).
///
/// The timestamp is zero in certificates. A checkpoint, which is a subtree from 0 on, may have the
/// time of signing in seconds since 1970.
///
/// Returns `None` if the name of the cosigner or of the log has more than 255 bytes, or if a
/// subtree from a later entry on has a timestamp.
#[must_use]
pub fn cosigned_message(
    cosigner: &TrustAnchorId,
    timestamp: u64,
    log: &LogId,
    subtree: &Subtree,
    root: &[u8; 32],
) -> Option<Vec<u8>> {
    if timestamp != 0 && subtree.start() != 0 {
        return None;
    }
    let mut message = b"subtree/v1\n\0".to_vec();
    let push_name = |message: &mut Vec<u8>, id: &TrustAnchorId| {
        let name = format!("oid/1.3.6.1.4.1.{id}");
        message.push(name.len().try_into().ok()?);
        message.extend_from_slice(name.as_bytes());
        Some(())
    };
    push_name(&mut message, cosigner)?;
    message.extend_from_slice(&timestamp.to_be_bytes());
    push_name(&mut message, &log.trust_anchor_id()?)?;
    message.extend_from_slice(&subtree.start().to_be_bytes());
    message.extend_from_slice(&subtree.end().to_be_bytes());
    message.extend_from_slice(root);
    Some(message)
}
