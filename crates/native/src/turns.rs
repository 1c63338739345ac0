//! What is left of the turns of a path, and how it compares with what a thread is about to do.

use crate::states::Arrival;
use impasse_diagnose::order::{Class, Operation, Place, Turn};

/// How many operations of a thread's next turn show that it has come to that.
const NEXT: usize = 3;

/// The turns that are left.
#[derive(Clone, Copy)]
pub struct Rest<'t>(pub &'t [Turn]);

impl<'t> Rest<'t> {
    /// What a thread does in its next turn.
    pub fn next_of(self, thread: u32) -> Option<&'t [Operation]> {
        let mut turns = self.0.iter();
        turns
            .find(|it| it.thread == thread)
            .map(|it| &it.operations[..])
    }

    /// Whether a thread is about to do one of the first things of its next turn.
    pub fn is_next(self, thread: u32, arrival: &Arrival) -> bool {
        let operations = self.next_of(thread).unwrap_or_default();
        operations.iter().take(NEXT).any(|act| fits(act, arrival))
    }
}

/// Whether a thread that cannot continue does so on its path, as what is left of its turn says.
pub fn gives_up(left: &[Operation]) -> bool {
    left.iter().any(|act| !act.class.is_library())
}

/// What is left of a turn, without the ends of waits at its beginning.
pub fn shown(left: &[Operation]) -> &[Operation] {
    let is_shown = |act: &Operation| !matches!(act.class, Class::Timeout | Class::Spurious);
    let first = left.iter().position(is_shown);
    &left[first.unwrap_or(left.len())..]
}

/// Whether a wait ends without a reason, as what is left of a turn says.
pub fn is_woken(left: &[Operation]) -> bool {
    left.first().is_some_and(|act| act.class == Class::Spurious)
}

/// Whether an operation of a path may be this one.
pub fn fits(act: &Operation, arrival: &Arrival) -> bool {
    let access = &arrival.access;
    let is_own = arrival.direct || access.atomic;
    let same_kind = match act.class {
        Class::Read => is_own && access.reads && !access.writes,
        Class::Write => is_own && access.writes && !access.reads,
        Class::Update => access.reads && access.writes,
        // A library may yield before it waits.
        Class::Call | Class::Fails => access.size == 0 && (arrival.direct || !access.is_yield()),
        Class::Library => access.size == 0 || !arrival.direct,
        Class::LibraryAccess => access.size > 0 && !arrival.direct,
        Class::Timeout | Class::Spurious | Class::Signal(_) => false,
    };
    same_kind && arrival.place.as_ref() == Some(&act.place)
}

/// A place in words.
pub fn in_words(place: &Place) -> String {
    match &place.spot {
        Some(spot) => format!("{}:{}", spot.file, spot.line),
        None => "its next operation".into(),
    }
}
