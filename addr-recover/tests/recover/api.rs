//! What a caller can ask of a search besides the answer.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use addr_recover::{DamagedAddress, Search, SearchError, is_valid};

use crate::recover;

/// 23 letters, 20 of them before the last five characters.
const SHORT: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";

/// 33 letters: seconds, if it were not cancelled.
const LONG: &str = "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

#[test]
fn the_number_of_threads_changes_nothing() {
    let damaged = DamagedAddress::parse(SHORT).unwrap();
    for threads in 1..=3 {
        let threads = NonZeroUsize::new(threads).unwrap();
        assert_eq!(Search::new(&damaged).threads(threads).run().unwrap(), recover(SHORT));
    }
}

#[test]
fn progress_counts_every_part_once() {
    let damaged = DamagedAddress::parse(SHORT).unwrap();
    let reports = Mutex::new(Vec::new());
    let report = |progress| reports.lock().unwrap().push(progress);
    Search::new(&damaged).progress(&report).run().unwrap();

    let reports = reports.into_inner().unwrap();
    let total = reports[0].total;
    assert!(total > 1);
    assert!(reports.iter().all(|progress| progress.total == total));
    let done: BTreeSet<u32> = reports.iter().map(|progress| progress.done).collect();
    assert_eq!(reports.len(), done.len());
    assert!(done.into_iter().eq(1..=total));
}

#[test]
fn a_search_can_be_cancelled_before_it_starts() {
    let damaged = DamagedAddress::parse(SHORT).unwrap();
    let cancelled = AtomicBool::new(true);
    let result = Search::new(&damaged).cancel(&cancelled).run();
    assert!(matches!(result, Err(SearchError::Cancelled)));
}

#[test]
fn a_search_can_be_cancelled_on_its_way() {
    let damaged = DamagedAddress::parse(LONG).unwrap();
    let cancelled = AtomicBool::new(false);
    let last = Mutex::new((0, 0));
    let report = |progress: addr_recover::Progress| {
        let mut last = last.lock().unwrap();
        *last = (progress.done.max(last.0), progress.total);
        cancelled.store(true, Ordering::Relaxed);
    };
    let result = Search::new(&damaged).cancel(&cancelled).progress(&report).run();
    assert!(matches!(result, Err(SearchError::Cancelled)));
    let (done, total) = last.into_inner().unwrap();
    assert!(done < total, "{done} of {total} parts were searched");
}

#[test]
fn a_flag_that_is_never_set_cancels_nothing() {
    let damaged = DamagedAddress::parse(SHORT).unwrap();
    let cancelled = AtomicBool::new(false);
    assert_eq!(Search::new(&damaged).cancel(&cancelled).run().unwrap(), recover(SHORT));
}

#[test]
fn an_intact_address_is_told_and_found_again() {
    let address = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
    assert!(is_valid(address) && !is_valid(SHORT));
    assert!(DamagedAddress::parse(address).unwrap().is_intact());
    assert!(!DamagedAddress::parse(SHORT).unwrap().is_intact());
    assert_eq!(recover(address).addresses, [address]);
}
