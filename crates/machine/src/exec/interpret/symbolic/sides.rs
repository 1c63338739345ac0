//! Branches on inputs whose sides only compute, and meet again soon: both are executed, and what
//! differs where they meet becomes a choice between two values, instead of two executions. Sides
//! may read memory that no other thread can reach.
//!
//! *Claim.* The state where the sides meet stands for the concrete states in which the two
//! executions would be there. The argument is in `docs/internals/symbolic.md`.

use super::super::Flow;
use super::widths::width_of;
use crate::machine::Machine;
use crate::value::symbolic::{Feasibility, Input, term_of};
use impasse_program::address::Address;
use impasse_program::instruction::{Body, Instruction as I, Operand, Position, Slot};
use impasse_program::word::{TermId, Word, mask};
use impasse_solver::Term;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// How many instructions the sides have together, at most.
const INSTRUCTIONS: usize = 64;
/// Where values would become terms of more nodes, the execution forks: in a loop that computes a
/// value of itself, numbers repeat, but terms get longer and longer.
const LARGE: usize = 400;

/// Where an execution continues, each with the condition if it may continue elsewhere.
type Targets = SmallVec<[(Position, Option<Term>); 2]>;

/// An execution of one side, at some position.
struct Side {
    /// What it has decided.
    guards: Vec<Term>,
    /// The slots of its frame.
    words: Vec<Word>,
}

impl<'s> Machine<'s> {
    /// Executes both sides of a branch up to the position where they meet, and returns it. Returns
    /// `None`, without an effect, where the execution must fork or need not.
    pub(super) fn join_sides(
        &mut self,
        condition: Term,
        [then, otherwise]: [Position; 2],
    ) -> Option<u32> {
        let terms = self.terms();
        if !meet(&self.at.function.body, self.at.position, [then, otherwise])
            || terms.mentions_undefined(condition)
        {
            return None;
        }
        let negation = terms.with(|terms| terms.not(condition));
        let path = &self.symbolic.condition.conjuncts;
        let both = [condition, negation].map(|side| terms.is_feasible(path, side));
        if both != [Feasibility::Yes; 2] {
            return None;
        }
        let (base, position) = (self.at.base, self.at.position);
        let words = self.stack.words[base..].to_vec();
        let side = |guard| Side {
            guards: vec![guard],
            words: words.clone(),
        };
        let sides = [(then.0, side(condition)), (otherwise.0, side(negation))];
        self.symbolic.speculates = true;
        let met = self.run_sides(sides);
        self.symbolic.speculates = false;
        let met = met.filter(|_| !self.memory.mixes_terms.get());
        self.memory.mixes_terms.set(false);
        self.at.position = position;
        let (met, words) = match met {
            Some((at, side)) => (Some(at), side.words),
            None => (None, words),
        };
        self.stack.words[base..].copy_from_slice(&words);
        met
    }

    /// Executes the sides until only one is left, always the one that is behind.
    fn run_sides(&mut self, start: [(u32, Side); 2]) -> Option<(u32, Side)> {
        let mut sides = BTreeMap::from(start);
        for _ in 0..INSTRUCTIONS {
            let (position, side) = sides.pop_first()?;
            if sides.is_empty() {
                return Some((position, side));
            }
            for (at, side) in self.advance(position, side)? {
                let side = match sides.remove(&at) {
                    Some(other) => self.joined(at, &other, side)?,
                    None => side,
                };
                sides.insert(at, side);
            }
        }
        None
    }

    /// Executes the next instruction of a side, under what it has decided.
    fn advance(&mut self, position: u32, side: Side) -> Option<SmallVec<[(u32, Side); 2]>> {
        let base = self.at.base;
        self.stack.words[base..].copy_from_slice(&side.words);
        self.at.position = position;
        let length = self.symbolic.condition.length();
        side.guards
            .iter()
            .for_each(|&guard| self.symbolic.add(guard));
        let next = self.advance_under_guards(position, side);
        self.symbolic.take_back(length);
        next
    }

    fn advance_under_guards(
        &mut self,
        position: u32,
        mut side: Side,
    ) -> Option<SmallVec<[(u32, Side); 2]>> {
        let mut next = SmallVec::new();
        let instruction = &self.at.function.body.code[position as usize];
        match *instruction {
            I::Jump { target } => next.push((target.0, side)),
            I::Branch {
                condition,
                then,
                otherwise,
            } => {
                for (at, guard) in self.sides_of(self.read(condition), [then, otherwise])? {
                    next.push((
                        at.0,
                        Side {
                            guards: side.guards.iter().copied().chain(guard).collect(),
                            words: side.words.clone(),
                        },
                    ));
                }
            }
            _ => {
                if !self.only_computes_here(instruction) {
                    return None;
                }
                let flow = match self.reads_terms(instruction) {
                    true => self.instruction_on_terms(instruction),
                    false => self.instruction(instruction),
                };
                let Ok(Flow::Next) = flow else {
                    return None;
                };
                side.words
                    .copy_from_slice(&self.stack.words[self.at.base..]);
                next.push((position + 1, side));
            }
        }
        Some(next)
    }

    /// Where a branch leads, with the condition if it leads elsewhere as well.
    fn sides_of(&self, condition: Word, targets: [Position; 2]) -> Option<Targets> {
        let terms = self.terms();
        if condition.term.is_none() {
            let taken = targets[usize::from(condition.bits & 1 == 0)];
            let is_plain = condition.is_defined() && condition.time.is_none();
            return is_plain.then(|| SmallVec::from_iter([(taken, None)]));
        }
        let condition = term_of(condition.term);
        if terms.mentions_undefined(condition) {
            return None;
        }
        let guards = [condition, terms.with(|terms| terms.not(condition))];
        let path = &self.symbolic.condition.conjuncts;
        let mut possible = SmallVec::new();
        for (target, guard) in targets.into_iter().zip(guards) {
            match terms.is_feasible(path, guard) {
                Feasibility::Yes => possible.push((target, Some(guard))),
                Feasibility::No => {}
                Feasibility::Unknown => return None,
            }
        }
        if let [(_, guard)] = &mut possible[..] {
            *guard = None;
        }
        Some(possible)
    }

    /// Whether an instruction reads memory that no other thread can reach, or has operands without
    /// any relation to objects and clocks.
    fn only_computes_here(&self, instruction: &I) -> bool {
        if let I::Load { address, .. } = *instruction {
            let word = self.read(address);
            let is_known = word.pointer && word.is_defined() && word.time.is_none();
            return is_known && self.is_private(Address::from_bits(word.bits));
        }
        let may_be_address = matches!(
            instruction,
            I::AddressIndex { .. } | I::AddressOffset { .. } | I::Move { .. }
        );
        let mut is_plain = true;
        let mut visit = |operand: Operand| {
            let word = self.read(operand);
            is_plain &= (may_be_address || !word.pointer) && word.time.is_none();
        };
        instruction.for_each_operand(&self.at.function.body, |operand, words| {
            visit(operand);
            if words == 2 {
                visit(operand.second());
            }
        });
        is_plain
    }

    /// Two sides at one position as one.
    fn joined(&self, at: u32, one: &Side, other: Side) -> Option<Side> {
        let terms = self.terms();
        let same = one.guards.iter().zip(&other.guards);
        let common = same.take_while(|(a, b)| a == b).count();
        let (guards, rests) = (&one.guards[..common], [one, &other]);
        let rests = rests.map(|side| terms.with(|terms| terms.all(&side.guards[common..])));
        let needed = self.at.function.body.needed_before(at);
        let mut words = other.words;
        for slot in 0..words.len() {
            let (yes, no) = (one.words[slot], words[slot]);
            if yes == no {
                continue;
            }
            let is_needed = needed.iter().any(|it| it.0 as usize == slot);
            let are_numbers = yes.term.is_none() && no.term.is_none();
            if is_needed && are_numbers && !self.are_needed(rests[0], needed, [&one.words, &words])
            {
                return None;
            }
            let slot_of = Slot(slot as u32);
            words[slot] = match self.choice_of(rests[0], [yes, no], slot_of) {
                Some(word) => word,
                None if is_needed => return None,
                None => Word::undefined(64),
            };
        }
        let either = terms.with(|terms| match terms.not(rests[0]) == rests[1] {
            true => None,
            false => Some(terms.or(rests[0], rests[1])),
        });
        Some(Side {
            guards: guards.iter().copied().chain(either).collect(),
            words,
        })
    }

    /// Whether all inputs of a condition are mentioned by what the thread needs of its frame where
    /// sides meet, or by memory: then states that differ in the condition differ in any case.
    fn are_needed(&self, condition: Term, needed: &[Slot], sides: [&[Word]; 2]) -> bool {
        let terms = self.terms();
        let mut left: SmallVec<[Input; 4]> = SmallVec::from_slice(&terms.inputs_of(condition));
        let mut mention = |term: TermId| {
            let found = terms.inputs_of(term_of(term));
            left.retain(|input| !found.contains(input));
            left.is_empty()
        };
        let in_slots = needed.iter().any(|slot| {
            let words = sides.map(|words| words[slot.0 as usize]);
            words.iter().all(|word| !word.term.is_none()) && mention(words[0].term)
        });
        let mut entries = self.memory.globals.iter().chain(&self.memory.dynamic);
        in_slots
            || entries.any(|&entry| {
                let object = self.memory.at(entry).filter(|object| object.has_terms());
                object.is_some_and(|object| object.terms().iter().any(|part| mention(part.term)))
            })
    }

    /// The word of a slot that is one or the other, by a condition. `None` if a term cannot say it.
    fn choice_of(&self, condition: Term, [yes, no]: [Word; 2], slot: Slot) -> Option<Word> {
        let terms = self.terms();
        let is_value = |word: Word| {
            let is_known = word.is_defined() || !word.term.is_none();
            is_known && !word.pointer && word.time.is_none() && !self.has_undefined_bytes(word)
        };
        if !is_value(yes) || !is_value(no) {
            return None;
        }
        let term = [yes, no].into_iter().find(|word| !word.term.is_none());
        let width = match term {
            Some(word) => terms.with(|terms| terms.width(term_of(word.term))).into(),
            None => width_of(&self.at.function.body, slot)?,
        };
        if [yes, no].iter().any(|word| word.bits & !mask(width) != 0) {
            return None;
        }
        let [yes, no] = [yes, no].map(|word| self.as_term(word, width));
        let (yes, no) = yes.zip(no)?;
        let chosen = terms.with(|terms| {
            let chosen = terms.choose(condition, yes, no);
            (terms.below(&[chosen]).len() <= LARGE).then_some(chosen)
        });
        chosen.map(|chosen| self.of_term(chosen))
    }
}

/// Whether both sides of a branch only compute until they meet.
fn meet(body: &Body, from: u32, targets: [Position; 2]) -> bool {
    let mut positions = BTreeSet::from(targets.map(|target| target.0));
    if positions.first().is_some_and(|&first| first <= from) {
        return false;
    }
    for _ in 0..INSTRUCTIONS {
        let Some(at) = positions.pop_first() else {
            return false;
        };
        if positions.is_empty() {
            return true;
        }
        let instruction = &body.code[at as usize];
        if !only_computes(instruction) {
            return false;
        }
        instruction.for_each_successor(body, Position(at), |next| {
            positions.insert(next.0);
        });
        if positions.first().is_some_and(|&first| first <= at) {
            return false;
        }
    }
    false
}

/// Whether an instruction has no effect but on slots and on control, and no result that is an
/// address in memory.
fn only_computes(instruction: &I) -> bool {
    match instruction {
        I::Convert { from, to, .. } => !from.is_pointer() && !to.is_pointer(),
        I::Compare { scalar, .. } | I::Compute { scalar, .. } => !scalar.is_pointer(),
        I::Load {
            scalar, ordering, ..
        } => !ordering.is_atomic() && !scalar.is_pointer() && scalar.words() == 1,
        I::Binary { .. }
        | I::AddressIndex { .. }
        | I::AddressOffset { .. }
        | I::Float { .. }
        | I::FloatCompare { .. }
        | I::Select { .. }
        | I::Freeze { .. }
        | I::Move { .. }
        | I::Jump { .. }
        | I::Branch { .. } => true,
        _ => false,
    }
}
