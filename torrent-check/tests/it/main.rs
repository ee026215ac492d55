//! Torrents made by the specification, changed, and made by others.

mod accepted;
mod bencode;
mod check;
mod hostile;
mod info;
mod layout;
mod make;
mod naive;
mod numbered;
mod paths;
mod refused;
mod sound;
mod vectors;
