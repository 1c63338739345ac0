//! A library on disk: many units in one file, opened without reading them.
//!
//! The file starts with a `Header` and ends with an `Index` of the exported names, in order, and of
//! the units. Between them lies, for each unit, every function's body on its own, the source
//! information, and last a `Head` with all the rest. Opening reads the index only; linking reads
//! the heads of the units that it reaches, and execution the bodies of the functions that it
//! reaches.
//!
//! A file holds Rust values in a form that is not described in it, and so is good only for the
//! version that wrote it: the header has a digest of the source of this crate. Files are put in
//! place by renaming and are never changed.

use crate::instruction::{Body, SymbolId};
use crate::unit::{Definition, Linkage, Unit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"IMPASSE\0";

/// Returns a digest of the source of this crate, and so of all that decides how a module of LLVM is
/// translated. A file that another version wrote must not be used.
pub fn version() -> u64 {
    digest(env!("IMPASSE_PROGRAM_SOURCE").as_bytes())
}

fn digest(bytes: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(bytes)
}

/// Why a library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The file cannot be read.
    #[error("cannot read the library {path}: {cause}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the library {path}: {cause}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file is something else.
    #[error("{0} is not a library of Impasse")]
    Foreign(PathBuf),
    /// The file was written by another version.
    #[error(
        "the library {0} was built by another version of Impasse; delete it, and Impasse rebuilds it"
    )]
    OtherVersion(PathBuf),
    /// The file does not hold what was written.
    #[error("the library {path} is damaged ({what}); delete it, and Impasse rebuilds it")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// A run of bytes in the file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Span {
    start: u64,
    length: u32,
}

/// What a file starts with, as little-endian words after [`MAGIC`].
#[derive(Clone, Copy)]
struct Header {
    version: u64,
    /// The length of the whole file.
    length: u64,
    index: Span,
    index_digest: u64,
}

const HEADER_BYTES: usize = 8 + 5 * 8;

impl Header {
    fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        let words = [
            self.version,
            self.length,
            self.index.start,
            self.index.length as u64,
            self.index_digest,
        ];
        for (place, word) in bytes[8..].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Option<Header> {
        if bytes[..8] != MAGIC {
            return None;
        }
        let mut words = bytes[8..]
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("a chunk has eight bytes")));
        let mut next = || words.next().expect("the header has five words");
        Some(Header {
            version: next(),
            length: next(),
            index: Span {
                start: next(),
                length: next() as u32,
            },
            index_digest: next(),
        })
    }
}

/// The exported names, and where each unit's head is.
#[derive(Default, Serialize, Deserialize)]
struct Index {
    /// The names in order, one after the other.
    text: String,
    /// Where each name ends in the text, and who defines it.
    exports: Vec<Export>,
    heads: Vec<Span>,
}

/// The definition that a library gives a name.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Export {
    text_end: u32,
    unit: u32,
    symbol: SymbolId,
}

impl Index {
    fn name(&self, export: usize) -> &str {
        let start = match export {
            0 => 0,
            _ => self.exports[export - 1].text_end as usize,
        };
        &self.text[start..self.exports[export].text_end as usize]
    }
}

/// A unit without bodies and source information, and where these are.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    /// The unit, whose functions have empty bodies.
    pub unit: Unit,
    /// Where its functions' bodies are.
    pub bodies: Vec<Span>,
    /// Where its source information is.
    pub debug: Span,
}

/// Where the bytes of a library are.
enum Bytes {
    File(File),
    Memory(Vec<u8>),
}

/// An opened library.
pub struct Library {
    path: PathBuf,
    bytes: Bytes,
    index: Index,
}

impl Library {
    /// Returns the bytes of a library file with these units. Of several strong definitions of a
    /// name the first counts, else the first weak one.
    pub fn build(units: Vec<Unit>) -> Vec<u8> {
        let mut file = vec![0; HEADER_BYTES];
        let exports = exports(&units);
        let heads = units
            .into_iter()
            .map(|u| append_unit(&mut file, u))
            .collect();
        let mut index = Index {
            heads,
            ..Index::default()
        };
        for (name, (unit, symbol)) in &exports {
            index.text.push_str(name);
            index.exports.push(Export {
                text_end: index.text.len() as u32,
                unit: *unit,
                symbol: *symbol,
            });
        }
        let span = append(&mut file, &index);
        let header = Header {
            version: version(),
            length: file.len() as u64,
            index: span,
            index_digest: digest(&file[span.start as usize..]),
        };
        file[..HEADER_BYTES].copy_from_slice(&header.to_bytes());
        file
    }

    /// Writes a library file with these units, atomically. Fails if its folder cannot be written.
    pub fn write(path: &Path, units: Vec<Unit>) -> Result<(), LibraryError> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let write = || {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&Library::build(units))?;
            file.persist(path)?;
            Ok(())
        };
        write().map_err(|cause| LibraryError::Write {
            path: path.to_owned(),
            cause,
        })
    }

    /// Opens a library file. Fails if it cannot be read, is damaged, or was written by another
    /// version.
    pub fn open(path: &Path) -> Result<Arc<Library>, LibraryError> {
        let read_error = |cause| LibraryError::Read {
            path: path.to_owned(),
            cause,
        };
        let file = File::open(path).map_err(read_error)?;
        let length = file.metadata().map_err(read_error)?.len();
        Library::from_bytes(path.to_owned(), Bytes::File(file), length)
    }

    /// Returns a library from the bytes that [`Library::build`] returned. Fails as
    /// [`Library::open`] does.
    pub fn in_memory(bytes: Vec<u8>) -> Result<Arc<Library>, LibraryError> {
        let length = bytes.len() as u64;
        Library::from_bytes("in memory".into(), Bytes::Memory(bytes), length)
    }

    /// Returns a library that defines nothing.
    pub fn empty() -> Arc<Library> {
        Arc::new(Library {
            path: "empty".into(),
            bytes: Bytes::Memory(Vec::new()),
            index: Index::default(),
        })
    }

    fn from_bytes(path: PathBuf, bytes: Bytes, length: u64) -> Result<Arc<Library>, LibraryError> {
        let mut library = Library {
            path,
            bytes,
            index: Index::default(),
        };
        if length < HEADER_BYTES as u64 {
            return Err(LibraryError::Foreign(library.path));
        }
        let start = library.read(Span {
            start: 0,
            length: HEADER_BYTES as u32,
        })?;
        let start = start.as_slice().try_into().expect("that many were read");
        let Some(header) = Header::from_bytes(start) else {
            return Err(LibraryError::Foreign(library.path));
        };
        if header.version != version() {
            return Err(LibraryError::OtherVersion(library.path));
        }
        if header.length != length {
            return Err(library.damaged(format!("{length} bytes, not {}", header.length)));
        }
        let index = library.read(header.index)?;
        if digest(&index) != header.index_digest {
            return Err(library.damaged("its index is not what was written"));
        }
        library.index = postcard::from_bytes(&index).map_err(|error| library.damaged(error))?;
        Ok(Arc::new(library))
    }

    /// Returns the bytes of a library file with some of its units, by their numbers, in order.
    /// Fails if they cannot be read.
    pub fn part(&self, members: &[u32]) -> Result<Vec<u8>, LibraryError> {
        let units = members.iter().map(|&number| {
            let Head {
                mut unit,
                bodies,
                debug,
            } = self.head(number)?;
            for (function, body) in unit.functions.iter_mut().zip(bodies) {
                function.body = self.read(body)?;
            }
            unit.debug = self.decode(debug)?;
            Ok(unit)
        });
        let units: Result<Vec<Unit>, LibraryError> = units.collect();
        Ok(Library::build(units?))
    }

    /// Returns the file from which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of its units.
    pub fn units(&self) -> usize {
        self.index.heads.len()
    }

    /// The unit, and the symbol in it, that defines a name.
    pub(crate) fn find(&self, name: &str) -> Option<(u32, SymbolId)> {
        let (mut low, mut high) = (0, self.index.exports.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.index.name(middle).cmp(name) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let export = self.index.exports[middle];
                    return Some((export.unit, export.symbol));
                }
            }
        }
        None
    }

    /// Reads a unit's head.
    pub(crate) fn head(&self, unit: u32) -> Result<Head, LibraryError> {
        self.decode(self.index.heads[unit as usize])
    }

    /// The value that a span holds.
    pub(crate) fn decode<T: DeserializeOwned>(&self, span: Span) -> Result<T, LibraryError> {
        postcard::from_bytes(&self.read(span)?).map_err(|error| self.damaged(error))
    }

    /// The bytes of a span.
    fn read(&self, span: Span) -> Result<Vec<u8>, LibraryError> {
        let length = span.length as usize;
        match &self.bytes {
            Bytes::Memory(bytes) => {
                let start = span.start as usize;
                bytes
                    .get(start..start.saturating_add(length))
                    .map(<[u8]>::to_vec)
                    .ok_or_else(|| self.damaged("a part lies outside"))
            }
            Bytes::File(file) => {
                let mut bytes = vec![0; length];
                file.read_exact_at(&mut bytes, span.start)
                    .map_err(|cause| LibraryError::Read {
                        path: self.path.clone(),
                        cause,
                    })?;
                Ok(bytes)
            }
        }
    }

    fn damaged(&self, what: impl ToString) -> LibraryError {
        LibraryError::Damaged {
            path: self.path.clone(),
            what: what.to_string(),
        }
    }
}

/// Who defines each exported name: the first strong definition, else the first weak one.
fn exports(units: &[Unit]) -> BTreeMap<String, (u32, SymbolId)> {
    let mut exports = BTreeMap::new();
    for wanted in [Linkage::Strong, Linkage::Weak] {
        for (number, unit) in units.iter().enumerate() {
            for (index, symbol) in unit.symbols.iter().enumerate() {
                if symbol.linkage == wanted && symbol.definition != Definition::Undefined {
                    exports
                        .entry(symbol.name.clone())
                        .or_insert((number as u32, SymbolId(index as u32)));
                }
            }
        }
    }
    exports
}

/// Appends a unit part by part; the span of its head.
fn append_unit(file: &mut Vec<u8>, mut unit: Unit) -> Span {
    let bodies = unit
        .functions
        .iter_mut()
        .map(|function| append_bytes(file, &std::mem::take(&mut function.body)))
        .collect();
    let debug = append(file, &std::mem::take(&mut unit.debug));
    append(
        file,
        &Head {
            unit,
            bodies,
            debug,
        },
    )
}

fn append(file: &mut Vec<u8>, value: &impl Serialize) -> Span {
    append_bytes(file, &encode(value))
}

fn append_bytes(file: &mut Vec<u8>, bytes: &[u8]) -> Span {
    let start = file.len() as u64;
    file.extend_from_slice(bytes);
    let length = u32::try_from(bytes.len()).expect("a part of a unit is below 4 GiB");
    Span { start, length }
}

fn encode(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value)
        .expect("writing to memory cannot fail, and all types have an encoding")
}

impl Body {
    /// Returns the encoded body, which [`crate::unit::Function::body`] holds.
    pub fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    /// Returns the body that [`Body::encode`] encoded. Fails if the bytes are no such encoding.
    pub fn decode(bytes: &[u8]) -> Result<Body, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

#[cfg(test)]
mod tests;
