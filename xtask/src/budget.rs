//! Checks what one function of each crate costs a program: the CPU time of compiling it, relative
//! to `sha2` in the same run, and the bytes of its machine code.

use anyhow::{Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;

/// What one function may cost.
struct Budget {
    /// The name in the table of `benches/one-function.sh`.
    function: &'static str,
    /// The maximum CPU time of compiling, where `sha2` is 1.
    time: f64,
    /// The maximum bytes of machine code.
    code: u64,
}

/// The times have a margin: a busy machine makes one program compile slower than another.
const BUDGETS: [Budget; 6] = [
    Budget { function: "sha256_multi::hash_many", time: 15.5, code: 605_000 },
    Budget { function: "sha512_multi::hash_many", time: 10.5, code: 500_000 },
    Budget { function: "sha1_multi::hash_many", time: 8.0, code: 562_000 },
    Budget { function: "ripemd_multi::hash_many", time: 25.0, code: 575_000 },
    Budget { function: "sha3_multi::keccak256::hash_many", time: 9.0, code: 500_000 },
    Budget { function: "slh_dsa_multi::SigningKey::sign", time: 30.0, code: 890_000 },
];

/// What others are measured by.
const UNIT: &str = "sha2::Sha256::digest";

pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    ensure!(arguments.is_empty(), "usage: cargo xtask budget");
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Outcome::Skipped("the budget is that of x86-64 Linux".into()));
    }
    let table = cmd!(sh, "bash benches/one-function.sh '_multi::|sha2::Sha256'").read()?;
    println!("{table}");
    let faults = faults(&table)?;
    for fault in &faults {
        println!("FAULT: {fault}");
    }
    if !faults.is_empty() {
        bail!("{} functions cost more than their budget in xtask/src/budget.rs", faults.len());
    }
    Ok(Outcome::Passed)
}

/// What exceeds its budget.
fn faults(table: &str) -> Result<Vec<String>> {
    let (unit, _) = row(table, UNIT)?;
    let mut faults = Vec::new();
    for Budget { function, time, code } in BUDGETS {
        let (seconds, bytes) = row(table, function)?;
        let ratio = seconds / unit;
        if ratio > time {
            faults.push(format!(
                "{function} takes {ratio:.1} times as long to compile as {UNIT}; the budget is \
                 {time}"
            ));
        }
        if bytes > code {
            faults.push(format!("{function} has {bytes} bytes of code; the budget is {code}"));
        }
    }
    Ok(faults)
}

/// The seconds and the bytes of a function.
fn row(table: &str, function: &str) -> Result<(f64, u64)> {
    let start = format!("| `{function}`");
    let Some(line) = table.lines().find(|line| line.starts_with(&start)) else {
        bail!("benches/one-function.sh printed no row of {function}");
    };
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [_, _, time, bytes, _] = cells[..] else { bail!("not a row of three cells: {line}") };
    Ok((time.trim_end_matches(" s").parse()?, bytes.parse()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table where each function takes this part of its budget.
    fn table(part: f64, code: impl Fn(&Budget) -> u64) -> String {
        let rows = BUDGETS.iter().map(|budget| {
            let seconds = 2.0 * part * budget.time;
            format!("| `{}` | {seconds:.2} s | {} |\n", budget.function, code(budget))
        });
        format!("| `{UNIT}` 0.11.1 | 2.0 s | 20000 |\n{}", rows.collect::<String>())
    }

    #[test]
    fn more_time_or_code_than_the_budget_is_a_fault() {
        assert_eq!(faults(&table(0.99, |budget| budget.code)).unwrap(), [""; 0]);
        let slow = faults(&table(1.1, |budget| budget.code)).unwrap();
        assert_eq!(slow.len(), BUDGETS.len());
        let Budget { function, time, code } = &BUDGETS[0];
        let expected = format!("{function} takes {:.1} times as long", 1.1 * time);
        assert!(slow[0].starts_with(&expected), "{slow:?}");
        let large = faults(&table(0.5, |budget| budget.code + 1)).unwrap();
        assert_eq!(large.len(), BUDGETS.len());
        let expected = format!("has {} bytes of code; the budget is {code}", code + 1);
        assert!(large[0].ends_with(&expected), "{large:?}");
    }

    #[test]
    fn a_missing_row_is_an_error() {
        let table = table(0.5, |budget| budget.code);
        let without = table.replace("sha1_multi", "sha1");
        let error = faults(&without).unwrap_err().to_string();
        assert!(error.ends_with("no row of sha1_multi::hash_many"), "{error}");
    }
}
