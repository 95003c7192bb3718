//! Raw reads and writes on standard streams.
