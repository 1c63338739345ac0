//! What the search keeps of each expanded state: the list of its open keys, and its successor hint,
//! four bytes each.

use super::key_lists::Lists;
use impasse_store::{Backing, Column, Id};
use impasse_transition_system::Key;
use std::iter;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

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
    targets: Column<AtomicU32>,
    /// How many words of `targets` are in use.
    words: AtomicU64,
    /// The greatest id of an expanded state.
    last: AtomicU32,
}

impl SuccessorHints {
    /// No states yet. The nontermination of `noted` is no violation.
    pub(super) fn new(noted: Option<Key>, backing: &Backing) -> Self {
        SuccessorHints {
            lists: Lists::new(noted, backing),
            backing: backing.clone(),
            open: Column::on(backing),
            hints: Column::on(backing),
            targets: Column::on(backing),
            words: AtomicU64::new(0),
            last: AtomicU32::new(0),
        }
    }

    /// Notes that a state is being expanded in which the sections of `list` are open.
    pub(super) fn expand(&self, state: Id, list: Id) {
        assert!(
            list.0 < MANY - 1,
            "there are more lists than can be numbered"
        );
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
                let words = all.len() as u64 + 1;
                let first = self.words.fetch_add(words, Relaxed);
                let first = u32::try_from(first + words).map(|end| end - words as u32);
                let first = first.expect("hints have fewer targets than can be numbered");
                let count = iter::once(all.len() as u32);
                let words = count.chain(all.iter().map(|target| target.0));
                for (at, word) in (first..).zip(words) {
                    self.targets.cell(at).store(word, Relaxed);
                }
                self.open.cell(state.0).fetch_or(MANY, Relaxed);
                first
            }
        };
        self.hints.cell(state.0).store(word, Relaxed);
    }

    /// Memory in use with so many states, in bytes.
    pub(super) fn bytes(&self, states: u64) -> u64 {
        let targets = self.words.load(Relaxed);
        8 * states + 4 * targets + self.lists.bytes()
    }

    /// The greatest id of an expanded state.
    pub(super) fn last(&self) -> u32 {
        self.last.load(Relaxed)
    }

    /// The states up to the last expanded one, some of which may not be expanded.
    pub(super) fn expanded(&self) -> impl DoubleEndedIterator<Item = Id> + Clone + use<> {
        (0..=self.last()).map(Id)
    }

    /// The list of a state; `None` if it is not expanded.
    pub(super) fn list(&self, state: Id) -> Option<Id> {
        let word = self.open.get(state.0)?.load(Relaxed) & !MANY;
        word.checked_sub(1).map(Id)
    }

    /// Whether an expanded state has no hint, or one that leads back to itself.
    pub(super) fn is_missing(&self, state: Id) -> bool {
        self.hints.cell(state.0).load(Relaxed) == NONE && !self.has_several(state)
    }

    fn has_several(&self, state: Id) -> bool {
        self.open.cell(state.0).load(Relaxed) & MANY != 0
    }

    /// The targets of a state's hint.
    pub(super) fn targets(&self, state: Id) -> impl Iterator<Item = Id> {
        let word = self.hints.cell(state.0).load(Relaxed);
        let (one, several) = match word {
            _ if self.has_several(state) => (None, Some(self.several(word))),
            NONE | ENDS => (None, None),
            _ => (Some(Id(word - 1)), None),
        };
        one.into_iter().chain(several.into_iter().flatten())
    }

    /// The targets whose number is at `first`.
    fn several(&self, first: u32) -> impl Iterator<Item = Id> {
        let word = |at: u32| self.targets.cell(at).load(Relaxed);
        let targets = first + 1..first + 1 + word(first);
        targets.map(move |at| Id(word(at)))
    }
}
