//! Calls and returns, and the functions of the machine itself.

use super::{Replay, Start};
use crate::concolic::shadow::{Shadow, Value};
use crate::concolic::trace::Known;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{CallSite, Instruction, Range, Scalar, Slot};
use impasse_program::link::FunctionId;

impl<'a, 's> Replay<'a, 's> {
    pub(super) fn builtin(&mut self, name: &str, site: &CallSite, known: &[Known]) {
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
                let bytes = crate::concolic::builtins::LOCK_BYTES as u8;
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
            "__impasse_atomic_begin"
            | "__impasse_atomic_load_begin"
            | "__impasse_atomic_update_begin" => self.lives.sections += 1,
            "__impasse_atomic_end" | "__impasse_atomic_access_end" => self.lives.sections -= 1,
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

    /// What an iteration frees that it did not make, it cannot free again.
    fn free(&mut self, address: u64) {
        if self.is_state(Address::from_bits(address).object) {
            self.flaw = Some("an iteration that frees what it did not make".into());
        }
    }

    /// Notes an access to an object.
    pub(super) fn touch(&mut self, object: ObjectId) {
        if self.start != Start::Program && !self.lives.scopes.contains_key(&object) {
            self.lives.used.insert(object);
        }
    }

    /// Whether objects end as alive as the iteration needs them at its start.
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

    pub(super) fn enter(
        &mut self,
        id: FunctionId,
        site: &'s CallSite,
        position: u32,
        made: &[Known],
    ) {
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
        let layout = self.subject.system.program.variable_arguments(arguments);
        for (argument, offset, promoted) in layout.arguments {
            let at = area.wrapping_add(offset);
            let values = self.words(argument.value, argument.scalar);
            match argument.by_value {
                Some((bytes, _)) => {
                    self.pin(&values[0], 64);
                    self.copy_bytes(at, values[0].known.bits, u64::from(bytes));
                }
                None => self.store(promoted, at, values),
            }
        }
    }

    pub(super) fn return_from(&mut self, values: Range, known: &[Known]) {
        let function = self.frames.last().expect("a frame").function;
        let operands = function.body.operands_in(values);
        let values: Vec<Value> = operands.iter().map(|&operand| self.word(operand)).collect();
        if self.frames.len() == 1 {
            if self.at + 1 < self.trace.steps.len() {
                self.flaw = Some("an iteration that leaves its function".into());
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
