//! Curves over the steps of some long work, as an SVG picture with a legend beside it.

use plotters::prelude::*;

/// A picture of curves that share their axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What is shown.
    pub title: String,
    /// What the horizontal axis counts, from 0.
    pub x: String,
    /// The unit of the vertical axis.
    pub y: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// One line of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Its values, one for each step.
    pub values: Vec<f64>,
}

/// Width and least height of the curves, in pixels.
const SIZE: (u32, u32) = (800, 480);
/// The height of a line of the legend.
const ROW: u32 = 18;
/// Room above and below the legend.
const MARGIN: u32 = 44;
/// Points of a curve at most; more than the picture has pixels would only make it large.
const POINTS: usize = 1000;

impl Plot {
    /// The picture.
    pub fn svg(&self) -> String {
        let longest = self.curves.iter().map(|curve| curve.name.chars().count()).max().unwrap_or(0);
        let legend = 50 + 8 * longest as u32;
        let height = SIZE.1.max(2 * MARGIN + ROW * self.curves.len() as u32);
        let mut text = String::new();
        {
            let root = SVGBackend::with_string(&mut text, (SIZE.0 + legend, height)).into_drawing_area();
            let (left, right) = root.split_horizontally(SIZE.0);
            let drawn = root.fill(&WHITE).and_then(|()| self.draw_legend(&right));
            let drawn = drawn.map_err(|error| error.to_string());
            let drawn = drawn.and_then(|()| self.draw_curves(&left).map_err(|error| error.to_string()));
            drawn
                .and_then(|()| root.present().map_err(|error| error.to_string()))
                .expect("a string takes any text");
        }
        text
    }

    fn draw_curves<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, plotters::coord::Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let steps = self.curves.iter().map(|curve| curve.values.len()).max().unwrap_or(0);
        let (low, high) = self.range();
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 16))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(0..steps.saturating_sub(1).max(1), low..high)?;
        chart.configure_mesh().x_desc(&self.x).y_desc(&self.y).light_line_style(WHITE).draw()?;
        for (number, curve) in self.curves.iter().enumerate() {
            chart.draw_series(LineSeries::new(thinned(&curve.values), self.style(number)))?;
        }
        Ok(())
    }

    fn draw_legend<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, plotters::coord::Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        for (number, curve) in self.curves.iter().enumerate() {
            let y = (MARGIN + ROW * number as u32) as i32;
            area.draw(&PathElement::new([(4, y), (24, y)], self.style(number)))?;
            area.draw(&Text::new(curve.name.clone(), (30, y - 6), ("sans-serif", 13)))?;
        }
        Ok(())
    }

    fn style(&self, number: usize) -> ShapeStyle {
        color(number, self.curves.len()).stroke_width(2)
    }

    /// The least and the greatest value with some room around them.
    fn range(&self) -> (f64, f64) {
        let values = || self.curves.iter().flat_map(|curve| &curve.values).copied().filter(|v| v.is_finite());
        let (low, high) =
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        if low > high {
            return (0.0, 1.0);
        }
        let room = if low < high { 0.05 * (high - low) } else { 0.05 * low.abs().max(1.0) };
        (low - room, high + room)
    }
}

/// Colours around the circle, light and dark in turn so that neighbours differ.
pub(crate) fn color(number: usize, of: usize) -> HSLColor {
    let hue = number as f64 / of.max(1) as f64;
    HSLColor(hue, 0.85, if number.is_multiple_of(2) { 0.42 } else { 0.6 })
}

/// The points of a curve, if there are too many only some of them, the last among these.
fn thinned(values: &[f64]) -> Vec<(usize, f64)> {
    let every = values.len().div_ceil(POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let points = values.iter().copied().enumerate().filter(|(_, y)| y.is_finite());
    points.filter(|&(x, _)| x.is_multiple_of(every) || x == last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(curves: &[(&str, &[f64])]) -> String {
        let curves =
            curves.iter().map(|&(name, values)| Curve { name: name.to_string(), values: values.to_vec() });
        let (x, y) = ("iteration".to_string(), "unit".to_string());
        Plot { title: "a < b".to_string(), x, y, curves: curves.collect() }.svg()
    }

    #[test]
    fn every_curve_is_drawn_and_named_in_the_legend() {
        let svg = plot(&[("one", &[1.0, 2.0, 1.5]), ("other", &[0.0, 0.5, 3.0])]);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert!(svg.contains("a &lt; b"), "a title is escaped: {svg}");
        for name in ["one", "other", "iteration", "unit"] {
            assert!(svg.lines().any(|line| line.trim() == name), "{name} in {svg}");
        }
        // A curve has three points; an axis and a line of the grid or the legend have two.
        let points = svg.split("<polyline").skip(1).filter_map(|tag| tag.split("points=\"").nth(1));
        let lengths =
            points.map(|points| points.split('"').next().map_or(0, |list| list.split_whitespace().count()));
        assert_eq!(lengths.filter(|&length| length == 3).count(), 2, "{svg}");
    }

    #[test]
    fn flat_short_and_empty_curves_are_pictures_too() {
        for values in [&[][..], &[1.0], &[0.0, 0.0], &[f64::NAN, 1.0]] {
            assert!(plot(&[("x", values)]).trim_end().ends_with("</svg>"), "{values:?}");
        }
        assert!(plot(&[]).trim_end().ends_with("</svg>"));
    }

    #[test]
    fn long_curves_lose_points_but_never_the_last() {
        let values: Vec<f64> = (0..12_345).map(f64::from).collect();
        let points = thinned(&values);
        assert!(points.len() <= POINTS + 1);
        assert_eq!((points[0], points.last()), ((0, 0.0), Some(&(12_344, 12_344.0))));
        assert_eq!(thinned(&values[..700]).len(), 700);
    }
}
