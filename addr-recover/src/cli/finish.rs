//! Carries out a job, and keeps its progress in a file.

use std::convert::Infallible;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use super::ask::Asker;
use super::job::{Job, Line};
use super::report::{End, EndStatus, Report, SCHEMA, Status};
use super::save::ProgressFile;
use super::{
    FORMAT, Failure, INTERRUPTED, cancel_on_signals, counted, on_threads, print, saved, say,
};

impl Job {
    /// Calls `answer` for all lines that are not done. Returns the exit status: [`INTERRUPTED`] if
    /// some lines are still not done.
    ///
    /// Progress is kept in the file, which is removed at the end.
    pub(crate) fn finish(
        &self,
        mut file: ProgressFile,
        answer: impl FnOnce(&Asker, &Self) -> Result<(), Failure> + Send,
    ) -> Result<u8, Failure> {
        let asker = Asker::new(self.damage.clone(), &self.run)?;
        let asker = if self.is_batch { asker.for_batch() } else { asker };
        let threads = super::threads(self.run.common.threads, self.quiet());
        cancel_on_signals()?;
        // If the file cannot be written, the user should know before the search.
        if self.run.save.is_some() || file.exists() {
            self.save(&mut file)?;
        } else if let Err(Failure::Message(message)) = file.check()
            && !self.quiet()
        {
            say(&format!("warning: {message}; --save FILE names another place"));
        }
        let outcome = self.while_saving(&mut file, || {
            self.print_next()?;
            on_threads(threads, || answer(&asker, self))
        });
        let is_done = self.lines.iter().all(Line::is_done);
        match outcome.and_then(|()| if is_done { self.conclude() } else { Ok(INTERRUPTED) }) {
            Ok(code) if is_done => {
                file.remove()?;
                Ok(code)
            }
            interrupted => {
                self.save(&mut file).inspect_err(|_| self.print_out_of_turn())?;
                let name = file.name().display();
                say(&format!("interrupted; resume with: addr-recover --resume {name}"));
                interrupted
            }
        }
    }

    fn save(&self, file: &mut ProgressFile) -> Result<(), Failure> {
        let content = saved::content(self)?;
        // The file must not record an answer as printed while a crash could still lose it.
        print::sync();
        file.write(&content)
    }

    /// Runs a closure, and saves the progress regularly until it returns.
    fn while_saving<T>(&self, file: &mut ProgressFile, run: impl FnOnce() -> T) -> T {
        let (running, has_ended) = mpsc::channel::<Infallible>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut is_told = false;
                while has_ended.recv_timeout(self.run.save_every) == Err(RecvTimeoutError::Timeout)
                {
                    // The search goes on: there may be space again before the next attempt.
                    if let Err(Failure::Message(message)) = self.save(file)
                        && !std::mem::replace(&mut is_told, true)
                    {
                        say(&format!("warning: {message}"));
                    }
                }
            });
            let result = run();
            drop(running);
            result
        })
    }

    /// Prints what follows the answers. Returns the exit status.
    fn conclude(&self) -> Result<u8, Failure> {
        let reports: Vec<Box<Report>> = self.lines.iter().filter_map(Line::report).collect();
        if let Some(shard) = self.run.shard {
            print::object(&End {
                schema: SCHEMA,
                status: EndStatus::End,
                shard: shard.to_string(),
                format: FORMAT.to_owned(),
                lines: reports.len(),
                hits: reports.iter().map(|report| report.hits.len()).sum(),
            })?;
        }
        if self.is_batch && !self.quiet() {
            summarise(&reports);
        }
        Ok(Report::exit_code_of_all(reports.iter().map(|report| &**report)))
    }
}

/// Prints the lines of a batch by status, and how many of their addresses are expected by chance.
fn summarise(reports: &[Box<Report>]) {
    let count = |status| reports.iter().filter(|report| report.status == status).count();
    let mut parts = Vec::new();
    for status in [
        Status::Unique,
        Status::Valid,
        Status::Several,
        Status::None,
        Status::Refused,
        Status::Malformed,
        Status::Part,
    ] {
        if count(status) > 0 {
            parts.push(format!("{} {}", count(status), status.name()));
        }
    }
    let searched = reports.iter();
    let searched = searched.filter(|it| it.backend.is_some() || it.likelihood_ratio.is_some());
    let searched: Vec<_> = searched.collect();
    let chance = if searched.is_empty() {
        "No search was needed.".to_owned()
    } else {
        let by_chance: f64 = searched.iter().filter_map(|report| report.expected_by_chance).sum();
        let hashes: u64 = searched.iter().map(|report| report.hashes).sum();
        let hashes = print::count_hashes(hashes);
        format!("{by_chance:.2} of the addresses found are expected by chance. {hashes}.")
    };
    say(&format!("{}: {}. {chance}", counted(reports.len(), "line"), parts.join(", ")));
}
