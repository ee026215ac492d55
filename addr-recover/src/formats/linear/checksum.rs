//! The checksums of Bech32, Bech32m, CashAddr and Stellar as linear codes, and the changes of a
//! text that make them right.

use std::collections::BTreeMap;
use std::iter::successors;
use std::sync::{Arc, Mutex, PoisonError};

use super::{ALPHABET, MAX_UNREADABLE};
use crate::kind::Bech32Network;

/// The checksum of the addresses of a network.
pub(crate) struct Code {
    /// The short name of the network, and its name.
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) is_address: fn(&str) -> bool,
    /// What precedes the characters that the checksum protects.
    pub(crate) prefix: String,
    pub(crate) checksum: Checksum,
}

/// How a checksum depends on the symbols.
pub(crate) enum Checksum {
    /// A remainder of the symbols themselves.
    Remainder {
        /// The prefix as symbols.
        symbols: Vec<u8>,
        polynomial: &'static Polynomial,
        /// The remainder of an address.
        target: u64,
    },
    /// CRC-16/XMODEM of the bytes before it, which is the last two, the low one first. A bit that
    /// is left over is zero.
    Crc16,
}

/// What the checksum is the remainder of a division by.
pub(crate) struct Polynomial {
    /// The number of bits of the checksum.
    pub(crate) bits: u32,
    /// The remainders of each bit of the symbol after the checksum.
    pub(crate) terms: [u64; 5],
}

/// From BIP 173.
pub(crate) const BECH32: Polynomial = Polynomial {
    bits: 30,
    terms: [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3],
};

/// The remainders of Bech32 and Bech32m (BIP 350).
pub(crate) const BECH32_TARGETS: [u64; 2] = [1, 0x2bc8_30a3];

/// From the specification of CashAddr, whose remainder is 1.
pub(crate) const CASH_ADDR_POLYNOMIAL: Polynomial = Polynomial {
    bits: 40,
    terms: [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470],
};

impl Polynomial {
    /// The remainder after one more symbol.
    fn next(&self, remainder: u64, symbol: u8) -> u64 {
        let Self { bits, terms } = self;
        let out = remainder >> (bits - 5);
        let shifted = (remainder << 5) & ((1 << bits) - 1) ^ u64::from(symbol);
        // Without a branch on each bit.
        let term = |(bit, term): (usize, &u64)| term & 0_u64.wrapping_sub(out >> bit & 1);
        terms.iter().enumerate().map(term).fold(shifted, |sum, term| sum ^ term)
    }
}

impl Code {
    pub(crate) fn bech32(network: &Bech32Network, target: u64) -> Self {
        let prefix = network.prefix.bytes();
        let high = prefix.clone().map(|letter| letter >> 5);
        let symbols = high.chain([0]).chain(prefix.map(|letter| letter & 31)).collect();
        Self {
            id: network.id,
            name: network.name,
            is_address: is_bech32,
            prefix: format!("{}1", network.prefix),
            checksum: Checksum::Remainder { symbols, polynomial: &BECH32, target },
        }
    }

    pub(super) fn address(&self, data: &str) -> String {
        format!("{}{data}", self.prefix)
    }

    /// What is wrong with the checksum of a whole address, or zero, from the symbols after its
    /// prefix.
    pub(super) fn residue(&self, data: &[u8]) -> u64 {
        match &self.checksum {
            Checksum::Remainder { symbols, polynomial, target } => {
                let all = symbols.iter().chain(data);
                target ^ all.fold(1, |remainder, &symbol| polynomial.next(remainder, symbol))
            }
            Checksum::Crc16 => residue_of_crc16(data),
        }
    }

    /// How each change of the symbol in each place changes the residue. The code is linear, so the
    /// effects of several changes add up, whatever the text is.
    fn effects(&self, length: usize) -> Vec<[u64; 32]> {
        match &self.checksum {
            Checksum::Remainder { polynomial, .. } => {
                let last: [u64; 32] = std::array::from_fn(|change| change as u64);
                let before =
                    |effects: &[u64; 32]| Some(effects.map(|effect| polynomial.next(effect, 0)));
                let mut effects: Vec<_> = successors(Some(last), before).take(length).collect();
                effects.reverse();
                effects
            }
            Checksum::Crc16 => {
                let mut data = vec![0; length];
                let effects = (0..length).map(|at| {
                    std::array::from_fn(|change| {
                        data[at] = change as u8;
                        let effect = residue_of_crc16(&data);
                        data[at] = 0;
                        effect
                    })
                });
                effects.collect()
            }
        }
    }
}

/// The terms of CRC-16/XMODEM below the highest one.
const CRC16: u16 = 0x1021;

/// What is wrong with the checksum of a text of symbols, and its bits that are no byte: zero if
/// nothing is, and linear.
fn residue_of_crc16(symbols: &[u8]) -> u64 {
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::with_capacity(symbols.len()));
    for &symbol in symbols {
        bits = (bits << 5 | u32::from(symbol)) & 0xfff;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    let left = u64::from(bits & ((1 << count) - 1));
    let Some((message, &[low, high])) = bytes.split_last_chunk() else { return u64::MAX };
    let crc = message.iter().fold(0, |crc: u16, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| {
            crc << 1 ^ if crc >> 15 == 1 { CRC16 } else { 0 }
        })
    });
    u64::from(crc ^ u16::from_le_bytes([low, high])) | left << 16
}

fn is_bech32(address: &str) -> bool {
    Bech32Network::of(address).is_some_and(|(network, _)| network.is_address(address))
}

/// The symbols of a text; `None` if unreadable.
pub(super) type Text = Vec<Option<u8>>;

/// What each change of a symbol adds to the residue of a text. The last change that makes the
/// residue zero is looked up, and not searched.
pub(super) struct Syndromes {
    /// For each place and each change of its symbol.
    effects: Vec<[u64; 32]>,
    /// The effects with their places and changes, by [`bucket`]. In a short checksum, several are
    /// the same.
    changes: Vec<(u64, u16, u8)>,
    /// Where each bucket begins, and where the last one ends.
    begins: Vec<u32>,
}

/// Twice as many as there are changes in most addresses.
const BUCKET_BITS: u32 = 11;

/// The bucket of an effect: the high bits of a product with the golden ratio.
fn bucket(effect: u64) -> usize {
    (effect.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BUCKET_BITS)) as usize
}

impl Syndromes {
    /// Those of a checksum and a number of symbols, which are the same for all texts. All codes
    /// with the checksum share them, whatever their prefixes.
    pub(super) fn of(code: &Code, length: usize) -> Arc<Self> {
        // No two checksums have the same number of bits.
        static ALL: Mutex<BTreeMap<(u32, usize), Arc<Syndromes>>> = Mutex::new(BTreeMap::new());
        let bits = match &code.checksum {
            Checksum::Remainder { polynomial, .. } => polynomial.bits,
            Checksum::Crc16 => u16::BITS,
        };
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry((bits, length)).or_insert_with(|| Arc::new(Self::new(code, length))))
    }

    fn new(code: &Code, length: usize) -> Self {
        let effects = code.effects(length);
        let of_place = |(effects, at): (&[u64; 32], u16)| {
            let effects = *effects;
            (1..ALPHABET).map(move |change| (effects[usize::from(change)], at, change))
        };
        let mut changes: Vec<_> = effects.iter().zip(0..).flat_map(of_place).collect();
        changes.sort_by_key(|&(effect, ..)| bucket(effect));
        let begin = |at: usize| changes.partition_point(|&(effect, ..)| bucket(effect) < at) as u32;
        let begins = (0..=1 << BUCKET_BITS).map(begin).collect();
        Self { effects, changes, begins }
    }

    /// The changes with an effect, and their places.
    fn with_effect(&self, effect: u64) -> impl Iterator<Item = (usize, u8)> {
        let [begin, end] = [0, 1].map(|next| self.begins[bucket(effect) + next] as usize);
        let same = self.changes[begin..end].iter().filter(move |it| it.0 == effect);
        same.map(|&(_, at, change)| (usize::from(at), change))
    }

    /// Calls a function with each text of residue zero that may have become this one, with up to
    /// `wrong` wrong symbols. `of_zeros` is the residue of as many zeros.
    pub(super) fn restore(
        &self,
        text: &Text,
        wrong: usize,
        of_zeros: u64,
        mut found: impl FnMut(&[u8]),
    ) {
        let unreadable: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_none()).collect();
        if unreadable.len() > MAX_UNREADABLE {
            return;
        }
        // What stands for an unreadable character does not matter.
        let symbol = |it: &Option<u8>| it.unwrap_or_default();
        let pairs = self.effects.iter().zip(text);
        let residue =
            pairs.fold(of_zeros, |sum, (effects, it)| sum ^ effects[usize::from(symbol(it))]);
        if residue != 0 && wrong == 0 && unreadable.is_empty() {
            return;
        }
        let mut text: Vec<u8> = text.iter().map(symbol).collect();
        let places = Places { unreadable: &unreadable, next: 0, from: 0, wrong };
        self.change(&mut text, residue, places, &mut found);
    }

    /// As [`restore`](Self::restore), with some symbols left to change.
    fn change(
        &self,
        text: &mut [u8],
        residue: u64,
        places: Places<'_>,
        found: &mut impl FnMut(&[u8]),
    ) {
        let mut apply = |text: &mut [u8], at: usize, change: u8| {
            text[at] ^= change;
            found(text);
            text[at] ^= change;
        };
        let Places { unreadable, next, from, wrong } = places;
        let lookup = self.with_effect(residue);
        match (&unreadable[next..], wrong) {
            ([], _) if residue == 0 => apply(text, 0, 0),
            ([], 0) => {}
            ([at], 0) if residue == 0 => apply(text, *at, 0),
            ([at], 0) => {
                for (_, change) in lookup.filter(|(place, _)| place == at) {
                    apply(text, *at, change);
                }
            }
            ([], 1) => {
                let is_left = |&(at, _): &(usize, u8)| at >= from && !unreadable.contains(&at);
                for (at, change) in lookup.filter(is_left) {
                    apply(text, at, change);
                }
            }
            ([at, ..], _) => {
                for change in 0..ALPHABET {
                    let residue = residue ^ self.effects[*at][usize::from(change)];
                    text[*at] ^= change;
                    self.change(text, residue, Places { next: next + 1, ..places }, found);
                    text[*at] ^= change;
                }
            }
            ([], _) => {
                for at in (from..text.len()).filter(|at| !unreadable.contains(at)) {
                    for change in 1..ALPHABET {
                        let residue = residue ^ self.effects[at][usize::from(change)];
                        let places = Places { from: at + 1, wrong: wrong - 1, ..places };
                        text[at] ^= change;
                        self.change(text, residue, places, found);
                        text[at] ^= change;
                    }
                }
            }
        }
    }
}

/// Which symbols of a text are left to change.
#[derive(Clone, Copy)]
struct Places<'a> {
    /// All that are unreadable, of which the first ones have been changed.
    unreadable: &'a [usize],
    next: usize,
    /// Wrong ones are from this place on.
    from: usize,
    wrong: usize,
}
