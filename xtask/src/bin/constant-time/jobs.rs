//! The watched jobs: every way to hash a secret of random bytes, with every backend.

use std::rc::Rc;

use hash_lanes::engine::AnyHash;
use hash_lanes::{Backend, Lanes};
use hashlanes::ripemd::{Hash160Lanes, Ripemd160Lanes};
use hashlanes::sha1::Sha1Lanes;
use hashlanes::sha3::{Keccak256Lanes, KtLanes, XofLanes};
use hashlanes::sha256::{ChainLayout, Sha256Lanes};
use hashlanes::sha512::Sha512Lanes;
use hashlanes::{blake2, sha1};
use slh_dsa_multi::{Sha2_128f, SigningKey};
use sumhash512::{Sumhash512Core, Table};

use crate::is_traced;

/// Hashes a secret.
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
        jobs.extend(listed(backend));
        jobs.extend(with_sha_instructions(backend));
        // Beside the kernels of SHA instructions, a backend has those of another one.
        if !backend.name().contains("sha") {
            jobs.extend(in_lanes_only(backend));
        }
    }
    let tables = [("small", Rc::new(Table::new())), ("large", Rc::new(Table::large()))];
    // The other backends use the same instructions for sumhash512.
    let is_wanted = |backend: &Backend| ["avx512", "avx2", "portable"].contains(&backend.name());
    for backend in Backend::available().into_iter().filter(is_wanted) {
        jobs.extend(sums(backend, &tables));
    }
    // Step by step a signature would take minutes.
    let signatures = Backend::available().into_iter().flat_map(signatures);
    jobs.extend(signatures.filter(|job| !is_traced(job)));
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

/// The jobs of one backend.
struct Jobs {
    backend: Backend,
    all: Vec<Job>,
}

impl Jobs {
    const fn new(backend: Backend) -> Self {
        Self { backend, all: Vec::new() }
    }

    fn add(&mut self, name: impl Into<String>, secret_bytes: usize, hash: Hash) {
        let backend = self.backend.name();
        self.all.push(Job { name: name.into(), backend, leaks: false, secret_bytes, hash });
    }
}

/// Adds ways to hash many messages: with equal lengths, and with mixed lengths, each time enough of
/// them for every kernel of the backend.
fn many<D: AsRef<[u8]>>(
    jobs: &mut Jobs,
    name: &str,
    hash_many: impl Fn(Vec<&[u8]>) -> Vec<D> + Copy + 'static,
) {
    let equal = move |secret: &[u8]| concat(&hash_many(messages(secret, 31, |_| 70)));
    jobs.add(format!("{name} of equal lengths"), 31 * 70, Box::new(equal));
    let ragged = move |secret: &[u8]| concat(&hash_many(messages(secret, 19, |i| 7 * i)));
    jobs.add(format!("{name} of all lengths"), 7 * 18 * 19 / 2, Box::new(ragged));
}

fn concat<D: AsRef<[u8]>>(digests: &[D]) -> Vec<u8> {
    let mut all = Vec::new();
    for digest in digests {
        all.extend_from_slice(digest.as_ref());
    }
    all
}

/// Adds messages that arrive in parts.
fn in_parts<F: AnyHash>(jobs: &mut Jobs, name: &str, lanes: Lanes<F>) {
    let in_parts = move |secret: &[u8]| {
        let mut hasher = lanes.many_hasher(5);
        for part in messages(secret, 4, |_| 5 * 30) {
            hasher.update_all(&messages(part, 5, |_| 30));
        }
        concat(&hasher.finalize())
    };
    jobs.add(format!("{name} in parts"), 4 * 5 * 30, Box::new(in_parts));
}

/// The hashes of the list that CPUs have instructions for.
const WITH_SHA_INSTRUCTIONS: [&str; 4] =
    ["Sha1Lanes", "Sha224Lanes", "Sha256Lanes", "Hash160Lanes"];

/// Defines `listed`: messages of each hash of the list.
macro_rules! listed {
    ($(
        $feature:literal, $krate:ident, [$($path:tt)+], $Lanes:ident, $bytes:literal
        $(=> $new:ident $New:ident $(, $old:ident $Old:ident)?)?;
    )+) => {
        fn listed(backend: Backend) -> Vec<Job> {
            let mut jobs = Jobs::new(backend);
            $(
                let name = stringify!($Lanes);
                // Beside the kernels of SHA instructions, a backend has those of another one.
                if !backend.name().contains("sha") || WITH_SHA_INSTRUCTIONS.contains(&name) {
                    let lanes = hashlanes::$krate::$Lanes::on(backend);
                    many(&mut jobs, name, move |messages| lanes.hash_many(messages));
                    in_parts(&mut jobs, name, lanes);
                }
            )+
            jobs.all.retain(|job| !is_sponge_in_parts(job) || !is_traced(job));
            jobs.all
        }
    };
}

hashlanes::each_hash!(listed);

/// Single-stepping reports leaks of some of these on AVX-512. Valgrind, which knows each bit,
/// reports none with other kernels, and the code around the kernels is the same. The likely cause
/// is the coarse rule: it takes a number for secret that is loaded together with secret bytes.
fn is_sponge_in_parts(job: &Job) -> bool {
    let is_sponge = ["Keccak", "Sha3", "Shake"].iter().any(|name| job.name.starts_with(name));
    is_sponge && job.name.ends_with(" in parts")
}

/// Adds a way to hash many messages of one length.
macro_rules! fixed {
    ($jobs:ident, $name:literal, $length:literal, $lanes:ident.$hash_many:ident) => {
        let fixed =
            move |secret: &[u8]| concat(&$lanes.$hash_many(secret.as_chunks::<$length>().0));
        $jobs.add($name, 31 * $length, Box::new(fixed));
    };
}

/// Defines `keyed_blake2`: BLAKE2's functions with a secret key.
macro_rules! keyed_blake2 {
    ($($name:literal, $module:ident, $Lanes:ident: $Hash:ident, $bytes:literal;)+) => {
        fn keyed_blake2(jobs: &mut Jobs) {
            let backend = jobs.backend;
            $(
                let macs = move |secret: &[u8]| {
                    let params = blake2::$module::Params::new().key(secret).on(backend);
                    params.hash_many(std::iter::repeat_n("a public message", 31)).concat()
                };
                jobs.add(concat!($name, " with a key"), 32, Box::new(macs));
            )+
        }
    };
}

blake2::each_function!(keyed_blake2);

/// Adds HMAC with secret keys, and PBKDF2 with secret passwords; the messages are public.
macro_rules! keyed {
    ($jobs:ident, $name:literal, $bytes:literal, $lanes:ident) => {
        let macs = move |secret: &[u8]| {
            let keys = messages(secret, 31, |_| 70);
            $lanes.hmac_many(keys, std::iter::repeat_n("a public message", 31)).concat()
        };
        $jobs.add(concat!("HMAC with ", $name), 31 * 70, Box::new(macs));
        let outputs = move |secret: &[u8]| {
            let passwords = messages(secret, 31, |_| 10);
            let salts = std::iter::repeat_n("salt", 31);
            $lanes.pbkdf2_many::<$bytes>(passwords, salts, 3).concat()
        };
        $jobs.add(concat!("PBKDF2 with ", $name), 31 * 10, Box::new(outputs));
    };
}

/// What is built on SHA-1 and SHA-256: CPUs have instructions for these.
fn with_sha_instructions(backend: Backend) -> Vec<Job> {
    let (sha1, sha256) = (Sha1Lanes::on(backend), Sha256Lanes::on(backend));
    let hash160 = Hash160Lanes::on(backend);
    let mut jobs = Jobs::new(backend);
    many(&mut jobs, "SHA-256 twice", move |messages| sha256.double_hash_many(messages));
    fixed!(jobs, "SHA-256 of nodes", 64, sha256.hash_pairs);
    fixed!(jobs, "SHA-256 twice of nodes", 64, sha256.double_hash_pairs);
    fixed!(jobs, "HASH160 of short keys", 33, hash160.hash_many);
    fixed!(jobs, "HASH160 of long keys", 65, hash160.hash_many);
    keyed!(jobs, "SHA-1", 20, sha1);
    keyed!(jobs, "SHA-256", 32, sha256);

    let conditions = move |secret: &[u8]| {
        let blocks = secret.as_chunks().0;
        let mut met = vec![0; blocks.len()];
        sha1::hazmat::conditions::conditions_met(backend.widest(), blocks, &mut met);
        met.iter().flat_map(|word| word.to_le_bytes()).collect()
    };
    jobs.add("the conditions of SHA-1's collisions", 19 * 64, Box::new(conditions));
    jobs.all.push(collision_detection(backend));
    let chains = move |secret: &[u8]| {
        let mut messages = secret.to_vec();
        let layout = ChainLayout::new(38, 22..38).with_counter(18..22);
        sha256.hash_chains(&layout, &mut messages, &[2, 1, 3].repeat(7));
        messages
    };
    jobs.add("chains of SHA-256", 21 * 38, Box::new(chains));
    let root = move |secret: &[u8]| {
        let (leaves, _) = secret.as_chunks();
        merkle_lanes::root(&merkle_lanes::ssz::Ssz::new().with_backend(backend), leaves).into()
    };
    jobs.add("a tree of SHA-256", 133 * 32, Box::new(root));
    jobs.all
}

/// SHA-1 with collision detection. It leaks which blocks it looks into: of these 200 blocks ten.
fn collision_detection(backend: Backend) -> Job {
    let hash = move |secret: &[u8]| {
        let messages = messages(secret, 20, |_| 640);
        let digests = sha1::checked::CheckedLanes::on(backend).hash_many(messages);
        digests.iter().flat_map(|checked| checked.any_digest()).collect()
    };
    Job {
        name: "SHA-1 with collision detection".into(),
        backend: backend.name(),
        leaks: true,
        secret_bytes: 20 * 640,
        hash: Box::new(hash),
    }
}

/// Other shapes and functions of SHA-512, RIPEMD-160, BLAKE2 and the family of Keccak.
fn in_lanes_only(backend: Backend) -> Vec<Job> {
    let (sha512, ripemd160) = (Sha512Lanes::on(backend), Ripemd160Lanes::on(backend));
    let keccak = Keccak256Lanes::on(backend);
    let mut jobs = Jobs::new(backend);
    keyed!(jobs, "SHA-512", 64, sha512);
    keyed_blake2(&mut jobs);
    fixed!(jobs, "RIPEMD-160 of digests", 32, ripemd160.hash_many);
    fixed!(jobs, "Keccak-256 of slot keys", 32, keccak.hash_many);
    fixed!(jobs, "Keccak-256 of public keys", 64, keccak.hash_many);
    fixed!(jobs, "Keccak-256 of whole blocks", 136, keccak.hash_many);

    let shake = XofLanes::shake128().with_backend(backend);
    let squeezed = move |secret: &[u8]| {
        let mut readers = shake.readers(messages(secret, 13, |i| 9 * i));
        [readers.read::<500>().concat(), readers.read::<3>().concat()].concat()
    };
    jobs.add("SHAKE128, read in parts", 9 * 12 * 13 / 2, Box::new(squeezed));
    let kt128 = KtLanes::kt128().with_backend(backend);
    let tree = move |secret: &[u8]| kt128.xof::<32>(secret, b"").to_vec();
    jobs.add("KT128 of a tree", 5 * 8192 + 99, Box::new(tree));
    jobs.all
}

/// A key and a signature of SLH-DSA, from a secret seed and a secret key of its randomizers.
/// Signing branches on the roots that it signs, which are made of the seed: these are leaks while
/// nobody says that roots are public. One backend shows that they would be found.
fn signatures(backend: Backend) -> impl Iterator<Item = Job> {
    let sign = move |secret: &[u8]| {
        let (sk_seed, sk_prf) = secret.split_at(16);
        let key = SigningKey::<Sha2_128f>::from_seeds_on(backend, sk_seed, sk_prf, &[3; 16]);
        let key = key.expect("seeds of 16 bytes");
        let signature = key.try_sign_with_context(b"a public message", b"", None);
        signature.expect("a short context").as_ref().to_vec()
    };
    let jobs =
        [(false, "a signature of SLH-DSA"), (true, "a signature of SLH-DSA, nothing public")];
    let is_wanted = move |&(leaks, _): &(bool, _)| !leaks || backend.name() == "portable";
    jobs.into_iter().filter(is_wanted).map(move |(leaks, name)| Job {
        name: name.into(),
        backend: backend.name(),
        leaks,
        secret_bytes: 32,
        hash: Box::new(sign),
    })
}

/// sumhash512 of one message. It leaks: it looks up sums at addresses that depend on the message.
fn sums(backend: Backend, tables: &[(&str, Rc<Table>)]) -> Vec<Job> {
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
    let job = |(size, table): &(&str, Rc<Table>)| {
        let table = table.clone();
        Job {
            name: format!("sumhash512, {size} table"),
            backend: backend.name(),
            leaks: true,
            secret_bytes: LENGTHS.iter().sum(),
            hash: Box::new(move |secret| one(&table, secret)),
        }
    };
    tables.iter().map(job).collect()
}
