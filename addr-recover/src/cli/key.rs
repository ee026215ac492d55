//! Asks for a key. It is printed on stdout, and neither saved nor repeated anywhere else.

mod digits;
#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod memory;
pub(crate) mod owner;
mod secrets;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read};
use std::mem::take;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use addr_recover::{
    Damage, Estimate, Hit, KeyFormat, KeyKind, Ladder, NOISE, Outcome, ParseError, Pattern, Rung,
    Search, SearchError, SearchSpace,
};
use zeroize::Zeroizing;

use digits::Digits;
use owner::Owner;
use secrets::Secrets;

use super::args::KeyArgs;
use super::ask::refusal;
use super::bar::Bar;
use super::climb::{Climb, Found, Keep, Question};
use super::report::{HitReport, KeySearch, Report, SECRET, Status};
use super::settings::options_of;
use super::shard::Shard;
use super::{
    Failure, INTERRUPTED, cancel_on_signals, estimate, given, input, is_cancelled, lock, note,
    on_threads, print, say,
};

/// An address is that of one in so many private keys: it has 160 bits of a hash.
const OF_HASH: f64 = 1.0 / (1_u128 << 80) as f64 / (1_u128 << 80) as f64;

/// More keys are noise, and would fill the memory.
const MAX_HITS: usize = 100_000;

/// A search that takes longer needs `--force`.
const MAX_SECONDS: f64 = 30.0 * 86_400.0;

/// Times are not shown beyond: a million years.
const MAX_SHOWN_SECONDS: f64 = 1e6 * 31_557_600.0;

/// The times for which a refusal says what is feasible.
const TIMES: [(&str, f64); 3] =
    [("an hour", 3600.0), ("a day", 86_400.0), ("a month", MAX_SECONDS)];

/// A lost end is assumed if it takes no more than this, in hashes: that of ten characters.
const MAX_LOST: f64 = 8_388_608.0;

/// The minimum number of characters of a key in the wallet import format.
const MIN_WIF: usize = 51;

/// What helps if half a key is lost.
const KANGAROO: &str = "half a private key has no checksum, and nothing here can find the rest; if \
                        its beginning is lost and its public key is known, a kangaroo solver may";

/// The maximum length of the text on standard input, in bytes.
const MAX_TEXT: usize = 1 << 16;

pub(crate) fn run(args: &KeyArgs) -> Result<u8, Failure> {
    args.machine.apply()?;
    // A core file would have the key. Nothing can raise the limit again.
    #[cfg(unix)]
    rustix::process::setrlimit(
        rustix::process::Resource::Core,
        rustix::process::Rlimit { current: Some(0), maximum: Some(0) },
    )?;
    // Before the prompt, which restores the echo of the terminal only if it is not killed. A signal
    // ends the wait for a pipe.
    let has_prompt = given(&args.key).is_none() && io::stdin().is_terminal();
    if has_prompt {
        cancel_on_signals()?;
    }
    let text = match read(&args.key) {
        Err(_) if is_cancelled() => return Ok(INTERRUPTED),
        text => text?,
    };
    if !has_prompt {
        cancel_on_signals()?;
    }
    if text.trim().is_empty() {
        return Err("no key given".into());
    }
    let kinds = kinds(args)?;
    if let Some(message) = not_of_address(&text, args) {
        say(&message);
        return Ok(Status::None.exit_code());
    }
    let (digits, lost) = digits(&text, args)?;
    if digits.is_some() && args.address.is_none() {
        return Err(
            "hexadecimal digits have no checksum: pass the address of the private key with \
                    --address"
                .into(),
        );
    }
    let keys = Keys { args, text, digits, lost, kinds };
    on_threads(args.machine.threads(), || {
        let begin = Instant::now();
        let described = keys.space(&args.damage.damage());
        let (keys, described) = keys.with_lost_end(described);
        if args.estimate { keys.estimate(&described?, begin) } else { keys.answer(described) }
    })?
}

/// What to say if the text is an undamaged key, and not that of the address.
fn not_of_address(text: &str, args: &KeyArgs) -> Option<String> {
    let owner = args.address.as_ref().filter(|_| !args.search.force && !args.estimate)?;
    let key = Hit::<KeyKind>::of(Pattern::key_text(text).as_str())?;
    if key.format.format != KeyFormat::Wif || owner.owns(&key) {
        return None;
    }
    let addresses = owner::addresses(&key);
    let addresses = if addresses.is_empty() {
        "look them up in a wallet".to_owned()
    } else {
        format!("these are {}", addresses.join(", "))
    };
    Some(format!(
        "not found: the key is undamaged ({}), but it is not the key of {}; it has other \
         addresses: {addresses}",
        key.format.name, owner.address
    ))
}

/// The digits of a private key without a checksum, if the text has that form, and how many of the
/// first or last ones are lost.
fn digits(text: &str, args: &KeyArgs) -> Result<(Option<Digits>, u8), Failure> {
    let hexadecimal = Digits::hexadecimal(text);
    if hexadecimal.is_some() {
        return Ok((hexadecimal, 0));
    }
    if let Some((part, lost)) = Digits::part(text) {
        note(&format!(
            "note: reads the text as a private key whose first or last {lost} hexadecimal digits \
             are lost"
        ));
        return Ok((Some(part), lost));
    }
    if let Some(message) = digits::not_understood(text) {
        return Err(message.into());
    }
    if args.address.is_none() || !args.kind.is_empty() {
        return Ok((None, 0));
    }
    let is_of_owner = |digits: &Digits| {
        let secret = digits.only();
        args.address.as_ref().zip(secret).is_some_and(|(owner, it)| owner.is_of_secret(&*it))
    };
    // Without its last characters, a key in the wallet import format is as long.
    let is_whole =
        |it: &Digits| !digits::is_begin_of_wif(&Pattern::key_text(text)) || is_of_owner(it);
    let digits = Digits::base58(text).or_else(|| Digits::of_bytes(text).filter(is_whole));
    if digits.is_some() {
        note("note: reads the text as the 32 bytes of a private key in Base58, without a checksum");
    }
    Ok((digits, 0))
}

/// The text of the key, from the command line or from standard input.
fn read(arguments: &[OsString]) -> Result<Zeroizing<String>, Failure> {
    // A buffer that grows would leave copies of the key behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_TEXT + 1));
    if let Some(text) = given(arguments) {
        note(
            "warning: other users can see the arguments of a program, and the shell's history may \
             keep them; without KEY it is read from standard input",
        );
        *bytes = text.into_encoded_bytes();
    } else if io::stdin().is_terminal() {
        let text = rpassword::prompt_password("key, on one line (not shown): ")?;
        return Ok(Zeroizing::new(text));
    } else {
        io::stdin().take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() > MAX_TEXT {
        let message = "the input has more than";
        return Err(format!("{message} {MAX_TEXT} bytes: pass the text of one key").into());
    }
    if let Some(text) = input::of_utf16(&bytes) {
        return Ok(Zeroizing::new(text));
    }
    // Bytes of other encodings stand for unreadable characters.
    Ok(Zeroizing::new(String::from_utf8_lossy(&bytes).into_owned()))
}

/// The selected kinds; by default, all that can be checked.
fn kinds(args: &KeyArgs) -> Result<Vec<KeyKind>, Failure> {
    let ids = args.kind.iter().map(String::as_str);
    let mut kinds: Vec<KeyKind> = ids.flat_map(KeyKind::matching).collect();
    if args.kind.is_empty() {
        kinds = KeyKind::matching("any");
    }
    let has_address = args.address.is_some();
    let is_of_encrypted = args.address.as_ref().is_none_or(|owner| owner.address_hash().is_some());
    let has_encrypted = kinds.iter().any(|&kind| is_encrypted(kind));
    kinds.retain(|kind| match kind.format {
        // Their check has 8 bits: too many fit by chance.
        KeyFormat::Mini => has_address,
        KeyFormat::Wif => true,
        KeyFormat::Encrypted => is_of_encrypted,
        // Their addresses are those of other keys, which are derived from them.
        _ => !has_address,
    });
    if !kinds.is_empty() {
        return Ok(kinds);
    }
    Err(match (has_address, has_encrypted) {
        (false, _) => "the check of mini keys is too short to recover one without its --address",
        (_, true) => "encrypted keys have a hash of their P2PKH address (1...): pass that one",
        _ => "--address cannot single out an extended key: leave it out",
    }
    .into())
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

fn is_encrypted(kind: KeyKind) -> bool {
    kind.format == KeyFormat::Encrypted
}

/// What to search: texts whose checksum is right or, if the owner is known and that is less work,
/// private keys.
struct Space {
    /// None for hexadecimal digits.
    texts: Option<SearchSpace<KeyKind>>,
    secrets: Option<Secrets>,
}

type Searchable = Result<(Space, Estimate), ParseError>;

/// The searches for the key of a text.
struct Keys<'a> {
    args: &'a KeyArgs,
    text: Zeroizing<String>,
    digits: Option<Digits>,
    /// How many of its first or last digits are lost.
    lost: u8,
    kinds: Vec<KeyKind>,
}

impl Keys<'_> {
    fn report(&self) -> Report {
        let address = self.args.address.as_ref().map(|owner| owner.address.clone());
        let key = Some(KeySearch { address, ..KeySearch::default() });
        // All parts of the search for a key have the same question: nothing of it is shown.
        let part = self.args.search.shard.map(|shard| shard.part(SECRET, &()));
        Report { key, part, ..Report::new(None, SECRET) }
    }

    /// The searches for a key whose last characters are lost, if the text is too short, and it is a
    /// matter of few private keys of the address or, without one, of few texts that fit by chance;
    /// otherwise as it is.
    fn with_lost_end(self, described: Searchable) -> (Self, Searchable) {
        let is_short = match &described {
            Ok((_, cost)) => {
                let length = Pattern::key_text(&self.text).chars().count();
                self.digits.is_none() && cost.candidates == 0.0 && length < MIN_WIF - 1
            }
            Err(error) => matches!(error, ParseError::KeyLength { .. }),
        };
        if !is_short || self.args.search.is_exact() {
            return (self, described);
        }
        let text = Zeroizing::new([self.text.trim(), "..."].concat());
        let (digits, kinds) = (None, self.kinds.clone());
        let longer = Self { args: self.args, text, digits, lost: 0, kinds };
        let Ok((space, cost)) = longer.space(&self.args.damage.damage()) else {
            return (self, described);
        };
        // Whichever of the two searches is less work.
        let has_secrets = || space.texts.as_ref().is_some_and(|texts| texts.secrets().is_some());
        let is_sure = cost.expected_by_chance <= NOISE && cost.candidates > 0.0;
        let is_known = if self.args.address.is_some() { has_secrets() } else { is_sure };
        if !is_known || cost.hashes > MAX_LOST {
            return (self, described);
        }
        note("reads the text as a key whose end is lost, as with ... after it");
        (longer, Ok((space, cost)))
    }

    /// Prints what the search would cost, without the key, and returns the exit status.
    fn estimate(&self, (space, cost): &(Space, Estimate), begin: Instant) -> Result<u8, Failure> {
        // A search builds the space first.
        let seconds = self.seconds(space);
        let time = begin.elapsed().saturating_add(duration(seconds));
        let lines = format!("candidates      {:.0}\n", cost.candidates);
        let too_long = self.too_long(cost, seconds);
        let threads = rayon::current_num_threads();
        estimate::show(&lines, cost, time, threads, too_long, &self.report())
    }

    /// Searches, prints the answer, and returns the exit status.
    fn answer(&self, described: Searchable) -> Result<u8, Failure> {
        let (args, report, damage) = (self.args, self.report(), self.args.damage.damage());
        let (described, error) = match described {
            // A character may be missing, or extra.
            Err(error @ ParseError::KeyLength { .. }) if !args.search.is_exact() => {
                (None, Some(error))
            }
            described => (Some(described?), None),
        };
        let why_not = |(space, cost): &(Space, Estimate)| {
            let too_long = self.too_long(cost, self.seconds(space));
            let is_noise = cost.expected_by_chance > NOISE;
            // An address leaves noise only if there is no end of keys.
            if is_noise && (args.address.is_none() || too_long.is_none()) {
                return Some(refusal(cost.expected_by_chance, &report));
            }
            too_long
        };
        let message = described.as_ref().and_then(why_not).filter(|_| !args.search.force);
        if let Some(message) = message {
            let report = report.refused(message);
            print::comment(&report);
            return Ok(report.status.exit_code());
        }
        let ladder = if args.search.is_exact() {
            Ladder::exact(&damage, described)
        } else {
            Ladder::of(&damage, described, |damage| self.space(damage))
        };
        let bar = Bar::of_steps(true);
        let (report, cancelled) =
            Climb::new(self, ladder, report, false, &args.search, &bar).run()?;
        drop(bar);
        print::addresses(&report)?;
        if cancelled.is_some() {
            say("interrupted; the search for a key keeps no progress");
            return Ok(INTERRUPTED);
        }
        if let Some(error) = error.filter(|_| report.tried.is_empty()) {
            return Err(error.into());
        }
        print::comment(&report);
        Ok(report.status.exit_code())
    }

    /// Why not to search if that takes so long, and what would be feasible on this machine.
    fn too_long(&self, cost: &Estimate, seconds: f64) -> Option<String> {
        let of_each = self.digits.as_ref().map_or(58, Digits::base) as f64;
        let of_each = of_each.ln();
        let unknown = cost.candidates.ln() / of_each;
        let feasible = TIMES.map(|(name, limit)| {
            // Each unknown character multiplies the time.
            let more = (seconds / limit).ln() / of_each;
            format!("{:.0} in {name}", (unknown - more).floor().max(0.0))
        });
        let [hour, day, month] = feasible;
        let time = if seconds < MAX_SHOWN_SECONDS {
            format!("about {}", print::time(seconds))
        } else {
            "more than a million years".to_owned()
        };
        (seconds > MAX_SECONDS).then(|| {
            format!(
                "the search would take {time}, for {unknown:.0} unknown characters; this machine \
                 tries {hour}, {day} and {month}; {}",
                match self.lost {
                    0 => "describe less damage, or search with --force",
                    _ => KANGAROO,
                }
            )
        })
    }

    /// About how long a search takes.
    fn seconds(&self, space: &Space) -> f64 {
        let of_texts = |texts: &SearchSpace<KeyKind>| {
            texts.estimate().hashes * Search::new(texts).measure() / 1e9
        };
        let owner = self.args.address.as_ref();
        let of_one_thread = match space.secrets.as_ref().zip(owner) {
            Some((secrets, owner)) => secrets.seconds(owner),
            None => space.texts.as_ref().map_or(0.0, of_texts),
        };
        of_one_thread / rayon::current_num_threads() as f64
    }

    /// What to search if the text has some damage, and what that costs.
    fn space(&self, damage: &Damage) -> Searchable {
        if let Some(digits) = &self.digits {
            let cut = damage.cut.max(self.lost);
            let secrets = Secrets::of_digits(digits, &Damage { cut, ..damage.clone() })?;
            let estimate = secrets.estimate(secrets.count().as_f64());
            return Ok((Space { texts: None, secrets: Some(secrets) }, estimate));
        }
        let pattern = Pattern::key(&self.text, damage.clone())?;
        let mut texts = SearchSpace::new(&pattern, &self.kinds)?;
        if let Some(hash) = self.args.address.as_ref().and_then(Owner::address_hash) {
            texts = texts.of_address_hash(hash);
        }
        let (mut estimate, mut secrets) = (texts.estimate(), None);
        if self.args.address.is_some() {
            // What encrypted keys have of the address is not new: all candidates have it.
            let encrypted = texts.by_chance(is_encrypted);
            let others = texts.by_chance(|kind| !is_encrypted(kind));
            estimate.expected_by_chance = encrypted + others * OF_HASH;
            let hashes = estimate.hashes;
            // Only compressed keys have such a byte.
            let has_marker = texts.by_chance(|kind| kind.name.ends_with("uncompressed")) == 0.0;
            let ranges = texts.secrets();
            secrets = ranges.map(|ranges| Secrets::new(ranges, has_marker));
            secrets = secrets.filter(|it| it.hashes() < hashes);
            if let Some(secrets) = &secrets {
                estimate = secrets.estimate(estimate.candidates);
            }
        }
        Ok((Space { texts: Some(texts), secrets }, estimate))
    }
}

impl Question for Keys<'_> {
    type Space = Space;

    /// A hash of an uncompressed key is five times as slow as others.
    const MAX_UNANNOUNCED: f64 = (1_u64 << 26) as f64;

    /// With an address, ends once its key is found. It does not single out an encrypted one.
    fn search(
        &self,
        space: &Space,
        _: Outcome,
        _: Keep<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found, SearchError> {
        let owner = self.args.address.as_ref();
        let shard = self.args.search.shard.unwrap_or(Shard { index: 1, count: 1 });
        let (hits, stop) = (Mutex::new(Vec::new()), AtomicBool::new(is_cancelled()));
        let is_proof = AtomicBool::new(false);
        let found = |key: &str, kind: &str, is_owned: bool| {
            let mut hits = lock(&hits);
            hits.push((is_owned, HitReport::other(key, kind)));
            is_proof.fetch_or(is_owned, Ordering::Relaxed);
            if is_owned || hits.len() > MAX_HITS {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let progress = |hashes| {
            progress(hashes);
            stop.fetch_or(is_cancelled(), Ordering::Relaxed);
        };
        let found_hit = |hit: &Hit<KeyKind>, is_owned| found(&hit.text, hit.format.name, is_owned);
        let mut outcome = Found { is_done: true, ..Found::default() };
        if let (Some(secrets), Some(owner)) = (&space.secrets, owner) {
            let found_secret = |secret: &[u8; 32]| match &space.texts {
                Some(texts) => texts.keys_of(secret).iter().for_each(|hit| found_hit(hit, true)),
                None => found(&Zeroizing::new(hex::encode(secret)), "private key", true),
            };
            let tried = AtomicU64::new(0);
            let add = |more| {
                let tried = tried.fetch_add(more, Ordering::Relaxed) + more;
                progress(tried * secrets.hashes_of_each);
                !stop.load(Ordering::Relaxed)
            };
            outcome.is_done = secrets.search(owner, shard, &found_secret, &add);
            outcome.secrets = tried.into_inner();
        } else if let Some(texts) = &space.texts {
            let keep = |hit: &Hit<KeyKind>| {
                let is_owned = owner.is_some_and(|owner| owner.owns(hit));
                if is_owned || owner.is_none() || is_encrypted(hit.format) {
                    found_hit(hit, is_owned);
                }
                false
            };
            let search = Search::new(texts)
                .shard(shard.index, shard.count)
                .cancel(&stop)
                .progress(&progress)
                .keep(&keep);
            (outcome.hashes, outcome.is_done) = match search.run() {
                Ok(outcome) => (outcome.hashes, true),
                Err(SearchError::Cancelled(unfinished)) => (unfinished.hashes, false),
                Err(error) => unreachable!("no hit is kept, and nothing resumed: {error}"),
            };
        }
        outcome.is_proof = is_proof.into_inner();
        // Others that fit are not the key of the address.
        let hits = take(&mut *lock(&hits)).into_iter();
        let hits = hits.filter(|&(is_owned, _)| is_owned == outcome.is_proof);
        let mut hits: Vec<HitReport> = hits.map(|(_, hit)| hit).collect();
        hits.sort_by(|a, b| a.address.cmp(&b.address));
        hits.dedup();
        if hits.len() > MAX_HITS {
            return Err(SearchError::TooManyHits(MAX_HITS));
        }
        let is_done = outcome.is_done || outcome.is_proof;
        Ok(Found { hits, is_done, ..outcome })
    }

    fn time(&self, space: &Space) -> Duration {
        duration(self.seconds(space))
    }

    fn options(&self, rung: &Rung<Space>) -> String {
        options_of(&rung.damage).join(" ")
    }

    fn more_options(&self) -> String {
        let kinds = self.args.kind.iter().map(|kind| format!(" --kind {kind}"));
        let address = self.args.address.iter().map(|it| format!(" --address {}", it.address));
        kinds.chain(address).collect()
    }
}
