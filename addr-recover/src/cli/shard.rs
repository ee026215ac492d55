//! A search that is divided among machines: `--shard`, and `merge`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::report::{Part, Report, Status};
use super::terminal::Failure;
use super::{input, print};

/// The maximum number of parts. A search has some thousands of units.
const MAX_COUNT: usize = 65_536;

/// One of the parts that a search is divided into, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shard {
    pub(crate) index: usize,
    pub(crate) count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        let is_part =
            |it: &Self| (1..=MAX_COUNT).contains(&it.count) && (1..=it.count).contains(&it.index);
        numbers.filter(is_part).ok_or_else(|| {
            format!(
                "expected a part and their number, from 1/1 to {MAX_COUNT}/{MAX_COUNT}, such as 3/8"
            )
        })
    }
}

impl Shard {
    /// The part of the search for an address. Units may differ between versions of the program.
    pub(crate) fn part(self, address: &str, options: &impl Serialize) -> Part {
        let options = serde_json::to_string(options).unwrap_or_default();
        let question =
            Sha256::digest(format!("{}\n{address}\n{options}", env!("CARGO_PKG_VERSION")));
        let Self { index, count } = self;
        Part { index, count, question: hex::encode(&question[..16]) }
    }
}

/// Prints the answer to a search from the JSON of all its parts.
pub(crate) fn merge(files: &[PathBuf], is_json: bool) -> Result<u8, Failure> {
    let mut parts: BTreeMap<usize, Report> = BTreeMap::new();
    let mut first: Option<Part> = None;
    for file in files {
        let text = input::read(
            file,
            input::MAX_FILE,
            "merge takes files with the --json output of parts",
        )?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let name = file.display();
            let report: Report = serde_json::from_str(line)
                .map_err(|_| format!("{name}: not the --json output of a search"))?;
            let Some(part) = report.part.clone() else {
                return Err(format!("{name}: not a part of a search with --shard").into());
            };
            if !matches!(report.status, Status::None | Status::Several) {
                return Err(format!("{name}: {part} was not searched").into());
            }
            let of = first.get_or_insert_with(|| part.clone());
            if (&of.question, of.count) != (&part.question, part.count) {
                return Err(format!("{name}: {part} of another search than {of}").into());
            }
            if !(1..=part.count).contains(&part.index) {
                return Err(format!("{name}: there is no {part}").into());
            }
            parts.insert(part.index, report);
        }
    }
    let Some(of) = first else {
        return Err("no parts to merge: pass the --json output of all parts".into());
    };
    let missing = (1..=of.count).filter(|index| !parts.contains_key(index));
    let missing: Vec<String> = missing.map(|index| index.to_string()).collect();
    if let [first, ..] = &missing[..] {
        let (count, of) = (missing.len(), of.count);
        return Err(format!("{count} of {of} parts are missing, first part {first}").into());
    }
    let report = merged(parts.into_values());
    if is_json {
        print::object(&report)?;
    } else {
        print::addresses(&report)?;
        print::comment(&report);
    }
    Ok(report.status.exit_code())
}

/// The answer of all parts. Each has how many addresses are expected by chance in all of them.
fn merged(mut parts: impl Iterator<Item = Report>) -> Report {
    let mut whole = Report { part: None, ..parts.next().unwrap_or_default() };
    for part in parts {
        whole.hits.extend(part.hits);
        whole.hashes += part.hashes;
        whole.seconds += part.seconds;
    }
    whole.hits.sort_by(|a, b| a.address.cmp(&b.address));
    whole.hits.dedup_by(|a, b| a.address == b.address);
    whole.concluded()
}
