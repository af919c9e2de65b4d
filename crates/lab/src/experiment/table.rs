//! Tables of a report: Markdown for people, CSV for programs.

/// A table with a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReportTable {
    pub(super) title: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// How many columns from the left hold text; the others are aligned to the right.
    pub(super) text_columns: usize,
}

impl ReportTable {
    pub(super) fn new(title: &str, head: &[&str], text_columns: usize) -> ReportTable {
        let head = head.iter().map(ToString::to_string).collect();
        ReportTable { title: title.to_string(), head, rows: Vec::new(), text_columns }
    }

    /// As Markdown.
    pub(super) fn markdown(&self) -> String {
        let rule: Vec<&str> =
            (0..self.head.len()).map(|i| if i < self.text_columns { "---" } else { "---:" }).collect();
        let mut text = if self.title.is_empty() { String::new() } else { format!("**{}**\n\n", self.title) };
        text.push_str(&format!("{}\n| {} |\n", line(&self.head), rule.join(" | ")));
        for row in &self.rows {
            text.push_str(&line(row));
            text.push('\n');
        }
        text
    }

    /// As comma-separated values.
    pub(super) fn csv(&self) -> String {
        std::iter::once(&self.head)
            .chain(&self.rows)
            .map(|row| row.iter().map(|cell| crate::csv::quoted(cell)).collect::<Vec<_>>().join(",") + "\n")
            .collect()
    }
}

fn line(cells: &[String]) -> String {
    format!("| {} |", cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown_and_csv() {
        let mut table = ReportTable::new("T", &["name", "n"], 1);
        table.rows.push(vec!["a|b, c".to_string(), "1".to_string()]);
        assert_eq!(table.markdown(), "**T**\n\n| name | n |\n| --- | ---: |\n| a\\|b, c | 1 |\n");
        assert_eq!(table.csv(), "name,n\n\"a|b, c\",1\n");
    }
}
