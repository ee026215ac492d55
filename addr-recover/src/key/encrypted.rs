//! Encrypted keys (BIP 38): what an address tells about one.

use std::mem::take;

use super::{KeyFormat, KeyKind};
use crate::number::Wide;
use crate::search_space::SearchSpace;

impl SearchSpace<KeyKind> {
    /// Keeps only the encrypted keys (BIP 38) that have these first four bytes of the double
    /// SHA-256 of their address. Keys of other formats all stay.
    ///
    /// The bytes are readable in the first twelve characters of the text. What the damage leaves of
    /// them is no evidence, so the [estimate](Self::estimate) counts only candidates that have
    /// them.
    ///
    /// ```
    /// use addr_recover::{Damage, KeyKind, Pattern, Search, SearchSpace};
    /// use sha2::{Digest, Sha256};
    ///
    /// // From BIP 38.
    /// let key = "6PfQu77ygVyJLZjfvMLyhLMQbYnu5uguoJJ4kMCLqWwPEdfpwANVS76gTX";
    /// let hash = Sha256::digest(Sha256::digest("1PE6TQi6HTVNz5DLwB1LcpMBALubfuN2z2"));
    /// let of = |text: &str| {
    ///     let pattern = Pattern::key(text, Damage::default())?;
    ///     let space = SearchSpace::new(&pattern, &KeyKind::matching("bip38"))?;
    ///     let checksum = [0, 1, 2, 3].map(|at| hash[at]);
    ///     Ok::<_, addr_recover::ParseError>(space.of_address_hash(checksum))
    /// };
    /// // Only one text in 2^32 has the bytes, and one in 2^32 of these the checksum.
    /// let begin_is_lost = of(&format!("6P????????{}", &key[10..]))?;
    /// assert!(begin_is_lost.estimate().expected_by_chance < 1e-4);
    /// assert_eq!(Search::new(&begin_is_lost).run().unwrap().hits[0].text.as_str(), key);
    /// // All texts have them.
    /// let end_is_lost = of(&format!("{}??????", &key[..52]))?;
    /// assert!(end_is_lost.estimate().expected_by_chance > 8.0);
    /// # Ok::<(), addr_recover::ParseError>(())
    /// ```
    #[must_use]
    pub fn of_address_hash(mut self, hash: [u8; 4]) -> Self {
        for part in take(&mut self.parts) {
            let KeyKind { format, prefix, marker, .. } = part.format;
            let (KeyFormat::Encrypted, Some(marker)) = (format, marker) else {
                self.parts.push(part);
                continue;
            };
            for &flags in marker.values {
                let begin = [prefix, &[flags], &hash].concat();
                let bounds = Wide::with_prefix(&begin, part.format.bytes());
                let clipped = self.clipped(&part, bounds);
                self.parts.extend(clipped);
            }
        }
        self
    }
}
