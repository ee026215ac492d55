//! The damage and the versions to search: arguments that a resume file keeps.

use addr_recover::{Case, Damage, KINDS, Kind, LookAlikes, Version};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::{Deserialize, Serialize};

use super::Failure;

/// The default groups of look-alike characters.
const LOOK_ALIKES: &str = "0oO,1IlLi";

/// What may have happened to the address, and its possible networks.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
pub(crate) struct DamageArgs {
    /// Whether to trust the case of letters. `auto`: only if the address has letters of both cases
    /// and other damage is described
    #[arg(long, value_enum, default_value_t)]
    case: CaseArg,

    /// Groups of characters that may be confused with each other anywhere. Characters outside
    /// Base58 always stand for their look-alikes
    #[arg(
        long,
        value_name = "GROUPS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = LOOK_ALIKES
    )]
    confuse: Option<String>,

    /// Up to N characters may be wrong, anywhere
    #[arg(long, value_name = "N", default_value_t = 0)]
    typos: u8,

    /// One character may be missing
    #[arg(long)]
    missing: bool,

    /// One extra character may have been added
    #[arg(long)]
    surplus: bool,

    /// Two adjacent characters may have been swapped
    #[arg(long)]
    swapped: bool,

    /// Only addresses of this kind; may be repeated
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    kind: Vec<String>,

    /// Only addresses of this version: 65, 0x41, 0x1cb8 (two bytes), or `any` for all one-byte
    /// versions; may be repeated
    #[arg(long, value_name = "V", value_parser = version)]
    version_byte: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CaseArg {
    #[default]
    Auto,
    Lost,
    Kept,
}

impl DamageArgs {
    pub(crate) fn damage(&self) -> Damage {
        let case = match self.case {
            CaseArg::Auto => Case::Auto,
            CaseArg::Lost => Case::Lost,
            CaseArg::Kept => Case::Kept,
        };
        let look_alikes =
            self.confuse.as_deref().map_or_else(LookAlikes::default, LookAlikes::everywhere);
        Damage::default()
            .case(case)
            .look_alikes(look_alikes)
            .typos(self.typos)
            .missing(self.missing)
            .surplus(self.surplus)
            .swapped(self.swapped)
    }

    /// The selected versions; by default, those of all kinds.
    ///
    /// # Errors
    ///
    /// Returns [`Failure::Message`] if a resume file names an unknown kind or an invalid version.
    pub(crate) fn versions(&self) -> Result<Vec<Version>, Failure> {
        if self.is_any_kind() {
            return Ok(Kind::all_versions());
        }
        let mut versions = Vec::new();
        for id in &self.kind {
            let kind = Kind::by_id(id)
                .ok_or_else(|| Failure::Message(format!("unknown kind {id:?}; see --help")))?;
            versions.push(kind.version);
        }
        for text in &self.version_byte {
            match text.as_str() {
                "any" => versions.extend((0..=u8::MAX).map(Version::byte)),
                text => versions.push(text.parse()?),
            }
        }
        Ok(versions)
    }

    /// Whether neither a kind nor a version is selected.
    pub(crate) fn is_any_kind(&self) -> bool {
        self.kind.is_empty() && self.version_byte.is_empty()
    }
}

fn kinds() -> PossibleValuesParser {
    let value = |kind: &Kind| PossibleValue::new(kind.id).help(kind.name);
    PossibleValuesParser::new(KINDS.iter().map(value).collect::<Vec<_>>())
}

/// Validates a version, and returns its text.
fn version(text: &str) -> Result<String, addr_recover::VersionError> {
    if text != "any" {
        text.parse::<Version>()?;
    }
    Ok(text.to_owned())
}
