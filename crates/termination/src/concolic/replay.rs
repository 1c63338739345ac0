//! Evaluates a part of a trace on symbols.
//!
//! Two kinds of evaluation differ in what the start is made of. From the *start of the program*
//! everything is concrete but the inputs: this gives the condition of the path over the inputs.
//! From a *visit of a cutpoint* every part of the state that is read becomes a variable when it is
//! first read: this gives an iteration as a relation on states. What the iteration does not read
//! cannot influence it; so liveness, and more, comes by itself.
//!
//! *Why an iteration is what its terms say.* By induction over the instructions, every value is the
//! value of its shadow in every execution that starts in some state, reads some inputs, and
//! satisfies the conditions noted so far. Addresses are pinned: an access through a value that is
//! not concrete notes that the address equals what it was. Whatever no term can say (floating
//! point, 128 bits) is *opaque*, and an opaque value that decides anything makes the iteration
//! useless for proofs on symbols; it remains what it is made of, so that a state that repeats in
//! these parts is a proof all the same. Objects that an iteration makes have other numbers in the
//! next one; a number that the program saw as a number is pinned by the machine, and an iteration
//! that made such an object is rejected (see `iteration`).

mod arithmetic;
mod calls;
mod control;
mod domain;
mod jump;
mod memory;
mod next;

use super::run::Subject;
use super::shadow::{Cell, CellId, CellPlace, Shadow, ShadowMemory, Value};
use super::trace::{Effect, Known, Step, Trace, Visit};
use crate::problem::{HazardKind, Overflow};
use impasse_machine::base::fault::CodePlace;
use impasse_machine::machine::builtin::Builtin;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{Instruction, Operand, Place, Scalar, Slot};
use impasse_program::link::{Function, FunctionId};
use impasse_semantics::evaluate::evaluate;
use impasse_solver::{Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Why a condition of a path is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForkKind {
    /// The program decides by the term.
    Branch,
    /// An address or a size is the same as in the execution.
    Pinned,
    /// The path is undefined where the term holds; on the path it does not.
    Hazard(HazardKind),
    /// The path is undefined: the term, which says that it is, holds.
    Undefined,
}

/// A condition of a path.
#[derive(Clone, Copy, Debug)]
pub struct Fork {
    /// What holds on the path; for a hazard, what does not.
    pub term: Term,
    /// Why it is there.
    pub kind: ForkKind,
    /// Where.
    pub place: CodePlace,
}

/// The symbols of inputs.
pub trait InputSymbols {
    /// The symbol of an input of the trace.
    fn symbol(&mut self, terms: &Terms, trace: &Trace, input: u32) -> Symbol;

    /// The value that a symbol has in the trace.
    fn value(&self, trace: &Trace, symbol: Symbol) -> u128;
}

/// Symbols of the inputs of one iteration, made as they are read.
#[derive(Default)]
pub struct IterationInputs {
    symbols: FxHashMap<u32, Symbol>,
}

impl InputSymbols for IterationInputs {
    fn symbol(&mut self, terms: &Terms, trace: &Trace, input: u32) -> Symbol {
        let bits = trace.inputs[input as usize].bits;
        *self
            .symbols
            .entry(input)
            .or_insert_with(|| terms.symbol(format!("in{input}"), bits))
    }

    fn value(&self, trace: &Trace, symbol: Symbol) -> u128 {
        let found = self.symbols.iter().find(|(_, known)| **known == symbol);
        found.map_or(0, |(&input, _)| u128::from(trace.values[input as usize]))
    }
}

/// What the start is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// The start of the program: concrete but for the inputs.
    Program,
    /// A cutpoint, when so many objects had been made: whatever is read is a variable.
    Cutpoint { objects: u32 },
}

struct Frame<'s> {
    function: &'s Function,
    users: bool,
    /// For a frame that waits, its call.
    position: u32,
    slots: Vec<Option<Value>>,
}

/// An evaluation in progress.
pub struct Replay<'a, 's> {
    subject: &'a Subject<'s>,
    terms: &'a Terms,
    trace: &'a Trace,
    inputs: &'a mut dyn InputSymbols,
    start: Start,
    overflow: Overflow,
    frames: Vec<Frame<'s>>,
    memory: ShadowMemory,
    at: usize,
    /// The conditions of the path so far.
    pub forks: Vec<Fork>,
    /// What opaque values that decided something were made of.
    pub decided: Vec<(Rc<BTreeSet<CellId>>, CodePlace)>,
    /// Parts of the state that were read.
    pub cells: Vec<Cell>,
    known_cells: FxHashMap<CellPlace, CellId>,
    of_symbol: FxHashMap<Symbol, CellId>,
    /// The inputs that were read, by number in the trace.
    pub read: Vec<u32>,
    /// Why the evaluation is useless, if it is.
    pub flaw: Option<String>,
    lives: Lives,
    /// The words that the trace has for the instruction that is evaluated, and how many of them are
    /// used up by what it reads and has assigned.
    recorded: &'a [Known],
    assigned: usize,
}

/// Whether the objects that were there at the start of an iteration can be used at its end as they
/// were used in it.
#[derive(Default)]
struct Lives {
    /// Used before their scope began or ended in the iteration.
    used: FxHashSet<ObjectId>,
    /// Of those whose scope began or ended, whether they were used before, and whether it has
    /// ended.
    scopes: FxHashMap<ObjectId, (bool, bool)>,
    /// How many atomic sections are open more than at the start.
    sections: i64,
}

impl<'a, 's> Replay<'a, 's> {
    /// An evaluation from the start of the program, where only inputs are symbols.
    pub fn of_program(
        subject: &'a Subject<'s>,
        terms: &'a Terms,
        trace: &'a Trace,
        inputs: &'a mut dyn InputSymbols,
        overflow: Overflow,
    ) -> Self {
        let from = (&trace.first, Start::Program);
        let mut replay = Replay::new(subject, terms, trace, inputs, from, overflow);
        replay.at = 0;
        for &(slot, input) in &trace.parameters {
            let value = replay.input(input);
            replay.frames[0].slots[slot.0 as usize] = Some(value);
        }
        for &(object, offset, input) in &trace.placed {
            let bytes = trace.inputs[input as usize].bits.div_ceil(8);
            let value = replay.input(input);
            replay.memory.store(object, offset, bytes, value);
        }
        replay
    }

    /// An evaluation from a visit of a cutpoint, where the state is made of variables.
    pub fn of_iteration(
        subject: &'a Subject<'s>,
        terms: &'a Terms,
        trace: &'a Trace,
        inputs: &'a mut dyn InputSymbols,
        (visit, overflow): (&Visit, Overflow),
    ) -> Self {
        let start = Start::Cutpoint {
            objects: visit.objects,
        };
        let mut replay = Replay::new(subject, terms, trace, inputs, (visit, start), overflow);
        for (slot, known) in &visit.slots {
            let value = replay.initial(CellPlace::Slot(*slot), *known);
            replay.frames[0].slots[slot.0 as usize] = Some(value);
        }
        replay
    }

    fn new(
        subject: &'a Subject<'s>,
        terms: &'a Terms,
        trace: &'a Trace,
        inputs: &'a mut dyn InputSymbols,
        (visit, start): (&Visit, Start),
        overflow: Overflow,
    ) -> Self {
        let mut replay = Replay {
            subject,
            terms,
            trace,
            inputs,
            start,
            overflow,
            frames: Vec::new(),
            memory: ShadowMemory::default(),
            at: visit.step as usize,
            forks: Vec::new(),
            decided: Vec::new(),
            cells: Vec::new(),
            known_cells: FxHashMap::default(),
            of_symbol: FxHashMap::default(),
            read: Vec::new(),
            flaw: None,
            lives: Lives::default(),
            recorded: &[],
            assigned: 0,
        };
        replay.push_frame(visit.place.function);
        if start == Start::Program {
            for (slot, known) in &visit.slots {
                replay.frames[0].slots[slot.0 as usize] = Some(Value::concrete(*known));
            }
        }
        replay
    }

    fn push_frame(&mut self, id: FunctionId) {
        let program = &self.subject.system.program;
        let function = program.function(id);
        self.frames.push(Frame {
            function,
            users: program.is_users(program.info(id).unit),
            position: 0,
            slots: vec![None; function.body.slots as usize],
        });
    }

    /// Evaluates up to the step `to`, which it leaves out; of a step that was not completed, only
    /// the condition for that. Stops early where it sets `flaw`.
    pub fn advance(&mut self, to: usize) {
        while self.at < to && self.flaw.is_none() {
            let step = self.trace.steps[self.at];
            let halted = self.trace.halted && self.at + 1 == self.trace.steps.len();
            match halted {
                true => self.halt(&step),
                false => self.step(&step),
            }
            self.at += 1;
            if self.subject.is_late(self.at) {
                self.flaw = Some("an execution that takes too long to evaluate".into());
            }
        }
    }

    /// The value of a part of the state now, which is `now` in the execution.
    pub fn value_at(&mut self, place: CellPlace, now: Known) -> Value {
        match place {
            CellPlace::Slot(slot) => {
                let frame = self.frames.last().expect("a frame");
                match &frame.slots[slot.0 as usize] {
                    Some(value) => value.clone(),
                    None => Value::concrete(now),
                }
            }
            CellPlace::Memory(object, offset, bytes) => self.load_bytes(object, offset, bytes, now),
        }
    }

    /// The value of a part of the state at the end of an iteration; `None` if the trace does not
    /// have it.
    pub fn final_value(&mut self, place: CellPlace) -> Option<Value> {
        match place {
            CellPlace::Slot(slot) => self.frames.last()?.slots[slot.0 as usize].clone(),
            CellPlace::Memory(object, offset, bytes) => self.final_bytes(object, offset, bytes),
        }
    }

    /// The term of a value, of this width; `None` if it is opaque or undefined.
    pub fn term_of(&mut self, value: &Value, width: u8) -> Option<Term> {
        match &value.shadow {
            Shadow::Concrete if value.known.undefined => None,
            Shadow::Concrete => Some(self.terms.constant(u128::from(value.known.bits), width)),
            Shadow::Cell(id) => {
                let term = self.variable(*id, width);
                Some(self.terms.resize_unsigned(term, width))
            }
            Shadow::Term(term) => Some(self.terms.resize_unsigned(*term, width)),
            Shadow::Opaque(_) => None,
        }
    }

    /// The variable of a part of the state; that of a slot gets the width that it is first used
    /// with.
    fn variable(&mut self, id: CellId, width: u8) -> Term {
        let cell = &mut self.cells[id.0 as usize];
        let width = match cell.place {
            CellPlace::Memory(_, _, bytes) => bytes * 8,
            CellPlace::Slot(_) => width,
        };
        let symbol = match cell.symbol {
            Some((symbol, _)) => symbol,
            None => {
                let symbol = self.terms.symbol(format!("x{}", id.0), width);
                cell.symbol = Some((symbol, width));
                self.of_symbol.insert(symbol, id);
                symbol
            }
        };
        self.terms.variable(symbol)
    }

    /// The part of the state at a place, if it was read.
    pub fn cell_at(&self, place: CellPlace) -> Option<CellId> {
        self.known_cells.get(&place).copied()
    }

    /// Makes the part of the state at a place, if it was read, a number of this width unless it is
    /// one already.
    pub fn number(&mut self, place: CellPlace, width: u8) -> Option<CellId> {
        let id = self.cell_at(place)?;
        self.variable(id, width);
        Some(id)
    }

    fn initial(&mut self, place: CellPlace, known: Known) -> Value {
        let next = CellId(self.cells.len() as u32);
        let id = *self.known_cells.entry(place).or_insert(next);
        if id == next {
            self.cells.push(Cell {
                place,
                initial: known,
                symbol: None,
            });
        }
        let shadow = match known.undefined {
            true => Shadow::Opaque(Rc::new([id].into())),
            false => Shadow::Cell(id),
        };
        Value { known, shadow }
    }

    /// The parts of the state that a value is made of.
    pub fn made_of(&self, value: &Value) -> BTreeSet<CellId> {
        match &value.shadow {
            Shadow::Concrete => BTreeSet::new(),
            Shadow::Cell(id) => [*id].into(),
            Shadow::Term(term) => self.cells_in(&[*term]),
            Shadow::Opaque(cells) => (**cells).clone(),
        }
    }

    /// The parts of the state that occur in terms.
    pub fn cells_in(&self, terms: &[Term]) -> BTreeSet<CellId> {
        let symbols = self.terms.symbols_in(terms);
        symbols
            .iter()
            .filter_map(|symbol| self.of_symbol.get(symbol).copied())
            .collect()
    }

    fn opaque<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Shadow {
        let mut all = BTreeSet::new();
        let mut concrete = true;
        for value in values {
            concrete &= value.is_concrete();
            all.extend(self.made_of(value));
        }
        match concrete {
            true => Shadow::Concrete,
            false => Shadow::Opaque(Rc::new(all)),
        }
    }

    fn place(&self) -> CodePlace {
        self.trace.steps[self.at].place()
    }

    fn fork(&mut self, term: Term, kind: ForkKind) {
        if self.terms.as_constant(term).is_none() {
            let place = self.place();
            self.forks.push(Fork { term, kind, place });
        }
    }

    /// Notes that a value decided something, as itself and not as a term.
    fn decide(&mut self, value: &Value) {
        let cells = self.made_of(value);
        let place = self.place();
        self.decided.push((Rc::new(cells), place));
    }

    /// Notes that a value of a width is what it was.
    fn pin(&mut self, value: &Value, width: u8) {
        if value.is_concrete() {
            return;
        }
        match self.term_of(value, width) {
            Some(term) => {
                let bits = self.terms.constant(u128::from(value.known.bits), width);
                let term = self.terms.equal(term, bits);
                self.fork(term, ForkKind::Pinned);
            }
            None => self.decide(value),
        }
    }

    fn input(&mut self, input: u32) -> Value {
        self.read.push(input);
        let symbol = self.inputs.symbol(self.terms, self.trace, input);
        Value {
            known: Known::number(self.trace.values[input as usize]),
            shadow: Shadow::Term(self.terms.variable(symbol)),
        }
    }

    fn word(&self, operand: Operand) -> Value {
        let frame = self.frames.last().expect("a frame");
        match operand.place() {
            Place::Constant(index) => {
                Value::concrete(frame.function.constants[index as usize].into())
            }
            Place::Slot(slot) => match &frame.slots[slot.0 as usize] {
                Some(value) => value.clone(),
                None => Value::concrete(Known {
                    bits: 0,
                    undefined: true,
                }),
            },
        }
    }

    fn words(&self, operand: Operand, scalar: Scalar) -> Vec<Value> {
        match scalar.words() {
            1 => vec![self.word(operand)],
            _ => vec![self.word(operand), self.word(operand.second())],
        }
    }

    fn assign(&mut self, slot: Slot, known: Known, shadow: Shadow) {
        let shadow = match shadow {
            Shadow::Term(_) | Shadow::Cell(_) if known.undefined => {
                self.opaque([&Value { known, shadow }])
            }
            Shadow::Term(term) if self.terms.as_constant(term).is_some() => Shadow::Concrete,
            other => other,
        };
        let frame = self.frames.last_mut().expect("a frame");
        frame.slots[slot.0 as usize] = Some(Value { known, shadow });
    }

    fn step(&mut self, step: &Step) {
        let function = self.frames.last().expect("a frame").function;
        let instruction = &function.body.code[step.position as usize];
        let known = self.trace.words_of(self.at);
        match step.effect {
            Effect::Input(input) => self.read_input(instruction, input, known),
            Effect::Printed => {}
            Effect::Bytes(first) => {
                let place = Address::from_bits(known[1].bits);
                for at in 0..known[3].bits as u32 {
                    let value = self.input(first + at);
                    self.store(
                        Scalar::Integer(8),
                        place.bits() + u64::from(at),
                        vec![value],
                    );
                }
            }
            Effect::Builtin(id) => {
                let Instruction::Call { site } = instruction else {
                    unreachable!("only calls call");
                };
                let site = &function.body.sites[site.0 as usize];
                self.builtin(Builtin::from_id(id).name(), site, known);
            }
            Effect::Entered(id) => {
                let Instruction::Call { site } = instruction else {
                    unreachable!("only calls enter");
                };
                let site = &function.body.sites[site.0 as usize];
                self.enter(id, site, step.position, known);
            }
            Effect::Returned => {
                let Instruction::Return { values } = instruction else {
                    unreachable!("only returns return");
                };
                self.return_from(*values, known);
            }
            Effect::Ordinary => self.ordinary(instruction, known),
        }
    }

    fn read_input(&mut self, instruction: &Instruction, input: u32, known: &[Known]) {
        let function = self.frames.last().expect("a frame").function;
        let (slot, scalar) = match *instruction {
            Instruction::Call { site } => {
                let site = &function.body.sites[site.0 as usize];
                (site.destination, site.results.first().copied())
            }
            Instruction::Undefine {
                destination,
                scalar,
            } => (destination, Some(scalar)),
            _ => unreachable!("inputs are read by calls, or lie in new variables"),
        };
        let (Some(&known), Some(scalar)) = (known.first(), scalar) else {
            return;
        };
        let width = scalar.bits().min(64) as u8;
        let Value {
            shadow: Shadow::Term(term),
            ..
        } = self.input(input)
        else {
            unreachable!("inputs are terms");
        };
        let wide = match self.trace.inputs[input as usize].signed {
            true => self.terms.resize_signed(term, width),
            false => self.terms.resize_unsigned(term, width),
        };
        self.assign(slot, known, Shadow::Term(wide));
    }

    fn ordinary(&mut self, instruction: &'s Instruction, known: &'a [Known]) {
        let function = self.frames.last().expect("a frame").function;
        (self.recorded, self.assigned) = (known, 0);
        let Ok(()) = evaluate(self, &function.body, instruction);
    }

    /// The scope of an object begins or ends.
    fn change_scope(&mut self, address: &Value, ends: bool) {
        self.pin(address, 64);
        let object = Address::from_bits(address.known.bits).object;
        let used = self.lives.used.contains(&object);
        let scope = self.lives.scopes.entry(object).or_insert((used, ends));
        scope.1 = ends;
        let size = self.trace.sizes.get(&self.recorded[0].bits).copied();
        self.fix(address.known.bits, size.unwrap_or(0));
    }

    /// Notes that the thread's copy of a variable is used, which may have been made just now.
    fn use_thread_local(&mut self) {
        let object = Address::from_bits(self.recorded[0].bits).object;
        if let (Start::Cutpoint { objects }, ObjectKind::Dynamic(number)) =
            (self.start, object.kind())
            && number >= objects
        {
            self.flaw = Some("an iteration that makes a thread-local variable".into());
        }
    }
}
