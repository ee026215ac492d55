//! Tests of checks, on intact and on damaged content.

mod aria2;
mod damage;
mod download;
mod finding;
mod hostile;
mod names;
mod options;
mod oracle;
mod resume;
mod vectors;
mod while_checking;
mod whole;
