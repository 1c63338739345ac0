//! Lassos made by hand.

#![allow(dead_code, reason = "each test uses some of it")]

pub mod random;

use impasse_solver::{Symbol, Term, Terms, Values};
use impasse_termination::problem::{
    Condition, Hazard, HazardKind, Input, Iteration, Lasso, Line, Place, Reading, Stem, Variable,
};

/// A lasso under construction. Each variable is an input of the stem or a constant at the entry.
pub struct Builder<'t> {
    pub terms: &'t Terms,
    lasso: Lasso,
}

/// An iteration under construction: what is said of it.
#[derive(Default)]
pub struct Body {
    pub guard: Vec<Term>,
    pub hazards: Vec<Term>,
    pub updates: Vec<Term>,
    pub inputs: Vec<Symbol>,
}

fn line(line: u32) -> Line {
    Line {
        file: "test.c".into(),
        line,
    }
}

impl<'t> Builder<'t> {
    pub fn new(terms: &'t Terms) -> Builder<'t> {
        let lasso = Lasso {
            header: line(1),
            variables: Vec::new(),
            stem: Stem::default(),
            iterations: Vec::new(),
        };
        Builder { terms, lasso }
    }

    /// A variable with this value at the entry.
    pub fn variable(&mut self, name: &str, entry: Term, reading: Reading) -> Term {
        let symbol = self.terms.symbol(name, self.terms.width(entry));
        let variable = Variable {
            symbol,
            name: name.into(),
            reading: Some(reading),
            place: Place::Local,
        };
        self.lasso.variables.push(variable);
        self.lasso.stem.entry.push(entry);
        self.terms.variable(symbol)
    }

    /// An input of the stem.
    pub fn input(&mut self, name: &str, width: u8) -> Term {
        let symbol = self.terms.symbol(name, width);
        self.lasso.stem.inputs.push(Input {
            symbol,
            name: name.into(),
            reading: None,
            line: line(1),
        });
        self.terms.variable(symbol)
    }

    /// A variable that is an input with sign.
    pub fn int(&mut self, name: &str, width: u8) -> Term {
        let input = self.input(&format!("{name}₀"), width);
        self.variable(name, input, Reading::Signed)
    }

    /// A variable that is an input without sign.
    pub fn unsigned(&mut self, name: &str, width: u8) -> Term {
        let input = self.input(&format!("{name}₀"), width);
        self.variable(name, input, Reading::Unsigned)
    }

    /// A condition of the stem.
    pub fn assume(&mut self, term: Term) {
        self.lasso.stem.conditions.push(Condition {
            term,
            line: line(1),
        });
    }

    pub fn iteration(&mut self, body: Body) {
        let terms = self.terms;
        let input = |symbol| Input {
            symbol,
            name: terms.name(symbol),
            reading: None,
            line: line(2),
        };
        self.lasso.iterations.push(Iteration {
            inputs: body.inputs.into_iter().map(input).collect(),
            guard: body
                .guard
                .into_iter()
                .map(|term| Condition {
                    term,
                    line: line(2),
                })
                .collect(),
            updates: body.updates,
            hazards: body
                .hazards
                .into_iter()
                .map(|term| Hazard {
                    term,
                    kind: HazardKind::Overflow,
                    line: line(3),
                })
                .collect(),
            lines: vec![line(2), line(3)],
        });
    }

    pub fn done(self, example: &[(&str, u128)]) -> Lasso {
        let mut lasso = self.lasso;
        let named = |name: &str| {
            lasso
                .stem
                .inputs
                .iter()
                .find(|input| input.name.trim_end_matches('₀') == name)
        };
        let example: Values = example
            .iter()
            .map(|&(name, value)| (named(name).expect("an input").symbol, value))
            .collect();
        lasso.stem.example = example;
        lasso
            .check(self.terms)
            .expect("a lasso that is well formed");
        lasso
    }
}
