//! The program, built by clang for this machine, with the runtime that steers it.

use anyhow::{Context, Result, bail};
use impasse_compile::{Language, Source, Toolchain};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime: each file and its content, as they are in the source tree.
const RUNTIME: [(&str, &str); 17] = [
    ("steered.h", include_str!("../runtime/steered.h")),
    ("objects.h", include_str!("../runtime/objects.h")),
    ("channel.c", include_str!("../runtime/channel.c")),
    ("accesses.c", include_str!("../runtime/accesses.c")),
    ("memory.c", include_str!("../runtime/memory.c")),
    ("leaks.c", include_str!("../runtime/leaks.c")),
    ("strings.c", include_str!("../runtime/strings.c")),
    ("marks.c", include_str!("../runtime/marks.c")),
    ("behaviour.c", include_str!("../runtime/behaviour.c")),
    ("signals.c", include_str!("../runtime/signals.c")),
    ("jumps.c", include_str!("../runtime/jumps.c")),
    ("threads.c", include_str!("../runtime/threads.c")),
    ("locks.c", include_str!("../runtime/locks.c")),
    ("waits.c", include_str!("../runtime/waits.c")),
    ("times.c", include_str!("../runtime/times.c")),
    ("annotations.c", include_str!("../runtime/annotations.c")),
    ("inputs.h", include_str!("../../../runtime/inputs.h")),
];

/// Undefined behaviour that the runtime notices.
const CHECKED: &str = "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift,bounds,\
                       unreachable,return,function";

/// To LLVM's form of the program, before any sanitizer has instrumented it, but with the marks of
/// where variables begin and end.
const BEFORE_INSTRUMENTED: &[&str] = &[
    "-g",
    "-O0",
    "-fsanitize=thread",
    CHECKED,
    "-fsanitize-recover=all",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-omit-frame-pointer",
    "-fno-pie",
    "-w",
    "-S",
    "-emit-llvm",
];

/// As ThreadSanitizer sees each access, a read before a write of the same variable too; and as
/// AddressSanitizer sees the variables, in calls of the runtime. clang does not do both at once.
const INSTRUMENTING: &[&str] = &[
    "-passes=tsan-module,function(tsan),asan",
    "-tsan-instrument-read-before-write=1",
    "-tsan-instrument-func-entry-exit=0",
    "-asan-instrumentation-with-call-threshold=0",
    "-asan-recover",
    "-asan-use-after-return=always",
    "-asan-use-after-scope",
    "-asan-max-inline-poisoning-size=0",
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
        clang.args(["-D_GNU_SOURCE", "-D__IMPASSE_STEERED__"]);
        clang.args(fitting(&source.flags, language));
        clang.args(fitting(flags, language));
        clang.args(BEFORE_INSTRUMENTED);
        clang.arg("-isystem").arg(toolchain.headers());
        let text = object.with_extension("ll");
        clang.arg(&source.path).arg("-o").arg(&text);
        compile_one(&mut clang, language)?;
        instrument(toolchain, &text, &object)?;
        objects.push(object);
    }
    for (name, content) in RUNTIME {
        std::fs::write(folder.join(name), content)?;
    }
    for (name, _) in RUNTIME.iter().filter(|(name, _)| name.ends_with(".c")) {
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

/// Runs clang on one source. Headers of Impasse's C++ library include more of each other than those
/// of the system's do: a source that needs that gets those too.
fn compile_one(clang: &mut Command, language: Language) -> Result<()> {
    let done = run(clang);
    if done.is_ok() || language != Language::Cxx {
        return done;
    }
    for header in ["functional", "memory", "mutex", "string", "vector"] {
        clang.args(["-include", header]);
    }
    run(clang).or(done)
}

/// Instruments a file of LLVM's, and compiles it.
fn instrument(toolchain: &Toolchain, text: &Path, object: &Path) -> Result<()> {
    let module = std::fs::read_to_string(text)?;
    let attributes = |line: &str| match line.starts_with("attributes #") {
        true => line.replace(" sanitize_thread", " sanitize_thread sanitize_address"),
        false => line.to_owned(),
    };
    let lines: Vec<String> = module.lines().map(attributes).collect();
    std::fs::write(text, lines.join("\n") + "\n")?;
    let instrumented = text.with_extension("bc");
    let mut opt = Command::new(toolchain.clang().with_file_name("opt"));
    opt.args(INSTRUMENTING)
        .arg(text)
        .arg("-o")
        .arg(&instrumented);
    run(&mut opt)?;
    let mut clang = Command::new(toolchain.clang());
    clang.args(["-O0", "-fno-omit-frame-pointer", "-fno-pie", "-w", "-c"]);
    clang.arg(&instrumented).arg("-o").arg(object);
    run(&mut clang)
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
