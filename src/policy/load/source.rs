//! [`Source`]: a policy file's text, held or still on the disk.

use std::borrow::Cow;
use std::path::Path;

use super::super::Layer;
use super::super::parse::BOUND;
use crate::sys::bounded::{self, Opened, Unreadable};
use crate::sys::stamp::Stamp;

/// Where the text of a policy file is.
#[derive(Debug)]
pub(super) enum Source {
    /// On the disk: a snapshot of it needs it only in passing.
    Open(Opened),
    /// Here: what is trusted must be the very bytes that were compiled, whatever the file
    /// becomes meanwhile.
    Held(Vec<u8>),
}

impl Source {
    /// Of a layer's file.
    pub(super) fn of(layer: Layer, path: &Path) -> Result<Self, Unreadable> {
        let file = bounded::open(path, BOUND)?;
        match layer {
            Layer::Managed | Layer::User => Ok(Self::Open(file)),
            Layer::Project => file.read().map(Self::Held),
        }
    }

    /// How the system tells this state of the file from others; none for what a repository
    /// brings, which is told by its content alone.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Open(file) => Some(file.stamp()),
            Self::Held(_) => None,
        }
    }

    /// The same, if the file's next change can't leave it as it is.
    pub(super) fn stamp_at_rest(&self) -> Option<Stamp> {
        self.stamp().filter(Stamp::is_settled)
    }

    /// Hands out the bytes in pieces. Once.
    pub(super) fn each(&self, mut piece: impl FnMut(&[u8])) -> Result<(), Unreadable> {
        match self {
            Self::Open(file) => file.each(piece),
            Self::Held(bytes) => {
                piece(bytes);
                Ok(())
            }
        }
    }

    /// All bytes.
    pub(super) fn bytes(&self) -> Result<Cow<'_, [u8]>, Unreadable> {
        match self {
            Self::Open(file) => file.read().map(Cow::Owned),
            Self::Held(bytes) => Ok(Cow::Borrowed(bytes)),
        }
    }
}
