//! Which members of archives a program takes.

use crate::unit::{Definition, Linkage, Symbol, Unit};
use std::collections::HashSet;

/// Returns those units that a linker takes, in their order: all that stand for themselves, and of
/// the members of archives (`true`) those that define what a root or a unit that is taken needs. Of
/// several members that define it, the first is taken.
pub fn needed(units: Vec<(Unit, bool)>, roots: &[&str]) -> Vec<Unit> {
    let mut needs = Needs::default();
    needs.wanted.extend(roots.iter().map(|&root| root.into()));
    let mut taken = vec![false; units.len()];
    for (taken, (unit, is_member)) in taken.iter_mut().zip(&units) {
        if !is_member {
            *taken = true;
            needs.take(unit);
        }
    }
    let mut is_complete = false;
    while !is_complete {
        is_complete = true;
        for (taken, (unit, _)) in taken.iter_mut().zip(&units) {
            if !*taken && needs.any_of(unit) {
                *taken = true;
                needs.take(unit);
                is_complete = false;
            }
        }
    }
    let units = units.into_iter().zip(taken);
    units
        .filter_map(|((unit, _), taken)| taken.then_some(unit))
        .collect()
}

/// The symbols of the units that are taken.
#[derive(Default)]
struct Needs {
    wanted: HashSet<String>,
    defined: HashSet<String>,
}

impl Needs {
    fn take(&mut self, unit: &Unit) {
        for symbol in &unit.symbols {
            match symbol.linkage {
                _ if is_shared(symbol) => {
                    self.defined.insert(symbol.name.clone());
                }
                // What may stay undefined makes a linker take nothing.
                Linkage::ExternalWeak | Linkage::Internal => {}
                Linkage::Strong | Linkage::Weak => {
                    self.wanted.insert(symbol.name.clone());
                }
            }
        }
    }

    fn any_of(&self, unit: &Unit) -> bool {
        let is_needed = |symbol: &&Symbol| {
            self.wanted.contains(&symbol.name) && !self.defined.contains(&symbol.name)
        };
        unit.symbols
            .iter()
            .filter(|symbol| is_shared(symbol))
            .any(|symbol| is_needed(&symbol))
    }
}

/// Whether a unit defines a symbol for others.
fn is_shared(symbol: &Symbol) -> bool {
    symbol.linkage != Linkage::Internal && !matches!(symbol.definition, Definition::Undefined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::SymbolId;

    /// A unit that defines some names and mentions others; `?name` may stay undefined.
    fn unit(name: &str, defines: &[&str], mentions: &[&str]) -> Unit {
        let symbol = |name: &str, definition| Symbol {
            name: name.trim_start_matches('?').into(),
            linkage: match name.starts_with('?') {
                true => Linkage::ExternalWeak,
                false => Linkage::Strong,
            },
            definition,
            function: true,
        };
        let alias = Definition::Alias(SymbolId(0), 0);
        let defined = defines.iter().map(|name| symbol(name, alias));
        let mentioned = mentions.iter();
        let mentioned = mentioned.map(|name| symbol(name, Definition::Undefined));
        Unit {
            name: name.into(),
            symbols: defined.chain(mentioned).collect(),
            ..Unit::default()
        }
    }

    fn names(units: Vec<(Unit, bool)>) -> Vec<String> {
        let taken = needed(units, &["main"]);
        taken.into_iter().map(|unit| unit.name).collect()
    }

    #[test]
    fn members_are_taken_that_define_what_is_missing() {
        let taken = names(vec![
            (unit("last", &["c"], &[]), true),
            (unit("unused", &["d"], &["e"]), true),
            (unit("middle", &["b"], &["c"]), true),
            (unit("main", &["main"], &["b", "?d"]), false),
        ]);
        assert_eq!(taken, ["last", "middle", "main"]);
    }

    #[test]
    fn of_two_members_the_first_is_taken() {
        let taken = names(vec![
            (unit("main", &["main"], &["a", "b"]), false),
            (unit("first", &["a"], &[]), true),
            (unit("second", &["a"], &[]), true),
            (unit("other", &["b"], &["a"]), true),
        ]);
        assert_eq!(taken, ["main", "first", "other"]);
    }

    #[test]
    fn a_member_may_have_main() {
        let taken = names(vec![
            (unit("tests", &["t"], &[]), false),
            (unit("runner", &["main"], &["r"]), true),
            (unit("more", &["r"], &[]), true),
        ]);
        assert_eq!(taken, ["tests", "runner", "more"]);
    }
}
