//! Keys and signatures in PKCS#8, SPKI and X.509 (RFC 9909), by the object identifiers of FIPS 205.

use alloc::vec::Vec;

use ::pkcs8::der::asn1::{BitString, BitStringRef, OctetStringRef};
use ::pkcs8::der::{self, AnyRef, Document, SecretDocument};
use ::pkcs8::spki::{
    self, AlgorithmIdentifier, AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier,
    EncodePublicKey, ObjectIdentifier, SignatureAlgorithmIdentifier, SignatureBitStringEncoding,
    SubjectPublicKeyInfo, SubjectPublicKeyInfoRef,
};
use ::pkcs8::{EncodePrivateKey, KeyError, PrivateKeyInfoRef};

use crate::encoding::Signature;
use crate::keys::{SigningKey, VerifyingKey};
use crate::parameters::FipsSet;

/// The identifier of a set, which has no parameters.
const fn identifier<P: FipsSet>() -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifier { oid: oid::<P>(), parameters: None }
}

/// The arc `sigAlgs` of NIST, in which FIPS 205 has numbers from 20 on.
const fn oid<P: FipsSet>() -> ObjectIdentifier {
    match ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3").push_arc(P::OID_ARC) {
        Ok(oid) => oid,
        Err(_) => panic!("the identifier is short"),
    }
}

impl<P: FipsSet> AssociatedAlgorithmIdentifier for Signature<P> {
    type Params = AnyRef<'static>;

    const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = identifier::<P>();
}

impl<P: FipsSet> AssociatedAlgorithmIdentifier for VerifyingKey<P> {
    type Params = AnyRef<'static>;

    const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = identifier::<P>();
}

impl<P: FipsSet> SignatureAlgorithmIdentifier for SigningKey<P> {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = identifier::<P>();
}

impl<P: FipsSet> SignatureAlgorithmIdentifier for VerifyingKey<P> {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = identifier::<P>();
}

impl<P: FipsSet> SignatureBitStringEncoding for Signature<P> {
    fn to_bitstring(&self) -> der::Result<BitString> {
        BitString::new(0, self.bytes().to_vec())
    }
}

/// The root is computed again, as by [`SigningKey::from_bytes`].
impl<P: FipsSet> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<P> {
    type Error = ::pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> ::pkcs8::Result<Self> {
        info.algorithm.assert_algorithm_oid(oid::<P>())?;
        if info.algorithm.parameters.is_some() {
            return Err(KeyError::Invalid.into());
        }
        Self::from_bytes(info.private_key.as_bytes()).map_err(|_| KeyError::Invalid.into())
    }
}

impl<P: FipsSet> EncodePrivateKey for SigningKey<P> {
    fn to_pkcs8_der(&self) -> ::pkcs8::Result<SecretDocument> {
        let key = self.to_bytes();
        let info = PrivateKeyInfoRef::new(identifier::<P>(), OctetStringRef::new(&key[..])?);
        Ok(SecretDocument::encode_msg(&info)?)
    }
}

impl<P: FipsSet> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<P> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        info.algorithm.assert_algorithm_oid(oid::<P>())?;
        let bytes = info.subject_public_key.as_bytes().ok_or(spki::Error::KeyMalformed)?;
        if info.algorithm.parameters.is_some() {
            return Err(spki::Error::KeyMalformed);
        }
        Self::from_bytes(bytes).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl<P: FipsSet> EncodePublicKey for VerifyingKey<P> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let key: Vec<u8> = self.to_bytes().to_vec();
        let subject_public_key = BitStringRef::new(0, &key)?;
        Document::encode_msg(&SubjectPublicKeyInfo {
            algorithm: identifier::<P>(),
            subject_public_key,
        })
        .map_err(Into::into)
    }
}
