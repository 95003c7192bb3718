//! Checks: every rule proves itself by its examples.
