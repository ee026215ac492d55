//! Outputs of any length for messages with a common prefix.

use alloc::vec::Vec;
use core::fmt;

use hash_lanes::Parts;
use hash_lanes::engine::Erased;

use crate::function::Function;
use crate::jobs::{EMPTY, State};
use crate::many_hasher::XofManyHasher;
use crate::stream::Output;
use crate::xof::{XofReaders, outputs_into, outputs_of};
use crate::xof_lanes::XofLanes;

/// The common prefix of many messages, hashed once, for outputs of any length:
/// [`XofLanes::prefix`]. The messages are in parts.
///
/// ```
/// use sha3_multi::XofLanes;
///
/// let prefix = XofLanes::shake256().prefix(&[7; 200]);
/// let outputs: Vec<[u8; 100]> = prefix.xof_many([("one",), ("two",)]);
/// assert_eq!(outputs[1], XofLanes::shake256().xof([&[7; 200][..], b"two"].concat()));
/// ```
#[derive(Clone)]
pub struct XofPrefix {
    function: Function,
    /// The state after the whole blocks, alone in a list, and their length.
    state: Erased<State>,
    hashed: u64,
    /// The bytes after them.
    rest: Erased<u8>,
}

impl XofLanes {
    /// The common prefix of many messages, hashed once.
    #[must_use]
    pub fn prefix(&self, prefix: &[u8]) -> XofPrefix {
        let Self { function, initial } = self;
        let rate = function.sponge.rate;
        let (whole, end) = prefix.split_at(prefix.len() / rate * rate);
        let initial = initial.unwrap_or(EMPTY);
        let (mut state, mut rest) = (Erased::blank(1), Erased::new());
        state[0] = initial;
        if !whole.is_empty() {
            state[0] = function.absorb_one((&initial, 0, whole));
        }
        rest.extend_from_slice(end);
        XofPrefix { function: *function, state, hashed: whole.len() as u64, rest }
    }
}

impl XofPrefix {
    /// Returns the first `N` bytes of the output for the prefix followed by each message.
    #[must_use]
    pub fn xof_many<const N: usize>(
        &self,
        messages: impl IntoIterator<Item: Parts>,
    ) -> Vec<[u8; N]> {
        outputs_of(self.function, messages, |messages, output| self.run(messages, output))
    }

    /// Fills `outputs[i]` with the output for the prefix followed by the `i`-th message. Outputs
    /// may have different lengths.
    ///
    /// # Panics
    ///
    /// Panics if `outputs.len()` is not the number of messages.
    #[track_caller]
    pub fn xof_many_into<D: AsMut<[u8]>>(
        &self,
        messages: impl IntoIterator<Item: Parts>,
        outputs: &mut [D],
    ) {
        outputs_into(self.function, messages, outputs, |messages, output| {
            self.run(messages, output);
        });
    }

    /// Absorbs the prefix followed by each message and returns readers of the outputs.
    #[must_use]
    pub fn readers(&self, messages: impl IntoIterator<Item: Parts>) -> XofReaders {
        let mut readers = XofReaders::new(self.function);
        self.run(messages.into_iter(), Output::States(&mut readers));
        readers
    }

    /// A hasher of `count` messages that arrive in parts, each after the prefix.
    ///
    /// # Panics
    ///
    /// Panics if the buffers of `count` messages do not fit into memory.
    #[track_caller]
    #[must_use]
    pub fn many_hasher(&self, count: usize) -> XofManyHasher {
        XofManyHasher::new(self.function, (self.state[0], self.hashed), &self.rest, count)
    }

    fn run(&self, messages: impl Iterator<Item: Parts>, output: Output<'_>) {
        let prefix = (Some(&self.state[0]), self.hashed, &self.rest[..]);
        self.function.run_concat(prefix, messages, output);
    }
}

impl fmt::Debug for XofPrefix {
    /// Omits the state, which may be that of a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XofPrefix").field("backend", &self.function.backend).finish_non_exhaustive()
    }
}
