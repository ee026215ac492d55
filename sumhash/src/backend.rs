//! The instructions that this machine can hash with.

use core::fmt;

use alloc::vec::Vec;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Level as Detected;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::x86::Avx512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use hash_lanes::engine::Microarch;

use crate::kernel::Level;

/// Instructions to hash with that this machine has.
///
/// It carries the proof that the CPU has them, so one that cannot run here cannot be made.
///
/// | name | a row of eight words is added |
/// |---|---|
/// | `avx512` | at once; on Zen 4 in two halves, which is quicker there |
/// | `avx512-whole` | at once on every CPU |
/// | `avx2` | in two halves |
/// | `portable` | with what the compilation target guarantees: SSE2 on x86-64, NEON on aarch64 |
///
/// With the feature `amx` there is one more, for many messages, that has to be asked for:
/// `Backend::amx`.
///
/// ```
/// use sumhash512::Backend;
///
/// for backend in Backend::available() {
///     println!("{backend}");
/// }
/// assert_eq!(Backend::by_name("portable").unwrap().name(), "portable");
/// ```
#[derive(Clone, Copy)]
pub struct Backend {
    name: &'static str,
    /// What adds the rows of a table.
    pub(crate) level: Level,
    /// What hashes many messages at once in constant time.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    pub(crate) avx512: Option<Avx512>,
    /// Whether a table with the sums of eight columns is the quicker one, once it is made.
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
    /// The sums of four columns: 185 ns a block on Zen 4, those of eight 200.
    const PORTABLE: Self = Self {
        name: "portable",
        level: Level::Portable,
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

    /// The best backend of this machine: the first of [`Self::available`].
    #[must_use]
    pub fn detect() -> Self {
        let best = || Self::found().next().unwrap_or(Self::PORTABLE);
        #[cfg(feature = "std")]
        {
            static BEST: std::sync::OnceLock<Backend> = std::sync::OnceLock::new();
            *BEST.get_or_init(best)
        }
        #[cfg(not(feature = "std"))]
        best()
    }

    /// The backend of that name, if this machine can run it.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::found().find(|backend| backend.name == name)
    }

    /// Every backend that this machine can run, the best first, `portable` last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::found().collect()
    }

    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn found() -> impl Iterator<Item = Self> {
        #[cfg(feature = "std")]
        let detected = Detected::new();
        #[cfg(not(feature = "std"))]
        let detected = Detected::baseline();
        // ns a block of a chain, with the sums of eight and of four columns, a row added
        //   Zen 4:          at once 113 and 131, in halves 102 and 131
        //   Granite Rapids: at once  89 and 132, in halves 143 and 131
        // Zen 4 reads 64 bytes in two halves anyway, and waits for both when they come from afar.
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
        let rows = if is_zen4 { avx2 } else { whole };
        let avx512 = whole.zip(rows).map(|(whole, rows)| Self {
            name: "avx512",
            level: rows.level,
            ..whole
        });
        [avx512, whole, avx2].into_iter().flatten().chain([portable])
    }

    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    fn found() -> impl Iterator<Item = Self> {
        core::iter::once(Self::PORTABLE)
    }

    /// AVX-512 with the tiles of AMX beside it, if the CPU has them and the kernel grants them.
    ///
    /// Many messages then go through the tiles, and no branch and no address depends on them: eight
    /// or more in a row with the same number of blocks, given to
    /// [`hash_many_with`](crate::hash_many_with) or
    /// [`compress_many_with`](crate::compress_many_with). Others are hashed as by `avx512`, with
    /// the table.
    ///
    /// This asks Linux to let the process use the tiles (`arch_prctl` with `ARCH_REQ_XCOMP_PERM`),
    /// once. From then on the kernel keeps 8 KiB more of each thread that uses them, and
    /// refuses signal stacks that are too small for that. So it never happens by itself: not in
    /// [`Self::detect`], [`Self::available`] or [`Self::by_name`].
    #[cfg(feature = "amx")]
    #[must_use]
    pub fn amx() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", target_os = "linux"))]
        {
            let avx512 = Self::by_name("avx512")?;
            let amx = crate::amx::Amx::request(avx512.avx512?)?;
            Some(Self { name: "amx", amx: Some(amx), ..avx512 })
        }
        #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", target_os = "linux")))]
        None
    }

    /// Whether [`Table::large`](crate::Table::large) is quicker than
    /// [`Table::new`](crate::Table::new), once it is made.
    #[must_use]
    pub const fn prefers_large(self) -> bool {
        self.prefers_large
    }

    /// Its name: one of the table at [`Backend`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl Default for Backend {
    fn default() -> Self {
        Self::detect()
    }
}

impl From<hash_lanes::Backend> for Backend {
    /// The one with the vector instructions of those lanes.
    fn from(lanes: hash_lanes::Backend) -> Self {
        let name = match lanes.widest().kernel() {
            kernel if kernel.is_avx512() => "avx512",
            hash_lanes::Kernel::Avx2x8 => "avx2",
            _ => "portable",
        };
        Self::by_name(name).unwrap_or(Self::PORTABLE)
    }
}

impl PartialEq for Backend {
    /// On one machine a name stands for one set of instructions.
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
