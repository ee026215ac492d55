//! Bech32 and Bech32m: the addresses of BIP 173 and BIP 350, and those of other networks with the
//! same checksum.

use super::linear::checksum::{BECH32, BECH32_TARGETS, Code};
use super::linear::{BECH32_SPELLING, Linear, MIXED};
use super::{
    AddressFormat, BECH32_ALPHABET, Corrected, MAX_WRONG, OF_BEGIN, Typed, has_both_cases, near,
    outside,
};
use crate::damage::LOOK_ALIKES;
use crate::kind::{BECH32_NETWORKS, Bech32Network};
use crate::parse_error::Foreign;

/// The maximum number of characters: in longer texts the checksum does not tell errors apart (BIP
/// 173).
const MAX_LENGTH: usize = 90;

/// The maximum number of characters outside the alphabet in what follows a prefix.
const MAX_OUTSIDE: i32 = 2;

pub(crate) const FOREIGN: Foreign = Foreign::Damaged {
    what: "a Bech32 address",
    restores: "in up to 90 characters, its checksum restores up to two faults or five unreadable \
               characters",
};

pub(super) struct Bech32;

impl AddressFormat for Bech32 {
    fn networks(&self) -> Vec<&'static str> {
        BECH32_NETWORKS.iter().map(|network| network.id).collect()
    }

    fn foreign(&self) -> Option<Foreign> {
        Some(FOREIGN)
    }

    fn cost(&self, text: &Typed<'_>) -> Option<i32> {
        if let Some(prefix) = text.prefix {
            // A part of an address may be as long as one of Base58, and the beginning of a long one
            // as long as a short one. The whole has to be cheaper.
            let (network, _) = Bech32Network::of(prefix)?;
            let data = &text.small[prefix.len()..];
            let usual = length(Some(network), data);
            return near(data, usual, BECH32_ALPHABET, usual as i32).or(Some(OF_BEGIN));
        }
        match () {
            () if text.has_both_cases => None,
            () if Bech32Network::without_separator(text.small).is_some() => {
                Some(-(text.small.len() as i32))
            }
            // The beginning of a CashAddr address has that form, too, and the whole has to be
            // cheaper.
            () => Bech32Network::is_data(text.small).then_some(0),
        }
    }

    fn prefixes(&self, small: &str) -> Vec<String> {
        let of_network = |network: &Bech32Network| {
            let (read, rest) = small.split_at_checked(network.prefix.len())?;
            let data = rest.strip_prefix(['1', 'l', 'i', '?'])?;
            let wrong = data.len().abs_diff(length(Some(network), data)) as i32;
            // Little else says that the text is one.
            let is_near = || outside(data, BECH32_ALPHABET) + 2 * wrong <= MAX_WRONG;
            let is_alike = |c: char, own: char| {
                c == '?' || LOOK_ALIKES.iter().any(|group| group.contains(c) && group.contains(own))
            };
            let mut pairs = read.chars().zip(network.prefix.chars());
            // An address of CashAddr may begin like Qtum's with two unreadable characters.
            let is_prefix =
                pairs.all(|(c, own)| c == own || is_alike(c, own)) && !rest.starts_with('?');
            // Other words begin with longer prefixes.
            let is_read = read == network.prefix && network.is_segwit;
            (is_read || is_prefix && is_near()).then(|| format!("{}1", network.prefix))
        };
        BECH32_NETWORKS.iter().filter_map(of_network).collect()
    }

    fn is_named(&self, _: Option<&str>, text: &Typed<'_>) -> bool {
        Bech32Network::of(text.small).is_some_and(|(_, data)| {
            !text.has_both_cases
                && !data.is_empty()
                && outside(&data.replace('?', ""), BECH32_ALPHABET) <= MAX_OUTSIDE
        })
    }

    /// The `1` after the prefix may be missing.
    fn is_whole(&self, text: &Typed<'_>) -> bool {
        let is_of = |network: &Bech32Network| {
            text.small.strip_prefix(network.prefix).is_some_and(|rest| {
                let divided = rest.strip_prefix('1');
                let data = divided.unwrap_or(rest);
                let wrong = data.len().abs_diff(length(Some(network), data));
                (divided.is_some() || network.is_segwit)
                    && wrong <= 2
                    && outside(data, BECH32_ALPHABET) == 0
            })
        };
        !text.has_both_cases && BECH32_NETWORKS.iter().any(is_of)
    }

    /// Its prefix may have been the beginning of a key.
    fn may_be_in_groups(&self, _: &Typed<'_>) -> bool {
        false
    }

    fn is_intact(&self, small: &str) -> bool {
        Bech32Network::of(small).is_some_and(|(network, _)| network.is_address(small))
            || Bech32Network::is_data(small) && {
                let symbols = small.chars().map(|c| BECH32_SPELLING.symbol(c)).collect();
                of_any_network().is_intact(symbols, small)
            }
    }

    fn restored(&self, _: &str, word: &str) -> Option<Corrected> {
        let small = word.to_ascii_lowercase();
        if small.len() > MAX_LENGTH {
            return None;
        }
        let wrong_case = has_both_cases(word).then_some(MIXED);
        if let Some((network, data)) = Bech32Network::of(&small) {
            return Linear { wrong_case, ..of_network(network) }.answer(data);
        }
        if let Some((network, data)) = Bech32Network::without_separator(&small) {
            let (before, missing) = (network.prefix.len(), Some("`1` after the prefix"));
            return Linear { before, missing, wrong_case, ..of_network(network) }.answer(data);
        }
        let any = Linear { wrong_case, ..of_any_network() };
        if Bech32Network::is_data(&small) { any.answer(&small) } else { None }
    }
}

fn of_network(network: &'static Bech32Network) -> Linear {
    // The version tells which of the two it is.
    let count = if network.is_segwit { 2 } else { 1 };
    let code = |&target: &u64| Code::bech32(network, target);
    Linear {
        codes: BECH32_TARGETS[..count].iter().map(code).collect(),
        lengths: network.lengths(),
        before: network.prefix.len() + 1,
        ..Linear::default()
    }
}

/// Addresses of Bitcoin and its relatives whose prefix is missing.
fn of_any_network() -> Linear {
    let networks = || BECH32_NETWORKS.iter().filter(|network| network.is_segwit);
    let codes = |network| BECH32_TARGETS.map(|target| Code::bech32(network, target));
    Linear {
        codes: networks().flat_map(codes).collect(),
        checksums: (1 << BECH32.bits) / networks().count() as u64,
        before: 0,
        max_wrong: 1,
        missing: Some("prefix"),
        ..of_network(&BECH32_NETWORKS[0])
    }
}

/// How many characters after the `1` an address of a network has that is about as long as the data.
fn length(network: Option<&Bech32Network>, data: &str) -> usize {
    let [short, long] = network.unwrap_or(&BECH32_NETWORKS[0]).lengths();
    if data.len() < (short + long) / 2 { short } else { long }
}

impl Bech32Network {
    /// The network of a text in lower case whose `1` after the prefix is missing, and what follows.
    fn without_separator(small: &str) -> Option<(&'static Self, &str)> {
        BECH32_NETWORKS.iter().filter(|network| network.is_segwit).find_map(|network| {
            let data = small.strip_prefix(network.prefix)?;
            Self::is_data(data).then_some((network, data))
        })
    }

    /// Whether a text in lower case has the form of what follows `bc1` in an address.
    fn is_data(small: &str) -> bool {
        BECH32_NETWORKS[0].lengths().contains(&small.len())
            && small.starts_with(['q', 'p'])
            && outside(small, BECH32_ALPHABET) == 0
    }
}
