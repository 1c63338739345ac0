//! The flags that clang is called with, for the libraries and for users' programs.
//!
//! Both see the same target, the same headers and the same configuration of libc++, so that
//! what they share fits together.

use std::ffi::OsString;
use std::path::Path;

use crate::data_model::DataModel;
use crate::sources::Sources;
use crate::toolchain::Toolchain;

/// With `-fmath-errno`, `acos(x)` stays a call of musl's function and is no operation of the
/// processor's.
const TARGET: &[&str] = &[
    "-emit-llvm",
    "-c",
    "-nostdinc",
    "-fno-pic",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-ffp-contract=off",
    "-fmath-errno",
];

/// After the level of optimisation, which would bring it back. Vector code compares distances
/// between arrays before it runs, and so exposes them.
const SCALAR: &[&str] = &["-fno-vectorize", "-fno-slp-vectorize"];

/// What libc++'s build system would write into its configuration header.
const LIBCXX_CONFIGURATION: &[&str] = &[
    "-nostdinc++",
    "-D_LIBCPP_ABI_VERSION=1",
    "-D_LIBCPP_ABI_NAMESPACE=__1",
    "-D_LIBCPP_HAS_MUSL_LIBC",
    "-D_LIBCPP_HAS_THREAD_API_PTHREAD",
    "-D_LIBCPP_PSTL_BACKEND_SERIAL",
    "-D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS",
    // The library's part of its std::barrier, for which the runtime has its own.
    "-D_LIBCPP_HAS_NO_TREE_BARRIER",
];

/// What GCC only warns about up to version 13, clang does not refuse either.
const USER_C: &[&str] = &[
    "-std=gnu17",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
];

/// `std::jthread`, stop tokens, synchronised streams and time zones are there without
/// `-fexperimental-library`. The parallel algorithms are not, even with it: libc++ runs them in one
/// thread, where a race between their calls would never show. What libc++'s functions require is
/// checked in the program, and not in the library.
const USER_CXX: &[&str] = &[
    "-std=gnu++23",
    "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE",
    "-D_LIBCPP_ENABLE_EXPERIMENTAL",
    "-D_LIBCPP_HAS_NO_INCOMPLETE_PSTL",
];

/// Makes clang preprocess once more what GCC has preprocessed, with no macros but those of
/// [`of_gcc`]. With `_FORTIFY_SOURCE`, glibc's functions of variable arguments are inline and pass
/// these on as clang cannot; without the attribute, clang makes nothing of them, and the library's
/// are called.
pub(crate) const AGAIN: &[&str] = &["-undef", "-D__always_inline__=", "-x"];

/// Earlier standards, of which a program may need what later ones have removed, the latest first.
pub(crate) const EARLIER_CXX: &[&str] = &["gnu++17", "gnu++14"];

const LIBRARY: &[&str] = &[
    "-w",
    "-gline-tables-only",
    "-fdebug-compilation-dir=/library",
];

/// Without it, optimised code computes values on paths that do not use them: in `string::find`, the
/// difference of a null pointer and another one, which exposes the other one's object.
const NO_SPECULATION: &[&str] = &["-mllvm", "-two-entry-phi-node-folding-threshold=0"];

const MUSL: &[&str] = &[
    "-std=c99",
    "-O2",
    "-ffreestanding",
    "-fno-strict-aliasing",
    "-fno-unroll-loops",
    "-D_XOPEN_SOURCE=700",
];

const LIBCXX: &[&str] = &[
    "-std=c++23",
    "-O2",
    "-fno-unroll-loops",
    "-fexceptions",
    "-frtti",
    "-faligned-allocation",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-DNDEBUG",
    "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "-D_LIBCPP_BUILDING_LIBRARY",
    "-DLIBCXX_BUILDING_LIBCXXABI",
    "-D_LIBCXXABI_BUILDING_LIBRARY",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS",
    "-DHAVE___CXA_THREAD_ATEXIT_IMPL",
];

const RUNTIME: &[&str] = &[
    "-std=c17",
    "-O1",
    "-ffreestanding",
    "-fexceptions",
    "-fno-strict-aliasing",
    "-D_GNU_SOURCE",
];

/// Code generation as for -O1, lifetimes marked, every access kept as it was written.
const USER_AS_WRITTEN: &[&str] = &["-O1", "-Xclang", "-disable-llvm-passes"];

/// Code generation as for -O2, for the step of [`optimiser`].
const USER_TO_OPTIMISE: &[&str] = &["-O2", "-Xclang", "-disable-llvm-passes"];

const USER: &[&str] = &[
    "-g",
    "-fno-discard-value-names",
    "-fno-omit-frame-pointer",
    "-fexceptions",
    "-D__IMPASSE__=1",
];

fn target(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Lp64 => &["--target=x86_64-unknown-linux-musl"],
        DataModel::Ilp32 => &["--target=i386-unknown-linux-musl", "-msse2"],
    }
}

/// A list of arguments in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags(pub(crate) Vec<OsString>);

impl Flags {
    fn words(mut self, words: &[&str]) -> Self {
        self.0.extend(words.iter().map(OsString::from));
        self
    }

    fn include(mut self, option: &str, folder: impl AsRef<Path>) -> Self {
        self.0.push(option.into());
        self.0.push(folder.as_ref().into());
        self
    }

    fn system(self, folder: impl AsRef<Path>) -> Self {
        self.include("-isystem", folder)
    }

    /// libc++'s headers, behind those of the runtime that stand in for some of them.
    fn libcxx_headers(self, toolchain: &Toolchain, sources: &Sources) -> Self {
        self.words(LIBCXX_CONFIGURATION)
            .system(toolchain.runtime().join("libcxx"))
            .system(sources.libcxx().join("include"))
            .system(sources.libcxxabi().join("include"))
    }

    fn target(self, model: DataModel) -> Self {
        self.words(target(model)).words(TARGET)
    }

    /// musl's internal headers.
    fn internal_headers(self, option: &str, sources: &Sources) -> Self {
        let musl = sources.musl();
        let shared = ["arch/generic", "src/include", "src/internal"].map(|path| musl.join(path));
        std::iter::once(sources.arch())
            .chain(shared)
            .fold(self, |flags, folder| flags.include(option, folder))
    }

    /// musl's headers come before the compiler's, as they expect.
    fn c_headers(self, toolchain: &Toolchain, sources: &Sources) -> Self {
        let flags = self.system(toolchain.runtime().join("include"));
        sources
            .libc_headers()
            .iter()
            .fold(flags, Flags::system)
            .system(toolchain.resource_headers())
    }

    /// In debug information the library's files are below `/library`, wherever the cache is.
    fn library_paths(mut self, toolchain: &Toolchain, sources: &Sources) -> Self {
        for (folder, name) in [
            (sources.root().to_owned(), "/library"),
            (toolchain.runtime(), "/library/runtime"),
        ] {
            let mut map = OsString::from("-fdebug-prefix-map=");
            map.push(folder);
            map.push("=");
            map.push(name);
            self.0.push(map);
        }
        self
    }
}

pub(crate) fn musl(toolchain: &Toolchain, sources: &Sources) -> Flags {
    Flags::default()
        .target(sources.model())
        .words(LIBRARY)
        .words(NO_SPECULATION)
        .words(MUSL)
        .words(SCALAR)
        .library_paths(toolchain, sources)
        .include("-I", toolchain.runtime().join("arch"))
        .internal_headers("-I", sources)
        .c_headers(toolchain, sources)
}

/// musl's string functions read whole words, beyond the end of objects, where `__GNUC__` is
/// defined.
pub(crate) const MUSL_STRING: &[&str] = &["-U__GNUC__"];

pub(crate) fn libcxx(toolchain: &Toolchain, sources: &Sources) -> Flags {
    Flags::default()
        .target(sources.model())
        .words(LIBRARY)
        .words(NO_SPECULATION)
        .words(LIBCXX)
        .words(SCALAR)
        .library_paths(toolchain, sources)
        .include("-I", sources.libcxx().join("src"))
        .libcxx_headers(toolchain, sources)
        .c_headers(toolchain, sources)
}

/// The runtime sees musl's internal headers.
pub(crate) fn runtime(toolchain: &Toolchain, sources: &Sources) -> Flags {
    Flags::default()
        .target(sources.model())
        .words(LIBRARY)
        .words(NO_SPECULATION)
        .words(RUNTIME)
        .words(SCALAR)
        .words(&["-Wall", "-Wextra", "-Werror"])
        .library_paths(toolchain, sources)
        .include("-I", toolchain.runtime())
        .include("-isystem", toolchain.runtime().join("arch"))
        .internal_headers("-isystem", sources)
        .c_headers(toolchain, sources)
}

pub(crate) fn user(
    toolchain: &Toolchain,
    sources: &Sources,
    language: Language,
    optimise: bool,
) -> Flags {
    let flags = Flags::default()
        .target(sources.model())
        .words(if optimise {
            USER_TO_OPTIMISE
        } else {
            USER_AS_WRITTEN
        })
        .words(USER)
        .library_paths(toolchain, sources);
    let flags = match language {
        Language::C => flags.words(USER_C),
        Language::Cxx => flags.words(USER_CXX).libcxx_headers(toolchain, sources),
    };
    flags
        .system(toolchain.headers())
        .c_headers(toolchain, sources)
}

/// Optimises a user's program, which is LLVM assembly.
pub(crate) fn optimiser(model: DataModel) -> Flags {
    Flags::default()
        .target(model)
        .words(&["-O2", "-fno-discard-value-names", "-w", "-x", "ir"])
        .words(SCALAR)
        .words(NO_SPECULATION)
}

/// Has a file see as macros what GCC compiles and clang does not.
pub(crate) fn of_gcc(toolchain: &Toolchain) -> Flags {
    Flags::default().include("-include", toolchain.runtime().join("of_gcc.h"))
}

/// LLVM assembly becomes bitcode as it is.
pub(crate) fn assembly() -> Flags {
    Flags::default().words(&[
        "-emit-llvm",
        "-c",
        "-x",
        "ir",
        "-O0",
        "-Xclang",
        "-disable-llvm-passes",
        "-w",
    ])
}

/// The two languages that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cxx,
}
