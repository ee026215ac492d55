//! Whether enough positions are revealed.

use ethnum::U256;

/// The number of fractional bits of logarithms.
const PRECISION_BITS: u32 = 16;

/// ln 2 with that precision, rounded up.
const LN_2: u64 = 45427;

/// Whether so many coins prove the proven weight, with a security of `strength_target` bits.
///
/// If less than the proven weight has signed, a prover that claims the signed weight S passes with
/// a probability of at most (proven / S)^coins. This must be at most 2^-strength, that is,
/// coins · (ln S - ln proven) ≥ strength · ln 2. As in go-algorand, ln S is bounded from below by
/// d · ln 2 + 3 (r² - 1) / (r² + 4r + 1), where r = S / 2^d is from 1 to 2. All is multiplied by
/// the denominator and by 4^d, so that it stays in integers.
pub(super) fn suffice(signed: u64, ln_proven: u64, coins: u64, strength_target: u64) -> bool {
    let Some(d) = signed.checked_ilog2() else { return false };
    let signed = U256::from(signed);
    let (square, one) = (signed * signed, U256::ONE << (2 * d));
    let denominator = square + (signed << (d + 2)) + one;
    let above_power_of_two = (U256::from(3_u8) * (square - one)) << PRECISION_BITS;
    let ln_signed = above_power_of_two + U256::from(u64::from(d) * (LN_2 - 1)) * denominator;
    let needed =
        U256::from(strength_target) * U256::from(LN_2) + U256::from(coins) * U256::from(ln_proven);
    // At most 640 coins keep both products below 2^256: a denominator has less than 131 bits.
    U256::from(coins) * ln_signed >= needed * denominator
}
