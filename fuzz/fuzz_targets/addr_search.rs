//! An address with some places in doubt and one edit: the search finds what trying everything finds, with as many hashes as
//! there are prefixes.
#![no_main]

use addr_recover::{Backend, Case, Damage, Kind, Pattern, Question, Search};
use libfuzzer_sys::fuzz_target;

#[path = "../../addr-recover/tests/recover/oracle.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod oracle;

use oracle::{ALPHABET, Edits, Form, answer};

/// More texts than this take the oracle too long.
const MOST_TEXTS: f64 = 20_000.0;

fuzz_target!(|input: (u8, [u8; 20], Vec<(u8, u8)>, u8, u8)| {
    let (version, payload, doubts, edit, at) = input;
    let versions = Kind::all_versions();
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
    let at = usize::from(at) % (length - 1);
    let mut edits = Edits::default();
    match edit % 5 {
        1 => (form[at], edits.typos) = ("z".to_owned(), 1),
        2 => {
            form.remove(at);
            edits.missing = true;
        }
        3 => {
            form.insert(at, "7".to_owned());
            edits.surplus = true;
        }
        4 => {
            form.swap(at, at + 1);
            edits.swapped = true;
        }
        _ => {}
    }
    let factor = [1.0, 2000.0, 2000.0, 36.0, 36.0][usize::from(edit % 5)];
    let texts = form.iter().map(|digits| digits.len() as f64).product::<f64>() * factor;
    if texts > MOST_TEXTS {
        return;
    }

    let text: String = form.iter().map(|digits| format!("[{digits}]")).collect();
    let Edits { typos, missing, surplus, swapped } = edits;
    let damage =
        Damage::default().case(Case::Kept).typos(typos).missing(missing).surplus(surplus).swapped(swapped);
    let pattern = Pattern::with_damage(&text, damage).unwrap();
    let question = Question::new(&pattern, &versions).unwrap();
    let expected = answer(&form, edits, &versions);
    assert_eq!(question.estimate().candidates(), expected.candidates.to_string());
    for backend in Backend::available() {
        let outcome = Search::new(&question).backend(backend).threads(std::num::NonZeroUsize::MIN).run().unwrap();
        assert!(outcome.hits.iter().map(|hit| &hit.address).eq(&expected.addresses), "{text} {backend}");
        assert_eq!(outcome.hashes, expected.prefixes, "{text} {backend}");
    }
});
