//! What threads will access, as far as it was observed: what the persistent sets of a search are
//! computed from.
//!
//! The *control* of a thread is its number and its frames. The *future* of a control holds the
//! footprints of all steps that were explored from it or from a control that such a step leads to.
//! A search may explore a set of threads alone where their steps conflict with the future of no
//! other thread; that is a *decision*, and rests on assumptions about futures.
//!
//! *Claim.* If, at the end of a search, all assumptions hold with the futures known then, the
//! search has found an error, a deadlock or a hang if and only if one without decisions does.
//!
//! *Conditions.*
//! - The search observes every step that it explores, blocked ones too ([`View::observe`]).
//! - It notes what each decision rests on, expands a state fully where no successor is new (the
//!   proviso), and asks [`Futures::revise`] before it claims anything but an error.
//! - Futures change only in [`Futures::revise`], while no thread explores: then decisions do not
//!   depend on the number of threads.
//!
//! What is known of other controls with the same positions serves as a *guess*, so that fewer
//! decisions turn out to be wrong.
//!
//! An access that follows the join of a thread is *guarded* by it: it cannot happen before that
//! thread has ended, so it conflicts with no step of that thread.
//!
//! The argument is in `docs/internals/persistent-sets.md`.

mod cycles;
mod numbered;
mod unused;

use cycles::{Cycles, Spot, Step};
pub use numbered::{FootprintId, NumberedFootprint};

use crate::machine::footprint::{Footprint, Guarded, Guards, Place, Touched};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, btree_map};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// Memory that futures may take in any case, and more for each state expanded, in bytes.
const ALLOWED: u64 = 128 << 20;
const ALLOWED_PER_STATE: u64 = 32;
/// Memory that an access takes in a future, roughly, in bytes.
const ACCESS: u64 = 96;
/// Memory that a footprint takes, which several tables have, roughly, in bytes.
const FOOTPRINT: u64 = 4 * size_of::<Footprint>() as u64;
/// States that may be expanded in vain.
const IN_VAIN: u64 = 1 << 8;
/// For how many observations and assumptions a view keeps what it knows of them.
const REMEMBERED: usize = 1 << 15;

/// Where a thread is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Control {
    /// Its number.
    pub thread: u32,
    /// A hash of its number and its frames.
    pub frames: u64,
    /// A hash of its number and the positions of its frames, whatever their variables hold.
    pub positions: u64,
    /// A hash of its number and its frames, whatever the numbers of the objects are that these
    /// point to, and whatever follows from inputs.
    pub spot: u64,
}

impl Hash for Control {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.frames.hash(state);
    }
}

/// An access, or `None` if it is not known what is accessed; and the threads that have ended
/// before.
type Access = (Option<Touched>, Guards);

/// What a thread may access from some control on.
#[derive(Default)]
struct Future {
    /// In which search the control was first observed.
    round: u32,
    touched: FxHashMap<Place, BTreeMap<Touched, Guards>>,
    /// The guards of steps that may access anything, if there are such steps.
    opaque: Option<Guards>,
}

impl Future {
    /// Adds an access. Returns it with the guards that it has now if that has changed the future.
    fn add(&mut self, (touched, guards): Access) -> Option<Access> {
        let known = match touched {
            Some(touched) => {
                let known = self.touched.entry(touched.place).or_default();
                match known.entry(touched) {
                    btree_map::Entry::Occupied(known) => known.into_mut(),
                    btree_map::Entry::Vacant(new) => {
                        new.insert(guards);
                        return Some((Some(touched), guards));
                    }
                }
            }
            None => match &mut self.opaque {
                Some(known) => known,
                None => {
                    self.opaque = Some(guards);
                    return Some((None, guards));
                }
            },
        };
        known.narrow(guards).then_some((touched, *known))
    }

    /// Returns all accesses.
    fn accesses(&self) -> impl Iterator<Item = Access> + '_ {
        let touched = self.touched.values().flatten();
        let touched = touched.map(|(&touched, &guards)| (Some(touched), guards));
        touched.chain(self.opaque.map(|guards| (None, guards)))
    }

    /// Returns whether a thread that has this future may access a place before `thread` has ended.
    fn touches(&self, thread: u32, wanted: impl Fn(&Touched) -> bool, place: Place) -> bool {
        let known = self.touched.get(&place);
        let mut known = known.into_iter().flatten();
        known.any(|(touched, guards)| !guards.has(thread) && wanted(touched))
    }

    fn is_opaque(&self, thread: u32) -> bool {
        self.opaque.is_some_and(|guards| !guards.has(thread))
    }

    /// Returns whether the order of a step of `thread` and of something in this future matters.
    fn conflicts(&self, thread: u32, footprint: &Footprint) -> bool {
        self.uses(thread, footprint) || self.touches(thread, |_| true, Place::Record(thread))
    }

    /// Returns whether something in this future conflicts with a footprint before `thread` ends.
    fn uses(&self, thread: u32, footprint: &Footprint) -> bool {
        let conflict = |Guarded { touched: mine, .. }: &Guarded| {
            !matches!(mine.place, Place::End(_))
                && self.touches(thread, |theirs| mine.conflicts(theirs), mine.place)
        };
        self.is_opaque(thread) || footprint.touched.iter().any(conflict)
    }

    /// Returns whether an input may decide about this future before `thread` has ended.
    fn has_input(&self, thread: u32) -> bool {
        self.is_opaque(thread) || self.touches(thread, |_| true, Place::Input)
    }

    /// Returns whether `other`, whose future this is, may end before `thread` has ended.
    fn may_end(&self, other: u32, thread: u32) -> bool {
        self.is_opaque(thread) || self.touches(thread, |_| true, Place::End(other))
    }
}

/// What leads from a control to another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// A step, which waits for the end of these threads.
    Step(Guards),
    /// The threads are symmetric where they have these controls.
    Exchange,
}

impl Edge {
    /// Returns what an access from control `to` on is from control `from` on.
    fn inherited(self, from: Control, to: Control, (touched, guards): Access) -> Access {
        match self {
            Edge::Step(ended) => (touched, guards.with(ended)),
            Edge::Exchange => {
                let its_end = |touched: &Touched| touched.place == Place::End(to.thread);
                let touched = match touched.filter(its_end) {
                    Some(_) => Some(Touched::whole(Place::End(from.thread), true)),
                    None => touched,
                };
                (touched, guards)
            }
        }
    }
}

/// A step that was explored, or that is the image of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Observation {
    from: Control,
    /// A control that the step leads to: of its thread, or of a thread that it starts.
    to: Option<Control>,
    /// `None` if it is the empty step from a thread to a symmetric one.
    footprint: Option<FootprintId>,
}

/// What a decision to explore a thread alone rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Assumption {
    thread: u32,
    footprint: FootprintId,
    /// The control of another thread.
    other: Control,
    kind: Kind,
}

/// What is assumed of another thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// Its future does not conflict with the footprint.
    Independent,
    /// It does not end before the thread does.
    Stays,
    /// Its future has no input.
    NoInput,
    /// Its future accesses nothing of the footprint before the thread has ended.
    Unused,
}

/// A thread that may be explored alone: its number, and the footprint of its step with its number.
pub type Member<'a> = (u32, FootprintId, &'a Footprint);

fn assumption((thread, footprint, _): Member<'_>, other: Control, kind: Kind) -> Assumption {
    Assumption {
        thread,
        footprint,
        other,
        kind,
    }
}

impl Assumption {
    fn holds(&self, future: &Future, footprint: &Footprint) -> bool {
        match self.kind {
            Kind::Independent => !future.conflicts(self.thread, footprint),
            Kind::Stays => !future.may_end(self.other.thread, self.thread),
            Kind::NoInput => !future.has_input(self.thread),
            Kind::Unused => !future.uses(self.thread, footprint),
        }
    }
}

#[derive(Default)]
struct Learned {
    numbers: FxHashMap<Footprint, FootprintId>,
    /// The footprints by their numbers.
    footprints: Vec<Footprint>,
    /// Explored steps that the futures do not contain yet.
    fresh: Vec<Observation>,
    assumptions: FxHashMap<Control, FxHashSet<Assumption>>,
    /// Controls that threads do not come back to, by assumption.
    passed_once: FxHashSet<Spot>,
    /// Where explored steps lead threads, as far as it is not known yet.
    steps: Vec<Step>,
    /// The memory taken, roughly.
    bytes: u64,
}

impl Learned {
    fn forget_assumptions(&mut self) {
        self.assumptions = FxHashMap::default();
        self.passed_once = FxHashSet::default();
        self.bytes = self.footprints.len() as u64 * FOOTPRINT;
    }
}

#[derive(Default)]
struct Known {
    footprints: Vec<Footprint>,
    observed: FxHashSet<Observation>,
    futures: FxHashMap<Control, Future>,
    /// By positions, what is in the future of a control with these.
    guesses: FxHashMap<u64, Future>,
    /// How many searches have begun.
    round: u32,
    /// Whether decisions rest on guesses too.
    guesses_count: bool,
    /// For each control those from which an edge leads to it.
    sources: FxHashMap<Control, Vec<(Control, Edge)>>,
    cycles: Cycles,
    /// The memory taken, roughly.
    bytes: u64,
}

/// Returns the memory that so many elements take in a hash table, roughly, in bytes.
fn table_bytes<T>(elements: usize) -> u64 {
    (elements * (size_of::<T>() + 1) * 3 / 2) as u64
}

/// The futures that all threads of a search share.
#[derive(Default)]
pub struct Futures {
    learned: Mutex<Learned>,
    known: RwLock<Known>,
    /// How often the futures have changed.
    version: AtomicU64,
    /// How many states were expanded.
    expanded: AtomicU64,
    /// The memory taken, roughly.
    bytes: AtomicU64,
    /// Whether what is not accessed any more is dropped.
    unused: unused::Unused,
    /// Whether the futures took too much memory. Nothing is observed any more.
    abandoned: AtomicBool,
}

impl Futures {
    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search begins. No thread may explore meanwhile.
    pub fn begin_search(&self) {
        let learned = &mut *self.learned();
        learned.forget_assumptions();
        self.unused.begin_search();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.round += 1;
        known.guesses_count = self.expanded.load(Relaxed) >= IN_VAIN;
        self.version.fetch_add(1, Relaxed);
    }

    /// Returns whether the futures took too much memory: decisions rest on none any more.
    pub fn are_given_up(&self) -> bool {
        self.abandoned.load(Relaxed)
    }

    /// Returns the memory that the futures take, in bytes, roughly.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Adds to the futures what was observed since the last call. Returns whether some decision
    /// was wrong, or all futures were given up. Decisions are forgotten then, and the search must
    /// begin again. No thread may explore meanwhile. Wrong decisions that rest on what a thread
    /// does not come back to may be found later, unless the search `claims` something.
    pub fn revise(&self, claims: bool) -> bool {
        let mut learned = self.learned();
        let mut fresh = std::mem::take(&mut learned.fresh);
        // A view that does not know yet that futures were given up may still observe.
        if self.abandoned.load(Relaxed) {
            return false;
        }
        let begins_again = self.unused.take_wish();
        let allowed = ALLOWED + ALLOWED_PER_STATE * self.expanded.load(Relaxed);
        if self.bytes() > allowed {
            *learned = Learned::default();
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = Known::default();
            self.bytes.store(0, Relaxed);
            self.abandoned.store(true, Relaxed);
            return true;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let new = &learned.footprints[known.footprints.len()..];
        known.footprints.extend_from_slice(new);
        let mut changed = FxHashSet::default();
        // In an order that does not depend on who came first, as guards are not always exact.
        let footprint = |observation: &Observation| {
            let number = observation.footprint;
            number.map(|number| &known.footprints[number.0 as usize])
        };
        fresh.sort_unstable_by(|a, b| {
            let controls = (a.from, a.to).cmp(&(b.from, b.to));
            controls.then_with(|| footprint(a).cmp(&footprint(b)))
        });
        for observation in fresh {
            known.include(observation, &mut changed);
        }
        known.cycles.add(std::mem::take(&mut learned.steps));
        let cycles_changed = known.cycles.find(claims);
        self.bytes
            .store(known.bytes + known.cycles.bytes() + learned.bytes, Relaxed);
        if changed.is_empty() && !begins_again && !cycles_changed {
            return false;
        }
        self.version.fetch_add(1, Relaxed);
        let mut passed_once = learned.passed_once.iter();
        let comes_back = passed_once.any(|&spot| known.cycles.have(spot));
        let refuted = |control: &Control| {
            let assumptions = learned.assumptions.get(control);
            let mut assumptions = assumptions.into_iter().flatten();
            assumptions.any(|assumption| !known.holds(assumption))
        };
        let refuted = begins_again || comes_back || changed.iter().any(refuted);
        if refuted {
            learned.forget_assumptions();
        }
        refuted
    }
}

impl Known {
    /// Adds a step. Notes the controls whose futures it changes.
    fn include(&mut self, observation: Observation, changed: &mut FxHashSet<Control>) {
        if !self.observed.insert(observation) {
            return;
        }
        self.bytes += table_bytes::<(Observation, Control, Future)>(1);
        let Observation {
            from,
            to,
            footprint,
        } = observation;
        let exchange = footprint.is_none();
        let footprint = footprint.map(|number| self.footprints[number.0 as usize].clone());
        let footprint = footprint.unwrap_or_default();
        let edge = match exchange {
            true => Edge::Exchange,
            false => Edge::Step(footprint.joined),
        };
        let round = self.round;
        self.futures.entry(from).or_insert_with(|| Future {
            round,
            ..Future::default()
        });
        let accesses = footprint.all();
        let accesses = accesses.map(|Guarded { touched, after }| (Some(touched), after));
        let opaque = footprint.opaque.map(|after| (None, after));
        let mut new = self.add(from, opaque.into_iter().chain(accesses));
        if let Some(to) = to.filter(|to| *to != from) {
            let sources = self.sources.entry(to).or_default();
            if !sources.contains(&(from, edge)) {
                sources.push((from, edge));
                let later = self.futures.remove(&to);
                let inherited = later.iter().flat_map(Future::accesses);
                let inherited = inherited.map(|access| edge.inherited(from, to, access));
                new.extend(self.add(from, inherited));
                self.futures.extend(later.map(|later| (to, later)));
            }
        }
        self.propagate(from, new, changed);
    }

    /// Adds accesses to the future of a control. Returns those that have changed it.
    fn add(&mut self, to: Control, accesses: impl Iterator<Item = Access>) -> Vec<Access> {
        let future = self.futures.entry(to).or_default();
        let guess = self.guesses.entry(to.positions).or_default();
        let new: Vec<Access> = accesses.filter_map(|access| future.add(access)).collect();
        new.iter().for_each(|&access| _ = guess.add(access));
        self.bytes += ACCESS * new.len() as u64;
        new
    }

    /// Adds accesses that are new in the future of a control to those of the controls that lead to
    /// it. Notes the controls whose futures have changed.
    fn propagate(&mut self, control: Control, new: Vec<Access>, changed: &mut FxHashSet<Control>) {
        let mut work = vec![(control, new)];
        while let Some((control, new)) = work.pop() {
            if new.is_empty() {
                continue;
            }
            changed.insert(control);
            let sources = self.sources.remove(&control);
            for &(source, edge) in sources.iter().flatten() {
                let inherited = new.iter();
                let inherited = inherited.map(|&access| edge.inherited(source, control, access));
                let new = self.add(source, inherited);
                if !new.is_empty() {
                    work.push((source, new));
                }
            }
            self.sources
                .extend(sources.map(|sources| (control, sources)));
        }
    }

    /// Returns whether an assumption holds, and is likely to hold with what will be known.
    fn is_credible(&self, assumption: &Assumption, footprint: &Footprint) -> bool {
        let future = self.futures.get(&assumption.other);
        let known = future.is_some_and(|future| future.round < self.round);
        let guess = self.guesses.get(&assumption.other.positions);
        let guess = guess.filter(|_| self.guesses_count && !known);
        let mut futures = future.into_iter().chain(guess);
        futures.all(|future| assumption.holds(future, footprint))
    }

    fn holds(&self, assumption: &Assumption) -> bool {
        let Some(future) = self.futures.get(&assumption.other) else {
            return true;
        };
        let footprint = &self.footprints[assumption.footprint.0 as usize];
        assumption.holds(future, footprint)
    }
}

/// What one search thread knows of the futures.
pub struct View<'s> {
    futures: &'s Futures,
    version: u64,
    numbers: FxHashMap<Footprint, FootprintId>,
    observed: FxHashSet<Observation>,
    /// Whether assumptions hold at present.
    assumed: FxHashMap<Assumption, bool>,
    /// The same where what is not known counts as wrong.
    known_unused: FxHashMap<Assumption, bool>,
    /// Those that decisions rest on.
    noted: FxHashSet<Assumption>,
    /// Where steps lead threads.
    steps: FxHashSet<Step>,
}

impl<'s> View<'s> {
    /// A view that has observed nothing yet.
    pub fn new(futures: &'s Futures) -> Self {
        View {
            futures,
            version: 0,
            numbers: FxHashMap::default(),
            observed: FxHashSet::default(),
            assumed: FxHashMap::default(),
            known_unused: FxHashMap::default(),
            noted: FxHashSet::default(),
            steps: FxHashSet::default(),
        }
    }

    /// A state is about to be expanded. Returns whether futures are of use.
    pub fn begin_state(&mut self) -> bool {
        self.futures.expanded.fetch_add(1, Relaxed);
        !self.futures.abandoned.load(Relaxed)
    }

    /// Observes a step from a control, and a control that it leads to, if it leads anywhere.
    /// Returns false if it is certain that the view has observed it before.
    pub fn observe(&mut self, from: Control, to: Option<Control>, footprint: FootprintId) -> bool {
        self.note_observation(Observation {
            from,
            to,
            footprint: Some(footprint),
        })
    }

    /// Observes that a thread may do from a control on what a symmetric thread may do.
    pub fn observe_exchange(&mut self, one: Control, other: Control) {
        self.note_observation(Observation {
            from: one,
            to: Some(other),
            footprint: None,
        });
    }

    fn note_observation(&mut self, observation: Observation) -> bool {
        if self.observed.len() >= REMEMBERED {
            self.observed.clear();
        }
        let is_new = self.observed.insert(observation);
        if is_new {
            self.futures.learned().fresh.push(observation);
        }
        is_new
    }

    /// Returns whether the order of a thread's step and of what another thread may do from a
    /// control on matters, as far as is known.
    pub fn conflicts(&mut self, member: Member<'_>, other: Control) -> bool {
        !self.holds(assumption(member, other, Kind::Independent), member.2)
    }

    /// Assumes that the order of a thread's step and of what others may do later does not matter.
    pub fn assume_independence(&mut self, member: Member<'_>, others: &[Control]) {
        for &other in others {
            self.note(assumption(member, other, Kind::Independent));
        }
    }

    /// Returns whether another thread may access something of a footprint, from a control on,
    /// before the member has ended, as far as is known.
    pub fn uses(&mut self, member: Member<'_>, other: Control) -> bool {
        !self.holds(assumption(member, other, Kind::Unused), member.2)
    }

    /// Assumes that others access nothing of a footprint before the member has ended.
    pub fn assume_no_access(&mut self, member: Member<'_>, others: &[Control]) {
        for &other in others {
            self.note(assumption(member, other, Kind::Unused));
        }
    }

    /// Assumes that one of these does not end before a thread does, and returns true, unless it is
    /// known that all may.
    pub fn assume_staying(&mut self, member: Member<'_>, others: &[Control]) -> bool {
        let mut staying = others
            .iter()
            .map(|&other| assumption(member, other, Kind::Stays));
        let staying = staying.find(|&assumption| self.holds(assumption, member.2));
        staying
            .inspect(|&assumption| self.note(assumption))
            .is_some()
    }

    /// Assumes that no input decides about what these do before a thread has ended, and returns
    /// true, unless it is known that one may.
    pub fn assume_no_input(&mut self, member: Member<'_>, others: &[Control]) -> bool {
        let assume = |&other: &Control| assumption(member, other, Kind::NoInput);
        let mut assumptions = others.iter().map(assume);
        let holds = assumptions.all(|assumption| self.holds(assumption, member.2));
        if holds {
            others
                .iter()
                .map(assume)
                .for_each(|assumption| self.note(assumption));
        }
        holds
    }

    /// Forgets what may have changed.
    fn refresh(&mut self) {
        let version = self.futures.version.load(Relaxed);
        if self.version != version {
            self.version = version;
            self.assumed.clear();
            self.known_unused.clear();
            self.noted.clear();
        }
    }

    /// Returns whether an assumption holds by what is known.
    fn holds(&mut self, assumption: Assumption, footprint: &Footprint) -> bool {
        self.refresh();
        let futures = self.futures;
        make_room(&mut self.assumed);
        *self
            .assumed
            .entry(assumption)
            .or_insert_with(|| futures.known().is_credible(&assumption, footprint))
    }

    fn note(&mut self, assumption: Assumption) {
        self.refresh();
        if self.noted.len() >= REMEMBERED {
            self.noted.clear();
        }
        if self.noted.insert(assumption) {
            let learned = &mut *self.futures.learned();
            let noted = learned.assumptions.entry(assumption.other).or_default();
            if noted.insert(assumption) {
                learned.bytes += table_bytes::<(Assumption, Control)>(1);
            }
        }
    }
}

/// Forgets everything if there is much of it.
fn make_room<K, V>(known: &mut FxHashMap<K, V>) {
    if known.len() >= REMEMBERED {
        known.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_observed_after_futures_were_given_up_is_ignored() {
        let futures = Futures::default();
        let mut view = View::new(&futures);
        let control = |frames| Control {
            thread: 0,
            frames,
            positions: 0,
            spot: frames,
        };
        let mut footprint = Footprint::default();
        footprint.add_whole(Place::End(0), true);
        let number = view.number(&footprint);
        view.observe(control(1), None, number);
        assert!(!futures.revise(true));
        futures.bytes.store(1 << 40, Relaxed);
        view.observe(control(2), None, number);
        assert!(futures.revise(true));
        view.observe(control(3), None, number);
        assert!(!futures.revise(true));
        assert!(!view.begin_state());
        assert!(futures.are_given_up());
    }

    #[test]
    fn what_is_not_known_is_not_dropped_whatever_was_asked_before() {
        let futures = Futures::default();
        let mut view = View::new(&futures);
        let control = |thread| Control {
            thread,
            frames: 0,
            positions: 0,
            spot: 0,
        };
        let mut footprint = Footprint::default();
        footprint.add_whole(Place::End(0), true);
        let member = (0, view.number(&footprint), &footprint);
        assert!(!view.uses(member, control(1)));
        assert!(!view.assume_unused(member, control(1)));
    }
}
