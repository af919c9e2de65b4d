//! The `option` line: what can be set, in the words of an agent and in those of the protocol.

use crate::options::{Kind, OptionSpec};

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// Writes the line for an agent's option, `value` being what it has before anything is set.
pub(crate) fn write(spec: &OptionSpec, value: &str) -> String {
    let name = spec.label;
    let value = to_protocol(&spec.kind, value);
    if let Some(range) = spec.kind.whole() {
        let (min, max) = range.into_inner();
        return format!("option name {name} type spin default {value} min {min} max {max}");
    }
    match spec.kind {
        Kind::Flag(_) => format!("option name {name} type check default {value}"),
        Kind::Choice(words) => write_combo(name, &value, words.iter().copied()),
        _ => format!("option name {name} type string default {value}"),
    }
}

/// Writes the line for a choice of words.
pub(crate) fn write_combo<'a>(name: &str, default: &str, words: impl Iterator<Item = &'a str>) -> String {
    let words: String = words.map(|word| format!(" var {word}")).collect();
    format!("option name {name} type combo default {default}{words}")
}

fn to_protocol(kind: &Kind, value: &str) -> String {
    match (kind, value) {
        (Kind::Flag(_), "on") => "true".into(),
        (Kind::Flag(_), "off") => "false".into(),
        (_, "") => EMPTY.into(),
        _ => value.into(),
    }
}

/// A value of the protocol as a spec string would say it.
pub(crate) fn from_protocol(kind: &Kind, value: &str) -> String {
    match (kind, value) {
        (Kind::Flag(_), "true") => "on".into(),
        (Kind::Flag(_), "false") => "off".into(),
        (_, EMPTY) => String::new(),
        _ => value.into(),
    }
}

/// Reads what follows `setoption`: a name and a value, both perhaps of several words.
pub(crate) fn parse_set(tokens: &[&str]) -> Result<(String, String), String> {
    let ["name", rest @ ..] = tokens else {
        return Err("setoption: expected 'name', an option's name, 'value' and its value".into());
    };
    let cut = rest.iter().position(|token| *token == "value").unwrap_or(rest.len());
    let (name, value) = rest.split_at(cut);
    Ok((name.join(" "), value.get(1..).unwrap_or_default().join(" ")))
}

/// An option that an engine declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    /// Its name.
    pub(crate) name: String,
    /// The words that a `combo` may be.
    pub(crate) words: Vec<String>,
}

/// Reads what follows `option`.
pub(crate) fn parse(tokens: &[&str]) -> Result<Declared, String> {
    let ["name", rest @ ..] = tokens else { return Err("expected 'name' after 'option'".into()) };
    let cut = rest.iter().position(|token| *token == "type").ok_or("expected 'type' after the name")?;
    let (name, rest) = rest.split_at(cut);
    let kind = *rest.get(1).ok_or("expected a type after 'type'")?;
    if !["spin", "check", "combo", "string", "button"].contains(&kind) {
        return Err(format!("expected the type spin, check, combo, string or button, found '{kind}'"));
    }
    let words = rest[2..].split(|token| *token == "var").skip(1).map(|words| words.join(" ")).collect();
    Ok(Declared { name: name.join(" "), words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{choice, flag, float, int, text, time};

    #[test]
    fn each_kind_has_its_type() {
        let line = |spec: OptionSpec| write(&spec, &spec.kind.default_text());
        assert_eq!(line(int("depth", 4, (1, 9), "")), "option name depth type spin default 4 min 1 max 9");
        assert_eq!(line(flag("table", true, "")), "option name table type check default true");
        assert_eq!(
            line(choice("side", &["a", "b"], "")),
            "option name side type combo default a var a var b"
        );
        assert_eq!(line(float("c", 0.5, (0.0, 1.0), "")), "option name c type string default 0.5");
        assert_eq!(line(time("time", "")), "option name time type string default <empty>");
        assert_eq!(line(text("file", "")), "option name file type string default <empty>");
    }

    #[test]
    fn names_and_values_may_have_several_words() {
        let set = parse_set(&["name", "Book", "file", "value", "my", "book"]);
        assert_eq!(set, Ok(("Book file".into(), "my book".into())));
        assert_eq!(parse_set(&["name", "Clear"]), Ok(("Clear".into(), String::new())));
        assert!(parse_set(&["Hash", "64"]).is_err());
    }

    #[test]
    fn a_declared_combo_keeps_its_words() {
        let line = "name Rules type combo default official var official var mind sports";
        let tokens: Vec<&str> = line.split(' ').collect();
        let declared = parse(&tokens).expect("an option");
        assert_eq!(
            (declared.name.as_str(), declared.words),
            ("Rules", vec!["official".into(), "mind sports".into()])
        );
    }

    #[test]
    fn a_declaration_without_a_known_type_is_an_error() {
        assert!(parse(&["name", "Hash"]).is_err());
        assert!(parse(&["name", "Hash", "type"]).is_err());
        assert!(parse(&["name", "Hash", "type", "int"]).is_err());
    }
}
