//! What a misspelt name may be meant for. Agents, options, rules' presets and experiments are asked for by name, and who
//! asks for one that there is not is answered with those spelt most like it.
//!
//! The rules do the same for layouts, in private: a spell-checker is no part of a game's rules, and they depend on no
//! crate. A test holds the two to the same answers.

/// The at most three candidates spelt most like a word: at most a quarter of its letters and one off (Levenshtein
/// distance), or beginning with it.
pub fn near_misses<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let begins = |name: &str| !word.is_empty() && name.starts_with(word);
    let distance = |name: &str| if begins(name) { 0 } else { strsim::levenshtein(word, name) };
    let mut near: Vec<(usize, &str)> = candidates.into_iter().map(|name| (distance(name), name)).collect();
    near.retain(|(distance, _)| *distance <= 1 + word.chars().count() / 4);
    near.sort_unstable();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// What to say about a word that is none of the candidates: those it may be meant for, or else all of them.
///
/// ```
/// use sumito_agents::spelling::suggestion;
/// assert_eq!(suggestion("verlop", &["aba-pro", "verloop"]), "did you mean verloop");
/// assert_eq!(suggestion("xyzzy", &["aba-pro", "verloop"]), "expected one of aba-pro, verloop");
/// ```
pub fn suggestion(word: &str, candidates: &[&str]) -> String {
    match near_misses(word, candidates.iter().copied()).as_slice() {
        [] => format!("expected one of {}", candidates.join(", ")),
        near => format!("did you mean {}", near.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Layout;

    #[test]
    fn a_misspelt_layout_has_the_same_near_misses_here_as_in_the_rules() {
        let names = || {
            Layout::all()
                .iter()
                .flat_map(|layout| [layout.name].into_iter().chain(layout.aliases.iter().copied()))
        };
        for layout in Layout::all() {
            for cut in 0..layout.name.len() {
                let misspelt = format!("{}{}", &layout.name[..cut], &layout.name[cut + 1..]);
                if let Err(unknown) = Layout::find(&misspelt) {
                    let word = misspelt.trim_matches('-').replace("--", "-");
                    assert_eq!(near_misses(&word, names()), unknown.near_misses(), "{misspelt}");
                }
            }
        }
    }
}
