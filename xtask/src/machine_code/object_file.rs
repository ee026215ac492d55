//! Reads the functions of a library.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context as _;
use object::read::archive::ArchiveFile;
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationKind, RelocationTarget, SectionIndex,
    SymbolIndex, SymbolKind,
};

use super::function::{Function, Surroundings};

/// The spacing of sections and symbols: a multiple of any alignment.
const PAGE: u64 = 0x1000;

/// The functions in a library, which is an archive of object files.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Function>> {
    let bytes = std::fs::read(path)?;
    let mut functions = Vec::new();
    for member in ArchiveFile::parse(&*bytes)?.members() {
        let member = member?;
        if member.name().ends_with(b".o") {
            functions.extend(Image::load(member.data(&*bytes)?)?.functions());
        }
    }
    Ok(functions)
}

/// The sections of a file, as in memory.
///
/// An object file has no addresses yet, and its call targets are relocations. So it is linked here:
/// sections and undefined symbols get addresses, and relocations are applied.
struct Image {
    sections: Vec<Section>,
    /// Functions by address, with the size of those in this file.
    functions: HashMap<u64, (String, u64)>,
    /// Entries of the global offset table.
    pointers: HashMap<u64, String>,
}

struct Section {
    address: u64,
    bytes: Vec<u8>,
}

impl Image {
    fn load(data: &[u8]) -> anyhow::Result<Self> {
        let file = object::File::parse(data)?;
        let mut next = PAGE;
        let mut place = |size: u64| {
            let address = next;
            next += size.next_multiple_of(PAGE).max(PAGE);
            address
        };

        let mut sections = Vec::new();
        let mut address_of_section: HashMap<SectionIndex, u64> = HashMap::new();
        for section in file.sections() {
            let address = place(section.size());
            address_of_section.insert(section.index(), address);
            sections.push(Section { address, bytes: section.data()?.to_vec() });
        }

        let mut functions = HashMap::new();
        let mut address_of_symbol: HashMap<SymbolIndex, u64> = HashMap::new();
        for symbol in file.symbols() {
            let section = symbol.section_index().and_then(|index| address_of_section.get(&index));
            let address = match section {
                Some(start) => start + symbol.address(),
                None => place(0),
            };
            address_of_symbol.insert(symbol.index(), address);
            if section.is_none() || symbol.kind() == SymbolKind::Text {
                let name = format!("{:#}", rustc_demangle::demangle(symbol.name()?));
                functions
                    .insert(address, (name, if section.is_none() { 0 } else { symbol.size() }));
            }
        }

        let mut pointers: HashMap<u64, String> = HashMap::new();
        for (section, loaded) in file.sections().zip(&mut sections) {
            for (offset, relocation) in section.relocations() {
                let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
                let mut target = address_of_symbol[&symbol];
                if relocation.kind() == RelocationKind::GotRelative {
                    let name = functions.get(&target).map(|(name, _)| name.clone());
                    target = place(0);
                    pointers.extend(name.map(|name| (target, name)));
                }
                let value = target.wrapping_add_signed(relocation.addend());
                let origin = match relocation.kind() {
                    RelocationKind::Absolute => 0,
                    _ => loaded.address + offset,
                };
                let bytes = value.wrapping_sub(origin).to_le_bytes();
                let start = usize::try_from(offset)?;
                let len = usize::from(relocation.size() / 8);
                let field = loaded
                    .bytes
                    .get_mut(start..start + len)
                    .context("a relocation beyond its section")?;
                field.copy_from_slice(&bytes[..len]);
            }
        }
        Ok(Self { sections, functions, pointers })
    }

    /// The bytes from this address to the end of its section.
    fn bytes_at(&self, address: u64) -> Option<&[u8]> {
        self.sections.iter().find_map(|section| {
            let offset = usize::try_from(address.checked_sub(section.address)?).ok()?;
            section.bytes.get(offset..).filter(|bytes| section.address != 0 && !bytes.is_empty())
        })
    }

    fn functions(&self) -> Vec<Function> {
        let mut functions = Vec::new();
        for (&address, (name, size)) in &self.functions {
            let code = self.bytes_at(address).and_then(|bytes| bytes.get(..*size as usize));
            if let Some(code) = code.filter(|code| !code.is_empty()) {
                functions.push(Function::decode(name, address, code, self));
            }
        }
        functions.sort_by(|a, b| a.name.cmp(&b.name));
        functions
    }
}

impl Surroundings for Image {
    fn function_at(&self, address: u64) -> Option<&str> {
        self.functions.get(&address).map(|(name, _)| name.as_str())
    }

    fn pointer_at(&self, address: u64) -> Option<&str> {
        self.pointers.get(&address).map(String::as_str)
    }

    fn word_at(&self, address: u64) -> Option<i32> {
        let (word, _) = self.bytes_at(address)?.split_first_chunk::<4>()?;
        Some(i32::from_le_bytes(*word))
    }
}
