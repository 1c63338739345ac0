//! What an execution owes to its environment: numbers from outside, addresses, and output.

use super::super::environment::{
    Answer, answer, gives_buffer, is_excluded, is_trusted, limits_time, prints,
};
use super::super::trace::{Effect, End, Input, Source};
use super::Recorder;
use crate::concolic::reading::reading;
use crate::problem::Reading;
use impasse_machine::base::fault::CodePlace;
use impasse_program::address::Address;
use impasse_program::instruction::{
    BinaryOperation, CallSite, Comparison, Instruction, Operand, Scalar, Slot, VariablePlace,
};
use impasse_program::link::FunctionId;
use impasse_program::word::{Word, mask};

impl Recorder<'_, '_> {
    /// A call, by the program, of a function whose answer comes from outside, or that prints. None
    /// if it is executed like any other.
    pub(super) fn record_outside(&mut self, id: FunctionId) -> Option<Option<End>> {
        let system = self.subject.system;
        if !self.machine.in_users_code() || system.own[id.0 as usize] {
            return None;
        }
        self.record_outside_named(&system.program.info(id).name)
    }

    pub(super) fn record_outside_named(&mut self, name: &str) -> Option<Option<End>> {
        let system = self.subject.system;
        let (site, _) = self.machine.call()?;
        let arguments = site.arguments.iter();
        let arguments: Vec<Word> = arguments.map(|a| self.machine.read(a.value)).collect();
        if !self.is_read(site) && prints(system, &self.machine, name, &arguments) {
            self.machine.answer(Word::undefined(32));
            self.set_effect(Effect::Printed);
            return Some(None);
        }
        if limits_time(name, &arguments) {
            self.trace.halted = true;
            return Some(Some(End::Unsupported(self.calls(name))));
        }
        let answered = match gives_buffer(name, &arguments) {
            true => Answer::Fixed,
            false => answer(name)?,
        };
        match answered {
            Answer::Number { bits, signed } => {
                let source = Source::Environment(name.to_owned());
                Some(self.ask(source, bits, signed))
            }
            Answer::Once { bits, signed } => {
                let asked = (
                    name.to_owned(),
                    arguments.iter().map(|word| word.bits).collect(),
                );
                match self.asked.get(&asked) {
                    Some(&index) => self.answer_with(index),
                    None => {
                        let index = self.trace.inputs.len() as u32;
                        self.asked.insert(asked, index);
                        let source = Source::Fixed(name.to_owned());
                        let end = self.ask(source, bits, signed);
                        let value = self.trace.values.get(index as usize).copied();
                        if end.is_none() && value.is_some_and(|value| is_excluded(name, value)) {
                            return Some(Some(End::Infeasible));
                        }
                        return Some(end);
                    }
                }
                Some(None)
            }
            Answer::Fixed => {
                self.note_condition(|place| does_the_same(name, place));
                None
            }
            Answer::Memory => {
                self.trace.assumes_memory = true;
                None
            }
        }
    }

    /// Notes that an object is used, which would have ended the program had its allocation failed.
    pub(super) fn note_use(&mut self, instruction: &Instruction) {
        if self.fresh.is_empty() {
            return;
        }
        if let Instruction::Load { address, .. } | Instruction::Store { address, .. } = *instruction
        {
            let object = Address::from_bits(self.machine.read(address).bits).object;
            self.fresh.remove(&object);
        }
    }

    /// Notes that the program looks whether an allocation has failed.
    fn note_check(&mut self, instruction: &Instruction) {
        let Instruction::Compare { left, right, .. } = *instruction else {
            return;
        };
        let is_fresh = |operand: Operand| {
            let word = self.machine.read(operand);
            word.pointer && self.fresh.contains(&Address::from_bits(word.bits).object)
        };
        if is_fresh(left) || is_fresh(right) {
            self.trace.assumes_memory = true;
        }
    }

    /// Whether what a call returns is read.
    fn is_read(&self, site: &CallSite) -> bool {
        let body = &self.machine.function().body;
        let next = self.machine.place().position.0 as usize + 1;
        let live = &body.live_sets[body.live[next] as usize];
        let results = site
            .results
            .iter()
            .map(|scalar| scalar.words())
            .sum::<u32>();
        let first = site.destination.0;
        live.iter()
            .any(|slot| (first..first + results).contains(&slot.0))
    }

    /// A call of a function that is defined nowhere: what it returns is an input, if the user asks
    /// for that.
    pub(super) fn record_unknown(&mut self, site: &CallSite, index: u32) -> Option<End> {
        let name = self.subject.system.program.missing()[index as usize].clone();
        if !self.subject.havoc_functions {
            self.trace.halted = true;
            let option = "--unknown-functions havoc takes what it returns for an input";
            return Some(End::Unsupported(format!(
                "the function {name}, which is defined nowhere ({option})"
            )));
        }
        self.note_condition(|place| {
            format!(
                "{name}, which is called at {place} and defined nowhere, returns and changes nothing"
            )
        });
        match site.results[..] {
            [] => {
                self.set_effect(Effect::Printed);
                self.machine.answer(Word::undefined(32));
                None
            }
            [Scalar::Integer(bits)] => self.ask(Source::Unknown(name), bits, true),
            _ => {
                self.trace.halted = true;
                Some(End::Unsupported(format!(
                    "the function {name}, which is defined nowhere and returns no integer"
                )))
            }
        }
    }

    /// A local variable that the program does not initialise: what it holds is an input.
    pub(super) fn record_uninitialised(&mut self, slot: Slot, bits: u8) -> Option<End> {
        if self.trace.inputs.len() >= self.bounds.inputs {
            self.forget_step();
            return Some(End::Cut);
        }
        let place = self.machine.place();
        if let Some(end) = self.step() {
            return Some(end);
        }
        let program = &self.subject.system.program;
        let variables = &self.machine.function().body.variables;
        let variable = variables.iter().find(|variable| {
            matches!(variable.place, VariablePlace::Value { slot: held, .. } if held == slot)
        });
        let debug = program.debug(program.info(place.function).unit);
        let reading = variable.and_then(|variable| reading(debug, variable.ty?));
        let name = variable.map_or("variable", |variable| &variable.name);
        let index = self.trace.inputs.len() as u32;
        let value = self.take(Input {
            source: Source::Uninitialised(name.to_owned()),
            bits,
            signed: reading != Some(Reading::Unsigned),
            place: Some(place),
        });
        self.machine.assign(slot, Word::number(value));
        self.set_effect(Effect::Input(index));
        self.keep_slots(slot, 1);
        None
    }

    /// In place of executing the call that is next: it returns a new input.
    pub(super) fn ask(&mut self, source: Source, bits: u8, signed: bool) -> Option<End> {
        if self.trace.inputs.len() >= self.bounds.inputs {
            self.forget_step();
            return Some(End::Cut);
        }
        let index = self.trace.inputs.len() as u32;
        let place = Some(self.machine.place());
        self.take(Input {
            source,
            bits,
            signed,
            place,
        });
        self.answer_with(index);
        None
    }

    /// In place of executing the call that is next: it returns this input.
    pub(super) fn answer_with(&mut self, index: u32) {
        let (input, value) = (
            &self.trace.inputs[index as usize],
            self.trace.values[index as usize],
        );
        let unused = 64 - u32::from(input.bits);
        let wide = match input.signed {
            true => (((value << unused) as i64) >> unused) as u64,
            false => value,
        };
        let (site, _) = self.machine.call().expect("a call");
        let bits = site.results.first().map_or(64, |scalar| scalar.bits());
        self.set_effect(Effect::Input(index));
        self.machine.answer(Word::number(wide & mask(bits.min(64))));
        self.keep_slots(site.destination, u32::from(!site.results.is_empty()));
    }

    /// Notes whether the next instruction, one of the program's own, computes with addresses as
    /// numbers.
    pub(super) fn note_address(&mut self, instruction: &Instruction) {
        if !self.fresh.is_empty() {
            self.note_check(instruction);
        }
        if sees_address(instruction, |operand| self.machine.read(operand)) {
            self.note_condition(|place| {
                format!("objects lie where they do here, which {place} depends on")
            });
        }
    }

    /// Notes that the next instruction asks the system for what a function of the library needs.
    pub(super) fn note_system_call(&mut self) {
        let subject = self.subject;
        let frames = self.machine.frames();
        let is_own = |place: &CodePlace| subject.system.own[place.function.0 as usize];
        let Some(own) = frames.iter().position(is_own) else {
            return;
        };
        let called = own.checked_sub(1).and_then(|at| frames.get(at));
        let called = called.map_or("the system", |place| {
            &subject.system.program.info(place.function).name
        });
        if !is_trusted(called) {
            self.note_condition_at(frames[own], |place| does_the_same(called, place));
        }
    }

    /// Notes that the next instruction depends on the environment.
    fn note_condition(&mut self, what: impl Fn(&str) -> String) {
        self.note_condition_at(self.machine.place(), what);
    }

    fn note_condition_at(&mut self, place: CodePlace, what: impl Fn(&str) -> String) {
        const MOST: usize = 8;
        let place = self.subject.line_of(place);
        let text = what(&format!("{}:{}", place.file, place.line));
        let known = &mut self.trace.conditions;
        if known.len() < MOST && !known.iter().any(|(_, other)| *other == text) {
            known.push((self.trace.steps.len() as u32, text));
        }
    }

    /// What the program calls that is not followed, with its line.
    pub(super) fn calls(&self, name: &str) -> String {
        let system = self.subject.system;
        let frames = self.machine.frames();
        let own = frames
            .iter()
            .position(|place| system.own[place.function.0 as usize]);
        let called = own.and_then(|own| frames.get(own.checked_sub(1)?));
        let name = match called {
            Some(place) => &system.program.info(place.function).display_name,
            None => name,
        };
        let line = own.map(|own| self.subject.line_of(frames[own]));
        let line = line.map_or(String::new(), |line| {
            format!(", called at {}:{}", line.file, line.line)
        });
        format!("the function {name}{line}")
    }
}

fn does_the_same(name: &str, place: &str) -> String {
    format!("{name}, which is called at {place}, does what it does here")
}

/// Whether an instruction computes with an address such that the result depends on where objects
/// lie.
pub(in crate::concolic) fn sees_address(
    instruction: &Instruction,
    read: impl Fn(Operand) -> Word,
) -> bool {
    let object = |word: Word| Address::from_bits(word.bits).object;
    // Low bits are known where objects are aligned.
    const LOW: u64 = 8;
    match *instruction {
        Instruction::Compare {
            comparison,
            scalar,
            left,
            right,
            ..
        } if scalar.words() == 1 => {
            let (a, b) = (read(left), read(right));
            let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
            (a.pointer || b.pointer) && !equality && object(a) != object(b)
        }
        Instruction::Binary {
            operation,
            scalar,
            left,
            right,
            ..
        } if scalar.words() == 1 => {
            let (a, b) = (read(left), read(right));
            let harmless = match operation {
                BinaryOperation::Subtract => object(a) == object(b),
                BinaryOperation::And => !b.pointer && b.bits < LOW,
                BinaryOperation::Or => !b.pointer && b.bits < LOW,
                _ => false,
            };
            (a.pointer || b.pointer) && !harmless
        }
        _ => false,
    }
}
