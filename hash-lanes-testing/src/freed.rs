//! An allocator that looks for secrets in each block that is freed, and counts what is allocated.
//!
//! A test program declares it by [`watch_freed_memory!`](crate::watch_freed_memory). Blocks that
//! grow are always moved, so what they leave behind is seen, too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError, RwLock};

/// The bytes of a secret that are looked for. Chance does not put so many into freed memory.
const NEEDLE: usize = 16;

/// The allocator of the system, watched.
#[derive(Clone, Copy, Debug)]
pub struct Watched;

/// Makes [`Watched`] the allocator of the test program.
#[macro_export]
macro_rules! watch_freed_memory {
    () => {
        #[global_allocator]
        static ALLOCATOR: $crate::freed::Watched = $crate::freed::Watched;
    };
}

/// What is looked for.
static SECRETS: RwLock<Option<Secrets>> = RwLock::new(None);

/// Held while secrets are looked for: one job at a time.
static WATCHING: Mutex<()> = Mutex::new(());

thread_local! {
    static FOUND: Cell<usize> = const { Cell::new(0) };
    static ALLOCATED: Cell<Allocated> = const { Cell::new(Allocated { bytes: 0, largest: 0 }) };
    /// Whether this thread watches, or reads the secrets.
    static WATCHES: Cell<bool> = const { Cell::new(false) };
}

/// What a job allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocated {
    /// All bytes.
    pub bytes: usize,
    /// The bytes of the largest block.
    pub largest: usize,
}

/// Secrets, sorted, and which of all pairs of bytes begin one.
struct Secrets {
    sorted: Vec<[u8; NEEDLE]>,
    begins: Vec<bool>,
}

impl Secrets {
    fn new(secrets: &[Vec<u8>]) -> Self {
        let windows = secrets.iter().filter_map(|secret| secret.first_chunk());
        let mut sorted: Vec<[u8; NEEDLE]> = windows.copied().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut begins = vec![false; 1 << 16];
        for secret in &sorted {
            assert!(secret.iter().any(|byte| byte != &secret[0]), "a secret that may be padding");
            begins[usize::from(u16::from_le_bytes([secret[0], secret[1]]))] = true;
        }
        Self { sorted, begins }
    }

    fn count_in(&self, block: &[u8]) -> usize {
        let begins =
            |window: &&[u8]| self.begins[usize::from(u16::from_le_bytes([window[0], window[1]]))];
        let is_secret = |window: &&[u8]| {
            window.first_chunk().is_some_and(|window| self.sorted.binary_search(window).is_ok())
        };
        block.windows(NEEDLE).filter(begins).filter(is_secret).count()
    }
}

/// Runs a job, and counts the places in the memory that it freed on this thread where one of
/// `secrets`, of 16 bytes or more each, begins. What it returns is not yet freed.
pub fn secrets_freed_by<T>(secrets: &[Vec<u8>], job: impl FnOnce() -> T) -> (usize, T) {
    let _watching = WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let secrets = Secrets::new(secrets);
    *SECRETS.write().unwrap_or_else(PoisonError::into_inner) = Some(secrets);
    FOUND.set(0);
    WATCHES.set(true);
    let result = job();
    WATCHES.set(false);
    (FOUND.get(), result)
}

/// Runs a job, and counts what it allocated on this thread.
pub fn allocated_by<T>(job: impl FnOnce() -> T) -> (Allocated, T) {
    ALLOCATED.set(Allocated::default());
    let result = job();
    (ALLOCATED.get(), result)
}

// SAFETY: all calls go to the allocator of the system, with what the caller promised. `realloc` is
// the one of the trait, which calls `alloc` and `dealloc`.
#[allow(unsafe_code, reason = "an allocator is an unsafe trait")]
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Allocated { bytes, largest } = ALLOCATED.get();
        let size = layout.size();
        ALLOCATED.set(Allocated { bytes: bytes.saturating_add(size), largest: largest.max(size) });
        // Zeroed, so that a block has no bytes of the last one that was here.
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if WATCHES.get() {
            // SAFETY: `alloc` gave these bytes, zeroed, and nobody uses them any more.
            let block = unsafe { std::slice::from_raw_parts(place, layout.size()) };
            WATCHES.set(false);
            if let Ok(secrets) = SECRETS.read()
                && let Some(secrets) = &*secrets
            {
                FOUND.set(FOUND.get() + secrets.count_in(block));
            }
            WATCHES.set(true);
        }
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) };
    }
}
