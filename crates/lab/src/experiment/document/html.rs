//! HTML: escaped text, tables, and the Markdown of reports with their pictures within it.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

/// A text in which nothing is markup.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// An id that a link may lead to: letters, digits and hyphens.
pub(super) fn id(kind: &str, name: &str) -> String {
    let part = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    format!("{kind}-{}", name.chars().map(part).collect::<String>())
}

/// A table; its cells are HTML.
pub(super) fn table(class: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        cells.map(|cell| format!("<{tag}>{cell}</{tag}>")).collect::<String>()
    };
    let head = cells("th", &mut head.iter().copied());
    let row = |row: &Vec<String>| format!("<tr>{}</tr>\n", cells("td", &mut row.iter().map(String::as_str)));
    let rows: String = rows.iter().map(row).collect();
    format!("<table class=\"{class}\">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}

/// What stands for the pictures and links of a Markdown text.
pub(super) struct Links<'a> {
    /// The HTML of a picture.
    pub(super) picture: &'a mut dyn FnMut(&str) -> Result<String, String>,
    /// Where a link leads within the document; a link that leads nowhere is plain text.
    pub(super) anchor: &'a dyn Fn(&str) -> Option<String>,
}

/// The most rows of a table that are printed; of a longer one, fewer.
const MOST_ROWS: usize = 40;
/// So many rows are printed of a table that is too long.
const FIRST_ROWS: usize = 12;

/// Markdown as HTML. Markup within it is text, and long tables are cut.
pub(super) fn markdown(text: &str, links: &mut Links<'_>) -> Result<String, String> {
    let text = short_tables(text);
    let mut events = Vec::new();
    let (mut in_picture, mut kept) = (false, Vec::new());
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                in_picture = true;
                events.push(Event::Html(CowStr::from((links.picture)(&dest_url)?)));
            }
            Event::End(TagEnd::Image) => in_picture = false,
            _ if in_picture => {}
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let anchor = (links.anchor)(&dest_url);
                kept.push(anchor.is_some());
                if let Some(anchor) = anchor {
                    let dest_url = CowStr::from(format!("#{anchor}"));
                    events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
            }
            Event::End(TagEnd::Link) if !kept.pop().unwrap_or(true) => {}
            Event::Html(markup) | Event::InlineHtml(markup) => events.push(Event::Text(markup)),
            event => events.push(event),
        }
    }
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events.into_iter());
    Ok(out)
}

/// A text in one line, without a paragraph around it, for the cell of a table. What would be a list or a heading is plain text.
pub(super) fn inline(text: &str) -> String {
    let mut links = Links { picture: &mut |_| Ok(String::new()), anchor: &|_| None };
    let html = markdown(text, &mut links).unwrap_or_default();
    let paragraph = html.trim().strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>"));
    paragraph.filter(|inner| !inner.contains("<p>")).map_or_else(|| escape(text), str::to_string)
}

/// A Markdown text whose long tables end early, and say so.
fn short_tables(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.starts_with('|') {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let mut table = vec![line];
        while let Some(row) = lines.next_if(|row| row.starts_with('|')) {
            table.push(row);
        }
        let rows = table.len().saturating_sub(2);
        let shown = if rows > MOST_ROWS { FIRST_ROWS } else { rows };
        for row in table.iter().take(2 + shown) {
            out.push_str(row);
            out.push('\n');
        }
        if shown < rows {
            out.push_str(&format!(
                "\nThe first {shown} of {rows} rows; the others are in the experiment's report.\n"
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        let mut links = Links {
            picture: &mut |name| Ok(format!("<svg>{name}</svg>")),
            anchor: &|to| (to == "../one/report.md").then(|| "experiment-one".to_string()),
        };
        markdown(text, &mut links).expect("pictures are there")
    }

    #[test]
    fn markup_in_a_text_stays_text() {
        assert_eq!(escape("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
        let found = html("a <script>x</script> b\n\n<div>c</div>\n");
        assert!(!found.contains("<script") && !found.contains("<div"), "{found}");
        assert!(found.contains("&lt;script&gt;") && found.contains("&lt;div&gt;"), "{found}");
        assert_eq!(inline("5 < 9 & **bold**"), "5 &lt; 9 &amp; <strong>bold</strong>");
        assert_eq!(["-", "# a", "1. b", ""].map(inline), ["-", "# a", "1. b", ""]);
    }

    #[test]
    fn pictures_stand_within_the_text_and_links_lead_to_its_sections() {
        assert_eq!(html("![nodes](nodes.svg)").trim(), "<p><svg>nodes.svg</svg></p>");
        assert_eq!(html("[one](../one/report.md)").trim(), "<p><a href=\"#experiment-one\">one</a></p>");
        assert_eq!(html("[log](../../log.md) [site](http://a.b)").trim(), "<p>log site</p>");
    }

    #[test]
    fn a_table_is_cut_only_if_it_is_long_and_says_so() {
        let table = |rows: usize| format!("| a | b |\n| --- | ---: |\n{}", "| x | 1 |\n".repeat(rows));
        let count = |rows| html(&table(rows)).matches("<td>x</td>").count();
        assert_eq!((count(3), count(40), count(41)), (3, 40, 12));
        assert!(html(&table(41)).contains("The first 12 of 41 rows"));
    }

    #[test]
    fn ids_have_no_letters_that_a_link_must_escape() {
        assert_eq!(id("experiment", "aba-pro/Table 1"), "experiment-aba-pro-table-1");
    }
}
