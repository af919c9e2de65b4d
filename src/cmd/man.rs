//! `sumito man`: manual pages.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use crate::files::Output;

/// Print the manual page, or write one for each subcommand
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder for sumito.1, sumito-perft.1 and so on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: Args, mut program: clap::Command) -> anyhow::Result<ExitCode> {
    match args.out {
        Some(folder) => {
            std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            program.build();
            clap_mangen::generate_to(program, &folder)
                .with_context(|| format!("cannot write to {}", folder.display()))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(program).render(&mut page)?;
            let mut out = Output::create(None)?;
            out.write_all(&page)?;
            out.finish()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
