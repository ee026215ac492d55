//! Random payloads come back from their addresses, whatever case these are in.

use addr_recover::DamagedAddress;
use proptest::prelude::*;

use crate::{address, recover};

/// Counts a payload up until its address has few enough letters for a quick search.
fn affordable(zeros: usize, mut payload: [u8; 20]) -> String {
    payload[..zeros].fill(0);
    loop {
        let address = address(&payload);
        if DamagedAddress::parse(&address).unwrap().ambiguous_letters() <= 22 {
            return address;
        }
        let low: [u8; 4] = payload[16..].try_into().unwrap();
        payload[16..].copy_from_slice(&u32::from_be_bytes(low).wrapping_add(1).to_be_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn payloads_come_back(zeros in 0usize..=20, payload: [u8; 20], cases: [bool; 34]) {
        let address = affordable(zeros, payload);
        let damaged: String = address
            .chars()
            .zip(cases)
            .map(|(character, capital)| match capital {
                true => character.to_ascii_uppercase(),
                false => character.to_ascii_lowercase(),
            })
            .collect();
        let outcome = recover(&damaged);
        prop_assert!(outcome.addresses.contains(&address), "{address} not in {outcome:?}");
        for found in &outcome.addresses {
            prop_assert!(found.eq_ignore_ascii_case(&address));
            let bytes = bs58::decode(found).with_check(Some(0)).into_vec().unwrap();
            prop_assert_eq!(bytes.len(), 21);
        }
        prop_assert!(outcome.addresses.is_sorted_by(|a, b| a < b));
    }
}
