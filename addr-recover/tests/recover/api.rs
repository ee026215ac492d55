//! Threads, progress, cancellation, shards, estimates and lists of known addresses.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use addr_recover::{
    AddressSpace, Case, Damage, Hit, Kind, Known, Outcome, Pattern, Repaired, Search, SearchError,
    SearchSpace, Version,
};

use crate::{addresses, recover, search, space};

/// 1,118,736 hashes.
const SHORT: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";

/// 142,854,000 hashes: would take seconds if not cancelled.
const LONG: &str = "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

fn asked(text: &str) -> SearchSpace {
    space(text, Damage::default(), &Kind::common_versions())
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let space = asked(SHORT);
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| Search::new(&space).run()).unwrap(), recover(SHORT));
    }
    assert_eq!(Search::new(&space).on_this_thread().run().unwrap(), recover(SHORT));
}

#[test]
fn progress_counts_every_hash() {
    let space = asked(SHORT);
    let reports = Mutex::new(Vec::new());
    let report = |hashes| reports.lock().unwrap().push(hashes);
    let outcome = Search::new(&space).progress(&report).run().unwrap();
    let reports = reports.into_inner().unwrap();
    assert!(reports.len() > 10);
    assert_eq!(reports.into_iter().max(), Some(outcome.hashes));
    assert!((space.estimate().hashes / outcome.hashes as f64 - 1.0).abs() < 1e-3);
}

#[test]
fn a_search_can_be_cancelled_before_it_starts() {
    let space = asked(SHORT);
    let cancelled = AtomicBool::new(true);
    let result = Search::new(&space).cancel(&cancelled).run();
    assert!(matches!(
        result,
        Err(SearchError::Cancelled(unfinished)) if *unfinished == Outcome::default()
    ));
}

/// Cancels and resumes the search several times.
#[test]
fn a_cancelled_search_resumes_where_it_stopped() {
    let space = asked(SHORT);
    let mut before = Outcome::default();
    let mut rounds = 0;
    let outcome = loop {
        let cancelled = AtomicBool::new(false);
        let begin = before.hashes;
        let report = |hashes| {
            if hashes > begin + 300_000 {
                cancelled.store(true, Ordering::Relaxed);
            }
        };
        let search =
            Search::new(&space).cancel(&cancelled).progress(&report).resume(before).unwrap();
        match search.run() {
            Ok(outcome) => break outcome,
            Err(SearchError::Cancelled(unfinished)) => before = *unfinished,
            Err(error) => panic!("{error}"),
        }
        rounds += 1;
        assert!(rounds < 50, "{before:?}");
    };
    assert!(rounds > 1);
    assert_eq!(outcome, recover(SHORT));
}

/// A killed process resumes from the last checkpoint, whichever that was.
#[test]
fn a_search_resumes_from_any_checkpoint() {
    let space = asked(SHORT);
    let whole = recover(SHORT);
    let checkpoints = Mutex::new(Vec::new());
    let keep = |unfinished: &Outcome| checkpoints.lock().unwrap().push(unfinished.clone());
    assert_eq!(Search::new(&space).checkpoint(&keep).run().unwrap(), whole);
    let checkpoints = checkpoints.into_inner().unwrap();
    assert!(checkpoints.len() > 2);
    assert!(checkpoints.is_sorted_by(|earlier, later| earlier.hashes < later.hashes));
    assert_eq!(checkpoints.last().unwrap().hashes, whole.hashes);
    for checkpoint in checkpoints {
        assert_eq!(Search::new(&space).resume(checkpoint).unwrap().run().unwrap(), whole);
    }
}

/// Otherwise the search would find nothing, and call that a proof.
#[test]
fn progress_of_another_search_is_refused() {
    let space = asked(SHORT);
    let hit = |address: &str| Hit::of(address).unwrap();
    let before = |hits: &[Hit], done: &[usize]| {
        let done = done.iter().copied().collect();
        Search::new(&space).resume(Outcome { hits: hits.to_vec(), hashes: 0, done })
    };
    let own = hit("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71");
    assert!(before(std::slice::from_ref(&own), &[0]).is_ok());
    let mut renamed = own.clone();
    renamed.format = Version::byte(5);
    let other = hit("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa");
    for (hits, done) in [
        (vec![own, other], vec![]),
        (vec![renamed], vec![]),
        (vec![], vec![0, 1_000_000_000]),
        (vec![], vec![usize::MAX]),
    ] {
        let result = before(&hits, &done);
        assert!(matches!(result, Err(SearchError::OfAnotherSearch(_))), "{hits:?} {done:?}");
    }
}

/// A unit that was interrupted is searched again, but its hits are not repeated.
#[test]
fn no_address_is_found_twice() {
    let whole = recover(SHORT);
    let before = Outcome { hits: whole.hits.clone(), ..Outcome::default() };
    let space = asked(SHORT);
    assert_eq!(Search::new(&space).resume(before).unwrap().run().unwrap(), whole);
}

#[test]
fn a_long_search_can_be_cancelled() {
    let space = asked(LONG);
    let cancelled = AtomicBool::new(false);
    let report = |_| cancelled.store(true, Ordering::Relaxed);
    let result = Search::new(&space).cancel(&cancelled).progress(&report).run();
    assert!(
        matches!(result, Err(SearchError::Cancelled(unfinished)) if unfinished.hashes < 10_000_000)
    );
}

#[test]
fn all_shards_together_equal_the_whole() {
    let space = asked("1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz");
    let mut hits = Vec::new();
    let mut hashes = Vec::new();
    for index in 1..=5 {
        let shard = Search::new(&space).shard(index, 5).run().unwrap();
        hits.extend(shard.hits);
        hashes.push(shard.hashes);
    }
    hits.sort();
    let whole = search(&space);
    assert_eq!(whole.hits.len(), 2);
    assert_eq!(hits, whole.hits);
    assert_eq!(hashes.iter().sum::<u64>(), whole.hashes);
    assert!(hashes.iter().all(|&part| part > whole.hashes / 6), "{hashes:?}");
}

#[test]
fn noise_is_bounded() {
    // With five unknown characters at the end, every seventh prefix has a hit.
    let space =
        space("1Lbcfr7sAHTD9CgdQo3HTMTk????4?????", Damage::default(), &Kind::common_versions());
    assert!(space.estimate().expected_by_chance > 1e6);
    let result = Search::new(&space).run();
    assert!(matches!(result, Err(SearchError::TooManyHits(100_000))));
}

#[test]
fn estimates_match_the_search_space() {
    let estimate =
        |text: &str, damage: Damage| space(text, damage, &Kind::common_versions()).estimate();
    // 23 ambiguous letters, all unconstrained.
    assert_eq!(estimate(SHORT, Damage::default()).candidates, f64::from(1 << 23));
    // The second letter of Bitcoin's first address must be upper case to fit into 25 bytes.
    let genesis = estimate("1a1zp1ep5qgefi2dmptftl5slmv7divfna", Damage::default());
    assert_eq!(genesis.candidates, f64::from(1 << 22));
    let kept = Damage { case: Case::Kept, ..Damage::default() };
    let intact = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
    assert_eq!(estimate(intact, kept.clone()).candidates, 1.0);
    assert!(estimate(&intact.replace("HTMTk", "?????"), kept.clone()).expected_by_chance < 0.2);
    let noise = estimate(&intact.replace("HTMTkV8", "???????"), kept);
    assert!(noise.expected_by_chance > 500.0);
    // Each of 58^7 heads has one prefix, and sometimes two.
    let heads = 58_f64.powi(7);
    assert!((heads..1.2 * heads).contains(&noise.hashes), "{}", noise.hashes);
    let speed = Search::new(&asked(SHORT)).measure();
    assert!(speed > 1.0 && speed < 1e5);
    let one = noise.duration(speed, 1).as_secs_f64();
    assert!((one / noise.duration(speed, 2).as_secs_f64() - 2.0).abs() < 1e-6);
}

/// Any number of units, from none to many, and units that take longer than a measurement.
#[test]
fn every_search_can_be_measured() {
    let kept = Damage { case: Case::Kept, ..Damage::default() };
    for (text, damage) in [
        (SHORT, Damage::default()),
        (LONG, Damage::default()),
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", kept.clone()),
        ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", Damage { typos: 3, ..kept }),
        ("jj98t1wpez73cnmqviecrnyiwrnqrhwnly", Damage::default()),
    ] {
        let space = space(text, damage, &Kind::common_versions());
        let speed = Search::new(&space).measure();
        let plausible = if space.estimate().hashes > 0.0 { 0.1..1e6 } else { 0.0..0.1 };
        assert!(plausible.contains(&speed), "{text}: {speed:?}");
    }
}

#[test]
fn a_search_space_allows_only_its_texts() {
    let space = asked(SHORT);
    assert!(space.allows("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"));
    assert!(space.allows("1LBCFR7SAHTD9CGDQo3HTMTKV8LK4ZNX71"));
    for text in [
        "",
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7",
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX711",
        "1lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
    ] {
        assert!(!space.allows(text), "{text}");
    }
    let kinds = space.kinds();
    assert_eq!(kinds.len(), 1);
    assert_eq!(kinds[0].1, ["Bitcoin P2PKH"]);
    assert!(addresses(&search(&space)).len() == 1);
}

#[test]
fn a_list_answers_without_a_search() {
    let list = "# sites\n1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\r\n\n1lbcfr\n\
        3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n";
    let (known, wrong) = Known::read(list);
    assert_eq!(wrong, [4]);
    let space = |text: &str, versions: &[Version]| {
        AddressSpace::Base58(SearchSpace::new(&Pattern::parse(text).unwrap(), versions).unwrap())
    };
    let damaged = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
    let answers = known.answers(&space(damaged, &Kind::common_versions()));
    let mut answer = Repaired::of(&Hit::of("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71").unwrap());
    answer.is_known = true;
    assert_eq!(answers, [answer]);
    assert!(known.contains(&answers[0].address));
    assert!(known.answers(&space(damaged, &[Version::byte(5)])).is_empty());
    assert!(known.answers(&space(&damaged.replace('7', "8"), &Kind::common_versions())).is_empty());
    assert!(!known.contains("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"));
}

#[test]
fn the_nearest_addresses_differ_in_the_fewest_characters() {
    let (known, _) =
        Known::read("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n");
    let nearest = |text| known.nearest(text, true).map(|(distance, hits)| (distance, hits.len()));
    assert_eq!(nearest("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71"), Some((0, 1)));
    // Two wrong, two missing and an extra one; an unreadable one.
    assert_eq!(nearest("1Lzcfr7sAHTD9CdQoo3HTMTkV8LK4Zn?11"), Some((4, 1)));
    assert_eq!(nearest("1Lzcfr7sHTD9CdQoo3HTMTkV8LK4Zn?11"), Some((5, 1)));
    assert_eq!(nearest("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"), None);
    assert_eq!(Known::default().nearest("", true), None);
}
