//! A linked program as a transition system.

pub mod open_sections;
pub mod portable;
pub mod replay;
pub mod run;
pub mod sequential;
pub mod step;

pub use crate::machine::system::{LeftOut, ROOTS, START, System};

use crate::base::fault::{ErrorKind, Fault, Omission};
use crate::base::options::Por;
use crate::machine::builtin::Builtin;
use crate::system::step::Stepper;
use impasse_program::link::BuiltinId;
use impasse_transition_system::{Key, ReducingSink, Sink, SuccessorFilter, TransitionSystem};
use std::sync::atomic::Ordering::Relaxed;

/// Returns the number of the builtin with a name, or `None` if there is none. Linking needs it.
pub fn builtin(name: &str) -> Option<BuiltinId> {
    Builtin::find(name)
}

impl<'s> TransitionSystem for &'s System {
    type Worker = Stepper<'s>;
    type Fault = Fault;
    type Omission = Omission;

    fn worker(&self) -> Stepper<'s> {
        Stepper::new(self)
    }

    fn reducing_worker(&self) -> Stepper<'s> {
        Stepper::reducing(self)
    }

    fn is_deadlock(fault: &Fault) -> bool {
        fault.kind == ErrorKind::Hang
    }

    fn initial(&self, worker: &mut Stepper<'s>, sink: &mut dyn Sink<Self>) {
        worker.initial(sink);
    }

    fn successors(&self, worker: &mut Stepper<'s>, state: &[u8], sink: &mut dyn Sink<Self>) {
        worker.successors(state, sink);
    }

    fn lazy_successors(
        &self,
        worker: &mut Stepper<'s>,
        state: &[u8],
        sink: &mut dyn SuccessorFilter<Self>,
    ) {
        worker.lazy_successors(state, sink);
    }

    fn reduced_successors(
        &self,
        worker: &mut Stepper<'s>,
        state: &[u8],
        sink: &mut dyn ReducingSink<Self>,
    ) {
        worker.reduced_successors(state, sink);
    }

    fn reduces(&self) -> bool {
        self.is_selective()
    }

    fn begin_search(&self, reduced: bool, revises: bool) {
        // That a thread joins all others of a kind is an assumption about futures.
        let may_assume = reduced && revises && !self.futures.are_given_up();
        self.symmetry.begin_search(may_assume);
        self.outcomes.begin_search();
        if reduced {
            self.futures.begin_search();
            if self.guesses.begin_search() {
                self.undecided.forget_dropped();
            }
        }
        // The full graph is the same whatever searches it.
        let may_guess = revises && self.options.por == Por::Persistent;
        self.guesses.begin(may_guess);
    }

    fn revise(&self, reduced: bool, claims: bool) -> bool {
        let is_refuted = reduced && self.futures.revise(claims) | self.guesses.have_changed();
        is_refuted | self.guesses.are_refuted() | self.symmetry.is_refuted()
    }

    fn withdraw(&self) -> bool {
        // What was not read might have ended what hangs.
        self.guesses.someone_has_not_seen() || self.symmetry.give_up_if_used()
    }

    fn open_sections(&self, worker: &mut Stepper<'s>, state: &[u8], open: &mut Vec<Key>) {
        open_sections::open_in(&mut worker.sections, state, |key| open.push(key));
    }

    fn drain(&self, worker: &mut Stepper<'s>, state: &[u8], sink: &mut dyn Sink<Self>) {
        worker.drain(state, sink);
    }

    fn has_tried_inputs(&self) -> bool {
        self.input_is_tried.load(Relaxed)
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.futures.bytes()
    }
}
