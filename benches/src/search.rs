//! A complete search of addr-recover with each backend, not only its hashing.

use addr_recover::{Backend, Kind, Pattern, Search, SearchSpace};

use crate::harness::{Candidate, Role, Shape};

/// Bitcoin's first address in lower case: a complete search with few enough hashes for short turns.
const DAMAGED: &str = "1a1zp1ep5qgefi2dmptftl5slmv7divfna";

/// The address that the search finds.
const ADDRESS: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

/// The number of prefixes of the spellings that decode to 25 bytes.
const HASHES: usize = 262_402;

/// Length of version and payload in bytes.
const LEN: usize = 21;

pub(crate) fn shape() -> Shape {
    let names = ("addr-recover", "search".to_owned());
    Shape::new("addr-recover", names, (HASHES, HASHES * LEN), move |then| {
        let pattern = Pattern::parse(DAMAGED).expect("the pattern is valid");
        let space = SearchSpace::new(&pattern, &Kind::common_versions())
            .expect("only letter case is damaged");
        let space = &space;
        let candidate = |&backend: &Backend| {
            let role = Role::of(&backend, &Backend::detect());
            Candidate::returning(backend.name().to_owned(), role, move || {
                let search = Search::new(space).backend(backend).on_this_thread();
                let outcome = search.run().expect("the search is not cancelled");
                assert_eq!(outcome.hashes, HASHES as u64);
                outcome.hits[0].text.to_string()
            })
        };
        then(Backend::available().iter().map(candidate).collect(), ADDRESS.as_bytes());
    })
}
