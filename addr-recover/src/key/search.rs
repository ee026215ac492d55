//! Searches for keys on all cores.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use sha256_multi::{Backend, Sha256Lanes};
use zeroize::Zeroizing;

use super::hit::{KeyHit, KeyOutcome};
use super::mini::MiniWalk;
use super::space::{KeySpace, Node, Part};
use super::wide::Wide;
use crate::number::{CHECKSUM_BITS, SMALL_WEIGHTS, TAIL_PLACES};
use crate::search::measure::Meter;
use crate::search_space::dfa::StateId;

/// The number of messages per call of the hash.
const BATCH: usize = 1024;

/// The maximum number of anchors that wait for a batch.
const MAX_ANCHORS: usize = 16 * BATCH;

/// The number of steps between reports of progress.
const STEPS_PER_REPORT: u64 = 1 << 14;

/// The minimum number of steps per task, if the search has more.
const MIN_STEPS: u64 = 1 << 18;

/// The approximate maximum number of tasks.
const MAX_TASKS: u64 = 4096;

/// An exhaustive search for the keys that a search space allows. See [`KeySpace`].
///
/// Nothing about it is saved: an interrupted search starts over.
#[derive(Clone)]
pub struct KeySearch<'a> {
    space: &'a KeySpace,
    backend: Backend,
    cancel: Option<&'a AtomicBool>,
    progress: Option<&'a (dyn Fn(u64) + Sync)>,
    keep: Option<&'a (dyn Fn(&KeyHit) -> bool + Sync)>,
}

impl<'a> KeySearch<'a> {
    /// Creates a search with the fastest backend of this machine, on the current `rayon` pool.
    #[must_use]
    pub fn new(space: &'a KeySpace) -> Self {
        Self { space, backend: Backend::detect(), cancel: None, progress: None, keep: None }
    }

    /// Hashes with this backend.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Stops within milliseconds of this flag being set.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Reports through a callback, from any thread, how many steps have been taken since the last
    /// report. There are [`KeySpace::steps`] in total.
    #[must_use]
    pub fn progress(mut self, report: &'a (dyn Fn(u64) + Sync)) -> Self {
        self.progress = Some(report);
        self
    }

    /// Keeps only hits for which a callback returns `true`: those whose address is known, for
    /// example. It is called on any thread, as soon as a hit is found.
    ///
    /// All hits that are kept are in memory. If millions are expected by chance, use them in the
    /// callback, and return `false`.
    #[must_use]
    pub fn keep(mut self, keep: &'a (dyn Fn(&KeyHit) -> bool + Sync)) -> Self {
        self.keep = Some(keep);
        self
    }

    /// Runs the search to its end. Returns `None` if the flag was set before.
    #[must_use]
    pub fn run(&self) -> Option<KeyOutcome> {
        let count = |steps| {
            if let Some(report) = self.progress {
                report(steps);
            }
            !self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
        };
        // All parts at once: threads that have nothing left to do in one go on with the next.
        let search = |(part, task): &(&Part, Node)| self.search(part, *task, &count);
        let found: Vec<KeyOutcome> = self.tasks().par_iter().map(search).collect::<Option<_>>()?;
        let mut outcome = KeyOutcome::default();
        for mut found in found {
            outcome.hashes += found.hashes;
            outcome.hits.append(&mut found.hits);
        }
        Some(outcome)
    }

    /// Estimates how long the search takes on some threads, by searching parts of it on this thread
    /// for about 30 milliseconds. Building the space takes time, too: with several edits, as long
    /// as millions of steps.
    ///
    /// Progress, cancellation and [`keep`](Self::keep) do not apply.
    #[must_use]
    pub fn estimate(&self, threads: usize) -> Duration {
        let search = Self { keep: Some(&|_| false), ..self.clone() };
        let meter = Meter::new();
        let count = |steps| meter.count(steps);
        let nanoseconds = meter
            .nanoseconds(&self.tasks(), |(part, task)| search.search(part, task, &count).is_some());
        let steps = self.space.steps() as f64 / threads.max(1) as f64;
        Duration::try_from_secs_f64(nanoseconds.unwrap_or_default() * steps / 1e9)
            .unwrap_or(Duration::MAX)
    }

    /// Searches a task. Returns `None` if cancelled.
    fn search(&self, part: &Part, task: Node, count: &dyn Fn(u64) -> bool) -> Option<KeyOutcome> {
        if part.kind.is_mini() {
            let keeps = |hit: &KeyHit| self.keeps(hit);
            return MiniWalk::new(self.space.dfa(part), self.backend, &keeps, count).search(task);
        }
        Walk::new(self, part, count).search(task)
    }

    fn keeps(&self, hit: &KeyHit) -> bool {
        self.keep.is_none_or(|keep| keep(hit))
    }

    /// The tasks of all parts.
    fn tasks(&self) -> Vec<(&'a Part, Node)> {
        let parts = self.space.parts().iter();
        let tasks = |part| self.tasks_of(part).into_iter().map(move |task| (part, task));
        parts.flat_map(tasks).collect()
    }

    fn tasks_of(&self, part: &Part) -> Vec<Node> {
        let mut tasks = Vec::new();
        let max_steps = MIN_STEPS.max(self.space.steps() / MAX_TASKS);
        if let Some(root) = part.root(self.space.dfa(part)) {
            self.split(part, root, max_steps, &mut tasks);
        }
        tasks
    }

    /// Divides a node into tasks of at most `max_steps`.
    fn split(&self, part: &Part, node: Node, max_steps: u64, tasks: &mut Vec<Node>) {
        let dfa = self.space.dfa(part);
        // Saturated numbers of steps would make endless tasks.
        let are_enough = tasks.len() as u64 >= 4 * MAX_TASKS;
        if are_enough || node.places <= TAIL_PLACES + 1 || part.steps(dfa, node) <= max_steps {
            return tasks.push(node);
        }
        for child in part.children(dfa, &node) {
            self.split(part, child, max_steps, tasks);
        }
    }
}

impl fmt::Debug for KeySearch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySearch")
            .field("space", &self.space)
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

/// A head whose tail may spell the checksum of a message.
struct Anchor {
    /// The index of the message.
    message: usize,
    /// The state after the head.
    state: StateId,
    /// The lowest 64 bits of the number whose tail is zero.
    base: u64,
}

/// A walk over the candidates of one task, in numeric order.
struct Walk<'s, 'a> {
    search: &'s KeySearch<'a>,
    part: &'s Part,
    /// Called with the number of new steps; returns whether to continue.
    on_steps: &'s dyn Fn(u64) -> bool,
    /// The prefixes to hash, which are the bytes before the checksums.
    messages: Zeroizing<Vec<u8>>,
    digests: Vec<[u8; 32]>,
    anchors: Vec<Anchor>,
    /// The last number without its checksum, and whether its marker is legal.
    last: Option<(Wide, bool)>,
    steps: u64,
    found: KeyOutcome,
}

impl<'s, 'a> Walk<'s, 'a> {
    fn new(search: &'s KeySearch<'a>, part: &'s Part, on_steps: &'s dyn Fn(u64) -> bool) -> Self {
        let messages = Vec::with_capacity(BATCH * part.kind.message_bytes);
        Self {
            search,
            part,
            on_steps,
            messages: Zeroizing::new(messages),
            digests: Vec::with_capacity(BATCH),
            anchors: Vec::with_capacity(MAX_ANCHORS),
            last: None,
            steps: 0,
            found: KeyOutcome::default(),
        }
    }

    fn search(mut self, node: Node) -> Option<KeyOutcome> {
        self.node(&node)?;
        self.flush();
        self.report()?;
        Some(std::mem::take(&mut self.found))
    }

    /// Searches all candidates that begin like a node. Returns `None` if cancelled.
    fn node(&mut self, node: &Node) -> Option<()> {
        if node.places == TAIL_PLACES {
            return self.head(node);
        }
        let (part, dfa) = (self.part, self.search.space.dfa(self.part));
        if let Some(head) = part.only_head(dfa, node) {
            return self.head(&head);
        }
        part.children(dfa, node).try_for_each(|child| self.node(&child))
    }

    /// Collects the one or two prefixes that the tails of a head can make.
    fn head(&mut self, head: &Node) -> Option<()> {
        let (first, last) = self.search.space.dfa(self.part).rests(head.state).ends;
        let smallest = head.number.plus(first);
        self.collect(&smallest, head);
        if u64::from(smallest.low() as u32) + (last - first) > u64::from(u32::MAX) {
            self.collect(&head.number.plus(last), head);
        }
        self.steps += 1;
        if self.steps == STEPS_PER_REPORT { self.report() } else { Some(()) }
    }

    fn collect(&mut self, number: &Wide, head: &Node) {
        if self.anchors.len() == MAX_ANCHORS {
            self.flush();
        }
        let prefix = number.without_checksum();
        let length = self.part.kind.message_bytes;
        let is_legal = match self.last {
            Some((last, is_legal)) if last == prefix => is_legal,
            _ => {
                let is_legal = self.part.is_legal(number);
                if is_legal {
                    if self.messages.len() == BATCH * length {
                        self.flush();
                    }
                    number.append_message(length, &mut self.messages);
                }
                self.last = Some((prefix, is_legal));
                is_legal
            }
        };
        if is_legal {
            let message = self.messages.len() / length - 1;
            self.anchors.push(Anchor { message, state: head.state, base: head.number.low() });
        }
    }

    /// Hashes the prefixes, and keeps the candidates that end in their checksum.
    fn flush(&mut self) {
        let length = self.part.kind.message_bytes;
        let messages = self.messages.chunks_exact(length);
        self.digests.resize(messages.len(), [0; 32]);
        let lanes = Sha256Lanes::on(self.search.backend);
        lanes.double_hash_many_into(messages, &mut self.digests);
        self.found.hashes += self.digests.len() as u64;
        let dfa = self.search.space.dfa(self.part);
        for anchor in &self.anchors {
            let begin = anchor.message * length;
            let message = &self.messages[begin..begin + length];
            let [a, b, c, d, ..] = self.digests[anchor.message];
            let checksum = u32::from_be_bytes([a, b, c, d]);
            let low_of_prefix =
                message[length - 4..].iter().fold(0, |low, &byte| low << 8 | u64::from(byte));
            let number = low_of_prefix << CHECKSUM_BITS | u64::from(checksum);
            let tail = number.wrapping_sub(anchor.base);
            if tail < SMALL_WEIGHTS[TAIL_PLACES] && dfa.accepts(anchor.state, TAIL_PLACES, tail) {
                let key = Zeroizing::new([message, &checksum.to_be_bytes()].concat());
                self.found.hits.extend(self.hit(&key));
            }
        }
        self.messages.clear();
        self.anchors.clear();
        self.last = None;
    }

    /// Spells a key, if an independent decoder accepts it.
    fn hit(&self, bytes: &[u8]) -> Option<KeyHit> {
        let hit = KeyHit::of_bytes(bytes).filter(|hit| hit.kind == self.part.kind)?;
        self.search.keeps(&hit).then_some(hit)
    }

    /// Reports the steps since the last report. Returns `None` if told to stop.
    fn report(&mut self) -> Option<()> {
        (self.on_steps)(std::mem::take(&mut self.steps)).then_some(())
    }
}
