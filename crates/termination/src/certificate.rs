//! A proof in a form that stands alone: what `impasse certify` reads.
//!
//! The lasso is part of it, its terms as a table of lines in which operands come before what is
//! made of them, so that the checker ([`crate::certify`]) needs nothing of the solver's terms.
//! Numbers are strings, as JSON's end at 2⁵³.

use crate::affine::Affine;
use crate::problem::{Condition, HazardKind, Input, Lasso, Line, Place, Reading};
use impasse_solver::{Binary, Node, Symbol, Term, Terms, Test};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The version of the form.
pub const FORMAT: u32 = 2;

/// A place in the table of terms.
pub type Index = usize;

/// A vector of bits as the number it is without sign, written in decimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Number(pub u128);

impl From<Number> for String {
    fn from(number: Number) -> String {
        number.0.to_string()
    }
}

impl TryFrom<String> for Number {
    type Error = <u128 as FromStr>::Err;

    fn try_from(text: String) -> Result<Number, Self::Error> {
        text.parse().map(Number)
    }
}

/// A proof that a lasso is never left.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The version of the form.
    pub format: u32,
    /// Which numbers it speaks of.
    pub arithmetic: Numbers,
    /// What is claimed to run forever.
    pub lasso: LassoRecord,
    /// The value of each input of the stem.
    pub inputs: Vec<Number>,
    /// The iterations before the claim begins to hold.
    pub before: IterationSequenceRecord,
    /// Why it continues.
    pub claim: Claim,
}

/// Which numbers a proof speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numbers {
    /// Vectors of bits.
    Machine,
    /// Mathematical integers.
    Integer,
}

/// A lasso.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LassoRecord {
    /// The table: each line is a width, a name, and what the name needs.
    pub terms: Vec<String>,
    /// The cutpoint.
    pub header: Line,
    /// The state.
    pub variables: Vec<VariableRecord>,
    /// The stem.
    pub stem: StemRecord,
    /// The paths around the loop.
    pub iterations: Vec<IterationRecord>,
}

impl LassoRecord {
    /// The record of a lasso.
    pub fn of(terms: &Terms, lasso: &Lasso) -> LassoRecord {
        let mut writer = Writer::new(terms);
        let record = writer.lasso(lasso);
        LassoRecord {
            terms: writer.lines,
            ..record
        }
    }

    /// Whether it is the record of a lasso, up to lines of the table that the lasso does not need.
    pub fn is_of(&self, lasso: &LassoRecord) -> bool {
        let without_terms = |record: &LassoRecord| LassoRecord {
            terms: Vec::new(),
            ..record.clone()
        };
        self.terms.starts_with(&lasso.terms) && without_terms(self) == without_terms(lasso)
    }
}

/// A part of the state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VariableRecord {
    /// Its name for people.
    pub name: String,
    /// Its term.
    pub term: Index,
    /// How it is read.
    pub reading: Option<Reading>,
    /// Where it lives.
    pub place: Place,
}

/// A value that the environment chooses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputRecord {
    /// Its name for people.
    pub name: String,
    /// Its term.
    pub term: Index,
    /// How it is read.
    pub reading: Option<Reading>,
    /// Where it is read.
    pub line: Line,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConditionRecord {
    /// What holds.
    pub term: Index,
    /// Where it is decided.
    pub line: Line,
}

/// A hazard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HazardRecord {
    /// Holds if the iteration is undefined.
    pub term: Index,
    /// What it is.
    pub kind: HazardKind,
    /// Where.
    pub line: Line,
}

/// The stem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StemRecord {
    /// What it reads.
    pub inputs: Vec<InputRecord>,
    /// What holds if it is taken.
    pub conditions: Vec<ConditionRecord>,
    /// The value of each variable at its end.
    pub entry: Vec<Index>,
}

/// A path around the loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IterationRecord {
    /// What it reads.
    pub inputs: Vec<InputRecord>,
    /// What holds if it is taken.
    pub guard: Vec<ConditionRecord>,
    /// When it is undefined.
    pub hazards: Vec<HazardRecord>,
    /// The value of each variable after it.
    pub updates: Vec<Index>,
    /// The lines it goes through.
    pub lines: Vec<Line>,
}

/// Iterations of a concrete run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IterationSequenceRecord {
    /// So many iterations that read nothing; of several the first that can be taken is.
    Forced(u64),
    /// Iterations with what each reads.
    Chosen(Vec<ChoiceRecord>),
}

/// An iteration of a concrete run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChoiceRecord {
    /// Which iteration.
    pub iteration: usize,
    /// What it reads.
    pub inputs: Vec<Number>,
}

/// Why a run runs forever.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Claim {
    /// It returns to a state.
    RepeatedState {
        /// The iterations from the state to itself.
        cycle: IterationSequenceRecord,
        /// The state.
        state: Vec<Number>,
    },
    /// It is in a set of machine states that an iteration always leads back into.
    RecurrenceSet {
        /// The set for people.
        shown: Vec<String>,
        /// What holds of its states.
        set: Vec<Index>,
        /// For each iteration what is read in it.
        policy: Vec<Vec<Index>>,
        /// What follows from the equations of the set by the laws of rings.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        identities: Vec<IdentityRecord>,
        /// The steps of a clausal proof that no state of the set leaves it, given the identities;
        /// absent where only the solver says so.
        steps: Option<Vec<Vec<i32>>>,
    },
    /// Over integers, it is in a set that some iterations always lead back into. The iterations
    /// before are under the policy, too.
    LinearRecurrenceSet {
        /// The set for people.
        shown: Vec<String>,
        /// How many iterations lead back into it.
        iterations: usize,
        /// Whether the variables that no iteration changes have, in the states of the set, the
        /// values that they have in the run.
        fixed: bool,
        /// For each iteration what is read in it.
        policy: Vec<Vec<AffineRecord>>,
        /// Expressions that are at most zero for the states of the set; all of them.
        set: Vec<AffineRecord>,
        /// For each inequality that is to follow the multipliers that show that it does: first for
        /// what the iterations' path needs, from the set and what is known of quotients; then for
        /// the set after the iterations, from these and the needs.
        multipliers: Vec<Vec<Rational>>,
    },
}

/// An equation that holds in the states of a recurrence set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IdentityRecord {
    /// The iteration of the lasso that it speaks of, by number.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub iteration: usize,
    /// The equation.
    pub goal: Goal,
    /// Numbers of equations of the set, each with a term over the state. The sum of the products
    /// of these terms and the differences of the equations' sides is the difference of the goal's.
    pub multipliers: Vec<(usize, Index)>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A condition that makes a set recurrent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// This condition of the iteration's guard, by number.
    Guard(usize),
    /// This condition of the set, by number, after the iteration.
    Set(usize),
}

/// An affine expression over the variables of the lasso.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AffineRecord {
    /// The multiple of each variable.
    pub coefficients: Vec<Integer>,
    /// The constant.
    pub constant: Integer,
}

impl AffineRecord {
    /// The record of an expression over so many variables.
    pub fn new(affine: &Affine, variables: usize) -> AffineRecord {
        let coefficient = |at| Integer(affine.coefficients.get(&at).cloned().unwrap_or_default());
        AffineRecord {
            coefficients: (0..variables).map(coefficient).collect(),
            constant: Integer(affine.constant.clone()),
        }
    }

    /// The expression.
    pub fn affine(&self) -> Affine {
        let parts = self.coefficients.iter().enumerate();
        let constant = Affine::constant(self.constant.0.clone());
        parts.fold(constant, |sum, (at, coefficient)| {
            sum.plus(&coefficient.0, &Affine::unknown(at))
        })
    }
}

/// An integer in decimal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Integer(pub BigInt);

impl From<Integer> for String {
    fn from(integer: Integer) -> String {
        integer.0.to_string()
    }
}

impl TryFrom<String> for Integer {
    type Error = <BigInt as FromStr>::Err;

    fn try_from(text: String) -> Result<Integer, Self::Error> {
        text.parse().map(Integer)
    }
}

/// A rational number: an integer, or two with a slash between.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rational(pub BigRational);

impl From<Rational> for String {
    fn from(rational: Rational) -> String {
        rational.0.to_string()
    }
}

impl TryFrom<String> for Rational {
    type Error = <BigRational as FromStr>::Err;

    fn try_from(text: String) -> Result<Rational, Self::Error> {
        text.parse().map(Rational)
    }
}

/// Writes terms as lines of a table.
pub(crate) struct Writer<'t> {
    terms: &'t Terms,
    lines: Vec<String>,
    known: FxHashMap<Term, Index>,
}

impl<'t> Writer<'t> {
    pub fn new(terms: &'t Terms) -> Writer<'t> {
        Writer {
            terms,
            lines: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// The place of a term in the table, which it and what it is made of are added to.
    pub fn write(&mut self, root: Term) -> Index {
        for term in self.terms.below(&[root]) {
            if !self.known.contains_key(&term) {
                let line = format!("{} {}", self.terms.width(term), self.describe(term));
                self.known.insert(term, self.lines.len());
                self.lines.push(line);
            }
        }
        self.known[&root]
    }

    fn symbol(&mut self, symbol: Symbol) -> Index {
        self.write(self.terms.variable(symbol))
    }

    fn describe(&self, term: Term) -> String {
        let at = |operand: Term| self.known[&operand];
        let two = |name: &dyn fmt::Display, a: Term, b: Term| format!("{name} {} {}", at(a), at(b));
        match self.terms.node(term) {
            Node::Constant(value) => format!("constant {value}"),
            Node::Symbol(_) => "variable".into(),
            Node::Not(a) => format!("not {}", at(a)),
            Node::Binary(operation, a, b) => two(&binary(operation), a, b),
            Node::Test(test, a, b) => two(&question(test), a, b),
            Node::Choose(c, a, b) => format!("choose {} {} {}", at(c), at(a), at(b)),
            Node::Extract { of, low } => format!("extract {low} {}", at(of)),
            Node::Concatenate(a, b) => two(&"concatenate", a, b),
            Node::ZeroExtend(a) => format!("zero_extend {}", at(a)),
            Node::SignExtend(a) => format!("sign_extend {}", at(a)),
            Node::Float(..) | Node::SquareRoot(_) | Node::ResizeFloat(_) => {
                unreachable!("concolic execution follows no floating-point numbers")
            }
        }
    }

    fn inputs(&mut self, inputs: &[Input]) -> Vec<InputRecord> {
        let mut record = |input: &Input| InputRecord {
            name: input.name.clone(),
            term: self.symbol(input.symbol),
            reading: input.reading,
            line: input.line.clone(),
        };
        inputs.iter().map(&mut record).collect()
    }

    fn conditions(&mut self, conditions: &[Condition]) -> Vec<ConditionRecord> {
        let mut record = |condition: &Condition| ConditionRecord {
            term: self.write(condition.term),
            line: condition.line.clone(),
        };
        conditions.iter().map(&mut record).collect()
    }

    /// The lines of the table.
    pub fn into_lines(self) -> Vec<String> {
        self.lines
    }

    /// A lasso, but for the table.
    pub fn lasso(&mut self, lasso: &Lasso) -> LassoRecord {
        let mut variables = Vec::new();
        for variable in &lasso.variables {
            let term = self.symbol(variable.symbol);
            let name = variable.name.clone();
            variables.push(VariableRecord {
                name,
                term,
                reading: variable.reading,
                place: variable.place,
            });
        }
        let stem = StemRecord {
            inputs: self.inputs(&lasso.stem.inputs),
            conditions: self.conditions(&lasso.stem.conditions),
            entry: lasso
                .stem
                .entry
                .iter()
                .map(|&value| self.write(value))
                .collect(),
        };
        let mut iterations = Vec::new();
        for iteration in &lasso.iterations {
            let mut hazards = Vec::new();
            for hazard in &iteration.hazards {
                let term = self.write(hazard.term);
                hazards.push(HazardRecord {
                    term,
                    kind: hazard.kind,
                    line: hazard.line.clone(),
                });
            }
            iterations.push(IterationRecord {
                inputs: self.inputs(&iteration.inputs),
                guard: self.conditions(&iteration.guard),
                hazards,
                updates: iteration
                    .updates
                    .iter()
                    .map(|&value| self.write(value))
                    .collect(),
                lines: iteration.lines.clone(),
            });
        }
        LassoRecord {
            terms: Vec::new(),
            header: lasso.header.clone(),
            variables,
            stem,
            iterations,
        }
    }
}

fn binary(operation: Binary) -> &'static str {
    match operation {
        Binary::Add => "add",
        Binary::Subtract => "subtract",
        Binary::Multiply => "multiply",
        Binary::UnsignedDivide => "unsigned_divide",
        Binary::SignedDivide => "signed_divide",
        Binary::UnsignedRemainder => "unsigned_remainder",
        Binary::SignedRemainder => "signed_remainder",
        Binary::ShiftLeft => "shift_left",
        Binary::LogicalShiftRight => "logical_shift_right",
        Binary::ArithmeticShiftRight => "arithmetic_shift_right",
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Xor => "xor",
    }
}

fn question(test: Test) -> &'static str {
    match test {
        Test::Equal => "equal",
        Test::UnsignedLess => "unsigned_less",
        Test::UnsignedLessEqual => "unsigned_less_equal",
        Test::SignedLess => "signed_less",
        Test::SignedLessEqual => "signed_less_equal",
        Test::UnsignedAddOverflow => "unsigned_add_overflow",
        Test::SignedAddOverflow => "signed_add_overflow",
        Test::SignedSubtractOverflow => "signed_subtract_overflow",
        Test::UnsignedMultiplyOverflow => "unsigned_multiply_overflow",
        Test::SignedMultiplyOverflow => "signed_multiply_overflow",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::circuit::{Circuit, Computation, constant, number};
    use crate::certify::table::Table;
    use impasse_solver::Values;

    /// Every kind of term on all values of two vectors: the circuits of the checker compute what
    /// the terms mean.
    #[test]
    fn circuits_compute_what_terms_mean() {
        for width in 1..=4u8 {
            let terms = Terms::new();
            let (x, y) = (terms.symbol("x", width), terms.symbol("y", width));
            let (a, b) = (terms.variable(x), terms.variable(y));
            let low = terms.extract(b, 0, 1);
            let mut roots = vec![
                terms.not(a),
                terms.choose(low, a, terms.constant(1, width)),
                terms.extract(a, width / 2, width - width / 2),
                terms.concatenate(a, b),
                terms.zero_extend(a, width + 3),
                terms.sign_extend(a, width + 3),
            ];
            roots.extend(Binary::ALL.map(|operation| terms.binary(operation, a, b)));
            roots.extend(Test::ALL.map(|test| terms.test(test, a, b)));
            let mut writer = Writer::new(&terms);
            let places: Vec<Index> = roots.iter().map(|&root| writer.write(root)).collect();
            let (x_at, y_at) = (writer.write(a), writer.write(b));
            let table = Table::read(&writer.lines).expect("what is written can be read");
            for (one, other) in
                (0..1 << width).flat_map(|one| (0..1 << width).map(move |other| (one, other)))
            {
                let values: Values = [(x, one), (y, other)].into_iter().collect();
                let given = [(x_at, one), (y_at, other)]
                    .map(|(at, value)| (at, constant(value, width.into())));
                let mut circuit = Circuit::new();
                let mut computation = Computation::new(&mut circuit, given.into_iter().collect());
                for (&root, &place) in roots.iter().zip(&places) {
                    let computed = computation
                        .value(&table, place)
                        .and_then(|bus| number(&bus));
                    assert_eq!(
                        computed,
                        Some(terms.value(root, &values)),
                        "{} of {one}, {other}",
                        terms.show(root)
                    );
                }
            }
        }
    }
}
