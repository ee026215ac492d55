//! A bit-by-bit implementation of the construction, straight from the definition.

/// The first `length` bytes of Shake256 output for `seed`.
pub(crate) fn shake256(seed: &[u8], length: usize) -> Vec<u8> {
    use shake::{ExtendableOutput, Shake256, Update, XofReader};

    let mut shake = Shake256::default();
    shake.update(seed);
    let mut bytes = vec![0; length];
    shake.finalize_xof().read(&mut bytes);
    bytes
}

/// The matrix of a hash.
pub(crate) struct Reference {
    rows: Vec<Vec<u64>>,
}

impl Reference {
    /// That of sumhash512.
    pub(crate) fn new() -> Self {
        Self::sized(8, 1024, b"Algorand")
    }

    pub(crate) fn sized(n: usize, m: usize, seed: &[u8]) -> Self {
        let sizes = [64, n as u16, m as u16].map(u16::to_le_bytes).concat();
        let bytes = shake256(&[&sizes, seed].concat(), 8 * n * m);
        let words: Vec<u64> =
            bytes.chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
        Self { rows: words.chunks(m).map(<[u64]>::to_vec).collect() }
    }

    pub(crate) fn row(&self, i: usize) -> &[u64] {
        &self.rows[i]
    }

    /// The sum of the columns at which the input has one bits.
    pub(crate) fn compress(&self, input: &[u8]) -> Vec<u8> {
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
        output
    }

    /// sumhash512 of a message.
    pub(crate) fn digest(&self, message: &[u8]) -> [u8; 64] {
        self.digest_salted(message, None).try_into().unwrap()
    }

    pub(crate) fn digest_salted(&self, message: &[u8], salt: Option<&[u8]>) -> Vec<u8> {
        let block_len = self.rows[0].len() / 8 - 8 * self.rows.len();
        let zeros = vec![0; salt.map_or(0, <[u8]>::len)];
        let mut padded = [&zeros, message].concat();
        let bits = 8 * padded.len() as u128;
        padded.push(1);
        while !(padded.len() + 16).is_multiple_of(block_len) {
            padded.push(0);
        }
        padded.extend(bits.to_le_bytes());
        let mut state = vec![0; 8 * self.rows.len()];
        for block in padded.chunks(block_len) {
            let salted =
                block.iter().enumerate().map(|(i, byte)| byte ^ salt.map_or(0, |salt| salt[i]));
            state = self.compress(&state.iter().copied().chain(salted).collect::<Vec<u8>>());
        }
        state
    }
}
