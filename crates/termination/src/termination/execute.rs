//! The instructions of a block on an abstract state.

use super::domain::{Evaluation, Halt, Next};
use super::graph::{BlockId, Frame};
use super::ranges::{is_impossible, range};
use super::state::{Base, Object, State, Val};
use super::wrapping::{self, FREE};
use super::{Executor, Result};
use crate::vectors::OnTerms;
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::{Instruction, Operand, Place, Position, Scalar, Slot};
use impasse_semantics::arithmetic::distance;
use impasse_semantics::evaluate::evaluate;
use impasse_solver::{Node, Term, Test};

/// Where execution gets to from some blocks.
#[derive(Default)]
pub(super) struct Flow {
    /// At the header of the loop that the blocks are of.
    pub backs: Vec<State>,
    /// In other blocks.
    pub exits: Vec<(BlockId, State)>,
    /// Out of the function; the slots are its results.
    pub returns: Vec<State>,
}

/// A block that only decides where to go has so many instructions at most.
const DISPATCH: u32 = 8;
/// So many states are not joined before such a block.
const DISPATCHED: usize = 8;

/// Whether a block does nothing but decide where to go.
fn is_dispatch(frame: &Frame<'_>, id: BlockId) -> bool {
    use Instruction::{Branch, Compare, Convert, LifetimeEnd, Move, Switch, Undefine};
    let block = frame.graph.block(id);
    let code = &frame.function.body.code[block.first as usize..block.end as usize];
    let (last, before) = code.split_last().expect("a block has instructions");
    let is_plain = |one: &Instruction| {
        matches!(
            one,
            Move { .. } | Undefine { .. } | Compare { .. } | Convert { .. } | LifetimeEnd { .. }
        )
    };
    block.cycle.is_none()
        && block.end - block.first <= DISPATCH
        && matches!(last, Branch { .. } | Switch { .. })
        && before.iter().all(is_plain)
}

impl<'s> Executor<'_, 's> {
    /// Executes a block that only decides where to go on each of several states, if each knows
    /// where, and not all go to the same place: what leaves a loop early to return, say, is not
    /// joined with what leaves it at its end.
    pub(super) fn dispatched(
        &mut self,
        frame: &Frame<'s>,
        id: BlockId,
        states: &[State],
    ) -> Result<Option<Flow>> {
        if !(2..=DISPATCHED).contains(&states.len()) || !is_dispatch(frame, id) {
            return Ok(None);
        }
        let mut all = Flow::default();
        for state in states {
            let exits = self.block(frame, id, state.clone())?.exits;
            if exits.len() != 1 {
                return Ok(None);
            }
            all.exits.extend(exits);
        }
        let first = all.exits[0].0;
        let is_decided = all.exits.iter().any(|(target, _)| *target != first);
        Ok(is_decided.then_some(all))
    }

    /// One word, whatever its type.
    pub(super) fn word(&mut self, frame: &Frame<'_>, state: &State, operand: Operand) -> Val {
        match operand.place() {
            Place::Constant(index) => {
                let word = frame.function.constants[index as usize];
                match (word.is_defined(), word.pointer) {
                    (true, true) => self.decoded(word.bits),
                    (true, false) => Val::of(self.number(word.bits)),
                    _ => self.anything(64),
                }
            }
            Place::Slot(slot) => match state.slot(slot) {
                Some(value) => value,
                None => self.anything(64),
            },
        }
    }

    /// An operand of a scalar type; of a wide one, the first word.
    pub(super) fn read_operand(
        &mut self,
        frame: &Frame<'_>,
        state: &State,
        operand: Operand,
        scalar: Scalar,
    ) -> Val {
        let value = self.word(frame, state, operand);
        let width = scalar.bits().min(64) as u8;
        Val {
            term: self.terms.resize_unsigned(value.term, width),
            ..value
        }
    }

    pub(super) fn words(
        &mut self,
        frame: &Frame<'_>,
        state: &State,
        operand: Operand,
        scalar: Scalar,
    ) -> Vec<Val> {
        match scalar.words() {
            1 => vec![self.read_operand(frame, state, operand, scalar)],
            _ => vec![
                self.word(frame, state, operand),
                self.word(frame, state, operand.second()),
            ],
        }
    }

    /// Executes a block.
    pub(super) fn block(
        &mut self,
        frame: &Frame<'s>,
        id: BlockId,
        mut state: State,
    ) -> Result<Flow> {
        let block = frame.graph.block(id);
        let (first, end) = (block.first, block.end);
        for at in first..end {
            self.count()?;
            let instruction = &frame.function.body.code[at as usize];
            let place = CodePlace {
                function: frame.id,
                position: Position(at),
            };
            let mut evaluation = Evaluation {
                executor: self,
                frame,
                state: &mut state,
                place,
            };
            let successors = match evaluate(&mut evaluation, &frame.function.body, instruction) {
                Ok(Next::Following) if at + 1 < end => continue,
                Ok(Next::Following) => vec![(Position(at + 1), state)],
                Ok(Next::Jumps(successors)) => successors,
                Ok(Next::Returns) => {
                    return Ok(Flow {
                        returns: vec![state],
                        ..Flow::default()
                    });
                }
                Err(Halt::PathEnds) => {
                    self.ended += 1;
                    return Ok(Flow::default());
                }
                Err(Halt::Stops(stop)) => return Err(stop),
            };
            let exits = successors.into_iter().map(|(target, state)| {
                let block = frame.graph.block_at(target);
                (block.expect("a jump goes to the start of a block"), state)
            });
            return Ok(Flow {
                exits: exits.collect(),
                ..Flow::default()
            });
        }
        Ok(Flow::default())
    }

    /// Returns the reachable targets of a branch, each with its state.
    pub(super) fn both(
        &self,
        mut state: State,
        condition: Term,
        then: Position,
        otherwise: Position,
    ) -> Vec<(Position, State)> {
        let mut other = state.clone();
        let mut next = Vec::new();
        let condition = self.of_allocation(condition);
        if state.learn(self.terms, condition) {
            next.push((then, state));
        }
        if other.learn(self.terms, self.terms.not(condition)) {
            next.push((otherwise, other));
        }
        next
    }

    /// A condition; whether an allocation has failed is the bit that says so, since no object
    /// starts at null.
    fn of_allocation(&self, condition: Term) -> Term {
        let terms = self.terms;
        let is_null = |term| terms.as_constant(term) == Some(0);
        match terms.node(condition) {
            Node::Not(one) => terms.not(self.of_allocation(one)),
            Node::Test(Test::Equal, a, b) if is_null(a) || is_null(b) => {
                match terms.node(if is_null(a) { b } else { a }) {
                    Node::Choose(failed, null, start)
                        if is_null(null) && self.objects.iter().any(|made| made.start == start) =>
                    {
                        failed
                    }
                    _ => condition,
                }
            }
            _ => condition,
        }
    }

    /// Returns the reachable targets of a switch, case by case, each with its state.
    pub(super) fn cases(
        &self,
        mut state: State,
        value: Term,
        cases: &[(u64, Position)],
        default: Position,
    ) -> Vec<(Position, State)> {
        let mut next = Vec::new();
        for &(case, target) in cases {
            let constant = self
                .terms
                .constant(u128::from(case), self.terms.width(value));
            let equal = self.terms.equal(value, constant);
            let mut taken = state.clone();
            if taken.assume(self.terms, equal) {
                next.push((target, taken));
            }
            if !state.assume(self.terms, self.terms.not(equal)) {
                return next;
            }
        }
        next.push((default, state));
        next
    }

    pub(super) fn set(&self, state: &mut State, slot: Slot, value: Val) {
        state.slots[slot.0 as usize] = Some(value);
    }

    /// Words of which nothing is known.
    pub(super) fn any_words(&mut self, words: u32) -> Vec<Val> {
        (0..words).map(|_| self.anything(64)).collect()
    }

    /// An address so many bytes from another.
    pub(super) fn moved_by(&mut self, path: &[Term], from: Val, bytes: i64) -> Val {
        let value = self.moved(path, from, self.number(bytes as u64));
        match from.base {
            Base::OneOf(at) => {
                let (objects, offset) = self.targets[at.0 as usize].clone();
                let offset = i64::from(offset).checked_add(bytes);
                let Some(Ok(offset)) = offset.map(u32::try_from) else {
                    return value;
                };
                let inside = |&object: &Object| self.is_inside(object, self.number(offset.into()));
                let wrapped = match objects.iter().all(inside) {
                    true => from.wrapped,
                    false => value.wrapped,
                };
                let base = Base::OneOf(self.targets(objects, offset));
                Val {
                    base,
                    wrapped,
                    ..value
                }
            }
            _ => value,
        }
    }

    /// Returns an address at a distance, in bytes and signed, from another one. It wraps around
    /// under the same condition as the sum of the unbounded numbers leaves the address space.
    fn moved(&mut self, path: &[Term], from: Val, by: Term) -> Val {
        let is_short = self
            .terms
            .as_constant(by)
            .is_some_and(|by| (by as i64).unsigned_abs() <= FREE);
        let wraps = match self.offset_alone(from) {
            Some(offset) if is_short => wrapping::far_below(self.terms, offset),
            _ => self.wraps(from.term, by),
        };
        let wraps = self.unless_impossible(path, wraps);
        self.moved_unless(from, by, wraps)
    }

    /// How far an address is from the start of its object, if where the object starts does not
    /// matter for that, as it does for an address that may be null.
    fn offset_alone(&mut self, address: Val) -> Option<Term> {
        let Base::Object(object) = address.base else {
            return None;
        };
        if self.is_ilp32() {
            return None;
        }
        let offset = self.distance(address.term, object);
        let start = self.start(object);
        let start = self.terms.symbols_in(&[start]);
        let below = self.terms.symbols_in(&[offset]);
        (!below.iter().any(|symbol| start.contains(symbol))).then_some(offset)
    }

    /// A condition, or that it never holds, if that is plain.
    fn unless_impossible(&self, path: &[Term], condition: Term) -> Term {
        match is_impossible(self.terms, &self.known_of(path, condition), condition) {
            true => self.terms.boolean(false),
            false => condition,
        }
    }

    /// What is known where a path is taken, of the variables of a term included.
    fn known_of(&self, path: &[Term], term: Term) -> Vec<Term> {
        let mut known: Vec<Term> = self.context.concat();
        known.extend(path);
        for symbol in self.terms.symbols_in(&[term]) {
            known.extend(self.axioms.get(&symbol).into_iter().flatten());
        }
        known
    }

    /// Returns the address of an element: an index times a scale, in bytes, from another address.
    /// An index that may have been unsigned must not be negative: whether it was is not known any
    /// more, and adding what is above half of its range is undefined.
    pub(super) fn indexed(
        &mut self,
        path: &[Term],
        from: Val,
        (index, width): (Term, u8),
        scale: u64,
    ) -> Val {
        let by = distance(OnTerms(self.terms), index, width.into(), scale);
        let alone = self.offset_alone(from);
        let wraps = match (self.most_signed(index, scale), alone) {
            (Some(most), _) if most <= FREE && self.is_at_object(from) => self.terms.boolean(false),
            _ if self.is_short_way_up(path, from, index, scale) => self.terms.boolean(false),
            (Some(most), Some(offset)) if most <= FREE => {
                self.unless_impossible(path, wrapping::far_below(self.terms, offset))
            }
            (Some(_), _) => self.wraps(from.term, by),
            (None, alone) => {
                let most = (u64::MAX >> (65 - width)) / scale.max(1);
                let most = self.terms.constant(most.into(), width);
                let large = self.terms.test(Test::UnsignedLess, most, index);
                let wraps = match alone {
                    Some(offset) => {
                        self.unless_impossible(path, wrapping::far_away(self.terms, offset))
                    }
                    _ => self.wraps(from.term, by),
                };
                self.terms.or(wraps, large)
            }
        };
        self.moved_unless(from, by, wraps)
    }

    /// Returns whether an address is null or where an object starts, and an index times a scale is
    /// not negative and less than what is free above all objects.
    fn is_short_way_up(&self, path: &[Term], from: Val, index: Term, scale: u64) -> bool {
        let (least, most) = range(self.terms, &self.known_of(path, index), index);
        let fits = most.checked_mul(i128::from(scale));
        least >= 0 && fits.is_some_and(|most| most <= i128::from(FREE)) && self.is_plain(from)
    }

    /// Returns how far a signed index times a scale can be from zero. None for an index that may
    /// have been unsigned, and where the product may overflow.
    fn most_signed(&self, index: Term, scale: u64) -> Option<u64> {
        let most: u64 = match self.terms.node(index) {
            Node::Constant(number) => {
                let unused = 128 - u32::from(self.terms.width(index));
                let number = (number << unused) as i128 >> unused;
                number.unsigned_abs().try_into().ok()?
            }
            Node::SignExtend(of) | Node::ZeroExtend(of) if self.terms.width(of) < 64 => {
                1 << self.terms.width(of)
            }
            Node::Choose(_, any, exact) => match self.terms.node(any) {
                Node::Symbol(any) if self.undefined.contains_key(&any) => {
                    return self.most_signed(exact, scale);
                }
                _ => return None,
            },
            _ => return None,
        };
        most.checked_mul(scale).filter(|&most| most < 1 << 63)
    }

    /// Whether an address is inside of an object, or at its end: far from both ends of the address
    /// space, unless addresses have four bytes.
    fn is_at_object(&mut self, address: Val) -> bool {
        let Base::Object(object) = address.base else {
            return false;
        };
        let offset = self.offset(address.term, object);
        !self.is_ilp32()
            && self.terms.is_true(self.is_not_null(address.term))
            && self.is_inside(object, offset)
    }

    /// When an address plus a signed distance is outside of the address space.
    fn wraps(&self, from: Term, by: Term) -> Term {
        let terms = self.terms;
        if self.is_ilp32() {
            let sum = terms.add(from, by);
            return terms.differ(sum, terms.zero_extend(terms.extract(sum, 0, 32), 64));
        }
        wrapping::wraps(terms, from, by)
    }

    fn moved_unless(&mut self, from: Val, by: Term, wraps: Term) -> Val {
        let terms = self.terms;
        if terms.as_constant(by) == Some(0) {
            return from;
        }
        let term = terms.add(from.term, by);
        let base = match from.base {
            Base::OneOf(_) => Base::Unknown,
            base => base,
        };
        // Addresses of four bytes wrap around.
        let term = match self.is_ilp32() {
            true => terms.zero_extend(terms.extract(term, 0, 32), 64),
            false => term,
        };
        let is_inside = match base {
            Base::Object(object) => {
                let offset = self.offset(term, object);
                self.is_inside(object, offset)
            }
            _ => false,
        };
        let stays = is_inside || terms.is_false(wraps);
        let address = Val {
            wrapped: match (from.wrapped, stays) {
                (before, true) => before,
                (Some(before), false) => Some(terms.or(before, wraps)),
                (None, false) => Some(wraps),
            },
            ..Val::at(term, base)
        };
        self.poisoned(address, from.poison)
    }

    /// Whether an offset is a number of bytes that an object is known to have.
    fn is_inside(&self, object: Object, offset: Term) -> bool {
        let size = self.terms.as_constant(self.size_of(object));
        let offset = self.terms.as_constant(offset);
        if offset == Some(0) {
            return true;
        }
        offset
            .zip(size)
            .is_some_and(|(offset, size)| offset <= size)
    }
}
