//! Several processes compute the root of one tree, as several machines would.
//!
//! The program starts itself once for each range of leaves. Each child process hashes its range and
//! prints the root of the range. The parent process reads these roots through pipes and combines
//! them.

use std::env;
use std::error::Error;
use std::process::{Command, Stdio};

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{Ranges, RootBuilder};

/// The number of entries in the tree, which all processes know.
const ENTRIES: u64 = 1_000_003;

/// Each range has 2^18 entries. There are four ranges; the last one is shorter.
const HEIGHT: u32 = 18;

/// How many entries are in memory at a time.
const AT_ONCE: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let ranges = Ranges::new(Rfc6962::new(), ENTRIES, HEIGHT)?;
    match env::args().nth(1) {
        Some(index) => hash_range(&ranges, index.parse()?),
        None => combine(&ranges),
    }
}

/// A child process: prints the root of one range.
fn hash_range(ranges: &Ranges<Rfc6962>, index: u64) -> Result<(), Box<dyn Error>> {
    let range = ranges.range(index)?;
    let leaves = stream(range.start, range.end);
    println!("{}", hex::encode(ranges.range_root_of_stream(index, &leaves)?));
    Ok(())
}

/// The parent process: starts a child for each range and combines their roots.
fn combine(ranges: &Ranges<Rfc6962>) -> Result<(), Box<dyn Error>> {
    let program = env::current_exe()?;
    let start =
        |index: u64| Command::new(&program).arg(index.to_string()).stdout(Stdio::piped()).spawn();
    // All children run at the same time.
    let children = (0..ranges.len()).map(start).collect::<Result<Vec<_>, _>>()?;
    let mut roots = Vec::new();
    for (index, child) in (0..).zip(children) {
        let output = child.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("the process of range {index} failed: {}", output.status).into());
        }
        let printed = String::from_utf8(output.stdout)?;
        let mut root = [0; 32];
        hex::decode_to_slice(printed.trim_end(), &mut root)
            .map_err(|error| format!("range {index} printed {printed:?}: {error}"))?;
        let range = ranges.range(index)?;
        println!("range {index}, entries {range:?}: {}", hex::encode(root));
        roots.push(root);
    }
    let root = ranges.root(&roots)?;
    println!("root of {ENTRIES} entries from {} processes: {}", roots.len(), hex::encode(root));

    assert_eq!(root, stream(0, ENTRIES).root(), "one process computes the same root");
    Ok(())
}

/// Streams the entries `start..end`. A real program would read them from its own disk.
fn stream(start: u64, end: u64) -> RootBuilder<Rfc6962> {
    let mut leaves = RootBuilder::new(Rfc6962::new());
    let entries: Vec<u64> = (start..end).collect();
    for entries in entries.chunks(AT_ONCE) {
        let entries: Vec<String> = entries.iter().map(|i| format!("entry {i}")).collect();
        leaves.extend_data(&entries);
    }
    leaves
}
