//! One player's way through a game, and what the network learns from it: TD(lambda) with risk.

use sumito_agents::cornell::{Features, Network};
use sumito_rules::Rules;

use super::settings::{LearnSettings, Reward, Risk};

/// A player that learns.
pub(super) struct Pupil<'a> {
    settings: &'a LearnSettings,
    /// For each parameter, how much of the next error is its doing.
    trace: Vec<f64>,
    slopes: Vec<f64>,
    /// What it saw after its last move, and its lead in marbles then.
    last: Option<(Features, i32)>,
}

/// Marbles that count 1.
const MARBLES: f64 = Rules::CORNELL.marbles_to_win as f64;

impl<'a> Pupil<'a> {
    /// A player at the start of a game.
    pub(super) fn new(settings: &'a LearnSettings, network: &Network) -> Pupil<'a> {
        let size = network.parameters().len();
        Pupil { settings, trace: vec![0.0; size], slopes: vec![0.0; size], last: None }
    }

    /// It has moved and sees this now: learns from the way here. Returns the error, if there was a way.
    pub(super) fn arrive(&mut self, network: &mut Network, inputs: &Features, lead: i32) -> Option<f64> {
        let settings = self.settings;
        let error = self.last.map(|(before, lead_before)| {
            let reward = match settings.reward {
                Reward::Lead => f64::from(lead) / MARBLES,
                Reward::Ejections => f64::from(lead - lead_before) / MARBLES,
                Reward::Result => 0.0,
            };
            let reward = self.risky(reward - settings.move_penalty);
            let error = reward + settings.gamma * network.value(inputs) - network.value(&before);
            self.learn(network, error)
        });
        network.gradient(inputs, &mut self.slopes);
        let fading = settings.gamma * settings.lambda;
        for (trace, slope) in self.trace.iter_mut().zip(&self.slopes) {
            *trace = fading * *trace + slope;
        }
        self.last = Some((*inputs, lead));
        error
    }

    /// The game is over with this lead, and with a result of 1, 0 or -1 if it was not cut short.
    pub(super) fn finish(&mut self, network: &mut Network, lead: i32, result: Option<i32>) -> Option<f64> {
        let (before, lead_before) = self.last?;
        let settings = self.settings;
        let reward = match settings.reward {
            Reward::Lead => {
                let stays = result.map_or(f64::from(lead) / MARBLES, f64::from);
                stays / (1.0 - settings.gamma)
            }
            // A game that is cut short goes to whoever leads.
            Reward::Ejections => {
                f64::from(lead - lead_before) / MARBLES + f64::from(result.unwrap_or(lead.signum()))
            }
            Reward::Result => f64::from(result.unwrap_or(lead.signum())),
        };
        let error = self.risky(reward) - network.value(&before);
        Some(self.learn(network, error))
    }

    fn risky(&self, reward: f64) -> f64 {
        if self.settings.risk == Risk::Reward { self.weighed(reward) } else { reward }
    }

    fn weighed(&self, amount: f64) -> f64 {
        let kappa = self.settings.kappa;
        if amount > 0.0 { (1.0 - kappa) * amount } else { (1.0 + kappa) * amount }
    }

    fn learn(&self, network: &mut Network, error: f64) -> f64 {
        let weighed = if self.settings.risk == Risk::Error { self.weighed(error) } else { error };
        let step = self.settings.alpha * weighed;
        for (parameter, trace) in network.parameters_mut().iter_mut().zip(&self.trace) {
            *parameter += step * trace;
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use sumito_agents::cornell::Encoding;
    use sumito_rules::{Color, Layout};

    use super::*;

    /// What is seen of two different positions.
    fn two() -> [Features; 2] {
        ["german-daisy", "the-wall"].map(|name| {
            Encoding::SCALED.features(&Layout::named(name).expect("a layout").position(), Color::Black)
        })
    }

    /// The gradient by finite differences.
    fn slopes(network: &Network, inputs: &Features) -> Vec<f64> {
        const STEP: f64 = 1e-5;
        let moved = |i: usize, by: f64| {
            let mut network = network.clone();
            network.parameters_mut()[i] += by;
            network.value(inputs)
        };
        let size = network.parameters().len();
        (0..size).map(|i| (moved(i, STEP) - moved(i, -STEP)) / (2.0 * STEP)).collect()
    }

    fn assert_moved(before: &Network, after: &Network, expected: impl Fn(usize) -> f64) {
        for (i, (old, new)) in before.parameters().iter().zip(after.parameters()).enumerate() {
            assert!(
                (new - old - expected(i)).abs() < 1e-9,
                "parameter {i}: {} and {}",
                new - old,
                expected(i)
            );
        }
    }

    #[test]
    fn a_step_goes_along_the_gradient_by_finite_differences() {
        let settings =
            LearnSettings { alpha: 0.01, kappa: -0.5, move_penalty: 0.0001, ..LearnSettings::default() };
        let ([one, two], before) = (two(), Network::new(Encoding::SCALED, 5, 3));
        let mut network = before.clone();
        let mut pupil = Pupil::new(&settings, &network);
        assert_eq!(pupil.arrive(&mut network, &one, 0), None);
        assert_eq!(network, before, "there is nothing to learn from the first position");
        let error = pupil.arrive(&mut network, &two, 2).expect("a step");
        // Two marbles ahead: a third, less the penalty, and one and a half times that by the risk.
        let expected = 1.5 * (1.0 / 3.0 - 0.0001) + 0.5 * before.value(&two) - before.value(&one);
        assert!((error - expected).abs() < 1e-12);
        let gradient = slopes(&before, &one);
        assert_moved(&before, &network, |i| 0.01 * error * gradient[i]);
    }

    #[test]
    fn the_end_reaches_back_by_the_trace() {
        let settings =
            LearnSettings { alpha: 0.01, gamma: 0.5, lambda: 0.7, kappa: 0.0, ..LearnSettings::default() };
        let [one, two] = two();
        let mut network = Network::new(Encoding::SCALED, 5, 3);
        let mut pupil = Pupil::new(&settings, &network);
        let first = slopes(&network, &one);
        pupil.arrive(&mut network, &one, 0);
        pupil.arrive(&mut network, &two, 0);
        let (second, before) = (slopes(&network, &two), network.clone());
        let error = pupil.finish(&mut network, -4, Some(-1)).expect("a step");
        // Lost for ever: -1 / (1 - 0.5).
        assert!((error - (-2.0 - before.value(&two))).abs() < 1e-12);
        assert_moved(&before, &network, |i| 0.01 * error * (0.35 * first[i] + second[i]));
    }

    #[test]
    fn the_values_of_a_game_that_is_always_the_same_become_what_is_true() {
        let settings = LearnSettings { kappa: 0.0, alpha: 0.2, ..LearnSettings::default() };
        let ([one, two], mut network) = (two(), Network::new(Encoding::SCALED, 5, 3));
        for _ in 0..10_000 {
            let mut pupil = Pupil::new(&settings, &network);
            pupil.arrive(&mut network, &one, 0);
            pupil.arrive(&mut network, &two, 2);
            pupil.finish(&mut network, -4, Some(-1));
        }
        // At the end -1 for ever, which is -2; before that a lead of a third, and half of what comes then.
        let (first, second) = (network.value(&one), network.value(&two));
        assert!((second + 2.0).abs() < 0.01 && (first + 2.0 / 3.0).abs() < 0.01, "{first} and {second}");
    }

    /// The errors of a step with a gain of a marble after one lost, and of an end that is cut short there.
    fn errors(settings: &LearnSettings) -> [f64; 2] {
        let [one, two] = two();
        let settings = LearnSettings { alpha: f64::MIN_POSITIVE, move_penalty: 0.0, ..settings.clone() };
        let mut network = Network::new(Encoding::SCALED, 5, 3);
        let mut pupil = Pupil::new(&settings, &network);
        let (value, next) = (network.value(&one), network.value(&two));
        pupil.arrive(&mut network, &one, -3);
        let step = pupil.arrive(&mut network, &two, -2).expect("a step");
        let end = pupil.finish(&mut network, -2, None).expect("a step");
        // What is left is the reward.
        [step + value - settings.gamma * next, end + next]
    }

    #[test]
    fn each_reward_is_paid_as_it_says() {
        let near = |[a, b]: [f64; 2], [x, y]: [f64; 2]| (a - x).abs() < 1e-12 && (b - y).abs() < 1e-12;
        let base = LearnSettings { kappa: 0.0, ..LearnSettings::default() };
        let with = |reward| errors(&LearnSettings { reward, ..base.clone() });
        assert!(near(with(Reward::Lead), [-1.0 / 3.0, -2.0 / 3.0]), "{:?}", with(Reward::Lead));
        assert!(near(with(Reward::Ejections), [1.0 / 6.0, -1.0]), "{:?}", with(Reward::Ejections));
        assert!(near(with(Reward::Result), [0.0, -1.0]), "{:?}", with(Reward::Result));
        let timid = errors(&LearnSettings { kappa: 0.5, ..base.clone() });
        assert!(near(timid, [-0.5, -1.0]), "losses count one and a half times: {timid:?}");
    }

    #[test]
    fn risk_by_the_error_weighs_steps_and_not_rewards() {
        let [one, two] = two();
        let step = |kappa: f64, risk: Risk, lead: i32| {
            let settings = LearnSettings { kappa, risk, alpha: 0.01, ..LearnSettings::default() };
            let mut network = Network::new(Encoding::SCALED, 5, 3);
            let before = network.parameters()[0];
            let mut pupil = Pupil::new(&settings, &network);
            pupil.arrive(&mut network, &one, 0);
            let error = pupil.arrive(&mut network, &two, lead).expect("a step");
            (error, network.parameters()[0] - before)
        };
        for (lead, part) in [(6, 1.5), (-6, 0.5)] {
            let (plain, seeking) = (step(0.0, Risk::Reward, lead), step(-0.5, Risk::Error, lead));
            assert!((plain.0 - seeking.0).abs() < 1e-12 && plain.0 * f64::from(lead) > 0.0);
            assert!((seeking.1 / plain.1 - part).abs() < 1e-6, "{plain:?} {seeking:?}");
        }
    }
}
