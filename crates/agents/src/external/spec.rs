//! The spec string of an external engine: `ugi:COMMAND`, or `ugi[Name=Value,...]:COMMAND`.

/// An engine's command line and the options to set in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The options by name, in the order in which they are set.
    pub options: Vec<(String, String)>,
}

/// Whether a spec string is about an external engine.
pub(crate) fn is_spec(spec: &str) -> bool {
    spec == "ugi" || spec.starts_with("ugi:") || spec.starts_with("ugi[")
}

impl EngineSpec {
    /// Reads a spec string.
    ///
    /// ```
    /// use sumito_agents::external::EngineSpec;
    /// let spec = EngineSpec::parse("ugi[Hash=64,Book='a, b']:python3 'my bot.py' --fast").expect("a spec");
    /// assert_eq!(spec.command, ["python3", "my bot.py", "--fast"]);
    /// assert_eq!(spec.options[1], ("Book".to_string(), "a, b".to_string()));
    /// ```
    pub fn parse(spec: &str) -> Result<EngineSpec, String> {
        const EXPECTED: &str = "expected ugi:COMMAND or ugi[Name=Value,...]:COMMAND";
        let rest = spec.strip_prefix("ugi").ok_or(EXPECTED)?;
        let (options, command) = match rest.strip_prefix('[') {
            Some(rest) => rest.split_once("]:").ok_or(EXPECTED)?,
            None => ("", rest.strip_prefix(':').ok_or(EXPECTED)?),
        };
        let command = split_words(command)?;
        if command.is_empty() {
            return Err(EXPECTED.into());
        }
        let options =
            split(options, |c| c == ',')?.iter().map(|text| parse_option(text)).collect::<Result<_, _>>()?;
        Ok(EngineSpec { command, options })
    }
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("expected Name=Value for the engine, found '{text}'"))?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// Splits a command line into words as a shell does: at blanks, except between quotes or after a backslash.
/// (On Windows a backslash is part of a path, and only quotes hold words together.)
pub fn split_words(line: &str) -> Result<Vec<String>, String> {
    split(line, char::is_whitespace)
}

fn split(line: &str, is_separator: impl Fn(char) -> bool) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            _ if quote == Some(c) => quote = None,
            '\\' if quote != Some('\'') && !cfg!(windows) => {
                word.get_or_insert_default().push(chars.next().ok_or("nothing follows the last backslash")?);
            }
            '\'' | '"' if quote.is_none() => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            _ if quote.is_none() && is_separator(c) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(quote) => Err(format!("the quote {quote} is not closed")),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        let words = |line| split_words(line).expect("words");
        assert_eq!(words("  a  b\tc "), ["a", "b", "c"]);
        assert_eq!(words(r#"'a b' "c 'd'" e'f'g"#), ["a b", "c 'd'", "efg"]);
        assert_eq!(words("a '' b"), ["a", "", "b"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[cfg(not(windows))]
    #[test]
    fn a_backslash_takes_the_next_letter_as_it_is() {
        assert_eq!(split_words(r#"a\ b "c\"d" 'e\f'"#).expect("words"), ["a b", "c\"d", r"e\f"]);
        assert!(split_words("a\\").is_err());
    }

    #[test]
    fn an_open_quote_is_an_error() {
        assert_eq!(split_words("a 'b").expect_err("open"), "the quote ' is not closed");
    }

    #[test]
    fn options_stand_in_brackets_before_the_command() {
        let spec = EngineSpec::parse("ugi[Hash=64, Threads=1]:./engine -x").expect("a spec");
        assert_eq!(spec.command, ["./engine", "-x"]);
        assert_eq!(spec.options, [("Hash".into(), "64".into()), ("Threads".into(), "1".into())]);
    }

    #[test]
    fn a_command_may_have_colons_and_brackets_of_its_own() {
        let spec = EngineSpec::parse("ugi:run serve random:seed=[1]:2").expect("a spec");
        assert_eq!(spec.command, ["run", "serve", "random:seed=[1]:2"]);
    }

    #[test]
    fn a_spec_without_a_command_says_what_is_expected() {
        for spec in ["ugi", "ugi:", "ugi:  ", "ugi[Hash=1]", "ugi[Hash=1]:"] {
            assert!(EngineSpec::parse(spec).expect_err(spec).starts_with("expected ugi:COMMAND"));
        }
        assert!(EngineSpec::parse("ugi[Hash]:x").expect_err("no value").contains("Name=Value"));
    }
}
