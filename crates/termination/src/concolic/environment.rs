//! Calls of the library whose answers come from outside of the program, or that only print.
//!
//! *Numbers from outside* (`rand`, `isatty`, `getpid`) are inputs, in the range that the standards
//! promise. What an execution cannot change is read once; each further call with the same arguments
//! gives the same number.
//!
//! *What has one answer here* (`getenv`, files, the clock) is executed as the library of the model
//! answers it; the execution notes the call, and whatever is claimed of it is claimed under that
//! condition only.
//!
//! *Every other question to the system* is answered by the model's system calls, and is a condition
//! as well, unless it is one of those that the functions in [`TRUSTED`] ask.
//!
//! *Output* of what is known to be printable is left out where nothing reads the result of the
//! call: it changes nothing that the program could see.

use impasse_machine::system::System;
use impasse_machine::system::sequential::Sequential;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::link::{FunctionId, Program};
use impasse_program::word::Word;

/// Where the answer of a function comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// A number of so many bits, another one at each call.
    Number { bits: u8, signed: bool },
    /// A number of so many bits that is the same at each call with these arguments.
    Once { bits: u8, signed: bool },
    /// The model of the library knows one.
    Fixed,
    /// The call may fail.
    Memory,
}

/// Functions after which a stream of the library, or its buffer, may be gone, or be the program's.
const SPOILING: &[&str] = &["fclose", "freopen", "setbuf", "setvbuf", "setbuffer"];

/// Whether the program leaves the streams of the library as they are.
pub(super) fn keeps_streams(program: &Program) -> bool {
    let is_absent = |name: &&str| program.find_function(name).is_none();
    SPOILING.iter().all(is_absent)
}

/// Whether a call makes an array of the program the buffer of a stream: what it then holds, the
/// standards leave open.
pub(super) fn gives_buffer(name: &str, arguments: &[Word]) -> bool {
    matches!(name, "setbuf" | "setvbuf" | "setbuffer") && !arguments.get(1).is_some_and(is_null)
}

fn is_null(word: &Word) -> bool {
    word.is_defined() && word.bits == 0
}

/// Functions of which it is taken for granted, everywhere, that the system does what they are for:
/// output does not fail, standard input is there, a sleep ends.
const TRUSTED: &[&str] = &[
    "printf",
    "fprintf",
    "dprintf",
    "vprintf",
    "vfprintf",
    "vdprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fwrite",
    "fflush",
    "perror",
    "write",
    "putchar_unlocked",
    "putc_unlocked",
    "scanf",
    "fscanf",
    "vscanf",
    "vfscanf",
    "getchar",
    "getc",
    "fgetc",
    "fgets",
    "gets",
    "getline",
    "getdelim",
    "fread",
    "getchar_unlocked",
    "getc_unlocked",
    "fclose",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "sleep",
    "usleep",
    "nanosleep",
    "sched_yield",
];

/// Whether a function is the one through which the library makes its system calls.
pub(crate) fn is_system_call(program: &Program, id: FunctionId) -> bool {
    let info = program.info(id);
    info.name == "__impasse_syscall" && !program.is_users(info.unit)
}

/// Functions to which this library gives an answer of its own, where another one asks the system.
const STUBS: &[&str] = &[
    "sched_getparam",
    "sched_getscheduler",
    "sched_setparam",
    "sched_setscheduler",
    "dlopen",
    "dlsym",
    "gethostid",
    "getnetbyaddr",
    "getnetbyname",
    "getnetent",
    "getutent",
    "getutid",
    "getutline",
    "getutxent",
    "getutxid",
    "getutxline",
    "pututline",
    "pututxline",
];

/// Whether another library would ask the system what this one answers.
pub(crate) fn is_stub(name: &str) -> bool {
    STUBS.contains(&name)
}

/// Whether a function of the library may ask the system without a condition.
pub(super) fn is_trusted(name: &str) -> bool {
    TRUSTED.contains(&name)
}

/// Whether a call of a function of the library bounds how long the processor may run the program,
/// which it then ends.
pub(super) fn limits_time(name: &str, arguments: &[Word]) -> bool {
    /// `RLIMIT_CPU` of Linux.
    const PROCESSOR: u32 = 0;
    let may_be_processor = |word: &Word| !word.is_defined() || word.bits as u32 == PROCESSOR;
    match name {
        "setrlimit" | "setrlimit64" => arguments.first().is_some_and(may_be_processor),
        "prlimit" | "prlimit64" => {
            arguments.get(1).is_some_and(may_be_processor) && !arguments.get(2).is_some_and(is_null)
        }
        _ => false,
    }
}

/// Where the answer of a function comes from; `None` if the program itself computes it.
pub(super) fn answer(name: &str) -> Option<Answer> {
    let unsigned = |bits| Answer::Once {
        bits,
        signed: false,
    };
    Some(match name {
        "rand" | "random" | "lrand48" => Answer::Number {
            bits: 31,
            signed: false,
        },
        "mrand48" => Answer::Number {
            bits: 32,
            signed: true,
        },
        "getuid" | "geteuid" | "getgid" | "getegid" => unsigned(31),
        // The largest that Linux gives is one less than 2^22.
        "getpid" | "getppid" | "getpgrp" => unsigned(22),
        "isatty" => unsigned(1),
        "access" => Answer::Once {
            bits: 1,
            signed: true,
        },
        "malloc" | "calloc" | "realloc" | "aligned_alloc" | "posix_memalign" | "strdup"
        | "strndup" => Answer::Memory,
        "getenv" | "secure_getenv" | "fopen" | "freopen" | "fdopen" | "tmpfile" | "open"
        | "openat" | "creat" | "stat" | "fstat" | "lstat" | "opendir" | "read" | "pread"
        | "lseek" | "getcwd" | "gethostname" | "sysconf" | "time" | "clock" | "gettimeofday"
        | "clock_gettime" | "localtime" | "gmtime" | "times" | "getrusage" | "getrandom"
        | "getentropy" | "rand_r" | "drand48" | "erand48" | "nrand48" | "jrand48" | "setlocale"
        | "ttyname" | "mkstemp" | "readlink" | "socket" | "uname" | "getlogin" | "getpwuid"
        | "getpwnam" | "sigaction" | "signal" | "fork" | "wait" | "waitpid" | "poll" | "select" => {
            Answer::Fixed
        }
        _ if is_stub(name) => Answer::Fixed,
        _ => return None,
    })
}

/// Whether the standards exclude that the function returns this number.
pub(super) fn is_excluded(name: &str, value: u64) -> bool {
    value == 0 && matches!(name, "getpid" | "getppid" | "getpgrp")
}

/// Whether a call of a function prints, to a stream of the library, numbers and texts that are
/// known to be there.
pub(super) fn prints(
    system: &System,
    machine: &Sequential<'_>,
    name: &str,
    arguments: &[Word],
) -> bool {
    let defined = arguments.iter().all(|word| word.is_defined());
    let text = |at: usize| literal(system, machine, *arguments.get(at)?);
    let stream = |at: usize| arguments.get(at).and_then(global).is_some();
    let formatted = |at: usize| {
        let texts = text(at).and_then(|format| printed_texts(&format));
        texts.is_some_and(|texts| texts.into_iter().all(|n| text(at + 1 + n).is_some()))
    };
    defined
        && keeps_streams(&system.program)
        && match name {
            "putchar" => true,
            "puts" => text(0).is_some(),
            "putc" | "fputc" => stream(1),
            "fputs" => text(0).is_some() && stream(1),
            "printf" => formatted(0),
            "fprintf" => stream(0) && formatted(1),
            _ => false,
        }
}

/// The number of the global variable that a word points into.
fn global(word: &Word) -> Option<u32> {
    match Address::from_bits(word.bits).object.kind() {
        ObjectKind::Global(number) if word.pointer => Some(number),
        _ => None,
    }
}

/// A text that nothing can change.
fn literal(system: &System, machine: &Sequential<'_>, word: Word) -> Option<String> {
    if global(&word)? < system.program.mutable_globals() {
        return None;
    }
    let address = Address::from_bits(word.bits);
    let text = machine.memory().string(word).ok()?;
    let size = machine.object(address.object)?.bytes().len();
    let end = usize::try_from(address.offset).ok()? + text.len();
    (end < size).then_some(text)
}

/// Which conversions of a format, by their numbers from 0, are of texts; `None` if any is of
/// neither a number nor a text.
fn printed_texts(format: &str) -> Option<Vec<usize>> {
    let mut texts = Vec::new();
    let mut conversions = 0;
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        let end = rest.find(|c: char| !"-+ #0123456789.hlzjtL".contains(c))?;
        let is_plain = !rest[..end].contains(|c: char| "hlzjtL".contains(c));
        match rest.as_bytes()[end] {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'f' | b'g' | b'e' => conversions += 1,
            b's' if is_plain => {
                texts.push(conversions);
                conversions += 1;
            }
            b'%' => {}
            _ => return None,
        }
        rest = &rest[end + 1..];
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::printed_texts;

    #[test]
    fn formats() {
        for text in ["", "x", "%d\n", "%-5ld|%%|%.3f", "%08lx"] {
            assert_eq!(printed_texts(text), Some(vec![]), "{text}");
        }
        assert_eq!(printed_texts("%s%%%d %s"), Some(vec![0, 2]));
        for text in ["%n", "%*d", "%", "%p", "%ls"] {
            assert_eq!(printed_texts(text), None, "{text}");
        }
    }
}
