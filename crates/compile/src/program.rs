//! The bitcode of a user's program: one module per input, from the cache if nothing has changed.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use crate::cache::publish_file;
use crate::clang::{clang, hash_arguments, limited};
use crate::command_line::{SYSTEM_FOLDERS, is_dropped, without_macros};
use crate::data_model::DataModel;
use crate::dependencies::{self, Recorded};
use crate::error::CompileError;
use crate::flags::{self, Language};
use crate::input::{self, Input, Kind, Source};
use crate::library::Library;
use crate::precompiled;
use crate::toolchain::Toolchain;

/// What is to be compiled, and how.
#[derive(Clone, Debug, Default)]
pub struct CompileRequest {
    /// The files of the program.
    pub inputs: Vec<Source>,
    /// Flags for clang for all files, after our own and those of the file, as
    /// [`CommandLine::read`](crate::CommandLine::read) leaves them.
    pub flags: Vec<String>,
    /// With `-O2` in place of every access as it was written.
    pub optimise: bool,
}

/// One input as bitcode.
#[derive(Clone, Debug)]
pub struct Module {
    /// The input, as it was named.
    pub input: PathBuf,
    /// The bitcode file; for bitcode, the input itself.
    pub bitcode: PathBuf,
    /// clang's warnings, in its own words; empty if there are none.
    pub warnings: String,
    /// Whether the input is a member of an archive.
    pub is_member: bool,
    /// Whether the input was bitcode or assembly, which need not be what clang makes of a source.
    pub foreign: bool,
}

/// What clang says when it has crashed.
const CRASH: &str = "PLEASE submit a bug report";

/// What the names of functions begin with that are executed atomically.
const ATOMIC_FUNCTION: &[u8] = b"__VERIFIER_atomic_";

/// GCC's way for an inline function to pass on variable arguments, which clang takes for a
/// function.
const PASSED_ON: &[u8] = b"__builtin_va_arg_pack";

/// What a line of LLVM assembly begins with that lists attributes of functions.
const ATTRIBUTES: &[u8] = b"attributes #";

/// Compiles all inputs, several at a time, and returns their modules in the order of the inputs.
/// Fails with the error of the first input that has one, or if a flag or an input cannot be used.
pub fn compile(
    toolchain: &Toolchain,
    library: &Library,
    request: &CompileRequest,
) -> Result<Vec<Module>, CompileError> {
    if let Some(flag) = request
        .inputs
        .iter()
        .flat_map(|source| &source.flags)
        .chain(&request.flags)
        .find(|flag| is_dropped(flag) || flag.starts_with("-x"))
    {
        return Err(CompileError::Toolchain(format!(
            "{flag}: Impasse itself decides on this flag of clang; leave it out"
        )));
    }
    let is_cxx = |source: &&Source| source.language() == Some(Language::Cxx);
    let cxx = request.inputs.iter().find(is_cxx);
    if let (Some(source), DataModel::Ilp32) = (cxx, library.sources().model()) {
        return Err(CompileError::Toolchain(format!(
            "{}: with pointers of 32 bits only C can be compiled; without --data-model ilp32, C++ too",
            source.path.display()
        )));
    }
    if request.inputs.is_empty() {
        return Err(CompileError::Toolchain(
            "there is no file to compile; name one".into(),
        ));
    }
    thread::scope(|scope| {
        let units: Vec<_> = request
            .inputs
            .iter()
            .map(|input| {
                scope.spawn(move || Unit::new(toolchain, library, request, input)?.module())
            })
            .collect();
        units
            .into_iter()
            .map(|unit| unit.join().expect("compilation does not panic"))
            .collect()
    })
}

/// One input, about to be compiled to bitcode.
struct Unit<'a> {
    toolchain: &'a Toolchain,
    library: &'a Library,
    request: &'a CompileRequest,
    source: &'a Source,
    input: Input,
}

impl<'a> Unit<'a> {
    fn new(
        toolchain: &'a Toolchain,
        library: &'a Library,
        request: &'a CompileRequest,
        source: &'a Source,
    ) -> Result<Self, CompileError> {
        Ok(Self {
            toolchain,
            library,
            request,
            source,
            input: input::read(source)?,
        })
    }

    fn module(self) -> Result<Module, CompileError> {
        let input = self.source.path.clone();
        if self.input.kind == Kind::Bitcode {
            return Ok(Module {
                input: input.clone(),
                bitcode: input,
                warnings: String::new(),
                is_member: self.source.is_member,
                foreign: true,
            });
        }
        let folder = self.toolchain.cache().join("programs");
        let record = folder.join(format!("{}.json", self.key()?));
        let recorded =
            match dependencies::load(&record).filter(|r| r.is_current() && r.bitcode.is_file()) {
                Some(recorded) => {
                    tracing::debug!(file = %input.display(), "found in the cache");
                    recorded
                }
                None => self.compile(&folder, &record)?,
            };
        Ok(Module {
            is_member: self.source.is_member,
            foreign: self.language().is_none(),
            input,
            bitcode: recorded.bitcode,
            warnings: recorded.warnings,
        })
    }

    /// Stands for all that is known before clang runs.
    fn key(&self) -> Result<String, CompileError> {
        let here = env::current_dir().map_err(|e| CompileError::io(".", e))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.library.digest().as_bytes());
        hash_arguments(&mut hasher, &self.arguments());
        if self.optimises() {
            hash_arguments(&mut hasher, &self.optimiser().0);
        }
        hash_arguments(
            &mut hasher,
            &[here.into_os_string(), self.source.path.clone().into()],
        );
        Ok(hasher.finalize().to_hex()[..32].to_owned())
    }

    fn language(&self) -> Option<Language> {
        match self.input.kind {
            Kind::Source { language, .. } => Some(language),
            Kind::Assembly | Kind::Bitcode => None,
        }
    }

    fn is_preprocessed(&self) -> bool {
        let Kind::Source { preprocessed, .. } = self.input.kind else {
            return false;
        };
        preprocessed
    }

    /// All arguments but those that name files of this one call.
    fn arguments(&self) -> Vec<OsString> {
        let Some(language) = self.language() else {
            return flags::assembly().0;
        };
        let own = flags::user(
            self.toolchain,
            self.library.sources(),
            language,
            self.request.optimise,
        );
        let language_flags: &[&str] = match (self.source.language, language) {
            (None, _) => &[],
            (Some(_), Language::C) => &["-x", "c"],
            (Some(_), Language::Cxx) => &["-x", "c++"],
        };
        let users: Vec<_> = match self.is_preprocessed() {
            true => without_macros(self.fitting_flags(language)),
            false => self.fitting_flags(language).collect(),
        };
        let language_flags = language_flags.iter().map(OsString::from);
        own.0
            .into_iter()
            .chain(language_flags)
            .chain(users.into_iter().map(OsString::from))
            .collect()
    }

    /// The user's flags for this file.
    fn user_flags(&self) -> impl Iterator<Item = &String> {
        self.source.flags.iter().chain(&self.request.flags)
    }

    /// The user's flags, less a standard of the other language if there are files in that.
    fn fitting_flags(&self, language: Language) -> impl Iterator<Item = &String> {
        let fits = move |flag: &&String| {
            let Some((_, standard)) = flag.split_once("-std=") else {
                return true;
            };
            let of_flag = match standard.contains("++") {
                true => Language::Cxx,
                false => Language::C,
            };
            let mut inputs = self.request.inputs.iter();
            of_flag == language || !inputs.any(|source| source.language() == Some(of_flag))
        };
        self.user_flags().filter(fits)
    }

    fn compile(&self, folder: &Path, record: &Path) -> Result<Recorded, CompileError> {
        fs::create_dir_all(folder).map_err(|e| CompileError::io(folder, e))?;
        let work = tempfile::Builder::new()
            .prefix(".new-")
            .tempdir_in(folder)
            .map_err(|e| CompileError::io(folder, e))?;
        let bitcode = work.path().join("module.bc");
        let listed = work.path().join("dependencies");
        let warnings = if self.optimises() {
            let assembly = work.path().join("module.ll");
            let mut warnings = self.run_clang(&assembly, &listed, &["-S".as_ref()])?;
            if mentions_atomic_function(&assembly)? {
                let options = ["-S", "-fno-inline"].map(OsStr::new);
                warnings = self.run_clang(&assembly, &listed, &options)?;
            }
            self.optimise(&assembly, &bitcode)?;
            warnings
        } else {
            self.run_clang(&bitcode, &listed, &[])?
        };
        let precompiled = precompiled::folder(self.toolchain);
        let ignored = [
            self.library.sources().root(),
            self.toolchain.resource_headers(),
            &precompiled,
        ];
        let flags: Vec<String> = self.user_flags().cloned().collect();
        let mut recorded = dependencies::record(&self.source.path, &listed, &ignored, &flags)?;
        recorded.warnings = warnings;
        let content = fs::read(&bitcode).map_err(|e| CompileError::io(&bitcode, e))?;
        recorded.bitcode = folder.join(format!("{}.bc", &blake3::hash(&content).to_hex()[..32]));
        fs::rename(&bitcode, &recorded.bitcode)
            .map_err(|e| CompileError::io(&recorded.bitcode, e))?;
        if recorded.is_reliable() {
            publish_file(record, |path| dependencies::store(&recorded, path))?;
        }
        Ok(recorded)
    }

    fn optimises(&self) -> bool {
        self.request.optimise && self.language().is_some()
    }

    fn optimiser(&self) -> flags::Flags {
        flags::optimiser(self.library.sources().model())
    }

    /// Optimises a program that is LLVM assembly, and keeps its plain loads in their places.
    fn optimise(&self, assembly: &Path, bitcode: &Path) -> Result<(), CompileError> {
        let io = |e| CompileError::io(assembly, e);
        let text = fs::read(assembly).map_err(io)?;
        fs::write(assembly, keep_loads(&text)).map_err(io)?;
        let output = limited(clang(self.toolchain).args(self.optimiser().0))
            .arg("-o")
            .arg(bitcode)
            .arg("--")
            .arg(assembly)
            .output()
            .map_err(|e| CompileError::io(self.toolchain.clang(), e))?;
        if output.status.success() {
            return Ok(());
        }
        Err(CompileError::Diagnostics {
            path: self.source.path.clone(),
            diagnostics: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Runs clang, with the leading headers precompiled if that works; its warnings.
    fn run_clang(
        &self,
        bitcode: &Path,
        listed: &Path,
        options: &[&OsStr],
    ) -> Result<String, CompileError> {
        if self.input.kind
            == (Kind::Source {
                language: Language::Cxx,
                preprocessed: false,
            })
        {
            let flags: Vec<String> = self.user_flags().cloned().collect();
            let folders = dependencies::named_folders(&flags);
            let headers = precompiled::ensure(
                self.toolchain,
                self.library,
                &self.arguments(),
                &folders,
                &self.input.content,
            )?;
            if let Some(headers) = headers {
                let precompiled = [OsStr::new("-include-pch"), headers.as_os_str()];
                let options = [options, &precompiled].concat();
                if let Ok(warnings) = self.call_clang(&options, bitcode, listed)? {
                    return Ok(warnings);
                }
            }
        }
        if self.is_preprocessed()
            && contains(&self.input.content, PASSED_ON)
            && let Some(warnings) = self.as_gcc_does(bitcode, listed, options)?
        {
            return Ok(warnings);
        }
        match self.call_clang(options, bitcode, listed)? {
            Ok(warnings) => Ok(warnings),
            Err(diagnostics) => match self.compile_otherwise(bitcode, listed, options)? {
                Some(warnings) => Ok(warnings),
                None => Err(CompileError::Diagnostics {
                    path: self.source.path.clone(),
                    diagnostics: with_help(diagnostics),
                }),
            },
        }
    }

    /// Runs clang on what does not compile as it is. Returns the warnings, or `None` if it does not
    /// compile otherwise either.
    fn compile_otherwise(
        &self,
        bitcode: &Path,
        listed: &Path,
        options: &[&OsStr],
    ) -> Result<Option<String>, CompileError> {
        let earlier = self.by_an_earlier_standard(bitcode, listed, options)?;
        match (self.language(), &earlier) {
            (Some(Language::C), _) => self.as_gcc_does(bitcode, listed, options),
            (Some(Language::Cxx), None) if self.is_preprocessed() => {
                self.as_gcc_does(bitcode, listed, options)
            }
            _ => Ok(earlier),
        }
    }

    /// Runs clang with macros for what only GCC compiles. Returns the warnings, or `None` if the
    /// file does not compile.
    fn as_gcc_does(
        &self,
        bitcode: &Path,
        listed: &Path,
        options: &[&OsStr],
    ) -> Result<Option<String>, CompileError> {
        let again = match (self.is_preprocessed(), self.language()) {
            (true, Some(Language::C)) => [flags::AGAIN, &["c"]].concat(),
            (true, Some(Language::Cxx)) => [flags::AGAIN, &["c++"]].concat(),
            _ => Vec::new(),
        };
        let macros = flags::of_gcc(self.toolchain);
        let further = again.into_iter().map(OsStr::new);
        let further = further.chain(macros.0.iter().map(AsRef::as_ref));
        let options: Vec<_> = options.iter().copied().chain(further).collect();
        Ok(self.call_clang(&options, bitcode, listed)?.ok())
    }

    /// Runs clang with earlier standards, unless the user has named one. Returns the warnings, or
    /// `None` if the file does not compile.
    fn by_an_earlier_standard(
        &self,
        bitcode: &Path,
        listed: &Path,
        options: &[&OsStr],
    ) -> Result<Option<String>, CompileError> {
        let names_one = |flag: &String| flag.starts_with("-std=") || flag.starts_with("--std");
        if self.language() != Some(Language::Cxx) || self.user_flags().any(names_one) {
            return Ok(None);
        }
        for standard in flags::EARLIER_CXX {
            let flag = format!("-std={standard}");
            let options = [options, &[OsStr::new(&flag)]].concat();
            if let Ok(warnings) = self.call_clang(&options, bitcode, listed)? {
                let name = self.source.path.display();
                let note = format!("{name}: compiles only by an earlier standard, {flag}\n");
                return Ok(Some(note + &warnings));
            }
        }
        Ok(None)
    }

    /// clang's warnings, or its errors.
    fn call_clang(
        &self,
        options: &[&OsStr],
        bitcode: &Path,
        listed: &Path,
    ) -> Result<Result<String, String>, CompileError> {
        let mut command = match self.language() {
            Some(_) => clang(self.toolchain),
            None => limited(&clang(self.toolchain)),
        };
        command.args(self.arguments()).args(options);
        if self.is_preprocessed() {
            command.arg("-Wno-unused-command-line-argument");
        }
        if self.language().is_some() {
            command.arg("-MD").arg("-MF").arg(listed);
        }
        command
            .arg("-o")
            .arg(bitcode)
            .arg("--")
            .arg(&self.source.path);
        tracing::debug!(?command, "compile");
        let output = command
            .output()
            .map_err(|e| CompileError::io(self.toolchain.clang(), e))?;
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        if words.contains(CRASH) || output.status.code().is_none() {
            let reason = "clang crashed on it, or ran out of memory or time; look for what is wrong with the file";
            return Err(CompileError::input(&self.source.path, reason));
        }
        Ok(if output.status.success() {
            Ok(words)
        } else {
            Err(words)
        })
    }
}

/// Adds to clang's words where a header is that it has not found, if the system has it.
fn with_help(diagnostics: String) -> String {
    let missing = diagnostics.lines().find_map(|line| {
        let (_, rest) = line.split_once("fatal error: '")?;
        rest.strip_suffix("' file not found")
    });
    let has_it =
        |folder: &&&str| missing.is_some_and(|name| Path::new(folder).join(name).is_file());
    match SYSTEM_FOLDERS.iter().find(has_it) {
        Some(folder) => format!(
            "{}\nit is in {folder}: add -idirafter {folder}",
            diagnostics.trim_end()
        ),
        None => diagnostics,
    }
}

/// Gives all functions of LLVM assembly the attribute for which LLVM executes no load before the
/// check that guards it: such a load races where the program does not. Nothing is instrumented,
/// as only clang's own `-fsanitize=thread` asks for that.
fn keep_loads(assembly: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(assembly.len() + 4096);
    for line in assembly.split_inclusive(|byte| *byte == b'\n') {
        let group = line
            .starts_with(ATTRIBUTES)
            .then(|| line.iter().position(|b| *b == b'{'));
        let at = group.flatten().map_or(0, |brace| brace + 1);
        text.extend_from_slice(&line[..at]);
        if at > 0 {
            text.extend_from_slice(b" sanitize_thread");
        }
        text.extend_from_slice(&line[at..]);
    }
    text
}

/// Whether a program, as assembly or bitcode with debug information, may have functions that are
/// atomic by their names. Inlined, they would lose that.
fn mentions_atomic_function(bitcode: &Path) -> Result<bool, CompileError> {
    let content = fs::read(bitcode).map_err(|e| CompileError::io(bitcode, e))?;
    Ok(contains(&content, ATOMIC_FUNCTION))
}

fn contains(content: &[u8], what: &[u8]) -> bool {
    let mut windows = content.windows(what.len());
    windows.any(|window| window == what)
}
