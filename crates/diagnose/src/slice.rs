//! Which steps of a trace the error does not depend on: those on memory that is only written, and
//! reads whose values go nowhere else.
//!
//! *What must stay.* A step may be left out only if every thread would have come the same way, with
//! the same remaining steps, whatever the step read or wrote. So everything stays that orders
//! threads or shows outside (atomic accesses, operations, choices, output), and so does a read, if
//! its value may decide a branch, be an address, be passed to a library, or be what the error is
//! about. What is left are plain accesses:
//! - a read is left out if its value, with all that is computed of it, goes only into variables
//!   that no step which stays accesses ([`crate::flow`] says where it goes: through locals, calls,
//!   returns and branches that decide only that);
//! - or if it goes only into the next step, a write of the same memory, without a branch or a call
//!   in between, and no step that stays accesses this memory;
//! - a write is left out if no step that stays accesses the memory.
//!
//! The steps that stay are the least set that is closed under these rules. By induction over the
//! path, the steps that are left out change only variables which nothing but such steps reads. What
//! libraries read is not in the trace, but counts. Steps are never left out because they are far
//! from the error.

use crate::flow::{Flows, Variables};
use crate::place;
use impasse_machine::base::fault::CodePlace;
use impasse_machine::machine::record::{Action, Detail, Event};
use impasse_machine::system::System;
use impasse_machine::system::replay::{Replay, replay};
use impasse_program::instruction::{Body, Instruction, Ordering, Position, Slot};
use impasse_report::Report;
use impasse_transition_system::Path;
use std::collections::{HashMap, HashSet};

/// Returns, for each event on a path, whether no event that stays depends on it.
pub fn minor(system: &System, path: &Path, replay: &Replay) -> Vec<bool> {
    let mut minor = minor_beside(system, replay, &[]);
    if minor.contains(&true) {
        let by_libraries = accessed_by_libraries(system, path);
        minor = minor_beside(system, replay, &by_libraries);
    }
    minor
}

/// As [`minor`], where what has these identities stays in any case.
fn minor_beside(system: &System, replay: &Replay, stays: &[String]) -> Vec<bool> {
    let events = &replay.events;
    let mut rewrites = Rewrites {
        system,
        known: HashMap::new(),
    };
    let stacks = replay.fault.iter().flat_map(|fault| &fault.stacks);
    let at_error = stacks.flat_map(|stack| stack.frames.iter().copied());
    let mut flows = Flows::new(system, at_error);
    let dependence = |n: usize| match &events[n].action {
        Action::Write { old, value, .. } => {
            // Where memory leaks, it matters which pointer is gone.
            let is_number = !old.starts_with('&') && !value.starts_with('&');
            match is_number && rewrites.is_plain(&events[n]) {
                true => Dependence::OnReaders,
                false => Dependence::Stays,
            }
        }
        Action::Read { .. } if rewrites.is_rewritten(events, n) => Dependence::OnReaders,
        Action::Read { .. } if rewrites.is_plain(&events[n]) => {
            match flows.stored_into(&events[n].frames) {
                Some(variables) => Dependence::OnReadersOf(variables.clone()),
                None => Dependence::Stays,
            }
        }
        Action::Allocate { .. } | Action::Free { .. } => Dependence::Apart,
        _ => Dependence::Stays,
    };
    let dependences: Vec<Dependence> = (0..events.len()).map(dependence).collect();
    minor_of(events, &dependences, stays)
}

/// What libraries access on a path, of what the program has made.
fn accessed_by_libraries(system: &System, path: &Path) -> Vec<String> {
    let detail = Detail {
        locals: false,
        library: true,
    };
    let events = replay(system, path, detail).events;
    let is_library = |event: &Event| {
        let at = event.frames.first();
        at.is_some_and(|at| !system.own[at.function.0 as usize])
    };
    let accesses = events.into_iter().filter(is_library);
    accesses.map(|event| event.identity).collect()
}

/// What decides whether an event stays.
enum Dependence {
    /// It stays in any case.
    Stays,
    /// It stays if what it accesses does.
    OnReaders,
    /// It stays if one of these variables does.
    OnReadersOf(Variables),
    /// It stays, and what it is about need not.
    Apart,
}

/// Takes back what [`minor`] says of the variables that the error of a report names.
pub fn keep_what_is_named(report: &mut Report) {
    let Some(error) = &report.error else {
        return;
    };
    let mut named = error.message.clone();
    for hung in error.hang.iter().flat_map(|hang| &hang.region.threads) {
        let reads = hung.reads.iter().map(|it| &it.variable);
        for name in reads.chain(&hung.writes) {
            named += " ";
            named += name;
        }
    }
    for step in &mut report.trace {
        let variable = step.variable.as_deref().unwrap_or_default();
        step.minor &= !mentions(&named, variable);
    }
}

/// As [`minor`], by what decides about each event.
fn minor_of(events: &[Event], dependences: &[Dependence], stays: &[String]) -> Vec<bool> {
    let mut minor: Vec<bool> = dependences.iter().map(Dependence::is_open).collect();
    let mut used = Used::default();
    stays.iter().for_each(|identity| used.add(identity));
    let mut counted = vec![false; events.len()];
    loop {
        let before = minor.clone();
        for (n, event) in events.iter().enumerate() {
            let is_access = !matches!(dependences[n], Dependence::Apart);
            if !minor[n] && is_access && !counted[n] {
                counted[n] = true;
                used.add(&event.identity);
            }
        }
        for (n, event) in events.iter().enumerate() {
            minor[n] &= match &dependences[n] {
                Dependence::Stays | Dependence::Apart => false,
                Dependence::OnReaders => !event.identity.is_empty() && !used.has(&event.identity),
                Dependence::OnReadersOf(variables) => {
                    !variables.iter().any(|variable| used.has(variable))
                }
            };
        }
        if minor == before {
            return minor;
        }
    }
}

impl Dependence {
    fn is_open(&self) -> bool {
        matches!(self, Dependence::OnReaders | Dependence::OnReadersOf(_))
    }
}

/// What steps that stay access.
#[derive(Default)]
struct Used {
    parts: HashSet<String>,
    /// These, and what they are parts of.
    wholes: HashSet<String>,
}

impl Used {
    fn add(&mut self, identity: &str) {
        self.parts.insert(identity.to_owned());
        self.wholes.extend(wholes_of(identity).map(str::to_owned));
    }

    /// Whether a step accesses a part of this, or the whole.
    fn has(&self, identity: &str) -> bool {
        self.wholes.contains(identity) || wholes_of(identity).any(|it| self.parts.contains(it))
    }
}

/// An identity, and those of what it is a part of.
fn wholes_of(identity: &str) -> impl Iterator<Item = &str> {
    let ends = identity
        .char_indices()
        .filter(|&(_, c)| matches!(c, '.' | '[' | ','));
    let ends = ends.map(|(at, _)| at).chain([identity.len()]);
    ends.map(|end| &identity[..end])
}

/// Whether a text has a name in it, and not only as a part of another one.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut found = text.match_indices(name);
    !name.is_empty()
        && found.any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            !is_part(before.chars().next_back()) && !is_part(after.chars().next())
        })
}

/// Which reads go into a write of the same memory only, by their places.
struct Rewrites<'s> {
    system: &'s System,
    known: HashMap<(CodePlace, Position), bool>,
}

impl Rewrites<'_> {
    /// Whether an event is an access that orders nothing.
    fn is_plain(&self, event: &Event) -> bool {
        matches!(
            place::instruction(self.system, event),
            Some(
                Instruction::Load {
                    ordering: Ordering::NotAtomic,
                    volatile: false,
                    ..
                } | Instruction::Store {
                    ordering: Ordering::NotAtomic,
                    volatile: false,
                    ..
                }
            )
        )
    }

    /// Whether the value that is read goes only into what the thread writes there next.
    fn is_rewritten(&mut self, events: &[Event], n: usize) -> bool {
        let read = &events[n];
        let next = events[n + 1..].iter().find(|it| it.thread == read.thread);
        let (Some(next), Some(&at)) = (next, read.frames.first()) else {
            return false;
        };
        let is_write = matches!(next.action, Action::Write { .. });
        let same = next.identity == read.identity && next.frames.get(1..) == read.frames.get(1..);
        let Some(to) = next.frames.first().filter(|it| it.function == at.function) else {
            return false;
        };
        if !is_write || !same || !self.is_plain(read) || !self.is_plain(next) {
            return false;
        }
        let body = &self.system.program.function(at.function).body;
        let key = (at, to.position);
        *self
            .known
            .entry(key)
            .or_insert_with(|| goes_only_into(body, at.position, to.position))
    }
}

/// Whether what one instruction assigns goes only into a store, and execution cannot branch off
/// before that.
fn goes_only_into(body: &Body, from: Position, store: Position) -> bool {
    let range = from.0 as usize..store.0 as usize;
    let mut derived: HashSet<Slot> = HashSet::new();
    if range.is_empty() {
        return false;
    }
    let first = &body.code[range.start];
    first.for_each_definition(body, |slot| _ = derived.insert(slot));
    for instruction in &body.code[range.start + 1..range.end] {
        let mut uses = false;
        instruction.for_each_use(body, |slot| uses |= derived.contains(&slot));
        if !computes(instruction) {
            return false;
        }
        if uses {
            instruction.for_each_definition(body, |slot| _ = derived.insert(slot));
        }
    }
    let others = body.code.iter().enumerate();
    let mut others = others.filter(|(at, _)| !(range.start..=range.end).contains(at));
    !others.any(|(_, instruction)| {
        let mut uses = false;
        instruction.for_each_use(body, |slot| uses |= derived.contains(&slot));
        uses
    })
}

/// Whether an instruction only computes a value, or reads one.
fn computes(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Move { .. }
            | Instruction::Binary { .. }
            | Instruction::Float { .. }
            | Instruction::Convert { .. }
            | Instruction::Freeze { .. }
            | Instruction::AddressOffset { .. }
            | Instruction::AddressIndex { .. }
            | Instruction::Load { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn event(thread: u32, identity: &str, is_write: bool) -> Event {
        let (variable, value) = (identity.to_owned(), "1".to_owned());
        Event {
            thread,
            transition: 0,
            frames: Vec::new(),
            action: match is_write {
                false => Action::Read { variable, value },
                true => Action::Write {
                    variable,
                    old: "0".into(),
                    value,
                },
            },
            library: None,
            identity: identity.into(),
        }
    }

    /// Which events are minor, if writes only write.
    fn minor(events: &[Event]) -> Vec<bool> {
        let dependence = |event: &Event| match event.action {
            Action::Write { .. } => Dependence::OnReaders,
            _ => Dependence::Stays,
        };
        let dependences: Vec<Dependence> = events.iter().map(dependence).collect();
        minor_of(events, &dependences, &[])
    }

    #[test]
    fn what_is_read_matters_wherever_it_was_written() {
        let events = [
            event(1, "n", true),
            event(2, "n", false),
            event(2, "m", true),
            event(1, "n", true),
        ];
        assert_eq!(minor(&events), [false, false, true, false]);
    }

    #[test]
    fn reads_stay_if_what_they_are_stored_into_stays() {
        // Of n into m, of m into log; then m is read for another purpose, or is not.
        let into = |name: &str| Dependence::OnReadersOf(BTreeSet::from([name.to_owned()]));
        let events = [
            event(1, "n", false),
            event(1, "m", true),
            event(1, "m", false),
            event(1, "log[2]", true),
            event(2, "m", false),
        ];
        let with = |last| {
            let writes = || Dependence::OnReaders;
            let dependences = [into("m"), writes(), into("log"), writes(), last];
            minor_of(&events, &dependences, &[])
        };
        assert_eq!(with(into("log")), [true; 5]);
        assert_eq!(with(Dependence::Stays), [false, false, true, true, false]);
        let dependences = [into("k"), into("log")];
        let stays = ["log[7]".to_owned()];
        assert_eq!(minor_of(&events[..2], &dependences, &stays), [true, false]);
    }

    #[test]
    fn wholes_and_parts_go_together() {
        let of = |written, read| minor(&[event(1, written, true), event(2, read, false)]);
        assert_eq!(of("s", "s.a"), [false, false]);
        assert_eq!(of("s.a", "s"), [false, false]);
        assert_eq!(of("s.a", "s.ab"), [true, false]);
        assert_eq!(of("s[1]", "s[12]"), [true, false]);
        assert_eq!(of("s[1].a", "s[1]"), [false, false]);
    }

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("thread 2 writes n while", "n"));
        assert!(!mentions("assertion failed in main", "n"));
        assert!(mentions("assertion `log[2] == n` failed", "log[2]"));
        assert!(!mentions("anything", ""));
    }
}
