//! The functions that hash many messages.

use hash_lanes::{ChainError, ChainLayout};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList};
use sha3_multi::{XofLanes, keccak256, sha3_256};

use crate::buffers::{buffer, buffers, collect, count, digests, integers, reserve, size, slices};
use crate::functions::{self, Function};

/// What a message costs beside its bytes, as a number of bytes.
const MESSAGE: usize = 128;

/// Hashes messages: a list of them to a list of digests, or those of one length in a buffer to
/// digests end to end.
///
/// Signals are checked between slices of messages, so that Ctrl-C ends a long call.
fn many<'py, const N: usize>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
    function: &Function,
    hash: impl Fn(&mut dyn Iterator<Item = &[u8]>, &mut [[u8; N]]) + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let Some(length) = length else {
        let messages = buffers(messages, "message")?;
        let messages = slices(&messages)?;
        let mut digests = digests(messages.len())?;
        let mut first = 0;
        while first < messages.len() {
            let next = first + fitting(&messages[first..], function.slice);
            if next == first {
                digests[first] = function.hash_long(py, messages[first])?;
                first += 1;
                continue;
            }
            let (messages, digests) = (&messages[first..next], &mut digests[first..next]);
            py.detach(|| hash(&mut messages.iter().copied(), digests));
            py.check_signals()?;
            first = next;
        }
        return list(py, &digests);
    };
    let buffer = buffer(messages, "messages, with a length")?;
    let bytes = buffer.as_bytes();
    let digests = PyBytes::new_with(py, size(count(bytes, length)?, N)?, |digests| {
        let digests = digests.as_chunks_mut().0;
        if length > function.slice {
            for (digest, message) in digests.iter_mut().zip(bytes.chunks_exact(length)) {
                *digest = function.hash_long(py, message)?;
            }
            return Ok(());
        }
        let at_once = function.slice / (length + MESSAGE).min(function.slice);
        for (digests, bytes) in digests.chunks_mut(at_once).zip(bytes.chunks(at_once * length)) {
            py.detach(|| hash(&mut bytes.chunks_exact(length), digests));
            py.check_signals()?;
        }
        Ok(())
    })?;
    Ok(digests.into_any())
}

/// How many of the first messages are a slice of at most so many bytes.
fn fitting(messages: &[&[u8]], slice: usize) -> usize {
    let mut bytes = 0_usize;
    let fits = |message: &&&[u8]| {
        bytes = bytes.saturating_add(message.len()).saturating_add(MESSAGE);
        bytes <= slice.saturating_add(MESSAGE)
    };
    messages.iter().take_while(fits).count()
}

/// A Python list of digests. Raises MemoryError where `PyBytes::new` and `PyList::new` would panic.
pub(crate) fn list<'py>(
    py: Python<'py>,
    digests: &[impl AsRef<[u8]>],
) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(py);
    for digest in digests {
        list.append(bytes(py, digest.as_ref())?)?;
    }
    Ok(list.into_any())
}

/// Python's bytes. Raises MemoryError where `PyBytes::new` would panic.
pub(crate) fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })
}

/// Hashes messages with SHA-256, 32 bytes per digest.
///
/// sha256_many(messages) hashes each message of a list and returns a list.
/// sha256_many(buffer, length) hashes each `length` bytes of a buffer and returns the digests end
/// to end.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sha256_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, &functions::SHA256, |messages, digests| {
        sha256_multi::hash_many_into(messages, digests)
    })
}

/// Hashes messages with SHA-512, 64 bytes per digest. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sha512_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, &functions::SHA512, |messages, digests| {
        sha512_multi::hash_many_into(messages, digests)
    })
}

/// Hashes messages with Keccak-256, Ethereum's hash, 32 bytes per digest. It is not SHA3-256: the
/// padding differs. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn keccak256_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, &functions::KECCAK256, |messages, digests| {
        keccak256::hash_many_into(messages, digests)
    })
}

/// Hashes messages with SHA3-256, 32 bytes per digest. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sha3_256_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, &functions::SHA3_256, |messages, digests| {
        sha3_256::hash_many_into(messages, digests)
    })
}

/// Hashes messages with SHA-1, 20 bytes per digest. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sha1_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, &functions::SHA1, |messages, digests| {
        sha1_multi::hash_many_into(messages, digests)
    })
}

/// Hashes messages with RIPEMD-160, 20 bytes per digest. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn ripemd160_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, &functions::RIPEMD160, |messages, digests| {
        ripemd_multi::hash_many_into(messages, digests)
    })
}

/// Hashes messages with HASH160, which is RIPEMD-160 of SHA-256, 20 bytes per digest. Bitcoin
/// addresses are HASH160 of public keys. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn hash160_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, &functions::HASH160, |messages, digests| {
        ripemd_multi::hash160_many_into(messages, digests)
    })
}

/// Hashes messages with Algorand's sumhash512, 64 bytes per digest. The arguments are those of
/// sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sumhash512_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, &functions::SUMHASH512, |messages, digests| {
        sumhash512::hash_many_into(messages, digests)
    })
}

/// Hashes each 64 bytes of a buffer with SHA-256, and returns the digests end to end: one level of
/// a Merkle tree from the level below. With double=True, the digest is hashed again, as in Bitcoin.
#[pyfunction]
#[pyo3(signature = (buffer, double=false))]
pub(crate) fn sha256_pairs<'py>(
    buffer: &Bound<'py, PyAny>,
    double: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = buffer.py();
    let buffer = self::buffer(buffer, "buffer")?;
    let bytes = buffer.as_bytes();
    let hash = if double {
        sha256_multi::double_hash_pairs_into::<[u8; 64]>
    } else {
        sha256_multi::hash_pairs_into::<[u8; 64]>
    };
    PyBytes::new_with(py, size(count(bytes, 64)?, 32)?, |digests| {
        py.detach(|| hash(bytes.as_chunks().0, digests.as_chunks_mut().0));
        Ok(())
    })
}

/// Returns HMAC-SHA256 of each message with the key of the same index.
#[pyfunction]
pub(crate) fn hmac_sha256_many<'py>(
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = keys.py();
    let (keys, messages) = (buffers(keys, "key")?, buffers(messages, "message")?);
    let (keys, messages) = (slices(&keys)?, slices(&messages)?);
    if keys.len() != messages.len() {
        let text = format!("{} keys, but {} messages", keys.len(), messages.len());
        return Err(PyValueError::new_err(text));
    }
    let mut macs: Vec<[u8; 32]> = digests(keys.len())?;
    let mut first = 0;
    while first < keys.len() {
        // A longer message is hashed at once.
        let next = first + fitting(&messages[first..], functions::SHA256.slice).max(1);
        let (keys, messages) = (&keys[first..next], &messages[first..next]);
        py.detach(|| sha256_multi::hmac_many_into(keys, messages, &mut macs[first..next]));
        py.check_signals()?;
        first = next;
    }
    list(py, &macs)
}

/// Derives a key of `dklen` bytes from each password with the salt of the same index, by
/// PBKDF2-HMAC-SHA256. `iterations` is one number for all, or a list with one for each.
#[pyfunction]
#[pyo3(signature = (passwords, salts, iterations, dklen=32))]
pub(crate) fn pbkdf2_sha256_many<'py>(
    passwords: &Bound<'py, PyAny>,
    salts: &Bound<'py, PyAny>,
    iterations: &Bound<'py, PyAny>,
    dklen: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = passwords.py();
    let (passwords, salts) = (buffers(passwords, "password")?, buffers(salts, "salt")?);
    let (passwords, salts) = (slices(&passwords)?, slices(&salts)?);
    if passwords.len() != salts.len() {
        let text = format!("{} passwords, but {} salts", passwords.len(), salts.len());
        return Err(PyValueError::new_err(text));
    }
    let iterations = if iterations.is_instance_of::<PyInt>() {
        let one: u32 = iterations.extract()?;
        let mut list = Vec::new();
        reserve(&mut list, passwords.len())?;
        list.resize(passwords.len(), one);
        // Checked even without passwords.
        if one == 0 { vec![0] } else { list }
    } else {
        integers(iterations, "iteration count")?
    };
    if iterations.contains(&0) || dklen == 0 {
        return Err(PyValueError::new_err("iterations and dklen must be at least 1"));
    }
    if iterations.len() != passwords.len() {
        let text =
            format!("{} passwords, but {} iteration counts", passwords.len(), iterations.len());
        return Err(PyValueError::new_err(text));
    }
    if dklen.div_ceil(32) > u32::MAX as usize {
        return Err(PyValueError::new_err("dklen exceeds 2^32 - 1 digests"));
    }
    let keys = PyBytes::new_with(py, size(passwords.len(), dklen)?, |keys| {
        let mut keys = collect(keys.chunks_exact_mut(dklen))?;
        // As many as take a fraction of a second, and at least a message for each lane.
        let most = iterations.iter().copied().max().unwrap_or(1) as usize;
        let rounds = most.saturating_mul(dklen.div_ceil(32));
        let at_once = (MAX_STEPS / rounds.min(MAX_STEPS)).max(16);
        for (i, keys) in keys.chunks_mut(at_once).enumerate() {
            let (start, end) = (i * at_once, i * at_once + keys.len());
            let (passwords, salts) = (&passwords[start..end], &salts[start..end]);
            let iterations = &iterations[start..end];
            py.detach(|| sha256_multi::pbkdf2_many_into(passwords, salts, iterations, keys));
            py.check_signals()?;
        }
        Ok(())
    })?;
    list(py, &collect(keys.as_bytes().chunks_exact(dklen))?)
}

/// The number of hashes of short messages that take a fraction of a second.
const MAX_STEPS: usize = 1 << 22;

/// The number of chains that advance together.
const CHAINS: usize = 1 << 12;

/// Advances the chains in a buffer of messages of `length` bytes.
fn chains<'py>(
    messages: &Bound<'py, PyAny>,
    steps: &Bound<'py, PyAny>,
    length: usize,
    value: Option<(usize, usize)>,
    counter: Option<(usize, usize)>,
    hash: impl Fn(&ChainLayout, &mut [u8], &[u32]) -> Result<(), ChainError> + Sync,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = messages.py();
    let refused = |error: ChainError| PyValueError::new_err(error.to_string());
    let (start, end) = value.unwrap_or((0, length));
    let counter = counter.map(|(start, end)| start..end);
    let layout = ChainLayout::try_new(length, start..end, counter).map_err(refused)?;
    let messages = buffer(messages, "messages")?;
    let mut steps = integers(steps, "step")?;
    PyBytes::new_with(py, messages.as_bytes().len(), |chains| {
        chains.copy_from_slice(messages.as_bytes());
        if chains.len() != length * steps.len() {
            return hash(&layout, chains, &steps).map_err(refused);
        }
        // A chain goes on where it stopped, so that Ctrl-C ends a long call.
        let groups = chains.chunks_mut(CHAINS * length).zip(steps.chunks_mut(CHAINS));
        for (chains, steps) in groups {
            let at_once = (MAX_STEPS / steps.len()) as u32;
            loop {
                let now: Vec<u32> = steps.iter().map(|&left| left.min(at_once)).collect();
                py.detach(|| hash(&layout, chains, &now)).map_err(refused)?;
                steps.iter_mut().zip(&now).for_each(|(left, now)| *left -= now);
                py.check_signals()?;
                if steps.iter().all(|&left| left == 0) {
                    break;
                }
            }
        }
        Ok(())
    })
}

/// Hashes each message of a chain with SHA-256 as many times as its step count says, each time with
/// the digest in the place of the value, as in hash-based signatures.
///
/// `messages` is a buffer of messages of `length` bytes. `steps` has one number for each. `value`
/// is the (start, end) of the bytes of a message that become the beginning of the digest, by
/// default all of them. `counter` is the (start, end) of at most four bytes, the most significant
/// first, to which each step adds one. Returns the messages after the last step, end to end.
///
/// A message has at most 55 bytes, and a value 32.
#[pyfunction]
#[pyo3(signature = (messages, steps, length=32, *, value=None, counter=None))]
pub(crate) fn sha256_chains<'py>(
    messages: &Bound<'py, PyAny>,
    steps: &Bound<'py, PyAny>,
    length: usize,
    value: Option<(usize, usize)>,
    counter: Option<(usize, usize)>,
) -> PyResult<Bound<'py, PyBytes>> {
    chains(messages, steps, length, value, counter, sha256_multi::try_hash_chains)
}

/// Advances chains of SHA-512. The arguments are those of sha256_chains. A message has at most 111
/// bytes, and a value 64.
#[pyfunction]
#[pyo3(signature = (messages, steps, length=64, *, value=None, counter=None))]
pub(crate) fn sha512_chains<'py>(
    messages: &Bound<'py, PyAny>,
    steps: &Bound<'py, PyAny>,
    length: usize,
    value: Option<(usize, usize)>,
    counter: Option<(usize, usize)>,
) -> PyResult<Bound<'py, PyBytes>> {
    chains(messages, steps, length, value, counter, sha512_multi::try_hash_chains)
}

/// Advances chains of SHAKE256. The arguments are those of sha256_chains. A message has at most 135
/// bytes. A value may be as long as the message: it takes as much output.
#[pyfunction]
#[pyo3(signature = (messages, steps, length=32, *, value=None, counter=None))]
pub(crate) fn shake256_chains<'py>(
    messages: &Bound<'py, PyAny>,
    steps: &Bound<'py, PyAny>,
    length: usize,
    value: Option<(usize, usize)>,
    counter: Option<(usize, usize)>,
) -> PyResult<Bound<'py, PyBytes>> {
    chains(messages, steps, length, value, counter, |layout, messages, steps| {
        XofLanes::shake256().try_hash_chains(layout, messages, steps)
    })
}
