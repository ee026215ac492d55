//! What is asked: the part of the arguments that a resumed search takes over.

use addr_recover::{Case, Damage, KINDS, Kind, LookAlikes, Version};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::{Deserialize, Serialize};

use super::Failure;

/// The characters that look alike unless others are named.
const LOOK_ALIKES: &str = "0oO,1IlLi";

/// What may have happened, and of which network the address is.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
pub(crate) struct DamageArgs {
    /// Whether the case of letters is to be trusted. `auto`: only if the address has letters of
    /// both cases and some other damage is described
    #[arg(long, value_enum, default_value_t)]
    case: CaseArg,

    /// Characters that were taken for one another anywhere, in groups; without this option, and
    /// besides groups of your own, only what is no Base58 stands for its look-alikes
    #[arg(long, value_name = "GROUPS", num_args = 0..=1, require_equals = true, default_missing_value = LOOK_ALIKES)]
    confuse: Option<String>,

    /// Up to N characters are wrong, anywhere
    #[arg(long, value_name = "N", default_value_t = 0)]
    typos: u8,

    /// One character may be missing
    #[arg(long)]
    missing: bool,

    /// One character may be too much
    #[arg(long)]
    surplus: bool,

    /// Two neighbours may have changed places
    #[arg(long)]
    swapped: bool,

    /// Only addresses of this kind; may be repeated
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    kind: Vec<String>,

    /// Only addresses of this version: 65, 0x41, for two bytes 0x1cb8, or `any` of one byte; may
    /// be repeated
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

    /// The versions that were asked for; those of all kinds if none was.
    ///
    /// # Errors
    ///
    /// When a resume file names kinds or versions that there are none of.
    pub(crate) fn versions(&self) -> Result<Vec<Version>, Failure> {
        if self.is_any_kind() {
            return Ok(Kind::all_versions());
        }
        let mut versions = Vec::new();
        for id in &self.kind {
            let kind = Kind::by_id(id)
                .ok_or_else(|| Failure::Because(format!("there is no kind {id:?}")))?;
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

    /// Whether no kind and no version was asked for.
    pub(crate) fn is_any_kind(&self) -> bool {
        self.kind.is_empty() && self.version_byte.is_empty()
    }
}

fn kinds() -> PossibleValuesParser {
    let value = |kind: &Kind| PossibleValue::new(kind.id).help(kind.name);
    PossibleValuesParser::new(KINDS.iter().map(value).collect::<Vec<_>>())
}

/// Keeps the text, of which it has made sure that it is a version.
fn version(text: &str) -> Result<String, addr_recover::VersionError> {
    if text != "any" {
        text.parse::<Version>()?;
    }
    Ok(text.to_owned())
}
