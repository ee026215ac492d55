//! Random addresses of all networks, damaged at random. What happened to them is not described.
//! Another crate encodes them and checks the answers.

use addr_recover::{KINDS, Kind, Version};

use crate::{reports, run};

/// The generator of Numerical Recipes: the same addresses on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn alphabet(version: Version) -> &'static bs58::Alphabet {
    if version == Version::RIPPLE { bs58::Alphabet::RIPPLE } else { bs58::Alphabet::BITCOIN }
}

fn address(kind: &Kind, random: &mut Random) -> String {
    let [high, low] = kind.version.value().to_be_bytes();
    let mut message = if kind.version.is_one_byte() { vec![low] } else { vec![high, low] };
    message.extend((0..20).map(|_| random.below(256) as u8));
    bs58::encode(message).with_alphabet(alphabet(kind.version)).with_check().into_string()
}

/// The address with some characters changed, moved, removed or added. The first two say which
/// network it is of, unless what is wrong is there.
fn damaged(address: &str, random: &mut Random) -> String {
    const DIGITS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut text = address.as_bytes().to_vec();
    let at = 2 + random.below(text.len() - 3);
    let other = DIGITS[random.below(DIGITS.len())];
    match random.below(14) {
        0 => text[at] = b'?',
        1 => text[at] = other,
        2 => text.swap(at, at + 1),
        3 => drop(text.remove(at)),
        4 => text.insert(at, other),
        5 => {
            let alike = |digit| match digit {
                b'5' => b'S',
                b'S' => b'5',
                b'8' => b'B',
                b'B' => b'8',
                b'7' => b'T',
                b'2' => b'Z',
                b'1' => b'l',
                other => other,
            };
            text[2..].iter_mut().for_each(|digit| *digit = alike(*digit));
        }
        6 => {
            // Another keyboard.
            let other = |digit| match digit {
                b'y' => b'z',
                b'z' => b'y',
                b'Y' => b'Z',
                b'Z' => b'Y',
                other => other,
            };
            text.iter_mut().for_each(|digit| *digit = other(*digit));
        }
        7 => {
            text.swap(at, at + 1);
            let at = 2 + random.below(text.len() - 3);
            text.swap(at, at + 1);
        }
        8 => (0..2).for_each(|_| {
            text.remove(2 + random.below(30 - 2));
        }),
        9 => {
            text.insert(at, other);
            text.insert(2 + random.below(30), b'k');
        }
        10 => {
            text.remove(at);
            text[3] = other;
        }
        11 => text.truncate(text.len() - 2 - random.below(3)),
        12 => drop(text.drain(..2 + random.below(3))),
        _ => {
            let block = 4 * (1 + random.below(3));
            let (first, second) = text.split_at_mut(block);
            first[..4].swap_with_slice(&mut second[..4]);
        }
    }
    String::from_utf8(text).unwrap()
}

fn damaged_addresses_are_recovered_in(count: usize) {
    let mut random = Random(1);
    let mut missed = 0;
    for at in 0..count {
        let kind = &KINDS[at % KINDS.len()];
        let address = address(kind, &mut random);
        let text = damaged(&address, &mut random);
        // A common network may have addresses that begin like that of an uncommon one.
        let output = run(["--json", "--quiet", "--kind", "any", &text]);
        let report = reports(&output).remove(0);
        let hits = report["hits"].as_array().unwrap();
        if hits.iter().all(|hit| hit["address"] != address) {
            // Many look-alikes and a wrong character allow others by chance, and the status says
            // so.
            assert_ne!(report["status"], "unique", "{}: {text}: {report}", kind.id);
            missed += 1;
        }
        for hit in hits {
            let is_of = |kind: &&Kind| hit["version"] == kind.version.to_string();
            let version = KINDS.iter().find(is_of).unwrap().version;
            let check = bs58::decode(hit["address"].as_str().unwrap())
                .with_alphabet(alphabet(version))
                .with_check(None);
            assert!(check.into_vec().is_ok(), "{text}: {hit}");
        }
    }
    assert!(20 * missed <= count, "{missed} of {count} were missed");
}

#[test]
fn damaged_addresses_are_recovered() {
    damaged_addresses_are_recovered_in(20);
}

#[test]
#[ignore = "takes long"]
fn damaged_addresses_are_recovered_long() {
    damaged_addresses_are_recovered_in(500);
}
