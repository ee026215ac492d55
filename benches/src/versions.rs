//! Reads crate versions from the lock file, so that each row names the version that was built.

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

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn labels_name_the_locked_version() {
        let sha2 = label("sha2", "0.11");
        assert!(sha2.starts_with("sha2-0.11."), "{sha2}");
    }
}
