//! Evaluates a part of a trace on symbols.
//!
//! Two kinds of evaluation differ in what the start is made of. From the *start of the program* everything is concrete but the inputs: this
//! gives the condition of the path over the inputs. From a *visit of a cutpoint* every part of the state that is read
//! becomes a variable when it is first read: this gives a turn as a relation on states. What the turn does not read cannot
//! influence it; so liveness, and more, comes by itself.
//!
//! *Why a turn is what its terms say.* By induction over the instructions, every value is the value of its shadow in every execution that
//! starts in some state, reads some inputs, and satisfies the conditions noted so far. Addresses are pinned: an access through a
//! value that is not concrete notes that the address equals what it was. Whatever no term can say (floating point,
//! 128 bits) is *opaque*, and an opaque value that decides anything makes the turn useless for proofs on symbols; it
//! remains what it is made of, so that a state that repeats in these parts is a proof all the same. Objects that a turn makes have
//! other numbers in the next one; a number that the program saw as a number is pinned by the machine, and
//! a turn that made such an object is rejected (see `turn`).

use super::run::Subject;
use super::shadow::{Cell, CellId, CellPlace, Shadow, ShadowMemory, Value};
use super::trace::{Deed, Known, Step, Trace, Visit};
use crate::problem::HazardKind;
use impasse_machine::builtin::Builtin;
use impasse_machine::fault::CodePlace;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{
    BinaryOperation, CallSite, Comparison, Conversion, Instruction, Intrinsic, Operand, Place,
    Position, Promises, Range, Scalar, Slot,
};
use impasse_program::link::{Function, FunctionId};
use impasse_solver::{Binary, Symbol, Term, Terms, Test};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Why a condition of a path is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForkKind {
    /// The program decides something.
    Branch,
    /// An address, or a size, is what it was.
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
}

/// Whether the objects that were there at the start of a turn can be used at its end as they were used in it.
#[derive(Default)]
struct Lives {
    /// Used before their scope began or ended in the turn.
    used: FxHashSet<ObjectId>,
    /// Of those whose scope began or ended, whether they were used before, and whether it has ended.
    scopes: FxHashMap<ObjectId, (bool, bool)>,
    /// How many atomic sections are open more than at the start.
    sections: i64,
}

impl<'a, 's> Replay<'a, 's> {
    /// From the start of the program.
    pub fn of_program(
        subject: &'a Subject<'s>,
        terms: &'a Terms,
        trace: &'a Trace,
        inputs: &'a mut dyn InputSymbols,
    ) -> Self {
        let mut replay = Replay::new(subject, terms, trace, inputs, &trace.first, Start::Program);
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

    /// From a visit of a cutpoint.
    pub fn of_turn(
        subject: &'a Subject<'s>,
        terms: &'a Terms,
        trace: &'a Trace,
        inputs: &'a mut dyn InputSymbols,
        visit: &Visit,
    ) -> Self {
        let start = Start::Cutpoint {
            objects: visit.objects,
        };
        let mut replay = Replay::new(subject, terms, trace, inputs, visit, start);
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
        visit: &Visit,
        start: Start,
    ) -> Self {
        let mut replay = Replay {
            subject,
            terms,
            trace,
            inputs,
            start,
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

    /// Evaluates up to a step, which is not evaluated; of a step that was not completed, the condition for that.
    pub fn advance(&mut self, to: usize) {
        while self.at < to && self.flaw.is_none() {
            let step = self.trace.steps[self.at];
            let halted = self.trace.halted && self.at + 1 == self.trace.steps.len();
            match halted {
                true => self.halt(&step),
                false => self.step(&step),
            }
            self.at += 1;
        }
    }

    /// The value of a part of the state now.
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

    /// The value of a part of the state at the end of a turn, as far as the trace says it.
    pub fn final_value(&mut self, place: CellPlace) -> Option<Value> {
        match place {
            CellPlace::Slot(slot) => self.frames.last()?.slots[slot.0 as usize].clone(),
            CellPlace::Memory(object, offset, bytes) => self.final_bytes(object, offset, bytes),
        }
    }

    /// The term of a value, if there is one.
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

    /// The variable of a part of the state; that of a slot gets the width that it is first used with.
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

    /// Assigns a result that no term says to one or two slots.
    fn assign_opaque(&mut self, slot: Slot, results: &[Known], values: &[Value]) {
        let shadow = self.opaque(values);
        for (index, &known) in results.iter().enumerate() {
            self.assign(Slot(slot.0 + index as u32), known, shadow.clone());
        }
    }

    fn step(&mut self, step: &Step) {
        let function = self.frames.last().expect("a frame").function;
        let instruction = &function.body.code[step.position as usize];
        let known = self.trace.words_of(self.at);
        match step.deed {
            Deed::Input(input) => self.read_input(instruction, input, known[0]),
            Deed::Bytes(first) => {
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
            Deed::Builtin(id) => {
                let Instruction::Call { site } = instruction else {
                    unreachable!("only calls call");
                };
                let site = &function.body.sites[site.0 as usize];
                self.builtin(Builtin::from_id(id).name(), site, known);
            }
            Deed::Entered(id) => {
                let Instruction::Call { site } = instruction else {
                    unreachable!("only calls enter");
                };
                let site = &function.body.sites[site.0 as usize];
                self.enter(id, site, step.position, known);
            }
            Deed::Returned => {
                let Instruction::Return { values } = instruction else {
                    unreachable!("only returns return");
                };
                self.return_from(*values, known);
            }
            Deed::Ordinary => self.ordinary(instruction, known),
        }
    }

    fn read_input(&mut self, instruction: &Instruction, input: u32, known: Known) {
        let function = self.frames.last().expect("a frame").function;
        let Instruction::Call { site } = instruction else {
            unreachable!("inputs are read by calls");
        };
        let slot = function.body.sites[site.0 as usize].destination;
        let Value {
            shadow: Shadow::Term(term),
            ..
        } = self.input(input)
        else {
            unreachable!("inputs are terms");
        };
        let wide = match self.trace.inputs[input as usize].signed {
            true => self.terms.sign_extend(term, 64),
            false => self.terms.zero_extend(term, 64),
        };
        self.assign(slot, known, Shadow::Term(wide));
    }

    fn ordinary(&mut self, instruction: &'s Instruction, known: &'a [Known]) {
        use Instruction as I;
        match instruction {
            I::Move {
                destination,
                source,
            } => {
                let value = self.word(*source);
                self.assign(*destination, known[0], value.shadow);
            }
            I::Undefine { destination, .. } => {
                self.assign_opaque(*destination, known, &[]);
            }
            I::Binary {
                operation,
                scalar,
                promises,
                destination,
                left,
                right,
            } => {
                let (left, right) = (self.words(*left, *scalar), self.words(*right, *scalar));
                self.binary(
                    *operation,
                    *scalar,
                    *promises,
                    *destination,
                    left,
                    right,
                    known,
                );
            }
            I::Compare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } => {
                let (left, right) = (self.words(*left, *scalar), self.words(*right, *scalar));
                self.compare(*comparison, *scalar, *destination, left, right, known);
            }
            I::Convert {
                conversion,
                from,
                to,
                destination,
                source,
            } => self.convert(*conversion, *from, *to, *destination, *source, known),
            I::Select {
                scalar,
                destination,
                condition,
                then,
                otherwise,
            } => self.select(*scalar, *destination, *condition, *then, *otherwise, known),
            I::Freeze {
                scalar,
                destination,
                source,
            } => {
                let values = self.words(*source, *scalar);
                let undefined = values.iter().any(|value| value.known.undefined);
                for (index, value) in values.iter().enumerate() {
                    let shadow = match undefined {
                        true => self.opaque(&values),
                        false => value.shadow.clone(),
                    };
                    self.assign(Slot(destination.0 + index as u32), known[index], shadow);
                }
            }
            I::Repack {
                from,
                to,
                destination,
                arguments,
            } => self.repack(*from, *to, *destination, *arguments, known),
            I::Compute {
                intrinsic,
                scalar,
                destination,
                arguments,
            } => self.compute(*intrinsic, *scalar, *destination, *arguments, known),
            I::Float {
                scalar,
                destination,
                left,
                right,
                ..
            }
            | I::FloatCompare {
                scalar,
                destination,
                left,
                right,
                ..
            } => {
                let mut values = self.words(*left, *scalar);
                values.extend(self.words(*right, *scalar));
                self.assign_opaque(*destination, known, &values);
            }
            I::AddressOffset {
                destination,
                base,
                offset,
            } => {
                let base = self.word(*base);
                let shadow = match self.symbolic_term(&base, 64) {
                    Ok(term) => {
                        let offset = self.terms.constant(*offset as u64 as u128, 64);
                        Shadow::Term(self.terms.add(term, offset))
                    }
                    Err(shadow) => shadow,
                };
                self.assign(*destination, known[0], shadow);
            }
            I::AddressIndex {
                destination,
                base,
                index,
                width,
                scale,
            } => self.index(*destination, *base, *index, *width, *scale, known[0]),
            other => self.memory_or_control(other, known),
        }
    }

    /// The term of a value that is not concrete, or the shadow of what is computed from it alone.
    fn symbolic_term(&mut self, value: &Value, width: u8) -> Result<Term, Shadow> {
        if value.is_concrete() {
            return Err(Shadow::Concrete);
        }
        match self.term_of(value, width) {
            Some(term) => Ok(term),
            None => Err(self.opaque([value])),
        }
    }

    fn index(
        &mut self,
        destination: Slot,
        base: Operand,
        index: Operand,
        width: u8,
        scale: u64,
        known: Known,
    ) {
        let (base, index) = (self.word(base), self.word(index));
        let shadow = self.of_two(&base, 64, &index, width, |terms, base, index| {
            let scale = terms.constant(u128::from(scale), 64);
            let distance = terms.multiply(terms.resize_signed(index, 64), scale);
            terms.add(base, distance)
        });
        self.assign(destination, known, shadow);
    }

    /// The shadow of what is computed from two values of these widths.
    fn of_two(
        &mut self,
        a: &Value,
        a_width: u8,
        b: &Value,
        b_width: u8,
        make: impl FnOnce(&Terms, Term, Term) -> Term,
    ) -> Shadow {
        if a.is_concrete() && b.is_concrete() {
            return Shadow::Concrete;
        }
        match (self.term_of(a, a_width), self.term_of(b, b_width)) {
            (Some(a), Some(b)) => Shadow::Term(make(self.terms, a, b)),
            _ => self.opaque([a, b]),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of one instruction")]
    fn binary(
        &mut self,
        operation: BinaryOperation,
        scalar: Scalar,
        promises: Promises,
        destination: Slot,
        left: Vec<Value>,
        right: Vec<Value>,
        known: &[Known],
    ) {
        if left.len() > 1 {
            let values = [left, right].concat();
            return self.wide_binary(operation, destination, known, &values);
        }
        let width = scalar.bits() as u8;
        let hazards = self.hazards(operation, promises, width, &left[0], &right[0]);
        for (term, kind) in hazards {
            self.fork(term, ForkKind::Hazard(kind));
        }
        let shadow = self.of_two(&left[0], width, &right[0], width, |terms, a, b| {
            terms.binary(of_program(operation), a, b)
        });
        self.assign(destination, known[0], shadow);
    }

    /// Arithmetic on more than 64 bits: what could go wrong with it is not followed.
    fn wide_binary(
        &mut self,
        operation: BinaryOperation,
        destination: Slot,
        known: &[Known],
        values: &[Value],
    ) {
        let harmless = matches!(
            operation,
            BinaryOperation::And | BinaryOperation::Or | BinaryOperation::Xor
        );
        if !harmless && values.iter().any(|value| !value.is_concrete()) {
            for value in values {
                self.decide(value);
            }
        }
        self.assign_opaque(destination, known, values);
    }

    /// When an operation is undefined.
    fn hazards(
        &mut self,
        operation: BinaryOperation,
        promises: Promises,
        width: u8,
        left: &Value,
        right: &Value,
    ) -> Vec<(Term, HazardKind)> {
        use BinaryOperation as Op;
        if left.is_concrete() && right.is_concrete() {
            return Vec::new();
        }
        let checked = self.frames.last().expect("a frame").users
            && self.subject.system.options.signed_overflow
            && promises.no_signed_wrap;
        let overflow = match operation {
            Op::Add if checked => Some(Test::SignedAddOverflow),
            Op::Subtract if checked => Some(Test::SignedSubtractOverflow),
            Op::Multiply if checked => Some(Test::SignedMultiplyOverflow),
            _ => None,
        };
        let divides = matches!(
            operation,
            Op::UnsignedDivide | Op::UnsignedRemainder | Op::SignedDivide | Op::SignedRemainder
        );
        let shifts = matches!(
            operation,
            Op::ShiftLeft | Op::LogicalShiftRight | Op::ArithmeticShiftRight
        );
        if overflow.is_none() && !divides && !shifts {
            return Vec::new();
        }
        let (Some(a), Some(b)) = (self.term_of(left, width), self.term_of(right, width)) else {
            self.decide(left);
            self.decide(right);
            return Vec::new();
        };
        let terms = self.terms;
        let mut found = Vec::new();
        if let Some(test) = overflow {
            found.push((terms.test(test, a, b), HazardKind::Overflow));
        }
        if divides {
            let zero = terms.equal(b, terms.constant(0, width));
            found.push((zero, HazardKind::DivisionByZero));
        }
        if matches!(operation, Op::SignedDivide | Op::SignedRemainder) {
            let least = terms.equal(a, terms.constant(1 << (width - 1), width));
            let minus_one = terms.equal(b, terms.constant(!0, width));
            found.push((terms.and(least, minus_one), HazardKind::Overflow));
        }
        if shifts {
            let most = terms.constant(u128::from(width) - 1, width);
            found.push((terms.test(Test::UnsignedLess, most, b), HazardKind::Shift));
        }
        if operation == Op::ShiftLeft && checked {
            let back = terms.binary(
                Binary::ArithmeticShiftRight,
                terms.binary(Binary::ShiftLeft, a, b),
                b,
            );
            found.push((terms.differ(back, a), HazardKind::Overflow));
        }
        found
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        destination: Slot,
        left: Vec<Value>,
        right: Vec<Value>,
        known: &[Known],
    ) {
        let width = scalar.bits() as u8;
        let shadow = match left.len() {
            1 => self.of_two(&left[0], width, &right[0], width, |terms, a, b| {
                compare(terms, comparison, a, b)
            }),
            _ => self.opaque(left.iter().chain(&right)),
        };
        self.assign(destination, known[0], shadow);
    }

    fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        destination: Slot,
        source: Operand,
        known: &[Known],
    ) {
        use Conversion as C;
        let values = self.words(source, from);
        let integral = matches!(
            conversion,
            C::Truncate | C::ZeroExtend | C::SignExtend | C::PointerToInteger | C::IntegerToPointer
        );
        if !integral || from.words() > 1 || to.words() > 1 {
            return self.assign_opaque(destination, known, &values);
        }
        let (from, to) = (from.bits() as u8, to.bits() as u8);
        let shadow = match self.symbolic_term(&values[0], from) {
            Ok(term) if conversion == C::SignExtend => {
                Shadow::Term(self.terms.resize_signed(term, to))
            }
            Ok(term) => Shadow::Term(self.terms.resize_unsigned(term, to)),
            Err(shadow) => shadow,
        };
        self.assign(destination, known[0], shadow);
    }

    fn select(
        &mut self,
        scalar: Scalar,
        destination: Slot,
        condition: Operand,
        then: Operand,
        otherwise: Operand,
        known: &[Known],
    ) {
        let chooser = self.word(condition);
        let (yes, no) = (self.words(then, scalar), self.words(otherwise, scalar));
        for index in 0..yes.len() {
            let width = match index {
                0 => scalar.bits().min(64) as u8,
                _ => (scalar.bits() - 64) as u8,
            };
            let shadow = match (chooser.is_concrete(), self.term_of(&chooser, 1)) {
                (true, _) if chooser.known.bits & 1 == 1 => yes[index].shadow.clone(),
                (true, _) => no[index].shadow.clone(),
                (_, Some(condition)) => {
                    let yes_term = self.term_of(&yes[index], width);
                    match (yes_term, self.term_of(&no[index], width)) {
                        (Some(a), Some(b)) => Shadow::Term(self.terms.choose(condition, a, b)),
                        _ => self.opaque([&chooser, &yes[index], &no[index]]),
                    }
                }
                (_, None) => self.opaque([&chooser, &yes[index], &no[index]]),
            };
            self.assign(Slot(destination.0 + index as u32), known[index], shadow);
        }
    }

    fn repack(
        &mut self,
        from: Scalar,
        to: Scalar,
        destination: Slot,
        arguments: Range,
        known: &[Known],
    ) {
        let function = self.frames.last().expect("a frame").function;
        let operands = function.body.operands_in(arguments);
        let values: Vec<Value> = operands
            .iter()
            .flat_map(|&operand| self.words(operand, from))
            .collect();
        if from.words() == 1 && to.words() == 1 && from.bits() == to.bits() {
            for (index, value) in values.into_iter().enumerate() {
                let slot = Slot(destination.0 + index as u32);
                self.assign(slot, known[index], value.shadow);
            }
            return;
        }
        self.assign_opaque(destination, known, &values);
    }

    fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        destination: Slot,
        arguments: Range,
        known: &[Known],
    ) {
        let function = self.frames.last().expect("a frame").function;
        let operands = function.body.operands_in(arguments);
        let mut values = Vec::new();
        for (index, &operand) in operands.iter().enumerate() {
            values.push(self.word(operand));
            if intrinsic.argument_words(index, scalar) == 2 {
                values.push(self.word(operand.second()));
            }
        }
        let width = scalar.bits() as u8;
        let followed = scalar.words() == 1 && values.iter().any(|value| !value.is_concrete());
        let terms: Option<Vec<Term>> = match followed {
            true => values
                .iter()
                .map(|value| self.term_of(value, width))
                .collect(),
            false => None,
        };
        match terms.and_then(|arguments| compute(self.terms, intrinsic, &arguments, width)) {
            Some(results) => {
                for (index, result) in results.into_iter().enumerate() {
                    let slot = Slot(destination.0 + index as u32);
                    self.assign(slot, known[index], Shadow::Term(result));
                }
            }
            None => self.assign_opaque(destination, known, &values),
        }
    }

    fn memory_or_control(&mut self, instruction: &'s Instruction, known: &'a [Known]) {
        use Instruction as I;
        match instruction {
            I::Load {
                scalar,
                destination,
                address,
                ..
            } => {
                let address = self.word(*address);
                self.pin(&address, 64);
                self.load(*scalar, *destination, address.known.bits, &known[1..]);
            }
            I::Store {
                scalar,
                source,
                address,
                ..
            } => {
                let address = self.word(*address);
                self.pin(&address, 64);
                let values = self.words(*source, *scalar);
                self.store(*scalar, address.known.bits, values);
            }
            I::Update {
                operation,
                scalar,
                destination,
                address,
                source,
                ..
            } => self.update(*operation, *scalar, *destination, *address, *source, known),
            I::CompareExchange {
                scalar,
                destination,
                address,
                expected,
                replacement,
                ..
            } => {
                let operands = (*address, *expected, *replacement);
                self.compare_exchange(*scalar, *destination, operands, known);
            }
            I::CopyMemory {
                destination,
                source,
                bytes,
                ..
            } => {
                let values = [
                    self.word(*destination),
                    self.word(*source),
                    self.word(*bytes),
                ];
                self.copy(&values);
            }
            I::VariableArgumentsCopy {
                destination,
                source,
            } => {
                let bytes = Value::concrete(Known::number(24));
                let values = [self.word(*destination), self.word(*source), bytes];
                self.copy(&values);
            }
            I::FillMemory {
                destination,
                value,
                bytes,
            } => {
                let values = [
                    self.word(*destination),
                    self.word(*value),
                    self.word(*bytes),
                ];
                self.fill(&values);
            }
            I::VariableArgumentsStart { list } => {
                let list = self.word(*list);
                self.pin(&list, 64);
                self.fix(list.known.bits, 24);
            }
            I::LifetimeStart { address } | I::LifetimeEnd { address } => {
                let value = self.word(*address);
                self.pin(&value, 64);
                let object = Address::from_bits(value.known.bits).object;
                let used = self.lives.used.contains(&object);
                let ended = matches!(instruction, I::LifetimeEnd { .. });
                let scope = self.lives.scopes.entry(object).or_insert((used, ended));
                scope.1 = ended;
                let size = self.trace.sizes.get(&known[0].bits).copied();
                self.fix(value.known.bits, size.unwrap_or(0));
            }
            I::Allocate {
                destination, count, ..
            } => {
                let count = self.word(*count);
                self.pin(&count, 64);
                self.assign(*destination, known[0], Shadow::Concrete);
            }
            I::StackSave { destination } => {
                self.assign(*destination, known[0], Shadow::Concrete);
            }
            I::StackRestore { saved } => {
                let saved = self.word(*saved);
                self.pin(&saved, 64);
            }
            I::ThreadLocal { destination, .. } => self.thread_local(*destination, known[0]),
            other => self.control(other),
        }
    }

    fn thread_local(&mut self, destination: Slot, known: Known) {
        let object = Address::from_bits(known.bits).object;
        if let (Start::Cutpoint { objects }, ObjectKind::Dynamic(number)) =
            (self.start, object.kind())
            && number >= objects
        {
            self.flaw = Some("a turn that makes a thread-local variable".into());
        }
        self.assign(destination, known, Shadow::Concrete);
    }

    fn control(&mut self, instruction: &'s Instruction) {
        use Instruction as I;
        let Some(next) = self.trace.steps.get(self.at + 1) else {
            return;
        };
        let next = Position(next.position);
        match instruction {
            I::Branch {
                condition,
                then,
                otherwise,
            } if then != otherwise => {
                let value = self.word(*condition);
                if value.is_concrete() {
                    return;
                }
                match self.term_of(&value, 1) {
                    Some(term) if next == *then => self.fork(term, ForkKind::Branch),
                    Some(term) => {
                        let term = self.terms.not(term);
                        self.fork(term, ForkKind::Branch);
                    }
                    None => self.decide(&value),
                }
            }
            I::Switch {
                scalar,
                value,
                cases,
                ..
            } => self.switch(*scalar, *value, *cases),
            I::IndirectJump { target } => {
                let target = self.word(*target);
                self.pin(&target, 64);
            }
            _ => {}
        }
    }

    /// A switch decides case by case, in order, so that each decision has two outcomes.
    fn switch(&mut self, scalar: Scalar, value: Operand, cases: Range) {
        let values = self.words(value, scalar);
        if values.iter().all(Value::is_concrete) {
            return;
        }
        let width = scalar.bits() as u8;
        let term = match values.len() {
            1 => self.term_of(&values[0], width),
            _ => None,
        };
        let Some(term) = term else {
            values.iter().for_each(|value| self.decide(value));
            return;
        };
        let function = self.frames.last().expect("a frame").function;
        for &(case, _) in &function.body.cases[cases.indices()] {
            let constant = self.terms.constant(u128::from(case), width);
            let equal = self.terms.equal(term, constant);
            if values[0].known.bits == case {
                self.fork(equal, ForkKind::Branch);
                return;
            }
            let differs = self.terms.not(equal);
            self.fork(differs, ForkKind::Branch);
        }
    }

    /// The condition that an instruction could not be executed.
    fn halt(&mut self, step: &Step) {
        let function = self.frames.last().expect("a frame").function;
        match &function.body.code[step.position as usize] {
            Instruction::Binary {
                operation,
                scalar,
                promises,
                left,
                right,
                ..
            } if scalar.words() == 1 => {
                let (left, right) = (self.word(*left), self.word(*right));
                let width = scalar.bits() as u8;
                let hazards = self.hazards(*operation, *promises, width, &left, &right);
                let hazards: Vec<Term> = hazards.into_iter().map(|hazard| hazard.0).collect();
                let any = self.terms.any(&hazards);
                self.fork(any, ForkKind::Undefined);
            }
            Instruction::Load {
                scalar, address, ..
            }
            | Instruction::Store {
                scalar, address, ..
            } => {
                let address = self.word(*address);
                self.miss(&address, u64::from(scalar.bytes()));
            }
            Instruction::Call { site } => {
                let site = &function.body.sites[site.0 as usize];
                let arguments: Vec<Value> = site
                    .arguments
                    .iter()
                    .map(|argument| self.word(argument.value))
                    .collect();
                match step.deed {
                    Deed::Builtin(id) if Builtin::from_id(id).name() == "__impasse_assume" => {
                        self.assume(&arguments[0], false);
                    }
                    _ => arguments.iter().for_each(|value| self.pin(value, 64)),
                }
            }
            other => {
                let mut values = Vec::new();
                other.for_each_operand(&function.body, |operand, _| {
                    values.push(self.word(operand));
                });
                values.iter().for_each(|value| self.pin(value, 64));
            }
        }
    }

    /// The condition that an access misses every object whose address its own is computed from: all such accesses are
    /// undefined, and need not be told apart.
    fn miss(&mut self, address: &Value, bytes: u64) {
        let Ok(term) = self.symbolic_term(address, 64) else {
            return self.pin(address, 64);
        };
        let terms = self.terms;
        let mut misses = Vec::new();
        for part in terms.below(&[term]) {
            let Some(constant) = terms.as_constant(part).filter(|_| terms.width(part) == 64) else {
                continue;
            };
            let object = Address::from_bits(constant as u64).object;
            let size = match object.kind() {
                ObjectKind::Global(n) => self
                    .subject
                    .system
                    .program
                    .globals()
                    .get(n as usize)
                    .map(|global| global.bytes.len() as u64),
                ObjectKind::Dynamic(n) => self.trace.made.get(n as usize).map(|&n| u64::from(n)),
                _ => None,
            };
            let Some(room) = size.and_then(|size| (size + 1).checked_sub(bytes)) else {
                continue;
            };
            let start = terms.constant(u128::from(Address::of(object).bits()), 64);
            let offset = terms.subtract(term, start);
            let room = terms.constant(u128::from(room), 64);
            misses.push(terms.test(Test::UnsignedLessEqual, room, offset));
        }
        let missed = terms.all(&misses);
        let symbols = terms.symbols_in(&[missed]);
        let mut values = impasse_solver::Values::new();
        for symbol in symbols {
            values.set(symbol, self.inputs.value(self.trace, symbol));
        }
        match misses.is_empty() || !terms.holds(missed, &values) {
            true => self.pin(address, 64),
            false => self.fork(missed, ForkKind::Undefined),
        }
    }

    fn assume(&mut self, condition: &Value, holds: bool) {
        if condition.is_concrete() {
            return;
        }
        match self.term_of(condition, 32) {
            Some(term) => {
                let zero = self.terms.equal(term, self.terms.constant(0, 32));
                let term = match holds {
                    true => self.terms.not(zero),
                    false => zero,
                };
                self.fork(term, ForkKind::Branch);
            }
            None => self.decide(condition),
        }
    }

    fn builtin(&mut self, name: &str, site: &CallSite, known: &[Known]) {
        let arguments: Vec<Value> = site
            .arguments
            .iter()
            .map(|argument| self.word(argument.value))
            .collect();
        let results = &known[arguments.len()..];
        match name {
            "__impasse_assume" => self.assume(&arguments[0], true),
            "memcpy" | "memmove" => self.copy(&arguments),
            "memset" => self.fill(&arguments),
            "__impasse_lock" | "__impasse_unlock" => {
                self.pin(&arguments[0], 64);
                let address = arguments[0].known.bits;
                let bytes = super::builtins::LOCK_BYTES as u8;
                if self.start != Start::Program {
                    let place = Address::from_bits(address);
                    let free = Known::number(u64::from(name == "__impasse_unlock"));
                    let value = self.load_bytes(place.object, place.offset as u32, bytes, free);
                    self.pin(&value, 32);
                }
                let taken = Known::number(u64::from(name == "__impasse_lock"));
                self.store(Scalar::Integer(32), address, vec![Value::concrete(taken)]);
            }
            "realloc" | "__libc_realloc" => {
                self.free(arguments[0].known.bits);
                self.reallocate(&arguments, results);
            }
            "free" | "__libc_free" => {
                self.pin(&arguments[0], 64);
                self.free(arguments[0].known.bits);
            }
            "__impasse_atomic_begin" => self.lives.sections += 1,
            "__impasse_atomic_end" => self.lives.sections -= 1,
            "calloc" | "__libc_calloc" => {
                arguments.iter().for_each(|value| self.pin(value, 64));
                let size = arguments[0]
                    .known
                    .bits
                    .saturating_mul(arguments[1].known.bits);
                let words = [results[0].bits, 0, size].map(|n| Value::concrete(Known::number(n)));
                if results[0].bits != 0 {
                    self.fill(&words);
                }
            }
            _ => arguments.iter().for_each(|value| self.pin(value, 64)),
        }
        for (index, &result) in results.iter().enumerate() {
            let slot = Slot(site.destination.0 + index as u32);
            self.assign(slot, result, Shadow::Concrete);
        }
    }

    /// What a turn frees that it did not make, it cannot free again.
    fn free(&mut self, address: u64) {
        if self.is_state(Address::from_bits(address).object) {
            self.flaw = Some("a turn that frees what it did not make".into());
        }
    }

    /// Notes an access to an object.
    fn touch(&mut self, object: ObjectId) {
        if self.start != Start::Program && !self.lives.scopes.contains_key(&object) {
            self.lives.used.insert(object);
        }
    }

    /// Whether objects end as alive as the turn needs them at its start.
    pub fn lives_on(&self) -> bool {
        let dead = self
            .lives
            .scopes
            .values()
            .any(|&(used, ended)| used && ended);
        !dead && self.lives.sections == 0
    }

    fn reallocate(&mut self, arguments: &[Value], results: &[Known]) {
        arguments.iter().for_each(|value| self.pin(value, 64));
        let (old, new) = (arguments[0].known.bits, results[0].bits);
        if old == 0 || new == 0 {
            return;
        }
        let kept = self.trace.sizes.get(&old).copied().unwrap_or(0);
        let count = u64::from(kept).min(arguments[1].known.bits);
        self.copy_bytes(new, old, count);
    }

    fn enter(&mut self, id: FunctionId, site: &'s CallSite, position: u32, made: &[Known]) {
        if let impasse_program::instruction::Callee::Address(operand) = site.callee {
            let callee = self.word(operand);
            self.pin(&callee, 64);
        }
        let signature = &self.subject.system.program.info(id).signature;
        let count = signature.parameters.len();
        let (fixed, rest) = site.arguments.split_at(count.min(site.arguments.len()));
        let mut made = made.iter().map(|known| known.bits);
        if signature.variadic {
            let area = made.next().unwrap_or(0);
            self.fill_area(area, rest);
        }
        let mut words = Vec::new();
        for argument in fixed {
            let mut values = self.words(argument.value, argument.scalar);
            if let Some((bytes, _)) = argument.by_value {
                self.pin(&values[0], 64);
                let copy = made.next().unwrap_or(0);
                self.copy_bytes(copy, values[0].known.bits, u64::from(bytes));
                values[0] = Value::concrete(Known::number(copy));
            }
            words.extend(values);
        }
        self.frames.last_mut().expect("a frame").position = position;
        self.push_frame(id);
        let frame = self.frames.last_mut().expect("the new frame");
        for (slot, value) in words.into_iter().enumerate() {
            frame.slots[slot] = Some(value);
        }
    }

    /// The object that holds variable arguments, laid out as the machine does.
    fn fill_area(&mut self, area: u64, arguments: &[impasse_program::instruction::Argument]) {
        let mut size = 0u64;
        for argument in arguments {
            let (bytes, align) = match argument.by_value {
                Some((bytes, align)) => (u64::from(bytes), u64::from(align)),
                None if argument.scalar.words() == 2 => (16, 16),
                None => (8, 8),
            };
            size = size.next_multiple_of(align.max(8));
            let at = area.wrapping_add(size);
            let values = self.words(argument.value, argument.scalar);
            match argument.by_value {
                Some(_) => {
                    self.pin(&values[0], 64);
                    self.copy_bytes(at, values[0].known.bits, bytes);
                }
                None => {
                    for (index, value) in values.into_iter().enumerate() {
                        let at = at.wrapping_add(8 * index as u64);
                        self.store(Scalar::Integer(64), at, vec![value]);
                    }
                }
            }
            size += bytes.next_multiple_of(8);
        }
    }

    fn return_from(&mut self, values: Range, known: &[Known]) {
        let function = self.frames.last().expect("a frame").function;
        let operands = function.body.operands_in(values);
        let values: Vec<Value> = operands.iter().map(|&operand| self.word(operand)).collect();
        if self.frames.len() == 1 {
            if self.at + 1 < self.trace.steps.len() {
                self.flaw = Some("a turn that leaves its function".into());
            }
            return;
        }
        self.frames.pop();
        let frame = self.frames.last().expect("the caller's frame");
        let body = &frame.function.body;
        let Instruction::Call { site } = body.code[frame.position as usize] else {
            return;
        };
        let site = &body.sites[site.0 as usize];
        let mut index = 0;
        for scalar in &site.results {
            for part in 0..scalar.words() {
                let width = scalar.bits().saturating_sub(part * 64).min(64) as u8;
                let shadow = match values.get(index) {
                    Some(value) => match self.symbolic_term(value, width) {
                        Ok(term) => Shadow::Term(term),
                        Err(shadow) => shadow,
                    },
                    None => Shadow::Concrete,
                };
                let slot = Slot(site.destination.0 + index as u32);
                self.assign(slot, known[index], shadow);
                index += 1;
            }
        }
    }
}

mod memory;

fn of_program(operation: BinaryOperation) -> Binary {
    use BinaryOperation as Op;
    match operation {
        Op::Add => Binary::Add,
        Op::Subtract => Binary::Subtract,
        Op::Multiply => Binary::Multiply,
        Op::UnsignedDivide => Binary::UnsignedDivide,
        Op::SignedDivide => Binary::SignedDivide,
        Op::UnsignedRemainder => Binary::UnsignedRemainder,
        Op::SignedRemainder => Binary::SignedRemainder,
        Op::ShiftLeft => Binary::ShiftLeft,
        Op::LogicalShiftRight => Binary::LogicalShiftRight,
        Op::ArithmeticShiftRight => Binary::ArithmeticShiftRight,
        Op::And => Binary::And,
        Op::Or => Binary::Or,
        Op::Xor => Binary::Xor,
    }
}

fn compare(terms: &Terms, comparison: Comparison, a: Term, b: Term) -> Term {
    match comparison {
        Comparison::Equal => terms.equal(a, b),
        Comparison::NotEqual => terms.differ(a, b),
        Comparison::UnsignedGreater => terms.test(Test::UnsignedLess, b, a),
        Comparison::UnsignedGreaterEqual => terms.test(Test::UnsignedLessEqual, b, a),
        Comparison::UnsignedLess => terms.test(Test::UnsignedLess, a, b),
        Comparison::UnsignedLessEqual => terms.test(Test::UnsignedLessEqual, a, b),
        Comparison::SignedGreater => terms.test(Test::SignedLess, b, a),
        Comparison::SignedGreaterEqual => terms.test(Test::SignedLessEqual, b, a),
        Comparison::SignedLess => terms.test(Test::SignedLess, a, b),
        Comparison::SignedLessEqual => terms.test(Test::SignedLessEqual, a, b),
    }
}

/// What a function without effects gives, where terms can say it. Values that it does not define are not asked for: the machine has found
/// the result defined.
fn compute(terms: &Terms, intrinsic: Intrinsic, a: &[Term], width: u8) -> Option<Vec<Term>> {
    use Intrinsic as F;
    let less = |test, x, y| terms.test(test, x, y);
    let overflow = |operation, test| {
        Some(vec![
            terms.binary(operation, a[0], a[1]),
            terms.test(test, a[0], a[1]),
        ])
    };
    match intrinsic {
        F::SignedMinimum => Some(vec![terms.choose(
            less(Test::SignedLess, a[0], a[1]),
            a[0],
            a[1],
        )]),
        F::SignedMaximum => Some(vec![terms.choose(
            less(Test::SignedLess, a[1], a[0]),
            a[0],
            a[1],
        )]),
        F::UnsignedMinimum => Some(vec![terms.choose(
            less(Test::UnsignedLess, a[0], a[1]),
            a[0],
            a[1],
        )]),
        F::UnsignedMaximum => Some(vec![terms.choose(
            less(Test::UnsignedLess, a[1], a[0]),
            a[0],
            a[1],
        )]),
        F::SignedAddOverflow => overflow(Binary::Add, Test::SignedAddOverflow),
        F::UnsignedAddOverflow => overflow(Binary::Add, Test::UnsignedAddOverflow),
        F::SignedSubtractOverflow => overflow(Binary::Subtract, Test::SignedSubtractOverflow),
        F::UnsignedSubtractOverflow => overflow(Binary::Subtract, Test::UnsignedLess),
        F::SignedMultiplyOverflow => overflow(Binary::Multiply, Test::SignedMultiplyOverflow),
        F::UnsignedMultiplyOverflow => overflow(Binary::Multiply, Test::UnsignedMultiplyOverflow),
        F::SwapBytes => {
            let bytes = (0..width / 8).map(|n| terms.extract(a[0], n * 8, 8));
            let joined = bytes.reduce(|high, low| terms.concatenate(high, low));
            Some(vec![joined?])
        }
        _ => None,
    }
}
