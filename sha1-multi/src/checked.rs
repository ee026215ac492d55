//! SHA-1 that finds the traces of known collision attacks in messages, in lanes.
//!
//! Whoever accepts SHA-1 digests of data that others made, such as git objects, must not take one
//! of two colliding messages for the other. The attacks of [SHAttered](https://shattered.io) (2017)
//! and [SHA-mbles](https://sha-mbles.github.io) (2020) leave a trace that shows in *one* of the
//! messages: some block of it, changed by one of 32 known differences, leads to the same state. The
//! functions of this module look for it in every block
//! ([`sha1collisiondetection`](https://github.com/cr-marcstevens/sha1collisiondetection) and git do
//! the same). They find both messages of all published collisions. An attack that uses none of the
//! 32 differences is not found.
//!
//! A digest comes as [`Checked`], which says whether a collision was found:
//!
//! ```
//! use sha1_multi::checked;
//!
//! // Git objects: header and body.
//! let objects = [("blob 0\0", ""), ("blob 13\0", "test content\n")];
//! let digests = checked::hash_concat_many(objects);
//! assert_eq!(digests[1].digest(), Ok(sha1_multi::hash("blob 13\0test content\n")));
//! assert!(!digests[0].is_collision());
//! ```
//!
//! A collision is only *reported* by the functions of this module and by [`CheckedLanes`]: the
//! digest is SHA-1's. [`SafeLanes`] also makes the digest *safe*: where a collision is found, it is
//! another than SHA-1's, and differs between the two messages. It is the one of Stevens' and
//! Shumow's library, of git and of `sha1-checked`. The digests of all other messages are those of
//! SHA-1.
//!
//! Unlike the other functions of this crate, these take more time for some messages than for others
//! of the same length. Blocks that meet the conditions of many differences take several times as
//! long, and blocks with a collision longer still. An attacker can make messages of such blocks.

mod conditions;
pub(crate) mod hash;
pub(crate) mod vectors;

use core::error::Error;
use core::fmt;
use core::hash::{Hash, Hasher};

use hash_lanes::Lanes;
use hash_lanes::engine::{Array, Blank, Bytes, HashFunction, RowOf};

pub use hash::CheckedSha1;
use hash::{FOUND, SAFE_ROW};

/// SHA-1 with safe digests, as the engine sees it.
#[derive(Clone, Copy, Debug)]
pub enum SafeSha1 {}

impl HashFunction for SafeSha1 {
    type Kernels = CheckedSha1;
    type Digest = Checked;

    fn initial() -> Option<&'static RowOf<CheckedSha1>> {
        Some(&SAFE_ROW)
    }
}

/// SHA-1 that reports collisions, on one backend: the functions of this module as methods, for a
/// backend other than the default. It implements [`HashMany`](crate::HashMany).
///
/// ```
/// use sha1_multi::checked::{self, CheckedLanes};
///
/// let portable = CheckedLanes::on("portable".parse().unwrap());
/// assert_eq!(portable.hash_many(["one", "two"]), checked::hash_many(["one", "two"]));
/// ```
pub type CheckedLanes = Lanes<CheckedSha1>;

/// SHA-1 that reports collisions and changes the digests of messages in which it finds one, on one
/// backend. It implements [`HashMany`](crate::HashMany).
///
/// ```
/// use sha1_multi::checked::{self, SafeLanes};
///
/// // Only the digests of messages with a collision differ.
/// let digests = SafeLanes::default().hash_many(["one", "two"]);
/// assert_eq!(digests, checked::hash_many(["one", "two"]));
/// ```
pub type SafeLanes = Lanes<SafeSha1>;

/// The digest of a message, and whether a collision was found in it.
#[derive(Clone, Copy)]
pub struct Checked {
    /// The digest, and the marks of the message, which the engine writes. One of them only says
    /// that a safe digest was asked for, so they are not compared.
    bytes: [u8; 24],
}

impl Checked {
    /// The digest, unless a collision was found.
    ///
    /// # Errors
    ///
    /// Returns [`Collision`] with the digest if a collision was found.
    pub const fn digest(self) -> Result<[u8; 20], Collision> {
        let digest = self.any_digest();
        if self.is_collision() { Err(Collision { digest }) } else { Ok(digest) }
    }

    /// The digest, even if a collision was found. From [`SafeLanes`] it is then not that of SHA-1.
    #[must_use]
    pub const fn any_digest(self) -> [u8; 20] {
        match self.bytes.first_chunk() {
            Some(digest) => *digest,
            None => unreachable!(),
        }
    }

    /// Whether a collision was found.
    #[must_use]
    pub const fn is_collision(self) -> bool {
        match self.bytes.last_chunk() {
            Some(marks) => u32::from_be_bytes(*marks) & FOUND > 0,
            None => unreachable!(),
        }
    }
}

/// Equal if the digests are, and a collision was found in both messages or in neither.
impl PartialEq for Checked {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for Checked {}

impl Hash for Checked {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest().hash(state);
    }
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.is_collision() { "Collision" } else { "Digest" };
        f.debug_tuple(name).field(&format_args!("{:02x?}", self.any_digest())).finish()
    }
}

/// The digest. The bytes do not say whether a collision was found.
impl AsRef<[u8]> for Checked {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..20]
    }
}

/// What the engine writes: the digest and four bytes of marks.
#[doc(hidden)]
impl AsMut<[u8]> for Checked {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

#[doc(hidden)]
impl Array<u8> for Checked {
    const LEN: usize = 24;

    fn filled(value: u8) -> Self {
        Self { bytes: [value; 24] }
    }

    fn elements(&self) -> &[u8] {
        &self.bytes
    }

    fn elements_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

#[doc(hidden)]
impl Blank for Checked {
    const BLANK: Self = Self { bytes: [0; 24] };
}

#[doc(hidden)]
impl Bytes for Checked {}

/// The error of a message in which a collision was found: somebody made another message with the
/// same SHA-1 digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Collision {
    /// The digest; from [`SafeLanes`] not that of SHA-1.
    pub digest: [u8; 20],
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the message is one of two that were made to have the same SHA-1 digest: ")?;
        self.digest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Error for Collision {}

hash_lanes::define_functions!(
    "SHA-1 with collision detection",
    "sha1_multi::checked",
    CheckedSha1,
    CheckedLanes,
    Checked,
    sha1_multi::checked::Checked::default()
);

/// A digest of zeros, to be overwritten.
impl Default for Checked {
    fn default() -> Self {
        Self::BLANK
    }
}

hash_lanes::impl_digest_many! {
    "sha1-checked-0_10" sha1_checked_0_10::Sha1 => sha1_checked_0_10::digest::Output<Self>,
        SafeSha1: SafeLanes;
}
