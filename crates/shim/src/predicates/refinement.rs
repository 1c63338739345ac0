//! New predicates from a trace that no inputs follow.
//!
//! The conditions that contradict each other are known. Each, as the task tests it, is a predicate;
//! so is what it amounts to before each earlier move (its weakest precondition), which always
//! excludes the trace, but unrolls loops: `0 < n`, then `1 < n`, and so on. Hence what two or three
//! variables of such conditions have in common on the trace is tried first: that they are equal, or
//! that one is the sum of two others. These come for a number of the protocol that two tasks count.

use super::blocks::Blocks;
use super::search::Predicate;
use super::values::{History, Slot, Taken, Values};
use crate::ir::Scalar;
use crate::syntax::tree::BinaryOp;
use crate::terms::TermId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The predicates so far.
#[derive(Default)]
pub(super) struct Refinement {
    predicates: Vec<Predicate>,
    /// Traces met, and how much was learnt from each.
    met: FxHashMap<Vec<Taken>, Effort>,
}

/// What is learnt from a trace, in the order in which it is tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Effort {
    Equalities,
    Sums,
    Preconditions,
}

/// Predicates larger than this are not followed.
const MAX_TERM: u32 = 40;
/// Preconditions of a trace are followed back over so many moves.
const MAX_BACK: usize = 60;

/// A condition that is needed, as it is before a move.
struct Needed {
    /// The position of the move.
    position: usize,
    term: TermId,
}

impl Refinement {
    pub(super) fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// Learns from a trace; whether anything was new. `needed` marks the conditions that contradict
    /// each other, in order.
    pub(super) fn learn(
        &mut self,
        blocks: &Blocks,
        values: &mut Values,
        trace: &[Taken],
        history: &History,
        needed: &[bool],
    ) -> bool {
        let chains = preconditions(blocks, values, trace, history, needed);
        let mut effort = match self.met.get(trace) {
            None => Effort::Equalities,
            Some(Effort::Equalities) => Effort::Sums,
            Some(_) => Effort::Preconditions,
        };
        loop {
            let found = match effort {
                Effort::Equalities => {
                    let mut found: Vec<TermId> = chains
                        .iter()
                        .filter_map(|chain| chain.first())
                        .map(|needed| needed.term)
                        .collect();
                    found.extend(common(values, &chains, history, false));
                    found
                }
                Effort::Sums => common(values, &chains, history, true),
                Effort::Preconditions => chains.iter().flatten().map(|n| n.term).collect(),
            };
            let before = self.predicates.len();
            found.into_iter().for_each(|term| self.add(values, term));
            if self.predicates.len() > before {
                self.met.insert(trace.to_vec(), effort);
                return true;
            }
            effort = match effort {
                Effort::Equalities => Effort::Sums,
                Effort::Sums => Effort::Preconditions,
                Effort::Preconditions => return false,
            };
        }
    }

    fn add(&mut self, values: &Values, term: TermId) {
        let (term, _) = values.terms().strip(term);
        let (slots, only) = values.slots(term);
        let good = only && !slots.is_empty() && values.terms().size(term) <= MAX_TERM;
        if good && self.predicates.iter().all(|known| known.term != term) {
            self.predicates.push(Predicate { term, slots });
        }
    }
}

/// For each needed condition, itself and what it amounts to before the moves that precede it.
fn preconditions(
    blocks: &Blocks,
    values: &mut Values,
    trace: &[Taken],
    history: &History,
    needed: &[bool],
) -> Vec<Vec<Needed>> {
    let mut chains = Vec::new();
    let mut number = 0;
    for (position, conditions) in history.conditions.iter().enumerate() {
        for index in 0..conditions.len() {
            number += 1;
            if !needed[number - 1] {
                continue;
            }
            let effect = values.effect(blocks, &trace[position]);
            let Some((mut term, _)) = effect.conditions.get(index).copied() else {
                continue;
            };
            let mut chain = Vec::new();
            for back in (position.saturating_sub(MAX_BACK)..=position).rev() {
                if back < position {
                    let effect = values.effect(blocks, &trace[back]);
                    term = values.after(term, &effect);
                }
                let (slots, only) = values.slots(term);
                if !only || slots.is_empty() {
                    break;
                }
                chain.push(Needed {
                    position: back,
                    term,
                });
            }
            chains.push(chain);
        }
    }
    chains
}

/// What variables of needed conditions have in common where these stand.
fn common(
    values: &mut Values,
    chains: &[Vec<Needed>],
    history: &History,
    sums: bool,
) -> Vec<TermId> {
    let mut found = Vec::new();
    let last = chains.iter().flatten().map(|needed| needed.position).max();
    for position in 0..=last.unwrap_or(0) {
        let here = chains
            .iter()
            .flatten()
            .filter(|needed| needed.position == position);
        let spoken: BTreeSet<Slot> = here
            .flat_map(|needed| values.slots(needed.term).0)
            .collect();
        let store = &history.stores[position];
        let held: Vec<(Slot, TermId)> = spoken
            .into_iter()
            .filter_map(|slot| Some((slot, *store.get(&slot)?)))
            .collect();
        if sums {
            found.extend(sums_of(values, &held));
        } else {
            found.extend(equalities_of(values, &held));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn equalities_of(values: &mut Values, held: &[(Slot, TermId)]) -> Vec<TermId> {
    let mut found = Vec::new();
    for (index, (a, x)) in held.iter().enumerate() {
        for (b, y) in &held[index + 1..] {
            if x == y
                && let (Some(a), Some(b)) = (named(values, *a), named(values, *b))
            {
                found.extend(equal(values, a.0, b.0));
            }
        }
    }
    found
}

/// Sums `a + b == c` of three places of one type, where not all three are numbers.
fn sums_of(values: &mut Values, held: &[(Slot, TermId)]) -> Vec<TermId> {
    let mut found = Vec::new();
    for (index, (a, x)) in held.iter().enumerate() {
        for (b, y) in &held[index + 1..] {
            let (Some((a_name, ty)), Some((b_name, other))) =
                (named(values, *a), named(values, *b))
            else {
                continue;
            };
            if ty != other || !matches!(ty, Scalar::Int { .. }) {
                continue;
            }
            let Some(sum) = values.terms_mut().binary(BinaryOp::Add, ty, *x, *y) else {
                continue;
            };
            for (c, z) in held.iter().filter(|(c, _)| c != a && c != b) {
                if let Some((c_name, c_type)) = named(values, *c)
                    && c_type == ty
                    && same(values, ty, sum, *z)
                    && let Some(left) = values.terms_mut().binary(BinaryOp::Add, ty, a_name, b_name)
                {
                    found.extend(equal(values, left, c_name));
                }
            }
        }
    }
    found
}

/// Whether two terms are the same number of a type; sums keep a last `+ 0`.
fn same(values: &mut Values, ty: Scalar, a: TermId, b: TermId) -> bool {
    let terms = values.terms_mut();
    let zero = terms.number(0);
    a == b || terms.binary(BinaryOp::Add, ty, b, zero) == Some(a)
}

fn named(values: &mut Values, slot: Slot) -> Option<(TermId, Scalar)> {
    let ty = values.slot_type(slot)?;
    Some((values.name(slot, ty), ty))
}

fn equal(values: &mut Values, a: TermId, b: TermId) -> Option<TermId> {
    let ty = Scalar::Int {
        bits: 64,
        signed: true,
    };
    values.terms_mut().binary(BinaryOp::Equal, ty, a, b)
}
