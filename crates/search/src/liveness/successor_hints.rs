//! What the search keeps of each expanded state: the list of its open keys, and its successor hint,
//! four bytes each.

use super::key_lists::Lists;
use impasse_store::{Backing, Column, Id};
use impasse_transition_system::Key;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Flag of a list's number.
const MANY: u32 = 1 << 31;
/// As a hint: none, or one that leads back to the state itself.
const NONE: u32 = 0;
/// As a hint: every section ends.
const ENDS: u32 = u32::MAX;

/// The group of a state's transitions that is stored.
pub(super) enum SuccessorHint {
    /// Every section ends.
    Ends,
    /// All transitions lead to this state.
    To(Id),
    /// They lead to these states.
    ToAll(Vec<Id>),
}

/// The open keys and the successor hints of the expanded states.
pub(super) struct SuccessorHints {
    pub(super) lists: Lists,
    /// Where what is kept for each state lies.
    pub(super) backing: Backing,
    /// By state: the number of its list plus one, 0 if it is not expanded. With [`MANY`] if its
    /// hint has several targets.
    open: Column<AtomicU32>,
    /// By state: its successor hint.
    hints: Column<AtomicU32>,
    /// The targets of hints that have several: their number, then they.
    targets: Mutex<Vec<u32>>,
    /// The greatest id of an expanded state.
    last: AtomicU32,
}

/// The targets of the hints that have several, at some time.
pub(super) struct Targets(Vec<u32>);

impl SuccessorHints {
    /// No states yet. The nontermination of `noted` is no violation.
    pub(super) fn new(noted: Option<Key>, backing: &Backing) -> Self {
        SuccessorHints {
            lists: Lists::new(noted),
            backing: backing.clone(),
            open: Column::on(backing),
            hints: Column::on(backing),
            targets: Mutex::default(),
            last: AtomicU32::new(0),
        }
    }

    /// Notes that a state is being expanded in which the sections of `list` are open.
    pub(super) fn expand(&self, state: Id, list: Id) {
        self.open.cell(state.0).store(list.0 + 1, Relaxed);
        self.last.fetch_max(state.0, Relaxed);
    }

    /// Stores the successor hint of an expanded state.
    pub(super) fn set_hint(&self, state: Id, hint: SuccessorHint) {
        let word = match hint {
            SuccessorHint::Ends => ENDS,
            SuccessorHint::To(target) if target == state => NONE,
            SuccessorHint::To(target) => target.0 + 1,
            SuccessorHint::ToAll(all) => {
                let mut targets = self
                    .targets
                    .lock()
                    .expect("no thread panics while it holds the lock");
                let first = targets.len() as u32;
                targets.push(all.len() as u32);
                targets.extend(all.iter().map(|target| target.0));
                self.open.cell(state.0).fetch_or(MANY, Relaxed);
                first
            }
        };
        self.hints.cell(state.0).store(word, Relaxed);
    }

    /// Memory in use with so many states, in bytes.
    pub(super) fn bytes(&self, states: u64) -> u64 {
        let targets = self.targets.lock();
        let targets = targets
            .expect("no thread panics while it holds the lock")
            .len() as u64;
        8 * states + 4 * targets + self.lists.bytes()
    }

    /// The greatest id of an expanded state.
    pub(super) fn last(&self) -> u32 {
        self.last.load(Relaxed)
    }

    /// The states up to the last expanded one, some of which may not be expanded.
    pub(super) fn expanded(&self) -> impl DoubleEndedIterator<Item = Id> + use<> {
        (0..=self.last()).map(Id)
    }

    /// The list of a state; `None` if it is not expanded.
    pub(super) fn list(&self, state: Id) -> Option<Id> {
        let word = self.open.get(state.0)?.load(Relaxed) & !MANY;
        word.checked_sub(1).map(Id)
    }

    /// The present targets of the hints that have several.
    pub(super) fn several(&self) -> Targets {
        let targets = self.targets.lock();
        Targets(
            targets
                .expect("no thread panics while it holds the lock")
                .clone(),
        )
    }

    /// Whether an expanded state has no hint, or one that leads back to itself.
    pub(super) fn is_missing(&self, state: Id) -> bool {
        self.hints.cell(state.0).load(Relaxed) == NONE && !self.has_several(state)
    }

    fn has_several(&self, state: Id) -> bool {
        self.open.cell(state.0).load(Relaxed) & MANY != 0
    }

    /// The targets of a state's hint.
    pub(super) fn targets<'t>(
        &self,
        state: Id,
        several: &'t Targets,
    ) -> impl Iterator<Item = Id> + use<'t> {
        let word = self.hints.cell(state.0).load(Relaxed);
        let (one, several) = match word {
            _ if self.has_several(state) => {
                let (count, targets) = several.0[word as usize..].split_first().expect("a count");
                (None, &targets[..*count as usize])
            }
            NONE | ENDS => (None, &[][..]),
            _ => (Some(Id(word - 1)), &[][..]),
        };
        one.into_iter()
            .chain(several.iter().map(|&target| Id(target)))
    }
}
