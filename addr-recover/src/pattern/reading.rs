//! Reads a text once, and says what each of its characters is.
//!
//! Secrets are found first, and the addresses in the rest: no character of a secret is ever a part
//! of an address. So what is answered depends on the whole text, not on the part of it that looks
//! most like an address.

use std::cell::LazyCell;
use std::fmt;
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

use zeroize::Zeroizing;

use super::keys::{self, runs, unread};
use super::plain::{self, GAP, LEFT_OUT, Placed, is_digit, spelled};
use super::{Pattern, foreign, windows};
use crate::damage::Damage;
use crate::number::MAX_LENGTH;
use crate::parse_error::{Foreign, ParseError};

/// Stands in a text for a secret.
const HIDDEN: &str = "(not shown)";

/// The maximum number of characters of a text that is a private key in decimal digits.
const MAX_DECIMAL: usize = 256;

/// A text that was read once: the addresses in it, each without its surroundings.
///
/// To read a text of thousands of words takes a tenth of a second, much longer than most searches.
///
/// ```
/// use addr_recover::{Damage, Reading};
///
/// let reading = Reading::of("Send it to 1dice8emzmqkvrge4qc9buff9px3xaydp, please.")?;
/// assert_eq!(reading.addresses().count(), 1);
/// let pattern = reading.pattern(Damage::default())?;
/// assert_eq!(pattern.address(), "1dice8emzmqkvrge4qc9buff9px3xaydp");
/// # Ok::<(), addr_recover::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Reading {
    /// The text, without its secrets.
    shown: Arc<str>,
    /// At least one, which is empty if the text is.
    addresses: Vec<Vec<Placed>>,
    /// The formats that the prefixes of the addresses name.
    named: Vec<Option<Foreign>>,
    may_show: bool,
    /// Whether it may have a secret that was not cut out.
    has_secret: bool,
    /// The number of characters of its secrets.
    left_out: usize,
    may_be_part_of_key: bool,
    parts: Arc<[Part]>,
}

/// Consecutive characters of a text that are the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// What they are.
    pub role: Role,
    /// Where they are, counted in characters from 0.
    pub range: Range<usize>,
}

/// What the characters of a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// An address, perhaps a damaged one.
    Address,
    /// A private key or as many hexadecimal digits, such as those of a transaction's name.
    Secret,
    /// A word or a number.
    Word,
    /// Characters with letters and digits that are none of the above.
    Code,
    /// White space and punctuation.
    Separator,
}

impl Reading {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::Foreign`] if the text has a key, unless that is a private key in
    /// hexadecimal digits or in Bech32 beside an address.
    pub fn of(text: &str) -> Result<Self, ParseError> {
        let all = plain::characters(text);
        // With labels and separators, such a key is hardly longer.
        if all.len() <= MAX_DECIMAL && foreign::is_decimal_key(&plain::bare(&all)) {
            return Err(ParseError::Foreign(foreign::IN_DECIMAL));
        }
        let found = runs::secrets(&all);
        let secrets: Vec<Range<usize>> = found.iter().map(|it| it.range.clone()).collect();
        let characters = without(&all, &secrets);
        let addresses: keys::Addresses<'_> =
            LazyCell::new(Box::new(|| windows::addresses(&characters)));
        if !secrets.is_empty() && !addresses.iter().any(|it| windows::may_be_address(it)) {
            let key = keys::key_instead_of_address(text, &all, &LazyCell::new(Box::new(Vec::new)));
            let formats = || found.iter().map(|it| it.format);
            let is_clear = |it: &Foreign| !matches!(it, Foreign::PrivateKey | Foreign::PartOfKey);
            let format = formats().find(is_clear).or(key).or(formats().next());
            return Err(ParseError::Foreign(format.unwrap_or(Foreign::PrivateKey)));
        }
        if let Some(key) = keys::key_instead_of_address(text, &characters, &addresses) {
            return Err(ParseError::Foreign(key));
        }
        let is_shown = keys::may_show(&characters, &addresses);
        let mut addresses = LazyCell::force(&addresses).clone();
        if !secrets.is_empty() {
            addresses.retain(|address| windows::may_be_address(address));
        }
        // Others may be groups of what is not to be shown.
        if !is_shown && addresses.len() > 1 {
            addresses.retain(|address| windows::is_intact(&spelled(address)));
        }
        let places: Vec<Range<usize>> = secrets.iter().map(|it| places(&all[it.clone()])).collect();
        let parts = parts(text, &addresses, &places);
        let like = addresses.iter().filter(|it| unread::is_like_address(it));
        let read: Vec<Range<usize>> = like.map(|it| self::places(it)).collect();
        let is_beside = !read.is_empty();
        let codes = unread::codes(text, [&read[..], &places].concat());
        let of_secrets = secrets.iter().flat_map(|it| &all[it.clone()]).filter(is_visible).count();
        let of_codes = codes.iter().map(Range::len).sum::<usize>();
        let left_out = of_secrets + if is_beside { of_codes } else { 0 };
        let mut hidden = [&places[..], &codes].concat();
        hidden.sort_by_key(|it| it.start);
        let named = |address: &Vec<Placed>| {
            let begin = address.first()?.1;
            foreign::named(&all[..all.partition_point(|it| it.1 < begin)], address)
        };
        Ok(Self {
            named: addresses.iter().map(named).collect(),
            may_be_part_of_key: unread::may_be_part(text, &addresses, !codes.is_empty()),
            shown: shown(text, &hidden),
            addresses,
            may_show: is_shown && hidden.is_empty(),
            has_secret: !is_shown && secrets.is_empty(),
            left_out,
            parts,
        })
    }

    /// Whether the text may be shown and saved: beside its addresses, it has words and numbers, and
    /// nothing that may be a key or a part of one.
    #[must_use]
    pub fn may_show(&self) -> bool {
        self.may_show
    }

    /// Whether the text may have a secret that was not left out.
    pub(crate) fn has_secret(&self) -> bool {
        self.has_secret
    }

    /// The number of letters and digits that are left out beside the addresses, because they may be
    /// a key of any kind, or a part of one.
    ///
    /// ```
    /// use addr_recover::Reading;
    ///
    /// let (address, name) = ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", "0c28fca386c7a227".repeat(4));
    /// let reading = Reading::of(&format!("To {address}\nTXID: {name}"))?;
    /// assert_eq!(reading.left_out(), 64);
    /// assert_eq!(reading.addresses().collect::<Vec<_>>(), [address]);
    /// assert!(!reading.may_show());
    /// # Ok::<(), addr_recover::ParseError>(())
    /// ```
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// What each character of the text is. The parts follow one another without a gap.
    ///
    /// ```
    /// use addr_recover::{Reading, Role};
    ///
    /// let reading = Reading::of("To: 1dice8emzmqkvrge4qc9buff9px3xaydp")?;
    /// let roles: Vec<Role> = reading.parts().iter().map(|part| part.role).collect();
    /// assert_eq!(roles, [Role::Word, Role::Separator, Role::Address]);
    /// # Ok::<(), addr_recover::ParseError>(())
    /// ```
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether an address in the text is better not repeated or saved, although it may be searched
    /// for: it may be a part of a private key that is as long as an address. The text has a word
    /// such as `key` or `WIF`, or what is read begins like a key, or begins like no address, or has
    /// the length of none.
    ///
    /// ```
    /// use addr_recover::Reading;
    ///
    /// // From the wiki of Bitcoin.
    /// let key = "KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617";
    /// assert!(Reading::of(&key[..26])?.may_be_part_of_key());
    /// assert!(Reading::of(&format!("second half: {}", &key[26..]))?.may_be_part_of_key());
    /// assert!(!Reading::of("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71")?.may_be_part_of_key());
    /// # Ok::<(), addr_recover::ParseError>(())
    /// ```
    #[must_use]
    pub fn may_be_part_of_key(&self) -> bool {
        self.may_be_part_of_key
    }

    /// The addresses in the text, whatever their formats.
    pub fn addresses(&self) -> impl Iterator<Item = String> {
        self.addresses.iter().map(|address| take(&mut *spelled(address)))
    }

    /// The address in the text, with a `?` for each set. `None` if there are several.
    pub(crate) fn address_without_sets(&self) -> Option<String> {
        let [address] = &self.addresses[..] else { return None };
        Some(take(&mut *spelled(&plain::without_sets(address))))
    }

    /// The readings of the addresses, one each.
    #[must_use]
    pub fn split(self) -> Vec<Self> {
        let Self { shown, addresses, named, parts, may_show, has_secret, .. } = self;
        let Self { left_out, may_be_part_of_key, .. } = self;
        let of_one = |(address, named)| Self {
            shown: Arc::clone(&shown),
            addresses: vec![address],
            named: vec![named],
            may_show,
            has_secret,
            left_out,
            may_be_part_of_key,
            parts: Arc::clone(&parts),
        };
        addresses.into_iter().zip(named).map(of_one).collect()
    }

    /// The format that the prefix of the address in the text names.
    pub(crate) fn named(&self) -> Option<Foreign> {
        self.named.first().copied().flatten()
    }

    /// The text, without its secrets.
    pub(crate) fn as_str(&self) -> &str {
        &self.shown
    }

    /// What the address in the text stands for, if it has some damage.
    ///
    /// # Errors
    ///
    /// Returns any [`ParseError`] except `TooComplex`.
    pub fn pattern(&self, damage: Damage) -> Result<Pattern, ParseError> {
        let characters = match &self.addresses[..] {
            [address] if address.is_empty() => return Err(ParseError::Empty),
            [address] => address,
            several => return Err(ParseError::Several { count: several.len() }),
        };
        let named = self.named();
        if plain::places(characters) > MAX_LENGTH + 1
            && let Some((foreign, _)) = foreign::of(characters)
        {
            return Err(ParseError::Foreign(foreign));
        }
        if let Some(foreign) = named
            && !characters.iter().any(|it| it.0 == GAP)
        {
            return Err(ParseError::Foreign(foreign));
        }
        let characters = Zeroizing::new(characters.clone());
        let pattern = Pattern::new(Arc::clone(&self.shown), characters, damage)?.checked();
        pattern.map_err(|error| foreign::name(&self.shown).map_or(error, ParseError::Foreign))
    }
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("shown", &self.shown).finish_non_exhaustive()
    }
}

/// The text with one character instead of each secret, which nothing is read across.
fn without(text: &[Placed], secrets: &[Range<usize>]) -> Zeroizing<Vec<Placed>> {
    let mut kept = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut at = 0;
    for secret in secrets {
        kept.extend_from_slice(&text[at..secret.start]);
        kept.push((LEFT_OUT, text[secret.start].1));
        at = secret.end;
    }
    kept.extend_from_slice(&text[at..]);
    kept
}

/// Where some characters are in the text, counted from 0.
fn places(characters: &[Placed]) -> Range<usize> {
    let [(_, first), .., (_, last)] = characters else {
        let at = characters.first().map_or(0, |it| it.1 - 1);
        return at..at + characters.len();
    };
    first - 1..*last
}

/// The text without its secrets.
fn shown(text: &str, secrets: &[Range<usize>]) -> Arc<str> {
    if secrets.is_empty() {
        return Arc::from(text);
    }
    let mut shown = String::with_capacity(text.len() + secrets.len() * HIDDEN.len());
    let mut secrets = secrets.iter().peekable();
    for (at, character) in text.chars().enumerate() {
        secrets.next_if(|it| it.end <= at);
        match secrets.peek() {
            Some(secret) if secret.start == at => shown.push_str(HIDDEN),
            Some(secret) if secret.contains(&at) => {}
            _ => shown.push(character),
        }
    }
    Arc::from(shown)
}

fn is_visible(it: &&Placed) -> bool {
    is_digit(it.0) || it.0 == '?'
}

/// What each character is.
fn parts(text: &str, addresses: &[Vec<Placed>], secrets: &[Range<usize>]) -> Arc<[Part]> {
    let mut characters = Zeroizing::new(Vec::with_capacity(text.len()));
    characters.extend(text.chars());
    let mut roles: Vec<Role> = characters
        .chunk_by(|one: &char, other: &char| one.is_alphanumeric() == other.is_alphanumeric())
        .flat_map(|word| std::iter::repeat_n(role(word), word.len()))
        .collect();
    let of_addresses = addresses.iter().map(|it| (places(it), Role::Address));
    for (range, role) in of_addresses.chain(secrets.iter().map(|it| (it.clone(), Role::Secret))) {
        roles[range].fill(role);
    }
    let is_word = |at: usize| characters[at].is_alphanumeric();
    let mut parts: Vec<Part> = Vec::new();
    for (at, &role) in roles.iter().enumerate() {
        match parts.last_mut() {
            // Two words have something between them.
            Some(part) if part.role == role && (role != Role::Word || is_word(at)) => {
                part.range.end = at + 1;
            }
            _ => parts.push(Part { role, range: at..at + 1 }),
        }
    }
    Arc::from(parts)
}

/// What a run of letters and digits, or of other characters, is if it is nothing else.
fn role(word: &[char]) -> Role {
    match () {
        () if !word.iter().all(|c| c.is_alphanumeric()) => Role::Separator,
        () if word.iter().all(|c| c.is_alphabetic()) => Role::Word,
        () if word.iter().all(|c| c.is_numeric()) => Role::Word,
        () => Role::Code,
    }
}
