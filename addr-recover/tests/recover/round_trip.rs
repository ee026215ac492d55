//! Recovers the addresses of random payloads of all kinds, whatever their case.

use addr_recover::{Damage, Hit, KINDS, Version};
use proptest::prelude::*;

use crate::{address, addresses, alphabet, search, space};

/// Changes a payload until its address has few enough candidates for a fast search.
fn affordable(version: Version, zeros: usize, mut payload: [u8; 20]) -> String {
    for round in 0.. {
        for (place, byte) in (0_u8..).zip(&mut payload) {
            *byte = byte.wrapping_mul(5).wrapping_add(2 * place + 1);
        }
        // With many zeros, no such address may exist.
        let mut payload = payload;
        payload[..zeros.saturating_sub(round / 50)].fill(0);
        let address = address(version, &payload);
        if space(&address, Damage::default(), &[version]).estimate().hashes <= 3e5 {
            return address;
        }
    }
    unreachable!("the rounds do not end")
}

fn assert_recovered(
    version: Version,
    zeros: usize,
    payload: [u8; 20],
    cases: &str,
) -> Result<(), TestCaseError> {
    // Only version 0 has a leading zero byte itself, but any payload may begin with zeros.
    let address = affordable(version, zeros, payload);
    let lowered = address.to_ascii_lowercase();
    let raised = address.to_ascii_uppercase();
    let mixed: String = lowered
        .chars()
        .zip(raised.chars())
        .zip(cases.chars())
        .map(|((lower, upper), case)| if case == 'a' { lower } else { upper })
        .collect();
    for damaged in [lowered, raised, mixed] {
        let outcome = search(&space(&damaged, Damage::default(), &[version]));
        prop_assert!(
            addresses(&outcome).contains(&address.as_str()),
            "{} not in {:?}",
            address,
            outcome
        );
        for found in &outcome.hits {
            // In mixed-case text an l is not an L, but one of its look-alikes.
            let plain = |text: &str| text.to_ascii_lowercase().replace(['l', 'i'], "1");
            prop_assert_eq!(plain(&found.text), plain(&address));
            prop_assert_eq!(found.format, version);
            prop_assert_eq!(Hit::of(&found.text).map(|hit| hit.format), Some(version));
            prop_assert!(
                bs58::decode(&found.text)
                    .with_alphabet(alphabet(version))
                    .with_check(None)
                    .into_vec()
                    .is_ok()
            );
        }
        prop_assert!(outcome.hits.is_sorted_by(|a, b| a < b));
    }
    Ok(())
}

fn payloads_are_recovered_in(count: u32) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(count) };
    let kinds = prop::sample::select(KINDS);
    let zeros = 0usize..=20;
    proptest!(config, |(kind in kinds, zeros in zeros, payload: [u8; 20], cases in "[ab]{36}")| {
        assert_recovered(kind.version, zeros, payload, &cases)?;
    });
}

#[test]
fn payloads_are_recovered() {
    payloads_are_recovered_in(12);
}

#[test]
#[ignore = "takes long"]
fn payloads_are_recovered_long() {
    payloads_are_recovered_in(128);
}
