//! Recognises strings of other formats, which get an explanation instead of a search.

use std::ops::RangeInclusive;

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Bech32m};
use zeroize::Zeroizing;

use super::damage::LOOK_ALIKES;
use super::error::Foreign;
use super::places::has_both_cases;
use super::plain::{Placed, is_mark, spelled, spelled_small, without_sets};
use crate::alphabet::Alphabet;
use crate::kind::{BECH32_NETWORKS, Bech32Network, CASH_ADDR_NETWORKS};
use crate::number::{MAX_LENGTH, MIN_LENGTH};
use crate::repair::linear;

/// The 32 characters of Bech32 and CashAddr (BIP 173).
pub(super) const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The minimum number of characters of an invoice after its prefix, even if it is cut.
const MIN_INVOICE: usize = 8;

/// The lengths of prefixes of Bech32, and of what follows the `1`: 20 or 32 bytes, without or with
/// a version.
const PREFIX_LENGTHS: RangeInclusive<usize> = 2..=16;
const OTHER_LENGTHS: [usize; 4] = [38, 39, 58, 59];

/// What the prefixes of private keys have, such as `nsec` and `suiprivkey`.
const OF_SECRETS: [&str; 5] = ["sec", "key", "sk", "priv", "seed"];

/// Prefixes of private keys: of Nostr (NIP-19), Sui and age.
const PREFIXES_OF_SECRETS: [&str; 3] = ["nsec", "suiprivkey", "age-secret-key-"];

/// The numbers of characters of a Helium address, and of its bytes before the checksum: a zero and
/// the public key, which begins with its kind.
const HELIUM: (RangeInclusive<usize>, usize) = (49..=52, 34);

/// The number of digits of an Ethereum address, and of characters of CashAddr after its prefix.
const ETHEREUM: usize = 40;
const CASH_ADDR: usize = 42;

const HEXADECIMAL: &str = "0123456789abcdef";
const BASE32: &str = "abcdefghijklmnopqrstuvwxyz234567";
const BASE58: &str = "123456789abcdefghijklmnopqrstuvwxyz";
const ANY: &str = "0123456789abcdefghijklmnopqrstuvwxyz";

/// Longer than any Base58Check address, even with an extra character.
const LONG: RangeInclusive<usize> = MAX_LENGTH + 2..=usize::MAX;

/// Formats: what their texts begin with, how long these are, and their characters, all in lower
/// case and without underscores.
const FORMATS: [(&str, RangeInclusive<usize>, &str, Foreign); 24] = {
    use Foreign::{Caseless, Ethereum, ExtendedPublicKey, Hexadecimal, PrivateKey, Unsupported};
    const EOS: Foreign = Unsupported("a public key of EOS");
    [
        ("npub1 note1 nprofile1 nevent1 naddr1", LONG, ANY, Caseless("a name of Nostr")),
        ("lnurl1 lnbc lntb", LONG, ANY, Caseless("an invoice of Lightning")),
        ("nsec1", LONG, ANY, PrivateKey),
        // What follows `nano_`, with up to two characters missing or extra.
        ("1 3", 58..=62, BASE58, Caseless("a Nano address")),
        // The first characters of the prefix are unreadable.
        ("1q 1p b1q b1p c1q c1p", 60..=61, ANY, Foreign::Bech32),
        ("addr1 ae2 ddzff", LONG, ANY, Unsupported("a Cardano address")),
        ("pubk1", LONG, ANY, EOS),
        ("eos", 52..=54, BASE58, EOS),
        ("g", 56..=56, BASE32, Caseless("a Stellar address")),
        ("0x", 64..=68, ANY, Hexadecimal),
        ("0x", LONG, ANY, Ethereum),
        ("xpub ypub zpub tpub upub vpub", 100..=120, ANY, ExtendedPublicKey),
        ("tz1 tz2 tz3 kt1", 36..=36, ANY, Unsupported("a Tezos address")),
        ("ds dc", 35..=35, ANY, Unsupported("a Decred address")),
        // 32 zero bytes: the address of the system program.
        ("", 32..=32, "1", Unsupported("a Solana address")),
        ("", 40..=40, HEXADECIMAL, Ethereum),
        ("", 64..=64, HEXADECIMAL, Hexadecimal),
        // A part of a key is a secret, too.
        ("5 k l", 39..=48, BASE58, PrivateKey),
        ("", 42..=44, BASE58, Unsupported("a Solana address")),
        ("qm", 46..=46, BASE58, Unsupported("an IPFS hash")),
        ("1", 47..=48, BASE58, Unsupported("a Polkadot address")),
        ("", 45..=53, BASE58, PrivateKey),
        ("", 95..=95, BASE58, Unsupported("a Monero address")),
        ("", 106..=106, BASE58, Unsupported("a Monero address")),
    ]
};

/// The cost of a character that is missing or too many, of a first one that no network has, and of
/// a word or a number among groups that are not equal.
pub(super) const WRONG: i32 = 10;

/// The maximum cost of a text that is taken for an address. Numbers with hardly any letters
/// but those of hexadecimal digits cost as much, and groups without a digit.
pub(super) const MAX_COST: i32 = 40;

/// The maximum number of characters outside the alphabet in an address of a known length and
/// alphabet. One that is missing or too many counts as two of them.
const MAX_WRONG: i32 = 4;

/// What a format costs that begins with certain characters. One that only has a certain length
/// costs as much as possible.
const OF_BEGIN: i32 = 30;

/// The format of a text, if it is a known one other than Base58Check with a 20-byte payload, and
/// how unlike it the text is, in tenths of a character. That is negative if the text has nearly the
/// form of a Bech32 or a CashAddr address.
pub(super) fn of(text: &[Placed]) -> Option<(Foreign, i32)> {
    if is_helium(text) {
        return Some((Foreign::Unsupported("a Helium address"), -(text.len() as i32)));
    }
    let text = Zeroizing::new(spelled(&without_sets(text)).replace(is_mark, "?"));
    let mut small = Zeroizing::new(text.to_ascii_lowercase());
    // Those of a right checksum were one case before.
    let has_both_cases =
        *small != *text && text.to_ascii_uppercase() != *text && !linear::is_intact(&small);
    let prefix = prefixes(&small).next();
    if let Some(prefix) = &prefix {
        small.replace_range(..prefix.len(), prefix);
    }
    let near = |foreign, data: &str, usual: usize, alphabet, gain: i32| {
        let (outside, wrong) = (outside(data, alphabet), data.len().abs_diff(usual) as i32);
        let cost = 2 * outside + WRONG * wrong - gain;
        (outside + 2 * wrong <= MAX_WRONG).then_some((foreign, cost))
    };
    // A part of a Bech32 or CashAddr address may be as long as a Base58 address, and the beginning
    // of a long Bech32 address as long as a short one. The whole has to be cheaper.
    let near = match prefix.as_deref() {
        Some("0x") => near(Foreign::Ethereum, &small[2..], ETHEREUM, HEXADECIMAL, 0),
        Some(prefix) => {
            let data = &small[prefix.len()..];
            let network = Bech32Network::of(prefix).map(|(network, _)| network);
            let usual = bech32_length(network, data);
            near(Foreign::Bech32, data, usual, BECH32, usual as i32)
                .or(Some((Foreign::Bech32, OF_BEGIN)))
        }
        None if !has_both_cases && Bech32Network::without_separator(&small).is_some() => {
            Some((Foreign::Bech32, -(small.len() as i32)))
        }
        // The beginning of a CashAddr address has that form, too, and the whole has to be cheaper.
        None if !has_both_cases && Bech32Network::is_data(&small) => Some((Foreign::Bech32, 0)),
        None if !has_both_cases && small.starts_with(['q', 'p', 'z', 'r']) => {
            near(Foreign::CashAddr, &small, CASH_ADDR, BECH32, WRONG)
        }
        None if has_both_cases => near(Foreign::Ethereum, &small, ETHEREUM, HEXADECIMAL, 0),
        None => None,
    };
    // A `?` may have been an underscore.
    let begin = Zeroizing::new(small.replace('?', ""));
    let is_of = |&&(begins, ref lengths, alphabet, _): &&(&str, RangeInclusive<usize>, &str, _)| {
        lengths.contains(&small.len())
            && begins.split(' ').any(|it| begin.starts_with(it))
            && outside(&begin, alphabet) == 0
    };
    let cost = |begins: &str| if begins.is_empty() { MAX_COST } else { OF_BEGIN };
    near.or_else(|| FORMATS.iter().find(is_of).map(|&(begins, .., it)| (it, cost(begins))))
}

/// The maximum number of characters outside the alphabet in what follows a prefix.
const MAX_OUTSIDE: i32 = 2;

/// The format that a prefix names, of a text of any length after some characters: `0x`, that of a
/// Bech32 address with its `1`, or `bitcoincash:` before it. Such a text is of no other format.
pub(super) fn named(before: &[Placed], text: &[Placed]) -> Option<Foreign> {
    let small = spelled_small(&without_sets(text));
    let has_one_case = !has_both_cases(text);
    if small.starts_with("0x") {
        return Some(Foreign::Ethereum);
    }
    if let Some((_, data)) = Bech32Network::of(&small)
        && has_one_case
        && !data.is_empty()
        && outside(&data.replace('?', ""), BECH32) <= MAX_OUTSIDE
    {
        return Some(Foreign::Bech32);
    }
    let end = before.iter().rposition(|it| !it.0.is_whitespace())?;
    let begin = before[..end].iter().rposition(|it| !it.0.is_ascii_alphabetic());
    let word = spelled_small(&before[begin.map_or(0, |at| at + 1)..end]);
    let is_cash_addr =
        before[end].0 == ':' && CASH_ADDR_NETWORKS.iter().any(|(prefix, ..)| *prefix == *word);
    // Old wallets wrote addresses of Base58 after this prefix.
    let is_base58 = small.starts_with('1') || small.starts_with('3') && !has_one_case;
    (is_cash_addr && !is_base58).then_some(Foreign::CashAddr)
}

/// Whether a text after some characters has the form of a `CashAddr` address after its prefix, in
/// letters of any case. Hardly any private key has so few characters outside its alphabet.
pub(super) fn is_cash_addr(before: &[Placed], text: &[Placed]) -> bool {
    named(before, text) == Some(Foreign::CashAddr)
        && text.len().abs_diff(CASH_ADDR) <= 1
        && outside(&spelled_small(text).replace('?', ""), BECH32) <= MAX_OUTSIDE
}

/// Whether a text is a Helium address: as long as a private key in WIF, and with a right checksum.
fn is_helium(text: &[Placed]) -> bool {
    let is_form = HELIUM.0.contains(&text.len()) && text[0].0 == '1';
    is_form
        && Alphabet::Bitcoin
            .decode(&spelled(text))
            .is_some_and(|message| message.len() == HELIUM.1 && message[0] == 0)
}

/// Scripts of outputs: what they begin and end with, their lengths in hexadecimal, and what they
/// are.
const SCRIPTS: [(&str, &str, usize, &str); 5] = [
    ("76a914", "88ac", 50, "the script of a P2PKH address"),
    ("a914", "87", 46, "the script of a P2SH address"),
    ("0014", "", 44, "the script of a P2WPKH address"),
    ("0020", "", 68, "the script of a P2WSH address"),
    ("5120", "", 68, "the script of a Taproot address"),
];

/// Words that stand at the end of names.
const NAME_ENDINGS: [&str; 20] = [
    "eth",
    "crypto",
    "wallet",
    "nft",
    "sol",
    "bnb",
    "zil",
    "dao",
    "blockchain",
    "x",
    "lens",
    "near",
    "app",
    "com",
    "io",
    "me",
    "money",
    "net",
    "org",
    "xyz",
];

/// What a whole text is that is neither an address nor a key although it may be as long: a script,
/// an invoice of Lightning or, if nothing divides or surrounds it, Bech32 of another network.
pub(super) fn no_key(text: &[Placed], is_alone: bool) -> Option<Foreign> {
    let (text, small) = (spelled(text), spelled_small(text));
    if outside(&small, HEXADECIMAL) == 0 {
        let is_of = |&&(begin, end, length, _): &&(&str, &str, usize, &str)| {
            length == small.len() && small.starts_with(begin) && small.ends_with(end)
        };
        return SCRIPTS.iter().find(is_of).map(|&(.., what)| Foreign::Script(what));
    }
    let has_one_case = *small == *text || text.to_ascii_uppercase() == *text;
    if is_alone && has_one_case && is_bech32_of_other_network(&small) {
        return Some(Foreign::Unsupported("a Bech32 address of a network that is not known here"));
    }
    let invoice = ["lnbc", "lntb", "lnbcrt"].iter().filter_map(|it| small.strip_prefix(it));
    let is_invoice = |data: &str| {
        data.len() >= MIN_INVOICE
            && data.contains('1')
            && outside(&data.replace('1', ""), BECH32) == 0
    };
    (has_one_case && invoice.into_iter().any(is_invoice))
        .then_some(Foreign::Caseless("an invoice of Lightning"))
}

/// Whether a whole text has the form of a Bech32 address of a known network, or that of Ethereum
/// with its `0x`. The `1` after the prefix of Bech32 may be missing.
pub(super) fn is_address(text: &[Placed]) -> bool {
    let (text, small) = (spelled(text), spelled_small(text));
    if let Some(digits) = small.strip_prefix("0x") {
        return digits.len().abs_diff(ETHEREUM) <= 2 && outside(digits, HEXADECIMAL) == 0;
    }
    let is_of = |network: &Bech32Network| {
        small.strip_prefix(network.prefix).is_some_and(|rest| {
            let divided = rest.strip_prefix('1');
            let data = divided.unwrap_or(rest);
            let wrong = data.len().abs_diff(bech32_length(Some(network), data));
            (divided.is_some() || network.is_segwit) && wrong <= 2 && outside(data, BECH32) == 0
        })
    };
    (*small == *text || text.to_ascii_uppercase() == *text) && BECH32_NETWORKS.iter().any(is_of)
}

/// Whether a text in one case has the form of Bech32 with a prefix that is not in the table, and not
/// one that a private key has.
fn is_bech32_of_other_network(small: &str) -> bool {
    let Some((prefix, data)) = small.rsplit_once('1') else { return false };
    let is_checked = || {
        CheckedHrpstring::new::<Bech32>(small).is_ok()
            || CheckedHrpstring::new::<Bech32m>(small).is_ok()
    };
    PREFIX_LENGTHS.contains(&prefix.len())
        && prefix.bytes().all(|c| c.is_ascii_lowercase())
        && !OF_SECRETS.iter().any(|part| prefix.contains(part))
        && BECH32_NETWORKS.iter().all(|network| network.prefix != prefix)
        && outside(data, BECH32) == 0
        && (OTHER_LENGTHS.contains(&data.len()) || is_checked())
}

/// Whether the prefix of a text in Bech32, in lower case, says that it is a private key.
pub(super) fn is_prefix_of_secret(prefix: &str) -> bool {
    PREFIXES_OF_SECRETS.contains(&prefix)
}

/// What a text is that is too short for an address, if it is a name.
pub(super) fn name(text: &str) -> Option<Foreign> {
    let text = text.trim();
    let text = text.split_once("://").map_or(text, |(_, rest)| rest.trim_end_matches('/'));
    let is_name = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "-_.+".contains(c))
    };
    if let Some((user, host)) = text.split_once('@')
        && is_name(user)
        && is_name(host)
    {
        return Some(Foreign::Name("an e-mail address"));
    }
    if let Some((name, ending)) = text.rsplit_once('.')
        && is_name(name)
        && NAME_ENDINGS.contains(&&*ending.to_lowercase())
    {
        return Some(Foreign::Name("a name"));
    }
    let mut words = text.split_whitespace();
    let are_words = (2..MIN_LENGTH).contains(&text.len())
        && words.all(|word| word.chars().all(char::is_alphabetic));
    let is_one = !text.contains(char::is_whitespace);
    are_words.then_some(Foreign::Name(if is_one { "a word" } else { "a phrase" }))
}

/// The number of characters outside an alphabet.
fn outside(data: &str, alphabet: &str) -> i32 {
    data.chars().filter(|&c| !alphabet.contains(c)).count() as i32
}

/// How many characters after the `1` an address of a network has that is about as long as the data.
fn bech32_length(network: Option<&Bech32Network>, data: &str) -> usize {
    let [short, long] = network.unwrap_or(&BECH32_NETWORKS[0]).lengths();
    if data.len() < (short + long) / 2 { short } else { long }
}

impl Bech32Network {
    /// The network of a text in lower case whose `1` after the prefix is missing, and what follows.
    pub(crate) fn without_separator(small: &str) -> Option<(&'static Self, &str)> {
        BECH32_NETWORKS.iter().filter(|network| network.is_segwit).find_map(|network| {
            let data = small.strip_prefix(network.prefix)?;
            Self::is_data(data).then_some((network, data))
        })
    }

    /// Whether a text in lower case has the form of what follows `bc1` in an address.
    pub(crate) fn is_data(small: &str) -> bool {
        BECH32_NETWORKS[0].lengths().contains(&small.len())
            && small.starts_with(['q', 'p'])
            && outside(small, BECH32) == 0
    }
}

/// What the prefix of a text in lower case may have been: `0x`, or that of a Bech32 address with
/// its `1`, common networks first. The digit may be read as a letter, and characters may be
/// unreadable.
pub(super) fn prefixes(small: &str) -> impl Iterator<Item = String> {
    let of_network = |network: &Bech32Network| {
        let (read, rest) = small.split_at_checked(network.prefix.len())?;
        let data = rest.strip_prefix(['1', 'l', 'i', '?'])?;
        let wrong = data.len().abs_diff(bech32_length(Some(network), data)) as i32;
        // Little else says that the text is one.
        let is_near = || outside(data, BECH32) + 2 * wrong <= MAX_WRONG;
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
    let is_0x = small.starts_with("0x") || small.starts_with("ox");
    let of_0x = is_0x.then(|| "0x".to_owned());
    let prefixes = BECH32_NETWORKS.iter().filter_map(of_network).chain(of_0x);
    prefixes.filter(|_| LONG.contains(&small.len()))
}
