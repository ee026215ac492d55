//! The crates that are compared with, each behind one small function that calls it as its users do.

use aws_lc_rs::digest as aws_lc;
use commonware_cryptography::{Hasher as _, Sha256 as Commonware};
use commonware_parallel::Sequential;
use p3_symmetric::CryptographicHasher as _;
use ring::digest as ring;
use sha2_0_10::Digest as _;

use crate::batch::Batch;
use crate::candidate::{Digest, Hash, each};
use crate::shape::{Messages, Operation, Shape};
use crate::versions::label;

/// The rivals that can hash this shape.
pub(crate) fn rivals(shape: &Shape) -> Vec<(String, Hash)> {
    let operation = shape.operation;
    let one_length = matches!(shape.messages, Messages::Equal { .. });
    let mut all: Vec<(String, Hash)> = Vec::new();

    match operation {
        Operation::HashPairs | Operation::DigestAfterPairs => {
            all.push((hashtree_label(), Box::new(hashtree_pairs)));
            all.push((label("p3-sha256", "0.9"), Box::new(p3)));
            let by_two = label("commonware-cryptography", "2026.10") + ":hash_pair";
            all.push((by_two, Box::new(commonware_pairs)));
            all.push((label("commonware-cryptography", "2026.10"), Box::new(commonware)));
            all.push((label("tape-sha256", "0.2"), Box::new(tape)));
        }
        Operation::HashMany => {
            if one_length {
                all.push((label("p3-sha256", "0.9"), Box::new(p3)));
            }
            all.push((label("commonware-cryptography", "2026.10"), Box::new(commonware)));
            all.push((label("tape-sha256", "0.2"), Box::new(tape)));
        }
        Operation::DoubleHashPairs => {
            all.push((label("bitcoin_hashes", "1.2") + ":hash_64_many", Box::new(bitcoin_pairs)));
            all.push((label("p3-sha256", "0.9") + ":twice", p3_twice()));
        }
        Operation::DoubleHashMany => {
            all.push((label("p3-sha256", "0.9") + ":twice", p3_twice()));
        }
    }

    if operation != Operation::DigestAfterPairs {
        all.push((label("bitcoin_hashes", "1.2"), bitcoin(operation)));
        all.push((
            label("sha2", "0.10"),
            each(operation, |message| sha2_0_10::Sha256::digest(message).into()),
        ));
        all.push((
            label("ring", "0.17"),
            each(operation, |message| digest(&ring::digest(&ring::SHA256, message))),
        ));
        all.push((
            label("aws-lc-rs", "1"),
            each(operation, |message| digest(&aws_lc::digest(&aws_lc::SHA256, message))),
        ));
    }
    all
}

/// Its version, and how it was built if that was not as shipped: `with-avx-hashtree.sh` says so.
fn hashtree_label() -> String {
    let label = label("hashtree-rs", "0.2");
    match option_env!("HASHLANES_HASHTREE") {
        Some(built) => format!("{label}:{built}"),
        None => label,
    }
}

fn hashtree_pairs(batch: &Batch<'_>, digests: &mut [Digest]) {
    let count = batch.nodes().len();
    // It looks at neither slice's length.
    assert_eq!(digests.len(), count);
    hashtree_rs::hash(digests.as_flattened_mut(), batch.bytes, count);
}

fn p3(batch: &Batch<'_>, digests: &mut [Digest]) {
    p3_sha256::Sha256.hash_many(batch.bytes, digests);
}

/// Not one call of that crate, but the fastest that a user can build from it.
fn p3_twice() -> Hash {
    let mut inner = Vec::new();
    Box::new(move |batch, digests| {
        inner.resize(digests.len(), [0; 32]);
        p3(batch, &mut inner);
        p3_sha256::Sha256.hash_many(inner.as_flattened(), digests);
    })
}

fn commonware(batch: &Batch<'_>, digests: &mut [Digest]) {
    for (digest, hashed) in digests.iter_mut().zip(Commonware::hash_many(&batch.messages, &Sequential)) {
        *digest = hashed.0;
    }
}

fn commonware_pairs(batch: &Batch<'_>, digests: &mut [Digest]) {
    let (twos, rest) = batch.nodes().as_chunks::<2>();
    let (two_digests, rest_digests) = digests.as_chunks_mut::<2>();
    for ([left, right], digests) in twos.iter().zip(two_digests) {
        // It takes its kernel for two only when each node comes as two children of 32 bytes.
        let ((l0, l1), (r0, r1)) = (left.split_at(32), right.split_at(32));
        let (left, right) = Commonware::hash_pair(&[l0, l1], &[r0, r1], &Sequential);
        *digests = [left.0, right.0];
    }
    for (node, digest) in rest.iter().zip(rest_digests) {
        let (left, right) = node.split_at(32);
        *digest = Commonware::hash(&[left, right]).0;
    }
}

fn tape(batch: &Batch<'_>, digests: &mut [Digest]) {
    tape_sha256::hash_many(&batch.messages, digests);
}

fn bitcoin(operation: Operation) -> Hash {
    use bitcoin_hashes::{sha256, sha256d};

    match operation {
        Operation::HashPairs | Operation::HashMany | Operation::DigestAfterPairs => {
            each(operation, |message| sha256::hash(message).to_byte_array())
        }
        // Its own type for hashing twice keeps the inner digest where it is.
        Operation::DoubleHashPairs | Operation::DoubleHashMany => Box::new(|batch, digests| {
            for (message, digest) in batch.messages.iter().zip(digests) {
                *digest = sha256d::hash(message).to_byte_array();
            }
        }),
    }
}

fn bitcoin_pairs(batch: &Batch<'_>, digests: &mut [Digest]) {
    bitcoin_hashes::sha256d::Hash::hash_64_many(digests, batch.nodes());
}

fn digest(bytes: &impl AsRef<[u8]>) -> Digest {
    bytes.as_ref().try_into().expect("a SHA-256 digest has 32 bytes")
}
