//! From sources to bitcode with the real clang: errors, the cache, precompiled headers.
//!
//! The library and the precompiled headers come from the cache that the project shares; what the
//! tests compile goes there too, under keys of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use impasse_compile::{
    CompileError, CompileRequest, DataModel, Library, Module, Toolchain, compile, library,
};
use tempfile::TempDir;

static READY: LazyLock<(Toolchain, Library)> = LazyLock::new(|| {
    let toolchain = Toolchain::locate(&Toolchain::default_cache()).expect("clang 19 is installed");
    let library =
        library::ensure(&toolchain, DataModel::Lp64, &|_| {}).expect("the library can be built");
    (toolchain, library)
});

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().expect("a folder for the test"))
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn compile_with(path: &Path, flags: &[&str]) -> Result<Module, CompileError> {
    let (toolchain, library) = &*READY;
    let flags = flags.iter().map(ToString::to_string).collect();
    let request = CompileRequest {
        inputs: vec![path.to_owned().into()],
        flags,
        optimise: false,
    };
    compile(toolchain, library, &request).map(|mut modules| modules.remove(0))
}

fn compile_one(path: &Path) -> Result<Module, CompileError> {
    compile_with(path, &[])
}

fn complaint(path: &Path) -> String {
    compile_one(path)
        .expect_err("it must not compile")
        .to_string()
}

fn disassemble(module: &Module) -> String {
    let output = Command::new("llvm-dis-19")
        .arg("-o")
        .arg("-")
        .arg(&module.bitcode)
        .output()
        .expect("llvm-dis-19 runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("LLVM assembly is text")
}

#[test]
fn what_cannot_be_a_program_is_told_in_one_line() {
    let folder = Folder::new();
    let cases = [
        (folder.path("missing.c"), "there is no such file"),
        (folder.write("empty.cpp", ""), "is empty"),
        (folder.write("blank.c", " \n\n"), "is empty"),
        (folder.write("binary.c", b"\x7fELF\0\0"), "is not text"),
        (
            folder.write("script.py", "print(1)"),
            "is not a kind of file that Impasse knows",
        ),
        (
            folder.write("broken.bc", "BC, not really"),
            "is not LLVM bitcode",
        ),
        (folder.write("folder.c/inside", ""), "is empty"),
    ];
    for (path, expected) in &cases[..6] {
        let message = complaint(path);
        assert!(message.contains(expected), "{message}");
        assert!(
            message.starts_with(&path.display().to_string()) && !message.contains('\n'),
            "{message}"
        );
    }
    assert!(complaint(&folder.path("folder.c")).contains("is a folder"));
}

#[test]
fn clang_has_its_own_words() {
    let folder = Folder::new();
    let path = folder.write("wrong.c", "int main(void) { return undeclared; }\n");
    let message = complaint(&path);
    assert!(
        message.contains("wrong.c:1:25: error: use of undeclared identifier 'undeclared'"),
        "{message}"
    );
}

#[test]
fn flags_that_change_what_clang_does_are_refused() {
    let folder = Folder::new();
    let path = folder.write("good.c", "int main(void) { return 0; }\n");
    let message = compile_with(&path, &["-o", "x"])
        .expect_err("-o is ours")
        .to_string();
    assert!(message.starts_with("-o: "), "{message}");
}

#[test]
fn locals_have_names_and_lifetimes_and_every_access_stays() {
    let folder = Folder::new();
    let source = "int shared;\nint main(void) { { int twice = shared; twice += shared; shared = twice; } return 0; }\n";
    let text = disassemble(&compile_one(&folder.write("accesses.c", source)).expect("it compiles"));
    assert_eq!(text.matches("load i32, ptr @shared").count(), 2, "{text}");
    assert!(
        text.contains("%twice = alloca i32") && text.contains("@llvm.lifetime.end"),
        "{text}"
    );
    assert!(
        !text.contains("optnone") && text.contains("x86_64-unknown-linux-musl"),
        "{text}"
    );
}

#[test]
fn an_unchanged_program_is_taken_from_the_cache_and_a_changed_one_is_not() {
    let folder = Folder::new();
    let header = folder.write("limit.h", "#define LIMIT 3\n");
    let path = folder.write(
        "main.c",
        "#include \"limit.h\"\n#ifdef OTHER\nint other;\n#endif\nint main(void) { return LIMIT; }\n",
    );
    let first = compile_one(&path).expect("it compiles");
    let made = fs::metadata(&first.bitcode)
        .expect("it is there")
        .modified()
        .expect("it has a date");
    let second = compile_one(&path).expect("it compiles");
    assert_eq!(first.bitcode, second.bitcode);
    assert_eq!(
        made,
        fs::metadata(&second.bitcode)
            .expect("it is there")
            .modified()
            .expect("it has a date")
    );

    fs::write(&header, "#define LIMIT 4\n").expect("the header changes");
    let third = compile_one(&path).expect("it compiles");
    assert!(disassemble(&third).contains("ret i32 4") || disassemble(&third).contains("i32 4"));
    assert_ne!(first.bitcode, third.bitcode);
    assert_ne!(
        third.bitcode,
        compile_with(&path, &["-DOTHER"])
            .expect("it compiles")
            .bitcode
    );
}

#[test]
fn a_header_that_is_added_before_another_is_noticed() {
    let folder = Folder::new();
    folder.write("late/value.h", "#define VALUE 1111\n");
    let path = folder.write(
        "main.c",
        "#include <value.h>\nint main(void) { return VALUE; }\n",
    );
    let early = format!("-I{}", folder.path("early").display());
    let late = format!("-I{}", folder.path("late").display());
    let flags = [early.as_str(), late.as_str()];
    assert!(disassemble(&compile_with(&path, &flags).expect("it compiles")).contains("1111"));
    folder.write("early/value.h", "#define VALUE 2222\n");
    assert!(disassemble(&compile_with(&path, &flags).expect("it compiles")).contains("2222"));
}

#[test]
fn what_has_include_does_not_find_yet_is_noticed() {
    let folder = Folder::new();
    let source =
        "#if __has_include(\"late.h\")\nint value = 2222;\n#else\nint value = 1111;\n#endif\n";
    let path = folder.write("main.c", source);
    let first = compile_one(&path).expect("it compiles");
    assert!(disassemble(&first).contains("1111"));
    assert_eq!(
        first.bitcode,
        compile_one(&path).expect("it compiles").bitcode
    );
    folder.write("late.h", "");
    assert!(disassemble(&compile_one(&path).expect("it compiles")).contains("2222"));
}

#[test]
fn precompiled_headers_show_nothing_that_a_file_does_not_include() {
    let folder = Folder::new();
    let good = folder.write(
        "good.cpp",
        "#include <mutex>\nstd::mutex m;\nint main() { m.lock(); m.unlock(); }\n",
    );
    let text = disassemble(&compile_one(&good).expect("it compiles"));
    assert!(
        text.contains("_ZNSt3__15mutex4lockEv") && !text.contains("ios_base"),
        "{text}"
    );
    let bad = folder.write(
        "bad.cpp",
        "#include <mutex>\nint main() { std::cout << 1; }\n",
    );
    assert!(complaint(&bad).contains("no member named 'cout' in namespace 'std'"));
}

#[test]
fn warnings_come_back_from_the_cache() {
    let folder = Folder::new();
    let path = folder.write("warned.c", "int main(void) { int unused; return 0; }\n");
    for _ in 0..2 {
        let module = compile_with(&path, &["-Wall"]).expect("it compiles");
        assert!(
            module.warnings.contains("unused variable 'unused'"),
            "{}",
            module.warnings
        );
    }
}

#[test]
fn preprocessed_files_and_assembly_are_taken() {
    let folder = Folder::new();
    let preprocessed = folder.write(
        "p.i",
        "# 1 \"p.c\"\nextern int puts(const char *);\nint main(void) { return puts(\"\"); }\n",
    );
    assert!(disassemble(&compile_one(&preprocessed).expect("it compiles")).contains("@puts"));
    let assembly = folder.write("a.ll", "define i32 @main() {\n  ret i32 7\n}\n");
    let module = compile_one(&assembly).expect("it compiles");
    assert!(disassemble(&module).contains("ret i32 7"));
    let copy = folder.write("copy.bc", fs::read(&module.bitcode).expect("bitcode"));
    assert_eq!(compile_one(&copy).expect("it is taken").bitcode, copy);
}

#[test]
fn our_header_is_harmless_elsewhere() {
    let folder = Folder::new();
    let source =
        "#include <impasse.h>\nint main(void) { impasse_assume(1); return impasse_choose(2); }\n";
    let path = folder.write("chooses.c", source);
    assert!(disassemble(&compile_one(&path).expect("it compiles")).contains("@__impasse_choose("));
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../include");
    let program = folder.path("native");
    let status = Command::new("clang-19")
        .args(["-Wall", "-Werror", include])
        .arg(&path)
        .arg("-o")
        .arg(&program)
        .status();
    assert!(status.expect("clang-19 runs").success());
    assert!(Command::new(&program).status().expect("it runs").success());
}

#[test]
fn the_library_has_no_inline_assembly() {
    let (_, library) = &*READY;
    for name in [
        "stdio/vfprintf.c",
        "string/strlen.c",
        "errno/__errno_location.c",
    ] {
        let member = library
            .members()
            .iter()
            .find(|member| member.source.ends_with(name))
            .expect("it is a member");
        let module = Module {
            input: PathBuf::new(),
            bitcode: member.bitcode.clone(),
            warnings: String::new(),
            is_member: false,
            foreign: false,
        };
        let text = disassemble(&module);
        assert!(!text.contains(" asm "), "{name}");
        assert!(
            name != "string/strlen.c" || !text.contains("load i64"),
            "words beyond the string's end are read"
        );
    }
}
