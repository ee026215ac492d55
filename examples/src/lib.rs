//! Tests the code blocks of the repository's README.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
