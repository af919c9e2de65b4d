//! The machine that a program runs on, as far as its speed depends on it: neither its name nor any path.

use std::fs;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The model of its processor, or the architecture where the model is not known.
    pub cpu: String,
    /// How many threads run at a time.
    pub processors: usize,
    /// The operating system.
    pub system: String,
}

impl Machine {
    /// The one that this program runs on.
    pub fn this() -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let arch = || std::env::consts::ARCH.to_string();
        let cpu = cpu_model(&read("/proc/cpuinfo")).or_else(ask_sysctl);
        let system = system_name(&read("/etc/os-release"));
        Machine {
            cpu: cpu.unwrap_or_else(arch),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            system: system.unwrap_or_else(|| std::env::consts::OS.to_string()),
        }
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Machine { cpu, processors, system } = self;
        let plural = if *processors == 1 { "" } else { "s" };
        write!(f, "{cpu}, {processors} processor{plural}, {system}")
    }
}

/// The model as Linux tells it.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    let lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let found = lines.into_iter().find(|(name, _)| name.trim() == "model name");
    found
        .map(|(_, model)| model.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|model| !model.is_empty())
}

/// The model as macOS tells it.
fn ask_sysctl() -> Option<String> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let ask = Command::new("sysctl")
        .args(["-n", "machdep.cpu.brand_string"])
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let model = String::from_utf8_lossy(&ask.stdout).trim().to_string();
    (ask.status.success() && !model.is_empty()).then_some(model)
}

/// The system as Linux distributions tell it.
fn system_name(release: &str) -> Option<String> {
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_string()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_named_by_its_model() {
        let text = "processor\t: 0\nmodel name\t: Some  CPU @ 2.00GHz\nprocessor\t: 1\nmodel name\t: other\n";
        assert_eq!(cpu_model(text).as_deref(), Some("Some CPU @ 2.00GHz"));
        assert_eq!(cpu_model("CPU implementer : 0x41\n"), None);
    }

    #[test]
    fn a_system_is_named_as_it_names_itself() {
        assert_eq!(system_name("ID=x\nPRETTY_NAME=\"Some Linux 1\"\n").as_deref(), Some("Some Linux 1"));
        assert_eq!(system_name(""), None);
    }

    #[test]
    fn a_machine_is_told_in_one_line() {
        let machine = Machine { cpu: "Some CPU".to_string(), processors: 1, system: "linux".to_string() };
        assert_eq!(machine.to_string(), "Some CPU, 1 processor, linux");
    }
}
