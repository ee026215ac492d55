//! Compares the verdicts on randomly damaged files with a comparison of bytes.

use proptest::prelude::*;
use torrent_check::{FileVerdict, PieceVerdict, WrongHash};

use super::download::Download;
use crate::make::{FORMATS, Format, content};

/// The damage to a file.
#[derive(Clone, Debug)]
enum Damage {
    Nothing,
    Remove,
    Flip(usize),
    Truncate(usize),
    Grow(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        3 => Just(Damage::Nothing),
        1 => Just(Damage::Remove),
        2 => any::<usize>().prop_map(Damage::Flip),
        1 => any::<usize>().prop_map(Damage::Truncate),
        1 => (1_usize..30_000).prop_map(Damage::Grow),
    ]
}

/// Each byte of a piece: the expected value, and the actual one if it exists. Padding is left out.
type Piece = Vec<(u8, Option<u8>)>;

/// The pieces, byte by byte.
fn naive(format: Format, piece_length: usize, files: &[(Vec<u8>, Option<Vec<u8>>)]) -> Vec<Piece> {
    let bytes = files.iter().map(|(right, there)| {
        let byte = |(at, &right): (usize, &u8)| {
            (right, there.as_ref().and_then(|there| there.get(at).copied()))
        };
        right.iter().enumerate().map(byte).collect::<Piece>()
    });
    if format == Format::V1 {
        let all = bytes.flatten().collect::<Piece>();
        all.chunks(piece_length).map(<[_]>::to_vec).collect()
    } else {
        bytes
            .flat_map(|file| file.chunks(piece_length).map(<[_]>::to_vec).collect::<Vec<_>>())
            .collect()
    }
}

fn naive_verdict(piece: &Piece) -> PieceVerdict {
    match piece.iter().filter(|(_, there)| there.is_some()).count() {
        0 => PieceVerdict::Missing,
        count if count < piece.len() => PieceVerdict::Unverifiable,
        _ if piece.iter().all(|(right, there)| Some(*right) == *there) => PieceVerdict::Good,
        _ => PieceVerdict::Bad(WrongHash::All),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn verdicts_match_a_byte_comparison(
        format in prop::sample::select(&FORMATS[..]),
        files in
            prop::collection::vec((0_usize..60_000, prop::bool::weighted(0.15), damage()), 1..8),
        odd_length in prop::option::of(1_000_usize..30_000),
        log2 in 14_u32..17,
    ) {
        let piece_length = odd_length.filter(|_| format == Format::V1).unwrap_or(1 << log2);
        let names: Vec<String> = (0..files.len()).map(|i| format!("{i}")).collect();
        let rights: Vec<Vec<u8>> = (0..).zip(&files)
            .map(|(seed, (length, is_empty, _))| content(seed, if *is_empty { 0 } else { *length }))
            .collect();
        // Not all files may be empty.
        prop_assume!(rights.iter().any(|right| !right.is_empty()));
        let listed: Vec<_> = names.iter().map(String::as_str).zip(rights.iter().cloned()).collect();
        let download = Download::folder(format, piece_length, &listed);
        let mut expected_verdicts = Vec::new();
        let mut both = Vec::new();
        for ((name, right), (_, _, damage)) in listed.iter().zip(&files) {
            let mut there = right.clone();
            match damage {
                Damage::Flip(at) if !right.is_empty() => there[at % right.len()] ^= 1,
                Damage::Truncate(to) if !right.is_empty() => there.truncate(to % right.len()),
                Damage::Grow(by) => there.resize(right.len() + by, 7),
                _ => {}
            }
            let is_removed = matches!(damage, Damage::Remove);
            if is_removed { download.remove(name) } else { download.write(name, &there) }
            expected_verdicts.push(match there.len().cmp(&right.len()) {
                _ if is_removed => FileVerdict::Missing,
                std::cmp::Ordering::Less => {
                    FileVerdict::TooShort { by: (right.len() - there.len()) as u64 }
                }
                std::cmp::Ordering::Greater => {
                    FileVerdict::TooLong { by: (there.len() - right.len()) as u64 }
                }
                std::cmp::Ordering::Equal => FileVerdict::Good,
            });
            both.push((right.clone(), (!is_removed).then_some(there)));
        }
        let expected = naive(format, piece_length, &both);
        let expected: Vec<_> = expected.iter().map(naive_verdict).collect();
        let report = download.check();
        prop_assert_eq!(&report.pieces, &expected);
        let are_good = expected_verdicts.iter().all(|verdict| *verdict == FileVerdict::Good);
        let is_complete = are_good && expected.iter().all(|piece| piece.is_good());
        prop_assert_eq!(report.is_complete(), is_complete);
        let all = download.torrent.files().iter().zip(report.files);
        let own = all.filter(|(_, found)| found.verdict != FileVerdict::Pad);
        for ((file, found), expected) in own.zip(&expected_verdicts) {
            let index = download.index(&file.path().to_text());
            let has = |is: fn(&PieceVerdict) -> bool| {
                let own = report.torrent.pieces().of_file(index);
                report.pieces[own.start as usize..own.end as usize].iter().any(is)
            };
            let expected = match expected {
                FileVerdict::Good if has(|verdict| matches!(verdict, PieceVerdict::Bad(_))) => {
                    &FileVerdict::Bad
                }
                FileVerdict::Good if has(|verdict| *verdict == PieceVerdict::Unverifiable) => {
                    &FileVerdict::Unverifiable
                }
                other => other,
            };
            prop_assert_eq!(&found.verdict, expected);
        }
    }
}
