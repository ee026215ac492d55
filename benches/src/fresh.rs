//! Compares what the first call of a process takes.

use std::env;
use std::error::Error;
use std::process::Command;
use std::time::Duration;

/// Alternates fresh processes of this program, `processes` for each candidate, and prints the
/// minimum and the median of their times in units of `unit` nanoseconds.
///
/// `measure` runs in those processes: it measures a candidate, and checks its result afterwards.
///
/// # Errors
///
/// Fails if a candidate fails, or cannot be started.
pub fn compare(
    title: &str,
    candidates: &[&str],
    processes: usize,
    unit: f64,
    measure: fn(&str) -> Duration,
) -> Result<(), Box<dyn Error>> {
    if let Some(candidate) = env::args().nth(1) {
        if !candidates.contains(&&*candidate) {
            return Err(
                format!("unknown candidate {candidate:?}; use one of {candidates:?}").into()
            );
        }
        println!("{}", measure(&candidate).as_nanos());
        return Ok(());
    }

    let program = env::current_exe()?;
    let mut times = vec![Vec::new(); candidates.len()];
    for _ in 0..processes {
        for (candidate, times) in candidates.iter().zip(&mut times) {
            let output = Command::new(&program).arg(candidate).output()?;
            if !output.status.success() {
                let message = String::from_utf8_lossy(&output.stderr);
                return Err(format!("{candidate}: {message}").into());
            }
            times.push(String::from_utf8(output.stdout)?.trim().parse::<u64>()?);
        }
    }
    println!("{title}, {processes} fresh processes each");
    for (candidate, times) in candidates.iter().zip(&mut times) {
        times.sort_unstable();
        let (min, median) = (times[0] as f64 / unit, times[processes / 2] as f64 / unit);
        println!("  {candidate:<26} min {min:>8.1} median {median:>8.1}");
    }
    Ok(())
}
