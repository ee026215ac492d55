//! A folder with a torrent and its content, in which the tool runs.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use crate::make::{Format, Maker, content};
use crate::schema;

/// A folder with `it.torrent` and its content in `downloads`.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn new(format: Format) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        let mut maker = Maker::folder("content", 64 << 10);
        for (seed, name) in (0..).zip(["a.bin", "b.bin", "sub/c.bin"]) {
            let data = content(seed, 1 << 20);
            let path = place.content(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &data).unwrap();
            maker = maker.file(name, data);
        }
        fs::write(place.path("it.torrent"), maker.bytes(format)).unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn content(&self, name: &str) -> PathBuf {
        self.path("downloads/content").join(name)
    }

    pub(crate) fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut data = fs::read(self.content(name)).unwrap();
        change(&mut data);
        fs::write(self.content(name), data).unwrap();
    }

    /// Runs the tool with the folder as its working directory.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
        tool.current_dir(self.folder.path()).args(arguments);
        let is_json = tool.get_args().any(|argument| argument == "--json");
        let output = output_of(&mut tool);
        if is_json {
            objects(&output);
        }
        output
    }

    /// Runs the tool as a user who does not own the folder, if this one may read everything.
    #[cfg(unix)]
    pub(crate) fn run_unprivileged(&self, arguments: &[&str]) -> Output {
        use std::os::unix::fs::PermissionsExt;
        use std::os::unix::process::CommandExt;
        use std::{io, iter};
        const NOBODY: u32 = 65_534;
        // The target folder may be closed to others.
        let copy = self.path("tool");
        fs::copy(env!("CARGO_BIN_EXE_torrent-check"), &copy).unwrap();
        let mut tool = Command::new(&copy);
        tool.current_dir(self.folder.path()).args(arguments);
        if rustix::process::geteuid().is_root() {
            fs::set_permissions(self.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
            tool.uid(NOBODY).gid(NOBODY);
        }
        // A process that another test is starting may still have the copy open for writing.
        let is_busy = |result: &io::Result<Output>| {
            result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::ExecutableFileBusy)
        };
        let mut results = iter::repeat_with(|| tool.output());
        let output = results.by_ref().take(10_000).find(|result| !is_busy(result));
        fs::remove_file(copy).unwrap();
        output.expect("the copy stays busy").unwrap()
    }

    pub(crate) fn check(&self, options: &[&str]) -> Output {
        self.run(["it.torrent", "downloads"].iter().chain(options))
    }
}

/// Runs the tool. The paths that it prints have the same separators on Windows as elsewhere.
pub(crate) fn output_of(tool: &mut Command) -> Output {
    let mut output = tool.output().unwrap();
    if cfg!(windows) {
        for bytes in [&mut output.stdout, &mut output.stderr] {
            let text = str::from_utf8(bytes).unwrap();
            *bytes = if text.starts_with('{') {
                text.replace(r"\\", "/").into()
            } else {
                text.replace('\\', "/").replace("/u{", r"\u{").into()
            };
        }
    }
    output
}

/// Sets an old modification time. Results of files written just now are not kept.
pub(crate) fn make_old(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(1000)).unwrap();
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

/// The only object that `--json` printed.
pub(crate) fn object(output: &Output) -> Value {
    let mut objects = objects(output);
    assert_eq!(objects.len(), 1, "{objects:?}");
    objects.remove(0)
}

/// The objects that `--json` printed, one per line.
pub(crate) fn objects(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(schema::parse).collect()
}

/// The table's line about a file, with the indented lines below it.
pub(crate) fn lines<'o>(output: &'o Output, file: &str) -> Vec<&'o str> {
    let mut lines = stdout(output).lines().skip_while(|line| !line.starts_with(file));
    let first = lines.next().expect("the file has a line");
    std::iter::once(first).chain(lines.take_while(|line| line.starts_with("    "))).collect()
}
