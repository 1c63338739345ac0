//! What was linked, for people: the size of a program, what it takes from the machine, and what it
//! cannot run.

use crate::instruction::{Instruction, Position};
use crate::link::{FunctionId, Program, Target};
use crate::source::SourceLocation;
use std::collections::BTreeMap;
use std::fmt;

/// How much of something there is, in all and in the user's own units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// In all units.
    pub all: u64,
    /// In the user's.
    pub users: u64,
}

impl Count {
    fn add(&mut self, amount: u64, users: bool) {
        self.all += amount;
        if users {
            self.users += amount;
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} of them yours)", self.all, self.users)
    }
}

/// Something that makes a verdict inconclusive when execution reaches it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// In which function.
    pub function: String,
    /// Where in the source.
    pub location: SourceLocation,
    /// Whether the function is the user's.
    pub users: bool,
}

/// What was linked.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Functions with bodies.
    pub functions: Count,
    /// Their instructions.
    pub instructions: Count,
    /// Global variables that are part of a state.
    pub variables: Count,
    /// Their size.
    pub variable_bytes: Count,
    /// Thread-local variables.
    pub thread_locals: Count,
    /// Constants.
    pub constants: Count,
    /// Functions of the machine that are used.
    pub builtins: Vec<String>,
    /// Names without a definition, each with the first place that calls it, if it is called.
    pub missing: BTreeMap<String, Option<SourceLocation>>,
    /// What cannot be executed, the user's first.
    pub unsupported: Vec<Unsupported>,
}

impl Program {
    /// Returns what was linked. Decodes every function, which takes a while.
    pub fn summary(&self) -> Summary {
        let mut builtins: Vec<String> = self.builtins().iter().map(|b| b.1.clone()).collect();
        builtins.sort();
        let mut summary = Summary {
            builtins,
            missing: self.missing().iter().map(|m| (m.clone(), None)).collect(),
            ..Summary::default()
        };
        for global in self.globals() {
            let users = self.is_users(global.unit);
            match (global.thread_local, global.constant) {
                (true, _) => summary.thread_locals.add(1, users),
                (_, true) => summary.constants.add(1, users),
                _ => {
                    summary.variables.add(1, users);
                    let bytes = global.bytes.len() as u64;
                    summary.variable_bytes.add(bytes, users);
                }
            }
        }
        for function in (0..self.functions()).map(FunctionId) {
            self.summarize_function(function, &mut summary);
        }
        summary.unsupported.sort_by_key(|u| !u.users);
        summary
    }

    fn summarize_function(&self, id: FunctionId, summary: &mut Summary) {
        let info = self.info(id);
        let function = self.function(id);
        let users = self.is_users(info.unit);
        summary.functions.add(1, users);
        let code = &function.body.code;
        summary.instructions.add(code.len() as u64, users);
        let place = |position| {
            let places = self.location(id, Position(position));
            places.into_iter().next().unwrap_or_default()
        };
        for (instruction, position) in code.iter().zip(0..) {
            match instruction {
                Instruction::Unsupported { reason } => summary.unsupported.push(Unsupported {
                    what: function.body.names[*reason as usize].clone(),
                    function: info.display_name.clone(),
                    location: place(position),
                    users,
                }),
                Instruction::Call { site } => {
                    if let Target::Missing(name) = function.targets[site.0 as usize] {
                        let name = &self.missing()[name as usize];
                        let known = summary.missing.entry(name.clone()).or_default();
                        known.get_or_insert_with(|| place(position));
                    }
                }
                _ => {}
            }
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "functions      {}", self.functions)?;
        writeln!(f, "instructions   {}", self.instructions)?;
        writeln!(f, "variables      {}", self.variables)?;
        writeln!(f, "  their bytes  {}", self.variable_bytes)?;
        writeln!(f, "thread-locals  {}", self.thread_locals)?;
        writeln!(f, "constants      {}", self.constants)?;
        if !self.builtins.is_empty() {
            writeln!(f, "\nprovided by the machine:")?;
            for name in &self.builtins {
                writeln!(f, "  {name}")?;
            }
        }
        if !self.missing.is_empty() {
            writeln!(f, "\nused but defined nowhere:")?;
            for (name, place) in &self.missing {
                match place {
                    Some(place) => writeln!(f, "  {name}, called at {place}")?,
                    None => writeln!(f, "  {name}")?,
                }
            }
        }
        if !self.unsupported.is_empty() {
            writeln!(f, "\nnot supported, should execution reach it:")?;
            for u in &self.unsupported {
                writeln!(f, "  {} in {} at {}", u.what, u.function, u.location)?;
            }
        }
        Ok(())
    }
}
