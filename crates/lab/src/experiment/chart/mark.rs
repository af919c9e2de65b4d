//! What tells the series of a picture apart: colours that the colour-blind can tell apart, the shape of the points, and how
//! lines are broken, so that a print in black and white can be read too.

use plotters::element::{DynElement, IntoDynElement};
use plotters::prelude::*;

/// The colours of Okabe and Ito (2008) without the yellow, which is too light on paper.
const COLORS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0x00, 0x00, 0x00),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
];

/// Dashes and gaps, in pixels, of lines without points; the first is unbroken.
const DASHES: [Option<(u32, u32)>; 4] = [None, Some((12, 4)), Some((3, 3)), Some((7, 7))];

/// The shapes of points, as corners around the place: a square, a triangle, a diamond, one standing on its head. A circle
/// comes before them.
const SHAPES: [&[(i32, i32)]; 4] = [
    &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
    &[(0, -5), (5, 4), (-5, 4)],
    &[(0, -6), (6, 0), (0, 6), (-6, 0)],
    &[(0, 5), (5, -4), (-5, -4)],
];

/// The colour of the series with this number.
pub(super) fn color(number: usize) -> RGBColor {
    COLORS[number % COLORS.len()]
}

/// How a line without points is broken.
pub(super) fn dash(number: usize) -> Option<(u32, u32)> {
    DASHES[number % DASHES.len()]
}

/// The point of a series: filled, or hollow for the paper's. Colours and shapes come round at different times, so that the
/// first 35 series all differ.
pub(super) fn point<'a, C: Clone + 'a>(
    place: C,
    number: usize,
    is_hollow: bool,
) -> DynElement<'a, SVGBackend<'a>, C> {
    let (line, fill) = (color(number).stroke_width(2), color(number).filled());
    match (number % (SHAPES.len() + 1)).checked_sub(1) {
        None => Circle::new(place, 4, if is_hollow { line } else { fill }).into_dyn(),
        Some(shape) if is_hollow => {
            let corners = SHAPES[shape].iter().chain(&SHAPES[shape][..1]).copied();
            (EmptyElement::at(place) + PathElement::new(corners.collect::<Vec<_>>(), line)).into_dyn()
        }
        Some(shape) => (EmptyElement::at(place) + Polygon::new(SHAPES[shape].to_vec(), fill)).into_dyn(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_series_differ_by_colour_or_shape() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..35 {
            let RGBColor(r, g, b) = color(number);
            assert!(seen.insert((r, g, b, number % (SHAPES.len() + 1))), "{number}");
        }
    }

    #[test]
    fn every_colour_stands_out_from_white_paper() {
        for RGBColor(r, g, b) in COLORS {
            let light = 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b);
            assert!(light < 170.0, "{r:x} {g:x} {b:x} is {light}");
        }
    }
}
