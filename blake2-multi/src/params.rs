//! Keys, salts and personalization strings.

use alloc::vec::Vec;
use core::cell::RefCell;
use core::error::Error;
use core::fmt;

use hash_lanes::engine::{
    Array, CompiledHash, Digests, HashAll, HashFunction, LaneHash, RowOf, Start, Word, digest_of,
    hash_stream,
};
use hash_lanes::{Backend, HashMany, ManyHasher, Prefix};
use zeroize::Zeroize;

/// A function with a key, a salt or a personalization string, on a backend.
///
/// A keyed hash is a message authentication code. It needs one block more than the message, which
/// is hashed once for all messages.
///
/// ```
/// use blake2_multi::blake2s256::Params;
///
/// let params = Params::new().key(b"a key of up to 32 bytes").personal(b"my chain");
/// let macs = params.hash_many(["one", "two"]);
/// assert_eq!(macs[1], params.hash("two"));
/// ```
#[derive(Clone)]
pub struct Params<F: HashFunction> {
    backend: Backend,
    /// The parameter block: eight words.
    block: RowOf<F::Kernels>,
    /// The key, followed by zeros.
    key: Vec<u8>,
    /// The state before the first block, and that after the block of the key, if there is one.
    initial: RowOf<F::Kernels>,
    keyed: RowOf<F::Kernels>,
}

type WordOf<F> = <<F as HashFunction>::Kernels as LaneHash>::Word;

/// The number of bytes in a block.
const fn block_bytes<F: HashFunction>() -> usize {
    16 * WordOf::<F>::BYTES
}

impl<F: HashFunction> Params<F> {
    /// The maximum length of a key: 32 bytes, or 64 for BLAKE2b.
    pub const MAX_KEY_BYTES: usize = 8 * WordOf::<F>::BYTES;

    /// The maximum length of a salt, and of a personalization string: 8 bytes, or 16 for BLAKE2b.
    pub const MAX_SALT_BYTES: usize = 2 * WordOf::<F>::BYTES;

    /// No key, no salt and no personalization string.
    #[must_use]
    pub fn new() -> Self {
        let initial = F::initial().copied().unwrap_or_else(|| F::Kernels::row(&F::Kernels::IV));
        let mut block: RowOf<F::Kernels> = Array::filled(0);
        // One leaf of unlimited length: sequential mode.
        block.elements_mut()[..4].copy_from_slice(&[<F::Digest as Array<u8>>::LEN as u8, 0, 1, 1]);
        Self { backend: Backend::detect(), block, key: Vec::new(), initial, keyed: initial }
    }

    /// The given key, salt and personalization string, each of which may be empty.
    ///
    /// # Errors
    ///
    /// Returns [`ParamsError`] if one of them is too long.
    pub fn try_new(key: &[u8], salt: &[u8], personal: &[u8]) -> Result<Self, ParamsError> {
        let check = |what, bytes: &[u8], max| {
            if bytes.len() > max {
                Err(ParamsError { what, len: bytes.len(), max })
            } else {
                Ok(())
            }
        };
        check("key", key, Self::MAX_KEY_BYTES)?;
        check("salt", salt, Self::MAX_SALT_BYTES)?;
        check("personalization string", personal, Self::MAX_SALT_BYTES)?;
        let mut params = Self::new();
        let word = WordOf::<F>::BYTES;
        let block = params.block.elements_mut();
        block[1] = key.len() as u8;
        block[4 * word..][..salt.len()].copy_from_slice(salt);
        block[6 * word..][..personal.len()].copy_from_slice(personal);
        if !key.is_empty() {
            params.key.reserve_exact(block_bytes::<F>());
            params.key.extend_from_slice(key);
            params.key.resize(block_bytes::<F>(), 0);
        }
        params.prepare();
        Ok(params)
    }

    /// With this key; an empty one is none.
    ///
    /// # Panics
    ///
    /// Panics if it is longer than [`Self::MAX_KEY_BYTES`].
    #[track_caller]
    #[must_use]
    pub fn key(self, key: &[u8]) -> Self {
        let (_, salt, personal) = self.parts();
        self.with(key, salt, personal)
    }

    /// With this salt, followed by zeros.
    ///
    /// # Panics
    ///
    /// Panics if it is longer than [`Self::MAX_SALT_BYTES`].
    #[track_caller]
    #[must_use]
    pub fn salt(self, salt: &[u8]) -> Self {
        let (key, _, personal) = self.parts();
        self.with(key, salt, personal)
    }

    /// With this personalization string, followed by zeros.
    ///
    /// # Panics
    ///
    /// Panics if it is longer than [`Self::MAX_SALT_BYTES`].
    #[track_caller]
    #[must_use]
    pub fn personal(self, personal: &[u8]) -> Self {
        let (key, salt, _) = self.parts();
        self.with(key, salt, personal)
    }

    /// On this backend.
    #[must_use]
    pub fn on(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// The key, the salt and the personalization string.
    fn parts(&self) -> (&[u8], &[u8], &[u8]) {
        let (block, word) = (self.block.elements(), WordOf::<F>::BYTES);
        let key = self.key.get(..usize::from(block[1])).unwrap_or_default();
        (key, &block[4 * word..6 * word], &block[6 * word..])
    }

    #[track_caller]
    fn with(&self, key: &[u8], salt: &[u8], personal: &[u8]) -> Self {
        match Self::try_new(key, salt, personal) {
            Ok(params) => params.on(self.backend),
            Err(error) => panic!("{error}"),
        }
    }

    /// Computes the states from the parameter block and the key.
    fn prepare(&mut self) {
        // The initial state is that of other parameters XOR their block, which is not kept.
        let plain = Self::new();
        for (byte, (new, old)) in self
            .initial
            .elements_mut()
            .iter_mut()
            .zip(self.block.elements().iter().zip(plain.block.elements()))
        {
            *byte ^= new ^ old;
        }
        self.keyed = self.initial;
        if !self.key.is_empty() {
            let start = Start::continuing(Some(&self.initial), 0);
            self.keyed = F::Kernels::hash_one(self.backend, start, &self.key);
        }
    }

    /// The start of messages that are not empty.
    fn start(&self) -> Start<'_, RowOf<F::Kernels>> {
        Start::ending(Some(&self.keyed), self.key.len() as u64)
    }

    /// The final state of an empty message: the block of the key is its last one, if there is a
    /// key.
    fn of_empty(&self) -> RowOf<F::Kernels> {
        F::Kernels::hash_one(self.backend, Start::ending(Some(&self.initial), 0), &self.key)
    }

    /// The digest of one message.
    #[must_use]
    pub fn hash(&self, message: impl AsRef<[u8]>) -> F::Digest {
        let message = message.as_ref();
        digest_of::<F>(&if message.is_empty() {
            self.of_empty()
        } else {
            F::Kernels::hash_one(self.backend, self.start(), message)
        })
    }

    /// Returns the digest of each message.
    #[must_use]
    pub fn hash_many(&self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<F::Digest> {
        HashMany::hash_many(&self, messages)
    }

    /// Hashes the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_many_into(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        digests: &mut [F::Digest],
    ) {
        HashMany::hash_many_into(&self, messages, digests);
    }

    /// Returns the digest of each message of an iterator that may fail.
    ///
    /// # Errors
    ///
    /// Returns the first error. Nothing after it is hashed.
    pub fn try_hash_many<T: AsRef<[u8]>, E>(
        &self,
        messages: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<Vec<F::Digest>, E> {
        HashMany::try_hash_many(&self, messages)
    }

    /// The common prefix of many messages, hashed once.
    #[must_use]
    pub fn prefix(&self, prefix: &[u8]) -> Prefix<F> {
        let mut bytes = Vec::with_capacity(self.key.len() + prefix.len());
        bytes.extend_from_slice(&self.key);
        bytes.extend_from_slice(prefix);
        let prefix = Prefix::after_state(self.backend, self.initial, &bytes);
        bytes.zeroize();
        prefix
    }

    /// A hasher of `count` messages that arrive in parts.
    ///
    /// # Panics
    ///
    /// Panics if the buffers of `count` messages do not fit into memory.
    #[track_caller]
    #[must_use]
    pub fn many_hasher(&self, count: usize) -> ManyHasher<F> {
        self.prefix(&[]).many_hasher(count)
    }
}

impl<F: HashFunction> HashMany for &Params<F> {
    type Output = F::Digest;

    fn zero_digest() -> F::Digest {
        Array::filled(0)
    }
}

#[doc(hidden)]
impl<F: HashFunction> HashAll for &Params<F> {
    fn hash_all(self, messages: impl Iterator<Item: AsRef<[u8]>>, digests: &mut dyn Digests) {
        // The numbers of the empty messages. With a key they do not begin like the others.
        let empty = RefCell::new(Vec::new());
        let messages = messages.enumerate().map(|(number, message)| {
            if message.as_ref().is_empty() && !self.key.is_empty() {
                empty.borrow_mut().push(number);
            }
            message
        });
        let mut of_empty = None;
        let sink = &mut |first: usize, rows: &[RowOf<F::Kernels>]| {
            let empty = empty.borrow();
            if empty.is_empty() {
                let row_bytes = size_of::<RowOf<F::Kernels>>();
                digests.store_rows(first, WordOf::<F>::bytes_of(rows), row_bytes);
                return;
            }
            for (number, row) in (first..).zip(rows) {
                // They are in order.
                let is_empty = empty.binary_search(&number).is_ok();
                let row =
                    if is_empty { of_empty.get_or_insert_with(|| self.of_empty()) } else { row };
                digests.store(number, row.elements());
            }
        };
        hash_stream::<F, _>(self.backend, self.start(), messages, sink);
    }
}

impl<F: HashFunction> Default for Params<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: HashFunction> Drop for Params<F> {
    fn drop(&mut self) {
        self.key.zeroize();
        self.keyed.elements_mut().zeroize();
    }
}

impl<F: HashFunction> fmt::Debug for Params<F> {
    /// Omits the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Params").field("backend", &self.backend).finish_non_exhaustive()
    }
}

/// The error of a key, a salt or a personalization string that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamsError {
    what: &'static str,
    len: usize,
    max: usize,
}

impl fmt::Display for ParamsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, len, max } = self;
        write!(f, "the {what} has {len} bytes, more than {max}")
    }
}

impl Error for ParamsError {}
