//! Following a path again, and noting what happens on it.

use crate::base::fault::{CodePlace, Fault};
use crate::machine::names::thread_name;
use crate::machine::record::{Action, Detail, Event, verb};
use crate::machine::system::System;
use crate::state::condition::Condition;
use crate::state::happens_before::{self, Op};
use crate::state::journal::Journal;
use crate::state::memory::describe::place_in_words;
use crate::system::step::Stepper;
use crate::value::symbolic::Values;
use impasse_transition_system::{Emission, Nth, Path};
use std::sync::Arc;

/// What happened on a path.
pub struct Replay {
    /// All that was noted, in order, but for what follows.
    pub events: Vec<Event>,
    /// All that was begun, in order.
    pub begun: Vec<Event>,
    /// The last state that the path passes.
    pub state: Vec<u8>,
    /// Where states have a history, and the path ends in a race: the earlier one of the two
    /// accesses, in words.
    pub earlier: Option<String>,
    /// The error at the end of the path, if there is one, with what only a replay knows of it.
    pub fault: Option<Fault>,
    /// What it knows of the threads and objects at the end.
    pub journal: Arc<Journal>,
}

/// Executes a path and returns what happens on it. The path must come from a search over `system`;
/// where it does not fit, the replay ends early.
pub fn replay(system: &System, path: &Path, detail: Detail) -> Replay {
    let (first, condition) = follow(system, path, detail, None);
    let Some(values) = values_under(system, &condition) else {
        return first;
    };
    // What it prints may be longer with these values.
    match follow(system, path, detail, Some(values)).0 {
        shown if shown.fault.is_some() == first.fault.is_some() => Replay {
            state: first.state,
            ..shown
        },
        _ => first,
    }
}

/// Returns values of the inputs with which a path is executed, or `None` if inputs are not followed
/// symbolically, or the solver does not know any.
pub fn values_on(system: &System, path: &Path) -> Option<Arc<Values>> {
    system.terms.as_ref()?;
    let (_, condition) = follow(system, path, Detail::default(), None);
    values_under(system, &condition)
}

/// Values of the inputs under the path condition at the end of a path.
fn values_under(system: &System, condition: &Condition) -> Option<Arc<Values>> {
    let terms = system.terms.as_ref()?;
    let inputs = condition.inputs.iter().map(|&input| terms.input(input));
    let inputs: Vec<_> = inputs.collect();
    let values = terms.plain_values(&condition.conjuncts, &inputs)?;
    let values: Vec<_> = condition.inputs.iter().copied().zip(values).collect();
    Some(Arc::new(terms.values(&values)))
}

/// What happens on a path, and the path condition at its end. `values` are those of the inputs, if
/// they are known.
fn follow(
    system: &System,
    path: &Path,
    detail: Detail,
    values: Option<Arc<Values>>,
) -> (Replay, Condition) {
    let mut stepper = Stepper::new(system);
    stepper.keep_inputs();
    if let Some(values) = values {
        stepper.show_inputs(values);
    }
    stepper.record(detail);
    let mut condition = Condition::default();
    let mut state: Vec<u8> = Vec::new();
    let mut events = Vec::new();
    let mut journal: Arc<Journal> = Arc::default();
    let mut fault = None;
    for (n, &ordinal) in path.ordinals().iter().enumerate() {
        let mut sink = Nth::new(ordinal);
        match n {
            0 => stepper.initial(&mut sink),
            _ => {
                stepper.successors(&state, &mut sink);
                if sink.found.is_none() {
                    stepper.drain(&state, &mut sink);
                }
            }
        }
        if let Some(recorded) = stepper.recorded().into_iter().nth(ordinal as usize) {
            events.extend(recorded.events.into_iter().map(|event| Event {
                transition: n as u32,
                ..event
            }));
            condition = recorded.condition;
            journal = recorded.journal;
            stepper.continue_with(Arc::clone(&journal));
        }
        match sink.found {
            Some(Emission::Edge(edge)) => state = edge.target,
            Some(Emission::Fault(found)) => {
                fault = Some(found);
                break;
            }
            Some(Emission::Omission(_)) | None => break,
        }
    }
    place_delayed(&mut events);
    let (accesses, events): (Vec<Event>, _) = events.into_iter().partition(Event::is_of_history);
    let (begun, events) = events.into_iter().partition(Event::is_begin);
    let replay = Replay {
        events,
        begun,
        state,
        earlier: earlier_access(system, &accesses),
        fault,
        journal,
    };
    (replay, condition)
}

/// The access that the last one races with.
fn earlier_access(system: &System, accesses: &[Event]) -> Option<String> {
    let op = |event: &Event| match &event.action {
        Action::HappensBefore(op) => Some(op.clone()),
        _ => None,
    };
    let ops: Vec<Op> = accesses.iter().filter_map(op).collect();
    let (at, span) = happens_before::earlier(&ops)?;
    let event = &accesses[at];
    let own = |place: &&CodePlace| system.own[place.function.0 as usize];
    let place = event.frames.iter().find(own).or(event.frames.first())?;
    Some(format!(
        "{} {} it{} at {}",
        thread_name(event.thread),
        verb(span.kind.access()),
        if span.kind.is_atomic() {
            " atomically"
        } else {
            ""
        },
        place_in_words(&system.program, *place),
    ))
}

/// Gives the events that are about stores which were delayed before the places of these stores, and
/// the names that these had there.
fn place_delayed(events: &mut [Event]) {
    let mut delayed: Vec<usize> = Vec::new();
    for n in 0..events.len() {
        let event = &events[n];
        match &event.action {
            Action::Delay { .. } => delayed.push(n),
            Action::Reach { .. } | Action::Drop { .. } => {
                // A buffer's stores to one place leave it in order.
                let is_it = |&m: &usize| {
                    let place = |event: &Event| (event.thread, event.identity.clone());
                    place(&events[m]) == place(event)
                };
                if let Some(at) = delayed.iter().position(is_it) {
                    let delay = events[delayed.remove(at)].clone();
                    events[n].is_of(delay);
                }
            }
            _ => {}
        }
    }
}
