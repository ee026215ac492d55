//! The permutation of many states.

use sha3_multi::hazmat::{permute_many, permute_many_with};

use super::backends;

#[test]
fn known_permutation_twice() {
    // The Keccak team's intermediate values of Keccak-f[1600] of zeros, and of its result.
    let mut states = [[0; 25]];
    permute_many(&mut states, 24);
    assert_eq!(states[0][0], 0xf125_8f79_40e1_dde7);
    assert_eq!(states[0][24], 0xeaf1_ff7b_5cec_a249);
    permute_many(&mut states, 24);
    assert_eq!(states[0][0], 0x2d5c_954d_f96e_cb3c);
    assert_eq!(states[0][24], 0x20d0_6cd2_6a8f_bf5c);
}

#[test]
fn every_count_on_every_kernel() {
    let states = |count: usize| -> Vec<[u64; 25]> {
        let word =
            |i: usize, j: usize| ((i * 25 + j + 1) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (0..count).map(|i| std::array::from_fn(|j| word(i, j))).collect()
    };
    for rounds in [0, 2, 12, 24] {
        for count in 0..=33 {
            let mut expected = states(count);
            for state in &mut expected {
                permute_many_with("portable".parse().unwrap(), std::slice::from_mut(state), rounds);
            }
            for backend in backends() {
                let mut permuted = states(count);
                permute_many_with(backend, &mut permuted, rounds);
                assert!(permuted == expected, "{count} states, {rounds} rounds, {backend}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "13 rounds are not an even number up to 24")]
fn an_odd_number_of_rounds() {
    permute_many(&mut [[0; 25]], 13);
}
