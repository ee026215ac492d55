//! RIPEMD-160 and HASH160 in lanes.
