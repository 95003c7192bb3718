//! Starts hooks as hosts do: own session, sockets for stdio, bounded, whole tree killed.
