//! Checkpoints: what each worker knows at the beginning of a level, in a file of its own, from
//! which a later run continues.
//!
//! A file has a head, which belongs to who has started the search, and then the worker's part of
//! the search. It gets its name once it is complete, and older ones are deleted once those of all
//! workers are, so that some checkpoint is always complete. What workers know of each other's
//! components is not stored: the links between them begin anew on both sides.

use impasse_store::hash_of;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const MAGIC: &[u8; 16] = b"Impasse search 1";

/// Which checkpoint of a folder: the later one is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, serde::Deserialize)]
pub struct Moment {
    /// The number of the search, from 0.
    pub search: u32,
    /// The level that begins.
    pub level: u64,
}

/// When and where a search writes checkpoints.
#[derive(Clone)]
pub struct Saving {
    /// The folder, which exists.
    pub folder: PathBuf,
    /// The least time from one to the next.
    pub interval: Duration,
    /// The number of the search.
    pub search: u32,
    /// Returns the head of a file.
    pub head: Arc<dyn Fn() -> Vec<u8> + Send + Sync>,
    /// With how many other workers the search has begun, if it resumes a checkpoint of theirs in
    /// the same folder: that one is deleted once there is another.
    pub replaced: Option<usize>,
    /// Is told why a checkpoint could not be written.
    pub failed: Arc<dyn Fn(&str) + Send + Sync>,
}

/// The workers of which a folder has files, and the moments of these.
#[derive(Clone, Debug)]
pub struct Part {
    /// The number of the worker.
    pub worker: usize,
    /// How many workers there were.
    pub workers: usize,
    /// When it was written.
    pub moment: Moment,
}

/// Returns the files that a folder has. Fails if it cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<Part>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        found.extend(name.to_str().and_then(parse));
    }
    Ok(found)
}

fn name(moment: Moment, worker: usize, workers: usize) -> String {
    let Moment { search, level } = moment;
    format!("search-{search}-level-{level}-worker-{worker}-of-{workers}")
}

fn parse(name: &str) -> Option<Part> {
    let parts: Vec<&str> = name.split('-').collect();
    let [
        "search",
        search,
        "level",
        level,
        "worker",
        worker,
        "of",
        workers,
    ] = parts[..]
    else {
        return None;
    };
    Some(Part {
        worker: worker.parse().ok()?,
        workers: workers.parse().ok()?,
        moment: Moment {
            search: search.parse().ok()?,
            level: level.parse().ok()?,
        },
    })
}

/// Deletes a worker's files but that of one moment. It does not matter if some remain.
pub(crate) fn delete_others(folder: &Path, worker: usize, workers: usize, kept: Moment) {
    for found in list(folder).unwrap_or_default() {
        let is_own = (found.worker, found.workers) == (worker, workers);
        if is_own && found.moment != kept {
            let _ = fs::remove_file(folder.join(name(found.moment, worker, workers)));
        }
    }
}

/// Deletes the files of another number of workers.
pub(crate) fn delete_replaced(folder: &Path, workers: usize) {
    for found in list(folder).unwrap_or_default() {
        if found.workers == workers {
            let _ = fs::remove_file(folder.join(name(found.moment, found.worker, workers)));
        }
    }
}

/// A file that is being written.
pub(crate) struct Writer {
    file: BufWriter<File>,
    path: PathBuf,
    complete: PathBuf,
}

impl Writer {
    pub(crate) fn new(
        folder: &Path,
        moment: Moment,
        worker: usize,
        workers: usize,
    ) -> io::Result<Writer> {
        let name = name(moment, worker, workers);
        let path = folder.join(format!("{name}.incomplete"));
        let mut file = BufWriter::new(File::create(&path)?);
        file.write_all(MAGIC)?;
        Ok(Writer {
            file,
            path,
            complete: folder.join(name),
        })
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(&(bytes.len() as u64).to_le_bytes())?;
        self.file.write_all(&hash_of(bytes).to_le_bytes())?;
        self.file.write_all(bytes)
    }

    pub(crate) fn value(&mut self, value: &impl Serialize) -> io::Result<()> {
        let bytes = postcard::to_stdvec(value).map_err(io::Error::other)?;
        self.bytes(&bytes)
    }

    /// Gives the file its name.
    pub(crate) fn complete(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, &self.complete)
    }
}

/// What a worker of a search resumes with.
pub enum Checkpoint {
    /// Its own file: there are as many workers as before.
    Own(Reader),
    /// The files of all former workers, in order: there was another number of them.
    All(Vec<Reader>),
}

/// A file from which a search resumes.
pub struct Reader {
    file: BufReader<File>,
    /// Where what follows the head begins.
    start: u64,
    head: Vec<u8>,
}

impl Reader {
    /// Opens the file of a worker. Fails if it cannot be read or is something else.
    pub fn open(
        folder: &Path,
        moment: Moment,
        worker: usize,
        workers: usize,
    ) -> io::Result<Reader> {
        let file = File::open(folder.join(name(moment, worker, workers)))?;
        let mut reader = Reader {
            file: BufReader::new(file),
            start: 0,
            head: Vec::new(),
        };
        let mut magic = [0; MAGIC.len()];
        reader.file.read_exact(&mut magic)?;
        if magic != *MAGIC {
            return Err(damaged());
        }
        reader.head = reader.bytes()?;
        reader.start = reader.file.stream_position()?;
        Ok(reader)
    }

    /// Reads the whole file and goes back to its head. Fails if the file is damaged.
    pub fn verify(&mut self) -> io::Result<()> {
        while !self.file.fill_buf()?.is_empty() {
            self.bytes()?;
        }
        self.rewind()
    }

    /// Goes back to what follows the head.
    pub(crate) fn rewind(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.start)).map(drop)
    }

    /// Returns its head.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut number = || -> io::Result<u64> {
            let mut bytes = [0; 8];
            self.file.read_exact(&mut bytes)?;
            Ok(u64::from_le_bytes(bytes))
        };
        let (length, hash) = (number()?, number()?);
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(length).read_to_end(&mut bytes)?;
        match read as u64 == length && hash_of(&bytes) == hash {
            true => Ok(bytes),
            false => Err(damaged()),
        }
    }

    pub(crate) fn value<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        postcard::from_bytes(&self.bytes()?).map_err(|_| damaged())
    }
}

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the checkpoint is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_in_files() {
        let moment = Moment {
            search: 2,
            level: 17,
        };
        let found = parse(&name(moment, 3, 4)).unwrap();
        assert_eq!((found.worker, found.workers, found.moment), (3, 4, moment));
        assert!(parse("search-2-level-17-worker-3-of-4.incomplete").is_none());
    }
}
