//! C and C++ sources, through clang, to LLVM bitcode; the library bitcode, built once and cached
