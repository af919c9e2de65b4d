//! Counts the memory that a target holds. libFuzzer looks at the process once a second and names whatever input it has at
//! hand; here it is the input that asks for too much which ends the run.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most that may be held at one time.
const MOST: usize = 512 << 20;

static HELD: AtomicUsize = AtomicUsize::new(0);

struct Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

impl Counted {
    fn take(size: usize) {
        if HELD.fetch_add(size, Ordering::Relaxed) + size > MOST {
            let _ = std::io::stderr().write_all(b"this input takes more than 512 MiB\n");
            std::process::abort();
        }
    }

    fn give(size: usize) {
        HELD.fetch_sub(size, Ordering::Relaxed);
    }
}

// SAFETY: the system's allocator does everything.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::take(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::take(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        Self::give(layout.size());
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::take(size);
        Self::give(layout.size());
        unsafe { System.realloc(memory, layout, size) }
    }
}
