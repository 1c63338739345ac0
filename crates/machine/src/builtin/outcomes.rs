//! Reading the final values of marked variables ([`crate::machine::outcomes`]).

use crate::base::fault::{Result, unsupported};
use crate::machine::Machine;
use crate::machine::route::Route;
use crate::state::memory::{Access, Spot};
use crate::value::Value;
use crate::value::symbolic::term_of;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::Scalar;
use impasse_program::word::{Time, Word};
use impasse_solver::Term;
use std::collections::BTreeSet;

/// How many outcomes a state may have.
const MOST: usize = 1024;

/// A word of a marked variable.
struct Marked {
    name: String,
    scalar: Scalar,
    word: Word,
}

/// Stands for a value that depends on the time, where the time is unknown.
const ANY_TIME: &str = "(a time)";

impl Machine<'_> {
    /// Reads the marked variables as a visible action: the program is about to exit. Halts at a
    /// scheduling point.
    pub fn observe_outcome(&mut self) -> Result<()> {
        let system = self.system;
        for &global in &system.outcomes.marked {
            let size = self.program.globals()[global as usize].bytes.len() as u64;
            let address = Address::of(ObjectId::global(global));
            self.observe_also(Route::Direct, address, size, Access::Read, true)?;
        }
        Ok(())
    }

    /// Adds the values of the marked variables to the outcomes; all that they can have, if they
    /// depend on inputs which are followed symbolically. Fails if these are too many.
    pub fn note_outcome(&mut self) -> Result<()> {
        let system = self.system;
        if !system.outcomes.any_marked() {
            return Ok(());
        }
        let mut words = Vec::new();
        for &global in &system.outcomes.marked {
            let size = self.program.globals()[global as usize].bytes.len();
            let width = match size {
                1 | 2 | 8 => size,
                _ if size.is_multiple_of(4) => 4,
                _ => 1,
            };
            for offset in (0..size).step_by(width) {
                let object = ObjectId::global(global);
                let word = self.memory.load(Spot { object, offset }, width);
                let scalar = match word.pointer {
                    true => Scalar::Pointer,
                    false => Scalar::Integer(width as u8 * 8),
                };
                let offset = offset as i64;
                let name = self
                    .memory
                    .describe_subobject(Address { object, offset }, width as u64);
                words.push(Marked { name, scalar, word });
            }
        }
        let mut outcomes = BTreeSet::new();
        let is_undefined = |marked: &Marked| {
            let term = marked.word.term;
            !term.is_none() && self.terms().mentions_undefined(term_of(term))
        };
        let is_mixed = self.memory.mixes_terms.take() || words.iter().any(is_undefined);
        let path = self.symbolic.condition.conjuncts.clone();
        if is_mixed || !self.each_outcome(&words, path, &mut Vec::new(), &mut outcomes) {
            return unsupported(format!(
                "outcomes that depend on inputs and may be more than {MOST}: bound the inputs with \
                 assumptions, or give the values to try with --nondet LOW..HIGH"
            ));
        }
        let mut found = system
            .outcomes
            .found
            .lock()
            .expect("no thread panics while it holds the lock");
        found.extend(outcomes);
        Ok(())
    }

    /// Adds each outcome that some words have under a path condition, after the values so far.
    /// Returns false if there are too many.
    fn each_outcome(
        &self,
        words: &[Marked],
        path: Vec<Term>,
        values: &mut Vec<(String, String)>,
        outcomes: &mut BTreeSet<Vec<(String, String)>>,
    ) -> bool {
        let Some((first, rest)) = words.split_first() else {
            outcomes.insert(values.clone());
            return outcomes.len() <= MOST;
        };
        let Marked { name, scalar, word } = first;
        let (scalar, word) = (*scalar, *word);
        let mut with = |word: Word, path: Vec<Term>, time: Time| {
            let value = match time {
                Time::NONE => self.show(scalar, Value::one(word)),
                _ => ANY_TIME.into(),
            };
            values.push((name.clone(), value));
            let is_complete = self.each_outcome(rest, path, values, outcomes);
            values.pop();
            is_complete
        };
        if word.term.is_none() {
            return with(word, path, word.time);
        }
        let (terms, term) = (self.terms(), term_of(word.term));
        let Some(all) = terms.values_of(&path, term, MOST) else {
            return false;
        };
        all.into_iter().all(|value| {
            let equal = terms.with(|terms| {
                let constant = terms.constant(value.into(), terms.width(term));
                terms.equal(term, constant)
            });
            let path = path.iter().copied().chain([equal]).collect();
            with(Word::number(value), path, Time::NONE)
        })
    }
}
