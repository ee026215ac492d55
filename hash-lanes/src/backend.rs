//! Finds the sets of kernels that this machine can run.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use fearless_simd::Level as Detected;

use crate::cpu::{ShaExtensions, ShaInstructions};
use crate::kernel::{Kernel, KernelSet, LaneKernel, Pass};

/// A set of kernels that this machine can run; each batch takes the cheapest of them.
///
/// It carries the proof that the CPU has the instructions, so a backend that cannot run here cannot
/// be constructed. The crate of each hash documents how it uses the backends.
///
/// ```
/// use hash_lanes::Backend;
///
/// let backend = Backend::detect();
/// assert_eq!(backend.name().parse::<Backend>().unwrap(), backend);
/// assert_eq!("portable".parse::<Backend>().unwrap().name(), "portable");
/// ```
#[derive(Clone, Copy)]
pub struct Backend {
    /// The argument of [`kernels`]. With it a backend has eight bytes: it is passed in a register,
    /// and is loaded without the bytes after it, which may be secret.
    index: u32,
    detected: Detected,
    sha: Option<ShaExtensions>,
}

/// Names and kernels, best first, `portable` last. Each set also has the portable kernel.
#[cfg(target_feature = "sse2")]
const NAMED: [(&str, KernelSet); 8] = {
    use Kernel::*;
    let avx512 = KernelSet::AVX512.with(Bmix1);
    let avx2 = KernelSet::of(&[Avx2x8, Bmix1]);
    let sse2 = KernelSet::of(&[Sse2x4]);
    [
        ("avx512+sha", avx512.union(KernelSet::SHA)),
        ("avx512", avx512),
        ("avx2+sha", avx2.union(KernelSet::SHA)),
        ("avx2", avx2),
        ("sse2+sha", sse2.union(KernelSet::SHA)),
        ("sha-ni", KernelSet::SHA),
        ("sse2", sse2),
        ("portable", KernelSet::of(&[])),
    ]
};

#[cfg(target_arch = "aarch64")]
const NAMED: [(&str, KernelSet); 3] = {
    let neon = KernelSet::of(&[Kernel::Neonx4x2, Kernel::Neonx4]);
    [("neon+sha2", neon.union(KernelSet::SHA)), ("neon", neon), ("portable", KernelSet::of(&[]))]
};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
const NAMED: [(&str, KernelSet); 2] =
    [("simd128", KernelSet::of(&[Kernel::Simd128x4])), ("portable", KernelSet::of(&[]))];

#[cfg(not(any(
    target_feature = "sse2",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
const NAMED: [(&str, KernelSet); 1] = [("portable", KernelSet::of(&[]))];

/// The number of sets: the named ones, and one for each kernel except the portable one.
pub(crate) const COUNT: usize = NAMED.len() + Kernel::ALL.len() - 1;

/// The sets of [`NAMED`], then each kernel of [`Kernel::ALL`] together with the portable one.
pub(crate) const fn kernels(index: usize) -> KernelSet {
    let set = if index < NAMED.len() {
        NAMED[index].1
    } else {
        KernelSet::of(&[Kernel::ALL[index - NAMED.len()]])
    };
    set.with(Kernel::Portable)
}

/// The result of [`Backend::detect`], once it has been called or set.
#[cfg(feature = "std")]
static DEFAULT: std::sync::OnceLock<Backend> = std::sync::OnceLock::new();

impl Backend {
    /// The default of every function that is not given a backend: the best of this machine, which
    /// is the first of [`Self::available`], or what [`Self::set_default`] has chosen.
    #[must_use]
    pub fn detect() -> Self {
        let best = || {
            let portable = NAMED.len() - 1;
            // Miri interprets plain Rust best.
            let first = if cfg!(miri) { portable } else { 0 };
            let mut others = (first..portable).map(Self::numbered);
            others.find(|backend| backend.is_runnable()).unwrap_or_else(|| Self::numbered(portable))
        };
        #[cfg(feature = "std")]
        {
            *DEFAULT.get_or_init(best)
        }
        #[cfg(not(feature = "std"))]
        best()
    }

    /// Makes this backend the default of the process, for all crates that are built on this one.
    ///
    /// A program can thus switch instruction sets off without a new build. Call it first in `main`:
    ///
    /// ```
    /// use hash_lanes::Backend;
    ///
    /// # fn set(option: &str) -> Result<(), Box<dyn std::error::Error>> {
    /// let backend: Backend = option.parse()?;
    /// backend.set_default()?;
    /// assert_eq!(Backend::detect(), backend);
    /// # Ok(())
    /// # }
    /// # set("portable").unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`DefaultBackendError`] if another default has been set or used before, by any
    /// thread. The default is unchanged.
    #[cfg(feature = "std")]
    pub fn set_default(self) -> Result<(), DefaultBackendError> {
        let current = *DEFAULT.get_or_init(|| self);
        if current == self { Ok(()) } else { Err(DefaultBackendError { current }) }
    }

    /// Every backend that this machine can run, best first, `portable` last: those of the
    /// [table](crate#backends).
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::runnable(0..NAMED.len())
    }

    /// Every kernel that this machine can run, each as a backend of that kernel and the portable
    /// one, for tests and benchmarks of single kernels.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn single_kernels() -> Vec<Self> {
        Self::runnable(NAMED.len()..COUNT)
    }

    #[cfg(feature = "alloc")]
    fn runnable(indices: core::ops::Range<usize>) -> Vec<Self> {
        indices.map(Self::numbered).filter(|backend| backend.is_runnable()).collect()
    }

    /// The backend of `kernels(index)`, which this machine may be unable to run.
    fn numbered(index: usize) -> Self {
        Self { index: index as u32, detected: detected(), sha: ShaExtensions::detect() }
    }

    /// Whether the CPU has the instructions for all kernels of this backend.
    fn is_runnable(self) -> bool {
        self.kernels().all(|kernel| self.try_pass::<ShaExtensions>(kernel).is_some())
    }

    /// The name: one from the table at [`Self::available`], or that of its single kernel.
    #[must_use]
    pub const fn name(self) -> &'static str {
        let index = self.index();
        if index < NAMED.len() { NAMED[index].0 } else { Kernel::ALL[index - NAMED.len()].name() }
    }

    /// Whether it is one of [`Self::single_kernels`].
    pub(crate) const fn has_single_kernel(self) -> bool {
        self.index() >= NAMED.len()
    }

    pub(crate) const fn index(self) -> usize {
        self.index as usize
    }

    /// The kernels, widest first, [`Kernel::Portable`] last.
    pub fn kernels(self) -> impl Iterator<Item = Kernel> {
        kernels(self.index()).iter()
    }

    /// A pass of `kernel`, one of [`Self::kernels`], of a hash with these instructions.
    ///
    /// # Panics
    ///
    /// Panics if the backend does not have `kernel`, or the hash has no such instructions.
    #[inline]
    #[must_use]
    pub fn pass<S: ShaInstructions>(self, kernel: Kernel) -> Pass<S> {
        match self.try_pass(kernel) {
            Some(pass) if kernels(self.index()).contains(kernel) => pass,
            _ => panic!("backend {self} has no kernel {}", kernel.name()),
        }
    }

    /// A pass of `kernel`, if the CPU has its instructions.
    #[inline]
    fn try_pass<S: ShaInstructions>(self, kernel: Kernel) -> Option<Pass<S>> {
        if kernel.is_sha() {
            let sha = self.sha.and_then(S::of)?;
            return Some(Pass::Sha(sha, kernel.messages::<u32>() as u8));
        }
        LaneKernel::detect(kernel, self.detected).map(Pass::Lanes)
    }

    /// The CPU's SHA instructions, if this backend uses them.
    #[inline]
    #[must_use]
    pub const fn sha(self) -> Option<ShaExtensions> {
        if kernels(self.index()).intersects(KernelSet::SHA) { self.sha } else { None }
    }

    /// The widest lane kernel that is not two interleaved groups; the portable one if there is no
    /// other.
    #[must_use]
    pub fn widest(self) -> LaneKernel {
        self.kernels()
            .filter(|&kernel| KernelSet::SINGLE_GROUPS.contains(kernel))
            .find_map(|kernel| LaneKernel::detect(kernel, self.detected))
            .unwrap_or(LaneKernel::PORTABLE)
    }
}

impl Default for Backend {
    fn default() -> Self {
        Self::detect()
    }
}

/// Parses the name of a backend that this machine can run: one of [`Backend::available`], or a
/// single kernel by its [`Kernel::name`].
impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Self, BackendError> {
        (0..COUNT)
            .map(Self::numbered)
            .find(|backend| backend.name() == name && backend.is_runnable())
            .ok_or(BackendError)
    }
}

/// The error of parsing a name that is not a backend of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackendError;

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this machine has no backend of that name")
    }
}

impl core::error::Error for BackendError {}

/// The error of setting the default backend after it was set or used.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DefaultBackendError {
    /// The default of this process.
    pub current: Backend,
}

#[cfg(feature = "std")]
impl fmt::Display for DefaultBackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { current } = self;
        write!(f, "the default backend is already in use: {current}; set it before hashing")
    }
}

#[cfg(feature = "std")]
impl core::error::Error for DefaultBackendError {}

impl PartialEq for Backend {
    /// On one machine, a name identifies one set of kernels.
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Backend {}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Backend").field(&self.name()).finish()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The instruction sets of the CPU; without `std`, those that the compilation target guarantees.
fn detected() -> Detected {
    #[cfg(all(feature = "std", not(miri)))]
    {
        Detected::new()
    }
    #[cfg(not(all(feature = "std", not(miri))))]
    Detected::baseline()
}
