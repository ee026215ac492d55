//! Prints how much slower the default backend is than the best one, for every hash, message length
//! and number of messages.
//!
//! *Regret* is the time of the default backend divided by that of the best available one: 1 means
//! that no other set of kernels is faster on this CPU.

#![forbid(unsafe_code)]

use std::time::{Duration, Instant};

use clap::Parser;
use clap::builder::PossibleValuesParser;
use hashlanes_benches::harness::{Candidate, Grid, Role, interleave, seconds};
use hashlanes_benches::machine;

/// Prints how much slower the default backend is than the best one.
///
/// There is a table for each hash, with a row for each message length in bytes and a column for
/// each number of messages.
#[derive(Parser)]
struct Args {
    /// Measure only this hash. May be given more than once.
    #[arg(long, value_name = "NAME", value_parser = hash_names())]
    hash: Vec<String>,

    /// Seconds for all hashes together, if all are measured.
    #[arg(long, value_name = "S", default_value_t = 180.0, value_parser = seconds)]
    seconds: f64,
}

fn hash_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Grid::all().iter().map(|grid| grid.name))
}

/// Every small number of messages, and those around the numbers of lanes.
const COUNTS: [usize; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 20, 24, 31, 32, 33, 48, 64];

/// The number of cells of a hash.
fn cells(grid: &Grid) -> u32 {
    (grid.lengths.len() * COUNTS.len()) as u32
}

/// The regret that should not be exceeded.
const LIMIT: f64 = 1.10;

/// A cell with a higher regret is measured again.
const DOUBTFUL: f64 = 1.05;

/// A backend that takes so much longer in a first look is not measured further.
const HOPELESS: f64 = 1.5;

fn main() {
    let args = Args::parse();
    let machine = machine::empty_record();
    println!("{}, {}, {}", machine.cpu, machine.rustc, machine.date);
    let grids = Grid::all();
    let all_cells: u32 = grids.iter().map(cells).sum();

    let mut all = Vec::new();
    let chosen = |hash: &str| args.hash.is_empty() || args.hash.iter().any(|name| name == hash);
    for grid in grids.iter().filter(|grid| chosen(grid.name)) {
        let seconds = args.seconds * f64::from(cells(grid)) / f64::from(all_cells);
        let cells = measure(grid, seconds);
        let named: Vec<_> = cells.iter().map(|cell| (grid.name, cell)).collect();
        print!("\n{}\n{}{}", grid.name, table(&cells), summary(&named));
        all.extend(cells.into_iter().map(|cell| (grid.name, cell)));
    }
    let all: Vec<_> = all.iter().map(|(hash, cell)| (*hash, cell)).collect();
    print!("\nall\n{}", summary(&all));
}

/// Times for one number of messages of one length, in nanoseconds.
struct Cell {
    count: usize,
    len: usize,
    default: f64,
    best: f64,
    best_name: String,
}

impl Cell {
    fn regret(&self) -> f64 {
        self.default / self.best
    }

    /// Measures for about `budget`.
    fn measure(grid: &Grid, (count, len): (usize, usize), budget: Duration) -> Self {
        let mut cell =
            Self { count, len, default: f64::MAX, best: f64::MAX, best_name: String::new() };
        grid.shape(count, len).with_checked(&mut |all, output| {
            let start = Instant::now();
            retain_hopeful(all, output);
            let timings = interleave(all, output, budget.saturating_sub(start.elapsed()));
            for (candidate, timing) in all.iter().zip(timings) {
                if candidate.role == Role::Auto {
                    cell.default = timing.min;
                }
                if timing.min < cell.best {
                    cell.best = timing.min;
                    cell.best_name.clone_from(&candidate.name);
                }
            }
        });
        cell
    }

    /// Keeps the shorter times of two measurements.
    fn merge(&mut self, other: Self) {
        self.default = self.default.min(other.default);
        if other.best < self.best {
            self.best = other.best;
            self.best_name = other.best_name;
        }
    }
}

/// The cells of a hash, row by row.
///
/// Half of the time is for a second look at the cells with a high regret, because the default
/// backend may have been interrupted in all of its turns.
fn measure(grid: &Grid, seconds: f64) -> Vec<Cell> {
    let half = Duration::from_secs_f64(seconds / 2.0);
    let each = half / cells(grid);
    let shapes =
        grid.lengths.iter().flat_map(|&len| COUNTS.into_iter().map(move |count| (count, len)));
    let mut cells: Vec<_> = shapes.map(|shape| Cell::measure(grid, shape, each)).collect();
    let doubtful: Vec<&mut Cell> =
        cells.iter_mut().filter(|cell| cell.regret() > DOUBTFUL).collect();
    let each = (half / doubtful.len().max(1) as u32).min(each * 8);
    for cell in doubtful {
        cell.merge(Cell::measure(grid, (cell.count, cell.len), each));
    }
    cells
}

/// Removes the backends that are far from the best one.
fn retain_hopeful(all: &mut Vec<Candidate<'_>>, output: &mut [u8]) {
    let mut least = vec![Duration::MAX; all.len()];
    for _ in 0..5 {
        for (candidate, least) in all.iter_mut().zip(&mut least) {
            *least = candidate.time(output, 3).min(*least);
        }
    }
    let limit = least.iter().min().copied().unwrap_or_default().mul_f64(HOPELESS);
    let mut least = least.into_iter();
    all.retain(|candidate| {
        let is_near = least.next().is_some_and(|least| least <= limit);
        is_near || candidate.role == Role::Auto
    });
}

/// A row for each length, and a column for each number of messages.
fn table(cells: &[Cell]) -> String {
    let mut text = " bytes".to_owned();
    for count in COUNTS {
        text += &format!(" {count:>4}");
    }
    for row in cells.chunks(COUNTS.len()) {
        text += &format!("\n{:>6}", row[0].len);
        for cell in row {
            text += &format!(" {:.2}", cell.regret());
        }
    }
    text + "\n"
}

/// The number of cells above the limit, the geometric mean, and the worst cells.
fn summary(cells: &[(&str, &Cell)]) -> String {
    let above = cells.iter().filter(|(_, cell)| cell.regret() > LIMIT).count();
    let sum: f64 = cells.iter().map(|(_, cell)| cell.regret().ln()).sum();
    let mean = (sum / cells.len() as f64).exp();
    let mut text =
        format!("{above} of {} above {LIMIT:.2}, geometric mean {mean:.3}; worst:\n", cells.len());
    let mut worst = cells.to_vec();
    worst.sort_by(|(_, a), (_, b)| b.regret().total_cmp(&a.regret()));
    for (hash, cell) in worst.iter().take(5) {
        let Cell { count, len, best_name, .. } = cell;
        let shape = format!("{hash}/{count}x{len}B");
        text += &format!("  {shape:<32} {:.2} times {best_name}\n", cell.regret());
    }
    text
}
