//! Players of known strength: agents at a fixed depth or number of nodes, whose rating never moves, so that a rating says which of
//! them somebody beats.

use super::rating::Rating;

/// Which table ratings are made with: it stays with each game when there is another one.
pub(crate) const ANCHORS: i64 = 1;

/// An agent whose strength was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Anchor {
    /// What it is called here.
    pub(crate) name: &'static str,
    pub(crate) spec: &'static str,
    /// In Elo, on the scale on which level 6 has 1500.
    pub(crate) value: f64,
    /// Half of the interval of 95 % around it.
    pub(crate) error: f64,
}

const fn anchor(name: &'static str, spec: &'static str, value: f64, error: f64) -> Anchor {
    Anchor { name, spec, value, error }
}

/// The house's players, the strongest first.
///
/// Version 1: `experiments/logs/levels/README.md`, matches at fixed nodes and depths from the sound layouts, rated in one run with
/// `sumito rate runs/* --anchor sumito:level=6=1500`. The errors are of the distance to level 6; a test compares the two tables. `random` lost all
/// games that it played there, so that its place is a guess.
pub(crate) const ALL: [Anchor; 18] = [
    anchor("Sumito-12", "sumito:level=12", 2890.0, 250.0),
    anchor("Sumito-11", "sumito:level=11", 2660.0, 210.0),
    anchor("Sumito-10", "sumito:level=10", 2360.0, 160.0),
    anchor("Sumito-9", "sumito:level=9", 2050.0, 130.0),
    anchor("Sumito-8", "sumito:level=8", 1870.0, 100.0),
    anchor("Sumito-7", "sumito:level=7", 1740.0, 90.0),
    anchor("Aba-Pro-4", "aba-pro:depth=4", 1610.0, 130.0),
    anchor("Sumito-6", "sumito:level=6", 1500.0, 0.0),
    anchor("Sumito-5", "sumito:level=5", 1270.0, 110.0),
    anchor("Sumito-4", "sumito:level=4", 1060.0, 140.0),
    anchor("Verloop-3", "verloop:depth=3", 880.0, 170.0),
    anchor("Sumito-3", "sumito:level=3", 860.0, 160.0),
    anchor("Cornell-2", "cornell:depth=2", 810.0, 170.0),
    anchor("Sumito-2", "sumito:level=2", 710.0, 180.0),
    anchor("BCIT-2", "bcit:depth=2", 680.0, 220.0),
    anchor("Sumito-1", "sumito:level=1", 540.0, 220.0),
    anchor("Maastricht-2", "maastricht:depth=2", 240.0, 250.0),
    anchor("Random", "random", -170.0, 530.0),
];

/// Standard deviations in half of an interval of 95 %.
const NORMAL_95: f64 = 1.96;

impl Anchor {
    /// The rating by a version of the table: it does not move, whatever is played.
    pub(crate) fn rating(&self, version: i64) -> Rating {
        debug_assert_eq!(version, ANCHORS, "there is one version so far");
        Rating::fixed(self.value, self.error / NORMAL_95)
    }

    /// The anchor of an agent.
    pub(crate) fn of(spec: &str) -> Option<&'static Anchor> {
        ALL.iter().find(|anchor| anchor.spec == spec)
    }

    /// Whether this is the name of one, which nobody else may have.
    pub(crate) fn has_name(name: &str) -> bool {
        ALL.iter().any(|anchor| anchor.name.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::person::PersonName;
    use crate::domain::seat::Spec;

    #[test]
    fn the_table_is_that_of_the_measurement() {
        let log = include_str!("../../../../experiments/logs/levels/README.md");
        for Anchor { spec, value, error, .. } in ALL {
            let error = if spec == "sumito:level=6" { "anchor".to_string() } else { error.to_string() };
            let row = format!("| `{spec}` | {value} | {error} |");
            assert!(log.contains(&row), "{row}");
        }
    }

    #[test]
    fn each_is_an_agent_that_a_server_can_make_and_needs_no_clock() {
        for anchor in &ALL {
            let spec = Spec::new(anchor.spec).expect(anchor.spec);
            assert!(
                spec.text == "random" || spec.text.contains('='),
                "{}: neither depth nor level",
                spec.text
            );
            assert_eq!(Anchor::of(anchor.spec), Some(anchor));
            let taken = PersonName::new(anchor.name).expect_err("the house's own");
            assert_eq!(taken.fault().cause.code(), "name.taken");
        }
    }
}
