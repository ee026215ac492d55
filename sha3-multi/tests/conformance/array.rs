//! Readers of a known number of outputs allocate nothing, and leave nothing where they were.

use hash_lanes_testing::freed::{allocated_by, secrets_freed_by};
use sha3_multi::XofLanes;

#[test]
fn nothing_is_allocated() {
    let run = || {
        let messages: [_; 11] = core::array::from_fn(|i| ([7; 200], [i as u8]));
        let mut readers = XofLanes::shake256().reader_array(&messages);
        let first: [[u8; 300]; 11] = readers.read();
        let rest: [[u8; 77]; 11] = readers.read();
        let messages = [("one",), ("two",), ("three",)];
        let other: [[u8; 64]; 3] = XofLanes::shake128().xof_array(&messages);
        (first, rest, other)
    };
    // Not even by the first call of a process, which other functions make plans in.
    let (allocated, (first, ..)) = allocated_by(run);
    assert_eq!((allocated.bytes, allocated.largest), (0, 0));
    let message = [&[7; 200][..], &[10]].concat();
    assert_eq!(first[10], XofLanes::shake256().xof::<300>(&message));
    // The allocator counts.
    let (allocated, _) = allocated_by(|| XofLanes::shake256().xof_many::<300>([&message]));
    assert!(allocated.bytes >= 300);
}

#[test]
fn readers_are_erased_when_they_are_dropped() {
    let messages: [_; 9] = core::array::from_fn(|i| ([7; 32], [i as u8]));
    let mut readers = Box::new(XofLanes::shake256().reader_array(&messages));
    // A state is the next block of its output.
    let states: [[u8; 136]; 9] = readers.read();
    let secrets: Vec<Vec<u8>> =
        states.as_flattened().chunks_exact(17).map(<[u8]>::to_vec).collect();
    let (found, ()) = secrets_freed_by(&secrets, || drop(readers));
    assert_eq!(found, 0);
}
