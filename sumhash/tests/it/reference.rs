//! A bit-by-bit implementation of sumhash512, straight from the definition.

/// The first `length` bytes of Shake256 output for `seed`.
pub(crate) fn shake256(seed: &[u8], length: usize) -> Vec<u8> {
    use shake::{ExtendableOutput, Shake256, Update, XofReader};

    let mut shake = Shake256::default();
    shake.update(seed);
    let mut bytes = vec![0; length];
    shake.finalize_xof().read(&mut bytes);
    bytes
}

/// The matrix.
pub(crate) struct Reference {
    rows: Vec<Vec<u64>>,
}

impl Reference {
    pub(crate) fn new() -> Self {
        let (n, m) = (8, 1024);
        let sizes = [64, n as u16, m as u16].map(u16::to_le_bytes).concat();
        let bytes = shake256(&[&sizes, &b"Algorand"[..]].concat(), 8 * n * m);
        let words: Vec<u64> =
            bytes.chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
        Self { rows: words.chunks(m).map(<[u64]>::to_vec).collect() }
    }

    pub(crate) fn row(&self, i: usize) -> &[u64] {
        &self.rows[i]
    }

    /// The sum of the columns at which the state followed by the block has one bits.
    pub(crate) fn compress(&self, state: &[u8; 64], block: &[u8; 64]) -> [u8; 64] {
        let input = [*state, *block].concat();
        let mut output = Vec::new();
        for row in &self.rows {
            let mut sum = 0_u64;
            for (j, word) in row.iter().enumerate() {
                if input[j / 8] >> (j % 8) & 1 == 1 {
                    sum = sum.wrapping_add(*word);
                }
            }
            output.extend(sum.to_le_bytes());
        }
        output.try_into().unwrap()
    }

    pub(crate) fn digest(&self, message: &[u8]) -> [u8; 64] {
        let mut padded = message.to_vec();
        padded.push(1);
        while padded.len() % 64 != 48 {
            padded.push(0);
        }
        padded.extend((8 * message.len() as u128).to_le_bytes());
        let (blocks, _) = padded.as_chunks();
        blocks.iter().fold([0; 64], |state, block| self.compress(&state, block))
    }
}
