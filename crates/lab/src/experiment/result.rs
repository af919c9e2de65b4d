//! The result of an experiment as it is published: the values, and how they came about.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::claim::{Claim, Finding};
use super::definition::{Definition, Size};
use super::report;
use super::values::{MeasuredValue, Values};
use crate::run::Provenance;

/// What `result.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// The experiment.
    pub name: String,
    /// How much was measured.
    pub size: Size,
    /// The seed.
    pub seed: u64,
    /// The program's version.
    pub version: String,
    /// The commit, the engine's bench number, its network and the machine; earlier results do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// The day on which it was done, in UTC; earlier results do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The command that gives the same again; earlier results do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Threads that played or searched.
    pub threads: usize,
    /// How long it took, in seconds, all sessions together.
    pub seconds: u64,
    /// Everything that was measured.
    pub values: Values,
}

impl Published {
    /// The file of an experiment's result below a folder of results.
    pub fn path(results: &Path, name: &str) -> PathBuf {
        results.join(name).join("result.json")
    }

    /// Reads the result of an experiment, if there is one. Fails where a file is there but no result.
    pub fn read(results: &Path, name: &str) -> Result<Option<Published>, String> {
        let path = Published::path(results, name);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(format!("{}: {why}", path.display())),
        };
        serde_json::from_str(&text).map(Some).map_err(|why| format!("{}: {why}", path.display()))
    }

    /// What the file says: a line for each value.
    pub(super) fn text(&self) -> String {
        let head = serde_json::to_string_pretty(&Published { values: Values::default(), ..self.clone() });
        let line = |(key, value): (&str, MeasuredValue)| {
            let number = |number: Option<f64>| number.map_or("null".to_string(), |number| number.to_string());
            let list = Vec::from(value).into_iter().map(number).collect::<Vec<_>>().join(", ");
            format!("    {}: [{list}]", serde_json::Value::from(key))
        };
        let lines: Vec<String> = self.values.iter().map(line).collect();
        let body = format!("\"values\": {{\n{}\n  }}", lines.join(",\n"));
        head.expect("plain data").replace("\"values\": {}", &body) + "\n"
    }

    /// The command that gives the same again.
    pub fn again(&self) -> String {
        self.command.clone().unwrap_or_else(|| command(&self.name, self.size))
    }

    /// What the values say about each claim of the definition as it is now.
    pub fn findings(&self, definition: &Definition) -> Vec<Finding> {
        definition.claims.iter().map(|claim| claim.judge(&self.values)).collect()
    }

    /// The report that lies beside the result, with the claims and the reasons of the definition as it is now.
    pub fn report(&self, definition: &Definition, results: &Path) -> Result<(PathBuf, String), String> {
        let path = results.join(&self.name).join("report.md");
        let old = std::fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        let new = report::rewrite(definition, self, &old);
        new.map(|new| (path.clone(), new))
            .ok_or_else(|| format!("{}: expected a report with a section of numbers", path.display()))
    }

    /// The values that claims and discussion of a definition name and that are not there.
    pub fn missing(&self, definition: &Definition) -> Vec<String> {
        let named = definition.claims.iter().flat_map(Claim::keys);
        let absent = named.filter(|key| self.values.get(key).is_none());
        let texts = [&definition.about, &definition.discussion].map(|text| self.values.missing(text));
        absent.chain(texts.into_iter().flatten()).collect()
    }
}

/// The command that runs an experiment. Its results do not depend on where they lie, nor counts on the number of threads.
pub(super) fn command(name: &str, size: Size) -> String {
    let quick = if size == Size::Quick { " --quick" } else { "" };
    format!("sumito lab run {name}{quick}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_as_it_was_written_with_a_line_for_each_value() {
        let mut values = Values::default();
        values.set("a.score", MeasuredValue { value: 62.5, low: 51.25, high: 73.75 });
        values.set("a \"b\".nodes", MeasuredValue::exact(1e15));
        values.set("a.once", MeasuredValue::mean(&[7.0]).expect("a number"));
        let (name, version) = ("paper/one".to_string(), "1".to_string());
        let provenance = Some(Provenance::of_this_program().clone());
        let (size, seed, threads, seconds) = (Size::Quick, 3, 2, 9);
        let (date, command) = (Some("2026-11-18".to_string()), Some("sumito lab run paper/one".to_string()));
        let result =
            Published { name, size, seed, version, provenance, date, command, threads, seconds, values };
        let text = result.text();
        assert!(text.contains("\n    \"a.once\": [7, null, null],\n"), "{text}");
        assert!(text.contains("\n    \"a.score\": [62.5, 51.25, 73.75]\n"), "{text}");
        assert_eq!(serde_json::from_str::<Published>(&text).expect("a result"), result);
        let wrong = text.replace("[62.5, 51.25, 73.75]", "[62.5, 51.25]");
        assert!(
            serde_json::from_str::<Published>(&wrong)
                .expect_err("half an interval")
                .to_string()
                .contains("ends")
        );
    }

    #[test]
    fn a_result_without_machine_date_and_command_is_still_read() {
        let text = r#"{ "name": "paper/one", "size": "quick", "seed": 1, "version": "0.1.0",
            "provenance": { "version": "0.1.0", "commit": "0123456789ab", "bench": 5, "network": "00" },
            "threads": 1, "seconds": 2, "values": {} }"#;
        let result: Published = serde_json::from_str(text).expect("an earlier result");
        assert_eq!(
            (result.date.as_deref(), result.again().as_str()),
            (None, "sumito lab run paper/one --quick")
        );
        assert_eq!(result.provenance.expect("what made it").machine, None);
    }
}
