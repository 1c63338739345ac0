//! What the compiler wrapper records in objects: how each source in them is compiled.
//!
//! A record is a line of JSON, an entry as in a compilation database, in a section of its own.
//! Linkers and archivers keep such sections, and join those of the objects that a program is made
//! of. So an executable, an object or an archive says of which sources it is made.

use std::fs;
use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};
use serde::{Deserialize, Serialize};

use crate::command_line::{expand, takes_next_word};
use crate::error::CompileError;
use crate::input::Source;

/// The section of an object that holds its records.
pub const SECTION: &str = ".impasse";

const ELF_MAGIC: &[u8] = b"\x7fELF";
const ARCHIVE_MAGIC: &[u8] = b"!<arch>\n";
const THIN_ARCHIVE_MAGIC: &[u8] = b"!<thin>\n";

/// How a source is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Where the compiler ran.
    pub directory: PathBuf,
    /// The source, as seen from there.
    pub file: PathBuf,
    /// The compiler, and its arguments.
    pub arguments: Vec<String>,
}

/// What a call of a compiler makes of sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Product {
    /// An object of each: the object, and the record of its source.
    Objects(Vec<(PathBuf, Record)>),
    /// Something linked of them all, and perhaps of objects.
    Linked(Vec<Record>),
}

/// Returns what a compiler makes when it is called in a folder with these words, its name first;
/// `None` if nothing that holds code of a source. Fails if a response file cannot be read.
pub fn product(words: &[String], directory: &Path) -> Result<Option<Product>, CompileError> {
    let arguments = expand(words.iter().cloned(), directory)?;
    let mut call = Call::default();
    let mut left = arguments.iter().skip(1);
    while let Some(word) = left.next() {
        let value = takes_next_word(word).then(|| left.next()).flatten();
        call.take(word, value);
    }
    if call.only_looks || call.sources.is_empty() {
        return Ok(None);
    }
    let record = |file: &String| Record {
        directory: directory.to_owned(),
        file: file.into(),
        arguments: arguments.clone(),
    };
    Ok(Some(match call.links {
        true => Product::Linked(call.sources.iter().map(record).collect()),
        false => {
            let object = |file: &String| call.object_of(Path::new(file));
            let made = call.sources.iter().map(|file| (object(file), record(file)));
            Product::Objects(made.collect())
        }
    }))
}

/// A compiler's command line, as far as it says what is made of what.
struct Call {
    sources: Vec<String>,
    output: Option<PathBuf>,
    language: Option<String>,
    links: bool,
    /// Preprocesses, prints or makes assembly: no object comes of it.
    only_looks: bool,
}

impl Default for Call {
    fn default() -> Call {
        Call {
            sources: Vec::new(),
            output: None,
            language: None,
            links: true,
            only_looks: false,
        }
    }
}

impl Call {
    fn take(&mut self, word: &str, value: Option<&String>) {
        match word {
            "-c" => self.links = false,
            "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "-###" => self.only_looks = true,
            _ if !word.starts_with('-') => {
                let is_named = Source::from(PathBuf::from(word)).language().is_some();
                let is_said = matches!(self.language.as_deref(), Some("c" | "c++"));
                if is_named || is_said {
                    self.sources.push(word.to_owned());
                }
            }
            _ => {
                if let Some(output) = after("-o", word, value) {
                    self.output = Some(output.into());
                }
                if let Some(language) = after("-x", word, value) {
                    self.language = Some(language).filter(|it| it != "none");
                }
            }
        }
    }

    fn object_of(&self, source: &Path) -> PathBuf {
        let beside_nothing = || PathBuf::from(source.file_name().unwrap_or_default());
        let named = self.output.clone();
        named.unwrap_or_else(|| beside_nothing().with_extension("o"))
    }
}

/// The value of an option, which is joined to it or the next word.
fn after(option: &str, word: &str, value: Option<&String>) -> Option<String> {
    match word.strip_prefix(option)? {
        "" => value.cloned(),
        joined => Some(joined.to_owned()),
    }
}

/// Returns records as the bytes of a section.
pub fn lines<'r>(records: impl IntoIterator<Item = &'r Record>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        bytes.extend(serde_json::to_vec(record).expect("a record is plain data"));
        bytes.push(b'\n');
    }
    bytes
}

/// Returns records as a source in assembly that holds nothing else.
pub fn assembly<'r>(records: impl IntoIterator<Item = &'r Record>) -> String {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    let text: String = lines(records).into_iter().map(escaped).collect();
    // The second section says that the stack need not be executable.
    format!(
        "\t.section {SECTION},\"\",@progbits\n\t.ascii \"{text}\"\n\
         \t.section .note.GNU-stack,\"\",@progbits\n"
    )
}

/// Returns whether a file is an executable, a shared library, an object or an archive.
pub fn is_built(path: &Path) -> bool {
    starts_with_any(path, &[ELF_MAGIC, ARCHIVE_MAGIC, THIN_ARCHIVE_MAGIC])
}

fn starts_with_any(path: &Path, magics: &[&[u8]]) -> bool {
    let mut start = [0; 8];
    let read = fs::File::open(path).and_then(|mut file| std::io::Read::read(&mut file, &mut start));
    read.is_ok() && magics.iter().any(|magic| start.starts_with(magic))
}

/// Returns whether a file is an archive, of which a linker takes the members that it needs.
pub fn is_archive(path: &Path) -> bool {
    starts_with_any(path, &[ARCHIVE_MAGIC, THIN_ARCHIVE_MAGIC])
}

/// Returns the records in an executable, a shared library, an object or an archive, each once.
/// Fails if the file cannot be read, or has none.
pub fn read(path: &Path) -> Result<Vec<Record>, CompileError> {
    let data = fs::read(path).map_err(|error| CompileError::io(path, error))?;
    let broken = |error: object::Error| CompileError::input(path, error.to_string());
    let mut bytes = Vec::new();
    if data.starts_with(THIN_ARCHIVE_MAGIC) {
        let why = "is a thin archive, which holds no objects; name the objects";
        return Err(CompileError::input(path, why));
    } else if data.starts_with(ARCHIVE_MAGIC) {
        let archive = ArchiveFile::parse(&*data).map_err(broken)?;
        for member in archive.members() {
            let member = member.and_then(|it| it.data(&*data)).map_err(broken)?;
            if member.starts_with(ELF_MAGIC) {
                bytes.extend(section(member).map_err(broken)?);
            }
        }
    } else {
        bytes.extend(section(&data).map_err(broken)?);
    }
    let records = parse(&bytes).map_err(|error| {
        CompileError::input(path, format!("its section {SECTION} is damaged: {error}"))
    })?;
    match records.is_empty() {
        true => Err(CompileError::input(path, MISSING)),
        false => Ok(records),
    }
}

const MISSING: &str = "does not say how it was compiled; build it with the compilers `impasse cc` and `impasse c++` \
(CC=impasse-cc CXX=impasse-c++)";

fn section(data: &[u8]) -> object::Result<Vec<u8>> {
    let file = object::File::parse(data)?;
    let sections = file.sections().filter(|it| it.name() == Ok(SECTION));
    let mut bytes = Vec::new();
    for section in sections {
        bytes.extend_from_slice(section.data()?);
    }
    Ok(bytes)
}

/// Linkers may fill the space between sections with zeros.
fn parse(bytes: &[u8]) -> serde_json::Result<Vec<Record>> {
    let mut records: Vec<Record> = Vec::new();
    let lines = bytes.split(|&byte| byte == b'\n' || byte == 0);
    for line in lines.filter(|line| !line.is_empty()) {
        let record = serde_json::from_slice(line)?;
        if !records.contains(&record) {
            records.push(record);
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product_of(words: &str) -> Option<Product> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        product(&words, Path::new("/b")).expect("no response file")
    }

    fn objects(words: &str) -> Vec<String> {
        match product_of(words) {
            Some(Product::Objects(made)) => made
                .iter()
                .map(|(object, record)| format!("{}<{}", object.display(), record.file.display()))
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn objects_are_named_as_compilers_do() {
        assert_eq!(objects("cc -c -I x a.c -o out/a.o"), ["out/a.o<a.c"]);
        assert_eq!(objects("cc a.c dir/b.cc -c"), ["a.o<a.c", "b.o<dir/b.cc"]);
        assert_eq!(objects("cc -MD -MF a.d -c -oa.lo a.c"), ["a.lo<a.c"]);
        assert_eq!(objects("cc -c -x c odd"), ["odd.o<odd"]);
    }

    #[test]
    fn what_holds_no_code_of_a_source_is_not_recorded() {
        for words in [
            "cc -E a.c",
            "cc -S a.c",
            "cc -M a.c",
            "cc a.o b.o",
            "cc -c a.S",
            "cc --version",
        ] {
            assert_eq!(product_of(words), None, "{words}");
        }
    }

    #[test]
    fn a_program_may_be_made_at_once() {
        let Some(Product::Linked(records)) = product_of("cc a.c b.o c.c -o app") else {
            panic!("it is linked")
        };
        let files: Vec<_> = records.iter().map(|it| it.file.as_path()).collect();
        assert_eq!(files, [Path::new("a.c"), Path::new("c.c")]);
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let record = |file: &str| Record {
            directory: "/a \"b\"".into(),
            file: file.into(),
            arguments: vec!["cc".into(), "-DX=\"ä\\n\"".into(), file.into()],
        };
        let records = [record("a.c"), record("b.c"), record("a.c")];
        let mut bytes = lines(&records);
        bytes.extend([0, 0]);
        bytes.extend(lines(&records[1..]));
        assert_eq!(parse(&bytes).expect("it is whole"), records[..2]);
        assert!(assembly(&records).is_ascii());
    }
}
