//! The allocator: a bump arena for the hook process, the system's for everything else.
//!
//! A hook lives for a few hundred microseconds; giving memory back costs it more than
//! it gains. Past [`ARENA`] bytes the system's allocator takes over, so a large
//! payload costs what it always did. An allocation that fails in the hook process ends
//! in the net's answer.
//!
//! The arena is on from the first instruction, or what Rust's runtime allocates before
//! `main` would wake the system's allocator, at the price of several pages.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::net;

/// Bytes in the arena. Below the size of a huge page, so that the kernel never clears a
/// whole one for the few pages a hook touches.
pub const ARENA: usize = 1 << 20;
/// Room from which on asking for its pages at once pays.
const LARGE: usize = 16 << 10;
const PAGE: usize = 4096;

#[repr(C, align(4096))]
struct Arena(UnsafeCell<[u8; ARENA]>);
// SAFETY: every byte is handed out once, by an atomic step of `NEXT`.
unsafe impl Sync for Arena {}

static SPACE: Arena = Arena(UnsafeCell::new([0; ARENA]));
/// Offset of the first free byte; [`OFF`] once the arena isn't in use any more.
static NEXT: AtomicUsize = AtomicUsize::new(0);
const OFF: usize = usize::MAX;
/// How far blocks have ever reached; zeros beyond.
static USED: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Bump = Bump;

struct Bump;

/// Gets the pages of room that is about to be filled ready in one call, where it is the
/// arena's and of some size.
pub fn ready(room: &mut [u8]) {
    let start = room.as_mut_ptr().addr();
    if room.len() >= LARGE && offset(room.as_mut_ptr()).is_some() {
        populate(start & !(PAGE - 1), room.len() + (start & (PAGE - 1)));
    }
}

/// Asks for the pages of a part of the arena that begins at the start of a page. Kernels
/// before 5.14 refuse, and the pages come one by one.
#[cfg(target_os = "linux")]
fn populate(start: usize, bytes: usize) {
    let base = SPACE.0.get().cast::<u8>();
    let block = base.wrapping_add(start.wrapping_sub(base.addr()));
    // SAFETY: the range is part of a static object of ours; populating changes no byte.
    unsafe { libc::madvise(block.cast(), bytes, libc::MADV_POPULATE_WRITE) };
}

#[cfg(not(target_os = "linux"))]
fn populate(_start: usize, _bytes: usize) {}

/// Every other process leaves it, for good: it lives long and gives memory back.
pub fn leave() {
    NEXT.store(OFF, Ordering::Release);
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
        // Room given back is the next block's; where another came after this one, it is lost.
        if resize_last(offset, layout.size(), size) || size <= layout.size() {
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
