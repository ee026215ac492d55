//! What can be asked for.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use globset::{Glob, GlobSet, GlobSetBuilder};
use torrent_check::{Backend, Escaped, FileKind, Order, Torrent};

use super::Failure;

/// Verifies the download of a torrent of version 1, 2 or both.
///
/// Says of every file and every piece whether it is good, and why it is not.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit status: 0 all files are good, 1 some file is not, 2 the torrent is malformed or the usage wrong, 130 ended by \
                  Ctrl-C."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) check: CheckArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what a torrent consists of
    Info {
        /// The torrent's file
        #[arg(value_name = "FILE.torrent")]
        file: PathBuf,
        /// Print JSON: one object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The torrent's file
    #[arg(value_name = "FILE.torrent")]
    torrent: Option<PathBuf>,

    /// The folder of downloads, in which the content has the torrent's name; or the folder of that
    /// name itself
    #[arg(value_name = "DOWNLOAD_DIR")]
    folder: Option<PathBuf>,

    /// The content itself, file or folder, whatever it is called
    #[arg(long, value_name = "PATH")]
    pub(crate) content: Option<PathBuf>,

    /// Check only files whose paths match; * matches / too; may be repeated
    #[arg(long, value_name = "GLOB")]
    files: Vec<Glob>,

    /// Do not read again what this file says is good, unless its files have changed; write to it
    /// what is good now
    #[arg(long, value_name = "FILE")]
    pub(crate) resume_file: Option<PathBuf>,

    /// Look for files that are not good (version 2 and hybrid) under other names, by their roots
    #[arg(long)]
    pub(crate) find_renamed: bool,

    /// The number of threads, instead of one for each core
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// How to hash, instead of the best way of this machine
    #[arg(long, value_name = "NAME", value_parser = backends())]
    backend: Option<Backend>,

    /// How to read: many pieces at a time, or one after another, as rotating disks need it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) order: OrderArg,

    /// Print JSON: one object
    #[arg(long)]
    pub(crate) json: bool,

    /// Show no progress, and of files only those that are not good
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderArg {
    #[default]
    Auto,
    Interleaved,
    Sequential,
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Self {
        match order {
            OrderArg::Auto => Self::Auto,
            OrderArg::Interleaved => Self::Interleaved,
            OrderArg::Sequential => Self::Sequential,
        }
    }
}

impl CheckArgs {
    pub(crate) fn backend(&self) -> Backend {
        self.backend.unwrap_or_else(Backend::detect)
    }

    /// The torrent's file and the folder. With `--content` nothing is looked for in a folder.
    pub(crate) fn paths(&self) -> Result<(&Path, &Path), Failure> {
        let wrong = |what: &str| Failure(format!("{what} (see --help)"));
        let torrent = self
            .torrent
            .as_deref()
            .ok_or_else(|| wrong("give a FILE.torrent and a DOWNLOAD_DIR"))?;
        match (&self.folder, &self.content) {
            (Some(folder), None) if folder.is_file() => Err(wrong(&format!(
                "{} is a file, and no DOWNLOAD_DIR: name it with --content",
                Escaped(folder)
            ))),
            (Some(folder), None) => Ok((torrent, folder)),
            (None, Some(content)) => Ok((torrent, content)),
            (None, None) => Err(wrong("give a DOWNLOAD_DIR, or --content PATH")),
            (Some(_), Some(_)) => Err(wrong("give a DOWNLOAD_DIR or --content PATH, not both")),
        }
    }

    /// What the files that are asked for match.
    pub(crate) fn matcher(&self, torrent: &Torrent) -> Result<GlobSet, Failure> {
        if self.files.is_empty() {
            return Ok(GlobSetBuilder::new().add(Glob::new("**")?).build()?);
        }
        let mut globs = GlobSetBuilder::new();
        for glob in &self.files {
            let is_match = glob.compile_matcher();
            let mut files = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad);
            if !files.any(|file| is_match.is_match(file.path().to_text())) {
                return Err(Failure(format!("no file of the torrent matches {:?}", glob.glob())));
            }
            globs.add(glob.clone());
        }
        Ok(globs.build()?)
    }
}

fn backends() -> impl TypedValueParser<Value = Backend> {
    let mut names = Vec::new();
    for backend in Backend::available() {
        names.push(backend.name());
    }
    PossibleValuesParser::new(names)
        .try_map(|name| Backend::by_name(&name).ok_or("not available on this machine"))
}
