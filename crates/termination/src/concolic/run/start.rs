//! The start of the recorded part: inputs in memory, and the call of the function under test.

use super::{Parameter, Recorder};
use crate::concolic::trace::{End, Input};
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::Slot;
use impasse_program::word::Word;

impl Recorder<'_, '_> {
    /// Puts inputs where they are from the start, and enters the function under test.
    pub(super) fn prepare(&mut self) -> Option<End> {
        let subject = self.subject;
        for placed in subject.globals.iter().flatten() {
            self.place(placed.object, placed.offset, &placed.input);
        }
        let (function, parameters) = subject.test.as_ref()?;
        let mut words = Vec::new();
        for (slot, parameter) in parameters.iter().enumerate() {
            words.push(match parameter {
                Parameter::Value(input) => {
                    let slot = Slot(slot as u32);
                    let index = self.trace.inputs.len() as u32;
                    self.trace.parameters.push((slot, index));
                    Word::number(self.take(input.clone()))
                }
                Parameter::Object(pointee) => {
                    let address = self.machine.allocate(&vec![0; pointee.bytes as usize]);
                    let object = Address::from_bits(address.bits).object;
                    for (offset, input) in &pointee.inputs {
                        self.place(object, *offset, input);
                    }
                    for &(at, target) in &pointee.links {
                        let to = Address {
                            object,
                            offset: i64::from(target),
                        };
                        self.machine.point(object, at, Word::pointer(to.bits()));
                    }
                    address
                }
            });
        }
        match self.machine.replace(*function, &words) {
            Ok(()) => None,
            Err(halt) => Some(self.halted(halt)),
        }
    }

    fn place(&mut self, object: ObjectId, offset: u32, input: &Input) {
        let index = self.trace.inputs.len() as u32;
        let bytes = u32::from(input.bits).div_ceil(8) as usize;
        let value = self.take(input.clone());
        self.machine
            .overwrite(object, offset as usize, &value.to_le_bytes()[..bytes]);
        self.trace.placed.push((object, offset, index));
    }
}
