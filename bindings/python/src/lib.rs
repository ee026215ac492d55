//! hashlanes for Python. Each function turns its arguments into slices, releases the GIL and calls
//! one function of a hash crate.

mod buffers;
mod functions;
mod hashes;
mod signatures;
mod trees;

use hash_lanes::Backend;
use pyo3::prelude::*;

/// Hashes many messages in one call, in the lanes of the CPU's vector registers.
///
/// Messages are bytes-like objects. bytes are read in place; other buffers, such as bytearray,
/// memoryview and arrays of numpy, are copied first. The GIL is released during the hashing. An
/// error names the index of the bad item. Ctrl-C ends a long call.
///
/// It does not need the GIL: a free-threaded Python calls it from several threads at once.
#[pymodule(gil_used = false)]
mod hashlanes {
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::backend;
    #[pymodule_export]
    use crate::functions::{Hasher, ManyHasher, hash_files};
    #[pymodule_export]
    use crate::hashes::{
        hash160_many, hmac_sha256_many, keccak256_many, pbkdf2_sha256_many, ripemd160_many,
        sha1_many, sha3_256_many, sha256_chains, sha256_many, sha256_pairs, sha512_chains,
        sha512_many, shake256_chains, sumhash512_many,
    };
    #[pymodule_export]
    use crate::signatures::{SlhDsaSigningKey, slh_dsa_verify, slh_dsa_verify_many};
    #[pymodule_export]
    use crate::trees::{MerkleTree, merkle_root, rfc6962_leaves, verify_proof};
}

/// Returns the name of the kernels that this CPU runs, such as "avx512+sha".
#[pyfunction]
fn backend() -> String {
    Backend::detect().name().to_string()
}
