//! Keeps nodes in huge pages if there are enough of them, behind the methods of `Vec` that trees
//! use.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use memmap2::{Advice, MmapMut};

use crate::node::Node;

/// The size of a huge page on most CPUs. Fewer bytes are allocated as usual.
const HUGE_PAGE: usize = 1 << 21;

/// The nodes of a level.
pub(super) enum Nodes<N> {
    Heap(Vec<N>),
    Mapped(Mapped<N>),
}

/// A mapping that the kernel backs with huge pages if it has any.
pub(super) struct Mapped<N> {
    map: MmapMut,
    /// Where the first huge page begins.
    start: usize,
    len: usize,
    /// The nodes from here on were never written, so they are zero.
    written: usize,
    nodes: PhantomData<N>,
}

impl<N: Node> Nodes<N> {
    pub(super) const fn new() -> Self {
        Self::Heap(Vec::new())
    }

    pub(super) fn reserve(&mut self, additional: usize) {
        let (len, capacity) = (self.len(), self.capacity());
        if additional <= capacity - len {
            return;
        }
        let needed = len.saturating_add(additional).max(capacity.saturating_mul(2));
        match (Mapped::new(needed), &mut *self) {
            (Some(mut mapped), _) => {
                mapped.extend_from_slice(self);
                *self = Self::Mapped(mapped);
            }
            (None, Self::Heap(heap)) => heap.reserve(additional),
            (None, Self::Mapped(mapped)) => {
                let mut heap = Vec::with_capacity(needed);
                heap.extend_from_slice(mapped);
                *self = Self::Heap(heap);
            }
        }
    }

    fn capacity(&self) -> usize {
        match self {
            Self::Heap(heap) => heap.capacity(),
            Self::Mapped(mapped) => mapped.all().len(),
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        match self {
            Self::Heap(heap) => heap.truncate(len),
            Self::Mapped(mapped) => mapped.len = mapped.len.min(len),
        }
    }

    /// Appends copies of `node`, up to `len` nodes.
    pub(super) fn resize(&mut self, len: usize, node: N) {
        self.reserve(len.saturating_sub(self.len()));
        match self {
            Self::Heap(heap) => heap.resize(len, node),
            Self::Mapped(mapped) => {
                let before = mapped.len.min(len);
                let written = mapped.written.clamp(before, len);
                mapped.len = len;
                mapped.written = mapped.written.max(len);
                mapped[before..written].fill(node);
                if node != N::ZERO {
                    mapped[written..].fill(node);
                }
            }
        }
    }

    pub(super) fn push(&mut self, node: N) {
        self.extend_from_slice(&[node]);
    }

    pub(super) fn extend_from_slice(&mut self, nodes: &[N]) {
        self.reserve(nodes.len());
        match self {
            Self::Heap(heap) => heap.extend_from_slice(nodes),
            Self::Mapped(mapped) => mapped.extend_from_slice(nodes),
        }
    }
}

impl<N: Node> Mapped<N> {
    /// Maps memory for `capacity` nodes, none of which exist yet. Returns `None` if they do not
    /// fill a huge page, or if there is no memory.
    fn new(capacity: usize) -> Option<Self> {
        let bytes = capacity.checked_mul(N::BYTES).filter(|&bytes| bytes >= HUGE_PAGE)?;
        // Only pages that are written take up memory, so aligning the start is free.
        let map = MmapMut::map_anon(bytes.checked_add(HUGE_PAGE)?).ok()?;
        let start = map.as_ptr().align_offset(HUGE_PAGE);
        // A kernel without huge pages refuses, and maps small pages.
        let _ = map.advise(Advice::HugePage);
        Some(Self { map, start, len: 0, written: 0, nodes: PhantomData })
    }

    /// The existing nodes, and room for more.
    fn all(&self) -> &[N] {
        N::from_bytes(&self.map[self.start..]).0
    }

    /// Appends nodes, for which there must be room.
    fn extend_from_slice(&mut self, nodes: &[N]) {
        let before = self.len;
        self.len += nodes.len();
        self.written = self.written.max(self.len);
        self[before..].copy_from_slice(nodes);
    }
}

impl<N: Node> Deref for Mapped<N> {
    type Target = [N];

    fn deref(&self) -> &[N] {
        &self.all()[..self.len]
    }
}

impl<N: Node> DerefMut for Mapped<N> {
    fn deref_mut(&mut self) -> &mut [N] {
        &mut N::from_bytes_mut(&mut self.map[self.start..]).0[..self.len]
    }
}

impl<N: Node> Deref for Nodes<N> {
    type Target = [N];

    fn deref(&self) -> &[N] {
        match self {
            Self::Heap(heap) => heap,
            Self::Mapped(mapped) => mapped,
        }
    }
}

impl<N: Node> DerefMut for Nodes<N> {
    fn deref_mut(&mut self) -> &mut [N] {
        match self {
            Self::Heap(heap) => heap,
            Self::Mapped(mapped) => mapped,
        }
    }
}

impl<N: Node> From<Vec<N>> for Nodes<N> {
    fn from(nodes: Vec<N>) -> Self {
        Self::Heap(nodes)
    }
}

impl<N: Node> Clone for Nodes<N> {
    fn clone(&self) -> Self {
        let mut clone = Self::new();
        clone.extend_from_slice(self);
        clone
    }
}

impl<N: Node> fmt::Debug for Nodes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}
