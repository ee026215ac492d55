//! Draws records as SVG charts.
//!
//! There are bar charts of one shape each, and line charts of 1 to 64 nodes and of trees of 2^10 to
//! 2^24 leaves.

use std::error::Error;
use std::path::{Path, PathBuf};

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::bounds::Work;
use crate::record::{Record, Row};

type Result<T> = std::result::Result<T, Box<dyn Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const FONT: &str = "sans-serif";
const TEXT: RGBColor = RGBColor(0x22, 0x22, 0x22);
const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
const AUTO: RGBColor = RGBColor(0xc2, 0x41, 0x0c);
const BACKEND: RGBColor = RGBColor(0xf0, 0xa8, 0x80);
/// Distinguishable with red-green colour blindness (Okabe and Ito's palette).
const RIVALS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x7a, 0x5a, 0x9e),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x66, 0x66, 0x66),
];

/// Our backends that have bars, besides the default one.
const OURS: [&str; 3] = ["avx2+sha", "sha-ni", "neon"];

/// Draws every chart whose shapes are in the record, as `STEM-CHART.svg`. Returns the titles and
/// the files.
///
/// # Errors
///
/// Returns an error if a file cannot be written.
pub fn draw(record: &Record, stem: &Path) -> Result<Vec<(&'static str, PathBuf)>> {
    let path = |file: &str| {
        let mut name = stem.as_os_str().to_owned();
        name.push(format!("-{file}.svg"));
        PathBuf::from(name)
    };
    let mut drawn = Vec::new();
    for chart in &BARS {
        let path = path(chart.file);
        if chart.draw(record, &path)? {
            drawn.push((chart.title, path));
        }
    }
    for chart in [SMALL, SCALING] {
        let path = path(chart.file);
        if chart.draw(record, &path)? {
            drawn.push((chart.title, path));
        }
    }
    Ok(drawn)
}

/// A bar chart of one shape, with a bar for each candidate.
struct Bars {
    /// The end of the file name.
    file: &'static str,
    shape: &'static str,
    /// Our crate.
    ours: &'static str,
    title: &'static str,
    unit: &'static str,
    /// What a physical bound is known for.
    bound: Option<Work>,
}

const BARS: [Bars; 7] = [
    Bars {
        file: "pairs",
        shape: "hash_pairs/4096",
        ours: "sha256-multi",
        title: "SHA-256 of 64-byte nodes, 4096 at a time",
        unit: "node",
        bound: Some(Work::Node),
    },
    Bars {
        file: "long",
        shape: "hash_many/16x16KiB",
        ours: "sha256-multi",
        title: "SHA-256 of 16 messages of 16 KiB",
        unit: "message",
        bound: Some(Work::Sha256Blocks(257)),
    },
    Bars {
        file: "sha1",
        shape: "sha1_many/256x256KiB",
        ours: "sha1-multi",
        title: "SHA-1 of 256 pieces of 256 KiB",
        unit: "piece",
        bound: Some(Work::Sha1Blocks(4097)),
    },
    Bars {
        file: "hash160",
        shape: "hash160_many/4096x33B",
        ours: "ripemd-multi",
        title: "HASH160 of 4096 compressed public keys",
        unit: "key",
        bound: None,
    },
    Bars {
        file: "sumhash512",
        shape: "sumhash512_digest/1x600B",
        ours: "sumhash512",
        title: "sumhash512 of a message of 600 bytes",
        unit: "message",
        bound: None,
    },
    Bars {
        file: "root",
        shape: "ssz_root/2^20",
        ours: "merkle-lanes",
        title: "Root of 2^20 leaves of 32 bytes (SSZ)",
        unit: "leaf",
        bound: Some(Work::Leaf),
    },
    Bars {
        file: "search",
        shape: "addr-recover/search",
        ours: "addr-recover",
        title: "Search for the letter case of an address",
        unit: "hash",
        bound: None,
    },
];

/// A line chart of shapes with increasing numbers of messages, with a line for each candidate.
struct Lines {
    /// The end of the file name.
    file: &'static str,
    /// The prefix of the shapes' names.
    shapes: &'static str,
    /// Our crate.
    ours: &'static str,
    title: &'static str,
    /// How to read the chart.
    how: &'static str,
    unit: &'static str,
    /// The quantity on the x axis.
    count: &'static str,
    /// Whether the x axis is logarithmic.
    doubling: bool,
    /// What a physical bound is known for.
    bound: Work,
}

const SMALL: Lines = Lines {
    file: "small",
    shapes: "hash_pairs/small-",
    ours: "sha256-multi",
    title: "SHA-256 of a few 64-byte nodes",
    how: "lower is better · one thread",
    unit: "node",
    count: "nodes in the batch",
    doubling: false,
    bound: Work::Node,
};

const SCALING: Lines = Lines {
    file: "scaling",
    shapes: "ssz_root/scaling-",
    ours: "merkle-lanes",
    title: "Root of a tree of 32-byte leaves (SSZ)",
    how: "lower is better · one thread unless a number is given",
    unit: "leaf",
    count: "leaves",
    doubling: true,
    bound: Work::Leaf,
};

fn label(ours: &str, row: &Row) -> String {
    match row.role.as_str() {
        "rival" => row.candidate.clone(),
        "auto" => format!("{ours} ({}, the default)", row.candidate),
        _ => format!("{ours} ({})", row.candidate),
    }
}

fn text(size: u32) -> TextStyle<'static> {
    (FONT, size).into_font().color(&TEXT)
}

fn title(area: &Area<'_>, record: &Record, title: &str, how: &str) -> Result<()> {
    area.fill(&WHITE)?;
    area.draw(&Text::new(title.to_owned(), (20, 16), text(20)))?;
    let where_and_when =
        format!("{how} · {} · {} · {}", record.cpu, record.compiler(), record.date);
    area.draw(&Text::new(where_and_when, (20, 44), text(13)))?;
    Ok(())
}

impl Bars {
    /// Draws the time per message, the shortest on top. Returns false if the record has no such
    /// shape.
    fn draw(&self, record: &Record, path: &Path) -> Result<bool> {
        const WIDTH: i32 = 900;
        const TOP: i32 = 76;
        const LEFT: i32 = 340;
        const STEP: i32 = 28;

        let drawn = |row: &&Row| row.role != "backend" || OURS.contains(&row.candidate.as_str());
        let of_shape = record.rows.iter().filter(|row| row.shape == self.shape);
        let mut rows: Vec<&Row> = of_shape.filter(drawn).collect();
        rows.sort_by(|a, b| a.min_ns.total_cmp(&b.min_ns));
        let Some(longest) = rows.last().map(|row| row.min_ns) else {
            return Ok(false);
        };

        let bottom = TOP + STEP * i32::try_from(rows.len())?;
        let size = (WIDTH.cast_unsigned(), (bottom + 36).cast_unsigned());
        let area = SVGBackend::new(path, size).into_drawing_area();
        title(&area, record, self.title, "shorter is better · one thread")?;

        // Leaves room for the number after the longest bar.
        let x = |ns: f64| LEFT + (f64::from(WIDTH - LEFT - 80) * ns / longest).round() as i32;
        for (row, y) in rows.iter().zip((TOP..).step_by(STEP as usize)) {
            let colour = match row.role.as_str() {
                "auto" => AUTO,
                "backend" => BACKEND,
                _ => RIVALS[0],
            };
            let middle = y + STEP / 2;
            let right = text(14).pos(Pos::new(HPos::Right, VPos::Center));
            let left = text(14).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(label(self.ours, row), (LEFT - 8, middle), right))?;
            area.draw(&Rectangle::new(
                [(LEFT, y + 4), (x(row.min_ns), y + STEP - 4)],
                colour.filled(),
            ))?;
            area.draw(&Text::new(format!("{:.1}", row.min_ns), (x(row.min_ns) + 6, middle), left))?;
        }
        area.draw(&PathElement::new([(LEFT, TOP), (LEFT, bottom)], TEXT))?;
        let mut below = format!("ns per {} (minimum of many turns)", self.unit);
        if let Some((ns, ghz)) = self.bound.and_then(|work| work.bound(&record.cpu)) {
            let line = [(x(ns), TOP), (x(ns), bottom)];
            area.draw(&DashedPathElement::new(line, 4, 4, TEXT))?;
            below += &format!(" · dashed: physical bound, {ns:.1} at {ghz} GHz");
        }
        area.draw(&Text::new(below, (LEFT, bottom + 10), text(13)))?;
        area.present()?;
        Ok(true)
    }
}

impl Lines {
    /// Draws the time per message by the number of messages. A flat line means that the total time
    /// is proportional to the number. Returns false if the record has no such shapes.
    fn draw(&self, record: &Record, path: &Path) -> Result<bool> {
        let of_shapes = record.rows.iter().filter(|row| row.shape.starts_with(self.shapes));
        // The doubling charts have few rows, so our other rows are drawn as well.
        let rows: Vec<&Row> =
            of_shapes.filter(|row| self.doubling || row.role != "backend").collect();
        // A kernel with many lanes is so slow on one message that it would flatten all other lines,
        // so it does not determine the height.
        let shown = rows.iter().filter(|row| {
            self.doubling || row.role == "auto" || row.candidate.starts_with("sha2-")
        });
        // Leaves room for the legend above the lines.
        let scale = if self.doubling { 1.6 } else { 2.0 };
        let Some(top) = shown.map(|row| row.min_ns * scale).reduce(f64::max) else {
            return Ok(false);
        };
        let at = |row: &Row| {
            let messages = row.messages as f64;
            if self.doubling { messages.log2() } else { messages }
        };
        let positions = || rows.iter().map(|row| at(row));
        let left = positions().reduce(f64::min).unwrap_or(1.0);
        let right = positions().reduce(f64::max).unwrap_or(1.0);

        let area = SVGBackend::new(path, (900, 520)).into_drawing_area();
        title(&area, record, self.title, self.how)?;

        let (_, rest) = area.split_vertically(66);
        let mut chart = ChartBuilder::on(&rest)
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(left..right, 0.0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .x_labels(16)
            .y_labels(8)
            .x_label_formatter(&|x| {
                if self.doubling { format!("2^{x:.0}") } else { format!("{x:.0}") }
            })
            .y_label_formatter(&|y| format!("{y:.0}"))
            .x_desc(self.count)
            .y_desc(format!("ns per {} (minimum of many turns)", self.unit))
            .axis_desc_style(text(14))
            .label_style(text(13))
            .draw()?;

        let mut names: Vec<(&str, &Row)> = Vec::new();
        for row in &rows {
            if !names.iter().any(|(name, _)| *name == row.candidate) {
                names.push((&row.candidate, row));
            }
        }
        let mut others = RIVALS.iter().cycle();
        for (name, first) in names {
            let (colour, width) = match first.role.as_str() {
                "auto" => (AUTO, 3),
                _ => (*others.next().unwrap_or(&TEXT), 2),
            };
            let points =
                rows.iter().filter(|row| row.candidate == name).map(|row| (at(row), row.min_ns));
            let style = colour.stroke_width(width);
            chart
                .draw_series(
                    below(top, points).into_iter().map(|line| PathElement::new(line, style)),
                )?
                .label(label(self.ours, first))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
        }
        if let Some((ns, ghz)) = self.bound.bound(&record.cpu) {
            let line = DashedLineSeries::new([(left, ns), (right, ns)], 4, 4, TEXT.into());
            chart
                .draw_series(line)?
                .label(format!("physical bound of one thread at {ghz} GHz"))
                .legend(|(x, y)| DashedPathElement::new([(x, y), (x + 22, y)], 4, 4, TEXT));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.85))
            .border_style(GRID)
            .legend_area_size(32)
            .label_font(text(13))
            .draw()?;
        area.present()?;
        Ok(true)
    }
}

type Point = (f64, f64);

/// The parts of a line below `top`, each clipped where it crosses `top`.
fn below(top: f64, points: impl Iterator<Item = Point>) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = vec![Vec::new()];
    let mut last: Option<Point> = None;
    for (x, y) in points {
        let crossing = last.filter(|&(_, last_y)| (last_y > top) != (y > top));
        if let (Some((last_x, last_y)), Some(part)) = (crossing, parts.last_mut()) {
            part.push((last_x + (x - last_x) * (top - last_y) / (y - last_y), top));
        }
        if y > top {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push((x, y));
        }
        last = Some((x, y));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn lines_are_clipped_where_they_leave_and_return() {
        let points = [(1.0, 4.0), (2.0, 0.0), (3.0, 4.0), (4.0, 2.0)];
        let cut = [vec![], vec![(1.5, 2.0), (2.0, 0.0), (2.5, 2.0)], vec![(4.0, 2.0), (4.0, 2.0)]];
        assert_eq!(below(2.0, points.into_iter()), cut);
    }
}
