//! The encodings of SP 800-185 §2.3, and the state that cSHAKE begins with (§3.3).

use alloc::vec::Vec;

use hash_lanes::engine::Erased;

use crate::function::Function;
use crate::jobs::{EMPTY, State};

/// The bytes of `value` without leading zeros, at least one.
fn significant_bytes(value: &[u8]) -> &[u8] {
    let zeros = value.iter().take_while(|&&byte| byte == 0).count();
    &value[zeros.min(value.len() - 1)..]
}

/// `left_encode` of SP 800-185 §2.3.1.
fn left_encode(out: &mut Erased<u8>, value: u128) {
    let bytes = value.to_be_bytes();
    let bytes = significant_bytes(&bytes);
    out.push(bytes.len() as u8);
    out.extend_from_slice(bytes);
}

/// `encode_string` of SP 800-185 §2.3.2.
fn encode_string(out: &mut Erased<u8>, string: &[u8]) {
    left_encode(out, 8 * string.len() as u128);
    out.extend_from_slice(string);
}

/// The state of a cSHAKE `function` after `bytepad(encode_string(N) || encode_string(S), rate)`.
pub(crate) fn initial_state(function: Function, name: &[u8], customization: &[u8]) -> State {
    let rate = function.sponge.rate;
    let mut prefix = Erased::new();
    left_encode(&mut prefix, rate as u128);
    encode_string(&mut prefix, name);
    encode_string(&mut prefix, customization);
    prefix.resize(prefix.len().next_multiple_of(rate));
    function.absorb_one((&EMPTY, 0, &prefix))
}

/// `length_encode` of RFC 9861 §3.3: the bytes without leading zeros, then their number. Unlike
/// `right_encode`, it has no byte for zero.
pub(crate) fn length_encode(length: usize) -> Vec<u8> {
    let bytes = (length as u64).to_be_bytes();
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    let mut encoded = bytes[zeros..].to_vec();
    encoded.push((bytes.len() - zeros) as u8);
    encoded
}
