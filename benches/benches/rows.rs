//! Criterion's rows of every shape, or of those that `HASHLANES_SHAPES` names.

use criterion::Criterion;
use hashlanes_benches::harness::Shape;

fn main() {
    let names: Vec<String> = std::env::var("HASHLANES_SHAPES")
        .map(|names| names.split_whitespace().map(str::to_owned).collect())
        .unwrap_or_default();
    let shapes = Shape::chosen(&names).unwrap_or_else(|error| {
        eprintln!("error: HASHLANES_SHAPES: {error}");
        std::process::exit(2);
    });
    let mut criterion = Criterion::default().configure_from_args();
    for shape in shapes {
        shape.bench(&mut criterion);
    }
    criterion.final_summary();
}
