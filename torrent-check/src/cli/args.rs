//! The arguments of the command line.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Parser, Subcommand};
use glob::Pattern as Glob;
use torrent_check::{Backend, Escaped, File, FileKind, Order, Place, Session, Torrent};

use super::client;
use super::failure::Failure;
use super::outcome::Detail;
use super::state::StateFile;
use super::terminal::style::Color;

/// The version and the backend of a check without `--backend`. `Backend::detect` would fix the
/// default before `--backend` is read.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} ({})", env!("CARGO_PKG_VERSION"), Backend::available()[0].name()));

/// Verifies downloads of torrents: BitTorrent v1, v2 or hybrid
///
/// Reports whether every file and every piece is good and, if not, why.
#[derive(Debug, Parser)]
#[command(
    version = VERSION.as_str(),
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    override_usage = "torrent-check [OPTIONS] TORRENT [DOWNLOAD_DIR]\n       \
                      torrent-check [OPTIONS] TORRENT --content PATH\n       \
                      torrent-check [OPTIONS] TORRENT... --root DIR\n       \
                      torrent-check [OPTIONS] --client CLIENT",
    after_long_help = "Examples:\n  \
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
    #[command(visible_alias = "show")]
    Info {
        /// The torrent file, or - for stdin
        #[arg(value_name = "TORRENT")]
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Find out where the content of torrents is, without anything that a client knows
    ///
    /// Search folders for the content of torrents by content, each file once for all torrents:
    /// where it is, whole or in part, under which names, which torrents share it, what belongs to
    /// none, and what to set in qBittorrent, Transmission, Deluge and rtorrent. Nothing is written.
    /// Exit status: 0 all torrents are complete, 1 some are not, 2 something could not be read
    Repair(RepairArgs),
    /// Write man pages, completions and the JSON Schema into a folder
    Generate {
        /// An existing folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct RepairArgs {
    /// Torrent files, or folders of them
    #[arg(value_name = "TORRENT", required = true)]
    pub(crate) torrents: Vec<PathBuf>,
    /// A folder in which content may be; may be repeated
    #[arg(long, value_name = "DIR", required = true)]
    pub(crate) root: Vec<PathBuf>,
    /// Follow symbolic links out of the folders
    #[arg(long)]
    pub(crate) follow_links: bool,
    /// Print JSON, one object per torrent and one about all
    #[arg(long)]
    pub(crate) json: bool,
    /// Without a terminal, print the progress to stderr at once and then every ten seconds
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) progress: bool,
    /// Show no progress, and only torrents that are not complete
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// List every file
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("places").args(["root", "client"]).multiple(true)))]
pub(crate) struct CheckArgs {
    /// The torrent, and the folder that holds its content
    ///
    /// The torrent file and the folder in which its content is, by default the current one; many
    /// torrents are given as files, folders of them, or - for stdin
    #[arg(value_name = "TORRENT", hide_short_help = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// The content itself, a file or folder of any name
    #[arg(short, long, value_name = "PATH")]
    content: Option<PathBuf>,

    /// Check many torrents, each in the root with most of its files
    #[arg(long, value_name = "DIR", conflicts_with_all = ["content", "files"])]
    pub(crate) root: Vec<PathBuf>,

    /// Check the torrents of a client
    ///
    /// Check the torrents of a client where it keeps them, and only the files that it wants:
    /// qbittorrent, deluge, transmission, rtorrent, or the folder of the client's session
    #[arg(long, value_name = "CLIENT", conflicts_with_all = ["content", "files"])]
    pub(crate) client: Option<PathBuf>,

    /// Read paths of torrents from FILE, or from stdin if it is -, one per line
    #[arg(long, value_name = "FILE", requires = "places", hide_short_help = true)]
    pub(crate) torrents_from: Option<PathBuf>,

    /// Keep results in DIR, and skip what is unchanged
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,

    /// Read everything of a torrent again if one of its results in --state is DAYS days old
    #[arg(long, value_name = "DAYS", requires = "state", hide_short_help = true)]
    pub(crate) recheck: Option<u32>,

    /// Trust results in --state if only the change times of files differ
    ///
    /// Trust results in --state if the sizes, modification times and inodes of files are as before,
    /// whatever their change times are: hard links and new permissions change them
    #[arg(long, requires = "state", hide_short_help = true)]
    pub(crate) trust_modified: bool,

    /// Check only files that match, or with !GLOB all others; may be repeated
    ///
    /// Check only files whose path, with or without the torrent's name, matches or is printed like
    /// GLOB, or with !GLOB all but these; * also matches /; may be repeated
    #[arg(long, value_name = "GLOB")]
    files: Vec<String>,

    /// Search the folders for the files by content, under any names
    #[arg(long)]
    pub(crate) find_renamed: bool,

    /// Lay the torrent out in DIR with links to the files that were found
    ///
    /// Lay the torrent out in DIR with its good files, found as with --find-renamed, so that a
    /// client can seed it; nothing is overwritten. The exit status is that of the layout: 0 if all
    /// files are there, 1 if some are not, 2 after an error
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sizes_only", "fail_fast"])]
    pub(crate) link: Option<PathBuf>,

    /// How files are laid out [default: reflink, else hard, else symbolic]
    ///
    /// How files are laid out: as reflinks, which share the blocks of a file until one is written
    /// to, hard or symbolic links, or copies; by default as the first of these that is possible,
    /// but not as copies
    #[arg(long, value_name = "KIND", value_enum, requires = "link", hide_short_help = true)]
    pub(crate) link_kind: Option<LinkKind>,

    /// Lay out also files that are only likely right, as reflinks or copies
    #[arg(long, requires = "link", hide_short_help = true)]
    pub(crate) link_likely: bool,

    /// Follow symbolic links out of the folders, which are only read
    #[arg(long, hide_short_help = true)]
    pub(crate) follow_links: bool,

    /// List files in the content's folder that do not belong to the torrent, and in the roots what
    /// belongs to none
    #[arg(long, hide_short_help = true)]
    pub(crate) extra: bool,

    /// Stop the check of a torrent at the first piece that is bad, missing or unverifiable
    #[arg(long, hide_short_help = true)]
    pub(crate) fail_fast: bool,

    /// Check names and sizes of files only
    #[arg(long)]
    pub(crate) sizes_only: bool,

    /// Read at most RATE bytes per second; K, M and G stand for KiB, MiB and GiB
    #[arg(long, value_name = "RATE", value_parser = rate, hide_short_help = true)]
    pub(crate) limit: Option<NonZeroU64>,

    /// The maximum number of threads [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// The implementation of all hashes, for tests [default: the fastest on this machine]
    #[arg(long, value_name = "NAME", value_parser = backends(), hide = true)]
    pub(crate) backend: Option<Backend>,

    /// The order of reading: sixteen pieces in turn, or from the first byte to the last, which
    /// rotating disks need
    #[arg(long, value_parser = orders(), default_value = "auto", hide_short_help = true)]
    pub(crate) order: Order,

    /// Without a terminal, print the progress to stderr at once and then every ten seconds
    #[arg(long, conflicts_with = "quiet", hide_short_help = true)]
    pub(crate) progress: bool,

    /// Print JSON, one object per torrent
    #[arg(long)]
    pub(crate) json: bool,

    /// When to print colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, hide_short_help = true)]
    pub(crate) color: Color,

    /// Show no progress, and only the files that are known not to be good
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// List every file and every damaged place
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// The kind of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LinkKind {
    Reflink,
    Hard,
    Symbolic,
    Copy,
}

/// What to check.
pub(crate) enum Request<'a> {
    One { torrent: &'a Path, place: Place<'a> },
    Many { roots: &'a [PathBuf], session: Option<Session> },
}

impl CheckArgs {
    /// What to check.
    pub(crate) fn request(&self) -> Result<Request<'_>, Failure> {
        let wrong = |what: &str| Failure::Refused(format!("{what} (see --help)"));
        if let Some(file) = self.link.as_ref().filter(|path| path.is_file()) {
            let file = Escaped(file);
            return Err(wrong(&format!(
                "{file} is a file: --link takes a folder, which may be new"
            )));
        }
        let session = match (&self.client, &self.paths[..]) {
            (Some(client), _) => Some(client::open(client)?),
            (None, [folder]) if self.root.is_empty() => Session::recognise(folder),
            _ => None,
        };
        if self.is_many() || session.is_some() {
            if self.paths.is_empty() && self.torrents_from.is_none() && session.is_none() {
                return Err(wrong("give a TORRENT, a folder of them, or --torrents-from FILE"));
            }
            return Ok(Request::Many { roots: &self.root, session });
        }
        let (torrent, place) = match (&self.paths[..], &self.content) {
            ([folder, torrent], None) if folder.is_dir() && torrent.is_file() => {
                (torrent, Place::Folder(folder))
            }
            ([_, other], None)
                if other.is_file() && other.extension() == Some("torrent".as_ref()) =>
            {
                return Err(wrong(&format!(
                    "{} is a torrent, not a DOWNLOAD_DIR: to check several torrents, pass the \
                     folder of their content with --root",
                    Escaped(other)
                )));
            }
            ([torrent, file], None) if file.is_file() => (torrent, Place::Content(file)),
            ([folder], None) if folder.is_dir() && client::unreadable(folder).is_some() => {
                return Err(Failure::Refused(client::unreadable(folder).unwrap_or_default()));
            }
            ([torrent] | [torrent, _], None) if torrent.is_dir() => {
                return Err(wrong(&format!(
                    "{} is a folder, not a TORRENT: to check the torrents in it, pass the folder \
                     of their content with --root",
                    Escaped(torrent)
                )));
            }
            ([torrent, folder], None) => (torrent, Place::Folder(folder)),
            ([torrent], Some(content)) => (torrent, Place::Content(content)),
            ([], _) => return Err(wrong("give a TORRENT, and perhaps a DOWNLOAD_DIR")),
            ([torrent], None) => (torrent, Place::Folder(Path::new("."))),
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

    /// The file in `--state` with the results of a torrent.
    pub(crate) fn state_of(&self, torrent: &Torrent) -> Result<Option<StateFile>, Failure> {
        let folder = self.state.as_ref();
        folder.map(|folder| StateFile::read(folder, torrent, self.recheck)).transpose()
    }

    /// What the table lists.
    pub(crate) fn detail(&self) -> Detail {
        Detail { quiet: self.quiet, verbose: self.verbose }
    }

    /// Whether many torrents are to be checked.
    pub(crate) fn is_many(&self) -> bool {
        !self.root.is_empty()
    }

    /// The patterns that select the files to check.
    pub(crate) fn selection<'t>(&self, torrent: &'t Torrent) -> Result<Selection<'t>, Failure> {
        let mut selection = Selection { torrent, included: Vec::new(), excluded: Vec::new() };
        let files = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad);
        for text in &self.files {
            let is_match = |pattern: &Pattern| {
                files.clone().any(|file| pattern.is_match(&names(torrent, file)))
            };
            let pattern = |text: &str| Pattern { text: text.to_owned(), glob: None };
            // A name that the report prints need not be a valid glob, and may begin with `!`.
            let is_name = is_match(&pattern(text));
            let (is_excluded, text) = match text.strip_prefix('!') {
                Some(rest) if !is_name => (true, rest),
                _ => (false, text.as_str()),
            };
            let mut pattern = pattern(text);
            pattern.glob = match Glob::new(text) {
                Ok(glob) => Some(glob),
                Err(_) if is_match(&pattern) => None,
                Err(error) => return Err(error.into()),
            };
            // Nothing to exclude is no mistake: many torrents lack such a file.
            if !is_excluded && !is_match(&pattern) {
                return Err(Failure::Refused(format!("no file in the torrent matches {text:?}")));
            }
            let patterns =
                if is_excluded { &mut selection.excluded } else { &mut selection.included };
            patterns.push(pattern);
        }
        if !files.clone().any(|file| selection.is_match(file)) {
            return Err(Failure::Refused("--files excludes every file in the torrent".to_owned()));
        }
        Ok(selection)
    }
}

/// The files to check. By default, all are.
pub(crate) struct Selection<'t> {
    torrent: &'t Torrent,
    included: Vec<Pattern>,
    excluded: Vec<Pattern>,
}

/// A path as the table or JSON prints it, or a glob.
struct Pattern {
    text: String,
    glob: Option<Glob>,
}

impl Selection<'_> {
    /// Whether a file matches a pattern, if there are any, and is not excluded.
    pub(crate) fn is_match(&self, file: &File) -> bool {
        if self.included.is_empty() && self.excluded.is_empty() {
            return true;
        }
        let names = names(self.torrent, file);
        let is_in = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.is_match(&names));
        (self.included.is_empty() || is_in(&self.included)) && !is_in(&self.excluded)
    }
}

impl Pattern {
    fn is_match(&self, names: &[String]) -> bool {
        let glob = self.glob.as_ref();
        names.iter().any(|name| self.text == *name || glob.is_some_and(|glob| glob.matches(name)))
    }
}

/// The path of a file as JSON and the table print it, with and without the torrent's name.
fn names(torrent: &Torrent, file: &File) -> Vec<String> {
    let (top, path) = (torrent.name(), file.path());
    let mut names = vec![path.to_text(), path.to_string()];
    if !torrent.is_single_file() {
        names.extend([format!("{}/{}", top.to_text(), path.to_text()), format!("{top}/{path}")]);
    }
    names
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

fn orders() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(["auto", "interleaved", "sequential"]).map(|name| match &*name {
        "interleaved" => Order::Interleaved,
        "sequential" => Order::Sequential,
        _ => Order::Auto,
    })
}

fn backends() -> impl TypedValueParser<Value = Backend> {
    let mut names = Vec::new();
    for backend in Backend::available() {
        names.push(backend.name());
    }
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Backend>())
}
