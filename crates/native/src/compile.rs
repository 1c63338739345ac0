//! The program, built by clang for this machine, with the runtime that steers it.

use anyhow::{Context, Result, bail};
use impasse_compile::{Language, Source, Toolchain};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime: each file and its content, as they are in the source tree.
const RUNTIME: [(&str, &str); 7] = [
    ("steered.h", include_str!("../runtime/steered.h")),
    ("channel.c", include_str!("../runtime/channel.c")),
    ("accesses.c", include_str!("../runtime/accesses.c")),
    ("memory.c", include_str!("../runtime/memory.c")),
    ("signals.c", include_str!("../runtime/signals.c")),
    ("threads.c", include_str!("../runtime/threads.c")),
    ("annotations.c", include_str!("../runtime/annotations.c")),
];

/// As ThreadSanitizer sees each access; a read before a write of the same variable too.
const INSTRUMENTED: &[&str] = &[
    "-g",
    "-O0",
    "-fsanitize=thread",
    "-fno-sanitize-recover=all",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
    "-fno-omit-frame-pointer",
    "-fno-pie",
    "-w",
];

/// Builds a program into a folder and returns the executable. Fails with what clang says if it does
/// not compile, or if a file is no source.
pub fn compile(
    toolchain: &Toolchain,
    sources: &[Source],
    flags: &[String],
    folder: &Path,
) -> Result<PathBuf> {
    let mut objects = Vec::new();
    let mut is_cxx = false;
    for (n, source) in sources.iter().enumerate() {
        let Some(language) = source.language() else {
            bail!("{}: only sources can be built", source.path.display());
        };
        is_cxx |= language == Language::Cxx;
        let object = folder.join(format!("{n}.o"));
        let mut clang = Command::new(toolchain.clang());
        clang.args([
            "-x",
            if language == Language::Cxx {
                "c++"
            } else {
                "c"
            },
        ]);
        clang.arg(match language {
            Language::C => "-std=gnu17",
            Language::Cxx => "-std=gnu++23",
        });
        // Impasse's C library hides nothing from programs.
        clang.arg("-D_GNU_SOURCE");
        clang.args(fitting(&source.flags, language));
        clang.args(fitting(flags, language));
        clang.args(INSTRUMENTED);
        clang.arg("-isystem").arg(toolchain.headers());
        clang.arg("-c").arg(&source.path).arg("-o").arg(&object);
        run(&mut clang)?;
        objects.push(object);
    }
    for (name, content) in RUNTIME {
        std::fs::write(folder.join(name), content)?;
    }
    for (name, _) in &RUNTIME[1..] {
        let object = folder.join(name).with_extension("runtime.o");
        let mut clang = Command::new(toolchain.clang());
        clang.args([
            "-std=gnu17",
            "-O1",
            "-fno-omit-frame-pointer",
            "-fexceptions",
        ]);
        clang.args(["-fno-pie", "-fno-builtin"]);
        clang
            .arg("-c")
            .arg(folder.join(name))
            .arg("-o")
            .arg(&object);
        run(&mut clang)?;
        objects.push(object);
    }
    let program = folder.join("program");
    let mut clang = Command::new(toolchain.clang());
    if is_cxx {
        clang.arg("--driver-mode=g++");
    }
    clang.args(["-no-pie", "-rdynamic", "-pthread"]);
    clang.args(&objects).arg("-o").arg(&program);
    clang.args(["-Wl,--as-needed", "-lm", "-ldl", "-latomic"]);
    run(&mut clang)?;
    Ok(program)
}

/// The flags, less a standard of the other language.
fn fitting(flags: &[String], language: Language) -> impl Iterator<Item = &String> {
    flags
        .iter()
        .filter(move |flag| match flag.split_once("-std=") {
            None => true,
            Some((_, standard)) => standard.contains("++") == (language == Language::Cxx),
        })
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output().context("clang-19")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
