//! The jobs that the repository's README shows, and our gains over other crates.

use crate::record::{Record, Row};

/// A job for which most programs use a crate that hashes one message at a time.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    pub(crate) shape: &'static str,
    /// The crates for one message, as users know them.
    pub(crate) crates: &'static str,
    /// The beginnings of their names in the records. The fastest of them counts.
    candidates: &'static [&'static str],
}

/// The first [`CHARTED`] are in the chart. `digest_many`, because the README recommends it.
pub(crate) const JOBS: [Job; 10] = [
    Job {
        name: "SHA-256, 4096 tree nodes",
        shape: "hash_pairs/4096",
        crates: "`sha2` 0.11",
        candidates: &["sha2-0.11"],
    },
    Job {
        name: "SHA-256, `digest_many` of 1000 messages of 32 bytes",
        shape: "digest_many/1000x32B",
        crates: "`sha2` 0.11",
        candidates: &["sha2-0.11"],
    },
    Job {
        name: "SHA-1, 256 torrent pieces of 256 KiB",
        shape: "sha1_many/256x256KiB",
        crates: "`sha1` 0.11 or `aws-lc-rs`",
        candidates: &["sha1-0.11", "aws-lc-rs"],
    },
    Job {
        name: "HASH160, 4096 public keys",
        shape: "hash160_many/4096x33B",
        crates: "`sha2` 0.11 and `ripemd` 0.2",
        candidates: &["sha2-0.11"],
    },
    Job {
        name: "Keccak-256, 1024 messages of 32 bytes",
        shape: "keccak256_many/1024x32B",
        crates: "`sha3` 0.12",
        candidates: &["sha3-0.12"],
    },
    Job {
        name: "sumhash512, 600 bytes",
        shape: "sumhash512_digest/1x600B",
        crates: "`sumhash` 0.1",
        candidates: &["sumhash-0.1"],
    },
    Job {
        name: "SHA-512, 64 messages of 1 KiB",
        shape: "sha512_many/64x1KiB",
        crates: "`sha2` 0.11",
        candidates: &["sha2-0.11"],
    },
    Job {
        name: "PBKDF2-SHA-256, 64 passwords",
        shape: "pbkdf2_sha256_many/64x12B",
        crates: "`pbkdf2` 0.13",
        candidates: &["pbkdf2-0.13"],
    },
    Job {
        name: "PBKDF2-SHA-512, 8 passwords",
        shape: "pbkdf2_sha512_many/8x12B",
        crates: "`pbkdf2` 0.13",
        candidates: &["pbkdf2-0.13"],
    },
    Job {
        name: "SSZ root of 2^20 chunks",
        shape: "ssz_root/2^20",
        crates: "`sha2` 0.11",
        candidates: &["sha2-0.11"],
    },
];

pub(crate) const CHARTED: usize = 6;

impl Job {
    /// How many times as long the fastest of the crates for one message takes as ours.
    pub(crate) fn gain(&self, record: &Record) -> Option<f64> {
        let is_one =
            |row: &&Row| self.candidates.iter().any(|name| row.candidate.starts_with(name));
        let rivals = record.rivals(self.shape).filter(is_one);
        ratio(rivals, record.auto(self.shape)?)
    }

    /// How many times as long the fastest of all other crates takes as ours.
    pub(crate) fn gain_over_all(&self, record: &Record) -> Option<f64> {
        ratio(record.rivals(self.shape), record.auto(self.shape)?)
    }
}

fn ratio<'a>(rivals: impl Iterator<Item = &'a Row>, ours: &Row) -> Option<f64> {
    rivals.map(|row| row.min_ns / ours.min_ns).min_by(f64::total_cmp)
}

/// The newest record of each CPU, the newest first.
pub(crate) fn newest(newest_first: &[(String, Record)]) -> Vec<&(String, Record)> {
    let mut newest: Vec<&(String, Record)> = Vec::new();
    for named in newest_first {
        if newest.iter().all(|(_, record)| record.cpu != named.1.cpu) {
            newest.push(named);
        }
    }
    newest
}
