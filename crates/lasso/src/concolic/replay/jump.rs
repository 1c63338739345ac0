//! Inner loops gone around as often as the state says.
//!
//! The last turn of a run ([`crate::concolic::inner`]) is evaluated as it was executed; the state in which it
//! starts is not what the turns before have left, but the closed form of them ([`crate::concolic::closed_form`], with the
//! argument why it is right), under the conditions of the first turn. What a turn changes falls into three kinds:
//!
//! - it *adds* a number that no turn changes: the closed form says what it is;
//! - it *settles*: what it becomes is made of what no turn changes, so that the first turn leaves it as all others do. Then the
//!   first turn is evaluated as well, and there is another than the last;
//! - anything else is *lost*: opaque from there on, made of all that the turns read. Memory must not be lost, and no condition of the turns may depend
//!   on what settles or is lost.
//!
//! The symbols of one turn are its own; in the end, what they stand for before the first turn is put in their place.

use super::Replay;
use crate::concolic::closed_form::{ClosedForm, Example, Inner};
use crate::concolic::inner::Run;
use crate::concolic::replay::ForkKind;
use crate::concolic::shadow::{Byte, Cell, CellId, CellPlace, Shadow, Value};
use crate::concolic::trace::{Known, Visit};
use crate::concolic::turn::TurnInputs;
use crate::problem::HazardKind;
use impasse_program::address::ObjectId;
use impasse_solver::{Symbol, Term, Test, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The state in which the last turn starts, and what has to hold for it to be that.
struct Jump {
    /// Whether something settles in the first turn.
    settles: bool,
    changed: Vec<(CellPlace, Value)>,
    conditions: Vec<(Term, ForkKind)>,
}

/// Parts of the state that a turn changes, with what they become.
type Changes = Vec<(CellPlace, Value)>;

impl<'a, 's> Replay<'a, 's> {
    /// Evaluates up to the last turn of a run, however many turns there are before it; as they were executed, if there is no closed
    /// form. Says whether there is one.
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
        if jump.settles {
            self.advance(step(run.second));
        }
        self.at = step(run.last);
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
        let (visit, second, last) = (
            &trace.visits[run.first as usize],
            &trace.visits[run.second as usize],
            &trace.visits[run.last as usize],
        );
        let mut inputs = TurnInputs::default();
        let mut turn = Replay::of_turn(self.subject, self.terms, trace, &mut inputs, visit);
        turn.advance(second.step as usize);
        let followed = turn.flaw.is_none()
            && turn.decided.is_empty()
            && turn.read.is_empty()
            && turn.frames.len() == 1
            && turn.lives_on()
            && visit.objects == last.objects;
        if !followed {
            return None;
        }
        let changes = turn.changes(visit)?;
        let example = Example {
            values: &values(&turn.cells),
            turns: run.turns,
        };
        let inner = turn.inner(&changes);
        let conditions: Vec<(Term, bool)> = turn
            .forks
            .iter()
            .map(|fork| match fork.kind {
                ForkKind::Branch | ForkKind::Pinned => Some((fork.term, true)),
                ForkKind::Hazard(_) => Some((fork.term, false)),
                ForkKind::Undefined => None,
            })
            .collect::<Option<_>>()?;
        let mut form = inner.closed_form(&conditions, &example)?;
        let before = self.before(&turn.cells);
        let settles = turn.settles(&changes);
        if settles {
            let one = self.terms.constant(1, self.terms.width(form.turns));
            let another = self.terms.test(Test::UnsignedLessEqual, one, form.turns);
            form.holds.push(another);
        }
        let mut conditions = self.conditions(&form, &before)?;
        for fork in turn.forks.iter().filter(|_| !settles) {
            let term = self.put(&[fork.term], &before)?[0];
            conditions.push((term, fork.kind));
        }
        let changed = self.changed((&turn, &inner), &changes, last, (&form, &before, &example))?;
        Some(Jump {
            settles,
            changed,
            conditions,
        })
    }

    /// What one turn has changed, of what is live at the head. None if a part of memory is not changed as a whole.
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
                // The same after each turn.
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

    /// Whether something becomes in the first turn what it stays. Memory that a turn leaves the same in every execution does, too.
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

    /// The turn, as what it does with the variables.
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

    /// What the symbols of a turn that starts now stand for.
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

    /// Terms over the symbols of a turn as terms over those of this evaluation.
    fn put(&self, terms: &[Term], before: &FxHashMap<Symbol, Term>) -> Option<Vec<Term>> {
        let symbols = self.terms.symbols_in(terms);
        let known = symbols.iter().all(|symbol| before.contains_key(symbol));
        known.then(|| self.terms.substitute(terms, before))
    }

    fn conditions(
        &self,
        form: &ClosedForm,
        before: &FxHashMap<Symbol, Term>,
    ) -> Option<Vec<(Term, ForkKind)>> {
        let holds = self.put(&form.holds, before)?.into_iter();
        let wraps = self.put(&form.wraps, before)?.into_iter();
        let overflow = ForkKind::Hazard(HazardKind::Overflow);
        let holds = holds.map(|term| (term, ForkKind::Branch));
        Some(holds.chain(wraps.map(|term| (term, overflow))).collect())
    }

    /// What is changed when the last turn starts.
    fn changed(
        &mut self,
        (turn, inner): (&Replay<'_, 's>, &Inner<'_>),
        changes: &Changes,
        last: &Visit,
        (form, before, example): (&ClosedForm, &FxHashMap<Symbol, Term>, &Example<'_>),
    ) -> Option<Changes> {
        let changing = turn.changing(changes);
        let mut found = Changes::new();
        for (place, value) in changes {
            let made_of = turn.made_of(value);
            if made_of.is_disjoint(&changing) {
                continue;
            }
            let symbol = turn.symbol_of(*place);
            let adds = symbol.filter(|&(symbol, _)| inner.adds_to(symbol));
            let known = |slot| last.slots.iter().find(|(other, _)| *other == slot);
            let value = match (*place, adds) {
                (CellPlace::Slot(slot), None) => Value {
                    known: known(slot)?.1,
                    shadow: self.lost(&turn.cells),
                },
                (CellPlace::Memory(..), None) => return None,
                (place, Some((symbol, _))) => {
                    let after = form.after[&symbol];
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

/// The values of the symbols of a turn.
fn values(cells: &[Cell]) -> Values {
    let symbols = cells.iter().filter_map(|cell| {
        let (symbol, width) = cell.symbol?;
        let unused = 128 - u32::from(width);
        let bits = u128::from(cell.initial.bits) << unused >> unused;
        Some((symbol, bits))
    });
    symbols.collect()
}
