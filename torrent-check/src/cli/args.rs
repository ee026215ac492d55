//! The arguments of the command line.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Parser, Subcommand, ValueEnum};
use globset::{Glob, GlobMatcher};
use torrent_check::{Backend, Escaped, File, FileKind, Order, Torrent};

use super::Failure;
use super::style::Color;

/// The version and the backend of a check without `--backend`. `Backend::detect` would fix the
/// default before `--backend` is read.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} ({})", env!("CARGO_PKG_VERSION"), Backend::available()[0].name()));

/// Verifies downloads of torrents: BitTorrent v1, v2 or hybrid.
///
/// Reports whether every file and every piece is good and, if not, why.
#[derive(Debug, Parser)]
#[command(
    version = VERSION.as_str(),
    args_conflicts_with_subcommands = true,
    override_usage = "torrent-check [OPTIONS] TORRENT DOWNLOAD_DIR\n       \
                      torrent-check [OPTIONS] TORRENT --content PATH\n       \
                      torrent-check [OPTIONS] TORRENT... --root DIR\n       \
                      torrent-check [OPTIONS] TORRENT... --map FILE\n       \
                      torrent-check info [--json] TORRENT",
    after_help = "Examples:\n  \
                  torrent-check album.torrent downloads\n  \
                  torrent-check torrents --root /mnt/a --root /mnt/b --state ~/.cache/torrents \
                  --recheck 30 --quiet\n\n\
                  Exit status: 0 all files are good, 1 some are not, 2 something could not be \
                  checked or the report could not be written, 130 interrupted by Ctrl-C or a \
                  request to terminate, 141 broken pipe. With many torrents, the worst status \
                  counts."
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
        /// The torrent file, or - for stdin
        #[arg(value_name = "TORRENT")]
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("places").args(["root", "map"]).multiple(true)))]
pub(crate) struct CheckArgs {
    /// The torrent file and the folder that holds its content under the torrent's name, or the
    /// content's folder itself; with --root or --map, torrent files, folders of them, - for stdin
    #[arg(value_name = "TORRENT")]
    pub(crate) paths: Vec<PathBuf>,

    /// The content itself, a file or folder of any name, in place of the download folder
    #[arg(long, value_name = "PATH")]
    content: Option<PathBuf>,

    /// Check many torrents, each in the root with the most of its files; may be repeated
    #[arg(long, value_name = "DIR", conflicts_with_all = ["content", "files", "resume_file"])]
    root: Vec<PathBuf>,

    /// Check many torrents whose content is where FILE says: each line has a torrent's path or info
    /// hash, a tab, and the folder of its content; torrents without a line are looked for in the
    /// roots
    #[arg(long, value_name = "FILE", conflicts_with_all = ["content", "files", "resume_file"])]
    pub(crate) map: Option<PathBuf>,

    /// Read paths of torrents from FILE, one per line
    #[arg(long, value_name = "FILE", requires = "places")]
    pub(crate) torrents_from: Option<PathBuf>,

    /// Skip pieces that an earlier check found good, unless their files have changed, and keep the
    /// results of each torrent in DIR
    #[arg(long, value_name = "DIR", requires = "places")]
    pub(crate) state: Option<PathBuf>,

    /// Read everything of a torrent again if one of its results in --state is DAYS days old
    #[arg(long, value_name = "DAYS", requires = "state")]
    pub(crate) recheck: Option<u32>,

    /// Check only files whose path matches or is printed like GLOB; * also matches /; may be
    /// repeated
    #[arg(long, value_name = "GLOB")]
    files: Vec<String>,

    /// Skip pieces that FILE records as good, unless their files have changed, and update FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) resume_file: Option<PathBuf>,

    /// Search the content's folder for damaged and missing files under other names
    #[arg(long)]
    pub(crate) find_renamed: bool,

    /// List files in the content's folder that do not belong to the torrent, and in the roots what
    /// belongs to none
    #[arg(long)]
    pub(crate) extra: bool,

    /// Stop the check of a torrent at the first piece that is bad, missing or unverifiable
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// Check names and sizes of files only
    #[arg(long, visible_alias = "missing-only")]
    pub(crate) sizes_only: bool,

    /// Read at most RATE bytes per second; K, M and G stand for KiB, MiB and GiB
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(crate) limit: Option<NonZeroU64>,

    /// The maximum number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// The implementation of all hashes [default: the fastest on this machine]
    #[arg(long, value_name = "NAME", value_parser = backends())]
    pub(crate) backend: Option<Backend>,

    /// The order of reading: sixteen pieces in turn, or from the first byte to the last, which
    /// rotating disks need
    #[arg(long, value_enum, default_value_t)]
    pub(crate) order: OrderArg,

    /// Without a terminal, print the progress to stderr at once and then every ten seconds
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) progress: bool,

    /// Print one JSON object, or one per line for many torrents
    #[arg(long)]
    pub(crate) json: bool,

    /// When to print colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: Color,

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

/// What to check.
pub(crate) enum Request<'a> {
    One { torrent: &'a Path, place: Place<'a> },
    Many { roots: &'a [PathBuf] },
}

/// Where the content of a torrent is.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// In this folder, under the torrent's name.
    Below(&'a Path),
    /// Here, whatever its name.
    Content(&'a Path),
}

impl CheckArgs {
    /// What to check.
    pub(crate) fn request(&self) -> Result<Request<'_>, Failure> {
        let wrong = |what: &str| Failure(format!("{what} (see --help)"));
        if !self.root.is_empty() || self.map.is_some() {
            if self.paths.is_empty() && self.torrents_from.is_none() {
                return Err(wrong("give a TORRENT, a folder of them, or --torrents-from FILE"));
            }
            return Ok(Request::Many { roots: &self.root });
        }
        let (torrent, place) = match (&self.paths[..], &self.content) {
            ([_, folder], None) if folder.is_file() => {
                return Err(wrong(&format!(
                    "{} is a file, not a DOWNLOAD_DIR: pass it with --content, or the folder of \
                     the content of several torrents with --root",
                    Escaped(folder)
                )));
            }
            ([torrent, _], None) if torrent.is_dir() => {
                return Err(wrong(&format!(
                    "{} is a folder, not a TORRENT: to check the torrents in it, pass the folder \
                     of their content with --root",
                    Escaped(torrent)
                )));
            }
            ([torrent, folder], None) => (torrent, Place::Below(folder)),
            ([torrent], Some(content)) => (torrent, Place::Content(content)),
            ([], _) => return Err(wrong("give a TORRENT and a DOWNLOAD_DIR")),
            ([_], None) => return Err(wrong("give a DOWNLOAD_DIR, or --content PATH")),
            ([_, _], Some(_)) => {
                return Err(wrong("give a DOWNLOAD_DIR or --content PATH, not both"));
            }
            ([_, _, other, ..], _) => {
                let other = Escaped(other);
                return Err(wrong(&format!(
                    "unexpected {other}: to check several torrents, pass the folder of their \
                     content with --root"
                )));
            }
        };
        Ok(Request::One { torrent, place })
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
    /// Selects every file.
    pub(crate) fn all() -> Self {
        Self(Vec::new())
    }

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

/// A number of bytes, such as `500K` or `20M`.
fn rate(text: &str) -> Result<NonZeroU64, String> {
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let unit = units.into_iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
    let (digits, shift) = unit.unwrap_or((text, 0));
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(1 << shift))
        .and_then(NonZeroU64::new)
        .ok_or_else(|| "give bytes per second, such as 500K, 20M or 1G, below 2^64".to_owned())
}

/// A number of threads.
fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "give a whole number, at least 1".to_owned())
}

fn backends() -> impl TypedValueParser<Value = Backend> {
    let mut names = Vec::new();
    for backend in Backend::available() {
        names.push(backend.name());
    }
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Backend>())
}
