"""Validates lines of JSON: json-schema.py SCHEMA LINES

Every line must match the schema, but not after any change of its fields. Together, the lines must
have all fields of the schema.
"""

import json
import sys

from jsonschema import Draft202012Validator

# The fields that each docs/reference.md permits to be left out, by the schema's $id.
OPTIONAL = {
    "urn:addr-recover:json:1": {
        "line",
        "read",
        "left_out",
        "version",
        "probability",
        "certainty",
        "change",
        "likelihood",
        "shard",
        "candidates",
        "expected_by_chance",
        "backend",
        "note",
        "tried",
        "next",
        "error",
        "position",
    },
    "urn:torrent-check:json:1": {
        "detail",
        "files_not_listed",
        "found_as",
        "found_as_not_listed",
        "copies",
        "pieces_found",
        "all_pieces_exist",
        "search_limits",
        "damage",
        "suggestions",
        "unchecked",
        "skipped",
        "unverifiable",
        "missing",
        "bad",
        "trusted",
        "torrent",
        "extra",
        "saved_as",
        "unfinished_by",
        "is_unsearchable",
        "bytes_searched",
        "content_path",
        "expected_at",
        "finding",
        "found_path",
        "has_name",
        "is_at_risk",
        "is_elsewhere",
        "layout",
        "pieces_verified",
        "read_again",
        "rename",
        "renamed",
        "source",
        "unproven_pieces",
        "target",
        "pieces_root",
    },
}

# Fields of outputs that are too large to record, or need a file system that may not be there.
UNRECORDED = {"damaged_pieces_not_listed", "read_again", "file_system"}


def objects(value, place=""):
    """Yields each object in a value, after its place."""
    if isinstance(value, dict):
        yield place, value
        for name, inner in value.items():
            yield from objects(inner, f"{place}/{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner, f"{place}/*")


def changes(fields, optional):
    """Makes one change to an object, yields its description and undoes it, for each change."""
    fields["new"] = 1
    yield "with another field"
    del fields["new"]
    for name, value in list(fields.items()):
        fields[name] = {"other": 1}
        yield f"with an object as {name}"
        if name not in optional:
            del fields[name]
            yield f"without {name}"
        fields[name] = value


def main(schema, lines):
    with open(schema, encoding="utf-8") as file:
        schema = json.load(file)
    with open(lines, encoding="utf-8") as file:
        lines = [json.loads(line) for line in sorted(set(file))]
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)

    changed = 0
    seen, shapes = set(), set()
    for line in lines:
        for fault in validator.iter_errors(line):
            # The definitions of other kinds of lines already fail at the top.
            fault = max(fault.context, key=lambda fault: len(fault.path), default=fault)
            sys.exit(f"error: {fault.json_path}: {fault.message}: {json.dumps(line)}")
        for place, fields in objects(line):
            seen.update(fields)
            # A shape is tried only once, because the tests print thousands of alike objects.
            shape = (place, *sorted(fields))
            if shape in shapes:
                continue
            shapes.add(shape)
            for change in changes(fields, OPTIONAL[schema["$id"]]):
                changed += 1
                if validator.is_valid(line):
                    sys.exit(f"error: it matches {change} at {place or '/'}: {json.dumps(line)}")

    names = {name for _, part in objects(schema) for name in part.get("properties", ())}
    names -= UNRECORDED
    seen -= UNRECORDED
    if names != seen:
        sys.exit(f"error: in the lines or the schema, but not in both: {sorted(names ^ seen)}")
    print(f"{len(lines)} lines match the schema, and {changed} changed lines do not")


main(*sys.argv[1:])
