//! Measures the first sumhash512 of a process, including building the tables.
//!
//! Alternates fresh processes of our candidates and of the crate `sumhash`.

#![forbid(unsafe_code)]

use std::error::Error;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

/// The number of processes for each candidate.
const PROCESSES: usize = 40;

/// The message length of the well-known benches, in bytes.
const MESSAGE: usize = 600;

const CANDIDATES: [&str; 4] =
    ["sumhash512", "sumhash512:constant-time", "sumhash512:large", "sumhash"];

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(candidate) = std::env::args().nth(1) {
        println!("{}", first_hash(&candidate)?);
        return Ok(());
    }

    let program = std::env::current_exe()?;
    let mut times = [const { Vec::new() }; CANDIDATES.len()];
    for _ in 0..PROCESSES {
        for (candidate, times) in CANDIDATES.iter().zip(&mut times) {
            let output = Command::new(&program).arg(candidate).output()?;
            if !output.status.success() {
                return Err(
                    format!("{candidate}: {}", String::from_utf8_lossy(&output.stderr)).into()
                );
            }
            times.push(String::from_utf8(output.stdout)?.trim().parse::<u64>()?);
        }
    }
    println!("first hash of {MESSAGE} bytes in {PROCESSES} fresh processes each, microseconds");
    for (candidate, times) in CANDIDATES.iter().zip(&mut times) {
        times.sort_unstable();
        let (min, median) = (times[0] as f64 / 1e3, times[PROCESSES / 2] as f64 / 1e3);
        println!("  {candidate:<26} min {min:>8.1} median {median:>8.1}");
    }
    Ok(())
}

/// The time of the first hash of this process, in nanoseconds.
fn first_hash(candidate: &str) -> Result<u128, String> {
    use digest_0_10::Digest as _;
    use sumhash512::digest::Digest as _;

    let message = black_box([7; MESSAGE]);
    let owned = |table: fn() -> sumhash512::Table| {
        let mut digests = [[0; 64]];
        table().hash_many([&message], &mut digests);
        black_box(digests);
    };
    let start = Instant::now();
    match candidate {
        "sumhash512" => {
            black_box(sumhash512::Sumhash512::digest(message));
        }
        "sumhash512:constant-time" => owned(sumhash512::Table::constant_time),
        "sumhash512:large" => owned(sumhash512::Table::large),
        "sumhash" => {
            type Rival =
                digest_0_10::core_api::CoreWrapper<sumhash::sumhash512core::AlgorandSumhash512Core>;
            black_box(Rival::digest(message));
        }
        _ => {
            return Err(format!("unknown candidate {candidate:?}; use one of {CANDIDATES:?}"));
        }
    }
    Ok(start.elapsed().as_nanos())
}
