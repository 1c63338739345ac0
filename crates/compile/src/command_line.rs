//! Compilers' command lines, and what Impasse takes from them.
//!
//! Impasse compiles programs itself, with its own target, debug information and code generation. Of
//! a compiler's flags it keeps those that decide what a program means, and those that it does not
//! know, which clang then judges. It drops those that only concern output, dependencies, linking,
//! warnings about the build, instrumentation, or code generation: `DROPPED` lists them. It refuses
//! those that ask for a program which Impasse cannot check (`REFUSED`).

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

use crate::error::CompileError;

/// Flags whose value may be the next word. Each of them may also be joined to its value, except for
/// those that begin with `-M`, and `-o`, where only the next word counts here.
const WITH_VALUE: &str = "-A -D -F -I -L -MF -MJ -MQ -MT -T -U -Xassembler -Xclang -Xlinker \
     -Xpreprocessor -arch -aux-info -dumpbase -dumpbase-ext -dumpdir -e -framework -idirafter -imacros -imultilib \
     -include -include-pch -iprefix -iquote -isysroot -isystem -iwithprefix -iwithprefixbefore \
     -l -mllvm -o -target -u -wrapper -x -z --param --sysroot";

/// Flags that Impasse takes without `--clang`. A star stands for any rest.
const KNOWN: &str = "-A* -B* -C -CC -D* -E -F* -H -I* -L* -M* -O* -P -Q* -S -T* -U* -W* -X* -ansi -arch \
     -c -d* -e -f* -g* -i* -l* -m* -no* -o* -p -pedantic* -pg -pie -pipe -pthread -r -rdynamic -s \
     -save-temps* -shared* -static* -std=* -stdlib=* -target -trigraphs -u* -undef -v -w \
     -wrapper -x* -z";

/// Flags that do not decide what the program means.
const DROPPED: &[&str] = &[
    // Output and dependencies.
    "-### -C -CC -E -H -M? -MM? -MF* -MJ -MQ* -MT* -P -S -Wp,-M* -aux-info -c -d* -dumpbase* \
     -dumpdir -fdump-* -fintegrated-as -fno-integrated-as -fstack-usage -fsyntax-only \
     -ftime-report* -ftime-trace* -fverbose-asm -no-canonical-prefixes -o* -pipe -save-temps* \
     -v -wrapper --save-temps* --verbose",
    // How diagnostics look.
    "-fansi-escape-codes -fcolor-diagnostics -fno-color-diagnostics -fdiagnostics-* \
     -fno-diagnostics-* -fmax-errors=* -fmessage-length=*",
    // Assembling and linking.
    "-B* -L* -T* -Wa,* -Wl,* -Xassembler -Xlinker -e -fuse-ld=* -fuse-linker-plugin \
     -fno-use-linker-plugin -flto* -fno-lto -ffat-lto-objects -fno-fat-lto-objects -framework \
     -l* -no-pie -nodefaultlibs -nolibc -nostartfiles -nostdlib -nostdlib++ -pie -r -rdynamic \
     -s -shared* -static* -stdlib=* -u -z --ld-path=* --rtlib=* --unwindlib=*",
    // Debug information.
    "-g* -fdebug-* -fno-debug-* -feliminate-unused-debug-* -fpch-* -ffile-prefix-map=* \
     -ffile-compilation-dir=* -frandom-seed=* -fstandalone-debug -fno-standalone-debug \
     -fvar-tracking* -fno-var-tracking*",
    // Instrumentation.
    "-fcoverage-* -fno-coverage-* -fprofile-* -fno-profile-* -fsanitize* -fno-sanitize* \
     -ftest-coverage -fxray-* -p -pg --coverage",
    // Code generation and hardening.
    "-O* -fPIC -fPIE -fpic -fpie -fno-PIC -fno-PIE -fno-pic -fno-pie \
     -fasynchronous-unwind-tables -fno-asynchronous-unwind-tables -fcf-protection* \
     -fdata-sections -fno-data-sections -ffunction-sections -fno-function-sections \
     -fomit-frame-pointer -fno-omit-frame-pointer -fplt -fno-plt -fsemantic-interposition \
     -fno-semantic-interposition -fstack-check* -fstack-clash-protection \
     -fno-stack-clash-protection -fstack-protector* -fno-stack-protector* -ftree-* -fno-tree-* \
     -funwind-tables -fno-unwind-tables -fvectorize -fno-vectorize -fslp-vectorize \
     -fno-slp-vectorize -funroll-* -fno-unroll-* -finline-limit=* -m64 -march=native \
     -mcmodel=* -mcpu=* -mno-red-zone -mpreferred-stack-boundary=* -mred-zone -mtune=*",
    // Where another compiler finds its own headers and parts.
    "-isysroot -mllvm --gcc-toolchain=* --gcc-install-dir=* --sysroot --sysroot=* --param \
     --param=*",
];

/// Flags that ask for a program which Impasse cannot check, and why.
const REFUSED: &[(&str, &str)] = &[
    ("-m16", BITS),
    ("-m32", BITS),
    ("-mx32", BITS),
    ("-arch", TARGET),
    ("-target", TARGET),
    ("--target=*", TARGET),
    (
        "-fopenmp*",
        "OpenMP is not supported; use threads of the standard library, or leave the flag out",
    ),
    ("-fopenacc*", "OpenACC is not supported; leave the flag out"),
    (
        "-fgnu-tm",
        "transactional memory is not supported; use locks",
    ),
    ("-fmodules*", MODULES),
    ("-fmodule-*", MODULES),
    ("-fprebuilt-module-path=*", MODULES),
    (
        "-include-pch",
        "precompiled headers are not supported; include the header itself: -include",
    ),
    ("-fplugin*", PLUGINS),
    ("-fpass-plugin=*", PLUGINS),
];

/// Where the system keeps the headers of what is installed.
pub(crate) const SYSTEM_FOLDERS: [&str; 3] = [
    "/usr/include",
    "/usr/local/include",
    "/usr/include/x86_64-linux-gnu",
];

const BITS: &str = "Impasse checks programs for 64-bit x86; leave the flag out, or use --data-model ilp32 of \
                    `run` and `loops`";
const TARGET: &str = "Impasse checks programs for 64-bit x86 Linux; leave the flag out";
const MODULES: &str = "modules are not supported; include headers instead";
const PLUGINS: &str = "plug-ins of a compiler are not supported; leave the flag out";

/// The most files that the response files of one command line may name.
pub const MOST_RESPONSE_FILES: usize = 1000;

/// What Impasse takes from a compiler's command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// The words that are no flags: the names of files.
    pub files: Vec<String>,
    /// The flags that decide what the program means, and those that Impasse does not know, with
    /// their values, in order.
    pub flags: Vec<String>,
    /// The language of the files, if the command says so, in the compiler's words.
    pub language: Option<String>,
}

impl CommandLine {
    /// Reads the words of a command line, without the compiler's name. Fails if a flag lacks its
    /// value, or asks for what Impasse cannot check.
    pub fn read<W: AsRef<str>>(words: &[W]) -> Result<CommandLine, CompileError> {
        let mut line = CommandLine::default();
        let mut words = words.iter().map(AsRef::as_ref);
        while let Some(word) = words.next() {
            if !word.starts_with('-') || word == "-" {
                line.files.push(word.to_owned());
                continue;
            }
            let value = match takes_next_word(word) {
                true => Some(words.next().ok_or_else(|| {
                    CompileError::Toolchain(format!("{word}: a value must follow this flag"))
                })?),
                false => None,
            };
            line.take(word, value)?;
        }
        line.leave_out_precompiled();
        Ok(line)
    }

    /// Leaves out `-Xclang -include-pch -Xclang FILE`: clang has precompiled that header for
    /// another target. CMake includes the header itself as well.
    fn leave_out_precompiled(&mut self) {
        const PASSED: [&str; 3] = ["-Xclang", "-include-pch", "-Xclang"];
        while let Some(at) = self.flags.windows(4).position(|words| words[..3] == PASSED) {
            self.flags.drain(at..at + 4);
        }
    }

    fn take(&mut self, flag: &str, value: Option<&str>) -> Result<(), CompileError> {
        if let Some((_, why)) = REFUSED.iter().find(|(pattern, _)| matches(pattern, flag)) {
            return Err(CompileError::Toolchain(format!("{flag}: {why}")));
        }
        if let Some(language) = joined_or_next("-x", flag, value) {
            self.language = Some(language.to_owned());
        } else if flag == "-Ofast" {
            self.flags.push("-ffast-math".into());
        } else if let Some(folder) = system_folder(flag, value) {
            self.flags.extend(["-idirafter".into(), folder.to_owned()]);
        } else if !is_dropped(flag) {
            self.flags.push(flag.to_owned());
            self.flags.extend(value.map(str::to_owned));
        }
        Ok(())
    }
}

/// The folder of the system's headers that a flag names. Compilers look there last, whatever the
/// flag; before our own, its C library's headers would be taken.
fn system_folder<'a>(flag: &'a str, value: Option<&'a str>) -> Option<&'a str> {
    let named = |name| joined_or_next(name, flag, value);
    let folder = named("-isystem").or_else(|| named("-I"))?;
    SYSTEM_FOLDERS
        .contains(&folder.trim_end_matches('/'))
        .then_some(folder)
}

fn joined_or_next<'a>(name: &str, flag: &'a str, value: Option<&'a str>) -> Option<&'a str> {
    let rest = flag.strip_prefix(name)?;
    if rest.is_empty() { value } else { Some(rest) }
}

/// Returns whether the next word of a command line is the value of this flag.
pub fn takes_next_word(flag: &str) -> bool {
    WITH_VALUE.split_whitespace().any(|known| known == flag)
}

/// Returns whether Impasse knows this as a flag for compilers. Of what clang accepts, these are
/// the flags of one dash that are in use.
pub fn is_known(flag: &str) -> bool {
    is_among(KNOWN, flag)
}

/// The flags less those about macros, which preprocessed files have no use for.
pub(crate) fn without_macros<'a>(flags: impl Iterator<Item = &'a String>) -> Vec<&'a String> {
    const MACROS: &str = "-D* -U* -include* -imacros*";
    let mut value_of_macro = false;
    let is_kept = |flag: &&String| {
        let is_value = std::mem::take(&mut value_of_macro);
        let is_macro = !is_value && is_among(MACROS, flag);
        value_of_macro = is_macro && takes_next_word(flag);
        !is_value && !is_macro
    };
    flags.filter(is_kept).collect()
}

/// Whether Impasse itself decides what this flag is about.
pub(crate) fn is_dropped(flag: &str) -> bool {
    DROPPED.iter().any(|patterns| is_among(patterns, flag))
}

fn is_among(patterns: &str, flag: &str) -> bool {
    let mut patterns = patterns.split_whitespace();
    patterns.any(|pattern| matches(pattern, flag))
}

/// Whether a flag is what a pattern says: a star stands for any rest, a question mark for any
/// letter or none.
fn matches(pattern: &str, flag: &str) -> bool {
    match (pattern.strip_suffix('*'), pattern.strip_suffix('?')) {
        (Some(start), _) => flag.starts_with(start),
        (_, Some(start)) => flag.strip_prefix(start).is_some_and(|rest| rest.len() <= 1),
        (None, None) => flag == pattern,
    }
}

/// Returns words with each response file, `@FILE`, replaced by the words in it, and those that it
/// names in turn. Relative names start from `folder`. Fails if one cannot be read, or if they name
/// each other without end.
pub fn expand<W: Into<String>>(
    words: impl IntoIterator<Item = W>,
    folder: &Path,
) -> Result<Vec<String>, CompileError> {
    let mut left: VecDeque<String> = words.into_iter().map(Into::into).collect();
    let mut expanded = Vec::new();
    let mut files = 0;
    while let Some(word) = left.pop_front() {
        let Some(name) = word.strip_prefix('@') else {
            expanded.push(word);
            continue;
        };
        let path = folder.join(name);
        files += 1;
        if files > MOST_RESPONSE_FILES {
            let why = "response files name each other without end; remove the cycle";
            return Err(CompileError::input(path, why));
        }
        for word in response_words(&path)?.into_iter().rev() {
            left.push_front(word);
        }
    }
    Ok(expanded)
}

/// Returns the words in a response file. Fails if it cannot be read.
pub fn response_words(path: &Path) -> Result<Vec<String>, CompileError> {
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => CompileError::input(path, "there is no such response file"),
        _ => CompileError::io(path, error),
    })?;
    Ok(split_response(&text))
}

/// Splits the text of a response file at white space, as GCC and clang do: a backslash takes the
/// next character as it is, also inside quotes of both kinds.
fn split_response(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(end)) if c == end => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<CommandLine, String> {
        let words: Vec<&str> = words.split_whitespace().collect();
        CommandLine::read(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn what_a_program_means_is_kept() {
        let kept = "-DN=3 -D M -Iinclude -I src -isystem lib -include config.h -std=c++17 -U X \
                    -funsigned-char -fno-exceptions -mavx2 -Wall -pthread -w -fwrapv -Xclang -cc1-flag";
        let words: Vec<&str> = kept.split_whitespace().collect();
        assert_eq!(read(kept).expect("all are known").flags, words);
        assert!(
            words
                .iter()
                .filter(|word| word.starts_with('-'))
                .all(|w| is_known(w) || *w == "-cc1-flag")
        );
    }

    #[test]
    fn what_only_concerns_the_build_is_dropped() {
        let line = read(
            "-c -O2 -g3 -ggdb -MD -MMD -MT a.o -MF a.d -o dir/a.o a.c -lm -Wl,-z,now -L lib -fPIC \
             -fstack-protector-strong -flto=auto -fsanitize=thread -march=native -MP -pipe",
        );
        let line = line.expect("nothing is refused");
        assert_eq!(line.flags, [""; 0]);
        assert_eq!(line.files, ["a.c"]);
    }

    #[test]
    fn precompiled_headers_of_cmake_are_left_out() {
        let flags = "-Xclang -include-pch -Xclang a.hxx.pch -Xclang -include -Xclang a.hxx";
        let kept = ["-Xclang", "-include", "-Xclang", "a.hxx"];
        assert_eq!(read(flags).expect("nothing is refused").flags, kept);
    }

    #[test]
    fn fast_floating_point_is_no_matter_of_optimisation() {
        assert_eq!(read("-Ofast").expect("it is known").flags, ["-ffast-math"]);
    }

    #[test]
    fn a_flag_that_impasse_cannot_follow_is_named() {
        for flag in [
            "-m32",
            "-fopenmp",
            "-fopenmp=libomp",
            "--target=arm",
            "-fmodules-ts",
        ] {
            let error = read(&format!("a.c {flag}")).expect_err("it is refused");
            assert!(error.starts_with(&format!("{flag}: ")), "{error}");
        }
        let error = read("a.c -I").expect_err("no folder follows");
        assert!(error.starts_with("-I: "), "{error}");
    }

    #[test]
    fn response_files_are_split_as_compilers_do() {
        let text = "-DA=\"b c\" '-I x'\\ y\n\t-DQ=\\\"q\\\" \"\" last\\\\";
        let words = ["-DA=b c", "-I x y", "-DQ=\"q\"", "", "last\\"];
        assert_eq!(split_response(text), words);
    }

    #[test]
    fn response_files_name_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
        write("outer", "-DA @inner -DC").expect("a file");
        write("inner", "-DB").expect("a file");
        write("self", "-DA @self").expect("a file");
        let expanded = |word: &str| expand([word], folder.path());
        assert_eq!(
            expanded("@outer").expect("both are there"),
            ["-DA", "-DB", "-DC"]
        );
        let error = |word| expanded(word).expect_err("it fails").to_string();
        assert!(error("@self").contains("without end"));
        assert!(error("@missing").contains("missing: there is no such response file"));
    }
}
