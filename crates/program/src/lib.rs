//! LLVM bitcode to the executable form that the machine runs
