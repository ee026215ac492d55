//! Tests of the command-line tool: its output and exit status.

#![cfg(feature = "cli")]
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports, reason = "of some tests"))]

mod errors;
mod extra;
mod generate;
mod info;
mod json;
#[cfg(target_os = "linux")]
mod large;
mod long;
mod lost;
#[path = "../it/make.rs"]
#[allow(dead_code, reason = "some items are only used by other tests")]
mod make;
mod many;
mod natural;
mod options;
mod place;
mod progress;
mod repair;
mod report;
mod schema;
mod state;
mod system;
#[cfg(target_os = "linux")]
mod terminal;
