//! The private keys of candidates in the wallet import format, for a search by address.
//!
//! The last characters hold little more than the checksum: the 58^11 texts that end in eleven
//! unreadable characters have 23 million private keys in a row.

use zeroize::Zeroizing;

use super::{KeyFormat, KeyKind};
use crate::alphabet::{Alphabet, checksum};
use crate::dfa::{Dfa, Node};
use crate::format::Hit;
use crate::number::{Natural, Wide};
use crate::search_space::{Part, SearchSpace};

/// Private keys in a row: the first and the last one.
pub type SecretRange = [[u8; 32]; 2];

/// The maximum number of nodes to look at, and so of ranges: 64 MiB.
const MAX_NODES: usize = 1 << 20;

/// The number of ranges for which there is room at first.
const MIN_CAPACITY: usize = 64;

/// The position of the private key after the version.
const SECRET: std::ops::Range<usize> = 1..33;

impl SearchSpace<KeyKind> {
    /// The private keys of all candidates in the wallet import format, some perhaps twice. `None`
    /// if there are other candidates, or too many ranges.
    ///
    /// If the last characters are unreadable, these are far fewer than the
    /// [hashes](crate::Estimate::hashes) of a search for right checksums. The address tells which
    /// is the right one.
    #[must_use]
    pub fn secrets(&self) -> Option<Zeroizing<Vec<SecretRange>>> {
        let (mut ranges, mut nodes_left) = (Zeroizing::new(Vec::new()), MAX_NODES);
        for part in &self.parts {
            if part.format.format != KeyFormat::Wif {
                return None;
            }
            append(part, self.dfa(part), part.root, &mut nodes_left, &mut ranges)?;
        }
        Some(ranges)
    }

    /// The candidates in the wallet import format that have this private key.
    #[must_use]
    pub fn keys_of(&self, secret: &[u8; 32]) -> Vec<Hit<KeyKind>> {
        let mut hits: Vec<Hit<KeyKind>> = Vec::new();
        for part in self.parts.iter().filter(|part| part.format.format == KeyFormat::Wif) {
            let KeyKind { prefix, marker, .. } = part.format;
            let marker = marker.map_or(&[][..], |marker| marker.values);
            let message = Zeroizing::new([prefix, secret, marker].concat());
            let bytes = Zeroizing::new([&message[..], &checksum(&message)].concat());
            let hit = Hit::of(&Alphabet::Bitcoin.encode(&bytes));
            hits.extend(hit.filter(|hit| self.allows(&hit.text) && !hits.contains(hit)));
        }
        hits
    }
}

/// Appends the private keys of the candidates of a node.
fn append(
    part: &Part<KeyKind>,
    dfa: &Dfa<Wide>,
    node: Node<Wide>,
    nodes_left: &mut usize,
    ranges: &mut Zeroizing<Vec<SecretRange>>,
) -> Option<()> {
    *nodes_left = nodes_left.checked_sub(1)?;
    let numbers = dfa.numbers(node);
    // Every digit may be in every place.
    let is_free = numbers.count == Wide::product(1, node.places);
    if node.places > 0 && !is_free {
        let mut longer = dfa.longer(node);
        return longer.try_for_each(|longer| append(part, dfa, longer, nodes_left, ranges));
    }
    let secret = |number: &Wide| {
        let mut message = Zeroizing::new(Vec::with_capacity(part.format.message_bytes));
        number.append_message(part.format.message_bytes, &mut message);
        std::array::from_fn(|at| message[SECRET.start + at])
    };
    let [first, last] = [&node.base, &numbers.last].map(secret);
    match ranges.last_mut() {
        // Texts with the same private key come one after another.
        Some([_, end]) if *end >= first => *end = last.max(*end),
        _ => {
            if ranges.len() == ranges.capacity() {
                // A list that grows by itself leaves copies behind.
                let mut longer = Vec::with_capacity(MIN_CAPACITY.max(2 * ranges.len()));
                longer.extend_from_slice(ranges);
                *ranges = Zeroizing::new(longer);
            }
            ranges.push([first, last]);
        }
    }
    Some(())
}
