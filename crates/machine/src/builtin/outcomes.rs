//! Reading the final values of marked variables ([`crate::machine::outcomes`]).

use crate::base::fault::Result;
use crate::machine::Machine;
use crate::machine::route::Route;
use crate::state::memory::{Access, Spot};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::Scalar;
use impasse_program::word::Time;

/// Stands for a value that depends on the time, where the time is unknown.
const ANY_TIME: &str = "(a time)";

impl Machine<'_> {
    /// Reads the marked variables as a visible action: the program is about to exit. Halts at a
    /// scheduling point.
    pub fn observe_outcome(&mut self) -> Result<()> {
        let system = self.system;
        for &global in &system.outcomes.marked {
            let size = self.program.globals()[global as usize].bytes.len() as u64;
            let address = Address::of(ObjectId::global(global));
            self.observe_also(Route::Direct, address, size, Access::Read, true)?;
        }
        Ok(())
    }

    /// Adds the values of the marked variables to the outcomes.
    pub fn note_outcome(&mut self) {
        let system = self.system;
        if !system.outcomes.any_marked() {
            return;
        }
        let mut values = Vec::new();
        for &global in &system.outcomes.marked {
            let size = self.program.globals()[global as usize].bytes.len();
            let width = match size {
                1 | 2 | 8 => size,
                _ if size.is_multiple_of(4) => 4,
                _ => 1,
            };
            for offset in (0..size).step_by(width) {
                let object = ObjectId::global(global);
                let word = self.memory.load(Spot { object, offset }, width);
                let scalar = match word.pointer {
                    true => Scalar::Pointer,
                    false => Scalar::Integer(width as u8 * 8),
                };
                let offset = offset as i64;
                let name = self
                    .memory
                    .describe_subobject(Address { object, offset }, width as u64);
                let value = match word.time {
                    Time::NONE => self.show(scalar, Value::one(word)),
                    _ => ANY_TIME.into(),
                };
                values.push((name, value));
            }
        }
        let mut found = system
            .outcomes
            .found
            .lock()
            .expect("no thread panics while it holds the lock");
        found.insert(values);
    }
}
