//! A set of address hashes, which is asked about every private key of a search.

use std::fmt;
use std::io::{self, Read};

/// The bits of the filter for each hash: one in 32 of the other hashes passes it, or fewer.
const BITS_OF_EACH: usize = 32;

/// The least and the most bits by which the filter is indexed. The least is 8 KiB.
const INDEX_BITS: [u32; 2] = [16, 32];

/// The hashes of your addresses, whose private keys a [`KeyFinder`](super::KeyFinder) looks for.
///
/// It is exact. A hash takes 20 bytes in a sorted list, and 4 to 8 in a filter before it, which is
/// 8 KiB or more: 24 MB for a million hashes. The filter is at most 512 MB. A key of a range takes
/// 1.4 times as long with a million hashes as with one.
///
/// ```
/// use addr_recover::AddressHashes;
///
/// let hashes = AddressHashes::new([[7; 20], [5; 20], [7; 20]]);
/// assert_eq!(hashes.len(), 2);
/// assert!(hashes.contains(&[7; 20]) && !hashes.contains(&[6; 20]));
///
/// let file = [[5; 20], [7; 20]].concat();
/// assert_eq!(AddressHashes::read_sorted(&file[..])?, hashes);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AddressHashes {
    /// Ascending, each once.
    sorted: Vec<[u8; 20]>,
    /// A bit for each value of the first bits of a hash.
    filter: Vec<u64>,
    /// The number of first bits of a hash that the filter does not look at, of 32.
    shift: u32,
}

impl AddressHashes {
    /// These hashes, in any order. Equal ones count once.
    #[must_use]
    pub fn new(hashes: impl IntoIterator<Item = [u8; 20]>) -> Self {
        let mut sorted: Vec<[u8; 20]> = hashes.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self::of_sorted(sorted)
    }

    /// Reads hashes of 20 bytes each, without separators, in ascending order.
    ///
    /// # Errors
    ///
    /// Returns the reader's error, or one of [`io::ErrorKind::InvalidData`] that says where a hash
    /// is incomplete or not greater than the one before it.
    pub fn read_sorted(mut reader: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        let (hashes, rest) = bytes.as_chunks::<20>();
        let wrong = |what: String| Err(io::Error::new(io::ErrorKind::InvalidData, what));
        if !rest.is_empty() {
            let (at, len) = (20 * hashes.len(), rest.len());
            return wrong(format!("the hash at byte {at} has {len} of 20 bytes"));
        }
        if let Some(at) = hashes.windows(2).position(|pair| pair[0] >= pair[1]) {
            let at = 20 * (at + 1);
            return wrong(format!("the hash at byte {at} is not greater than the one before it"));
        }
        Ok(Self::of_sorted(hashes.to_vec()))
    }

    fn of_sorted(sorted: Vec<[u8; 20]>) -> Self {
        let [least, most] = INDEX_BITS;
        let bits = sorted.len().saturating_mul(BITS_OF_EACH).max(1);
        let bits = (usize::BITS - (bits - 1).leading_zeros()).clamp(least, most);
        let mut hashes = Self { sorted, filter: vec![0; 1 << (bits - 6)], shift: 32 - bits };
        for hash in &hashes.sorted {
            let bit = index(hash) >> hashes.shift;
            hashes.filter[bit as usize / 64] |= 1 << (bit % 64);
        }
        hashes
    }

    /// The number of different hashes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are no hashes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// Whether a hash is one of them.
    #[must_use]
    pub fn contains(&self, hash: &[u8; 20]) -> bool {
        let bit = index(hash) >> self.shift;
        self.filter[bit as usize / 64] >> (bit % 64) & 1 == 1
            && self.sorted.binary_search(hash).is_ok()
    }
}

/// The first 32 bits of a hash.
fn index(hash: &[u8; 20]) -> u32 {
    u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]])
}

/// The hash of one address.
impl From<&[u8; 20]> for AddressHashes {
    fn from(hash: &[u8; 20]) -> Self {
        Self::new([*hash])
    }
}

impl FromIterator<[u8; 20]> for AddressHashes {
    fn from_iter<I: IntoIterator<Item = [u8; 20]>>(hashes: I) -> Self {
        Self::new(hashes)
    }
}

/// Shows only the number of hashes.
impl fmt::Debug for AddressHashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressHashes").field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::AddressHashes;

    #[test]
    fn a_filter_has_32_to_64_bits_for_each_hash() {
        for len in [2_049_u32, 3_000, 4_095, 4_096, 4_097] {
            let hash = |number: u32| {
                let mut hash = [0; 20];
                hash[..4].copy_from_slice(&number.wrapping_mul(0x9E37_79B9).to_be_bytes());
                hash
            };
            let hashes = AddressHashes::new((0..len).map(hash));
            assert_eq!(hashes.len(), len as usize);
            let (bits, len) = (64 * hashes.filter.len(), hashes.len());
            assert!((32 * len..64 * len).contains(&bits), "{bits} bits for {len} hashes");
        }
    }
}
