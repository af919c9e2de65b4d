//! Two files instead of many: the page's modules and its style sheets are put together when the program starts, so that
//! the first load takes a handful of requests. What the first page needs is in one, what other pages need in another,
//! which comes when one of them is opened.
//!
//! It understands the few forms of `import` and `export` that `web/` uses, one to a line, and refuses others. A module
//! becomes a function that runs when it is first needed; what it exports is read through getters, so that modules may
//! need each other as long as they wait for it until they run.

use std::collections::BTreeMap;
use std::fmt::Write;

/// What modules in one file cannot say.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum PackError {
    /// A file that is imported and does not exist.
    #[error("{from}: expected a module of ours, found '{name}'")]
    Missing { from: String, name: String },
    /// Something else than the forms that are understood.
    #[error("{file}: expected an import or export of a plain form, found '{line}'")]
    Form { file: String, line: String },
}

const HEAD: &str = "\
const $bodies = new Map(), $held = new Map();
let $more = null, $tries = 0;
function $need(name) {
  let held = $held.get(name);
  if (!held) {
    $held.set(name, (held = {}));
    $bodies.get(name)(held);
  }
  return held;
}
async function $later(name) {
  if (!$bodies.has(name)) await ($more ??= $others());
  return $need(name);
}
async function $others() {
  try {
    // A browser may remember that a file did not come.
    const file = $tries++ ? `more.js?${$tries}` : \"more.js\";
    (await import(new URL(file, import.meta.url).href)).default($bodies, $need, $later, $apart, $give);
  } catch (error) {
    $more = null;
    throw error;
  }
}
function $apart(name) { return import(new URL(name, import.meta.url).href); }
function $give(held, getters) {
  for (const name in getters) Object.defineProperty(held, name, { get: getters[name], enumerable: true });
}
";

const MORE_HEAD: &str = "export default function ($bodies, $need, $later, $apart, $give) {\n";

/// Whether a module stays a file of its own, for those who need it: nobody reads two languages.
pub(super) fn is_apart(name: &str) -> bool {
    name.starts_with("i18n/") && name != "i18n/en.js"
}

/// The modules as two files: the first ones with all that they import at once, which starts the very first; and all that is
/// imported later. The languages that most do not read are in neither.
pub(crate) fn modules(files: &BTreeMap<&str, &str>, first: &[&str]) -> Result<(String, String), PackError> {
    let (mut packed, mut more) = (HEAD.to_string(), MORE_HEAD.to_string());
    let (mut seen, mut later) = (Vec::new(), Vec::new());
    for name in first {
        add(files, name, (&mut seen, &mut later), &mut packed)?;
    }
    if let Some(entry) = first.first() {
        let _ = writeln!(packed, "$need(\"{entry}\");");
    }
    while let Some(name) = later.pop() {
        add(files, &name, (&mut seen, &mut later), &mut more)?;
    }
    more.push_str("}\n");
    Ok((packed, more))
}

/// Adds a module with all that it imports at once, but for what was seen before; what it imports later is kept.
fn add(
    files: &BTreeMap<&str, &str>,
    first: &str,
    (seen, later): (&mut Vec<String>, &mut Vec<String>),
    packed: &mut String,
) -> Result<(), PackError> {
    let mut waiting = vec![first.to_string()];
    while let Some(name) = waiting.pop() {
        if seen.contains(&name) {
            continue;
        }
        // The very first module alone may wait at its top.
        let kind = if seen.is_empty() { "async " } else { "" };
        seen.push(name.clone());
        let source = files.get(name.as_str()).copied().unwrap_or_default();
        let module = Module::read(&name, source)?;
        if let Some(missing) =
            module.needs.iter().chain(&module.wants).find(|it| !files.contains_key(it.as_str()))
        {
            return Err(PackError::Missing { from: name, name: missing.clone() });
        }
        waiting.extend(module.needs);
        later.extend(module.wants.into_iter().filter(|wanted| !is_apart(wanted)));
        let getters: Vec<String> = module.gives.iter().map(|it| format!("{it}: () => {it}")).collect();
        let getters = getters.join(", ");
        let _ = writeln!(
            packed,
            "$bodies.set(\"{name}\", {kind}($here) => {{\n$give($here, {{ {getters} }});\n{}}});",
            module.body
        );
    }
    Ok(())
}

/// A module taken apart.
#[derive(Default)]
struct Module {
    /// What it imports at once, and what when it is wanted.
    needs: Vec<String>,
    wants: Vec<String>,
    gives: Vec<String>,
    body: String,
}

impl Module {
    fn read(name: &str, source: &str) -> Result<Module, PackError> {
        let mut module = Module::default();
        let source = uncommented(source);
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            let refused = || PackError::Form { file: name.to_string(), line: line.to_string() };
            if line.starts_with("import ") {
                let mut whole = line.to_string();
                while !whole.ends_with(';') {
                    whole.push_str(lines.next().ok_or_else(refused)?.trim());
                }
                let text = module.import(name, &whole).ok_or_else(refused)?;
                module.body.push_str(&text);
            } else if let Some(exported) = line.strip_prefix("export ") {
                let text = module.export(exported).ok_or_else(refused)?;
                let text = module.dynamic(name, &text);
                module.body.push_str(&text);
            } else {
                let text = module.dynamic(name, line);
                module.body.push_str(&text);
            }
            module.body.push('\n');
        }
        Ok(module)
    }

    /// `import { a, b as c } from "./x.js";`, `import * as x from "./x.js";` or `import "./x.js";`
    fn import(&mut self, name: &str, line: &str) -> Option<String> {
        let rest = line.strip_prefix("import ")?.strip_suffix(';')?;
        let (what, from) = rest.rsplit_once(" from ").unwrap_or(("", rest));
        let needed = resolve(name, from.strip_prefix('"')?.strip_suffix('"')?);
        let text = if what.is_empty() {
            format!("$need(\"{needed}\");")
        } else if let Some(whole) = what.strip_prefix("* as ") {
            format!("const {whole} = $need(\"{needed}\");")
        } else {
            let names = what.strip_prefix('{')?.strip_suffix('}')?.replace(" as ", ": ");
            format!("const {{{names}}} = $need(\"{needed}\");")
        };
        self.needs.push(needed);
        Some(text)
    }

    /// What comes after `export `; the answer is the line without it.
    fn export(&mut self, rest: &str) -> Option<String> {
        if let Some(names) = rest.strip_prefix('{') {
            let names = names.strip_suffix("};")?.split(',').map(str::trim).filter(|name| !name.is_empty());
            self.gives.extend(names.map(str::to_string));
            return Some(String::new());
        }
        if let Some(value) = rest.strip_prefix("default ") {
            return Some(format!("$here.default = {value}"));
        }
        let kinds = ["async function ", "function ", "class ", "const "];
        let named = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let end = named.find(|letter| !is_letter(letter)).unwrap_or(named.len());
        self.gives.push(named.get(..end).filter(|name| !name.is_empty())?.to_string());
        Some(rest.to_string())
    }

    /// A line with each `import("./x.js")` in it made one of ours.
    fn dynamic(&mut self, name: &str, line: &str) -> String {
        let mut rest = line;
        let mut text = String::new();
        while let Some((before, after)) = rest.split_once("import(\"") {
            let (from, end) = after.split_once("\")").unwrap_or((after, ""));
            let needed = resolve(name, from);
            let how = if is_apart(&needed) { "$apart" } else { "$later" };
            let _ = write!(text, "{before}{how}(\"{needed}\")");
            self.wants.push(needed);
            rest = end;
        }
        text + rest
    }
}

/// A source without the comments that begin a line or name a type, which are for its readers: a third of what would be sent.
/// Code after one stays.
fn uncommented(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut within = false;
    for line in source.lines() {
        let begins = line.trim_start();
        if !within && begins.starts_with("//") {
            continue;
        }
        let code = match line.split_once("*/") {
            Some((_, rest)) if within || begins.starts_with("/*") => {
                within = false;
                rest.trim_start()
            }
            None if within || begins.starts_with("/*") => {
                within = true;
                ""
            }
            _ => line,
        };
        let mut rest = code;
        // Types of values stand within lines.
        while let Some((before, after)) = rest.split_once("/** @")
            && let Some((_, behind)) = after.split_once("*/")
        {
            text.push_str(before);
            rest = behind.trim_start();
        }
        if !code.trim().is_empty() {
            text.push_str(rest);
            text.push('\n');
        }
    }
    text
}

/// The path of a file that another one names, such as `lib/dom.js` for `../lib/dom.js` in `board/board.js`.
fn resolve(from: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The page with one style sheet, named `whole`, in the place of all that it links to, one to a line; and that sheet.
pub(crate) fn styles(page: &str, files: &BTreeMap<&str, &str>, whole: &str) -> (String, String) {
    let (mut text, mut sheet) = (String::new(), String::new());
    for line in page.lines() {
        let linked = line.strip_prefix("<link rel=\"stylesheet\" href=\"/");
        let found = linked.and_then(|rest| files.get(rest.split('"').next()?));
        match found {
            Some(content) => {
                if sheet.is_empty() {
                    let _ = writeln!(text, "<link rel=\"stylesheet\" href=\"/{whole}\">");
                }
                sheet.push_str(&uncommented(content));
            }
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    (text, sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_begin_a_line_go_and_code_after_one_stays() {
        let source = "// What it is.\n\nimport { h } from \"./dom.js\";\n\n/**\n * @typedef {object} State\n */\n\
                      /** @type {Node} */ (found).go(); // now\n\
                      const a = /** @type {Node} */ (b), c = (/** @type {Node} */ d) => d;\n/** One line. */\n  const url = \"http://x\";\n";
        let expected = "import { h } from \"./dom.js\";\n(found).go(); // now\n\
             const a = (b), c = (d) => d;\n  const url = \"http://x\";\n";
        assert_eq!(uncommented(source), expected);
        assert_eq!(
            uncommented("/* A */\n.b { color: red; }\n/* C\nD */ .e {}\n"),
            ".b { color: red; }\n.e {}\n"
        );
    }

    fn pack(files: &[(&str, &str)]) -> Result<(String, String), PackError> {
        modules(&files.iter().copied().collect(), &["app.js"])
    }

    #[test]
    fn every_form_of_import_and_export_is_turned_into_ours() {
        let (packed, more) = pack(&[
            ("app.js", "import { a, b as c } from \"./lib/x.js\";\nexport function go() {}\nawait go();\n"),
            ("lib/x.js", "import * as y from \"../y.js\";\nexport const a = 1, z = 2;\nexport class b {}\n"),
            ("y.js", "export default {\n};\nconst late = () => import(\"./z.js\"), de = () => import(\"./i18n/de.js\");\n"),
            ("z.js", "import {\n  late,\n} from \"./y.js\";\nexport { late };\nexport {};\n"),
            ("i18n/de.js", "export default {};\n"),
            ("unused.js", "let nothing;\n"),
        ])
        .expect("plain forms");
        let body = packed.strip_prefix(HEAD).expect("the head first");
        let expected = "$bodies.set(\"app.js\", async ($here) => {\n$give($here, { go: () => go });\n\
            const { a, b: c } = $need(\"lib/x.js\");\nfunction go() {}\nawait go();\n});\n\
            $bodies.set(\"lib/x.js\", ($here) => {\n$give($here, { a: () => a, b: () => b });\n\
            const y = $need(\"y.js\");\nconst a = 1, z = 2;\nclass b {}\n});\n\
            $bodies.set(\"y.js\", ($here) => {\n$give($here, {  });\n\
            $here.default = {\n};\nconst late = () => $later(\"z.js\"), de = () => $apart(\"i18n/de.js\");\n});\n\
            $need(\"app.js\");\n";
        assert_eq!(body, expected);
        let expected = "$bodies.set(\"z.js\", ($here) => {\n$give($here, { late: () => late });\n\
            const {late,} = $need(\"y.js\");\n\n\n});\n}\n";
        assert_eq!(more.strip_prefix(MORE_HEAD), Some(expected));
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_file() {
        for line in [
            "export let a = 1;",
            "export { a } from \"./x.js\";",
            "export * from \"./x.js\";",
            "import a from \"./x.js\";",
        ] {
            let refused = pack(&[("app.js", line), ("x.js", "")]).expect_err("no plain form");
            assert_eq!(refused, PackError::Form { file: "app.js".into(), line: line.into() });
        }
        let missing = pack(&[("app.js", "import \"./x.js\";")]).expect_err("no such file");
        assert_eq!(missing, PackError::Missing { from: "app.js".into(), name: "x.js".into() });
    }

    #[test]
    fn style_sheets_become_one_in_their_order() {
        let page = "<head>\n<link rel=\"stylesheet\" href=\"/b.css\">\n<link rel=\"stylesheet\" href=\"/a.css\">\n</head>\n";
        let files = BTreeMap::from([("a.css", "a{}"), ("b.css", "b{}")]);
        let (page, sheet) = styles(page, &files, "all.css");
        assert_eq!(page, "<head>\n<link rel=\"stylesheet\" href=\"/all.css\">\n</head>\n");
        assert_eq!(sheet, "b{}\na{}\n");
    }
}
