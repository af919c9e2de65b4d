//! The networks that come with the program: one for each layout of the document, learned by self-play on it.
//!
//! `experiments/logs/cornell-td/README.md` says how they were made.

use std::sync::OnceLock;

// The layouts of section 3.1.1 with their networks. A game that starts anywhere else uses the first.
use sumito_nets::CORNELL_TD as TEXTS;
use sumito_rules::{Color, Layout, Position, Symmetry};

use super::network::Network;

static NETWORKS: OnceLock<Vec<Network>> = OnceLock::new();

/// The names of the layouts that have a network of their own.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

/// The network learned on a layout, by its name.
pub(super) fn named(name: &str) -> Option<&'static Network> {
    names().position(|own| own == name).map(|index| &networks()[index])
}

/// The network for games that start like this: the layout's own, whichever way it is turned and whoever has which
/// colour; for any other start the German Daisy's.
pub(super) fn network_for(start: &Position) -> &'static Network {
    let is_start = |name: &str| Layout::named(name).is_some_and(|layout| is_same(&layout.position(), start));
    names().position(is_start).map_or_else(default, |index| &networks()[index])
}

/// The network for starts without one of their own.
pub(super) fn default() -> &'static Network {
    &networks()[0]
}

fn networks() -> &'static [Network] {
    NETWORKS.get_or_init(|| TEXTS.iter().map(|(_, text)| text.parse().expect("tested")).collect())
}

fn is_same(layout: &Position, start: &Position) -> bool {
    let marbles = |position: &Position| Color::ALL.map(|color| position.marbles(color));
    let [black, white] = marbles(start);
    Symmetry::ALL.iter().any(|symmetry| {
        let image = marbles(&symmetry.position(layout));
        image == [black, white] || image == [white, black]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_network_is_whole_and_none_is_another_one() {
        let networks = networks();
        for (i, one) in networks.iter().enumerate() {
            assert!(networks[..i].iter().all(|other| one != other), "{}", TEXTS[i].0);
        }
    }

    #[test]
    fn each_layout_has_its_own_network_however_it_is_turned() {
        for name in names() {
            let start = Layout::named(name).expect("a layout").position();
            let expected = named(name).expect("a network");
            for symmetry in Symmetry::ALL {
                assert_eq!(network_for(&symmetry.position(&start)), expected, "{name}");
                assert_eq!(network_for(&symmetry.position(&start).swapped()), expected, "{name}");
            }
        }
    }

    #[test]
    fn any_other_start_has_the_german_daisys_network() {
        let own = |layout: &&Layout| names().any(|name| name == layout.name);
        for layout in Layout::all().iter().filter(|layout| !own(layout)) {
            assert_eq!(network_for(&layout.position()), default(), "{}", layout.name);
        }
    }
}
