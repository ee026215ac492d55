//! Draws the README's chart: our times relative to the fastest other crate, for every recorded CPU.

use std::fmt::Write as _;

use crate::machine;
use crate::record::Record;

/// What the chart shows, and the shapes.
const JOBS: [(&str, &str); 8] = [
    ("SHA-256, 4096 tree nodes", "hash_pairs/4096"),
    ("SHA-256, 1000 messages of 32 bytes", "hash_many/1000x32B"),
    ("SHA-1, 256 pieces of 256 KiB", "sha1_many/256x256KiB"),
    ("RIPEMD-160, 4096 digests", "ripemd160_many/4096x32B"),
    ("HASH160, 4096 public keys", "hash160_many/4096x33B"),
    ("PBKDF2-SHA-256, 64 passwords", "pbkdf2_sha256_many/64x12B"),
    ("SSZ, 1000 proofs", "ssz_verify/1000-in-2^20"),
    ("sumhash512, 600 bytes", "sumhash512_digest/1x600B"),
];

/// Distinguishable with red-green colour blindness (Okabe and Ito's palette).
const COLOURS: [&str; 6] = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#666666"];

const WIDTH: usize = 860;
const TOP: usize = 92;
const LEFT: usize = 280;
/// The height of a bar, and the space below a group of bars.
const BAR: usize = 11;
const GAP: usize = 9;

/// The name of the file in the folder of the records.
pub const FILE: &str = "rivals.svg";

/// Draws the records, the newest first, as an SVG. Where there are several records of a CPU, the
/// newest counts that has the shape.
#[must_use]
pub fn draw(records: &[(String, Record)]) -> String {
    let mut cpus: Vec<&str> = records.iter().map(|(_, record)| record.cpu.as_str()).collect();
    cpus.sort_unstable();
    cpus.dedup();
    let ratio = |cpu: &str, shape: &str| {
        let mut of_cpu = records.iter().map(|(_, record)| record).filter(|it| it.cpu == cpu);
        of_cpu.find_map(|record| {
            Some(record.auto(shape)?.min_ns / record.fastest_rival(shape)?.min_ns)
        })
    };
    let ratios = JOBS.iter().flat_map(|(_, shape)| cpus.iter().filter_map(|cpu| ratio(cpu, shape)));
    let longest = ratios.fold(1.0, f64::max);
    // Leaves room for the number after the longest bar.
    let width = |ratio: f64| (WIDTH - LEFT - 60) as f64 * ratio / longest;
    let group = BAR * cpus.len() + GAP;
    let bottom = TOP + group * JOBS.len();

    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{0}\" \
         viewBox=\"0 0 {WIDTH} {0}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <style>.ratio {{ font-size: 10px; paint-order: stroke; stroke: #fff; stroke-width: 3px \
         }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"20\" y=\"30\" font-size=\"19\">Time as a multiple of the fastest other \
         crate’s</text>\n\
         <text x=\"20\" y=\"52\">shorter is better · left of the line, ours is faster · one \
         thread</text>\n",
        bottom + 26
    );
    let mut line = |element: std::fmt::Arguments<'_>| {
        text.write_fmt(element).expect("strings can be written to");
        text.push('\n');
    };
    let mut x = 20;
    for (cpu, colour) in cpus.iter().zip(COLOURS.iter().cycle()) {
        let name = machine::ordinary_name(cpu).unwrap_or(cpu);
        line(format_args!(
            "<rect x=\"{x}\" y=\"65\" width=\"11\" height=\"11\" fill=\"{colour}\"/>"
        ));
        line(format_args!("<text x=\"{}\" y=\"75\">{name}</text>", x + 17));
        x += 17 + 8 * name.len() + 20;
    }
    let one = LEFT as f64 + width(1.0);
    line(format_args!(
        "<path d=\"M{one:.1} {} V{bottom}\" stroke=\"#222\" stroke-dasharray=\"4 3\"/>",
        TOP - 6
    ));
    line(format_args!("<text x=\"{:.1}\" y=\"{}\">1: as fast</text>", one - 4.0, bottom + 15));
    for ((job, shape), top) in JOBS.iter().zip((TOP..).step_by(group)) {
        let middle = top + BAR * cpus.len() / 2 + 5;
        line(format_args!(
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{job}</text>",
            LEFT - 8
        ));
        for ((cpu, colour), y) in cpus.iter().zip(COLOURS.iter().cycle()).zip((top..).step_by(BAR))
        {
            // A CPU without a bar: its record is older than the shape.
            let Some(ratio) = ratio(cpu, shape) else { continue };
            let (width, height) = (width(ratio), BAR - 1);
            line(format_args!(
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"{height}\" \
                 fill=\"{colour}\"/>"
            ));
            line(format_args!(
                "<text x=\"{:.1}\" y=\"{}\" class=\"ratio\">{ratio:.2}</text>",
                LEFT as f64 + width + 4.0,
                y + 9
            ));
        }
    }
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_chart_is_drawn_from_the_records() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        let records = Record::all(&results).unwrap();
        assert!(records.len() > 2);
        assert_eq!(fs::read_to_string(results.join(FILE)).unwrap(), draw(&records));
    }

    #[test]
    fn bars_are_those_of_the_newest_record_with_the_shape() {
        let record = |rows: &str| -> (String, Record) {
            (String::new(), format!("# cpu: X\n{rows}").parse().unwrap())
        };
        let nodes = |ours| {
            format!("hash_pairs/4096,a,auto,1,1,{ours},1\nhash_pairs/4096,r,rival,1,1,4,1\n")
        };
        let keys = "hash160_many/4096x33B,a,auto,1,1,1,1\nhash160_many/4096x33B,r,rival,1,1,8,1\n";
        let text = draw(&[record(&nodes(1)), record(&(nodes(2) + keys))]);
        let bars = text.lines().filter(|line| line.contains("class=\"ratio\""));
        let ratios: Vec<&str> = bars.filter_map(|line| line.split(['>', '<']).nth(2)).collect();
        assert_eq!(ratios, ["0.25", "0.12"]);
    }
}
