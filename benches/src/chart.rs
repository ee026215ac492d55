//! Draws the README's chart: our gains over the crates for one message, on every recorded CPU.

use std::fmt::Write as _;

use crate::gains::{CHARTED, JOBS, newest};
use crate::machine;
use crate::record::Record;

/// Distinguishable with red-green colour blindness (Okabe and Ito's palette).
const COLOURS: [&str; 6] = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#666666"];

const WIDTH: usize = 860;
const TOP: usize = 112;
const LEFT: usize = 290;
/// The height of a bar, and the space below a group of bars.
const BAR: usize = 11;
const GAP: usize = 11;

/// The name of the file in the folder of the records.
pub const FILE: &str = "gains.svg";

/// Draws the newest record of each CPU as an SVG.
#[must_use]
pub fn draw(records: &[(String, Record)]) -> String {
    let records: Vec<&Record> = newest(records).into_iter().map(|(_, record)| record).collect();
    let jobs = &JOBS[..CHARTED];
    let gains = jobs.iter().flat_map(|job| records.iter().filter_map(|record| job.gain(record)));
    let longest = gains.fold(1.0, f64::max);
    // Leaves room for the number after the longest bar.
    let width = |gain: f64| (WIDTH - LEFT - 50) as f64 * gain / longest;
    let group = BAR * records.len() + GAP;
    let bottom = TOP + group * jobs.len();

    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{0}\" \
         viewBox=\"0 0 {WIDTH} {0}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <style>.gain {{ font-size: 10px }} .crates {{ font-size: 11px; fill: #666 }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"20\" y=\"30\" font-size=\"19\">Times as fast as the crates for one message at \
         a time</text>\n\
         <text x=\"20\" y=\"52\">longer is better · one thread</text>\n\
         <path d=\"M220 43 v11\" stroke=\"#fff\" stroke-width=\"4\"/>\n\
         <path d=\"M220 43 v11\" stroke=\"#222\" stroke-width=\"2\"/>\n\
         <text x=\"230\" y=\"52\">the fastest other crate of any kind: right of the bar, it is \
         faster than ours</text>\n",
        bottom + 6
    );
    let mut line = |element: std::fmt::Arguments<'_>| {
        text.write_fmt(element).expect("strings can be written to");
        text.push('\n');
    };
    let mut x = 20;
    for (record, colour) in records.iter().zip(COLOURS.iter().cycle()) {
        let name = machine::ordinary_name(&record.cpu).unwrap_or(&record.cpu);
        let name = if record.has_avx512() { name.into() } else { format!("{name}, no AVX-512") };
        line(format_args!(
            "<rect x=\"{x}\" y=\"70\" width=\"11\" height=\"11\" fill=\"{colour}\"/>"
        ));
        line(format_args!("<text x=\"{}\" y=\"80\">{name}</text>", x + 17));
        x += 17 + 7 * name.len() + 24;
    }
    let one = LEFT as f64 + width(1.0);
    line(format_args!(
        "<path d=\"M{one:.1} {} V{bottom}\" stroke=\"#222\" stroke-dasharray=\"4 3\"/>\n\
         <text x=\"{:.1}\" y=\"{}\" class=\"crates\">1</text>",
        TOP - 6,
        one - 3.0,
        TOP - 9
    ));
    for (job, top) in jobs.iter().zip((TOP..).step_by(group)) {
        let middle = top + BAR * records.len() / 2;
        let name = job.name.replace('`', "");
        let name = name.split(" of 32 bytes").next().unwrap_or_default();
        line(format_args!(
            "<text x=\"{0}\" y=\"{middle}\" text-anchor=\"end\">{name}</text>\n\
             <text x=\"{0}\" y=\"{1}\" text-anchor=\"end\" class=\"crates\">against {2}</text>",
            LEFT - 8,
            middle + 14,
            job.crates.replace('`', "")
        ));
        let rows = records.iter().zip(COLOURS.iter().cycle()).zip((top..).step_by(BAR));
        for ((record, colour), y) in rows {
            // A CPU without a bar: its record is older than the shape.
            let Some(gain) = job.gain(record) else { continue };
            let (width, end, height) = (width(gain), LEFT as f64 + width(gain), BAR - 1);
            line(format_args!(
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"{height}\" \
                 fill=\"{colour}\"/>"
            ));
            let mut after = end;
            // The time of one message over that of the rival.
            let rival = job.gain_over_all(record).map(|over_all| gain / over_all);
            if let Some(rival) = rival.filter(|rival| *rival > 1.0) {
                let x = LEFT as f64 + width / gain * rival;
                after = after.max(x);
                for (colour, thickness) in [("#fff", 4), ("#222", 2)] {
                    line(format_args!(
                        "<path d=\"M{x:.1} {y} v{height}\" stroke=\"{colour}\" \
                         stroke-width=\"{thickness}\"/>"
                    ));
                }
            }
            line(format_args!(
                "<text x=\"{:.1}\" y=\"{}\" class=\"gain\">{gain:.1}</text>",
                after + 5.0,
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
    fn bars_are_those_of_the_newest_record_and_the_fastest_of_the_crates() {
        let record = |rows: &str| -> (String, Record) {
            (String::new(), format!("# cpu: X\n{rows}").parse().unwrap())
        };
        let row = |shape, name, role, ns| format!("{shape},{name},{role},1,1,{ns},1\n");
        let nodes = |ours| {
            row("hash_pairs/4096", "avx2", "auto", ours)
                + &row("hash_pairs/4096", "sha2-0.11.1", "rival", 8)
                + &row("hash_pairs/4096", "other", "rival", 4)
        };
        let pieces = row("sha1_many/256x256KiB", "avx2", "auto", 1)
            + &row("sha1_many/256x256KiB", "sha1-0.11.0", "rival", 7)
            + &row("sha1_many/256x256KiB", "aws-lc-rs-1.19.0", "rival", 5);
        let text = draw(&[record(&(nodes(2) + &pieces)), record(&nodes(1))]);
        let bars = text.lines().filter(|line| line.contains("class=\"gain\""));
        let gains: Vec<&str> = bars.filter_map(|line| line.split(['>', '<']).nth(2)).collect();
        assert_eq!(gains, ["4.0", "5.0"]);
        // The legend's mark, and that of the crate that is twice as fast as sha2.
        assert_eq!(text.matches("stroke-width=\"2\"").count(), 2);
        assert!(text.contains("X, no AVX-512"));
    }
}
