//! Integration tests with torrents created from the specification, mutated torrents, and torrents
//! by other creators.

#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports, reason = "of some tests"))]

mod accepted;
#[path = "../../src/torrent/bencode.rs"]
mod bencode;
mod bencode_reader;
mod check;
mod disk;
mod folders;
mod hostile;
mod layout;
mod make;
mod naive;
mod numbered;
mod odd;
mod pace;
mod paths;
mod refused;
mod sound;
mod vectors;
