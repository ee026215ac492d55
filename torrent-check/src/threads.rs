//! Runs work on several threads.

use std::panic::resume_unwind;
use std::thread;

/// Calls `work` on this thread and up to `threads - 1` others, and returns what each call returns.
///
/// The calls share the work: if the system refuses a thread, the others do its part.
pub(crate) fn run<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut all = vec![work()];
        for other in others {
            all.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        all
    })
}
