//! The library bitcode: musl, libc++, libc++abi and the runtime, built once and cached.
//!
//! Every source file becomes one bitcode file, a *member*, as in an archive. Members are cached
//! one by one, under a hash of all that goes into them, so that a change in the runtime compiles
//! little; a manifest under the digest of the whole recipe makes the usual case one small read.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};

use crate::cache::publish_file;
use crate::clang::{clang, hash_arguments};
use crate::data_model::DataModel;
use crate::error::CompileError;
use crate::flags;
use crate::recipe::{self, Part};
use crate::sources::Sources;
use crate::toolchain::Toolchain;

/// Raise it when the build of the library changes otherwise than in flags and files.
const RECIPE_VERSION: u32 = 1;

/// The library, ready to be linked against.
#[derive(Clone, Debug)]
pub struct Library {
    members: Vec<Member>,
    digest: String,
    sources: Sources,
}

/// One source file of the library as bitcode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Member {
    /// The source file, as it is named in debug information:
    /// `/library/libc/musl/src/stdio/printf.c`.
    pub source: String,
    /// The bitcode file.
    pub bitcode: PathBuf,
}

impl Library {
    /// Returns all members, in archive order: the runtime, libc++abi, libc++, musl.
    ///
    /// Of two definitions of a symbol, neither of them weak, the first counts.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns a digest of the content of the library, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    members: Vec<Member>,
}

/// Returns the library from the cache. Builds it first if it is missing, which takes a minute or
/// two. Fails if a source is missing or does not compile, or if the cache cannot be written.
///
/// `progress` is called with one line of text at a time, from several threads.
pub fn ensure(
    toolchain: &Toolchain,
    model: DataModel,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Library, CompileError> {
    let sources = Sources::ensure(toolchain, model, progress)?;
    let digest = digest(toolchain, &sources)?;
    let manifest = toolchain
        .cache()
        .join("libraries")
        .join(format!("{}.json", &digest[..32]));
    let members = match load(&manifest) {
        Some(members) => members,
        None => {
            let members = build(toolchain, &sources, progress)?;
            let text = serde_json::to_vec(&Manifest {
                members: members.clone(),
            })
            .expect("a manifest is plain data");
            publish_file(&manifest, |path| {
                fs::write(path, text).map_err(|e| CompileError::io(path, e))
            })?;
            members
        }
    };
    Ok(Library {
        members,
        digest,
        sources,
    })
}

fn load(manifest: &Path) -> Option<Vec<Member>> {
    let manifest: Manifest = serde_json::from_slice(&fs::read(manifest).ok()?).ok()?;
    let last = manifest.members.last()?;
    last.bitcode.is_file().then_some(manifest.members)
}

fn digest(toolchain: &Toolchain, sources: &Sources) -> Result<String, CompileError> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&RECIPE_VERSION.to_le_bytes());
    hasher.update(toolchain.clang_identity().as_bytes());
    hasher.update(sources.root().as_os_str().as_encoded_bytes());
    for &part in Part::all(sources.model()) {
        hash_arguments(&mut hasher, &part_flags(part, toolchain, sources).0);
    }
    hasher.update(recipe::fingerprint().as_bytes());
    hash_folder(&mut hasher, &toolchain.runtime())?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn part_flags(part: Part, toolchain: &Toolchain, sources: &Sources) -> flags::Flags {
    match part {
        Part::Runtime => flags::runtime(toolchain, sources),
        Part::Libcxxabi | Part::Libcxx => flags::libcxx(toolchain, sources),
        Part::Musl => flags::musl(toolchain, sources),
    }
}

fn hash_folder(hasher: &mut blake3::Hasher, folder: &Path) -> Result<(), CompileError> {
    for path in recipe::files_below(folder)? {
        hasher.update(path.as_os_str().as_encoded_bytes());
        hasher.update(&fs::read(&path).map_err(|e| CompileError::io(&path, e))?);
    }
    Ok(())
}

/// One call of clang.
struct Job {
    source: PathBuf,
    name: String,
    arguments: Vec<OsString>,
    bitcode: PathBuf,
}

fn build(
    toolchain: &Toolchain,
    sources: &Sources,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Vec<Member>, CompileError> {
    let jobs = jobs(toolchain, sources)?;
    let todo: Vec<&Job> = jobs.iter().filter(|job| !job.bitcode.is_file()).collect();
    run_all(toolchain, &todo, progress)?;
    Ok(jobs
        .into_iter()
        .map(|job| Member {
            source: job.name,
            bitcode: job.bitcode,
        })
        .collect())
}

fn jobs(toolchain: &Toolchain, sources: &Sources) -> Result<Vec<Job>, CompileError> {
    let headers = own_headers(toolchain)?;
    let mut arguments: BTreeMap<Part, Vec<OsString>> = BTreeMap::new();
    let mut jobs = Vec::new();
    for file in recipe::files(toolchain, sources)? {
        let mut arguments = arguments
            .entry(file.part)
            .or_insert_with(|| part_flags(file.part, toolchain, sources).0)
            .clone();
        arguments.extend(file.flags.iter().map(OsString::from));
        let mut hasher = blake3::Hasher::new();
        hasher.update(&RECIPE_VERSION.to_le_bytes());
        hasher.update(toolchain.clang_identity().as_bytes());
        hasher.update(headers.for_part(file.part));
        hash_arguments(&mut hasher, &arguments);
        hasher.update(file.path.as_os_str().as_encoded_bytes());
        hasher.update(&fs::read(&file.path).map_err(|e| CompileError::io(&file.path, e))?);
        let key = hasher.finalize().to_hex();
        let bitcode = toolchain
            .cache()
            .join("members")
            .join(format!("{}.bc", &key[..32]));
        jobs.push(Job {
            source: file.path,
            name: file.name,
            arguments,
            bitcode,
        });
    }
    Ok(jobs)
}

/// Hashes of the headers of our own that a part may include.
struct OwnHeaders {
    c: blake3::Hash,
    cxx: blake3::Hash,
    all: blake3::Hash,
}

impl OwnHeaders {
    fn for_part(&self, part: Part) -> &[u8; 32] {
        match part {
            Part::Runtime => self.all.as_bytes(),
            Part::Libcxxabi | Part::Libcxx => self.cxx.as_bytes(),
            Part::Musl => self.c.as_bytes(),
        }
    }
}

fn own_headers(toolchain: &Toolchain) -> Result<OwnHeaders, CompileError> {
    let mut hasher = blake3::Hasher::new();
    hash_folder(&mut hasher, &toolchain.runtime().join("arch"))?;
    hash_folder(&mut hasher, &toolchain.runtime().join("include"))?;
    let c = hasher.finalize();
    hash_folder(&mut hasher, &toolchain.runtime().join("libcxx"))?;
    let cxx = hasher.finalize();
    for path in recipe::files_below(&toolchain.runtime())? {
        if path.extension().is_some_and(|extension| extension == "h") {
            hasher.update(&fs::read(&path).map_err(|e| CompileError::io(&path, e))?);
        }
    }
    Ok(OwnHeaders {
        c,
        cxx,
        all: hasher.finalize(),
    })
}

fn run_all(
    toolchain: &Toolchain,
    jobs: &[&Job],
    progress: &(dyn Fn(&str) + Sync),
) -> Result<(), CompileError> {
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let workers = thread::available_parallelism()
        .map_or(1, |n| n.get())
        .min(jobs.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = run(toolchain, job) {
                        next.store(jobs.len(), Ordering::Relaxed);
                        failure
                            .lock()
                            .expect("no worker panics")
                            .get_or_insert(error);
                    }
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    progress(&format!("building the library, {done}/{}", jobs.len()));
                }
            });
        }
    });
    failure
        .into_inner()
        .expect("no worker panics")
        .map_or(Ok(()), Err)
}

fn run(toolchain: &Toolchain, job: &Job) -> Result<(), CompileError> {
    publish_file(&job.bitcode, |path| {
        let output = clang(toolchain)
            .args(&job.arguments)
            .arg(&job.source)
            .arg("-o")
            .arg(path)
            .output()
            .map_err(|e| CompileError::io(toolchain.clang(), e))?;
        if output.status.success() {
            return Ok(());
        }
        Err(CompileError::Diagnostics {
            path: job.source.clone(),
            diagnostics: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    })
}
