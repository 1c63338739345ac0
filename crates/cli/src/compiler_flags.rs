//! Flags for the compiler on the command line of Impasse.
//!
//! Impasse's own options begin with two dashes, flags for compilers with one. So [`sort_out`] turns
//! every word of one dash that compilers know, with its value, into `--clang=WORD`, before clap
//! parses the command line, and replaces response files by the words in them. It does so for the
//! subcommands that have `--clang`, up to `--`, and leaves the values of Impasse's options as they
//! are. Flags keep their order.

use anyhow::{Result, anyhow, bail};
use clap::Args;
use impasse_compile::CommandLine;
use impasse_compile::command_line::{
    MOST_RESPONSE_FILES, expand, is_known, response_words, takes_next_word,
};
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The option for one flag, without its dashes.
const OPTION: &str = "clang";

/// Flags for the compiler.
#[derive(Args, Clone, Default)]
pub struct CompilerFlags {
    /// Flag for clang, whatever it is; may be repeated. The flags that compilers have in common
    /// (-I, -D, -U, -include, -std=, -f…, -m…, -W…, @FILE) need no `--clang`.
    #[arg(long = OPTION, value_name = "FLAG", allow_hyphen_values = true)]
    direct: Vec<String>,
}

impl CompilerFlags {
    /// Returns the flags for the compiler that decide what the program means: those that were
    /// given directly, and then `last`. Fails if Impasse cannot follow one of them.
    pub fn chosen(&self, last: &[String]) -> Result<Vec<String>> {
        let words = expand(self.direct.iter().chain(last), Path::new(""))?;
        let line = CommandLine::read(&words)?;
        if let Some(file) = line.files.first() {
            bail!("{file}: stands among the flags for the compiler; name files before `--`");
        }
        if let Some(language) = line.language {
            bail!(
                "-x {language}: Impasse takes a file's language from its name; leave the flag out"
            );
        }
        Ok(line.flags)
    }
}

/// Returns a command line with each flag for the compiler as an option of Impasse. Fails if a word
/// of one dash is no such flag, lacks its value, or a response file cannot be read.
pub fn sort_out(words: Vec<OsString>, definition: &clap::Command) -> Result<Vec<OsString>> {
    let subcommand = words
        .get(1)
        .and_then(|name| definition.find_subcommand(name));
    let Some(subcommand) = subcommand.filter(|it| option(it, OPTION).is_some()) else {
        return Ok(words);
    };
    let mut left: VecDeque<OsString> = words.into();
    let mut sorted: Vec<OsString> = left.drain(..2).collect();
    let mut response_files = 0;
    while let Some(word) = left.pop_front() {
        let text = word.to_string_lossy();
        if text == "--" {
            sorted.push(word);
            sorted.extend(left.drain(..));
        } else if let Some(name) = text.strip_prefix("--") {
            let takes_next =
                option(subcommand, name).is_some_and(|it| it.get_action().takes_values());
            sorted.push(word);
            if takes_next {
                sorted.extend(left.pop_front());
            }
        } else if let Some(own) = short_option(subcommand, &text) {
            sorted.push(word);
            if own.get_action().takes_values() {
                sorted.extend(left.pop_front());
            }
        } else if word.as_bytes().starts_with(b"@") {
            let path = Path::new(OsStr::from_bytes(&word.as_bytes()[1..]));
            response_files += 1;
            if response_files > MOST_RESPONSE_FILES {
                bail!(
                    "{}: response files name each other without end",
                    path.display()
                );
            }
            for word in response_words(path)?.into_iter().rev() {
                left.push_front(word.into());
            }
        } else if text == "-h" || text == "-" || !text.starts_with('-') {
            sorted.push(word);
        } else {
            check(&text, subcommand)?;
            let value = takes_next_word(&text).then(|| left.pop_front());
            if let Some(None) = value {
                bail!("{text}: a value must follow this flag");
            }
            let all = std::iter::once(word).chain(value.flatten());
            sorted.extend(all.map(as_option));
        }
    }
    Ok(sorted)
}

/// Fails, with what to do, if a word of one dash is no flag that compilers know.
fn check(word: &str, subcommand: &clap::Command) -> Result<()> {
    let name = word[1..].split('=').next().unwrap_or_default();
    let command = subcommand.get_name();
    if option(subcommand, name).is_some() {
        bail!("{word}: options of Impasse begin with two dashes: --{name}");
    }
    match is_known(word) {
        true => Ok(()),
        false => Err(anyhow!(
            "{word}: neither an option of `impasse {command}`, which its --help lists, nor a known \
             flag for compilers; give it as --clang={word} if clang knows it"
        )),
    }
}

fn option<'a>(subcommand: &'a clap::Command, name: &str) -> Option<&'a clap::Arg> {
    subcommand
        .get_arguments()
        .find(|it| it.get_long() == Some(name))
}

/// The option that a word of one dash and one letter is, if the subcommand has one.
fn short_option<'a>(subcommand: &'a clap::Command, word: &str) -> Option<&'a clap::Arg> {
    let letter = word.strip_prefix('-').filter(|it| it.len() == 1)?;
    let mut own = subcommand.get_arguments();
    own.find(|it| {
        it.get_short()
            .is_some_and(|short| letter.starts_with(short))
    })
}

fn as_option(flag: OsString) -> OsString {
    let mut word = OsString::from(format!("--{OPTION}="));
    word.push(flag);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    #[allow(dead_code, reason = "only its definition is used")]
    enum Definition {
        Check {
            files: Vec<String>,
            #[command(flatten)]
            flags: CompilerFlags,
            #[arg(long)]
            nondet: Option<String>,
            #[arg(long)]
            optimise: bool,
            #[arg(short = 'n', long)]
            name: Option<String>,
        },
        Certify {
            files: Vec<String>,
        },
    }

    fn sorted(words: &str) -> Result<String> {
        let words = words.split(' ').map(OsString::from).collect();
        let definition = <Definition as clap::CommandFactory>::command();
        let sorted = sort_out(words, &definition)?;
        let text = sorted
            .iter()
            .map(|word| word.to_string_lossy().into_owned());
        Ok(text.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn flags_may_stand_anywhere_before_two_dashes() {
        assert_eq!(
            sorted("impasse check -DA -I b c.c --optimise -O2 d.c -- -DE").expect("all is known"),
            "impasse check --clang=-DA --clang=-I --clang=b c.c --optimise --clang=-O2 d.c -- -DE"
        );
    }

    #[test]
    fn values_of_options_are_no_flags() {
        let words = "impasse check --nondet -1..3 a.c -h";
        assert_eq!(sorted(words).expect("it is valid"), words);
        assert_eq!(
            sorted("impasse check --nondet=0..3 -w").expect("it is valid"),
            "impasse check --nondet=0..3 --clang=-w"
        );
    }

    #[test]
    fn short_options_of_the_subcommand_are_no_flags() {
        assert_eq!(
            sorted("impasse check a.c -n x -w").expect("it is valid"),
            "impasse check a.c -n x --clang=-w"
        );
    }

    #[test]
    fn other_subcommands_are_left_alone() {
        assert_eq!(
            sorted("impasse certify -DA").expect("clap's"),
            "impasse certify -DA"
        );
        assert_eq!(sorted("impasse").expect("clap's"), "impasse");
    }

    #[test]
    fn a_word_that_nobody_knows_is_an_error() {
        let error = |words| sorted(words).expect_err("it is wrong").to_string();
        assert!(error("impasse check -quick 3").starts_with("-quick: neither"));
        assert!(error("impasse check -nondet=1..2").ends_with("two dashes: --nondet"));
        assert!(error("impasse check a.c -I").starts_with("-I: a value"));
    }
}
