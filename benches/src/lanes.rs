//! The hashes in lanes: tables of functions, operations and shapes.
//!
//! A new hash is a [`Function`], an [`Operation`] or more, and lines of [`shapes`] and [`grids`].

use std::iter::repeat_n;

use blake2::{Blake2b512, Blake2s256};
use blake2_multi::{Blake2b512Lanes, Blake2s256Lanes};
use hash_lanes::Backend;
use hash_lanes::engine::ShaExtensions;
use pbkdf2::pbkdf2_hmac_array;
use ripemd::Ripemd160;
use ripemd_multi::{Hash160Lanes, Ripemd160Lanes};
use sha1::Sha1;
use sha1_multi::Sha1Lanes;
use sha1_multi::checked::{Checked, CheckedLanes};
use sha2::digest::Output;
use sha2::{Digest as _, Sha256, Sha512};
use sha3::Keccak256;
use sha3_multi::Keccak256Lanes;
use sha256_multi::{DigestMany as _, Sha256Lanes};
use sha512_multi::Sha512Lanes;

use crate::harness::{Candidate, Grid, LENGTHS, Role, Run, Shape};
use crate::machine;
#[cfg(feature = "rivals")]
use crate::rivals::{self, Rival};

/// Hashes the messages of a batch.
type HashBatch = for<'a> fn(&'a Batch<'_>) -> Run<'a>;

/// A hash function, and RustCrypto's crates for it, which hash one message after another. Their
/// digests are the reference for all candidates.
struct Function {
    digest_bytes: usize,
    /// Whether our backends with these SHA instructions differ from those without.
    uses_sha: fn(ShaExtensions) -> bool,
    /// The crates, each with the beginning of its version.
    crates: &'static [(&'static str, &'static str)],
    hash_batch: HashBatch,
    /// The rivals that hash one message after another.
    #[cfg(feature = "rivals")]
    rivals: for<'a> fn(&'a Batch<'_>) -> Vec<Rival<'a>>,
}

const SHA2: (&str, &str) = ("sha2", "0.11");
const RIPEMD: (&str, &str) = ("ripemd", "0.2");
const PBKDF2: (&str, &str) = ("pbkdf2", "0.13");

static SHA1: Function = Function {
    digest_bytes: 20,
    uses_sha: |_| true,
    crates: &[("sha1", "0.11")],
    hash_batch: |batch| each(batch, |message| Sha1::digest(message).into()),
    #[cfg(feature = "rivals")]
    rivals: rivals::sha1,
};

static SHA1_CHECKED: Function = Function {
    digest_bytes: 20,
    uses_sha: |_| true,
    crates: &[("sha1-checked", "0.10")],
    hash_batch: |batch| {
        each(batch, |message| (*sha1_checked_0_10::Sha1::try_digest(message).hash()).into())
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::sha1_checked,
};

static SHA256: Function = Function {
    digest_bytes: 32,
    uses_sha: |_| true,
    crates: &[SHA2],
    hash_batch: |batch| each(batch, |message| Sha256::digest(message).into()),
    #[cfg(feature = "rivals")]
    rivals: rivals::sha256,
};

/// SHA-256 of the SHA-256.
static SHA256_DOUBLE: Function = Function {
    digest_bytes: 32,
    uses_sha: |_| true,
    crates: &[SHA2],
    hash_batch: |batch| each(batch, twice(|message| Sha256::digest(message).into())),
    #[cfg(feature = "rivals")]
    rivals: rivals::sha256_double,
};

static RIPEMD160: Function = Function {
    digest_bytes: 20,
    uses_sha: |_| false,
    crates: &[RIPEMD],
    hash_batch: |batch| each(batch, |message| Ripemd160::digest(message).into()),
    #[cfg(feature = "rivals")]
    rivals: rivals::ripemd160,
};

/// RIPEMD-160 of the SHA-256.
static HASH160: Function = Function {
    digest_bytes: 20,
    uses_sha: |_| true,
    crates: &[SHA2, RIPEMD],
    hash_batch: |batch| each(batch, |message| Ripemd160::digest(Sha256::digest(message)).into()),
    #[cfg(feature = "rivals")]
    rivals: rivals::hash160,
};

static KECCAK256: Function = Function {
    digest_bytes: 32,
    uses_sha: |_| false,
    crates: &[("sha3", "0.12")],
    hash_batch: |batch| each(batch, |message| Keccak256::digest(message).into()),
    #[cfg(feature = "rivals")]
    rivals: rivals::keccak256,
};

static SHA512: Function = Function {
    digest_bytes: 64,
    uses_sha: ShaExtensions::has_sha512,
    crates: &[SHA2],
    hash_batch: |batch| each(batch, |message| Sha512::digest(message).into()),
    #[cfg(feature = "rivals")]
    rivals: rivals::sha512,
};

static BLAKE2S: Function = Function {
    digest_bytes: 32,
    uses_sha: |_| false,
    crates: &[("blake2", "0.11")],
    hash_batch: |batch| each(batch, |message| Blake2s256::digest(message).into()),
    #[cfg(feature = "rivals")]
    rivals: |_| Vec::new(),
};

static BLAKE2B: Function = Function {
    digest_bytes: 64,
    uses_sha: |_| false,
    crates: &[("blake2", "0.11")],
    hash_batch: |batch| each(batch, |message| Blake2b512::digest(message).into()),
    #[cfg(feature = "rivals")]
    rivals: |_| Vec::new(),
};

/// PBKDF2 with HMAC-SHA-256; the messages are passwords.
static PBKDF2_SHA256: Function = Function {
    digest_bytes: 32,
    uses_sha: |_| true,
    crates: &[PBKDF2],
    hash_batch: |batch| {
        each(batch, |word| pbkdf2_hmac_array::<Sha256, 32>(word, SALT, PBKDF2_ROUNDS))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::pbkdf2_sha256,
};

/// PBKDF2 with HMAC-SHA-1; the messages are passwords.
static PBKDF2_SHA1: Function = Function {
    digest_bytes: 20,
    uses_sha: |_| true,
    crates: &[PBKDF2],
    hash_batch: |batch| {
        each(batch, |word| pbkdf2_hmac_array::<Sha1, 20>(word, SALT, PBKDF2_ROUNDS))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::pbkdf2_sha1,
};

/// PBKDF2 with HMAC-SHA-512; the messages are passwords.
static PBKDF2_SHA512: Function = Function {
    digest_bytes: 64,
    uses_sha: ShaExtensions::has_sha512,
    crates: &[PBKDF2],
    hash_batch: |batch| {
        each(batch, |word| pbkdf2_hmac_array::<Sha512, 64>(word, SALT, PBKDF2_ROUNDS))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::pbkdf2_sha512,
};

/// Rounds of PBKDF2 for each password.
pub(crate) const PBKDF2_ROUNDS: u32 = 1000;

/// The salt of every password.
pub(crate) const SALT: &[u8] = &[7; 16];

/// The backends of ours that run an operation differently from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backends {
    /// Those with other kernels.
    Many,
    /// For a single message, which is hashed by SHA instructions or the portable code.
    Single,
    /// Only the default one.
    Default,
}

/// An operation on messages.
struct Operation {
    /// Our function for SHA-256, or the hash and its input for the other hashes.
    name: &'static str,
    function: &'static Function,
    backends: Backends,
    /// Our call of it.
    ours: for<'a> fn(Backend, &'a Batch<'_>) -> Run<'a>,
    /// The rivals with lanes.
    #[cfg(feature = "rivals")]
    rivals: for<'a> fn(Messages, &'a Batch<'_>) -> Vec<Rival<'a>>,
}

/// SHA-256 of 64-byte nodes.
static HASH_PAIRS: Operation = Operation {
    name: "hash_pairs",
    function: &SHA256,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha256 = Sha256Lanes::on(backend);
        whole(move |digests| sha256.hash_pairs_into(batch.nodes(), digests))
    },
    #[cfg(feature = "rivals")]
    rivals: |_, batch| rivals::hash_pairs(batch),
};

/// SHA-256 of messages of any length.
static HASH_MANY: Operation = Operation {
    name: "hash_many",
    function: &SHA256,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha256 = Sha256Lanes::on(backend);
        whole(move |digests| sha256.hash_many_into(&batch.messages, digests))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::hash_many,
};

/// The same through RustCrypto's type, into its own digests.
static DIGEST_MANY: Operation = Operation {
    name: "digest_many",
    function: &SHA256,
    backends: Backends::Default,
    ours: |_, batch| {
        whole(move |digests| {
            let digests = Output::<Sha256>::cast_slice_from_core_mut(digests);
            Sha256::digest_many_into(&batch.messages, digests);
        })
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::hash_many,
};

/// Double SHA-256 of 64-byte nodes, as in Bitcoin's transaction tree.
static DOUBLE_HASH_PAIRS: Operation = Operation {
    name: "double_hash_pairs",
    function: &SHA256_DOUBLE,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha256 = Sha256Lanes::on(backend);
        whole(move |digests| sha256.double_hash_pairs_into(batch.nodes(), digests))
    },
    #[cfg(feature = "rivals")]
    rivals: |_, batch| rivals::double_hash_pairs(batch),
};

/// Double SHA-256 of messages of any length, as for Bitcoin's block headers.
static DOUBLE_HASH_MANY: Operation = Operation {
    name: "double_hash_many",
    function: &SHA256_DOUBLE,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha256 = Sha256Lanes::on(backend);
        whole(move |digests| sha256.double_hash_many_into(&batch.messages, digests))
    },
    #[cfg(feature = "rivals")]
    rivals: |_, batch| vec![rivals::p3_twice(batch)],
};

/// SHA-1 of messages of any length.
static SHA1_MANY: Operation = Operation {
    name: "sha1_many",
    function: &SHA1,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha1 = Sha1Lanes::on(backend);
        whole(move |digests| sha1.hash_many_into(&batch.messages, digests))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// SHA-1 of one message.
static SHA1_ONE: Operation = Operation {
    name: "sha1",
    function: &SHA1,
    backends: Backends::Single,
    ours: |backend, batch| {
        let sha1 = Sha1Lanes::on(backend);
        each(batch, move |message| sha1.hash(message))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// SHA-1 with collision detection of messages of any length.
static SHA1_CHECKED_MANY: Operation = Operation {
    name: "sha1_checked_many",
    function: &SHA1_CHECKED,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha1 = CheckedLanes::on(backend);
        let mut checked = vec![Checked::default(); batch.messages.len()];
        whole(move |digests: &mut [[u8; 20]]| {
            sha1.hash_many_into(&batch.messages, &mut checked);
            for (digest, checked) in digests.iter_mut().zip(&checked) {
                *digest = checked.any_digest();
            }
        })
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// SHA-1 with collision detection of one message.
static SHA1_CHECKED_ONE: Operation = Operation {
    name: "sha1_checked",
    function: &SHA1_CHECKED,
    backends: Backends::Single,
    ours: |backend, batch| {
        let sha1 = CheckedLanes::on(backend);
        each(batch, move |message| sha1.hash(message).any_digest())
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// RIPEMD-160 of messages of any length.
static RIPEMD160_MANY: Operation = Operation {
    name: "ripemd160_many",
    function: &RIPEMD160,
    backends: Backends::Many,
    ours: |backend, batch| {
        let ripemd = Ripemd160Lanes::on(backend);
        whole(move |digests| ripemd.hash_many_into(&batch.messages, digests))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// RIPEMD-160 of one message.
static RIPEMD160_ONE: Operation = Operation {
    name: "ripemd160",
    function: &RIPEMD160,
    backends: Backends::Single,
    ours: |_, batch| each(batch, |message: &[u8]| ripemd_multi::hash(message)),
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// HASH160 of messages of any length, such as public keys.
static HASH160_MANY: Operation = Operation {
    name: "hash160_many",
    function: &HASH160,
    backends: Backends::Many,
    ours: |backend, batch| {
        let lanes = Hash160Lanes::on(backend);
        whole(move |hashes| lanes.hash_many_into(&batch.messages, hashes))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// HASH160 of one message.
static HASH160_ONE: Operation = Operation {
    name: "hash160",
    function: &HASH160,
    backends: Backends::Single,
    ours: |backend, batch| {
        let lanes = Hash160Lanes::on(backend);
        each(batch, move |message: &[u8]| lanes.hash(message))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// Keccak-256 of messages of any length.
static KECCAK256_MANY: Operation = Operation {
    name: "keccak256_many",
    function: &KECCAK256,
    backends: Backends::Many,
    ours: |backend, batch| {
        let keccak = Keccak256Lanes::on(backend);
        whole(move |digests| keccak.hash_many_into(&batch.messages, digests))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::keccak256_many,
};

/// The same through RustCrypto's type, into its own digests.
static KECCAK256_DIGEST_MANY: Operation = Operation {
    name: "keccak256_digest_many",
    function: &KECCAK256,
    backends: Backends::Default,
    ours: |_, batch| {
        whole(move |digests| {
            let digests = Output::<Keccak256>::cast_slice_from_core_mut(digests);
            Keccak256::digest_many_into(&batch.messages, digests);
        })
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::keccak256_many,
};

/// SHA-512 of messages of any length.
static SHA512_MANY: Operation = Operation {
    name: "sha512_many",
    function: &SHA512,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha512 = Sha512Lanes::on(backend);
        whole(move |digests| sha512.hash_many_into(&batch.messages, digests))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// The same through RustCrypto's type, into its own digests.
static SHA512_DIGEST_MANY: Operation = Operation {
    name: "sha512_digest_many",
    function: &SHA512,
    backends: Backends::Default,
    ours: |_, batch| {
        whole(move |digests| {
            let digests = Output::<Sha512>::cast_slice_from_core_mut(digests);
            Sha512::digest_many_into(&batch.messages, digests);
        })
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// BLAKE2s-256 of messages of any length.
static BLAKE2S_MANY: Operation = Operation {
    name: "blake2s_many",
    function: &BLAKE2S,
    backends: Backends::Many,
    ours: |backend, batch| {
        let blake2s = Blake2s256Lanes::on(backend);
        whole(move |digests| blake2s.hash_many_into(&batch.messages, digests))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::blake2s_many,
};

/// BLAKE2b-512 of messages of any length.
static BLAKE2B_MANY: Operation = Operation {
    name: "blake2b_many",
    function: &BLAKE2B,
    backends: Backends::Many,
    ours: |backend, batch| {
        let blake2b = Blake2b512Lanes::on(backend);
        whole(move |digests| blake2b.hash_many_into(&batch.messages, digests))
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::blake2b_many,
};

/// 1000 rounds of PBKDF2 with HMAC-SHA-256 of many passwords.
static PBKDF2_SHA256_MANY: Operation = Operation {
    name: "pbkdf2_sha256_many",
    function: &PBKDF2_SHA256,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha256 = Sha256Lanes::on(backend);
        whole(move |keys: &mut [[u8; 32]]| {
            let salts = repeat_n(SALT, keys.len());
            sha256.pbkdf2_many_into(&batch.messages, salts, PBKDF2_ROUNDS, keys);
        })
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// The same with HMAC-SHA-1.
static PBKDF2_SHA1_MANY: Operation = Operation {
    name: "pbkdf2_sha1_many",
    function: &PBKDF2_SHA1,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha1 = Sha1Lanes::on(backend);
        whole(move |keys: &mut [[u8; 20]]| {
            let salts = repeat_n(SALT, keys.len());
            sha1.pbkdf2_many_into(&batch.messages, salts, PBKDF2_ROUNDS, keys);
        })
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

/// The same with HMAC-SHA-512.
static PBKDF2_SHA512_MANY: Operation = Operation {
    name: "pbkdf2_sha512_many",
    function: &PBKDF2_SHA512,
    backends: Backends::Many,
    ours: |backend, batch| {
        let sha512 = Sha512Lanes::on(backend);
        whole(move |keys: &mut [[u8; 64]]| {
            let salts = repeat_n(SALT, keys.len());
            sha512.pbkdf2_many_into(&batch.messages, salts, PBKDF2_ROUNDS, keys);
        })
    },
    #[cfg(feature = "rivals")]
    rivals: rivals::none,
};

impl Operation {
    /// Our backends that run it differently from each other. The first is the default, or like it.
    fn backends(&self) -> Vec<Backend> {
        let default = Backend::detect();
        if self.backends == Backends::Default {
            return vec![default];
        }
        let mut all = Backend::available();
        all.retain(|backend| backend.sha().is_none_or(self.function.uses_sha));
        if self.backends == Backends::Single {
            // The plainest backend of each kind.
            let plainest =
                |has_sha| all.iter().rfind(|backend| backend.sha().is_some() == has_sha).copied();
            let has_sha = default.sha().is_some();
            return [has_sha, !has_sha].into_iter().filter_map(plainest).collect();
        }
        let differs = |backend: &Backend| {
            (backend.widest().kernel() != default.widest().kernel(), *backend != default)
        };
        all.sort_by_key(differs);
        all
    }
}

/// The number of messages and their lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Messages {
    /// Messages of one length, in bytes.
    Equal {
        /// The number of messages.
        count: usize,
        /// The length of each in bytes.
        len: usize,
    },
    /// This many messages of 0 to 4096 bytes, in mixed order.
    Ragged(usize),
}

impl Messages {
    /// The length of each message, in bytes.
    fn lengths(self) -> Vec<usize> {
        match self {
            Self::Equal { count, len } => vec![len; count],
            // 1009 and 4097 are coprime: neighbours differ, and no length repeats within 4097
            // messages.
            Self::Ragged(count) => (0..count).map(|i| i * 1009 % 4097).collect(),
        }
    }

    fn label(self) -> String {
        match self {
            Self::Equal { count, len: 64 } => format!("{count}"),
            Self::Equal { count, len } if len >= 1 << 20 => format!("{count}x{}MiB", len >> 20),
            Self::Equal { count, len } if len >= 1 << 10 => format!("{count}x{}KiB", len >> 10),
            Self::Equal { count, len } => format!("{count}x{len}B"),
            Self::Ragged(count) => format!("ragged-{count}"),
        }
    }
}

/// Every shape, set by set.
pub(crate) fn shapes() -> Vec<Shape> {
    use Messages::{Equal, Ragged};
    const KIB: usize = 1 << 10;
    const MIB: usize = 1 << 20;
    /// Lengths of a secp256k1 public key in bytes, compressed and uncompressed.
    const KEYS: [usize; 2] = [33, 65];

    let mut all = Vec::new();
    let mut add = |set, operation, messages: &[Messages]| {
        all.extend(messages.iter().map(|&messages| shape(set, operation, messages, None)));
    };
    let equal = |count, len| Equal { count, len };
    let up_to_64 = |len| -> Vec<_> { (1..=64).map(|count| equal(count, len)).collect() };
    let passwords = [1, 8, 64].map(|count| equal(count, 12));

    add("pairs", &HASH_PAIRS, &[8, 16, 64, 4096].map(|count| equal(count, 64)));
    add("small", &HASH_PAIRS, &up_to_64(64));
    add("double", &DOUBLE_HASH_PAIRS, &[1, 8, 64, 1024].map(|count| equal(count, 64)));
    add("double", &DOUBLE_HASH_MANY, &[equal(1000, 80), equal(2048, 21)]);
    let long = [(1000, 32), (64, KIB), (16, 16 * KIB), (16, MIB), (1, MIB)];
    add("long", &HASH_MANY, &long.map(|(count, len)| equal(count, len)));
    add("long", &HASH_MANY, &[Ragged(256)]);
    add("long", &DIGEST_MANY, &[equal(1000, 32)]);
    add("sha1-long", &SHA1_MANY, &[equal(64, KIB), equal(16, 16 * KIB), equal(256, 256 * KIB)]);
    add("sha1-long", &SHA1_MANY, &[Ragged(256)]);
    add("sha1-small", &SHA1_MANY, &up_to_64(16 * KIB));
    add("sha1-single", &SHA1_ONE, &[equal(1, 64), equal(1, 16 * KIB)]);
    let of_checked = [equal(256, 256), equal(64, KIB), equal(256, 10 * KIB), Ragged(256)];
    add("sha1-checked", &SHA1_CHECKED_MANY, &of_checked);
    add("sha1-checked", &SHA1_CHECKED_ONE, &[equal(1, 256), equal(1, 16 * KIB)]);
    add("ripemd160-digests", &RIPEMD160_MANY, &[equal(4096, 32)]);
    add("ripemd160-small", &RIPEMD160_MANY, &up_to_64(32));
    add("ripemd160-long", &RIPEMD160_MANY, &[equal(64, KIB)]);
    add("ripemd160-single", &RIPEMD160_ONE, &[equal(1, 32)]);
    add("hash160-keys", &HASH160_MANY, &KEYS.map(|len| equal(4096, len)));
    add("hash160-small", &HASH160_MANY, &up_to_64(KEYS[0]));
    add("hash160-single", &HASH160_ONE, &KEYS.map(|len| equal(1, len)));
    let of_one_rate = [(1, 32), (4, 32), (8, 32), (1024, 32), (4, 64), (1024, 64), (1024, 136)];
    add("keccak", &KECCAK256_MANY, &of_one_rate.map(|(count, len)| equal(count, len)));
    add("keccak", &KECCAK256_MANY, &[equal(64, KIB), Ragged(256)]);
    add("keccak", &KECCAK256_DIGEST_MANY, &[equal(1024, 32)]);
    let of_sha512 = [(1, KIB), (4, KIB), (64, KIB), (64, 64), (1024, 32)];
    add("sha512", &SHA512_MANY, &of_sha512.map(|(count, len)| equal(count, len)));
    add("sha512", &SHA512_MANY, &[Ragged(256)]);
    add("sha512", &SHA512_DIGEST_MANY, &[equal(1024, 32)]);
    let of_blake2 = [(1, 48), (8, 48), (16, 48), (1024, 48), (1024, 64), (64, KIB)];
    add("blake2", &BLAKE2S_MANY, &of_blake2.map(|(count, len)| equal(count, len)));
    add("blake2", &BLAKE2S_MANY, &[Ragged(256)]);
    add("blake2", &BLAKE2B_MANY, &[equal(1024, 64), equal(64, KIB), Ragged(256)]);
    add("pbkdf2", &PBKDF2_SHA256_MANY, &passwords);
    add("pbkdf2", &PBKDF2_SHA1_MANY, &passwords);
    add("pbkdf2", &PBKDF2_SHA512_MANY, &passwords);
    all
}

/// The operations whose plans `regret` measures, with the lengths of their messages in bytes.
pub(crate) fn grids() -> impl Iterator<Item = Grid> {
    let all: [(&'static Operation, _); 11] = [
        (&HASH_PAIRS, &[64][..]),
        (&DOUBLE_HASH_PAIRS, &[64]),
        (&HASH_MANY, LENGTHS),
        (&DOUBLE_HASH_MANY, LENGTHS),
        (&SHA1_MANY, LENGTHS),
        (&RIPEMD160_MANY, LENGTHS),
        (&HASH160_MANY, LENGTHS),
        (&KECCAK256_MANY, LENGTHS),
        (&SHA512_MANY, LENGTHS),
        (&BLAKE2S_MANY, LENGTHS),
        (&BLAKE2B_MANY, LENGTHS),
    ];
    all.into_iter().map(|(operation, lengths)| {
        Grid::new(operation.name, lengths, |count, len| {
            let messages = Messages::Equal { count, len };
            shape("regret", operation, messages, Some(Backend::available()))
        })
    })
}

/// An operation on messages, with these backends of ours, or with all that run it differently from
/// each other and the rivals.
fn shape(
    set: &'static str,
    operation: &'static Operation,
    messages: Messages,
    backends: Option<Vec<Backend>>,
) -> Shape {
    let function = operation.function;
    // Some of the small batches are also in another set, with more rivals.
    let small = if set.ends_with("small") { "small-" } else { "" };
    let label = format!("{small}{}", messages.label());
    let lengths = messages.lengths();
    let size = (lengths.len(), lengths.iter().sum());

    Shape::new(set, (operation.name, label), size, move |then| {
        let input = Input::new(messages.lengths());
        let batch = input.batch();
        let mut run = (function.hash_batch)(&batch);
        let mut expected = vec![0; batch.messages.len() * function.digest_bytes];
        run(&mut expected);

        let default = Backend::detect();
        let (ours, with_rivals) = match &backends {
            Some(backends) => (backends.clone(), false),
            None => (operation.backends(), true),
        };
        let mut all = Vec::new();
        for (at, backend) in ours.into_iter().enumerate() {
            let first_is_default = with_rivals && at == 0;
            let role = if first_is_default { Role::Auto } else { Role::of(&backend, &default) };
            let run = (operation.ours)(backend, &batch);
            all.push(Candidate::new(backend.name().to_owned(), role, run));
        }
        if with_rivals {
            let crates: Vec<_> = function
                .crates
                .iter()
                .map(|(name, version)| machine::label(name, version))
                .collect();
            let mut rivals = vec![(crates.join("+"), run)];
            #[cfg(feature = "rivals")]
            {
                rivals.extend((operation.rivals)(messages, &batch));
                rivals.extend((function.rivals)(&batch));
            }
            if set == "small" {
                // These results are printed on one line per count, so keep the two that hash pairs
                // in lanes, and one that does not.
                let kept = ["sha2-0.11", "hashtree-rs", "p3-sha256"];
                rivals.retain(|(name, _)| kept.iter().any(|kept| name.starts_with(kept)));
            }
            let rival = |(name, run)| Candidate::new(name, Role::Rival, run);
            all.extend(rivals.into_iter().map(rival));
        }
        then(all, &expected);
    })
}

/// Bytes with a period of 251. It is prime, so no two of the first 251 blocks are equal, and the
/// checks detect swapped messages.
fn painted(len: usize) -> impl Iterator<Item = u8> {
    (0..=250).cycle().take(len)
}

/// Length of a cache line in bytes.
const LINE: usize = 64;

/// Messages end to end in one buffer, for the rivals that do not take slices.
///
/// The buffer is aligned to a cache line, as pages and files in memory are. Otherwise its alignment
/// decides how many lines a block spans, which changes the time by up to a sixth.
struct Input {
    buffer: Vec<u8>,
    begin: usize,
    lengths: Vec<usize>,
}

impl Input {
    fn new(lengths: Vec<usize>) -> Self {
        let len = lengths.iter().sum();
        let mut buffer: Vec<u8> = Vec::with_capacity(len + LINE);
        let begin = buffer.as_ptr().align_offset(LINE);
        buffer.resize(begin, 0);
        buffer.extend(painted(len));
        Self { buffer, begin, lengths }
    }

    fn batch(&self) -> Batch<'_> {
        let bytes = &self.buffer[self.begin..];
        let mut rest = bytes;
        let messages =
            self.lengths.iter().map(|&len| rest.split_off(..len).expect("the buffer holds them"));
        Batch { bytes, messages: messages.collect() }
    }
}

/// Messages in every representation that the candidates take, so that none of them pays for a
/// conversion.
pub(crate) struct Batch<'a> {
    /// All messages, end to end.
    pub(crate) bytes: &'a [u8],
    /// The messages.
    pub(crate) messages: Vec<&'a [u8]>,
}

impl<'a> Batch<'a> {
    /// The messages as nodes of a binary tree.
    ///
    /// # Panics
    ///
    /// Panics unless every message is 64 bytes long.
    pub(crate) fn nodes(&self) -> &'a [[u8; 64]] {
        let (nodes, rest) = self.bytes.as_chunks();
        assert!(
            rest.is_empty() && nodes.len() == self.messages.len(),
            "the messages are not 64 bytes long each"
        );
        nodes
    }
}

/// Erases the digest length from the type of a function that hashes a whole batch.
pub(crate) fn whole<'a, const N: usize>(mut hash: impl FnMut(&mut [[u8; N]]) + 'a) -> Run<'a> {
    Box::new(move |digests| hash(digests.as_chunks_mut().0))
}

/// Hashes the messages one after another, without lanes.
pub(crate) fn each<'a, const N: usize>(
    batch: &'a Batch<'_>,
    once: impl Fn(&[u8]) -> [u8; N] + 'a,
) -> Run<'a> {
    whole(move |digests| {
        for (message, digest) in batch.messages.iter().zip(digests) {
            *digest = once(message);
        }
    })
}

/// Hashes a message, then its digest.
pub(crate) fn twice<const N: usize>(once: impl Fn(&[u8]) -> [u8; N]) -> impl Fn(&[u8]) -> [u8; N] {
    move |message| once(&once(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_aligned_and_contiguous() {
        let input = Input::new(vec![100; 3]);
        let batch = input.batch();
        assert!(batch.bytes.as_ptr().addr().is_multiple_of(LINE));
        assert_eq!(batch.messages.concat(), painted(300).collect::<Vec<_>>());
    }
}
