//! Agents' code may panic, and a game must outlive it.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs an agent's code; a panic becomes its message. The agent is not to be trusted after that.
pub fn guarded<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        let marbles = 3;
        assert_eq!(guarded(|| marbles), Ok(3));
        assert_eq!(guarded(|| panic!("out of marbles")), Err::<(), _>("out of marbles".to_string()));
        assert_eq!(guarded(|| panic!("{marbles} marbles")), Err::<(), _>("3 marbles".to_string()));
        assert_eq!(guarded(|| std::panic::panic_any(3)), Err::<(), _>("panic".to_string()));
    }
}
