//! A simulation: a walk through the states of a program that its user directs, forwards and back.

use crate::present::{Present, present, stacks};
use crate::replay::is_as_recorded;
use crate::walk::{Mark, Offer, Offers, Walk};
use crate::{fault, trace};
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::machine::record::Event;
use impasse_machine::system::System;
use impasse_report::{ErrorReport, Frame, Move, Reason, Step};
use impasse_transition_system::Emission;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

/// A walk that can go back, and forward again.
pub struct Simulation<'s> {
    system: &'s System,
    walk: Walk<'s>,
    offers: Offers<'s>,
    /// How the first state was reached, if there is only one.
    start: Option<Made>,
    /// The moves that were made.
    past: Vec<Made>,
    /// The ordinals of the moves to make again, the next one last.
    ahead: Vec<u32>,
    /// How the simulation has ended, if it has.
    ending: Option<Ending>,
}

/// A move that was made: from where, and what happened.
struct Made {
    from: Mark,
    events: Vec<Event>,
}

/// How an execution has ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Regularly.
    Regular,
    /// With an error.
    Error(Box<ErrorReport>),
}

/// A move that can be made.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The thread that moves, and what it does first; no thread if it is that none can.
    pub step: Move,
    /// What happens.
    pub steps: Vec<Step>,
    /// How it ends the execution, if it does.
    pub ending: Option<Ending>,
}

impl<'s> Simulation<'s> {
    /// Returns a simulation at the first state of a system; if there are several, it has not yet
    /// chosen one.
    pub fn new(system: &'s System) -> Self {
        let mut walk = Walk::new(system);
        let offers = walk.offers();
        let mut simulation = Simulation {
            system,
            walk,
            offers,
            start: None,
            past: Vec::new(),
            ahead: Vec::new(),
            ending: None,
        };
        if simulation.offers.all.len() == 1 {
            simulation.take(0);
            simulation.start = simulation.past.pop();
        }
        simulation
    }

    /// Returns how many moves were made.
    pub fn length(&self) -> usize {
        self.past.len()
    }

    /// Returns how many moves can be made again.
    pub fn length_ahead(&self) -> usize {
        self.ahead.len()
    }

    /// Returns how the execution has ended, if it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Returns the moves that can be made.
    pub fn choices(&self) -> Vec<Choice> {
        let choice = |(index, offer): (usize, &Offer<'s>)| Choice {
            step: offer.step.clone(),
            steps: self.steps(&offer.events, self.length() + 1),
            ending: self.ending_of(index),
        };
        self.offers.all.iter().enumerate().map(choice).collect()
    }

    /// Returns the threads of the moves that can be made, in their order.
    pub fn movers(&self) -> Vec<Option<u32>> {
        let offers = self.offers.all.iter();
        offers.map(|offer| offer.step.thread).collect()
    }

    /// Returns what is not supported, if a thread comes to such a thing next.
    pub fn unsupported(&self) -> Option<Reason> {
        let omission = self.offers.omitted.as_ref()?;
        Some(fault::reason(self.system, omission))
    }

    /// Makes a move, by its index among the choices, and returns what happens. What could be made
    /// again is forgotten unless this is it. Panics if there is no such move.
    pub fn choose(&mut self, index: usize) -> Vec<Step> {
        let ordinal = self.offers.all[index].ordinal;
        if self.ahead.pop_if(|next| *next == ordinal).is_none() {
            self.ahead.clear();
        }
        self.take(index)
    }

    /// Makes the next move again that was taken back, or that a trace has. Returns what happens;
    /// `None` if there is none.
    pub fn forward(&mut self) -> Option<Vec<Step>> {
        let next = *self.ahead.last()?;
        let offers = self.offers.all.iter();
        let index = offers
            .map(|offer| offer.ordinal)
            .position(|it| it == next)?;
        self.ahead.pop();
        Some(self.take(index))
    }

    /// Takes the last move back. Returns whether there was one.
    pub fn back(&mut self) -> bool {
        let ordinals = self.walk.path();
        let Some(made) = self.past.pop() else {
            return false;
        };
        self.ahead.extend(ordinals.ordinals().last());
        self.walk.go_back_to(made.from);
        self.ending = None;
        self.look();
        true
    }

    /// Makes the moves of a recorded path, and goes back to the start, so that they can be made
    /// again. Fails at the first one that cannot be made, and says how many could.
    pub fn load(&mut self, moves: &[Move]) -> Result<(), usize> {
        while self.back() {}
        self.ahead.clear();
        if moves.iter().any(|it| it.drains) {
            // The search that recorded them had seen one, or delays stores.
            self.system.spurious_failure_seen.store(true, Relaxed);
        }
        let mut made = usize::from(self.start.is_some());
        for next in moves.iter().skip(made) {
            if next.drains {
                let drains = self.walk.drains(&self.offers);
                self.offers.all.extend(drains);
            }
            let mut offers = self.offers.all.iter();
            let Some(index) = offers.position(|it| is_as_recorded(&it.step, next)) else {
                break;
            };
            self.take(index);
            made += 1;
        }
        while self.back() {}
        match made < moves.len() {
            true => Err(made),
            false => Ok(()),
        }
    }

    /// Returns what has happened, as in the trace of a report.
    pub fn trace(&self) -> Vec<Step> {
        let start = self.start.iter().map(|made| (0, made));
        let events = start.chain((1..).zip(&self.past));
        let events = events.flat_map(|(number, made)| numbered(&made.events, number));
        trace::steps(self.system, &events.collect::<Vec<_>>())
    }

    /// Returns the present state; `None` after an error.
    pub fn present(&mut self) -> Option<Present> {
        present(self.system, &mut self.walk)
    }

    /// Returns the stacks of the threads in the program's own code; after an error, at the error.
    pub fn stacks(&mut self) -> BTreeMap<u32, Vec<Frame>> {
        match &self.ending {
            Some(Ending::Error(error)) => {
                let threads = error.threads.iter();
                threads.map(|it| (it.thread, it.stack.clone())).collect()
            }
            _ => stacks(self.system, &mut self.walk),
        }
    }

    /// Returns why a thread cannot move, in words, if it cannot.
    pub fn why_stuck(&mut self, thread: u32) -> Option<String> {
        self.walk.why_stuck(thread)
    }

    /// Returns the present state as bytes, to compare it with others.
    pub fn state(&self) -> Option<&[u8]> {
        self.walk.state.as_deref()
    }

    fn take(&mut self, index: usize) -> Vec<Step> {
        self.ending = self.ending_of(index);
        let offer = self.offers.all.swap_remove(index);
        let steps = self.steps(&offer.events, self.length() + 1);
        self.past.push(Made {
            from: self.walk.mark(),
            events: offer.events.clone(),
        });
        self.walk.take(offer);
        self.look();
        steps
    }

    /// Finds out what can happen next.
    fn look(&mut self) {
        self.offers = match self.ending {
            Some(_) => Offers::default(),
            None => self.walk.offers(),
        };
        if self.offers.all.is_empty() && self.ending.is_none() {
            self.offers.all = self.walk.drains(&self.offers);
        }
    }

    fn ending_of(&self, index: usize) -> Option<Ending> {
        match &self.offers.all[index].emission {
            Emission::Edge(edge) => edge.ended.is_none().then_some(Ending::Regular),
            Emission::Fault(fault) => {
                let mut error = fault::error(self.system, fault);
                if fault.kind == ErrorKind::Hang {
                    error.message = "no thread can continue".into();
                }
                Some(Ending::Error(Box::new(error)))
            }
            Emission::Omission(_) => None,
        }
    }

    fn steps(&self, events: &[Event], number: usize) -> Vec<Step> {
        let events: Vec<Event> = numbered(events, number).collect();
        let mut steps = trace::steps(self.system, &events);
        steps.retain(|step| step.line > 0 || step.function.is_empty());
        steps
    }
}

/// The events that are steps, as those of the move with a number.
fn numbered(events: &[Event], number: usize) -> impl Iterator<Item = Event> {
    let shown = |event: &&Event| !event.is_of_history() && !event.is_begin();
    let numbered = move |event: &Event| Event {
        transition: number as u32,
        ..event.clone()
    };
    events.iter().filter(shown).map(numbered)
}
