//! Inputs that are followed symbolically: the path condition of the running step, and how its forks
//! count.

use crate::state::condition::{Condition, Length};
use crate::value::symbolic::{Input, SharedTerms, Values, is_clock, term_of};
use impasse_program::word::{TermId, Word};
use impasse_solver::Term;
use std::sync::Arc;

/// What a machine knows of the inputs that it follows.
#[derive(Default)]
pub(crate) struct Symbolic<'s> {
    terms: Option<&'s SharedTerms>,
    /// What holds of the inputs.
    pub(crate) condition: Condition,
    /// The inputs that were there when the step began.
    old: Vec<Input>,
    /// Whether the inputs of the base state have values that favour the end of sections, instead of
    /// hindering it.
    cooperates: bool,
    /// Whether an execution must not fork: it is given up instead.
    pub(crate) speculates: bool,
    /// Whether inputs and conjuncts of the past are kept, for a report.
    pub(crate) keeps: bool,
    /// The values of inputs that a report shows.
    shown: Option<Arc<Values>>,
}

impl<'s> Symbolic<'s> {
    /// Returns one that follows inputs if there are terms.
    pub(crate) fn new(terms: Option<&'s SharedTerms>) -> Symbolic<'s> {
        Symbolic {
            terms,
            ..Symbolic::default()
        }
    }

    /// Returns the terms, or `None` if inputs are not followed.
    #[inline]
    pub(crate) fn terms(&self) -> Option<&'s SharedTerms> {
        self.terms
    }

    /// A step begins from a state with this condition.
    pub(crate) fn begin_step(&mut self, condition: &Condition) {
        self.condition.clone_from(condition);
        self.old.clone_from(&condition.inputs);
    }

    /// From now on the inputs of base states favour the end of sections.
    pub(crate) fn cooperate(&mut self) {
        self.cooperates = true;
    }

    /// Returns whether an adversary selects among the outcomes of a condition. The scheduler does
    /// where it depends on times alone, itself or through the path condition; and where inputs of
    /// the base state favour the end of sections, if it depends on such inputs, or on times and
    /// inputs.
    pub(crate) fn is_adversarial(&self, condition: Term, has_clocks: bool) -> bool {
        if !self.cooperates && !has_clocks {
            return true;
        }
        let terms = self.terms.expect("inputs are followed");
        let linked = terms.linked_inputs(&self.condition.conjuncts, condition);
        let of_state = self.condition.inputs.iter();
        let clocks = of_state.filter(|input| is_clock(**input) && linked.contains(&input.0));
        match clocks.count() {
            0 if self.cooperates => !self.old.iter().any(|(input, _)| linked.contains(input)),
            0 => true,
            count => count < linked.len() && !self.cooperates,
        }
    }

    /// Returns whether the state has inputs.
    pub(crate) fn has_inputs(&self) -> bool {
        !self.condition.inputs.is_empty() || !self.old.is_empty()
    }

    /// Adds what was decided to the path condition.
    pub(crate) fn add(&mut self, condition: Term) {
        let terms = self.terms.expect("inputs are followed");
        let path = &mut self.condition;
        terms.for_each_conjunct(condition, |conjunct| path.add(conjunct));
    }

    /// Forgets what an instruction has added that halted.
    pub(crate) fn take_back(&mut self, length: Length) {
        self.condition.truncate(length);
    }

    /// From now on reports show these values of inputs.
    pub(crate) fn show(&mut self, values: Arc<Values>) {
        self.shown = Some(values);
    }

    /// Returns the value of a word that is a term, where reports show values of inputs; otherwise
    /// the word.
    pub(crate) fn shown(&self, word: Word) -> Word {
        match (self.terms, &self.shown) {
            (Some(terms), Some(values)) if !word.term.is_none() => {
                let value = terms.value(term_of(word.term), values);
                Word {
                    bits: word.bits.wrapping_add(value),
                    undefined: 0,
                    term: TermId::NONE,
                    ..word
                }
            }
            _ => word,
        }
    }

    /// Returns the value of an input, if reports show one.
    pub(crate) fn shown_input(&self, input: Input) -> Option<u64> {
        let terms = self.terms?;
        let values = self.shown.as_ref()?;
        Some(terms.value(terms.input(input), values))
    }
}
