//! The constants of SHA-1.

/// The initial hash value, FIPS 180-4 §5.3.1.
pub const IV: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// The constants K(t), FIPS 180-4 §4.2.1; each is used in twenty rounds.
pub const K: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];
