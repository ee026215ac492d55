//! Searches for an address with some uncertain characters and any edits. The search finds what
//! brute force finds, with one hash per prefix and length.
#![no_main]

use addr_recover::{Backend, Case, Damage, Kind, Pattern, Search, SearchSpace, Version};
use libfuzzer_sys::fuzz_target;

#[path = "../../addr-recover/tests/recover/oracle.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod oracle;

use oracle::{ALPHABET, Form, answer};

/// The maximum number of texts. The oracle takes microseconds for each, and a run of milliseconds
/// reaches more code than one of seconds. The tests search for typos with another edit.
const MAX_TEXTS: f64 = 5_000.0;

fuzz_target!(|input: (u8, [u8; 20], Vec<(u8, u8)>, u8, [u8; 4])| {
    let (version, payload, doubts, edits, at) = input;
    let mut versions = Kind::common_versions();
    versions.retain(|&version| version != Version::RIPPLE);
    let version = versions[usize::from(version) % versions.len()];
    let mut message = version.value().to_be_bytes()[usize::from(version.value() < 256)..].to_vec();
    message.extend(payload);
    let address = bs58::encode(message).with_check().into_string();
    let mut form: Form = address.chars().map(String::from).collect();
    let length = form.len();
    for (place, digit) in doubts {
        let place = usize::from(place) % length;
        let digit = ALPHABET.as_bytes()[usize::from(digit) % 58] as char;
        if !form[place].contains(digit) {
            form[place].push(digit);
        }
    }
    let [is_typo, missing, surplus, swapped] = [1, 2, 4, 8].map(|bit| edits & bit != 0);
    // One less than the number of places left without the missing character.
    let [typo, missing_at, surplus_at, swapped_at] = at.map(|at| usize::from(at) % (length - 2));
    if missing {
        form.remove(missing_at);
    }
    if is_typo {
        form[typo] = "z".to_owned();
    }
    if swapped {
        form.swap(swapped_at, swapped_at + 1);
    }
    if surplus {
        form.insert(surplus_at, "7".to_owned());
    }
    let places = length as f64;
    let factor =
        [(is_typo, 58.0 * places), (missing, 58.0 * places), (surplus, places), (swapped, places)];
    let factor =
        factor.iter().filter(|(is_done, _)| *is_done).map(|(_, texts)| texts).product::<f64>();
    if form.iter().map(|digits| digits.len() as f64).product::<f64>() * factor > MAX_TEXTS {
        return;
    }

    let text: String = form.iter().map(|digits| format!("[{digits}]")).collect();
    let damage = Damage {
        case: Case::Kept,
        typos: u8::from(is_typo),
        missing: u8::from(missing),
        surplus: u8::from(surplus),
        swapped: u8::from(swapped),
        ..Damage::default()
    };
    let pattern = Pattern::with_damage(&text, damage.clone()).unwrap();
    let space = SearchSpace::new(&pattern, &versions).unwrap();
    let expected = answer(&form, &damage, &versions);
    assert_eq!(space.estimate().candidates, expected.candidates as f64);
    for backend in Backend::available() {
        let outcome = Search::new(&space).backend(backend).on_this_thread().run().unwrap();
        assert!(
            outcome.hits.iter().map(|hit| &*hit.text).eq(&expected.addresses),
            "{text} {backend}"
        );
        // A prefix that has candidates of two lengths is hashed for each.
        let most = expected.prefixes + 2 * u64::from(missing || surplus);
        assert!((expected.prefixes..=most).contains(&outcome.hashes), "{text} {backend}");
    }
});
