//! The program, built by clang for this machine, with the runtime that steers it.

use crate::runtime::{run, runtime};
use anyhow::{Result, bail};
use impasse_compile::{Language, Source, Toolchain};
use std::path::{Path, PathBuf};
use std::process::Command;

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
        // What Impasse's C++ library checks, this one checks too.
        clang.arg("-D_GLIBCXX_ASSERTIONS");
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
    objects.push(runtime(toolchain)?);
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
    let mut lines: Vec<String> = module.lines().map(attributes).collect();
    let of_harness: Vec<_> = lines.iter().filter_map(|line| harness(line)).collect();
    let names = of_harness.iter();
    let names: Vec<_> = names
        .map(|(a, b)| (format!("@{a}("), format!("@{b}(")))
        .collect();
    for line in &mut lines {
        for (mangled, plain) in &names {
            *line = line.replace(mangled, plain);
        }
    }
    let mut lines: Vec<String> = lines.into_iter().flat_map(with_assembly).collect();
    lines.push(format!("declare void @{ASSEMBLY}(ptr, i32, i64)"));
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

/// The function of the runtime that arrives at inline assembly, which no sanitizer instruments.
const ASSEMBLY: &str = "__impasse_assembly";

/// A line and, if it is assembly with an operand in memory, an arrival at that before it.
fn with_assembly(line: String) -> Vec<String> {
    match arrival(&line) {
        Some(arrival) => vec![arrival, line],
        None => vec![line],
    }
}

/// The arrival at the first operand in memory of assembly.
fn arrival(line: &str) -> Option<String> {
    let (_, assembly) = line.split_once(" asm ")?;
    let (_, rest) = assembly.split_once('"')?;
    let (template, rest) = rest.split_once("\", \"")?;
    let (constraints, operands) = rest.split_once("\"(")?;
    let (_, operand) = operands.split_once("ptr elementtype(")?;
    let (kind, operand) = operand.split_once(") ")?;
    let mut depth = 0;
    let end = operand.find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0 || depth == 0 && c == ','
    })?;
    let constraints: Vec<&str> = constraints.split(',').collect();
    let is = |wanted: &str| constraints.contains(&wanted);
    let (reads, writes) = (is("*m"), is("=*m"));
    let orders = template.contains("lock") || template.contains("xchg");
    // As `steered.h` numbers classes, atomic ones, and memory orders.
    let order = if orders { 4 } else { 0 };
    let class = i32::from(reads) | i32::from(writes) << 1 | 8 | order << 4;
    let bits = kind.strip_prefix('i').and_then(|bits| bits.parse().ok());
    let size: u32 = if kind == "ptr" {
        8
    } else {
        bits.unwrap_or(8) / 8
    };
    let place = line.split_once("!dbg ")?.1.split(',').next()?;
    let at = &operand[..end];
    Some(format!(
        "  call void @{ASSEMBLY}(ptr {at}, i32 {class}, i64 {size}), !dbg {place}"
    ))
}

/// The mangled name and the name of a function of a verification harness that a line declares: C++
/// may declare them without `extern "C"`, with any parameters.
fn harness(line: &str) -> Option<(String, String)> {
    let (_, rest) = line.strip_prefix("declare ")?.split_once("@_Z")?;
    let mangled = rest.split_once('(')?.0;
    let digits = mangled.len()
        - mangled
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .len();
    let length: usize = mangled[..digits].parse().ok()?;
    let name = mangled.get(digits..digits + length)?;
    let is_it = name.starts_with("__VERIFIER_") || name == "reach_error";
    is_it.then(|| (format!("_Z{mangled}"), name.to_owned()))
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

#[cfg(test)]
mod tests {
    use super::{arrival, harness};

    #[test]
    fn assembly_arrives_at_its_operand_in_memory() {
        let line = r#"  %3 = call i8 asm sideeffect "lock; btsl $$3, $0; setc $1", "=*m,=q,*m"(ptr elementtype(i32) @word, ptr elementtype(i32) @word) #4, !dbg !71, !srcloc !72"#;
        let wanted = "  call void @__impasse_assembly(ptr @word, i32 75, i64 4), !dbg !71";
        assert_eq!(arrival(line).as_deref(), Some(wanted));
        let line = r#"  %4 = call i64 asm sideeffect "movq $1, $0", "=r,*m"(ptr elementtype(i64) getelementptr inbounds (i8, ptr @a, i64 8)) #4, !dbg !7, !srcloc !2"#;
        let wanted = "  call void @__impasse_assembly(ptr getelementptr inbounds (i8, ptr @a, i64 8), i32 9, i64 8), !dbg !7";
        assert_eq!(arrival(line).as_deref(), Some(wanted));
        let line =
            r#"  call void asm sideeffect "mfence", "~{memory}"() #4, !dbg !66, !srcloc !67"#;
        assert_eq!(arrival(line), None);
    }

    #[test]
    fn functions_of_a_harness_lose_their_mangling() {
        let line = "declare noundef i32 @_Z21__VERIFIER_nondet_intv() #2";
        let wanted = (
            "_Z21__VERIFIER_nondet_intv".into(),
            "__VERIFIER_nondet_int".into(),
        );
        assert_eq!(harness(line), Some(wanted));
        assert_eq!(harness("declare void @_Z3addi(i32 noundef)"), None);
        assert_eq!(harness("declare void @_Z9999(i32 noundef)"), None);
    }
}
