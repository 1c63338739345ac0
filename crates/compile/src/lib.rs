//! C and C++ sources, through clang, to LLVM bitcode; the library bitcode, built once and cached.
//!
//! A program is the bitcode of its own sources and of those members of the [`Library`] that it
//! reaches. The library is the real one (musl, libc++, libc++abi, from unmodified sources), with
//! the abstract machine as a new architecture of musl; only the C files of the folder `runtime/`
//! are ours. What those need from the machine is listed in `runtime/BUILTINS.md`.

mod cache;
mod clang;
pub mod command_line;
mod compilation_database;
mod data_model;
mod dependencies;
mod error;
mod flags;
mod input;
pub mod library;
mod names;
mod precompiled;
mod program;
mod recipe;
pub mod recorded;
mod sources;
pub mod symbolizer;
mod toolchain;

pub use command_line::CommandLine;
pub use compilation_database::CompilationDatabase;
pub use data_model::DataModel;
pub use error::CompileError;
pub use flags::Language;
pub use input::Source;
pub use library::{Library, Member};
pub use program::{CompileRequest, Module, compile};
pub use sources::folders_to_install;
pub use toolchain::{HOME_BELOW_PREFIX, Toolchain};
