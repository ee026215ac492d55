//! Hexadecimal constants.

/// Decodes hexadecimal digits in constants; the crate `hex` has no `const fn`.
pub(crate) const fn hex(digits: &str) -> [u8; 32] {
    const fn value(digit: u8) -> u8 {
        match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => panic!("not a digit"),
        }
    }
    let digits = digits.as_bytes();
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i] = value(digits[2 * i]) << 4 | value(digits[2 * i + 1]);
        i += 1;
    }
    bytes
}
