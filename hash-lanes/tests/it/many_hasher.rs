//! Tests messages in parts, for a hash with little-endian words.

use hash_lanes::{Backend, ManyHasher};

use crate::mix::{Mix, WORDS, naive_hash, set_costs};
use crate::{all_costs, assert_shared_between_threads, painted};

const _: () = assert_shared_between_threads::<ManyHasher<Mix<true>, WORDS>>();

#[test]
fn debug_does_not_show_messages() {
    let hasher = ManyHasher::<Mix<true>, WORDS>::with_backend(Backend::detect(), 3);
    let expected = format!("ManyHasher {{ backend: {:?}, count: 3, .. }}", Backend::detect());
    assert_eq!(format!("{hasher:?}"), expected);
}

#[test]
fn parts_of_every_size() {
    let messages: Vec<Vec<u8>> = (0..19).map(|i| painted(i, 300 * i)).collect();
    for backend in Backend::available() {
        for costs in all_costs() {
            set_costs(costs);
            let mut hasher = ManyHasher::<Mix<false>, WORDS>::with_backend(backend, messages.len());
            for (index, message) in messages.iter().enumerate() {
                for part in message.chunks(1 + index * 97) {
                    hasher.update(index, part);
                }
            }
            for (digest, message) in hasher.finalize().iter().zip(&messages) {
                assert_eq!(digest[..], naive_hash::<false>(message), "{backend}");
            }
        }
    }
}
