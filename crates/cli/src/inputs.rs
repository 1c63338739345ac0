//! From source files to a linked program: what `check`, `run` and `info` have in common.

use crate::build::Build;
use crate::compiler_flags::CompilerFlags;
use crate::console::Console;
use crate::job::Parts;
use crate::{isolated, setup};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use impasse_compile::recorded::{is_archive, is_built};
use impasse_compile::{CompilationDatabase, CompileRequest, DataModel, Source, Toolchain, compile};
use impasse_machine::base::options::Options;
use impasse_machine::system::{ROOTS, System, builtin};
use impasse_program::library::Library;
use impasse_program::link::Program;
use impasse_program::members::needed;
use impasse_program::translate::translate_file;
use impasse_program::unit::Unit;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No text of unknown content is longer.
const MOST_BYTES: i64 = 1024;

/// The program, and the world around it.
#[derive(Args)]
pub struct Inputs {
    /// C and C++ sources, preprocessed files (.i, .ii), LLVM assembly (.ll) or bitcode (.bc); what
    /// impasse-cc and impasse-c++ have built stands for its sources. Flags for the compiler may
    /// stand before and after them.
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub build: Build,
    #[command(flatten)]
    pub flags: CompilerFlags,
    /// Argument of the program; may be repeated.
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub arguments: Vec<String>,
    /// Argument of unknown content, behind the others: any string of at most N bytes; may be
    /// repeated.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=MOST_BYTES))]
    pub arg_bytes: Vec<u16>,
    /// Variable of the program's environment; may be repeated, and the last one of a name counts.
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    pub environment: Vec<(String, String)>,
    /// Compile with -O2, to check what the optimiser made of the program.
    #[arg(long)]
    pub optimise: bool,
    /// Folder whose files the program finds in its file system.
    #[arg(long, value_name = "FOLDER")]
    pub files_from: Option<PathBuf>,
    /// File that the program reads as standard input.
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// Number of bytes in standard input, of which the content is unknown.
    #[arg(long, value_name = "N", conflicts_with = "stdin",
          value_parser = clap::value_parser!(u16).range(..=MOST_BYTES))]
    pub stdin_bytes: Option<u16>,
    /// Report signed overflow.
    #[arg(long)]
    pub signed_overflow: bool,
    /// What accesses to volatile variables are: ordinary ones, as the standards have it, or atomic.
    #[arg(long, value_enum, default_value = "ordinary")]
    pub volatile: Volatile,
    /// Explore failed allocations.
    #[arg(long)]
    pub malloc_fail: bool,
    /// Let rand, random and their like return any number, as inputs.
    #[arg(long)]
    pub any_rand: bool,
    /// Range of nondeterministic inputs (__VERIFIER_nondet_int() and the like).
    #[arg(long, value_name = "LOW..HIGH", value_parser = range, allow_hyphen_values = true)]
    pub nondet: Option<(i64, i64)>,
    /// Functions that are kept though nothing may call them.
    #[arg(skip)]
    pub roots: Vec<String>,
    /// The sizes of C's types.
    #[arg(skip)]
    pub model: DataModel,
}

/// What accesses to volatile variables are.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Volatile {
    /// Ordinary ones, which race like others.
    #[default]
    Ordinary,
    /// Loads acquire and stores release; what is larger than 8 bytes stays ordinary.
    Atomic,
}

fn range(text: &str) -> Result<(i64, i64), String> {
    let error = || "two numbers, as in -1..10 (both included)".to_owned();
    let (low, high) = text.split_once("..").ok_or_else(error)?;
    let number = |text: &str| text.trim_start_matches('=').parse().map_err(|_| error());
    let (low, high) = (number(low)?, number(high)?);
    if low > high {
        return Err(format!("{low} is more than {high}"));
    }
    Ok((low, high))
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err("a name and a value, as in LANG=C".into()),
    }
}

impl Inputs {
    /// Returns the machine's options that the inputs decide. Fails if a file that the options name
    /// cannot be read.
    pub fn options(&self) -> Result<Options> {
        let name = self.name();
        let name = name.file_stem().unwrap_or(name.as_os_str());
        let own_name = std::iter::once(name.to_string_lossy().into_owned());
        let standard_input = match (&self.stdin, self.stdin_bytes) {
            (Some(path), _) => std::fs::read(path).with_context(|| path.display().to_string())?,
            (None, Some(count)) => vec![0; count.into()],
            (None, None) => Vec::new(),
        };
        let known = own_name.chain(self.arguments.iter().cloned());
        let unknown = self.arg_bytes.iter().map(|&count| "?".repeat(count.into()));
        Ok(Options {
            arguments: known.chain(unknown).collect(),
            unknown_arguments: self.arg_bytes.len(),
            environment: self.variables(),
            standard_input,
            unknown_input: self.stdin_bytes.is_some(),
            files: self
                .files_from
                .as_deref()
                .map_or(Ok(Vec::new()), snapshot)?,
            signed_overflow: self.signed_overflow,
            malloc_fail: self.malloc_fail,
            nondet: self.nondet,
            ..Options::default()
        })
    }

    /// Returns the variables of the environment as the program finds them, one of each name.
    fn variables(&self) -> Vec<String> {
        let last: BTreeMap<&str, &str> = self
            .environment
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        last.iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }

    /// Returns whether files or a build are given.
    pub fn are_given(&self) -> bool {
        !self.files.is_empty() || self.build.is_given()
    }

    /// Returns the name of the program: that of its target, or of its first file.
    pub fn name(&self) -> PathBuf {
        let file = || self.files.first().cloned();
        self.build.name().or_else(file).unwrap_or("program".into())
    }

    /// Returns the files to compile: those of the build, those named, and those that built ones are
    /// made of. Fails if a build or a built file cannot be read.
    pub fn sources(&self) -> Result<Vec<Source>> {
        let mut sources = self.build.sources()?;
        for file in &self.files {
            let of_file = match is_built(file) {
                true => CompilationDatabase::recorded_in(file)?.select(&[], &[])?,
                false => vec![Source::from(file.clone())],
            };
            let is_member = is_archive(file);
            for mut source in of_file {
                source.is_member = is_member;
                if !sources.contains(&source) {
                    sources.push(source);
                }
            }
        }
        if self.any_rand {
            let text = concat!(
                "#line 1 \"/library/any_rand.c\"\n",
                include_str!("any_rand.c")
            );
            sources.push(generated("any-rand.c", text)?.into());
        }
        Ok(sources)
    }

    /// Compiles and links the program; `flags` are those that followed `--`. Fails if a flag cannot
    /// be followed, a source has errors, bitcode is not valid, or a symbol has no definition or
    /// several.
    pub fn program(&self, console: &Console, flags: &[String]) -> Result<Program> {
        let (units, library) = self.units(console, flags, |_| Ok(()))?;
        self.linked(units, &library)
    }

    /// Returns the program as [`Inputs::program`] does, and the parts of which another process can
    /// link it. Fails as [`Inputs::program`] does.
    pub fn program_with_parts(
        &self,
        console: &Console,
        flags: &[String],
    ) -> Result<(Program, Parts)> {
        let (units, library) = self.units(console, flags, |_| Ok(()))?;
        let serialised = postcard::to_stdvec(&units)?;
        let program = self.linked(units, &library)?;
        let parts = Parts::of(&program, serialised, &library)?;
        Ok((program, parts))
    }

    /// Returns the program as [`Inputs::program`] does, but with a copy of the library's functions
    /// for each of its atomic operations. Fails as [`Inputs::program`] does.
    pub fn separated_program(&self, console: &Console, flags: &[String]) -> Result<Program> {
        let (units, library) = self.units(console, flags, |unit| {
            unit.separate_atomic_operations()
                .with_context(|| unit.name.clone())
        })?;
        self.linked(units, &library)
    }

    /// Compiles the program, and returns its units and the library. `change` changes each unit.
    fn units(
        &self,
        console: &Console,
        flags: &[String],
        change: impl Fn(&mut Unit) -> Result<()>,
    ) -> Result<(Vec<Unit>, Arc<Library>)> {
        if !self.are_given() {
            bail!("name the files of the program, or take them from a build by --compile-commands");
        }
        let toolchain = Toolchain::locate(&Toolchain::default_cache())?;
        let bitcode = setup::bitcode(console, &toolchain, self.model)?;
        let library = setup::executable(console, &toolchain, &bitcode)?;
        // A root may be a static function without a call.
        let all = (!self.roots.is_empty()).then(|| "-femit-all-decls".to_owned());
        let request = CompileRequest {
            inputs: self.sources()?,
            flags: self.flags.chosen(flags)?.into_iter().chain(all).collect(),
            optimise: self.optimise,
        };
        let modules = compile(&toolchain, &bitcode, &request)?;
        let mut units = Vec::new();
        for module in modules {
            if !module.warnings.is_empty() {
                console.print_error(&module.warnings);
            }
            let mut unit = match module.foreign {
                true => isolated::translate(console, &module.bitcode, &module.input)?,
                false => translate_file(&module.bitcode)
                    .with_context(|| module.input.display().to_string())?,
            };
            unit.name = module.input.display().to_string();
            if self.volatile == Volatile::Atomic {
                let made = unit.make_volatile_atomic();
                made.with_context(|| unit.name.clone())?;
            }
            change(&mut unit)?;
            units.push((unit, module.is_member));
        }
        let roots = [&self.all_roots()[..], &["main"]].concat();
        Ok((needed(units, &roots), library))
    }

    fn all_roots(&self) -> Vec<&str> {
        let own = self.roots.iter().map(String::as_str);
        ROOTS.iter().copied().chain(own).collect()
    }

    fn linked(&self, units: Vec<Unit>, library: &Arc<Library>) -> Result<Program> {
        let program = Program::link(units, library, &builtin, &self.all_roots())?;
        if program.find_function("main").is_none() {
            let name = self.name();
            return Err(anyhow!(
                "{}: the program has no function main",
                name.display()
            ));
        }
        Ok(program)
    }

    /// Compiles and links the program, and returns it as a system with these options. Fails as
    /// [`Inputs::program`] does, or if the program cannot start.
    pub fn system(&self, console: &Console, flags: &[String], options: Options) -> Result<System> {
        let program = self.program(console, flags)?;
        System::new(program, options).map_err(|error| anyhow!(error))
    }
}

/// Returns a source with this text, in the folder for caches. Fails if it cannot be written.
pub fn generated(name: &str, text: &str) -> Result<PathBuf> {
    let folder = Toolchain::default_cache();
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let path = folder.join(name);
    if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(path)
}

/// All files and folders under a folder, with their content.
fn snapshot(root: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name() {
        let entry = entry?;
        let relative = entry
            .path()
            .strip_prefix(root)?
            .to_string_lossy()
            .into_owned();
        if entry.file_type().is_dir() {
            files.push((relative + "/", Vec::new()));
        } else if entry.file_type().is_file() {
            let content =
                std::fs::read(entry.path()).with_context(|| entry.path().display().to_string())?;
            files.push((relative, content));
        }
    }
    Ok(files)
}
