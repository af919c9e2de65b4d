//! The evaluation functions of sections 4.2 to 4.4: neutral, offensive, defensive, and their mixture.

use sumito_rules::{ByColor, Color, Position};

use super::features::View;
use crate::options::{OptionSpec, Options, choice, flag, numbers};

/// Which evaluation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Section 4.2.
    Neutral,
    /// Section 4.3.
    Offensive,
    /// Section 4.4.
    Defensive,
    /// Not in the document; the authors tried it and dropped it. Defensive when one's marbles are close
    /// to the centre (distances below 25), scattered (neighbours below 40) or able to push one off;
    /// otherwise offensive when ahead in marbles, and neutral when not.
    Mix,
}

/// What the end of the game is worth to a search. Section 2.2 says that six ejections win, and figure 2's first set
/// gives an ejection no weight at all: read to the letter, an agent that is behind in the centre declines a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndValue {
    /// A win or a loss, whatever the evaluation says: the default, as nothing in the document wants to decline one.
    Win,
    /// The evaluation of the position, as at any leaf: the letter of the document.
    Leaf,
    /// Nothing: the search goes on past it, as in the authors' program.
    Ignore,
}

/// The value of a win: more than the document's and the program's weights give to any position (600,000 for six
/// ejections with the tenth set).
pub const WIN: f64 = 1_000_000.0;

/// One configuration of figure 2: w1 to w6.
pub type Set = [f64; 6];

/// The weights of the neutral evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neutral {
    /// Figure 2's nine configurations, in its order.
    pub sets: [Set; 9],
    /// The weights once the enemy has eight marbles or fewer; not in the document.
    pub tenth: Option<Set>,
}

/// All weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of the neutral evaluation.
    pub neutral: Neutral,
    /// Of the offensive one: w1, w2, w5, w7, w8.
    pub offensive: [f64; 5],
    /// Of the defensive one: w1, w2, w4, w6.
    pub defensive: [f64; 4],
    /// The defensive evaluation looks at one's own distances, neighbours and contacts alone.
    pub own_values: bool,
}

/// A line of figure 2, where w6 is always 50 times w5.
const fn set(w1: f64, w2: f64, w3: f64, w4: f64, w5: f64) -> Set {
    [w1, w2, w3, w4, w5, 50.0 * w5]
}

impl Neutral {
    /// Figure 2.
    pub const DOCUMENT: Neutral = Neutral {
        sets: [
            set(3.0, 2.0, 6.0, 1.8, 0.0),
            set(3.3, 2.0, 6.0, 1.8, 35.0),
            set(2.9, 2.0, 15.0, 3.0, 4.0),
            set(2.9, 2.0, 15.0, 3.0, 15.0),
            set(2.8, 2.3, 25.0, 3.0, 15.0),
            set(2.8, 2.1, 25.0, 3.0, 25.0),
            set(2.7, 2.3, 25.0, 3.0, 30.0),
            set(2.4, 2.3, 25.0, 3.0, 35.0),
            set(2.2, 2.3, 25.0, 3.0, 40.0),
        ],
        tenth: None,
    };

    /// The tenth set of the authors' program.
    pub const TENTH: Set = [1.0, 1.0, 1.0, 1.0, 100_000.0, 1.0];

    /// The same weights in every state of the board, as the genetic algorithm of section 5.4 needs them.
    pub const fn constant(set: Set) -> Neutral {
        Neutral { sets: [set; 9], tenth: None }
    }

    /// Which configuration of figure 2 applies, counted from 0. The figure says nothing of f1 >= 5 with
    /// f2 < 0; the nearest band, its third line, is taken.
    pub fn band(f1: i32, f2: i32) -> usize {
        match (f1, f2) {
            (..0, _) => 0,
            (..5, _) => 1,
            (_, ..4) => 2,
            (_, ..10) => 3,
            (_, ..16) => 4,
            (_, ..22) => 5,
            (_, ..28) => 6,
            (_, ..34) => 7,
            _ => 8,
        }
    }

    #[inline]
    fn value(&self, view: &View) -> f64 {
        let (f1, f2) = (view.f1(), view.f2());
        let tenth = self.tenth.as_ref().filter(|_| view.enemies() <= 8);
        let [w1, w2, w3, w4, w5, w6] = tenth.unwrap_or(&self.sets[Neutral::band(f1, f2)]);
        let places = w1 * f64::from(f1) + w2 * f64::from(f2);
        let contacts = w3 * f64::from(view.f3()) + w4 * f64::from(view.f4());
        places + contacts + w5 * f64::from(view.f5()) - w6 * f64::from(view.f6())
    }
}

impl Default for Weights {
    /// Figure 2. The document gives no numbers for the other two functions; these are the program's, with
    /// the sign of the defensive w1 turned to fit f1, which is larger when one is nearer to the centre.
    fn default() -> Weights {
        Weights {
            neutral: Neutral::DOCUMENT,
            offensive: [-2.0, 3.0, 10_000.0, 300.0, 70.0],
            defensive: [10.0, 10.0, 150.0, -10_000.0],
            own_values: false,
        }
    }
}

/// An evaluation function with its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluator {
    /// Which function.
    pub function: Function,
    /// Its weights, and those of the others.
    pub weights: Weights,
}

impl Evaluator {
    /// A function with the weights of the document.
    pub fn new(function: Function) -> Evaluator {
        Evaluator { function, weights: Weights::default() }
    }

    /// The value of a position for a player, whoever is to move. `before` are the scores at the beginning
    /// of the search, from which losses count.
    #[inline]
    pub fn value(&self, position: &Position, player: Color, before: ByColor<u8>) -> f64 {
        let view = View::new(position, player, before);
        self.value_of(self.function, &view)
    }

    fn value_of(&self, function: Function, view: &View) -> f64 {
        match function {
            Function::Neutral => self.weights.neutral.value(view),
            Function::Offensive => self.offensive(view),
            Function::Defensive => self.defensive(view),
            Function::Mix => self.value_of(mixed(view), view),
        }
    }

    fn offensive(&self, view: &View) -> f64 {
        let [w1, w2, w5, w7, w8] = self.weights.offensive;
        let places = w1 * f64::from(view.f1bis()) + w2 * f64::from(view.f2bis());
        places + w5 * f64::from(view.f5()) + w7 * f64::from(view.f7()) + w8 * f64::from(view.f8())
    }

    fn defensive(&self, view: &View) -> f64 {
        let [w1, w2, w4, w6] = self.weights.defensive;
        let [centre, cohesion, contacts] = if self.weights.own_values {
            [view.f1bis(), view.f2bis(), view.f4_own()]
        } else {
            [view.f1(), view.f2(), view.f4()]
        };
        let places = w1 * f64::from(centre) + w2 * f64::from(cohesion);
        places + w4 * f64::from(contacts) + w6 * f64::from(view.f6())
    }
}

fn mixed(view: &View) -> Function {
    if view.f1bis() < 25 || view.f2bis() < 40 || view.f7() > 0 {
        Function::Defensive
    } else if view.lead() > 0 {
        Function::Offensive
    } else {
        Function::Neutral
    }
}

pub(super) const EVAL: OptionSpec =
    choice("eval", &["neutral", "offensive", "defensive", "mix"], "the evaluation function (section 4)");
pub(super) const ENDS: OptionSpec = choice(
    "ends",
    &["win", "leaf", "ignore"],
    "the end of the game: a win, evaluated as any leaf, or searched past as by the program",
);
pub(super) const TENTH: OptionSpec =
    flag("tenth", false, "neutral: the program's tenth set, once the enemy has 8 marbles or fewer");
pub(super) const W6: OptionSpec =
    choice("w6", &["document", "program"], "neutral: w6 = 50 x w5, or 75 and 750 in sets 5 and 6");
pub(super) const DEFENCE: OptionSpec =
    choice("defence", &["difference", "own"], "defensive: compare with the enemy, or own values alone");
pub(super) const WEIGHTS: OptionSpec = numbers(
    "weights",
    "own weights, w1;w2;...: neutral 6 (or 9 x 6, figure 2's lines), offensive 5, defensive 4",
);

impl Evaluator {
    /// The evaluation that an agent's options describe.
    pub(super) fn from_options(options: &Options) -> Result<Evaluator, String> {
        let function = match options.text("eval") {
            "offensive" => Function::Offensive,
            "defensive" => Function::Defensive,
            "mix" => Function::Mix,
            _ => Function::Neutral,
        };
        let mut evaluator = Evaluator::new(function);
        let weights = &mut evaluator.weights;
        if options.text("w6") == "program" {
            weights.neutral.sets[4][5] = 75.0;
            weights.neutral.sets[5][5] = 750.0;
        }
        if options.text("defence") == "own" {
            weights.own_values = true;
            weights.defensive[0] = -10.0;
        }
        if !options.text("weights").is_empty() {
            weights.replace(function, options.text("weights"))?;
        }
        weights.neutral.tenth = options.flag("tenth").then_some(Neutral::TENTH);
        Ok(evaluator)
    }
}

impl EndValue {
    pub(super) fn from_options(options: &Options) -> EndValue {
        match options.text("ends") {
            "leaf" => EndValue::Leaf,
            "ignore" => EndValue::Ignore,
            _ => EndValue::Win,
        }
    }
}

impl Weights {
    /// Sets the weights of one function from numbers with semicolons between them.
    fn replace(&mut self, function: Function, text: &str) -> Result<(), String> {
        let number = |word: &str| {
            let number = word.trim().parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| format!("weights: expected a number, found '{word}'"))
        };
        let numbers = text.split(';').map(number).collect::<Result<Vec<f64>, String>>()?;
        let expected = |count: &str| format!("weights: expected {count} numbers, found {}", numbers.len());
        match function {
            Function::Neutral => match <Set>::try_from(numbers.as_slice()) {
                Ok(set) => self.neutral = Neutral::constant(set),
                Err(_) if numbers.len() == 54 => {
                    self.neutral.sets.as_flattened_mut().copy_from_slice(&numbers);
                }
                Err(_) => return Err(expected("6 or 54")),
            },
            Function::Offensive => {
                self.offensive = numbers.as_slice().try_into().map_err(|_| expected("5"))?;
            }
            Function::Defensive => {
                self.defensive = numbers.as_slice().try_into().map_err(|_| expected("4"))?;
            }
            Function::Mix => return Err("weights: expected none with eval=mix".to_string()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::fen;

    use super::*;

    fn value(function: Function, fen: &str, player: Color) -> f64 {
        let position = fen::parse(fen).expect("a FEN");
        Evaluator::new(function).value(&position, player, ByColor::default())
    }

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "expected {expected}, found {found}");
    }

    /// White, black, white on E4, E5, E6.
    const BREAK: &str = "5/6/7/8/3sSs3/8/7/6/5";
    /// Black on E4 and E5, white on E6.
    const CONTACT: &str = "5/6/7/8/3SSs3/8/7/6/5";
    /// Black on E7 and E8, white on E9, one white marble lost.
    const RIM: &str = "5/6/7/8/6SSs/8/7/6/5 1 0 b 0 1";
    /// Black on E4, E5 and E6, white on A1, E1 and I9, one marble lost by each.
    const CENTRE: &str = "4s/6/7/8/s2SSS3/8/7/6/s4 1 1 b 0 1";

    #[test]
    fn neutral_by_hand() {
        // f1 = (1 + 1) - 0 = 2, second line; f2 = 0; f3 = 1: 3.3 x 2 + 6 x 1.
        assert_near(value(Function::Neutral, BREAK, Color::Black), 12.6);
        // f1 = 1 - (1 + 0) = 0, second line; f2 = 2 - 0; f4 = 1 (E5): 2 x 2 + 1.8 x 1.
        assert_near(value(Function::Neutral, CONTACT, Color::Black), 5.8);
        assert_near(value(Function::Neutral, CONTACT, Color::White), -5.8);
        // f1 = 4 - (2 + 3) = -1, first line; f2 = 2; f4 = 1 (E8); w5 = 0: 3 x -1 + 2 x 2 + 1.8 x 1.
        assert_near(value(Function::Neutral, RIM, Color::Black), 2.8);
        // f1 = 12 - 2 = 10, f2 = 4 - 0, fourth line; f5 = f6 = 1: 2.9 x 10 + 2 x 4 + 15 - 750.
        assert_near(value(Function::Neutral, CENTRE, Color::Black), -698.0);
    }

    #[test]
    fn offensive_by_hand() {
        // f1bis = 1, f2bis = 2, f8 = 1 (E4 and E5 push E6): -2 x 1 + 3 x 2 + 70.
        assert_near(value(Function::Offensive, CONTACT, Color::Black), 74.0);
        // f1bis = 2 + 3, f2bis = 2, f5 = 1, f7 = f8 = 1: -2 x 5 + 3 x 2 + 10000 + 300 + 70.
        assert_near(value(Function::Offensive, RIM, Color::Black), 10_366.0);
        // f1bis = 1 + 0 + 1, f2bis = 4, f5 = 1: -2 x 2 + 3 x 4 + 10000.
        assert_near(value(Function::Offensive, CENTRE, Color::Black), 10_008.0);
    }

    #[test]
    fn defensive_by_hand() {
        // f1 = 0, f2 = 2, f4 = 1: 10 x 2 + 150 x 1.
        assert_near(value(Function::Defensive, CONTACT, Color::Black), 170.0);
        // f1 = 5 - 4 = 1, f2 = -2, f4 = -1, f6 = 1: 10 - 20 - 150 - 10000.
        assert_near(value(Function::Defensive, RIM, Color::White), -10_160.0);
        // f1 = 10, f2 = 4, f4 = 0, f6 = 1: 100 + 40 - 10000.
        assert_near(value(Function::Defensive, CENTRE, Color::Black), -9_860.0);
    }

    #[test]
    fn defensive_with_own_values_leaves_the_enemy_out() {
        let mut evaluator = Evaluator::new(Function::Defensive);
        evaluator.weights.own_values = true;
        evaluator.weights.defensive[0] = -10.0;
        let position = fen::parse(CONTACT).expect("a FEN");
        // Distances 1 + 0, neighbours 2, one contact: -10 x 1 + 10 x 2 + 150 x 1.
        assert_near(evaluator.value(&position, Color::Black, ByColor::default()), 160.0);
    }

    #[test]
    fn losses_count_from_the_beginning_of_the_search() {
        let position = fen::parse(CENTRE).expect("a FEN");
        let value = Evaluator::new(Function::Neutral).value(&position, Color::Black, ByColor::new(1, 1));
        assert_near(value, 37.0);
    }

    #[test]
    fn every_line_of_figure_2_has_its_band() {
        let lines = [(-1, 9), (0, 9), (4, 40), (5, -3), (5, 0), (5, 3), (5, 4), (5, 9), (5, 10), (5, 15)];
        let more = [(9, 16), (9, 21), (9, 22), (9, 27), (9, 28), (9, 33), (9, 34), (9, 60)];
        assert_eq!(lines.map(|(f1, f2)| Neutral::band(f1, f2)), [0, 1, 1, 2, 2, 2, 3, 3, 4, 4]);
        assert_eq!(more.map(|(f1, f2)| Neutral::band(f1, f2)), [5, 5, 6, 6, 7, 7, 8, 8]);
    }

    #[test]
    fn the_mixture_defends_when_scattered_attacks_when_ahead_and_is_neutral_when_not() {
        let standard = "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS";
        let ahead = "sssss/ssssss/2ss3/8/9/8/2SSS2/SSSSSS/SSSSS 1 0";
        for (fen, function) in
            [(CONTACT, Function::Defensive), (standard, Function::Neutral), (ahead, Function::Offensive)]
        {
            assert_near(value(Function::Mix, fen, Color::Black), value(function, fen, Color::Black));
        }
    }
}
