//! The coins that choose which positions are revealed.

use shake::{ExtendableOutput, Shake256, Shake256Reader, Update, XofReader};

use super::{StateProof, Verifier};

/// The domain of the seed, and the version of its encoding.
const DOMAIN: &[u8] = b"spc\0";

/// Uniform numbers less than the signed weight, which is not zero, from Shake256 of everything that
/// the prover could choose.
pub(super) struct Coins {
    reader: Shake256Reader,
    signed_weight: u64,
}

impl Coins {
    pub(super) fn new(verifier: &Verifier, message: &[u8; 32], proof: &StateProof) -> Self {
        let mut seed = Shake256::default();
        seed.update(DOMAIN);
        seed.update(&verifier.participants_root);
        seed.update(&verifier.ln_proven_weight.to_le_bytes());
        seed.update(&proof.signatures_root);
        seed.update(&proof.signed_weight.to_le_bytes());
        seed.update(message);
        Self { reader: seed.finalize_xof(), signed_weight: proof.signed_weight }
    }

    pub(super) fn next(&mut self) -> u64 {
        // Numbers in the last, incomplete range of that many would make low coins more likely.
        let complete = (1 << 64) / u128::from(self.signed_weight) * u128::from(self.signed_weight);
        loop {
            let mut bytes = [0; 8];
            self.reader.read(&mut bytes);
            let number = u64::from_le_bytes(bytes);
            if u128::from(number) < complete {
                return number % self.signed_weight;
            }
        }
    }
}
