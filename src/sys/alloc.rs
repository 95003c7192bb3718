//! The hook's allocator: a bump arena, given up to the system's when full.
