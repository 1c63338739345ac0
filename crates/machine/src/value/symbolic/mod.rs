//! Terms over inputs, which all search threads share.
//!
//! An input that is followed symbolically is a variable ([`InputId`]); a value computed of inputs
//! is a term of the crate `impasse-solver`, by its number. Terms are stored once, so equal numbers
//! are equal terms, and states may store the numbers.

mod clocks;
mod guess;
mod intervals;
mod plain;
mod private;
mod query;
mod simplify;
mod small;

use crate::base::fault::CodePlace;
use impasse_program::word::{TermId, Word, mask};
use impasse_solver::{Node, OnTerms, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard};

pub use clocks::{CLOCK_BITS, is_clock};
pub use impasse_solver::Values;
pub use query::Feasibility;
use query::Queries;

/// An input of a state: an owner, and a number among the owner's inputs.
///
/// The inputs that only one thread's values depend on belong to that thread, so that what it does
/// leaves the numbers of all others as they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputId(u32);

impl InputId {
    /// Owns the inputs that shared memory depends on.
    pub const SHARED: u32 = 0;
    /// Owns the inputs that only the path condition depends on.
    pub const FORGOTTEN: u32 = 0xfff;
    /// Stands for a byte that is undefined. It is no input, and nothing may be decided by it.
    pub const UNDEFINED: InputId = InputId(u32::MAX);

    /// Returns the input with a number among those of an owner.
    pub fn new(owner: u32, number: u32) -> InputId {
        debug_assert!(owner <= InputId::FORGOTTEN && number < 1 << 20);
        InputId(owner << 20 | number)
    }

    /// Returns who owns the inputs that only a thread's values depend on.
    pub fn owner_of(thread: usize) -> u32 {
        (thread as u32 + 1).min(InputId::FORGOTTEN - 1)
    }

    /// Returns the form of four bytes in which states store it.
    pub fn to_bits(self) -> u32 {
        self.0
    }

    /// Returns what [`InputId::to_bits`] was taken of.
    pub fn from_bits(bits: u32) -> InputId {
        InputId(bits)
    }
}

/// An input and its width in bits.
pub type Input = (InputId, u8);

/// What stands for an input after a substitution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Substitute {
    /// Another input of the same width.
    Input(InputId),
    /// A number.
    Number(u64),
}

#[derive(Default)]
struct Arena {
    terms: Terms,
    known: FxHashMap<Input, Term>,
    /// By the variables' indices.
    inputs: Vec<Input>,
    inputs_of: FxHashMap<Term, Arc<[Input]>>,
    /// The values for which conditions on one small input hold.
    sets: FxHashMap<Term, small::Bytes>,
}

/// The terms of a search, and what is known of them.
#[derive(Default)]
pub struct SharedTerms {
    arena: Mutex<Arena>,
    queries: Mutex<Queries>,
    /// How often executions forked at a place in the program.
    forks: Mutex<FxHashMap<CodePlace, u64>>,
}

/// Returns the number of a term.
pub fn id_of(term: Term) -> TermId {
    TermId::of_index(term.index())
}

/// Returns the term with a number, which must be that of a term.
pub fn term_of(id: TermId) -> Term {
    Term::of_index(id.index().expect("the number of a term"))
}

/// Returns the word that is a term, of at most 64 bits: a number if the term is a constant.
pub fn word_of(terms: &Terms, term: Term) -> Word {
    match terms.as_constant(term) {
        Some(number) => Word::number(number as u64),
        None => Word {
            bits: 0,
            undefined: mask(terms.width(term).into()),
            term: id_of(term),
            ..Word::default()
        },
    }
}

impl SharedTerms {
    fn arena(&self) -> MutexGuard<'_, Arena> {
        self.arena
            .lock()
            .expect("no thread panics while it holds the lock")
    }

    /// Notes that an execution forks at a place in the program.
    pub fn note_fork(&self, place: CodePlace) {
        let mut forks = self.forks.lock().expect("no thread panics meanwhile");
        *forks.entry(place).or_default() += 1;
    }

    /// Returns the place at which executions forked most often, and how often.
    pub fn busiest_fork(&self) -> Option<(CodePlace, u64)> {
        let forks = self.forks.lock().expect("no thread panics meanwhile");
        let forks = forks.iter().map(|(&place, &count)| (place, count));
        forks.max_by_key(|&(place, count)| (count, place))
    }

    /// Calls `f` with the terms, which no other thread uses meanwhile.
    pub fn with<T>(&self, f: impl FnOnce(&Terms) -> T) -> T {
        f(&self.arena().terms)
    }

    /// Calls `f` with the terms as vectors.
    pub fn on<T>(&self, f: impl FnOnce(OnTerms<'_>) -> T) -> T {
        f(OnTerms(&self.arena().terms))
    }

    /// Returns an input as a term.
    pub fn input(&self, input: Input) -> Term {
        self.arena().input(input)
    }

    /// Returns the inputs that a term depends on, in the order in which they occur in it.
    pub fn inputs_of(&self, term: Term) -> Arc<[Input]> {
        self.arena().inputs_of(term)
    }

    /// Returns whether a term depends on undefined bytes.
    pub fn mentions_undefined(&self, term: Term) -> bool {
        let inputs = self.inputs_of(term);
        inputs.iter().any(|&(input, _)| input == InputId::UNDEFINED)
    }

    /// Returns the input and the number that a condition says are equal, or `None` if it says
    /// anything else.
    pub fn as_equality(&self, condition: Term) -> Option<(InputId, u64)> {
        let arena = self.arena();
        let (terms, inputs) = (&arena.terms, &arena.inputs);
        let input = |term| match terms.node(term) {
            Node::Symbol(symbol) => Some(inputs[symbol.index() as usize].0),
            _ => None,
        };
        match terms.node(condition) {
            Node::Symbol(_) => Some((input(condition)?, 1)),
            Node::Not(one) => Some((input(one)?, 0)),
            Node::Test(impasse_solver::Test::Equal, one, other) => {
                Some((input(one)?, terms.as_constant(other)? as u64))
            }
            _ => None,
        }
    }

    /// Returns a term in which some inputs are replaced.
    pub fn substitute(&self, term: Term, map: &FxHashMap<InputId, Substitute>) -> Term {
        let mut arena = self.arena();
        let inputs = arena.inputs_of(term);
        if !inputs.iter().any(|(input, _)| map.contains_key(input)) {
            return term;
        }
        let mut symbols: FxHashMap<Symbol, Term> = FxHashMap::default();
        for &(input, width) in inputs.iter() {
            let Some(substitute) = map.get(&input) else {
                continue;
            };
            let new = match *substitute {
                Substitute::Input(other) => arena.input((other, width)),
                Substitute::Number(number) => arena.terms.constant(number.into(), width),
            };
            symbols.insert(arena.symbol((input, width)), new);
        }
        arena.terms.substitute(&[term], &symbols)[0]
    }

    /// Replaces some inputs in a word that may be a term, or an address at a term's distance.
    pub fn substitute_word(&self, word: &mut Word, map: &FxHashMap<InputId, Substitute>) {
        if word.term.is_none() {
            return;
        }
        let term = self.substitute(term_of(word.term), map);
        let new = self.with(|terms| word_of(terms, term));
        *word = match (word.pointer, new.term.is_none()) {
            (false, _) => new,
            (true, true) => Word::pointer(word.bits.wrapping_add(new.bits)),
            (true, false) => Word {
                term: new.term,
                ..*word
            },
        };
    }

    /// Returns the values of inputs as they are given to [`SharedTerms::value`].
    pub fn values(&self, of: &[(Input, u64)]) -> Values {
        let mut arena = self.arena();
        let values = of.iter();
        values
            .map(|&(input, value)| (arena.symbol(input), value.into()))
            .collect()
    }

    /// Returns the value of a term where the inputs have values.
    pub fn value(&self, term: Term, values: &Values) -> u64 {
        self.arena().terms.value(term, values) as u64
    }
}

impl Arena {
    fn input(&mut self, input: Input) -> Term {
        if let Some(&term) = self.known.get(&input) {
            return term;
        }
        let symbol = self.terms.symbol(String::new(), input.1);
        debug_assert_eq!(symbol.index() as usize, self.inputs.len());
        self.inputs.push(input);
        let term = self.terms.variable(symbol);
        self.known.insert(input, term);
        term
    }

    fn symbol(&mut self, input: Input) -> Symbol {
        let term = self.input(input);
        match self.terms.node(term) {
            Node::Symbol(symbol) => symbol,
            _ => unreachable!("an input is a variable"),
        }
    }

    fn inputs_of(&mut self, term: Term) -> Arc<[Input]> {
        if let Some(known) = self.inputs_of.get(&term) {
            return Arc::clone(known);
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Node::Symbol(symbol) = self.terms.node(term) {
                found.push(self.inputs[symbol.index() as usize]);
            }
            let operands: Vec<Term> = self.terms.node(term).operands().collect();
            open.extend(operands.into_iter().rev());
        }
        let found: Arc<[Input]> = found.into();
        self.inputs_of.insert(term, Arc::clone(&found));
        found
    }
}
