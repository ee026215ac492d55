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

/// All forms that some edits lead to, including the form itself. At most one of them is a swap.
fn edited(form: &Form, damage: &Damage) -> Vec<Form> {
    let mut forms = vec![form.clone()];
    let mut extend = |edit: &dyn Fn(&Form) -> Vec<Form>| {
        let more: Vec<Form> = forms.iter().flat_map(edit).collect();
        forms.extend(more);
    };
    for _ in 0..damage.surplus {
        extend(&|form| (0..form.len()).map(|at| [&form[..at], &form[at + 1..]].concat()).collect());
    }
    if damage.swapped > 0 {
        let swap = |form: &Form, at: usize| {
            let mut swapped = form.clone();
            swapped.swap(at, at + 1);
            swapped
        };
        extend(&|form| (0..form.len() - 1).map(|at| swap(form, at)).collect());
    }
    for _ in 0..damage.typos {
        let replace = |form: &Form, at: usize| {
            let mut replaced = form.clone();
            ALPHABET.clone_into(&mut replaced[at]);
            replaced
        };
        extend(&|form| (0..form.len()).map(|at| replace(form, at)).collect());
    }
    for _ in 0..damage.missing {
        let any = [ALPHABET.to_owned()];
        extend(&|form| {
            (0..=form.len()).map(|at| [&form[..at], &any, &form[at..]].concat()).collect()
        });
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
