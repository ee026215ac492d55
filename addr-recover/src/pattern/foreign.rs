//! Recognises strings of other formats, which get an explanation instead of a search.

use std::ops::RangeInclusive;

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Bech32m};
use zeroize::Zeroizing;

use super::places::has_both_cases;
use super::plain::{Placed, is_mark, is_space, spelled, spelled_small, without_sets};
use crate::alphabet::Alphabet;
pub(super) use crate::formats::WRONG;
use crate::formats::{self, AddressFormat, BECH32_ALPHABET, FORMATS, OF_BEGIN, Typed, outside};
use crate::kind::BECH32_NETWORKS;
use crate::number::{MAX_LENGTH, MIN_LENGTH};
use crate::parse_error::Foreign;

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

/// The number of characters of a CashAddr address after its prefix.
pub(super) const CASH_ADDR: usize = 42;

const HEXADECIMAL: &str = "0123456789abcdef";
const BASE32: &str = "abcdefghijklmnopqrstuvwxyz234567";
const BASE58: &str = "123456789abcdefghijklmnopqrstuvwxyz";
const ANY: &str = "0123456789abcdefghijklmnopqrstuvwxyz";

/// A private key in decimal digits.
pub(super) const IN_DECIMAL: Foreign = Foreign::OtherKey("a private key in decimal digits");

const SEED: Foreign = Foreign::OtherKey("a secret seed of Stellar");

/// The maximum number of small letters among the capital ones of an address.
const MAX_WRONG_CASE: usize = 2;

/// The numbers of characters of a secret seed of Stellar, with up to two missing or extra, and of
/// what is left of an address without its end. No private key that lost its case is like that: it
/// begins with another letter.
const SEED_OF_STELLAR: RangeInclusive<usize> = 54..=58;
const CUT_OF_STELLAR: RangeInclusive<usize> = 45..=53;

/// Longer than any Base58Check address, even with an extra character.
const LONG: RangeInclusive<usize> = MAX_LENGTH + 2..=usize::MAX;

/// Formats that are not repaired, and parts of others: what their texts begin with, how long these
/// are, and their characters, all in lower case and without underscores.
const OTHERS: [(&str, RangeInclusive<usize>, &str, Foreign); 24] = {
    use Foreign::{Caseless, Ethereum, ExtendedPublicKey, Hexadecimal, PrivateKey, Unsupported};
    const EOS: Foreign = Unsupported("a public key of EOS");
    [
        ("npub1 note1 nprofile1 nevent1 naddr1", LONG, ANY, Caseless("a name of Nostr")),
        ("lnurl1 lnbc lntb", LONG, ANY, Caseless("an invoice of Lightning")),
        ("nsec1", LONG, ANY, PrivateKey),
        // What follows `nano_`, with up to two characters missing or extra.
        ("1 3", 58..=62, BASE58, Caseless("a Nano address")),
        ("addr1 ae2 ddzff", LONG, ANY, Unsupported("a Cardano address")),
        ("pubk1", LONG, ANY, EOS),
        ("eos", 52..=54, BASE58, EOS),
        ("s", SEED_OF_STELLAR, BASE32, PrivateKey),
        ("g", CUT_OF_STELLAR, BASE32, formats::DAMAGED_STELLAR),
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

/// The maximum cost of a text that is taken for an address. Numbers with hardly any letters
/// but those of hexadecimal digits cost as much, and groups without a digit.
pub(super) const MAX_COST: i32 = 40;

/// The format of a text, if it is a known one other than Base58Check with a 20-byte payload, and
/// how unlike it the text is, in tenths of a character. That is negative if the text has nearly the
/// form of a Bech32 or a CashAddr address.
pub(super) fn of(text: &[Placed]) -> Option<(Foreign, i32)> {
    if is_helium(text) {
        return Some((Foreign::Unsupported("a Helium address"), -(text.len() as i32)));
    }
    let text = Zeroizing::new(spelled(&without_sets(text)).replace(is_mark, "?"));
    let mut small = Zeroizing::new(text.to_ascii_lowercase());
    if formats::is_secret_seed(&small) {
        return Some((SEED, OF_BEGIN));
    }
    // Those of a right checksum were one case before.
    let has_both_cases =
        *small != *text && text.to_ascii_uppercase() != *text && !formats::is_intact(&text);
    let prefix = prefixes(&small).next();
    if let Some(prefix) = &prefix {
        small.replace_range(..prefix.len(), prefix);
    }
    let typed = Typed { small: &small, prefix: prefix.as_deref(), has_both_cases };
    let near = FORMATS.iter().find_map(|format| Some((format.foreign()?, format.cost(&typed)?)));
    // An address in capital letters may have a few wrong ones.
    let wrong = text.bytes().filter(u8::is_ascii_lowercase).count();
    let near = near.or_else(|| {
        let typed = Typed { has_both_cases: false, ..typed };
        let cost = formats::Stellar.cost(&typed).filter(|_| wrong <= MAX_WRONG_CASE)?;
        Some((formats::DAMAGED_STELLAR, cost))
    });
    // A `?` may have been an underscore.
    let begin = Zeroizing::new(small.replace('?', ""));
    let is_of = |&&(begins, ref lengths, alphabet, _): &&(&str, RangeInclusive<usize>, &str, _)| {
        lengths.contains(&small.len())
            && begins.split(' ').any(|it| begin.starts_with(it))
            && outside(&begin, alphabet) == 0
    };
    let cost = |begins: &str| if begins.is_empty() { MAX_COST } else { OF_BEGIN };
    near.or_else(|| OTHERS.iter().find(is_of).map(|&(begins, .., it)| (it, cost(begins))))
}

/// The maximum number of characters outside the alphabet in what follows a prefix.
const MAX_OUTSIDE: i32 = 2;

/// The format that a prefix names, of a text of any length after some characters: `0x`, that of a
/// Bech32 address with its `1`, or `bitcoincash:` before it. Such a text is of no other format.
pub(super) fn named(before: &[Placed], text: &[Placed]) -> Option<Foreign> {
    let small = spelled_small(&without_sets(text));
    let typed = Typed { small: &small, prefix: None, has_both_cases: has_both_cases(text) };
    let label = before.iter().rposition(|it| !is_space(it.0)).map(|end| {
        let begin = before[..end].iter().rposition(|it| !it.0.is_ascii_alphabetic());
        (before[end].0, spelled_small(&before[begin.map_or(0, |at| at + 1)..end]))
    });
    let label = label.as_ref().filter(|(end, _)| *end == ':').map(|(_, word)| word.as_str());
    FORMATS.iter().find(|format| format.is_named(label, &typed)).and_then(|it| it.foreign())
}

/// Whether a text after some characters has the form of a `CashAddr` address after its prefix, in
/// letters of any case. Hardly any private key has so few characters outside its alphabet.
pub(super) fn is_cash_addr(before: &[Placed], text: &[Placed]) -> bool {
    named(before, text) == Some(formats::DAMAGED_CASH_ADDR)
        && text.len().abs_diff(CASH_ADDR) <= 1
        // A `B` looks like an `8`.
        && outside(&spelled(text).replace(['?', 'B'], "").to_ascii_lowercase(), BECH32_ALPHABET)
            <= MAX_OUTSIDE
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
            && outside(&data.replace('1', ""), BECH32_ALPHABET) == 0
    };
    (has_one_case && invoice.into_iter().any(is_invoice))
        .then_some(Foreign::Caseless("an invoice of Lightning"))
}

/// Whether a whole text has the form of an address and its prefix.
pub(super) fn is_address(text: &[Placed]) -> bool {
    let (text, small) = (spelled(text), spelled_small(text));
    let has_both_cases = *small != *text && text.to_ascii_uppercase() != *text;
    let typed = Typed { small: &small, prefix: None, has_both_cases };
    FORMATS.iter().any(|format| format.is_whole(&typed))
}

/// Whether some characters have the form of an address that may be in groups, unlike a key.
pub(super) fn may_be_in_groups(text: &[Placed]) -> bool {
    let Some((foreign, _)) = of(text) else { return false };
    let small = spelled_small(text);
    let typed = Typed { small: &small, prefix: None, has_both_cases: has_both_cases(text) };
    let is_of = |format: &&&dyn formats::AddressFormat| format.foreign() == Some(foreign);
    FORMATS.iter().find(is_of).is_some_and(|format| format.may_be_in_groups(&typed))
}

/// Whether a text in one case has the form of Bech32 with a prefix that is not in the table, nor a
/// damaged one of it, and not one that a private key has.
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
        && outside(data, BECH32_ALPHABET) == 0
        && (OTHER_LENGTHS.contains(&data.len()) && !formats::has_damaged_prefix(small)
            || is_checked())
}

/// Whether the prefix of a text in Bech32, in lower case, says that it is a private key.
pub(super) fn is_prefix_of_secret(prefix: &str) -> bool {
    PREFIXES_OF_SECRETS.contains(&prefix)
}

/// Whether what precedes the `1` of a text in Bech32, in lower case, is such a prefix, perhaps
/// without its first letters.
pub(super) fn may_be_prefix_of_secret(prefix: &str) -> bool {
    prefix.len() > 1 && PREFIXES_OF_SECRETS.iter().any(|whole| whole.ends_with(prefix))
}

/// Whether a text in lower case ends in the prefix of a private key in Bech32.
pub(super) fn ends_in_prefix_of_secret(text: &str) -> bool {
    PREFIXES_OF_SECRETS.iter().any(|prefix| text.ends_with(prefix))
}

/// The numbers of characters of family seeds of XRP, which begin with a small `s`.
const FAMILY_SEED: [usize; 2] = [29, 31];

/// The numbers of decimal digits of a private key.
const DECIMAL: RangeInclusive<usize> = 70..=78;

/// Whether a text is a private key in decimal digits.
pub(super) fn is_decimal_key(text: &[Placed]) -> bool {
    DECIMAL.contains(&text.len()) && text.iter().all(|it| it.0.is_ascii_digit())
}

/// The kind of a private key that is not recovered: in Bech32, a secret seed of Stellar, a family
/// seed of XRP, or decimal digits.
pub(super) fn other_key(text: &[Placed]) -> Option<Foreign> {
    let is_family_seed = text.first().is_some_and(|it| it.0 == 's')
        && FAMILY_SEED.contains(&text.len())
        && has_both_cases(text);
    if is_family_seed {
        return Some(Foreign::FamilySeed);
    }
    if is_decimal_key(text) {
        return Some(IN_DECIMAL);
    }
    let small = spelled_small(text);
    let (prefix, _) = small.split_once('1').unwrap_or_default();
    let is_seed = SEED_OF_STELLAR.contains(&small.len())
        && small.starts_with('s')
        && outside(&small.replace('?', ""), BASE32) == 0;
    match () {
        () if may_be_prefix_of_secret(prefix) => Some(Foreign::OtherKey("a private key in Bech32")),
        () => (is_seed || formats::is_secret_seed(&small)).then_some(SEED),
    }
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

/// What the prefix of a text in lower case may have been: `0x`, or that of a Bech32 address with
/// its `1`, common networks first. The digit may be read as a letter, and characters may be
/// unreadable.
pub(super) fn prefixes(small: &str) -> impl Iterator<Item = String> {
    let is_long = LONG.contains(&small.len());
    FORMATS.iter().filter(move |_| is_long).flat_map(move |format| format.prefixes(small))
}
