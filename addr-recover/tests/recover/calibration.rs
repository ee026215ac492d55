//! Answers are as sure as they say: of texts that are no addresses, as many get an answer that is
//! not uncertain as are expected by chance.

use addr_recover::{
    Certainty, DOUBTFUL_GUESS, Damage, EthereumSpace, Evidence, Ladder, Pattern, Reading, Search,
    SearchSpace, Version, repair,
};

/// The generator of Numerical Recipes: the same texts on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn text(&mut self, length: usize, alphabet: &str) -> String {
        let alphabet = alphabet.as_bytes();
        (0..length).map(|_| char::from(alphabet[self.below(alphabet.len())])).collect()
    }
}

const BASE58: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// What is expected of some texts, and what they got.
#[derive(Default)]
struct Tally {
    texts: usize,
    /// The sum of what is expected by chance.
    expected: f64,
    /// How many texts are expected to have a single hit.
    mean: f64,
    /// The answers that are likely or certain, and those that are certain.
    sure: usize,
    certain: usize,
}

impl Tally {
    fn add(&mut self, evidence: &Evidence) {
        self.sure += usize::from(evidence.certainty() < Certainty::Uncertain);
        self.certain += usize::from(evidence.certainty() == Certainty::Certain);
    }

    /// The number of sure answers is binomial, and nearly Poisson: beyond four standard deviations
    /// it is once in ten thousand times.
    fn check(&self, name: &str) {
        let Self { texts, expected, mean, sure, certain } = self;
        println!(
            "{name}: {texts} texts, {expected:.2} expected by chance, {mean:.2} of them sure; \
             {sure} sure, {certain} certain"
        );
        let deviation = (*sure as f64 - mean).abs();
        assert!(deviation <= 4.0 * mean.sqrt().max(1.0), "{name}: {sure} of {mean:.2}");
        assert!(*certain <= *sure);
    }
}

/// Visible damage to the end of a text.
fn unreadable(random: &mut Random) -> String {
    let set = &BASE58[..20 + random.below(30)];
    format!("1{}????[{set}]", random.text(28, BASE58))
}

#[test]
fn sure_answers_to_garbage_are_as_many_as_expected() {
    let mut random = Random(2026);
    let mut tally = Tally::default();
    for _ in 0..1000 {
        let pattern = Pattern::parse(&unreadable(&mut random)).unwrap();
        let space = SearchSpace::new(&pattern, &[Version::byte(0)]).unwrap();
        let expected = space.estimate().expected_by_chance;
        let hits = Search::new(&space).on_this_thread().run().unwrap().hits.len();
        let evidence = Evidence { hits, expected_by_chance: expected, likelihood: 1.0 };
        (tally.texts, tally.expected) = (tally.texts + 1, tally.expected + expected);
        if (Evidence { hits: 1, ..evidence }).certainty() < Certainty::Uncertain {
            tally.mean += expected * (-expected).exp();
        }
        tally.add(&evidence);
    }
    tally.check("visible damage");
    assert!(tally.sure > 10, "too few to tell");
}

/// Climbs a ladder until something is found or more would be uncertain.
fn climb<S>(tally: &mut Tally, ladder: Ladder<'_, S>, hits_of: impl Fn(&S) -> usize) {
    tally.texts += 1;
    let mut expected = 0.0;
    for rung in ladder {
        expected += rung.expected_by_chance;
        // Whatever is found after that is uncertain.
        if expected >= DOUBTFUL_GUESS {
            break;
        }
        tally.expected += rung.expected_by_chance;
        tally.mean += rung.expected_by_chance;
        let hits = hits_of(&rung.space);
        let likelihood = rung.likelihood;
        tally.add(&Evidence { hits, expected_by_chance: expected, likelihood });
        if hits > 0 {
            break;
        }
    }
}

#[test]
fn sure_guesses_about_garbage_are_as_many_as_expected() {
    let mut random = Random(7);
    let mut tally = Tally::default();
    let versions = [Version::byte(0)];
    for _ in 0..500 {
        let text = format!("1{}???[23456789]{}", random.text(28, BASE58), random.text(1, BASE58));
        let pattern = Pattern::parse(&text).unwrap();
        let space = SearchSpace::new(&pattern, &versions).unwrap();
        let hits = |space: &_| Search::new(space).on_this_thread().run().unwrap().hits.len();
        climb(&mut tally, Ladder::new(&pattern, &space, Some(&versions)), hits);
    }
    tally.check("guesses");
}

#[test]
fn sure_corrections_of_garbage_are_as_many_as_expected() {
    let mut random = Random(58);
    let (mut bech32, mut ethereum) = (Tally::default(), Tally::default());
    for _ in 0..100 {
        bech32.texts += 1;
        let Ok(answer) = repair(&format!("bc1q{}", random.text(38, BECH32))) else { continue };
        if let Some(evidence) = answer.evidence() {
            bech32.add(&evidence);
        }
    }
    let none = Damage::default();
    for _ in 0..400 {
        // Just enough letters for an answer that is not uncertain.
        let letters = random.text(17, "abcdefABCDEF");
        let text = format!("0x{letters}{}", random.text(23, "0123456789"));
        let space = EthereumSpace::of(&Reading::of(&text).unwrap(), &none).unwrap().unwrap();
        let hits = |space: &EthereumSpace| space.search(&|_| true).unwrap().len();
        climb(&mut ethereum, space.ladder(&none), hits);
    }
    // Up to two wrong characters of 39, whose checksum has 30 bits.
    bech32.mean = 100.0 * 713_000.0 / 2_f64.powi(30);
    bech32.expected = bech32.mean;
    bech32.check("Bech32");
    ethereum.check("Ethereum");
}
