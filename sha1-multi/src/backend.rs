//! Which kernel is the cheapest for how many messages.
//!
//! The figures are of messages of 16 KiB on an AMD EPYC (Zen 4), from `ratios --shape sha1-small` of the benches.
//! There the SHA instructions take 8.4 µs for one message and 9.8 µs for two, the portable lane takes 19.1; a
//! pass of 16 lanes takes 32.7 to 33.1, of 8 lanes with AVX-512 19.2, of 8 lanes with AVX2 29.4, of 4 lanes 29.3 to
//! 34.3. Of messages of 64 bytes to 4 KiB the crossovers are the same or one message higher.

use hash_lanes::{Backend, Crossovers, Design, NEVER};

/// The SHA instructions alone: 4 lanes do not come up to them (four messages: 19.0 to 20.4 µs), which is taken to hold
/// for NEON and the SHA1 instructions of aarch64, too; not measured there.
const HARDWARE: Crossovers = Crossovers { x16: NEVER, x8: NEVER, x4: NEVER, has_hardware: true };

/// Lanes without SHA instructions.
const LANES: Crossovers = Crossovers { x16: 2, x8: 2, x4: 2, has_hardware: true };

/// For messages of any length.
pub(crate) fn crossovers(backend: Backend) -> Crossovers {
    let has_both_widths = backend.x16().is_some() && backend.x8().is_some();
    let is_zen4 = backend.design() == Design::Zen4;
    match (has_both_widths, backend.sha().is_some()) {
        // Eight messages and three by the SHA instructions take 37.8 µs, more than one pass of 16 lanes. Five by
        // the SHA instructions take 28.5 µs, more than a pass of 8 lanes; four take as long as that pass, and less
        // when they are short.
        (true, true) if is_zen4 => Crossovers { x16: 11, x8: 5, ..HARDWARE },
        // Not measured but counted, from throughputs on an Intel Xeon with AVX-512 (2.1 GB/s by SHA-NI, 2.3 with
        // two messages, some 7 and 8 with 8 and 16 lanes): a message takes 7.9 µs, two take 14.3, a pass of 8 lanes
        // 19, one of 16 lanes 32.
        (true, true) => Crossovers { x16: 10, x8: 3, ..HARDWARE },
        // Eight lanes and a single message take 38.3 µs together.
        (true, false) => Crossovers { x16: 9, ..LANES },
        // Six messages take 28.7 to 30.6 µs by the SHA instructions, seven 37 to 39.
        (false, true) if is_zen4 => Crossovers { x8: 6, ..HARDWARE },
        // Counted as above, with 3.8 GB/s for AVX2: a pass of 8 lanes takes 35 µs, five messages 36.5.
        (false, true) => Crossovers { x8: 5, ..HARDWARE },
        (false, false) => LANES,
    }
}
