//! SHA-256 of many messages, for JavaScript. `index.js` checks the arguments and copies bytes.

use wasm_bindgen::prelude::wasm_bindgen;

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
pub fn digest_many(mut messages: &[u8], lengths: &[u32]) -> Vec<u8> {
    let messages = lengths.iter().map(|&length| {
        let (message, rest) = messages.split_at(length as usize);
        messages = rest;
        message
    });
    sha256_multi::hash_many(messages).into_flattened()
}

/// The name of the kernels: `simd128`.
#[wasm_bindgen]
pub fn backend() -> String {
    sha256_multi::Backend::detect().name().to_string()
}
