//! A child with everything that it starts in turn, such as the engine behind a shell script. On Unix they are a process
//! group that the child leads, and all of it is ended together: with its owner, or by [`end_all`] with this program.
//! Elsewhere it is the child alone.
//!
//! A group's number is free for others once its leader has been waited for and nobody is left in it. So a group is always
//! ended before its leader is waited for.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The groups that run, by the number of their leader.
struct Running {
    leaders: Vec<u32>,
    /// Whether this program is about to end, so that no group may begin.
    is_closed: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { leaders: Vec::new(), is_closed: false });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every external engine with all its children, at once and for good: no other one can be started. For programs that
/// are about to end without dropping their agents, as after a signal.
pub fn end_all() {
    let mut running = running();
    running.is_closed = true;
    for leader in running.leaders.drain(..) {
        kill(leader);
    }
}

/// A child and its group.
pub(crate) struct Group {
    pub(crate) child: Child,
}

impl Group {
    /// Starts a child as the leader of a group of its own. That is also out of reach of a Ctrl-C at the terminal, which is
    /// meant for us: a child that it ended would look as if it had crashed.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Group> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(command, 0x200); // CREATE_NEW_PROCESS_GROUP
        // Held until the group is known, so that `end_all` misses none.
        let mut running = running();
        if running.is_closed {
            return Err(io::Error::other("the program is ending"));
        }
        let child = command.spawn()?;
        running.leaders.push(child.id());
        Ok(Group { child })
    }

    /// How the child ended, if it has; then the rest of its group is ended too.
    pub(crate) fn try_wait(&mut self) -> Option<ExitStatus> {
        if has_ended(&mut self.child) { self.end() } else { None }
    }

    /// Ends the child and its group by force, and says how the child ended.
    pub(crate) fn end(&mut self) -> Option<ExitStatus> {
        let mut running = running();
        let leader = self.child.id();
        // Not there if it was ended before; its number may belong to somebody else by now.
        if let Some(place) = running.leaders.iter().position(|&other| other == leader) {
            running.leaders.swap_remove(place);
            kill(leader);
        }
        drop(running);
        // Fails only if it has ended before; on Unix the group's end was its own.
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether a child has ended, without waiting for it in the sense of the system.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that it was waited for before.
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Ends a group. Fails only if there is nobody left in it.
#[cfg(unix)]
fn kill(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}
