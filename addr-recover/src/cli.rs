//! The command line: a thin layer over the library.

mod args;
mod ask;
mod bar;
mod climb;
mod estimate;
mod generate;
mod key;
mod other;
mod print;
mod report;
mod resume;
mod session;
mod settings;
mod usage;

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::FromArgMatches;

use addr_recover::{KEY_KINDS, KINDS, ParseError, Pattern, SearchSpace};
use args::{Args, Command};
use report::{SECRET, Status};

/// The exit status that shells report after Ctrl-C: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// The exit status that shells report after a broken pipe: 128 + SIGPIPE.
const OUTPUT_CLOSED: u8 = 141;

/// The format of resume files. Units of searches may differ between versions.
const FORMAT: &str = concat!("addr-recover ", env!("CARGO_PKG_VERSION"));

static CANCELLED: AtomicBool = AtomicBool::new(false);

pub(crate) fn run() -> ExitCode {
    let matches = usage::matches();
    let outcome = if is_stdout_closed() {
        let message =
            "standard output is closed, so the answer would be lost; redirect it to a file";
        Err(Failure::Message(message.to_owned()))
    } else if let Some((generate::NAME, matches)) = matches.subcommand() {
        generate::generate(matches)
    } else {
        answer(Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(Failure::OutputClosed) => ExitCode::from(OUTPUT_CLOSED),
        Err(Failure::Message(message)) => {
            say(&format!("error: {message}"));
            ExitCode::from(Status::Malformed.exit_code())
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
enum Failure {
    Message(String),
    /// A broken pipe, as after `head`: not an error.
    OutputClosed,
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Message(error.to_string())
    }
}

impl Failure {
    /// What went wrong with a file.
    fn of_file(file: &Path, error: &io::Error) -> Self {
        Self::Message(error_of_file(file, error))
    }
}

/// What went wrong with a file, and what else its name may be: a key, which is not repeated, or an
/// address.
fn error_of_file(file: &Path, error: &io::Error) -> String {
    let name = file.display().to_string();
    let is_path = name.contains(['.', '/', '\\']);
    match Pattern::parse(&name) {
        Err(ParseError::Foreign(key)) if key.is_key() => format!("{SECRET}: {error}; {key}"),
        Err(long) if long.may_be_key() && !is_path => format!("{SECRET}: {error}"),
        _ if error.kind() == io::ErrorKind::NotFound && is_address(file.as_os_str()) => format!(
            "{name}: {error}; this looks like an address, which `addr-recover '{name}'` reads"
        ),
        _ => format!("{name}: {error}"),
    }
}

fn answer(args: Args) -> Result<u8, Failure> {
    if let Some(backend) = args.backend() {
        backend.set_default()?;
    }
    match args.command {
        Some(Command::Estimate { address, ask, machine }) => estimate::run(&address, ask, machine),
        Some(Command::Key(key)) => key::run(&key),
        Some(Command::Kinds { keys }) => list_kinds(keys),
        Some(Command::Batch { file, settings }) => session::batch(&file, settings),
        None => match args.resume {
            Some(file) => resume::run(&file, args.settings.run),
            None => session::single(&args.address, args.settings),
        },
    }
}

/// Lists the kinds of addresses, or those of keys.
fn list_kinds(keys: bool) -> Result<u8, Failure> {
    print::to_stdout(|stdout| {
        if keys {
            return KEY_KINDS.iter().try_for_each(|kind| {
                writeln!(stdout, "{:<13} {:<6} {}", kind.id, kind.format.id(), kind.name)
            });
        }
        KINDS.iter().try_for_each(|kind| {
            let (version, begin) = (kind.version.to_string(), kind.version.first_characters());
            writeln!(stdout, "{:<24} {version:<7} {begin:<3} {}", kind.id, kind.name)
        })
    })?;
    Ok(0)
}

fn is_cancelled() -> bool {
    CANCELLED.load(Ordering::Relaxed)
}

/// Whether standard output was closed when the process started, as by `>&-` in a shell.
///
/// Before `main`, the standard library opens `/dev/null` in its place, for reading and writing.
/// `>/dev/null`, which discards the answer on purpose, opens it only for writing.
fn is_stdout_closed() -> bool {
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};

        let Ok(stdout) = fstat(io::stdout()) else { return true };
        let is_null = stat("/dev/null").is_ok_and(|null| null.st_rdev == stdout.st_rdev);
        let is_writable_only = |flags: OFlags| flags & OFlags::ACCMODE == OFlags::WRONLY;
        is_null && !fcntl_getfl(io::stdout()).is_ok_and(is_writable_only)
    }
    #[cfg(not(unix))]
    false
}

/// Makes Ctrl-C, SIGTERM and SIGHUP set [`CANCELLED`].
fn cancel_on_signals() -> Result<(), Failure> {
    // A second signal exits at once.
    ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(())
}

/// Runs a closure on a pool of this many threads.
fn on_threads<T: Send>(
    threads: usize,
    run: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(run)
}

/// The bytes of an address, whose groups may be separate arguments. Reads standard input if the
/// address is `-`, or if there is none and standard input is not a terminal.
fn read_address(arguments: &[OsString]) -> Result<Vec<u8>, Failure> {
    match given(arguments) {
        None if arguments.is_empty() && io::stdin().is_terminal() => Err(Failure::Message(
            "expected an ADDRESS, a command or --resume FILE; see --help".to_owned(),
        )),
        None => read_input(Path::new("-")),
        Some(file) if Path::new(&file).is_file() && !is_address(&file) => {
            let name = file.display();
            Err(Failure::Message(format!(
                "{name} is a file: `addr-recover batch {name}` answers each of its lines, and \
                 `addr-recover - < {name}` the addresses in its text"
            )))
        }
        Some(address) => Ok(address.into_encoded_bytes()),
    }
}

/// The text that some arguments are; `None` if it is to be read from standard input.
fn given(arguments: &[OsString]) -> Option<OsString> {
    let is_input = |file: &OsString| is_standard_input(Path::new(file));
    let is_given = if let [file] = arguments { !is_input(file) } else { !arguments.is_empty() };
    is_given.then(|| arguments.join(OsStr::new(" ")))
}

/// Reads a file, or standard input if it is `-`.
fn read_input(file: &Path) -> Result<Vec<u8>, Failure> {
    if is_standard_input(file) {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin(), &mut bytes)?;
        return Ok(utf8(bytes));
    }
    std::fs::read(file).map(utf8).map_err(|error| Failure::of_file(file, &error))
}

/// The text as UTF-8 if it begins with the byte order mark of UTF-16, as PowerShell writes it with
/// `>`, or with an ASCII character in UTF-16. Other bytes stay the same.
fn utf8(bytes: Vec<u8>) -> Vec<u8> {
    let unit = match bytes[..] {
        [0xff, 0xfe, ..] | [1..=0x7f, 0, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] | [0, 1..=0x7f, ..] => u16::from_be_bytes,
        _ => return bytes,
    };
    let units = bytes.as_chunks().0.iter().map(|&pair| unit(pair));
    let characters = char::decode_utf16(units);
    let text: String = characters.map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.trim_start_matches('\u{feff}').into()
}

/// Whether a text has what may be an address, or a key, which is not repeated.
fn is_address(text: &OsStr) -> bool {
    use ParseError::{Foreign, Several};

    match Pattern::parse(&text.to_string_lossy()) {
        Ok(pattern) => SearchSpace::any_network(&pattern).is_ok_and(|it| !it.kinds().is_empty()),
        Err(error) => matches!(error, Foreign(_) | Several { .. }),
    }
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// `1 line`, `2 lines`, `2 hashes`.
fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if noun.ends_with('h') { "es" } else { "s" };
    format!("{count} {noun}{}", if count == "1" { "" } else { plural })
}

/// Writes a line to stderr. If that fails, only the exit status is left to report it.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
