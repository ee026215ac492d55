//! Tests messages in parts, for a hash with little-endian words.

use hash_lanes::{Backend, ManyHasher};

use crate::mix::{Mix, naive_hash, set_costs, take_scheduler_calls};
use crate::{all_costs, assert_shared_between_threads, painted};

const _: () = assert_shared_between_threads::<ManyHasher<Mix<true>>>();

#[test]
fn debug_does_not_show_messages() {
    let hasher = ManyHasher::<Mix<true>>::with_backend(Backend::detect(), 3);
    let expected = format!("ManyHasher {{ backend: {:?}, count: 3, .. }}", Backend::detect());
    assert_eq!(format!("{hasher:?}"), expected);
}

/// Each part of all messages is hashed in one pass, and in another one if blocks are incomplete.
#[test]
fn update_all_enters_the_scheduler_once() {
    set_costs(all_costs()[0]);
    let mut hasher = ManyHasher::<Mix<false>>::new(16);
    let mut messages = vec![Vec::new(); 16];
    take_scheduler_calls();
    for (length, calls) in [(4096, 1), (64, 1), (0, 0), (63, 0), (4097, 2), (4096, 1), (10, 0)] {
        let parts: Vec<Vec<u8>> = (0..16).map(|i| painted(i + length, length)).collect();
        hasher.update_all(&parts);
        assert_eq!(take_scheduler_calls(), calls, "{length} bytes");
        messages.iter_mut().zip(&parts).for_each(|(message, part)| message.extend(part));
    }
    // One message alone has bytes.
    let parts: Vec<Vec<u8>> = (0..16).map(|i| painted(i, if i == 9 { 640 } else { 0 })).collect();
    take_scheduler_calls();
    hasher.update_all(&parts);
    messages[9].extend(&parts[9]);
    assert_eq!(take_scheduler_calls(), 2);
    for (digest, message) in hasher.finalize().iter().zip(&messages) {
        assert_eq!(digest[..], naive_hash::<false>(message));
    }
}
