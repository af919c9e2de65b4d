//! The graph of a game as an SVG picture: Black's share of the winning chance dark, White's light, the bad moves as
//! discs with a tooltip. It has no background of its own, so that it fits light and dark pages.

use std::fmt::Write;

use sumito_engine::analysis::{Judgement, Review, Tally};
use sumito_rules::{Color, Notation};

use super::game::Title;
use super::{graph, text};

/// The edges of the field that the curve is in; the picture has 960 by 420.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 940.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 340.0;

const HEAD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 420" width="960" height="420" role="img">
<style>
.white{fill:#e9e7e0}
.black{fill:#3a3c42}
.grid{stroke:#8a8a86;stroke-width:1;opacity:.45}
.even{stroke:#8a8a86;stroke-width:1.5;stroke-dasharray:6 5}
.curve{fill:none;stroke:#1f7a4d;stroke-width:2.5;stroke-linejoin:round}
.frame{fill:none;stroke:#8a8a86;stroke-width:1.5}
.inaccuracy{fill:#c9971c}
.mistake{fill:#dd6b20}
.blunder{fill:#c53030}
.disc{stroke:#fff;stroke-width:1.5}
text{font:14px system-ui,"DejaVu Sans",sans-serif;fill:#7a7a7a}
.title{font-size:18px;font-weight:600}
.middle{text-anchor:middle}
.end{text-anchor:end}
.mark{font-size:10px;font-weight:700;fill:#fff;text-anchor:middle}
</style>
"#;

/// So many characters of the heading fit above the field.
const HEADING: usize = 76;

/// Draws a review. Needs at least one position.
pub(super) fn draw(review: &Review, title: &Title, notation: Notation) -> String {
    let points: Vec<f64> = review.positions.iter().map(graph::black).collect();
    let field = Field { last: points.len().saturating_sub(1).max(1) };
    let mut out = String::from(HEAD);
    line(&mut out, &format!("<title>{}</title>", escaped(&title.to_string())));
    heading(&mut out, &escaped(&shortened(&title.players, HEADING)), review);
    area(&mut out, &points, field);
    axes(&mut out, review, field);
    discs(&mut out, review, &points, field, notation);
    legend(&mut out);
    out.push_str("</svg>\n");
    out
}

/// Where a point of the curve is drawn.
#[derive(Clone, Copy)]
struct Field {
    /// The number of the last point, at least 1.
    last: usize,
}

impl Field {
    fn x(self, point: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * point as f64 / self.last as f64
    }

    fn y(self, part: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * part
    }
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("writing to a string");
}

fn label(out: &mut String, (x, y): (f64, f64), class: &str, text: &str) {
    line(out, &format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" dy=\".35em\">{text}</text>"));
}

fn heading(out: &mut String, title: &str, review: &Review) {
    label(out, (LEFT, 24.0), "title", title);
    let tally = review.tally();
    let side = |name: Color, tally: Tally| {
        let Tally { accuracy, inaccuracies, mistakes, blunders, .. } = tally;
        format!("{name}: accuracy {accuracy:.1} %, {inaccuracies} ?!, {mistakes} ?, {blunders} ??")
    };
    label(out, (LEFT, 52.0), "start", &side(Color::Black, tally.black));
    label(out, (RIGHT, 52.0), "end", &side(Color::White, tally.white));
}

fn area(out: &mut String, points: &[f64], field: Field) {
    let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
    line(
        out,
        &format!("<rect class=\"white\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>"),
    );
    let curve: Vec<String> = points
        .iter()
        .enumerate()
        .map(|(point, &part)| format!("{:.1},{:.1}", field.x(point), field.y(part)))
        .collect();
    let curve = curve.join(" ");
    let end = field.x(points.len().saturating_sub(1));
    line(out, &format!("<polygon class=\"black\" points=\"{LEFT},{BOTTOM} {curve} {end:.1},{BOTTOM}\"/>"));
    line(out, &format!("<polyline class=\"curve\" points=\"{curve}\"/>"));
}

/// Percent on the left, move numbers below.
fn axes(out: &mut String, review: &Review, field: Field) {
    for quarter in 0..=4u32 {
        let y = field.y(f64::from(quarter) / 4.0);
        let class = if quarter == 2 { "even" } else { "grid" };
        line(
            out,
            &format!("<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\"/>"),
        );
        label(out, (LEFT - 8.0, y), "end", &format!("{} %", quarter * 25));
    }
    let step = number_step(review.positions.len());
    for (point, findings) in review.positions.iter().enumerate() {
        let number = findings.position.move_number();
        if findings.position.turn() == Color::Black && (number == 1 || number % step == 0) {
            let x = field.x(point);
            line(
                out,
                &format!(
                    "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{}\"/>",
                    BOTTOM + 6.0
                ),
            );
            label(out, (x, BOTTOM + 18.0), "middle", &number.to_string());
        }
    }
    let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
    line(
        out,
        &format!("<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>"),
    );
    label(out, ((LEFT + RIGHT) / 2.0, BOTTOM + 42.0), "middle", "move");
    let (x, y) = (16.0, (TOP + BOTTOM) / 2.0);
    line(
        out,
        &format!(
            "<text class=\"middle\" x=\"{x}\" y=\"{y}\" transform=\"rotate(-90 {x} {y})\">Black's winning chance</text>"
        ),
    );
}

/// How many moves are between two numbers, so that at most about fifteen are written.
fn number_step(positions: usize) -> u16 {
    [1, 2, 5, 10, 20, 50].into_iter().find(|step| positions / 2 / step <= 15).unwrap_or(100) as u16
}

/// Each bad move where it led to, the worst ones on top.
fn discs(out: &mut String, review: &Review, points: &[f64], field: Field, notation: Notation) {
    let mut bad: Vec<usize> =
        (0..review.moves.len()).filter(|&at| review.moves[at].judgement != Judgement::Good).collect();
    bad.sort_by_key(|&at| review.moves[at].judgement);
    for at in bad {
        let (reviewed, before) = (&review.moves[at], &review.positions[at].position);
        let (x, y) = (field.x(at + 1), field.y(points[at + 1]));
        let (name, mark) = (reviewed.judgement.name(), reviewed.judgement.mark());
        let radius = if reviewed.judgement == Judgement::Blunder { 10.0 } else { 8.0 };
        let tip = format!(
            "{}{mark} loses {} %; {} was better",
            text::numbered(before, reviewed.played, notation),
            text::percent(reviewed.loss),
            notation.write(before, reviewed.best)
        );
        line(
            out,
            &format!(
                "<g><title>{tip}</title><circle class=\"disc {name}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
            ),
        );
        label(out, (x, y), "mark", mark);
        line(out, "</g>");
    }
}

fn legend(out: &mut String) {
    let mut x = LEFT + 10.0;
    for judgement in [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder] {
        let (name, mark, y) = (judgement.name(), judgement.mark(), BOTTOM + 62.0);
        line(out, &format!("<circle class=\"disc {name}\" cx=\"{x}\" cy=\"{y}\" r=\"9\"/>"));
        label(out, (x, y), "mark", mark);
        label(out, (x + 16.0, y), "start", name);
        x += 120.0;
    }
}

/// A text of at most so many characters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_reaches_from_corner_to_corner() {
        let field = Field { last: 10 };
        assert_eq!((field.x(0), field.y(0.0)), (LEFT, BOTTOM));
        assert_eq!((field.x(10), field.y(1.0)), (RIGHT, TOP));
    }

    #[test]
    fn names_cannot_break_the_picture() {
        assert_eq!(escaped("<a> & b"), "&lt;a&gt; &amp; b");
    }

    #[test]
    fn long_names_are_cut_to_fit() {
        assert_eq!(
            (shortened("abcde", 5), shortened("äbcdef", 5)),
            ("abcde".to_string(), "äbcd…".to_string())
        );
    }

    #[test]
    fn move_numbers_stay_apart() {
        assert_eq!([10, 60, 87, 300, 1000].map(number_step), [1, 2, 5, 10, 50]);
    }
}
