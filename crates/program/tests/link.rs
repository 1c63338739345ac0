//! Modules of LLVM become one program.

use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::library::Library;
use impasse_program::link::{FunctionId, Program, Target};
use impasse_program::translate::translate_file;
use impasse_program::unit::Unit;

const USER: &str = r#"
target triple = "x86_64-unknown-linux-musl"
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }]
  [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 200, ptr @early, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @last, ptr null }]
@counter = external global i32
@own = thread_local global i32 7
@table = constant [3 x ptr] [ptr @helper, ptr @perhaps, ptr getelementptr (i8, ptr @counter, i64 2)]
declare i32 @helper(i32)
declare extern_weak void @perhaps()
declare void @nowhere()
define internal void @late() { ret void }
define internal void @early() { ret void }
define internal void @last() { ret void }
define linkonce_odr i32 @shared() { ret i32 1 }
define i32 @main() {
  %n = load i32, ptr @counter
  %t = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %m = load i32, ptr %t
  %s = call i32 @shared()
  %f = load ptr, ptr @table
  %r = call i32 %f(i32 %n)
  call void @nowhere()
  ret i32 %r
}
declare ptr @llvm.threadlocal.address.p0(ptr)
"#;

const LIBRARY: &str = r#"
target triple = "x86_64-unknown-linux-musl"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
@memory = internal global { i32, i32, i32 } { i32 1, i32 2, i32 3 }
@counter = alias i32, getelementptr (i8, ptr @memory, i64 4)
@helper = weak alias i32 (i32), ptr @__helper
define internal void @start() { ret void }
define i32 @__helper(i32 %n) { ret i32 %n }
define linkonce_odr i32 @shared() { ret i32 1 }
"#;

const UNUSED: &str = r#"
target triple = "x86_64-unknown-linux-musl"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @begin, ptr null }]
define internal void @begin() { ret void }
define weak i32 @helper(i32 %n) { ret i32 0 }
"#;

fn unit(text: &str) -> Unit {
    let file = tempfile::Builder::new().suffix(".ll").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    translate_file(file.path()).unwrap()
}

fn program() -> Program {
    let library = Library::build(vec![unit(LIBRARY), unit(UNUSED)]);
    let library = Library::in_memory(library).unwrap();
    Program::link(vec![unit(USER)], &library, &|_| None, &["main"]).unwrap()
}

fn names(program: &Program, functions: &[FunctionId]) -> Vec<String> {
    let name = |&id: &FunctionId| program.info(id).name.clone();
    functions.iter().map(name).collect()
}

#[test]
fn what_runs_before_and_after_main() {
    let program = program();
    assert_eq!(
        names(&program, program.constructors()),
        ["start", "early", "late"]
    );
    assert_eq!(names(&program, program.destructors()), ["last"]);
}

#[test]
fn one_definition_of_each_name() {
    let program = program();
    let all: Vec<_> = (0..program.functions()).map(FunctionId).collect();
    let mut all = names(&program, &all);
    all.sort();
    assert_eq!(
        all,
        [
            "__helper", "early", "last", "late", "main", "shared", "start"
        ]
    );
    assert_eq!(program.missing(), ["nowhere"]);
    let shared = program.find_function("shared").unwrap();
    assert!(program.is_users(program.info(shared).unit));
}

#[test]
fn addresses_lead_to_what_is_named() {
    let program = program();
    let table = program.find_global("table").unwrap();
    let table = &program.globals()[table.0 as usize];
    let address = |n: usize| {
        let word = table.bytes[8 * n..8 * n + 8].try_into().unwrap();
        Address::from_bits(u64::from_le_bytes(word))
    };
    let helper = program.find_function("__helper").unwrap();
    assert_eq!(address(0), program.address_of(helper));
    assert_eq!(program.find_function("helper"), Some(helper));
    assert_eq!(address(1).object, ObjectId::NULL);
    let memory = program.find_global("memory").unwrap();
    assert_eq!(
        address(2),
        Address {
            object: ObjectId::global(memory.0),
            offset: 6
        }
    );
    assert_eq!(table.pointers, [0, 16]);
    assert!(memory.0 < program.mutable_globals());
    let own = program.find_global("own").unwrap();
    assert!(program.globals()[own.0 as usize].thread_local);
}

#[test]
fn a_missing_function_is_called_by_name() {
    let program = program();
    let main = program.find_function("main").unwrap();
    let function = program.function(main);
    assert!(function.targets.contains(&Target::Missing(0)));
    let objects = (0..).map_while(|n| program.function_object(n));
    assert_eq!(objects.last(), Some(Target::Missing(0)));
    let kinds = function.constants.iter().filter(|word| word.pointer);
    for word in kinds {
        let kind = Address::from_bits(word.bits).object.kind();
        assert!(matches!(kind, ObjectKind::Global(_)), "{kind:?}");
    }
}
