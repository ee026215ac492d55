//! The words that hashes are made of, of 32 or 64 bits, and their bytes.

use core::fmt::Debug;
use core::ops::BitXor;

use crate::erase::Blank;

/// The maximum of [`Lanes::COUNT`](crate::engine::Lanes::COUNT). Arrays with one entry per lane
/// have this length, and a kernel of fewer lanes uses the first ones.
pub const MAX_LANES: usize = 32;

/// The number of words in a block of a Merkle–Damgård hash.
pub const BLOCK_WORDS: usize = 16;

/// The number of words in a row: half a block, which is what lanes load and store at once.
pub const ROW_WORDS: usize = 8;

/// The bytes of eight words, such as the state of a message. For a message that has ended they
/// begin with its digest.
pub type Row<W = u32> = <W as Word>::Row;

/// One block of one message: sixteen words.
pub type Block<W = u32> = <W as Word>::Block;

/// The bytes of a 32-bit block.
pub const BLOCK_BYTES: usize = size_of::<Block>();

/// The order of the bytes of a word in a message and in a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// Most significant byte first: SHA-1 and SHA-2 (FIPS 180-4 §3.1).
    Big,
    /// Least significant byte first: RIPEMD-160 and Keccak.
    Little,
}

impl ByteOrder {
    /// The byte order of this CPU.
    pub const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };

    /// Whether it differs from the byte order of this CPU.
    #[inline(always)]
    pub(crate) const fn is_foreign(self) -> bool {
        !matches!((self, Self::NATIVE), (Self::Big, Self::Big) | (Self::Little, Self::Little))
    }
}

/// An array whose length is known only to its type: a trait cannot use its own constants as the
/// lengths of arrays.
pub trait Array<T: Copy>: Copy {
    /// The length.
    const LEN: usize;

    /// An array of this value.
    fn filled(value: T) -> Self;

    /// The elements.
    fn elements(&self) -> &[T];

    /// The elements.
    fn elements_mut(&mut self) -> &mut [T];
}

impl<T: Copy, const N: usize> Array<T> for [T; N] {
    const LEN: usize = N;

    #[inline(always)]
    fn filled(value: T) -> Self {
        [value; N]
    }

    #[inline(always)]
    fn elements(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

/// Arrays of bytes that are passed between threads and shown in messages.
pub trait Bytes:
    Array<u8> + Blank + AsRef<[u8]> + AsMut<[u8]> + Debug + Eq + Send + Sync + 'static
{
}

impl<const N: usize> Bytes for [u8; N] {}

/// A word: `u32` or `u64`.
pub trait Word:
    Copy + Debug + Default + Ord + BitXor<Output = Self> + Send + Sync + 'static
{
    /// The number of bytes: 4 or 8.
    const BYTES: usize;

    /// The number of bits: 32 or 64.
    const BITS: u32 = 8 * Self::BYTES as u32;

    /// The bytes of eight words.
    type Row: Bytes;

    /// The bytes of sixteen words.
    type Block: Bytes;

    /// One element for each message of the widest pass.
    type PerLane<T: Copy>: Array<T>;

    /// The blocks at the beginning of `bytes`, and the bytes that do not fill one.
    fn blocks_of(bytes: &[u8]) -> (&[Self::Block], &[u8]);

    /// A row of zeros.
    fn zero_row() -> &'static Self::Row;

    /// A block of zeros.
    fn zero_block() -> &'static Self::Block;

    /// The first row of `bytes`, unless they are shorter.
    fn first_row(bytes: &[u8]) -> Option<&Self::Row>;

    /// The last row of `bytes`, unless they are shorter.
    fn last_row(bytes: &[u8]) -> Option<&Self::Row>;

    /// The two rows of a block.
    fn rows_of(block: &Self::Block) -> &[Self::Row; 2];

    /// The two rows of a block.
    fn rows_of_mut(block: &mut Self::Block) -> &mut [Self::Row; 2];

    /// The bytes of some rows.
    fn bytes_of(rows: &[Self::Row]) -> &[u8];

    /// The words in the bytes of a row.
    fn words_of(row: &Self::Row, order: ByteOrder) -> [Self; ROW_WORDS];

    /// The bytes of the words of a row.
    fn row_of(words: [Self; ROW_WORDS], order: ByteOrder) -> Self::Row;

    /// The word that holds the one bit after `rest` bytes.
    fn one_bit(order: ByteOrder, rest: usize) -> Self;

    /// The two words of the length field of a message of `bytes` bytes, in bits. 32-bit
    /// words hold the length modulo 2^64.
    fn length_words(order: ByteOrder, bytes: u64) -> [Self; 2];

    /// The words of the last block of a message of `message_bits / 8` bytes; see
    /// [`padding_words`].
    fn padding_words(order: ByteOrder, message_bits: u64) -> [Self; BLOCK_WORDS];

    /// A word of ones.
    const ONES: Self;

    /// The word as an integer.
    fn to_u64(self) -> u64;

    /// A number of bytes, the low word first.
    fn counter_words(bytes: u64) -> [Self; 2];

    /// Writes the length field of a message of `bytes` bytes to the end of its last block.
    fn write_length(block: &mut Self::Block, order: ByteOrder, bytes: u64);
}

/// Implements [`Word`] for an integer, whose messages have `$Length` bits.
macro_rules! word {
    ($Word:ident: $Length:ty, $lanes:expr, $padding_words:ident) => {
        /// The words of the last block of a message of `message_bits / 8` bytes: zeros in place of
        /// the message, the one bit if it is in this block, and the length.
        #[must_use]
        pub const fn $padding_words(order: ByteOrder, message_bits: u64) -> [$Word; BLOCK_WORDS] {
            let mut words = [0; BLOCK_WORDS];
            let rest = (message_bits / 8) as usize % (BLOCK_WORDS * size_of::<$Word>());
            if rest < (BLOCK_WORDS - 2) * size_of::<$Word>() {
                let mut bytes = [0; size_of::<$Word>()];
                bytes[rest % size_of::<$Word>()] = 0x80;
                words[rest / size_of::<$Word>()] = match order {
                    ByteOrder::Big => <$Word>::from_be_bytes(bytes),
                    ByteOrder::Little => <$Word>::from_le_bytes(bytes),
                };
            }
            let bits = message_bits as $Length;
            let (high, low) = ((bits >> $Word::BITS) as $Word, bits as $Word);
            (words[BLOCK_WORDS - 2], words[BLOCK_WORDS - 1]) = match order {
                ByteOrder::Big => (high, low),
                ByteOrder::Little => (low, high),
            };
            words
        }

        impl Word for $Word {
            const BYTES: usize = size_of::<$Word>();

            type Row = [u8; size_of::<$Word>() * ROW_WORDS];

            type Block = [u8; size_of::<$Word>() * BLOCK_WORDS];

            type PerLane<T: Copy> = [T; $lanes];

            #[inline(always)]
            fn blocks_of(bytes: &[u8]) -> (&[Self::Block], &[u8]) {
                bytes.as_chunks()
            }

            #[inline(always)]
            fn zero_row() -> &'static Self::Row {
                &[0; size_of::<Row<$Word>>()]
            }

            #[inline(always)]
            fn zero_block() -> &'static Self::Block {
                &[0; size_of::<Block<$Word>>()]
            }

            #[inline(always)]
            fn first_row(bytes: &[u8]) -> Option<&Self::Row> {
                bytes.first_chunk()
            }

            #[inline(always)]
            fn last_row(bytes: &[u8]) -> Option<&Self::Row> {
                bytes.last_chunk()
            }

            #[inline(always)]
            fn rows_of(block: &Self::Block) -> &[Self::Row; 2] {
                let [rows] = block.as_chunks().0.as_chunks().0 else { unreachable!() };
                rows
            }

            #[inline(always)]
            fn rows_of_mut(block: &mut Self::Block) -> &mut [Self::Row; 2] {
                let [rows] = block.as_chunks_mut().0.as_chunks_mut().0 else { unreachable!() };
                rows
            }

            #[inline(always)]
            fn bytes_of(rows: &[Self::Row]) -> &[u8] {
                rows.as_flattened()
            }

            #[inline(always)]
            fn words_of(row: &Self::Row, order: ByteOrder) -> [Self; ROW_WORDS] {
                let (bytes, _) = row.as_chunks();
                let mut words = [0; ROW_WORDS];
                for i in 0..ROW_WORDS {
                    words[i] = match order {
                        ByteOrder::Big => Self::from_be_bytes(bytes[i]),
                        ByteOrder::Little => Self::from_le_bytes(bytes[i]),
                    };
                }
                words
            }

            #[inline(always)]
            fn row_of(words: [Self; ROW_WORDS], order: ByteOrder) -> Self::Row {
                let mut row = [0; size_of::<$Word>() * ROW_WORDS];
                let (bytes, _) = row.as_chunks_mut();
                for i in 0..ROW_WORDS {
                    bytes[i] = match order {
                        ByteOrder::Big => words[i].to_be_bytes(),
                        ByteOrder::Little => words[i].to_le_bytes(),
                    };
                }
                row
            }

            #[inline(always)]
            fn one_bit(order: ByteOrder, rest: usize) -> Self {
                let shift = 8 * (rest % Self::BYTES);
                match order {
                    ByteOrder::Big => 1 << (Self::BITS - 1) >> shift,
                    ByteOrder::Little => 0x80 << shift,
                }
            }

            #[inline(always)]
            fn padding_words(order: ByteOrder, message_bits: u64) -> [Self; BLOCK_WORDS] {
                $padding_words(order, message_bits)
            }

            #[inline(always)]
            fn length_words(order: ByteOrder, bytes: u64) -> [Self; 2] {
                let bits = (bytes as $Length) << 3;
                let (high, low) = ((bits >> Self::BITS) as Self, bits as Self);
                match order {
                    ByteOrder::Big => [high, low],
                    ByteOrder::Little => [low, high],
                }
            }

            const ONES: Self = Self::MAX;

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn counter_words(bytes: u64) -> [Self; 2] {
                let bytes = bytes as $Length;
                [bytes as Self, (bytes >> Self::BITS) as Self]
            }

            #[inline(always)]
            fn write_length(block: &mut Self::Block, order: ByteOrder, bytes: u64) {
                let bits = (bytes as $Length) << 3;
                let at = block.len() - size_of::<$Length>();
                block[at..].copy_from_slice(&match order {
                    ByteOrder::Big => bits.to_be_bytes(),
                    ByteOrder::Little => bits.to_le_bytes(),
                });
            }
        }
    };
}

word!(u32: u64, MAX_LANES, padding_words);
word!(u64: u128, MAX_LANES / 2, padding_words_of_u64);

/// Defines [`row_of_words`] for a word.
macro_rules! row_of_words {
    ($(#[$doc:meta] $name:ident: $word:ident;)+) => {$(
        #[$doc]
        #[must_use]
        pub const fn $name(order: ByteOrder, words: [$word; ROW_WORDS]) -> Row<$word> {
            let mut row = [[0; $word::BYTES]; ROW_WORDS];
            let mut i = 0;
            while i < ROW_WORDS {
                row[i] = match order {
                    ByteOrder::Big => words[i].to_be_bytes(),
                    ByteOrder::Little => words[i].to_le_bytes(),
                };
                i += 1;
            }
            match row.as_flattened().as_chunks() {
                (&[row], _) => row,
                _ => unreachable!(),
            }
        }
    )+};
}

row_of_words! {
    /// The bytes of the eight 32-bit words of a row, at compile time.
    row_of_words: u32;
    /// The bytes of the eight 64-bit words of a row, at compile time.
    row_of_words_of_u64: u64;
}
