//! The picture of a training run: its losses, epoch by epoch.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::checkpoint::Epoch;

const SIZE: (u32, u32) = (800, 480);
const TRAIN: RGBColor = RGBColor(0x1f, 0x77, 0xb4);
const VALIDATION: RGBColor = RGBColor(0xd6, 0x27, 0x28);

/// The losses as an SVG picture.
pub(super) fn losses(history: &[Epoch]) -> String {
    let mut picture = String::new();
    let root = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
    // A string can always be written to.
    draw(&root, history).and_then(|()| root.present().map_err(Into::into)).expect("a picture in memory");
    drop(root);
    picture
}

fn draw(
    root: &DrawingArea<SVGBackend<'_>, Shift>,
    history: &[Epoch],
) -> Result<(), Box<dyn std::error::Error>> {
    let train: Vec<(f64, f64)> = history.iter().map(|epoch| (epoch.epoch as f64, epoch.train)).collect();
    let validation: Vec<(f64, f64)> =
        history.iter().filter_map(|epoch| Some((epoch.epoch as f64, epoch.validation?))).collect();
    let losses = || train.iter().chain(&validation).map(|point| point.1);
    let (low, high) = (losses().fold(f64::MAX, f64::min), losses().fold(0.0, f64::max));
    let (low, high) = if low < high { (low, high) } else { (high * 0.9, high * 1.1 + 1e-9) };
    let margin = (high - low) * 0.05;
    root.fill(&WHITE)?;
    let last = train.last().map_or(2.0, |point| point.0.max(2.0));
    let mut chart = ChartBuilder::on(root)
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(72)
        .build_cartesian_2d(1.0..last, low - margin..high + margin)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("epoch")
        .y_desc("loss")
        .x_label_formatter(&|x| if x.fract() == 0.0 { format!("{x:.0}") } else { String::new() })
        .y_label_formatter(&|y| format!("{y:.5}"))
        .label_style(("sans-serif", 14))
        .draw()?;
    for (points, color, name) in [(train, TRAIN, "training"), (validation, VALIDATION, "validation")] {
        if !points.is_empty() {
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .border_style(BLACK.mix(0.2))
        .background_style(WHITE)
        .label_font(("sans-serif", 14))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_losses_are_drawn_if_there_are_both() {
        let epoch =
            |epoch, validation| Epoch { epoch, train: 0.1 / epoch as f64, validation, rate: 0.1, speed: 1.0 };
        let both = losses(&[epoch(1, Some(0.2)), epoch(2, Some(0.1))]);
        assert!(both.starts_with("<svg") && both.matches("<polyline").count() >= 2);
        assert!(both.contains("training") && both.contains("validation"));
        let one = losses(&[epoch(1, None)]);
        assert!(one.contains("training") && !one.contains("validation"));
    }
}
