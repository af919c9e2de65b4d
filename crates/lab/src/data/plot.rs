//! A picture of promise against reality: points on the diagonal are a model that is right.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::chances::Bin;

const SIZE: (u32, u32) = (520, 520);

/// The calibration as SVG.
pub fn calibration(bins: &[Bin]) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        draw(&area, bins).expect("a string takes any text");
    }
    text
}

fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    bins: &[Bin],
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .caption("Winning chances: promised and made", ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(44)
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    chart.configure_mesh().x_desc("points promised").y_desc("points made").light_line_style(WHITE).draw()?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], BLACK.mix(0.4)))?;
    chart.draw_series(LineSeries::new(bins.iter().map(Bin::points), BLUE.stroke_width(2)))?;
    chart.draw_series(bins.iter().map(|bin| Circle::new(bin.points(), 4, BLUE.filled())))?;
    area.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bin_is_a_point() {
        let bin =
            |win: f64| Bin { positions: 9.0, promised: [1.0 - win, 0.0, win], happened: [0.5, 0.0, 0.5] };
        let svg = calibration(&[bin(0.1), bin(0.4), bin(0.8)]);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg.matches("<circle").count(), 3);
    }
}
