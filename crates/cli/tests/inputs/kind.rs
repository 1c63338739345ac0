//! What is particular about the program with a number: where its inputs come from, and how it is
//! checked.

/// Whether the outcomes of the program with a number are compared, instead of its errors.
pub fn compares_outcomes(number: u64) -> bool {
    number % 4 == 1
}

/// Whether the program with a number runs under x86-TSO.
pub fn is_tso(number: u64) -> bool {
    number % 5 == 3
}

/// Whether the program with a number computes with floating-point numbers.
pub fn has_floats(number: u64) -> bool {
    number % 10 == 6
}

/// Whether races are reported of such a program; otherwise, all stores are delayed.
pub fn races(number: u64) -> &'static str {
    match number % 3 {
        0 => "on",
        _ => "off",
    }
}

/// With how many threads the inputs of the program with a number are followed.
pub fn threads(number: u64) -> &'static str {
    match number % 7 {
        2 | 6 => "2",
        _ => "1",
    }
}

/// Where the inputs of a program come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Nondet,
    /// Inputs of one byte, which Impasse tries or follows.
    Bytes,
    StandardInput,
    Argument,
    Rand,
}

impl Source {
    pub fn of(number: u64) -> Source {
        match number % 10 {
            5 => Source::Bytes,
            7 => Source::StandardInput,
            8 => Source::Argument,
            9 => Source::Rand,
            _ => Source::Nondet,
        }
    }

    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Source::Nondet => &[],
            Source::Bytes => &["-DBYTES"],
            Source::StandardInput => &["-DSTDIN", "--stdin-bytes", "2"],
            Source::Argument => &["-DARGUMENT", "--arg-bytes", "2"],
            Source::Rand => &["-DRAND", "--any-rand"],
        }
    }

    /// The flags by which all values are tried, besides.
    pub fn tried(self) -> &'static [&'static str] {
        match self {
            Source::Nondet | Source::Bytes => &["-DTRY"],
            Source::StandardInput | Source::Argument => &["--nondet", "0..7"],
            Source::Rand => &["--nondet", "0..15"],
        }
    }

    /// How many inputs there are at most.
    pub fn most(self) -> u32 {
        match self {
            Source::StandardInput | Source::Argument => 2,
            Source::Nondet | Source::Bytes | Source::Rand => 4,
        }
    }
}
