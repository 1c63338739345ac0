//! Loads from constants at places that inputs select: of a table that has a few results, one is
//! chosen; of another one whose results follow a pattern, the result is a term.
//!
//! *Claim.* Each valuation gets what its concrete load gets. A constant has the same content in all
//! states, so no access conflicts with the load, and none has to know the place. Nor does an access
//! conflict with a load from a variable while no other thread can reach it. Of such a one, each bit
//! of a result must be a sum of bits of the place: so programs fill the tables of a checksum.

use super::super::Flow;
use crate::base::fault::Result;
use crate::machine::Machine;
use crate::state::memory::{Access, Spot};
use crate::value::symbolic::term_of;
use impasse_program::address::Address;
use impasse_program::instruction::{Scalar, Slot};
use impasse_program::word::Word;
use impasse_solver::{Binary, Node, Term, Terms, Test};

/// How many places of a table may be selected.
const PLACES: usize = 1024;
/// How many bytes a table has.
const BYTES: usize = 1 << 16;
/// Of so many results, one is chosen.
const RESULTS: usize = 8;
/// How many runs of places a result that is a term has.
const RUNS: usize = 64;
/// Terms of more nodes become numbers: a table whose index is computed of what was loaded from a
/// table gives longer and longer terms, where numbers repeat.
const LARGE: usize = 64;
/// The same where each bit of the result is a sum of bits of the index.
const LARGE_SUMS: usize = 1024;
/// Tables of fewer places are not taken for ones of such sums.
const SUMS: usize = 16;

/// Consecutive numbers for which a table has the same result, or one that grows as they do.
#[derive(Clone, Copy)]
struct Run {
    first: u64,
    last: u64,
    /// The result for the first of them.
    result: u64,
    grows: bool,
}

impl<'s> Machine<'s> {
    /// Loads a scalar from a constant at a distance that is a term. Returns whether it did: if not,
    /// the address must become a number. Halts and fails as a decision does.
    pub(super) fn load_from_table(
        &mut self,
        scalar: Scalar,
        from: Word,
        destination: Slot,
    ) -> Result<Option<Flow>> {
        let object = Address::from_bits(from.bits).object;
        let is_table = from.pointer && !from.term.is_none();
        let is_constant = self.memory.is_constant(object);
        if !is_table
            || !(is_constant || self.is_private(Address::from_bits(from.bits)))
            || scalar.words() != 1
            || scalar.is_pointer()
            || !scalar.bits().is_multiple_of(8)
        {
            return Ok(None);
        }
        if !is_constant {
            return self.load_from_variable(scalar, from, destination);
        }
        let before = self.symbolic.condition.conjuncts.len();
        if !self.decide_within(from, scalar.bytes().into())? {
            return Ok(None);
        }
        let Some((index, table)) = self.table(scalar, from) else {
            return Ok(None);
        };
        let mut results: Vec<u64> = table.iter().map(|&(_, result)| result).collect();
        results.sort_unstable();
        results.dedup();
        let loaded = match results.len() <= RESULTS {
            true => self.choose_result(index, &table, &results)?,
            false => match self.result_as_term(scalar, index, &table) {
                Some(term) => self.of_term(term),
                None => return Ok(None),
            },
        };
        self.write(destination, loaded);
        if self.symbolic.condition.conjuncts.len() > before {
            self.put_known_inputs();
        }
        Ok(Some(Flow::Next))
    }

    /// The same from a variable, unless its memory is gone or its size depends on inputs.
    fn load_from_variable(
        &mut self,
        scalar: Scalar,
        from: Word,
        destination: Slot,
    ) -> Result<Option<Flow>> {
        let first = Address::of(Address::from_bits(from.bits).object);
        let bytes = scalar.bytes().into();
        let at_first = Word::pointer(first.bits());
        if self.memory.resolve(at_first, bytes, Access::Read).is_err() {
            return Ok(None);
        }
        let Some((index, table)) = self.table(scalar, from) else {
            return Ok(None);
        };
        let Some(loaded) = self.result_as_sums(scalar, index, &table) else {
            return Ok(None);
        };
        if !self.decide_within(from, bytes)? {
            return Ok(None);
        }
        self.observe(first, bytes, Access::Read, false)?;
        self.write(destination, self.of_term(loaded));
        Ok(Some(Flow::Next))
    }

    /// The term that selects a place in a constant, and all values that it may have there, with
    /// what they select, in ascending order. `None` if they are many, or select anything but
    /// numbers.
    fn table(&mut self, scalar: Scalar, from: Word) -> Option<(Term, Vec<(u64, u64)>)> {
        let Address { object, offset } = Address::from_bits(from.bits);
        let bytes = scalar.bytes() as usize;
        let size = self.memory.get(object)?.size() as usize;
        if size > BYTES {
            return None;
        }
        let last = size.saturating_sub(bytes);
        let (index, mut places) = self
            .terms()
            .with(|terms| places(terms, term_of(from.term), offset, last));
        if places.is_empty() || places.len() > PLACES {
            return None;
        }
        places.sort_unstable();
        let mut table = Vec::new();
        for (value, offset) in places {
            let word = self.memory.load(Spot { object, offset }, bytes);
            if !word.is_defined() || word.pointer {
                return None;
            }
            table.push((value, word.bits));
        }
        Some((index, table))
    }

    /// One of a few results: the execution forks for each that is possible.
    fn choose_result(
        &mut self,
        index: Term,
        table: &[(u64, u64)],
        results: &[u64],
    ) -> Result<Word> {
        let conditions = self.terms().with(|terms| {
            let condition = |result: u64| {
                let places = table.iter().filter(|(_, of)| *of == result);
                let ranges = ranges(places.map(|&(value, _)| value), table);
                let ranges = ranges.iter().map(|&range| is_in(terms, index, range));
                terms.any(&ranges.collect::<Vec<_>>())
            };
            Vec::from_iter(results.iter().map(|&result| condition(result)))
        });
        let chosen = self.decide_among(&conditions)?;
        let places = table.iter().filter(|(_, of)| *of == results[chosen]);
        if places.count() == 1 {
            self.determine_input(index, conditions[chosen]);
        }
        Ok(Word::number(results[chosen]))
    }

    /// The result as a term, unless that is large.
    fn result_as_term(&self, scalar: Scalar, index: Term, table: &[(u64, u64)]) -> Option<Term> {
        if let Some(sums) = self.result_as_sums(scalar, index, table) {
            return Some(sums);
        }
        let runs = runs(table);
        self.terms().with(|terms| {
            let is_small = runs.len() <= RUNS && terms.below(&[index]).len() <= LARGE;
            is_small.then(|| result(terms, index, scalar.bits() as u8, &runs))
        })
    }

    /// The result as a term, if each of its bits is a sum of bits of the index without carry.
    fn result_as_sums(&self, scalar: Scalar, index: Term, table: &[(u64, u64)]) -> Option<Term> {
        let (first, masks) = sums(table)?;
        self.terms().with(|terms| {
            let is_small = terms.below(&[index]).len() <= LARGE_SUMS;
            is_small.then(|| sum(terms, index, scalar.bits() as u8, first, &masks))
        })
    }
}

/// The result for zero, and for each bit of the index what it adds to that, if the table is made so
/// and has all values of some bits.
fn sums(table: &[(u64, u64)]) -> Option<(u64, Vec<u64>)> {
    let count = table.len();
    let has_all = count.is_power_of_two() && table.last()?.0 == count as u64 - 1;
    if count < SUMS || !has_all {
        return None;
    }
    let first = table[0].1;
    let bits = 0..count.trailing_zeros();
    let masks: Vec<u64> = bits.map(|bit| table[1 << bit].1 ^ first).collect();
    let result = |value: u64| {
        let bits = masks.iter().enumerate();
        let added = bits.filter(|(bit, _)| value >> bit & 1 == 1);
        added.fold(first, |sum, (_, mask)| sum ^ mask)
    };
    let is_sum = table.iter().all(|&(value, of)| result(value) == of);
    is_sum.then_some((first, masks))
}

fn sum(terms: &Terms, index: Term, width: u8, first: u64, masks: &[u64]) -> Term {
    let mut all = terms.constant(first.into(), width);
    for (bit, &mask) in masks.iter().enumerate() {
        let bit = terms.extract(index, bit as u8, 1);
        let added = terms.constant(mask.into(), width);
        let added = terms.and(terms.sign_extend(bit, width), added);
        all = terms.binary(Binary::Xor, added, all);
    }
    all
}

/// A term that selects the places up to `last`, by its distance from an offset, and these places
/// with the values of the term there.
fn places(terms: &Terms, distance: Term, offset: i64, last: usize) -> (Term, Vec<(u64, usize)>) {
    let value = |place: usize| (place as u64).wrapping_sub(offset as u64);
    let mut places: Vec<(u64, usize)> = (0..=last).map(|place| (value(place), place)).collect();
    let mut index = distance;
    while let Some(inner) = operand(terms, index, &mut places) {
        index = inner;
    }
    (index, places)
}

/// The operand of a term of which the term is an injective function, and instead of the term's
/// values in a table those of the operand, without those that it cannot give.
fn operand(terms: &Terms, term: Term, places: &mut Vec<(u64, usize)>) -> Option<Term> {
    let constant = |of: Term| terms.as_constant(of);
    let width = u32::from(terms.width(term));
    if width > 64 {
        return None;
    }
    let mask = |bits: u32| u64::MAX >> (64 - bits);
    match terms.node(term) {
        Node::Binary(Binary::Add, x, c) => {
            let c = constant(c)? as u64;
            for (value, _) in places {
                *value = value.wrapping_sub(c) & mask(width);
            }
            Some(x)
        }
        Node::Binary(Binary::Multiply, x, c) => {
            let c = i64::try_from(constant(c)?).ok().filter(|c| *c < 1 << 31)?;
            let (inner, is_signed) = match terms.node(x) {
                Node::SignExtend(inner) => (inner, true),
                Node::ZeroExtend(inner) => (inner, false),
                _ => return None,
            };
            // No such product of 64 bits wraps.
            if width != 64 || c == 0 || terms.width(inner) > 32 {
                return None;
            }
            places
                .retain(|(value, _)| *value as i64 % c == 0 && (is_signed || (*value as i64) >= 0));
            for (value, _) in places {
                *value = (*value as i64 / c) as u64;
            }
            Some(x)
        }
        Node::ZeroExtend(x) => {
            let narrow = mask(terms.width(x).into());
            places.retain(|(value, _)| *value <= narrow);
            Some(x)
        }
        Node::SignExtend(x) => {
            let narrow = u32::from(terms.width(x));
            let extended = |value: u64| {
                let unused = 64 - narrow;
                ((value << unused) as i64 >> unused) as u64 & mask(width)
            };
            places.retain(|(value, _)| extended(*value) == *value);
            for (value, _) in places {
                *value &= mask(narrow);
            }
            Some(x)
        }
        Node::Concatenate(x, y) => {
            let low = constant(y)? as u64;
            let split = u32::from(terms.width(y));
            places.retain(|(value, _)| value & mask(split) == low);
            for (value, _) in places {
                *value >>= split;
            }
            Some(x)
        }
        _ => None,
    }
}

/// The ranges that some values in a table make up; the index has no values that are not there.
fn ranges(values: impl Iterator<Item = u64>, table: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let position = |value: u64| table.partition_point(|(other, _)| *other < value);
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for value in values {
        match ranges.last_mut() {
            Some((_, last)) if position(*last) + 1 == position(value) => *last = value,
            _ => ranges.push((value, value)),
        }
    }
    ranges
}

fn is_in(terms: &Terms, index: Term, (first, last): (u64, u64)) -> Term {
    let constant = |value: u64| terms.constant(value.into(), terms.width(index));
    if first == last {
        return terms.equal(index, constant(first));
    }
    let lower = terms.test(Test::UnsignedLessEqual, constant(first), index);
    let upper = terms.test(Test::UnsignedLessEqual, index, constant(last));
    terms.and(lower, upper)
}

fn runs(table: &[(u64, u64)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &(value, of) in table {
        if let Some(run) = runs.last_mut() {
            let grown = run.result.wrapping_add(value.wrapping_sub(run.first));
            let is_next = value == run.last + 1;
            let may_grow = run.grows || run.first == run.last;
            if is_next && of == grown && may_grow {
                (run.last, run.grows) = (value, true);
                continue;
            }
            if of == run.result && !run.grows {
                run.last = value;
                continue;
            }
        }
        runs.push(Run {
            first: value,
            last: value,
            result: of,
            grows: false,
        });
    }
    runs
}

/// What a table gives for an index, which has the value of one of the runs.
fn result(terms: &Terms, index: Term, width: u8, runs: &[Run]) -> Term {
    let [run] = runs else {
        let (low, high) = runs.split_at(runs.len() / 2);
        let last = low.last().expect("several runs").last;
        let last = terms.constant(last.into(), terms.width(index));
        let is_low = terms.test(Test::UnsignedLessEqual, index, last);
        let [low, high] = [low, high].map(|half| result(terms, index, width, half));
        return terms.choose(is_low, low, high);
    };
    match run.grows {
        false => terms.constant(run.result.into(), width),
        true => {
            let more = run.result.wrapping_sub(run.first);
            let more = terms.constant(more.into(), width);
            terms.add(terms.resize_unsigned(index, width), more)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impasse_solver::{Evaluator, Values};

    /// The table of a checksum, and one that is none, with an index of eight bits.
    #[test]
    fn sums_are_what_is_loaded() {
        let terms = Terms::new();
        let symbol = terms.symbol("x", 8);
        let x = terms.variable(symbol);
        let wide = terms.zero_extend(x, 64);
        let step = |rest: u64| (rest >> 1) ^ ((rest & 1) * 0xedb8_8320);
        let loaded = |place: u64| (0..8).fold(place, |rest, _| step(rest)) ^ 0x1234;
        let mut table: Vec<(u64, u64)> = (0..256).map(|place| (place, loaded(place))).collect();
        let (first, masks) = sums(&table).expect("sums");
        for index in [x, wide] {
            let found = sum(&terms, index, 32, first, &masks);
            for value in 0..256 {
                let values: Values = [(symbol, u128::from(value))].into_iter().collect();
                assert_eq!(terms.value(found, &values), u128::from(loaded(value)));
            }
        }
        assert!(sums(&table[1..]).is_none() && sums(&table[..200]).is_none());
        table[77].1 ^= 1;
        assert!(sums(&table).is_none());
    }

    /// Tables of made-up numbers, with an index of four bits at several distances: the result as a
    /// term, and which results are possible, for all values.
    #[test]
    fn results_are_what_is_loaded() {
        let terms = Terms::new();
        let symbol = terms.symbol("x", 4);
        let x = terms.variable(symbol);
        let number = |value: i64| terms.constant(value as u64 as u128, 64);
        let (wide, signed) = (terms.zero_extend(x, 64), terms.sign_extend(x, 64));
        let distances = [
            wide,
            terms.multiply(wide, number(12)),
            terms.add(terms.multiply(signed, number(4)), number(8)),
            terms.binary(Binary::Multiply, signed, number(3)),
            terms.concatenate(terms.sign_extend(x, 62), terms.constant(0, 2)),
            terms.add(terms.multiply(wide, wide), number(-1)),
        ];
        let mut inside = 0;
        for (n, distance) in distances.into_iter().enumerate() {
            for (offset, last) in [(0, 5), (0, 180), (16, 40), (7, 60)] {
                let (index, mut places) = places(&terms, distance, offset, last);
                places.sort_unstable();
                let loaded = |place: usize| match (place / 4 + n) % 5 {
                    0 | 1 => place as u64 + 7,
                    2 => 99,
                    _ => (place as u64 * 37) & 3,
                };
                let table: Vec<(u64, u64)> = places.iter().map(|&(v, p)| (v, loaded(p))).collect();
                for value in 0..16 {
                    let values: Values = [(symbol, value)].into_iter().collect();
                    let place = terms.value(distance, &values) as i64 + offset;
                    if place < 0 || place > last as i64 {
                        continue;
                    }
                    inside += 1;
                    let expected = loaded(place as usize);
                    let found = result(&terms, index, 16, &runs(&table));
                    assert_eq!(terms.value(found, &values), u128::from(expected));
                    for of in table.iter().map(|&(_, of)| of) {
                        let places = table.iter().filter(|(_, other)| *other == of);
                        let ranges = ranges(places.map(|&(value, _)| value), &table);
                        let ranges = ranges.iter().map(|&range| is_in(&terms, index, range));
                        let is_it = terms.any(&ranges.collect::<Vec<_>>());
                        let holds = Evaluator::new(&terms, &[is_it]).run(&values)[0] == 1;
                        assert_eq!(holds, of == expected);
                    }
                }
            }
        }
        assert!(inside > 100, "{inside}");
    }
}
