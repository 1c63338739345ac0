//! The runtime that steers a program, compiled once and kept in the cache.

use anyhow::{Context, Result, bail};
use impasse_compile::Toolchain;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime: each file and its content, as they are in the source tree.
const RUNTIME: [(&str, &str); 18] = [
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
    ("descriptors.c", include_str!("../runtime/descriptors.c")),
    ("times.c", include_str!("../runtime/times.c")),
    ("annotations.c", include_str!("../runtime/annotations.c")),
    ("inputs.h", include_str!("../../../runtime/inputs.h")),
];

/// How the runtime is compiled.
const FLAGS: &[&str] = &[
    "-std=gnu17",
    "-O1",
    "-fno-omit-frame-pointer",
    "-fexceptions",
    "-fno-pie",
    "-fno-builtin",
];

/// Returns the runtime as one object, which is compiled if it is not in the cache. Fails if clang
/// or the cache does.
pub fn runtime(toolchain: &Toolchain) -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    (RUNTIME, FLAGS, toolchain.clang_identity()).hash(&mut hasher);
    let folder = toolchain.cache().join("native");
    let object = folder.join(format!("{:016x}.o", hasher.finish()));
    if !object.is_file() {
        std::fs::create_dir_all(&folder)?;
        let work = tempfile::Builder::new()
            .prefix(".new-")
            .tempdir_in(&folder)?;
        let made = compiled(toolchain, work.path())?;
        // Who loses a race puts an equal object there.
        std::fs::rename(made, &object)?;
    }
    Ok(object)
}

/// Compiles the runtime in a folder.
fn compiled(toolchain: &Toolchain, folder: &Path) -> Result<PathBuf> {
    for (name, content) in RUNTIME {
        std::fs::write(folder.join(name), content)?;
    }
    let mut objects = Vec::new();
    for (name, _) in RUNTIME.iter().filter(|(name, _)| name.ends_with(".c")) {
        let source = folder.join(name);
        let object = source.with_extension("o");
        let mut clang = Command::new(toolchain.clang());
        clang.args(FLAGS).arg("-c").arg(&source);
        run(clang.arg("-o").arg(&object))?;
        objects.push(object);
    }
    let all = folder.join("all.o");
    let mut clang = Command::new(toolchain.clang());
    clang.args(["-r", "-no-pie"]).args(objects);
    run(clang.arg("-o").arg(&all))?;
    Ok(all)
}

/// Runs a tool. Fails with what it says if it does.
pub fn run(command: &mut Command) -> Result<()> {
    let output = command.output().context("clang-19")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
