//! Records calls of builtins, those that read inputs among them.

use super::Recorder;
use super::memory_hash::hash_of_life;
use crate::concolic::builtins::{frees, is_followed, writes};
use crate::concolic::trace::{Effect, End, Input, Source};
use impasse_program::address::{Address, ObjectId};
use impasse_program::link::BuiltinId;
use impasse_program::word::Word;

impl Recorder<'_, '_> {
    pub(super) fn record_builtin(&mut self, name: &'static str, id: BuiltinId) -> Option<End> {
        let (site, _) = self.machine.call().expect("a call");
        let arguments: Vec<Word> = site
            .arguments
            .iter()
            .map(|argument| self.machine.read(argument.value))
            .collect();
        match name {
            "__impasse_choose_range" | "__impasse_choose_upper_half" => {
                return self.record_input(name, &arguments);
            }
            "__impasse_snapshot_read" if arguments[0].bits as i64 == -1 => {
                return self.record_bytes(&arguments);
            }
            "__impasse_choose" => {
                self.trace.halted = true;
                return Some(End::Unsupported(self.calls(name)));
            }
            _ => {}
        }
        if !is_followed(name) {
            self.trace.halted = true;
            return Some(End::Unsupported(self.calls(name)));
        }
        if name == "__impasse_asks" {
            self.note_system_call();
        }
        self.set_effect(Effect::Builtin(id));
        for &word in &arguments {
            self.keep(word);
        }
        let freed = frees(name).then(|| Address::from_bits(arguments[0].bits).object);
        self.memory ^= freed.map_or(0, |object| self.hash_of_object(object));
        if let Some(size) = freed
            .and_then(|object| self.machine.object(object))
            .map(|o| o.size())
        {
            self.trace.sizes.insert(arguments[0].bits, size);
        }
        let written = writes(name, &arguments);
        self.memory ^= written.map_or(0, |(to, bytes)| self.hash_of(to, bytes));
        let made = self.machine.objects_made();
        if let Some(end) = self.step() {
            return Some(end);
        }
        self.memory ^= written.map_or(0, |(to, bytes)| self.hash_of(to, bytes));
        let is_own = self.machine.in_users_code();
        for object in (made..self.machine.objects_made()).map(ObjectId::dynamic) {
            if is_own {
                self.fresh.insert(object);
            }
            self.memory ^= self.hash_of_object(object) ^ hash_of_life(object);
        }
        self.memory ^= freed.map_or(0, hash_of_life);
        self.keep_slots(site.destination, site.result_words());
        None
    }

    fn record_input(&mut self, builtin: &str, arguments: &[Word]) -> Option<End> {
        if self.trace.inputs.len() >= self.bounds.inputs {
            self.forget_step();
            return Some(End::Cut);
        }
        let name = self
            .machine
            .memory()
            .string(arguments[0])
            .unwrap_or_default();
        if matches!(
            name.as_str(),
            "float" | "double" | "longdouble" | "long_double" | "ldouble"
        ) {
            self.gap("an input of a floating-point type, of which only integral values are tried");
        }
        let index = self.trace.inputs.len() as u32;
        let place = self
            .machine
            .frames()
            .into_iter()
            .find(|place| self.subject.system.own[place.function.0 as usize]);
        let (source, bits, signed) = match (builtin, arguments[1].bits) {
            ("__impasse_choose_upper_half", signed) => (Source::UpperHalf(name), 64, signed != 0),
            (_, 128) => (Source::LowerHalf(name), 64, false),
            (_, bits) => (Source::Call(name), bits as u8, arguments[2].bits != 0),
        };
        self.take(Input {
            source,
            bits,
            signed,
            place,
        });
        self.answer_with(index);
        None
    }

    /// The machine gives the program part of its standard input: every byte is an input.
    fn record_bytes(&mut self, arguments: &[Word]) -> Option<End> {
        let (to, offset) = (Address::from_bits(arguments[1].bits), arguments[2].bits);
        let count = arguments[3].bits;
        if self.trace.inputs.len() + count as usize > self.bounds.inputs {
            self.forget_step();
            return Some(End::Cut);
        }
        if let Some(end) = self.step() {
            return Some(end);
        }
        self.gap("standard input has a fixed length");
        self.set_effect(Effect::Bytes(self.trace.inputs.len() as u32));
        for &word in arguments {
            self.keep(word);
        }
        for at in 0..count {
            let value = self.take(Input {
                source: Source::StandardInput((offset + at) as u32),
                bits: 8,
                signed: false,
                place: None,
            });
            let place = to.offset as usize + at as usize;
            self.machine.overwrite(to.object, place, &[value as u8]);
        }
        self.memory ^= self.hash_of(Word::pointer(to.bits()), count);
        None
    }
}
