//! Tests that messages in parts take no memory beyond the hasher.

use sha1_multi::{Backend, ManyHasher, hash};

#[test]
fn update_all_does_not_allocate() {
    let data: Vec<u8> = (0..=250).cycle().take(16 << 10).collect();
    for backend in Backend::available() {
        // All messages, fewer than there are lanes, and one.
        for count in [16, 5, 1] {
            let mut hasher = ManyHasher::with_backend(backend, count);
            let mut parts = [&data[..]; 16];
            let used = allocation_counter::measure(|| {
                // The third part completes the block that the second one began.
                for length in [16 << 10, 1_000, 10_000] {
                    parts = [&data[..length]; 16];
                    hasher.update_all(&parts[..count]);
                }
            });
            assert_eq!(used.count_total, 0, "{backend}, {count} messages");
            let expected = hash(&[&data[..], &data[..1_000], &data[..10_000]].concat());
            assert_eq!(hasher.finalize(), vec![expected; count]);
        }
    }
}
