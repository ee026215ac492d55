//! The published JSON Schema.
//!
//! `cargo xtask json-schema` validates what these tests make the tool print as JSON, because a
//! validator would add dozens of crates to the tests.

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;

use serde_json::{Value, json};

use crate::{ADDRESS, SHORT, code, reports, run, stderr, stdout};

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

/// Numbers beyond 2^53 are strings.
#[test]
fn large_numbers_are_strings() {
    let report = reports(&run(["estimate", "--json", &"?".repeat(34)])).remove(0);
    let is_decimal = |value: &Value| value.as_str().is_some_and(|text| text.len() > 16);
    assert!(is_decimal(&report["hashes"]) && is_decimal(&report["candidates"]), "{report}");
    assert!(is_decimal(&report["versions"][0]["candidates"]), "{report}");
}

/// Also errors in the arguments. stderr has the same text.
#[test]
fn every_error_is_an_object() {
    let all: [&[&str]; 7] = [
        &["--json", "--threads", "0", SHORT],
        &["--json", "--no-such-option", SHORT],
        &["--json", "--known", "/no/such/file", SHORT],
        &["--json", "--save", "/no/such/folder/x", SHORT],
        &["batch", "--json", "/no/such/file"],
        &["estimate", "--json", "--typos", "many", SHORT],
        &["--resume", "/no/such/file", "--json"],
    ];
    for arguments in all {
        let output = run(arguments);
        let report = reports(&output).remove(0);
        let message = report["error"]["message"].as_str().unwrap();
        assert_eq!((code(&output), &report["status"]), (2, &json!("error")), "{arguments:?}");
        assert_eq!(stderr(&output).trim_end(), format!("error: {message}"), "{arguments:?}");
    }
    let help = run(["--json", "--help"]);
    assert!(code(&help) == 0 && !stdout(&help).contains("\"status\""));
    assert_eq!(reports(&run(["--json", ADDRESS]))[0]["status"], "valid");
}
