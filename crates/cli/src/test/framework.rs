//! Test frameworks: how a program lists its tests, and how it runs one of them.

use clap::ValueEnum;
use impasse_program::link::{FunctionId, Program};

/// Flags without which frameworks catch signals on a stack of their own, which Impasse does not
/// support. Other programs do not use these names.
pub const FLAGS: [&str; 2] = [
    "-DCATCH_CONFIG_NO_POSIX_SIGNALS",
    "-DDOCTEST_CONFIG_NO_POSIX_SIGNALS",
];

/// What Catch2 prints if it does not know an option.
pub const UNKNOWN_OPTION: &str = "Unrecognised token";

/// A test framework.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Framework {
    /// GoogleTest.
    Googletest,
    /// Catch2, version 2 or 3.
    Catch2,
    /// doctest.
    Doctest,
}

impl Framework {
    const ALL: [Framework; 3] = [Framework::Googletest, Framework::Catch2, Framework::Doctest];

    /// Returns the framework that a program is linked with, or `None`.
    pub fn of(program: &Program) -> Option<Framework> {
        let mut names = (0..program.functions()).map(|n| &program.info(FunctionId(n)).name);
        names.find_map(|name| {
            let is_of = |it: &Framework| name.starts_with(it.prefix());
            Framework::ALL.into_iter().find(is_of)
        })
    }

    /// What the names of its functions begin with.
    fn prefix(self) -> &'static str {
        match self {
            Framework::Googletest => "_ZN7testing14InitGoogleTest",
            Framework::Catch2 => "_ZN5Catch7Session",
            Framework::Doctest => "_ZN7doctest7Context",
        }
    }

    /// Returns the arguments with which a program lists its tests: several alternatives, of which a
    /// version of the framework may not know the first.
    pub fn listings(self) -> &'static [&'static [&'static str]] {
        match self {
            Framework::Googletest => &[&["--gtest_list_tests"]],
            Framework::Catch2 => &[
                &["--list-test-names-only"],
                &["--list-tests", "--verbosity", "quiet"],
            ],
            Framework::Doctest => &[&["--list-test-cases"]],
        }
    }

    /// Returns the names of the tests in what a program prints with one of
    /// [`Framework::listings`], without those that run only on demand.
    pub fn tests(self, listing: &str) -> Vec<String> {
        let lines = listing.lines().map(str::trim_end);
        match self {
            Framework::Googletest => googletest(lines),
            // Version 2 quotes names that begin with #.
            Framework::Catch2 => lines
                .filter(|line| !line.is_empty())
                .map(|line| match line.starts_with("\"#") {
                    true => line.trim_matches('"').to_owned(),
                    false => line.to_owned(),
                })
                .collect(),
            Framework::Doctest => {
                let rule = |line: &&str| line.starts_with("=====");
                let after = lines.skip_while(|line| !rule(line)).skip(1);
                after
                    .take_while(|line| !rule(line))
                    .map(str::to_owned)
                    .collect()
            }
        }
    }

    /// Returns the argument with which a program runs this test only.
    pub fn only(self, test: &str) -> String {
        let escaped = |special: &[char]| {
            let mut out = String::new();
            for c in test.chars() {
                if special.contains(&c) {
                    out.push('\\');
                }
                out.push(c);
            }
            out
        };
        match self {
            Framework::Googletest => format!("--gtest_filter={test}"),
            Framework::Catch2 => escaped(&['\\', ',', '[', ']', '"', '*', '~']),
            Framework::Doctest => format!("--test-case={}", escaped(&['\\', ','])),
        }
    }
}

/// Suites stand at the margin and end in a dot; their tests are indented; comments follow `  #`.
fn googletest<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut suite = "";
    let mut tests = Vec::new();
    for line in lines {
        let name = line.split("  #").next().unwrap_or(line).trim_end();
        match name.strip_prefix("  ") {
            Some(test) if !suite.is_empty() => {
                let is_disabled =
                    |name: &str| name.split('/').any(|part| part.starts_with("DISABLED_"));
                if !is_disabled(test) && !is_disabled(suite) {
                    tests.push(format!("{suite}{test}"));
                }
            }
            _ if name.ends_with('.') && !name.contains(' ') => suite = name,
            _ => suite = "",
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn googletest_lists_suites_and_tests() {
        let listing = "Running main() from gtest_main.cc\nCounter.\n  Locked\n  DISABLED_Old\n\
            Some/P.  # TypeParam = int\n  Even/0  # GetParam() = 2\nDISABLED_Suite.\n  Test\n";
        let tests = Framework::Googletest.tests(listing);
        assert_eq!(tests, ["Counter.Locked", "Some/P.Even/0"]);
    }

    #[test]
    fn doctest_lists_between_rules() {
        let listing = "[doctest] listing all test case names\n=======\nadds, really\nfails\n\
            =======\n[doctest] unskipped test cases passing the current filters: 2\n";
        assert_eq!(Framework::Doctest.tests(listing), ["adds, really", "fails"]);
    }

    #[test]
    fn catch2_lists_names() {
        let tests = Framework::Catch2.tests("adds \"one\"\n\"#2 quoted\"\n\n");
        assert_eq!(tests, ["adds \"one\"", "#2 quoted"]);
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(
            Framework::Catch2.only("a, [b] \"c\""),
            "a\\, \\[b\\] \\\"c\\\""
        );
        assert_eq!(Framework::Doctest.only("a, b"), "--test-case=a\\, b");
    }
}
