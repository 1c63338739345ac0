//! Which source files make up the library.
//!
//! Of musl, whole folders are taken, minus single files whose functions are the machine's or
//! the runtime's, or that only make sense on a real kernel. A function that is left out is an
//! unknown external function to a program that calls it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::data_model::DataModel;
use crate::error::CompileError;
use crate::flags;
use crate::sources::Sources;
use crate::toolchain::Toolchain;

/// The parts of the library, in archive order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Runtime,
    Libcxxabi,
    Libcxx,
    Musl,
}

impl Part {
    /// Those that there are for a data model: i386 has C only.
    pub(crate) fn all(model: DataModel) -> &'static [Part] {
        match model {
            DataModel::Lp64 => &[Part::Runtime, Part::Libcxxabi, Part::Libcxx, Part::Musl],
            DataModel::Ilp32 => &[Part::Runtime, Part::Musl],
        }
    }
}

/// A source file and how it is compiled.
pub(crate) struct SourceFile {
    pub(crate) part: Part,
    pub(crate) path: PathBuf,
    /// Its name in debug information.
    pub(crate) name: String,
    pub(crate) flags: &'static [&'static str],
}

const MUSL_FOLDERS: &[&str] = &[
    "complex",
    "conf",
    "crypt",
    "ctype",
    "dirent",
    "env",
    "errno",
    "exit",
    "fcntl",
    "fenv",
    "internal",
    "legacy",
    "linux",
    "locale",
    "malloc",
    "math",
    "misc",
    "mman",
    "multibyte",
    "network",
    "passwd",
    "prng",
    "process",
    "regex",
    "sched",
    "search",
    "select",
    "signal",
    "stat",
    "stdio",
    "stdlib",
    "string",
    "temp",
    "termios",
    "thread",
    "time",
    "unistd",
];

/// The machine allocates, starts and ends processes and threads, synchronises, and takes roots; the
/// runtime names temporary files.
const MUSL_LEFT_OUT: &[&str] = &[
    "env/__init_tls.c",
    "env/__libc_start_main.c",
    "env/__reset_tls.c",
    "env/__stack_chk_fail.c",
    "env/getenv.c",
    "exit/abort.c",
    "exit/assert.c",
    "exit/atexit.c",
    "exit/exit.c",
    "fenv/fenv.c",
    "fenv/fesetround.c",
    "internal/defsysinfo.c",
    "internal/libc.c",
    "internal/vdso.c",
    "linux/clone.c",
    "linux/gettid.c",
    "linux/membarrier.c",
    "malloc/calloc.c",
    "malloc/free.c",
    "malloc/libc_calloc.c",
    "malloc/lite_malloc.c",
    "malloc/memalign.c",
    "malloc/posix_memalign.c",
    "malloc/realloc.c",
    "malloc/replaced.c",
    "math/sqrt.c",
    "math/sqrtf.c",
    "misc/ioctl.c",
    "process/_Fork.c",
    "process/fork.c",
    "process/vfork.c",
    "sched/sched_yield.c",
    "signal/getitimer.c",
    "signal/kill.c",
    "signal/raise.c",
    "signal/setitimer.c",
    "signal/sigqueue.c",
    "signal/sigtimedwait.c",
    "signal/sigwait.c",
    "stdio/__lockfile.c",
    "stdio/ftrylockfile.c",
    "stdio/putc.c",
    "stdio/putc_unlocked.c",
    "stdio/putchar.c",
    "stdio/putchar_unlocked.c",
    "stdio/tmpnam.c",
    "stdio/vsnprintf.c",
    "string/explicit_bzero.c",
    "string/memcpy.c",
    "string/memmove.c",
    "string/memset.c",
    "string/stpcpy.c",
    "string/stpncpy.c",
    "string/strcat.c",
    "string/strcpy.c",
    "string/strerror_r.c",
    "string/strncat.c",
    "string/strncpy.c",
    "string/wcscpy.c",
    "temp/__randname.c",
    "time/timer_create.c",
    "time/timer_delete.c",
    "time/timer_getoverrun.c",
    "time/timer_gettime.c",
    "time/timer_settime.c",
    "unistd/alarm.c",
];

/// Functions of musl's that the runtime calls by another name where it does not print by itself.
const MUSL_RENAMED: &[(&str, &[&str])] = &[
    ("fputc.c", &["-Dfputc=__impasse_locking_fputc"]),
    ("puts.c", &["-Dputs=__impasse_locking_puts"]),
    ("vfprintf.c", &["-Dvfprintf=__impasse_locking_vfprintf"]),
];

/// Of musl's threads, only what sets attributes or is written over other functions.
const MUSL_THREAD: &[&str] = &[
    "call_once.c",
    "default_attr.c",
    "pthread_atfork.c",
    "pthread_attr_destroy.c",
    "pthread_attr_get.c",
    "pthread_attr_init.c",
    "pthread_attr_setdetachstate.c",
    "pthread_attr_setguardsize.c",
    "pthread_attr_setinheritsched.c",
    "pthread_attr_setschedparam.c",
    "pthread_attr_setschedpolicy.c",
    "pthread_attr_setscope.c",
    "pthread_attr_setstack.c",
    "pthread_attr_setstacksize.c",
    "pthread_barrierattr_destroy.c",
    "pthread_barrierattr_init.c",
    "pthread_barrierattr_setpshared.c",
    "pthread_condattr_destroy.c",
    "pthread_condattr_init.c",
    "pthread_condattr_setclock.c",
    "pthread_condattr_setpshared.c",
    "pthread_getconcurrency.c",
    "pthread_mutexattr_destroy.c",
    "pthread_mutexattr_init.c",
    "pthread_mutexattr_setpshared.c",
    "pthread_mutexattr_settype.c",
    "pthread_rwlockattr_destroy.c",
    "pthread_rwlockattr_init.c",
    "pthread_rwlockattr_setpshared.c",
    "pthread_setconcurrency.c",
    "pthread_sigmask.c",
    "thrd_join.c",
    "thrd_sleep.c",
    "thrd_yield.c",
    "tss_create.c",
    "tss_delete.c",
];

const LIBCXX_FOLDERS: &[&str] = &["", "experimental", "filesystem", "ryu"];

/// What is only declared with `-fexperimental-library`, as time zones are.
const LIBCXX_EXPERIMENTAL: &[&str] = &["-fexperimental-library"];

const LIBCXX_STREAMS: &[&str] = &["-include", "__impasse_first_use.h"];

/// `operator new` is libc++abi's; waiting for an atomic to change, and notifying, is the machine's;
/// `std::call_once` and `std::shared_mutex` are the runtime's.
const LIBCXX_LEFT_OUT: &[&str] = &["atomic.cpp", "call_once.cpp", "new.cpp", "shared_mutex.cpp"];

/// The variant for programs without exceptions.
const LIBCXXABI_LEFT_OUT: &[&str] = &["cxa_noexception.cpp"];

/// All source files, in archive order.
pub(crate) fn files(
    toolchain: &Toolchain,
    sources: &Sources,
) -> Result<Vec<SourceFile>, CompileError> {
    let mut files = Vec::new();
    for path in sources_in(&toolchain.runtime(), "c")? {
        let name = format!("/library/runtime/{}", file_name(&path));
        files.push(SourceFile {
            part: Part::Runtime,
            path,
            name,
            flags: &[],
        });
    }
    for path in sources_in(&sources.libcxxabi().join("src"), "cpp")? {
        if !LIBCXXABI_LEFT_OUT.contains(&file_name(&path)) {
            let name = format!("/library/libcxxabi/src/{}", file_name(&path));
            files.push(SourceFile {
                part: Part::Libcxxabi,
                path,
                name,
                flags: &[],
            });
        }
    }
    for folder in LIBCXX_FOLDERS {
        for path in sources_in(&sources.libcxx().join("src").join(folder), "cpp")? {
            if !LIBCXX_LEFT_OUT.contains(&file_name(&path)) {
                let name = format!("/library/libcxx/{}", below(&path, &sources.libcxx()));
                let flags = match (*folder, file_name(&path)) {
                    ("experimental", _) => LIBCXX_EXPERIMENTAL,
                    (_, "iostream.cpp") => LIBCXX_STREAMS,
                    _ => &[],
                };
                files.push(SourceFile {
                    part: Part::Libcxx,
                    path,
                    name,
                    flags,
                });
            }
        }
    }
    musl_files(sources, &mut files)?;
    let parts = Part::all(sources.model());
    files.retain(|file| parts.contains(&file.part));
    Ok(files)
}

fn musl_files(sources: &Sources, files: &mut Vec<SourceFile>) -> Result<(), CompileError> {
    for &folder in MUSL_FOLDERS {
        for path in sources_in(&sources.musl().join("src").join(folder), "c")? {
            let file = file_name(&path);
            let wanted = match folder {
                "thread" => MUSL_THREAD.contains(&file),
                _ => !MUSL_LEFT_OUT.contains(&format!("{folder}/{file}").as_str()),
            };
            if wanted {
                let name = format!("/library/libc/musl/src/{folder}/{file}");
                let renamed = MUSL_RENAMED.iter().find(|(name, _)| *name == file);
                let flags = match (folder, renamed) {
                    ("string", _) => flags::MUSL_STRING,
                    ("stdio", Some((_, flags))) => flags,
                    _ => &[],
                };
                files.push(SourceFile {
                    part: Part::Musl,
                    path,
                    name,
                    flags,
                });
            }
        }
    }
    Ok(())
}

/// Stands for the lists of this module in the digest of the library.
pub(crate) fn fingerprint() -> String {
    let renamed: Vec<&str> = MUSL_RENAMED
        .iter()
        .flat_map(|(_, flags)| *flags)
        .copied()
        .collect();
    let lists: [&[&str]; 10] = [
        MUSL_FOLDERS,
        MUSL_LEFT_OUT,
        MUSL_THREAD,
        LIBCXX_FOLDERS,
        LIBCXX_LEFT_OUT,
        LIBCXX_EXPERIMENTAL,
        LIBCXX_STREAMS,
        LIBCXXABI_LEFT_OUT,
        flags::MUSL_STRING,
        &renamed,
    ];
    lists.map(|list| list.join(" ")).join("\n")
}

/// All files below a folder, sorted.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, CompileError> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

fn sources_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, CompileError> {
    let mut paths = entries(folder)?;
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    Ok(paths)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CompileError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| CompileError::io(folder, e))? {
        paths.push(entry.map_err(|e| CompileError::io(folder, e))?.path());
    }
    paths.sort();
    Ok(paths)
}

fn file_name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}

fn below<'a>(path: &'a Path, root: &Path) -> &'a str {
    path.strip_prefix(root)
        .ok()
        .and_then(|path| path.to_str())
        .unwrap_or_default()
}
