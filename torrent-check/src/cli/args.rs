//! The arguments of the command line.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use globset::{Glob, GlobMatcher};
use torrent_check::{Backend, Escaped, File, FileKind, Order, Torrent};

use super::Failure;

/// Verifies the download of a torrent: BitTorrent v1, v2 or hybrid.
///
/// Reports whether every file and every piece is good and, if not, why.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit status: 0 all files are good, 1 some are not, 2 nothing could be checked \
                  or the report could not be written, 130 interrupted by Ctrl-C."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) check: CheckArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Describe a torrent: its files, versions and info hashes
    Info {
        /// The torrent file
        #[arg(value_name = "FILE.torrent")]
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The torrent file
    #[arg(value_name = "FILE.torrent")]
    torrent: Option<PathBuf>,

    /// The folder that holds the content under the torrent's name, or the content's folder itself
    #[arg(value_name = "DOWNLOAD_DIR")]
    folder: Option<PathBuf>,

    /// The content itself, a file or folder of any name, in place of the download folder
    #[arg(long, value_name = "PATH")]
    pub(crate) content: Option<PathBuf>,

    /// Takes more arguments, which are an error, for a clear message
    #[arg(hide = true)]
    others: Vec<PathBuf>,

    /// Check only files whose paths match, or are as given; * also matches /; may be repeated
    #[arg(long, value_name = "GLOB")]
    files: Vec<String>,

    /// Skip pieces that FILE records as good, unless their files have changed, and update FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) resume_file: Option<PathBuf>,

    /// Search the content's folder for damaged and missing files under other names
    #[arg(long)]
    pub(crate) find_renamed: bool,

    /// The number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// The hash implementation [default: the fastest on this machine]
    #[arg(long, value_name = "NAME", value_parser = backends())]
    backend: Option<Backend>,

    /// The order of reading: many pieces at a time, or one after another for rotating disks
    #[arg(long, value_enum, default_value_t)]
    pub(crate) order: OrderArg,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// Show no progress, and only the files that are not good
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

    /// The torrent file, and the download folder or else the content.
    pub(crate) fn paths(&self) -> Result<(&Path, &Path), Failure> {
        let wrong = |what: &str| Failure(format!("{what} (see --help)"));
        if let Some(other) = self.others.first() {
            return Err(wrong(&format!(
                "unexpected {}: one torrent and one DOWNLOAD_DIR are checked at a time",
                Escaped(other)
            )));
        }
        let torrent = self
            .torrent
            .as_deref()
            .ok_or_else(|| wrong("give a FILE.torrent and a DOWNLOAD_DIR"))?;
        match (&self.folder, &self.content) {
            (Some(folder), None) if folder.is_file() => Err(wrong(&format!(
                "{} is a file, not a DOWNLOAD_DIR: pass it with --content",
                Escaped(folder)
            ))),
            (Some(folder), None) => Ok((torrent, folder)),
            (None, Some(content)) => Ok((torrent, content)),
            (None, None) => Err(wrong("give a DOWNLOAD_DIR, or --content PATH")),
            (Some(_), Some(_)) => Err(wrong("give a DOWNLOAD_DIR or --content PATH, not both")),
        }
    }

    /// The patterns that select the files to check.
    pub(crate) fn selection(&self, torrent: &Torrent) -> Result<Selection, Failure> {
        let mut patterns = Vec::new();
        for text in &self.files {
            let pattern = Pattern { text: text.clone(), glob: None };
            let files = || torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad);
            // A name that the report prints need not be a valid glob.
            let is_name = files().any(|file| pattern.is_match(file));
            let glob = match Glob::new(text) {
                Ok(glob) => Some(glob.compile_matcher()),
                Err(_) if is_name => None,
                Err(error) => return Err(error.into()),
            };
            let pattern = Pattern { glob, ..pattern };
            if !files().any(|file| pattern.is_match(file)) {
                return Err(Failure(format!("no file in the torrent matches {text:?}")));
            }
            patterns.push(pattern);
        }
        Ok(Selection(patterns))
    }
}

/// The files to check.
pub(crate) struct Selection(Vec<Pattern>);

/// A path as the table or JSON prints it, or a glob.
struct Pattern {
    text: String,
    glob: Option<GlobMatcher>,
}

impl Selection {
    /// Without patterns, every file matches.
    pub(crate) fn is_match(&self, file: &File) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.is_match(file))
    }
}

impl Pattern {
    fn is_match(&self, file: &File) -> bool {
        let text = file.path().to_text();
        self.glob.as_ref().is_some_and(|glob| glob.is_match(&text))
            || self.text == text
            || self.text == file.path().to_string()
    }
}

fn backends() -> impl TypedValueParser<Value = Backend> {
    let mut names = Vec::new();
    for backend in Backend::available() {
        names.push(backend.name());
    }
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Backend>())
}
