//! The allocator: a bump arena for the hook process, the system's for everything else.
//!
//! A hook lives for a few hundred microseconds; giving memory back costs it more than
//! it gains. Past [`ARENA`] bytes the system's allocator takes over, so a large
//! payload costs what it always did. An allocation that fails in the hook process ends
//! in the net's answer.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::net;

/// Bytes in the arena.
pub const ARENA: usize = 4 << 20;

#[repr(C, align(4096))]
struct Arena(UnsafeCell<[u8; ARENA]>);
// SAFETY: every byte is handed out once, by an atomic step of `NEXT`.
unsafe impl Sync for Arena {}

static SPACE: Arena = Arena(UnsafeCell::new([0; ARENA]));
/// Offset of the first free byte; [`OFF`] while the arena isn't in use.
static NEXT: AtomicUsize = AtomicUsize::new(OFF);
const OFF: usize = usize::MAX;
/// How far blocks have ever reached; zeros beyond.
static USED: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Bump = Bump;

struct Bump;

/// Turns the arena on, for good. Called once, by the hook process.
pub fn enter_hook_mode() {
    // Huge pages would be cleared whole for the few pages a hook touches.
    #[cfg(target_os = "linux")]
    // SAFETY: the range is a static, page-aligned object of ours; advice changes no byte.
    unsafe {
        libc::madvise(SPACE.0.get().cast(), ARENA, libc::MADV_NOHUGEPAGE);
    }
    let _ = NEXT.compare_exchange(OFF, 0, Ordering::AcqRel, Ordering::Acquire);
}

fn base() -> usize {
    SPACE.0.get().addr()
}

/// Takes `layout` from the arena; `None` when it is off or full.
fn take(layout: Layout) -> Option<*mut u8> {
    let mut next = NEXT.load(Ordering::Relaxed);
    loop {
        if next == OFF {
            return None;
        }
        let start = next.checked_next_multiple_of(layout.align())?;
        let end = start.checked_add(layout.size()).filter(|end| *end <= ARENA)?;
        match NEXT.compare_exchange_weak(next, end, Ordering::AcqRel, Ordering::Relaxed) {
            Ok(_) => return Some(SPACE.0.get().cast::<u8>().wrapping_add(start)),
            Err(now) => next = now,
        }
    }
}

/// The offset of a block of the arena.
fn offset(block: *mut u8) -> Option<usize> {
    block.addr().checked_sub(base()).filter(|offset| *offset < ARENA)
}

/// Moves the end of the last block; false if another block came after it.
fn resize_last(offset: usize, old: usize, new: usize) -> bool {
    let end = offset + old;
    match offset.checked_add(new).filter(|end| *end <= ARENA) {
        Some(to) => {
            let moved = NEXT.compare_exchange(end, to, Ordering::AcqRel, Ordering::Relaxed).is_ok();
            if moved {
                USED.fetch_max(to, Ordering::AcqRel);
            }
            moved
        }
        None => false,
    }
}

/// What the system gave, or the end of the hook process.
fn checked(block: *mut u8) -> *mut u8 {
    if block.is_null() && NEXT.load(Ordering::Relaxed) != OFF {
        net::fail(net::Cause::Memory)
    }
    block
}

// SAFETY: blocks come from the arena, each byte once, aligned and in bounds, or from the
// system's allocator; which of the two is told by the address.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match take(layout) {
            Some(block) => {
                USED.fetch_max(block.addr() - base() + layout.size(), Ordering::AcqRel);
                block
            }
            // SAFETY: the caller's contract is the system allocator's.
            None => checked(unsafe { System.alloc(layout) }),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match take(layout) {
            Some(block) => {
                let start = block.addr() - base();
                // What no block has reached yet is zero since the start, and writing it
                // would touch its pages. Below, a block may have been given back.
                let dirty = USED.load(Ordering::Acquire).saturating_sub(start);
                // SAFETY: the block has `layout.size()` writable bytes.
                unsafe { block.write_bytes(0, dirty.min(layout.size())) };
                USED.fetch_max(start + layout.size(), Ordering::AcqRel);
                block
            }
            // SAFETY: the caller's contract is the system allocator's.
            None => checked(unsafe { System.alloc_zeroed(layout) }),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match offset(block) {
            Some(offset) => {
                resize_last(offset, layout.size(), 0);
            }
            // SAFETY: a block outside the arena is the system's.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(offset) = offset(block) else {
            // SAFETY: a block outside the arena is the system's.
            return checked(unsafe { System.realloc(block, layout, size) });
        };
        if size <= layout.size() || resize_last(offset, layout.size(), size) {
            return block;
        }
        // SAFETY: the caller promises that `size` makes a valid layout with this
        // alignment; the old block has `layout.size()` readable bytes, fewer than `size`.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size());
            }
            new
        }
    }
}
