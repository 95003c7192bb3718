//! Homes and standard folders, from the operating system.
