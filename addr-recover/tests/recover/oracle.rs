//! A naive search that tries every text: slow, short, and independent of the library.

use std::collections::{BTreeMap, BTreeSet};

use addr_recover::{Damage, Version};
use sha2::{Digest, Sha256};

pub(crate) const ALPHABET: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The digits allowed in each place of a text.
pub(crate) type Form = Vec<String>;

/// The result of a complete search.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) candidates: u64,
    pub(crate) prefixes: u64,
    pub(crate) addresses: Vec<String>,
}

/// The digits that a letter may be if its case is lost.
pub(crate) fn either_case(character: char) -> String {
    ALPHABET.chars().filter(|digit| digit.eq_ignore_ascii_case(&character)).collect()
}

/// All forms that some edits lead to in any order, including the form itself. Blocks come first.
fn edited(form: &Form, damage: &Damage) -> BTreeSet<Form> {
    let any = || [ALPHABET.to_owned()];
    let &Damage { typos, missing, surplus, swapped, cut, .. } = damage;
    let left = [damage.look_alikes.max.unwrap_or(0), typos, missing, surplus, swapped, cut];
    let forms = if damage.blocks { in_blocks(form) } else { vec![form.clone()] };
    let mut todo: Vec<(Form, [u8; 6])> = forms.into_iter().map(|form| (form, left)).collect();
    let mut done: BTreeSet<(Form, [u8; 6])> = todo.iter().cloned().collect();
    while let Some((form, left)) = todo.pop() {
        let replaced = |at: usize, by: String| [&form[..at], &[by], &form[at + 1..]].concat();
        let alike = |at: usize| {
            let groups = damage.look_alikes.everywhere.iter();
            let mut groups = groups.filter(|group| group.contains(form[at].as_str()));
            let alike = groups.next().unwrap_or(&form[at]);
            alike.chars().filter(|&c| ALPHABET.contains(c)).collect()
        };
        let exchanged = |at: usize| {
            let mut form = form.clone();
            form.swap(at, at + 1);
            form
        };
        let places = 0..form.len();
        let edit = |kind: usize| -> Vec<Form> {
            let places = places.clone();
            match kind {
                0 => places.map(|at| replaced(at, alike(at))).collect(),
                1 => places.map(|at| replaced(at, ALPHABET.to_owned())).collect(),
                2 => {
                    (0..=form.len()).map(|at| [&form[..at], &any(), &form[at..]].concat()).collect()
                }
                3 => places.map(|at| [&form[..at], &form[at + 1..]].concat()).collect(),
                4 => (1..form.len()).map(|at| exchanged(at - 1)).collect(),
                _ => vec![[&any(), &form[..]].concat(), [&form[..], &any()].concat()],
            }
        };
        for kind in (0..left.len()).filter(|&kind| left[kind] > 0) {
            let mut left = left;
            left[kind] -= 1;
            for form in edit(kind) {
                if done.insert((form.clone(), left)) {
                    todo.push((form, left));
                }
            }
        }
    }
    done.into_iter().map(|(form, _)| form).collect()
}

/// The forms with two blocks of four swapped, or without one that repeats the one before.
fn in_blocks(form: &Form) -> Vec<Form> {
    let blocks: Vec<&[String]> = form.chunks(4).collect();
    let mut forms = vec![form.clone()];
    for (at, other) in (0..blocks.len()).flat_map(|at| (0..at).map(move |other| (at, other))) {
        let mut swapped = blocks.clone();
        swapped.swap(at, other);
        forms.push(swapped.concat());
    }
    for at in 0..form.len().saturating_sub(7) {
        if form[at..at + 4] == form[at + 4..at + 8] {
            forms.push([&form[..at], &form[at + 4..]].concat());
        }
    }
    forms
}

fn spellings(form: &Form) -> Vec<String> {
    form.iter().fold(vec![String::new()], |texts, digits| {
        texts
            .iter()
            .flat_map(|text| digits.chars().map(move |digit| format!("{text}{digit}")))
            .collect()
    })
}

pub(crate) fn answer(form: &Form, damage: &Damage, versions: &[Version]) -> Answer {
    let mut texts = BTreeSet::new();
    for form in edited(form, damage) {
        texts.extend(spellings(&form));
    }
    let mut answer = Answer::default();
    // Prefixes keyed by length: a message of 21 bytes may begin like one of 22.
    let mut prefixes: BTreeMap<usize, BTreeSet<Vec<u8>>> = BTreeMap::new();
    for text in texts {
        let bytes = bs58::decode(&text).into_vec().unwrap();
        let matches = |version: &Version| {
            let length = if *version == Version::byte(version.value() as u8) { 25 } else { 26 };
            let bytes_of_version = &version.value().to_be_bytes()[26 - length..];
            bytes.len() == length && bytes.starts_with(bytes_of_version)
        };
        if !versions.iter().any(matches) {
            continue;
        }
        let (message, checksum) = bytes.split_at(bytes.len() - 4);
        // An all-zero message whose checksum begins with zero is not an address, and needs no hash.
        if message.iter().all(|&byte| byte == 0) && checksum[0] == 0 {
            continue;
        }
        answer.candidates += 1;
        prefixes.entry(message.len()).or_default().insert(message.to_vec());
        if Sha256::digest(Sha256::digest(message)).starts_with(checksum) {
            answer.addresses.push(text);
        }
    }
    answer.prefixes = prefixes.values().map(|set| set.len() as u64).sum();
    answer
}
