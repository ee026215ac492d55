//! The watched jobs: every way to hash a secret of random bytes, with every backend.

use std::rc::Rc;

use hash_lanes::Backend;
use sumhash512::digest::{FixedOutput as _, Update as _};
use sumhash512::{
    Backend as RowBackend, CompressLookup, CompressMatrix, Compressor, Matrix,
    SaltedSumhash512Core, Sumhash512Core, Sumhash512Ct, Table,
};

/// Turns a secret into a result.
type Hash = Box<dyn Fn(&[u8]) -> Vec<u8>>;

/// Something that hashes a secret.
pub(crate) struct Job {
    /// What is computed. Jobs with the same name give the same result for the same secret.
    pub(crate) name: String,
    pub(crate) backend: &'static str,
    /// Whether it is known to leak its secret: then the leak has to be found.
    pub(crate) leaks: bool,
    pub(crate) secret_bytes: usize,
    pub(crate) hash: Hash,
}

impl Job {
    /// The secret: pseudorandom bytes (splitmix64) from this seed.
    pub(crate) fn secret(&self, seed: u64) -> Vec<u8> {
        let mut state = seed;
        let word = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        };
        let words: Vec<u64> =
            core::iter::repeat_with(word).take(self.secret_bytes.div_ceil(8)).collect();
        words.iter().flat_map(|word| word.to_le_bytes()).take(self.secret_bytes).collect()
    }
}

/// All jobs of this machine.
pub(crate) fn all() -> Vec<Job> {
    let mut jobs = vec![control()];
    for backend in Backend::available() {
        jobs.extend(in_lanes(backend));
    }
    let tables = Tables {
        constant_time: Rc::new(Table::constant_time()),
        looked_up: [("small", Rc::new(Table::new())), ("large", Rc::new(Table::large()))],
        matrix: Matrix::sumhash512(),
    };
    for backend in RowBackend::available().into_iter().chain(RowBackend::amx()) {
        jobs.extend(sums(backend, &tables));
    }
    jobs
}

/// The name of a job that leaks.
pub(crate) const CONTROL: &str = "a loop that ends at a byte";

/// A branch that depends on the secret.
fn control() -> Job {
    let hash =
        |secret: &[u8]| secret.iter().take_while(|&&byte| byte != 7).map(|byte| !byte).collect();
    Job {
        name: CONTROL.into(),
        backend: "portable",
        leaks: true,
        secret_bytes: 1000,
        hash: Box::new(hash),
    }
}

/// Cuts a secret into messages: message `i` has `length(i)` bytes.
fn messages(mut secret: &[u8], count: usize, length: impl Fn(usize) -> usize) -> Vec<&[u8]> {
    let mut cut = |i| secret.split_off(..length(i)).expect("the secret is long enough");
    (0..count).map(&mut cut).collect()
}

/// SHA-1, SHA-256, RIPEMD-160 and what is built on them.
fn in_lanes(backend: Backend) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut add = |name: String, secret_bytes, hash: Hash| {
        jobs.push(Job { name, backend: backend.name(), leaks: false, secret_bytes, hash });
    };
    /// A way to hash many messages: once with equal lengths, once with mixed lengths, and each time
    /// enough of them for every kernel of the backend.
    macro_rules! many {
        ($name:literal, $bytes:literal, $hash_many:expr) => {
            let equal = move |secret: &[u8]| {
                let mut digests = [[0; $bytes]; 31];
                $hash_many(backend, messages(secret, 31, |_| 70), &mut digests);
                digests.concat()
            };
            add(concat!($name, " of equal lengths").into(), 31 * 70, Box::new(equal));
            let ragged = move |secret: &[u8]| {
                let mut digests = [[0; $bytes]; 19];
                $hash_many(backend, messages(secret, 19, |i| 7 * i), &mut digests);
                digests.concat()
            };
            add(concat!($name, " of all lengths").into(), 7 * 18 * 19 / 2, Box::new(ragged));
        };
    }
    many!("SHA-1", 20, sha1_multi::hash_many_with);
    many!("SHA-256", 32, sha256_multi::hash_many_with);
    many!("SHA-256 twice", 32, sha256_multi::double_hash_many_with);
    many!("RIPEMD-160", 20, ripemd_multi::hash_many_with);

    /// A way to hash many messages of one length.
    macro_rules! fixed {
        ($name:literal, $length:literal, $bytes:literal, $hash_many:expr) => {
            let fixed = move |secret: &[u8]| {
                let mut digests = [[0; $bytes]; 31];
                let (messages, _) = secret.as_chunks::<$length>();
                $hash_many(backend, messages, &mut digests);
                digests.concat()
            };
            add($name.into(), 31 * $length, Box::new(fixed));
        };
    }
    fixed!("SHA-256 of nodes", 64, 32, sha256_multi::hash_pairs_with);
    fixed!("SHA-256 twice of nodes", 64, 32, sha256_multi::double_hash_pairs_with);
    fixed!("RIPEMD-160 of digests", 32, 20, ripemd_multi::hash_many_with);
    fixed!("HASH160 of short keys", 33, 20, ripemd_multi::hash160_many_with);
    fixed!("HASH160 of long keys", 65, 20, ripemd_multi::hash160_many_with);

    /// HMAC with secret keys, PBKDF2 with secret passwords; the messages are public.
    macro_rules! keyed {
        ($name:literal, $bytes:literal, $krate:ident) => {
            let macs = move |secret: &[u8]| {
                let mut macs = [[0; $bytes]; 31];
                let keys = messages(secret, 31, |_| 70);
                let texts = std::iter::repeat_n("a public message", 31);
                $krate::hmac_many_with(backend, keys, texts, &mut macs);
                macs.concat()
            };
            add(concat!("HMAC with ", $name).into(), 31 * 70, Box::new(macs));
            let outputs = move |secret: &[u8]| {
                let mut outputs = [[0; $bytes]; 31];
                let passwords = messages(secret, 31, |_| 10);
                let salts = std::iter::repeat_n("salt", 31);
                $krate::pbkdf2_many_with(backend, passwords, salts, 3, &mut outputs);
                outputs.concat()
            };
            add(concat!("PBKDF2 with ", $name).into(), 31 * 10, Box::new(outputs));
        };
    }
    keyed!("SHA-1", 20, sha1_multi);
    keyed!("SHA-256", 32, sha256_multi);

    let in_parts = move |secret: &[u8]| {
        let mut hasher = sha1_multi::ManyHasher::with_backend(backend, 5);
        for part in messages(secret, 4, |_| 5 * 30) {
            hasher.update_all(&messages(part, 5, |_| 30));
        }
        hasher.finalize().concat()
    };
    add("SHA-1 in parts".into(), 4 * 5 * 30, Box::new(in_parts));
    let root = move |secret: &[u8]| {
        let (leaves, _) = secret.as_chunks();
        merkle_lanes::root(&merkle_lanes::ssz::Ssz::new().with_backend(backend), leaves).into()
    };
    add("a tree of SHA-256".into(), 133 * 32, Box::new(root));
    jobs
}

/// The tables of sumhash512, which are slow to build.
struct Tables {
    constant_time: Rc<Table>,
    looked_up: [(&'static str, Rc<Table>); 2],
    matrix: Matrix,
}

/// The variants of sumhash512.
fn sums(backend: RowBackend, tables: &Tables) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut add = |name: String, leaks, secret_bytes, hash: Hash| {
        jobs.push(Job { name, backend: backend.name(), leaks, secret_bytes, hash });
    };
    /// One message with its last block and its length in one compression, one with them in two.
    const LENGTHS: [usize; 2] = [150, 188];
    let one = move |table: &Table, secret: &[u8]| {
        let digest = |message: &[u8]| {
            let (blocks, rest) = message.as_chunks();
            let mut core = Sumhash512Core::with_table(table).with_backend(backend);
            core.update_blocks(blocks);
            core.finalize(rest)
        };
        messages(secret, 2, |i| LENGTHS[i]).into_iter().map(digest).collect::<Vec<_>>().concat()
    };
    let table = tables.constant_time.clone();
    add("sumhash512".into(), false, 338, Box::new(move |secret| one(&table, secret)));
    for (name, table) in tables.looked_up.clone() {
        add(
            format!("sumhash512, {name} table"),
            true,
            338,
            Box::new(move |secret| one(&table, secret)),
        );
    }

    let digest_type = move |secret: &[u8]| {
        let mut digests = Vec::new();
        for message in messages(secret, 2, |i| LENGTHS[i]) {
            let (first, second) = message.split_at(100);
            let hasher = Sumhash512Ct::default().with_backend(backend);
            digests.extend(hasher.chain(first).chain(second).finalize_fixed());
        }
        digests
    };
    add("Sumhash512Ct".into(), false, 338, Box::new(digest_type));

    let table = tables.constant_time.clone();
    let salted = move |secret: &[u8]| {
        let (salt, message) = secret.split_first_chunk().expect("a salt");
        let (blocks, rest) = message.as_chunks();
        let mut core = SaltedSumhash512Core::with_table(&table, salt).with_backend(backend);
        core.update_blocks(blocks);
        core.finalize(rest).into()
    };
    add("sumhash512 with a salt".into(), false, 64 + 150, Box::new(salted));

    /// Enough to begin two groups of the widest batches.
    const COUNT: usize = 18;
    let table = tables.constant_time.clone();
    let many = move |secret: &[u8]| {
        let mut digests = [[0; 64]; COUNT];
        table.hash_many_with(backend, messages(secret, COUNT, |_| 100), &mut digests);
        digests.concat()
    };
    add("sumhash512 of many".into(), false, COUNT * 100, Box::new(many));
    let table = tables.constant_time.clone();
    let blocks = move |secret: &[u8]| {
        let (blocks, _) = secret.as_chunks();
        let (states, blocks) = blocks.split_at(COUNT);
        let mut states = states.to_vec();
        table.compress_many_with(backend, &mut states, blocks);
        states.concat()
    };
    add("sumhash512, a block of many".into(), false, COUNT * 128, Box::new(blocks));

    let compress = |compressor: &dyn Compressor, secret: &[u8]| {
        let mut output = vec![0; compressor.output_bytes()];
        compressor.compress(secret, &mut output);
        output
    };
    let matrix = CompressMatrix::new(&tables.matrix).with_backend(backend);
    add("CompressMatrix".into(), false, 128, Box::new(move |secret| compress(&matrix, secret)));
    let lookup = CompressLookup::new(&tables.matrix).with_backend(backend);
    add("CompressLookup".into(), true, 128, Box::new(move |secret| compress(&lookup, secret)));
    jobs
}
