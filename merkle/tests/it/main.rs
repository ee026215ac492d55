//! Trees of every family and of every shape, against what the specifications say.

mod oracle;
mod shapes;
