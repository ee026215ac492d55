//! Finds keys in a text: so that none is taken for an address, and to recover one.

pub(super) mod pieces;
pub(super) mod runs;
pub(super) mod unread;

use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use pieces::Secret;
use zeroize::Zeroizing;

use super::foreign;
use super::places::has_both_cases;
use super::plain::{Placed, all, bare, is_digit, is_mark, spelled, spelled_small, without_sets};
use super::windows::{DIVIDED, FOREIGN, Text, has_digit, is_intact, is_like_address, is_number};
use crate::key::mini;
use crate::kind::Bech32Network;
use crate::number::MIN_LENGTH;
use crate::parse_error::{Foreign, MIN_PART};

/// The maximum number of lines of one key: one for each character.
pub(super) const MAX_LINES_OF_KEY: usize = 128;

/// The lengths of private keys in the wallet import format, with one character missing or extra.
const KEY_LENGTHS: RangeInclusive<usize> = 50..=53;

/// [`KEY_LENGTHS`] without up to two characters that are unreadable, or one that is extra.
const LENGTHS_IN_PIECES: RangeInclusive<usize> = 49..=53;

/// The maximum number of pieces that look like words at each end of a key.
const MAX_PIECES: usize = 3;

/// One in so many characters of a key in pieces may be in pieces that look like words.
const MAX_WORDS: usize = 4;

/// What these begin with on the networks of [`KEY_KINDS`](crate::KEY_KINDS), in lower case.
const FIRST: &str = "5kl9c6tq7x";

/// The first characters of private keys in the wallet import format on Bitcoin's networks. Nearly
/// all common addresses begin otherwise, or are longer than a part of a key.
const FIRST_OF_BITCOIN: &str = "5KL9c";

/// The numbers of characters of most Solana addresses, which may begin like a key.
const SOLANA: RangeInclusive<usize> = 43..=44;

/// The numbers of words in a seed phrase of an old Electrum wallet.
const OLD_SEED_PHRASES: [usize; 2] = [12, 24];

/// Words of nearly every sentence, of which the list of old Electrum wallets has none.
const WORDS_OF_PROSE: [&str; 32] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "he", "i", "if", "in",
    "is", "it", "its", "me", "my", "of", "on", "or", "she", "that", "the", "they", "to", "was",
    "we", "with", "you",
];

/// The number of words in the shortest seed phrase, and how many of them may be misspelled.
const SEED_PHRASE: (usize, usize) = (12, 2);

/// The English words of BIP 39. Hardly any seed phrase has others.
static WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("bip39-english.txt").lines().collect());

/// The addresses in a text, which are found only if somebody asks.
pub(super) type Addresses<'a> =
    LazyCell<Vec<Vec<Placed>>, Box<dyn FnOnce() -> Vec<Vec<Placed>> + 'a>>;

/// What a text has that may be a damaged key, perhaps in groups.
pub(super) fn key_instead_of_address(
    text: &str,
    characters: &[Placed],
    addresses: &Addresses<'_>,
) -> Option<Foreign> {
    let whole = bare(characters);
    let is_alone = text.trim().len() == whole.len() && whole.iter().all(|&(c, _)| is_digit(c));
    if let Some(other) = foreign::no_key(&whole, is_alone) {
        return Some(other);
    }
    if foreign::is_address(&whole) {
        return None;
    }
    let is_clear = |it: &Foreign| matches!(it, Foreign::ExtendedPublicKey | Foreign::Hexadecimal);
    let of_whole = foreign::of(&whole).map(|(it, _)| it).filter(is_clear);
    let text_of_key = without_sets(characters);
    let is_public =
        |run: &[Placed]| matches!(foreign::of(run), Some((Foreign::ExtendedPublicKey, _)));
    let runs = || text_of_key.split(|&(c, _)| !is_digit(c) && !is_mark(c));
    let found = match () {
        () if is_mini_key(&whole) => Some(Foreign::MiniKey),
        () if of_whole.is_some() => of_whole,
        () if has_private_key(&text_of_key, addresses) => Some(Foreign::PrivateKey),
        () if is_key_in_pieces(&text_of_key)
            && !has_intact_address(addresses)
            && !addresses.iter().any(|it| is_cash_addr(&text_of_key, it)) =>
        {
            Some(Foreign::PrivateKey)
        }
        () if runs().any(|run| is_mini_key(run) && may_pass(run)) => Some(Foreign::MiniKey),
        () if has_seed_phrase(text) => Some(Foreign::SeedPhrase),
        () => match pieces_of_key(&text_of_key, addresses) {
            Some(Secret::Digits) if has_intact_address(addresses) => None,
            Some(_) if runs().any(is_public) => Some(Foreign::ExtendedPublicKey),
            Some(_) => Some(Foreign::PrivateKey),
            None => None,
        },
    };
    found.map(|key| match key {
        // The key of its owner has as many characters without its checksum.
        Foreign::PrivateKey if is_alone && SOLANA.contains(&whole.len()) => Foreign::SolanaOrKey,
        key => key,
    })
}

/// Whether a text without a key has no 64 hexadecimal digits either.
pub(super) fn may_show(characters: &[Placed], addresses: &Addresses<'_>) -> bool {
    pieces_of_key(&without_sets(characters), addresses).is_none()
}

fn pieces_of_key(plain: &[Placed], addresses: &Addresses<'_>) -> Option<Secret> {
    pieces::secret(plain, || addresses_in(plain, addresses))
}

/// Whether a text without its surroundings has the form of a mini key. 30 known characters have to
/// pass the check, because they are as likely a part of an address.
fn is_mini_key(text: &[Placed]) -> bool {
    mini::LENGTHS.contains(&text.len())
        && text[0].0 == mini::FIRST.0
        && text.iter().all(|&(c, _)| is_digit(c) || is_mark(c))
        && has_digit(text)
        && has_both_cases(text)
        && (text.len() < MIN_LENGTH || may_pass(text))
}

/// Whether the check of a mini key is right, unless a character is unreadable.
fn may_pass(text: &[Placed]) -> bool {
    let is_known = text.iter().all(|&(c, _)| is_digit(c));
    !is_known || mini::decode(&spelled(text)).is_some()
}

/// Whether a text has consecutive words of a seed phrase, perhaps numbered.
pub(super) fn has_seed_phrase(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let are_known: Vec<bool> =
        words.map(|word| WORDS.contains(Zeroizing::new(word.to_lowercase()).as_str())).collect();
    let (length, max_wrong) = SEED_PHRASE;
    let is_phrase = |words: &[bool]| words.iter().filter(|known| !**known).count() <= max_wrong;
    are_known.windows(length).any(is_phrase) || is_old_seed_phrase(text)
}

/// Whether a text has the form of a seed phrase of an Electrum wallet from before 2014: nothing but
/// words in lower case, none of which is one of prose.
fn is_old_seed_phrase(text: &str) -> bool {
    let is_word = |word: &str| {
        word.len() > 1
            && word.bytes().all(|c| c.is_ascii_lowercase())
            && !WORDS_OF_PROSE.contains(&word)
    };
    OLD_SEED_PHRASES.contains(&text.split_whitespace().count())
        && text.split_whitespace().all(is_word)
}

/// Whether characters are enough for a private key or a part of one, and of no other known format,
/// even if each `O` stands for an unreadable one. The first character of a whole key may be wrong,
/// and others may surround it.
fn has_form_of_key(run: &[Placed]) -> bool {
    let is_of_no_other = |run: &[Placed]| match foreign::of(run) {
        Some((format, _)) => format == Foreign::PrivateKey,
        None => run.len() >= *KEY_LENGTHS.start(),
    };
    let with_marks = run.iter().map(|&(c, at)| (if c == 'O' { '?' } else { c }, at));
    run.len() >= MIN_PART
        && has_digit(run)
        && !all(run, char::is_ascii_hexdigit)
        && is_of_no_other(run)
        && is_of_no_other(&Zeroizing::new(with_marks.collect::<Vec<_>>()))
}

/// Whether a text has the length of a private key in pieces of any length, besides words before and
/// after it. Few of the pieces look like words: the pieces of an address with words beside it may
/// have that length, too.
fn is_key_in_pieces(text: &[Placed]) -> bool {
    let is_word = |piece: &&&[Placed]| {
        all(&piece[..1], char::is_ascii_alphabetic) && all(&piece[1..], char::is_ascii_lowercase)
            || all(piece, char::is_ascii_uppercase)
            || all(piece, char::is_ascii_digit)
    };
    let pieces = text.split(|it| !is_digit(it.0)).filter(|piece| !piece.is_empty());
    let pieces: Vec<&[Placed]> = pieces.collect();
    let begin = pieces.iter().take_while(is_word).count();
    let end = pieces.len() - pieces[begin..].iter().rev().take_while(is_word).count();
    // The first and the last pieces of a key may look like words.
    let firsts = begin.saturating_sub(MAX_PIECES)..=begin;
    let lasts = end..=pieces.len().min(end + MAX_PIECES);
    firsts.flat_map(|first| lasts.clone().map(move |last| (first, last))).any(|(first, last)| {
        let pieces = &pieces[first..last];
        if !(2..=*LENGTHS_IN_PIECES.end()).contains(&pieces.len()) {
            return false;
        }
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        let others: Vec<&[Placed]> =
            pieces.iter().filter(|piece| !is_word(piece)).copied().collect();
        let others = Zeroizing::new(others.concat());
        LENGTHS_IN_PIECES.contains(&length)
            && MAX_WORDS * (length - others.len()) < length
            && has_both_cases(&others)
            && has_digit(&others)
            && !is_number(&others)
            && !pieces.iter().any(|piece| is_like_address(piece))
    })
}

fn has_intact_address(addresses: &Addresses<'_>) -> bool {
    addresses.iter().any(|address| is_intact(&spelled(address)))
}

fn is_cash_addr(plain: &[Placed], address: &[Placed]) -> bool {
    address.first().is_some_and(|first| {
        let begin = plain.partition_point(|it| it.1 < first.1);
        foreign::is_cash_addr(&plain[..begin], address)
    })
}

/// The positions of the Bech32 addresses in a text, and of those of `CashAddr` after their prefix,
/// perhaps damaged ones. `plain` is the text.
fn bech32_addresses(plain: &[Placed], addresses: &Addresses<'_>) -> Vec<RangeInclusive<usize>> {
    let is_bech32 = |address: &&Vec<Placed>| {
        if is_cash_addr(plain, address) {
            return true;
        }
        let small = spelled_small(address);
        let prefix = Bech32Network::of(&small).map_or(0, |(network, _)| network.prefix.len() + 1);
        // A prefix that was restored may have been the beginning of a key.
        let begin = plain.partition_point(|it| it.1 < address[0].1);
        let is_read = prefix > 0 && plain[begin..].starts_with(&address[..prefix]);
        is_read && is_like_address(address) && !has_both_cases(address)
    };
    let found = addresses.iter().filter(is_bech32);
    found.map(|address| address[0].1..=address[address.len() - 1].1).collect()
}

/// The positions of the addresses in a text that may be in groups: whole ones, and those of other
/// formats in one case, perhaps damaged.
fn addresses_in(plain: &[Placed], addresses: &Addresses<'_>) -> Vec<RangeInclusive<usize>> {
    let is_whole = |address: &&Vec<Placed>| is_intact(&spelled(address));
    let found = addresses.iter();
    let found = found.filter(|it| is_whole(it) || foreign::may_be_in_groups(it));
    let found = found.map(|address| address[0].1..=address[address.len() - 1].1);
    found.chain(bech32_addresses(plain, addresses)).collect()
}

/// The positions of the addresses in a text whose checksums are right.
fn intact_addresses(addresses: &Addresses<'_>) -> Vec<RangeInclusive<usize>> {
    let intact = addresses.iter().filter(|address| is_intact(&spelled(address)));
    intact.map(|address| address[0].1..=address[address.len() - 1].1).collect()
}

/// Whether consecutive tokens have the form of a private key, or the length and the first character
/// of one in the wallet import format: with unreadable characters between them, in two groups, or
/// in groups of equal length of which the last may be shorter. A part of a key is enough if it is
/// in one run, in two lines, or in more than three groups. A part of a Bech32 address is not a key,
/// and no key has a part of an address whose checksum is right.
fn has_private_key(plain: &[Placed], addresses: &Addresses<'_>) -> bool {
    let bech32_addresses = LazyCell::new(|| bech32_addresses(plain, addresses));
    let intact_addresses = LazyCell::new(|| intact_addresses(addresses));
    // An `O`, which no key has, does not divide it.
    let read = plain.iter().map(|&(c, at)| (if c == '?' { 'O' } else { c }, at));
    let read: Zeroizing<Vec<Placed>> = Zeroizing::new(read.collect());
    let text = Text::new(&read);
    let mut has_key = false;
    text.visit(*KEY_LENGTHS.end(), |first, last, window| {
        let groups = &window.groups;
        let (length, size) = (groups.iter().sum::<usize>(), groups[0]);
        let length_of = |token: usize| text.token(token).len();
        // A label or a year is no group.
        let is_group = |token: usize| {
            let token = text.token(token);
            let is_word = all(token, char::is_ascii_alphabetic);
            token.len() == 1 || !is_word && !all(token, char::is_ascii_digit)
        };
        let is_after =
            groups.ends_with(&[size]) && is_group(last + 1) && length_of(last + 1) <= size;
        let before = (first.saturating_sub(*KEY_LENGTHS.end())..first).rev();
        let is_before = before.take_while(|&token| length_of(token) == size).any(is_group);
        let are_equal = window.has_equal_groups() && !is_before && !is_after;
        // Such characters divide the words of a name, too.
        let is_name = window.words > 0 && window.foreign > 0;
        let is_one = groups.len() == 1 && !is_name;
        let are_two = groups.len() == 2 && !is_name && window.divided <= DIVIDED[0];
        let is_whole = KEY_LENGTHS.contains(&length) && (is_one || are_two || are_equal);
        let are_lines = length >= MIN_PART && are_two && size.abs_diff(groups[1]) < 2;
        let begin = window.characters[0].0;
        let begins = begin == 'O' || FIRST.contains(begin.to_ascii_lowercase());
        let count = |c: char| window.characters.iter().filter(|it| it.0 == c).count();
        // Other characters than the usual marks divide addresses and names, too.
        let has_marks = window.foreign == count('?') as i32 * FOREIGN[0];
        let is_readable = has_marks && count('?') + count('O') <= length / 8;
        let is_part = is_one || are_lines || are_equal && begins && groups.len() > 3;
        // An address and words are as long.
        let is_address = |token: usize| {
            let token = text.token(token);
            is_intact(&spelled(token))
                || groups.len() > 1 && window.words > 0 && is_like_address(token)
        };
        let is_in_bech32 = || {
            let surrounds = |address: &RangeInclusive<usize>| {
                window.characters.iter().all(|(_, position)| address.contains(position))
            };
            bech32_addresses.iter().any(surrounds)
        };
        let has_part_of_intact = || {
            let is_part = |address: &RangeInclusive<usize>| {
                window.characters.iter().any(|(_, position)| address.contains(position))
            };
            intact_addresses.iter().any(is_part)
        };
        has_key |= (begins && (is_whole || are_lines)
            || is_part && is_readable && has_form_of_key(&window.characters))
            && !(first..=last).any(is_address)
            && !is_in_bech32()
            && !has_part_of_intact();
    });
    has_key
}
