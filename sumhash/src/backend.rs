//! Selects the instruction set to hash with, and compiles computations for it.
//!
//! [`Backend`] and [`ColumnJob`] are not those of `hash_lanes`. Its kernels differ in how many
//! lanes of 32-bit words they have, which makes no difference here, and none uses AMX tiles.

use core::fmt;
use core::str::FromStr;

use alloc::vec::Vec;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::x86::Avx512;
use fearless_simd::{Level, Simd, dispatch};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use hash_lanes::engine::Microarch;

use hash_lanes::BackendError;

/// An instruction set to hash with, available on this machine.
///
/// It carries the proof that the CPU has the instructions, so a backend that cannot run here cannot
/// be constructed.
///
/// | name | how a column of eight words is added |
/// |---|---|
/// | `avx512` | whole; on Zen 4 in two halves, which is faster there |
/// | `avx512-whole` | whole on every CPU |
/// | `avx2` | in two halves |
/// | `portable` | with what the compilation target guarantees: SSE2 on x86-64, NEON on aarch64 |
///
/// The feature `amx` adds one more for many messages, which is never selected automatically:
/// `Backend::amx`.
///
/// ```
/// use sumhash512::Backend;
///
/// for backend in Backend::available() {
///     println!("{backend}");
/// }
/// assert_eq!("portable".parse::<Backend>().unwrap().name(), "portable");
/// ```
#[derive(Clone, Copy)]
pub struct Backend {
    name: &'static str,
    /// Adds columns: AVX-512, AVX2 or what the compilation target guarantees.
    level: Level,
    /// Hashes many messages at once in constant time.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    pub(crate) avx512: Option<Avx512>,
    /// Whether the large table is faster, once it is built.
    prefers_large: bool,
    #[cfg(all(
        feature = "amx",
        target_arch = "x86_64",
        target_pointer_width = "64",
        target_os = "linux"
    ))]
    pub(crate) amx: Option<crate::amx::Amx>,
}

impl Backend {
    /// It prefers the small table: 185 ns per block on Zen 4, versus 200 ns with the large one.
    const PORTABLE: Self = Self {
        name: "portable",
        level: Level::baseline(),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        avx512: None,
        prefers_large: false,
        #[cfg(all(
            feature = "amx",
            target_arch = "x86_64",
            target_pointer_width = "64",
            target_os = "linux"
        ))]
        amx: None,
    };

    /// The default of every function that is not given a backend: the best of this machine, which
    /// is the first of [`Self::available`], or the one with the vector instructions that
    /// `hash_lanes::Backend::set_default` has chosen.
    #[must_use]
    pub fn detect() -> Self {
        let default = || hash_lanes::Backend::detect().into();
        #[cfg(feature = "std")]
        {
            static DEFAULT: std::sync::OnceLock<Backend> = std::sync::OnceLock::new();
            *DEFAULT.get_or_init(default)
        }
        #[cfg(not(feature = "std"))]
        default()
    }

    /// Every backend that this machine can run: the best first, `portable` last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::found().collect()
    }

    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn found() -> impl Iterator<Item = Self> {
        #[cfg(feature = "std")]
        let detected = Level::new();
        #[cfg(not(feature = "std"))]
        let detected = Level::baseline();
        // Latency in ns per block, with the large and the small table, by how columns are added:
        //   Zen 4:          whole 113 and 131, in halves 102 and 131
        //   Granite Rapids: whole  89 and 132, in halves 143 and 131
        // Zen 4 splits 64-byte loads in two anyway, and a whole load waits for both halves when
        // they come from a distant cache level.
        let is_zen4 = matches!(Microarch::detect(), Microarch::Zen3 | Microarch::Zen4);
        let portable = Self::PORTABLE;
        let avx2 = detected.as_avx2().map(|token| Self {
            name: "avx2",
            level: Level::Avx2(token),
            prefers_large: is_zen4,
            ..portable
        });
        let whole = detected.as_avx512().map(|token| Self {
            name: "avx512-whole",
            level: Level::Avx512(token),
            avx512: Some(token),
            prefers_large: true,
            #[cfg(all(
                feature = "amx",
                target_arch = "x86_64",
                target_pointer_width = "64",
                target_os = "linux"
            ))]
            amx: None,
        });
        let columns = if is_zen4 { avx2 } else { whole };
        let avx512 = whole.zip(columns).map(|(whole, columns)| Self {
            name: "avx512",
            level: columns.level,
            ..whole
        });
        [avx512, whole, avx2].into_iter().flatten().chain([portable])
    }

    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    fn found() -> impl Iterator<Item = Self> {
        core::iter::once(Self::PORTABLE)
    }

    /// AVX-512 and AMX tiles, if the CPU has them and the kernel grants them.
    ///
    /// [`hash_many_with`](crate::hash_many_with) and
    /// [`compress_many_with`](crate::compress_many_with) hash batches in the tiles, where no branch
    /// and no address depends on the messages. A batch is eight or more consecutive messages with
    /// the same number of blocks. Other messages are hashed as with `avx512`, using the table.
    ///
    /// The first call asks Linux to let the process use the tiles (`arch_prctl` with
    /// `ARCH_REQ_XCOMP_PERM`). From then on the kernel saves 8 KiB more for each thread that uses
    /// them, and rejects signal stacks that are too small for that. So this backend is never
    /// selected automatically: not by [`Self::detect`] or [`Self::available`], and not by parsing a
    /// name.
    #[cfg(feature = "amx")]
    #[must_use]
    pub fn amx() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", target_os = "linux"))]
        {
            let avx512: Self = "avx512".parse().ok()?;
            let amx = crate::amx::Amx::request(avx512.avx512?)?;
            Some(Self { name: "amx", amx: Some(amx), ..avx512 })
        }
        #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", target_os = "linux")))]
        None
    }

    /// Runs `job` inside a function compiled with the instructions that add columns.
    #[inline]
    pub(crate) fn run<J: ColumnJob>(&self, job: J) -> J::Output {
        match self.level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512(token) => token.vectorize(
                #[inline(always)]
                || job.run(token),
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(token) => token.vectorize(
                #[inline(always)]
                || job.run(token),
            ),
            _ => dispatch!(Level::baseline(), token => job.run(token)),
        }
    }

    /// Whether [`Table::large`](crate::Table::large) is faster than
    /// [`Table::new`](crate::Table::new), once it is built.
    #[must_use]
    pub const fn prefers_large(self) -> bool {
        self.prefers_large
    }

    /// The name, as listed at [`Backend`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

/// A computation over columns that is generic over the instructions that add them.
///
/// Implementors are structs with their inputs as fields, because a closure cannot be generic.
pub(crate) trait ColumnJob {
    /// The result.
    type Output;

    /// Runs the job. The implementation and everything it calls must be `#[inline(always)]`: code
    /// that stays out of line is compiled without the instructions.
    fn run<S: Simd>(self, token: S) -> Self::Output;
}

impl Default for Backend {
    fn default() -> Self {
        Self::detect()
    }
}

impl From<hash_lanes::Backend> for Backend {
    /// The backend with the vector instructions of those lanes.
    fn from(lanes: hash_lanes::Backend) -> Self {
        let name = match lanes.widest().kernel() {
            kernel if kernel.is_avx512() => "avx512",
            hash_lanes::Kernel::Avx2x8 => "avx2",
            _ => "portable",
        };
        name.parse().unwrap_or(Self::PORTABLE)
    }
}

/// Parses the name of a backend that this machine can run.
impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Self, BackendError> {
        Self::found().find(|backend| backend.name == name).ok_or(BackendError)
    }
}

impl PartialEq for Backend {
    /// On one machine, the name identifies the instruction set.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Backend {}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Backend").field(&self.name).finish()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
