//! Starts a browser: found by its names, with a folder of its own, until it tells the address that it can be spoken to at.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A kind of browser.
pub(crate) struct Kind {
    /// Where it may be.
    pub(crate) names: &'static [&'static str],
    /// The variable that names another place.
    pub(crate) variable: &'static str,
    /// The package to install.
    pub(crate) package: &'static str,
    /// What stands before the address when it is told.
    pub(crate) told: &'static str,
    /// How it is called with its folder.
    pub(crate) arguments: fn(&Path) -> Vec<String>,
}

/// A browser that runs.
pub(crate) struct Started {
    pub(crate) process: Child,
    pub(crate) address: String,
    pub(crate) profile: TempDir,
}

impl Kind {
    pub(crate) fn start(&self) -> Started {
        let Kind { variable, package, .. } = self;
        let named = std::env::var(variable).ok();
        let names: Vec<&str> = named.as_deref().map_or(self.names.to_vec(), |name| vec![name]);
        let profile = tempfile::tempdir().unwrap();
        let mut process = names.iter().find_map(|name| self.launch(name, profile.path())).unwrap_or_else(|| {
            panic!("expected a browser, found none of {names:?}: `apt-get install {package}`, or set {variable} to its path")
        });
        let address = self.address(&mut process);
        Started { process, address, profile }
    }

    fn launch(&self, name: &str, profile: &Path) -> Option<Child> {
        Command::new(name)
            .args((self.arguments)(profile))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .ok()
    }

    /// The address, once it is told. What is told later is thrown away.
    fn address(&self, process: &mut Child) -> String {
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut before = Vec::new();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let address = line.split_once(self.told).map(|(_, address)| address.trim().to_string());
            before.push(line);
            address
        });
        std::thread::spawn(move || lines.for_each(drop));
        address.unwrap_or_else(|| panic!("the browser did not start: {before:?}"))
    }
}
