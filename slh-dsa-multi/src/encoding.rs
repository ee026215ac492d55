//! The bytes of a signature.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use signature::{Error, SignatureEncoding};

use crate::parameters::ParameterSet;

/// A signature: the randomizer, the signature of FORS and those of the layers (FIPS 205 figure 17).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Signature<P: ParameterSet> {
    bytes: Box<[u8]>,
    set: PhantomData<P>,
}

impl<P: ParameterSet> Signature<P> {
    /// As many bytes as a signature has.
    pub(crate) fn of_bytes(bytes: Vec<u8>) -> Self {
        debug_assert_eq!(bytes.len(), P::PARAMETERS.signature_len());
        Self { bytes: bytes.into(), set: PhantomData }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<P: ParameterSet> AsRef<[u8]> for Signature<P> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Only the length is checked: whether a signature is valid is for its key to say.
impl<P: ParameterSet> TryFrom<&[u8]> for Signature<P> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() == P::PARAMETERS.signature_len() {
            Ok(Self::of_bytes(bytes.to_vec()))
        } else {
            Err(Error::new())
        }
    }
}

impl<P: ParameterSet> From<Signature<P>> for Box<[u8]> {
    fn from(signature: Signature<P>) -> Self {
        signature.bytes
    }
}

impl<P: ParameterSet> SignatureEncoding for Signature<P> {
    type Repr = Box<[u8]>;
}

impl<P: ParameterSet> fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({}, {} bytes)", P::PARAMETERS.name, self.bytes.len())
    }
}
