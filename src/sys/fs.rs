//! Files: locks, modes, owners, atomic replacement.
