//! A copy of the C++ library's atomic functions for each call of the program's own code.
//!
//! `x.store(1, order)` calls a function of a header, which stores by each order that there is. To
//! execute one such operation by another order, and no other one, its call needs functions of its
//! own. The copies keep the names of what they are copies of, and are seen in their unit alone.

use crate::instruction::{Body, Callee, SymbolId};
use crate::orders::is_atomic;
use crate::unit::{Definition, Function, Linkage, Unit};
use std::collections::HashMap;

/// The folder of libraries, and in it where the headers that atomic operations are made of are.
const LIBRARY: &str = "/library/";
const ATOMIC: [&str; 2] = ["/__atomic/", "/__thread/poll_with_backoff.h"];

/// Returns whether a file is one of the library's headers that define atomic operations.
pub fn is_atomic_header(file: &str) -> bool {
    file.starts_with(LIBRARY) && ATOMIC.iter().any(|part| file.contains(part))
}

/// Returns whether a file is one of the program's own.
pub fn is_own(file: &str) -> bool {
    !file.starts_with(LIBRARY)
}

impl Unit {
    /// Gives each call of an atomic operation in the program's own code copies of the library's
    /// functions behind it. Fails if a body is damaged.
    pub fn separate_atomic_operations(&mut self) -> Result<(), postcard::Error> {
        let mut separation = Separation {
            holds_atomics: HashMap::new(),
            unit: self,
        };
        for index in 0..separation.unit.functions.len() as u32 {
            if is_own(separation.file_of(index)) {
                separation.separate(index, &mut Vec::new())?;
            }
        }
        Ok(())
    }
}

struct Separation<'u> {
    unit: &'u mut Unit,
    /// Whether an atomic instruction is in a function, or in the library's functions that it calls.
    holds_atomics: HashMap<u32, bool>,
}

impl Separation<'_> {
    fn function(&self, index: u32) -> &Function {
        &self.unit.functions[index as usize]
    }

    fn file_of(&self, index: u32) -> &str {
        let debug = &self.unit.debug;
        let location = debug
            .locations
            .get(self.function(index).location.0 as usize);
        let file = location.and_then(|location| debug.files.get(location.file.0 as usize));
        file.map_or("", String::as_str)
    }

    /// The function of the library's atomic headers that a symbol is, if it is one.
    fn operation(&self, symbol: SymbolId) -> Option<u32> {
        match self.unit.symbols[symbol.0 as usize].definition {
            Definition::Function(index) if is_atomic_header(self.file_of(index)) => Some(index),
            _ => None,
        }
    }

    fn body(&self, index: u32) -> Result<Body, postcard::Error> {
        Body::decode(&self.function(index).body)
    }

    fn holds_atomics(&mut self, index: u32) -> Result<bool, postcard::Error> {
        if let Some(&known) = self.holds_atomics.get(&index) {
            return Ok(known);
        }
        // What a recursive function holds is found where it is first met.
        self.holds_atomics.insert(index, false);
        let body = self.body(index)?;
        let mut holds = body.code.iter().any(is_atomic);
        for site in &body.sites {
            if let Callee::Symbol(symbol) = site.callee
                && let Some(callee) = self.operation(symbol)
            {
                holds |= self.holds_atomics(callee)?;
            }
        }
        self.holds_atomics.insert(index, holds);
        Ok(holds)
    }

    /// Lets each call in a function call copies. `chain` has the functions that the callers of this
    /// one are copies of.
    fn separate(&mut self, index: u32, chain: &mut Vec<u32>) -> Result<(), postcard::Error> {
        let mut body = self.body(index)?;
        let mut is_changed = false;
        for site in &mut body.sites {
            let Callee::Symbol(symbol) = site.callee else {
                continue;
            };
            let Some(callee) = self.operation(symbol) else {
                continue;
            };
            if chain.contains(&callee) || !self.holds_atomics(callee)? {
                continue;
            }
            let copy = self.copy(callee);
            chain.push(callee);
            self.separate(copy, chain)?;
            chain.pop();
            let symbol = self.function(copy).symbol;
            site.callee = Callee::Symbol(symbol);
            self.unit.functions[index as usize].references.push(symbol);
            is_changed = true;
        }
        if is_changed {
            self.unit.functions[index as usize].body = body.encode();
        }
        Ok(())
    }

    fn copy(&mut self, index: u32) -> u32 {
        let mut function = self.function(index).clone();
        let mut symbol = self.unit.symbols[function.symbol.0 as usize].clone();
        let copy = self.unit.functions.len() as u32;
        symbol.linkage = Linkage::Internal;
        symbol.definition = Definition::Function(copy);
        function.symbol = SymbolId(self.unit.symbols.len() as u32);
        self.unit.symbols.push(symbol);
        self.unit.functions.push(function);
        copy
    }
}
