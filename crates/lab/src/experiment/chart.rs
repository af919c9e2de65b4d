//! Pictures of a report: curves, points and error bars over a linear or logarithmic scale, or over categories.

mod mark;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::values::{MeasuredValue, number};
use mark::{color, dash, point};

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chart {
    pub(super) title: String,
    /// The horizontal axis in words, with its unit.
    pub(super) x: String,
    /// The vertical axis in words, with its unit.
    pub(super) y: String,
    pub(super) log_x: bool,
    pub(super) log_y: bool,
    /// Categories instead of a scale for x, one below the other: then the values go to the right.
    pub(super) labels: Vec<String>,
    /// A value to compare with, drawn as a line.
    pub(super) guide: Option<f64>,
    pub(super) series: Vec<ChartSeries>,
}

/// What shares a colour and a line of the legend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChartSeries {
    pub(super) name: String,
    /// Where, and how much, with its error. For categories `where` is the number of the label.
    pub(super) points: Vec<(f64, MeasuredValue)>,
    pub(super) style: Style,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A line through its points.
    Line,
    /// A thin line alone.
    Thin,
    /// A broken line: the paper's.
    Dashed,
    /// Points alone.
    Points,
    /// Bars from zero.
    Bars,
}

impl Style {
    /// Whether the places of its values are marked.
    fn has_points(self) -> bool {
        matches!(self, Style::Points | Style::Line | Style::Dashed)
    }
}

/// With more points than this a line is drawn without circles.
pub(super) const MANY: usize = 20;
const WIDTH: u32 = 760;
const HEIGHT: u32 = 480;
const ROW: u32 = 20;
const MARGIN: u32 = 48;
const GUIDE: RGBColor = RGBColor(0x60, 0x60, 0x60);

type Area<'a, 'b> = DrawingArea<SVGBackend<'b>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

impl Chart {
    /// The picture as SVG.
    pub(super) fn svg(&self) -> String {
        let longest = |names: &mut dyn Iterator<Item = &String>| names.map(|name| name.chars().count()).max();
        let legend = match longest(&mut self.series.iter().map(|series| &series.name)) {
            Some(length) if self.has_legend() => 54 + 9 * length as u32,
            _ => 12,
        };
        let left = longest(&mut self.labels.iter()).map_or(0, |length| 24 + 8 * length as u32);
        // Two series find room in a row, more need a higher one.
        let row = 22.max(11 * self.series.len() as u32);
        let rows = if self.labels.is_empty() { 0 } else { 110 + row * self.labels.len() as u32 };
        let height = if rows > 0 { rows } else { HEIGHT }.max(if self.has_legend() {
            2 * MARGIN + ROW * self.series.len() as u32
        } else {
            0
        });
        let mut text = String::new();
        {
            let root =
                SVGBackend::with_string(&mut text, (left + WIDTH + legend, height)).into_drawing_area();
            let (body, right) = root.split_horizontally(left + WIDTH);
            let drawn = root.fill(&WHITE).map_err(Into::into);
            let drawn = drawn.and_then(|()| if self.has_legend() { self.legend(&right) } else { Ok(()) });
            let drawn = drawn.and_then(|()| {
                if self.labels.is_empty() { self.scales(&body) } else { self.categories(&body, left) }
            });
            drawn.and_then(|()| root.present().map_err(Into::into)).expect("a string takes any text");
        }
        text
    }

    /// Whether there is anything to see.
    pub(super) fn has_points(&self) -> bool {
        self.series.iter().any(|series| !series.points.is_empty())
    }

    /// Series without a name, or one alone, need none.
    fn has_legend(&self) -> bool {
        self.series.len() > 1 && self.series.iter().any(|series| !series.name.is_empty())
    }

    fn legend(&self, area: &Area<'_, '_>) -> Drawn {
        for (number, series) in self.series.iter().enumerate() {
            let (y, style) = ((MARGIN + ROW * number as u32) as i32, self.style(number));
            match series.style {
                Style::Bars => area.draw(&Rectangle::new([(4, y - 5), (24, y + 5)], style.filled()))?,
                Style::Dashed => {
                    for x in [2, 20] {
                        area.draw(&PathElement::new([(x, y), (x + 6, y)], style))?;
                    }
                }
                Style::Line => area.draw(&PathElement::new([(2, y), (26, y)], style))?,
                Style::Thin => {
                    let (size, gap) = dash(number).unwrap_or((24, 0));
                    for x in (2..26).step_by((size + gap) as usize) {
                        area.draw(&PathElement::new([(x, y), ((x + size as i32).min(26), y)], style))?;
                    }
                }
                Style::Points => {}
            }
            if series.style.has_points() {
                area.draw(&point((14, y), number, series.style == Style::Dashed))?;
            }
            area.draw(&Text::new(series.name.clone(), (34, y - 8), ("sans-serif", 17)))?;
        }
        Ok(())
    }

    fn style(&self, number: usize) -> ShapeStyle {
        let width = if self.series[number].style == Style::Thin { 1 } else { 2 };
        color(number).stroke_width(width)
    }

    /// A horizontal and a vertical scale.
    fn scales(&self, area: &Area<'_, '_>) -> Drawn {
        let on_x = |x: f64| scaled(x, self.log_x);
        let on_y = |y: f64| scaled(y, self.log_y);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let has_bars = self.series.iter().any(|series| series.style == Style::Bars);
        let side = if has_bars { 0.6 } else { 0.0 };
        let (left, right) = range(points().map(|point| on_x(point.0)), side, false);
        let ends = points().flat_map(|(_, v)| [v.value, v.low, v.high]).chain(has_bars.then_some(0.0));
        let (low, high) = range(ends.map(on_y), 0.0, !self.log_y);
        let is_whole = points().all(|point| point.0.fract() == 0.0);
        let marks = (ticks(left, right, self.log_x, is_whole), ticks(low, high, self.log_y, false));
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 20))
            .margin(14)
            .x_label_area_size(50)
            .y_label_area_size(84)
            .build_cartesian_2d(Scale::new(left..right, marks.0), Scale::new(low..high, marks.1))?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_labels(100)
            .y_labels(100)
            .x_label_formatter(&|x| tick(*x, self.log_x))
            .y_label_formatter(&|y| tick(*y, self.log_y))
            .label_style(("sans-serif", 17))
            .axis_desc_style(("sans-serif", 18))
            .draw()?;
        if let Some(guide) = self.guide.map(on_y).filter(|guide| (low..high).contains(guide)) {
            chart.draw_series([PathElement::new([(left, guide), (right, guide)], GUIDE.stroke_width(1))])?;
        }
        for (number, series) in self.series.iter().enumerate() {
            let place = |(x, v): &(f64, MeasuredValue)| (on_x(*x), on_y(v.value));
            let points: Vec<(f64, f64)> = series.points.iter().map(place).collect();
            let style = self.style(number);
            // Lines without a name are not told apart, so that none of them is broken.
            let broken = match series.style {
                Style::Dashed => Some((6, 5)),
                Style::Thin if !series.name.is_empty() => dash(number),
                _ => None,
            };
            match series.style {
                Style::Line | Style::Thin | Style::Dashed => {
                    let line = points.iter().copied();
                    match broken {
                        Some((size, gap)) => {
                            chart.draw_series(DashedLineSeries::new(line, size, gap, style))?
                        }
                        None => chart.draw_series(LineSeries::new(line, style))?,
                    };
                }
                Style::Bars => {
                    let width = 0.8 / self.series.len() as f64;
                    let start = -0.4 + width * number as f64;
                    chart.draw_series(points.iter().map(|&(x, y)| {
                        Rectangle::new(
                            [(x + start, on_y(0.0)), (x + start + width * 0.92, y)],
                            style.filled(),
                        )
                    }))?;
                }
                Style::Points => {}
            }
            if series.style.has_points() {
                let is_paper = series.style == Style::Dashed;
                for &place in &points {
                    chart.plotting_area().draw(&point(place, number, is_paper))?;
                }
            }
            if series.style != Style::Bars {
                bars(&mut chart, series, style, &on_x, &on_y)?;
            }
        }
        Ok(())
    }

    /// A row for each label, with the values to the right.
    fn categories(&self, area: &Area<'_, '_>, left: u32) -> Drawn {
        let rows = self.labels.len() as f64;
        let ends = self.series.iter().flat_map(|series| &series.points);
        let ends = ends.flat_map(|(_, v)| [v.value, v.low, v.high]).filter(|v| v.is_finite());
        let (low, high) = range(ends, 0.0, true);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 20))
            .margin(14)
            .x_label_area_size(50)
            .y_label_area_size(left + 8)
            .build_cartesian_2d(low..high, (rows - 0.5)..-0.5)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc(&self.y)
            .y_labels(0)
            .disable_y_mesh()
            .x_label_formatter(&|x| tick(*x, false))
            .label_style(("sans-serif", 17))
            .axis_desc_style(("sans-serif", 18))
            .draw()?;
        let plotting = chart.plotting_area();
        let aligned = TextStyle::from(("sans-serif", 17)).pos(Pos::new(HPos::Right, VPos::Center));
        for (place, label) in self.labels.iter().enumerate() {
            let (x, y) = plotting.map_coordinate(&(low, place as f64));
            area.draw(&Text::new(label.clone(), (x - 10, y), aligned.clone()))?;
        }
        if let Some(guide) = self.guide.filter(|guide| (low..high).contains(guide)) {
            plotting.draw(&PathElement::new([(guide, -0.5), (guide, rows - 0.5)], GUIDE.stroke_width(1)))?;
        }
        for (number, series) in self.series.iter().enumerate() {
            let style = self.style(number);
            let shift = 0.7 * ((number as f64 + 0.5) / self.series.len() as f64 - 0.5);
            for (place, value) in &series.points {
                let (row, ends) = (place + shift, (value.low.max(low), value.high.min(high)));
                plotting.draw(&PathElement::new([(ends.0, row), (ends.1, row)], style))?;
                plotting.draw(&point((value.value.clamp(low, high), row), number, false))?;
            }
        }
        Ok(())
    }
}

/// A scale with marks of our choice.
struct Scale {
    range: RangedCoordf64,
    marks: Vec<f64>,
}

impl Scale {
    fn new(range: std::ops::Range<f64>, marks: Vec<f64>) -> Scale {
        Scale { range: range.into(), marks }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.range.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.range()
    }
}

type Context<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scale, Scale>>;

/// The error bars of a series, where there are errors.
fn bars(
    chart: &mut Context<'_, '_>,
    series: &ChartSeries,
    style: ShapeStyle,
    on_x: &dyn Fn(f64) -> f64,
    on_y: &dyn Fn(f64) -> f64,
) -> Drawn {
    let uncertain =
        series.points.iter().filter(|(_, value)| value.error() > 0.0 && value.error().is_finite());
    chart.draw_series(uncertain.map(|(x, value)| {
        PathElement::new([(on_x(*x), on_y(value.low)), (on_x(*x), on_y(value.high))], style)
    }))?;
    Ok(())
}

/// A number's place on a scale.
fn scaled(value: f64, is_log: bool) -> f64 {
    if is_log { value.max(1e-9).log10() } else { value }
}

/// Where a scale has its marks: round numbers, of which there is room for about ten; on a logarithmic scale 1, 2 and 5
/// times the powers of ten, or these alone.
fn ticks(low: f64, high: f64, is_log: bool, is_whole: bool) -> Vec<f64> {
    if is_log {
        let factors: &[f64] = if high - low > 4.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let powers = low.floor() as i32..=high.ceil() as i32;
        let marks = powers.flat_map(|power| factors.iter().map(move |f| f.log10() + f64::from(power)));
        return marks.filter(|mark| (low..=high).contains(mark)).collect();
    }
    let rough = (high - low) / 10.0;
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|f| f * power).into_iter().find(|&step| step >= rough).unwrap_or(power);
    let step = if is_whole { step.max(1.0) } else { step };
    let first = (low / step).ceil() as i64;
    (first..).map(|n| n as f64 * step).take_while(|&mark| mark <= high).take(100).collect()
}

/// A place on a scale as a number.
fn tick(place: f64, is_log: bool) -> String {
    let value = if is_log { 10f64.powf(place) } else { place };
    let value = (value * 1e9).round() / 1e9;
    match value.abs() {
        x if x >= 10.0 || x == 0.0 || value.fract() == 0.0 => number(value, 0),
        x if x >= 1.0 => number(value, 1),
        x if x >= 0.01 => number(value, 2),
        _ => format!("{value:.0e}"),
    }
}

/// The least and the greatest, with some room or so much on each side. Zero is an end where it is near.
fn range(values: impl Iterator<Item = f64>, side: f64, from_zero: bool) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (0.0, 1.0);
    }
    let room = if low < high { 0.05 * (high - low) } else { 0.05 * low.abs().max(1.0) };
    let room = room.max(side);
    let low = if from_zero && low >= 0.0 && low < 0.5 * high { 0.0 } else { low - room };
    (low, high + room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(labels: &[&str], styles: &[Style]) -> String {
        let points = vec![
            (0.0, MeasuredValue::exact(1.0)),
            (1.0, MeasuredValue { value: 50.0, low: 40.0, high: 60.0 }),
        ];
        let series = styles.iter().enumerate().map(|(number, &style)| ChartSeries {
            name: format!("series {number}"),
            points: points.clone(),
            style,
        });
        Chart {
            title: "a < b".to_string(),
            x: "plies".to_string(),
            y: "score in percent".to_string(),
            log_x: false,
            log_y: labels.is_empty(),
            labels: labels.iter().map(ToString::to_string).collect(),
            guide: Some(50.0),
            series: series.collect(),
        }
        .svg()
    }

    #[test]
    fn every_style_is_drawn_with_axes_and_legend() {
        let svg = chart(&[], &[Style::Line, Style::Thin, Style::Dashed, Style::Points, Style::Bars]);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for text in ["a &lt; b", "plies", "score in percent", "series 0", "series 4"] {
            assert!(svg.lines().any(|line| line.trim() == text), "{text} in {svg}");
        }
    }

    #[test]
    fn categories_have_their_labels_and_a_single_series_no_legend() {
        let svg = chart(&["first", "second"], &[Style::Points]);
        assert!(svg.contains("first") && svg.contains("second") && !svg.contains("series 0"));
    }

    #[test]
    fn a_logarithmic_scale_is_labelled_with_its_numbers() {
        assert_eq!([tick(3.0, true), tick(-1.0, true), tick(50.0, false)], ["1,000", "0.10", "50"]);
    }

    #[test]
    fn marks_are_round_numbers() {
        assert_eq!(ticks(0.8, 5.2, false, true), [1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(ticks(-0.1, 1.0, false, false), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        let log: Vec<String> =
            ticks(2.9, 4.1, true, false).into_iter().map(|mark| tick(mark, true)).collect();
        assert_eq!(log, ["1,000", "2,000", "5,000", "10,000"]);
    }

    #[test]
    fn an_empty_picture_is_a_picture() {
        assert!(chart(&[], &[]).trim_end().ends_with("</svg>"));
    }
}
