//! Joining units into a program.

use crate::address::{Address, ObjectId};
use crate::ilp32::Ilp32Addresses;
use crate::instruction::{
    Argument, Body, CallSite, Callee, Constant, Instruction, Position, Scalar, SymbolId,
};
use crate::library::Library;
use crate::linked::LinkedUnit;
use crate::number::Numbering;
use crate::orders::{OtherOrders, change as change_orders};
use crate::resolve::Resolver;
use crate::unit::{Linkage, Signature, Unit};
use crate::word::Word;

pub use crate::linked::{
    BuiltinId, FunctionId, FunctionInfo, GlobalId, GlobalInfo, LinkError, Target, UnitId,
};

use std::sync::{Arc, OnceLock};

/// A function ready for execution.
pub struct Function {
    /// Its body.
    pub body: Body,
    /// The body's constants, with addresses filled in.
    pub constants: Vec<Word>,
    /// For each call site that names a symbol, what it calls; `Absent` for calls through addresses.
    pub targets: Vec<Target>,
    /// For each call site, whether it names a function that takes just what it is given: no
    /// variable arguments, no copies, the same registers.
    pub simple: Vec<bool>,
    /// The positions of the instructions that allocate objects of a frame.
    pub allocations: Vec<Position>,
}

/// Variable arguments as they lie on the stack.
#[derive(Debug, Default)]
pub struct VariableArguments<'a> {
    /// Each of them, where it starts, and the type that it has there.
    pub arguments: Vec<(&'a Argument, u64, Scalar)>,
    /// How many bytes all of them take.
    pub bytes: u64,
}

/// A linked program: what can be reached from its roots, numbered.
///
/// Numbers depend only on the units and their order, never on what is executed first. Mutable
/// globals that are not thread-local have the lowest numbers, `0..mutable_globals()`.
pub struct Program {
    /// The user's units, then those of the library that are reached.
    pub(crate) units: Vec<LinkedUnit>,
    pub(crate) users: u32,
    /// The units of the library that are reached, by their numbers there.
    members: Vec<u32>,
    pub(crate) functions: Vec<FunctionInfo>,
    decoded: Vec<OnceLock<Box<Function>>>,
    globals: Vec<GlobalInfo>,
    mutable_globals: u32,
    /// The machine's functions that are used, in order, and by what names.
    builtins: Vec<(BuiltinId, String)>,
    missing: Vec<String>,
    constructors: Vec<FunctionId>,
    destructors: Vec<FunctionId>,
    ilp32: Option<Ilp32Addresses>,
    other_orders: OtherOrders,
    keeps_live: bool,
}

impl Program {
    /// Links `user` units and, as far as they are needed, units of the library. The library is an
    /// archive: the constructors of a member run only if something in it is reached. `roots` are
    /// the names that start everything.
    ///
    /// `builtin` gives the number of a function that the machine implements. Such a name is never
    /// taken from a unit of the library, but a strong definition of the user's replaces it.
    ///
    /// Fails if two units of the user have strong definitions of one name, if a root has no
    /// definition, or if the library cannot be read.
    pub fn link(
        user: Vec<Unit>,
        library: &Arc<Library>,
        builtin: &dyn Fn(&str) -> Option<BuiltinId>,
        roots: &[&str],
    ) -> Result<Program, LinkError> {
        let users = user.len() as u32;
        let mut resolver = Resolver::new(user, library, builtin)?;
        resolver.reach_all(roots)?;
        let numbering = Numbering::of(&resolver);
        let members = resolver.loaded_units().filter_map(|n| n.checked_sub(users));
        let members = members.collect();
        let builtins = std::mem::take(&mut resolver.builtins);
        let missing = std::mem::take(&mut resolver.missing);
        let mut program = Program {
            units: numbering.units(resolver),
            users,
            members,
            functions: Vec::new(),
            decoded: Vec::new(),
            globals: Vec::new(),
            mutable_globals: numbering.mutable_globals,
            builtins: builtins.into_iter().collect(),
            missing,
            constructors: Vec::new(),
            destructors: Vec::new(),
            ilp32: None,
            other_orders: OtherOrders::new(),
            keeps_live: false,
        };
        let is_ilp32 = program.is_ilp32()?;
        program.functions = numbering.functions(&program.units);
        program
            .decoded
            .resize_with(program.functions.len(), OnceLock::new);
        program.globals = numbering.globals(&mut program.units);
        if is_ilp32 {
            let globals = program.globals.iter();
            let sizes = globals.map(|global| (global.bytes.len() as u32, global.align));
            program.ilp32 = Some(Ilp32Addresses::of_globals(sizes));
        }
        program.fill_in_addresses()?;
        program.constructors = program.run_at(|unit| &unit.constructors)?;
        program.destructors = program.run_at(|unit| &unit.destructors)?;
        program.destructors.reverse();
        Ok(program)
    }

    /// Whether addresses take four bytes in memory, on which all units must agree.
    fn is_ilp32(&self) -> Result<bool, LinkError> {
        let of = |ilp32| {
            let mut units = self.units.iter().map(|unit| &unit.module.unit);
            units.find(|unit| unit.is_ilp32 == ilp32)
        };
        match (of(true), of(false)) {
            (Some(ilp32), Some(long)) => Err(LinkError::DifferentPointers {
                ilp32: ilp32.name.clone(),
                long: long.name.clone(),
            }),
            (ilp32, _) => Ok(ilp32.is_some()),
        }
    }

    /// Returns the units of the library that are reached, by their numbers there. Linking the same
    /// units with [these alone](Library::part) gives the same program.
    pub fn members(&self) -> &[u32] {
        &self.members
    }

    /// Returns the addresses in memory of its objects, or `None` unless addresses take four bytes
    /// there.
    pub fn ilp32(&self) -> Option<&Ilp32Addresses> {
        self.ilp32.as_ref()
    }

    /// Returns the size of a `va_list`, in bytes: on x86-64 four fields, on i386 one address.
    pub fn list_bytes(&self) -> u64 {
        match self.ilp32 {
            Some(_) => u64::from(crate::ilp32::BYTES),
            None => 24,
        }
    }

    /// Returns how variable arguments are laid out on the stack, by the convention of x86-64 or of
    /// i386.
    pub fn variable_arguments<'a>(&self, arguments: &'a [Argument]) -> VariableArguments<'a> {
        let word = u64::from(self.pointer().bytes());
        let mut layout = VariableArguments::default();
        for argument in arguments {
            let (bytes, align) = match argument.by_value {
                Some((bytes, align)) => (u64::from(bytes), u64::from(align)),
                None if word == 4 => (u64::from(argument.scalar.bytes()), word),
                None if argument.scalar.words() == 2 => (16, 16),
                None => (word, word),
            };
            let start = layout.bytes.next_multiple_of(align.max(word));
            let promoted = match argument.scalar {
                Scalar::Integer(width) => Scalar::Integer(width.max(8 * word as u8)),
                other => other,
            };
            layout.arguments.push((argument, start, promoted));
            layout.bytes = start + bytes.next_multiple_of(word);
        }
        layout
    }

    /// Returns the type of addresses in memory.
    pub fn pointer(&self) -> Scalar {
        match self.ilp32 {
            Some(_) => Scalar::Pointer32,
            None => Scalar::Pointer,
        }
    }

    /// Writes the addresses into the initial contents.
    fn fill_in_addresses(&mut self) -> Result<(), LinkError> {
        let mut globals = std::mem::take(&mut self.globals);
        for global in &mut globals {
            let unit = &self.units[global.unit.0 as usize];
            let relocations = &unit.module.unit.globals[global.index as usize].relocations;
            for relocation in relocations {
                let target = unit.targets[relocation.symbol.0 as usize];
                let word = self.address_word(reached(target), relocation.addend);
                let at = relocation.offset as usize;
                match &self.ilp32 {
                    Some(ilp32) => {
                        let number = ilp32.narrow(word.bits);
                        let number =
                            number.ok_or_else(|| LinkError::NoIlp32Address(global.name.clone()))?;
                        global.bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
                    }
                    None => global.bytes[at..at + 8].copy_from_slice(&word.bits.to_le_bytes()),
                }
                if word.pointer {
                    global.pointers.push(relocation.offset);
                }
            }
            global.pointers.sort_unstable();
        }
        self.globals = globals;
        Ok(())
    }

    /// The functions of a list that units have, by priority: the library's units first, on which
    /// the user's may build.
    fn run_at(
        &self,
        list: impl Fn(&Unit) -> &Vec<(u32, SymbolId)>,
    ) -> Result<Vec<FunctionId>, LinkError> {
        let mut entries = Vec::new();
        for (number, unit) in self.units.iter().enumerate() {
            let users = number < self.users as usize;
            for &(priority, symbol) in list(&unit.module.unit) {
                let Some(Target::Function(function)) = unit.targets[symbol.0 as usize] else {
                    let symbols = &unit.module.unit.symbols;
                    return Err(LinkError::NoConstructor {
                        name: symbols[symbol.0 as usize].name.clone(),
                        unit: unit.module.unit.name.clone(),
                    });
                };
                entries.push((users, priority, function));
            }
        }
        entries.sort_by_key(|&(users, priority, _)| (users, priority));
        Ok(entries.into_iter().map(|entry| entry.2).collect())
    }

    /// Returns the executable form of a function; decodes it on the first call. Panics if the unit
    /// is damaged.
    #[inline]
    pub fn function(&self, id: FunctionId) -> &Function {
        self.decoded[id.0 as usize].get_or_init(|| Box::new(self.decode(id)))
    }

    fn decode(&self, id: FunctionId) -> Function {
        let info = self.info(id);
        tracing::trace!(function = info.display_name, "decode");
        let unit = &self.units[info.unit.0 as usize];
        let mut body = unit.module.body(info.index);
        if let Some(orders) = self.other_orders.get(&id) {
            change_orders(&mut body, orders);
        }
        if self.keeps_live {
            body.needed = None;
        }
        let target = |symbol: SymbolId| reached(unit.targets[symbol.0 as usize]);
        let constants = body
            .constants
            .iter()
            .map(|constant| match *constant {
                Constant::Word(word) => word,
                Constant::Address(symbol, offset) => self.address_word(target(symbol), offset),
            })
            .collect();
        let targets: Vec<Target> = body
            .sites
            .iter()
            .map(|site| match site.callee {
                Callee::Symbol(symbol) => target(symbol),
                Callee::Address(_) => Target::Absent,
            })
            .collect();
        let simple = |(site, target): (&CallSite, &Target)| match target {
            Target::Function(callee) => is_simple(site, &self.info(*callee).signature),
            _ => false,
        };
        let simple = body.sites.iter().zip(&targets).map(simple).collect();
        let allocates = |(_, instruction): &(u32, &Instruction)| {
            matches!(instruction, Instruction::Allocate { .. })
        };
        let allocations = (0..).zip(&body.code).filter(allocates);
        let allocations = allocations
            .map(|(position, _)| Position(position))
            .collect();
        Function {
            allocations,
            body,
            constants,
            targets,
            simple,
        }
    }

    /// Takes all live slots for [needed](Body::needed): arithmetic may fail, or its operands may
    /// decide how it is executed.
    pub fn keep_live(&mut self) {
        self.keeps_live = true;
        self.decoded.fill_with(OnceLock::new);
    }

    /// Returns whether all live slots are needed.
    pub fn keeps_live(&self) -> bool {
        self.keeps_live
    }

    /// Executes instructions by these orders, and all others by their own.
    pub(crate) fn replace_orders(&mut self, orders: OtherOrders) {
        let before = std::mem::replace(&mut self.other_orders, orders);
        for function in before.keys().chain(self.other_orders.keys()) {
            self.decoded[function.0 as usize] = OnceLock::new();
        }
    }

    /// The address of what a symbol stands for. What has no definition, be it a variable, has the
    /// address of a function, which no access to memory accepts.
    pub(crate) fn address_word(&self, target: Target, offset: i64) -> Word {
        let functions = self.functions();
        let (object, offset) = match target {
            Target::Function(function) => (ObjectId::function(function.0), offset),
            Target::Builtin(builtin) => {
                let rank = self.builtins.partition_point(|entry| entry.0 < builtin);
                (ObjectId::function(functions + rank as u32), offset)
            }
            Target::Missing(index) => {
                let before = functions + self.builtins.len() as u32;
                (ObjectId::function(before + index), offset)
            }
            Target::Global(global, inside) => {
                (ObjectId::global(global.0), offset.wrapping_add(inside))
            }
            Target::Absent => return Word::number(offset as u64),
        };
        Word::pointer(Address { object, offset }.bits())
    }

    /// Returns what is known of a function without its body.
    #[inline]
    pub fn info(&self, id: FunctionId) -> &FunctionInfo {
        &self.functions[id.0 as usize]
    }

    /// Returns the number of functions that have bodies.
    pub fn functions(&self) -> u32 {
        self.functions.len() as u32
    }

    /// Returns what the function object with this index (see
    /// [`crate::address::ObjectKind::Function`]) stands for, or `None` if there is none. Functions
    /// with bodies come first, then the builtins that are used, then the names of
    /// [`Program::missing`], variables among them.
    pub fn function_object(&self, index: u32) -> Option<Target> {
        let Some(index) = index.checked_sub(self.functions()) else {
            return Some(Target::Function(FunctionId(index)));
        };
        if let Some(builtin) = self.builtins.get(index as usize) {
            return Some(Target::Builtin(builtin.0));
        }
        let index = index - self.builtins.len() as u32;
        ((index as usize) < self.missing.len()).then_some(Target::Missing(index))
    }

    /// Returns the address of a function.
    pub fn address_of(&self, function: FunctionId) -> Address {
        Address::of(ObjectId::function(function.0))
    }

    /// Returns all globals.
    pub fn globals(&self) -> &[GlobalInfo] {
        &self.globals
    }

    /// Returns the number of globals that are part of a state.
    pub fn mutable_globals(&self) -> u32 {
        self.mutable_globals
    }

    /// Returns the reachable function with this link name, or `None`. A function that all units see
    /// takes precedence over functions that are local to a unit, of which the first counts.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        match self.find(name) {
            Some(Target::Function(function)) => Some(function),
            Some(_) => None,
            None => {
                let index = self.functions.iter().position(|f| f.name == name)?;
                Some(FunctionId(index as u32))
            }
        }
    }

    /// Returns the reachable global with this link name, or `None`, with the precedence of
    /// [`Program::find_function`].
    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        match self.find(name) {
            Some(Target::Global(global, 0)) => Some(global),
            Some(_) => None,
            None => {
                let index = self.globals.iter().position(|g| g.name == name)?;
                Some(GlobalId(index as u32))
            }
        }
    }

    /// What a name that is seen by all units stands for, if something mentions it.
    fn find(&self, name: &str) -> Option<Target> {
        self.units.iter().find_map(|unit| {
            let symbols = unit.module.unit.symbols.iter();
            symbols.zip(&unit.targets).find_map(|(symbol, target)| {
                (symbol.linkage != Linkage::Internal && symbol.name == name)
                    .then_some(*target)
                    .flatten()
            })
        })
    }

    /// Returns what a symbol of the unit that defines `function` stands for. Panics if the function
    /// does not mention the symbol.
    pub fn target(&self, function: FunctionId, symbol: SymbolId) -> Target {
        let unit = self.info(function).unit;
        reached(self.units[unit.0 as usize].targets[symbol.0 as usize])
    }

    /// Returns the functions to run before `main`, in order.
    pub fn constructors(&self) -> &[FunctionId] {
        &self.constructors
    }

    /// Returns the functions to run after `main`, in order.
    pub fn destructors(&self) -> &[FunctionId] {
        &self.destructors
    }

    /// Returns the functions of the machine that are used, and by what names.
    pub fn builtins(&self) -> &[(BuiltinId, String)] {
        &self.builtins
    }

    /// Returns the names that are used and defined nowhere.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Returns the user's units.
    pub fn users(&self) -> impl Iterator<Item = UnitId> {
        (0..self.users).map(UnitId)
    }

    /// Returns whether the user's code mentions a global of the libraries by this name.
    pub fn users_mention(&self, name: &str) -> bool {
        let is_librarys = |target: &Target| match *target {
            Target::Global(id, ..) => !self.is_users(self.globals()[id.0 as usize].unit),
            _ => false,
        };
        self.units[..self.users as usize].iter().any(|unit| {
            let symbols = unit.module.unit.symbols.iter().zip(&unit.targets);
            let mut targets = symbols.filter(|(symbol, _)| symbol.name == name);
            targets.any(|(_, target)| target.as_ref().is_some_and(is_librarys))
        })
    }

    /// Returns whether the unit is one of the user's, not of the libraries.
    pub fn is_users(&self, unit: UnitId) -> bool {
        unit.0 < self.users
    }
}

/// What a symbol that something reached mentions stands for.
fn reached(target: Option<Target>) -> Target {
    target.expect("a function's references and a global's relocations name every symbol in it")
}

/// Whether a call gives a function just what it takes.
fn is_simple(site: &CallSite, signature: &Signature) -> bool {
    let given = site.arguments.iter().map(|argument| argument.scalar);
    !signature.variadic
        && given.eq(signature.parameters.iter().copied())
        && site
            .arguments
            .iter()
            .all(|argument| argument.by_value.is_none())
        && (site.results.is_empty() || site.results == signature.results)
}

#[cfg(test)]
pub(crate) mod tests;
