//! Checks of content that is as it should be, and of content that is not.

mod damage;
mod download;
mod finding;
mod hostile;
mod options;
mod oracle;
mod resume;
mod vectors;
mod while_checking;
