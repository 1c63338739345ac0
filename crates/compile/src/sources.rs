//! The sources of libc++, libc++abi and musl: fetched once, checked against a pinned hash,
//! unpacked.
//!
//! They come in a Python wheel, which pip fetches and checks (`runtime/requirements.txt` pins it);
//! of the wheel only the folders in [`WANTED`] are kept, as they are; those in [`WANTED_ILP32`] in
//! a folder of their own, once they are asked for. An installation brings them along.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::publish_folder;
use crate::data_model::DataModel;
use crate::error::CompileError;
use crate::toolchain::Toolchain;

const WANTED: [&str; 12] = [
    "lib/libcxx/",
    "lib/libcxxabi/",
    "lib/libc/musl/src/",
    "lib/libc/musl/include/",
    "lib/libc/musl/arch/generic/",
    "lib/libc/musl/arch/x86_64/",
    "lib/libc/musl/COPYRIGHT",
    "lib/libc/include/x86_64-linux-musl/",
    "lib/libc/include/generic-musl/",
    "lib/libc/include/x86-linux-any/",
    "lib/libc/include/any-linux-any/",
    "lib/libc/include/generic-glibc/sys/queue.h",
];

/// What takes the place of x86-64's own folders for i386.
const WANTED_ILP32: [&str; 2] = [
    "lib/libc/musl/arch/i386/",
    "lib/libc/include/x86-linux-musl/",
];

/// The unpacked sources.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    root: PathBuf,
    model: DataModel,
    /// The folder that holds musl's own headers for the processor.
    own: PathBuf,
}

impl Sources {
    /// Unpacks the sources into the cache if they are neither there nor installed.
    pub(crate) fn ensure(
        toolchain: &Toolchain,
        model: DataModel,
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<Self, CompileError> {
        let requirements = toolchain.runtime().join("requirements.txt");
        let pin = fs::read(&requirements).map_err(|e| CompileError::io(&requirements, e))?;
        let folder = |suffix: &str, wanted: &[&str]| {
            let what = [pin.as_slice(), wanted.join("\n").as_bytes()].concat();
            let digest = blake3::hash(&what).to_hex();
            let name = format!("sources-{}{suffix}", &digest[..16]);
            let installed = toolchain.home().join(&name);
            match installed.is_dir() {
                true => installed,
                false => toolchain.cache().join(name),
            }
        };
        let ensure = |suffix: &str, wanted: &[&str]| {
            let folder = folder(suffix, wanted);
            if !folder.is_dir() {
                publish_folder(&folder, |folder| {
                    progress("fetching the sources of musl, libc++ and libc++abi (80 MB, once)");
                    let wheel = fetch(&requirements, &folder.join("wheel"))?;
                    progress("unpacking the sources");
                    unpack(&wheel, folder, wanted)?;
                    fs::remove_dir_all(folder.join("wheel"))
                        .map_err(|e| CompileError::io(folder, e))
                })?;
            }
            Ok(folder.join("lib"))
        };
        let root = ensure("", &WANTED)?;
        let own = match model {
            DataModel::Lp64 => root.clone(),
            DataModel::Ilp32 => ensure("-i386", &WANTED_ILP32)?,
        };
        Ok(Self { root, model, own })
    }

    /// The sizes of types that they are for.
    pub(crate) fn model(&self) -> DataModel {
        self.model
    }

    /// musl's internal headers for the processor.
    pub(crate) fn arch(&self) -> PathBuf {
        self.own.join(match self.model {
            DataModel::Lp64 => "libc/musl/arch/x86_64",
            DataModel::Ilp32 => "libc/musl/arch/i386",
        })
    }

    /// The folder that holds `libcxx`, `libcxxabi` and `libc`.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn musl(&self) -> PathBuf {
        self.root.join("libc/musl")
    }

    pub(crate) fn libcxx(&self) -> PathBuf {
        self.root.join("libcxx")
    }

    pub(crate) fn libcxxabi(&self) -> PathBuf {
        self.root.join("libcxxabi")
    }

    /// musl's public headers, then Linux's, then what musl lacks of glibc's.
    pub(crate) fn libc_headers(&self) -> [PathBuf; 5] {
        let own = match self.model {
            DataModel::Lp64 => "x86_64-linux-musl",
            DataModel::Ilp32 => "x86-linux-musl",
        };
        let shared = |folder| self.root.join("libc/include").join(folder);
        [
            self.own.join("libc/include").join(own),
            shared("generic-musl"),
            shared("x86-linux-any"),
            shared("any-linux-any"),
            shared("generic-glibc"),
        ]
    }
}

/// Returns the folders that an installation has in its [home](crate::HOME_BELOW_PREFIX): the
/// runtime, the headers for programs, the package for CMake, and the sources of the libraries,
/// which are fetched if they are missing. Fails if they cannot be.
pub fn folders_to_install(
    toolchain: &Toolchain,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Vec<PathBuf>, CompileError> {
    let cmake = toolchain.home().join("cmake");
    let mut folders = vec![toolchain.runtime(), toolchain.headers(), cmake];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let sources = Sources::ensure(toolchain, model, progress)?;
        folders.extend(sources.own.parent().map(Path::to_path_buf));
    }
    Ok(folders)
}

fn fetch(requirements: &Path, folder: &Path) -> Result<PathBuf, CompileError> {
    let output = Command::new("python3")
        .args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--require-hashes",
        ])
        .args(["--only-binary=:all:", "--platform", "manylinux_2_12_x86_64"])
        .arg("--requirement")
        .arg(requirements)
        .arg("--dest")
        .arg(folder)
        .output()
        .map_err(|e| {
            CompileError::Toolchain(format!("python3: {e}; install the package python3-pip"))
        })?;
    if !output.status.success() {
        return Err(CompileError::Toolchain(format!(
            "pip could not fetch the library sources named in {}; is the network there?\n{}",
            requirements.display(),
            String::from_utf8_lossy(&output.stderr).trim_end()
        )));
    }
    let entries = fs::read_dir(folder).map_err(|e| CompileError::io(folder, e))?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| {
            CompileError::Toolchain(format!("{}: pip left no wheel there", folder.display()))
        })
}

fn unpack(wheel: &Path, folder: &Path, wanted: &[&str]) -> Result<(), CompileError> {
    let broken = |error: zip::result::ZipError| {
        CompileError::Toolchain(format!("{}: cannot be unpacked: {error}", wheel.display()))
    };
    let file = File::open(wheel).map_err(|e| CompileError::io(wheel, e))?;
    let mut archive = zip::ZipArchive::new(file).map_err(broken)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(broken)?;
        let Some(path) = entry.enclosed_name() else {
            continue;
        };
        let Ok(path) = path.strip_prefix("ziglang") else {
            continue;
        };
        let is_wanted = path
            .to_str()
            .is_some_and(|path| wanted.iter().any(|prefix| path.starts_with(prefix)));
        if !is_wanted || entry.is_dir() {
            continue;
        }
        let target = folder.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(|e| CompileError::io(parent, e))?;
        }
        let mut out = File::create(&target).map_err(|e| CompileError::io(&target, e))?;
        io::copy(&mut entry, &mut out).map_err(|e| CompileError::io(&target, e))?;
    }
    Ok(())
}
