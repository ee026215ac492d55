//! Trust anchor IDs: names of certification authorities, logs and cosigners.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// The maximum number of bytes.
const MAX_BYTES: usize = 255;

/// A trust anchor ID of draft-ietf-tls-trust-anchor-ids: an object identifier below the arc of
/// private enterprise numbers, 1.3.6.1.4.1. It is written without that arc.
///
/// ```
/// use merkle_lanes::rfc6962::mtc::TrustAnchorId;
///
/// let id: TrustAnchorId = "32473.1".parse()?;
/// assert_eq!(id.as_bytes(), [0x81, 0xfd, 0x59, 0x01]);
/// assert_eq!(TrustAnchorId::from_bytes(id.as_bytes())?.to_string(), "32473.1");
/// # Ok::<(), merkle_lanes::rfc6962::mtc::InvalidTrustAnchorIdError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrustAnchorId(Vec<u8>);

/// The error for what is not a trust anchor ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTrustAnchorIdError;

error_messages!(InvalidTrustAnchorIdError {
    Self => "not a trust anchor ID: one or more numbers with dots between, at most 255 bytes";
});

impl TrustAnchorId {
    /// Reads the binary representation: the contents of a `RELATIVE-OID` of DER.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidTrustAnchorIdError`] for no bytes or more than 255, for a number that has
    /// leading zeros, and for one without its end.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidTrustAnchorIdError> {
        let is_whole = bytes.last().is_some_and(|last| last & 0x80 == 0);
        let is_shortest = components(bytes).all(|component| component[0] != 0x80);
        if is_whole && is_shortest && bytes.len() <= MAX_BYTES {
            Ok(Self(bytes.to_vec()))
        } else {
            Err(InvalidTrustAnchorIdError)
        }
    }

    /// The binary representation.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// This ID with more numbers after it. `None` if it has more than 255 bytes.
    pub(super) fn join(&self, numbers: &[u64]) -> Option<Self> {
        let mut bytes = self.0.clone();
        for &number in numbers {
            push_number(&mut bytes, number.into());
        }
        (bytes.len() <= MAX_BYTES).then_some(Self(bytes))
    }
}

/// The bytes of each number.
fn components(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| byte & 0x80 == 0)
}

/// Appends a number in base 128.
fn push_number(bytes: &mut Vec<u8>, number: u128) {
    let digits = (u128::BITS - number.leading_zeros()).div_ceil(7).max(1);
    for digit in (0..digits).rev() {
        let continues = if digit > 0 { 0x80 } else { 0 };
        bytes.push((number >> (7 * digit)) as u8 & 0x7f | continues);
    }
}

/// Numbers up to 2^128 - 1, with dots between.
impl FromStr for TrustAnchorId {
    type Err = InvalidTrustAnchorIdError;

    fn from_str(text: &str) -> Result<Self, InvalidTrustAnchorIdError> {
        let mut bytes = Vec::new();
        for number in text.split('.') {
            let is_shortest = number == "0" || !number.starts_with(['0', '+']);
            let number = number.parse().map_err(|_| InvalidTrustAnchorIdError)?;
            push_number(&mut bytes, number);
            if !is_shortest || bytes.len() > MAX_BYTES {
                return Err(InvalidTrustAnchorIdError);
            }
        }
        Self::from_bytes(&bytes)
    }
}

impl fmt::Display for TrustAnchorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, component) in components(&self.0).enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            f.write_str(&decimal(component))?;
        }
        Ok(())
    }
}

/// The decimal digits of a number of any length.
fn decimal(component: &[u8]) -> String {
    // The least significant digit comes first.
    let mut digits = vec![0_u8];
    for byte in component {
        let mut carry = u32::from(byte & 0x7f);
        for digit in &mut digits {
            carry += u32::from(*digit) << 7;
            *digit = (carry % 10) as u8;
            carry /= 10;
        }
        while carry > 0 {
            digits.push((carry % 10) as u8);
            carry /= 10;
        }
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}
