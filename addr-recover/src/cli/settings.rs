//! The damage and the versions to search: arguments that a resume file keeps.

use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use addr_recover::{
    Case, Damage, KINDS, KeyKind, Kind, LookAlikes, Selection, UnknownKind, Version,
};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use serde::{Deserialize, Serialize};

/// How many characters may be missing, extra, swapped or cut off. More would be too complex.
const EDITS: RangeInclusive<u8> = 0..=8;

/// The groups of look-alike characters of `--confuse` without a value.
const LOOK_ALIKES: &str = "0oO,1IlLi";

/// What may have happened to a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
pub(crate) struct TextDamage {
    /// Whether to trust the case of letters. `auto`: only if the text has letters of both cases
    /// and, for an address, other damage is described
    #[arg(long, value_parser = ["auto", "lost", "kept"], default_value = "auto")]
    case: String,

    /// Groups of characters that may be confused with each other anywhere, or letters that are
    /// exchanged on another keyboard (y=z). Characters outside Base58 always stand for their
    /// look-alikes
    #[arg(
        long,
        value_name = "GROUPS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = LOOK_ALIKES,
        value_parser = groups
    )]
    confuse: Option<String>,

    /// At most N characters are confused; without it, any number
    #[arg(long, value_name = "N", requires = "confuse", allow_negative_numbers = true,
        value_parser = number(0..=u8::MAX))]
    max_confused: Option<u8>,

    /// Up to N characters may be wrong, anywhere
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = number(0..=u8::MAX))]
    typos: u8,

    /// Up to N characters may be missing; 1 without N
    #[arg(long, value_name = "N", value_parser = number(EDITS), default_value_t = 0,
        num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    missing: u8,

    /// Up to N extra characters may have been added; 1 without N
    #[arg(long, value_name = "N", value_parser = number(EDITS), default_value_t = 0,
        num_args = 0..=1, hide = true, require_equals = true, default_missing_value = "1")]
    surplus: u8,

    /// Up to N pairs of adjacent characters may have been swapped; 1 without N
    #[arg(long, value_name = "N", value_parser = number(EDITS), default_value_t = 0,
        num_args = 0..=1, hide = true, require_equals = true, default_missing_value = "1")]
    swapped: u8,

    /// Up to N characters may have been cut off at the beginning and the end
    #[arg(long, value_name = "N", value_parser = number(EDITS), default_value_t = 0,
        allow_negative_numbers = true)]
    cut: u8,

    /// Two blocks of four characters may have been swapped, or one repeated
    #[arg(long, hide = true)]
    blocks: bool,
}

/// What is asked besides the address. A resume file keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    text: TextDamage,

    /// Only addresses of this network, kind or version, such as `bitcoin`, `bitcoin-p2sh`, `65`,
    /// `0x1cb8` (two bytes) or `any`; may be repeated. `addr-recover kinds` lists them. By default,
    /// common ones and then any
    #[arg(long, alias = "version-byte", value_name = "KIND", value_parser = KindParser)]
    kind: Vec<String>,

    /// Addresses known to exist, one per line: if any of them fit, they are the answer
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,
}

impl TextDamage {
    pub(crate) fn damage(&self) -> Damage {
        let case = match self.case.as_str() {
            "lost" => Case::Lost,
            "kept" => Case::Kept,
            _ => Case::Auto,
        };
        let mut look_alikes = LookAlikes::everywhere(self.confuse.as_deref().unwrap_or_default());
        look_alikes.max = self.max_confused;
        let &Self { typos, missing, surplus, swapped, cut, blocks, .. } = self;
        Damage { case, look_alikes, typos, missing, surplus, swapped, cut, blocks }
    }
}

/// The options that describe damage, such as `--case kept --typos 2`.
pub(crate) fn options_of(damage: &Damage) -> Vec<String> {
    let mut options = Vec::new();
    match damage.case {
        Case::Auto => {}
        Case::Lost => options.push("--case lost".to_owned()),
        Case::Kept => options.push("--case kept".to_owned()),
    }
    let groups = &damage.look_alikes.everywhere;
    if !groups.is_empty() {
        options.push(format!("--confuse={}", groups.join(",")));
        options.extend(damage.look_alikes.max.map(|max| format!("--max-confused {max}")));
    }
    for (edits, option) in [
        (damage.typos, "--typos "),
        (damage.missing, "--missing="),
        (damage.surplus, "--surplus="),
        (damage.swapped, "--swapped="),
        (damage.cut, "--cut "),
    ] {
        options.extend(match (edits, option.strip_suffix('=')) {
            (0, _) => None,
            // An optional value is one if it is left out.
            (1, Some(option)) => Some(option.to_owned()),
            _ => Some(format!("{option}{edits}")),
        });
    }
    options.extend(damage.blocks.then(|| "--blocks".to_owned()));
    options
}

/// Parses a number in a range, which the error names.
pub(crate) fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
    }
}

/// Checks groups of look-alike characters, or of those that are exchanged. A character alone is
/// confused with none, and an address has only letters and digits.
fn groups(text: &str) -> Result<String, String> {
    let is_of_address = |part: &str| part.bytes().all(|c| c.is_ascii_alphanumeric());
    let is_group = |group: &str| {
        let (one, other) = group.split_once('=').unwrap_or((group, group));
        let has_two = one != other || one.chars().any(|c| !one.starts_with(c));
        has_two && one.len() == other.len() && [one, other].into_iter().all(is_of_address)
    };
    text.split(',').all(is_group).then(|| text.to_owned()).ok_or_else(|| {
        format!(
            "expected groups of at least two characters, such as {LOOK_ALIKES}, or of letters that \
             are exchanged, such as y=z: an address has only letters and digits"
        )
    })
}

impl AskArgs {
    pub(crate) fn damage(&self) -> Damage {
        self.text.damage()
    }

    /// The options of the command line that describe damage for the selected kinds, or for all
    /// networks.
    pub(crate) fn options_of(&self, damage: &Damage, is_any_network: bool) -> String {
        let mut options = options_of(damage);
        options.extend(is_any_network.then(|| "--kind any".to_owned()));
        options.extend(self.kind.iter().map(|kind| format!("--kind {kind}")));
        options.join(" ")
    }

    /// The selected addresses. Fails if a resume file names an unknown kind or an invalid version.
    pub(crate) fn selection(&self) -> Result<Selection, UnknownKind> {
        Selection::of(&self.kind)
    }

    /// The option of the command line that names the list of known addresses, after a space.
    pub(crate) fn known_option(&self) -> String {
        let Some(file) = &self.known else { return String::new() };
        let file = file.display().to_string().replace('\'', r"'\''");
        format!(" --known '{file}'")
    }
}

/// Parses a version, or the name of a kind or a network. A similar name is suggested for an unknown
/// one.
#[derive(Clone)]
struct KindParser;

impl TypedValueParser for KindParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        if let Some(text) = value.to_str().filter(|text| text.parse::<Version>().is_ok()) {
            return Ok(text.to_owned());
        }
        let network_of = |id: &'static str| id.split_once("-p2").map(|(network, _)| network);
        let mut names: Vec<&str> = KINDS.iter().filter_map(|kind| network_of(kind.id)).collect();
        names.extend(KINDS.iter().map(|kind| kind.id).chain(Kind::other_networks()).chain(["any"]));
        names.sort_unstable();
        names.dedup();
        PossibleValuesParser::new(names).parse_ref(command, arg, value)
    }
}

/// Validates a kind or a format of keys, and returns its name.
pub(crate) fn key_kind(id: &str) -> Result<String, String> {
    if KeyKind::matching(id).is_empty() {
        return Err(
            "no such format or kind of keys; `addr-recover kinds --keys` lists them".to_owned()
        );
    }
    Ok(id.to_owned())
}
