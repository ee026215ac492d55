//! The list of the hashes.

/// The hashes: a macro gets the feature of each, the module of its crate, the module with its
/// functions, its value that carries a backend, the length of its digests, and the types of
/// RustCrypto that it hashes for, of both generations. Also for the tests of the workspace.
#[doc(hidden)]
#[macro_export]
macro_rules! each_hash {
    ($then:ident) => {
        $then! {
            "sha256", sha256, [sha256], Sha256Lanes, 32 => sha2 Sha256, sha2_0_10 Sha256;
            "sha256", sha256, [sha256::sha224], Sha224Lanes, 28 => sha2 Sha224, sha2_0_10 Sha224;
            "sha512", sha512, [sha512], Sha512Lanes, 64 => sha2 Sha512, sha2_0_10 Sha512;
            "sha512", sha512, [sha512::sha384], Sha384Lanes, 48 => sha2 Sha384, sha2_0_10 Sha384;
            "sha512", sha512, [sha512::sha512_256], Sha512_256Lanes, 32
                => sha2 Sha512_256, sha2_0_10 Sha512_256;
            "sha512", sha512, [sha512::sha512_224], Sha512_224Lanes, 28
                => sha2 Sha512_224, sha2_0_10 Sha512_224;
            "sha1", sha1, [sha1], Sha1Lanes, 20 => sha1 Sha1, sha1_0_10 Sha1;
            "ripemd", ripemd, [ripemd], Ripemd160Lanes, 20
                => ripemd Ripemd160, ripemd_0_1 Ripemd160;
            "ripemd", ripemd, [ripemd::hash160], Hash160Lanes, 20;
            "sha3", sha3, [sha3::keccak224], Keccak224Lanes, 28
                => sha3 Keccak224, sha3_0_10 Keccak224;
            "sha3", sha3, [sha3::keccak256], Keccak256Lanes, 32
                => sha3 Keccak256, sha3_0_10 Keccak256;
            "sha3", sha3, [sha3::keccak384], Keccak384Lanes, 48
                => sha3 Keccak384, sha3_0_10 Keccak384;
            "sha3", sha3, [sha3::keccak512], Keccak512Lanes, 64
                => sha3 Keccak512, sha3_0_10 Keccak512;
            "sha3", sha3, [sha3::sha3_224], Sha3_224Lanes, 28 => sha3 Sha3_224, sha3_0_10 Sha3_224;
            "sha3", sha3, [sha3::sha3_256], Sha3_256Lanes, 32 => sha3 Sha3_256, sha3_0_10 Sha3_256;
            "sha3", sha3, [sha3::sha3_384], Sha3_384Lanes, 48 => sha3 Sha3_384, sha3_0_10 Sha3_384;
            "sha3", sha3, [sha3::sha3_512], Sha3_512Lanes, 64 => sha3 Sha3_512, sha3_0_10 Sha3_512;
            "sha3", sha3, [sha3::shake128], Shake128Lanes, 32;
            "sha3", sha3, [sha3::shake256], Shake256Lanes, 64;
            "blake2", blake2, [blake2::blake2s256], Blake2s256Lanes, 32
                => blake2 Blake2s256, blake2_0_10 Blake2s256;
            "blake2", blake2, [blake2::blake2s128], Blake2s128Lanes, 16 => blake2 Blake2s128;
            "blake2", blake2, [blake2::blake2b512], Blake2b512Lanes, 64
                => blake2 Blake2b512, blake2_0_10 Blake2b512;
            "blake2", blake2, [blake2::blake2b256], Blake2b256Lanes, 32 => blake2 Blake2b256;
        }
    };
}
