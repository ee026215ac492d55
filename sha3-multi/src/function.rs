//! A function of the family on a backend, and the functions whose digests have one length.

use alloc::vec::Vec;
use core::iter::repeat_with;

use arrayvec::ArrayVec;
use hash_lanes::engine::{Digests, Erased, GROUP, HashAll, in_groups, into_slice, into_vec};
use hash_lanes::{Backend, HashMany, Parts};

use crate::jobs::{Block, MAX_RATE, ShortRow, Sponge, State};
use crate::many_hasher::ManyHasher;
use crate::stream::{Group, Output, Stream};

/// A function on a backend. The state before the first byte is separate, because few have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) backend: Backend,
    pub(crate) sponge: Sponge,
}

/// The maximum size of messages that are held on the stack, by value, while they are hashed.
const MAX_INLINE_BYTES: usize = 32;

impl Function {
    /// Hashes messages that begin with the state `initial`.
    pub(crate) fn run<I: Iterator<Item: AsRef<[u8]>>>(
        self,
        initial: Option<&State>,
        mut messages: I,
        mut output: Output<'_>,
    ) {
        let mut stream = Stream::new(self.backend, self.sponge, initial);
        let mut hash = |items: &[Option<I::Item>], first| {
            let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            slices.extend(items.iter().flatten().map(AsRef::as_ref));
            stream.hash_group(&Group::of(&slices, first), &mut output)
        };
        if size_of::<I::Item>() <= MAX_INLINE_BYTES {
            in_groups([None, None], &mut messages, &mut [const { None }; GROUP], &mut hash);
        } else {
            let mut held = Vec::from_iter(repeat_with(|| None).take(GROUP));
            in_groups([None, None], &mut messages, &mut held, &mut hash);
        }
    }

    /// Hashes messages in parts.
    pub(crate) fn run_concat<P: Parts>(
        self,
        initial: Option<&State>,
        mut messages: impl Iterator<Item = P>,
        mut output: Output<'_>,
    ) {
        let mut stream = Stream::new(self.backend, self.sponge, initial);
        let mut held = Vec::from_iter(repeat_with(|| None).take(GROUP));
        let (mut copies, mut rests) = (Erased::<Block>::new(), Erased::new());
        in_groups([None, None], &mut messages, &mut held, |items: &[Option<P>], first| {
            // The parts of a short message are joined, so that it takes the path of a message in
            // one part. A longer one keeps its first part in place; only later parts are copied.
            copies.resize(items.len());
            rests.clear();
            let mut places = [(None, 0); GROUP];
            for ((copy, place), message) in
                copies.iter_mut().zip(&mut places).zip(items.iter().flatten())
            {
                place.0 = join(copy, message);
                if place.0.is_none() && P::COUNT > 2 {
                    (1..P::COUNT).for_each(|i| rests.extend_from_slice(message.part(i)));
                }
                place.1 = rests.len();
            }
            let mut messages: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            let mut seconds: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            let mut begin = 0;
            for ((copy, (len, end)), message) in
                copies.iter().zip(places).zip(items.iter().flatten())
            {
                let parts = match (len, P::COUNT) {
                    (Some(len), _) => [&copy[..len], &[]],
                    (None, 1) => [message.part(0), &[]],
                    (None, 2) => [message.part(0), message.part(1)],
                    (None, _) => [message.part(0), &rests[begin..end]],
                };
                begin = end;
                messages.push(parts[0]);
                seconds.push(parts[1]);
            }
            let group = Group { seconds: &seconds, ..Group::of(&messages, first) };
            stream.hash_group(&group, &mut output)
        });
    }

    /// Hashes messages that begin with a state each.
    pub(crate) fn run_parts<'p>(
        self,
        mut parts: impl Iterator<Item = (&'p State, &'p [u8])>,
        mut output: Output<'_>,
    ) {
        let mut stream = Stream::new(self.backend, self.sponge, None);
        in_groups([None, None], &mut parts, &mut [const { None }; GROUP], |items, first| {
            let mut messages: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            let mut starts: ArrayVec<&State, GROUP> = ArrayVec::new();
            for (start, bytes) in items.iter().flatten() {
                starts.push(start);
                messages.push(bytes);
            }
            let group = Group { starts: &starts, ..Group::of(&messages, first) };
            stream.hash_group(&group, &mut output)
        });
    }

    /// Hashes one message.
    pub(crate) fn run_one(self, initial: Option<&State>, message: &[u8], mut output: Output<'_>) {
        let mut stream = Stream::new(self.backend, self.sponge, initial);
        stream.hash_group(&Group::of(&[message], 0), &mut output);
    }
}

/// Joins the parts of a message in a block and returns its length, or `None` if it is longer. Each
/// part is asked for its bytes once, because they may be others the next time.
fn join<P: Parts>(block: &mut Block, message: &P) -> Option<usize> {
    let mut room = &mut block[..];
    for i in 0..P::COUNT {
        let part = message.part(i);
        room.split_off_mut(..part.len())?.copy_from_slice(part);
    }
    Some(MAX_RATE - room.len())
}

/// The digest of one message.
pub(crate) fn hash<const N: usize>(function: Function, message: &[u8]) -> [u8; N] {
    let mut digest = [[0; N]];
    into_slice([message], &mut digest, |_, digests| {
        function.run_one(None, message, output::<N>(digests));
    });
    digest[0]
}

/// What becomes of messages whose digests have at most `bytes` bytes, which are not more than
/// [`LongRow`](crate::jobs::LongRow) has.
pub(crate) fn output_of(bytes: usize, digests: &mut dyn Digests) -> Output<'_> {
    if bytes <= size_of::<ShortRow>() { Output::Short(digests) } else { Output::Long(digests) }
}

/// [`output_of`] `N` bytes.
pub(crate) fn output<const N: usize>(digests: &mut dyn Digests) -> Output<'_> {
    output_of(N, digests)
}

/// The parameters that the functions have in common: FIPS 202 §6.1, and for the functions before
/// the standard the suffix without its two bits.
const fn sponge(rate: usize, suffix: u8) -> Sponge {
    Sponge { rate, suffix, rounds: 24 }
}

/// Defines the functions whose digests have one length: a module with the functions, and the value
/// that carries a backend.
macro_rules! fixed {
    ($($name:literal, $module:ident, $Lanes:ident: $bytes:literal, $rate:literal, $suffix:literal;)+) => {$(
        #[doc = concat!($name, ": digests of ", stringify!($bytes), " bytes.")]
        pub mod $module {
            use alloc::vec::Vec;

            use crate::{$Lanes, Parts};

            #[doc = concat!($name, " of one message.")]
            #[must_use]
            pub fn hash(message: &[u8]) -> [u8; $bytes] {
                $Lanes::default().hash(message)
            }

            /// Returns the digest of each message. The messages may have different lengths, and may
            /// be owned or borrowed.
            ///
            /// ```
            #[doc = concat!("use sha3_multi::", stringify!($module), "::{hash, hash_many};")]
            ///
            /// let digests = hash_many(["one", "two", "three"]);
            /// assert_eq!(digests[2], hash(b"three"));
            /// ```
            #[must_use]
            pub fn hash_many(
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
            ) -> Vec<[u8; $bytes]> {
                $Lanes::default().hash_many(messages)
            }

            /// Hashes the `i`-th message into `digests[i]`; see [`hash_many`].
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            pub fn hash_many_into(
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
                digests: &mut [[u8; $bytes]],
            ) {
                $Lanes::default().hash_many_into(messages, digests);
            }

            /// Returns the digest of each message, whose parts are hashed one after the other.
            ///
            /// Two parts are not joined unless the message is shorter than a block.
            ///
            /// ```
            #[doc = concat!("use sha3_multi::", stringify!($module), "::{hash, hash_concat_many};")]
            ///
            /// let digests = hash_concat_many([("key 1", "slot"), ("key 2", "slot")]);
            /// assert_eq!(digests[1], hash(b"key 2slot"));
            /// ```
            #[must_use]
            pub fn hash_concat_many(
                messages: impl IntoIterator<Item: Parts>,
            ) -> Vec<[u8; $bytes]> {
                $Lanes::default().hash_concat_many(messages)
            }

            /// Hashes the `i`-th message into `digests[i]`; see [`hash_concat_many`].
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            pub fn hash_concat_many_into(
                messages: impl IntoIterator<Item: Parts>,
                digests: &mut [[u8; $bytes]],
            ) {
                $Lanes::default().hash_concat_many_into(messages, digests);
            }
        }

        #[doc = concat!($name, " on one backend: the functions of [`", stringify!($module), "`] as")]
        /// methods, for a backend other than the default.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Lanes {
            backend: Backend,
        }

        impl $Lanes {
            const SPONGE: Sponge = sponge($rate, $suffix);

            /// The hash on `backend`. `default()` is the hash on the default backend.
            #[must_use]
            pub const fn on(backend: Backend) -> Self {
                Self { backend }
            }

            /// The backend.
            #[must_use]
            pub const fn backend(self) -> Backend {
                self.backend
            }

            const fn function(self) -> Function {
                Function { backend: self.backend, sponge: Self::SPONGE }
            }

            /// The digest of one message.
            #[must_use]
            pub fn hash(self, message: &[u8]) -> [u8; $bytes] {
                hash(self.function(), message)
            }

            /// Returns the digest of each message.
            #[must_use]
            pub fn hash_many(
                self,
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
            ) -> Vec<[u8; $bytes]> {
                into_vec(messages, &[0; $bytes], |messages, digests| {
                    self.function().run(None, messages, output::<$bytes>(digests));
                })
            }

            /// Hashes the `i`-th message into `digests[i]`.
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            pub fn hash_many_into(
                self,
                messages: impl IntoIterator<Item: AsRef<[u8]>>,
                digests: &mut [[u8; $bytes]],
            ) {
                into_slice(messages, digests, |messages, digests| {
                    self.function().run(None, messages, output::<$bytes>(digests));
                });
            }

            /// Returns the digest of each message, whose parts are hashed one after the other.
            #[must_use]
            pub fn hash_concat_many(
                self,
                messages: impl IntoIterator<Item: Parts>,
            ) -> Vec<[u8; $bytes]> {
                into_vec(messages, &[0; $bytes], |messages, digests| {
                    self.function().run_concat(None, messages, output::<$bytes>(digests));
                })
            }

            /// Hashes the `i`-th message, whose parts are hashed one after the other, into
            /// `digests[i]`.
            ///
            /// # Panics
            ///
            /// Panics if `digests.len()` is not the number of messages.
            #[track_caller]
            pub fn hash_concat_many_into(
                self,
                messages: impl IntoIterator<Item: Parts>,
                digests: &mut [[u8; $bytes]],
            ) {
                into_slice(messages, digests, |messages, digests| {
                    self.function().run_concat(None, messages, output::<$bytes>(digests));
                });
            }

            /// Returns the digest of each message of an iterator that may fail.
            ///
            /// # Errors
            ///
            /// Returns the first error. Nothing after it is hashed.
            pub fn try_hash_many<T: AsRef<[u8]>, E>(
                self,
                messages: impl IntoIterator<Item = Result<T, E>>,
            ) -> Result<Vec<[u8; $bytes]>, E> {
                HashMany::try_hash_many(&self, messages)
            }

            /// Hashes whole files on up to 12 threads. Returns the digest of each file, in the
            /// order of `paths`.
            ///
            /// At most 192 files are open at a time, and a thread needs 1 MiB for what it reads
            /// from them. A named pipe is read until its writers close it.
            ///
            /// # Errors
            ///
            /// Each file has its own result. A file that cannot be opened or read, such as a
            /// directory, does not affect the others.
            #[cfg(feature = "files")]
            #[must_use]
            pub fn hash_files<P: AsRef<std::path::Path> + Sync>(
                self,
                paths: &[P],
            ) -> Vec<Result<[u8; $bytes], crate::FileError>> {
                self.hash_files_with_progress(paths, |_| core::ops::ControlFlow::Continue(()))
            }

            /// [`Self::hash_files`], which calls `progress` after every piece that a thread has
            /// read of its files: at least once, and from one thread at a time. It may stop the
            /// reading.
            ///
            /// # Errors
            ///
            /// Those of [`Self::hash_files`]. Files that have not ended when `progress` stops the
            /// reading have an error of [`std::io::ErrorKind::Interrupted`].
            #[cfg(feature = "files")]
            #[must_use]
            pub fn hash_files_with_progress<P: AsRef<std::path::Path> + Sync>(
                self,
                paths: &[P],
                progress: impl FnMut(crate::ReadProgress) -> core::ops::ControlFlow<()> + Send,
            ) -> Vec<Result<[u8; $bytes], crate::FileError>> {
                hash_lanes::engine::hash_files(paths, |count| self.many_hasher(count), progress)
            }

            /// A hasher of `count` messages that arrive in parts.
            ///
            /// # Panics
            ///
            /// Panics if the buffers of `count` messages do not fit into memory.
            #[track_caller]
            #[must_use]
            pub fn many_hasher(self, count: usize) -> ManyHasher<$bytes> {
                ManyHasher::new(self.function(), count)
            }
        }

        #[doc(hidden)]
        impl HashAll for $Lanes {
            fn hash_all(
                self,
                messages: impl Iterator<Item: AsRef<[u8]>>,
                digests: &mut dyn Digests,
            ) {
                self.function().run(None, messages, output::<$bytes>(digests));
            }
        }
    )+};
}

fixed! {
    "Keccak-224", keccak224, Keccak224Lanes: 28, 144, 0x01;
    "Keccak-256, the hash of Ethereum", keccak256, Keccak256Lanes: 32, 136, 0x01;
    "Keccak-384", keccak384, Keccak384Lanes: 48, 104, 0x01;
    "Keccak-512", keccak512, Keccak512Lanes: 64, 72, 0x01;
    "SHA3-224", sha3_224, Sha3_224Lanes: 28, 144, 0x06;
    "SHA3-256", sha3_256, Sha3_256Lanes: 32, 136, 0x06;
    "SHA3-384", sha3_384, Sha3_384Lanes: 48, 104, 0x06;
    "SHA3-512", sha3_512, Sha3_512Lanes: 64, 72, 0x06;
}

/// Implements `HashMany`.
macro_rules! hash_many {
    ($($Lanes:ident: $bytes:literal),+) => {$(
        impl HashMany for $Lanes {
            type Output = [u8; $bytes];

            fn zero_digest() -> [u8; $bytes] {
                [0; $bytes]
            }
        }
    )+};
}

hash_many!(
    Keccak224Lanes: 28,
    Keccak256Lanes: 32,
    Keccak384Lanes: 48,
    Keccak512Lanes: 64,
    Sha3_224Lanes: 28,
    Sha3_256Lanes: 32,
    Sha3_384Lanes: 48,
    Sha3_512Lanes: 64
);

hash_lanes::impl_digest_many! {
    "sha3" sha3::Keccak224 => sha3::digest::Output<Self>, Keccak224Lanes;
    "sha3" sha3::Keccak256 => sha3::digest::Output<Self>, Keccak256Lanes;
    "sha3" sha3::Keccak384 => sha3::digest::Output<Self>, Keccak384Lanes;
    "sha3" sha3::Keccak512 => sha3::digest::Output<Self>, Keccak512Lanes;
    "sha3" sha3::Sha3_224 => sha3::digest::Output<Self>, Sha3_224Lanes;
    "sha3" sha3::Sha3_256 => sha3::digest::Output<Self>, Sha3_256Lanes;
    "sha3" sha3::Sha3_384 => sha3::digest::Output<Self>, Sha3_384Lanes;
    "sha3" sha3::Sha3_512 => sha3::digest::Output<Self>, Sha3_512Lanes;
    "sha3-0_10" sha3_0_10::Keccak224 => sha3_0_10::digest::Output<Self>, Keccak224Lanes;
    "sha3-0_10" sha3_0_10::Keccak256 => sha3_0_10::digest::Output<Self>, Keccak256Lanes;
    "sha3-0_10" sha3_0_10::Keccak384 => sha3_0_10::digest::Output<Self>, Keccak384Lanes;
    "sha3-0_10" sha3_0_10::Keccak512 => sha3_0_10::digest::Output<Self>, Keccak512Lanes;
    "sha3-0_10" sha3_0_10::Sha3_224 => sha3_0_10::digest::Output<Self>, Sha3_224Lanes;
    "sha3-0_10" sha3_0_10::Sha3_256 => sha3_0_10::digest::Output<Self>, Sha3_256Lanes;
    "sha3-0_10" sha3_0_10::Sha3_384 => sha3_0_10::digest::Output<Self>, Sha3_384Lanes;
    "sha3-0_10" sha3_0_10::Sha3_512 => sha3_0_10::digest::Output<Self>, Sha3_512Lanes;
}
