//! Executes and records one instruction.

use super::Recorder;
use crate::concolic::environment::is_system_call;
use crate::concolic::signs::{Sign, is_decided_by_type};
use crate::concolic::trace::{Effect, End, Step};
use crate::concolic::wraps::{Wrap, wrap};
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::machine::builtin::Builtin;
use impasse_machine::system::sequential::Progress;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{Body, Conversion, Instruction, Operand, Place, Scalar, Slot};
use impasse_program::link::Target;
use impasse_program::word::Word;

/// Inputs can make a local array as large as they like: runs with a larger one than these bytes,
/// more than any usual stack, cost time and show nothing new.
const LARGEST_LOCAL: u64 = 1 << 26;

impl<'s> Recorder<'_, 's> {
    /// Executes and records one instruction; how the execution ended, if it did.
    pub(super) fn record(&mut self) -> Option<End> {
        let place = self.machine.place();
        let step = Step {
            function: place.function,
            position: place.position.0,
            words: self.trace.words.len() as u32,
            effect: Effect::Ordinary,
        };
        self.trace.steps.push(step);
        let instruction = self.machine.next();
        match instruction {
            Instruction::Call { .. } => self.record_call(),
            Instruction::Return { .. } => self.record_return(),
            _ => self.record_ordinary(instruction),
        }
    }

    pub(super) fn set_effect(&mut self, effect: Effect) {
        self.trace.steps.last_mut().expect("a step").effect = effect;
    }

    pub(super) fn keep(&mut self, word: Word) {
        self.trace.words.push(word.into());
    }

    /// Keeps what was assigned to slots.
    pub(super) fn keep_slots(&mut self, first: Slot, count: u32) {
        for slot in first.0..first.0 + count {
            let word = self.machine.slots()[slot as usize];
            self.keep(word);
        }
    }

    pub(super) fn step(&mut self) -> Option<End> {
        match self.machine.step() {
            Progress::On => None,
            Progress::Exit(_) => {
                self.forget_step();
                Some(End::Ended)
            }
            Progress::Halted(halt) => {
                self.trace.halted = true;
                Some(self.halted(halt))
            }
        }
    }

    /// Takes back the last step.
    pub(super) fn forget_step(&mut self) {
        if let Some(step) = self.trace.steps.pop() {
            self.trace.words.truncate(step.words as usize);
        }
    }

    /// Notes whether the next instruction, one of the program's own, wraps around.
    fn note_wrap(&mut self, instruction: &Instruction) {
        let is_constant = |operand: Operand| matches!(operand.place(), Place::Constant(_));
        let Some(wrap) = wrap(instruction, is_constant, |operand| {
            self.machine.read(operand)
        }) else {
            return;
        };
        let step = self.trace.steps.len() as u32 - 1;
        self.trace.wrap.get_or_insert(step);
        if wrap == Wrap::Signed {
            self.trace.overflow.get_or_insert(step);
        }
    }

    /// Whether the next instruction, one of the program's own, has other operands, another result
    /// or another outcome than over unbounded integers.
    fn leaves_type(&mut self, instruction: &Instruction) -> bool {
        if self.trace.wrap.is_some() || self.misreads(instruction) {
            return true;
        }
        if !matches!(instruction, Instruction::Compare { .. }) {
            return false;
        }
        let machine = &self.machine;
        let decided = || {
            let body = &machine.function().body;
            is_decided_by_type(body, instruction, |operand| machine.read(operand))
        };
        let known = self.decided.entry(machine.place());
        *known.or_insert_with(decided)
    }

    fn record_ordinary(&mut self, instruction: &'s Instruction) -> Option<End> {
        if self.machine.in_users_code() {
            self.note_wrap(instruction);
            self.note_address(instruction);
            if let Instruction::Load { volatile: true, .. } = instruction {
                self.gap("what volatile variables hold is taken for what the program wrote");
            }
            if self.subject.integers && self.leaves_type(instruction) {
                self.forget_step();
                return Some(End::Wrapped);
            }
        }
        let made = self.made(instruction);
        if self.makes_large_local(instruction) {
            self.forget_step();
            return Some(End::Cut);
        }
        if let Instruction::Undefine {
            destination,
            scalar: Scalar::Integer(bits),
        } = *instruction
            && self.subject.havoc_locals
            && self.machine.in_users_code()
        {
            return self.record_uninitialised(destination, bits);
        }
        self.note_use(instruction);
        let written = self.operands_of(instruction);
        self.memory ^= written.map_or(0, |(address, bytes)| self.hash_of(address, bytes));
        let rounded = self.rounds(instruction).then(|| self.machine.own_place());
        if let Some(end) = self.step() {
            return Some(end);
        }
        self.memory ^= written.map_or(0, |(address, bytes)| self.hash_of(address, bytes));
        if let Some((first, count)) = instruction.definitions(&self.machine.function().body) {
            let is_defined = self.machine.slots()[first.0 as usize].is_defined();
            if let Some(place) = rounded.filter(|_| !is_defined) {
                self.trace.halted = true;
                let what = "a number with a fraction is converted to a type that it does not fit";
                return Some(End::Undefined(
                    ErrorKind::UndefinedValue,
                    what.into(),
                    place,
                ));
            }
            if let Some((sign, width)) = made.filter(|_| is_defined) {
                let bits = self.machine.slots()[first.0 as usize].bits;
                self.signs.note(sign, bits, width);
            }
            self.keep_slots(first, count);
        }
        None
    }

    /// Whether an instruction of the program's own reads a number with another sign than it was
    /// made with.
    fn misreads(&self, instruction: &Instruction) -> bool {
        let read = |operand| self.machine.read(operand);
        self.signs.misreads(instruction, read)
    }

    /// As what an instruction of the program's own makes its result, over unbounded integers.
    fn made(&self, instruction: &Instruction) -> Option<(Sign, u32)> {
        if !self.subject.integers || !self.machine.in_users_code() {
            return None;
        }
        self.signs
            .result(instruction, |operand| self.machine.read(operand))
    }

    /// Whether an instruction converts a floating-point number, which is defined, to an integer.
    fn rounds(&self, instruction: &Instruction) -> bool {
        let Instruction::Convert {
            conversion: Conversion::FloatToSigned | Conversion::FloatToUnsigned,
            source,
            ..
        } = instruction
        else {
            return false;
        };
        self.machine.read(*source).is_defined()
    }

    /// Whether the instruction makes a local array that is large by what the program computed.
    fn makes_large_local(&self, instruction: &Instruction) -> bool {
        let Instruction::Allocate {
            count,
            element_bytes,
            ..
        } = *instruction
        else {
            return false;
        };
        let is_constant = matches!(count.place(), Place::Constant(_));
        let elements = self.machine.read(count).bits;
        !is_constant && elements.saturating_mul(element_bytes) > LARGEST_LOCAL
    }

    /// Keeps the addresses and sizes that an instruction uses; the part of memory that it will
    /// write.
    fn operands_of(&mut self, instruction: &Instruction) -> Option<(Word, u64)> {
        use Instruction as I;
        let list_bytes = self.subject.system.program.list_bytes();
        let mut used = |operand: Operand| {
            let word = self.machine.read(operand);
            self.trace.words.push(word.into());
            word
        };
        match *instruction {
            I::Load { address, .. } => {
                used(address);
                None
            }
            I::Store {
                scalar,
                source,
                address,
                ..
            } => {
                let to = used(address);
                used(source);
                Some((to, u64::from(scalar.bytes())))
            }
            I::Update {
                scalar, address, ..
            }
            | I::CompareExchange {
                scalar, address, ..
            } => Some((used(address), u64::from(scalar.bytes()))),
            I::CopyMemory {
                destination,
                source,
                bytes,
                ..
            }
            | I::FillMemory {
                destination,
                value: source,
                bytes,
            } => {
                let to = used(destination);
                used(source);
                Some((to, used(bytes).bits))
            }
            I::VariableArgumentsStart { list } => Some((used(list), list_bytes)),
            I::VariableArgumentsCopy {
                destination,
                source,
            } => {
                let to = used(destination);
                used(source);
                Some((to, list_bytes))
            }
            I::LifetimeStart { address, .. } | I::LifetimeEnd { address } => {
                let word = used(address);
                let object = Address::from_bits(word.bits).object;
                let size = self.machine.object(object).map_or(0, |o| o.size());
                self.trace.sizes.insert(word.bits, size);
                Some((word, u64::from(size)))
            }
            _ => None,
        }
    }

    fn record_return(&mut self) -> Option<End> {
        self.set_effect(Effect::Returned);
        let own: Vec<ObjectId> = self.machine.own_objects().to_vec();
        for object in own {
            self.memory ^= self.hash_of_object(object);
        }
        if let Some(end) = self.step() {
            return Some(end);
        }
        self.frames.pop();
        if self.frames.is_empty() {
            return None;
        }
        // The cursor stands behind the call by now.
        let position = self.machine.place().position.0.checked_sub(1)?;
        let body: &Body = &self.machine.function().body;
        if let Instruction::Call { site } = body.code[position as usize] {
            let site = &body.sites[site.0 as usize];
            self.keep_slots(site.destination, site.result_words());
        }
        None
    }

    fn record_call(&mut self) -> Option<End> {
        match self.machine.call() {
            Some((_, Target::Builtin(id))) => self.record_builtin(Builtin::from_id(id).name(), id),
            Some((site, Target::Function(id))) if self.machine.converts(site, id) => {
                self.trace.halted = true;
                let name = &self.subject.system.program.info(id).display_name;
                Some(End::Unsupported(format!(
                    "{name} declared with other types"
                )))
            }
            Some((site, Target::Missing(index))) => self.record_unknown(site, index),
            Some((_, Target::Function(id))) => {
                if let Some(end) = self.record_outside(id) {
                    return end;
                }
                if is_system_call(&self.subject.system.program, id) {
                    self.note_system_call();
                }
                let before = self.machine.objects_made();
                if let Some(end) = self.step() {
                    return Some(end);
                }
                self.set_effect(Effect::Entered(id));
                self.enter_activation();
                for made in before..self.machine.objects_made() {
                    let object = ObjectId::dynamic(made);
                    self.memory ^= self.hash_of_object(object);
                    self.keep(Word::pointer(Address::of(object).bits()));
                }
                None
            }
            // Whatever it is, the machine says what is wrong with it.
            _ => self.step().or(Some(End::Unsupported(
                "a call of something that is no function".into(),
            ))),
        }
    }
}
