//! Collision detection: published collisions in every position, beside other messages, on every
//! backend, and random blocks against `sha1-checked`.

use hash_lanes::engine::{CompiledHash, LaneKernel, Pass, Row, ShaExtensions, Start};
use sha1_checked_0_10::{CollisionResult, Sha1};
use sha1_multi::checked::{Checked, CheckedLanes, ManyHasher, SafeLanes};
use sha1_multi::engine::CheckedSha1;
use sha1_multi::hazmat::conditions::{conditions_met, vector_of_bit};
use sha1_multi::{Backend, hash};

use crate::collisions::published;
use crate::conditions::VECTORS;
use crate::digest;

/// Every backend and every kernel of this machine.
fn backends() -> impl Iterator<Item = Backend> {
    Backend::available().into_iter().chain(Backend::single_kernels())
}

/// Every lane kernel of this machine.
fn kernels() -> Vec<LaneKernel> {
    let mut kernels: Vec<LaneKernel> = Vec::new();
    for backend in backends() {
        for kernel in backend.kernels() {
            if let Pass::Lanes(lanes) = backend.pass::<ShaExtensions>(kernel)
                && kernels.iter().all(|it| it.kernel() != kernel)
                && !kernel.name().starts_with("bmi")
            {
                kernels.push(lanes);
            }
        }
    }
    kernels
}

/// What `sha1-checked` says of a message: the digest, the safe digest, and whether it found a
/// collision.
fn reference(message: &[u8]) -> ([u8; 20], [u8; 20], bool) {
    let mut plain = Sha1::builder().safe_hash(false).build();
    sha1_checked_0_10::Digest::update(&mut plain, message);
    let plain = plain.try_finalize();
    let safe = Sha1::try_digest(message);
    assert_eq!(plain.has_collision(), safe.has_collision());
    assert!(!matches!(safe, CollisionResult::Collision(_)));
    ((*plain.hash()).into(), (*safe.hash()).into(), safe.has_collision())
}

/// Asserts that `digests` are those of the messages, by `sha1-checked`.
fn check(messages: &[impl AsRef<[u8]>], digests: &[Checked], safe: bool, context: &str) {
    assert_eq!(messages.len(), digests.len());
    for (i, (message, checked)) in messages.iter().zip(digests).enumerate() {
        let (plain, safe_digest, found) = reference(message.as_ref());
        let context = format!("{context}, message {i} of {} bytes", message.as_ref().len());
        assert_eq!(checked.is_collision(), found, "{context}");
        assert_eq!(checked.any_digest(), if safe { safe_digest } else { plain }, "{context}");
        assert_eq!(checked.digest().is_ok(), !found, "{context}");
    }
}

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = std::iter::repeat_with(|| self.next().to_le_bytes())
            .take(len.div_ceil(8))
            .flatten()
            .collect();
        bytes.truncate(len);
        bytes
    }

    fn block(&mut self) -> [u8; 64] {
        self.bytes(64).try_into().unwrap()
    }
}

#[test]
fn published_collisions() {
    for published in published() {
        let (name, message) = (published.name, &published.message);
        assert_eq!(hash(message), digest(published.digest), "{name}");
        for backend in backends() {
            let report = CheckedLanes::on(backend).hash(message);
            assert!(report.is_collision(), "{name}, {backend}");
            assert_eq!(report.any_digest(), digest(published.digest), "{name}, {backend}");
            assert_eq!(report.digest().unwrap_err().digest, digest(published.digest));
            let safe = SafeLanes::on(backend).hash(message);
            assert!(safe.is_collision(), "{name}, {backend}");
            if let Some(expected) = published.safe {
                assert_eq!(safe.any_digest(), digest(expected), "{name}, {backend}");
            }
        }
    }
}

/// Messages that are equal up to a byte after the collision, or end before or within its block.
#[test]
fn longer_and_truncated_messages() {
    for published in published() {
        let message = &published.message;
        let longer = |more: usize| [message, &vec![7; more][..]].concat();
        let mut messages: Vec<Vec<u8>> = [0, 1, 55, 56, 64, 100, 200].map(longer).into();
        for less in [1, 9, 63, 64, 65, 128, 129, 192] {
            messages.push(message[..message.len() - less].to_vec());
        }
        for backend in backends() {
            let context = format!("{}, {backend}", published.name);
            check(&messages, &CheckedLanes::on(backend).hash_many(&messages), false, &context);
            check(&messages, &SafeLanes::on(backend).hash_many(&messages), true, &context);
        }
    }
}

/// A collision in each of the lanes, beside messages of equal and of other lengths without one. It
/// is alone in its lane, or others follow and precede it there.
#[test]
fn every_lane() {
    let mut random = Random(1);
    for published in published() {
        let len = published.message.len();
        let equal: Vec<_> = (0..70).map(|_| random.bytes(len)).collect();
        let mixed: Vec<_> = (0..70).map(|i| random.bytes(i * 37 % 800)).collect();
        for backend in backends() {
            for (neighbours, count) in
                [(&equal, 1), (&equal, 33), (&equal, 64), (&mixed, 33), (&mixed, 70)]
            {
                for at in 0..count {
                    let mut messages = neighbours[..count].to_vec();
                    messages[at].clone_from(&published.message);
                    let report = CheckedLanes::on(backend).hash_many(&messages);
                    let found: Vec<_> = (0..count).filter(|&i| report[i].is_collision()).collect();
                    assert_eq!(found, [at], "{}, {backend}, {count}", published.name);
                    for (message, checked) in messages.iter().zip(report) {
                        assert_eq!(checked.any_digest(), hash(message), "{backend}, {at}");
                    }
                }
            }
        }
    }
}

/// A collision in each block of a run: messages that resume from the states within it.
#[test]
fn every_block_of_a_run() {
    for published in published() {
        let message = &published.message;
        let blocks = message.len() / 64;
        for backend in backends() {
            for before in 0..blocks {
                let (first, rest) = message.split_at(64 * before);
                let state: Row = CheckedSha1::hash_one(backend, Start::continuing(None, 0), first);
                for count in [1, 5, 16, 33] {
                    for at in [0, count / 2, count - 1] {
                        let mut hasher =
                            ManyHasher::after_prefix(backend, state, first.len() as u64, count);
                        let innocent = vec![0x5a; rest.len()];
                        let parts: Vec<_> =
                            (0..count).map(|i| if i == at { rest } else { &innocent }).collect();
                        hasher.update_all(&parts);
                        let messages: Vec<_> =
                            parts.iter().map(|part| [first, part].concat()).collect();
                        let context = format!("{}, {backend}, block {before}", published.name);
                        check(&messages, &hasher.finalize(), false, &context);
                    }
                }
            }
        }
    }
}

/// Parts that end anywhere in the message: what was found in a part stays known in those that
/// follow, and is forgotten when the message is reset.
#[test]
fn messages_in_parts() {
    let mut random = Random(2);
    for published in published() {
        let message = &published.message;
        for backend in backends() {
            for step in [1, 17, 64, 100, 128, 1000] {
                let safe = SafeLanes::on(backend).many_hasher(3);
                let report = CheckedLanes::on(backend).many_hasher(3);
                let suffix = random.bytes(150);
                let whole = [message, &suffix[..]].concat();
                let others = [random.bytes(whole.len()), random.bytes(whole.len())];
                let messages = [&others[0], &whole, &others[1]];
                let (mut safe, mut report) = (safe, report);
                for at in (0..whole.len()).step_by(step) {
                    let end = whole.len().min(at + step);
                    let parts = messages.map(|message| &message[at..end]);
                    safe.update_all(&parts);
                    for (i, part) in parts.into_iter().enumerate() {
                        report.update(i, part);
                    }
                }
                let context = format!("{}, {backend}, parts of {step}", published.name);
                check(&messages, &safe.clone().finalize(), true, &context);
                check(&messages, &report.clone().finalize(), false, &context);

                assert!(report.finalize_one(1).is_collision(), "{context}");
                report.update(1, b"innocent");
                assert_eq!(report.finalize_one(1).digest(), Ok(hash("innocent")), "{context}");
                safe.reset();
                safe.update_all(&["innocent"; 3]);
                for checked in safe.finalize() {
                    assert_eq!(checked.digest(), Ok(hash("innocent")), "{context}");
                }
            }
        }
    }
}

/// Lanes that are refilled: what was found in one message says nothing about those that follow it
/// in its lane.
#[test]
fn refilled_lanes() {
    let mut random = Random(5);
    for published in published() {
        let first = &published.message;
        for backend in backends() {
            let count = 70;
            let mut messages: Vec<Vec<u8>> = (0..count)
                .map(|i| if i % 3 == 0 { first.clone() } else { random.bytes(first.len()) })
                .collect();
            let mut safe = SafeLanes::on(backend).many_hasher(count);
            safe.update_all(&messages);
            let rest: Vec<_> = (0..count).map(|i| random.bytes(i * 37 % 800)).collect();
            safe.update_all(&rest);
            for (message, rest) in messages.iter_mut().zip(rest) {
                message.extend(rest);
            }
            let context = format!("{}, {backend}", published.name);
            check(&messages, &safe.finalize(), true, &context);
            check(&messages, &CheckedLanes::on(backend).hash_many(&messages), false, &context);
        }
    }
}

#[test]
fn prefixes_and_parts() {
    for published in published() {
        let message = &published.message;
        for backend in backends() {
            for at in [0, 1, 64, 100, message.len() - 64, message.len() - 1, message.len()] {
                let (first, rest) = message.split_at(at);
                let prefix = SafeLanes::on(backend).prefix(first);
                let digests = prefix.hash_many([(rest, "one"), (b"inno", "cent"), (rest, "")]);
                let messages = [
                    [message, &b"one"[..]].concat(),
                    [first, b"innocent"].concat(),
                    message.clone(),
                ];
                let context = format!("{}, {backend}, prefix of {at}", published.name);
                check(&messages, &digests, true, &context);
                let report = CheckedLanes::on(backend).hash_concat_many([[first, rest]; 5]);
                check(&[message; 5], &report, false, &context);
            }
        }
    }
}

#[cfg(feature = "files")]
#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("sha1-multi-checked-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut messages: Vec<Vec<u8>> = published().map(|it| it.message).into();
    messages.push(b"innocent".to_vec());
    let paths: Vec<_> = (0..messages.len()).map(|i| folder.join(i.to_string())).collect();
    for (path, message) in paths.iter().zip(&messages) {
        std::fs::write(path, message).unwrap();
    }
    let hashed = SafeLanes::default().hash_files(&paths);
    let digests: Vec<Checked> = hashed.into_iter().map(Result::unwrap).collect();
    std::fs::remove_dir_all(&folder).unwrap();
    check(&messages, &digests, true, "files");
}

#[cfg(feature = "sha1-checked-0_10")]
#[test]
fn digest_many() {
    use sha1_checked_0_10::Digest;
    use sha1_multi::DigestMany;

    let mut messages: Vec<Vec<u8>> = published().map(|it| it.message).into();
    messages.push(b"innocent".to_vec());
    let digests = Sha1::digest_many(&messages);
    for (message, digest) in messages.iter().zip(digests) {
        assert_eq!(digest, Sha1::digest(message));
    }
}

/// W(0) to W(79) of a block.
fn expanded(block: &[u8; 64]) -> [u32; 80] {
    let mut w = [0; 80];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..80 {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
    }
    w
}

/// Bit x of W(t): (t, x).
type Bit = (usize, u32);

/// The two bits that each condition of a vector compares, and whether they must differ.
fn pairs(vector: usize) -> Vec<(Bit, Bit, bool)> {
    let pairs = VECTORS[vector].sets.iter().flat_map(|set| {
        let (t, x, differs) = set[0];
        assert!(!differs);
        set[1..].iter().map(move |&(u, y, differs)| ((t, x), (u, y), differs))
    });
    pairs.collect()
}

/// The vectors whose conditions a block meets, in order.
fn met(block: &[u8; 64]) -> Vec<(u8, usize, u32)> {
    let w = expanded(block);
    let bit = |(t, x): Bit| w[t] >> x & 1 == 1;
    let is_met = |&i: &usize| pairs(i).iter().all(|&(a, b, differs)| (bit(a) != bit(b)) == differs);
    (0..VECTORS.len()).filter(is_met).map(|i| VECTORS[i].name).collect()
}

/// Asserts that a kernel finds the same vectors as [`met`].
fn check_conditions(lanes: LaneKernel, blocks: &[[u8; 64]]) -> usize {
    let mut words = vec![0; blocks.len()];
    conditions_met(lanes, blocks, &mut words);
    for (block, word) in blocks.iter().zip(&words) {
        let bits = (0..u32::BITS).filter(|bit| word >> bit & 1 > 0);
        let vectors = bits.map(vector_of_bit);
        let mut found: Vec<_> =
            vectors.map(|it| (1 + u8::from(it.is_type_2), it.k, it.b)).collect();
        let mut expected = met(block);
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{}, {block:02x?}", lanes.kernel().name());
    }
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// The table has what the paper counts: 32 vectors, 373 conditions.
#[test]
fn table_of_conditions() {
    assert_eq!((0..32).map(|i| pairs(i).len()).sum::<usize>(), 373);
    let expected: f64 = (0..32).map(|i| 0.5_f64.powi(pairs(i).len() as i32)).sum();
    assert!((expected - 0.0495).abs() < 0.0001, "{expected}");
}

/// Random blocks that meet all conditions of a vector, or all but one: for each vector and each
/// condition.
#[test]
fn every_condition() {
    let mut random = Random(3);
    // What each bit of a block changes in the expanded words, which are linear.
    let changes: Vec<[u32; 80]> = (0..512)
        .map(|bit| {
            let mut block = [0; 64];
            block[bit / 8] = 1 << (bit % 8);
            expanded(&block)
        })
        .collect();
    let mut blocks = Vec::new();
    for vector in 0..VECTORS.len() {
        let pairs = pairs(vector);
        for broken in 0..=pairs.len() {
            let mut block = random.block();
            let value = |w: &[u32; 80], i: usize| {
                let ((t, x), (u, y), _) = pairs[i];
                (w[t] >> x ^ w[u] >> y) & 1 == 1
            };
            // Gaussian elimination: each condition gets a set of bits that changes only it and
            // later ones.
            let w = expanded(&block);
            let mut wrong: Vec<bool> =
                (0..pairs.len()).map(|i| (value(&w, i) == pairs[i].2) == (i == broken)).collect();
            let mut columns: Vec<(Vec<bool>, [u8; 64])> = changes
                .iter()
                .enumerate()
                .map(|(bit, change)| {
                    let mut flipped = [0; 64];
                    flipped[bit / 8] = 1 << (bit % 8);
                    ((0..pairs.len()).map(|i| value(change, i)).collect(), flipped)
                })
                .collect();
            for i in 0..pairs.len() {
                let pivot = columns.iter().position(|column| column.0[i]).unwrap();
                let (effect, flipped) = columns.swap_remove(pivot);
                let add = |to: &mut Vec<bool>, bytes: &mut [u8; 64]| {
                    to.iter_mut().zip(&effect).for_each(|(to, effect)| *to ^= effect);
                    bytes.iter_mut().zip(flipped).for_each(|(byte, flip)| *byte ^= flip);
                };
                if wrong[i] {
                    add(&mut wrong, &mut block);
                }
                columns.iter_mut().filter(|column| column.0[i]).for_each(|column| {
                    add(&mut column.0, &mut column.1);
                });
            }
            assert_eq!(met(&block).contains(&VECTORS[vector].name), broken == pairs.len());
            blocks.push(block);
        }
    }
    assert_eq!(blocks.len(), 373 + 32);
    for lanes in kernels() {
        check_conditions(lanes, &blocks);
    }
}

/// Random blocks: the same vectors in every kernel, as often as the paper says, and the same
/// digests as by `sha1-checked`.
fn random_blocks(count: usize) {
    let mut random = Random(4);
    let kernels = kernels();
    let mut found = 0;
    for _ in 0..count.div_ceil(1000) {
        let blocks: Vec<[u8; 64]> = (0..1000).map(|_| random.block()).collect();
        for &lanes in &kernels {
            found += check_conditions(lanes, &blocks);
        }
        // Messages of several of the blocks.
        let mut rest = blocks.as_flattened();
        let mut messages = Vec::new();
        while !rest.is_empty() {
            let (message, later) = rest.split_at(rest.len().min(random.below(1000)));
            messages.push(message);
            rest = later;
        }
        for backend in Backend::available() {
            let digests = CheckedLanes::on(backend).hash_many(&messages);
            check(&messages, &digests, false, backend.name());
        }
    }
    let blocks = count.div_ceil(1000) * 1000 * kernels.len();
    let rate = found as f64 / blocks as f64;
    println!("{rate:.5} vectors in a block, of {blocks} blocks");
    let tolerance = 5.0 * (0.06 / (blocks / kernels.len()) as f64).sqrt();
    assert!((rate - 0.0495).abs() < tolerance, "{rate} vectors in a block");
}

#[test]
fn random_blocks_of_messages() {
    random_blocks(20_000);
}

#[test]
#[ignore = "takes long"]
fn random_blocks_of_messages_long() {
    random_blocks(1_000_000);
}
