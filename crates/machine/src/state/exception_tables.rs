//! The exception tables of functions, as constant memory objects.
//!
//! A table is made when something first asks for it. Its object has a number that depends on the
//! function only, and no state holds more of it than that number; so it does not matter which
//! search thread makes it, or when.

use crate::state::memory::object::{Class, Object};
use impasse_program::exceptions::ExceptionTable;
use impasse_program::link::{FunctionId, Program};
use impasse_store::{Id, Interner};
use std::sync::OnceLock;

/// The tables of a program's functions.
pub struct Tables {
    tables: Vec<OnceLock<Option<Table>>>,
}

/// The table of one function.
pub struct Table {
    /// Its stored form.
    pub stored: Id,
    /// What it says.
    pub content: ExceptionTable,
}

impl Tables {
    /// Returns tables for all functions, none built yet.
    pub fn new(program: &Program) -> Tables {
        let mut tables = Vec::new();
        tables.resize_with(program.functions() as usize, OnceLock::new);
        Tables { tables }
    }

    /// Returns the table of a function, or `None` if no exception arrives in it.
    pub fn get(&self, program: &Program, store: &Interner, function: FunctionId) -> Option<&Table> {
        self.made(program, store, function.0)
    }

    /// Returns the stored form of the table of the function with this index.
    pub fn stored(&self, program: &Program, store: &Interner, function: u32) -> Option<Id> {
        Some(self.made(program, store, function)?.stored)
    }

    fn made(&self, program: &Program, store: &Interner, function: u32) -> Option<&Table> {
        let table = self.tables.get(function as usize)?.get_or_init(|| {
            let content = program.exception_table(FunctionId(function))?;
            let object = Object::with_content(Class::Global, &content.bytes, &content.pointers, 3);
            let mut buffer = Vec::new();
            object.encode(&mut buffer);
            let stored = store.intern(&buffer).id;
            Some(Table { stored, content })
        });
        table.as_ref()
    }
}
