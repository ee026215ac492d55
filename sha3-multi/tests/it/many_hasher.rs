//! Messages in parts.

use std::io;
use std::ops::ControlFlow;

use sha3::{Digest, Keccak256, Sha3_512};
use sha3_multi::{Keccak256Lanes, Sha3_512Lanes, XofLanes, keccak256};
use shake::digest::ExtendableOutput;

use super::{backends, messages, scattered};

/// The parts of each message in round `round`, until `at[i]` is its end.
fn parts<'m>(all: &'m [Vec<u8>], at: &mut [usize], round: usize) -> Vec<&'m [u8]> {
    let mut parts = Vec::new();
    for (i, message) in all.iter().enumerate() {
        let length = [0, 1, 71, 72, 136, 1223, 1224, 1225, 3000][(i * 5 + round) % 9];
        let end = message.len().min(at[i] + length);
        parts.push(&message[at[i]..end]);
        at[i] = end;
    }
    parts
}

#[test]
fn parts_of_any_lengths() {
    let all = messages(scattered(21, 9000));
    for backend in backends() {
        let mut keccak = Keccak256Lanes::on(backend).many_hasher(21);
        let mut sha3 = Sha3_512Lanes::on(backend).many_hasher(21);
        let mut xof = XofLanes::shake128().with_backend(backend).many_hasher(21);
        let mut at = [0; 21];
        for round in 0.. {
            if all.iter().zip(at).all(|(message, at)| message.len() == at) {
                break;
            }
            let parts = parts(&all, &mut at, round);
            keccak.update_all(&parts);
            xof.update_all(&parts);
            for (i, part) in parts.into_iter().enumerate().rev() {
                sha3.update(i, part);
            }
        }
        let outputs = xof.finalize().read::<300>();
        let digests = keccak.finalize().into_iter().zip(sha3.finalize()).zip(outputs);
        for (message, ((keccak, sha3), output)) in all.iter().zip(digests) {
            assert_eq!(keccak[..], Keccak256::digest(message)[..], "{} bytes", message.len());
            assert_eq!(sha3[..], Sha3_512::digest(message)[..], "{} bytes", message.len());
            let mut expected = [0; 300];
            shake::Shake128::digest_xof(message, &mut expected);
            assert_eq!(output, expected, "{} bytes", message.len());
        }
    }
}

#[test]
fn a_place_takes_another_message() {
    let mut hasher = Keccak256Lanes::default().many_hasher(3);
    hasher.update(1, &[7; 5000]);
    hasher.update(2, b"two");
    assert_eq!(hasher.finalize_one(1)[..], Keccak256::digest([7; 5000])[..]);
    hasher.update(1, b"one");
    let copy = hasher.clone();
    hasher.reset();
    let empty = Keccak256::digest(b"");
    assert!(hasher.finalize().iter().all(|digest| digest[..] == empty[..]));
    let digests = copy.finalize();
    assert_eq!(digests[1][..], Keccak256::digest(b"one")[..]);
    assert_eq!(digests[2][..], Keccak256::digest(b"two")[..]);
}

#[test]
fn a_place_of_an_xof_takes_another_message() {
    let xof = XofLanes::cshake128(b"", b"custom");
    let mut hasher = xof.many_hasher(2);
    hasher.update(1, &[7; 5000]);
    assert_eq!(hasher.finalize_one(1).read::<200>()[0], xof.xof::<200>(&[7; 5000]));
    hasher.update(1, b"one");
    assert_eq!(hasher.finalize().read::<200>()[1], xof.xof::<200>(b"one"));
}

#[test]
#[should_panic(expected = "message index 2 is out of range for 2 messages")]
fn an_index_too_large() {
    Keccak256Lanes::default().many_hasher(2).update(2, b"");
}

#[test]
#[should_panic(expected = "1 parts for 2 messages")]
fn parts_that_are_missing() {
    Keccak256Lanes::default().many_hasher(2).update_all(&["one"]);
}

#[test]
#[should_panic(expected = "do not fit into memory")]
fn more_messages_than_memory() {
    let _ = Keccak256Lanes::default().many_hasher(usize::MAX / 1024);
}

#[test]
fn readers_and_writers() {
    let contents = [0, 135, 16_384, 40_000].map(|length| vec![7_u8; length]);
    let mut readers = [&contents[0][..], &contents[1], &contents[2], &contents[3]];
    let mut last = 0;
    let hasher = Keccak256Lanes::default().many_hasher(4);
    let digests = hasher.hash_readers(&mut readers, |progress| {
        last = progress.bytes;
        ControlFlow::Continue(())
    });
    assert_eq!(last, 56_519);
    for (content, digest) in contents.iter().zip(digests) {
        assert_eq!(digest.unwrap(), keccak256::hash(content));
    }
    let mut hasher = Keccak256Lanes::default().many_hasher(4);
    let mut outputs = XofLanes::shake128().many_hasher(4);
    for (i, mut content) in contents.iter().map(|content| &content[..]).enumerate() {
        io::copy(&mut &content[..], &mut hasher.writer(i)).unwrap();
        io::copy(&mut content, &mut outputs.writer(i)).unwrap();
    }
    let outputs: Vec<[u8; 32]> = outputs.finalize().read();
    for (content, (digest, output)) in contents.iter().zip(hasher.finalize().iter().zip(outputs)) {
        assert_eq!(*digest, keccak256::hash(content));
        assert_eq!(output, XofLanes::shake128().xof::<32>(content));
    }
}
