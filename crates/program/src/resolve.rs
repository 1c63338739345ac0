//! What a symbol stands for, and what of all units is reached from where a program starts.
//!
//! A symbol that its unit keeps to itself is what the unit says. Any other goes by its name: a
//! strong definition of the user's comes first, then a function of the machine, then a weak
//! definition of the user's, then the library's. A definition of the user's counts for the library
//! only if it is a function where the library means one, and a variable where it means one: a
//! user's variable `read` is no replacement of the function. A function of the harness that C++
//! declares, and no unit of the user's defines, is the one that the library defines for C.

use crate::harness::harness_name;
use crate::instruction::SymbolId;
use crate::library::Library;
use crate::linked::{BuiltinId, LinkError};
use crate::module::Module;
use crate::unit::{Definition, Linkage, Symbol, Unit};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// What a symbol stands for, before functions and globals have numbers. Units are numbered with the
/// user's first, then those of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resolved {
    Function {
        unit: u32,
        index: u32,
    },
    Global {
        unit: u32,
        index: u32,
        offset: i64,
    },
    Builtin(BuiltinId),
    /// An index into [`Resolver::missing`].
    Missing(u32),
    Absent,
}

/// A definition that is reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Definite {
    Function(u32),
    Global(u32),
}

/// A symbol of some unit.
#[derive(Clone, Copy)]
struct Place {
    unit: u32,
    symbol: SymbolId,
}

/// Resolves symbols, and with them finds out what is reached.
pub(crate) struct Resolver<'a> {
    library: &'a Arc<Library>,
    builtin: &'a dyn Fn(&str) -> Option<BuiltinId>,
    users: u32,
    /// All units; those of the library as far as they are needed.
    modules: Vec<Option<Loaded>>,
    exported: HashMap<String, Place>,
    /// The machine's functions that are used, and by what names.
    pub builtins: BTreeMap<BuiltinId, String>,
    /// The names that are used and defined nowhere.
    pub missing: Vec<String>,
    missing_numbers: HashMap<String, u32>,
    /// What is reached, by unit.
    pub reached: BTreeSet<(u32, Definite)>,
    waiting: Vec<(u32, Definite)>,
}

/// A unit, and what is known of its symbols.
pub(crate) struct Loaded {
    pub module: Module,
    pub resolved: Vec<Option<Resolved>>,
}

impl<'a> Resolver<'a> {
    /// Returns a resolver for the user's units, which has reached nothing yet. Fails if two of them
    /// have strong definitions of one name.
    pub fn new(
        user: Vec<Unit>,
        library: &'a Arc<Library>,
        builtin: &'a dyn Fn(&str) -> Option<BuiltinId>,
    ) -> Result<Resolver<'a>, LinkError> {
        let exported = users_exports(&user)?;
        let users = user.len() as u32;
        let mut modules: Vec<_> = user
            .into_iter()
            .map(|unit| Some(Loaded::new(Module::in_memory(unit))))
            .collect();
        modules.resize_with(users as usize + library.units(), || None);
        Ok(Resolver {
            library,
            builtin,
            users,
            modules,
            exported,
            builtins: BTreeMap::new(),
            missing: Vec::new(),
            missing_numbers: HashMap::new(),
            reached: BTreeSet::new(),
            waiting: Vec::new(),
        })
    }

    /// Reaches everything from the roots and from the constructors and destructors of the user's
    /// units. Fails if a root has no definition, or the library cannot be read.
    pub fn reach_all(&mut self, roots: &[&str]) -> Result<(), LinkError> {
        for unit in 0..self.users {
            self.enter(unit)?;
        }
        for root in roots {
            let meant = [
                self.resolve_name(root, true, true)?,
                self.resolve_internal(root)?,
            ];
            if meant == [None, None] {
                return Err(LinkError::NoRoot(root.to_string()));
            }
            for resolved in meant.into_iter().flatten() {
                self.reach(resolved)?;
            }
        }
        while let Some((unit, definite)) = self.waiting.pop() {
            for symbol in self.references(unit, definite) {
                let resolved = self.resolve(Place { unit, symbol })?;
                self.reach(resolved)?;
            }
        }
        Ok(())
    }

    /// What a name that no unit of the user's exports stands for inside of the first one that
    /// defines it for itself.
    fn resolve_internal(&mut self, name: &str) -> Result<Option<Resolved>, LinkError> {
        if self.exported.contains_key(name) {
            return Ok(None);
        }
        let internal = |symbol: &Symbol| symbol.linkage == Linkage::Internal && symbol.name == name;
        let place = (0..self.users).find_map(|unit| {
            let symbols = &self.loaded(unit).module.unit.symbols;
            let symbol = SymbolId(symbols.iter().position(internal)? as u32);
            Some(Place { unit, symbol })
        });
        place.map(|place| self.resolve(place)).transpose()
    }

    /// Returns the numbers of the units that are needed, in order.
    pub fn loaded_units(&self) -> impl Iterator<Item = u32> {
        (0..)
            .zip(&self.modules)
            .filter_map(|(number, loaded)| loaded.as_ref().map(|_| number))
    }

    /// Returns the units that are needed, in order.
    pub fn into_modules(self) -> impl Iterator<Item = Loaded> {
        self.modules.into_iter().flatten()
    }

    /// Returns whether `unit` is a user's, or a user's unit has one of the names among its symbols.
    pub fn users_mention(&self, names: &[&str], unit: u32) -> bool {
        let mut users = (0..self.users).map(|number| &self.loaded(number).module.unit.symbols);
        unit < self.users || users.any(|all| all.iter().any(|s| names.contains(&s.name.as_str())))
    }

    /// Returns the unit with this number. Panics unless it was reached.
    pub fn loaded(&self, unit: u32) -> &Loaded {
        self.modules[unit as usize]
            .as_ref()
            .expect("a unit is loaded before its symbols are asked for")
    }

    fn symbol(&self, place: Place) -> &Symbol {
        &self.loaded(place.unit).module.unit.symbols[place.symbol.0 as usize]
    }

    /// Notes that a definition is needed.
    fn reach(&mut self, resolved: Resolved) -> Result<(), LinkError> {
        let (unit, definite) = match resolved {
            Resolved::Function { unit, index } => (unit, Definite::Function(index)),
            Resolved::Global { unit, index, .. } => (unit, Definite::Global(index)),
            Resolved::Builtin(_) | Resolved::Missing(_) | Resolved::Absent => return Ok(()),
        };
        if !self.reached.insert((unit, definite)) {
            return Ok(());
        }
        self.waiting.push((unit, definite));
        if unit >= self.users {
            self.enter(unit)?;
        }
        Ok(())
    }

    /// Notes that what a unit runs at start and end is needed.
    fn enter(&mut self, unit: u32) -> Result<(), LinkError> {
        let Unit {
            constructors,
            destructors,
            ..
        } = &self.loaded(unit).module.unit;
        let symbols: Vec<SymbolId> = constructors
            .iter()
            .chain(destructors)
            .map(|c| c.1)
            .collect();
        for symbol in symbols {
            let resolved = self.resolve(Place { unit, symbol })?;
            self.reach(resolved)?;
        }
        Ok(())
    }

    /// The symbols that a definition mentions.
    fn references(&self, unit: u32, definite: Definite) -> Vec<SymbolId> {
        let unit = &self.loaded(unit).module.unit;
        match definite {
            Definite::Function(index) => {
                let function = &unit.functions[index as usize];
                function
                    .references
                    .iter()
                    .copied()
                    .chain(function.personality)
                    .collect()
            }
            Definite::Global(index) => unit.globals[index as usize]
                .relocations
                .iter()
                .map(|relocation| relocation.symbol)
                .collect(),
        }
    }

    /// What a symbol stands for.
    fn resolve(&mut self, place: Place) -> Result<Resolved, LinkError> {
        if let Some(resolved) = self.loaded(place.unit).resolved[place.symbol.0 as usize] {
            return Ok(resolved);
        }
        let symbol = self.symbol(place);
        let resolved = if symbol.linkage == Linkage::Internal {
            self.definition(place)
        } else {
            let (name, function, linkage) = (symbol.name.clone(), symbol.function, symbol.linkage);
            let by_user = place.unit < self.users;
            let mut meant = self.resolve_name(&name, function, by_user)?;
            // A definition of the user's for C is not the function that C++ declares.
            if let (None, Some(name)) = (meant, harness_name(&name))
                && !self.exported.contains_key(name)
            {
                meant = self.resolve_name(name, function, by_user)?;
            }
            match meant {
                Some(resolved) => resolved,
                None if linkage == Linkage::ExternalWeak => Resolved::Absent,
                None => self.missing(name),
            }
        };
        self.note(place, resolved);
        Ok(resolved)
    }

    /// What a name stands for, if anything, where it is meant to be a function or not, by a user's
    /// unit or not.
    fn resolve_name(
        &mut self,
        name: &str,
        function: bool,
        by_user: bool,
    ) -> Result<Option<Resolved>, LinkError> {
        let users = self
            .exported
            .get(name)
            .copied()
            .filter(|&place| by_user || self.symbol(place).function == function);
        if let Some(place) = users
            && self.symbol(place).linkage == Linkage::Strong
        {
            return Ok(Some(self.taken(place)));
        }
        if let Some(builtin) = (self.builtin)(name) {
            self.builtins
                .entry(builtin)
                .or_insert_with(|| name.to_owned());
            return Ok(Some(Resolved::Builtin(builtin)));
        }
        if let Some(place) = users {
            return Ok(Some(self.taken(place)));
        }
        let Some((member, symbol)) = self.library.find(name) else {
            return Ok(None);
        };
        let unit = self.users + member;
        if self.modules[unit as usize].is_none() {
            let module = Module::of_library(self.library, member)?;
            self.modules[unit as usize] = Some(Loaded::new(module));
        }
        Ok(Some(self.taken(Place { unit, symbol })))
    }

    /// The definition that was chosen for a name.
    fn taken(&mut self, place: Place) -> Resolved {
        let resolved = self.definition(place);
        self.note(place, resolved);
        resolved
    }

    fn note(&mut self, place: Place, resolved: Resolved) {
        if let Some(loaded) = &mut self.modules[place.unit as usize] {
            loaded.resolved[place.symbol.0 as usize] = Some(resolved);
        }
    }

    /// What a unit itself says that a symbol is. An alias stands for its own unit's definition, as
    /// in an object file, even where another unit's definition of that name is taken elsewhere.
    fn definition(&mut self, mut place: Place) -> Resolved {
        let unit = place.unit;
        let mut offset = 0i64;
        for _ in 0..=self.loaded(unit).resolved.len() {
            match self.symbol(place).definition {
                Definition::Function(index) => return Resolved::Function { unit, index },
                Definition::Global(index) => {
                    return Resolved::Global {
                        unit,
                        index,
                        offset,
                    };
                }
                Definition::Alias(symbol, more) => {
                    place.symbol = symbol;
                    offset = offset.wrapping_add(more);
                }
                Definition::Undefined => break,
            }
        }
        let name = self.symbol(place).name.clone();
        self.missing(name)
    }

    fn missing(&mut self, name: String) -> Resolved {
        let next = self.missing.len() as u32;
        let number = match self.missing_numbers.entry(name) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                self.missing.push(entry.key().clone());
                *entry.insert(next)
            }
        };
        Resolved::Missing(number)
    }
}

impl Loaded {
    fn new(module: Module) -> Loaded {
        let resolved = vec![None; module.unit.symbols.len()];
        Loaded { module, resolved }
    }
}

/// The names that the user's units define for each other: a strong definition, else the first weak
/// one.
fn users_exports(units: &[Unit]) -> Result<HashMap<String, Place>, LinkError> {
    let mut exported: HashMap<String, Place> = HashMap::new();
    for (unit, symbols) in (0..).zip(units.iter().map(|unit| &unit.symbols)) {
        for (symbol, index) in symbols.iter().zip(0..) {
            let place = Place {
                unit,
                symbol: SymbolId(index),
            };
            let defined = symbol.definition != Definition::Undefined;
            if !defined || !matches!(symbol.linkage, Linkage::Strong | Linkage::Weak) {
                continue;
            }
            match exported.entry(symbol.name.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(place);
                }
                Entry::Occupied(mut entry) if symbol.linkage == Linkage::Strong => {
                    let first = *entry.get();
                    let other = &units[first.unit as usize];
                    if other.symbols[first.symbol.0 as usize].linkage == Linkage::Strong {
                        return Err(LinkError::DefinedTwice {
                            name: symbol.name.clone(),
                            first: other.name.clone(),
                            second: units[unit as usize].name.clone(),
                        });
                    }
                    entry.insert(place);
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    Ok(exported)
}
