//! Certificates in DER, as far as their log entries need.

use alloc::vec::Vec;

use sha256_multi::Sha256Lanes;

use super::reader::{Reader, Result};
use super::{CertifiedSubtree, EntryExtensions, LogId, MtcProof, TrustAnchorId, split_serial};
use crate::hasher::NodeHasher;
use crate::proof::VerifyError;
use crate::rfc6962::Rfc6962;

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const RELATIVE_OID: u8 = 0x0d;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
/// `[0] EXPLICIT`.
const VERSION: u8 = 0xa0;

/// The contents of the `AlgorithmIdentifier` of an `MTCProof`: id-alg-mtcProof without parameters,
/// and the experimental identifier before it was allocated.
const PROOF_ALGORITHMS: [&[u8]; 2] = [
    b"\x06\x08\x2b\x06\x01\x05\x05\x07\x06\x43",
    b"\x06\x0a\x2b\x06\x01\x04\x01\x82\xda\x4b\x2f\x00",
];

/// The object identifiers of the attribute with a CA ID: id-rdna-trustAnchorID, and the
/// experimental one.
const ID_ATTRIBUTES: [&[u8]; 2] = [
    b"\x06\x08\x2b\x06\x01\x05\x05\x07\x19\x03",
    b"\x06\x0a\x2b\x06\x01\x04\x01\x82\xda\x4b\x2f\x03",
];

/// A Merkle Tree Certificate.
#[derive(Clone, Debug)]
pub struct MtcCertificate<'a> {
    tbs: TbsCertificate<'a>,
    log: LogId,
    index: u64,
    proof: MtcProof,
}

impl<'a> MtcCertificate<'a> {
    /// Reads a certificate in DER. Fields that are not needed for its log entry are not checked.
    ///
    /// # Errors
    ///
    /// Returns [`MtcDecodeError`](super::MtcDecodeError) for bytes that are not a certificate with
    /// an [`MtcProof`], a serial number below 2^48, and bytes after the end.
    pub fn from_der(der: &'a [u8]) -> Result<Self> {
        let mut all = Reader::new(der);
        let (mut certificate, _) = all.element(SEQUENCE, "a certificate")?;
        all.end()?;
        let tbs = TbsCertificate::read(&mut certificate)?;
        let other = certificate.error("the signature algorithm of the TBSCertificate");
        if read_algorithm(&mut certificate)? != tbs.algorithm {
            return Err(other);
        }
        let wrong = certificate.error("a bit string of whole bytes");
        let (mut signature, _) = certificate.element(BIT_STRING, wrong.expected)?;
        certificate.end()?;
        if signature.integer(1, wrong.expected)? != 0 {
            return Err(wrong);
        }
        let proof = MtcProof::read(signature)?;
        let (number, index) = split_serial(tbs.serial).ok_or(tbs.no_log)?;
        let log = LogId { ca: tbs.ca.clone(), number };
        Ok(Self { tbs, log, index, proof })
    }

    /// What the log has of the certificate.
    #[must_use]
    pub fn tbs(&self) -> &TbsCertificate<'a> {
        &self.tbs
    }

    /// The log that the certificate says to be in.
    #[must_use]
    pub fn log(&self) -> &LogId {
        &self.log
    }

    /// The index of the certificate's entry in the log.
    #[must_use]
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The proof.
    #[must_use]
    pub fn proof(&self) -> &MtcProof {
        &self.proof
    }

    /// The subtree that the certificate's entry is in, and its root according to the inclusion
    /// proof (steps 7 to 10 of section 7.2).
    ///
    /// **This shows nothing alone**: the root must be that of a trusted subtree, or signed by
    /// cosigners that are trusted.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the subtree does not have the certificate's index, or the proof
    /// has another length than its shape requires.
    pub fn certified_subtree(
        &self,
        hasher: &Rfc6962,
    ) -> core::result::Result<CertifiedSubtree, VerifyError> {
        let leaf = hasher.hash_leaf(&self.tbs.log_entry(self.proof.extensions()));
        let subtree = *self.proof.subtree();
        let root = subtree.evaluate(hasher, self.index, &leaf, self.proof.inclusion_proof())?;
        Ok(CertifiedSubtree { log: self.log.clone(), subtree, root })
    }
}

/// The signed part of a certificate: `TBSCertificate`.
#[derive(Clone, Debug)]
pub struct TbsCertificate<'a> {
    serial: u64,
    ca: TrustAnchorId,
    /// The contents of the identifier of the signature algorithm.
    algorithm: &'a [u8],
    /// The error for a serial number without a log.
    no_log: super::MtcDecodeError,
    version: &'a [u8],
    issuer_to_subject: [&'a [u8]; 3],
    key_algorithm: &'a [u8],
    key_info: &'a [u8],
    /// What follows the public key.
    rest: &'a [u8],
}

impl<'a> TbsCertificate<'a> {
    /// Reads a `TBSCertificate` in DER. Fields that are not needed for its log entry are not
    /// checked.
    ///
    /// # Errors
    ///
    /// Returns [`MtcDecodeError`](super::MtcDecodeError) for other bytes, another signature
    /// algorithm, an issuer that is not a CA ID, and bytes after the end.
    pub fn from_der(der: &'a [u8]) -> Result<Self> {
        let mut all = Reader::new(der);
        let tbs = Self::read(&mut all)?;
        all.end()?;
        Ok(tbs)
    }

    fn read(reader: &mut Reader<'a>) -> Result<Self> {
        let (mut tbs, _) = reader.element(SEQUENCE, "a TBSCertificate")?;
        let version = if tbs.is_next(VERSION) { tbs.element(VERSION, "a version")?.1 } else { &[] };
        let no_log = tbs.error("a serial number from 2^48 to 2^64 - 1");
        let serial = read_serial(&mut tbs)?;
        let algorithm = read_algorithm(&mut tbs)?;
        let ca = read_name(&mut tbs.clone())?;
        let names = ["an issuer", "a validity", "a subject"];
        let mut issuer_to_subject: [&[u8]; 3] = [&[]; 3];
        for (field, name) in issuer_to_subject.iter_mut().zip(names) {
            *field = tbs.element(SEQUENCE, name)?.1;
        }
        let (mut key, key_info) = tbs.element(SEQUENCE, "a SubjectPublicKeyInfo")?;
        let (_, key_algorithm) = key.element(SEQUENCE, "the algorithm of a public key")?;
        let rest = tbs.rest();
        Ok(Self {
            serial,
            ca,
            algorithm,
            no_log,
            version,
            issuer_to_subject,
            key_algorithm,
            key_info,
            rest,
        })
    }

    /// The serial number.
    #[must_use]
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// The certification authority.
    #[must_use]
    pub fn ca(&self) -> &TrustAnchorId {
        &self.ca
    }

    /// The log entry: `MTCLogEntry` with a `TBSCertificateLogEntry`, which has the hash of the
    /// public key instead of the key.
    #[must_use]
    pub fn log_entry(&self, extensions: &EntryExtensions) -> Vec<u8> {
        let key_hash = Sha256Lanes::default().hash(self.key_info);
        let [issuer, validity, subject] = self.issuer_to_subject;
        let parts: [&[u8]; 10] = [
            &extensions.to_bytes(),
            &[0, 1], // tbs_cert_entry
            self.version,
            issuer,
            validity,
            subject,
            self.key_algorithm,
            &[0x04, 32], // an OCTET STRING of 32 bytes
            &key_hash,
            self.rest,
        ];
        parts.concat()
    }
}

impl EntryExtensions {
    /// The bytes of a log entry that certifies nothing: `null_entry`.
    #[must_use]
    pub fn null_entry(&self) -> Vec<u8> {
        [&self.to_bytes()[..], &[0; 2]].concat()
    }
}

/// A number up to 2^64 - 1 that is not negative.
fn read_serial(reader: &mut Reader<'_>) -> Result<u64> {
    let wrong = reader.error("a serial number from 0 to 2^64 - 1");
    let (contents, _) = reader.element(INTEGER, wrong.expected)?;
    let bytes = match contents.rest() {
        [0, rest @ ..] if rest.first().is_none_or(|first| first & 0x80 != 0) => rest,
        [first, ..] if first & 0x80 == 0 && *first != 0 => contents.rest(),
        _ => return Err(wrong),
    };
    if bytes.len() > 8 {
        return Err(wrong);
    }
    Ok(bytes.iter().fold(0, |serial, &byte| serial << 8 | u64::from(byte)))
}

fn read_algorithm<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8]> {
    let wrong = reader.error("the signature algorithm id-alg-mtcProof");
    let (contents, _) = reader.element(SEQUENCE, wrong.expected)?;
    let algorithm = contents.rest();
    if PROOF_ALGORITHMS.contains(&algorithm) { Ok(algorithm) } else { Err(wrong) }
}

/// The CA ID in a `Name` of one attribute.
fn read_name(reader: &mut Reader<'_>) -> Result<TrustAnchorId> {
    let wrong = reader.error("an issuer with a trust anchor ID alone");
    let (names, _) = reader.element(SEQUENCE, wrong.expected)?;
    let attribute = alone(names.rest(), SET).and_then(|set| alone(set, SEQUENCE)).ok_or(wrong)?;
    let value = ID_ATTRIBUTES.iter().find_map(|oid| attribute.strip_prefix(*oid)).ok_or(wrong)?;
    let id = alone(value, RELATIVE_OID).ok_or(wrong)?;
    TrustAnchorId::from_bytes(id).map_err(|_| wrong)
}

/// The contents of an element without anything after it.
fn alone(bytes: &[u8], tag: u8) -> Option<&[u8]> {
    let mut reader = Reader::new(bytes);
    let (contents, _) = reader.element(tag, "an element").ok()?;
    reader.is_empty().then(|| contents.rest())
}
