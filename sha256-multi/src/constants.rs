//! The constants of SHA-256 and SHA-224.

use hash_lanes::engine::{ByteOrder, padding_words};

/// The initial hash value of SHA-256, FIPS 180-4 §5.3.3.
pub const IV: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The initial hash value of SHA-224, FIPS 180-4 §5.3.2.
pub const IV_224: [u32; 8] = [
    0xc105_9ed8,
    0x367c_d507,
    0x3070_dd17,
    0xf70e_5939,
    0xffc0_0b31,
    0x6858_1511,
    0x64f9_8fa7,
    0xbefa_4fa4,
];

/// The round constants K(0) to K(63), FIPS 180-4 §4.2.2.
#[rustfmt::skip]
pub const K: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
    0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
    0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
    0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
    0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

/// The round constants in groups of sixteen.
pub(crate) const K_BY_16: [[u32; 16]; 4] = match K.as_chunks() {
    (&[k0, k1, k2, k3], _) => [k0, k1, k2, k3],
    _ => unreachable!(),
};

/// The round constants in groups of four.
#[cfg(any(target_feature = "sse2", target_arch = "aarch64"))]
pub(crate) const K_BY_4: [[u32; 4]; 16] = by_4(&K);

/// Words 8 to 15 of the single block of a 32-byte message: its padding.
pub(crate) const PADDING_OF_32: [u32; 8] =
    *padding_words(ByteOrder::Big, 8 * 32).last_chunk().unwrap();

/// K(t) + W(t) of the second block of a 64-byte message, which is all padding.
pub(crate) const K_PLUS_PADDING_OF_64: [u32; 64] = k_plus_w(padding_words(ByteOrder::Big, 8 * 64));

/// [`K_PLUS_PADDING_OF_64`] in groups of four.
#[cfg(target_feature = "sse2")]
pub(crate) const K_PLUS_PADDING_OF_64_BY_4: [[u32; 4]; 16] = by_4(&K_PLUS_PADDING_OF_64);

#[cfg(any(target_feature = "sse2", target_arch = "aarch64"))]
const fn by_4(words: &[u32; 64]) -> [[u32; 4]; 16] {
    let (groups, _) = words.as_chunks();
    *groups.first_chunk().unwrap()
}

/// K(t) + W(t) of a constant block, from the message schedule of FIPS 180-4 §6.2.2.
///
/// Evaluate it in a `const`, as the argument of
/// [`compress_constant`](crate::hazmat::compress_constant).
#[must_use]
pub const fn k_plus_w(block: [u32; 16]) -> [u32; 64] {
    let mut w = [0; 64];
    let mut sums = [0; 64];
    let mut t = 0;
    while t < 64 {
        w[t] = if t < 16 {
            block[t]
        } else {
            let (x, y) = (w[t - 15], w[t - 2]);
            let small_sigma_0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let small_sigma_1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            small_sigma_1.wrapping_add(w[t - 7]).wrapping_add(small_sigma_0).wrapping_add(w[t - 16])
        };
        sums[t] = w[t].wrapping_add(K[t]);
        t += 1;
    }
    sums
}
