//! Who has which side: FIDE's rules in short (handbook C.04.3, "Dutch system"), with Black as the side that moves first.

use sumito_rules::Color;

/// The sides of the games that a player has played, the last one last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColorHistory(Vec<Color>);

/// By how much a player may have had one side more often than the other.
pub(crate) const MOST_DIFFERENCE: i32 = 2;
/// How often in a row a player may have the same side.
pub(crate) const LONGEST_STREAK: usize = 2;

/// How much a player has a right to a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    /// To alternate.
    Mild,
    /// The sides are out of balance by one.
    Strong,
    /// The other side would break a rule.
    Absolute,
}

/// What is wrong with a choice of sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ColorCost {
    /// Rules that are broken.
    pub(crate) broken: i64,
    /// Strong (or absolute) claims that are not met.
    pub(crate) strong: i64,
    /// Mild ones.
    pub(crate) mild: i64,
}

/// A choice of sides for two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColorChoice {
    /// The side of the player who is ranked first.
    pub(crate) first: Color,
    /// What is wrong with it.
    pub(crate) cost: ColorCost,
}

impl ColorHistory {
    /// A game more.
    pub(crate) fn push(&mut self, color: Color) {
        self.0.push(color);
    }

    /// The side of the last game.
    #[must_use]
    pub(crate) fn last(&self) -> Option<Color> {
        self.0.last().copied()
    }

    /// Games with Black less games with White.
    #[must_use]
    pub(crate) fn difference(&self) -> i32 {
        self.0.iter().map(|color| if *color == Color::Black { 1 } else { -1 }).sum()
    }

    /// How often the last side was had in a row.
    #[must_use]
    pub(crate) fn streak(&self) -> usize {
        self.0.iter().rev().take_while(|color| Some(*color) == self.0.last()).count()
    }

    /// How many rules a side would break now.
    #[must_use]
    pub(crate) fn broken_by(&self, color: Color) -> i64 {
        let next = self.difference() + if color == Color::Black { 1 } else { -1 };
        // What makes a difference smaller is right, however large it is.
        let unbalanced = next.abs() > MOST_DIFFERENCE && next.abs() > self.difference().abs();
        let monotonous = self.0.last() == Some(&color) && self.streak() >= LONGEST_STREAK;
        i64::from(unbalanced) + i64::from(monotonous)
    }

    /// Which side the player should have, and how much.
    #[must_use]
    pub(crate) fn claim(&self) -> Option<(Color, Claim)> {
        let last = *self.0.last()?;
        let difference = self.difference();
        let rarer = if difference > 0 { Color::White } else { Color::Black };
        Some(match difference.abs() {
            2.. => (rarer, Claim::Absolute),
            _ if self.streak() >= LONGEST_STREAK => (!last, Claim::Absolute),
            1 => (rarer, Claim::Strong),
            _ => (!last, Claim::Mild),
        })
    }

    fn unmet(&self, color: Color) -> ColorCost {
        let claim = self.claim().filter(|(wanted, _)| *wanted != color).map(|(_, claim)| claim);
        ColorCost {
            broken: self.broken_by(color),
            strong: i64::from(claim >= Some(Claim::Strong)),
            mild: i64::from(claim == Some(Claim::Mild)),
        }
    }
}

/// The sides of two players, the first of whom is ranked before the other. `opening` is what the first one has if nothing else decides.
#[must_use]
pub(crate) fn choose(first: &ColorHistory, second: &ColorHistory, opening: Color) -> ColorChoice {
    let cost = |color: Color| {
        let (a, b) = (first.unmet(color), second.unmet(!color));
        ColorCost { broken: a.broken + b.broken, strong: a.strong + b.strong, mild: a.mild + b.mild }
    };
    let (black, white) = (cost(Color::Black), cost(Color::White));
    match black.cmp(&white) {
        std::cmp::Ordering::Less => ColorChoice { first: Color::Black, cost: black },
        std::cmp::Ordering::Greater => ColorChoice { first: Color::White, cost: white },
        std::cmp::Ordering::Equal => ColorChoice { first: settle(first, second, opening), cost: black },
    }
}

/// The first one's side where both choices are equally good: the stronger claim or wider difference is met, else the two alternate since they last
/// had different sides, else the first one's claim is met.
fn settle(first: &ColorHistory, second: &ColorHistory, opening: Color) -> Color {
    let weight =
        |history: &ColorHistory| (history.claim().map(|(_, claim)| claim), history.difference().abs());
    match (first.claim(), second.claim()) {
        (Some((wanted, _)), _) if weight(first) > weight(second) => return wanted,
        (_, Some((wanted, _))) if weight(second) > weight(first) => return !wanted,
        _ => {}
    }
    let differing = first.0.iter().rev().zip(second.0.iter().rev()).find(|(mine, its)| mine != its);
    match (differing, first.claim()) {
        (Some((mine, _)), _) => !*mine,
        (None, Some((wanted, _))) => wanted,
        (None, None) => opening,
    }
}
