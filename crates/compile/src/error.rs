//! What can go wrong between sources and bitcode.

use std::io;
use std::path::{Path, PathBuf};

/// Why there is no bitcode.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// An input that cannot be a program, said in one line.
    #[error("{}: {reason}", path.display())]
    Input {
        /// The input.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// clang refused a source file.
    #[error("{}: does not compile\n{}", path.display(), diagnostics.trim_end())]
    Diagnostics {
        /// The source file.
        path: PathBuf,
        /// clang's own words.
        diagnostics: String,
    },
    /// Something of the toolchain is missing or failed.
    #[error("{0}")]
    Toolchain(String),
    /// A file operation failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
}

impl CompileError {
    pub(crate) fn io(path: impl AsRef<Path>, error: io::Error) -> Self {
        Self::Io {
            path: path.as_ref().to_owned(),
            error,
        }
    }

    pub(crate) fn input(path: impl AsRef<Path>, reason: impl Into<String>) -> Self {
        Self::Input {
            path: path.as_ref().to_owned(),
            reason: reason.into(),
        }
    }
}
