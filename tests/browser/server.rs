//! The program as its users start it, on a free port and with a database in a temporary folder.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A server. It ends when this is dropped, if it was started by this.
pub(crate) struct Server {
    process: Option<Child>,
    /// Such as `http://127.0.0.1:40123`.
    pub(crate) address: String,
    folder: Option<TempDir>,
}

impl Server {
    /// Starts one with these variables.
    pub(crate) fn start(settings: &[(&str, &str)]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let (process, address) = launch(folder.path(), "0", settings);
        Server { process: Some(process), address, folder: Some(folder) }
    }

    /// The same server for another browser, which has no say in when it ends.
    pub(crate) fn visited(&self) -> Server {
        Server { process: None, address: self.address.clone(), folder: None }
    }

    /// What `sumito admin` does for its accounts.
    pub(crate) fn admin(&self, args: &[&str]) {
        let folder = self.folder.as_ref().expect("started by this").path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sumito"));
        command.arg("admin").args(args).env("SUMITO_DATABASE", folder.join("games.db")).stdout(Stdio::null());
        assert!(command.status().unwrap().success(), "{args:?}");
    }

    /// Ends it, as a machine that fails does.
    pub(crate) fn stop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Stops it where it is: its connections stay open, and nobody answers on them.
    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub(crate) fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, name: &str) {
        let id = self.process.as_ref().expect("started by this").id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Starts it again where it was, with its database.
    pub(crate) fn again(&mut self) {
        let port = self.address.rsplit(':').next().unwrap();
        let folder = self.folder.as_ref().expect("started by this").path();
        let (process, address) = launch(folder, port, &[]);
        assert_eq!(address, self.address);
        self.process = Some(process);
    }
}

/// A process in a folder, with its address.
fn launch(folder: &Path, port: &str, settings: &[(&str, &str)]) -> (Child, String) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_sumito"))
        .arg("serve")
        .current_dir(folder)
        .env("SUMITO_PORT", port)
        .env("SUMITO_DATABASE", folder.join("games.db"))
        .envs(settings.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let address = lines
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_string))
        .expect("the server tells its address");
    std::thread::spawn(move || lines.for_each(drop));
    (process, address.trim_end_matches('/').to_string())
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
