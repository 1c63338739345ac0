//! A session: executes commands on a simulation, and says what they show.

use crate::sim::command::{Command, Location, help};
use crate::sim::words;
use anyhow::{Result, bail};
use impasse_diagnose::{Choice, Ending, Present, Simulation};
use impasse_report::rendering::thread_name;
use impasse_report::{Frame, Step};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

/// Moves that one command makes, at most.
const MOST_MOVES: usize = 100_000;
/// Lines of source that are shown before and after one.
const AROUND: usize = 5;

/// A simulation, and what its user has set.
pub struct Session<'s> {
    simulation: Simulation<'s>,
    /// The thread that moved last, or that the user looks at.
    thread: u32,
    breakpoints: Vec<Breakpoint>,
    sources: HashMap<String, Vec<String>>,
    is_over: bool,
}

/// Where or when to stop.
struct Breakpoint {
    number: usize,
    at: At,
}

enum At {
    Place(Location),
    /// When what a variable is called, and its values, are no longer these.
    Change(String, Vec<(String, String)>),
}

/// When a thread that moves is to stop.
enum Stop {
    /// After so many moves.
    After(usize),
    /// At another line than this one; if there is a depth, not deeper.
    Elsewhere(Option<(String, u32)>, Option<usize>),
    /// Where fewer functions are active.
    Shallower(usize),
    /// At a place.
    At(Location),
    /// Nowhere.
    Never,
}

impl<'s> Session<'s> {
    /// Returns a session that begins where the simulation is.
    pub fn new(simulation: Simulation<'s>) -> Self {
        Session {
            simulation,
            thread: 0,
            breakpoints: Vec::new(),
            sources: HashMap::new(),
            is_over: false,
        }
    }

    /// Returns whether the user has ended it.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns 1 if the execution has ended with an error, 0 otherwise.
    pub fn exit_code(&self) -> u8 {
        u8::from(matches!(self.simulation.ending(), Some(Ending::Error(_))))
    }

    /// Returns the thread that the user looks at.
    pub fn thread(&self) -> u32 {
        self.thread
    }

    /// Returns how many moves were made, and how many can be made again.
    pub fn lengths(&self) -> (usize, usize) {
        (self.simulation.length(), self.simulation.length_ahead())
    }

    /// Returns the moves that can be made.
    pub fn choices(&self) -> Vec<Choice> {
        self.simulation.choices()
    }

    /// Returns how the execution has ended, if it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.simulation.ending()
    }

    /// Returns what has happened.
    pub fn trace(&self) -> Vec<Step> {
        self.simulation.trace()
    }

    /// Returns the stacks of all threads, with the variables' values.
    pub fn stacks(&mut self) -> BTreeMap<u32, Vec<Frame>> {
        match self.simulation.present() {
            None => self.simulation.stacks(),
            Some(present) => {
                let threads = present.threads.into_iter();
                threads.map(|(thread, it)| (thread, it.stack)).collect()
            }
        }
    }

    /// Returns what is in memory; `None` after an error.
    pub fn present(&mut self) -> Option<Present> {
        self.simulation.present()
    }

    /// Returns why a thread cannot move, in words, if it cannot.
    pub fn why_stuck(&mut self, thread: u32) -> Option<String> {
        self.simulation.why_stuck(thread)
    }

    /// Returns the lines of a file; none if it cannot be read.
    pub fn source(&mut self, file: &str) -> &[String] {
        self.sources.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read(file).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            text.lines()
                .map(|line| line.replace('\t', "    "))
                .collect()
        })
    }

    /// Executes a command, and returns what it shows. Fails if it cannot be executed now.
    pub fn execute(&mut self, command: &Command) -> Result<String> {
        match command {
            Command::Choose(number) => self.choose(*number),
            Command::Go(thread, count) => self.go(*thread, Stop::After(*count)),
            Command::Step(thread) => {
                let line = self.line_of(self.meant(*thread));
                self.go(*thread, Stop::Elsewhere(line, None))
            }
            Command::Next(thread) => {
                let meant = self.meant(*thread);
                let (line, depth) = (self.line_of(meant), self.depth_of(meant));
                self.go(*thread, Stop::Elsewhere(line, Some(depth)))
            }
            Command::Finish(thread) => {
                let depth = self.depth_of(self.meant(*thread));
                self.go(*thread, Stop::Shallower(depth))
            }
            Command::Until(place, thread) => self.go(*thread, Stop::At(place.clone())),
            Command::Continue => self.run(None, &Stop::Never),
            Command::Break(place) => Ok(self.set(At::Place(place.clone()))),
            Command::Watch(name) => self.watch(name),
            Command::Breakpoints => Ok(self.show_breakpoints()),
            Command::Delete(number) => self.delete(*number),
            Command::Back(count) => self.back(*count),
            Command::Forward(count) => self.forward(*count),
            Command::Jump(length) => self.jump(*length),
            Command::Thread(thread) => {
                self.expect_thread(*thread)?;
                self.thread = *thread;
                self.show_source(None)
            }
            Command::Choices => Ok(self.situation()),
            Command::Threads => Ok(self.show_threads()),
            Command::Stack(thread) => self.show_stack(*thread),
            Command::Memory(part) => self.show_memory(part.as_deref()),
            Command::Print(name) => self.print(name),
            Command::Locks => self.locks(),
            Command::Trace => Ok(text(self.trace().iter().map(words::line))),
            Command::Source(thread) => self.show_source(*thread),
            Command::Help => Ok(help()),
            Command::Quit => {
                self.is_over = true;
                Ok(String::new())
            }
        }
    }

    /// Returns what can happen next.
    pub fn situation(&mut self) -> String {
        if let Some(ending) = self.simulation.ending() {
            return text(words::ending(ending));
        }
        let choices = self.simulation.choices();
        let mut lines = match choices.is_empty() {
            true => vec!["nothing can happen next".to_owned()],
            false => vec!["what can happen next".to_owned()],
        };
        lines.extend(words::choices(&choices));
        if let Some(reason) = self.simulation.unsupported() {
            let place = words::place(&reason.file, reason.line);
            lines.push(format!(
                "        {:<30} is not supported: {}",
                place, reason.what
            ));
        }
        let movers = self.simulation.movers();
        for (thread, stack) in self.simulation.stacks() {
            if movers.contains(&Some(thread)) {
                continue;
            }
            let why = self.simulation.why_stuck(thread);
            let why = why.unwrap_or_else(|| "cannot move".into());
            let (name, place) = (thread_name(thread), words::position(&stack));
            lines.push(format!("     -  {name:<9} {place:<20} {why}"));
        }
        text(lines)
    }

    fn choose(&mut self, number: usize) -> Result<String> {
        let movers = self.simulation.movers();
        if !(1..=movers.len()).contains(&number) {
            bail!("there is no choice {number}; choices shows them");
        }
        let mover = movers[number - 1];
        let steps = self.simulation.choose(number - 1);
        self.thread = mover.unwrap_or(self.thread);
        Ok(text(words::steps(&steps)) + &self.situation())
    }

    /// Lets one thread move.
    fn go(&mut self, thread: Option<u32>, stop: Stop) -> Result<String> {
        let thread = self.meant(thread);
        self.expect_thread(thread)?;
        self.run(Some(thread), &stop)
    }

    /// Makes moves, of one thread if one is named, until something stops them.
    fn run(&mut self, thread: Option<u32>, stop: &Stop) -> Result<String> {
        let mut steps = Vec::new();
        let mut seen = HashSet::new();
        let mut made = 0;
        let why = loop {
            let mover = match self.next_mover(thread) {
                Ok(mover) => mover,
                Err(why) if made == 0 && thread.is_some() => bail!(why),
                Err(why) => break why,
            };
            let movers = self.simulation.movers();
            let before = self.frame_of(mover);
            let index = movers.iter().position(|it| *it == Some(mover));
            steps.extend(self.simulation.choose(index.expect("it can move")));
            self.thread = mover;
            made += 1;
            if self.simulation.ending().is_some() {
                break String::new();
            }
            if let Some(why) = self.stopped_by(mover, before) {
                break why;
            }
            if self.is_reached(mover, stop, made) {
                break String::new();
            }
            let state = self.simulation.state().unwrap_or_default().to_vec();
            if !matches!(stop, Stop::After(_)) && !seen.insert(state) {
                break "the same states come again and again".into();
            }
            if made == MOST_MOVES {
                break format!("{MOST_MOVES} moves were made");
            }
        };
        let mut lines = words::steps(&steps);
        lines.extend((!why.is_empty()).then_some(why));
        Ok(text(lines) + &self.situation())
    }

    /// The thread to move next. Fails with the reason why none does.
    fn next_mover(&mut self, thread: Option<u32>) -> Result<u32, String> {
        let movers = self.simulation.movers();
        let can = |it: u32| movers.contains(&Some(it));
        let next = match thread {
            Some(thread) => Some(thread).filter(|it| can(*it)),
            None if can(self.thread) => Some(self.thread),
            None => movers.iter().flatten().next().copied(),
        };
        let Some(mover) = next else {
            let Some(thread) = thread.filter(|_| self.simulation.ending().is_none()) else {
                return Err(String::new());
            };
            let why = self.simulation.why_stuck(thread);
            let why = why.unwrap_or_else(|| "cannot move now".into());
            return Err(format!("{} {why}", thread_name(thread)));
        };
        match movers.iter().filter(|it| **it == Some(mover)).count() {
            1 => Ok(mover),
            count => Err(format!(
                "{} can go on in {count} ways: choose one by its number",
                thread_name(mover)
            )),
        }
    }

    fn is_reached(&mut self, thread: u32, stop: &Stop, made: usize) -> bool {
        match stop {
            Stop::After(count) => made == *count,
            Stop::Elsewhere(line, depth) => {
                let deeper = depth.is_some_and(|depth| self.depth_of(thread) > depth);
                !deeper && self.line_of(thread) != *line
            }
            Stop::Shallower(depth) => self.depth_of(thread) < *depth,
            Stop::At(place) => {
                let frame = self.frame_of(thread);
                frame.is_some_and(|frame| is_at(&frame, place))
            }
            Stop::Never => false,
        }
    }

    /// Which breakpoint stops a thread that has moved.
    fn stopped_by(&mut self, thread: u32, before: Option<Frame>) -> Option<String> {
        let after = self.frame_of(thread);
        for index in 0..self.breakpoints.len() {
            let number = self.breakpoints[index].number;
            match &self.breakpoints[index].at {
                At::Place(place) => {
                    let is_there = |frame: &Option<Frame>| {
                        frame.as_ref().is_some_and(|frame| is_at(frame, place))
                    };
                    if is_there(&after) && !is_there(&before) {
                        return Some(format!("breakpoint {number}"));
                    }
                }
                At::Change(name, before) => {
                    let (name, before) = (name.clone(), before.clone());
                    let now = self.values(&name);
                    if now != before {
                        let change = changes(&before, &now);
                        self.breakpoints[index].at = At::Change(name, now);
                        return Some(format!("watch {number}: {change}"));
                    }
                }
            }
        }
        None
    }

    fn meant(&self, thread: Option<u32>) -> u32 {
        thread.unwrap_or(self.thread)
    }

    fn expect_thread(&mut self, thread: u32) -> Result<()> {
        match self.simulation.stacks().contains_key(&thread) {
            true => Ok(()),
            false if self.simulation.ending().is_some() => bail!("the execution has ended"),
            false => bail!("there is no {} now", thread_name(thread)),
        }
    }

    /// The innermost function of the program's own code in which a thread is.
    fn frame_of(&mut self, thread: u32) -> Option<Frame> {
        let mut stacks = self.simulation.stacks();
        stacks.remove(&thread)?.into_iter().next()
    }

    fn line_of(&mut self, thread: u32) -> Option<(String, u32)> {
        let frame = self.frame_of(thread)?;
        Some((frame.file, frame.line))
    }

    fn depth_of(&mut self, thread: u32) -> usize {
        let stacks = self.simulation.stacks();
        stacks.get(&thread).map_or(0, Vec::len)
    }

    fn values(&mut self, name: &str) -> Vec<(String, String)> {
        let Some(present) = self.simulation.present() else {
            return Vec::new();
        };
        let thread = present.threads.get(&self.thread);
        let stack = thread.map_or(&[][..], |it| &it.stack);
        words::values(&present, stack, name)
    }

    fn set(&mut self, at: At) -> String {
        let number = self.breakpoints.last().map_or(1, |last| last.number + 1);
        self.breakpoints.push(Breakpoint { number, at });
        self.show_breakpoints()
    }

    fn watch(&mut self, name: &str) -> Result<String> {
        let values = self.values(name);
        if values.is_empty() {
            bail!("there is no variable {name} now; memory shows what there is");
        }
        Ok(self.set(At::Change(name.into(), values)))
    }

    fn show_breakpoints(&self) -> String {
        if self.breakpoints.is_empty() {
            return "there is no breakpoint\n".into();
        }
        text(self.breakpoints.iter().map(|it| {
            let at = match &it.at {
                At::Place(Location::Line(None, line)) => format!("line {line}"),
                At::Place(Location::Line(Some(file), line)) => format!("{file}:{line}"),
                At::Place(Location::Function(name)) => name.clone(),
                At::Change(name, _) => format!("when {name} changes"),
            };
            format!("  {:>4}  {at}", it.number)
        }))
    }

    fn delete(&mut self, number: usize) -> Result<String> {
        let found = self.breakpoints.iter().position(|it| it.number == number);
        let Some(index) = found else {
            bail!("there is no breakpoint {number}");
        };
        self.breakpoints.remove(index);
        Ok(self.show_breakpoints())
    }

    fn back(&mut self, count: usize) -> Result<String> {
        let before = self.simulation.length();
        if before < count {
            bail!("only {before} moves were made");
        }
        for _ in 0..count {
            self.simulation.back();
        }
        self.renew_watches();
        Ok(format!("after {} moves\n", before - count) + &self.situation())
    }

    fn forward(&mut self, count: usize) -> Result<String> {
        let mut steps = Vec::new();
        for made in 0..count {
            match self.simulation.forward() {
                Some(more) => {
                    self.thread = more.last().map_or(self.thread, |step| step.thread);
                    steps.extend(more);
                }
                None if made == 0 => bail!("there is nothing to make again"),
                None => break,
            }
        }
        self.renew_watches();
        Ok(text(words::steps(&steps)) + &self.situation())
    }

    fn jump(&mut self, length: usize) -> Result<String> {
        let (now, ahead) = self.lengths();
        match length {
            _ if length > now + ahead => bail!("there are only {} moves", now + ahead),
            _ if length < now => self.back(now - length),
            _ if length > now => self.forward(length - now),
            _ => Ok(self.situation()),
        }
    }

    fn renew_watches(&mut self) {
        for index in 0..self.breakpoints.len() {
            if let At::Change(name, _) = &self.breakpoints[index].at {
                let name = name.clone();
                let values = self.values(&name);
                self.breakpoints[index].at = At::Change(name, values);
            }
        }
    }

    fn show_threads(&mut self) -> String {
        let stacks = self.simulation.stacks();
        let mut lines = Vec::new();
        for (thread, stack) in stacks {
            let place = match words::position(&stack) {
                place if place.is_empty() => "starts or ends".into(),
                place => format!("{} at {place}", stack[0].function),
            };
            let why = self.simulation.why_stuck(thread);
            let why = why.map_or(String::new(), |why| format!(", {why}"));
            let mark = if thread == self.thread { ">" } else { " " };
            lines.push(format!("{mark} {:<9} {place}{why}", thread_name(thread)));
        }
        text(lines)
    }

    fn show_stack(&mut self, thread: Option<u32>) -> Result<String> {
        let thread = self.meant(thread);
        self.expect_thread(thread)?;
        let stacks = self.stacks();
        Ok(text(words::stack(&stacks[&thread])))
    }

    fn show_memory(&mut self, part: Option<&str>) -> Result<String> {
        let Some(present) = self.simulation.present() else {
            bail!("after an error there is no state to show; back returns to the one before");
        };
        match words::memory(&present, part.unwrap_or("")) {
            lines if lines.is_empty() => bail!("there is no such object"),
            lines => Ok(text(lines)),
        }
    }

    fn print(&mut self, name: &str) -> Result<String> {
        match self.values(name) {
            values if values.is_empty() => bail!("there is no variable {name} now"),
            values => Ok(text(
                values
                    .iter()
                    .map(|(name, value)| format!("  {name} = {value}")),
            )),
        }
    }

    /// Returns who holds which locks, and who waits. Fails after an error.
    pub fn locks(&mut self) -> Result<String> {
        let Some(present) = self.simulation.present() else {
            bail!("after an error there is no state to show; back returns to the one before");
        };
        let mut lines = Vec::new();
        for (thread, state) in &present.threads {
            let name = thread_name(*thread);
            for held in &state.holds {
                lines.push(format!("  {name:<9} holds {held}"));
            }
            if let Some(wait) = &state.blocked {
                lines.push(format!("  {name:<9} waits {}", wait.text));
            }
        }
        match lines.is_empty() {
            true => Ok("no thread holds a lock\n".into()),
            false => Ok(text(lines)),
        }
    }

    fn show_source(&mut self, thread: Option<u32>) -> Result<String> {
        let thread = self.meant(thread);
        self.expect_thread(thread)?;
        let Some((file, line)) = self.line_of(thread).filter(|(_, line)| *line > 0) else {
            bail!("{} is in no code that has a source", thread_name(thread));
        };
        let at = line as usize - 1;
        let lines = self.source(&file);
        let first = at.saturating_sub(AROUND);
        let shown = lines
            .iter()
            .enumerate()
            .skip(first)
            .take(at + AROUND + 1 - first);
        let shown = shown.map(|(number, text)| {
            let mark = if number == at { ">" } else { " " };
            format!("{mark} {:>5} | {text}", number + 1)
                .trim_end()
                .to_owned()
        });
        let heading = format!("{} in {file}", thread_name(thread));
        Ok(text(std::iter::once(heading).chain(shown)))
    }
}

/// Whether a function that a thread executes is at a place.
fn is_at(frame: &Frame, place: &Location) -> bool {
    match place {
        Location::Function(name) => {
            let own = &frame.function;
            own == name || own.rsplit("::").next() == Some(name)
        }
        Location::Line(file, line) => {
            let is_it =
                |file: &String| frame.file == *file || frame.file.ends_with(&format!("/{file}"));
            frame.line == *line && file.as_ref().is_none_or(is_it)
        }
    }
}

/// What has changed in the values of a variable.
fn changes(before: &[(String, String)], after: &[(String, String)]) -> String {
    let before: BTreeMap<_, _> = before.iter().cloned().collect();
    let after: BTreeMap<_, _> = after.iter().cloned().collect();
    let mut changes = Vec::new();
    for (name, value) in &after {
        match before.get(name) {
            None => changes.push(format!("{name} is {value}")),
            Some(old) if old != value => changes.push(format!("{name}: {old} becomes {value}")),
            Some(_) => {}
        }
    }
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    changes.extend(gone.map(|name| format!("{name} is gone")));
    changes.join(", ")
}

fn text(lines: impl IntoIterator<Item = String>) -> String {
    let lines = lines.into_iter();
    lines
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}
