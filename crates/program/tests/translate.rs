//! Translation of small modules: each file of `translate/` against the snapshot of its executable
//! form, C sources for what the debug information says, and files that are no modules.

use impasse_program::instruction::{Body, Constant, Instruction, Operand, Place, PoisonFlags};
use impasse_program::translate::{TranslateError, translate_file};
use impasse_program::unit::{Definition, Function, Unit};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The text of a unit: its symbols, variables and functions.
fn show(unit: &Unit) -> String {
    let mut text = String::new();
    for (index, symbol) in unit.symbols.iter().enumerate() {
        let definition = match symbol.definition {
            Definition::Alias(of, offset) => {
                format!("{}{offset:+}", unit.symbols[of.0 as usize].name)
            }
            other => format!("{other:?}"),
        };
        let (name, linkage) = (&symbol.name, symbol.linkage);
        writeln!(text, "{index}: @{name} {linkage:?} {definition}").unwrap();
    }
    for global in &unit.globals {
        let name = &unit.symbols[global.symbol.0 as usize].name;
        write!(
            text,
            "@{name} = {:02x?} align {}",
            global.bytes, global.align
        )
        .unwrap();
        for relocation in &global.relocations {
            let of = &unit.symbols[relocation.symbol.0 as usize].name;
            write!(
                text,
                ", at {} @{of}{:+}",
                relocation.offset, relocation.addend
            )
            .unwrap();
        }
        let constant = if global.constant { " constant" } else { "" };
        let local = if global.thread_local {
            " thread-local"
        } else {
            ""
        };
        writeln!(text, "{constant}{local}").unwrap();
    }
    for (priority, symbol) in &unit.constructors {
        let name = &unit.symbols[symbol.0 as usize].name;
        writeln!(text, "constructor {priority} @{name}").unwrap();
    }
    for function in &unit.functions {
        writeln!(text, "\n{}", show_function(unit, function).trim_end()).unwrap();
    }
    text
}

/// The text of a function: its signature, variables and instructions.
fn show_function(unit: &Unit, function: &Function) -> String {
    let body: Body = postcard::from_bytes(&function.body).expect("a unit holds valid bodies");
    let name = &unit.symbols[function.symbol.0 as usize].name;
    let (signature, slots) = (&function.signature, body.slots);
    let mut text = format!("@{name}: {signature:?}, {slots} slots\n");
    for variable in &body.variables {
        writeln!(text, "  {}: {:?}", variable.name, variable.place).unwrap();
    }
    let no_flags = format!("{:?}", PoisonFlags::default());
    for (position, instruction) in body.code.iter().enumerate() {
        let shown = format!("{instruction:?}").replace(&no_flags, "none");
        write!(text, "{position:4}  {shown}{}", pooled(&body, instruction)).unwrap();
        let operands = operands(unit, &body, instruction);
        match operands.is_empty() {
            true => text.push('\n'),
            false => writeln!(text, "; reads {}", operands.join(", ")).unwrap(),
        }
    }
    text
}

/// What an instruction keeps in the pools of its body.
fn pooled(body: &Body, instruction: &Instruction) -> String {
    use Instruction as I;
    match instruction {
        I::Call { site } => format!(": {:?}", body.sites[site.0 as usize]),
        I::LandingPad { clauses, .. } => format!(": {:?}", body.pads[clauses.0 as usize]),
        I::Switch { cases, .. } | I::IndirectJump { cases, .. } => {
            format!(": {:?}", &body.cases[cases.indices()])
        }
        I::Unsupported { reason } => format!(": {}", body.names[*reason as usize]),
        _ => String::new(),
    }
}

/// The operands that an instruction reads: slots by number, constants by value.
fn operands(unit: &Unit, body: &Body, instruction: &Instruction) -> Vec<String> {
    let constant = |index: u32| match body.constants[index as usize] {
        Constant::Word(word) if word.undefined != 0 => "undefined".into(),
        Constant::Word(word) => format!("{:#x}", word.bits),
        Constant::Address(symbol, offset) => {
            format!("@{}{offset:+}", unit.symbols[symbol.0 as usize].name)
        }
    };
    let mut shown = Vec::new();
    instruction.for_each_operand(body, |operand: Operand, words| {
        shown.push(match operand.place() {
            Place::Slot(slot) => format!("{slot:?}"),
            Place::Constant(index) => {
                let parts: Vec<String> = (index..index + words).map(constant).collect();
                parts.join(":")
            }
        });
    });
    shown
}

#[test]
fn modules() {
    insta::glob!("translate/*.ll", |path| {
        insta::assert_snapshot!(show(&translate_file(path).unwrap()));
    });
}

/// Compiles a source as checked programs are, and translates it.
fn compile(compiler: &str, name: &str, source: &str) -> Unit {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    let status = Command::new(compiler)
        .args([
            "-g",
            "-O1",
            "-Xclang",
            "-disable-llvm-passes",
            "-emit-llvm",
            "-c",
            "-o",
            "out.bc",
            name,
        ])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    translate_file(&folder.path().join("out.bc")).unwrap()
}

#[test]
fn names_places_and_types_of_the_source() {
    let unit = compile(
        "clang++-19",
        "bank.cpp",
        "namespace shop {
enum class Color : signed char { Red = -1, Blue = 200 - 100 };
struct Base { long id; };
struct Account : Base {
  unsigned open : 1, kind : 3;
  Color colors[2][3];
  Account *next;
  static int count;
  int pay(const int amount) { int rest = amount; return rest - 1; }
};
int Account::count = 4;
}
namespace { shop::Account first; }
int main() { auto pay = [](int n) { return first.pay(n); }; return pay(3); }
",
    );
    let mut text = String::new();
    for global in &unit.globals {
        let place = &unit.debug.locations[global.location.0 as usize];
        writeln!(
            text,
            "{} at line {}: {:?}",
            global.display_name, place.line, global.ty
        )
        .unwrap();
    }
    for (index, ty) in unit.debug.types.iter().enumerate() {
        writeln!(text, "{index}: {ty:?}").unwrap();
    }
    for function in &unit.functions {
        let place = &unit.debug.locations[function.location.0 as usize];
        let path = std::path::Path::new(&unit.debug.files[place.file.0 as usize]);
        assert!(path.is_absolute(), "compiled in another folder");
        let file = path.file_name().unwrap().to_string_lossy();
        writeln!(text, "{} at {file}:{}", function.display_name, place.line).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn locals_of_a_c_program() {
    let unit = compile(
        "clang-19",
        "sum.c",
        "struct point { int x, y; };
int sum(int n, int *values) {
  struct point p = { 1, 2 };
  for (int i = 0; i < n; i++) p.x += values[i];
  return p.x * p.y;
}
",
    );
    insta::assert_snapshot!(show(&unit));
}

#[test]
fn what_is_no_module() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("empty.bc", &b""[..]),
        ("text.ll", b"this is no IR"),
        ("broken.bc", b"BC\xc0\xde broken"),
        ("invalid.ll", b"define i32 @f() {\n  br label %a\na:\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  ret i32 %x\n}"),
        ("narrow.ll", b"target datalayout = \"e-p:16:16\"\ndefine void @f() {\n  ret void\n}"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let error = translate_file(&path).err();
        match name {
            "empty.bc" => assert!(error.is_none() || is_clear(&error.unwrap()), "an empty file is an empty module"),
            _ => assert!(is_clear(&error.expect(name)), "{name}"),
        }
    }
    assert!(is_clear(
        &translate_file(Path::new("/nowhere/missing.bc")).unwrap_err()
    ));
}

/// Whether a message is one line that names the file.
fn is_clear(error: &TranslateError) -> bool {
    let message = error.to_string();
    message.lines().count() == 1 && (message.contains(".bc") || message.contains(".ll"))
}
