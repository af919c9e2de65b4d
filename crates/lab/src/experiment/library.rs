//! The experiments that come with the program, and those that somebody writes.

use std::path::Path;

use sumito_agents::spelling::suggestion;

use super::definition::{Definition, DefinitionError};
use super::paper::Paper;

/// All experiments of the papers and our own, paper by paper.
pub fn library() -> Result<Vec<Definition>, DefinitionError> {
    let mut names = sumito_experiments::names();
    let paper = |name: &str| Paper::ALL.iter().position(|paper| name.split('/').next() == Some(paper.key));
    names.sort_by_key(|name| (paper(name).unwrap_or(Paper::ALL.len()), name.clone()));
    names.iter().map(|name| embedded(name)).collect()
}

fn embedded(name: &str) -> Result<Definition, DefinitionError> {
    let missing = || DefinitionError { name: name.to_string(), why: "it is not there".to_string() };
    Definition::parse(name, &sumito_experiments::text(name).ok_or_else(missing)?)
}

/// The experiment of this name.
pub fn find(name: &str) -> Result<Definition, DefinitionError> {
    let names = sumito_experiments::names();
    if !names.iter().any(|known| known == name) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let why = format!("unknown ({})", suggestion(name, &names));
        return Err(DefinitionError { name: name.to_string(), why });
    }
    embedded(name)
}

/// An experiment from a file of one's own, named after its folder and itself.
pub fn read(path: &Path) -> Result<Definition, DefinitionError> {
    let stem = |path: Option<&Path>| {
        path.and_then(Path::file_stem).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let name = format!("{}/{}", stem(path.parent()), stem(Some(path)));
    let name = name.trim_start_matches('/').to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|why| DefinitionError { name: path.display().to_string(), why: why.to_string() })?;
    Definition::parse(&name, &text)
}
