//! Tests the constants against their definition.

use sha1_multi::hazmat::K;

/// The constants are the square roots of 2, 3, 5 and 10, with 30 fraction bits.
#[test]
fn constants_are_square_roots() {
    for (k, square) in K.iter().zip([2, 3, 5, 10_u64]) {
        let k = u64::from(*k);
        assert!(k * k <= square << 60 && square << 60 < (k + 1) * (k + 1), "{k:08x}");
    }
}
