//! BIP 37's extraction of matches from a partial Merkle tree, as a recursion written from its text.

use merkle_lanes::bitcoin::Matches;

use crate::oracle::{Hash, sha256};

/// The double SHA-256 of two nodes.
pub(crate) fn node(left: &Hash, right: &Hash) -> Hash {
    sha256(&[&sha256(&[left, right])])
}

/// The number of nodes on a level.
pub(crate) fn width(count: usize, height: u32) -> usize {
    (count + (1 << height) - 1) >> height
}

pub(crate) fn height(count: usize) -> u32 {
    (0..).find(|&height| width(count, height) == 1).unwrap()
}

/// The state of an extraction.
struct Extraction<'a> {
    count: usize,
    flags: Vec<bool>,
    used: usize,
    hashes: std::slice::Iter<'a, Hash>,
    matches: Vec<(u32, Hash)>,
}

impl Extraction<'_> {
    fn node(&mut self, height: u32, position: usize) -> Option<Hash> {
        let flag = *self.flags.get(self.used)?;
        self.used += 1;
        if height == 0 || !flag {
            let hash = *self.hashes.next()?;
            if height == 0 && flag {
                self.matches.push((position as u32, hash));
            }
            return Some(hash);
        }
        let left = self.node(height - 1, 2 * position)?;
        if 2 * position + 1 >= width(self.count, height - 1) {
            return Some(node(&left, &left));
        }
        let right = self.node(height - 1, 2 * position + 1)?;
        (left != right).then(|| node(&left, &right))
    }
}

/// What flags and hashes prove about a block of `count` transactions. `None` for whatever Bitcoin
/// Core refuses.
pub(crate) fn extract(count: u32, hashes: &[Hash], flag_bytes: &[u8]) -> Option<Matches> {
    let flags: Vec<bool> =
        flag_bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect();
    if !(1..=16_666).contains(&count) || hashes.len() > count as usize || flags.len() < hashes.len()
    {
        return None;
    }
    let mut extraction = Extraction {
        count: count as usize,
        flags,
        used: 0,
        hashes: hashes.iter(),
        matches: Vec::new(),
    };
    let root = extraction.node(height(count as usize), 0)?;
    if extraction.used.div_ceil(8) != flag_bytes.len() || extraction.hashes.next().is_some() {
        return None;
    }
    Some(Matches { root, transactions: extraction.matches })
}
