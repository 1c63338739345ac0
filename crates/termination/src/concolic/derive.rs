//! The lasso of an execution, derived from the program alone.
//!
//! Executing the program on the same inputs and evaluating the same part of the trace makes the
//! same terms in the same order, so that the lasso that a certificate speaks of can be compared
//! with the program's own: a proof about another loop, or about changed terms, is
//! none about the program.

use super::iteration::{Assumed, LoopRelation, StemSearch};
use super::replay::InputSymbols;
use super::run::Subject;
use super::trace::Trace;
use crate::problem::Lasso;
use impasse_solver::{Symbol, Terms};
use rustc_hash::FxHashMap;

/// The symbols of the inputs of executions: one for each number and width.
#[derive(Default)]
pub struct PathInputs {
    /// The symbols, by the number of the input and its width in bits.
    pub symbols: FxHashMap<(u32, u8), Symbol>,
}

impl InputSymbols for PathInputs {
    fn symbol(&mut self, terms: &Terms, trace: &Trace, input: u32) -> Symbol {
        let bits = trace.inputs[input as usize].bits;
        *self
            .symbols
            .entry((input, bits))
            .or_insert_with(|| terms.symbol(format!("i{input}"), bits))
    }

    fn value(&self, trace: &Trace, symbol: Symbol) -> u128 {
        let mut known = self.symbols.iter();
        let found = known.find(|((input, _), known)| {
            **known == symbol && (*input as usize) < trace.values.len()
        });
        found.map_or(0, |((input, _), _)| {
            u128::from(trace.values[*input as usize])
        })
    }
}

/// The relation of the iterations between two visits of a cutpoint, and their lasso. `Err` says why
/// there is none.
pub fn lasso_of(
    subject: &Subject<'_>,
    terms: &Terms,
    trace: &Trace,
    visits: (u32, u32),
    assumed: Assumed,
) -> Result<(LoopRelation, Lasso), String> {
    let relation = LoopRelation::new(subject, terms, trace, visits, assumed)?;
    let mut inputs = PathInputs::default();
    let mut stems = StemSearch::new(subject, terms, trace, &mut inputs, assumed.overflow);
    let lasso = relation
        .lasso(&mut stems)
        .ok_or("no term says what an iteration does")?;
    lasso.check(terms)?;
    Ok((relation, lasso))
}
