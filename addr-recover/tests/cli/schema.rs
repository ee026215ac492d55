//! The published JSON Schema.
//!
//! `cargo xtask json-schema` validates what these tests make the tool print as JSON, because a
//! validator would add dozens of crates to the tests.

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;

use serde_json::Value;

pub(crate) const TEXT: &str = include_str!("../../schema/addr-recover.v1.schema.json");

/// Parses a line that the tool printed, and appends it to the file that the environment variable
/// names.
pub(crate) fn parse(line: &str) -> Value {
    if let Some(path) = env::var_os("ADDR_RECOVER_JSON_LINES") {
        let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
        // In one call, because tests run in parallel.
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
    serde_json::from_str(line).unwrap()
}
