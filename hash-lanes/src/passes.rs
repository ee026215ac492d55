//! Which kernel hashes how many messages.

use core::ops::Range;

use crate::backend::Backend;
use crate::cpu::ShaExtensions;
use crate::kernel::LaneKernel;

/// For a [`Crossovers`] entry: this kernel is never the cheapest.
pub const NEVER: usize = usize::MAX;

/// From how many messages on a kernel is the cheapest for the next pass.
///
/// Kernels are asked from the widest to the narrowest; one that the backend lacks is passed over.
/// When none answers, the SHA instructions take up to two messages, and without them one message
/// goes through the portable lane.
#[derive(Clone, Copy, Debug)]
pub struct Crossovers {
    /// Sixteen lanes.
    pub x16: usize,
    /// Eight lanes.
    pub x8: usize,
    /// Four lanes.
    pub x4: usize,
    /// Whether the CPU's SHA instructions compute this hash at all.
    pub has_hardware: bool,
}

/// From how many messages on two groups of lanes side by side (see [`Two`](crate::Two)) are the
/// cheapest for the next pass, even if not all their lanes are filled.
///
/// For kernels of messages of one shape.
#[derive(Clone, Copy, Debug)]
pub struct TwoGroups {
    /// Two groups of sixteen lanes.
    pub x16: usize,
    /// Two groups of eight lanes.
    pub x8: usize,
}

impl TwoGroups {
    /// Groups of lanes go one after another.
    pub const NEVER: Self = Self { x16: NEVER, x8: NEVER };
}

/// One pass over some messages.
#[derive(Clone, Copy, Debug)]
pub enum Pass {
    /// One message in each lane; lanes without a message idle.
    Lanes(LaneKernel),
    /// The CPU's SHA instructions, this many messages interleaved.
    Hardware(ShaExtensions, usize),
}

impl Pass {
    /// How many messages it takes at most.
    #[must_use]
    pub const fn capacity(self) -> usize {
        match self {
            Self::Lanes(kernel) => kernel.lanes(),
            Self::Hardware(_, streams) => streams,
        }
    }
}

/// How many messages are interleaved for the SHA instructions: four are
/// 6 % better for 64-byte nodes on Zen 4 and 10 % worse for long messages, whose words no longer fit
/// into the 16 registers.
pub(crate) const MAX_STREAMS: usize = 2;

impl Crossovers {
    /// The cheapest next pass of `backend` while `count` messages are left to be hashed.
    #[inline]
    #[must_use]
    pub fn next_pass(&self, backend: Backend, count: usize) -> Pass {
        for (kernel, from) in [(backend.x16, self.x16), (backend.x8, self.x8), (backend.x4, self.x4)] {
            if let Some(kernel) = kernel
                && count >= from
            {
                return Pass::Lanes(kernel);
            }
        }
        match backend.sha {
            Some(sha) if self.has_hardware => Pass::Hardware(sha, count.min(MAX_STREAMS)),
            _ => Pass::Lanes(LaneKernel::PORTABLE),
        }
    }

    /// Divides `count` messages of one shape among the cheapest kernels: each pass with the messages
    /// that it takes, in order.
    ///
    /// A kernel of lanes takes as many messages as fill its lanes some times or, when there are fewer,
    /// all that are left. The SHA instructions take all that are left.
    pub fn passes(
        self,
        two_groups: TwoGroups,
        backend: Backend,
        count: usize,
    ) -> impl Iterator<Item = (Pass, Range<usize>)> {
        let mut begin = 0;
        core::iter::from_fn(move || {
            let left = count - begin;
            if left == 0 {
                return None;
            }
            let (pass, full) = self.next_full_pass(two_groups, backend, left);
            let taken = if left < full { left } else { left - left % full };
            begin += taken;
            Some((pass, begin - taken..begin))
        })
    }

    /// The cheapest next pass over messages of one shape, and how many of them fill it.
    fn next_full_pass(&self, two_groups: TwoGroups, backend: Backend, left: usize) -> (Pass, usize) {
        let one = self.next_pass(backend, left);
        for (kernel, from) in [(backend.x16, two_groups.x16), (backend.x8, two_groups.x8)] {
            if let Some(kernel) = kernel
                && left >= from
                && kernel.lanes() >= one.capacity()
            {
                return (Pass::Lanes(kernel), 2 * kernel.lanes());
            }
        }
        match one {
            Pass::Lanes(kernel) => (one, kernel.lanes()),
            Pass::Hardware(..) => (one, left),
        }
    }
}
