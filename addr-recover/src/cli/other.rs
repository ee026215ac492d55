//! Addresses of other formats, which need no search.

mod bech32;
mod ethereum;

use super::report::{HitReport, Report, Status};

/// The answer to a text that has an address of another format.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    /// None if there are too many errors.
    addresses: Vec<String>,
    format: String,
    /// The positions, counted from 1, of the characters that were restored.
    wrong: Vec<usize>,
}

impl Answer {
    fn intact(address: String, format: String) -> Self {
        Self { addresses: vec![address], format, wrong: Vec::new() }
    }
}

/// The report on a text that has an Ethereum or a Bech32 address, if it can be restored.
pub(crate) fn report(line: Option<usize>, input: &str) -> Option<Report> {
    let joined: String = input.chars().filter(|c| !c.is_whitespace()).collect();
    let is_between = |c: char| c.is_whitespace() || "\"'`“”‘’«»()<>[]{},;:|/=&#".contains(c);
    let words = input.split(is_between).map(|word| word.trim_end_matches(['.', '!']));
    // A ? is an unreadable character, or begins the query of a URL.
    let words = words.flat_map(|word| {
        [Some(word), word.split_once('?').map(|(before, _)| before)].into_iter().flatten()
    });
    // The whole text may be groups of characters.
    let mut answers = words
        .chain([joined.as_str()])
        .filter_map(|word| ethereum::answer(word).or_else(|| bech32::answer(word)));
    let answer = answers.find(|answer| !answer.addresses.is_empty())?;
    let status = match answer.addresses.as_slice() {
        [_] if answer.wrong.is_empty() => Status::Valid,
        [_] => Status::Unique,
        _ => Status::Several,
    };
    let hit = |address: &String| HitReport {
        address: address.clone(),
        version: None,
        kinds: vec![answer.format.clone()],
        known: false,
        probability: None,
    };
    let hits = answer.addresses.iter().map(hit).collect();
    let note = (!answer.wrong.is_empty()).then(|| {
        let positions: Vec<String> = answer.wrong.iter().map(usize::to_string).collect();
        format!("the checksum restores the characters at {}", positions.join(", "))
    });
    Some(Report { hits, note, ..Report::new(line, input, status) })
}
