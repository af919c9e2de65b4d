//! Units in their order, and their outcomes in the same order, however they come.

use std::collections::BTreeMap;

use sumito_agents::Stop;

use super::{Executor, Unit, UnitOutcome, WorkError};

/// Units to do. An executor takes them from here and brings their outcomes back.
pub struct Work<'a> {
    units: &'a mut dyn Iterator<Item = Unit>,
    /// Takes the outcome of the unit that is due, and says whether the work goes on.
    merge: &'a mut dyn FnMut(usize, UnitOutcome) -> bool,
    /// How many units are given out.
    given: usize,
    /// The unit whose outcome is merged next.
    due: usize,
    /// How far the units given out may be ahead of the one that is due.
    window: usize,
    /// Outcomes of units after that one.
    waiting: BTreeMap<usize, UnitOutcome>,
    is_over: bool,
}

/// For each unit that is done at a time, how many more may be waiting: what an interruption costs at most, and how much
/// longer than others a unit may take before they wait for it.
const AHEAD: usize = 8;

impl<'a> Work<'a> {
    fn new(
        width: usize,
        units: &'a mut dyn Iterator<Item = Unit>,
        merge: &'a mut dyn FnMut(usize, UnitOutcome) -> bool,
    ) -> Work<'a> {
        let (window, waiting) = (AHEAD * width.max(1), BTreeMap::new());
        Work { units, merge, given: 0, due: 0, window, waiting, is_over: false }
    }

    /// A unit to do, with its number; none if there is none left, or none before others have come back.
    pub fn next_unit(&mut self) -> Option<(usize, Unit)> {
        if self.is_over || self.given - self.due >= self.window {
            return None;
        }
        let unit = self.units.next()?;
        self.given += 1;
        Some((self.given - 1, unit))
    }

    /// What came of the unit with this number. A second outcome of the same unit is the same, and not needed.
    pub fn take(&mut self, number: usize, outcome: UnitOutcome) {
        if number < self.due || self.is_over {
            return;
        }
        self.waiting.entry(number).or_insert(outcome);
        while let Some(outcome) = self.waiting.remove(&self.due).filter(|_| !self.is_over) {
            self.is_over = !(self.merge)(self.due, outcome);
            self.due += 1;
        }
    }

    /// Whether nothing more is wanted.
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}

/// Has units done, and merges their outcomes in the order of the units until there are none left, `merge` says that it
/// has enough, or a stop is requested. Returns the outcomes that were still waiting for an earlier one.
pub fn in_order<E: From<WorkError>>(
    executor: &dyn Executor,
    units: &mut dyn Iterator<Item = Unit>,
    stop: &Stop,
    merge: &mut dyn FnMut(usize, UnitOutcome) -> Result<bool, E>,
) -> Result<Vec<UnitOutcome>, E> {
    let mut failed = None;
    let mut kept = |number, outcome| match merge(number, outcome) {
        Ok(goes_on) => goes_on,
        Err(error) => {
            failed = Some(error);
            false
        }
    };
    let mut work = Work::new(executor.width(), units, &mut kept);
    let executed = executor.execute(&mut work, stop);
    let waiting = if work.is_over { BTreeMap::new() } else { work.waiting };
    match failed {
        Some(error) => Err(error),
        None => executed.map(|()| waiting.into_values().collect()).map_err(E::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::SelfPlayUnit;

    fn units(count: u32) -> impl Iterator<Item = Unit> {
        (0..count).map(|first| {
            Unit::SelfPlay(SelfPlayUnit { settings: crate::data::DataSettings::default(), first, games: 1 })
        })
    }

    fn empty() -> UnitOutcome {
        UnitOutcome::Counts(Vec::new())
    }

    #[test]
    fn outcomes_are_merged_in_order_and_once() {
        let (mut merged, mut units) = (Vec::new(), units(5));
        let mut merge = |number, _| {
            merged.push(number);
            true
        };
        let mut work = Work::new(1, &mut units, &mut merge);
        let given: Vec<usize> = std::iter::from_fn(|| work.next_unit()).map(|(number, _)| number).collect();
        for number in [3, 1, 1, 0, 0, 4, 3, 2, 2] {
            work.take(number, empty());
        }
        assert_eq!((given, merged), (vec![0, 1, 2, 3, 4], vec![0, 1, 2, 3, 4]));
    }

    #[test]
    fn units_are_given_out_only_so_far_ahead_of_the_one_that_is_due() {
        let mut units = units(100);
        let mut merge = |_, _| true;
        let mut work = Work::new(2, &mut units, &mut merge);
        let count = |work: &mut Work<'_>| std::iter::from_fn(|| work.next_unit()).count();
        assert_eq!(count(&mut work), 2 * AHEAD);
        work.take(1, empty());
        assert_eq!(count(&mut work), 0);
        work.take(0, empty());
        assert_eq!(count(&mut work), 2);
    }

    #[test]
    fn nothing_is_given_out_or_merged_once_there_is_enough() {
        let (mut merged, mut units) = (0, units(9));
        let mut merge = |number, _| {
            merged += 1;
            number < 1
        };
        let mut work = Work::new(1, &mut units, &mut merge);
        while work.next_unit().is_some() {}
        for number in [2, 3, 1, 0, 4] {
            work.take(number, empty());
        }
        assert!(work.is_over() && work.next_unit().is_none());
        assert_eq!(merged, 2);
    }
}
