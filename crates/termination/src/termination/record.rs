//! The proof that a program ends, in a form that stands alone.
//!
//! For each loop and each recursion, in the order in which they are entered: what an iteration may
//! change, what holds whenever the header is passed, and a ranking function. A checker executes the
//! program on abstract states again, takes these from the record where the search had to find them,
//! and shows everything else itself (`impasse certify`).

use super::header::Changes;
use super::objects::Site;
use super::shape::Links;
use super::state::Object;
use super::{Executor, Key};
use crate::certificate::{Index, Writer};
use crate::certify::table::{Entry, Operation, Table};
use crate::in_c::Name;
use crate::nontermination::rank::Case;
use crate::problem::Line;
use impasse_program::source::SourceLocation;
use impasse_solver::{Binary, Symbol, Term, Terms, Test};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The proof that a program ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TerminationProof {
    /// The terms of the conditions and ranking functions: each line is a width, a name, and what
    /// the name needs.
    pub terms: Vec<String>,
    /// What the variables among them stand for.
    pub(crate) variables: Vec<(Index, Key)>,
    /// The allocation sites.
    pub(crate) sites: Vec<Site>,
    /// Whether it is followed how far lists are freed, or turned round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) frontiers: bool,
    /// At which offsets links are, if it is followed what can be reached along them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) links: Option<Links>,
    /// The loops and recursions, in the order in which they are entered.
    pub cycles: Vec<CycleProof>,
}

/// A bound of what a function returns, where numbers are read with sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Bound {
    /// The argument that is subtracted from the result, if one is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) less: Option<u32>,
    /// Whether it is a lower bound.
    pub(super) is_least: bool,
    pub(super) number: i64,
}

/// The proof that a loop or a recursion ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CycleProof {
    /// What it is.
    pub kind: Kind,
    /// Where it starts.
    pub line: Line,
    /// Whether it is never reached; then nothing else is said.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_unreachable: bool,
    /// What an iteration may change.
    pub(crate) changes: Changes,
    /// What holds whenever the header is passed.
    pub invariants: Vec<Index>,
    /// What a recursive function returns.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) returned: Vec<Bound>,
    /// Ranking functions, for cases of which each execution is in one.
    pub ranking: Vec<CaseProof>,
    /// What it is in the source, for witnesses; no part of the proof.
    #[serde(skip)]
    pub(crate) source: Option<InSource<Index>>,
}

/// Where a loop is in the source, and the names of variables there.
#[derive(Clone, Debug)]
pub(crate) struct InSource<V> {
    /// Its keyword.
    pub start: SourceLocation,
    /// Whether it is in no other loop and in no recursion.
    pub is_outermost: bool,
    /// The names of variables, with the lines where they are declared.
    pub names: Vec<(V, Name, u32)>,
}

impl<V: Copy> InSource<V> {
    /// The same of what the variables are elsewhere, without those that are nothing there.
    pub fn with<W>(&self, of: impl Fn(V) -> Option<W>) -> InSource<W> {
        let named = self.names.iter();
        let names = named.filter_map(|(v, name, line)| Some((of(*v)?, name.clone(), *line)));
        InSource {
            start: self.start.clone(),
            is_outermost: self.is_outermost,
            names: names.collect(),
        }
    }
}

/// A ranking function for some executions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseProof {
    /// Which: conditions on what no iteration changes.
    pub when: Vec<Index>,
    /// Numbers without sign, of which every iteration makes the first that changes smaller.
    pub components: Vec<Index>,
}

/// What may repeat without end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A loop.
    Loop,
    /// A recursive function.
    Recursion,
}

/// The same while it is looked for.
pub(super) struct CycleRecord {
    kind: Kind,
    line: Line,
    is_unreachable: bool,
    changes: Changes,
    pub invariants: Vec<Term>,
    pub returned: Vec<Bound>,
    pub cases: Vec<Case>,
    pub source: Option<InSource<Symbol>>,
}

impl CycleRecord {
    pub fn new(kind: Kind, line: Line, changes: Changes) -> CycleRecord {
        CycleRecord {
            kind,
            line,
            is_unreachable: false,
            changes,
            invariants: Vec::new(),
            returned: Vec::new(),
            cases: Vec::new(),
            source: None,
        }
    }

    pub fn unreachable(kind: Kind, line: Line, source: Option<InSource<Symbol>>) -> CycleRecord {
        CycleRecord {
            is_unreachable: true,
            source,
            ..CycleRecord::new(kind, line, Changes::default())
        }
    }
}

impl TerminationProof {
    /// Where the loops and recursions that have ranking functions start.
    pub fn ranked(&self) -> Vec<Line> {
        let ranked = self.cycles.iter().filter(|cycle| !cycle.ranking.is_empty());
        let mut lines: Vec<Line> = ranked.map(|cycle| cycle.line.clone()).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

impl Executor<'_, '_> {
    /// What was found, as a record. None if it names a variable that a checker does not have.
    pub(super) fn recorded(&self) -> Option<TerminationProof> {
        let mut writer = Writer::new(self.terms);
        let mut all = Vec::new();
        let mut write = |terms: &[Term]| -> Vec<Index> {
            all.extend(terms);
            terms.iter().map(|&term| writer.write(term)).collect()
        };
        let mut cycles = Vec::new();
        for record in &self.records {
            let cases = record
                .cases
                .iter()
                .map(|case| (&case.when, &case.components));
            cycles.push(CycleProof {
                kind: record.kind,
                line: record.line.clone(),
                is_unreachable: record.is_unreachable,
                changes: record.changes.clone(),
                invariants: write(&record.invariants),
                returned: record.returned.clone(),
                ranking: cases
                    .map(|(when, components)| CaseProof {
                        when: write(when),
                        components: write(components),
                    })
                    .collect(),
                source: None,
            });
        }
        let mut variables = Vec::new();
        let mut indices = FxHashMap::default();
        for symbol in self.terms.symbols_in(&all) {
            let key = self.keys.get(&symbol)?;
            let index = writer.write(self.terms.variable(symbol));
            indices.insert(symbol, index);
            variables.push((index, *key));
        }
        for (cycle, record) in cycles.iter_mut().zip(&self.records) {
            let source = record.source.as_ref();
            cycle.source = source.map(|source| source.with(|symbol| indices.get(&symbol).copied()));
        }
        Some(TerminationProof {
            terms: writer.into_lines(),
            variables,
            sites: self.sites.clone(),
            frontiers: self.orders.frontiers,
            links: self.orders.links,
            cycles,
        })
    }

    /// The invariants and ranking functions of a record, as terms. None if it is malformed.
    pub(super) fn imported(&mut self, record: &CycleProof) -> Option<(Vec<Term>, Vec<Case>)> {
        let roots = record.ranking.iter();
        let roots = roots.flat_map(|case| case.when.iter().chain(&case.components));
        let roots: Vec<Index> = roots.chain(&record.invariants).copied().collect();
        let made = self.rebuilt(&roots)?;
        let bit = |at: &Index| Some(made[at]).filter(|&term| self.terms.width(term) == 1);
        let bits = |all: &[Index]| all.iter().map(bit).collect::<Option<Vec<Term>>>();
        let case = |case: &CaseProof| {
            Some(Case {
                when: bits(&case.when)?,
                components: case.components.iter().map(|at| made[at]).collect(),
            })
        };
        let cases: Option<Vec<Case>> = record.ranking.iter().map(case).collect();
        Some((bits(&record.invariants)?, cases?))
    }

    /// Terms of the record's table.
    fn rebuilt(&mut self, roots: &[Index]) -> Option<FxHashMap<Index, Term>> {
        let (table, variables) = self.record.as_ref()?.table.clone()?;
        let mut wanted = vec![false; table.entries.len()];
        for &root in roots {
            *wanted.get_mut(root)? = true;
        }
        for at in (0..table.entries.len()).rev() {
            if wanted[at] {
                operands(&table.entries[at].0).for_each(|operand| wanted[operand] = true);
            }
        }
        let mut made: FxHashMap<Index, Term> = FxHashMap::default();
        for (at, (entry, width)) in table.entries.iter().enumerate() {
            if !wanted[at] {
                continue;
            }
            let term = match entry {
                Entry::Variable => {
                    let symbol = self.keyed(*variables.get(&at)?)?;
                    self.terms.variable(symbol)
                }
                other => rebuilt(self.terms, other, u8::try_from(*width).ok()?, &made)?,
            };
            if usize::from(self.terms.width(term)) != *width {
                return None;
            }
            made.insert(at, term);
        }
        Some(made)
    }

    /// The variable that a key stands for.
    fn keyed(&mut self, key: Key) -> Option<Symbol> {
        match key {
            Key::Made(n) => self.made.get(n as usize).copied(),
            Key::Start(object) => {
                let globals = self.subject.system.program.globals().len() as u32;
                if !matches!(object, Object::Global(n) if n <= globals) {
                    return None;
                }
                let start = self.start(object);
                self.terms.symbols_in(&[start]).first().copied()
            }
        }
    }
}

/// A record that is being checked.
pub(super) struct Given {
    table: Option<(Table, FxHashMap<Index, Key>)>,
    cycles: std::vec::IntoIter<CycleProof>,
}

impl Given {
    pub fn new(proof: &TerminationProof) -> Given {
        let table = Table::read(&proof.terms).ok();
        let variables = proof.variables.iter().copied().collect();
        Given {
            table: table.map(|table| (table, variables)),
            cycles: proof.cycles.clone().into_iter(),
        }
    }

    pub fn next(&mut self) -> Option<CycleProof> {
        self.cycles.next()
    }
}

fn operands(entry: &Entry) -> impl Iterator<Item = Index> {
    let (a, b, c) = match *entry {
        Entry::Variable | Entry::Constant(_) => (None, None, None),
        Entry::Not(a) | Entry::Extract(_, a) | Entry::ZeroExtend(a) | Entry::SignExtend(a) => {
            (Some(a), None, None)
        }
        Entry::Two(_, a, b) | Entry::Concatenate(a, b) => (Some(a), Some(b), None),
        Entry::Choose(a, b, c) => (Some(a), Some(b), Some(c)),
    };
    [a, b, c].into_iter().flatten()
}

/// A term from its operands; none for a variable.
fn rebuilt(terms: &Terms, entry: &Entry, width: u8, made: &FxHashMap<Index, Term>) -> Option<Term> {
    let of = |at: &Index| made[at];
    Some(match entry {
        Entry::Variable => return None,
        Entry::Constant(value) => terms.constant(*value, width),
        Entry::Not(a) => terms.not(of(a)),
        Entry::Two(operation, a, b) => match of_table(*operation) {
            Ok(operation) => terms.binary(operation, of(a), of(b)),
            Err(test) => terms.test(test, of(a), of(b)),
        },
        Entry::Choose(c, a, b) => terms.choose(of(c), of(a), of(b)),
        Entry::Extract(low, a) => terms.extract(of(a), u8::try_from(*low).ok()?, width),
        Entry::Concatenate(a, b) => terms.concatenate(of(a), of(b)),
        Entry::ZeroExtend(a) => terms.zero_extend(of(a), width),
        Entry::SignExtend(a) => terms.sign_extend(of(a), width),
    })
}

/// An operation of the table, or a question.
fn of_table(operation: Operation) -> Result<Binary, Test> {
    use Operation as Op;
    Ok(match operation {
        Op::Add => Binary::Add,
        Op::Subtract => Binary::Subtract,
        Op::Multiply => Binary::Multiply,
        Op::UnsignedDivide => Binary::UnsignedDivide,
        Op::SignedDivide => Binary::SignedDivide,
        Op::UnsignedRemainder => Binary::UnsignedRemainder,
        Op::SignedRemainder => Binary::SignedRemainder,
        Op::ShiftLeft => Binary::ShiftLeft,
        Op::LogicalShiftRight => Binary::LogicalShiftRight,
        Op::ArithmeticShiftRight => Binary::ArithmeticShiftRight,
        Op::And => Binary::And,
        Op::Or => Binary::Or,
        Op::Xor => Binary::Xor,
        Op::Equal => return Err(Test::Equal),
        Op::UnsignedLess => return Err(Test::UnsignedLess),
        Op::UnsignedLessEqual => return Err(Test::UnsignedLessEqual),
        Op::SignedLess => return Err(Test::SignedLess),
        Op::SignedLessEqual => return Err(Test::SignedLessEqual),
        Op::UnsignedAddOverflow => return Err(Test::UnsignedAddOverflow),
        Op::SignedAddOverflow => return Err(Test::SignedAddOverflow),
        Op::SignedSubtractOverflow => return Err(Test::SignedSubtractOverflow),
        Op::UnsignedMultiplyOverflow => return Err(Test::UnsignedMultiplyOverflow),
        Op::SignedMultiplyOverflow => return Err(Test::SignedMultiplyOverflow),
    })
}
