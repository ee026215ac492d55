//! Measures what a private key of a range takes on one thread, beside its limit, the sum of what
//! cannot be left out, and beside two other ways: points that are added one after another and
//! normalised together, and a multiplication for each. Then it compares ranges with arbitrary keys,
//! and one address with a million. Run it on an idle machine:
//! `cargo run --release -p addr-recover --example key_ranges`.

use std::hint::black_box;
use std::time::Instant;

use addr_recover::{AddressHashes, KeyFinder, KeyHash, KeyRange};
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
    compare_sources(&range[0]);
    Ok(())
}

/// Measures ranges beside arbitrary keys, and one address beside a million, in turns.
fn compare_sources(range: &KeyRange) {
    let keys = sha256_multi::hash_many((0..COUNT).map(u16::to_le_bytes));
    let ours = [*range.key(12_345), keys[6_789]];
    let [in_range, in_keys] = ours.map(|key| KeyHash::Compressed.of(&key).unwrap());
    let others = ripemd_multi::hash160_many((0..999_999_u32).map(u32::to_le_bytes));
    let finder = |own: [u8; 20], others: &[[u8; 20]]| {
        let addresses = AddressHashes::new(others.iter().copied().chain([own]));
        KeyFinder::new(addresses, HASHES[1].1, [range])
    };
    let [one_range, many_range] = [&[][..], &others].map(|others| finder(in_range, others));
    let [one_keys, many_keys] = [&[][..], &others].map(|others| finder(in_keys, others));

    let first_key = |_| {
        let begin = Instant::now();
        one_keys.find_keys(&keys[..1], &mut |_, _| ());
        begin.elapsed().as_nanos() as f64
    };
    let [first, second] = [0, 1].map(first_key);
    println!("{:>8.1} ms  the table of arbitrary keys, once", (first - second) / 1e6);

    let range = std::slice::from_ref(range);
    let find = |finder: &KeyFinder| {
        let mut found = Vec::new();
        finder.find(range, &mut |key, hash| found.push((*key, hash)));
        found
    };
    let find_keys = |finder: &KeyFinder| {
        let mut found = Vec::new();
        finder.find_keys(&keys, &mut |key, hash| found.push((*key, hash)));
        found
    };
    let [of_range, of_keys] = ours.map(|key| [(key, KeyHash::Compressed)]);
    assert!([&one_range, &many_range].iter().all(|finder| find(finder) == of_range));
    assert!([&one_keys, &many_keys].iter().all(|finder| find_keys(finder) == of_keys));
    in_turns(
        COUNT,
        &mut [
            ("a range, compressed, 1 address", &mut || _ = black_box(find(&one_range))),
            ("a range, compressed, 1,000,000", &mut || _ = black_box(find(&many_range))),
            ("arbitrary keys, compressed, 1 address", &mut || _ = black_box(find_keys(&one_keys))),
            ("arbitrary keys, compressed, 1,000,000", &mut || _ = black_box(find_keys(&many_keys))),
        ],
    );
}

/// Measures a search that finds nothing.
fn find(name: &str, hashes: &[KeyHash], ranges: &[KeyRange]) {
    let finder = KeyFinder::new(&[0; 20], hashes, ranges);
    of_each(name, COUNT, &mut || finder.find(ranges, &mut |_, _| ()));
}

/// Prints the nanoseconds of each of `count`: the shortest of some runs.
fn of_each(name: &str, count: u16, run: &mut dyn FnMut()) -> f64 {
    in_turns(count, &mut [(name, run)])[0]
}

/// Prints the nanoseconds of each of `count` for each row: the shortest of some runs, which take
/// turns with those of the other rows.
fn in_turns<const N: usize>(count: u16, rows: &mut [(&str, &mut dyn FnMut()); N]) -> [f64; N] {
    let mut shortest = [f64::INFINITY; N];
    for _ in 0..16 {
        for ((_, run), shortest) in rows.iter_mut().zip(&mut shortest) {
            let begin = Instant::now();
            run();
            *shortest = shortest.min(begin.elapsed().as_nanos() as f64 / f64::from(count));
        }
    }
    for ((name, _), shortest) in rows.iter().zip(&shortest) {
        println!("{shortest:>8.1} ns  {name}");
    }
    shortest
}
