//! The same for the sets of SP 800-230, whose calls can be stopped and spared by cached nodes.

use std::ops::ControlFlow::{Break, Continue};

use hash_lanes_testing::freed::secrets_freed_by;
use slh_dsa_multi::{CallError, LimitedSet, Sha2_128_24, Shake128_24, SigningKey, TreeCache};

use crate::{Address, Family, N, Seeds};

/// The height of the only tree of the 128-24 sets, chains of a WOTS+ key, FORS trees and their
/// height (SP 800-230, initial public draft).
const HEIGHT: u32 = 22;
const CHAINS: u32 = 68;
const FORS_TREES: u32 = 6;
const FORS_HEIGHT: u32 = 24;

/// The leaves of a part of a tree whose secrets are looked for.
const PART: u32 = 8;

impl Family {
    /// The secrets near those that sign `message` with a 128-24 key, of the tree and of each FORS
    /// tree. Not those that the signature reveals.
    fn secrets_of_limited(self, seeds: &Seeds, signature: &[u8], message: &[u8]) -> Vec<Vec<u8>> {
        let digest = self.digest(&signature[..N], &[&seeds.pk[..], &seeds.root].concat(), message);
        let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        let leaf = number(&digest[18..21]) & ((1 << HEIGHT) - 1);
        let part = |leaf: u32| leaf & !(PART - 1)..(leaf | (PART - 1)) + 1;
        let mut secrets = seeds.secrets();
        secrets.extend(self.chains(seeds, (0, 0), part(leaf), CHAINS, 3));
        for (tree, chosen) in (0..FORS_TREES).zip(digest.chunks(3).map(number)) {
            for number in part(chosen) {
                let last = [0, (tree << FORS_HEIGHT) + number];
                let at = Address { layer: 0, tree: 0, kind: 6, key_pair: leaf, last };
                secrets.push(self.hash(&seeds.pk, at, &seeds.sk).to_vec());
            }
        }
        let revealed: Vec<&[u8]> = signature.chunks_exact(N).collect();
        let all = secrets.len();
        secrets.retain(|secret| !revealed.contains(&&secret[..]));
        // One of each FORS tree, and of the chains that do not end.
        let difference = all - secrets.len();
        assert!((6 + 20..=6 + 68).contains(&difference), "{difference} are revealed");
        secrets
    }
}

/// Keys of SP 800-230 take a minute. These calls are stopped after their first part, which has the
/// leaves from 0 on.
fn stopped<P: LimitedSet>(family: Family) {
    let seeds = Seeds::without_root(5);
    let mut secrets = seeds.secrets();
    secrets.extend(family.chains(&seeds, (0, 0), 0..PART, CHAINS, 3));
    let Seeds { sk, prf, pk, .. } = &seeds;
    let stop = |_| Break(());
    let (found, stopped) = secrets_freed_by(&secrets, || {
        SigningKey::<P>::from_seeds_with_cache(sk, prf, pk, &stop).unwrap_err()
    });
    assert_eq!((found, stopped), (0, CallError::Stopped), "a key");

    let bytes = [&sk[..], prf, pk, &[7; N]].concat();
    let key = SigningKey::<P>::from_bytes_trusting_root(&bytes).unwrap();
    let (found, ()) = secrets_freed_by(&secrets, || {
        assert_eq!(key.tree_cache(&stop).unwrap_err(), CallError::Stopped);
        let signed = key.try_sign_with_cache(b"message", b"", None, None, &stop);
        assert_eq!(signed.unwrap_err(), CallError::Stopped);
        let wrong = vec![7; TreeCache::<P>::bytes_len()];
        TreeCache::<P>::from_bytes(&key.verifying_key(), &wrong).unwrap_err();
        drop(key);
    });
    assert_eq!(found, 0, "a cache, a signature and a key dropped");
}

/// A key with its cache, and a signature by it.
fn with_cache<P: LimitedSet>(family: Family) {
    let mut seeds = Seeds::without_root(7);
    let mut secrets = seeds.secrets();
    for part in [0, 4321, (1 << HEIGHT) / PART - 1] {
        let leaves = part * PART..(part + 1) * PART;
        secrets.extend(family.chains(&seeds, (0, 0), leaves, CHAINS, 3));
    }
    let Seeds { sk, prf, pk, .. } = &seeds;
    let (found, (key, cache)) = secrets_freed_by(&secrets, || {
        SigningKey::<P>::from_seeds_with_cache(sk, prf, pk, &|_| Continue(())).unwrap()
    });
    assert_eq!(found, 0, "a key with its cache");
    seeds.root = key.verifying_key().to_bytes()[N..].to_vec();
    let sign =
        || key.try_sign_with_cache(b"message", b"", None, Some(&cache), &|_| Continue(())).unwrap();
    let signature = sign();
    let secrets = family.secrets_of_limited(&seeds, signature.as_ref(), b"\0\0message");
    let (found, again) = secrets_freed_by(&secrets, sign);
    assert_eq!((found, again == signature), (0, true), "a signature with a cache");
    let (found, ()) = secrets_freed_by(&secrets, || drop((key, cache)));
    assert_eq!(found, 0, "the key and the cache dropped");
}

#[test]
fn stopped_calls_of_sha2() {
    stopped::<Sha2_128_24>(Family::Sha2);
}

#[test]
fn stopped_calls_of_shake() {
    stopped::<Shake128_24>(Family::Shake);
}

#[test]
#[ignore = "takes long"]
fn caches_of_sha2_long() {
    with_cache::<Sha2_128_24>(Family::Sha2);
}

#[test]
#[ignore = "takes long"]
fn caches_of_shake_long() {
    with_cache::<Shake128_24>(Family::Shake);
}
