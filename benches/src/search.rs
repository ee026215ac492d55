//! Complete searches of addr-recover with each backend, not only their hashing.

use addr_recover::{Backend, Case, Damage, Kind, Pattern, Search, SearchSpace};

use crate::harness::{Candidate, Role, Set, Shape};
use crate::machine::label;

pub(crate) static SETS: [Set; 1] = [Set::new("addr-recover", "addr-recover", "addr-recover")];

/// Bitcoin's first address.
const ADDRESS: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

/// Length of version and payload in bytes.
const LEN: usize = 21;

/// The number of letters of unknown case in the smaller search.
const LETTERS: usize = 16;

/// The address in lower case, with the number of prefixes of the spellings that decode to 25 bytes;
/// and the address with some letters of unknown case, few enough to decode all spellings.
pub(crate) fn shapes() -> [Shape; 2] {
    let (in_brackets, letters) = in_brackets();
    [
        shape("search", 262_402, ADDRESS.to_lowercase(), Damage::default(), None),
        shape(
            "16-letters",
            1 << LETTERS,
            in_brackets,
            Damage { case: Case::Kept, ..Damage::default() },
            Some(letters),
        ),
    ]
}

/// The address with the first letters in brackets, such as `[Pp]`, and the places of these letters.
/// All exist in both cases in Base58.
fn in_brackets() -> (String, Vec<usize>) {
    let (mut text, mut letters) = (String::new(), Vec::new());
    for (place, letter) in ADDRESS.char_indices() {
        let has_cases = letter.is_ascii_alphabetic() && !"IiLlOo".contains(letter);
        if has_cases && letters.len() < LETTERS {
            letters.push(place);
            let (upper, lower) = (letter.to_ascii_uppercase(), letter.to_ascii_lowercase());
            text += &format!("[{upper}{lower}]");
        } else {
            text.push(letter);
        }
    }
    (text, letters)
}

/// A search for `text`, and one spelling after another if the places of the doubtful letters are
/// given.
fn shape(
    name: &str,
    items: usize,
    text: String,
    damage: Damage,
    letters: Option<Vec<usize>>,
) -> Shape {
    let names = ("addr-recover", name.to_owned());
    Shape::new("addr-recover", names, (items, items * LEN), move |then| {
        let pattern = Pattern::with_damage(&text, damage.clone()).expect("the pattern is valid");
        let space = SearchSpace::new(&pattern, &Kind::common_versions())
            .expect("only letter case is damaged");
        let (space, is_exact) = (&space, letters.is_none());
        let candidate = |&backend: &Backend| {
            let role = Role::of(&backend, &Backend::detect());
            Candidate::returning(backend.name().to_owned(), role, move || {
                let search = Search::new(space).backend(backend).on_this_thread();
                let outcome = search.run().expect("the search is not cancelled");
                // Some of the other spellings decode to more bytes, and are not hashed.
                assert!(!is_exact || outcome.hashes == items as u64);
                outcome.hits[0].text.to_string()
            })
        };
        let mut all: Vec<_> = Backend::available().iter().map(candidate).collect();
        if let Some(letters) = &letters {
            let name = label("bs58", "0.5") + ":with_check";
            all.push(Candidate::returning(name, Role::Rival, || each_spelling(letters)));
        }
        then(all, ADDRESS.as_bytes());
    })
}

/// Decodes the spellings one after another, and returns the one with a valid checksum.
fn each_spelling(letters: &[usize]) -> Vec<u8> {
    let mut found = Vec::new();
    for cases in 0..1_u32 << letters.len() {
        let mut text = ADDRESS.as_bytes().to_vec();
        for (bit, &place) in letters.iter().enumerate() {
            text[place] = if cases >> bit & 1 == 0 {
                text[place].to_ascii_lowercase()
            } else {
                text[place].to_ascii_uppercase()
            };
        }
        let mut decoded = [0; LEN + 4];
        if bs58::decode(&text).with_check(Some(0)).onto(&mut decoded).is_ok() {
            found.extend(text);
        }
    }
    found
}
