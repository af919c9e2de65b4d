//! `sumito lab paper`: all published results as one document, as HTML and, where a browser is there to print it, as PDF.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Error, Result, bail, ensure};
use sumito_lab::experiment::{document, library};

use crate::files::{Output, print};

/// Make one document of all published results: index.html, and paper.pdf if Chromium is there
///
/// The PDF is printed by `chromium`, `chromium-browser`, `google-chrome` or `chrome` on the path, or by the program that the variable
/// CHROMIUM names.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  sumito lab paper --out paper")]
pub(crate) struct Args {
    /// The folder of the document
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The folder of results
    #[arg(long, default_value = "experiments/results", value_name = "DIR")]
    results: PathBuf,
}

/// Browsers that can print, by the names under which they are installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let Args { out, results } = args;
    ensure!(!out.exists() || out.is_dir(), "cannot write {}: expected a folder, found a file", out.display());
    let html = document::write(&library()?, results).map_err(Error::msg)?;
    std::fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let page = out.join("index.html");
    let mut file = Output::create(Some(&page))?;
    file.write_all(html.as_bytes())?;
    file.finish()?;
    print(&format!("{}\n", page.display()))?;
    match browser() {
        Some(browser) => {
            let pdf = out.join("paper.pdf");
            print_pdf(&browser, &page, &pdf)?;
            print(&format!("{}\n", pdf.display()))?;
        }
        None => tell!(
            "No paper.pdf: expected one of {} on the path, or a program that CHROMIUM names.",
            BROWSERS.join(", ")
        ),
    }
    Ok(ExitCode::SUCCESS)
}

/// The program that can print a page.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM").filter(|name| !name.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let found = BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    found.into_iter().find(|path| path.is_file())
}

fn print_pdf(browser: &Path, page: &Path, pdf: &Path) -> Result<()> {
    let name = browser.display();
    let page = page.canonicalize().with_context(|| format!("cannot read {}", page.display()))?;
    let profile = tempfile::tempdir().context("cannot create a folder for the browser")?;
    // What was printed before must not pass for this.
    let draft = profile.path().join("paper.pdf");
    let mut command = Command::new(browser);
    // The page is our own and runs no scripts, so it needs no sandbox, which root cannot have.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--no-first-run"]);
    command.arg(format!("--user-data-dir={}", profile.path().display()));
    command.arg(format!("--print-to-pdf={}", draft.display())).arg(format!("file://{}", page.display()));
    let run = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output();
    let run = run.with_context(|| format!("cannot start {name}"))?;
    if !run.status.success() || !draft.is_file() {
        let said = String::from_utf8_lossy(&run.stderr);
        bail!("{name} has not printed the page: {}", said.lines().last().unwrap_or("it says nothing"));
    }
    let printed = std::fs::read(&draft).with_context(|| format!("cannot read what {name} has printed"))?;
    let mut file = Output::create(Some(pdf))?;
    file.write_all(&printed)?;
    file.finish()
}
