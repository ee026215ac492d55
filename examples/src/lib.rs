//! Compiles the programs of the root README.

#![doc = include_str!("../../README.md")]
