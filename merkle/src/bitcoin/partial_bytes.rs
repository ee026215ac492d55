//! The byte encoding of a partial Merkle tree: BIP 37.

use alloc::vec::Vec;

use super::PartialMerkleTree;

impl PartialMerkleTree {
    /// The bytes that follow the header in a `merkleblock` message:
    ///
    /// - the number of transactions, as 4 little-endian bytes;
    /// - the number of hashes as a `CompactSize`, and the hashes;
    /// - the number of flag bytes as a `CompactSize`, and the flag bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Neither number takes more than 9 bytes.
        let mut bytes = Vec::with_capacity(4 + 9 + 32 * self.hashes.len() + 9 + self.flags.len());
        bytes.extend(self.transactions.to_le_bytes());
        push_compact_size(&mut bytes, self.hashes.len() as u64);
        bytes.extend(self.hashes.as_flattened());
        push_compact_size(&mut bytes, self.flags.len() as u64);
        bytes.extend(&self.flags);
        bytes
    }
}

impl TryFrom<&[u8]> for PartialMerkleTree {
    type Error = PartialDecodeError;

    /// Decodes the output of [`to_bytes`](Self::to_bytes). This does not check that the proof is
    /// valid; [`verify`](Self::verify) does.
    fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
        let mut rest = bytes;
        let transactions = u32::from_le_bytes(*take_array(&mut rest)?);
        let count = compact_size(&mut rest)?;
        let hashes = take(&mut rest, count.saturating_mul(32))?.as_chunks().0.to_vec();
        let count = compact_size(&mut rest)?;
        let flags = take(&mut rest, count)?.to_vec();
        if !rest.is_empty() {
            return Err(PartialDecodeError::Surplus { bytes: rest.len() });
        }
        Ok(Self { transactions, hashes, flags })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for PartialMerkleTree {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serdect::slice::serialize_hex_lower_or_bin(&self.to_bytes(), serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for PartialMerkleTree {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = serdect::slice::deserialize_hex_or_bin_vec(deserializer)?;
        Self::try_from(bytes.as_slice()).map_err(serde::de::Error::custom)
    }
}

/// The error for bytes that do not encode a partial Merkle tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartialDecodeError {
    /// The bytes end too early.
    #[error("expected {needed} more bytes, but only {left} are left")]
    Truncated {
        /// The size of the next part in bytes.
        needed: u64,
        /// The number of bytes left.
        left: usize,
    },
    /// A `CompactSize` has more bytes than its value needs.
    #[error("the number {value} is encoded in more bytes than it needs")]
    NotMinimal {
        /// The value.
        value: u64,
    },
    /// Bytes follow the flags.
    #[error("{bytes} extra bytes follow the flags")]
    Surplus {
        /// The number of extra bytes.
        bytes: usize,
    },
}

fn push_compact_size(bytes: &mut Vec<u8>, value: u64) {
    match value {
        0..0xFD => bytes.push(value as u8),
        0xFD..=0xFFFF => {
            bytes.push(0xFD);
            bytes.extend((value as u16).to_le_bytes());
        }
        0x1_0000..=0xFFFF_FFFF => {
            bytes.push(0xFE);
            bytes.extend((value as u32).to_le_bytes());
        }
        _ => {
            bytes.push(0xFF);
            bytes.extend(value.to_le_bytes());
        }
    }
}

fn compact_size(rest: &mut &[u8]) -> Result<u64, PartialDecodeError> {
    let [first] = *take_array(rest)?;
    let (value, min) = match first {
        0..0xFD => return Ok(first.into()),
        0xFD => (u16::from_le_bytes(*take_array(rest)?).into(), 0xFD),
        0xFE => (u32::from_le_bytes(*take_array(rest)?).into(), 0x1_0000),
        0xFF => (u64::from_le_bytes(*take_array(rest)?), 0x1_0000_0000),
    };
    if value < min { Err(PartialDecodeError::NotMinimal { value }) } else { Ok(value) }
}

/// Splits off the first bytes.
fn take<'a>(rest: &mut &'a [u8], needed: u64) -> Result<&'a [u8], PartialDecodeError> {
    let truncated = PartialDecodeError::Truncated { needed, left: rest.len() };
    let needed = usize::try_from(needed).map_err(|_| truncated)?;
    let (taken, left) = rest.split_at_checked(needed).ok_or(truncated)?;
    *rest = left;
    Ok(taken)
}

/// Splits off the first `N` bytes.
fn take_array<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N], PartialDecodeError> {
    let truncated = PartialDecodeError::Truncated { needed: N as u64, left: rest.len() };
    let (taken, left) = rest.split_first_chunk().ok_or(truncated)?;
    *rest = left;
    Ok(taken)
}
