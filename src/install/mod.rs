//! Puts the hooks in, takes them out, and remembers what is ours.
