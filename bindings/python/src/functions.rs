//! The hash functions by name: messages that arrive in parts, and files.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hash_lanes::engine::{self, PiecesHasher, UpdateMany};
use hash_lanes::{FileError, ReadProgress};
use pyo3::exceptions::{PyIndexError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use sumhash512::Sumhash512;
use sumhash512::digest::Digest;

use crate::buffers::{buffer, buffers, named, reserve, size, slices};
use crate::hashes::{bytes, list};

/// A hash function.
pub(crate) struct Function {
    name: &'static str,
    digest_bytes: usize,
    block_bytes: usize,
    /// The number of bytes that take a fraction of a second. Signals are checked between slices.
    pub(crate) slice: usize,
    /// A hasher of so many messages.
    new: fn(usize) -> Box<dyn Messages>,
    files: fn(&[PathBuf], &mut Watch<'_>) -> Vec<FileDigest>,
}

type FileDigest = Result<Vec<u8>, FileError>;

/// What is told how far the reading of files has come.
type Watch<'w> = dyn FnMut(ReadProgress) -> ControlFlow<()> + Send + 'w;

/// The number of bytes that a hash in lanes takes far less than a second for.
const SLICE: usize = 64 << 20;

/// A hash function whose hasher of so many messages is `$new`.
macro_rules! function {
    ($name:literal, $digest:literal, $block:literal, $slice:expr, $new:expr) => {
        Function {
            name: $name,
            digest_bytes: $digest,
            block_bytes: $block,
            slice: $slice,
            new: |count| Box::new($new(count)),
            files: |paths, watch| {
                let digests = engine::hash_files(paths, $new, watch);
                digests.into_iter().map(|digest| digest.map(|d| d.to_vec())).collect()
            },
        }
    };
}

pub(crate) static SHA256: Function =
    function!("sha256", 32, 64, SLICE, sha256_multi::ManyHasher::new);
pub(crate) static SHA512: Function =
    function!("sha512", 64, 128, SLICE, sha512_multi::ManyHasher::new);
pub(crate) static KECCAK256: Function =
    function!("keccak256", 32, 136, SLICE, sha3_multi::keccak256::ManyHasher::new);
pub(crate) static SHA3_256: Function =
    function!("sha3_256", 32, 136, SLICE, sha3_multi::sha3_256::ManyHasher::new);
pub(crate) static SHA1: Function = function!("sha1", 20, 64, SLICE, sha1_multi::ManyHasher::new);
pub(crate) static RIPEMD160: Function =
    function!("ripemd160", 20, 64, SLICE, ripemd_multi::ManyHasher::new);
pub(crate) static HASH160: Function =
    function!("hash160", 20, 64, SLICE, ripemd_multi::hash160::ManyHasher::new);
// It has no lanes and is the slowest.
pub(crate) static SUMHASH512: Function = function!("sumhash512", 64, 64, 4 << 20, Sumhashes::new);

static FUNCTIONS: [&Function; 8] =
    [&SHA256, &SHA512, &KECCAK256, &SHA3_256, &SHA1, &RIPEMD160, &HASH160, &SUMHASH512];

impl Function {
    fn named(name: &str) -> PyResult<&'static Self> {
        let function = FUNCTIONS.into_iter().find(|function| function.name == name);
        function.ok_or_else(|| {
            let names = FUNCTIONS.map(|function| function.name).join(", ");
            PyValueError::new_err(format!("no hash {name:?}; there are {names}"))
        })
    }

    /// A hasher of so many messages, or MemoryError, where Rust would panic.
    fn hasher(&self, count: usize) -> PyResult<Box<dyn Messages>> {
        // More than a message takes: its state, and 1 KiB that waits.
        reserve(&mut Vec::<u8>::new(), size(count, 2048)?)?;
        Ok((self.new)(count))
    }

    /// The digest of one long message, which is hashed in slices.
    pub(crate) fn hash_long<const N: usize>(
        &self,
        py: Python<'_>,
        message: &[u8],
    ) -> PyResult<[u8; N]> {
        let mut hasher = self.hasher(1)?;
        for slice in message.chunks(self.slice) {
            py.detach(|| hasher.update(0, slice));
            py.check_signals()?;
        }
        let mut digest = [0; N];
        digest.copy_from_slice(&hasher.digests()[0]);
        Ok(digest)
    }
}

/// A hasher of many messages that arrive in parts.
trait Messages: Send {
    fn update(&mut self, index: usize, bytes: &[u8]);
    fn update_all(&mut self, parts: &[&[u8]]);
    fn digests(&self) -> Vec<Vec<u8>>;
    fn copy(&self) -> Box<dyn Messages>;
}

impl<H: PiecesHasher<Digest: AsRef<[u8]>> + Clone + Send + 'static> Messages for H {
    fn update(&mut self, index: usize, bytes: &[u8]) {
        UpdateMany::update(self, index, bytes);
    }

    fn update_all(&mut self, parts: &[&[u8]]) {
        UpdateMany::update_all(self, parts);
    }

    fn digests(&self) -> Vec<Vec<u8>> {
        let digests = PiecesHasher::finalize(self.clone());
        digests.iter().map(|digest| digest.as_ref().to_vec()).collect()
    }

    fn copy(&self) -> Box<dyn Messages> {
        Box::new(self.clone())
    }
}

/// sumhash512 of messages in parts. Its lanes are the words of one state.
#[derive(Clone)]
struct Sumhashes(Vec<Sumhash512>);

impl Sumhashes {
    fn new(count: usize) -> Self {
        Self(vec![Sumhash512::default(); count])
    }
}

impl UpdateMany for Sumhashes {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn update(&mut self, index: usize, bytes: &[u8]) {
        Digest::update(&mut self.0[index], bytes);
    }

    fn update_all<P: AsRef<[u8]>>(&mut self, pieces: &[P]) {
        for (hasher, piece) in self.0.iter_mut().zip(pieces) {
            Digest::update(hasher, piece);
        }
    }
}

impl PiecesHasher for Sumhashes {
    type Digest = [u8; 64];

    fn finalize(self) -> Vec<[u8; 64]> {
        self.0.into_iter().map(|hasher| hasher.finalize().into()).collect()
    }
}

/// Messages in parts, which any thread may append to.
struct Shared {
    function: &'static Function,
    messages: Mutex<Box<dyn Messages>>,
}

impl Shared {
    fn new(name: &str, count: usize) -> PyResult<Self> {
        let function = Function::named(name)?;
        Ok(Self { function, messages: Mutex::new(function.hasher(count)?) })
    }

    /// Nobody waits for the GIL while holding the lock, so it may be taken with the GIL.
    fn lock(&self) -> MutexGuard<'_, Box<dyn Messages>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn copy(&self, py: Python<'_>) -> Self {
        let copy = py.detach(|| self.lock().copy());
        Self { function: self.function, messages: Mutex::new(copy) }
    }

    fn update(&self, index: usize, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = buffer(data, "data")?;
        for slice in data.as_bytes().chunks(self.function.slice) {
            data.py().detach(|| self.lock().update(index, slice));
            data.py().check_signals()?;
        }
        Ok(())
    }

    fn digests(&self, py: Python<'_>) -> Vec<Vec<u8>> {
        py.detach(|| self.lock().digests())
    }
}

/// Hashes one message that arrives in parts, as the objects of hashlib do.
///
/// The name is "sha256", "sha512", "keccak256", "sha3_256", "sha1", "ripemd160", "hash160" or
/// "sumhash512".
#[pyclass(frozen, module = "hashlanes")]
pub(crate) struct Hasher {
    shared: Shared,
}

#[pymethods]
impl Hasher {
    #[new]
    #[pyo3(signature = (name, data=None))]
    fn new(name: &str, data: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let shared = Shared::new(name, 1)?;
        if let Some(data) = data {
            shared.update(0, data)?;
        }
        Ok(Self { shared })
    }

    /// Appends bytes to the message.
    fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        self.shared.update(0, data)
    }

    /// Returns the digest of the message so far.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        bytes(py, &self.shared.digests(py)[0])
    }

    /// Returns the digest of the message so far in hexadecimal digits.
    fn hexdigest(&self, py: Python<'_>) -> String {
        hexadecimal(&self.shared.digests(py)[0])
    }

    /// Returns a hasher of the same message so far, which goes on independently.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { shared: self.shared.copy(py) }
    }

    /// The name of the hash.
    #[getter]
    fn name(&self) -> &str {
        self.shared.function.name
    }

    /// The number of bytes of a digest.
    #[getter]
    fn digest_size(&self) -> usize {
        self.shared.function.digest_bytes
    }

    /// The number of bytes of a block of the hash.
    #[getter]
    fn block_size(&self) -> usize {
        self.shared.function.block_bytes
    }

    fn __repr__(&self) -> String {
        format!("<hashlanes.Hasher: {}>", self.name())
    }
}

/// Hashes `count` messages that arrive in parts. The name is one of those that Hasher takes.
#[pyclass(frozen, module = "hashlanes")]
pub(crate) struct ManyHasher {
    shared: Shared,
    count: usize,
}

#[pymethods]
impl ManyHasher {
    #[new]
    fn new(name: &str, count: usize) -> PyResult<Self> {
        Ok(Self { shared: Shared::new(name, count)?, count })
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// Appends bytes to the message of this index.
    fn update(&self, index: usize, data: &Bound<'_, PyAny>) -> PyResult<()> {
        if index >= self.count {
            let text = format!("message {index} of a hasher of {} messages", self.count);
            return Err(PyIndexError::new_err(text));
        }
        self.shared.update(index, data)
    }

    /// Appends the part of the same index to each message. This fills the lanes.
    fn update_all(&self, parts: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = parts.py();
        let parts = buffers(parts, "part")?;
        let parts = slices(&parts)?;
        if parts.len() != self.count {
            let text = format!("{} parts for {} messages", parts.len(), self.count);
            return Err(PyValueError::new_err(text));
        }
        // Of equal parts, a slice of each at a time.
        let at_once = (self.shared.function.slice / parts.len().max(1)).max(1 << 12);
        let longest = parts.iter().map(|part| part.len()).max().unwrap_or(0);
        for start in (0..longest).step_by(at_once) {
            let cut = |part: &&[u8]| {
                let end = part.len().min(start.saturating_add(at_once));
                start.min(end)..end
            };
            let slices: Vec<_> = parts.iter().map(|part| &part[cut(part)]).collect();
            py.detach(|| self.shared.lock().update_all(&slices));
            py.check_signals()?;
        }
        Ok(())
    }

    /// Returns the digest of each message so far.
    fn digests<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        list(py, &self.shared.digests(py))
    }

    /// Returns the digest of each message so far in hexadecimal digits.
    fn hexdigests(&self, py: Python<'_>) -> Vec<String> {
        self.shared.digests(py).iter().map(|digest| hexadecimal(digest)).collect()
    }

    /// Returns a hasher of the same messages so far, which goes on independently.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { shared: self.shared.copy(py), count: self.count }
    }

    /// The name of the hash.
    #[getter]
    fn name(&self) -> &str {
        self.shared.function.name
    }

    /// The number of bytes of a digest.
    #[getter]
    fn digest_size(&self) -> usize {
        self.shared.function.digest_bytes
    }

    /// The number of bytes of a block of the hash.
    #[getter]
    fn block_size(&self) -> usize {
        self.shared.function.block_bytes
    }

    fn __repr__(&self) -> String {
        format!("<hashlanes.ManyHasher: {}, {} messages>", self.name(), self.count)
    }
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes whole files, on up to 12 threads, and returns the digest of each file.
///
/// The result of a file that cannot be opened or read is its OSError, which does not affect the
/// others. The name is one of those that Hasher takes. `progress(bytes, files)` is called with the
/// bytes read and the files ended so far, from any thread; an exception that it raises stops the
/// reading.
#[pyfunction]
#[pyo3(signature = (paths, name="sha256", *, progress=None))]
pub(crate) fn hash_files<'py>(
    paths: &Bound<'py, PyAny>,
    name: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = paths.py();
    let function = Function::named(name)?;
    let mut list: Vec<PathBuf> = Vec::new();
    if paths.extract::<PathBuf>().is_ok() {
        return Err(pyo3::exceptions::PyTypeError::new_err("the paths are one path; pass a list"));
    }
    for path in paths.try_iter()? {
        let path = path?
            .extract()
            .map_err(|error| named(py, &error, format_args!("path {}", list.len())))?;
        reserve(&mut list, 1)?;
        list.push(path);
    }
    let mut raised = Ok(());
    let results = py.detach(|| {
        (function.files)(&list, &mut |read| {
            raised = Python::attach(|py| {
                py.check_signals()?;
                match &progress {
                    Some(progress) => progress.call1(py, (read.bytes, read.ended)).map(drop),
                    None => Ok(()),
                }
            });
            if raised.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    });
    raised?;
    let digests = PyList::empty(py);
    for result in results {
        match result {
            Ok(digest) => digests.append(bytes(py, &digest)?)?,
            Err(error) => digests.append(os_error(py, &error))?,
        }
    }
    Ok(digests)
}

/// The OSError of a file, with its path.
fn os_error<'py>(py: Python<'py>, error: &FileError) -> Bound<'py, PyAny> {
    let (path, error) = (error.path().to_owned(), error.io_error());
    let error = match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, strerror(error), path)),
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    };
    error.into_value(py).into_bound(py).into_any()
}

/// The text of a system's error without its number, which Python shows itself.
fn strerror(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
