//! Parses any bytes as a damaged address. Expects an error at a valid position, or a pattern that
//! survives a round trip and whose search space has a consistent estimate. Corrects addresses of
//! other formats.
#![no_main]

use addr_recover::{Case, Damage, Kind, LookAlikes, ParseError, Pattern, Reading, SearchSpace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (options, bytes) = input;
    let is_set = |bit: u8| options >> bit & 1 == 1;
    let case = if is_set(0) { Case::Kept } else { Case::Auto };
    let look_alikes =
        if is_set(1) { LookAlikes::everywhere("0oO,1IlLi") } else { LookAlikes::default() };
    let damage = Damage {
        case,
        look_alikes,
        typos: options >> 2 & 3,
        missing: u8::from(is_set(4)),
        surplus: u8::from(is_set(5)),
        swapped: u8::from(is_set(6)),
        ..Damage::default()
    };
    let text = String::from_utf8_lossy(bytes);
    match Pattern::with_damage(&text, damage.clone()) {
        Ok(pattern) => {
            let again = Pattern::with_damage(pattern.address(), damage);
            assert_eq!(again.as_ref().map(Pattern::address), Ok(pattern.address()));
            match SearchSpace::new(&pattern, &Kind::all_versions()) {
                Ok(space) => {
                    let estimate = space.estimate();
                    assert!(estimate.hashes >= 0.0);
                    // Every candidate has a prefix, and a prefix has at most 2^32 candidates.
                    assert_eq!(estimate.candidates == 0.0, estimate.hashes == 0.0);
                    assert!(estimate.hashes * 4_294_967_296.0 >= estimate.candidates * 0.999);
                }
                Err(error) => assert_eq!(error, ParseError::TooComplex),
            }
        }
        Err(ParseError::SecondGap { position }) => {
            assert!((1..=text.chars().count()).contains(&position), "{position}");
        }
        Err(_) => {}
    }
    if let Some(answer) = Reading::of(&text).ok().and_then(|reading| reading.corrected()) {
        assert!(!answer.addresses.is_empty());
        if let Some(evidence) = answer.evidence() {
            assert!((0.0..=1.0).contains(&evidence.probability()), "{answer:?}");
        }
    }
});
