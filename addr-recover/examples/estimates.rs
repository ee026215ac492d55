//! Compares estimates with the times of the searches, on one thread. Run it on an idle machine:
//! `cargo run --release -p addr-recover --example estimates -- 60` leaves out questions whose
//! estimate exceeds 60 seconds. Without a number, that is a tenth of a second.

use std::env;
use std::time::Instant;

use addr_recover::{Case, Damage, Kind, LookAlikes, Pattern, Search, SearchSpace};

const ADDRESS: &str = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
const P2SH: &str = "3P14159f73E4gFr7JterCCQh9QjiTjiZrG";
const ZCASH: &str = "t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limit = env::args().nth(1).map_or(Ok(0.1), |seconds| seconds.parse::<f64>())?;
    println!("{:>11} {:>9} {:>9} {:>6}  question", "hashes", "estimate", "time", "ratio");
    let mut ratios = Vec::new();
    for (text, what, damage) in questions() {
        let pattern = Pattern::with_damage(&text, damage)?;
        let space = SearchSpace::new(&pattern, &Kind::common_versions())?;
        let search = Search::new(&space).on_this_thread();
        let estimate = space.estimate();
        let expected = estimate.duration(search.measure(), 1).as_secs_f64();
        if expected > limit {
            println!("{:>11} {expected:>8.3}s {:>9} {:>6}  {text} {what}", "", "left out", "");
            continue;
        }
        let begin = Instant::now();
        let outcome = search.run()?;
        let time = begin.elapsed().as_secs_f64();
        let ratio = expected / time;
        ratios.push(ratio);
        let hashes = outcome.hashes;
        println!("{hashes:>11} {expected:>8.3}s {time:>8.3}s {ratio:>6.2}  {text} {what}");
    }
    let within = ratios.iter().filter(|ratio| (0.75..=1.25).contains(*ratio)).count();
    println!("{within} of {} estimates are within 25 % of the time", ratios.len());
    Ok(())
}

/// Texts and damage: 30 questions, of microseconds to a minute.
fn questions() -> Vec<(String, &'static str, Damage)> {
    let kept = || Damage { case: Case::Kept, ..Damage::default() };
    let mut questions: Vec<(String, &str, Damage)> = [
        "18ryviovmwfyzhrzktjkqgycjkujoxh3k6",
        "1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz",
        "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1",
        "3p14159f73e4gfr7jterccqh9qjitjizrg",
        "t1hsc1lr8yknbbe3twrp88p6vffc5t7dlbs",
        "1lbcfr7s?htd9cgdqo3htmtkv8lk4znx71",
        "1lbcfr7sahtd9cgdqo3htmtkv8lk4[7zt2]?x71",
    ]
    .map(|text| (text.to_owned(), "", Damage::default()))
    .into();
    for text in [
        "1L????r7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
        "1Lbcfr7sAHTD9C????3HTMTkV8LK4ZnX71",
        "1Lbc?r7sA?TD9C?dQo3H?MTkV8LK4ZnX71",
        "1Lbcfr7sAHTD9CgdQo3HTMTk????4ZnX71",
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK????71",
        "1Lbcfr7sAHTD9CgdQo…TMTkV8LK4ZnX71",
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4…71",
    ] {
        questions.push((text.to_owned(), "", kept()));
    }
    for address in [ADDRESS, P2SH, ZCASH] {
        let unreadable = |at: usize| format!("{}?{}", &address[..at], &address[at + 1..]);
        questions.extend([
            (address.to_owned(), "--typos 2", Damage { typos: 2, ..kept() }),
            (address.to_owned(), "--typos 1 --missing", Damage { typos: 1, missing: 1, ..kept() }),
            (
                address[1..].to_owned(),
                "--typos 1 --missing --swapped",
                Damage { typos: 1, missing: 1, swapped: 1, ..kept() },
            ),
            (unreadable(20), "--typos 1 --surplus", Damage { typos: 1, surplus: 1, ..kept() }),
            (
                unreadable(30),
                "--missing --swapped --surplus",
                Damage { missing: 1, swapped: 1, surplus: 1, ..kept() },
            ),
        ]);
    }
    let alike = LookAlikes::everywhere("0oO,1IlLi,2Zz,5Ss,7T,8B");
    questions.push((
        ADDRESS.to_ascii_lowercase(),
        "--confuse",
        Damage { look_alikes: alike, ..Damage::default() },
    ));
    questions
}
