//! Measures the first sumhash512 of a process, including building the tables.

#![forbid(unsafe_code)]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use hashlanes_benches::fresh;
use sumhash512::Sumhash512Lanes;

/// The message length of the well-known benches, in bytes.
const MESSAGE: usize = 600;

const CANDIDATES: [&str; 4] =
    ["sumhash512", "sumhash512:constant-time", "sumhash512:large", "sumhash"];

fn main() -> Result<(), Box<dyn Error>> {
    let title = format!("first hash of {MESSAGE} bytes in microseconds");
    fresh::compare(&title, &CANDIDATES, 40, 1e3, first_hash)
}

/// The time of the first hash of this process.
fn first_hash(candidate: &str) -> Duration {
    use digest_0_10::Digest as _;
    use sumhash512::digest::Digest as _;

    type Rival =
        digest_0_10::core_api::CoreWrapper<sumhash::sumhash512core::AlgorandSumhash512Core>;

    let message = black_box([7; MESSAGE]);
    let owned = |table: fn() -> sumhash512::Table| {
        let mut digests = [[0; 64]];
        let table = table();
        Sumhash512Lanes::with_table(&table).hash_many_into([&message], &mut digests);
        digests[0]
    };
    let start = Instant::now();
    let digest: [u8; 64] = black_box(match candidate {
        "sumhash512" => sumhash512::Sumhash512::digest(message).into(),
        "sumhash512:constant-time" => owned(sumhash512::Table::constant_time),
        "sumhash512:large" => owned(sumhash512::Table::large),
        _ => Rival::digest(message).into(),
    });
    let time = start.elapsed();
    assert_eq!(digest, *Rival::digest(message), "{candidate}");
    time
}
