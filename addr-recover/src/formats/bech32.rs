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

/// The cost of letters of both cases, which hardly any address has.
const MIXED_CASE: i32 = 20;

/// The maximum number of characters of a prefix and its `1` that may be damaged.
const MAX_PREFIX: usize = 5;

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
            // With a part of another address, it would be as long as a longer one.
            let mixed = if text.has_both_cases { MIXED_CASE } else { 0 };
            return near(data, usual, BECH32_ALPHABET, usual as i32 - mixed).or(Some(OF_BEGIN));
        }
        let (prefix, _) = DamagedPrefix::of(text.small).filter(|_| !text.has_both_cases)?;
        // The beginning of a CashAddr address may have that form, too, and the whole has to be
        // cheaper.
        match prefix.read {
            "" => Some(0),
            read if says_so(read) || prefix.is_whole() => Some(-(text.small.len() as i32)),
            _ => None,
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
            || has_intact_data(small)
    }

    fn restored(&self, _: &str, word: &str) -> Option<Corrected> {
        let small = word.to_ascii_lowercase();
        if small.len() > MAX_LENGTH {
            return None;
        }
        let wrong_case = has_both_cases(word).then_some(MIXED);
        let own = Bech32Network::of(&small);
        // A wrong character makes the prefix of one network that of another.
        let is_damaged =
            own.is_none_or(|(network, _)| !network.is_address(&small)) && has_intact_data(&small);
        if let Some((network, data)) = own.filter(|_| !is_damaged) {
            return Linear { wrong_case, ..of_network(network) }.answer(data);
        }
        let (prefix, data) = DamagedPrefix::of(&small)?;
        Linear { wrong_case, ..prefix.linear() }.answer(data)
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

/// A damaged prefix and its `1`, before the other characters of an address of Bitcoin or one of its
/// relatives.
struct DamagedPrefix<'a> {
    read: &'a str,
    /// The networks whose prefix it may have been.
    networks: Vec<&'static Bech32Network>,
}

impl<'a> DamagedPrefix<'a> {
    /// The prefix of a text in lower case that lost characters of it, or has a wrong one, and what
    /// follows.
    fn of(small: &'a str) -> Option<(Self, &'a str)> {
        let wrong = |data: &str| {
            let wrong = data.len().abs_diff(length(None, data)) as i32;
            outside(data, BECH32_ALPHABET) + 2 * wrong
        };
        let of_length = |length: usize| {
            let (read, data) = small.split_at_checked(length)?;
            let max = if says_so(read) { MAX_OUTSIDE } else { 0 };
            let is_data = data.starts_with(['q', 'p']) && wrong(data) <= max;
            let networks = if is_data { networks_like(read) } else { Vec::new() };
            (!networks.is_empty()).then_some((Self { read, networks }, data))
        };
        (0..=MAX_PREFIX).filter_map(of_length).min_by_key(|(_, data)| wrong(data))
    }

    /// Whether only the `1` was lost.
    fn is_whole(&self) -> bool {
        self.networks[0].prefix == self.read
    }

    /// The checksums of its networks.
    fn linear(&self) -> Linear {
        let codes = |network| BECH32_TARGETS.map(|target| Code::bech32(network, target));
        let first = of_network(self.networks[0]);
        let what_was_wrong = match self.read {
            "" => "the prefix was missing",
            _ if self.is_whole() => "the `1` after the prefix was missing",
            _ => "the prefix was damaged",
        };
        Linear {
            codes: self.networks.iter().copied().flat_map(codes).collect(),
            checksums: (1 << BECH32.bits) / self.networks.len() as u64,
            before: self.read.len(),
            max_wrong: if self.networks.len() == 1 { first.max_wrong } else { 1 },
            what_was_wrong: Some(what_was_wrong),
            ..first
        }
    }
}

/// Whether a damaged prefix is all that is wrong in a text in lower case.
fn has_intact_data(small: &str) -> bool {
    DamagedPrefix::of(small).is_some_and(|(prefix, data)| {
        let symbols = data.chars().map(|c| BECH32_SPELLING.symbol(c)).collect();
        prefix.linear().is_intact(symbols, data)
    })
}

/// Whether what was read of a prefix says that an address follows: what follows has no such
/// characters.
fn says_so(read: &str) -> bool {
    outside(read, BECH32_ALPHABET) > 0
}

/// Whether a text in lower case has the form of an address of Bitcoin or one of its relatives with
/// a damaged prefix.
pub(crate) fn has_damaged_prefix(small: &str) -> bool {
    DamagedPrefix::of(small).is_some_and(|(prefix, _)| !prefix.read.is_empty())
}

/// The networks whose prefix and its `1` may have become a text that lost characters of it, or has
/// a wrong one. One whose prefix it is lost only the `1`.
fn networks_like(read: &str) -> Vec<&'static Bech32Network> {
    let is_like = |network: &&Bech32Network| {
        let (length, mut whole) = (network.prefix.len() + 1, network.prefix.chars().chain(['1']));
        let pairs = read.chars().zip(whole.clone());
        let is_like = match length.checked_sub(read.len()) {
            Some(0) => pairs.filter(|(c, own)| c != own).count() == 1,
            Some(_) => read.chars().all(|c| whole.any(|own| own == c)),
            None => false,
        };
        network.is_segwit && is_like
    };
    let networks = || BECH32_NETWORKS.iter().filter(is_like);
    networks().find(|it| it.prefix == read).map_or_else(|| networks().collect(), |it| vec![it])
}

/// How many characters after the `1` an address of a network has that is about as long as the data.
fn length(network: Option<&Bech32Network>, data: &str) -> usize {
    let [short, long] = network.unwrap_or(&BECH32_NETWORKS[0]).lengths();
    if data.len() < (short + long) / 2 { short } else { long }
}
