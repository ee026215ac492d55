//! Measures the cost of a pass of each kernel on this CPU, and prints rows for the crates'
//! `costs.rs`.
//!
//! ```text
//! cargo run --release -p hashlanes-benches --bin costs
//! ```
//!
//! The first line names the CPU, the date and the compiler. State CPU and date in the table's file.
//!
//! Only kernels with an existing cost in a table are measured. To try a new kernel, add it with a low
//! cost to the row of this CPU first. A kernel that takes as long per message as the portable one is
//! left out: its plan does without it.

#![forbid(unsafe_code)]

use std::time::Duration;

use hash_lanes::Backend;
use hash_lanes::engine::Kernel;
use hashlanes_benches::harness::{Shape, interleave};
use hashlanes_benches::lanes::{Messages, Operation};
use hashlanes_benches::record::Record;
use hashlanes_benches::{lanes, machine, search};

/// A multiple of every kernel's number of messages.
const MESSAGES: usize = 96;

/// How long the kernels of a table take turns. The minimum counts.
const BUDGET: Duration = Duration::from_secs(2);

/// A file with tables of costs, and its crate.
type Source = (&'static str, &'static str);

const SHA256: Source = ("sha256-multi", include_str!("../../../sha256-multi/src/costs.rs"));
const SHA1: Source = ("sha1-multi", include_str!("../../../sha1-multi/src/costs.rs"));
const RIPEMD: Source = ("ripemd-multi", include_str!("../../../ripemd-multi/src/costs.rs"));

/// Bytes that fill 16 blocks with their padding.
const BLOCKS_16: usize = 1024 - 9;

/// Where a table is and its name, the operation, the length of a message in bytes, and the table's
/// units per message: the number of blocks for `BLOCKS` tables, otherwise 1.
const TABLES: [(Source, &str, Operation, usize, u32); 10] = [
    (SHA256, "NODES", Operation::HashPairs, 64, 1),
    (SHA256, "DOUBLE_NODES", Operation::DoubleHashPairs, 64, 1),
    (SHA256, "BYTES_32", Operation::HashMany, 32, 1),
    (SHA256, "ONE_BLOCK", Operation::HashMany, 48, 1),
    (SHA256, "BLOCKS", Operation::HashMany, BLOCKS_16, 16),
    (SHA1, "BLOCKS", Operation::Sha1Many, BLOCKS_16, 16),
    (RIPEMD, "BYTES_32", Operation::Ripemd160Many, 32, 1),
    (RIPEMD, "BLOCKS", Operation::Ripemd160Many, BLOCKS_16, 16),
    (RIPEMD, "KEYS_33", Operation::Hash160Many, 33, 1),
    (RIPEMD, "KEYS_65", Operation::Hash160Many, 65, 1),
];

fn main() {
    let Record { cpu, date, rustc, .. } = machine::empty_record();
    println!("// {cpu}, {date}, {rustc}");
    for ((folder, source), name, operation, len, units) in TABLES {
        let rows = source.split("static ").find(|table| table.starts_with(&format!("{name}: ")));
        let rows = rows.expect("a test compares the names");
        let is_listed = |kernel| rows.contains(&format!("({kernel:?}, "));
        let on = single_kernels(is_listed);
        let messages = Messages::Equal { count: MESSAGES, len };
        let shape = lanes::shape("costs", operation, messages, Some(on.clone()));
        print_row(&format!("{folder} {name}"), units, is_listed(Kernel::Portable), &on, &shape);
    }
    let on = single_kernels(|kernel| {
        // The search does not use the others.
        kernel.messages() >= 4 && kernel != Kernel::Avx512x8x2
    });
    print_row("addr-recover SEARCH", 1, true, &on, &search::on(on.clone()));
}

/// The backends with a single kernel, if it is chosen, and the portable one.
fn single_kernels(is_chosen: impl Fn(Kernel) -> bool) -> Vec<Backend> {
    let mut all = Backend::single_kernels();
    all.retain(|&backend| is_chosen(only_kernel(backend)));
    all.extend("portable".parse::<Backend>());
    all
}

fn only_kernel(backend: Backend) -> Kernel {
    backend.kernels().next().expect("every backend has a kernel")
}

/// Prints what a pass of each kernel costs, in tenths of a nanosecond.
fn print_row(name: &str, units: u32, with_portable: bool, on: &[Backend], shape: &Shape) {
    let mut costs = Vec::new();
    shape.with_checked(&mut |all, output| {
        let timings = interleave(all, output, BUDGET);
        let portable = timings.last().map_or(f64::MAX, |timing| timing.min);
        for (&backend, timing) in on.iter().zip(timings) {
            let kernel = only_kernel(backend);
            if timing.min < 0.95 * portable || kernel == Kernel::Portable && with_portable {
                let pass = timing.min / shape.items as f64 * kernel.messages() as f64;
                costs.push(format!("({kernel:?}, {:.0})", pass * 10.0 / f64::from(units)));
            }
        }
    });
    println!("{name}:\n    Costs::new(&[{}]),", costs.join(", "));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `addr-recover SEARCH` has its own measurement, and merkle-lanes' costs are calculated.
    #[test]
    fn tables_are_those_of_the_hash_crates() {
        let mut expected = Vec::new();
        for (folder, source) in [SHA256, SHA1, RIPEMD] {
            let tables = source.split("static ").skip(1);
            let names = tables.filter_map(|table| table.split_once(": Plans = "));
            expected.extend(names.map(|(name, _)| (folder, name)));
        }
        let tables: Vec<_> =
            TABLES.iter().map(|((folder, _), name, ..)| (*folder, *name)).collect();
        assert_eq!(tables, expected);
    }
}
