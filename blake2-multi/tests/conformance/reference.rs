//! BLAKE2 from any state and any number of bytes, one block at a time, as RFC 7693 §3.1 to §3.3
//! says. The crates of others begin every message anew.

/// Defines a module for the functions of a word.
macro_rules! reference {
    ($word:ident, $Hash:ident, $rounds:literal, $rotations:expr) => {
        pub(crate) mod $word {
            use blake2_multi::engine::{Blake2, $Hash};

            const WORD: usize = size_of::<$word>();
            const BLOCK: usize = 16 * WORD;

            /// The digest of a message that goes on with these bytes.
            pub(crate) fn resumed(state: &[u8], before: u64, message: &[u8]) -> [u8; 8 * WORD] {
                let mut h = words::<8>(state);
                let blocks = message.len().div_ceil(BLOCK).max(1);
                for i in 0..blocks {
                    let bytes = &message[i * BLOCK..message.len().min((i + 1) * BLOCK)];
                    let mut block = bytes.to_vec();
                    block.resize(BLOCK, 0);
                    let counter = u128::from(before) + (i * BLOCK + bytes.len()) as u128;
                    compress(&mut h, words(&block), counter, i + 1 == blocks);
                }
                let bytes: Vec<u8> = h.iter().flat_map(|word| word.to_le_bytes()).collect();
                bytes.try_into().unwrap()
            }

            fn words<const N: usize>(bytes: &[u8]) -> [$word; N] {
                let word = |i| $word::from_le_bytes(bytes[i * WORD..][..WORD].try_into().unwrap());
                std::array::from_fn(word)
            }

            fn compress(h: &mut [$word; 8], m: [$word; 16], t: u128, is_last: bool) {
                let iv = <$Hash as Blake2>::IV;
                let mut v: Vec<$word> = h.iter().chain(&iv).copied().collect();
                v[12] ^= t as $word;
                v[13] ^= (t >> $word::BITS) as $word;
                if is_last {
                    v[14] = !v[14];
                }
                let mut schedule: Vec<[usize; 16]> = Vec::new();
                for row in crate::reference::SCHEDULE {
                    let digits = row.bytes().map(|digit| (digit as char).to_digit(16).unwrap());
                    let row: Vec<usize> = digits.map(|digit| digit as usize).collect();
                    schedule.push(row.try_into().unwrap());
                }
                for round in 0..$rounds {
                    let s = schedule[round % 10];
                    for i in 0..8 {
                        let diagonal = i / 4;
                        let place = |row: usize| 4 * row + (i + diagonal * row) % 4;
                        let [a, b, c, d] = [0, 1, 2, 3].map(place);
                        let r: [u32; 4] = $rotations;
                        for half in 0..2 {
                            let word = m[s[2 * i + half]];
                            v[a] = v[a].wrapping_add(v[b]).wrapping_add(word);
                            v[d] = (v[d] ^ v[a]).rotate_right(r[2 * half]);
                            v[c] = v[c].wrapping_add(v[d]);
                            v[b] = (v[b] ^ v[c]).rotate_right(r[2 * half + 1]);
                        }
                    }
                }
                for i in 0..8 {
                    h[i] ^= v[i] ^ v[i + 8];
                }
            }
        }
    };
}

/// SIGMA of §2.7, a hexadecimal digit an index.
const SCHEDULE: [&str; 10] = [
    "0123456789abcdef",
    "ea489fd61c02b753",
    "b8c052fdae367194",
    "7931dcbe265a40f8",
    "905724afe1bc683d",
    "2c6a0b834d75fe19",
    "c51fed4a0763928b",
    "db7ec13950f4862a",
    "6fe9b308c2d714a5",
    "a2847615fb9e3cd0",
];

reference!(u32, Blake2s256, 10, [16, 12, 8, 7]);
reference!(u64, Blake2b512, 12, [32, 24, 16, 63]);
