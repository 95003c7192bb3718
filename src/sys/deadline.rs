//! A deadline that ends the process even while it sleeps in the kernel.
