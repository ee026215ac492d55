//! KT128 and KT256 (KangarooTwelve, RFC 9861 §3): trees of TurboSHAKE over chunks of 8,192 bytes,
//! whose leaves are in the lanes.

use alloc::vec::Vec;
use core::ops::Range;

use hash_lanes::Backend;
use hash_lanes::engine::{Erased, GROUP, check_counted, counted, extend_outputs};

use crate::XofLanes;
use crate::cshake::length_encode;

/// The bytes of a chunk.
const CHUNK: usize = 8192;

/// A message in two parts.
type Parts<'m> = (&'m [u8], &'m [u8]);

/// KT128 or KT256 on one backend. The leaves of a long message are hashed at once, and so are short
/// messages.
///
/// ```
/// use sha3_multi::KtLanes;
///
/// let long = vec![0; 1_000_000];
/// let digest: [u8; 32] = KtLanes::kt128().xof(&long, b"");
/// let digests: Vec<[u8; 32]> = KtLanes::kt128().xof_many(["one", "two"], b"my protocol");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KtLanes {
    single: XofLanes,
    leaf: XofLanes,
    node: XofLanes,
    /// The length of a chaining value.
    value_bytes: usize,
}

impl KtLanes {
    fn new(turboshake: fn(u8) -> XofLanes, value_bytes: usize) -> Self {
        let [single, leaf, node] = [0x07, 0x0b, 0x06].map(turboshake);
        Self { single, leaf, node, value_bytes }
    }

    /// KT128, a security strength of 128 bits.
    #[must_use]
    pub fn kt128() -> Self {
        Self::new(XofLanes::turboshake128, 32)
    }

    /// KT256, a security strength of 256 bits.
    #[must_use]
    pub fn kt256() -> Self {
        Self::new(XofLanes::turboshake256, 64)
    }

    /// The same function on another backend.
    #[must_use]
    pub const fn with_backend(mut self, backend: Backend) -> Self {
        self.single = self.single.with_backend(backend);
        self.leaf = self.leaf.with_backend(backend);
        self.node = self.node.with_backend(backend);
        self
    }

    /// The backend.
    #[must_use]
    pub const fn backend(self) -> Backend {
        self.single.backend()
    }

    /// The first `N` bytes of the output for one message with this customization string.
    #[must_use]
    pub fn xof<const N: usize>(&self, message: &[u8], customization: &[u8]) -> [u8; N] {
        let mut output = [0; N];
        self.xof_many_into([message], customization, core::slice::from_mut(&mut output));
        output
    }

    /// Returns the first `N` bytes of the output for each message with this customization string.
    #[must_use]
    pub fn xof_many<const N: usize>(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        customization: &[u8],
    ) -> Vec<[u8; N]> {
        let mut outputs = Vec::new();
        self.run(messages.into_iter(), customization, &mut |lanes, group| {
            let finished = outputs.len();
            extend_outputs(&mut outputs, finished + group.len(), &[0; N]);
            lanes.xof_concat_many_into(group.iter().copied(), &mut outputs[finished..]);
        });
        outputs
    }

    /// Fills `outputs[i]` with the output for the `i`-th message with this customization string.
    /// Outputs may have different lengths.
    ///
    /// # Panics
    ///
    /// Panics if `outputs.len()` is not the number of messages.
    #[track_caller]
    pub fn xof_many_into<D: AsMut<[u8]>>(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        customization: &[u8],
        outputs: &mut [D],
    ) {
        let count = outputs.len();
        let messages = counted(messages, count);
        let mut finished = 0;
        self.run(messages, customization, &mut |lanes, group| {
            if let Some(outputs) = outputs.get_mut(finished..finished + group.len()) {
                lanes.xof_concat_many_into(group.iter().copied(), outputs);
            }
            finished += group.len();
        });
        check_counted(finished, count);
    }

    /// Calls `hash` for what stands for the messages, in their order: the function, and its
    /// messages in two parts.
    fn run(
        &self,
        messages: impl Iterator<Item: AsRef<[u8]>>,
        customization: &[u8],
        hash: &mut dyn FnMut(&XofLanes, &[Parts<'_>]),
    ) {
        let mut suffix = Erased::new();
        suffix.extend_from_slice(customization);
        suffix.extend_from_slice(&length_encode(customization.len()));
        let mut messages = messages.fuse();
        loop {
            let held = Vec::from_iter(messages.by_ref().take(GROUP));
            if held.is_empty() {
                return;
            }
            let slices = Vec::from_iter(held.iter().map(AsRef::as_ref));
            let is_short = |message: &[u8]| message.len().saturating_add(suffix.len()) <= CHUNK;
            for slices in slices.chunk_by(|a, b| is_short(a) == is_short(b)) {
                if is_short(slices[0]) {
                    let parts = Vec::from_iter(slices.iter().map(|&slice| (slice, &suffix[..])));
                    hash(&self.single, &parts);
                } else {
                    let nodes = self.final_nodes(slices, &suffix);
                    let parts = Vec::from_iter(nodes.iter().map(|node| (&node[..], &[][..])));
                    hash(&self.node, &parts);
                }
            }
        }
    }

    /// The final node of each message of more than a chunk, followed by `suffix`.
    fn final_nodes(&self, messages: &[&[u8]], suffix: &[u8]) -> Vec<Erased<u8>> {
        let leaves_of = |message: &[u8]| (message.len() + suffix.len() - 1) / CHUNK;
        let mut nodes = Vec::from_iter(messages.iter().map(|message| {
            let mut node = Erased::new();
            let (first, second) = slice(message, suffix, 0..CHUNK);
            node.extend_from_slice(first);
            node.extend_from_slice(second);
            node.extend_from_slice(&[3, 0, 0, 0, 0, 0, 0, 0]);
            node.resize(node.len() + self.value_bytes * leaves_of(message));
            node.extend_from_slice(&length_encode(leaves_of(message)));
            node.extend_from_slice(&[0xff, 0xff]);
            node
        }));
        let leaves = messages.iter().flat_map(|message| {
            let end = message.len() + suffix.len();
            let chunk = move |leaf| leaf * CHUNK..end.min((leaf + 1) * CHUNK);
            (1..=leaves_of(message)).map(move |leaf| slice(message, suffix, chunk(leaf)))
        });
        let values = nodes.iter_mut().zip(messages).flat_map(|(node, message)| {
            node[CHUNK + 8..][..self.value_bytes * leaves_of(message)]
                .chunks_exact_mut(self.value_bytes)
        });
        // Nearly all leaves are in the message, or in the suffix, alone.
        let (mut whole, mut whole_values) = (Vec::new(), Vec::new());
        let (mut in_parts, mut values_in_parts) = (Vec::new(), Vec::new());
        for ((first, second), value) in leaves.zip(values) {
            if first.is_empty() || second.is_empty() {
                whole.push(if first.is_empty() { second } else { first });
                whole_values.push(value);
            } else {
                in_parts.push((first, second));
                values_in_parts.push(value);
            }
        }
        self.leaf.xof_many_into(whole, &mut whole_values);
        self.leaf.xof_concat_many_into(in_parts, &mut values_in_parts);
        nodes
    }
}

/// The bytes in `range` of `first` followed by `second`.
fn slice<'b>(first: &'b [u8], second: &'b [u8], range: Range<usize>) -> (&'b [u8], &'b [u8]) {
    let len = first.len();
    let of_second = range.start.saturating_sub(len)..range.end.saturating_sub(len);
    (&first[range.start.min(len)..range.end.min(len)], &second[of_second])
}
