//! [`Registry`]: stations that come and go, handed out as snapshots.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

/// Which registration; what it was given for can be removed with it, and nothing else.
#[derive(Debug, PartialEq, Eq)]
pub struct Ticket(u64);

/// An ordered list of stations. Registering the same station twice makes two entries,
/// each with its own ticket. A snapshot is what a call is decided by, so registering or
/// removing during a call first counts for the next one.
pub struct Registry<T: ?Sized> {
    inner: RefCell<Inner<T>>,
}

struct Inner<T: ?Sized> {
    next: u64,
    entries: Vec<(u64, Rc<T>)>,
}

impl<T: ?Sized> Default for Registry<T> {
    fn default() -> Self {
        Self { inner: RefCell::new(Inner { next: 0, entries: Vec::new() }) }
    }
}

impl<T: ?Sized> Registry<T> {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a station behind all others.
    pub fn append(&self, station: Rc<T>) -> Ticket {
        self.insert(station, false)
    }

    /// Adds a station before all others.
    pub fn prepend(&self, station: Rc<T>) -> Ticket {
        self.insert(station, true)
    }

    /// Takes one registration out.
    pub fn remove(&self, ticket: Ticket) {
        let mut inner = self.inner.borrow_mut();
        let at = inner.entries.iter().position(|(id, _)| *id == ticket.0);
        let removed = at.map(|at| inner.entries.remove(at));
        // A station's own drop may come back to this list.
        drop(inner);
        drop(removed);
    }

    /// The stations as they are now.
    #[must_use]
    pub fn snapshot(&self) -> Vec<Rc<T>> {
        self.inner.borrow().entries.iter().map(|(_, station)| Rc::clone(station)).collect()
    }

    fn insert(&self, station: Rc<T>, front: bool) -> Ticket {
        let mut inner = self.inner.borrow_mut();
        let id = inner.next;
        inner.next = id.wrapping_add(1);
        let at = if front { 0 } else { inner.entries.len() };
        inner.entries.insert(at, (id, station));
        Ticket(id)
    }
}
