//! Functions of the library: what the standards say that they write and return, used in place of
//! their code.
//!
//! They return, whatever their arguments are: one that reads past the end of a string ends at the
//! latest where memory does, and files and terminals answer. What they return is anything. So
//! whatever depends on the environment (files, variables, time, random numbers) is universally
//! quantified. What they write must stay inside of its object, like any other write.

/// How much a function writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Size {
    /// So many bytes.
    Bytes(u64),
    /// As many as an argument says.
    Argument(usize),
    /// As many as the product of two arguments.
    Product(usize, usize),
    /// As many as the string that an argument points to has, its end included.
    String(usize),
    /// It is unknown.
    Unbounded,
}

/// One thing that a function writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Written {
    /// The argument that points to it.
    pub to: usize,
    /// How much.
    pub size: Size,
    /// Whether nothing is written if the pointer is null.
    pub optional: bool,
}

/// What a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Returned {
    /// Anything.
    Anything,
    /// Its first argument.
    First,
    /// Its first argument, or null.
    FirstOrNull,
    /// An address in the object that its first argument points to, or null.
    IntoFirst,
    /// A new object of unknown size, or null.
    Object,
    /// The address of `errno`.
    Errno,
    /// It does not return.
    Never,
}

/// What a function prints according to a format, which comes before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Printed {
    /// Arguments from this one on.
    Arguments(usize),
    /// A list of variable arguments.
    List(usize),
}

impl Printed {
    /// Returns the number of the argument that is the format.
    pub(super) fn format(self) -> usize {
        match self {
            Printed::Arguments(at) | Printed::List(at) => at - 1,
        }
    }
}

/// What must be so for an effect to be all that a call has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Only {
    /// It always is.
    Always,
    /// An argument is null: it would be a buffer that later calls write to.
    IfNull(usize),
    /// The program does not look at the array of the environment's variables.
    WithoutEnvironment,
}

/// What is known of a function of the library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    pub writes: Vec<Written>,
    /// Where the conversions of `scanf` start among the arguments, if that is what it is; the
    /// format comes before.
    pub conversions: Option<usize>,
    /// Where what `printf` prints starts among the arguments, if that is what it is.
    pub printed: Option<Printed>,
    /// What it must be called with for all this to hold.
    pub only: Only,
    pub returned: Returned,
}

/// Functions after which others may be called at other times than they seem to be, or that do not
/// return where they were called.
const OUT_OF_ORDER: &[&str] = &[
    "atexit",
    "at_quick_exit",
    "on_exit",
    "__cxa_atexit",
    "signal",
    "sigaction",
    "raise",
    "kill",
    "alarm",
    "setitimer",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "system",
    "fork",
    "vfork",
    "execl",
    "execlp",
    "execle",
    "execv",
    "execvp",
    "execve",
    "bsd_signal",
    "sigset",
];

/// Functions after which the program may wait for itself: reading what it has not written, or
/// locking what it has locked.
const WAITED_FOR: &[&str] = &[
    "pipe",
    "pipe2",
    "socketpair",
    "socket",
    "mkfifo",
    "mkfifoat",
    "mknod",
    "mknodat",
    "eventfd",
    "flock",
    "lockf",
    "openpty",
    "posix_openpt",
    "popen",
];

/// Whether the program may wait for itself once it has called a function.
pub(super) fn is_waited_for(name: &str) -> bool {
    WAITED_FOR.contains(&name)
}

/// The names of the array of the environment's variables.
pub(super) const ENVIRONMENT: &[&str] = &["environ", "_environ", "__environ"];

/// Whether control may return from a function, or reach others, on paths that are not followed.
pub(super) fn is_out_of_order(name: &str) -> bool {
    OUT_OF_ORDER.contains(&name)
}

/// Functions that write nothing the program can see, and return anything.
const SILENT: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "memcmp",
    "bcmp",
    "strspn",
    "strcspn",
    "strcoll",
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "isprint",
    "ispunct",
    "isxdigit",
    "iscntrl",
    "isgraph",
    "isblank",
    "toupper",
    "tolower",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fflush",
    "perror",
    "fwrite",
    "ungetc",
    "fabs",
    "fabsf",
    "fabsl",
    "sqrt",
    "sqrtf",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "round",
    "trunc",
    "fmod",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "pow",
    "sinf",
    "cosf",
    "log10",
    "log2",
    "exp2",
    "atan",
    "atan2",
    "asin",
    "acos",
    "fmin",
    "fmax",
    "__fpclassify",
    "__fpclassifyf",
    "__fpclassifyl",
    "__signbit",
    "__signbitf",
    "fdim",
    "rint",
    "nearbyint",
    "lrint",
    "lround",
    "copysign",
    "remainder",
    "nan",
    "fmaxf",
    "fminf",
    "roundf",
    "truncf",
    "fmodf",
    "expf",
    "logf",
    "powf",
    "tanf",
    "sinh",
    "cosh",
    "tanh",
    "cbrt",
    "hypot",
    // The environment.
    "getenv",
    "secure_getenv",
    "rand",
    "srand",
    "random",
    "srandom",
    "drand48",
    "lrand48",
    "mrand48",
    "srand48",
    "getchar",
    "getc",
    "fgetc",
    "getchar_unlocked",
    "getc_unlocked",
    "fopen",
    "fdopen",
    "freopen",
    "tmpfile",
    "fclose",
    "feof",
    "ferror",
    "clearerr",
    "fileno",
    "fseek",
    "ftell",
    "rewind",
    "remove",
    "rename",
    "unlink",
    "rmdir",
    "mkdir",
    "chdir",
    "access",
    "open",
    "close",
    "write",
    "lseek",
    "dup",
    "dup2",
    "isatty",
    "ttyname",
    "getpid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "getpgrp",
    "gethostid",
    "clock",
    "sleep",
    "usleep",
    "sched_yield",
    "sysconf",
    "getpagesize",
    "strerror",
    "setlocale",
    "difftime",
    "umask",
    "chmod",
    "sync",
    "fsync",
];

/// What is known of the function with this name, if anything is.
pub(super) fn effect(name: &str) -> Option<Effect> {
    use Returned::*;
    use Size::*;
    let must = |to, size| Written {
        to,
        size,
        optional: false,
    };
    let may = |to, size| Written {
        to,
        size,
        optional: true,
    };
    let mut conversions = None;
    let mut printed = None;
    let mut only = Only::Always;
    let (writes, returned) = match name {
        _ if SILENT.contains(&name) => (vec![], Anything),
        "strchr" | "strrchr" | "strstr" | "memchr" | "memrchr" | "strpbrk" | "strchrnul" => {
            (vec![], IntoFirst)
        }
        "strdup" | "strndup" => (vec![], Object),
        "__errno_location" => (vec![], Errno),
        "strcpy" => (vec![must(0, String(1))], First),
        "strncpy" => (vec![must(0, Argument(2))], First),
        "strcat" | "strncat" => (vec![must(0, Unbounded)], First),
        "gets" => (vec![must(0, Unbounded)], FirstOrNull),
        "fgets" => (vec![must(0, Argument(1))], FirstOrNull),
        "printf" | "fprintf" | "dprintf" | "sprintf" | "snprintf" | "vprintf" | "vfprintf"
        | "vdprintf" | "vsprintf" | "vsnprintf" => {
            let (writes, format) = match name.trim_start_matches('v') {
                "printf" => (vec![], 0),
                "sprintf" => (vec![must(0, Unbounded)], 1),
                "snprintf" => (vec![may(0, Argument(1))], 2),
                _ => (vec![], 1),
            };
            printed = Some(match name.starts_with('v') {
                true => Printed::List(format + 1),
                false => Printed::Arguments(format + 1),
            });
            (writes, Anything)
        }
        "setbuf" | "setvbuf" => {
            only = Only::IfNull(1);
            (vec![], Anything)
        }
        "setenv" | "unsetenv" => {
            only = Only::WithoutEnvironment;
            (vec![], Anything)
        }
        "scanf" => {
            conversions = Some(1);
            (vec![], Anything)
        }
        "sscanf" | "fscanf" => {
            conversions = Some(2);
            (vec![], Anything)
        }
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "frexp" | "modf" => {
            (vec![may(1, Bytes(8))], Anything)
        }
        "time" => (vec![may(0, Bytes(8))], Anything),
        "gettimeofday" => (vec![may(0, Bytes(16)), may(1, Bytes(8))], Anything),
        "clock_gettime" => (vec![may(1, Bytes(16))], Anything),
        "nanosleep" => (vec![may(1, Bytes(16))], Anything),
        "stat" | "lstat" | "fstat" => (vec![must(1, Bytes(144))], Anything),
        "read" => (vec![must(1, Argument(2))], Anything),
        "fread" => (vec![must(0, Product(1, 2))], Anything),
        "getrandom" => (vec![must(0, Argument(1))], Anything),
        "bzero" => (vec![must(0, Argument(1))], Anything),
        "exit" | "_exit" | "_Exit" | "abort" | "quick_exit" => (vec![], Never),
        _ => return None,
    };
    Some(Effect {
        writes,
        conversions,
        printed,
        only,
        returned,
    })
}

/// Whether printing according to a format may store how much was printed (`%n`).
pub(super) fn stores_counts(format: &[u8]) -> bool {
    let mut rest = format.iter().copied();
    while rest.any(|byte| byte == b'%') {
        let is_modifier = |byte: &u8| b"hlLjztqIZ".contains(byte);
        let ends = |byte: &u8| *byte == b'%' || byte.is_ascii_alphabetic() && !is_modifier(byte);
        // After w come the bits of C23's integers, and what they are.
        if let Some(b'n' | b'w') = rest.find(ends) {
            return true;
        }
    }
    false
}

/// What the conversions of a format write, in order; none if that is not known.
pub(super) fn scanned(format: &[u8]) -> Option<Vec<u64>> {
    let mut written = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let skipped = rest.next_if_eq(&b'*').is_some();
        let mut width = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            width = Some(width.unwrap_or(0u64).checked_mul(10)? + u64::from(digit - b'0'));
        }
        let mut shorter = 0;
        let mut longer = false;
        while let Some(modifier) = rest.next_if(|byte| b"hlLjztq".contains(byte)) {
            match modifier {
                b'h' => shorter += 1,
                _ => longer = true,
            }
        }
        let bytes = match rest.next()? {
            b'%' => continue,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n' => match (longer, shorter) {
                (true, _) => 8,
                (_, 0) => 4,
                (_, 1) => 2,
                _ => 1,
            },
            b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A' => {
                if longer {
                    16
                } else {
                    4
                }
            }
            b'c' if !longer => width.unwrap_or(1),
            b's' if !longer => width? + 1,
            b'p' => 8,
            _ => return None,
        };
        if !skipped {
            written.push(bytes);
        }
    }
    Some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_effect() {
        let mut names: Vec<&&str> = SILENT.iter().collect();
        names.sort_unstable();
        let before = names.len();
        names.dedup();
        assert_eq!(names.len(), before);
        assert!(names.iter().all(|name| !is_out_of_order(name)));
    }

    #[test]
    fn stored_counts() {
        for format in [
            "%n",
            "a%-08.3hhn",
            "%d%%%lln",
            "%*ld %jn",
            "%2$In",
            "%wf32n",
        ] {
            assert!(stores_counts(format.as_bytes()), "{format}");
        }
        for format in [
            "",
            "%%n",
            "%dn",
            "n%s",
            "%5.*fn%%",
            "%ln".trim_end_matches('n'),
        ] {
            assert!(!stores_counts(format.as_bytes()), "{format}");
        }
    }

    #[test]
    fn conversions() {
        assert_eq!(scanned(b"%d %hhx,%ld"), Some(vec![4, 1, 8]));
        assert_eq!(scanned(b"%*d%7s%c%%"), Some(vec![8, 1]));
        assert_eq!(scanned(b"%s"), None);
        assert_eq!(scanned(b"%[a-z]"), None);
    }
}
