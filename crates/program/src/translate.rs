//! From LLVM's objects to a unit.
