//! The commands of a simulation.

use anyhow::{Context, Result, bail};

/// Where to stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Location {
    /// In a line of a file, if one is named.
    Line(Option<String>, u32),
    /// In a function.
    Function(String),
}

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Make a move, by its number among the choices.
    Choose(usize),
    /// Let a thread make so many moves.
    Go(Option<u32>, usize),
    /// Let a thread move to another line, also of a function that it calls.
    Step(Option<u32>),
    /// Let a thread move to another line of its function, or of a caller.
    Next(Option<u32>),
    /// Let a thread move until its function has returned.
    Finish(Option<u32>),
    /// Let a thread move until it is in a line.
    Until(Location, Option<u32>),
    /// Let threads move until something stops them.
    Continue,
    /// Stop there from now on.
    Break(Location),
    /// Stop when the value of a variable changes.
    Watch(String),
    /// Show where to stop.
    Breakpoints,
    /// No longer stop at one of these.
    Delete(usize),
    /// Take moves back.
    Back(usize),
    /// Make moves again.
    Forward(usize),
    /// Go to where so many moves were made.
    Jump(usize),
    /// Look at a thread.
    Thread(u32),
    /// Show what can happen next.
    Choices,
    /// Show where each thread is.
    Threads,
    /// Show the functions that a thread executes, and their variables.
    Stack(Option<u32>),
    /// Show what is in memory, or in the objects of which the name has this part.
    Memory(Option<String>),
    /// Show the value of a variable.
    Print(String),
    /// Show who holds which locks.
    Locks,
    /// Show the moves so far.
    Trace,
    /// Show the source where a thread is.
    Source(Option<u32>),
    /// Show the commands.
    Help,
    /// End the simulation.
    Quit,
}

/// The names of the commands, the short one first, their arguments, and what they do.
const COMMANDS: &[(&[&str], &str, &str)] = &[
    (
        &["choose"],
        "N, or just N",
        "make the move with this number",
    ),
    (&["g", "go"], "[THREAD] [N]", "let a thread make N moves"),
    (
        &["s", "step"],
        "[THREAD]",
        "let a thread move to another line",
    ),
    (
        &["n", "next"],
        "[THREAD]",
        "the same, but not into functions",
    ),
    (
        &["f", "finish"],
        "[THREAD]",
        "let a thread return from its function",
    ),
    (
        &["u", "until"],
        "PLACE [THREAD]",
        "let a thread move to a place",
    ),
    (
        &["c", "continue"],
        "",
        "let threads move until something stops them",
    ),
    (
        &["b", "break"],
        "PLACE",
        "stop at a place: LINE, FILE:LINE or FUNCTION",
    ),
    (&["w", "watch"], "VARIABLE", "stop when a variable changes"),
    (&["breakpoints"], "", "show where to stop"),
    (&["delete"], "N", "no longer stop there"),
    (&["back"], "[N]", "take N moves back"),
    (&["forward"], "[N]", "make them again, or follow the trace"),
    (&["jump"], "N", "go to where N moves were made"),
    (&["thread"], "THREAD", "look at this thread"),
    (&["choices"], "", "show what can happen next"),
    (&["t", "threads"], "", "show where each thread is"),
    (
        &["stack"],
        "[THREAD]",
        "show the functions of a thread, and their variables",
    ),
    (&["m", "memory"], "[NAME]", "show what is in memory"),
    (&["p", "print"], "VARIABLE", "show the value of a variable"),
    (&["locks"], "", "show who holds which locks"),
    (&["trace"], "", "show the moves so far"),
    (
        &["l", "source"],
        "[THREAD]",
        "show the source where a thread is",
    ),
    (&["h", "help"], "", "show the commands"),
    (&["q", "quit"], "", "end the simulation"),
];

/// Returns a list of the commands.
pub fn help() -> String {
    let mut text = String::new();
    for (names, arguments, what) in COMMANDS {
        let usage = match arguments.is_empty() {
            true => names.join(", "),
            false => format!("{} {arguments}", names.join(", ")),
        };
        text += &format!("  {usage:<28}{what}\n");
    }
    text + "A THREAD is main or a number. Without one, the thread that moved last is meant.\n"
}

impl Command {
    /// Returns the command of a line. Fails if there is none.
    pub fn parse(line: &str) -> Result<Command> {
        let mut words = line.split_whitespace();
        let name = words.next().context("no command")?;
        let words: Vec<&str> = words.collect();
        if let Ok(number) = name.parse() {
            return alone(&words, Command::Choose(number));
        }
        let named = COMMANDS.iter().find(|(names, ..)| names.contains(&name));
        let Some((names, ..)) = named else {
            bail!("there is no command {name}; help lists them");
        };
        let first = words.first().copied();
        let rest = words.get(1..).unwrap_or_default();
        let needs = |what: &str| format!("{name} needs {what}");
        let count = || first.map_or(Ok(1), number);
        let command = match names[names.len() - 1] {
            "choose" => Command::Choose(number(first.with_context(|| needs("a number"))?)?),
            "go" => {
                let count = rest.first().map_or(Ok(1), |word| number(word))?;
                alone(rest.get(1..).unwrap_or_default(), ())?;
                return Ok(Command::Go(first.map(thread).transpose()?, count));
            }
            "step" => Command::Step(first.map(thread).transpose()?),
            "next" => Command::Next(first.map(thread).transpose()?),
            "finish" => Command::Finish(first.map(thread).transpose()?),
            "until" => {
                let place = location(first.with_context(|| needs("a place"))?);
                alone(rest.get(1..).unwrap_or_default(), ())?;
                let thread = rest.first().map(|word| thread(word)).transpose()?;
                return Ok(Command::Until(place, thread));
            }
            "continue" => return alone(&words, Command::Continue),
            "break" => Command::Break(location(first.with_context(|| needs("a place"))?)),
            "watch" => Command::Watch(first.with_context(|| needs("a variable"))?.into()),
            "breakpoints" => return alone(&words, Command::Breakpoints),
            "delete" => Command::Delete(number(first.with_context(|| needs("a number"))?)?),
            "back" => Command::Back(count()?),
            "forward" => Command::Forward(count()?),
            "jump" => Command::Jump(number(first.with_context(|| needs("a number"))?)?),
            "thread" => Command::Thread(thread(first.with_context(|| needs("a thread"))?)?),
            "choices" => return alone(&words, Command::Choices),
            "threads" => return alone(&words, Command::Threads),
            "stack" => Command::Stack(first.map(thread).transpose()?),
            "memory" => Command::Memory(first.map(str::to_owned)),
            "print" => Command::Print(first.with_context(|| needs("a variable"))?.into()),
            "locks" => return alone(&words, Command::Locks),
            "trace" => return alone(&words, Command::Trace),
            "source" => Command::Source(first.map(thread).transpose()?),
            "help" => return alone(&words, Command::Help),
            "quit" => return alone(&words, Command::Quit),
            other => unreachable!("{other} is no command"),
        };
        alone(rest, command)
    }
}

/// The result, if no words are left.
fn alone<T>(rest: &[&str], result: T) -> Result<T> {
    match rest.first() {
        None => Ok(result),
        Some(word) => bail!("{word} is one word too many; help lists the commands"),
    }
}

fn number(word: &str) -> Result<usize> {
    word.parse().with_context(|| format!("{word} is no number"))
}

fn thread(word: &str) -> Result<u32> {
    match word {
        "main" => Ok(0),
        _ => word.parse().with_context(|| format!("{word} is no thread")),
    }
}

fn location(word: &str) -> Location {
    if let Ok(line) = word.parse() {
        return Location::Line(None, line);
    }
    match word.rsplit_once(':') {
        Some((file, line)) if !file.ends_with(':') && line.parse::<u32>().is_ok() => {
            Location::Line(Some(file.into()), line.parse().expect("just tried"))
        }
        _ => Location::Function(word.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_parsed() {
        let parse = |line| Command::parse(line).unwrap();
        assert_eq!(parse("3"), Command::Choose(3));
        assert_eq!(parse("g"), Command::Go(None, 1));
        assert_eq!(parse("go main 5"), Command::Go(Some(0), 5));
        let line = |file: &str| Location::Line(Some(file.into()), 7);
        assert_eq!(parse("u a.c:7 2"), Command::Until(line("a.c"), Some(2)));
        assert_eq!(parse("b 7"), Command::Break(Location::Line(None, 7)));
        let function = Location::Function("std::f".into());
        assert_eq!(parse("break std::f"), Command::Break(function));
        for wrong in [
            "",
            "dance",
            "3 4",
            "print",
            "go x",
            "quit now",
            "until 3 1 2",
        ] {
            assert!(Command::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_name_is_of_one_command() {
        let mut names: Vec<&str> = COMMANDS.iter().flat_map(|it| it.0).copied().collect();
        names.sort_unstable();
        let before = names.len();
        names.dedup();
        assert_eq!(names.len(), before);
        // Every one of them is known to the parser.
        for name in names {
            let _ = Command::parse(&format!("{name} 1"));
        }
    }
}
