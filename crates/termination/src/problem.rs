//! A lasso as the provers are given it: a stem into a cutpoint, and one or more iterations from the
//! cutpoint back to it.
//!
//! The finder executes the program once and records terms; the provers know nothing of the program
//! but what is here. Everything that an iteration's path through the program depends on is a
//! condition of its guard: the branches taken, the addresses computed (pinned to what they were, as
//! the heap stays concrete), the switch cases, the assumptions. So a state and inputs that satisfy
//! the guard, and meet none of the hazards, take exactly this iteration and lead to the state that
//! the updates say. That is what every proof rests on, and what [`Lasso::check`] cannot see.

use impasse_solver::{Symbol, Term, Terms, Values};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1; 0 where it is not known.
    pub line: u32,
}

/// How the bits of a variable are read as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// With sign, in two's complement.
    Signed,
    /// Without sign.
    Unsigned,
}

/// What a part of the state is to the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// A local that lives in a register of the frame.
    Local,
    /// A piece of memory: a global, a local whose address is taken, a part of an object.
    Memory,
    /// An argument of the recursive call that the lasso loops through.
    Argument,
}

/// A part of the state at the cutpoint that is live there: its value may be read before it is
/// overwritten.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its value at the cutpoint, before an iteration.
    pub symbol: Symbol,
    /// Its name for people: `i`, `a[3]`, `p->next`.
    pub name: String,
    /// How its type reads it, if that is known; otherwise how it is used decides.
    pub reading: Option<Reading>,
    /// Where it lives.
    pub place: Place,
}

/// A value that the environment chooses.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its value.
    pub symbol: Symbol,
    /// Its name for people: a parameter, or where it was read.
    pub name: String,
    /// How its type reads it, if that is known.
    pub reading: Option<Reading>,
    /// Where it is read.
    pub line: Line,
}

/// A condition of a path.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What holds on the path, of width one.
    pub term: Term,
    /// Where it is decided.
    pub line: Line,
}

/// A condition under which an iteration is undefined: a state that meets it does not take the
/// iteration.
#[derive(Clone, Debug)]
pub struct Hazard {
    /// True if the iteration is undefined; of width one.
    pub term: Term,
    /// What it is.
    pub kind: HazardKind,
    /// Where.
    pub line: Line,
}

/// Kinds of undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HazardKind {
    /// A result that does not fit its type. Over unbounded integers there is no such thing.
    Overflow,
    /// A divisor of zero.
    DivisionByZero,
    /// The least number divided by minus one.
    DivisionOverflow,
    /// A result that wraps around where a closed form needs that it does not. Over unbounded
    /// integers there is no such thing.
    Wraps,
    /// A shift by a negative number or by the width or more.
    Shift,
    /// Anything else.
    Other,
}

impl HazardKind {
    /// Whether it exists only because numbers have widths, and so not over unbounded integers.
    pub fn is_of_width(self) -> bool {
        matches!(
            self,
            HazardKind::Overflow | HazardKind::DivisionOverflow | HazardKind::Wraps
        )
    }
}

/// The assumption about signed results that do not fit their type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overflow {
    /// None: signed overflow is undefined.
    #[default]
    Undefined,
    /// Signed overflow wraps around.
    Wraps,
}

impl fmt::Display for HazardKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            HazardKind::Overflow => "signed overflow",
            HazardKind::DivisionByZero => "a division by zero",
            HazardKind::DivisionOverflow => "a quotient that does not fit its type",
            HazardKind::Wraps => "a number that wraps around",
            HazardKind::Shift => "a shift out of range",
            HazardKind::Other => "undefined behaviour",
        })
    }
}

/// The path from the start of the program to the first visit of the cutpoint.
#[derive(Clone, Debug, Default)]
pub struct Stem {
    /// What it reads, in order.
    pub inputs: Vec<Input>,
    /// What holds of the inputs if the program takes this path, hazards included (negated).
    pub conditions: Vec<Condition>,
    /// The value of each variable of the lasso at the cutpoint, in their order, over the inputs.
    pub entry: Vec<Term>,
    /// Inputs with which the path was taken.
    pub example: Values,
}

/// One path from the cutpoint back to it, over the variables and the inputs that are read on it.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// What it reads, in order. Their symbols occur in no other iteration and not in the stem.
    pub inputs: Vec<Input>,
    /// What holds if this path is taken.
    pub guard: Vec<Condition>,
    /// The value of each variable after the iteration, in their order.
    pub updates: Vec<Term>,
    /// The conditions under which it is undefined.
    pub hazards: Vec<Hazard>,
    /// The lines it goes through, in order, for people.
    pub lines: Vec<Line>,
}

/// A stem and iterations. With several iterations, each is a path that a state may take if its
/// guard holds; the paths that the program has and that are not listed make a proof of
/// nontermination no less valid, and a proof of termination holds for runs that stay within the
/// listed ones.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The cutpoint.
    pub header: Line,
    /// The live state at the cutpoint.
    pub variables: Vec<Variable>,
    /// The stem.
    pub stem: Stem,
    /// The paths around the loop.
    pub iterations: Vec<Iteration>,
}

impl Lasso {
    /// Checks that the entry and each update give every variable a term of its width, that
    /// conditions have width one, and that terms depend on declared symbols only. `Err` says what
    /// is malformed.
    pub fn check(&self, terms: &Terms) -> Result<(), String> {
        let state: Vec<Symbol> = self
            .variables
            .iter()
            .map(|variable| variable.symbol)
            .collect();
        let stem_terms: Vec<Term> = self
            .stem
            .conditions
            .iter()
            .map(|condition| condition.term)
            .collect();
        self.check_values(terms, "the stem", &self.stem.entry)?;
        bits(terms, "the stem", &stem_terms)?;
        let inputs: Vec<Symbol> = self.stem.inputs.iter().map(|input| input.symbol).collect();
        declared(
            terms,
            "the stem",
            &[stem_terms, self.stem.entry.clone()].concat(),
            &inputs,
        )?;
        for (at, iteration) in self.iterations.iter().enumerate() {
            let what = format!("iteration {at}");
            self.check_values(terms, &what, &iteration.updates)?;
            let conditions: Vec<Term> = iteration.conditions().collect();
            bits(terms, &what, &conditions)?;
            let known: Vec<Symbol> = state
                .iter()
                .copied()
                .chain(iteration.inputs.iter().map(|input| input.symbol))
                .collect();
            declared(
                terms,
                &what,
                &[conditions, iteration.updates.clone()].concat(),
                &known,
            )?;
        }
        Ok(())
    }

    /// The lasso for whoever looks for a missing proof.
    pub(crate) fn shown(&self, terms: &Terms) -> String {
        let list = |all: &[Term]| {
            let shown: Vec<String> = all.iter().map(|&one| terms.show(one)).collect();
            shown.join("; ")
        };
        let conditions = |all: &[Condition]| {
            let all: Vec<Term> = all.iter().map(|condition| condition.term).collect();
            list(&all)
        };
        let variables = self.variables.iter().map(|one| terms.variable(one.symbol));
        let mut shown = format!(
            "state {} entered with {} where {}",
            list(&variables.collect::<Vec<_>>()),
            list(&self.stem.entry),
            conditions(&self.stem.conditions)
        );
        for iteration in &self.iterations {
            let (guard, updates) = (conditions(&iteration.guard), list(&iteration.updates));
            shown.push_str(&format!("\n  to {updates} if {guard}"));
        }
        shown
    }

    /// Checks that there is one term for each variable, of its width.
    fn check_values(&self, terms: &Terms, what: &str, values: &[Term]) -> Result<(), String> {
        let (count, variables) = (values.len(), self.variables.len());
        if count != variables {
            return Err(format!(
                "{what} has {count} values for {variables} variables"
            ));
        }
        let differs = |(variable, value): &(&Variable, &Term)| {
            terms.width(**value) != terms.symbol_width(variable.symbol)
        };
        match self.variables.iter().zip(values).find(differs) {
            Some((variable, _)) => Err(format!(
                "{what} gives {} a value of another width",
                variable.name
            )),
            None => Ok(()),
        }
    }
}

impl Iteration {
    /// The terms of the guard and of the hazards.
    fn conditions(&self) -> impl Iterator<Item = Term> {
        let guard = self.guard.iter().map(|condition| condition.term);
        guard.chain(self.hazards.iter().map(|hazard| hazard.term))
    }

    /// The condition, of width one, under which a state takes this iteration: the guard holds and
    /// no hazard does.
    pub fn taken(&self, terms: &Terms) -> Term {
        let guard = self.guard.iter().map(|condition| condition.term);
        let safe = self.hazards.iter().map(|hazard| terms.not(hazard.term));
        terms.all(&guard.chain(safe).collect::<Vec<_>>())
    }
}

fn bits(terms: &Terms, what: &str, conditions: &[Term]) -> Result<(), String> {
    match conditions
        .iter()
        .find(|&&condition| terms.width(condition) != 1)
    {
        Some(&condition) => Err(format!(
            "{what} has a condition of {} bits",
            terms.width(condition)
        )),
        None => Ok(()),
    }
}

fn declared(terms: &Terms, what: &str, roots: &[Term], known: &[Symbol]) -> Result<(), String> {
    match terms
        .symbols_in(roots)
        .into_iter()
        .find(|symbol| !known.contains(symbol))
    {
        Some(symbol) => Err(format!(
            "{what} depends on {}, which is neither a variable nor its input",
            terms.name(symbol)
        )),
        None => Ok(()),
    }
}
