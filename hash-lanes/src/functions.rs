//! The functions of a hash on the default backend, which a hash crate has for each of its hashes.

/// Defines the functions, `ManyHasher` and `Prefix` of a hash in the module where it is called.
///
/// It gets the name of the hash, the path of the module, the hash, its value that carries a
/// backend, and the length of its digests; or their type and, for the examples, one of zeros.
#[doc(hidden)]
#[macro_export]
macro_rules! define_functions {
    ($name:literal, $path:expr, $Hash:ty, $Lanes:ty, $bytes:literal) => {
        $crate::define_functions!($name, $path, $Hash, $Lanes, [u8; $bytes], [0; $bytes]);
    };
    ($name:literal, $path:expr, $Hash:ty, $Lanes:ty, $Digest:ty, $zero:expr) => {
        #[doc = concat!("Hashes a fixed number of messages that arrive in parts, by ", $name, ".")]
        ///
        /// ```
        #[doc = concat!("use ", $path, "::{ManyHasher, hash};")]
        ///
        /// let mut hasher = ManyHasher::new(2);
        /// hasher.update(0, b"first part, ");
        /// hasher.update(1, b"another message");
        /// hasher.update(0, b"second part");
        /// assert_eq!(hasher.finalize()[0], hash(b"first part, second part"));
        /// ```
        pub type ManyHasher = $crate::ManyHasher<$Hash>;

        #[doc = concat!("The common prefix of many messages, hashed once by ", $name, ".")]
        ///
        /// The messages are in parts.
        ///
        /// ```
        #[doc = concat!("use ", $path, "::{Prefix, hash};")]
        ///
        /// let digests = Prefix::new(b"prefix").hash_many([("one", [1, 2]), ("two", [3, 4])]);
        /// assert_eq!(digests[1], hash(b"prefixtwo\x03\x04"));
        /// ```
        pub type Prefix = $crate::Prefix<$Hash>;

        #[doc = concat!($name, " of one message.")]
        ///
        /// Hashing many messages at once is several times faster; see [`hash_many`].
        #[must_use]
        pub fn hash(message: impl AsRef<[u8]>) -> $Digest {
            <$Lanes>::default().hash(message)
        }

        /// Returns the digest of each message. The messages may have different lengths, and may be
        /// owned or borrowed.
        ///
        /// ```
        #[doc = concat!("use ", $path, "::{hash, hash_many};")]
        ///
        /// let digests = hash_many(["one", "two", "three"]);
        /// assert_eq!(digests[2], hash("three"));
        ///
        /// // The blocks of one buffer, without a list of slices.
        /// let file = vec![0; 10_000];
        /// let digests = hash_many(file.chunks(1024));
        /// assert_eq!(digests.len(), 10);
        /// ```
        #[must_use]
        pub fn hash_many(
            messages: impl IntoIterator<Item: AsRef<[u8]>>,
        ) -> $crate::engine::alloc::vec::Vec<$Digest> {
            <$Lanes>::default().hash_many(messages)
        }

        /// Hashes the `i`-th message into `digests[i]`; see [`hash_many`].
        ///
        /// ```
        #[doc = concat!("let mut digests = [", stringify!($zero), "; 3];")]
        #[doc = concat!($path, "::hash_many_into([\"one\", \"two\", \"three\"], &mut digests);")]
        /// ```
        ///
        /// # Panics
        ///
        /// Panics if `digests.len()` is not the number of messages.
        #[track_caller]
        pub fn hash_many_into(
            messages: impl IntoIterator<Item: AsRef<[u8]>>,
            digests: &mut [$Digest],
        ) {
            <$Lanes>::default().hash_many_into(messages, digests);
        }

        /// Returns the digest of each message of an iterator that may fail.
        ///
        /// ```
        /// use std::io::{BufRead, Cursor};
        ///
        #[doc = concat!("use ", $path, "::{hash_many, try_hash_many};")]
        ///
        /// let lines = Cursor::new("one\ntwo\n").lines();
        /// assert_eq!(try_hash_many(lines)?, hash_many(["one", "two"]));
        /// # Ok::<(), std::io::Error>(())
        /// ```
        ///
        /// # Errors
        ///
        /// Returns the first error. Nothing after it is hashed.
        pub fn try_hash_many<T: AsRef<[u8]>, E>(
            messages: impl IntoIterator<Item = Result<T, E>>,
        ) -> Result<$crate::engine::alloc::vec::Vec<$Digest>, E> {
            <$Lanes>::default().try_hash_many(messages)
        }

        /// Returns the digest of each message, whose parts are hashed one after the other.
        ///
        /// ```
        #[doc = concat!("use ", $path, "::{hash, hash_concat_many};")]
        ///
        /// let digests = hash_concat_many([("key 1", "slot"), ("key 2", "slot")]);
        /// assert_eq!(digests[1], hash("key 2slot"));
        /// ```
        #[must_use]
        pub fn hash_concat_many(
            messages: impl IntoIterator<Item: $crate::Parts>,
        ) -> $crate::engine::alloc::vec::Vec<$Digest> {
            <$Lanes>::default().hash_concat_many(messages)
        }

        /// Hashes the `i`-th message, whose parts are hashed one after the other, into
        /// `digests[i]`; see [`hash_concat_many`].
        ///
        /// # Panics
        ///
        /// Panics if `digests.len()` is not the number of messages.
        #[track_caller]
        pub fn hash_concat_many_into(
            messages: impl IntoIterator<Item: $crate::Parts>,
            digests: &mut [$Digest],
        ) {
            <$Lanes>::default().hash_concat_many_into(messages, digests);
        }

        /// Hashes whole files on all cores; see [`ManyHasher::hash_files`].
        ///
        /// # Errors
        ///
        /// Each file has its own result.
        #[cfg(feature = "files")]
        #[cfg_attr(docsrs, doc(cfg(feature = "files")))]
        #[must_use]
        pub fn hash_files<P: AsRef<$crate::engine::std::path::Path> + Sync>(
            paths: &[P],
        ) -> $crate::engine::alloc::vec::Vec<Result<$Digest, $crate::FileError>> {
            <$Lanes>::default().hash_files(paths)
        }
    };
}

/// Defines the functions of HMAC; see [`define_functions!`](crate::define_functions).
#[doc(hidden)]
#[macro_export]
macro_rules! define_hmac {
    ($name:literal, $path:expr, $Hash:ty, $Lanes:ty, $bytes:literal) => {
        #[doc = concat!("An HMAC-", $name, " key for many messages, hashed once.")]
        ///
        /// ```
        #[doc = concat!("use ", $path, "::{HmacKey, hmac_many};")]
        ///
        /// let key = HmacKey::new("key");
        /// let mut macs = key.hmac_many(["one", "two"]);
        /// assert_eq!(macs, hmac_many(["key"; 2], ["one", "two"]));
        ///
        /// macs[1][0] ^= 1;
        /// assert_eq!(key.verify_many(["one", "two"], &macs).unwrap_err().messages(), [1]);
        /// ```
        pub type HmacKey = $crate::HmacKey<$Hash>;

        #[doc = concat!("Returns HMAC-", $name, " (RFC 2104, FIPS 198-1) of the `i`-th message")]
        /// with the `i`-th key.
        ///
        /// Keys and messages may have any length. If consecutive keys are the same slice, its two
        /// blocks are hashed once. [`HmacKey`] keeps one key for later calls. Compare MACs with
        /// [`verify_hmac_many`], which takes constant time.
        ///
        /// ```
        /// use std::iter::repeat_n;
        ///
        #[doc = concat!("use ", $path, "::hmac_many;")]
        ///
        /// let messages = ["one", "two", "three"];
        /// let macs = hmac_many(["key 1", "key 2", "key 3"], messages);
        ///
        /// // One key for all messages.
        /// let macs = hmac_many(repeat_n("key", 3), messages);
        /// ```
        ///
        /// # Panics
        ///
        /// Panics if the numbers of keys and messages differ.
        #[track_caller]
        #[must_use]
        pub fn hmac_many(
            keys: impl IntoIterator<Item: AsRef<[u8]>>,
            messages: impl IntoIterator<Item: AsRef<[u8]>>,
        ) -> $crate::engine::alloc::vec::Vec<[u8; $bytes]> {
            <$Lanes>::default().hmac_many(keys, messages)
        }

        /// Writes the HMAC of the `i`-th message with the `i`-th key to `macs[i]`; see
        /// [`hmac_many`].
        ///
        /// # Panics
        ///
        /// Panics if the numbers of keys, messages and MACs differ.
        #[track_caller]
        pub fn hmac_many_into(
            keys: impl IntoIterator<Item: AsRef<[u8]>>,
            messages: impl IntoIterator<Item: AsRef<[u8]>>,
            macs: &mut [[u8; $bytes]],
        ) {
            <$Lanes>::default().hmac_many_into(keys, messages, macs);
        }

        /// Compares the HMAC of the `i`-th message with the `i`-th of `macs`, in constant time; see
        /// [`hmac_many`].
        ///
        /// # Errors
        ///
        /// Returns which MACs are wrong. A truncated MAC is wrong.
        ///
        /// # Panics
        ///
        /// Panics if the numbers of keys, messages and MACs differ.
        #[track_caller]
        pub fn verify_hmac_many(
            keys: impl IntoIterator<Item: AsRef<[u8]>>,
            messages: impl IntoIterator<Item: AsRef<[u8]>>,
            macs: impl IntoIterator<Item: AsRef<[u8]>>,
        ) -> Result<(), $crate::WrongMacs> {
            <$Lanes>::default().verify_hmac_many(keys, messages, macs)
        }
    };
}

/// Defines the functions of PBKDF2; see [`define_functions!`](crate::define_functions).
#[doc(hidden)]
#[macro_export]
macro_rules! define_pbkdf2 {
    ($name:literal, $path:expr, $Lanes:ty, $bytes:literal) => {
        /// Derives a key of `N` bytes from the `i`-th password and the `i`-th salt with
        #[doc = concat!("PBKDF2-HMAC-", $name, " (RFC 8018 §5.2).")]
        /// `rounds` is one number for all, or a list with one for each.
        ///
        /// ```
        #[doc = concat!("use ", $path, "::pbkdf2_many;")]
        ///
        /// let keys: Vec<[u8; 32]> = pbkdf2_many(["tiger", "letmein"], [[1; 16], [2; 16]], 1000);
        ///
        /// // Old accounts have fewer rounds.
        /// let each = pbkdf2_many(["tiger", "letmein"], [[1; 16], [2; 16]], [1000, 3000]);
        /// assert_eq!(keys[0], each[0]);
        /// ```
        ///
        /// # Panics
        ///
        /// Panics if the numbers of passwords, salts and listed rounds differ, or if there are zero
        /// rounds.
        #[track_caller]
        #[must_use]
        pub fn pbkdf2_many<const N: usize>(
            passwords: impl IntoIterator<Item: AsRef<[u8]>>,
            salts: impl IntoIterator<Item: AsRef<[u8]>>,
            rounds: impl $crate::Rounds,
        ) -> $crate::engine::alloc::vec::Vec<[u8; N]> {
            <$Lanes>::default().pbkdf2_many(passwords, salts, rounds)
        }

        /// Derives `outputs[i]` from the `i`-th password and the `i`-th salt; see [`pbkdf2_many`].
        ///
        #[doc = concat!(
            "Outputs may have different lengths. One of more than ", stringify!($bytes), " bytes"
        )]
        /// takes as many lanes as it has digests, for all rounds.
        ///
        /// # Panics
        ///
        /// Panics if the numbers of passwords, salts, outputs and listed rounds differ, if there
        #[doc = concat!(
            "are zero rounds, or if an output is longer than ", stringify!($bytes),
            " (2^32 - 1) bytes."
        )]
        #[track_caller]
        pub fn pbkdf2_many_into<D: AsMut<[u8]>>(
            passwords: impl IntoIterator<Item: AsRef<[u8]>>,
            salts: impl IntoIterator<Item: AsRef<[u8]>>,
            rounds: impl $crate::Rounds,
            outputs: &mut [D],
        ) {
            <$Lanes>::default().pbkdf2_many_into(passwords, salts, rounds, outputs);
        }
    };
}

/// Defines the functions of chains; see [`define_functions!`](crate::define_functions). It also
/// gets the length of the longest message.
#[doc(hidden)]
#[macro_export]
macro_rules! define_chains {
    ($name:literal, $path:expr, $Lanes:ty, $bytes:literal, $max_len:literal) => {
        /// Hashes the `i`-th message `steps[i]` times, each time with the first bytes of the digest
        /// in the place of its value, and its counter advanced. `messages` are end to end, and are
        /// replaced by those after the last step.
        ///
        #[doc = concat!("One ", $name, " chain is sequential, but many of them fill the lanes:")]
        /// a chain that ends gives its lane to the next. The steps are public: which chain is in
        /// which lane depends on them.
        ///
        /// ```
        #[doc = concat!("use ", $path, "::{ChainLayout, hash, hash_chains};")]
        ///
        /// // Two digests, hashed three times and once more.
        #[doc = concat!("const N: usize = ", stringify!($bytes), ";")]
        /// let mut digests = [[1; N], [2; N]];
        /// hash_chains(&ChainLayout::new(N, 0..N), digests.as_flattened_mut(), &[3, 1]);
        /// assert_eq!(digests, [hash(hash(hash([1; N]))), hash([2; N])]);
        /// ```
        ///
        /// # Panics
        ///
        /// Panics if `messages.len() != steps.len() * layout.message_len()`, if a message is longer
        #[doc = concat!(
                    "than ", stringify!($max_len), " bytes, or if its value is longer than ",
                    stringify!($bytes), "."
                )]
        #[track_caller]
        pub fn hash_chains(layout: &$crate::ChainLayout, messages: &mut [u8], steps: &[u32]) {
            <$Lanes>::default().hash_chains(layout, messages, steps);
        }

        /// [`hash_chains`], for chains from outside.
        ///
        /// # Errors
        ///
        /// Returns a [`ChainError`]($crate::ChainError) where [`hash_chains`] panics.
        pub fn try_hash_chains(
            layout: &$crate::ChainLayout,
            messages: &mut [u8],
            steps: &[u32],
        ) -> Result<(), $crate::ChainError> {
            <$Lanes>::default().try_hash_chains(layout, messages, steps)
        }
    };
}
