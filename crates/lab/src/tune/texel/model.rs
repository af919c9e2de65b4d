//! The evaluation as a regression: one number for each marble pushed off, two for each term, and their gradient.

use serde::{Deserialize, Serialize};
use sumito_engine::eval::{DECLARED, MATERIAL, PHASES, SCALE, TERMS};

use super::samples::TexelSample;

/// Numbers for marbles pushed off: what the first to the fifth add. (The sixth ends the game.)
const MARBLES: usize = 5;

/// All numbers, in hundredths of a marble: what each marble pushed off adds, then what each term is worth early,
/// then late.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TexelModel(pub(super) Vec<f64>);

/// How many numbers there are.
pub(super) const NUMBERS: usize = MARBLES + 2 * TERMS;

/// The numbers as each phase of the game sees them: terms, for all phases.
pub(super) type Phases = Vec<[f32; TERMS]>;

/// The value's derivatives, added up by phase, and those by marbles pushed off.
pub(super) struct Slopes {
    terms: Phases,
    marbles: [f64; MARBLES],
}

impl Slopes {
    pub(super) fn new() -> Slopes {
        Slopes { terms: vec![[0.0; TERMS]; PHASES + 1], marbles: [0.0; MARBLES] }
    }

    /// Adds a position's derivatives, times a factor.
    #[inline]
    pub(super) fn add(&mut self, sample: &TexelSample, factor: f64) {
        let terms = &mut self.terms[usize::from(sample.phase)];
        for (slope, &count) in terms.iter_mut().zip(&sample.counts) {
            *slope += f32::from(count) * factor as f32;
        }
        for (i, slope) in self.marbles.iter_mut().enumerate() {
            *slope += marble(sample, i) * factor;
        }
    }

    /// The derivatives by the numbers of the model.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let mut all = self.marbles.to_vec();
        for late in [false, true] {
            all.extend((0..TERMS).map(|i| {
                let part = |phase: usize| f64::from(self.terms[phase][i]) * share(phase, late);
                (0..=PHASES).map(part).sum::<f64>()
            }));
        }
        all
    }
}

/// How much the weight early or late counts in a phase.
fn share(phase: usize, late: bool) -> f64 {
    let part = phase as f64 / PHASES as f64;
    if late { part } else { 1.0 - part }
}

/// Whether the marble with this number is pushed off, for the side to move less for the other.
fn marble(sample: &TexelSample, number: usize) -> f64 {
    let has = |pushed: u8| f64::from(u8::from(usize::from(pushed) > number));
    has(sample.pushed[0]) - has(sample.pushed[1])
}

impl TexelModel {
    /// The engine's own numbers.
    pub fn engine() -> TexelModel {
        let mut all: Vec<f64> =
            MATERIAL.windows(2).take(MARBLES).map(|pair| f64::from(pair[1] - pair[0])).collect();
        for late in 0..2 {
            all.extend(DECLARED.iter().map(|term| f64::from(term.weight[late]) / f64::from(SCALE)));
        }
        TexelModel(all)
    }

    /// Nothing is worth anything.
    pub fn fresh() -> TexelModel {
        TexelModel(vec![0.0; NUMBERS])
    }

    /// The weights of the terms in each phase.
    pub(super) fn phases(&self) -> Phases {
        let weight = |phase, i| {
            self.0[MARBLES + i] * share(phase, false) + self.0[MARBLES + TERMS + i] * share(phase, true)
        };
        (0..=PHASES).map(|phase| std::array::from_fn(|i| weight(phase, i) as f32)).collect()
    }

    /// The value of a position, with the weights that [`TexelModel::phases`] gave.
    #[inline]
    pub(super) fn value(&self, phases: &Phases, sample: &TexelSample) -> f64 {
        let weights = &phases[usize::from(sample.phase)];
        let terms: f32 =
            weights.iter().zip(&sample.counts).map(|(weight, &count)| weight * f32::from(count)).sum();
        let marbles: f64 = (0..MARBLES).map(|i| self.0[i] * marble(sample, i)).sum();
        f64::from(terms) + marbles
    }

    /// The tables of the engine's source with these numbers.
    pub fn source(&self) -> String {
        let mut sum = 0.0;
        let mut material = vec![0];
        for step in &self.0[..MARBLES] {
            sum += step;
            material.push(sum.round() as i64);
        }
        // The sixth marble wins; only its order among the others matters.
        material.push((sum + 1.3 * self.0[MARBLES - 1].max(1.0)).round() as i64);
        let material: Vec<String> = material.iter().map(ToString::to_string).collect();
        let mut text = format!("pub const MATERIAL: [i16; 7] = [{}];\n\nterms! {{\n", material.join(", "));
        for (i, term) in DECLARED.iter().enumerate() {
            let fixed = |number: f64| (number * f64::from(SCALE)).round() as i64;
            let (early, late) = (fixed(self.0[MARBLES + i]), fixed(self.0[MARBLES + TERMS + i]));
            text.push_str(&format!(
                "    ///{}\n    {} = \"{}\", [{early}, {late}];\n",
                term.about, term.slot, term.name
            ));
        }
        text + "}\n"
    }
}
