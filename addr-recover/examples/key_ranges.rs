//! Measures what a private key of a range takes on one thread, beside its limit, the sum of what
//! cannot be left out, and beside two other ways: points that are added one after another and
//! normalised together, and a multiplication for each. Run it on an idle machine:
//! `cargo run --release -p addr-recover --example key_ranges`.

use std::hint::black_box;
use std::time::Instant;

use addr_recover::{KeyFinder, KeyHash, KeyRange};
use k256::elliptic_curve::sec1::ToEncodedPoint;
use k256::elliptic_curve::{BatchNormalize, PrimeField};
use k256::{AffinePoint, FieldElement, ProjectivePoint, Scalar};

const COUNT: u16 = 1 << 14;

/// The number of points that the second way normalises together.
const BATCH: usize = 256;

const HASHES: [(&str, &[KeyHash]); 5] = [
    ("no hash", &[]),
    ("compressed", &[KeyHash::Compressed]),
    ("compressed and uncompressed", &[KeyHash::Compressed, KeyHash::Uncompressed]),
    ("P2WPKH within P2SH", &[KeyHash::P2shP2wpkh]),
    ("Ethereum", &[KeyHash::Ethereum]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let first: [u8; 32] = std::array::from_fn(|at| at as u8 + 1);
    let begin = Scalar::from_repr(first.into()).unwrap();
    let step = |at: usize| std::array::from_fn(|it| u8::from(it == at));

    let numbers: Vec<FieldElement> =
        (0..COUNT).map(|at| FieldElement::from(u64::from(at))).collect();
    let mut product = numbers.clone();
    let one = of_each("a multiplication in the field", COUNT, &mut || {
        product.iter_mut().zip(&numbers).for_each(|(product, number)| *product *= number);
    });
    let square = of_each("a square", COUNT, &mut || {
        product.iter_mut().for_each(|number| *number = number.square());
    });
    let encoding = of_each("an encoding", COUNT, &mut || {
        numbers.iter().for_each(|number| _ = black_box(number.to_bytes()));
    });
    println!(
        "{:>8.1} ns  limit of a key: 3.5, 1 and 2 of these",
        3.5 * one + square + 2.0 * encoding
    );

    of_each("one after another, both hashes", COUNT, &mut || {
        let mut point = ProjectivePoint::GENERATOR * begin;
        for _ in 0..usize::from(COUNT) / BATCH {
            let mut points = Vec::with_capacity(BATCH);
            for _ in 0..BATCH {
                points.push(point);
                point += AffinePoint::GENERATOR;
            }
            let points = ProjectivePoint::batch_normalize(&points[..]);
            let points: Vec<_> = points.iter().map(|it| it.to_encoded_point(false)).collect();
            black_box(ripemd_multi::hash160_many(points.iter().map(|it| it.compress())));
            black_box(ripemd_multi::hash160_many(&points));
        }
    });
    of_each("a multiplication for each, no hash", 256, &mut || {
        (0..256).for_each(|_| _ = black_box(ProjectivePoint::GENERATOR * black_box(begin)));
    });

    let range = [KeyRange::new(&first, &step(31), COUNT.into())?];
    for (name, hashes) in HASHES {
        find(&format!("a range, {name}"), hashes, &range);
    }
    for len in [16, 1] {
        // As digits in two places make them.
        let ranges = (0..COUNT / len).map(|at| {
            let mut first = first;
            [first[5], first[20]] = at.to_be_bytes();
            KeyRange::new(&first, &step(10), len.into())
        });
        find(
            &format!("ranges of {len}, compressed"),
            HASHES[1].1,
            &ranges.collect::<Result<Vec<_>, _>>()?,
        );
    }
    Ok(())
}

/// Measures a search that finds nothing.
fn find(name: &str, hashes: &[KeyHash], ranges: &[KeyRange]) {
    let finder = KeyFinder::new(&[0; 20], hashes, ranges);
    of_each(name, COUNT, &mut || finder.find(ranges, &mut |_, _| ()));
}

/// Prints the nanoseconds of each of `count`: the shortest of some runs.
fn of_each(name: &str, count: u16, run: &mut dyn FnMut()) -> f64 {
    let time = |_| {
        let begin = Instant::now();
        run();
        begin.elapsed().as_nanos() as f64 / f64::from(count)
    };
    let shortest = (0..16).map(time).fold(f64::INFINITY, f64::min);
    println!("{shortest:>8.1} ns  {name}");
    shortest
}
