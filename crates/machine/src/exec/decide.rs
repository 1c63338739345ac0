//! Decisions about values that depend on inputs which are followed symbolically: where both
//! outcomes are possible, the execution forks, and each side keeps what it decided as part of its
//! path condition. `docs/internals/symbolic.md` has the argument.

use crate::base::fault::{Halt, Result, unsupported};
use crate::base::options::Clocks;
use crate::machine::Machine;
use crate::value::symbolic::{Feasibility, SharedTerms, id_of, term_of, word_of};
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::{Word, mask};
use impasse_solver::{Term, Terms, Test};

/// How many values an input may have where each is tried, as in the argument of a system call.
const FEW: usize = 1024;
/// How many an index may have.
const INDICES: usize = 1024;
/// What is so many bytes from an object is not taken for an address in another one.
const FAR: i64 = 1 << 30;

impl<'s> Machine<'s> {
    /// Returns the terms that values may be. Panics unless inputs are followed.
    pub(crate) fn terms(&self) -> &'s SharedTerms {
        self.symbolic.terms().expect("inputs are followed")
    }

    /// Returns whether a condition on inputs, of one bit, holds. Halts for a choice if it may or
    /// may not, and fails if the solver does not know.
    pub(crate) fn decide(&mut self, condition: Term) -> Result<bool> {
        self.check_defined(condition)?;
        let terms = self.terms();
        let otherwise = terms.with(|terms| terms.not(condition));
        let path = &self.symbolic.condition.conjuncts;
        match terms.is_feasible(path, condition) {
            Feasibility::No => return Ok(false),
            Feasibility::Unknown => return undecided(),
            Feasibility::Yes => {}
        }
        match terms.is_feasible(path, otherwise) {
            Feasibility::No => return Ok(true),
            Feasibility::Unknown => return undecided(),
            Feasibility::Yes => {}
        }
        let holds = self.choose_by_input(2, condition)? == 0;
        let conjunct = if holds { condition } else { otherwise };
        self.symbolic.add(conjunct);
        Ok(holds)
    }

    /// Returns which of several conditions on inputs holds, of which exactly one does. Halts and
    /// fails as [`Machine::decide`] does.
    pub(crate) fn decide_among(&mut self, conditions: &[Term]) -> Result<usize> {
        let terms = self.terms();
        let mut possible = Vec::new();
        for (index, &condition) in conditions.iter().enumerate() {
            self.check_defined(condition)?;
            let path = &self.symbolic.condition.conjuncts;
            match terms.is_feasible(path, condition) {
                Feasibility::No => {}
                Feasibility::Unknown => return undecided(),
                Feasibility::Yes => possible.push(index),
            }
        }
        let chosen = match possible[..] {
            [only] => return Ok(only),
            _ => self.choose_by_input(possible.len() as u32, conditions[possible[0]])?,
        };
        let index = possible[chosen as usize];
        self.symbolic.add(conditions[index]);
        Ok(index)
    }

    /// Fails if a term depends on undefined bytes, which nothing may be decided by.
    pub(crate) fn check_defined(&self, term: Term) -> Result<()> {
        match self.terms().mentions_undefined(term) {
            true => {
                unsupported("using bytes at once of which some are of inputs and others undefined")
            }
            false => Ok(()),
        }
    }

    /// A choice that depends on the inputs of a term.
    fn choose_by_input(&mut self, count: u32, term: Term) -> Result<u32> {
        if self.symbolic.speculates {
            return Err(Box::new(Halt::SchedulingPoint));
        }
        // What time it is depends on when the scheduler lets threads move.
        let has_clocks = self.options.clocks == Clocks::Symbolic;
        let is_adversarial = self.symbolic.is_adversarial(term, has_clocks);
        let outcome = self.choose(count, is_adversarial);
        if outcome.is_err() {
            let frames = self.frames_inside_out(self.running);
            let mut own = frames.filter(|place| self.system.own[place.function.0 as usize]);
            let place = own.next().unwrap_or_else(|| self.place());
            self.terms().note_fork(place);
        }
        if outcome.is_err() && is_adversarial {
            self.choices.miss_by_terms();
        }
        outcome
    }

    /// Returns the number that a term of at most 64 bits is, and whether it may be another one as
    /// well. Halts for a choice among its values; fails if there are many.
    fn number_of(&mut self, term: Term, most: usize, what: &str) -> Result<(u64, bool)> {
        self.check_defined(term)?;
        let terms = self.terms();
        let path = &self.symbolic.condition.conjuncts;
        let Some(values) = terms.values_of(path, term, most) else {
            return unsupported(format!(
                "{what} that depends on an input and may have more than {most} values: bound the \
                 input with an assumption, or give the values to try with --nondet LOW..HIGH"
            ));
        };
        let chosen = self.choose_by_input(values.len() as u32, term)?;
        let value = values[chosen as usize];
        let equal = terms.with(|terms| {
            let constant = terms.constant(value.into(), terms.width(term));
            terms.equal(term, constant)
        });
        self.symbolic.add(equal);
        self.determine_input(term, equal);
        Ok((value, values.len() > 1))
    }

    /// A term has become a number: if it determines the only input that it depends on, the path
    /// condition says so, and all other terms of that input become numbers as well.
    pub(crate) fn determine_input(&mut self, term: Term, equal: Term) {
        let terms = self.terms();
        let [input] = terms.inputs_of(term)[..] else {
            return;
        };
        if terms.as_equality(equal).is_some() {
            return;
        }
        let input = terms.input(input);
        let path = &self.symbolic.condition.conjuncts;
        if let Some([value]) = terms.values_of(path, input, 1).as_deref() {
            let known = terms.with(|terms| {
                let constant = terms.constant((*value).into(), terms.width(input));
                terms.equal(input, constant)
            });
            self.symbolic.add(known);
        }
    }

    /// Returns the word with a number instead of the term, and whether it may be another one as
    /// well. Halts and fails as a choice among the term's values does; `what` says what the word is
    /// for.
    pub(crate) fn concrete(&mut self, word: Word, what: &str) -> Result<(Word, bool)> {
        let (value, splits) = self.number_of(term_of(word.term), FEW, what)?;
        Ok((without_term(word, value), splits))
    }

    /// Returns an address with a number instead of the term, for an access of so many bytes, and
    /// whether it, or the outcome of the access, may be another one as well. If the access may lie
    /// outside of the object, one outcome is an address there. Halts and fails as
    /// [`Machine::concrete`] does.
    pub(crate) fn concrete_address(&mut self, word: Word, bytes: u64) -> Result<(Word, bool)> {
        let address = Address::from_bits(word.bits);
        let size = self.memory.get(address.object).map(|o| u64::from(o.size()));
        let Some(mut size) = size.filter(|_| word.pointer && address.object != ObjectId::NULL)
        else {
            return self.concrete(word, "an address");
        };
        let (terms, term) = (self.terms(), term_of(word.term));
        let start = address.offset;
        let limit = self.memory.get(address.object).map(|it| it.limit());
        let limit = limit.filter(|limit| !limit.is_none()).map(term_of);
        let inside = self.inside(word, bytes, |terms| {
            limit.unwrap_or_else(|| terms.constant(size.into(), 64))
        });
        let before = self.symbolic.condition.conjuncts.len();
        let is_inside = self.decide(inside)?;
        let is_decided = self.symbolic.condition.conjuncts.len() > before;
        if let (false, Some(limit)) = (is_inside, limit) {
            size = self.choose_size(address.object, limit)?;
        }
        if is_inside {
            let (value, splits) = self.number_of(term, INDICES, "an index")?;
            return Ok((without_term(word, value), splits || is_decided));
        }
        // Each address outside is an error: the nearest one stands for all.
        let nearest = [
            size.saturating_sub(bytes) + 1,
            size,
            size + bytes,
            size + 8 * bytes,
        ];
        let near = nearest.map(|offset| offset as i64);
        let before = [-1, -(bytes as i64), -8 * bytes as i64];
        for offset in near.into_iter().chain(before) {
            let distance = offset.wrapping_sub(start) as u64;
            let there = terms.with(|terms| terms.equal(term, terms.constant(distance.into(), 64)));
            let path = &self.symbolic.condition.conjuncts;
            if terms.is_feasible(path, there) == Feasibility::Yes {
                self.symbolic.add(there);
                return Ok((without_term(word, distance), false));
            }
        }
        let distance = terms.plain_value(&self.symbolic.condition.conjuncts, term);
        let Some(distance) = distance.filter(|distance| (*distance as i64).abs() < FAR) else {
            return unsupported("an address far outside of its object that depends on an input");
        };
        let there = terms.with(|terms| terms.equal(term, terms.constant(distance.into(), 64)));
        self.symbolic.add(there);
        Ok((without_term(word, distance), false))
    }

    /// The condition that so many bytes from an address at a term's distance on are inside of an
    /// object of this size.
    fn inside(&self, word: Word, bytes: u64, size: impl FnOnce(&Terms) -> Term) -> Term {
        let start = Address::from_bits(word.bits).offset;
        self.terms().with(|terms| {
            let (size, bytes) = (size(terms), terms.constant(bytes.into(), 64));
            let first = terms.constant(start as u64 as u128, 64);
            let has_any = terms.test(Test::UnsignedLessEqual, bytes, size);
            let last = terms.subtract(size, bytes);
            let place = terms.add(term_of(word.term), first);
            let is_within = terms.test(Test::UnsignedLessEqual, place, last);
            terms.and(has_any, is_within)
        })
    }

    /// Returns whether an access of so many bytes at a term's distance lies inside of an object
    /// whose size is a number, as [`Machine::decide`] does.
    pub(crate) fn decide_within(&mut self, word: Word, bytes: u64) -> Result<bool> {
        let object = self.memory.get(Address::from_bits(word.bits).object);
        let size = object.map_or(0, |object| u64::from(object.size()));
        let inside = self.inside(word, bytes, |terms| terms.constant(size.into(), 64));
        self.decide(inside)
    }

    /// Returns the term that a word of so many bits is, or `None` if it is undefined or an address
    /// of an object.
    pub(crate) fn as_term(&self, word: Word, width: u32) -> Option<Term> {
        let terms = self.terms();
        if word.pointer && Address::from_bits(word.bits).object != ObjectId::NULL {
            return None;
        }
        if !word.term.is_none() {
            let term = term_of(word.term);
            return (terms.with(|terms| u32::from(terms.width(term))) == width && !word.pointer)
                .then_some(term);
        }
        let number = u128::from(word.bits & mask(width));
        word.is_defined()
            .then(|| terms.with(|terms| terms.constant(number, width as u8)))
    }

    /// Returns the word that a term is.
    pub(crate) fn of_term(&self, term: Term) -> Word {
        self.terms().with(|terms| word_of(terms, term))
    }

    /// Returns an address so many bytes, given by a term, away from a word.
    pub(crate) fn address_at(&self, base: Word, distance: Term) -> Option<Word> {
        let terms = self.terms();
        if let Some(number) = terms.with(|terms| terms.as_constant(distance)) {
            let bits = base.bits.wrapping_add(number as u64);
            return Some(Word { bits, ..base });
        }
        let term = match base.term.is_none() {
            true if !base.is_defined() => return None,
            true => distance,
            false => terms.with(|terms| terms.add(term_of(base.term), distance)),
        };
        match base.pointer {
            true => Some(Word {
                undefined: !0,
                term: id_of(term),
                ..base
            }),
            false => {
                let first = terms.with(|terms| terms.constant(base.bits.into(), 64));
                Some(self.of_term(terms.with(|terms| terms.add(term, first))))
            }
        }
    }
}

/// The word whose term is this number.
fn without_term(word: Word, value: u64) -> Word {
    let bits = word.bits.wrapping_add(value);
    Word::number(bits).with_pointer(word.pointer)
}

fn undecided<T>() -> Result<T> {
    unsupported(
        "a decision that depends on inputs in a way which the solver cannot decide in time: bound the \
         inputs with assumptions, or give the values to try with --nondet LOW..HIGH",
    )
}
