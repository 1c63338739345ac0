//! Inputs that satisfy conditions: terms as circuits, circuits as clauses, clauses to a SAT solver.

use crate::ir::Scalar;
use crate::syntax::tree::{BinaryOp, UnaryOp};
use crate::terms::{Term, TermId, Terms};
use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};
use rustc_hash::{FxHashMap, FxHashSet};

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// These inputs satisfy the conditions.
    Satisfied(Vec<i64>),
    /// No inputs do.
    Impossible,
    /// It took too long to find out.
    Unknown,
}

/// Circuits larger than this are not built.
const MAX_VARIABLES: u32 = 400_000;
/// A question may cost so much: learnt clauses times thousands of variables, which goes with time.
const MAX_EFFORT: u64 = 20_000;

/// Returns inputs of the given types that give every term the given truth, or that there are none,
/// or that the limit was reached.
pub fn solve(terms: &Terms<u32>, inputs: &[Scalar], conditions: &[(TermId, bool)]) -> Answer {
    let mut question = Question::new(terms, inputs);
    for (term, truth) in conditions {
        question.require(*term, *truth);
    }
    question.ask(&[])
}

/// Conditions on inputs, to which more can be added after an answer.
pub struct Question<'a> {
    circuit: Circuit<'a>,
}

impl<'a> Question<'a> {
    /// Returns a question without conditions, about inputs of the given types.
    pub fn new(terms: &'a Terms<u32>, types: &'a [Scalar]) -> Question<'a> {
        let mut solver = Solver::new(SolverOpts::default(), Limit::default());
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        let circuit = Circuit {
            solver,
            truth,
            terms,
            types,
            inputs: vec![None; types.len()],
            known: FxHashMap::default(),
            too_large: false,
        };
        Question { circuit }
    }

    /// Adds the condition that a term is true, or that it is false.
    pub fn require(&mut self, term: TermId, truth: bool) {
        let holds = self.literal(term, truth);
        self.circuit.clause(&[holds]);
    }

    /// Returns the literal that a term is true, or that it is false.
    pub fn literal(&mut self, term: TermId, truth: bool) -> Lit {
        let word = self.circuit.word(term);
        let holds = self.circuit.any(&word.bits);
        if truth { holds } else { !holds }
    }

    /// Adds the condition that not all of these literals hold.
    pub fn exclude(&mut self, literals: &[Lit]) {
        let negated: Vec<Lit> = literals.iter().map(|lit| !*lit).collect();
        self.circuit.clause(&negated);
    }

    /// Returns inputs for which all conditions and assumptions hold, or that there are none, or
    /// that the limit was reached.
    pub fn ask(&mut self, assumptions: &[Lit]) -> Answer {
        if self.circuit.too_large {
            return Answer::Unknown;
        }
        let allowed = MAX_EFFORT * 1_000 / (self.circuit.solver.num_vars() as u64).max(1);
        *self.circuit.solver.cb_mut() = Limit {
            conflicts: 0,
            allowed,
        };
        match self.circuit.solver.solve_limited(assumptions) {
            answer if answer == lbool::TRUE => Answer::Satisfied(self.circuit.model()),
            answer if answer == lbool::FALSE => Answer::Impossible,
            _ => Answer::Unknown,
        }
    }

    /// Returns the effort of the last answer: learnt clauses times thousands of variables.
    pub fn effort(&self) -> u64 {
        self.circuit.solver.cb().conflicts * self.circuit.solver.num_vars() as u64 / 1_000
    }

    /// Returns whether a literal holds for the inputs found. Call it after an answer with inputs.
    pub fn holds(&self, literal: Lit) -> bool {
        self.circuit.solver.value_lit(literal) == lbool::TRUE
    }

    /// Returns whether an assumption was needed for the contradiction. Call it after an answer
    /// without inputs.
    pub fn needed(&mut self, assumption: Lit) -> bool {
        self.circuit
            .solver
            .unsat_core_contains_var(assumption.var())
    }
}

/// Stops the solver after so many learnt clauses.
#[derive(Default)]
struct Limit {
    conflicts: u64,
    allowed: u64,
}

impl Callbacks for Limit {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.conflicts += u64::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.conflicts > self.allowed
    }
}

/// A number as bits, the lowest first, with or without a sign.
#[derive(Clone)]
struct Word {
    bits: Vec<Lit>,
    signed: bool,
}

struct Circuit<'a> {
    solver: Solver<Limit>,
    truth: Lit,
    terms: &'a Terms<u32>,
    types: &'a [Scalar],
    /// The inputs that were spoken of so far.
    inputs: Vec<Option<Word>>,
    known: FxHashMap<TermId, Word>,
    /// Whether something was left out because it would have been too large.
    too_large: bool,
}

impl Circuit<'_> {
    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    fn model(&self) -> Vec<i64> {
        let value = |lit: &Lit| (self.solver.value_lit(*lit) == lbool::TRUE) as i64;
        let number = |(word, ty): (&Option<Word>, &Scalar)| {
            let Some(word) = word else {
                return ty.default_value();
            };
            let width = word.bits.len();
            let raw = word
                .bits
                .iter()
                .enumerate()
                .fold(0i64, |sum, (bit, lit)| sum | value(lit) << bit);
            Scalar::Int {
                bits: width as u8,
                signed: word.signed,
            }
            .wrap(raw)
        };
        self.inputs.iter().zip(self.types).map(number).collect()
    }

    fn input(&mut self, index: usize) -> Word {
        if let Some(word) = &self.inputs[index] {
            return word.clone();
        }
        let (width, signed) = self.types[index].shape();
        let bits = (0..width).map(|_| self.fresh()).collect();
        let word = Word { bits, signed };
        self.inputs[index] = Some(word.clone());
        if let Scalar::Range { low, high } = self.types[index] {
            let (low, high) = (self.number(low), self.number(high));
            let (below, above) = (self.less(&word, &low, true), self.less(&high, &word, true));
            self.clause(&[!below]);
            self.clause(&[!above]);
        }
        word
    }

    fn number(&self, value: i64) -> Word {
        let bits = (0..64).map(|bit| {
            if value >> bit & 1 == 1 {
                self.truth
            } else {
                !self.truth
            }
        });
        Word {
            bits: bits.collect(),
            signed: true,
        }
    }

    fn fit(&self, word: &Word, width: usize) -> Vec<Lit> {
        let fill = match word.bits.last() {
            Some(top) if word.signed => *top,
            _ => !self.truth,
        };
        let mut bits = word.bits.clone();
        bits.resize(width, fill);
        bits
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == self.truth || a == b {
            return b;
        }
        if b == self.truth {
            return a;
        }
        if a == !self.truth || b == !self.truth || a == !b {
            return !self.truth;
        }
        let out = self.fresh();
        self.clause(&[!a, !b, out]);
        self.clause(&[a, !out]);
        self.clause(&[b, !out]);
        out
    }

    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        for (x, y) in [(a, b), (b, a)] {
            if x == self.truth {
                return !y;
            }
            if x == !self.truth {
                return y;
            }
        }
        if a == b || a == !b {
            return if a == b { !self.truth } else { self.truth };
        }
        let out = self.fresh();
        self.clause(&[!a, !b, !out]);
        self.clause(&[a, b, !out]);
        self.clause(&[a, !b, out]);
        self.clause(&[!a, b, out]);
        out
    }

    fn choose(&mut self, cond: Lit, yes: Lit, no: Lit) -> Lit {
        let a = self.and(cond, yes);
        let b = self.and(!cond, no);
        self.or(a, b)
    }

    fn choose_all(&mut self, cond: Lit, yes: &[Lit], no: &[Lit]) -> Vec<Lit> {
        yes.iter()
            .zip(no)
            .map(|(a, b)| self.choose(cond, *a, *b))
            .collect()
    }

    fn any(&mut self, bits: &[Lit]) -> Lit {
        bits.iter().fold(!self.truth, |sum, bit| self.or(sum, *bit))
    }

    /// `a + b + carry` and the carry out.
    fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
        let mut out = Vec::with_capacity(a.len());
        for (x, y) in a.iter().zip(b) {
            let half = self.xor(*x, *y);
            out.push(self.xor(half, carry));
            let (both, through) = (self.and(*x, *y), self.and(half, carry));
            carry = self.or(both, through);
        }
        (out, carry)
    }

    fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let inverted: Vec<Lit> = b.iter().map(|bit| !*bit).collect();
        self.add(a, &inverted, self.truth)
    }

    fn negate(&mut self, a: &[Lit]) -> Vec<Lit> {
        let zero = vec![!self.truth; a.len()];
        self.subtract(&zero, a).0
    }

    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut sum = vec![!self.truth; a.len()];
        for shift in 0..a.len() {
            let mut row = vec![!self.truth; shift];
            for bit in &a[..a.len() - shift] {
                row.push(self.and(*bit, b[shift]));
            }
            sum = self.add(&sum, &row, !self.truth).0;
        }
        sum
    }

    /// Quotient and remainder without sign.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let wide: Vec<Lit> = b.iter().copied().chain([!self.truth]).collect();
        let mut rest = vec![!self.truth; width + 1];
        let mut quotient = vec![!self.truth; width];
        for bit in (0..width).rev() {
            rest.rotate_right(1);
            rest[0] = a[bit];
            let (difference, fits) = self.subtract(&rest, &wide);
            quotient[bit] = fits;
            rest = self.choose_all(fits, &difference, &rest);
        }
        rest.truncate(width);
        (quotient, rest)
    }

    fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (minus_a, minus_b) = (self.negate(a), self.negate(b));
        let (abs_a, abs_b) = (
            self.choose_all(sign_a, &minus_a, a),
            self.choose_all(sign_b, &minus_b, b),
        );
        let (quotient, rest) = self.divide(&abs_a, &abs_b);
        let differ = self.xor(sign_a, sign_b);
        let (minus_quotient, minus_rest) = (self.negate(&quotient), self.negate(&rest));
        (
            self.choose_all(differ, &minus_quotient, &quotient),
            self.choose_all(sign_a, &minus_rest, &rest),
        )
    }

    fn shift(&mut self, a: &[Lit], distance: &[Lit], left: bool, fill: Lit) -> Vec<Lit> {
        let mut value = a.to_vec();
        let width = a.len();
        for (stage, bit) in distance
            .iter()
            .enumerate()
            .take(width.trailing_zeros() as usize)
        {
            let by = 1 << stage;
            let moved: Vec<Lit> = (0..width)
                .map(|i| match left {
                    true => {
                        if i >= by {
                            value[i - by]
                        } else {
                            !self.truth
                        }
                    }
                    false => value.get(i + by).copied().unwrap_or(fill),
                })
                .collect();
            value = self.choose_all(*bit, &moved, &value);
        }
        value
    }

    fn less(&mut self, a: &Word, b: &Word, signed: bool) -> Lit {
        let width = a.bits.len().max(b.bits.len());
        let (mut a, mut b) = (self.fit(a, width), self.fit(b, width));
        if signed {
            (a[width - 1], b[width - 1]) = (!a[width - 1], !b[width - 1]);
        }
        !self.subtract(&a, &b).1
    }

    fn word(&mut self, id: TermId) -> Word {
        if !self.known.contains_key(&id) {
            // Parts have lower numbers than what is made of them, so nothing recurs however deep
            // a term is.
            let mut missing = vec![id];
            let mut next = 0;
            let mut seen: FxHashSet<TermId> = FxHashSet::from_iter([id]);
            while let Some(id) = missing.get(next).copied() {
                let fresh = |part: &TermId| !self.known.contains_key(part) && seen.insert(*part);
                missing.extend(self.terms.parts(id).filter(fresh));
                next += 1;
            }
            missing.sort_unstable();
            for id in missing {
                self.too_large |= self.solver.num_vars() > MAX_VARIABLES;
                let word = if self.too_large {
                    self.number(0)
                } else {
                    self.build(id)
                };
                self.known.insert(id, word);
            }
        }
        self.known[&id].clone()
    }

    /// The circuit of a term whose parts have theirs.
    fn build(&mut self, id: TermId) -> Word {
        match self.terms.get(id) {
            Term::Const(value) => self.number(value),
            Term::Symbol(input) => self.input(input as usize),
            Term::Unary(op, ty, a) => self.unary(op, ty, a),
            Term::Binary(op, ty, a, b) => self.binary(op, ty, a, b),
            Term::Convert(Scalar::Bool, a) => {
                let word = self.word(a);
                Word {
                    bits: vec![self.any(&word.bits)],
                    signed: false,
                }
            }
            Term::Convert(Scalar::Range { .. }, a) => self.word(a),
            Term::Convert(Scalar::Int { bits, signed }, a) => {
                let word = self.word(a);
                Word {
                    bits: self.fit(&word, bits as usize),
                    signed,
                }
            }
            Term::Choose(ty, condition, a, b) => {
                let condition = self.word(condition);
                let condition = self.any(&condition.bits);
                let (a, b) = (self.operand(a, ty), self.operand(b, ty));
                Word {
                    bits: self.choose_all(condition, &a, &b),
                    signed: ty.shape().1,
                }
            }
        }
    }

    fn operand(&mut self, id: TermId, ty: Scalar) -> Vec<Lit> {
        let word = self.word(id);
        match ty {
            Scalar::Bool => vec![self.any(&word.bits)],
            _ => self.fit(&word, ty.shape().0 as usize),
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: TermId) -> Word {
        let (_, signed) = ty.shape();
        let bits = self.operand(a, ty);
        match op {
            UnaryOp::Not => {
                let any = self.any(&bits);
                Word {
                    bits: vec![!any],
                    signed: false,
                }
            }
            UnaryOp::Negate => Word {
                bits: self.negate(&bits),
                signed,
            },
            UnaryOp::Complement => Word {
                bits: bits.iter().map(|bit| !*bit).collect(),
                signed,
            },
            UnaryOp::Plus => Word { bits, signed },
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: TermId, b: TermId) -> Word {
        let (_, signed) = ty.shape();
        let (a, b) = (self.operand(a, ty), self.operand(b, ty));
        let pairs = || a.iter().copied().zip(b.iter().copied());
        let bits = match op {
            BinaryOp::Add => self.add(&a, &b, !self.truth).0,
            BinaryOp::Subtract => self.subtract(&a, &b).0,
            BinaryOp::Multiply => self.multiply(&a, &b),
            BinaryOp::Divide if signed => self.divide_signed(&a, &b).0,
            BinaryOp::Remainder if signed => self.divide_signed(&a, &b).1,
            BinaryOp::Divide => self.divide(&a, &b).0,
            BinaryOp::Remainder => self.divide(&a, &b).1,
            BinaryOp::ShiftLeft => self.shift(&a, &b, true, !self.truth),
            BinaryOp::ShiftRight => {
                let fill = if signed { a[a.len() - 1] } else { !self.truth };
                self.shift(&a, &b, false, fill)
            }
            BinaryOp::BitAnd => pairs().map(|(x, y)| self.and(x, y)).collect(),
            BinaryOp::BitOr => pairs().map(|(x, y)| self.or(x, y)).collect(),
            BinaryOp::BitXor => pairs().map(|(x, y)| self.xor(x, y)).collect(),
            _ => return self.comparison(op, &Word { bits: a, signed }, &Word { bits: b, signed }),
        };
        Word { bits, signed }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Word, b: &Word) -> Word {
        let truth = match op {
            BinaryOp::Less => self.less(a, b, a.signed),
            BinaryOp::Greater => self.less(b, a, a.signed),
            BinaryOp::LessEqual => !self.less(b, a, a.signed),
            BinaryOp::GreaterEqual => !self.less(a, b, a.signed),
            _ => {
                let pairs: Vec<(Lit, Lit)> =
                    a.bits.iter().copied().zip(b.bits.iter().copied()).collect();
                let differences: Vec<Lit> =
                    pairs.into_iter().map(|(x, y)| self.xor(x, y)).collect();
                let differ = self.any(&differences);
                if op == BinaryOp::Equal {
                    !differ
                } else {
                    differ
                }
            }
        };
        Word {
            bits: vec![truth],
            signed: false,
        }
    }
}

#[cfg(test)]
mod tests;
