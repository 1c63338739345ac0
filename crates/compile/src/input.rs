//! What kind of input a file is, and whether it can be one at all.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::CompileError;
use crate::flags::Language;

/// The kinds of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A source file; what is preprocessed already has no headers to look for.
    Source {
        language: Language,
        preprocessed: bool,
    },
    /// LLVM's textual form.
    Assembly,
    /// Bitcode, taken as it is.
    Bitcode,
}

const KNOWN: &str = ".c, .cpp, .cc, .cxx, .C, .i, .ii, .bc or .ll";

/// `BC` and a magic number, or a wrapper around it.
const BITCODE_MAGIC: [[u8; 4]; 2] = [[b'B', b'C', 0xc0, 0xde], [0xde, 0xc0, 0x17, 0x0b]];

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        let source = |language, preprocessed| Self::Source {
            language,
            preprocessed,
        };
        match path.extension()?.to_str()? {
            "c" => Some(source(Language::C, false)),
            "cpp" | "cc" | "cxx" | "c++" | "C" => Some(source(Language::Cxx, false)),
            "i" => Some(source(Language::C, true)),
            "ii" => Some(source(Language::Cxx, true)),
            "ll" => Some(Self::Assembly),
            "bc" => Some(Self::Bitcode),
            _ => None,
        }
    }
}

/// A file of a program, and how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file: a source, a preprocessed file, LLVM assembly or bitcode.
    pub path: PathBuf,
    /// Flags for clang for this file only, as [`CommandLine::read`](crate::CommandLine::read)
    /// leaves them.
    pub flags: Vec<String>,
    /// The language, if it does not follow from the name.
    pub language: Option<Language>,
    /// Whether it is a member of an archive, of which a program takes what it needs.
    pub is_member: bool,
}

impl From<PathBuf> for Source {
    fn from(path: PathBuf) -> Source {
        Source {
            path,
            flags: Vec::new(),
            language: None,
            is_member: false,
        }
    }
}

impl Source {
    /// Returns the language; `None` for files that are no sources.
    pub fn language(&self) -> Option<Language> {
        match self.kind()? {
            Kind::Source { language, .. } => Some(language),
            Kind::Assembly | Kind::Bitcode => None,
        }
    }

    fn kind(&self) -> Option<Kind> {
        let preprocessed = false;
        let source = |language| Kind::Source {
            language,
            preprocessed,
        };
        self.language.map(source).or_else(|| Kind::of(&self.path))
    }
}

/// An input that was read.
pub(crate) struct Input {
    pub(crate) kind: Kind,
    pub(crate) content: Vec<u8>,
}

/// Reads an input and says in one line what is wrong with it, if it cannot be a program.
pub(crate) fn read(source: &Source) -> Result<Input, CompileError> {
    let path = &source.path;
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => CompileError::input(path, "there is no such file"),
        _ => CompileError::io(path, error),
    })?;
    if metadata.is_dir() {
        return Err(CompileError::input(
            path,
            format!("is a folder; name a file ({KNOWN})"),
        ));
    }
    let kind = source.kind().ok_or_else(|| {
        CompileError::input(
            path,
            format!("is not a kind of file that Impasse knows; name a file ({KNOWN})"),
        )
    })?;
    let content = fs::read(path).map_err(|e| CompileError::io(path, e))?;
    if content.iter().all(u8::is_ascii_whitespace) {
        return Err(CompileError::input(path, "is empty"));
    }
    let is_text = !content.contains(&0);
    match kind {
        Kind::Bitcode if !BITCODE_MAGIC.iter().any(|magic| content.starts_with(magic)) => {
            Err(CompileError::input(path, "is not LLVM bitcode"))
        }
        Kind::Source { .. } | Kind::Assembly if !is_text => Err(CompileError::input(
            path,
            "is not text, as a source file is",
        )),
        _ => Ok(Input { kind, content }),
    }
}
