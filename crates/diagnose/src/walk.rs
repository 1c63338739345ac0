//! Walks through a system, with what happens on each transition, and paths as schedules: which
//! thread moves, and with which outcome.

use crate::trace;
use crate::words::waits_for;
use impasse_machine::base::fault::{ErrorKind, Omission};
use impasse_machine::machine::record::{Action, Detail, Event, Recorded};
use impasse_machine::state::journal::Journal;
use impasse_machine::system::System;
use impasse_machine::system::replay::values_on;
use impasse_machine::system::step::{Stepper, View};
use impasse_report::{Move, Step};
use impasse_transition_system::{Emission, Emissions, Path};
use std::sync::Arc;

/// A walk: a state, what is known of the past there, and how it was reached.
pub struct Walk<'s> {
    system: &'s System,
    stepper: Stepper<'s>,
    /// The present state; none before the start, and after an error.
    pub state: Option<Vec<u8>>,
    journal: Arc<Journal>,
    ordinals: Vec<u32>,
}

/// Where a walk was.
#[derive(Clone)]
pub struct Mark {
    state: Option<Vec<u8>>,
    journal: Arc<Journal>,
    length: usize,
}

/// A transition that a walk can take.
pub struct Offer<'s> {
    /// Its ordinal.
    pub ordinal: u32,
    /// The move that it is.
    pub step: Move,
    /// What happens in it.
    pub events: Vec<Event>,
    /// Where it leads.
    pub emission: Emission<&'s System>,
    journal: Arc<Journal>,
}

/// What can happen next.
#[derive(Default)]
pub struct Offers<'s> {
    /// The transitions.
    pub all: Vec<Offer<'s>>,
    /// What is not supported, if a thread comes to such a thing.
    pub omitted: Option<Omission>,
}

impl<'s> Walk<'s> {
    /// Returns a walk that has not started.
    pub fn new(system: &'s System) -> Self {
        let mut stepper = Stepper::new(system);
        stepper.record(Detail::default());
        Walk {
            system,
            stepper,
            state: None,
            journal: Arc::default(),
            ordinals: Vec::new(),
        }
    }

    /// Returns a walk that has not started, which shows values of inputs as they are on a path.
    pub fn along(system: &'s System, path: &Path) -> Self {
        let mut walk = Walk::new(system);
        if let Some(values) = values_on(system, path) {
            walk.stepper.keep_inputs();
            walk.stepper.show_inputs(values);
        }
        walk
    }

    /// Returns where the walk is.
    pub fn mark(&self) -> Mark {
        Mark {
            state: self.state.clone(),
            journal: Arc::clone(&self.journal),
            length: self.ordinals.len(),
        }
    }

    /// Goes back to where the walk was before.
    pub fn go_back_to(&mut self, mark: Mark) {
        self.state = mark.state;
        self.journal = mark.journal;
        self.ordinals.truncate(mark.length);
    }

    /// Returns the path taken so far.
    pub fn path(&self) -> Path {
        Path::new(self.ordinals.clone())
    }

    /// Returns what can happen next; nothing after an error or the end.
    pub fn offers(&mut self) -> Offers<'s> {
        self.stepper.continue_with(Arc::clone(&self.journal));
        let mut sink = Emissions::<&'s System>::new();
        match &self.state {
            None if self.ordinals.is_empty() => self.stepper.initial(&mut sink),
            None => {}
            Some(state) => self.stepper.successors(state, &mut sink),
        }
        let mut offers = self.received(sink, false, 0);
        let is_only = offers.all.len() == 1 && offers.omitted.is_none();
        offers.all.iter_mut().for_each(|it| it.step.only = is_only);
        offers
    }

    /// Returns the transitions in which delayed stores reach memory, after the given ones.
    pub fn drains(&mut self, offers: &Offers<'s>) -> Vec<Offer<'s>> {
        let Some(state) = &self.state else {
            return Vec::new();
        };
        self.stepper.continue_with(Arc::clone(&self.journal));
        let mut sink = Emissions::<&'s System>::new();
        self.stepper.drain(state, &mut sink);
        self.received(sink, true, offers.all.len() as u32).all
    }

    /// Returns the number in reports of a thread of the present state.
    pub fn reported(&self, thread: u32) -> u32 {
        self.journal.thread(thread as usize)
    }

    /// Returns why a thread, by its number in reports, cannot move in the present state, in words:
    /// "has ended" or "waits …"; `None` if another one goes first.
    pub fn why_stuck(&mut self, thread: u32) -> Option<String> {
        let (mut view, journal) = self.view()?;
        let mut alive = (0..view.thread_count()).filter(|&it| view.is_alive(it));
        let Some(number) = alive.find(|&it| journal.thread(it) == thread) else {
            return Some("does not run".into());
        };
        let blocked = view.why_blocked(number);
        let waits = waits_for(&blocked, number as u32, |it| journal.thread(it as usize));
        (!waits.is_empty()).then(|| format!("waits {waits}"))
    }

    /// Returns the transition with an ordinal, or `None` if there is none.
    pub fn offer(&mut self, ordinal: u32) -> Option<Offer<'s>> {
        let mut offers = self.offers();
        let index = ordinal as usize;
        if index >= offers.all.len() {
            let drains = self.drains(&offers);
            offers.all.extend(drains);
        }
        (index < offers.all.len()).then(|| offers.all.swap_remove(index))
    }

    /// Returns a view of the present state, and what is known of the past there; `None` if there is
    /// no such state.
    pub fn view(&mut self) -> Option<(View<'_, 's>, Arc<Journal>)> {
        let state = self.state.as_ref()?;
        self.stepper.continue_with(Arc::clone(&self.journal));
        let journal = Arc::clone(&self.journal);
        Some((self.stepper.view(state), journal))
    }

    /// Takes a transition that was offered last.
    pub fn take(&mut self, offer: Offer<'s>) {
        self.ordinals.push(offer.ordinal);
        self.journal = offer.journal;
        self.state = match offer.emission {
            Emission::Edge(edge) => Some(edge.target),
            Emission::Fault(_) | Emission::Omission(_) => None,
        };
    }

    fn received(
        &mut self,
        emissions: Emissions<&'s System>,
        drains: bool,
        first: u32,
    ) -> Offers<'s> {
        let mut recorded = self.stepper.recorded().into_iter();
        let mut offers = Offers::default();
        for emission in emissions.0 {
            let thread = match &emission {
                Emission::Edge(edge) => Some(self.journal.thread(edge.label as usize)),
                Emission::Fault(fault) => (fault.kind != ErrorKind::Hang).then_some(fault.thread),
                Emission::Omission(omission) => {
                    offers.omitted.get_or_insert_with(|| omission.clone());
                    continue;
                }
            };
            let Some(recorded) = recorded.next() else {
                break;
            };
            let same = |offer: &&Offer<'_>| offer.step.thread == thread;
            let outcome = offers.all.iter().filter(same).count() as u32;
            offers.all.push(Offer {
                ordinal: first + offers.all.len() as u32,
                step: Move {
                    thread,
                    outcome,
                    drains,
                    ..self.described(&recorded)
                },
                emission,
                journal: recorded.journal,
                events: recorded.events,
            });
        }
        offers
    }

    /// A move with what happens first in it, but for allocations, which no other thread sees.
    fn described(&self, recorded: &Recorded) -> Move {
        let shown = |event: &&Event| {
            let is_allocation = matches!(event.action, Action::Allocate { .. });
            !event.is_of_history() && !event.is_begin() && !is_allocation
        };
        let first = recorded.events.iter().find(shown);
        let first = first.map(std::slice::from_ref).unwrap_or_default();
        let step = trace::steps(self.system, first).pop();
        step.filter(|step| step.line > 0)
            .map_or(Move::default(), |step| Move {
                action: in_short(&step),
                file: step.file,
                line: step.line,
                ..Move::default()
            })
    }
}

/// An action without its values, in words.
fn in_short(step: &Step) -> Option<String> {
    let name = match step.library {
        true => step.part_of.as_ref()?,
        false => step.variable.as_ref().unwrap_or(&step.text),
    };
    Some(match step.action.as_str() {
        "read" => format!("reads {name}"),
        "write" | "delay" => format!("writes {name}"),
        "fail" => format!("fails to exchange {name}"),
        "reach" | "drop" => format!("delivers {name}"),
        "choice" => "makes a choice".into(),
        "output" => "prints".into(),
        "environment" => "asks its environment".into(),
        _ => step.text.clone(),
    })
}

/// Returns the schedule of a path of a system.
pub fn schedule(system: &System, path: &Path) -> Vec<Move> {
    let mut walk = Walk::new(system);
    let mut moves = Vec::new();
    for &ordinal in path.ordinals() {
        let Some(offer) = walk.offer(ordinal) else {
            break;
        };
        moves.push(offer.step.clone());
        walk.take(offer);
    }
    moves
}
