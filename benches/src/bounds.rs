//! Physical bounds: how long a CPU's execution units need for the operations of a hash, if nothing
//! delays them.
//!
//! They hold for one thread. Operations are counted as AVX-512 has them: a rotation and a function
//! of three inputs are one operation each.

/// What is done for each message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// SHA-256 of this many blocks, loaded from separate messages.
    Sha256Blocks(u32),
    /// SHA-256 of a 64-byte node, whose second block is padding.
    Node,
    /// A leaf of a large tree: one node, whose children are in the registers on all levels but the
    /// lowest.
    Leaf,
    /// SHA-1 of this many blocks, loaded from separate messages.
    Sha1Blocks(u32),
}

/// A CPU of our records.
struct Cpu {
    /// Its name in a record.
    name: &'static str,
    /// The clock in GHz, from the time of a chain of dependent multiplications.
    ghz: f64,
    /// Cycles per `sha256rnds2`, of which a block takes 32.
    rounds2: f64,
}

const CPUS: [Cpu; 2] = [
    Cpu { name: "AMD EPYC (family 25, model 17)", ghz: 3.7, rounds2: 1.0 },
    Cpu { name: "Intel(R) Xeon(R) Processor (family 6, model 167)", ghz: 4.2, rounds2: 3.0 },
];

/// Operations of 512 bits that both CPUs execute per cycle.
const PER_CYCLE: f64 = 2.0;
/// Messages in such an operation.
const LANES: f64 = 16.0;

/// Transposing and byte-swapping a block of each lane: 16 half-row inserts, 48 shuffles, 16 swaps.
const LOAD: f64 = 80.0;
/// Transposing and byte-swapping a digest of each lane.
const STORE: f64 = 32.0;
/// 64 rounds, and 48 words of the message schedule.
const SHA256: f64 = 64.0 * 17.0 + 48.0 * 11.0;
/// 64 rounds, in which the sums K + W are constants.
const SHA256_PADDING: f64 = 64.0 * 16.0;
/// Adding the result to the state.
const SHA256_STATE: f64 = 8.0;
/// 80 rounds of seven operations, 64 words of the schedule of three, and adding to the state.
const SHA1: f64 = 80.0 * 7.0 + 64.0 * 3.0 + 5.0;

impl Work {
    /// The bound in nanoseconds per message, and the clock in GHz that it assumes.
    pub(crate) fn bound(self, cpu: &str) -> Option<(f64, f64)> {
        let cpu = CPUS.iter().find(|known| known.name == cpu)?;
        let node = SHA256 + SHA256_PADDING + 2.0 * SHA256_STATE;
        let (operations, rounds2) = match self {
            Self::Sha256Blocks(blocks) => {
                let blocks = f64::from(blocks);
                (blocks * (SHA256 + SHA256_STATE + LOAD), 32.0 * blocks)
            }
            Self::Node => (node + LOAD + STORE, 64.0),
            // Every other node is on the lowest level.
            Self::Leaf => (node + LOAD / 2.0, 64.0),
            // No CPU here has SHA-1 instructions that are faster than its lanes.
            Self::Sha1Blocks(blocks) => (f64::from(blocks) * (SHA1 + LOAD), f64::INFINITY),
        };
        let lanes = operations / PER_CYCLE / LANES;
        Some((lanes.min(rounds2 * cpu.rounds2) / cpu.ghz, cpu.ghz))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::record::Record;

    /// A count that is too high would put a bound above a measured time.
    #[test]
    fn every_time_on_record_is_above_its_bound() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        let mut compared = 0;
        for entry in fs::read_dir(results).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "csv") {
                continue;
            }
            let record: Record = fs::read_to_string(&path).unwrap().parse().unwrap();
            for row in &record.rows {
                let work = match row.shape.as_str() {
                    "hash_pairs/4096" => Work::Node,
                    "ssz_root/2^20" => Work::Leaf,
                    "hash_many/16x16KiB" => Work::Sha256Blocks(257),
                    "sha1_many/256x256KiB" => Work::Sha1Blocks(4097),
                    _ => continue,
                };
                if row.candidate.contains(":parallel-") {
                    continue;
                }
                let Some((bound, _)) = work.bound(&record.cpu) else { continue };
                assert!(row.min_ns > bound, "{row:?}: {bound}");
                compared += 1;
            }
        }
        assert!(compared > 40, "{compared}");
    }
}
