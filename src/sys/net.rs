//! The net under the hook: panics, fatal signals and allocation failure end in a denial.
