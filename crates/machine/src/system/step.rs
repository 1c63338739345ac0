//! Steps: from a state to its successors.
//!
//! A step is the longest run of one thread with at most one visible action, which comes first.
//!
//! *Claim.* Steps reach an error, a deadlock or a violation of liveness if and only if executions
//! do.
//!
//! *Conditions.*
//! - An action is visible if it accesses memory that several threads can reach, synchronises, reads
//!   the clock, or starts or ends something. A new operation must report whether it is
//!   visible (`crate::reduction::observe`).
//! - When the budget of a step is exhausted, the step ends and its thread is preempted. The search
//!   continues that thread alone; if its budget is exhausted again, it expands all threads.
//! - An instruction that needs a choice has no effect and reports how many outcomes there are. The
//!   machine is copied, and the instruction executed again for each outcome. A second such
//!   instruction ends the step.
//!
//! The argument is in `docs/internals/reduction.md`; for plain accesses to shared memory in
//! `docs/internals/races.md`. [`Por::Off`](crate::base::options::Por) makes every access to memory
//! visible; all settings must give the same verdicts.

mod candidates;
mod chosen;
mod emit;
mod fork;
mod in_flight;
mod joins;
mod names;
mod others;
mod reach;
mod replay;
mod selective;
mod spin;
mod start;
mod symmetric;
mod view;

use fork::Forks;
use replay::Replayer;
use selective::Selection;
use spin::Spinning;

pub use start::start;

pub use view::View;

use crate::base::fault::{ErrorKind, Halt};
use crate::base::hangs::Draining;
use crate::base::section_type::SectionTypes;
use crate::machine::record::{Detail, Recorded};
use crate::machine::system::System;
use crate::machine::{Machine, Stop};
use crate::reduction::step_cache::{Recording, StepCache};
use crate::state::access_history::{MemoryAccess, OtherAccesses};
use crate::state::canonical::Canonicaliser;
use crate::state::encoding::{Base, Kind};
use crate::state::journal::Journal;
use crate::state::memory::Memory;
use crate::state::thread::Thread;
use crate::system::open_sections::Sections;
use crate::value::symbolic::Values;
use impasse_program::address::ObjectId;
use impasse_transition_system::{Branch, Sink, SuccessorFilter};
use smallvec::SmallVec;
use std::sync::Arc;

/// While only one thread is alive a small budget gains little; but where it computes forever, a
/// preemption shows that it returns to where it was.
const LONE_LIMIT: u64 = 2_000;

/// How many outcomes of its choices a step explores before it checks whether it is to stop. No
/// other part of the search need then reckon with steps that stop halfway.
const UNINTERRUPTED: u32 = 1 << 10;

/// For how many frames the next accesses of their threads are kept.
const REMEMBERED: usize = 2048;

/// One search thread's machine, with the state that it steps from.
pub struct Stepper<'s> {
    machine: Machine<'s>,
    base: Base<'s>,
    encoded: Vec<u8>,
    buffer: Vec<u8>,
    names_before: Vec<ObjectId>,
    names_after: Vec<ObjectId>,
    recorded: Option<Vec<Recorded>>,
    /// What a replay knows in the base state; none in a search.
    journal: Option<Arc<Journal>>,
    canonicaliser: Canonicaliser,
    memo: StepCache,
    /// How many searches had begun or ended when it was filled.
    memo_of: u64,
    recording: Recording,
    /// How many patches of globals were kept so far.
    patches: u64,
    /// How many transitions of steps were.
    outcomes: u64,
    replayer: Replayer,
    /// What it needs to expand states selectively, if it does.
    selection: Option<Selection<'s>>,
    /// What it knows of threads in spin loops, if their steps run on through iterations.
    spinning: Option<Spinning>,
    /// What is known of the sections of stored threads.
    pub sections: Sections<'s>,
    /// What threads that stopped in a stored frame access next, by the frame's number: it depends
    /// on nothing else.
    next_of: Vec<(u32, SmallVec<[MemoryAccess; 2]>)>,
    /// What the threads of the base state have accessed recently, and access next.
    others: OtherAccesses,
}

/// Why a thread is the first to take its step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// One thread must be.
    Any,
    /// It is within what must not be interrupted.
    Atomic,
    /// It was preempted.
    Preempted,
}

impl First {
    /// Whether no other takes one, given that it can move, and whether it was preempted then.
    fn is_alone(self, preempted: bool) -> bool {
        match self {
            First::Any => false,
            First::Atomic => true,
            First::Preempted => !preempted,
        }
    }
}

/// What became of a thread that was to take a step.
enum Attempt {
    /// It took one, or more.
    Moved {
        /// Whether some ended in a preemption.
        preempted: bool,
    },
    /// It cannot continue.
    Blocked,
}

/// How one run ended.
enum End {
    State,
    Ended(i32),
    Infeasible,
    Blocked,
    Choice(u32, bool),
    Error(ErrorKind, String),
    Unsupported(String),
    Cancelled,
}

impl<'s> Stepper<'s> {
    /// Returns a stepper without a state.
    pub fn new(system: &'s System) -> Self {
        let memory = || Memory::new(system.memory());
        Stepper {
            machine: Machine::new(system),
            base: Base::new(memory(), system.tracking.is_on()),
            encoded: Vec::new(),
            buffer: Vec::new(),
            names_before: Vec::new(),
            names_after: Vec::new(),
            recorded: None,
            journal: None,
            canonicaliser: Canonicaliser::default(),
            memo: StepCache::default(),
            memo_of: 0,
            recording: Recording::default(),
            patches: 0,
            outcomes: 0,
            replayer: Replayer::default(),
            selection: None,
            spinning: system.may_shorten_spin_loops().then(Spinning::default),
            sections: Sections::new(system),
            next_of: vec![(u32::MAX, SmallVec::new()); REMEMBERED],
            others: OtherAccesses::default(),
        }
    }

    /// Returns one that can emit reduced successors, if the system has any.
    pub fn reducing(system: &'s System) -> Self {
        Stepper {
            selection: system.is_selective().then(|| Selection::new(system)),
            ..Stepper::new(system)
        }
    }

    /// Lets clocks that show the last time show a later one from now on, at each reading. This
    /// over-approximates what a program can reach as time passes: a section that cannot end even so
    /// never ends.
    pub fn let_time_pass(&mut self) {
        self.machine.time.let_pass();
    }

    /// Returns whether the program has read such a clock since then.
    pub fn has_read_late(&self) -> bool {
        self.machine.time.has_read_late()
    }

    /// Lets the inputs of each state from which a step starts favour the end of sections from now
    /// on. A section that cannot end even so never ends, whatever values they have.
    pub fn let_inputs_cooperate(&mut self) {
        self.machine.symbolic.cooperate();
    }

    /// Keeps from now on all inputs of a path, and their whole path condition.
    pub fn keep_inputs(&mut self) {
        self.machine.symbolic.keeps = true;
    }

    /// Notes from now on that inputs have these values.
    pub fn show_inputs(&mut self, values: Arc<Values>) {
        self.machine.symbolic.show(values);
    }

    /// Records from now on what happens on each transition.
    pub fn record(&mut self, detail: Detail) {
        self.machine.observer.note_events(detail);
        self.recorded = Some(Vec::new());
        self.continue_with(Arc::default());
    }

    /// Records from now on what follows a path; `journal` is that of its end.
    pub fn continue_with(&mut self, journal: Arc<Journal>) {
        self.machine.memory.journal = Some(Arc::clone(&journal));
        self.journal = Some(journal);
    }

    /// Returns what happened on each transition since the last call, in the order of emission.
    pub fn recorded(&mut self) -> Vec<Recorded> {
        self.recorded.replace(Vec::new()).unwrap_or_default()
    }

    /// Emits the state in which the program starts.
    pub fn initial(&mut self, sink: &mut dyn Sink<&'s System>) {
        let machine = &mut self.machine;
        start(machine);
        self.emit_state(0, Branch::Schedule, sink);
    }

    /// Emits every transition that leaves a state.
    pub fn successors(&mut self, state: &[u8], sink: &mut dyn Sink<&'s System>) {
        if self.begin(state) {
            self.expand(state, sink);
        }
    }

    /// Emits every transition that leaves the base state.
    fn expand(&mut self, state: &[u8], sink: &mut dyn Sink<&'s System>) {
        let drains = self.drain_at_once(state, sink) || self.drains_later(state);
        let (order, first) = self.order();
        let mut moved = self.own_transitions(sink);
        let mut blocked = Vec::new();
        for (n, &thread) in order.iter().enumerate() {
            match self.attempt(thread, sink) {
                Attempt::Moved { preempted } => {
                    moved = true;
                    if n == 0 && first.is_alone(preempted) {
                        return;
                    }
                }
                Attempt::Blocked => blocked.push(thread),
            }
        }
        // If the state drains, its drained states report the deadlock, with the section that cannot
        // end.
        if !moved && !drains {
            self.report_deadlock(blocked, sink);
        }
    }

    /// Emits the error that these threads are blocked, and there are no others, if it is one.
    fn report_deadlock(&mut self, blocked: Vec<usize>, sink: &mut dyn Sink<&'s System>) {
        if self.machine.options.hangs.reports_deadlocks() {
            let label = blocked.first().map_or(0, |&thread| thread as u32);
            let fault = self.deadlock(blocked);
            match self.machine.system.suppresses(&fault) {
                true => self.emit_infeasible(label, sink),
                false => self.emit_fault(fault, sink),
            }
        }
    }

    /// Emits the transitions of the threads that `sink` asks for, and of the one that goes first.
    pub fn lazy_successors(&mut self, state: &[u8], sink: &mut dyn SuccessorFilter<&'s System>) {
        let system = self.machine.system;
        if system.draining() == Draining::Always || system.memory_model().has_own_transitions() {
            // Not all transitions are threads'.
            return self.successors(state, sink);
        }
        if !self.begin(state) {
            return;
        }
        let (order, first) = self.order();
        let mut left: SmallVec<[u32; 8]> = order.into_iter().map(|thread| thread as u32).collect();
        if first != First::Any {
            let thread = left.remove(0);
            if let Attempt::Moved { preempted } = self.attempt(thread as usize, sink)
                && first.is_alone(preempted)
            {
                return;
            }
        }
        while let Some(thread) = sink.next_label(&left) {
            left.retain(|other| *other != thread);
            self.attempt(thread as usize, sink);
        }
    }

    /// Makes a state the base state; returns whether the program continues from there.
    fn begin(&mut self, state: &[u8]) -> bool {
        let globals = self.machine.program.mutable_globals() as usize;
        if let Kind::Ended = self.base.read(state, globals) {
            return false;
        }
        let searches = self.machine.system.symmetry.searches();
        if std::mem::replace(&mut self.memo_of, searches) != searches {
            self.memo = StepCache::default();
        }
        self.find_others();
        true
    }

    /// The threads that are alive, in the order in which they take their steps from the base state,
    /// and why the first one is first.
    fn order(&self) -> (Vec<usize>, First) {
        let threads = &self.base.threads;
        let alive = |t: &usize| threads[*t].is_alive();
        let mut order: Vec<usize> = (0..threads.len()).filter(alive).collect();
        let position =
            |wanted: &dyn Fn(&Thread) -> bool| order.iter().position(|&t| wanted(&threads[t]));
        let atomic = position(&|t| t.atomic > 0).map(|position| (position, First::Atomic));
        let preempted = || position(&|t| t.preempted && self.machine.options.reduces());
        match atomic.or_else(|| Some((preempted()?, First::Preempted))) {
            None => (order, First::Any),
            Some((position, first)) => {
                order[..=position].rotate_right(1);
                (order, first)
            }
        }
    }

    fn restore_base(&mut self) {
        let (machine, base) = (&mut self.machine, &self.base);
        machine.memory.restore(&base.memory);
        machine.memory.journal.clone_from(&self.journal);
        machine.threads.restore(&base.threads);
        machine.time.restore(base.clock);
        machine.in_flight.begin_step(base.drained);
        machine.effects.begin_step();
        machine.races.restore(&self.others);
        machine.history.begin_step(&base.happens_before);
        machine.choices.begin_step();
        machine.progress.begin_step();
        machine.memory.written = false;
        machine.symbolic.begin_step(&base.condition);
        machine.observer.truncate(0);
    }

    /// Lets a thread take its steps from the base state.
    fn step(&mut self, thread: usize, sink: &mut dyn Sink<&'s System>) -> Attempt {
        self.restore_base();
        let machine = &mut self.machine;
        // What it has accessed, all that follows its next action comes after.
        machine
            .races
            .others_mut()
            .retain(|(other, _)| *other != thread);
        machine.restore_context(thread);
        let visible = machine.threads[thread].preempted && machine.options.reduces();
        machine.threads[thread].preempted = false;
        let alone = !machine.memory.concurrent;
        machine
            .progress
            .begin_thread(visible, alone, limit(machine));
        self.end_wait(thread);
        let mut forks = Forks::default();
        let mut input = false;
        // Whether a transition was emitted that is no non-progress edge.
        let mut led = false;
        let mut any_preempted = false;
        let mut moved = false;
        let mut feasible = false;
        let mut continued = 0;
        loop {
            let end = self.run();
            let mut end = self.unless_stale(end);
            if let End::Error(kind, message) = &end
                && self.suppresses(*kind, message)
            {
                // The other threads move from here as well, since this one does not continue.
                any_preempted = true;
                end = End::Infeasible;
            }
            let happens = !matches!(end, End::Blocked | End::Infeasible | End::Choice(..));
            moved |= happens || matches!(end, End::Infeasible);
            feasible |= happens;
            let branch = self.machine.choices.branch(input, led);
            led |= happens && branch != Branch::NonProgress;
            match end {
                End::State => {
                    any_preempted |= self.machine.threads.iter().any(|t| t.preempted);
                    self.emit_state(thread as u32, branch, sink);
                }
                End::Ended(status) => self.emit_end(status, thread as u32, branch, sink),
                End::Infeasible | End::Blocked => {}
                End::Cancelled => {
                    return Attempt::Moved {
                        preempted: any_preempted,
                    };
                }
                End::Choice(count, input) => {
                    forks.fork(&mut self.machine, count, input);
                    continue;
                }
                End::Error(kind, message) => {
                    self.recording.opaque = true;
                    let fault = self.machine.fault(kind, message);
                    self.emit_fault(fault, sink);
                }
                End::Unsupported(what) => {
                    self.recording.opaque = true;
                    sink.omission(self.machine.omission(what));
                }
            }
            continued += 1;
            if continued > UNINTERRUPTED && self.machine.system.cancel.is_cancelled() {
                return Attempt::Moved {
                    preempted: any_preempted,
                };
            }
            if !forks.advance(&mut self.machine) {
                if moved && !feasible {
                    self.emit_infeasible(thread as u32, sink);
                }
                return match moved {
                    true => Attempt::Moved {
                        preempted: any_preempted,
                    },
                    false => Attempt::Blocked,
                };
            }
            input = forks.is_input();
        }
    }

    /// Where the number of a freed object was seen whose address others may have, nothing that
    /// follows counts.
    fn unless_stale(&self, end: End) -> End {
        match end {
            End::Blocked | End::Choice(..) | End::Cancelled => end,
            _ if self.machine.memory.sees_stale_number => End::Unsupported(
                "the number of a freed address, which may have been used again".into(),
            ),
            _ => end,
        }
    }

    /// A suppressed error comes in a step of its own if the thread has acted before it in this one:
    /// what other threads do in between is part of the program.
    fn stop_before_suppressed(
        &mut self,
        result: Result<Stop, Box<Halt>>,
    ) -> Result<Stop, Box<Halt>> {
        let progress = &self.machine.progress;
        let may_stop = !progress.is_at_start() && !progress.acts_now() && self.machine.must_stop();
        if let Err(halt) = &result
            && let Halt::Error(kind, message) = &**halt
            && may_stop
            && self.suppresses(*kind, message)
        {
            return Ok(Stop::SchedulingPoint);
        }
        result
    }

    /// Whether a rule suppresses an error of the running thread.
    fn suppresses(&mut self, kind: ErrorKind, message: &str) -> bool {
        let suppressions = &self.machine.options.suppressions;
        if suppressions.rules().is_empty() {
            return false;
        }
        // Rules depend on all frames, and the read set has only some.
        self.recording.opaque = true;
        let fault = self.machine.fault(kind, message.into());
        self.machine.system.suppresses(&fault)
    }

    /// Runs the running thread to its next scheduling point, and then every thread that it started.
    fn run(&mut self) -> End {
        loop {
            let machine = &mut self.machine;
            machine.memory.read_set.record(self.recording.on);
            machine
                .threads
                .record(self.recording.on || machine.footprint.is_on());
            let result = machine.execute();
            machine.memory.read_set.record(false);
            machine.threads.record(false);
            let result = self.stop_before_suppressed(result);
            let machine = &mut self.machine;
            let preempted = match result {
                Ok(Stop::Exit(status)) => {
                    machine.save_context();
                    return End::Ended(status);
                }
                Ok(Stop::ThreadEnd) => false,
                Ok(Stop::BudgetExhausted) => true,
                Ok(Stop::SchedulingPoint) => false,
                Err(halt) => match *halt {
                    Halt::SchedulingPoint
                        if machine.progress.is_at_start()
                            && machine.progress.may_act_at_start() =>
                    {
                        let what = "the machine itself: an instruction that is two visible actions";
                        return End::Unsupported(what.into());
                    }
                    Halt::SchedulingPoint => false,
                    Halt::Blocked(_) if machine.progress.is_at_start() => return End::Blocked,
                    Halt::Blocked(_) => false,
                    Halt::Infeasible => return End::Infeasible,
                    Halt::Choice(..) if machine.choices.end_step() => {
                        machine.progress.restart_instruction();
                        true
                    }
                    Halt::Choice(count, input) => return End::Choice(count, input),
                    Halt::Error(kind, message) => return End::Error(kind, message),
                    Halt::Unsupported(what) => return End::Unsupported(what),
                    Halt::Cancelled => return End::Cancelled,
                },
            };
            machine.save_context();
            let running = machine.running;
            machine.threads[running].preempted = preempted;
            machine.choices.end_instruction();
            let Some(next) = machine.effects.take_started() else {
                return End::State;
            };
            if let Some(message) = self.canonicalise_within() {
                return End::Error(ErrorKind::MemoryLeak, message);
            }
            self.follow_names(running);
            if next != running {
                self.note_thread(next);
                self.end_wait(next);
            }
            let machine = &mut self.machine;
            // What the base state says of names does not hold any more.
            machine.memory.regrouped = true;
            machine.restore_context(next);
            machine.progress.begin_started_thread(limit(machine));
        }
    }

    /// A thread takes a step: what it waited for in the base state has ended.
    fn end_wait(&mut self, thread: usize) {
        self.machine.effects.begin_thread(None);
        if self.machine.options.hangs.section_types() != SectionTypes::NONE
            && let Some(stored) = self.base.stored_thread(thread)
            && let Some(section) = self.sections.waiting(thread as u32, stored)
        {
            let mut interrupted = self.base.threads[thread].signals.interrupted_waits();
            if interrupted.any(|kind| section.kind() == Some(kind)) {
                return;
            }
            let effects = &mut self.machine.effects;
            effects.begin_thread(section.kind());
            effects.end_section(section.key());
        }
    }
}

fn limit(machine: &Machine<'_>) -> u64 {
    match machine.memory.concurrent {
        true => machine.options.step_limit,
        false => LONE_LIMIT,
    }
}
