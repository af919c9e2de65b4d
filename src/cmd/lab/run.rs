//! `sumito lab run`: runs experiments and writes their reports.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use sumito_lab::experiment::{Definition, Lab, LabError, Published, Size, find, library, read};
use sumito_lab::work::Threads;

use crate::files::print;
use crate::interrupt::{INTERRUPTED, command_line, stop_on_interrupt};
use crate::progress::Progress;

/// Run experiments and write their reports: report.md, data.csv, result.json and pictures
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito lab run aba-pro/table-1 --quick
  sumito lab run verloop --quick                  all experiments of a paper
  sumito lab run all --out experiments/results    everything in full: half a day
  sumito lab run mine/width.toml                  an experiment of one's own

Ctrl-C stops in good order, and the same command goes on where it was.")]
pub(crate) struct Args {
    /// Names as `sumito lab list` shows them, a paper's folder, files of one's own, or `all`
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// A version of minutes, which shows the form of the result
    #[arg(long)]
    quick: bool,
    /// The folder of results, with a folder for each experiment
    #[arg(long, default_value = "runs/lab", value_name = "DIR")]
    out: PathBuf,
    /// Games or searches at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Forget what earlier runs did, instead of going on
    #[arg(long)]
    fresh: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let definitions = definitions(&args.names)?;
    let stop = stop_on_interrupt()?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let executor = &Threads::new(args.threads.unwrap_or(processors));
    let size = if args.quick { Size::Quick } else { Size::Full };
    for (number, definition) in definitions.iter().enumerate() {
        let lab = Lab { definition, size, out: &args.out, executor, stop: &stop };
        if args.fresh {
            lab.forget()?;
        }
        let name = format!("{} ({} of {})", definition.name, number + 1, definitions.len());
        let bar = Progress::long("done");
        let result = lab.run(&mut |what, done, whole| {
            bar.report(done as u64, whole as u64, || format!("{name}: {what}"));
        });
        drop(bar);
        match result {
            Ok(published) => print(&summary(definition, &published, &lab.dir()))?,
            Err(LabError::Stopped) => {
                tell!("Stopped in {}. Go on with:\n  {}", definition.name, command_line());
                return Ok(ExitCode::from(INTERRUPTED));
            }
            Err(error) => {
                let hint = if error.is_outdated() { " has changed since, --fresh begins anew" } else { "" };
                return Err(error).with_context(|| format!("experiment {}{hint}", definition.name));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the names stand for, each experiment once.
fn definitions(names: &[String]) -> Result<Vec<Definition>> {
    let mut wanted: Vec<Definition> = Vec::new();
    for name in names {
        let found = if name == "all" {
            library()?.into_iter().filter(Definition::can_run).collect()
        } else if name.ends_with(".toml") {
            vec![read(Path::new(name))?]
        } else {
            let prefix = format!("{}/", name.trim_end_matches('/'));
            let of_paper: Vec<Definition> =
                library()?.into_iter().filter(|one| one.can_run() && one.name.starts_with(&prefix)).collect();
            if of_paper.is_empty() { vec![find(name)?] } else { of_paper }
        };
        for definition in found {
            ensure!(definition.can_run(), LabError::Nothing(definition.name));
            definition.check()?;
            if !wanted.iter().any(|one| one.name == definition.name) {
                wanted.push(definition);
            }
        }
    }
    Ok(wanted)
}

fn summary(definition: &Definition, published: &Published, dir: &Path) -> String {
    let mut text = format!("{}: {}\n", definition.name, definition.title);
    for finding in published.findings(definition) {
        text.push_str(&format!(
            "  {}: {} [paper: {}; ours: {}]\n",
            finding.outcome().replace('*', ""),
            finding.says,
            finding.paper,
            finding.ours
        ));
    }
    text.push_str(&format!("  {} s, report: {}\n", published.seconds, dir.join("report.md").display()));
    text
}
