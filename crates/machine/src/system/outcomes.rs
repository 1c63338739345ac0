//! The final values of variables that a program marks: what a litmus test is about.
//!
//! A marked variable is one whose name for linking begins with `MARK`, which the macro `IMPASSE_OUTCOME` of `impasse.h` gives it.
//! The values are those in memory when the program exits. A program that exits while other threads are alive ends with their delayed stores
//! in memory or not: both are outcomes.

use crate::base::fault::Result;
use crate::machine::Machine;
use crate::memory_model::Route;
use crate::state::memory::{Access, Spot};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::Scalar;
use impasse_program::link::Program;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// How the names of marked variables begin.
const MARK: &str = "impasse.outcome.";

/// Marked variables, and the sets of values that they had when the program ended.
pub struct Outcomes {
    marked: Vec<u32>,
    found: Mutex<BTreeSet<Vec<(String, String)>>>,
}

impl Outcomes {
    /// No outcomes yet; the marked variables of a program, if they are `wanted`.
    pub fn new(program: &Program, wanted: bool) -> Outcomes {
        let globals = program.globals().iter().enumerate();
        let marked = globals.filter(|(_, g)| wanted && g.name.starts_with(MARK));
        Outcomes {
            marked: marked.map(|(n, _)| n as u32).collect(),
            found: Mutex::default(),
        }
    }

    /// Whether any variable is marked.
    pub fn any_marked(&self) -> bool {
        !self.marked.is_empty()
    }

    /// The outcomes as lines, in order.
    pub fn found(&self) -> Vec<String> {
        let found = self
            .found
            .lock()
            .expect("no thread panics while it holds the lock");
        let line = |values: &Vec<(String, String)>| {
            let parts: Vec<String> = values.iter().map(|(n, v)| format!("{n}={v}")).collect();
            parts.join(" ")
        };
        found.iter().map(line).collect()
    }
}

impl Machine<'_> {
    /// The program is about to exit: its marked variables are read.
    pub fn observe_outcome(&mut self) -> Result<()> {
        let system = self.system;
        for &global in &system.outcomes.marked {
            let size = self.program.globals()[global as usize].bytes.len() as u64;
            let address = Address::of(ObjectId::global(global));
            self.observe_also(Route::Direct, address, size, Access::Read, true)?;
        }
        Ok(())
    }

    /// Notes the values of the marked variables.
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
                    .describe_part(Address { object, offset }, width as u64);
                values.push((name, self.show(scalar, Value::one(word))));
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
