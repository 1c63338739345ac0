//! Where the pieces of the toolchain are: clang, the runtime's sources, the cache.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::error::CompileError;

/// The release of clang and LLVM that everything is built with.
const LLVM_MAJOR: &str = "19";

/// The programs and folders that compilation uses.
#[derive(Clone, Debug)]
pub struct Toolchain {
    clang: PathBuf,
    clang_identity: String,
    resource_headers: PathBuf,
    home: PathBuf,
    cache: PathBuf,
}

impl Toolchain {
    /// Finds clang 19 on the path, its own headers beside it, and the runtime's sources; `cache` is
    /// the folder for caches. Fails if one of them is missing.
    ///
    /// No process is started: clang is known by its path, size and time of change.
    pub fn locate(cache: &Path) -> Result<Self, CompileError> {
        let clang = find_clang().ok_or_else(|| {
            CompileError::Toolchain(format!(
                "clang-{LLVM_MAJOR} is not on the path; install the package clang-{LLVM_MAJOR}, or let ./impasse do it"
            ))
        })?;
        let resource_headers = resource_headers(&clang).ok_or_else(|| {
            CompileError::Toolchain(format!(
                "{}: its own headers (lib/clang/{LLVM_MAJOR}/include) are missing; install the package libclang-common-{LLVM_MAJOR}-dev",
                clang.display()
            ))
        })?;
        let home = home();
        let home = home
            .canonicalize()
            .map_err(|e| CompileError::io(&home, e))?;
        if !home.join("runtime/impasse_machine.h").is_file() {
            return Err(CompileError::Toolchain(format!(
                "{}: the folder runtime/ of Impasse is not there; set IMPASSE_HOME to a checkout of Impasse",
                home.display()
            )));
        }
        let cache = fs::create_dir_all(cache)
            .and_then(|()| cache.canonicalize())
            .map_err(|e| CompileError::io(cache, e))?;
        let clang_identity = identity(&clang)?;
        Ok(Self {
            clang,
            clang_identity,
            resource_headers,
            home,
            cache,
        })
    }

    /// Returns the default folder for caches: `$IMPASSE_CACHE`, or `.impasse` in the checkout. An
    /// installed Impasse takes the folder for the user's caches.
    pub fn default_cache() -> PathBuf {
        let of_user = || match env::var_os("IMPASSE_HOME") {
            None => installed_home().and_then(|_| user_caches()),
            Some(_) => None,
        };
        env::var_os("IMPASSE_CACHE")
            .map(PathBuf::from)
            .or_else(|| of_user().map(|caches| caches.join("impasse")))
            .unwrap_or_else(|| home().join(".impasse"))
    }

    /// Returns the cache folder.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Returns the path of clang.
    pub fn clang(&self) -> &Path {
        &self.clang
    }

    /// Differs between installations of clang that may produce different code.
    pub fn clang_identity(&self) -> &str {
        &self.clang_identity
    }

    pub(crate) fn resource_headers(&self) -> &Path {
        &self.resource_headers
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn runtime(&self) -> PathBuf {
        self.home.join("runtime")
    }

    /// Returns the folder of the headers for users' programs.
    pub fn headers(&self) -> PathBuf {
        self.home.join("include")
    }
}

/// Where an installed Impasse has its files, below the folder that it was installed to.
pub const HOME_BELOW_PREFIX: &str = "share/impasse";

fn home() -> PathBuf {
    env::var_os("IMPASSE_HOME")
        .map(PathBuf::from)
        .or_else(installed_home)
        .unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")))
}

/// The files of the running program, if it was installed: it lies in `bin`, beside `share`.
fn installed_home() -> Option<PathBuf> {
    let executable = env::current_exe().ok()?.canonicalize().ok()?;
    let home = executable.parent()?.parent()?.join(HOME_BELOW_PREFIX);
    home.join("runtime").is_dir().then_some(home)
}

/// The folder for the caches of the user, by the XDG Base Directory Specification.
fn user_caches() -> Option<PathBuf> {
    let absolute = |variable| {
        env::var_os(variable)
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
    };
    absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))
}

fn find_clang() -> Option<PathBuf> {
    let name = format!("clang-{LLVM_MAJOR}");
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(&name))
        .chain([PathBuf::from(format!(
            "/usr/lib/llvm-{LLVM_MAJOR}/bin/clang"
        ))])
        .find_map(|path| path.canonicalize().ok())
}

fn resource_headers(clang: &Path) -> Option<PathBuf> {
    let prefix = clang.parent()?.parent()?;
    let headers = prefix.join("lib/clang").join(LLVM_MAJOR).join("include");
    headers.join("stddef.h").is_file().then_some(headers)
}

fn identity(clang: &Path) -> Result<String, CompileError> {
    let metadata = clang.metadata().map_err(|e| CompileError::io(clang, e))?;
    let changed = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |since| since.as_nanos());
    Ok(format!("{} {} {changed}", clang.display(), metadata.len()))
}
