//! Terms over unknown numbers, each stored once.

use crate::eval;
use crate::ir::{Scalar, id};
use crate::syntax::tree::{BinaryOp, UnaryOp};
use rustc_hash::FxHashMap;

id!(
    /// A term.
    TermId
);

/// What a term is made of; `S` names the unknown numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term<S> {
    /// A number.
    Const(i64),
    /// An unknown number.
    Symbol(S),
    /// `op a` in a type.
    Unary(UnaryOp, Scalar, TermId),
    /// `a op b` in a type.
    Binary(BinaryOp, Scalar, TermId, TermId),
    /// A number brought to a type.
    Convert(Scalar, TermId),
    /// The second if the first is true, and otherwise the third: both numbers of the type.
    Choose(Scalar, TermId, TermId, TermId),
}

/// A store of terms.
pub struct Terms<S> {
    terms: Vec<Term<S>>,
    sizes: Vec<u32>,
    known: FxHashMap<Term<S>, TermId>,
}

impl<S> Default for Terms<S> {
    fn default() -> Self {
        Terms {
            terms: Vec::new(),
            sizes: Vec::new(),
            known: FxHashMap::default(),
        }
    }
}

impl<S: Copy + Eq + std::hash::Hash> Terms<S> {
    /// Returns a term by its id.
    pub fn get(&self, id: TermId) -> Term<S> {
        self.terms[id.index()]
    }

    /// Returns the number of operators and operands of a term, seen as a tree.
    pub fn size(&self, id: TermId) -> u32 {
        self.sizes[id.index()]
    }

    /// Returns the number that a term is, or `None`.
    pub fn constant(&self, id: TermId) -> Option<i64> {
        match self.get(id) {
            Term::Const(value) => Some(value),
            _ => None,
        }
    }

    fn add(&mut self, term: Term<S>) -> TermId {
        if let Some(id) = self.known.get(&term) {
            return *id;
        }
        let size = |id: TermId| self.sizes[id.index()];
        let total = match term {
            Term::Const(_) | Term::Symbol(_) => 1,
            Term::Unary(_, _, a) | Term::Convert(_, a) => size(a).saturating_add(1),
            Term::Binary(_, _, a, b) => size(a).saturating_add(size(b)).saturating_add(1),
            Term::Choose(_, a, b, c) => [a, b, c]
                .iter()
                .fold(1, |sum: u32, part| sum.saturating_add(size(*part))),
        };
        let id = TermId(self.terms.len() as u32);
        self.terms.push(term);
        self.sizes.push(total);
        self.known.insert(term, id);
        id
    }

    /// Returns the term of a number.
    pub fn number(&mut self, value: i64) -> TermId {
        self.add(Term::Const(value))
    }

    /// Returns the term of an unknown.
    pub fn symbol(&mut self, symbol: S) -> TermId {
        self.add(Term::Symbol(symbol))
    }

    /// Returns the term `op a`.
    pub fn unary(&mut self, op: UnaryOp, ty: Scalar, a: TermId) -> TermId {
        match (op, self.get(a)) {
            (_, Term::Const(value)) => self.number(eval::unary(op, ty, value)),
            (UnaryOp::Not, Term::Unary(UnaryOp::Not, _, inner)) if self.is_truth(inner) => inner,
            _ => self.add(Term::Unary(op, ty, a)),
        }
    }

    /// Returns the term `a op b`, or `None` for a division by zero. Uses `<` and `==` only for
    /// comparisons.
    pub fn binary(&mut self, op: BinaryOp, ty: Scalar, a: TermId, b: TermId) -> Option<TermId> {
        if let (Some(a), Some(b)) = (self.constant(a), self.constant(b)) {
            return eval::binary(op, ty, a, b).map(|value| self.number(value));
        }
        let truth = Scalar::Bool;
        Some(match op {
            BinaryOp::Greater => self.add(Term::Binary(BinaryOp::Less, ty, b, a)),
            BinaryOp::GreaterEqual => {
                let less = self.add(Term::Binary(BinaryOp::Less, ty, a, b));
                self.unary(UnaryOp::Not, truth, less)
            }
            BinaryOp::LessEqual => {
                let less = self.add(Term::Binary(BinaryOp::Less, ty, b, a));
                self.unary(UnaryOp::Not, truth, less)
            }
            BinaryOp::NotEqual => {
                let equal = self.add(Term::Binary(BinaryOp::Equal, ty, a.min(b), a.max(b)));
                self.unary(UnaryOp::Not, truth, equal)
            }
            BinaryOp::Equal
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Multiply => self.add(Term::Binary(op, ty, a.min(b), a.max(b))),
            BinaryOp::Add => self.sum(ty, a, b),
            BinaryOp::Subtract if let Some(less) = self.constant(b) => {
                let more = self.number(ty.wrap(less.wrapping_neg()));
                self.sum(ty, a, more)
            }
            _ => self.add(Term::Binary(op, ty, a, b)),
        })
    }

    /// Sums collect their numbers: `(x + 1) + 2` is `x + 3`, which wraps alike.
    fn sum(&mut self, ty: Scalar, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.constant(a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        let Some(more) = self.constant(b) else {
            return self.add(Term::Binary(BinaryOp::Add, ty, a.min(b), a.max(b)));
        };
        if let Term::Binary(BinaryOp::Add, inner, x, y) = self.get(a)
            && inner == ty
            && let Some(number) = self.constant(y)
        {
            let total = self.number(ty.wrap(number.wrapping_add(more)));
            return self.sum(ty, x, total);
        }
        if more == 0 && self.fits(a, ty) {
            return a;
        }
        self.add(Term::Binary(BinaryOp::Add, ty, a, b))
    }

    /// Returns the term of a number converted to a type.
    pub fn convert(&mut self, ty: Scalar, a: TermId) -> TermId {
        match self.get(a) {
            Term::Const(value) => self.number(ty.wrap(value)),
            _ if self.fits(a, ty) => a,
            _ => self.add(Term::Convert(ty, a)),
        }
    }

    /// Returns the term that is `a` if the condition is true, and otherwise `b`; both are numbers
    /// of the type.
    pub fn choose(&mut self, ty: Scalar, condition: TermId, a: TermId, b: TermId) -> TermId {
        let (condition, negated) = self.strip(condition);
        let (a, b) = if negated { (b, a) } else { (a, b) };
        match self.constant(condition) {
            Some(value) => [b, a][usize::from(value != 0)],
            None if a == b => a,
            None => self.add(Term::Choose(ty, condition, a, b)),
        }
    }

    /// Whether bringing a term to a type surely changes nothing.
    fn fits(&self, id: TermId, ty: Scalar) -> bool {
        let within = |from: Scalar| {
            let ((from_bits, from_signed), (bits, signed)) = (from.shape(), ty.shape());
            ty != Scalar::Bool && (from == ty || from_bits < bits && (signed || !from_signed))
        };
        match self.get(id) {
            Term::Const(value) => ty.wrap(value) == value,
            Term::Binary(op, ..) if op.compares() => true,
            Term::Unary(UnaryOp::Not, ..) => true,
            Term::Binary(_, from, ..)
            | Term::Unary(_, from, _)
            | Term::Convert(from, _)
            | Term::Choose(from, ..) => from == ty || within(from),
            Term::Symbol(_) => matches!(ty, Scalar::Range { .. }),
        }
    }

    /// Returns whether a term is always 0 or 1.
    pub fn is_truth(&self, id: TermId) -> bool {
        match self.get(id) {
            Term::Binary(op, ..) => op.compares(),
            Term::Unary(op, ..) => op == UnaryOp::Not,
            Term::Convert(ty, _) | Term::Choose(ty, ..) => ty == Scalar::Bool,
            Term::Const(value) => value == 0 || value == 1,
            Term::Symbol(_) => false,
        }
    }

    /// Returns a condition without negations in front, and whether it was negated.
    pub fn strip(&self, mut id: TermId) -> (TermId, bool) {
        let mut negated = false;
        while let Term::Unary(UnaryOp::Not, _, inner) = self.get(id) {
            negated = !negated;
            id = inner;
        }
        (id, negated)
    }

    /// Returns a term with some unknowns replaced by terms, or `None` if it divides by zero.
    pub fn substitute(
        &mut self,
        id: TermId,
        replace: &impl Fn(S) -> Option<TermId>,
    ) -> Option<TermId> {
        Some(match self.get(id) {
            Term::Const(_) => id,
            Term::Symbol(symbol) => replace(symbol).unwrap_or(id),
            Term::Unary(op, ty, a) => {
                let a = self.substitute(a, replace)?;
                self.unary(op, ty, a)
            }
            Term::Binary(op, ty, a, b) => {
                let (a, b) = (self.substitute(a, replace)?, self.substitute(b, replace)?);
                self.binary(op, ty, a, b)?
            }
            Term::Convert(ty, a) => {
                let a = self.substitute(a, replace)?;
                self.convert(ty, a)
            }
            Term::Choose(ty, condition, a, b) => {
                let condition = self.substitute(condition, replace)?;
                let (a, b) = (self.substitute(a, replace)?, self.substitute(b, replace)?);
                self.choose(ty, condition, a, b)
            }
        })
    }

    /// Returns the operands of a term.
    pub fn parts(&self, id: TermId) -> impl Iterator<Item = TermId> + use<S> {
        let parts = match self.get(id) {
            Term::Const(_) | Term::Symbol(_) => [None, None, None],
            Term::Unary(_, _, a) | Term::Convert(_, a) => [Some(a), None, None],
            Term::Binary(_, _, a, b) => [Some(a), Some(b), None],
            Term::Choose(_, a, b, c) => [Some(a), Some(b), Some(c)],
        };
        parts.into_iter().flatten()
    }

    /// Appends the unknowns in a term.
    pub fn symbols(&self, id: TermId, out: &mut Vec<S>) {
        match self.get(id) {
            Term::Const(_) => {}
            Term::Symbol(symbol) => out.push(symbol),
            Term::Unary(_, _, a) | Term::Convert(_, a) => self.symbols(a, out),
            Term::Binary(_, _, a, b) => {
                self.symbols(a, out);
                self.symbols(b, out);
            }
            Term::Choose(_, a, b, c) => [a, b, c].iter().for_each(|part| self.symbols(*part, out)),
        }
    }
}
