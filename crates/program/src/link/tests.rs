//! What linking promises, on units made by hand.

use super::*;
use crate::debug::LocationId;
use crate::instruction::{CallSite, CallSiteId, Instruction, Slot};
use crate::unit::{Definition, Function as UnitFunction, Global, Relocation, Symbol};

/// Makes a unit, definition by definition.
pub(crate) struct UnitBuilder {
    pub unit: Unit,
}

impl UnitBuilder {
    pub fn new(name: &str) -> UnitBuilder {
        let unit = Unit {
            name: name.into(),
            ..Unit::default()
        };
        UnitBuilder { unit }
    }

    /// Returns the symbol of this name, at first an undefined function.
    pub fn symbol(&mut self, name: &str) -> SymbolId {
        let known = self.unit.symbols.iter().position(|s| s.name == name);
        let index = known.unwrap_or_else(|| {
            self.unit.symbols.push(Symbol {
                name: name.into(),
                linkage: Linkage::Strong,
                definition: Definition::Undefined,
                function: true,
            });
            self.unit.symbols.len() - 1
        });
        SymbolId(index as u32)
    }

    fn define(&mut self, name: &str, linkage: Linkage, definition: Definition) -> SymbolId {
        let id = self.symbol(name);
        let symbol = &mut self.unit.symbols[id.0 as usize];
        symbol.linkage = linkage;
        symbol.definition = definition;
        symbol.function = matches!(definition, Definition::Function(_));
        id
    }

    pub fn function(&mut self, name: &str, linkage: Linkage, calls: &[&str], mut body: Body) {
        let references: Vec<SymbolId> = calls.iter().map(|call| self.symbol(call)).collect();
        for &symbol in &references {
            body.code.push(Instruction::Call {
                site: CallSiteId(body.sites.len() as u32),
            });
            body.sites.push(CallSite {
                callee: Callee::Symbol(symbol),
                arguments: vec![],
                fixed: 0,
                destination: Slot(0),
                results: vec![],
                landing: None,
                no_unwind: false,
                returns_twice: false,
            });
            body.constants.push(Constant::Address(symbol, 0));
        }
        body.code.push(Instruction::Unreachable);
        let index = self.unit.functions.len() as u32;
        let symbol = self.define(name, linkage, Definition::Function(index));
        self.unit.functions.push(UnitFunction {
            symbol,
            signature: Signature::default(),
            display_name: format!("{name} of {}", self.unit.name),
            location: LocationId::default(),
            references,
            no_unwind: false,
            personality: None,
            body: body.encode(),
        });
    }

    pub fn strong(&mut self, name: &str, calls: &[&str]) {
        self.function(name, Linkage::Strong, calls, Body::default());
    }

    pub fn strong_with(&mut self, name: &str, calls: &[&str], body: Body) {
        self.function(name, Linkage::Strong, calls, body);
    }

    fn weak(&mut self, name: &str, calls: &[&str]) {
        self.function(name, Linkage::Weak, calls, Body::default());
    }

    fn internal(&mut self, name: &str, calls: &[&str]) {
        self.function(name, Linkage::Internal, calls, Body::default());
    }

    fn alias(&mut self, name: &str, linkage: Linkage, of: &str, offset: i64) {
        let symbol = self.symbol(of);
        let function = self.unit.symbols[symbol.0 as usize].function;
        let id = self.define(name, linkage, Definition::Alias(symbol, offset));
        self.unit.symbols[id.0 as usize].function = function;
    }

    fn constructor(&mut self, priority: u32, name: &str) {
        let symbol = self.symbol(name);
        self.unit.constructors.push((priority, symbol));
    }

    fn destructor(&mut self, priority: u32, name: &str) {
        let symbol = self.symbol(name);
        self.unit.destructors.push((priority, symbol));
    }

    /// A global of 16 bytes, with addresses of symbols one after the other.
    fn global(&mut self, name: &str, role: Role, addresses: &[(&str, i64)]) {
        let relocations = addresses
            .iter()
            .zip(0..)
            .map(|(&(target, addend), n)| Relocation {
                offset: n * 8,
                symbol: self.symbol(target),
                addend,
            })
            .collect();
        let index = self.unit.globals.len() as u32;
        let symbol = self.define(name, Linkage::Strong, Definition::Global(index));
        self.unit.globals.push(Global {
            symbol,
            display_name: name.into(),
            bytes: vec![0; 16],
            relocations,
            align: 8,
            constant: role == Role::Constant,
            thread_local: role == Role::ThreadLocal,
            ty: None,
            location: LocationId::default(),
        });
    }

    fn may_be_absent(&mut self, name: &str) {
        let symbol = self.symbol(name);
        self.unit.symbols[symbol.0 as usize].linkage = Linkage::ExternalWeak;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Mutable,
    Constant,
    ThreadLocal,
}

fn unit(name: &str, fill: impl FnOnce(&mut UnitBuilder)) -> Unit {
    let mut builder = UnitBuilder::new(name);
    fill(&mut builder);
    builder.unit
}

/// The machine of these tests implements names that start with `b_`.
fn builtin(name: &str) -> Option<BuiltinId> {
    name.strip_prefix("b_")?.parse().ok().map(BuiltinId)
}

fn try_link(user: Vec<Unit>, library: Vec<Unit>) -> Result<Program, LinkError> {
    let library = Library::in_memory(Library::build(library)).unwrap();
    Program::link(user, &library, &builtin, &["main"])
}

fn link(user: Vec<Unit>, library: Vec<Unit>) -> Program {
    try_link(user, library).unwrap()
}

/// What `main` calls, by display names.
fn calls(program: &Program, function: &str) -> Vec<String> {
    let function = program.find_function(function).unwrap();
    let targets = &program.function(function).targets;
    targets.iter().map(|&t| shown(program, t)).collect()
}

fn shown(program: &Program, target: Target) -> String {
    match target {
        Target::Function(id) => program.info(id).display_name.clone(),
        Target::Builtin(id) => format!("builtin {}", id.0),
        Target::Global(id, offset) => {
            format!("{}+{offset}", program.globals()[id.0 as usize].name)
        }
        Target::Missing(index) => format!("missing {}", program.missing()[index as usize]),
        Target::Absent => "absent".into(),
    }
}

fn display_names(program: &Program, functions: &[FunctionId]) -> Vec<String> {
    let name = |id: &FunctionId| program.info(*id).display_name.clone();
    functions.iter().map(name).collect()
}

fn all_names(program: &Program) -> Vec<String> {
    let ids: Vec<_> = (0..program.functions()).map(FunctionId).collect();
    display_names(program, &ids)
}

#[test]
fn strong_beats_weak_and_the_first_weak_wins() {
    let first = unit("one", |u| {
        u.weak("f", &[]);
        u.weak("g", &[]);
        u.strong("main", &["f", "g"]);
    });
    let second = unit("two", |u| {
        u.strong("f", &[]);
        u.weak("g", &[]);
    });
    let program = link(vec![first, second], vec![]);
    assert_eq!(calls(&program, "main"), ["f of two", "g of one"]);
    assert_eq!(program.functions(), 3);
}

#[test]
fn two_strong_definitions_are_refused() {
    let one = || unit("one", |u| u.strong("f", &[]));
    let error = try_link(vec![one(), one()], vec![]).err().unwrap();
    assert_eq!(error.to_string(), "f is defined twice: in one and in one");
}

#[test]
fn a_root_must_be_defined() {
    let error = try_link(vec![unit("one", |u| u.strong("f", &["main"]))], vec![]);
    assert!(matches!(error, Err(LinkError::NoRoot(name)) if name == "main"));
}

#[test]
fn internal_symbols_stay_in_their_unit() {
    let one = unit("one", |u| {
        u.internal("f", &[]);
        u.strong("main", &["f", "g"]);
    });
    let two = unit("two", |u| {
        u.internal("f", &[]);
        u.strong("g", &["f"]);
    });
    let program = link(vec![one, two], vec![]);
    assert_eq!(calls(&program, "main"), ["f of one", "g of two"]);
    assert_eq!(calls(&program, "g"), ["f of two"]);
}

#[test]
fn the_users_strong_then_the_machine_then_the_users_weak_then_the_library() {
    let names = ["b_1", "b_2", "b_3", "f", "g"];
    let user = unit("user", |u| {
        u.strong("b_1", &[]);
        u.weak("b_2", &[]);
        u.weak("f", &[]);
        u.strong("main", &names);
    });
    let library = unit("library", |u| {
        for name in names {
            u.strong(name, &[]);
        }
    });
    let program = link(vec![user], vec![library]);
    assert_eq!(
        calls(&program, "main"),
        [
            "b_1 of user",
            "builtin 2",
            "builtin 3",
            "f of user",
            "g of library"
        ]
    );
    assert_eq!(
        program.builtins(),
        [(BuiltinId(2), "b_2".into()), (BuiltinId(3), "b_3".into())]
    );
}

#[test]
fn the_library_takes_the_users_definition_of_the_same_kind() {
    let user = unit("user", |u| {
        u.strong("f", &[]);
        u.global("g", Role::Mutable, &[]);
        u.strong("main", &["l", "g"]);
    });
    let library = unit("library", |u| {
        u.strong("l", &["f", "g"]);
        u.strong("f", &[]);
    });
    let other = unit("other", |u| u.strong("g", &[]));
    let program = link(vec![user], vec![library, other]);
    assert_eq!(calls(&program, "l"), ["f of user", "g of other"]);
    assert_eq!(calls(&program, "main"), ["l of library", "g+0"]);
}

#[test]
fn in_the_library_strong_beats_weak_whatever_the_order() {
    let user = unit("user", |u| u.strong("main", &["f", "g"]));
    let library = vec![
        unit("one", |u| {
            u.weak("f", &[]);
            u.strong("g", &[]);
        }),
        unit("two", |u| {
            u.strong("f", &[]);
            u.strong("g", &[]);
        }),
    ];
    let program = link(vec![user], library);
    assert_eq!(calls(&program, "main"), ["f of two", "g of one"]);
}

#[test]
fn only_what_is_reached_is_linked() {
    let user = unit("user", |u| {
        u.strong("main", &["f"]);
        u.strong("unused", &["h"]);
    });
    let library = vec![
        unit("one", |u| {
            u.strong("f", &["k"]);
            u.strong("unused", &["undefined"]);
            u.global("table", Role::Constant, &[("k", 0), ("m", 0)]);
            u.internal("k", &["table"]);
        }),
        unit("two", |u| u.strong("h", &[])),
        unit("three", |u| u.strong("m", &[])),
    ];
    let program = link(vec![user], library);
    assert_eq!(
        all_names(&program),
        ["main of user", "f of one", "k of one", "m of three"]
    );
    assert!(program.missing().is_empty());
    assert_eq!(program.find_function("h"), None);
    assert!(!program.is_users(program.info(FunctionId(3)).unit));
}

#[test]
fn constructors_run_by_priority_and_only_of_members_that_are_reached() {
    let with_constructor = |name: &'static str, priority| {
        unit(name, move |u| {
            u.internal("start", &[]);
            u.internal("end", &[]);
            u.strong(name, &[]);
            u.constructor(priority, "start");
            u.destructor(priority, "end");
        })
    };
    let user = unit("user", |u| {
        u.internal("late", &["a"]);
        u.internal("early", &[]);
        u.strong("main", &["c"]);
        u.constructor(65535, "late");
        u.constructor(200, "early");
        u.destructor(65535, "late");
    });
    let library = vec![
        with_constructor("a", 65535),
        with_constructor("b", 50),
        with_constructor("c", 101),
    ];
    let program = link(vec![user], library);
    assert_eq!(
        display_names(&program, program.constructors()),
        ["start of c", "start of a", "early of user", "late of user"]
    );
    assert_eq!(
        display_names(&program, program.destructors()),
        ["late of user", "end of a", "end of c"]
    );
}

#[test]
fn a_constructor_without_a_body_is_refused() {
    let user = unit("user", |u| {
        u.strong("main", &[]);
        u.constructor(1, "elsewhere");
    });
    let error = try_link(vec![user], vec![]).err().unwrap();
    assert_eq!(
        error.to_string(),
        "user runs elsewhere at start or end, which no unit defines"
    );
}

#[test]
fn aliases_stand_for_their_own_units_definition() {
    let user = unit("user", |u| {
        u.strong("f", &[]);
        u.strong("main", &["f", "other", "inside"]);
    });
    let library = unit("library", |u| {
        u.weak("f", &[]);
        u.alias("again", Linkage::Strong, "f", 0);
        u.alias("other", Linkage::Weak, "again", 0);
        u.global("array", Role::Mutable, &[]);
        u.alias("nearly", Linkage::Internal, "array", 4);
        u.alias("inside", Linkage::Strong, "nearly", 8);
    });
    let program = link(vec![user], vec![library]);
    assert_eq!(
        calls(&program, "main"),
        ["f of user", "f of library", "array+12"]
    );
    assert_eq!(program.find_function("other"), Some(FunctionId(2)));
    let main = program.find_function("main").unwrap();
    let address = program.function(main).constants[2];
    assert_eq!(program.find_global("array"), Some(GlobalId(0)));
    assert_eq!(
        Address::from_bits(address.bits),
        Address {
            object: ObjectId::global(0),
            offset: 12
        }
    );
}

#[test]
fn aliases_in_a_circle_are_missing() {
    let user = unit("user", |u| {
        u.alias("a", Linkage::Strong, "b", 0);
        u.alias("b", Linkage::Strong, "a", 0);
        u.strong("main", &["a"]);
    });
    let program = link(vec![user], vec![]);
    assert_eq!(program.missing().len(), 1);
}

#[test]
fn what_is_missing_has_an_address_that_no_access_accepts() {
    let user = unit("user", |u| {
        u.may_be_absent("perhaps");
        u.may_be_absent("b_4");
        u.global("table", Role::Mutable, &[("nothing", 0), ("perhaps", 0)]);
        u.strong("main", &["nothing", "perhaps", "b_4", "table", "main"]);
    });
    let program = link(vec![user], vec![]);
    assert_eq!(
        calls(&program, "main"),
        [
            "missing nothing",
            "absent",
            "builtin 4",
            "table+0",
            "main of user"
        ]
    );
    let main = program.function(FunctionId(0));
    let objects: Vec<_> = main
        .constants
        .iter()
        .map(|word| Address::from_bits(word.bits).object.kind())
        .collect();
    use crate::address::ObjectKind::{Function, Global, Null};
    assert_eq!(
        objects,
        [Function(2), Null, Function(1), Global(0), Function(0)]
    );
    let pointers: Vec<_> = main.constants.iter().map(|word| word.pointer).collect();
    assert_eq!(pointers, [true, false, true, true, true]);
    let targets: Vec<_> = (0..4).map(|n| program.function_object(n)).collect();
    assert_eq!(
        targets,
        [
            Some(Target::Function(FunctionId(0))),
            Some(Target::Builtin(BuiltinId(4))),
            Some(Target::Missing(0)),
            None
        ]
    );
    let table = &program.globals()[0];
    assert_eq!(table.pointers, [0]);
    assert_eq!(table.bytes[..8], main.constants[0].bits.to_le_bytes());
    assert_eq!(table.bytes[8..], [0; 8]);
    assert_eq!(
        program.address_of(FunctionId(0)).object,
        ObjectId::function(0)
    );
}

#[test]
fn mutable_globals_come_first_and_thread_locals_last() {
    let user = unit("user", |u| {
        u.global("t", Role::ThreadLocal, &[]);
        u.global("c", Role::Constant, &[("v", 8), ("c", 0)]);
        u.strong("main", &["t", "c", "l"]);
        u.global("v", Role::Mutable, &[]);
    });
    let library = unit("library", |u| u.global("l", Role::Mutable, &[]));
    let program = link(vec![user], vec![library]);
    let names: Vec<_> = program.globals().iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["v", "l", "c", "t"]);
    assert_eq!(program.mutable_globals(), 2);
    let address = |index, offset| Address {
        object: ObjectId::global(index),
        offset,
    };
    let c = &program.globals()[2];
    assert_eq!(c.bytes[..8], address(0, 8).bits().to_le_bytes());
    assert_eq!(c.bytes[8..], address(2, 0).bits().to_le_bytes());
    assert_eq!(c.pointers, [0, 8]);
    assert_eq!(program.find_global("t"), Some(GlobalId(3)));
}

#[test]
fn the_personality_of_a_function_is_reached() {
    let user = unit("user", |u| {
        u.strong("main", &[]);
        let personality = u.symbol("personality");
        u.unit.functions[0].personality = Some(personality);
    });
    let library = unit("library", |u| u.strong("personality", &[]));
    let program = link(vec![user], vec![library]);
    assert_eq!(program.find_function("personality"), Some(FunctionId(1)));
}

#[test]
fn functions_are_decoded_once_by_whichever_thread_is_first() {
    let user = unit("user", |u| u.strong("main", &["f"]));
    let library = unit("library", |u| u.strong("f", &[]));
    let program = link(vec![user], vec![library]);
    let decode = || program.function(FunctionId(1)) as *const Function as usize;
    let places: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(decode)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(places.iter().all(|&place| place == places[0]));
}

#[test]
fn a_summary_names_what_cannot_run() {
    let body = Body {
        code: vec![Instruction::Unsupported { reason: 0 }],
        names: vec!["inline assembly".into()],
        ..Body::default()
    };
    let user = unit("user", |u| {
        u.strong_with("main", &["nothing", "b_7", "l"], body);
        u.global("unused", Role::Mutable, &[]);
    });
    let library = unit("library", |u| u.strong("l", &[]));
    let summary = link(vec![user], vec![library]).summary();
    assert_eq!((summary.functions.all, summary.functions.users), (2, 1));
    assert_eq!(summary.variables.all, 0);
    assert_eq!(summary.builtins, ["b_7"]);
    assert!(summary.missing.contains_key("nothing"));
    let unsupported = &summary.unsupported[0];
    assert_eq!(unsupported.what, "inline assembly");
    assert_eq!(unsupported.function, "main of user");
    assert!(
        summary
            .to_string()
            .contains("inline assembly in main of user")
    );
}
