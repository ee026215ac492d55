//! Tests of checks, on intact and on damaged content.

mod aria2;
mod clients;
mod damage;
#[cfg(feature = "sqlite")]
mod database;
mod download;
mod finding;
mod hostile;
#[cfg(target_os = "linux")]
mod maps;
mod names;
mod options;
mod oracle;
mod proof;
mod state;
mod vectors;
mod while_checking;
mod whole;
