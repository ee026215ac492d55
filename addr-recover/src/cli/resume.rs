//! Resumes searches.

use std::path::Path;

use super::args::RunArgs;
use super::save::ProgressFile;
use super::{Failure, batch, is_standard_input, read_input, saved, single};

/// Resumes the search that a file describes, and keeps its progress in the file. Standard input is
/// not changed.
pub(crate) fn run(file: &Path, run: RunArgs) -> Result<u8, Failure> {
    let (progress_file, bytes) = if is_standard_input(file) {
        (None, read_input(file)?)
    } else {
        let (progress_file, bytes) = ProgressFile::open(file)?;
        (Some(progress_file), bytes)
    };
    let job = saved::job(file, &bytes, run)?;
    let progress_file = progress_file.unwrap_or_else(|| ProgressFile::of(&job.run));
    job.finish(progress_file, if job.is_batch { batch::answer } else { single::answer })
}
