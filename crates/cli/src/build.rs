//! The options that take files and flags from a build.

use anyhow::Result;
use clap::Args;
use impasse_compile::{CompilationDatabase, Source};
use std::path::PathBuf;

/// What to take from a build.
#[derive(Args, Clone, Default)]
pub struct Build {
    /// Take files and flags from this compilation database (compile_commands.json), or from the one
    /// in this folder. FILES are then further files.
    #[arg(long, value_name = "FILE")]
    compile_commands: Option<PathBuf>,
    /// Take the files of this target of the build; may be repeated, for the libraries of a program.
    #[arg(long = "target", value_name = "NAME", requires = "compile_commands")]
    targets: Vec<String>,
    /// Take this file of the build; may be repeated.
    #[arg(long, value_name = "FILE", requires = "compile_commands")]
    from: Vec<PathBuf>,
}

impl Build {
    /// Returns the files to take from the build, each with its flags; none if the options name no
    /// build. Fails if the database cannot be read or does not have what the options name, or if
    /// Impasse cannot follow one of its commands.
    pub fn sources(&self) -> Result<Vec<Source>> {
        match &self.compile_commands {
            None => Ok(Vec::new()),
            Some(path) => Ok(CompilationDatabase::read(path)?.select(&self.targets, &self.from)?),
        }
    }

    /// Returns whether the options name a build.
    pub fn is_given(&self) -> bool {
        self.compile_commands.is_some()
    }

    /// Returns the name of the program, if the options give it one.
    pub fn name(&self) -> Option<PathBuf> {
        let target = self.targets.first().map(PathBuf::from);
        target.or_else(|| self.from.first().cloned())
    }
}
