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

/// All forms that some edits lead to, including the form itself.
fn edited(form: &Form, damage: &Damage) -> Vec<Form> {
    let mut forms = vec![form.clone()];
    let mut extend = |edit: &dyn Fn(&Form) -> Vec<Form>| {
        let more: Vec<Form> = forms.iter().flat_map(edit).collect();
        forms.extend(more);
    };
    let any = || [ALPHABET.to_owned()];
    for _ in 0..damage.look_alikes.max.unwrap_or(0) {
        extend(&|form| {
            let alike = |digits: &String| -> String {
                let groups = damage.look_alikes.everywhere.iter();
                let mut groups = groups.filter(|group| group.contains(digits.as_str()));
                let alike = groups.next().unwrap_or(digits);
                alike.chars().filter(|&c| ALPHABET.contains(c)).collect()
            };
            let confused = |at: usize| [&form[..at], &[alike(&form[at])], &form[at + 1..]].concat();
            (0..form.len()).map(confused).collect()
        });
    }
    if damage.blocks {
        extend(&|form| {
            let blocks: Vec<&[String]> = form.chunks(4).collect();
            let mut changed = Vec::new();
            for (at, other) in
                (0..blocks.len()).flat_map(|at| (0..at).map(move |other| (at, other)))
            {
                let mut swapped = blocks.clone();
                swapped.swap(at, other);
                changed.push(swapped.concat());
                if at == other + 1 && blocks[at] == blocks[other] {
                    changed.push([&blocks[..at], &blocks[at + 1..]].concat().concat());
                }
            }
            changed
        });
    }
    for _ in 0..damage.surplus {
        extend(&|form| (0..form.len()).map(|at| [&form[..at], &form[at + 1..]].concat()).collect());
    }
    extend(&|form| swapped(form, 0, damage.swapped));
    for _ in 0..damage.typos {
        extend(&|form| {
            let replaced = |at: usize| [&form[..at], &any(), &form[at + 1..]].concat();
            (0..form.len()).map(replaced).collect()
        });
    }
    for _ in 0..damage.missing {
        extend(&|form| {
            (0..=form.len()).map(|at| [&form[..at], &any(), &form[at..]].concat()).collect()
        });
    }
    for _ in 0..damage.cut {
        extend(&|form| vec![[&any(), &form[..]].concat(), [&form[..], &any()].concat()]);
    }
    forms
}

/// The forms with up to `max` pairs swapped, from a place on. No character is swapped twice.
fn swapped(form: &Form, from: usize, max: u8) -> Vec<Form> {
    let mut all = Vec::new();
    for at in from..form.len() - 1 {
        if max > 0 {
            let mut once = form.clone();
            once.swap(at, at + 1);
            all.extend(swapped(&once, at + 2, max - 1));
            all.push(once);
        }
    }
    all
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
