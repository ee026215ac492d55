//! Reads and writes recorded measurements: CSV below comments that name the machine and the day.

use std::error::Error;
use std::path::Path;
use std::{fmt, fs};

/// The time of one candidate on one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Operation and messages.
    pub shape: String,
    /// Backend or rival.
    pub candidate: String,
    /// The candidate's role: `auto`, `backend` or `rival`.
    pub role: String,
    /// Messages in one call.
    pub messages: usize,
    /// Total length of those messages in bytes.
    pub bytes: usize,
    /// Nanoseconds per message in the shortest turn.
    pub min_ns: f64,
    /// Nanoseconds per message in the median turn.
    pub median_ns: f64,
}

impl Row {
    /// Gigabytes (10^9) of messages per second in the shortest turn.
    #[must_use]
    pub fn gb_per_s(&self) -> f64 {
        self.bytes as f64 / self.messages as f64 / self.min_ns
    }
}

/// What users of CPUs without AVX-512 get, the better one first. sumhash512 has no SHA.
const WITHOUT_AVX512: [&str; 2] = ["avx2+sha", "avx2"];

/// The rows measured on one machine on one day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The CPU's name.
    pub cpu: String,
    /// The day in UTC.
    pub date: String,
    /// The compiler.
    pub rustc: String,
    /// The measurements.
    pub rows: Vec<Row>,
}

impl Record {
    /// The compiler's name and version, such as `rustc 1.95.0`.
    #[must_use]
    pub fn compiler(&self) -> &str {
        self.rustc.split(" (").next().unwrap_or_default()
    }

    /// Reads a record.
    ///
    /// # Errors
    ///
    /// Fails if there is no such file, or it is not a record.
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let named = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| named(&error))?;
        Ok(text.parse().map_err(|error: String| named(&error))?)
    }

    /// Reads all records in a folder, the newest first, each with its file's name without `.csv`.
    ///
    /// # Errors
    ///
    /// Fails if the folder or a record cannot be read.
    pub fn all(folder: &Path) -> Result<Vec<(String, Self)>, Box<dyn Error>> {
        let mut records = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "csv") {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                records.push((stem, Self::read(&path)?));
            }
        }
        // The names begin with the date.
        records.sort_by(|(a, _), (b, _)| b.cmp(a));
        Ok(records)
    }

    /// The row of our default backend.
    pub(crate) fn auto(&self, shape: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.shape == shape && row.role == "auto")
    }

    pub(crate) fn rivals(&self, shape: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.shape == shape && row.role == "rival")
    }

    pub(crate) fn fastest_rival(&self, shape: &str) -> Option<&Row> {
        self.rivals(shape).min_by(|a, b| a.min_ns.total_cmp(&b.min_ns))
    }

    /// Whether the CPU has the kernels for AVX-512.
    pub(crate) fn has_avx512(&self) -> bool {
        self.rows.iter().any(|row| row.role != "rival" && row.candidate.starts_with("avx512"))
    }

    /// The row of the default backend of CPUs without AVX-512, if that is another one.
    pub(crate) fn without_avx512(&self, shape: &str) -> Option<&Row> {
        let of = |name: &&str| {
            let is_ours = |row: &&Row| row.candidate == **name && row.role != "rival";
            self.rows.iter().filter(|row| row.shape == shape).find(is_ours)
        };
        WITHOUT_AVX512.iter().find_map(of).filter(|row| row.role != "auto")
    }
}

const COLUMNS: &str = "shape,candidate,role,messages,bytes,min_ns,median_ns";

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# cpu: {}\n# date: {}\n# rustc: {}\n{COLUMNS}",
            self.cpu, self.date, self.rustc
        )?;
        for Row { shape, candidate, role, messages, bytes, min_ns, median_ns } in &self.rows {
            writeln!(
                f,
                "{shape},{candidate},{role},{messages},{bytes},{min_ns:.2},{median_ns:.2}"
            )?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Record {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut record = Self::default();
        for (line, number) in text.lines().zip(1..) {
            if let Some((key, value)) =
                line.strip_prefix("# ").and_then(|comment| comment.split_once(": "))
            {
                match key {
                    "cpu" => value.clone_into(&mut record.cpu),
                    "date" => value.clone_into(&mut record.date),
                    "rustc" => value.clone_into(&mut record.rustc),
                    _ => {}
                }
            } else if !line.is_empty() && line != COLUMNS {
                let row = row(line).ok_or_else(|| {
                    format!("line {number} does not have the columns {COLUMNS}: {line}")
                })?;
                record.rows.push(row);
            }
        }
        Ok(record)
    }
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split(',').collect();
    let &[shape, candidate, role, messages, bytes, min_ns, median_ns] = cells.as_slice() else {
        return None;
    };
    Some(Row {
        shape: shape.to_owned(),
        candidate: candidate.to_owned(),
        role: role.to_owned(),
        messages: messages.parse().ok()?,
        bytes: bytes.parse().ok()?,
        min_ns: min_ns.parse().ok()?,
        median_ns: median_ns.parse().ok()?,
    })
}
