//! Accelerated inner loops.
//!
//! The iterations of a run ([`crate::concolic::acceleration`]) are not evaluated; the state after
//! them is their closed form ([`crate::concolic::closed_form`], with the argument why it is right),
//! under the conditions of the first and of the last iteration, if there is an iteration at all.
//! What an iteration changes falls into three kinds:
//!
//! - it *adds* a number that no iteration changes: the closed form says what it is;
//! - it *settles*: what it becomes is made of what no iteration changes, so that the first
//!   iteration leaves it as all others do. Then the first and the last iteration are evaluated as
//!   they were executed, with the closed form of all but the last between them, and the conditions
//!   say that they are two;
//! - anything else is *lost*: opaque from there on, made of all that the iterations read. Memory
//!   must not be lost, and no condition of the iterations may depend on what settles or is lost.
//!
//! The symbols of one iteration are its own; in the end, what they stand for before the first
//! iteration is put in their place.

use super::Replay;
use crate::concolic::acceleration::Run;
use crate::concolic::closed_form::{ClosedForm, Example, Inner};
use crate::concolic::replay::{Fork, ForkKind, IterationInputs};
use crate::concolic::shadow::{Byte, Cell, CellId, CellPlace, Shadow, Value};
use crate::concolic::trace::{Known, Visit};
use crate::problem::HazardKind;
use impasse_program::address::ObjectId;
use impasse_solver::{Symbol, Term, Test, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The state to which iterations lead, and what has to hold for that.
struct Jump {
    /// Whether something settles in the first iteration; then it is the state in which the last
    /// starts.
    settles: bool,
    changed: Vec<(CellPlace, Value)>,
    conditions: Vec<(Term, ForkKind)>,
    /// The objects that an iteration uses and does not make.
    used: FxHashSet<ObjectId>,
}

/// Parts of the state that an iteration changes, with what they become.
type Changes = Vec<(CellPlace, Value)>;

impl<'a, 's> Replay<'a, 's> {
    /// Evaluates a run, or up to its last iteration, however many iterations there are; nothing of
    /// it, if there is no closed form. Says whether there is one.
    pub fn accelerate(&mut self, run: &Run) -> bool {
        let trace = self.trace;
        let step = |visit: u32| trace.visits[visit as usize].step as usize;
        self.advance(step(run.first));
        if self.flaw.is_some() {
            return false;
        }
        let Some(jump) = self.jump(run) else {
            return false;
        };
        match jump.settles {
            true => {
                self.advance(step(run.second));
                self.at = step(run.last);
            }
            false => {
                jump.used.iter().for_each(|&object| self.touch(object));
                self.at = step(run.end);
            }
        }
        for (place, value) in jump.changed {
            match place {
                CellPlace::Slot(slot) => {
                    let frame = self.frames.last_mut().expect("a frame");
                    frame.slots[slot.0 as usize] = Some(value);
                }
                CellPlace::Memory(object, offset, bytes) => {
                    self.memory.store(object, offset, bytes, value);
                }
            }
        }
        for (term, kind) in jump.conditions {
            self.fork(term, kind);
        }
        self.flaw.is_none()
    }

    fn jump(&mut self, run: &Run) -> Option<Jump> {
        let trace = self.trace;
        let visit = |number: u32| &trace.visits[number as usize];
        let (visit, second, last, end) = (
            visit(run.first),
            visit(run.second),
            visit(run.last),
            visit(run.end),
        );
        let mut inputs = IterationInputs::default();
        let mut iteration = Replay::of_iteration(
            self.subject,
            self.terms,
            trace,
            &mut inputs,
            (visit, self.overflow),
        );
        iteration.advance(second.step as usize);
        let followed = iteration.flaw.is_none()
            && iteration.decided.is_empty()
            && iteration.read.is_empty()
            && iteration.frames.len() == 1
            && iteration.lives_on()
            && visit.objects == end.objects;
        if !followed {
            return None;
        }
        let changes = iteration.changes(visit)?;
        let example = Example {
            values: &values(&iteration.cells),
            iterations: run.iterations,
        };
        let inner = iteration.inner(&changes);
        let conditions: Vec<(Term, bool)> = iteration
            .forks
            .iter()
            .map(|fork| match fork.kind {
                ForkKind::Branch | ForkKind::Pinned => Some((fork.term, true)),
                ForkKind::Hazard(_) => Some((fork.term, false)),
                ForkKind::Undefined => None,
            })
            .collect::<Option<_>>()?;
        let form = inner.closed_form(&conditions, &example)?;
        let before = self.before(&iteration.cells);
        let settles = iteration.settles(&changes);
        let (target, after) = match settles {
            true => (last, &form.before_last),
            false => (end, &form.after),
        };
        let conditions = self.conditions(&form, settles, &iteration.forks, &before)?;
        let reached = (after, &before, &example);
        let changed = self.changed((&iteration, &inner), &changes, target, reached)?;
        Some(Jump {
            settles,
            changed,
            conditions,
            used: iteration.lives.used,
        })
    }

    /// What one iteration has changed, of what is live at the header. None if a part of memory is
    /// not changed as a whole.
    fn changes(&mut self, visit: &Visit) -> Option<Changes> {
        let mut changes = Changes::new();
        for &(slot, _) in &visit.slots {
            let place = CellPlace::Slot(slot);
            let value = self.final_value(place)?;
            if !self.is_itself(place, &value) {
                changes.push((place, value));
            }
        }
        let mut bytes: Vec<((ObjectId, u32), Byte)> = self.memory.bytes().collect();
        bytes.sort_unstable_by_key(|&(place, _)| place);
        let written: FxHashSet<(ObjectId, u32)> = bytes.iter().map(|&(place, _)| place).collect();
        let mut pieces = BTreeSet::new();
        for ((object, offset), byte) in bytes {
            match byte {
                Byte::Part(number, index) => {
                    let (_, size) = self.memory.stored(number);
                    let start = offset.checked_sub(u32::from(index))?;
                    pieces.insert((object, start, *size, number));
                }
                // The same after each iteration.
                Byte::Fixed => {}
                Byte::Initial(of, start) if (of, start) == (object, offset) => {}
                Byte::Initial(..) => return None,
            }
        }
        for (object, start, size, number) in pieces {
            let is_part = |at: u8| {
                let byte = self.memory.byte(object, start + u32::from(at));
                matches!(byte, Some(Byte::Part(n, index)) if n == number && index == at)
            };
            if !(0..size).all(is_part) {
                return None;
            }
            let place = CellPlace::Memory(object, start, size);
            let value = self.memory.stored(number).0.clone();
            if !self.is_itself(place, &value) {
                changes.push((place, value));
            }
        }
        let whole: FxHashSet<CellPlace> = changes.iter().map(|&(place, _)| place).collect();
        let fits = |cell: &Cell| match cell.place {
            CellPlace::Slot(_) => true,
            CellPlace::Memory(object, start, size) => {
                let parts = start..start + u32::from(size);
                whole.contains(&cell.place)
                    || !parts.into_iter().any(|at| written.contains(&(object, at)))
            }
        };
        self.cells.iter().all(fits).then_some(changes)
    }

    /// Whether something becomes in the first iteration what it stays. Memory that an iteration
    /// leaves the same in every execution does, too.
    fn settles(&self, changes: &Changes) -> bool {
        let changing = self.changing(changes);
        let settles = |(_, value): &(CellPlace, Value)| self.made_of(value).is_disjoint(&changing);
        changes.iter().any(settles)
            || self
                .memory
                .bytes()
                .any(|(_, byte)| matches!(byte, Byte::Fixed))
    }

    /// The parts of the state that change, as far as they are read.
    fn changing(&self, changes: &Changes) -> BTreeSet<CellId> {
        changes
            .iter()
            .filter_map(|(place, _)| self.known_cells.get(place).copied())
            .collect()
    }

    fn is_itself(&self, place: CellPlace, value: &Value) -> bool {
        let id = match value.shadow {
            Shadow::Cell(id) => Some(id),
            Shadow::Term(term) => {
                let its = |(symbol, id): (&Symbol, &CellId)| {
                    (self.terms.variable(*symbol) == term).then_some(*id)
                };
                self.of_symbol.iter().find_map(its)
            }
            _ => None,
        };
        id.is_some_and(|id| self.cells[id.0 as usize].place == place)
    }

    /// The iteration, as what it does with the variables.
    fn inner(&mut self, changes: &Changes) -> Inner<'a> {
        // Terms first: they may make symbols for other parts of the state.
        for (place, value) in changes {
            let width = self.symbol_of(*place).map_or(64, |(_, width)| width);
            self.term_of(value, width);
        }
        let mut updates = Vec::new();
        for (place, value) in changes {
            let Some((symbol, width)) = self.symbol_of(*place) else {
                continue;
            };
            updates.push((symbol, self.term_of(value, width)));
        }
        Inner::new(self.terms, &updates)
    }

    fn symbol_of(&self, place: CellPlace) -> Option<(Symbol, u8)> {
        let id = self.known_cells.get(&place)?;
        self.cells[id.0 as usize].symbol
    }

    /// What the symbols of an iteration that starts now stand for.
    fn before(&mut self, cells: &[Cell]) -> FxHashMap<Symbol, Term> {
        let mut before = FxHashMap::default();
        for cell in cells {
            if let Some((symbol, width)) = cell.symbol {
                let value = self.value_at(cell.place, cell.initial);
                if let Some(term) = self.term_of(&value, width) {
                    before.insert(symbol, term);
                }
            }
        }
        before
    }

    /// Terms over the symbols of an iteration as terms over those of this evaluation.
    fn put(&self, terms: &[Term], before: &FxHashMap<Symbol, Term>) -> Option<Vec<Term>> {
        let symbols = self.terms.symbols_in(terms);
        let known = symbols.iter().all(|symbol| before.contains_key(symbol));
        known.then(|| self.terms.substitute(terms, before))
    }

    /// What has to hold. If both ends of the run are evaluated, that there are two; otherwise, if
    /// there is an iteration at all, the conditions of both ends.
    fn conditions(
        &self,
        form: &ClosedForm,
        settles: bool,
        forks: &[Fork],
        before: &FxHashMap<Symbol, Term>,
    ) -> Option<Vec<(Term, ForkKind)>> {
        let terms = self.terms;
        let overflow = ForkKind::Hazard(HazardKind::Wraps);
        let holds = form.holds.iter().map(|&term| (term, ForkKind::Branch));
        let wraps = form.wraps.iter().map(|&term| (term, overflow));
        let mut found: Vec<(Term, ForkKind)> = holds.chain(wraps).collect();
        if settles {
            let one = terms.constant(1, terms.width(form.iterations));
            let two = terms.test(Test::UnsignedLessEqual, one, form.iterations);
            found.push((form.any, ForkKind::Branch));
            found.push((two, ForkKind::Branch));
        } else {
            for fork in forks {
                let last = terms.substitute(&[fork.term], &form.before_last)[0];
                found.extend([(fork.term, fork.kind), (last, fork.kind)]);
            }
            for (term, kind) in &mut found {
                *term = match kind {
                    ForkKind::Hazard(_) => terms.and(form.any, *term),
                    _ if *term == form.any => terms.boolean(true),
                    _ => terms.implies(form.any, *term),
                };
            }
        }
        let put = |(term, kind)| Some((self.put(&[term], before)?[0], kind));
        found.into_iter().map(put).collect()
    }

    /// What is changed at a visit.
    fn changed(
        &mut self,
        (iteration, inner): (&Replay<'_, 's>, &Inner<'_>),
        changes: &Changes,
        visit: &Visit,
        (after, before, example): (
            &FxHashMap<Symbol, Term>,
            &FxHashMap<Symbol, Term>,
            &Example<'_>,
        ),
    ) -> Option<Changes> {
        let changing = iteration.changing(changes);
        let mut found = Changes::new();
        for (place, value) in changes {
            let made_of = iteration.made_of(value);
            if made_of.is_disjoint(&changing) {
                continue;
            }
            let symbol = iteration.symbol_of(*place);
            let adds = symbol.filter(|&(symbol, _)| inner.adds_to(symbol));
            let known = |slot| visit.slots.iter().find(|(other, _)| *other == slot);
            let value = match (*place, adds) {
                (CellPlace::Slot(slot), None) => Value {
                    known: known(slot)?.1,
                    shadow: self.lost(&iteration.cells),
                },
                (CellPlace::Memory(..), None) => return None,
                (place, Some((symbol, _))) => {
                    let after = after[&symbol];
                    let bits = self.terms.value(after, example.values) as u64;
                    let known = match place {
                        CellPlace::Slot(slot) => known(slot)?.1,
                        CellPlace::Memory(..) => Known::number(bits),
                    };
                    let term = self.terms.expanded(self.put(&[after], before)?[0]);
                    let shadow = match self.terms.as_constant(term) {
                        Some(_) => Shadow::Concrete,
                        None => Shadow::Term(term),
                    };
                    Value { known, shadow }
                }
            };
            found.push((*place, value));
        }
        Some(found)
    }

    /// Something that is made of parts of the state as they are now.
    fn lost(&mut self, cells: &[Cell]) -> Shadow {
        let mut made_of = BTreeSet::new();
        for cell in cells {
            let value = self.value_at(cell.place, cell.initial);
            made_of.extend(self.made_of(&value));
        }
        Shadow::Opaque(Rc::new(made_of))
    }
}

/// The values of the symbols of an iteration.
fn values(cells: &[Cell]) -> Values {
    let symbols = cells.iter().filter_map(|cell| {
        let (symbol, width) = cell.symbol?;
        let unused = 128 - u32::from(width);
        let bits = u128::from(cell.initial.bits) << unused >> unused;
        Some((symbol, bits))
    });
    symbols.collect()
}
