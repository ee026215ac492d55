//! Tests of how long a check waits for its limit. They do not wait.

use std::num::NonZeroU64;
use std::time::Duration;

#[path = "../../src/check/pace.rs"]
#[allow(dead_code, reason = "only the arithmetic is tested here")]
mod check_pace;

fn pause(bytes: u64, rate: u64, milliseconds: u64) -> u128 {
    let rate = NonZeroU64::new(rate).unwrap();
    check_pace::pause(bytes, rate, Duration::from_millis(milliseconds)).as_millis()
}

#[test]
fn pauses_make_up_for_what_was_read_too_fast() {
    assert_eq!(pause(3_000_000, 1_000_000, 0), 3000);
    assert_eq!(pause(3_000_000, 1_000_000, 2500), 500);
    assert_eq!(pause(3_000_000, 1_000_000, 3500), 0);
    assert_eq!(pause(0, 1, 0), 0);
    // The longest torrent at the lowest rate.
    assert_eq!(pause((1 << 63) - 1, 1, 0), (1 << 63) * 1000);
}
