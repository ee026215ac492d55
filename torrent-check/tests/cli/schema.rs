//! The published JSON Schema, which everything that the tool prints with `--json` must match.

use std::fs;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::make::{self, Format, Maker, content};
use crate::place::{Place, code, object, objects, stderr};

pub(crate) const TEXT: &str = include_str!("../../schema/torrent-check.v1.schema.json");

static SCHEMA: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(TEXT).unwrap());

/// One validator for each kind of line, because the errors of `oneOf` do not say what is wrong.
static KINDS: LazyLock<Vec<(&str, Validator)>> = LazyLock::new(|| {
    let kinds = ["error", "summary", "info", "report"];
    kinds.map(|kind| (kind, validator(&format!("#/$defs/{kind}")))).into()
});

static LINE: LazyLock<Validator> = LazyLock::new(|| jsonschema::draft202012::new(&SCHEMA).unwrap());

/// A validator of one definition.
fn validator(definition: &str) -> Validator {
    let mut schema = SCHEMA.clone();
    let fields = schema.as_object_mut().unwrap();
    fields.remove("oneOf");
    fields.insert("$ref".to_owned(), json!(definition));
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Parses a line that `--json` printed, and panics if it does not match the schema.
#[track_caller]
pub(crate) fn parse(line: &str) -> Value {
    let value: Value = serde_json::from_str(line).unwrap();
    let kind = match () {
        () if value.get("error").is_some() => "error",
        () if value.get("summary").is_some() => "summary",
        () if value.get("magnet").is_some() => "info",
        () => "report",
    };
    let (_, validator) = KINDS.iter().find(|(known, _)| *known == kind).unwrap();
    let faults = validator.iter_errors(&value);
    let faults: Vec<_> =
        faults.map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{kind}: {faults:?} in {line}");
    assert!(LINE.is_valid(&value), "{line}");
    value
}

#[test]
fn the_schema_is_valid_and_strict() {
    jsonschema::draft202012::meta::validate(&SCHEMA).unwrap();
    assert_eq!(SCHEMA["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_strict(&SCHEMA, "");
}

/// Asserts that all objects permit no other fields.
fn assert_strict(schema: &Value, place: &str) {
    match schema {
        Value::Object(fields) => {
            if fields.contains_key("properties") && fields.get("type") == Some(&json!("object")) {
                assert_eq!(fields.get("additionalProperties"), Some(&json!(false)), "{place}");
                for name in fields["required"].as_array().unwrap() {
                    assert!(fields["properties"].get(name.as_str().unwrap()).is_some(), "{name}");
                }
            }
            for (name, value) in fields {
                assert_strict(value, &format!("{place}/{name}"));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| assert_strict(item, place)),
        _ => {}
    }
}

/// Each line of a real run stops matching if a field is added, removed or has another type.
#[test]
fn other_objects_do_not_match() {
    let place = Place::new(Format::V1);
    place.change("a.bin", |data| data[0] ^= 1);
    fs::write(place.path("bad.torrent"), "x").unwrap();
    let output = place.run(["bad.torrent", "it.torrent", "--root", "downloads", "--json"]);
    let mut lines = objects(&output);
    assert_eq!(lines.len(), 3);
    lines.push(object(&place.run(["info", "it.torrent", "--json"])));
    for line in lines {
        refuses_changes(&line, &mut |changed| {
            assert!(!LINE.is_valid(changed), "{changed}");
        });
    }
}

/// Passes versions of a line to `refuse`, each with one change somewhere.
fn refuses_changes(line: &Value, refuse: &mut dyn FnMut(&Value)) {
    let mut places = Vec::new();
    objects_in(line, String::new(), &mut places);
    assert!(!places.is_empty());
    for place in places {
        let change = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut changed = line.clone();
            change(changed.pointer_mut(&place).unwrap().as_object_mut().unwrap());
            changed
        };
        refuse(&change(&|object| drop(object.insert("new".to_owned(), json!(1)))));
        let names: Vec<String> =
            line.pointer(&place).unwrap().as_object().unwrap().keys().cloned().collect();
        for name in names {
            // The only field that may be left out here.
            if name != "torrent" {
                refuse(&change(&|object| drop(object.remove(&name))));
            }
            refuse(&change(&|object| drop(object.insert(name.clone(), json!({"other": 1})))));
        }
    }
}

/// The JSON pointers of all objects in a value.
fn objects_in(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                objects_in(value, format!("{at}/{name}"), places);
            }
            places.push(at);
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects_in(item, format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
}

/// Numbers above 2^53 are integers, and exact.
#[test]
fn large_numbers_match() {
    let place = Place::new(Format::V2);
    let length = (1_i64 << 53) + 1;
    let mut made = Maker::single("large", 1 << 30, content(1, 100)).torrent(Format::V2);
    made.set(&["info", "file tree", "large", ""], "length", make::Value::Integer(length));
    made.set(&[], "creation date", make::Value::Integer(i64::MIN));
    fs::write(place.path("large.torrent"), made.encode()).unwrap();
    let info = object(&place.run(["info", "large.torrent", "--json"]));
    assert_eq!((&info["length"], &info["files"][0]["length"]), (&json!(length), &json!(length)));
    assert_eq!(info["creation_date"], i64::MIN);
}

/// So do errors, also in the arguments, and stderr has the same text.
#[test]
fn every_error_is_an_object() {
    let place = Place::new(Format::V1);
    fs::write(place.path("bad.torrent"), "x").unwrap();
    let all: [&[&str]; 9] = [
        &["--json"],
        &["--json", "it.torrent", "downloads", "--threads", "0"],
        &["--json", "it.torrent", "downloads", "--no-such-option"],
        &["it.torrent", "downloads", "--state", "state", "--json"],
        &["it.torrent", "nowhere", "--json"],
        &["it.torrent", "--root", "nowhere", "--json"],
        &["bad.torrent", "downloads", "--json"],
        &["info", "bad.torrent", "--json"],
        &["info", "--json"],
    ];
    for arguments in all {
        let output = place.run(arguments);
        let error = object(&output);
        let message = error["error"].as_str().unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert_eq!(stderr(&output).trim_end(), format!("error: {message}"), "{arguments:?}");
    }
}
