//! RIPEMD-160 and HASH160.

use ripemd_multi::engine;
use sha2::{Digest as _, Sha256};

use super::{
    Family, Function, KIB, LANES_ONLY, Operation, SHA, each, equal, none, rivals, up_to_64,
};
use crate::harness::{LENGTHS, Set};

/// Lengths of a secp256k1 public key in bytes.
const COMPRESSED: usize = 33;
const UNCOMPRESSED: usize = 65;

pub(super) static FAMILY: Family = Family {
    sets: &[
        (
            Set::new("ripemd160-digests", "ripemd160", "ripemd-multi"),
            &[(&RIPEMD160_MANY, &[equal(4096, 32)])],
        ),
        (
            Set::only_ratios("ripemd160-small", "ripemd160", "ripemd-multi"),
            &[(&RIPEMD160_MANY, &up_to_64(32))],
        ),
        (
            Set::new("ripemd160-long", "ripemd160", "ripemd-multi"),
            &[(&RIPEMD160_MANY, &[equal(64, KIB)])],
        ),
        (
            Set::new("ripemd160-single", "ripemd160", "ripemd-multi"),
            &[(&RIPEMD160_ONE, &[equal(1, 32)])],
        ),
        (
            Set::new("hash160-keys", "hash160", "ripemd-multi"),
            &[(&HASH160_MANY, &[equal(4096, COMPRESSED), equal(4096, UNCOMPRESSED)])],
        ),
        (
            Set::only_ratios("hash160-small", "hash160", "ripemd-multi"),
            &[(&HASH160_MANY, &up_to_64(COMPRESSED))],
        ),
        (
            Set::new("hash160-single", "hash160", "ripemd-multi"),
            &[(&HASH160_ONE, &[equal(1, COMPRESSED), equal(1, UNCOMPRESSED)])],
        ),
    ],
    grids: &[(&RIPEMD160_MANY, LENGTHS), (&HASH160_MANY, LENGTHS)],
};

static RIPEMD160: Function =
    Function::of::<::ripemd::Ripemd160, 20>(LANES_ONLY, &[("ripemd", "0.2")], rivals!(ripemd160));

/// RIPEMD-160 of the SHA-256.
static HASH160: Function = Function {
    digest_bytes: 20,
    uses_sha: SHA,
    crates: &[("sha2", "0.11"), ("ripemd", "0.2")],
    hash_batch: |batch| {
        each(batch, |message| ::ripemd::Ripemd160::digest(Sha256::digest(message)).into())
    },
    rivals: rivals!(hash160),
};

static RIPEMD160_MANY: Operation =
    Operation::many::<engine::Ripemd160, _>("ripemd160_many", &RIPEMD160, none);

static RIPEMD160_ONE: Operation = Operation::one::<engine::Ripemd160, _>("ripemd160", &RIPEMD160);

static HASH160_MANY: Operation =
    Operation::many::<engine::Hash160, _>("hash160_many", &HASH160, none);

static HASH160_ONE: Operation = Operation::one::<engine::Hash160, _>("hash160", &HASH160);

#[cfg(feature = "rivals")]
mod rivals {
    use bitcoin_hashes::{hash160 as bitcoin_hash160, ripemd160 as bitcoin_ripemd160};
    use ripemd_0_1::{Digest as _, Ripemd160};
    use sha2_0_10::Sha256;

    use crate::lanes::{Batch, Rival, each};
    use crate::machine::label;

    pub(super) fn ripemd160<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let bitcoin = |message: &[u8]| bitcoin_ripemd160::hash(message).to_byte_array();
        vec![
            (label("bitcoin_hashes", "1.2"), each(batch, bitcoin)),
            (label("ripemd", "0.1"), each(batch, |message| Ripemd160::digest(message).into())),
        ]
    }

    pub(super) fn hash160<'a>(batch: &'a Batch<'_>) -> Vec<Rival<'a>> {
        let bitcoin = |message: &[u8]| bitcoin_hash160::hash(message).to_byte_array();
        let both = |message: &[u8]| Ripemd160::digest(Sha256::digest(message)).into();
        vec![
            (label("bitcoin_hashes", "1.2"), each(batch, bitcoin)),
            (format!("{}+{}", label("sha2", "0.10"), label("ripemd", "0.1")), each(batch, both)),
        ]
    }
}
