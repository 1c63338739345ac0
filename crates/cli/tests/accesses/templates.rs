//! What the threads of the made-up programs access memory by: calls of builtins, and instructions.

use crate::calls::{CALLS, LEFT_OUT};
use crate::program::BLOCK;
use impasse_machine::machine::builtin::{Builtin, Extent};
use impasse_machine::state::memory::Access;

/// A way to access memory: C code, in which `place` is where.
pub struct Template {
    /// What makes the access, in words.
    pub name: String,
    /// What `main` does to the place first.
    pub setup: &'static str,
    /// What makes the access.
    pub code: String,
    /// How many bytes are accessed; of a freed block all.
    pub bytes: u64,
    /// Reads or writes.
    pub access: Access,
    /// Whether it races with no other atomic access.
    pub atomic: bool,
    /// Whether what else is done at the place may be an error of another kind: it is freed,
    /// destroyed, or initialised while another thread may hold it.
    pub frees: bool,
    /// What kind of object the place holds, of which operations that are atomic can be used side by
    /// side.
    pub family: &'static str,
}

/// Instructions: (name, code, bytes, access, atomic).
const INSTRUCTIONS: &[(&str, &str, u64, Access, bool)] = &[
    (
        "a load",
        "int n = *(int *)place; kept[side] = n ? place : 0;",
        4,
        Access::Read,
        false,
    ),
    ("a store", "*(int *)place = 0;", 4, Access::Write, false),
    (
        "an atomic load",
        "__atomic_load_n((int *)place, __ATOMIC_SEQ_CST);",
        4,
        Access::Read,
        true,
    ),
    (
        "an atomic store",
        "__atomic_store_n((int *)place, 0, __ATOMIC_RELEASE);",
        4,
        Access::Write,
        true,
    ),
    (
        "an atomic addition",
        "__atomic_fetch_add((int *)place, 0, __ATOMIC_SEQ_CST);",
        4,
        Access::Write,
        true,
    ),
    (
        "a compare-exchange",
        "int n = __atomic_load_n((int *)place, __ATOMIC_SEQ_CST); __atomic_compare_exchange_n((int *)place, &n, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);",
        4,
        Access::Write,
        true,
    ),
    (
        "a copied structure",
        "struct many copy = *(struct many *)place; kept[side] = copy.words[2] ? place : 0;",
        24,
        Access::Read,
        false,
    ),
    (
        "an assigned structure",
        "*(struct many *)place = many;",
        24,
        Access::Write,
        false,
    ),
    (
        "an argument by value",
        "take(*(struct many *)place);",
        24,
        Access::Read,
        false,
    ),
];

/// All ways to access memory. Panics if a row of a builtin is missing.
pub fn templates() -> Vec<Template> {
    let rows = Builtin::all().flat_map(|b| b.accesses().iter().map(move |row| (b.name(), row)));
    let called = rows.filter(|(name, _)| LEFT_OUT.iter().all(|(left_out, _)| name != left_out));
    let called = called.map(|(name, row)| {
        let call = CALLS
            .iter()
            .find(|call| (call.0, call.1) == (name, row.argument));
        let call =
            call.unwrap_or_else(|| panic!("no call for argument {} of {name}", row.argument));
        Template {
            name: format!("{name}, argument {}", row.argument),
            setup: call.3,
            code: call.4.into(),
            bytes: match row.extent {
                Extent::Bytes(bytes) => bytes,
                Extent::Pointer => 8,
                Extent::Argument(_) if name.starts_with("mem") => 24,
                Extent::Argument(_) => 8,
                Extent::Block => BLOCK,
            },
            access: row.access,
            atomic: row.atomic,
            frees: row.extent == Extent::Block
                || name.ends_with("_destroy")
                || (name.ends_with("_init") && row.argument == 0),
            family: call.2,
        }
    });
    let instructions = INSTRUCTIONS
        .iter()
        .map(|&(name, code, bytes, access, atomic)| Template {
            name: name.into(),
            setup: "",
            code: code.into(),
            bytes,
            access,
            atomic,
            frees: false,
            family: "atomic",
        });
    called.chain(instructions).collect()
}
