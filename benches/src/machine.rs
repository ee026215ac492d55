//! Identifies the CPU, the compiler, the date of a measurement, and the versions of the rivals.

use std::fs;
use std::process::Command;
use std::time::SystemTime;

use crate::record::Record;

/// The lock file of the workspace, through a symbolic link so that a package of this crate
/// contains it.
const LOCK: &str = include_str!("../workspace.lock");

/// The crate's name and the locked version that starts with `version`, such as `sha2-0.11.0`.
pub(crate) fn label(name: &str, version: &str) -> String {
    let name_line = format!("name = \"{name}\"");
    let locked =
        LOCK.split("[[package]]").filter(|package| package.lines().any(|line| line == name_line));
    let versions = locked.filter_map(|package| {
        package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
    });
    let found = versions.into_iter().find(|found| found.starts_with(version));
    format!("{name}-{}", found.unwrap_or(version))
}

/// A record of this machine, compiler and day, without measurements.
#[must_use]
pub fn empty_record() -> Record {
    Record { cpu: cpu(), date: today(), rustc: rustc(), rows: Vec::new() }
}

/// The CPU's name with its family and model, because virtual machines often mask only the name.
///
/// Some mask the model, too: Granite Rapids (model 173) is shown as 167, which is Rocket Lake's. So
/// the name then has what tells them apart: AMX, which Rocket Lake lacks, and 64 KiB of first-level
/// cache for instructions, where Sapphire and Emerald Rapids have 32.
pub fn cpu() -> String {
    let Ok(info) = fs::read_to_string("/proc/cpuinfo") else {
        return format!("unnamed {} CPU", std::env::consts::ARCH);
    };
    let field = |name: &str| {
        info.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.trim())
    };
    match (field("model name"), field("cpu family"), field("model")) {
        (Some(name), Some("6"), Some("167"))
            if field("flags").is_some_and(|flags| flags.split(' ').any(|it| it == "amx_tile")) =>
        {
            let size = fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index1/size");
            let size =
                size.map_or_else(|_| "?".to_owned(), |size| size.trim().replace('K', " KiB"));
            format!("{name} (family 6, model 167, AMX, L1i {size})")
        }
        (Some(name), Some(family), Some(model)) => {
            format!("{name} (family {family}, model {model})")
        }
        (Some(name), ..) => name.to_owned(),
        _ => format!("unnamed {} CPU", std::env::consts::ARCH),
    }
}

const MASKED_GRANITE_RAPIDS: &str =
    "Intel(R) Xeon(R) Processor (family 6, model 167, AMX, L1i 64 KiB)";

/// How a CPU was identified that a virtual machine shows as another.
pub(crate) fn note(cpu: &str) -> Option<&'static str> {
    (cpu == MASKED_GRANITE_RAPIDS).then_some(
        "The virtual machine shows the model of Rocket Lake, 167, and hides its own. It is not a \
         Rocket Lake, which has no AMX: it is identified by AMX-FP16, a first-level instruction \
         cache of 64 KiB and a third-level cache of 480 MiB.",
    )
}

/// The usual name of a recorded CPU. Virtual machines mask it.
#[must_use]
pub fn ordinary_name(cpu: &str) -> Option<&'static str> {
    Some(match cpu {
        "AMD EPYC (family 25, model 1)" => "AMD Zen 3",
        "AMD EPYC (family 25, model 17)" => "AMD Zen 4",
        "AMD EPYC (family 26, model 2)" => "AMD Zen 5",
        MASKED_GRANITE_RAPIDS => "Intel Granite Rapids",
        "Intel(R) Xeon(R) Processor (family 6, model 207)" => "Intel Emerald Rapids",
        _ => return None,
    })
}

/// The usual name of a CPU, with the name that it reports.
#[must_use]
pub fn full_name(cpu: &str) -> String {
    match ordinary_name(cpu) {
        Some(name) => format!("{name} ({}", cpu.replacen(" (", ", ", 1)),
        None => cpu.to_owned(),
    }
}

/// The output of `rustc --version` on this machine. Another compiler may have built this program.
fn rustc() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    version.map_or_else(|| "unknown rustc".to_owned(), |version| version.trim().to_owned())
}

/// Today in UTC, such as `2026-11-21`.
fn today() -> String {
    let now = humantime::format_rfc3339(SystemTime::now()).to_string();
    now.split('T').next().unwrap_or_default().to_owned()
}
