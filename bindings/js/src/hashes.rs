//! Hashes of many messages. `index.js` checks the arguments and copies bytes.

use sha3_multi::{XofLanes, keccak256, sha3_256};
use sha256_multi::ChainLayout;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::cut;

/// Memory for nodes and their digests, which JavaScript writes and reads in place.
#[wasm_bindgen]
pub struct Level {
    nodes: Vec<[u8; 64]>,
    digests: Vec<[u8; 32]>,
}

#[wasm_bindgen]
impl Level {
    /// Allocates a level of this many nodes. It never moves.
    #[wasm_bindgen(constructor)]
    pub fn new(count: usize) -> Self {
        Self { nodes: vec![[0; 64]; count], digests: vec![[0; 32]; count] }
    }

    /// The address of the nodes.
    pub fn nodes(&self) -> *const u8 {
        self.nodes.as_flattened().as_ptr()
    }

    /// The address of the digests.
    pub fn digests(&self) -> *const u8 {
        self.digests.as_flattened().as_ptr()
    }

    /// Hashes the first `count` nodes.
    pub fn hash(&mut self, count: usize) {
        sha256_multi::hash_pairs_into(&self.nodes[..count], &mut self.digests[..count]);
    }
}

/// Hashes messages of these lengths that lie end to end. Returns the digests end to end.
#[wasm_bindgen(js_name = digestMany)]
pub fn digest_many(messages: &[u8], lengths: &[u32]) -> Vec<u8> {
    sha256_multi::hash_many(cut(messages, lengths)).into_flattened()
}

/// As [`digest_many`], with SHA-512.
#[wasm_bindgen(js_name = sha512Many)]
pub fn sha512_many(messages: &[u8], lengths: &[u32]) -> Vec<u8> {
    sha512_multi::hash_many(cut(messages, lengths)).into_flattened()
}

/// As [`digest_many`], with Keccak-256.
#[wasm_bindgen(js_name = keccak256Many)]
pub fn keccak256_many(messages: &[u8], lengths: &[u32]) -> Vec<u8> {
    keccak256::hash_many(cut(messages, lengths)).into_flattened()
}

/// As [`digest_many`], with SHA3-256.
#[wasm_bindgen(js_name = sha3_256Many)]
pub fn sha3_256_many(messages: &[u8], lengths: &[u32]) -> Vec<u8> {
    sha3_256::hash_many(cut(messages, lengths)).into_flattened()
}

/// The place of what changes in the messages of chains, from JavaScript.
#[wasm_bindgen]
pub struct Chains(ChainLayout);

#[wasm_bindgen]
impl Chains {
    /// Messages of `length` bytes, with a value and, unless its end is 0, a counter.
    ///
    /// # Errors
    ///
    /// Returns an error if they do not fit.
    #[wasm_bindgen(constructor)]
    pub fn new(
        length: usize,
        value_start: usize,
        value_end: usize,
        counter_start: usize,
        counter_end: usize,
    ) -> Result<Self, JsError> {
        let counter = (counter_end > 0).then_some(counter_start..counter_end);
        Ok(Self(ChainLayout::try_new(length, value_start..value_end, counter)?))
    }

    /// Advances chains of SHA-256.
    ///
    /// # Errors
    ///
    /// Returns an error if the messages or values are too long, or not as many as the steps.
    pub fn sha256(&self, mut messages: Vec<u8>, steps: &[u32]) -> Result<Vec<u8>, JsError> {
        sha256_multi::try_hash_chains(&self.0, &mut messages, steps)?;
        Ok(messages)
    }

    /// Advances chains of SHA-512.
    ///
    /// # Errors
    ///
    /// As for [`Self::sha256`].
    pub fn sha512(&self, mut messages: Vec<u8>, steps: &[u32]) -> Result<Vec<u8>, JsError> {
        sha512_multi::try_hash_chains(&self.0, &mut messages, steps)?;
        Ok(messages)
    }

    /// Advances chains of SHAKE256.
    ///
    /// # Errors
    ///
    /// As for [`Self::sha256`].
    pub fn shake256(&self, mut messages: Vec<u8>, steps: &[u32]) -> Result<Vec<u8>, JsError> {
        XofLanes::shake256().try_hash_chains(&self.0, &mut messages, steps)?;
        Ok(messages)
    }
}

/// The name of the kernels: `simd128`.
#[wasm_bindgen]
pub fn backend() -> String {
    sha256_multi::Backend::detect().name().to_string()
}
