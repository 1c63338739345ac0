//! The terms over the inputs that the numbers of a run are, and the conditions that it decided.

use crate::inputs::{Inputs, Source};
use crate::ir::Scalar;
use crate::machine::{Cell, Shadow};
use crate::source::Span;
use crate::syntax::tree::{BinaryOp, UnaryOp};
use crate::terms::{Term, TermId, Terms};
use crate::tree::TaskId;
use rustc_hash::FxHashMap;

/// Numbers with their terms.
pub(super) struct Symbolic {
    pub(super) terms: Terms<u32>,
    /// What each symbol stands for, and its type.
    sources: Vec<(Source, Scalar)>,
    positions: FxHashMap<Source, u32>,
    /// The values of the symbols in this run, as far as they were chosen.
    given: Vec<i64>,
    /// The symbols that this run has asked for.
    asked: Vec<u32>,
    /// The conditions decided, each once, in order.
    pub(super) path: Vec<(TermId, bool)>,
    /// So many conditions of a run can be negated.
    conditions: usize,
    decided: FxHashMap<TermId, bool>,
}

impl Symbolic {
    pub(super) fn new(conditions: usize) -> Symbolic {
        Symbolic {
            terms: Terms::default(),
            sources: Vec::new(),
            positions: FxHashMap::default(),
            given: Vec::new(),
            asked: Vec::new(),
            path: Vec::new(),
            conditions,
            decided: FxHashMap::default(),
        }
    }

    /// Begins a run in which symbols have these values.
    pub(super) fn begin(&mut self, values: Vec<i64>) {
        self.given = values;
        self.asked.clear();
        self.path.clear();
        self.decided.clear();
    }

    /// The types of all symbols.
    pub(super) fn types(&self) -> Vec<Scalar> {
        self.sources.iter().map(|(_, ty)| *ty).collect()
    }

    /// The inputs of this run; `blank` where it has not asked for them.
    pub(super) fn inputs(&self, mut blank: Inputs) -> Inputs {
        for position in &self.asked {
            let (source, _) = self.sources[*position as usize];
            blank.set(source, self.value(*position));
        }
        blank
    }

    fn value(&self, position: u32) -> i64 {
        let (_, ty) = self.sources[position as usize];
        let given = self.given.get(position as usize).copied();
        given.unwrap_or_else(|| ty.default_value())
    }

    /// An input of this run and its term.
    pub(super) fn ask(&mut self, source: Source, ty: Scalar) -> (i64, Option<TermId>) {
        let fresh = self.sources.len() as u32;
        let position = *self.positions.entry(source).or_insert(fresh);
        if position == fresh {
            self.sources.push((source, ty));
        }
        self.asked.push(position);
        (self.value(position), Some(self.terms.symbol(position)))
    }

    fn term(&mut self, cell: Cell<Option<TermId>>) -> TermId {
        cell.term.unwrap_or_else(|| self.terms.number(cell.value))
    }

    fn learn(&mut self, term: TermId, truth: bool) {
        let (test, negated) = self.terms.strip(term);
        let truth = truth != negated;
        if self.terms.constant(test).is_none() && self.decided.insert(test, truth).is_none() {
            self.path.push((test, truth));
        }
    }

    /// A term as it is kept: none for a number.
    fn kept(&self, term: TermId) -> Option<TermId> {
        self.terms.constant(term).is_none().then_some(term)
    }

    /// One of the elements, by the bits of an index that is one of theirs.
    fn by_bits(&mut self, ty: Scalar, index: TermId, elements: &[TermId]) -> TermId {
        let [first, _, ..] = elements else {
            return elements[0];
        };
        if elements.iter().all(|element| element == first) {
            return *first;
        }
        let half = elements.len().next_power_of_two() / 2;
        let (low, high) = elements.split_at(half);
        let (low, high) = (self.by_bits(ty, index, low), self.by_bits(ty, index, high));
        let bit = self.terms.number(half as i64);
        match self.compare(BinaryOp::BitAnd, index, bit) {
            Some(set) => self.terms.choose(ty, set, high, low),
            None => low,
        }
    }

    fn compare(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        self.terms.binary(
            op,
            Scalar::Int {
                bits: 64,
                signed: true,
            },
            a,
            b,
        )
    }
}

impl Shadow for Symbolic {
    type Term = Option<TermId>;

    fn input(&mut self, task: TaskId, count: u32, ty: Scalar) -> (i64, Option<TermId>) {
        self.ask(Source::Stream(task, count, ty), ty)
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Cell<Self::Term>) -> Self::Term {
        let term = self.terms.unary(op, ty, a.term?);
        self.kept(term)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        a: Cell<Self::Term>,
        b: Cell<Self::Term>,
    ) -> Self::Term {
        if a.term.is_none() && b.term.is_none() {
            return None;
        }
        let (a, b) = (self.term(a), self.term(b));
        let term = self.terms.binary(op, ty, a, b)?;
        self.kept(term)
    }

    fn convert(&mut self, ty: Scalar, cell: Cell<Self::Term>) -> Self::Term {
        let term = cell.term?;
        // An input is of its own type; only a narrower one needs more than its symbol.
        if let Term::Symbol(position) = self.terms.get(term)
            && self.sources[position as usize].1 == ty
        {
            return Some(term);
        }
        let term = self.terms.convert(ty, term);
        self.kept(term)
    }

    fn enough(&self) -> bool {
        self.path.len() > 2 * self.conditions
    }

    fn decide(&mut self, _: Span, cell: Cell<Self::Term>) {
        if let Some(term) = cell.term {
            self.learn(term, cell.value != 0);
        }
    }

    fn bound(&mut self, _: Span, index: Cell<Self::Term>, count: u32) {
        let Some(term) = index.term else { return };
        for bound in [0, i64::from(count)] {
            let number = self.terms.number(bound);
            if let Some(test) = self.compare(BinaryOp::Less, term, number) {
                self.learn(test, index.value < bound);
            }
        }
    }

    fn is_open(&self, index: Cell<Self::Term>) -> bool {
        index.term.is_some()
    }

    /// Halves what the index can be until one number is left.
    fn fix(&mut self, _: Span, index: Cell<Self::Term>, count: u32) {
        let Some(term) = index.term else { return };
        let (mut low, mut high) = (0, i64::from(count));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let bound = self.terms.number(middle);
            if let Some(test) = self.compare(BinaryOp::Less, term, bound) {
                self.learn(test, index.value < middle);
            }
            if index.value < middle {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// A tree of choices by the bits of the index, the highest first: it is within bounds.
    fn select(
        &mut self,
        ty: Scalar,
        index: Cell<Self::Term>,
        elements: &[Cell<Self::Term>],
    ) -> Self::Term {
        let index = self.term(index);
        let elements: Vec<TermId> = elements.iter().map(|cell| self.term(*cell)).collect();
        let chosen = self.by_bits(ty, index, &elements);
        self.kept(chosen)
    }

    fn overwrite(
        &mut self,
        ty: Scalar,
        guards: &[(Cell<Self::Term>, usize)],
        new: Cell<Self::Term>,
        old: Cell<Self::Term>,
    ) -> Self::Term {
        let (new, old) = (self.term(new), self.term(old));
        let mut result = new;
        for (index, number) in guards {
            let (index, number) = (self.term(*index), self.terms.number(*number as i64));
            if let Some(equal) = self.compare(BinaryOp::Equal, index, number) {
                result = self.terms.choose(ty, equal, result, old);
            }
        }
        self.kept(result)
    }

    fn require(&mut self, _: Span, ty: Scalar, cell: Cell<Self::Term>) {
        let (Some(term), Scalar::Range { low, high }) = (cell.term, ty) else {
            return;
        };
        let (least, most) = (self.terms.number(low), self.terms.number(high));
        for (a, b, truth) in [
            (term, least, cell.value < low),
            (most, term, cell.value > high),
        ] {
            if let Some(test) = self.compare(BinaryOp::Less, a, b) {
                self.learn(test, truth);
            }
        }
    }
}
