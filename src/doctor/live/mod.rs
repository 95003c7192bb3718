//! Drives the real client against a scripted model on loopback.
