//! Values that are packed into chunks.

use crate::ssz::Chunk;

/// A basic value of SSZ: an unsigned integer, a boolean, or a whole chunk such as a root.
pub trait Packed: Copy {
    /// The number of bytes: a power of two up to 32. Anything else does not compile in a list.
    const BYTES: usize;

    /// Writes the value to [`BYTES`](Self::BYTES) bytes.
    ///
    /// # Panics
    ///
    /// Panics if `bytes.len() != Self::BYTES`.
    fn encode(&self, bytes: &mut [u8]);

    /// Reads a value from the [`BYTES`](Self::BYTES) bytes that [`encode`](Self::encode) wrote.
    ///
    /// # Panics
    ///
    /// Panics if `bytes.len() != Self::BYTES`.
    fn decode(bytes: &[u8]) -> Self;
}

macro_rules! unsigned {
    ($($integer:ty),*) => {$(
        impl Packed for $integer {
            const BYTES: usize = size_of::<Self>();

            #[inline]
            fn encode(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn decode(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("a value has BYTES bytes"))
            }
        }
    )*};
}
unsigned!(u8, u16, u32, u64, u128);

impl Packed for bool {
    const BYTES: usize = 1;

    #[inline]
    fn encode(&self, bytes: &mut [u8]) {
        u8::from(*self).encode(bytes);
    }

    #[inline]
    fn decode(bytes: &[u8]) -> Self {
        u8::decode(bytes) != 0
    }
}

impl Packed for Chunk {
    const BYTES: usize = 32;

    #[inline]
    fn encode(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(self);
    }

    #[inline]
    fn decode(bytes: &[u8]) -> Self {
        bytes.try_into().expect("a value has BYTES bytes")
    }
}
