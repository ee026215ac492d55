//! Prints the public items of a crate, one a line, from what rustdoc wrote of it as JSON.
//!
//! The traits that the compiler implements of its own accord (`Send`, `Unpin`) and those implemented for all types (`Into`)
//! are left out; what is derived is listed.

#![forbid(unsafe_code)]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which file?")?;
    let api = public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    print!("{api}");
    Ok(())
}
