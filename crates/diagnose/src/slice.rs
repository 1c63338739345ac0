//! Which steps of a trace the error does not depend on: those on memory that is only written, or
//! only read to compute what is written there.
//!
//! What a thread does can depend on each value that it reads. So a read is left out only if its
//! value goes nowhere but into a write of the same memory, without a branch or a call in between,
//! and if no other read uses that memory. Such memory counts or records something on this path;
//! without its steps, every thread would have done the same.

use crate::place;
use impasse_machine::base::fault::CodePlace;
use impasse_machine::machine::record::{Action, Event};
use impasse_machine::system::System;
use impasse_program::instruction::{Body, Instruction, Ordering, Position, Slot};
use impasse_report::Report;
use std::collections::{HashMap, HashSet};

/// Returns, for each event, whether no later event depends on it.
pub fn minor(system: &System, events: &[Event]) -> Vec<bool> {
    let mut rewrites = Rewrites {
        system,
        known: HashMap::new(),
    };
    let only_writes = |n: usize| match &events[n].action {
        Action::Write { old, value, .. } => {
            // Where memory leaks, it matters which pointer is gone.
            !old.starts_with('&') && !value.starts_with('&') && rewrites.is_plain(&events[n])
        }
        Action::Read { .. } => rewrites.is_rewritten(events, n),
        _ => false,
    };
    minor_of(events, only_writes)
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

/// As [`minor`], where `only_writes` says whether an event does nothing but write some memory.
fn minor_of(events: &[Event], mut only_writes: impl FnMut(usize) -> bool) -> Vec<bool> {
    let only_writes: Vec<bool> = (0..events.len()).map(&mut only_writes).collect();
    let mut used: HashSet<&str> = HashSet::new();
    let mut wholes: HashSet<&str> = HashSet::new();
    for (event, _) in events.iter().zip(&only_writes).filter(|(_, only)| !**only) {
        used.insert(&event.identity);
        wholes.extend(wholes_of(&event.identity));
    }
    let is_used = |identity: &str| {
        // Who uses a part, or the whole, uses it too.
        wholes.contains(identity) || wholes_of(identity).any(|whole| used.contains(whole))
    };
    let all = events.iter().zip(&only_writes);
    all.map(|(event, &only)| only && !event.identity.is_empty() && !is_used(&event.identity))
        .collect()
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
        let is_write = |n: usize| matches!(events[n].action, Action::Write { .. });
        minor_of(events, is_write)
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
