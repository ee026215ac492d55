//! Tests `HashMany` for functions of one message.

use std::iter::repeat;

use hash_lanes::HashMany;
use sha2::digest::Output;
use sha2::{Digest, Sha512};

fn digests_of<H: HashMany>(hash: H, messages: &[Vec<u8>]) -> Vec<H::Output> {
    hash.hash_many(messages)
}

fn sha512(message: &[u8]) -> Output<Sha512> {
    Sha512::digest(message)
}

#[test]
fn hashes_one_after_another() {
    let messages: Vec<Vec<u8>> = (0..20).map(|i| crate::painted(i, i * 29)).collect();
    let expected: Vec<_> = messages.iter().map(Sha512::digest).collect();
    assert_eq!(digests_of(sha512, &messages), expected);
    assert_eq!(digests_of(|message: &[u8]| Sha512::digest(message), &messages), expected);
    let mut digests = vec![Output::<Sha512>::default(); 20];
    sha512.hash_many_into(messages.iter().filter(|_| true), &mut digests);
    assert_eq!(digests, expected);
    assert!(sha512.hash_many([""; 0]).is_empty());
    assert_eq!(sha512.hash_many((0..2).map(|i| i.to_string()))[1], Sha512::digest("1"));
}

/// A list of digests grows if the iterator has no hint.
#[test]
fn unknown_number_of_messages() {
    let messages: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
    let even = || messages.iter().filter(|message| message.ends_with(['0', '2', '4', '6', '8']));
    let expected: Vec<_> = even().map(Sha512::digest).collect();
    assert_eq!(sha512.hash_many(even()), expected);
}

#[test]
#[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
fn fewer_digests_than_messages() {
    sha512.hash_many_into(["", ""], &mut [Output::<Sha512>::default()]);
}

#[test]
#[should_panic(expected = "more than 1 messages cannot be hashed into 1 digests")]
fn fewer_digests_than_filtered_messages() {
    let messages = ["", ""].into_iter().filter(|_| true);
    sha512.hash_many_into(messages, &mut [Output::<Sha512>::default()]);
}

#[test]
#[should_panic(expected = "messages cannot be hashed into 3 digests")]
fn endless_messages() {
    sha512.hash_many_into(repeat(""), &mut [Output::<Sha512>::default(); 3]);
}
