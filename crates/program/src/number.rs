//! Numbers for what a program reaches: by unit, and within a unit in the order of its definitions.
//!
//! A variable that libc++abi offers to be set by one function, and reads whenever something is
//! thrown or allocated, is a constant of a program that does not reach this function: otherwise
//! each throw would be an access to what all threads share.

use crate::linked::{FunctionId, FunctionInfo, GlobalId, GlobalInfo, LinkedUnit, Target, UnitId};
use crate::resolve::{Definite, Resolved, Resolver};
use crate::unit::Global;
use std::collections::{HashMap, HashSet};

/// The numbers that a program gives to what it reaches, by the resolver's number of the unit and
/// the index in it.
pub(crate) struct Numbering {
    functions: Vec<(u32, u32)>,
    globals: Vec<(u32, u32)>,
    function_numbers: HashMap<(u32, u32), FunctionId>,
    global_numbers: HashMap<(u32, u32), GlobalId>,
    unit_numbers: HashMap<u32, UnitId>,
    pub mutable_globals: u32,
}

/// How a global takes part in a state; in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Mutable,
    Constant,
    ThreadLocal,
}

impl Role {
    fn of(global: &Global) -> Role {
        match global {
            Global {
                thread_local: true, ..
            } => Role::ThreadLocal,
            Global { constant: true, .. } => Role::Constant,
            _ => Role::Mutable,
        }
    }
}

/// Variables of libc++abi, and the only function that writes each.
const SETTERS: [(&str, &str); 3] = [
    ("__cxa_terminate_handler", "_ZSt13set_terminatePFvvE"),
    ("__cxa_unexpected_handler", "_ZSt14set_unexpectedPFvvE"),
    ("__cxa_new_handler", "_ZSt15set_new_handlerPFvvE"),
];

/// The variables of [`SETTERS`], by unit and index, that the program cannot set.
fn never_set(resolver: &Resolver) -> HashSet<(u32, u32)> {
    let mut variables = Vec::new();
    let mut functions = HashSet::new();
    for &(number, definite) in &resolver.reached {
        let unit = &resolver.loaded(number).module.unit;
        match definite {
            Definite::Function(index) => {
                let symbol = unit.functions[index as usize].symbol;
                functions.insert(unit.symbols[symbol.0 as usize].name.as_str());
            }
            Definite::Global(index) => {
                let symbol = unit.globals[index as usize].symbol;
                let name = unit.symbols[symbol.0 as usize].name.as_str();
                if let Some((_, setter)) = SETTERS.iter().find(|(variable, _)| *variable == name) {
                    variables.push(((number, index), *setter));
                }
            }
        }
    }
    variables
        .into_iter()
        .filter(|((unit, _), setter)| {
            !functions.contains(setter) && !resolver.users_mention(&SETTERS.map(|s| s.0), *unit)
        })
        .map(|(variable, _)| variable)
        .collect()
}

impl Numbering {
    /// Numbers the functions and globals that the resolver reached.
    pub fn of(resolver: &Resolver) -> Numbering {
        let mut functions = Vec::new();
        let mut globals = Vec::new();
        for &(unit, definite) in &resolver.reached {
            match definite {
                Definite::Function(index) => functions.push((unit, index)),
                Definite::Global(index) => globals.push((unit, index)),
            }
        }
        let never_set = never_set(resolver);
        let role = |global: &(u32, u32)| {
            let &(unit, index) = global;
            match Role::of(&resolver.loaded(unit).module.unit.globals[index as usize]) {
                Role::Mutable if never_set.contains(global) => Role::Constant,
                role => role,
            }
        };
        globals.sort_by_key(role);
        let mutable_globals = globals.partition_point(|global| role(global) == Role::Mutable);
        let number = |list: &[(u32, u32)]| list.iter().copied().zip(0..).collect::<Vec<_>>();
        Numbering {
            function_numbers: number(&functions)
                .into_iter()
                .map(|(key, number)| (key, FunctionId(number)))
                .collect(),
            global_numbers: number(&globals)
                .into_iter()
                .map(|(key, number)| (key, GlobalId(number)))
                .collect(),
            unit_numbers: resolver.loaded_units().zip((0..).map(UnitId)).collect(),
            functions,
            globals,
            mutable_globals: mutable_globals as u32,
        }
    }

    fn target(&self, resolved: Resolved) -> Target {
        match resolved {
            Resolved::Function { unit, index } => {
                Target::Function(self.function_numbers[&(unit, index)])
            }
            Resolved::Global {
                unit,
                index,
                offset,
            } => Target::Global(self.global_numbers[&(unit, index)], offset),
            Resolved::Builtin(builtin) => Target::Builtin(builtin),
            Resolved::Missing(number) => Target::Missing(number),
            Resolved::Absent => Target::Absent,
        }
    }

    /// Returns the units, with their symbols' targets.
    pub fn units(&self, resolver: Resolver) -> Vec<LinkedUnit> {
        resolver
            .into_modules()
            .map(|loaded| LinkedUnit {
                module: loaded.module,
                targets: loaded
                    .resolved
                    .into_iter()
                    .map(|resolved| Some(self.target(resolved?)))
                    .collect(),
            })
            .collect()
    }

    /// Returns the functions, in order.
    pub fn functions(&self, units: &[LinkedUnit]) -> Vec<FunctionInfo> {
        self.functions
            .iter()
            .map(|&(unit, index)| {
                let unit = self.unit_numbers[&unit];
                let defined_in = &units[unit.0 as usize].module.unit;
                let function = &defined_in.functions[index as usize];
                FunctionInfo {
                    unit,
                    index,
                    name: defined_in.symbols[function.symbol.0 as usize].name.clone(),
                    display_name: function.display_name.clone(),
                    signature: function.signature.clone(),
                    location: function.location,
                }
            })
            .collect()
    }

    /// Returns the globals, in order, without addresses in their contents, which are taken from the
    /// units.
    pub fn globals(&self, units: &mut [LinkedUnit]) -> Vec<GlobalInfo> {
        self.globals
            .iter()
            .map(|&(unit, index)| {
                let unit = self.unit_numbers[&unit];
                let defined_in = &mut units[unit.0 as usize].module.unit;
                let global = &mut defined_in.globals[index as usize];
                let name = defined_in.symbols[global.symbol.0 as usize].name.clone();
                GlobalInfo {
                    unit,
                    index,
                    virtual_table: name.starts_with("_ZTV") || name.starts_with("_ZTC"),
                    standard_stream: is_standard_stream(&name),
                    name,
                    display_name: global.display_name.clone(),
                    bytes: std::mem::take(&mut global.bytes),
                    pointers: Vec::with_capacity(global.relocations.len()),
                    constant: global.constant,
                    thread_local: global.thread_local,
                    align: global.align,
                    ty: global.ty,
                    location: global.location,
                }
            })
            .collect()
    }
}

/// Returns whether a variable of libc++ with this name for linking is a standard stream, or its
/// buffer, or the state of its conversion.
fn is_standard_stream(name: &str) -> bool {
    let stem = name
        .strip_prefix("_ZNSt3__1")
        .and_then(|rest| rest.strip_suffix('E'));
    let is_digit = |c: char| c.is_ascii_digit();
    stem.is_some_and(|stem| {
        let stem = stem.trim_start_matches('L').trim_start_matches(is_digit);
        let stem = stem.trim_start_matches("mb_").trim_start_matches("__");
        matches!(
            stem.trim_start_matches('w'),
            "cin" | "cout" | "cerr" | "clog"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::is_standard_stream;

    #[test]
    fn standard_streams_have_their_names() {
        for name in [
            "_ZNSt3__14coutE",
            "_ZNSt3__15wclogE",
            "_ZNSt3__1L6__cerrE",
            "_ZNSt3__1L7mb_wcinE",
        ] {
            assert!(is_standard_stream(name), "{name}");
        }
        for name in ["cout", "_ZN4mine4coutE", "_ZNSt3__16cout_aE"] {
            assert!(!is_standard_stream(name), "{name}");
        }
    }
}
